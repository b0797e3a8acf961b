"""The files of a refutation: the checker's formula, and its proof by a solver or by a tree of our own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gridproof import backends
from gridproof.backends.protocol import Backend
from gridproof.certificates.lrat import NotRup, lrat
from gridproof.certificates.tree import TooManySteps, refute_by_tree
from gridproof.checker.formula import Formula
from gridproof.checker.statement import Layout
from gridproof.errors import DisagreementError
from gridproof.limits import Limits, Watch

SIMPLE_PROVER = "glucose4"
"""A solver without inprocessing: each step of its proofs follows by propagation."""

STEPS_OF_TREE = 2000
"""Steps that a tree may have beside four for each grid; then a solver proves it. Trees of boards without rules need
fewer than two for each grid."""


class Refutation(NamedTuple):
    """The files of a refutation, and who wrote the proof: a solver with its version, or a tree of our own."""

    files: dict[str, bytes]
    prover: str


def proving_backend(backend: str | Backend) -> Backend:
    """Return a backend that writes proofs.

    Parameters
    ----------
    backend
        The backend, or its name.

    Returns
    -------
    Backend
        The backend itself.

    Raises
    ------
    BackendUnavailable
        If it writes none, with the names of those that do.

    Examples
    --------
    >>> proving_backend("cadical153").name
    'cadical153'
    """
    return backends.find_able(backend, "prove", lambda one: one.no_proofs())


def write_refutation(formula: Formula, prover: Backend, limits: Limits) -> Refutation:
    """Return the formula and its refutation by a solver as files, and the name of this solver.

    Raises
    ------
    DisagreementError
        If the solver finds a solution, or if its proof does not follow by propagation and a simple solver's neither.
    Interrupted
        If a limit comes first.
    """
    watch = Watch(limits)
    for solver in (prover, backends.find(SIMPLE_PROVER)):
        steps = _Steps(formula, solver, rest_of(limits, watch))
        try:
            proof = lrat(formula.clauses, formula.variables, steps, watch)
        except NotRup:
            continue
        return Refutation(_files(formula, proof, steps.written), f"{solver.name} {solver.version}")
    raise DisagreementError(f"neither the proof of {prover.name} nor that of {SIMPLE_PROVER} follows by propagation")


class _Steps:
    """The steps of a solver's proof. The solver is not called before the first one is wanted."""

    def __init__(self, formula: Formula, solver: Backend, limits: Limits) -> None:
        self._formula = formula
        self._solver = solver
        self._limits = limits
        self.written = ["0"]

    def __iter__(self) -> Iterator[str]:
        steps = self._solver.refute(self._formula.clauses, self._limits)
        if steps is None:
            text = f"{self._solver.name} finds a solution of the checker's formula, against the verdict"
            raise DisagreementError(text)
        self.written = steps
        return iter(steps)


def write_refutation_beside(
    grids: Sequence[Sequence[int]], layout: Layout, formula: Formula, prover: Backend, limits: Limits
) -> Refutation:
    """Return the formula that forbids grids, and its refutation, as files: by a tree, or else by a solver.

    Raises
    ------
    DisagreementError, Interrupted
        As in ``write_refutation``.
    """
    watch = Watch(limits)
    try:
        proof = refute_by_tree(formula, layout, grids, STEPS_OF_TREE + 4 * len(grids), watch)
    except TooManySteps:
        return write_refutation(formula, prover, rest_of(limits, watch))
    steps = []
    for line in proof.decode("ascii").splitlines():
        words = line.split()
        end_of_literals = words.index("0", 1)
        steps.append(" ".join(words[1 : end_of_literals + 1]))
    return Refutation(_files(formula, proof, steps), "a tree of gridproof")


def rest_of(limits: Limits, watch: Watch) -> Limits:
    """Return the limits with the time that remains."""
    watch.look()
    return Limits(watch.remaining() or limits.seconds, limits.conflicts)


def _files(formula: Formula, proof: bytes, steps: Sequence[str]) -> dict[str, bytes]:
    drat = "".join([f"{step}\n" for step in steps])
    return {"formula.cnf": formula.dimacs(), "proof.drat": drat.encode("ascii"), "proof.lrat": proof}
