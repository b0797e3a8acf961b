"""Small arithmetic formulas, as encoding files state their sizes: ``n^2 + 3*n^2*pairs(n)``.

Names: n (order of the board), r and c (rows and columns of a box). Functions: ``pairs(k)`` = k(k-1)/2, ``bits(k)``,
the binary digits of k-1, and those of the target. Operators: ``+ - * / ^`` and brackets. All numbers are whole: ``/``
must leave no remainder.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import TypeAlias

Functions: TypeAlias = Mapping[str, Callable[[int], int]]

_LONGEST = 400
"""Characters of a formula at most: they bound how deep it is nested, too."""

_MOST_BITS = 4096
"""Binary digits of a power at most."""

_LARGEST_ARGUMENT = 10_000
"""Of a function: larger than any group."""

_FUNCTIONS: Functions = {"pairs": lambda k: k * (k - 1) // 2, "bits": lambda k: (k - 1).bit_length()}


def _quotient(one: int, other: int) -> int:
    if not other or one % other:
        raise ValueError(f"{one}/{other} is no whole number")
    return one // other


def _power(base: int, exponent: int) -> int:
    if exponent < 0 or base.bit_length() * exponent > _MOST_BITS:
        raise ValueError(f"{base}^{exponent} is {'no whole number' if exponent < 0 else 'too large'}")
    return int(base**exponent)


_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _quotient,
    ast.Pow: _power,
}


def read(text: object, functions: Functions) -> Callable[[int, int, int], int]:
    """A formula as a function of n, r and c.

    Raises ``ValueError`` with the offending part: here if the text is no formula, and when called if a number on the
    way is not whole or too large.

    Examples
    --------
    >>> read("n^2 + 3*n^2*pairs(n)", {})(9, 3, 3)
    8829
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        said = f"{len(text)} characters" if isinstance(text, str) else f"{text!r} is no text"
        raise ValueError(f"{said}; expected a formula such as 'n^3', of {_LONGEST} characters at most")
    source = text.strip().replace("^", "**")
    try:
        tree = ast.parse(source, mode="eval").body
    except SyntaxError as problem:
        raise ValueError(f"not a formula: {problem.msg}") from None
    value = _value(tree, source, {**_FUNCTIONS, **functions})
    return lambda n, r, c: value({"n": n, "r": r, "c": c})


def _value(node: ast.expr, source: str, functions: Functions) -> Callable[[Mapping[str, int]], int]:
    """What an expression of ``source`` means, as a function of the names."""
    match node:
        case ast.Constant(value=int() as number) if type(number) is int:
            return lambda names: number
        case ast.Name(id="n" | "r" | "c" as name):
            return itemgetter(name)
        case ast.BinOp(left=left, op=op, right=right) if apply := _OPERATORS.get(type(op)):
            one, other = _value(left, source, functions), _value(right, source, functions)
            return lambda names: apply(one(names), other(names))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in functions:
            inner = _value(argument, source, functions)
            return lambda names: functions[name](_argument(inner(names), name))
    said = (ast.get_source_segment(source, node) or "").replace("**", "^")
    known = ", ".join(f"{name}()" for name in functions)
    raise ValueError(f"{said!r} is not understood; expected whole numbers, n, r, c, + - * / ^ and {known}")


def _argument(value: int, function: str) -> int:
    if not 0 < value <= _LARGEST_ARGUMENT:
        raise ValueError(f"{function}({value}); expected a number from 1 to {_LARGEST_ARGUMENT:,}")
    return value
