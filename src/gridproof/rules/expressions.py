"""Small expressions in files, such as ``abs(a - b) >= difference``: parsed once, evaluated with access to nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from gridproof.puzzle.digits import Digit, Digits


def round_up(value: Any) -> int:
    """Return the least whole number that is not below a value."""
    return -int(-value // 1)


FUNCTIONS: dict[str, Callable[..., Any]] = {"abs": abs, "min": min, "max": max, "ceil": round_up}
"""The functions that an expression may call."""

LONGEST = 500
"""Largest number of characters of an expression: more is no comparison that a person would write."""

_NODES = (
    (ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.Name, ast.Constant, ast.Load)
    + (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.USub, ast.And, ast.Or, ast.Not)
    + (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Tuple)
)
"""All that an expression may be made of."""


@lru_cache(maxsize=256)
def compile_comparison(text: str, names: frozenset[str]) -> Callable[..., Any]:
    """Return a function of keyword arguments that evaluates a comparison.

    Parameters
    ----------
    text : str
        Whole numbers, names, ``+ - * / // %``, comparisons, ``in`` a list, ``and or not`` and ``abs min max
        ceil``. Fractions are exact.
    names : frozenset of str
        The names that may stand in it.

    Raises
    ------
    ValueError
        With the part that is not understood; also for a text that is a mere number, such as a.

    Examples
    --------
    >>> compile_comparison("abs(a - b) >= 5", frozenset("ab"))(a=1, b=6)
    True
    """
    tree = _parse(text)
    _check_names(tree, text, names)
    if not _compares(tree.body):
        raise ValueError(f"{text!r} compares nothing; expected a comparison such as abs(a - b) >= 2")
    code = compile(ast.fix_missing_locations(_Exact().visit(tree)), "<expression>", "eval")
    functions = {"__builtins__": {}, "/": _divide, **FUNCTIONS}

    def evaluate(**values: Any) -> Any:
        return eval(code, functions, values)

    return evaluate


def explain_no_value(text: str, fits: Callable[[Digit, Digit, Digits], object], digits: Digits) -> str | None:
    """Explain why ``fits``, which evaluates ``text``, fails for some digits of a board, or return ``None``."""
    try:
        for a in digits:
            for b in digits:
                fits(a, b, digits)
    except ArithmeticError:
        return f"{text!r} divides by zero for some digits"
    except (TypeError, ValueError) as problem:
        return f"{text!r} has no value for some digits: {problem}"
    return None


def _compares(node: ast.expr) -> bool:
    """Return whether an expression is true or false, and no number."""
    if isinstance(node, ast.BoolOp):
        return all(_compares(value) for value in node.values)
    if isinstance(node, ast.UnaryOp):
        return _compares(node.operand)
    return isinstance(node, ast.Compare)


def _parse(text: str) -> ast.Expression:
    if not isinstance(text, str) or len(text) > LONGEST:
        raise ValueError(f"{text!r:.60} is not an expression of at most {LONGEST} characters")
    try:
        return ast.parse(text, mode="eval")
    except (SyntaxError, RecursionError, MemoryError) as problem:
        raise ValueError(f"{text!r} is not an expression: {problem}") from None


def _check_names(tree: ast.Expression, text: str, names: frozenset[str]) -> None:
    """Raise ``ValueError`` for any part of an expression that is not on the list of what it may have."""
    functions = set()  # the nodes that are called
    lists = set()  # the tuples that something has to be in
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            functions.add(id(node.func))
        elif isinstance(node, ast.Compare):
            for operator, right in zip(node.ops, node.comparators, strict=True):
                if isinstance(operator, (ast.In, ast.NotIn)):
                    lists.add(id(right))
    for node in ast.walk(tree):
        known = isinstance(node, _NODES)
        if isinstance(node, ast.Constant):
            known = type(node.value) is int
        elif isinstance(node, ast.Tuple):
            known = id(node) in lists  # anywhere else it could be multiplied
        elif isinstance(node, ast.Name):
            known = node.id in (FUNCTIONS if id(node) in functions else names)
        if not known:
            part = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
            expected = f"whole numbers, {', '.join(sorted(names))}, {', '.join(FUNCTIONS)}, comparisons and arithmetic"
            raise ValueError(f"{part!r} in {text!r} is not understood; expected {expected}")


class _Exact(ast.NodeTransformer):
    """Divides into fractions: with binary ones ``a / 3 + a / 3 + a / 3 == a`` may be false."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.Call(ast.Name("/", ast.Load()), [node.left, node.right], [])


def _divide(dividend: Any, divisor: Any) -> Any:
    from fractions import Fraction

    return Fraction(dividend, divisor)
