"""Comparisons, patterns and machines that rules state as texts: small languages, read without ``eval`` and ``re``."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from math import ceil
from typing import Any, TypeAlias

from .findings import Refusal, quote
from .machines import Machine
from .statement import CHARACTERS

_LARGEST = 250

# ---- comparisons -------------------------------------------------------------------------------------------------

_FUNCTIONS: dict[str, Callable[..., Any]] = {"abs": abs, "min": min, "max": max, "ceil": ceil}
_OPERATIONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: Fraction, ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv, ast.USub: operator.neg, ast.Not: operator.not_,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip


def comparison(text: str) -> Callable[[int, int, int], bool]:
    """Return the test of a comparison of a, b and n: whole numbers, ``+ - * / // %``, comparisons, ``in``, ``and or
    not`` and ``abs min max ceil``, as in Python; fractions are exact. Raises ``Refusal``."""
    refusal = Refusal("bad-rules", f"{quote(text)} is not a comparison of a, b and n that can be read", "rules.json")
    errors = (SyntaxError, ValueError, RecursionError, MemoryError, ArithmeticError, TypeError, LookupError)
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except errors:
        raise refusal from None

    @cache
    def fits(a: int, b: int, n: int) -> bool:
        try:
            return bool(_value(tree, {"a": a, "b": b, "n": n}))
        except errors:
            raise refusal from None

    return fits


def _value(node: ast.expr, names: dict[str, int]) -> Any:
    match node:
        case ast.Constant(value=number) if type(number) is int:
            return number
        case ast.Name(id=name):
            return names[name]
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATIONS[type(op)](_value(left, names), _value(right, names))
        case ast.UnaryOp(op=op, operand=operand):
            return _OPERATIONS[type(op)](_value(operand, names))
        case ast.BoolOp(op=op, values=operands):
            for operand in operands:
                value = _value(operand, names)
                if bool(value) is isinstance(op, ast.Or):
                    break
            return value
        case ast.Compare(left=left, ops=ops, comparators=others):
            values = [_value(left, names)]
            for compare, other in zip(ops, others, strict=True):
                values.append(_list(compare, other, names))
            return all(_OPERATIONS[type(compare)](values[k], values[k + 1]) for k, compare in enumerate(ops))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _FUNCTIONS[name](*(_value(argument, names) for argument in arguments))
    raise ValueError


def _list(op: ast.cmpop, node: ast.expr, names: dict[str, int]) -> Any:
    if isinstance(op, ast.In | ast.NotIn) and isinstance(node, ast.Tuple):  # nowhere else: lists can be multiplied
        return [_value(element, names) for element in node.elts]
    return _value(node, names)


# ---- patterns ----------------------------------------------------------------------------------------------------

_SIGNS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
"""The least and the largest number of times of a part that a sign follows."""

Rest: TypeAlias = tuple[tuple[Any, ...], ...]
"""The rest that is to be matched, one part after another.

A part is ("symbols", allowed), ("any", options) or ("times", inner, least, most), where options and inner are such
tuples, and most may be ``None``.
"""


def pattern(text: str) -> Machine:
    """A machine for a pattern: symbols, ``.``, ``[1-3]``, ``[^5]``, ``( )``, ``|``, ``* + ?`` and ``{2,3}``. Its
    state is all that may be left to be matched (Antimirov 1996). Raises ``Refusal``."""
    try:
        rest, unread = _options(text)
        if not unread and _size(rest) <= _LARGEST:
            return Machine(frozenset([rest]), _step, _accepts, _weight)
    except (ValueError, RecursionError, IndexError):
        pass
    raise Refusal("bad-rules", f"{quote(text)} is not a pattern, or is too large to be read", "rules.json")


def _step(state: frozenset[Rest], symbol: int) -> frozenset[Rest] | None:
    after: set[Rest] = set()
    for rest in state:
        after.update(_after(rest, symbol))
    return frozenset(after) or None


def _accepts(state: frozenset[Rest]) -> bool:
    return any(_may_end(rest) for rest in state)


def _weight(state: frozenset[Rest]) -> int:
    return sum(1 + len(rest) for rest in state)


def _size(rest: Rest) -> int:
    """Symbols and signs of a pattern whose repeats are written out."""
    size = 0
    for word, inner, *repeats in rest:
        if word == "any":
            size += sum([_size(option) for option in inner])
            continue
        if word == "times":
            least, most = repeats
            size += _size(inner) * max(least, most or 0, 1)
        size += 1
    return size


def _options(text: str) -> tuple[Rest, str]:
    options: list[Rest] = [()]
    while text and text[0] != ")":
        if text[0] == "|":
            options.append(())
            text = text[1:]
        else:
            part, text = _repeated(text)
            options[-1] += part
    if len(options) == 1:
        return options[0], text
    return (("any", tuple(options)),), text


def _repeated(text: str) -> tuple[Rest, str]:
    part, text = _single(text)
    while text and text[0] in "*+?{":
        if text[0] == "{":
            end = text.index("}")
            least, most = parse_bounds(text[1:end])
            text = text[end + 1 :]
        else:
            least, most = _SIGNS[text[0]]
            text = text[1:]
        part = (("times", part, least, most),)
    return part, text


def parse_bounds(text: str) -> tuple[int, int | None]:
    """Return the least and the largest number of times; ``2``, ``2,3`` or, without a largest, ``2,``."""
    low, comma, high = text.partition(",")
    if not text.isascii() or not text.replace(",", "").isdecimal():
        raise ValueError
    least = int(low)
    most = None
    if high:
        most = int(high)
    elif not comma:
        most = least
    if least > 99 or (most is not None and not least <= most <= 99):
        raise ValueError
    return least, most


def _single(text: str) -> tuple[Rest, str]:
    every = frozenset(range(len(CHARACTERS)))
    if text[0] == "(":
        rest, text = _options(text[1:])
        if text[0] != ")":
            raise ValueError
        return rest, text[1:]
    if text[0] == ".":
        return (("symbols", every),), text[1:]
    if text[0] != "[":
        return (("symbols", frozenset([_symbol(text[0])])),), text[1:]
    inside, closed, text = text[1:].partition("]")
    words = inside.removeprefix("^")
    listed: set[int] = set()
    while words:
        first = last = _symbol(words[0])
        if words[1:2] == "-":
            last = _symbol(words[2])
            words = words[2:]
        listed.update(range(first, last + 1))
        words = words[1:]
    if not closed:
        raise ValueError
    allowed = frozenset(listed)
    if inside.startswith("^"):
        allowed = every - allowed
    return (("symbols", allowed),), text


def _symbol(character: str) -> int:
    if not character.isascii():  # some of these are two letters in capitals
        raise ValueError
    return CHARACTERS.index(character.upper())


def _may_end(rest: Rest) -> bool:
    """True if nothing more need come."""
    for word, inner, *repeats in rest:
        if word == "symbols":
            return False
        if word == "any" and not any(_may_end(option) for option in inner):
            return False
        if word == "times" and repeats[0] > 0 and not _may_end(inner):
            return False
    return True


@lru_cache(maxsize=1 << 14)
def _after(rest: Rest, symbol: int) -> frozenset[Rest]:
    """The patterns that may remain after one symbol."""
    if not rest:
        return frozenset()
    word, inner, *repeats = rest[0]
    others = rest[1:]
    after: set[Rest] = set()
    if word == "symbols" and symbol in inner:
        after.add(others)
    if word == "any":
        for option in inner:
            after.update(_after(option + others, symbol))
    if word == "times":
        least, most = repeats
        if _may_end(rest[:1]):
            after.update(_after(others, symbol))
        if most != 0:
            fewer = None if most is None else most - 1
            again = ("times", inner, max(least - 1, 0), fewer)
            after.update(left + (again,) + others for left in _after(inner, symbol))
    return frozenset(after)


# ---- machines ----------------------------------------------------------------------------------------------------


def state_machine(text: str) -> Machine:
    """A machine for states such as ``start 1>1 2>0; end 3>1``, numbered from 0. Its state is the set of those where it
    may be. Raises ``Refusal``."""
    starts: set[int] = set()
    ends: set[int] = set()
    after: dict[tuple[int, int], set[int]] = {}
    for number, state in enumerate(text.split(";")):
        for word in state.split():
            symbol, arrow, then = word.partition(">")
            if arrow and word.isascii() and symbol.isdigit() and then.isdigit() and len(word) < 20:
                after.setdefault((number, int(symbol)), set()).add(int(then))
            elif word == "start":
                starts.add(number)
            elif word == "end":
                ends.add(number)
            else:
                what = f"{quote(word)} in a state; expected start, end or a step such as 3>1"
                raise Refusal("bad-rules", what, "rules.json")

    def step(states: frozenset[int], symbol: int) -> frozenset[int] | None:
        reached: set[int] = set()
        for state in states:
            reached.update(after.get((state, symbol), ()))
        return frozenset(reached) or None

    return Machine(frozenset(starts), step, lambda states: not ends.isdisjoint(states), len)
