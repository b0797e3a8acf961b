"""Imports point one way along a board's journey, and what is independent stays so.

Every module of the package has a place in ``ORDER``; a module may import only what stands before it. Modules of one
package are one place. What a module imports inside a function counts as well; what it imports for annotations only does
not.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import gridproof

ROOT = Path(gridproof.__file__).parent
MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py"))

ORDER = [
    ["errors", "formula"],
    ["geometry", "limits"],
    ["render"],
    ["board"],
    ["notation"],
    ["convert", "lines"],
    ["blocks", "tables"],
    ["writing"],
    ["text"],
    ["datasets"],
    ["encoding", "reference", "check", "variables"],
    ["catalog"],
    ["propagation"],
    ["cnf", "cpmodel"],
    ["reduced"],
    ["backends"],
    ["lanes", "crosscheck"],
    ["verdict"],
    ["solve"],
    ["timeline", "tree", "explain", "leetcode"],
    ["checker"],  # stands alone: see below
    ["certify"],
    ["bulk", "compare"],
    ["plot"],
    ["cli"],
    ["__main__", "__init__"],
]
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}

SOLVERS = {"pysat", "pysolvers", "ortools", "highspy"}


def place(module: Path) -> str:
    return module.parts[0].removesuffix(".py")


def is_annotation_only(node: ast.AST, tree: ast.Module) -> bool:
    """Whether an import stands below ``if TYPE_CHECKING:``."""
    return any(
        isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING" and node in ast.walk(block)
        for block in ast.walk(tree)
    )


def imports(module: Path) -> set[str]:
    """Every module that is imported at run time, in full, wherever the import stands."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and not is_annotation_only(node, tree):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not is_annotation_only(node, tree):
            if node.level:  # within its own package, as the checker has it, which must work if copied elsewhere
                assert node.level == 1
                assert len(module.parts) == 2
                continue
            assert node.module is not None
            found.add(node.module)
            if node.module == "gridproof":
                found |= {f"gridproof.{alias.name}" for alias in node.names if alias.name != "__version__"}
    return found


def ours(module: Path) -> set[str]:
    """The places of our own modules that a module imports."""
    return {name.split(".")[1] for name in imports(module) if name.startswith("gridproof.")}


def test_every_module_has_its_place() -> None:
    assert {place(module) for module in MODULES} == set(RANK)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_imports_point_one_way(module: Path) -> None:
    here = place(module)
    if here == "__init__":
        return
    # a board draws itself: so drawing stands before boards, which it knows from annotations only
    wrong = {other for other in ours(module) - {here} if RANK[other] >= RANK[here]}
    assert not wrong, f"{module} imports {', '.join(sorted(wrong))}, which stand after it"


def test_the_reference_and_the_check_import_nothing_of_ours_but_the_board() -> None:
    assert ours(Path("reference.py")) <= {"board", "geometry", "limits", "errors"}
    assert ours(Path("check.py")) <= {"board", "geometry"}


@pytest.mark.parametrize("module", [m for m in MODULES if m.parts[0] == "checker"], ids=str)
def test_the_certificate_checker_stands_alone(module: Path) -> None:
    assert ours(module) <= {"checker"}
    assert not {name.split(".")[0] for name in imports(module)} & SOLVERS


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_solvers_are_imported_inside_functions(module: Path) -> None:
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))
    top = {
        name.split(".")[0]
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""])
    }
    assert not top & (SOLVERS | {"matplotlib", "pandas", "pyarrow", "distributed"})


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_no_module_is_beyond_400_lines(module: Path) -> None:
    assert len((ROOT / module).read_text(encoding="utf-8").splitlines()) <= 400
