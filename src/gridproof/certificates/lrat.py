"""Turn the DRAT proof of a solver into LRAT, whose steps name the clauses that they follow from.

First all steps are taken as they are, and units are propagated until a clause has only false literals. Then, from the
last step backwards, each step that is needed is checked by propagation over the clauses before it. The clauses that
this takes are its hints, and they are needed, too (Goldberg and Novikov 2003; Heule, Hunt and Wetzler 2013). Deletions
are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.certificates.clauses import Clauses, Conflict
from gridproof.limits import Watch


class NotRup(Exception):
    """A step of a proof that does not follow by propagation, such as a RAT step."""


def lrat(clauses: Sequence[Sequence[int]], variables: int, steps: Iterable[str], watch: Watch) -> bytes:
    """Return the LRAT proof of a DRAT proof.

    Parameters
    ----------
    clauses
        The formula. Its clauses have the ids 1, 2, ...
    variables
        The largest variable of the formula and of the proof.
    steps
        The lines of the proof.
    watch
        The clock, whose limit may interrupt the work.

    Returns
    -------
    bytes
        The lines of ``proof.lrat``.

    Raises
    ------
    NotRup
        If a step does not follow by propagation, or if the proof does not end in a contradiction.
    Interrupted
        If a limit comes first.

    Examples
    --------
    >>> from gridproof.limits import Limits
    >>> print(lrat([(1, 2), (1, -2), (-1, 2), (-1, -2)], 2, ["1 0", "0"], Watch(Limits())).decode().strip())
    5 1 0 1 2 0
    6 0 5 3 4 0
    """
    proof = Clauses(variables)
    try:
        proof.load(clauses)
        proof.propagate_units()
        for step in steps:
            if not step.startswith("d"):
                _add(proof, [int(word) for word in step.split()[:-1]])
    except Conflict as end:
        return _needed_steps(proof, end.number, len(clauses), watch)
    raise NotRup("the proof does not end in a contradiction")


def _add(proof: Clauses, clause: Sequence[int]) -> None:
    """Hold a step of the proof, without the literals that are false already."""
    value = proof.value
    if any(value[literal] > 0 for literal in clause):
        return  # a unit implies it
    proof.hold(tuple([literal for literal in dict.fromkeys(clause) if not value[literal]]))
    proof.propagate_units()


def _needed_steps(proof: Clauses, conflict: int, formula: int, watch: Watch) -> bytes:
    """Return the lines of the steps that a conflict needs; the formula has so many clauses."""
    last = proof.add_empty_step(conflict)
    proof.undo(proof.number_of_units)
    wanted = {last}
    for number in range(last, formula, -1):
        if number in wanted:
            watch.look()
            if number not in proof.hints:
                proof.hints[number] = _check(proof, number)
            wanted.update(proof.hints[number])
    return proof.write_steps(last, formula)


def _check(proof: Clauses, number: int) -> list[int]:
    """Return the ids before a clause that it follows from. No clause after it is used from now on."""
    while proof.trail and proof.reason[proof.trail[-1]] >= number:
        proof.undo(len(proof.trail) - 1)
    mark = len(proof.trail)
    clause = proof.literals[number]
    try:
        for literal in clause:
            proof.make_true(-literal, 0)
        proof.propagate(mark, number)
    except Conflict as end:
        hints, _ = proof.trace(end.number, mark)
        return hints
    finally:
        proof.undo(mark)
    text = " ".join([str(literal) for literal in clause])
    raise NotRup(f"{text or 'the empty clause'} does not follow by propagation")
