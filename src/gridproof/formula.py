"""Small arithmetic formulas, as encoding files state their sizes: ``n^2 + 3*n^2*pairs(n)``.

Names: n (order of the board), r and c (rows and columns of a box). Functions: ``pairs(k)`` = k(k-1)/2 and
``bits(k)``, the binary digits of k-1. Operators: ``+ - * / ^`` and brackets; the value must be whole.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

_FUNCTIONS: Mapping[str, Callable[[Fraction], Fraction]] = {
    "pairs": lambda k: k * (k - 1) / 2,
    "bits": lambda k: Fraction(int(k - 1).bit_length()),
}
_NAMES = ("n", "r", "c")
_OPERATORS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: Fraction(a ** int(b)),
}


@dataclass(frozen=True, slots=True)
class Formula:
    """A parsed formula: ``text`` as written; call it with n, r, c for its value."""

    text: str

    @classmethod
    def parse(cls, text: object) -> Formula:
        """Raises ``ValueError`` with the offending part if the text is no such formula."""
        if not isinstance(text, str):
            raise ValueError(f"{text!r} is no text; expected a formula such as 'n^3'")
        formula = cls(text)
        formula._value(formula._tree(), dict.fromkeys(_NAMES, Fraction(2)))
        return formula

    def __call__(self, n: int, r: int, c: int) -> int:
        """The value on a board of order n with boxes of r x c. Raises ``ValueError`` if it is not whole."""
        value = self._value(self._tree(), {"n": Fraction(n), "r": Fraction(r), "c": Fraction(c)})
        if value.denominator != 1:
            raise ValueError(f"{self.text} = {value} at n={n}, r={r}, c={c}; expected a whole number")
        return int(value)

    def __str__(self) -> str:
        return self.text

    def _tree(self) -> ast.expr:
        try:
            return ast.parse(self.text.replace("^", "**"), mode="eval").body
        except SyntaxError as problem:
            raise ValueError(f"not a formula: {problem.msg}") from None

    def _value(self, node: ast.expr, names: Mapping[str, Fraction]) -> Fraction:
        match node:
            case ast.Constant(value=int() as number) if not isinstance(number, bool):
                return Fraction(number)
            case ast.Name(id=name) if name in names:
                return names[name]
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](self._value(left, names), self._value(right, names))
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _FUNCTIONS:
                return _FUNCTIONS[name](self._value(argument, names))
        raise ValueError(
            f"{ast.unparse(node)!r} is not understood; expected numbers, {', '.join(_NAMES)}, + - * / ^ and "
            f"{', '.join(f'{name}()' for name in _FUNCTIONS)}"
        )
