"""Checks of the arguments of public functions: a value of a wrong type is refused before anything is done with it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps
from numbers import Real
from operator import index
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar, get_args, get_origin

from gridproof.errors import InputError
from gridproof.text import quote, suggest

P = ParamSpec("P")
R = TypeVar("R")
Test: TypeAlias = Callable[[Any], bool]


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
    positions = function.__code__.co_varnames[: function.__code__.co_argcount]
    tests: dict[str, Test | None] = {}

    def argument(name: str, value: Any) -> Any:
        if name not in tests:  # at the first call all names of the module are there
            tests[name] = _test(function, name)
        test = tests[name]
        if test is None or test(value):
            return value
        place = f"{function.__qualname__.removesuffix('.__init__')}: {name}"
        return _mended(value, function.__annotations__[name], function.__globals__, place)

    @wraps(function)
    def checking(*args: P.args, **kwargs: P.kwargs) -> R:
        values = [*map(argument, positions, args), *args[len(positions) :]]
        return function(*values, **{name: argument(name, value) for name, value in kwargs.items()})

    return checking


def _test(function: Callable[..., object], name: str) -> Test | None:
    """Return the test of the values of a parameter, ``None`` if any is taken. Raises ``TypeError`` for unknown ones."""
    annotations, code = function.__annotations__, function.__code__
    if name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        return _union(annotations.get(name, "Any"), function.__globals__)
    record = next((text[7:-1] for text in annotations.values() if str(text).startswith("Unpack[")), "")
    options = getattr(function.__globals__.get(record), "__annotations__", {name: ""})
    if name not in options:
        known = [*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], *options]
        message = f"{function.__qualname__}() got an unexpected keyword argument {name!r}"
        raise TypeError(f"{message}; {suggest(name, known)}")
    return None  # the function that takes the record checks it


def _union(annotation: str, names: Mapping[str, object]) -> Test | None:
    """Return the test of a union of types; names: those of the function's module."""
    tests = [_single(part, names) for part in _parts(annotation)]
    usable = [test for test in tests if test is not None]
    return (lambda value: any(test(value) for test in usable)) if len(usable) == len(tests) else None


def _single(part: str, names: Mapping[str, object]) -> Test | None:
    """Return the test of one type, ``None`` for a name that is no class or is there for type checkers only."""
    if part in _SIMPLE:
        return _SIMPLE[part][1]
    if literals := _literals(part, names):
        return lambda value: isinstance(value, str) and value in literals
    if _inner(part):
        return lambda value: False  # the items are tested one by one
    known = names.get(part)
    return (lambda value: isinstance(value, known)) if isinstance(known, type) else None


def _mended(value: Any, annotation: str, names: Mapping[str, object], place: str) -> Any:
    """Return a list of the value, or of its items, where that fits the annotation. Raises ``InputError``."""
    for inner in filter(None, map(_inner, _parts(annotation))):
        test = _union(inner, names)
        if test is not None and test(value):
            return [value]
        if not isinstance(value, (str, bytes)):
            with suppress(TypeError):  # an array without dimensions only seems to be iterable
                items = list(value)
                return [item if test is None or test(item) else _mended(item, inner, names, place) for item in items]
    expected = " or ".join(_words(part, names) for part in _parts(annotation))
    given = quote(value) if isinstance(value, str) else repr(value)[:60]
    raise InputError(f"{place} is {given}; expected {expected}")


def _parts(annotation: str) -> list[str]:
    """Return the members of a union."""
    return re.split(r" \| (?![^\[]*\])", annotation)


def _inner(part: str) -> str:
    """Return the annotation of the items of a sequence, or nothing for any other type."""
    match = re.fullmatch(r"(?:Iterable|Sequence)\[(.*)\]", part)
    return match[1] if match else ""


def _literals(part: str, names: Mapping[str, object]) -> tuple[str, ...]:
    """Return the words of a ``Literal``, given as such or by a name."""
    if part.startswith("Literal["):
        return tuple(re.findall(r"""["']([^"']*)["']""", part))
    return get_args(names.get(part)) if get_origin(names.get(part)) is Literal else ()


def _words(part: str, names: Mapping[str, object]) -> str:
    """Return the words for a type in a message."""
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

_SIMPLE: dict[str, tuple[str, Test]] = {
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
