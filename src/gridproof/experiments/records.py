"""The record of one run and the setup it belongs to; records as files, by their ending, and as a journal."""

from __future__ import annotations

import csv
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from gridproof.errors import InputError
from gridproof.runs import tables
from gridproof.runs.journal import Journal
from gridproof.runs.machine import processor_name
from gridproof.trust.answer import BY_NUMBER, Status

Mode: TypeAlias = Literal["cold", "warm"]

Parameter: TypeAlias = str | int | float
"""A value that an instance was made from, such as its order: a further column of its file."""

Clock: TypeAlias = Literal["whole", "solve", "cpu"]
"""The time of a run: wall time of all its stages (see ``RunRecord.seconds``), wall time of solving alone, or processor
time of all its stages."""

STAGES = ("encode", "load", "first", "prove")
"""The stages of a run: compile the rules, load them, find a first solution, find that there is one more or none."""

NOT_APPLICABLE = "not applicable"
"""The verdict of a run that a setup refuses to make, since it cannot take the board or its rules."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of a run.

    seconds: wall time. cpu: processor seconds. memory: bytes resident.
    """

    seconds: float
    cpu: float | None = None
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """A backend with an encoding in one mode: what is compared.

    Attributes
    ----------
    backend : str
        Its name.
    encoding : str, or None
        The name of the encoding; ``None`` for a search.
    mode : {"cold", "warm"}
        Whether each run loads its model anew.

    Examples
    --------
    >>> str(Setup("cadical153", "triad", "cold"))
    'cadical153/triad cold'
    """

    backend: str
    encoding: str | None
    mode: Mode

    def __str__(self) -> str:
        return f"{self.name} {self.mode}"

    @property
    def name(self) -> str:
        """Backend and encoding, as ``cadical153/triad``."""
        if self.encoding is None:
            return self.backend
        return f"{self.backend}/{self.encoding}"


Times: TypeAlias = Mapping[Setup, Mapping[int, float]]
"""Setup -> number of the puzzle -> seconds, ``inf`` where it was not solved in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """The record of one run: its setup, result, costs and machine. ``None``: does not apply, or not got so far.

    Attributes
    ----------
    puzzle_set, puzzle : str, int
        The set, and the number of the puzzle in it, from 1.
    geometry, board : str
        The puzzle as text.
    backend, backend_version, family, encoding, mode : str
        What was run; see ``setup``. ``encoding`` is ``None`` for a search.
    repeat, position : int
        The round, and the place in the order of all runs, from 0.
    seed, solver_seed : int
        The seed of the order, and that of the backend if it was given one.
    limit, cpu_limit, memory_limit : float, float, int
        The seconds, processor seconds and bytes that were allowed.
    parameters : tuple of pairs
        What the instance was made from: names and values.
    started : float
        Unix time.
    verdict : str
        ``unique``, ``multiple``, ``none``, ``undecided`` (a limit came), ``failed`` (the backend crashed),
        ``disagreement`` (it gave a grid that is no solution), ``not applicable`` (it takes no such board, see
        ``reason``), or ``solved`` (plain results of another program).
    reason, stage : str
        Why and where the run stopped.
    encode_seconds, load_seconds, first_seconds, prove_seconds : float
        Wall time of the stages. In a warm run the first two are 0 except where the session was opened.
    encode_cpu, load_cpu, first_cpu, prove_cpu : float
        Processor time by stage, of the worker and all processes that it started.
    session_age : int
        The boards that the session had before.
    base_memory, peak_memory : int
        Bytes resident in the worker, after imports and at most in this run (on other systems than Linux: since
        the worker began). Processes that it starts count as far as a look at them, 20 times a second, meets them.
    variables, clauses, constraints : int
        The size of the model; CP-SAT has constraints in place of clauses.
    decisions, conflicts, propagations, restarts, nodes, tries, dead_ends : int
        As in ``Statistics``.
    solution : str
        The first grid, checked.
    gridproof, python, machine : str
        Versions, and the processor and system.

    Examples
    --------
    >>> what = {"puzzle_set": "one", "puzzle": 1, "geometry": "Geometry.classic(2, 2)", "board": "1.....2..3.....4"}
    >>> how = {"backend": "cadical153", "backend_version": "1.5", "family": "sat", "encoding": "triad", "mode": "warm"}
    >>> where = {"gridproof": "1", "python": "CPython 3.11", "machine": "a laptop"}
    >>> run = RunRecord(
    ...     **what, **how, **where, repeat=0, position=0, seed=0, limit=10.0,
    ...     verdict="unique", load_seconds=2.0, first_seconds=0.25, prove_seconds=0.5,
    ... )
    >>> print(run.setup, run.solved, run.seconds)
    cadical153/triad warm True 0.75
    """

    puzzle_set: str
    puzzle: int
    geometry: str = ""
    board: str = ""
    backend: str
    backend_version: str = ""
    family: str = ""
    encoding: str | None = None
    mode: Mode = "cold"
    repeat: int = 0
    position: int = 0
    seed: int = 0
    limit: float = 0.0
    cpu_limit: float | None = None
    memory_limit: int | None = None
    solver_seed: int | None = None
    parameters: tuple[tuple[str, Parameter], ...] = ()
    started: float = 0.0
    verdict: str = Status.UNDECIDED
    reason: str = ""
    stage: str = ""
    encode_seconds: float | None = None
    load_seconds: float | None = None
    first_seconds: float | None = None
    prove_seconds: float | None = None
    encode_cpu: float | None = None
    load_cpu: float | None = None
    first_cpu: float | None = None
    prove_cpu: float | None = None
    session_age: int | None = None
    base_memory: int | None = None
    peak_memory: int | None = None
    variables: int | None = None
    clauses: int | None = None
    constraints: int | None = None
    decisions: int | None = None
    conflicts: int | None = None
    propagations: int | None = None
    restarts: int | None = None
    nodes: int | None = None
    tries: int | None = None
    dead_ends: int | None = None
    solution: str = ""
    gridproof: str = ""
    python: str = ""
    machine: str = ""

    @property
    def setup(self) -> Setup:
        """The setup that was run."""
        return Setup(self.backend, self.encoding, self.mode)

    @property
    def name(self) -> str:
        """The setup and the round, in words."""
        return f"{self.setup} (round {self.repeat + 1})"

    @property
    def instance(self) -> str:
        """The name of the instance in plain results: as it was read, or set and number."""
        return str(dict(self.parameters).get("instance", f"{self.puzzle_set}/{self.puzzle}"))

    @property
    def key(self) -> tuple[str, int, Setup, int, int | None]:
        """The fields in which it differs from all other runs of its comparison."""
        return self.puzzle_set, self.puzzle, self.setup, self.repeat, self.solver_seed

    @property
    def seconds(self) -> float:
        """Wall time to the verdict, or until it stopped: all stages in a cold run, in a warm one without the session's
        opening."""
        return self.time("whole")

    @property
    def solving_seconds(self) -> float:
        """Wall time of the solving alone, without encoding and loading."""
        return self.time("solve")

    def time(self, clock: Clock) -> float:
        """Return the time of the run by a clock."""
        stages = STAGES if self.mode == "cold" and clock != "solve" else STAGES[2:]
        kind = "cpu" if clock == "cpu" else "seconds"
        return sum(getattr(self, f"{stage}_{kind}") or 0.0 for stage in stages)

    @property
    def solved(self) -> bool:
        """True if there is a verdict that came within all limits."""
        if self.verdict not in BY_NUMBER and self.verdict != Status.SOLVED:
            return False
        if self.cpu_limit is not None and self.time("cpu") > self.cpu_limit:
            return False
        if self.memory_limit is not None and (self.peak_memory or 0) > self.memory_limit:
            return False
        return self.seconds <= self.limit

    @property
    def applicable(self) -> bool:
        """False if the setup cannot take the board, so that there was nothing to measure."""
        return self.verdict != NOT_APPLICABLE

    @property
    def stopped(self) -> str:
        """The stage of a run without a verdict: ``encode``, ``load``, ``solve``, or ``failed`` for a crash."""
        if self.solved or not self.applicable:
            return ""
        if self.verdict == Status.FAILED:
            return "failed"
        return self.stage if self.stage in ("encode", "load") else "solve"

    @property
    def outcome(self) -> str:
        """The verdict, or why there is none in time: ``timeout``, ``memout``, ``failed``, ``not applicable``."""
        if self.solved or self.verdict not in (*BY_NUMBER, Status.UNDECIDED, Status.SOLVED):
            return str(self.verdict)
        if self.memory_limit is not None and (self.peak_memory or 0) > self.memory_limit:
            return "memout"
        return "timeout"


# ---- records as files ------------------------------------------------------------------------------------------------

PARAMETER = "instance_"
"""Prefix of the names of columns that hold parameters of instances."""

_KINDS: Mapping[str, type[Any]] = {"int": int, "float": float}
_ARROW: Mapping[type, str] = {str: "string", int: "int64", float: "float64"}


class Column(NamedTuple):
    """The column of a field of ``RunRecord``."""

    kind: type[Any]
    """The type of its values."""

    optional: bool
    """True if they may be ``None``."""


def _columns() -> dict[str, Column]:
    columns = {}
    for field in fields(RunRecord):
        name, _, other = str(field.type).partition(" | ")
        if field.name != "parameters":
            columns[field.name] = Column(_KINDS.get(name, str), other == "None")
    return columns


COLUMNS = _columns()
"""The columns of a file of records, beside those of the instances' parameters."""


def write(records: Sequence[RunRecord], path: str | Path) -> None:
    """Write all records; the file is complete or not there at all. Raises as ``runs.tables.resolve_output``."""
    tables.write(path, *columns_of(records))


def columns_of(records: Sequence[RunRecord]) -> tuple[dict[str, str], list[list[Any]]]:
    """Return the records as a table: the types of its columns, and the columns."""
    types = {name: _ARROW[column.kind] for name, column in COLUMNS.items()}
    columns = [[getattr(record, name) for record in records] for name in types]
    parameters = [dict(record.parameters) for record in records]
    names: dict[str, None] = {}  # in the order in which they come
    for made_from in parameters:
        names |= dict.fromkeys(made_from)
    for name in names:
        values = [made_from.get(name) for made_from in parameters]
        kind = _kind_of(values)
        types[PARAMETER + name] = _ARROW[kind]
        columns.append([None if value is None else kind(value) for value in values])
    return types, columns


def _kind_of(values: Iterable[Parameter | None]) -> type[Any]:
    """Return the type of a column of parameters: the narrowest that holds all of them."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int}:
        return int
    return float if kinds <= {int, float} else str


def read(path: str | Path, *, cut_off: bool = False) -> list[RunRecord]:
    """Return the records of a file. cut_off: whether half a last line is left out.

    Raises ``InputError`` for a file that was not written by ``write``.
    """
    path = Path(path)
    if tables.form_of(path) is None:
        raise InputError(f"results in {str(path)!r}; expected a name that ends in .parquet, .csv or .jsonl")
    try:
        return [_record(row) for row in tables.read(path, cut_off=cut_off)]
    except (ValueError, TypeError, KeyError, RecursionError, csv.Error) as problem:
        raise InputError(f"{path}: not a file of results ({problem}); expected one made by compare") from None


def journal(output: Path) -> Path:
    """Return the path of the journal, which keeps records as they are made: a killed comparison does not lose them."""
    return output.with_name(f"{output.name}.journal")


def open_journal(path: Path) -> Journal[RunRecord]:
    """Open the journal, with the records of an interrupted comparison if there was one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return Journal(path, lambda _, entry: _record(entry), "that file", durable=False)


def _record(row: Mapping[str, Any]) -> RunRecord:
    """Return the record of a row of a file, or of an entry of a journal."""
    given = row.get("parameters")  # in a journal
    if given is None:
        given = [(name.removeprefix(PARAMETER), value) for name, value in row.items() if name.startswith(PARAMETER)]
    parameters = []
    for name, value in given:
        typed = value
        if isinstance(value, str):
            typed = parameter(value)
        if typed is not None:
            parameters.append((name, typed))
    values: dict[str, Any] = {"parameters": tuple(parameters)}
    for name, column in COLUMNS.items():
        value = row.get(name) if column.optional else row[name]  # what is younger than the file may be missing
        if column.optional and value in (None, ""):
            values[name] = None
        else:
            values[name] = column.kind(value)
    return RunRecord(**values)


def parameter(text: str) -> Parameter | None:
    """Return the value of a field of text: a number if it is one, ``None`` if it is empty."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text.strip() or None


@lru_cache(maxsize=1)
def machine() -> str:
    """Return processor, number of cores and system, on which times depend."""
    return f"{processor_name()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


@lru_cache(maxsize=1)
def python() -> str:
    """Return name and version of the interpreter."""
    return f"{platform.python_implementation()} {platform.python_version()}"
