"""Imports point one way along a board's journey, what must be independent is, and no module outgrows its reader.

Read from the source with ``ast``: imports inside functions count as much as those at the top of a module. Imports for
type checkers only (``if TYPE_CHECKING``) do not: they carry no behaviour.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1] / "src" / "gridproof"
MODULES = sorted(ROOT.rglob("*.py"))
MOST_LINES = 400

LAYERS = (
    # what everything stands on
    {"errors", "formula", "interrupts"},
    {"foreign", "geometry", "limits", "sources"},
    # drawings know geometries and are given boards: boards draw themselves with them
    {"render"},
    {"board"},
    # text <-> board
    {"text"},
    {"datasets"},
    # board -> model
    {"encoding"},
    {"catalog", "variables"},
    {"cnf", "cpmodel", "propagation"},
    {"marginals", "reduced"},
    # the independent opinions
    {"check", "reference"},
    # model -> session -> solutions
    {"lanes"},
    {"backends"},
    {"sessions"},
    # check -> cross-check -> verdict
    {"crosscheck"},
    {"verdict"},
    {"solve"},
    {"questions"},
    # whatever is built on verdicts
    {"explain", "timeline", "tree", "leetcode"},
    {"bulk", "certify"},
    {"compare"},
    {"plot"},
    # what people touch
    {"cli"},
    {"__main__"},
)
"""Each part of the package, in an order in which imports only point up the page. The package itself (its version and
its lazy names) stands above all; ``checker`` stands alone."""

INSIDE = {
    "text": (
        {"pasted"},
        {"notation"},
        {"readings", "drawn"},
        {"one_line", "values"},
        {"blocks", "tables"},
        {"reading", "writing"},
        {"__init__"},
    ),
}
"""The same for the modules of a part that is a journey of its own: its face stands last, and none of them uses it."""

ALONE = {"checker": set[str](), "reference": {"board", "geometry", "limits"}, "check": {"board", "geometry"}}
"""Parts that are believed because they share nothing: all that each may import of ours."""

MADE_FOR_NUMPY = ("lanes", "bulk", "marginals.py", "propagation.py", "reduced.py")
"""Where NumPy may be imported at the top of a module: those are imported when they are used."""


class Import(NamedTuple):
    module: str
    at_top: bool


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """Everything a module imports when it runs, with full names."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[Import]:
    tree = parsed(path)
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "_typing.TYPE_CHECKING")
        for statement in node.body
        for inner in ast.walk(statement)
    }
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    in_functions = {
        id(inner)
        for function in functions
        for inner in ast.walk(function)
        if isinstance(inner, (ast.Import, ast.ImportFrom))
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        at_top = id(node) not in in_functions
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, at_top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = ["gridproof", *path.relative_to(ROOT).parent.parts]
            base = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            if module == "gridproof":
                yield from (Import(f"gridproof.{alias.name}", at_top) for alias in node.names)
            else:
                yield Import(module, at_top)


def part(path: Path) -> str:
    """The top-level name a file belongs to: ``backends``, ``solve``; empty for the package itself."""
    first = path.relative_to(ROOT).parts[0]
    return "" if first == "__init__.py" else first.removesuffix(".py")


def ours(path: Path) -> set[str]:
    """The other parts that a file imports."""
    found = set()
    for module, _ in imports(path):
        names = module.split(".")
        if names[0] == "gridproof" and len(names) > 1 and not names[1].startswith("__"):
            found.add(names[1])
    return found - {part(path)}


def test_there_is_something_to_look_at() -> None:
    assert len(MODULES) > 30
    assert ours(ROOT / "solve.py") >= {"backends", "crosscheck", "verdict"}
    assert "render" in ours(ROOT / "board.py"), "imports inside functions are seen"
    assert Import("ortools.sat.python", False) in imports(ROOT / "backends" / "cpsat.py")


def test_each_part_has_one_place() -> None:
    listed = [name for layer in LAYERS for name in layer]
    assert len(set(listed)) == len(listed)
    found = {part(path) for path in MODULES} - {"", "checker"}
    assert found - set(listed) == set(), "a new part needs a place in LAYERS, with a reason"
    assert set(listed) - found == set(), "what is gone has no place"


def test_imports_point_one_way() -> None:
    rank = {name: number for number, layer in enumerate(LAYERS) for name in layer} | {"checker": 0}
    for path in MODULES:
        if here := part(path):
            # of parts on one line none imports another; a board draws itself, but only when it is asked to
            later = {name for name in ours(path) if rank[name] >= rank[here]}
            assert later == set(), f"{path}: {here} imports {later}, which LAYERS has below it"


@pytest.mark.parametrize("package", INSIDE)
def test_imports_within_a_part_point_one_way(package: str) -> None:
    rank = {name: number for number, layer in enumerate(INSIDE[package]) for name in layer}
    files = {path.stem: path for path in MODULES if path.parent == ROOT / package}
    assert set(files) == set(rank), "each module has one place"
    used = {name: _siblings(path, package) for name, path in files.items()}
    assert any(used.values())
    for here, others in used.items():
        assert {name for name in others if rank[name] >= rank[here]} == set(), here


def _siblings(path: Path, package: str) -> set[str]:
    """The modules of its own package that a file imports; the package's face is ``__init__``."""
    found = [module.split(".") for module, _ in imports(path)]
    return {(*names, "__init__")[2] for names in found if names[:2] == ["gridproof", package]}


def test_the_package_itself_imports_nothing_of_its_own() -> None:
    at_top = {module for module, at_top in imports(ROOT / "__init__.py") if at_top}
    assert not [module for module in at_top if module.startswith("gridproof")]


@pytest.mark.parametrize("name", ALONE)
def test_what_must_be_independent_is(name: str) -> None:
    files = [path for path in MODULES if part(path) == name]
    assert files
    for path in files:
        assert ours(path) <= ALONE[name], path
        others = {module.split(".")[0] for module, _ in imports(path)} - {"gridproof"}
        assert others <= set(sys.stdlib_module_names), path
        strange = [node for node in ast.walk(parsed(path)) if isinstance(node, ast.Name) and node.id == "__import__"]
        assert not strange
        assert "importlib" not in others, path


def test_what_is_not_ours_is_imported_when_it_is_used() -> None:
    for path in MODULES:
        found = {module.split(".")[0] for module, at_top in imports(path) if at_top}
        foreign = found - set(sys.stdlib_module_names) - {"gridproof"}
        if str(path.relative_to(ROOT)).startswith(MADE_FOR_NUMPY):
            foreign -= {"numpy"}
        assert not foreign, path


def test_no_module_outgrows_its_reader() -> None:
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {str(path): lines for path, lines in sizes.items() if lines > MOST_LINES} == {}
    assert not [path for path in MODULES if not ast.get_docstring(parsed(path))], "a module says what it is for"
