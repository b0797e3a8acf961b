"""Small expressions in files, such as ``abs(a - b) >= difference``: parsed once, evaluated with access to nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from functools import lru_cache
from types import CodeType
from typing import Any

FUNCTIONS: dict[str, Callable[..., Any]] = {"abs": abs, "min": min, "max": max, "ceil": lambda x: -int(-x // 1)}
LONGEST = 500
"""Characters of an expression: more is no comparison that a person would write."""

_NODES = (
    *(ast.Expression, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Call, ast.Name, ast.Constant, ast.Load),
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.USub, ast.And, ast.Or, ast.Not),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Tuple),
)


def compiled(text: str, names: Collection[str]) -> Callable[..., Any]:
    """Return a function of keyword arguments that evaluates ``text``.

    Parameters
    ----------
    text : str
        Whole numbers, names, ``+ - * / // %``, comparisons, ``in`` a list, ``and or not`` and ``abs min max
        ceil``. Fractions are exact.
    names : collection of str
        The names that may stand in it.

    Raises
    ------
    ValueError
        With the part that is not understood.

    Examples
    --------
    >>> compiled("abs(a - b) >= 5", {"a", "b"})(a=1, b=6)
    True
    """
    code = _code(text, frozenset(names))
    return lambda **values: eval(code, {"__builtins__": {}, "/": _quotient, **FUNCTIONS}, values)


def comparison(text: str, names: Collection[str]) -> Callable[..., Any]:
    """Return ``compiled``, for a text that compares. Raises ``ValueError`` for one that is a mere number, such as a."""
    made = compiled(text, names)
    if not _compares(ast.parse(text, mode="eval").body):
        raise ValueError(f"{text!r} compares nothing; expected a comparison such as abs(a - b) >= 2")
    return made


def _compares(node: ast.expr) -> bool:
    if isinstance(node, ast.BoolOp):
        return all(map(_compares, node.values))
    return _compares(node.operand) if isinstance(node, ast.UnaryOp) else isinstance(node, ast.Compare)


def without_value(text: str, work_out: Callable[[], object]) -> str | None:
    """Explain why ``work_out``, which evaluates ``text`` for each symbol, fails, or return ``None``."""
    try:
        work_out()
    except ArithmeticError:
        return f"{text!r} divides by zero for some symbols"
    except (TypeError, ValueError) as problem:
        return f"{text!r} has no value for some symbols: {problem}"
    return None


@lru_cache(maxsize=256)
def _code(text: str, names: frozenset[str]) -> CodeType:
    if not isinstance(text, str) or len(text) > LONGEST:
        raise ValueError(f"{text!r:.60} is not an expression of at most {LONGEST} characters")
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, RecursionError, MemoryError) as problem:
        raise ValueError(f"{text!r} is not an expression: {problem}") from None
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    listed = {
        id(right)
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for op, right in zip(node.ops, node.comparators, strict=True)
        if isinstance(op, ast.In | ast.NotIn)
    }
    for node in ast.walk(tree):
        known = isinstance(node, _NODES)
        if isinstance(node, ast.Constant):
            known = type(node.value) is int
        elif isinstance(node, ast.Tuple):
            known = id(node) in listed  # anywhere else it could be multiplied
        elif isinstance(node, ast.Name):
            known = node.id in (FUNCTIONS if id(node) in called else names)
        if not known:
            part = ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__
            expected = f"whole numbers, {', '.join(sorted(names))}, {', '.join(FUNCTIONS)}, comparisons and arithmetic"
            raise ValueError(f"{part!r} in {text!r} is not understood; expected {expected}")
    return compile(ast.fix_missing_locations(_Exact().visit(tree)), "<expression>", "eval")


class _Exact(ast.NodeTransformer):
    """Divides into fractions: with binary ones ``a / 3 + a / 3 + a / 3 == a`` may be false."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.Call(ast.Name("/", ast.Load()), [node.left, node.right], [])


def _quotient(one: Any, other: Any) -> Any:
    from fractions import Fraction

    return Fraction(one, other)
