"""The package stays easy to read: its figures of density keep their bounds, and the counter of them counts."""

from __future__ import annotations

import ast

import pytest

from project.density import (
    BOUNDS,
    MOST_USED_ONCE,
    PACKAGE,
    count_code_lines,
    dense_constructs,
    further_constructs,
    measure,
    private_functions_used_once,
    stacked_statements,
)

FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.fixture(scope="module")
def figures() -> dict[str, float]:
    return measure(FILES)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOUNDS)
def test_the_package_keeps_the_bound(name: str, figures: dict[str, float]) -> None:
    assert figures[name] <= BOUNDS[name], "python tests/project/density.py lists the places"


@pytest.mark.slow
def test_few_private_functions_are_used_once() -> None:
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in FILES]
    once, functions = private_functions_used_once(trees)
    assert 100 * len(once) / functions <= MOST_USED_ONCE, once


@pytest.mark.parametrize(
    ("statement", "constructs"),
    [
        ("a = [f(x) for x in y]", ["comprehensions"]),
        ("a = [[x for x in y] for y in z]", ["comprehensions", "comprehensions", "nested comprehensions"]),
        ("a = b if c else d", ["conditional expressions"]),
        ("if (a := f()): pass", ["assignment expressions"]),
        ("a = [*b, c]", ["stars in displays"]),
        ("f(*b)", []),
        ("a = 's' * (n != 1)", ["text * condition"]),
        ("a = 2 * n", []),
        ("a = next(b, None)", ["next(..., default)"]),
        ("a = next(b)", []),
        ("for a in [b]: pass", ["loops over one element"]),
        ("for a in [b, c]: pass", []),
    ],
)
def test_a_dense_construct_counts(statement: str, constructs: list[str]) -> None:
    assert sorted(dense_constructs(ast.parse(statement))) == sorted(constructs)


@pytest.mark.parametrize(
    ("statement", "constructs"),
    [
        ("a = lambda: b", ["lambda"]),
        ("a = map(f, b)", ["map and filter"]),
        ("a = list(filter(f, b))", ["map and filter"]),
        ("a, b = len(c), d", ["tuple assignments"]),
        ("a, b = b, a", []),
        ("a, b = c.d, -1", []),
        ("a, b = [], {}", []),
        ("a, b = f()", []),
    ],
)
def test_a_further_construct_counts(statement: str, constructs: list[str]) -> None:
    assert list(further_constructs(ast.parse(statement))) == constructs


def test_a_statement_with_two_dense_constructs_is_stacked() -> None:
    source = "for x in [y for y in z if y]:\n    a = [b for b in c] + ([d] if e else [])\n    f(g if h else i)\n"
    assert [statement.lineno for statement in stacked_statements(ast.parse(source))] == [2]


def test_docstrings_and_comments_are_no_lines_of_code() -> None:
    source = (
        '"""Head.\n\nMore.\n"""\n\n# a comment\na = 1\n\n\ndef f():\n    """Text."""\n    return (\n        a\n    )\n'
    )
    assert count_code_lines(source, ast.parse(source)) == 5


def test_a_private_function_with_one_use_counts() -> None:
    source = "def _once(): pass\ndef _twice(): pass\ndef public(): pass\n_once(); _twice(); _twice()\n"
    assert private_functions_used_once([ast.parse(source)]) == (["_once"], 3)
