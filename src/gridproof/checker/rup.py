"""Unit propagation with two watched literals, and what stands on it: RUP and RAT checks, and the check of a
proof.

A clause has RUP (reverse unit propagation) if assuming all its literals false makes propagation run into a
conflict: then the clauses held imply it. It has RAT on its first literal p if, for every clause held that
contains -p, the clause together with the rest of that one has RUP: then adding it keeps the clauses
satisfiable, though they need not imply it (Wetzler, Heule, Hunt 2014).

What is held, exactly: *units*, the literals that propagation has fixed at the top level, and clauses without
them. Clauses that a unit satisfies are dropped and literals that a unit falsifies are removed, when a clause
comes in; both keep the set of models. So a proof may delete what it likes: a deletion takes a clause away
(which keeps a satisfiable set satisfiable) or, if it is not held or has become a unit, is ignored, as
drat-trim does with units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .dimacs import parse_proof
from .findings import Clock, Limits, Refusal, quote


class Propagator:
    """Clauses over variables 1 .. variables. Lists are indexed by literal: -v reads from their far end."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.refuted = False
        self._value = [0] * (2 * variables + 1)  # 1 true, -1 false, 0 open
        self._implies: list[list[int]] = [[] for _ in self._value]  # by literal a: b for each clause (-a or b)
        self._watches: list[list[list[int]]] = [[] for _ in self._value]  # by literal: longer clauses watching it
        self._trail: list[int] = []
        self._long: list[list[int]] = []  # longer clauses; one that was deleted is left as an empty list
        self._held: dict[tuple[int, ...], list[list[int]]] = {}
        self.literals = 0  # of the clauses held

    # ---- what is held ------------------------------------------------------------------------------------

    def load(self, clauses: Iterable[Sequence[int]], deletable: bool = False) -> None:
        """Holds these clauses from the beginning; deletable: as a proof finds them. Called once, when
        empty."""
        loaded = []
        for clause in clauses:
            own = list(clause)
            if len(set(own)) != len(own):
                own = list(set(own))
            if len(own) > 1:
                self._attach(own)
                if deletable:
                    loaded.append((clause, own))
            elif not own or not self._fix(own[0]):
                self.refuted = True
        self._settle(0)
        if self.refuted or not loaded:
            return
        value = self._value
        if self._trail:  # begin again with what the top level leaves of the clauses, which is far less
            self._implies = [[] for _ in value]
            self._watches = [[] for _ in value]
            self._long = []
        for clause, own in loaded:
            if self._trail:
                if any(value[literal] > 0 for literal in own):
                    continue
                own = [literal for literal in own if not value[literal]]
                self._attach(own)
            self._held.setdefault(tuple(sorted(clause)), []).append(own)
            self.literals += len(own)

    def add(self, clause: list[int]) -> None:
        """Holds one more clause; nothing is asked about it."""
        top = max(map(abs, clause), default=0)
        if top > self.variables:
            self._grow(max(top, self.variables + self.variables // 8))
        value, literals = self._value, set(clause)
        if self.refuted or any(value[literal] > 0 or -literal in literals for literal in literals):
            return
        rest = [literal for literal in literals if not value[literal]]
        if len(rest) > 1:
            self._attach(rest)
            self._held.setdefault(tuple(sorted(clause)), []).append(rest)
            self.literals += len(rest)
        elif rest:
            mark = len(self._trail)
            self._fix(rest[0])
            self._settle(mark)
        else:
            self.refuted = True

    def delete(self, clause: list[int]) -> bool:
        """Lets go of one copy of a clause; ``False`` if it is not held as a clause (any more)."""
        key = tuple(sorted(clause))
        copies = self._held.get(key)
        if not copies:
            return False
        rest = copies.pop()
        if not copies:
            del self._held[key]
        self.literals -= len(rest)
        if len(rest) == 2:
            first, second = rest
            self._implies[-first].remove(second)
            self._implies[-second].remove(first)
        else:
            rest.clear()  # watch lists drop it when they come across it
        return True

    def _attach(self, clause: list[int]) -> None:
        if len(clause) == 2:
            first, second = clause
            self._implies[-first].append(second)
            self._implies[-second].append(first)
        else:
            self._watches[clause[0]].append(clause)
            self._watches[clause[1]].append(clause)
            self._long.append(clause)

    def _grow(self, variables: int) -> None:
        old, extra = self.variables, 2 * (variables - self.variables)
        self._value[old + 1 : old + 1] = [0] * extra
        self._implies[old + 1 : old + 1] = [[] for _ in range(extra)]
        self._watches[old + 1 : old + 1] = [[] for _ in range(extra)]
        self.variables = variables

    # ---- propagation -------------------------------------------------------------------------------------

    def _fix(self, literal: int) -> bool:
        """Makes a literal true; ``False`` if it is false already."""
        if not self._value[literal]:
            self._value[literal], self._value[-literal] = 1, -1
            self._trail.append(literal)
        return self._value[literal] > 0

    def _settle(self, mark: int) -> None:
        if not self.refuted and self._conflict(mark):
            self.refuted = True

    def _undo(self, mark: int) -> None:
        value, trail = self._value, self._trail
        for literal in trail[mark:]:
            value[literal] = value[-literal] = 0
        del trail[mark:]

    def _conflict(self, mark: int) -> bool:
        """Propagates what was made true from ``mark`` on; whether some clause ended with all its literals
        false."""
        value, trail, implies, watches = self._value, self._trail, self._implies, self._watches
        binary = head = mark
        while head < len(trail):
            while binary < len(trail):  # clauses of two literals are cheap: all of them first
                for other in implies[trail[binary]]:
                    state = value[other]
                    if not state:
                        value[other], value[-other] = 1, -1
                        trail.append(other)
                    elif state < 0:
                        return True
                binary += 1
            false = -trail[head]
            head += 1
            if not watches[false]:
                continue
            kept: list[list[int]] = []
            pending = iter(watches[false])
            for clause in pending:
                if not clause:
                    continue
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                other = clause[0]
                if value[other] <= 0:
                    for place in range(2, len(clause)):
                        literal = clause[place]
                        if value[literal] >= 0:
                            clause[1], clause[place] = literal, false
                            watches[literal].append(clause)
                            break
                    else:
                        kept.append(clause)
                        if value[other]:
                            kept.extend(pending)
                            watches[false] = kept
                            return True
                        value[other], value[-other] = 1, -1
                        trail.append(other)
                    continue
                kept.append(clause)
            watches[false] = kept
        return False

    # ---- what follows ------------------------------------------------------------------------------------

    def implied(self, clause: Iterable[int]) -> bool:
        """Whether the clause has RUP (a variable that no clause held mentions is simply open)."""
        if self.refuted:
            return True
        mark = len(self._trail)
        found = any(abs(literal) <= self.variables and not self._fix(-literal) for literal in clause)
        found = found or self._conflict(mark)
        self._undo(mark)
        return found

    def consequences(self, literal: int) -> set[int] | None:
        """What is true with this literal by propagation alone, itself included; ``None`` if that is a
        conflict."""
        mark = len(self._trail)
        conflict = self.refuted or not self._fix(literal) or self._conflict(mark)
        found = None if conflict else set(self._trail)
        self._undo(mark)
        return found

    def redundant(self, clause: list[int], clock: Clock) -> bool:
        """Whether the clause has RAT on its first literal."""
        pivot = clause[0]
        if abs(pivot) > self.variables:
            return True  # no clause held contains the variable
        if self._value[pivot] < 0:
            return False  # its negation is a unit: with that one, the clause itself would have to have RUP
        for other in self._implies[pivot]:
            if not self.implied([*clause, other]):
                return False
        for held in self._long:
            if -pivot in held:
                clock.look()
                if not self.implied(clause + [literal for literal in held if literal != -pivot]):
                    return False
        return True


def check_proof(held: Propagator, data: bytes, file: str, limits: Limits, clock: Clock) -> dict[str, int]:
    """Checks a proof forwards, step by step, up to the empty clause it has to end with; the steps counted by
    kind.

    Raises ``Refusal`` for the first step that does not follow, for any step behind the empty clause, or if
    the empty clause never comes: also where the formula falls by propagation alone, because other checkers
    rely on that line.
    """
    counts = {"added": 0, "deleted": 0, "ignored deletions": 0, "by RAT": 0}
    ended = False
    for line, deletes, clause in parse_proof(data, file, limits, clock):
        clock.look()
        if ended:
            raise Refusal("bad-proof", "a step follows the empty clause; expected the proof to end with it", file, line)
        if deletes:
            counts["deleted" if held.delete(clause) else "ignored deletions"] += 1
            continue
        if not held.implied(clause):
            if not clause:
                raise Refusal("proof-step-not-implied", "the empty clause does not follow", file, line)
            if not held.redundant(clause, clock):
                text = f"{quote(' '.join(map(str, clause)))} has neither RUP nor RAT on {clause[0]}"
                raise Refusal("proof-step-not-implied", text, file, line)
            counts["by RAT"] += 1
        counts["added"] += 1
        ended = not clause
        held.add(clause)
        if held.literals > limits.literals:
            raise Refusal(
                "too-large", f"the clauses of the proof have more than {limits.literals} literals", file, line
            )
    if ended:
        return counts
    end = "propagation refutes the formula here, but " if held.refuted else ""
    raise Refusal("proof-incomplete", f"{end}the proof does not end with the empty clause (a line '0')", file)
