"""Proofs by CaDiCaL that name the clauses which each step follows from; that is set before its first clause."""

from __future__ import annotations

import tempfile
from bisect import bisect
from functools import lru_cache
from importlib import import_module

from gridproof.backends.protocol import HintedStep
from gridproof.backends.solvers.pysat._solver import Solver
from gridproof.limits import look


class HintingSolver(Solver):
    """A solver that logs a proof with hints from its first clause on."""

    def _configure(self) -> None:
        self._settings.update(lrat=1, binary=0)
        super()._configure()
        # PySAT lets a solver log from its making on, when it cannot be configured yet
        solver = self._solver
        solver.prfile = tempfile.TemporaryFile()  # noqa: SIM115  # PySAT closes it with the solver
        begin = getattr(import_module("pysolvers"), f"{self.name}_tracepr")
        solver.prfp = begin(solver.cadical, solver.prfile)

    def steps(self, clause_count: int) -> list[HintedStep]:
        """Return the steps that the refutation needs. clause_count: the number of clauses that were loaded."""
        log = self._solver.prfile
        import_module("pysolvers").flushpr(self._solver.prfp)
        log.seek(0)
        return read_trace(log.read(), clause_count)


@lru_cache(maxsize=8)
def fails_to_hint(name: str) -> str | None:
    """Return why the installed PySAT gets no proof with hints from a solver, or ``None`` if it does."""
    try:
        with HintingSolver(name, ((1,), (-1,))) as tried:
            tried.step([], 10)
            steps = tried.steps(2)
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"
    return None if steps else "it writes none"


def read_trace(trace: bytes, clause_count: int) -> list[HintedStep]:
    """Return the steps of a proof that the empty clause needs.

    CaDiCaL numbers the clauses that it is given and those that it derives in one count, as they come. The clauses that
    it derives are the steps, so all other numbers are those of clauses given, in their order.

    Examples
    --------
    >>> read_trace(b"3 -1 0 1 2 0\\n5 2 0 3 4 0\\n5 d 4 0\\n7 0 3 6 0\\n", 4)
    [HintedStep(number=5, literals=(-1,), hints=[1, 2]), HintedStep(number=6, literals=(), hints=[5, 4])]
    """
    lines: dict[int, bytes] = {}
    for line in trace.splitlines():
        first, second, _ = line.split(b" ", 2)
        if second != b"d":
            lines[int(first)] = line
        if second == b"0":  # the empty clause
            break
    derived = list(lines)
    needed = set(derived[-1:])
    found: list[HintedStep] = []
    for step_number in reversed(derived):
        if step_number in needed:
            look()
            words = list(map(int, lines[step_number].split()))
            end = words.index(0, 1)
            step = HintedStep(step_number, tuple(words[1:end]), words[end + 1 : -1])
            needed.update(step.hints)
            found.append(step)
    numbers = _Numbers(derived)
    steps: list[HintedStep] = []
    for number, step in enumerate(reversed(found), clause_count + 1):
        numbers[step.number] = number
        steps.append(HintedStep(number, step.literals, list(map(numbers.__getitem__, step.hints))))
    return steps


class _Numbers(dict[int, int]):
    """The new number of each clause by its old one: steps are entered, and the clauses given are those before."""

    def __init__(self, derived: list[int]) -> None:
        super().__init__()
        self._derived = derived

    def __missing__(self, old: int) -> int:
        self[old] = old - bisect(self._derived, old)
        return self[old]
