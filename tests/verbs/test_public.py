"""The public names: all there, imported when used, and nothing at import."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gridproof
from cli_runner import environment

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
GRID = tuple(map(int, SOLUTION))
CELLS = [int(cell.replace(".", "0")) for cell in LINE]


ROOMS = (
    *("backends", "bulk", "certificates", "checker", "errors", "experiments", "explanations", "formats"),
    *("models", "pictures", "rules", "trees"),
)


@pytest.mark.parametrize("name", gridproof.__all__)
def test_public_name_is_there(name: str) -> None:
    assert getattr(gridproof, name) is not None
    assert name in dir(gridproof)


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = gridproof.nothing_of_the_kind  # type: ignore[attr-defined]


def test_import_is_light() -> None:
    """Nor does it import ``typing``: until the command line is at work, Ctrl-C is a traceback of Python's."""
    code = (
        "import sys; before = {*sys.modules}; import gridproof\n"
        "print(*[name for name in {*sys.modules} - before if name.startswith(('gridproof', 'typing', 'inspect'))])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    assert run.stdout.split() == ["gridproof"]


def test_only_public_names_are_offered() -> None:
    modules = set(ROOMS)
    assert set(dir(gridproof)) == {*gridproof.__all__, *modules}
    assert all(getattr(gridproof, name).__name__ == f"gridproof.{name}" for name in modules)
    # what completes by reading the source finds no others either, apart from modules that were imported
    rest = {name: value for name, value in vars(gridproof).items() if not name.startswith("_")}
    assert all(
        name in gridproof.__all__ or getattr(value, "__name__", "") == f"gridproof.{name}"
        for name, value in rest.items()
    )


@pytest.mark.slow
@pytest.mark.parametrize("room", sorted({*ROOMS} - {"errors"}))
def test_a_room_offers_its_own_names_only(room: str) -> None:
    """The test takes a process of its own, where nothing else has imported it."""
    code = (
        f"import gridproof\nfor name in dir(gridproof.{room}): print(name, getattr(gridproof.{room}, name).__class__)"
    )
    command = [sys.executable, "-W", "error", "-c", code]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    names = {line.split()[0] for line in lines}
    assert names
    assert not [name for name in names if name.startswith("_") or name in {"Any", "Iterable", "annotations"}]


@pytest.mark.slow
@pytest.mark.parametrize(
    "imports",
    [
        "import gridproof",
        "import gridproof.pipeline",
        "from gridproof.pipeline import Pipeline",
        "import gridproof; gridproof.solve('.' * 16); from gridproof.pipeline import Pipeline",
        "import gridproof.certificates, gridproof.cli.solve",
    ],
)
def test_solve_is_the_function_whatever_was_imported(imports: str) -> None:
    code = f"{imports}\nimport gridproof\nfrom gridproof import solve\n"
    code += f"assert gridproof.solve is solve\nprint(*gridproof.solve({LINE!r}), sep='')"
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == (f"{SOLUTION}\n", "")


PUZZLES: list[Any] = [
    LINE,
    LINE.encode(),
    "\n".join(LINE[start : start + 9] for start in range(0, 81, 9)),
    CELLS,
    np.array(CELLS),
    np.array(CELLS).reshape(9, 9),
    gridproof.Board.from_symbols(gridproof.Geometry.classic(3), LINE),
]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: type(puzzle).__name__)
def test_whatever_is_a_puzzle_is_taken(puzzle: Any) -> None:
    assert gridproof.verify(puzzle).solutions == (GRID,)
    assert gridproof.solve(puzzle) == GRID
    assert gridproof.count(puzzle).number == 1
    assert list(gridproof.solutions(puzzle)) == [GRID]
    with gridproof.Pipeline("reference") as pipeline:
        assert pipeline.verify(puzzle).solutions == pipeline.solve(puzzle).solutions == (GRID,)
        assert pipeline.count(puzzle).number == 1
        assert list(pipeline.solutions(puzzle)) == [GRID]


@pytest.mark.parametrize("verb", [gridproof.verify, gridproof.solve, gridproof.count, gridproof.solutions])
@pytest.mark.parametrize("value", [None, 5, {1: 2}, object(), iter(LINE), np.int64(5), np.zeros((2, 81))])
def test_what_is_no_puzzle_is_refused(verb: Callable[[Any], Any], value: Any) -> None:
    with pytest.raises(gridproof.errors.InputError, match=r"expected .*cells"):
        next(iter([verb(value)] if verb is not gridproof.solutions else verb(value)))


def test_the_shortest_program() -> None:
    assert gridproof.verify(LINE).status == gridproof.Status.UNIQUE
    assert gridproof.count(gridproof.Board.empty(gridproof.Geometry.classic(2))).number == 288
