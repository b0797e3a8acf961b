"""Samples for the tests of bulk: puzzles, damaged lines, runs of the command, and backends that misbehave."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Generator
from functools import lru_cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from gridproof.backends.protocol import Session
from gridproof.backends.solvers.reference import ReferenceBackend, ReferenceSession
from gridproof.bulk import verify_many
from gridproof.cli import main
from gridproof.errors import BackendFailure
from gridproof.formats import datasets
from gridproof.formats.lzstring import pack
from gridproof.limits import Limits
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.trust.record import VerdictRecord

SOURCE = Path(__file__).resolve().parents[2] / "src"
CLASSIC = Geometry.classic(3)


@lru_cache(maxsize=1)
def seeds() -> tuple[str, ...]:
    """Easy and hard puzzles of the package, one solution each, and some with several or none."""
    boards = [board for name in ("easy", "hard", "many", "none") for board in datasets.load(name)]
    lines = ["".join(".123456789"[clue] for clue in board.clues) for board in boards if board.geometry == CLASSIC]
    assert len(lines) > 20
    return tuple(lines)


def renamed(line: str, rng: random.Random) -> str:
    """The same puzzle with its symbols renamed at random."""
    names = list("123456789")
    rng.shuffle(names)
    return line.translate(str.maketrans("123456789", "".join(names)))


def puzzles(number: int, seed: int = 0) -> list[str]:
    """Return that many different puzzles."""
    rng = random.Random(seed)
    return [renamed(seeds()[k % len(seeds())], rng) for k in range(number)]


def damaged(line: str, rng: random.Random) -> bytes:
    """The line with something wrong with it that leaves one line of no use."""
    raw, at = line.encode(), rng.randrange(81)
    return rng.choice(
        [
            raw[:at] + raw[at + 1 :],
            raw[:at] + b"5" + raw[at:],
            raw[:at] + b"x" + raw[at + 1 :],
            raw[:at] + b"\xff" + raw[at + 1 :],
        ]
    )


def link(puzzle: str, title: str = "", **more: Any) -> str:
    """A puzzle of 9x9 cells as a link of f-puzzles. more: further keys of its JSON."""
    cells = [{"value": int(mark), "given": True} if mark != "." else {} for mark in puzzle]
    data: dict[str, Any] = {
        "size": 9,
        "title": title,
        "author": "Nobody",
        "grid": [cells[k : k + 9] for k in range(0, 81, 9)],
    }
    data |= more
    return "https://f-puzzles.com/?load=" + pack(json.dumps(data))


PARTS = 100
"""Puzzles in a part of the commands below."""


def parts_of(size: int) -> contextlib.AbstractContextManager[object]:
    """Parts of so many puzzles in this process."""
    return patch.multiple("gridproof.bulk.many", PART_SIZE=size, SESSION_PART_SIZE=size)


def in_parts(size: int, *arguments: Any, **options: Any) -> list[VerdictRecord]:
    """The records of ``verify_many``, which works on so many puzzles at a time."""
    with parts_of(size):
        return list(verify_many(*arguments, **options))


def count_parts(folder: Path) -> int:
    """The parts that a journal names, below its first line."""
    journal = folder / "journal.jsonl"
    if not journal.exists():
        return 0
    return max(journal.read_bytes().count(b"\n") - 1, 0)


def here(*arguments: object, part_size: int = PARTS) -> tuple[int, str]:
    """``verify`` run in this process: its exit code, and its messages on standard error."""
    messages = io.StringIO()
    with contextlib.redirect_stderr(messages), parts_of(part_size):
        code = main(["verify", *map(str, arguments)])
    return code, messages.getvalue()


def write_lines(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return path


def in_columns(record: dict[str, Any]) -> dict[str, Any]:
    """A JSON record of ``verify`` by the columns of CSV and Parquet results, except for the engine."""
    evidence = record["evidence"]
    solutions: list[str | None] = [*record["solutions"], None, None]
    unread = [f"{part['where']}: {part['what']}" for part in record.get("unread", ()) if part["may_be_rule"]]
    return {
        "row": record["row"],
        "line": record["line"],
        "puzzle": record["input"],
        "verdict": record["verdict"],
        "solution": solutions[0],
        "second_solution": solutions[1],
        "grids_checked": evidence["checked"],
        "reference": evidence["reference"],
        "stored": evidence["stored"],
        "reason": record["reason"],
        "title": record.get("title"),
        "author": record.get("author"),
        "unread": "; ".join(unread) or None,
        "basis": evidence["basis"],
        "cost": record.get("cost"),
        "hardest": record.get("hardest"),
        "canonical": record.get("canonical"),
    }


def table_row(record: VerdictRecord) -> dict[str, Any]:
    """A record by the columns of CSV and Parquet results, except for the engine."""
    row = record._asdict() | {"unread": "; ".join(map(str, record.unread)) or None}
    return without_engine(row)


def without_engine(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "engine"}


def command(*arguments: object, part_size: int = PARTS) -> list[str]:
    program = (
        f"import sys; from gridproof.bulk import many; many.PART_SIZE = many.SESSION_PART_SIZE = {part_size}; "
        "from gridproof.cli import main; sys.exit(main())"
    )
    return [sys.executable, "-c", program, "verify", *map(str, arguments)]


def environment() -> dict[str, str]:
    paths = [str(SOURCE), str(Path(__file__).resolve().parents[1])]
    if "PYTHONPATH" in os.environ:
        paths.append(os.environ["PYTHONPATH"])
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # processes are many here, and start twice as fast with bytecode
    return variables


def run(*arguments: object, part_size: int = PARTS) -> subprocess.CompletedProcess[str]:
    """The command run to its end."""
    return subprocess.run(
        command(*arguments, part_size=part_size),
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


class _DyingSession(ReferenceSession):
    def __init__(self, geometry: Problem, backend: DyingBackend) -> None:
        super().__init__(geometry)
        self._backend = backend
        self._boards = 0

    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        self._boards += 1
        if self._boards > self._backend.most:
            self._backend.look_at(board)
        yield from super()._solutions(board, limits)


class DyingBackend(ReferenceBackend):
    """The reference, but its process is gone at once when it sees one of these boards.

    once: a path; the process dies only as long as there is no such file, which it makes before. most: boards that a
    session takes at least before it dies.
    """

    name = "dying"

    def __init__(self, poison: frozenset[tuple[int, ...]], once: str | None = None, most: int = 0) -> None:
        self.poison = poison
        self.once = once
        self.most = most

    def _open(self, model: Any) -> Session:
        assert isinstance(model, Problem)
        return _DyingSession(model, self)

    def look_at(self, board: Board) -> None:
        if board.clues not in self.poison:
            return
        if self.once is not None:
            if Path(self.once).exists():
                return
            Path(self.once).touch()
        os._exit(9)


def _complain(number: int, frame: object) -> None:
    raise BackendFailure("Ctrl-C was heard")


class _HandlingSession(ReferenceSession):
    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        before = signal.signal(signal.SIGINT, _complain)
        os.kill(os.getpid(), signal.SIGINT)
        try:
            yield from super()._solutions(board, limits)
        finally:
            signal.signal(signal.SIGINT, before)


class HandlingBackend(ReferenceBackend):
    """The reference, but like PySAT's solvers it has a handler of its own while it works; and there is Ctrl-C."""

    name = "handling"

    def _open(self, model: Any) -> Session:
        assert isinstance(model, Problem)
        return _HandlingSession(model)


def clues_of(line: str) -> tuple[int, ...]:
    return tuple(0 if character == "." else int(character) for character in line)
