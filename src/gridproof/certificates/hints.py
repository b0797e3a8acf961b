"""A proof by a solver that names the clauses which each step of its proof follows from.

First the units of the formula are propagated; often that is all. The solver gets the clauses that are left, without
the literals that are false. The checker's own rule looks at each of its steps before the proof is written.
"""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.backends.protocol import Backend, HintedStep
from gridproof.certificates.clauses import Clauses, Conflict
from gridproof.certificates.lrat import NotRup
from gridproof.checker.formula import Formula, ProofStep, objection_to
from gridproof.limits import Limits, Watch

LOOKS = 256
"""Steps between two looks at the clock."""


def refute_with_hints(formula: Formula, solver: Backend, limits: Limits, watch: Watch) -> bytes | None:
    """Return the lines of ``proof.lrat``, or ``None`` if the solver finds a solution of the formula.

    Parameters
    ----------
    formula
        The formula.
    solver
        A backend that has ``refute_with_hints``.
    limits
        The limits of the solver.
    watch
        The clock, whose limit may interrupt the rest of the work.

    Raises
    ------
    NotRup
        If a step of the solver does not follow by its hints.
    Interrupted
        If a limit comes first.

    Examples
    --------
    >>> from gridproof import backends
    >>> formula = Formula(2, ((1,), (-1, 2), (-2,)))
    >>> print(refute_with_hints(formula, backends.find("cadical195"), Limits(), Watch()).decode().strip())
    4 0 1 3 2 0
    """
    proof = Clauses(formula.variables)
    proof.load(formula.clauses)
    try:
        proof.propagate_units()
    except Conflict as end:
        return proof.write_steps(proof.add_empty_step(end.number), len(formula.clauses))
    numbers = proof.note_open_clauses()
    held = {number: proof.literals[number] for number in numbers}
    steps = solver.refute_with_hints(list(held.values()), limits)
    if steps is None:
        return None
    for place, step in enumerate(steps):
        if place % LOOKS == 0:
            watch.look()
        number = _take_over(proof, step, numbers)
        objection = objection_to(ProofStep(number, False, step.literals, list(proof.hints[number])), held)
        if objection:
            raise NotRup(f"a step of {solver.name}: {objection}")
        numbers.append(number)
        held[number] = step.literals
    if step.literals:
        raise NotRup(f"the proof of {solver.name} does not end with the empty clause")
    return proof.write_steps(number, len(formula.clauses))


def _take_over(proof: Clauses, step: HintedStep, numbers: Sequence[int]) -> int:
    """Give a step the next number in a proof, which is returned. numbers: those of the clauses that hints count."""
    hints = []
    for hint in step.hints:
        if not 0 < hint <= len(numbers):
            raise NotRup(f"hint {hint} is no clause before it (hints of RAT are not read)")
        hints.append(numbers[hint - 1])
    number = proof.note(step.literals)
    proof.hints[number] = hints
    return number
