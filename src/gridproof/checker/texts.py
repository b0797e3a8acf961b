"""Comparisons and patterns that people write in a rule: small languages, read without ``eval`` and ``re``."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache, partial
from math import ceil
from typing import Any, TypeAlias

from .findings import Refusal, quote

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LONGEST = 500
_MOST_NODES = 250

# ---- comparisons -------------------------------------------------------------------------------------------------

_FUNCTIONS: dict[str, Callable[..., Any]] = {"abs": abs, "min": min, "max": max, "ceil": ceil}
_OPERATIONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: Fraction, ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv, ast.USub: operator.neg, ast.Not: operator.not_,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
}  # fmt: skip


def comparison(text: str) -> Callable[[int, int, int], bool]:
    """Whether a comparison of a, b and n is true: whole numbers, ``+ - * / // %``, comparisons, ``in``, ``and or not``
    and ``abs min max ceil``, as in Python; fractions are exact. Raises ``Refusal``."""
    refusal = Refusal("bad-rules", f"{quote(text)} is no comparison of a, b and n that can be read", "rules.json")
    errors = (SyntaxError, ValueError, RecursionError, MemoryError, ArithmeticError, TypeError, LookupError)
    try:
        tree = ast.parse(text[: _LONGEST + 1].strip(), mode="eval").body
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
            values = [_value(other, names) for other in (left, *others)]
            return all(_OPERATIONS[type(op)](*values[k : k + 2]) for k, op in enumerate(ops))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _FUNCTIONS[name](*(_value(argument, names) for argument in arguments))
        case ast.Tuple(elts=elements):
            return tuple(_value(element, names) for element in elements)
    raise ValueError


# ---- patterns ----------------------------------------------------------------------------------------------------

Node: TypeAlias = tuple[Any, ...]
"""What is left to be matched: ("end",), ("none",), ("symbols", allowed), ("then", one, other), ("any", options) or
("many", inner)."""
_END: Node = ("end",)
_NONE: Node = ("none",)


def pattern(text: str) -> tuple[Node, Callable[[Node, int], Node | None], Callable[[Node], bool]]:
    """Start, step and acceptance of the machine that matches a pattern: symbols, ``.``, ``[1-3]``, ``[^5]``, ``( )``,
    ``|``, ``* + ?`` and ``{2,3}``. Its state is what is left to be matched. Raises ``Refusal``."""
    try:
        node, rest = _options(text[: _LONGEST + 1])
        if not rest and _size(node) <= _MOST_NODES:
            return node, _step, _may_end
    except (ValueError, RecursionError, IndexError):
        pass
    raise Refusal("bad-rules", f"{quote(text)} is no pattern, or one too large to be read", "rules.json")


def _step(left: Node, symbol: int) -> Node | None:
    try:
        after = _after(left, symbol)
    except RecursionError:
        raise Refusal("too-large", "a pattern is nested too deeply", "rules.json") from None
    return None if after == _NONE else after


def _size(node: Node) -> int:
    """Symbols and signs of a pattern whose repeats are written out."""
    return 1 + sum(_size(part) for part in (node[1] if node[0] == "any" else node[1:]) if isinstance(part, tuple))


def _options(text: str) -> tuple[Node, str]:
    options = []
    while True:
        node = _END
        while text and text[0] not in "|)":
            single, text = _repeated(text)
            node = _then(node, single)
        options.append(node)
        if text[:1] != "|":
            return _any(*options), text
        text = text[1:]


def _repeated(text: str) -> tuple[Node, str]:
    node, text = _single(text)
    while text and text[0] in "*+?{":
        bounds, least, most = text[0], 0, None
        if bounds == "{":
            bounds, text = text[1 : text.index("}")], text[text.index("}") :]
            low, comma, high = bounds.partition(",")
            least, most = int(low), int(high) if high else None if comma else int(low)
            if (
                not bounds.replace(",", "").isdecimal()
                or least > 99
                or not least <= (least if most is None else most) <= 99
            ):
                raise ValueError
        else:
            least, most = int(bounds == "+"), 1 if bounds == "?" else None
        repeated = _many(node) if most is None else _END
        if _size(node) * max(least, most or 1) > _MOST_NODES:
            raise ValueError
        for _ in range((least if most is None else most) - least):
            repeated = _any(_END, _then(node, repeated))
        for _ in range(least):
            repeated = _then(node, repeated)
        node, text = repeated, text[1:]
    return node, text


def _single(text: str) -> tuple[Node, str]:
    every = frozenset(range(1, len(SYMBOLS) + 1))
    if text[0] == "(":
        node, text = _options(text[1:])
        if text[0] != ")":
            raise ValueError
        return node, text[1:]
    if text[0] == ".":
        return ("symbols", every), text[1:]
    if text[0] != "[":
        return ("symbols", frozenset([_symbol(text[0])])), text[1:]
    inside, closed, text = text[1:].partition("]")
    words, listed = inside.removeprefix("^"), set[int]()
    while words:
        first = last = _symbol(words[0])
        if words[1:2] == "-":
            last, words = _symbol(words[2]), words[2:]
        listed.update(range(first, last + 1))
        words = words[1:]
    if not closed:
        raise ValueError
    return ("symbols", every - listed if inside[:1] == "^" else frozenset(listed)), text


def _symbol(character: str) -> int:
    if not character.isascii():  # some of these are two letters in capitals
        raise ValueError
    return SYMBOLS.index(character.upper()) + 1


def _then(one: Node, other: Node) -> Node:
    if _NONE in (one, other):
        return _NONE
    return other if one == _END else one if other == _END else ("then", one, other)


def _any(*nodes: Node) -> Node:
    options = {option for node in nodes for option in (node[1] if node[0] == "any" else [node])} - {_NONE}
    return options.pop() if len(options) == 1 else ("any", frozenset(options)) if options else _NONE


def _many(node: Node) -> Node:
    return node if node[0] in ("many", "end", "none") else ("many", node)


@lru_cache(maxsize=1 << 14)
def _may_end(node: Node) -> bool:
    match node:
        case ("end",) | ("many", _):
            return True
        case ("then", one, other):
            return _may_end(one) and _may_end(other)
        case ("any", options):
            return any(map(_may_end, options))
    return False


@lru_cache(maxsize=1 << 14)
def _after(node: Node, symbol: int) -> Node:
    """What is left after one symbol (Brzozowski 1964, "Derivatives of regular expressions")."""
    match node:
        case ("symbols", allowed):
            return _END if symbol in allowed else _NONE
        case ("many", inner):
            return _then(_after(inner, symbol), node)
        case ("then", one, other):
            left = _then(_after(one, symbol), other)
            return _any(left, _after(other, symbol)) if _may_end(one) else left
        case ("any", options):
            return _any(*map(partial(_after, symbol=symbol), options))
    return _NONE
