"""Checks of the arguments of public functions: a value of a wrong type is refused before anything is done with it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, wraps
from inspect import Signature, signature
from numbers import Real
from operator import index
from typing import Any, Literal, ParamSpec, TypeVar, get_args, get_origin

from gridproof.errors import InputError, choices, shortened

P = ParamSpec("P")
R = TypeVar("R")


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Make a public function raise ``InputError`` for an argument that is not of its annotated type.

    Where the annotation is an ``Iterable`` or a ``Sequence``, a single text or object counts as a list of one, and
    anything iterable is read into a list. The name of a union, such as ``PuzzleLike``, is left to the function.

    Examples
    --------
    >>> @checked
    ... def show(names: Sequence[str], limit: int | None = None) -> None:
    ...     print(names, limit)
    >>> show("easy", 3)
    ['easy'] 3
    >>> show(["easy"], "3")
    Traceback (most recent call last):
        ...
    gridproof.errors.InputError: show: limit is '3'; expected a whole number or None
    """

    @wraps(function)
    def checking(*args: P.args, **kwargs: P.kwargs) -> R:
        parameters = _signature(function)
        try:
            given = parameters.bind(*args, **kwargs)
        except TypeError:
            return function(*args, **kwargs)  # Python's own message about missing or further arguments
        names: Mapping[str, object] = getattr(function, "__globals__", {})
        for name, value in given.arguments.items():
            annotation = parameters.parameters[name].annotation
            if str(annotation).startswith("Unpack["):
                known = getattr(names[annotation[7:-1]], "__annotations__", {})
                if unknown := [option for option in value if option not in known]:
                    options = [*parameters.parameters, *known]
                    options.remove(name)
                    message = f"{function.__qualname__}() got an unexpected keyword argument {unknown[0]!r}"
                    raise TypeError(f"{message}; {choices(unknown[0], options)}")
            if isinstance(annotation, str):
                place = f"{function.__qualname__.removesuffix('.__init__')}: {name}"
                given.arguments[name] = _argument(value, annotation, names, place)
        return function(*given.args, **given.kwargs)

    return checking


@cache
def _signature(function: Callable[..., object]) -> Signature:
    return signature(function)


@cache
def _parts(annotation: str) -> tuple[str, ...]:
    """Return the members of a union."""
    return tuple(re.split(r" \| (?![^\[]*\])", annotation))


@cache
def _inner(part: str) -> str:
    """Return the annotation of the items of a sequence, or nothing for any other type."""
    match = re.fullmatch(r"(?:Iterable|Sequence)\[(.*)\]", part)
    return match[1] if match else ""


def _argument(value: Any, annotation: str, names: Mapping[str, object], place: str) -> Any:
    """Return the value, or a list of it where one item stands for a list. Raises ``InputError``."""
    if _fits(value, annotation, names):
        return value
    for inner in filter(None, map(_inner, _parts(annotation))):
        if _fits(value, inner, names):
            return [value]
        if not isinstance(value, (str, bytes)):
            with suppress(TypeError):  # an array without dimensions only seems to be iterable
                return [_argument(item, inner, names, place) for item in value]
    expected = " or ".join(_words(part, names) for part in _parts(annotation))
    given = shortened(value) if isinstance(value, str) else repr(value)[:60]
    raise InputError(f"{place} is {given}; expected {expected}")


def _fits(value: Any, annotation: str, names: Mapping[str, object]) -> bool:
    return any(_is(value, part, names) for part in _parts(annotation))


def _is(value: Any, part: str, names: Mapping[str, object]) -> bool:
    """Return whether a value is of one type; names: what stands behind the names in the function's module."""
    if part in _SIMPLE:
        return _SIMPLE[part][1](value)
    if literals := _literals(part, names):
        return isinstance(value, str) and value in literals
    known = names.get(part)
    # a name that is no class, or is there for type checkers only, is left to the function
    return isinstance(value, known) if isinstance(known, type) else not _inner(part)


def _literals(part: str, names: Mapping[str, object]) -> tuple[str, ...]:
    """Return the words of a ``Literal``, given as such or by a name."""
    if part.startswith("Literal["):
        return tuple(re.findall(r"""["']([^"']*)["']""", part))
    return get_args(names.get(part)) if get_origin(names.get(part)) is Literal else ()


def _words(part: str, names: Mapping[str, object]) -> str:
    """Return what a type is called in a message."""
    if part in _SIMPLE:
        return _SIMPLE[part][0]
    if literals := _literals(part, names):
        return f"one of {', '.join(literals)}"
    if inner := _inner(part):
        return " or ".join(_words(one, names) for one in _parts(inner)) + ", or several in a list"
    return _EXAMPLES.get(part) or f"{'an' if part[0] in 'AEIOU' else 'a'} {part}"


def _is_whole(value: Any) -> bool:
    try:
        index(value)
    except TypeError:
        return False
    return not isinstance(value, bool)


_EXAMPLES = {"Limits": "limits such as Limits(seconds=10)", "Board": "a Board, which gridproof.parse reads"}
"""The words for a class of ours where an example helps."""

_SIMPLE: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "Any": ("anything", lambda value: True),
    "None": ("None", lambda value: value is None),
    "bool": ("True or False", lambda value: type(value).__name__ in ("bool", "bool_")),  # NumPy has one, too
    "int": ("a whole number", _is_whole),
    "float": ("a number", lambda value: isinstance(value, Real) and not isinstance(value, bool)),
    "str": ("a text", lambda value: isinstance(value, str)),
    "bytes": ("bytes", lambda value: isinstance(value, bytes)),
    "Path": ("a path", lambda value: isinstance(value, os.PathLike)),
}
"""The words for each simple type, and the test of a value."""
