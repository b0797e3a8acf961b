"""The files of a refutation: the checker's formula, and its proof by a solver or by a tree of our own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gridproof import backends
from gridproof.backends.protocol import Backend
from gridproof.certificates.hints import refute_with_hints
from gridproof.certificates.lrat import NotRup, lrat
from gridproof.certificates.tree import TooManySteps, refute_by_tree
from gridproof.checker.formula import Formula
from gridproof.checker.statement import Layout
from gridproof.errors import DisagreementError
from gridproof.limits import Limits, Watch

DEFAULT_PROVER = "cadical195"
"""The solver that proves if no other is named: it names the clauses that each step of its proofs follows from."""

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
    try:
        return _refute(formula, prover, limits, watch)
    except NotRup:
        pass
    try:
        return _refute(formula, backends.find(SIMPLE_PROVER), limits, watch)
    except NotRup:
        text = f"neither the proof of {prover.name} nor that of {SIMPLE_PROVER} follows by propagation"
        raise DisagreementError(text) from None


def _refute(formula: Formula, solver: Backend, limits: Limits, watch: Watch) -> Refutation:
    """Return the refutation by a solver. Raises ``NotRup`` if its proof does not follow by propagation."""
    name = f"{solver.name} {solver.version}"
    if solver.no_hints():
        steps = _Steps(formula, solver, rest_of(limits, watch))
        proof = lrat(formula.clauses, formula.variables, steps, watch)
        return Refutation(_files(formula, proof, steps.written), name)
    hinted = refute_with_hints(formula, solver, rest_of(limits, watch), watch)
    if hinted is None:
        raise _finds_a_solution(solver)
    return Refutation(_files(formula, hinted, without_hints(hinted)), name)


def _finds_a_solution(solver: Backend) -> DisagreementError:
    return DisagreementError(f"{solver.name} finds a solution of the checker's formula, against the verdict")


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
            raise _finds_a_solution(self._solver)
        self.written = steps
        return iter(steps)


def without_hints(proof: bytes) -> list[str]:
    r"""Return the steps of a proof in LRAT as those of one in DRAT.

    Examples
    --------
    >>> without_hints(b"5 1 0 1 2 0\n6 0 5 3 4 0\n")
    ['1 0', '0']
    """
    steps = []
    for line in proof.decode("ascii").splitlines():
        _, _, step = line.partition(" ")
        literals, _, _ = f" {step}".partition(" 0 ")
        steps.append(f"{literals} 0".lstrip())
    return steps


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
    return Refutation(_files(formula, proof, without_hints(proof)), "a tree of gridproof")


def rest_of(limits: Limits, watch: Watch) -> Limits:
    """Return the limits with the time that remains."""
    watch.look()
    return Limits(watch.remaining() or limits.seconds, limits.conflicts)


def _files(formula: Formula, proof: bytes, steps: Sequence[str]) -> dict[str, bytes]:
    drat = "".join([f"{step}\n" for step in steps])
    return {"formula.cnf": formula.dimacs(), "proof.drat": drat.encode("ascii"), "proof.lrat": proof}
