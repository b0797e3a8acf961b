"""A proof by a solver that names the clauses which each step of its proof follows from.

First the units of the formula are propagated; often that is all. The solver gets the clauses that are left, without
the literals that are false. The checker's own rule looks at each of its steps before the proof is written.
"""

from __future__ import annotations

from gridproof.backends.proofs import objection_to_proof
from gridproof.backends.protocol import Backend
from gridproof.certificates.clauses import Clauses, Conflict
from gridproof.certificates.lrat import NotRup
from gridproof.checker.formula import Formula
from gridproof.limits import Limits, Watch


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
    clauses = [proof.literals[number] for number in numbers]
    steps = solver.refute_with_hints(clauses, limits)
    if steps is None:
        return None
    objection = objection_to_proof(clauses, steps, watch)
    if objection:
        raise NotRup(f"{solver.name}: {objection}")
    for step in steps:  # with the numbers of this proof
        number = proof.note(step.literals)
        proof.hints[number] = [numbers[hint - 1] for hint in step.hints]
        numbers.append(number)
    return proof.write_steps(numbers[-1], len(formula.clauses))
