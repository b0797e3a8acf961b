"""Nobody but ``models/variables.py`` knows how x[cell, symbol] is numbered.

Looked for in the source of all modules that speak of variables of a model (they import them), as arithmetic: something
of a cell times the order plus a symbol, and a literal or variable divided by the order. The checker knows the numbers
as well, on purpose: it imports nothing of ours.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "gridproof"
KNOWS = ROOT / "models" / "variables.py"
SPEAKERS = (
    "gridproof.models.targets",
    "gridproof.models.clauses",
    "gridproof.models.variables",
    "gridproof.models.reduced",
)

_ORDERS = {"n", "order"}
_NUMBERS = {"literal", "variable", "clue", "var", "lit", "number", "index"}


def speaks(path: Path, tree: ast.Module) -> bool:
    imported = {
        f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return path.is_relative_to(ROOT / "models") or any(name.startswith(SPEAKERS) for name in imported)


def is_order(node: ast.expr) -> bool:
    return (isinstance(node, ast.Name) and node.id in _ORDERS) or (
        isinstance(node, ast.Attribute) and node.attr == "order"
    )


def words(node: ast.expr) -> set[str]:
    """The words of all names in an expression (``cell_of`` gives ``cell`` and ``of``), but for those of an index."""
    indices = {id(inner) for n in ast.walk(node) if isinstance(n, ast.Subscript) for inner in ast.walk(n.slice)}
    names = [n for n in ast.walk(node) if isinstance(n, (ast.Name, ast.Attribute)) and id(n) not in indices]
    said = [n.id if isinstance(n, ast.Name) else n.attr for n in names]
    return {word.removesuffix("s") for name in said for word in name.split("_")}


def numberings(tree: ast.AST) -> Iterator[ast.expr]:
    """Expressions that turn a cell and a symbol into a number, or a number into them."""
    positions = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift)
        for inner in ast.walk(node.right)
    }
    for node in ast.walk(tree):
        match node:
            case ast.BinOp(left=one, op=ast.Mult(), right=other) if id(node) not in positions:
                if any(is_order(a) and words(b) & {"cell", "place"} for a, b in ((one, other), (other, one))):
                    yield node
            case ast.BinOp(left=value, op=ast.FloorDiv() | ast.Mod(), right=order) if is_order(order):
                if words(value) & _NUMBERS:
                    yield node
            case ast.Call(func=ast.Name(id="divmod"), args=[value, order]) if is_order(order):
                if words(value) & _NUMBERS:
                    yield node


@pytest.mark.parametrize(
    "text",
    [
        "cell * n + symbol", "n * cell + symbol", "cell * self.geometry.order + s",
        "-(cell * order + s)", "first + cell * n - 1", "(literal - 1) // n", "(clue - 1) % self.order",
        "divmod(variable - 1, n)", "index // n",
    ],
)  # fmt: skip
def test_a_numbering_is_recognised(text: str) -> None:
    assert list(numberings(ast.parse(text)))


@pytest.mark.parametrize(
    "text", ["cell // n", "row * n + column", "house[cell] * n", "1 << (cell * n + symbol)", "x(cell, symbol)"]
)
def test_other_arithmetic_is_not(text: str) -> None:
    assert not list(numberings(ast.parse(text)))


def test_one_place_numbers_the_variables() -> None:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in ROOT.rglob("*.py")}
    speakers = {path for path, tree in trees.items() if speaks(path, tree)}
    known = ("explanations/explainer.py", "backends/solvers/pysat/__init__.py")
    assert {KNOWS, *(ROOT / name for name in known)} <= speakers
    found = {
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for path in speakers - {KNOWS}
        for node in numberings(trees[path])
    }
    assert found == set(), "ask gridproof.models.variables for the number"
