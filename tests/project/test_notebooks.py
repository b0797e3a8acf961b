"""Every notebook runs from top to bottom, and is kept with outputs so that it reads well where nobody runs it."""

from __future__ import annotations

import ast
import importlib.util
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

pytestmark = [
    pytest.mark.notebook,
    pytest.mark.skipif(importlib.util.find_spec("nbformat") is None, reason="nbformat is not installed"),
]


def _execute() -> Any:
    spec = importlib.util.spec_from_file_location("execute_notebooks", FOLDER / "execute.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_notebooks() -> None:
    numbers = [int(path.name[:2]) for path in NOTEBOOKS]
    assert len(numbers) == len(set(numbers)) >= 10


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_a_lesson(path: Path) -> None:
    """A question, a board on the first screen, nothing to install but gridproof, and something to try at the end."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = [(cell["cell_type"], "".join(cell["source"]), cell) for cell in notebook["cells"]]
    assert cells[0][0] == "markdown"
    assert cells[0][1].startswith("# ")
    assert cells[0][1].splitlines()[0].endswith("?")
    assert "svg" in json.dumps([cell.get("outputs") for _, _, cell in cells[:3]])
    names = set[str]()
    for kind, source, _ in cells:
        for node in ast.walk(ast.parse(source)) if kind == "code" else ():
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                names.add(node.module or "")
    assert "gridproof" in names
    assert names - {"gridproof"} <= sys.stdlib_module_names
    assert cells[-1][0] == "markdown"
    assert cells[-1][1].split("\n\n")[-1].startswith("**Try it:** ")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs_and_prints_what_it_is_kept_with(path: Path) -> None:
    """``make notebooks`` executes what is stale."""
    nbformat: Any = import_module("nbformat")  # takes seconds: not where other tests are collected
    execute = _execute()
    kept = nbformat.read(path, as_version=4)
    code = [cell for cell in kept.cells if cell.cell_type == "code"]
    assert [cell for cell in code if cell.outputs]
    assert all(cell.execution_count for cell in code)
    assert not [output for cell in code for output in cell.outputs if output.output_type == "error"]
    assert execute.differences(kept, execute.executed(path)) == []


def _notebook(text: str, *tags: str) -> Any:
    """A notebook of one cell that was run and printed a text."""
    nbformat: Any = import_module("nbformat")
    cell = nbformat.v4.new_code_cell(metadata={"tags": [*tags]})
    cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=text)]
    return nbformat.v4.new_notebook(cells=[cell])


@pytest.mark.parametrize(
    ("kept", "fresh", "tags"),
    [
        ("in 0.25 s", "in 1.5 s", ()),
        ("<Picture at 0x7f9ff839ecd0>", "<Picture at 0x7f9fcd9c3750>", ()),
        ("7,117 puzzles a second", "12 puzzles a second", ()),
        ("seconds=0.005882999999812455, decisions=23", "seconds=0.0071, decisions=23", ()),
        ("ortools 9.15.6755", "ortools 9.16.1", ()),
        ("scan   9.41   0.4x\nbits   3.22   1.3x\n", "bits   2.22   1.9x\nscan   9.0   >1 s\n", ("timing",)),
    ],
)
def test_figures_of_time_addresses_and_versions_are_no_difference(kept: str, fresh: str, tags: tuple[str, ...]) -> None:
    assert _execute().differences(_notebook(kept, *tags), _notebook(fresh, *tags)) == []


@pytest.mark.parametrize(
    ("kept", "fresh", "tags"),
    [
        ("unique; reference: agrees", "unique; reference: not asked", ()),
        ("46 decisions", "47 decisions", ()),
        ("9.41  0.4x", "9.41  0.5x", ()),
        ("scan   9.41   0.4x\n", "scan   9.41   0.4x\nbits   3.22   1.3x\n", ("timing",)),
    ],
)
def test_whatever_else_changes_is(kept: str, fresh: str, tags: tuple[str, ...]) -> None:
    assert len(_execute().differences(_notebook(kept, *tags), _notebook(fresh, *tags))) == 1
