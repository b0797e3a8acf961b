"""The check of a proof whose steps name the clauses that they follow from, by the rule of the checker."""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.backends.protocol import HintedStep
from gridproof.checker.formula import ProofStep, objection_to
from gridproof.limits import Watch

LOOKS = 256
"""Steps between two looks at the clock."""


def objection_to_proof(clauses: Sequence[tuple[int, ...]], steps: Sequence[HintedStep], watch: Watch) -> str:
    """Return why the steps do not refute the clauses, whose numbers are 1, 2, ...; or nothing if they do.

    Raises
    ------
    Interrupted
        If a limit comes first.

    Examples
    --------
    >>> clauses = [(1, 2), (1, -2), (-1, 2), (-1, -2)]
    >>> steps = [HintedStep(5, (1,), [1, 2]), HintedStep(6, (), [5, 3, 4])]
    >>> objection_to_proof(clauses, steps, Watch())
    ''
    >>> objection_to_proof(clauses, steps[:1], Watch())
    'the proof does not end with the empty clause'
    """
    held = dict(enumerate(clauses, 1))
    for place, step in enumerate(steps):
        if place % LOOKS == 0:
            watch.look()
        objection = objection_to(ProofStep(step.number, False, step.literals, step.hints), held)
        if objection:
            return f"step {step.number} of a proof: {objection}"
        held[step.number] = step.literals
    if not steps or steps[-1].literals:
        return "the proof does not end with the empty clause"
    return ""
