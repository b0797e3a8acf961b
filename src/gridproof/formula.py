"""Small arithmetic formulas, as encoding files state their sizes: ``n^2 + 3*n^2*pairs(n)``.

Names: n (order of the board), r and c (rows and columns of a box). Functions: ``pairs(k)`` = k(k-1)/2, ``bits(k)``,
the binary digits of k-1, and tables of the file's own, by argument. Operators: ``+ - * / ^`` and brackets; the value
and every exponent must be whole. A file may come from anywhere: length and values are bounded.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

_FUNCTIONS: Mapping[str, Callable[[Fraction], Fraction]] = {
    "pairs": lambda k: k * (k - 1) / 2,
    "bits": lambda k: Fraction(int(k - 1).bit_length()),
}
_NAMES = ("n", "r", "c")
_LONGEST = 300
"""Characters of a formula: Python's parser, and we, need a call for each bracket and each term of a sum."""
_MOST_BITS = 4096
"""Binary digits of a value on the way."""


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _bounded(value: Fraction) -> Fraction:
    if _bits(value) > _MOST_BITS:
        raise OverflowError
    return value


def _as_python(text: str) -> str:
    return text.replace("^", "**")


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        raise ValueError(f"the exponent {exponent}; expected a whole number")
    if abs(exponent) * _bits(base) > _MOST_BITS:
        raise OverflowError
    return Fraction(base ** int(exponent))


_OPERATORS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: _power,
}


Table: TypeAlias = tuple[tuple[int, int], ...]
"""A function given by its values: (argument, value) pairs."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A parsed formula: ``text`` as written, ``tables`` the functions it gives by value; call it with n, r, c."""

    text: str
    tables: tuple[tuple[str, Table], ...] = ()

    @classmethod
    def parse(cls, text: object, tables: Mapping[str, Table] | None = None) -> Formula:
        """Raises ``ValueError`` with the offending part if the text is no such formula."""
        if not isinstance(text, str):
            raise ValueError(f"{text!r} is no text; expected a formula such as 'n^3'")
        if len(text) > _LONGEST:
            raise ValueError(f"a formula of {len(text):,} characters; expected at most {_LONGEST}")
        formula = cls(text, tuple((tables or {}).items()))
        tree = formula._tree()
        called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        for node in ast.walk(tree):
            formula._refuse_unknown(node, id(node) in called)
        return formula

    def __call__(self, n: int, r: int, c: int) -> int:
        """The value on a board of order n with boxes of r x c.

        Raises ``ValueError`` if it is not whole or too large, ``LookupError`` where a table has no value for the
        argument.
        """
        try:
            value = self._value(self._tree(), {"n": Fraction(n), "r": Fraction(r), "c": Fraction(c)})
        except ZeroDivisionError:
            raise ValueError(f"{self.text} divides by zero at n={n}, r={r}, c={c}") from None
        except OverflowError:
            raise ValueError(
                f"{self.text} is too large at n={n}, r={r}, c={c}; expected below 2^{_MOST_BITS}"
            ) from None
        if value.denominator != 1:
            raise ValueError(f"{self.text} = {value} at n={n}, r={r}, c={c}; expected a whole number")
        return int(value)

    def __str__(self) -> str:
        return self.text

    def _tree(self) -> ast.expr:
        try:
            return ast.parse(_as_python(self.text), mode="eval").body
        except SyntaxError as problem:
            raise ValueError(f"not a formula: {problem.msg}") from None
        except (RecursionError, MemoryError):
            raise ValueError("not a formula that can be read: it is nested too deeply") from None

    def _refuse_unknown(self, node: ast.AST, called: bool) -> None:
        match node:
            case ast.expr_context() | ast.operator():
                known = not isinstance(node, ast.operator) or type(node) in _OPERATORS
            case ast.Constant(value=value):
                known = type(value) is int
            case ast.Name(id=name):
                known = (name in _FUNCTIONS or name in dict(self.tables)) if called else name in _NAMES
            case ast.Call(func=ast.Name(id=name), args=[_], keywords=[]):
                known = name in _FUNCTIONS or name in dict(self.tables)
            case _:
                known = isinstance(node, ast.BinOp)
        if not known:
            # not ast.unparse, which needs several calls for each term
            shown = ast.get_source_segment(_as_python(self.text), node) if isinstance(node, ast.expr) else None
            shown = (shown or type(node).__name__).replace("**", "^")
            functions = ", ".join(f"{name}()" for name in (*_FUNCTIONS, *dict(self.tables)))
            raise ValueError(
                f"{shown!r} is not understood; expected whole numbers, {', '.join(_NAMES)}, + - * / ^ and {functions}"
            )

    def _value(self, node: ast.expr, names: Mapping[str, Fraction]) -> Fraction:
        match node:
            case ast.Constant(value=int() as number):
                return Fraction(number)
            case ast.Name(id=name):
                return names[name]
            case ast.BinOp(left=left, op=op, right=right):
                return _bounded(_OPERATORS[type(op)](self._value(left, names), self._value(right, names)))
            case ast.Call(func=ast.Name(id=name), args=[argument]):
                value = self._value(argument, names)
                return _bounded(_FUNCTIONS[name](value)) if name in _FUNCTIONS else self._looked_up(name, value)
        raise ValueError(f"{ast.unparse(node)!r} has no value")

    def _looked_up(self, name: str, argument: Fraction) -> Fraction:
        table = dict(dict(self.tables)[name])
        if argument not in table:
            raise LookupError(f"{name}({argument}) is not in its table; expected one of {sorted(table)}")
        return Fraction(table[int(argument)])
