"""Clauses that are held by their ids, what follows from them by unit propagation, and from which of them it follows.

Two ways to a proof in LRAT use it: ``lrat`` takes over the proof of a solver, ``tree`` makes its own. Nothing here has
to be believed: ``gridproof.checker`` checks the result.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence


class Conflict(Exception):
    """A clause whose literals are all false."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class Clauses:
    """Clauses over variables 1 .. variables, by their ids; units among them and what follows are true.

    The clauses of the formula come first and have the ids 1, 2, ...; all others are steps of a proof, each with its
    hints: the ids of the clauses that it follows from.

    Lists by literal: -v reads from their far end. Clauses by literal are dicts, since most literals of a Sudoku are in
    none: to make a list for each literal takes as long as to load the clauses.
    """

    def __init__(self, variables: int) -> None:
        size = 2 * variables + 1
        self.literals: list[tuple[int, ...]] = [()]  # of each clause; there is no clause 0
        self.hints: dict[int, Sequence[int]] = {}  # of each step, once they are found
        self.value = [0] * size  # 1 true, -1 false, 0 open
        self.reason = [0] * size  # of a true literal: the clause that made it true, 0 for an assumption
        self.trail: list[int] = []  # the true literals in their order
        self.number_of_units = 0  # so many of them have a unit clause as their reason
        self._units: list[int] = []  # clauses of one literal, or none, that are not true yet
        self._pairs: defaultdict[int, list[int]] = defaultdict(list)  # the ids of clauses of a literal and one other
        self._watches: defaultdict[int, list[int]] = defaultdict(list)  # the ids of longer clauses that watch a literal
        self._watched: dict[int, list[int]] = {}  # of a longer clause, the two watched literals first

    def hold(self, clause: tuple[int, ...]) -> int:
        """Hold a clause under the next id, which is returned. It is propagated from then on."""
        self.load((clause,))
        return len(self.literals) - 1

    def load(self, clauses: Sequence[Sequence[int]]) -> None:
        """Hold clauses under the next ids; a formula has thousands of them."""
        first = len(self.literals)
        self.literals.extend(map(tuple, clauses))
        pairs = self._pairs
        watches = self._watches
        for number, clause in enumerate(clauses, first):
            size = len(clause)
            if size == 2:  # most are
                pairs[clause[0]].append(number)
                pairs[clause[1]].append(number)
            elif size > 2:
                watches[clause[0]].append(number)
                watches[clause[1]].append(number)
            else:
                self._units.append(number)

    def note(self, clause: tuple[int, ...]) -> int:
        """Give a clause the next id, which is returned. It is not propagated."""
        self.literals.append(clause)
        return len(self.literals) - 1

    def propagate_units(self) -> None:
        """Make the literals of new units true, and propagate them; whatever follows becomes a unit step of its own."""
        mark = self.number_of_units
        units = self._units
        self._units = []
        for unit in units:
            clause = self.literals[unit]
            if not clause or self.value[clause[0]] < 0:
                raise Conflict(unit)
            if not self.value[clause[0]]:
                self.make_true(clause[0], unit)
        self.propagate(mark, len(self.literals))
        for literal in self.trail[mark:]:
            reason = self.reason[literal]
            if len(self.literals[reason]) > 1:
                hints = [self.reason[-other] for other in self.literals[reason] if other != literal]
                hints.append(reason)
                unit = self.note((literal,))
                self.reason[literal] = unit
                self.hints[unit] = hints
        self.number_of_units = len(self.trail)

    def make_true(self, literal: int, reason: int) -> None:
        """Make a literal true because of a clause, or of 0: an assumption."""
        self.value[literal] = 1
        self.value[-literal] = -1
        self.reason[literal] = reason
        self.trail.append(literal)

    def undo(self, mark: int) -> None:
        """Open all literals of the trail from ``mark`` on."""
        for literal in self.trail[mark:]:
            self.value[literal] = self.value[-literal] = 0
        del self.trail[mark:]

    def propagate(self, mark: int, before: int) -> None:
        """Make true what follows from the literals of the trail from ``mark`` on, by clauses with smaller ids.

        Raises ``Conflict`` for the first clause whose literals are all false.
        """
        value = self.value
        trail = self.trail
        reason = self.reason
        literals = self.literals
        head = mark
        while head < len(trail):
            false = -trail[head]
            head += 1
            for number in self._pairs.get(false, ()):
                if number >= before:  # they ascend
                    break
                first, second = literals[number]
                other = second if first == false else first
                state = value[other]
                if not state:
                    value[other] = 1
                    value[-other] = -1
                    reason[other] = number
                    trail.append(other)
                elif state < 0:
                    raise Conflict(number)
            if false in self._watches:
                self._propagate_longer(false, before)

    def _propagate_longer(self, false: int, before: int) -> None:
        """Make true what follows from a false literal by clauses of three literals or more."""
        value = self.value
        watched = self._watched
        pending = iter(self._watches[false])
        kept: list[int] = []
        for number in pending:
            if number >= before:  # nor is it used later
                continue
            if number not in watched:
                watched[number] = list(self.literals[number])
            clause = watched[number]
            if clause[0] == false:
                clause[0], clause[1] = clause[1], false
            other = clause[0]
            if value[other] <= 0 and self._watch_another(clause, number, false):
                continue
            kept.append(number)
            if value[other] < 0:
                kept.extend(pending)
                self._watches[false] = kept
                raise Conflict(number)
            if not value[other]:
                self.make_true(other, number)
        self._watches[false] = kept

    def _watch_another(self, clause: list[int], number: int, false: int) -> bool:
        """Let a clause watch a literal that is not false in place of its second; return whether it has one."""
        value = self.value
        for place in range(2, len(clause)):
            literal = clause[place]
            if value[literal] >= 0:
                clause[1], clause[place] = literal, false
                self._watches[literal].append(number)
                return True
        return False

    def trace(self, conflict: int, mark: int) -> tuple[list[int], list[int]]:
        """Return what a conflict follows from: the ids, in the order of propagation, and the assumptions, last first.

        Parameters
        ----------
        conflict
            The id of the clause whose literals are all false.
        mark
            The place in the trail from which on reasons are traced; what is true before it is a unit.
        """
        needed = {-literal for literal in self.literals[conflict]}
        hints = [conflict]
        assumptions = []
        for literal in reversed(self.trail[mark:]):
            if literal in needed:
                needed.remove(literal)
                reason = self.reason[literal]
                if reason:
                    hints.append(reason)
                    needed.update([-other for other in self.literals[reason] if other != literal])
                else:
                    assumptions.append(literal)
        hints += [self.reason[literal] for literal in sorted(needed)]  # units
        hints.reverse()
        return hints, assumptions

    def add_empty_step(self, conflict: int) -> int:
        """End the proof with the empty clause, which follows from a conflict without assumptions; return its id."""
        last = self.note(())
        hints, _ = self.trace(conflict, 0)
        self.hints[last] = hints
        return last

    def note_open_clauses(self) -> list[int]:
        """Return the ids of the clauses that no unit makes true; those with false literals are noted without them."""
        value = self.value
        open_clauses = []
        for number in range(1, len(self.literals)):
            clause = self.literals[number]
            if len(clause) == 2:  # with a false literal the other one is true
                if not value[clause[0]] and not value[clause[1]]:
                    open_clauses.append(number)
            elif max(map(value.__getitem__, clause)) <= 0:
                open_clauses.append(self._shorten(number))
        return open_clauses

    def _shorten(self, number: int) -> int:
        """Note a clause without its false literals, as a step; return its id, or the old one if none is false."""
        value = self.value
        clause = self.literals[number]
        open_literals = tuple([literal for literal in clause if not value[literal]])
        if len(open_literals) == len(clause):
            return number
        step = self.note(open_literals)
        self.hints[step] = [*[self.reason[-literal] for literal in clause if value[literal]], number]
        return step

    def write_steps(self, last: int, formula: int) -> bytes:
        """Return the lines of the steps that the last one needs, numbered without gaps.

        The formula has so many clauses.
        """
        wanted = {last}
        for number in range(last, formula, -1):
            if number in wanted:
                wanted.update(self.hints[number])
        ids = list(range(formula + 1))  # the number of each clause in the proof; those of steps left out are not used
        lines: list[str] = []
        for number in range(formula + 1, len(self.literals)):
            ids.append(formula + len(lines) + 1)
            if number in wanted:
                words = [str(ids[number])]
                words.extend([str(literal) for literal in self.literals[number]])
                words.append("0")
                words.extend([str(ids[hint]) for hint in self.hints[number]])
                words.append("0\n")
                lines.append(" ".join(words))
        return "".join(lines).encode("ascii")


def pack(hints: Sequence[int]) -> Sequence[int]:
    """Return hints in a quarter of the memory; proofs of counts have millions of them."""
    return array("i", hints)
