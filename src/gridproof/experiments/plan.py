"""What is run, in what order: the product of backends, encodings, modes and puzzles; what is impossible is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import count, product
from random import Random
from typing import Any

from gridproof import __version__, backends
from gridproof.backends.protocol import Backend
from gridproof.errors import EncodingError, InputError
from gridproof.experiments.machine import machine, python
from gridproof.experiments.records import Budget, Mode, RunRecord, Setup
from gridproof.experiments.sets import PuzzleSet
from gridproof.formats import to_line, to_marks
from gridproof.models import catalog
from gridproof.models.encoding import Encoding
from gridproof.pipeline import default_encoding
from gridproof.puzzle.board import Board

MOST_WORKERS = 16
"""Setups that take turns, each with a process of its own. With more setups, one group goes after another."""


@dataclass(frozen=True, eq=False)
class Entry:
    """A setup with what runs it. ``sent``: what a worker is given, a name where there is one. seed: of the solver."""

    setup: Setup
    backend: Backend
    sent: str | Backend
    encoding: Encoding | None
    seed: int | None = None

    @property
    def who(self) -> tuple[Setup, int | None]:
        """The setup with its solver's seed: what has a process of its own."""
        return self.setup, self.seed

    @cached_property
    def fields(self) -> dict[str, Any]:
        """What the records of its runs say of it."""
        return {
            **asdict(self.setup),
            "backend_version": self.backend.version,
            "family": self.backend.family,
            "solver_seed": self.seed,
        }


@dataclass(frozen=True, eq=False)
class Task:
    """One run to be made. record: all that is known of it before."""

    entry: Entry
    board: Board
    record: RunRecord


def entries(
    wanted: Sequence[str | Backend],
    encodings: Sequence[str | Encoding],
    modes: Sequence[Mode],
    solver_seeds: int = 0,
) -> tuple[list[Entry], list[str]]:
    """Every setup that is possible, with so many seeds where the solver takes one, and in words what is not.

    A backend that takes encodings, but none of those named, gets its default one. Raises ``BackendUnavailable`` and
    ``EncodingError`` for names that do not exist, ``InputError`` if nothing is left.
    """
    loaded = [catalog.load(encoding) if isinstance(encoding, str) else encoding for encoding in encodings]
    by_name: dict[str, Encoding] = {}
    for encoding in loaded:
        if by_name.setdefault(encoding.name, encoding) != encoding:
            raise EncodingError(f"two different encodings are called {encoding.name!r}; expected a name for each")
    found: dict[tuple[Setup, int | None], Entry] = {}
    notes: list[str] = []
    objects: dict[str, Backend] = {}
    for want in wanted:
        backend = backends.find(want) if isinstance(want, str) else want
        if objects.setdefault(backend.name, backend) is not backend and not isinstance(want, str):
            raise InputError(f"two different backends are called {backend.name!r}; expected a name for each")
        if reason := backend.unavailable():
            notes.append(f"{backend.name} is skipped: {reason}")
            continue
        for choice in _encodings_for(backend, list(by_name.values()), notes):
            for mode, (seed, seeded) in product(modes, _seeded(backend, solver_seeds, notes)):
                setup = Setup(backend.name, choice.name if choice else None, mode)
                sent = seeded.name if isinstance(want, str) else seeded
                found.setdefault((setup, seed), Entry(setup, seeded, sent, choice, seed))
    if not found:
        raise InputError("; ".join(["nothing to compare", *notes]))
    return list(found.values()), list(dict.fromkeys(notes))


def _seeded(backend: Backend, number: int, notes: list[str]) -> list[tuple[int | None, Backend]]:
    """The backend with each of so many seeds, from 0; as it is if none are wanted or it takes none."""
    if not number:
        return [(None, backend)]
    if backend.seed_option is None:
        notes.append(f"{backend.name} takes no seed: it runs once")
        return [(None, backend)]
    named, _, options = backend.name.partition(":")
    texts = [f"{options + ',' if options else ''}{backend.seed_option}={seed}" for seed in range(number)]
    plain = backends.find(named) if options else backend
    return [(seed, plain.configured(text)) for seed, text in enumerate(texts)]


def _encodings_for(backend: Backend, named: list[Encoding], notes: list[str]) -> list[Encoding | None]:
    fitting: list[Encoding | None] = [encoding for encoding in named if encoding.target == backend.accepts]
    if not fitting:
        default = default_encoding(backend)
        if named and default:
            names = ", ".join(encoding.name for encoding in named)
            notes.append(
                f"{backend.name} takes {backend.accepts} encodings, none of {names}: it runs with {default.name}"
            )
        return [default]
    notes += [
        f"{backend.name} with {encoding.name} is skipped: it takes {backend.accepts} encodings, "
        f"{encoding.name} is for {encoding.target}"
        for encoding in named
        if encoding not in fitting
    ]
    return fitting


def schedule(
    setups: Sequence[Entry], sets: Sequence[PuzzleSet], repeat: int, seed: int, budget: Budget
) -> Iterator[Task]:
    """Every run in the order it is made, the same for the same arguments.

    Round after round of repeats; in a round puzzle after puzzle, shuffled; each puzzle on every setup, shuffled.
    """
    puzzles: list[tuple[Board, dict[str, Any]]] = [
        (
            board,
            {
                "puzzle_set": one.name,
                "puzzle": number,
                "geometry": repr(board.geometry),
                "board": _board_text(board),
                "parameters": tuple(made.items()),
            },
        )
        for one in sets
        for board, number, made in one.instances
    ]
    same: dict[str, Any] = {"seed": seed, "gridproof": __version__, "python": python(), "machine": machine()}
    same |= {"limit": budget.seconds, "cpu_limit": budget.cpu, "memory_limit": budget.memory}
    position = count()
    for number in range(repeat):
        random = Random(f"order {seed} {number}")
        shuffled = list(setups)
        random.shuffle(shuffled)
        for start in range(0, len(shuffled), MOST_WORKERS):
            group = shuffled[start : start + MOST_WORKERS]
            random.shuffle(puzzles)
            for board, puzzle in puzzles:
                random.shuffle(group)
                for entry in group:
                    run = RunRecord(**entry.fields, **puzzle, **same, repeat=number, position=next(position))
                    yield Task(entry, board, run)


def _board_text(board: Board) -> str:
    if board.rules:
        return repr(board)
    if board.marks is None:
        return to_line(board.clues, board.geometry)
    return to_marks(board) if board.geometry.symbol_characters else repr(board)
