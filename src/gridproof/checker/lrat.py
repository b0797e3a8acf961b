"""Check a refutation in LRAT, the format in which each step names the clauses that it follows from.

A line ``id literals 0 hints 0`` adds a clause. Its hints are ids of clauses held: if the literals are all false, each
hint in turn has one literal left, which is then true, and the last one has none. So the clauses held imply the new
one (it has RUP, reverse unit propagation). A line ``id d ids 0`` lets go of clauses. The check is linear in the hints
and searches for nothing (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp 2017, without RAT).
"""

from __future__ import annotations

from collections.abc import Sequence

from .findings import Clock, Limits, Refusal, quote

_PLAIN = b"0123456789- d\t"


def check_lrat(clauses: Sequence[tuple[int, ...]], top: int, data: bytes, limits: Limits, clock: Clock) -> int:
    """Check that the proof in ``data`` refutes the clauses, whose ids are 1, 2, ...; return the number of steps.

    Variables are at most ``top``. The last step has to be the empty clause.

    Raises
    ------
    Refusal
        For the first step that does not follow, a step that is not LRAT, or if the empty clause never comes.
    """
    file = "proof.lrat"
    held: dict[int, tuple[int, ...]] = dict(enumerate(clauses, 1))
    last, steps, ended = len(held), 0, False

    def refuse(code: str, text: str) -> Refusal:
        return Refusal(code, text, file, number)

    for number, line in enumerate(data.splitlines(), 1):
        if not number & 0xFF:
            clock.look()
        if len(line) > limits.line_bytes:
            raise refuse("too-large", f"a line has {len(line)} bytes; at most {limits.line_bytes} are read")
        words = line.split()
        try:
            if ended or line.translate(None, _PLAIN) or words[-1] != b"0":
                raise ValueError
            own, deletes = int(words[0]), words[1] == b"d"
            numbers = [int(word) for word in words[1 + deletes : -1]]
            end = -1 if deletes else numbers.index(0)
            literals, hints = tuple(numbers[: max(end, 0)]), numbers[end + 1 :]
        except (ValueError, IndexError):
            expected = "nothing after the empty clause" if ended else "'id literals 0 hints 0' or 'id d ids 0'"
            raise refuse("bad-proof", f"{quote(line)}; expected {expected}") from None
        if deletes:
            if any(held.pop(hint, None) is None for hint in hints):
                raise refuse("bad-proof", f"{quote(line)} deletes a clause that is not held")
            continue
        if own <= last or 0 in hints or any(abs(literal) > top for literal in literals):
            text = f"expected an id above {last}, and variables up to {top}"
            raise refuse("bad-proof", f"{quote(line)}; {text}")
        if objection := _objection(literals, hints, held):
            raise refuse("proof-step-not-implied", f"{quote(line)}: {objection}")
        held[own] = literals
        last, steps, ended = own, steps + 1, not literals
    if not ended:
        raise Refusal("proof-incomplete", "the proof does not end with the empty clause", file)
    return steps


def _objection(literals: tuple[int, ...], hints: list[int], held: dict[int, tuple[int, ...]]) -> str:
    """Return why a clause does not follow by its hints, or nothing."""
    false = set(literals)
    for place, hint in enumerate(hints):
        clause = held.get(hint)
        if clause is None:
            return f"hint {hint} is no clause held (hints of RAT are not read)"
        open_ = [literal for literal in clause if literal not in false]
        if not open_:
            return "" if place + 1 == len(hints) else f"hints follow {hint}, whose literals are all false"
        if len(open_) > 1:
            return f"hint {hint} has more than one literal left"
        false.add(-open_[0])
    return "the hints end without a clause whose literals are all false"
