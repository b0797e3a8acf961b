"""The plan of a comparison: its sets of puzzles, its options, its setups, and its runs in their order.

A set is a file, a named set of ``gridproof.formats.datasets``, single puzzles, or boards under a name. Impossible
combinations are noted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass
from functools import cached_property
from itertools import count, product
from pathlib import Path
from random import Random
from typing import Any, Literal

from gridproof import backends
from gridproof._version import __version__
from gridproof.backends.models import default_encoding
from gridproof.backends.protocol import Backend
from gridproof.errors import EncodingError, InputError
from gridproof.expect import expect_flag, expect_number, expect_whole, expect_word, list_of
from gridproof.experiments.records import Budget, Mode, RunRecord, Setup, machine, python
from gridproof.experiments.sets import PuzzleSet
from gridproof.models import catalog
from gridproof.models.targets import Encoding
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.board import Board

DEFAULT_BACKENDS = (DEFAULT_BACKEND, "cp-sat", "search-propagate")
"""The backends that are compared if none is named: one of each family."""

MOST_WORKERS = 16
"""Setups that take turns, each with a process of its own. With more setups, one group goes after another."""


@dataclass(frozen=True)
class Plan:
    """The options of a comparison.

    Parameters
    ----------
    sets : sequence of str, Path, PuzzleSet or Board
        Files of puzzles, names of ``formats.datasets``, puzzles, or boards under a name. Here and below one thing alone
        is a list of one.
    backends, encodings : sequence of str or object
        Without encodings, and for a backend that none of them fits, each backend's default.
    mode : {"cold", "warm", "both"}
        Whether each run loads its model anew; see the package's docstring.
    seconds : float
        Limit for each run.
    cpu_seconds : float, optional
        Limit of processor time for each run, of all processes that it starts together.
    memory : float, optional
        Limit of resident megabytes for each run, likewise.
    repeat : int
        Rounds.
    solver_seeds : int
        Run every solver that takes a seed with each of so many.
    sample : int, optional
        At most so many puzzles of each set.
    seed : int
        Of the order and the samples.
    jobs : int
        Runs at a time; more than one disturb each other.
    output : path, optional
        A file for the records (see ``Comparison.write``). While it runs there is a journal beside it, so that
        ``resume`` goes on after any end.
    folder : path, optional
        A new folder, in place of ``output``, for the records and everything that is needed to run it again with
        ``replay``: the plan, whose sets, backends and encodings are texts then, the files that it names, and tables.
    resume : bool
        Go on where an earlier run with this output or folder stopped.

    Raises
    ------
    InputError
        An option makes no sense.

    Examples
    --------
    >>> plan = Plan("hard", "cadical153", seconds=3)
    >>> plan.sets, plan.backends, plan.repeat
    (['hard'], ['cadical153'], 3)
    """

    sets: Sequence[str | Path | PuzzleSet | Board]
    backends: Sequence[str | Backend] = DEFAULT_BACKENDS
    encodings: Sequence[str | Encoding] = ()
    _: KW_ONLY
    mode: Literal["cold", "warm", "both"] = "cold"
    seconds: float = 10.0
    cpu_seconds: float | None = None
    memory: float | None = None
    repeat: int = 3
    solver_seeds: int = 0
    sample: int | None = None
    seed: int = 0
    jobs: int = 1
    output: str | Path | None = None
    folder: str | Path | None = None
    resume: bool = False

    def __post_init__(self) -> None:
        lists = {
            "sets": list_of(
                self.sets, (str, Path, PuzzleSet, Board), "sets", "files, names of sets, puzzles or boards"
            ),
            "backends": list_of(self.backends, (str, Backend), "backends", "names or backends"),
            "encodings": list_of(self.encodings, (str, Encoding), "encodings", "names or encodings"),
        }
        for name, values in lists.items():
            object.__setattr__(self, name, values)
        expect_word(self.mode, ("cold", "warm", "both"), "mode")
        expect_flag(self.resume, "resume")
        for name in ("repeat", "solver_seeds", "sample", "seed", "jobs"):
            value = getattr(self, name)
            if value is not None:
                expect_whole(value, name)
        for name in ("seconds", "cpu_seconds", "memory"):
            value = getattr(self, name)
            if value is not None:
                expect_number(value, name)
        for name in ("seconds", "cpu_seconds", "memory", "repeat", "jobs", "sample"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InputError(f"{name} = {value!r}; expected a number above zero")
        if self.folder is not None and self.output is not None:
            raise InputError("a folder beside an output; expected one of them: the folder holds the runs")
        if self.resume and self.output is None and self.folder is None:
            raise InputError("resume without an output; expected the file or folder that holds what was measured")

    @property
    def budget(self) -> Budget:
        """The limits of each run."""
        memory = None if self.memory is None else round(self.memory * 1e6)
        return Budget(float(self.seconds), self.cpu_seconds, memory)


@dataclass(frozen=True, eq=False)
class Entry:
    """A setup with what runs it.

    sent: what a worker is given, a name where there is one. seed: of the solver.
    """

    setup: Setup
    backend: Backend
    sent: str | Backend
    encoding: Encoding | None
    seed: int | None = None

    @property
    def process(self) -> tuple[Setup, int | None]:
        """The setup with its solver's seed, which has a process of its own."""
        return self.setup, self.seed

    @cached_property
    def fields(self) -> dict[str, Any]:
        """The fields of its records."""
        named = {"backend_version": self.backend.version, "family": self.backend.family, "solver_seed": self.seed}
        return {**asdict(self.setup), **named}


@dataclass(frozen=True, eq=False)
class Task:
    """One run to be made. record: all of it that is fixed before."""

    entry: Entry
    board: Board
    record: RunRecord


def entries(plan: Plan, notes: list[str]) -> list[Entry]:
    """Return every setup that is possible, with each seed where the solver takes one, and note what is not.

    A backend that takes encodings, but none of those named, gets its default one. Raises ``BackendUnavailable`` and
    ``EncodingError`` for names that do not exist, ``InputError`` if no setup is possible.
    """
    modes: tuple[Mode, ...] = ("cold", "warm") if plan.mode == "both" else (plan.mode,)
    named: dict[str, Encoding] = {}
    for encoding in (catalog.load(one) if isinstance(one, str) else one for one in plan.encodings):
        if named.setdefault(encoding.name, encoding) != encoding:
            raise EncodingError(f"two different encodings are called {encoding.name!r}; expected a name for each")
    made: dict[tuple[Setup, int | None], Entry] = {}
    objects: dict[str, Backend] = {}
    unfit: dict[str, list[str]] = {}
    for want in plan.backends:
        backend = backends.find(want) if isinstance(want, str) else want
        if objects.setdefault(backend.name, backend) is not backend and not isinstance(want, str):
            raise InputError(f"two different backends are called {backend.name!r}; expected a name for each")
        reason = backend.unavailable()
        if reason:
            notes.append(f"{backend.name} is skipped: {reason}")
            continue
        fitting = choose_encodings(backend, named, unfit, notes)
        for fit, mode, (seed, seeded) in product(fitting, modes, add_seeds(backend, plan.solver_seeds, notes)):
            setup = Setup(backend.name, fit.name if fit else None, mode)
            sent = seeded.name if isinstance(want, str) else seeded
            made.setdefault((setup, seed), Entry(setup, seeded, sent, fit, seed))
    for name, names in unfit.items():
        skipped = ", ".join(dict.fromkeys(names))
        notes.append(f"{name} is for {named[name].target}, so it is skipped with {skipped}")
    notes[:] = dict.fromkeys(notes)
    if not made:
        raise InputError("; ".join(["nothing to compare"] + notes))
    return list(made.values())


def choose_encodings(
    backend: Backend, named: Mapping[str, Encoding], unfit: dict[str, list[str]], notes: list[str]
) -> list[Encoding | None]:
    """Return the named encodings that a backend takes, else its default one, which is noted.

    unfit: gets the backend under the name of each encoding that it does not take, if it takes another one.
    """
    fitting: list[Encoding | None] = [one for one in named.values() if one.target == backend.accepts]
    if fitting:
        for one in named.values():
            if one not in fitting:
                unfit.setdefault(one.name, []).append(backend.name)
        return fitting
    default = default_encoding(backend)
    if named and default:
        none = f"{backend.name} takes {backend.accepts} encodings, none of {', '.join(named)}"
        notes.append(f"{none}: it runs with {default.name}")
    return [default]


def refusals(setups: Sequence[Entry], sets: Sequence[PuzzleSet]) -> list[str]:
    """Return a sentence for each set and setup that cannot take a board of it: there it is left out."""
    notes = []
    for puzzles in sets:
        problems = dict.fromkeys(board.problem for board in puzzles.boards)
        for entry in setups:
            for problem in problems:
                reason = entry.backend.refuses(problem)
                if reason:
                    notes.append(f"{entry.setup.name} is left out of {puzzles.name}: {reason}")
                    break
    return list(dict.fromkeys(notes))


def add_seeds(backend: Backend, number: int, notes: list[str]) -> list[tuple[int | None, Backend]]:
    """Return the backend with each of so many seeds, from 0; as it is if none are wanted or it takes none."""
    if not number:
        return [(None, backend)]
    if backend.seed_option is None:
        notes.append(f"{backend.name} takes no seed: it runs once")
        return [(None, backend)]
    named, _, options = backend.name.partition(":")
    texts = [f"{options + ',' if options else ''}{backend.seed_option}={seed}" for seed in range(number)]
    plain = backends.find(named) if options else backend
    return [(seed, plain.configured(text)) for seed, text in enumerate(texts)]


def schedule(plan: Plan, setups: Sequence[Entry], sets: Sequence[PuzzleSet]) -> Iterator[Task]:
    """Yield every run in the order it is made, the same for the same arguments.

    Round after round of repeats; in a round puzzle after puzzle, shuffled; each puzzle on every setup, shuffled.
    """
    puzzles: list[tuple[Board, dict[str, Any]]] = []
    for one in sets:
        for board, number, made in one.instances:
            text = repr(board) if board.rules or board.marks is not None else board.text()
            what = {"geometry": repr(board.geometry), "board": text, "parameters": tuple(made.items())}
            puzzles.append((board, {"puzzle_set": one.name, "puzzle": number, **what}))
    budget = plan.budget
    same: dict[str, Any] = {"seed": plan.seed, "gridproof": __version__, "python": python(), "machine": machine()}
    same |= {"limit": budget.seconds, "cpu_limit": budget.cpu, "memory_limit": budget.memory}
    position = count()
    for number in range(plan.repeat):
        random = Random(f"order {plan.seed} {number}")
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
