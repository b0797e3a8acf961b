"""Imports point one way along a board's journey, what must be independent is, and no module outgrows its reader.

Read from the source with ``ast``: imports inside functions and for type checkers only (``if TYPE_CHECKING``) count as
much as those at the top of a module.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2] / "src" / "gridproof"
MODULES = sorted(ROOT.rglob("*.py"))
MOST_LINES = 400

LAYERS = (
    # what everything stands on
    {"_version", "text", "scattering"},
    {"errors"},
    {"discovery", "toml_tables"},
    {"expect"},
    {"limits", "runs"},
    {"puzzle.houses"},
    {"puzzle.digits"},
    {"puzzle.frame"},
    {"puzzle.geometry"},
    {"puzzle.further_cells"},
    # what must hold beyond houses: boards carry rules and apply them
    {"rules"},
    # drawings of boards use geometries and are given boards: boards draw themselves with them
    {"pictures"},
    {"puzzle"},
    {"pictures.examples", "pictures.pages", "pictures.steps"},
    # text <-> board
    {"formats"},
    # board -> model
    {"models"},
    # the independent opinions, their judgement of an answer, and the verdict
    {"trust"},
    # model -> session -> solutions
    {"lanes"},
    {"backends"},
    {"pipeline"},
    {"warm"},
    {"questions"},
    # what is built on verdicts and sessions
    {"explanations", "trees"},
    {"solving"},
    {"widget"},
    # forms of equal puzzles, which files of millions have, too
    {"generation.symmetries", "generation.least_nodes"},
    {"generation.least"},
    {"generation.kept_forms"},
    {"generation.canonical"},
    {"bulk", "certificates"},
    # answers of others, scored
    {"scoring"},
    # puzzles that are made; random boards, and solvers that are compared on them
    {"generation"},
    # their way out: lines, files of other programs, tables, sets
    {"output"},
    {"experiments", "verbs", "auditing"},
    # published tables, measured again
    {"papers"},
    {"page"},
    # what people touch
    {"cli"},
    {"__main__"},
)
"""Each room, in an order in which imports only point up the page. A module has the place of the longest name that is a
prefix of its own. The package itself (its version and its lazy names)
stands above all; ``checker`` stands alone."""

ALONE = {
    "checker": set[str](),
    "trust.reference": {"puzzle.board", "puzzle.digits", "puzzle.geometry", "limits"},
    "trust.open_board": {"puzzle.board", "puzzle.geometry", "limits"},
    "trust.check": {"puzzle.board", "puzzle.geometry"},
}
"""Parts that are believed because they share nothing: all that each may import of ours."""

MADE_FOR_NUMPY = (
    "scattering",
    "lanes",
    "bulk",
    "models/propagation",
    "models/reduced",
    "generation/in_lanes",
    "scoring/vectors",
    "auditing/fingerprints",
    "auditing/matches",
)
"""Modules that may import NumPy at the top: they are imported when they are used."""


class Import(NamedTuple):
    module: str
    at_top: bool


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """Return everything that a module imports, with full names; at_top: when it is imported itself."""
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
        at_top = id(node) not in in_functions and id(node) not in typing_only
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, at_top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = ["gridproof", *path.relative_to(ROOT).parent.parts]
            base = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*base, *filter(None, [node.module])])
            yield from (Import(f"{module}.{alias.name}", at_top) for alias in node.names)


def module_of(path: Path) -> str:
    """Return the name of a module below the package: ``backends.cpsat``, ``backends`` for a face, empty for itself."""
    names = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


NAMES = {module_of(path): path for path in MODULES}


@cache
def ours(path: Path) -> frozenset[str]:
    """Return the other modules of the package that a file imports."""
    names = set()
    for module, _ in imports(path):
        name = module.removeprefix("gridproof.")
        if name != module:
            # ``from gridproof.trust.check import violations`` names something inside a module
            while name not in NAMES:
                name = name.rpartition(".")[0]
            names.add(name)
    return frozenset(names - {module_of(path), ""})


RANK = {name: number for number, layer in enumerate(LAYERS) for name in layer} | {"checker": 0}


def place(module: str) -> str:
    """Return the entry of LAYERS that a module belongs to."""
    while module and module not in RANK:
        module = module.rpartition(".")[0]
    return module


def test_there_is_something_to_look_at() -> None:
    assert len(MODULES) > 30
    assert ours(ROOT / "pipeline.py") >= {"backends", "trust.crosscheck", "trust.verdict"}
    assert "pictures" in ours(ROOT / "puzzle" / "board.py"), "imports inside functions are seen"
    assert Import("ortools.sat.python.cp_model", False) in imports(ROOT / "backends" / "solvers" / "cpsat.py")


def test_each_room_has_one_place() -> None:
    listed = [name for layer in LAYERS for name in layer]
    assert len(set(listed)) == len(listed)
    assert set(listed) <= set(NAMES), "what is gone has no place"
    assert [name for name in NAMES if name and not place(name)] == [], "a new room needs a place, with a reason"


@pytest.mark.slow
def test_imports_point_one_way() -> None:
    for path in MODULES:
        here = place(module_of(path))
        if here and here != "checker":
            later = {name for name in ours(path) if place(name) != here and RANK[place(name)] >= RANK[here]}
            assert later == set(), f"{path}: {here} imports {later}, which LAYERS has below it"


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Inside a room as well: whatever a module imports can be read before it."""
    unread = {name: ours(path) for name, path in NAMES.items()}
    while ready := {name for name, needed in unread.items() if not needed & unread.keys()}:
        unread = {name: needed for name, needed in unread.items() if name not in ready}
    assert unread == {}


def test_what_is_private_to_a_room_stays_there() -> None:
    """A module whose name begins with an underscore is imported by its own package only."""
    for path in MODULES:
        here = module_of(path)
        for name in ours(path):
            package, _, last = name.rpartition(".")
            assert not last.startswith("_") or f"{here}.".startswith(f"{package}.") or not package, (path, name)


def test_the_package_itself_imports_nothing_of_its_own() -> None:
    at_top = {module for module, at_top in imports(ROOT / "__init__.py") if at_top}
    assert not [module for module in at_top if module.startswith("gridproof")]


@pytest.mark.parametrize("name", ALONE)
def test_what_must_be_independent_is(name: str) -> None:
    files = [path for module, path in NAMES.items() if module == name or module.startswith(f"{name}.")]
    assert files
    for path in files:
        inside = {other for other in ours(path) if other == name or other.startswith(f"{name}.")}
        assert ours(path) - inside <= ALONE[name], path
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
        if path.name == "__init__.py":  # the face of a room imports its names when they are used, by this
            foreign -= {"lazy_loader"}
        if path.name == "jupyter.py":  # the host in Jupyter, which is imported when it is used
            foreign -= {"anywidget", "traitlets"}
        assert not foreign, path


def test_no_module_outgrows_its_reader() -> None:
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {str(path): lines for path, lines in sizes.items() if lines > MOST_LINES} == {}
    assert not [path for path in MODULES if not ast.get_docstring(parsed(path))], "a module states its purpose"
