"""Turn the DRAT proof of a solver into LRAT, whose steps name the clauses that they follow from.

First all steps are taken as they are, and units are propagated until a clause has only false literals. Then, from the
last step backwards, each step that is needed is checked by propagation over the clauses before it. The clauses that
this takes are its hints, and they are needed, too (Goldberg and Novikov 2003; Heule, Hunt and Wetzler 2013). Deletions
are left out. Nothing here has to be believed: ``gridproof.checker`` checks the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.limits import Watch


class NotRup(Exception):
    """A step of a proof that does not follow by propagation, such as a RAT step."""


class _Conflict(Exception):
    """A clause whose literals are all false; its argument is the id."""


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
    proof = _Proof(variables)
    try:
        proof.load(clauses)
        for step in steps:
            if not step.startswith("d"):
                proof.add([int(word) for word in step.split()[:-1]])
    except _Conflict as end:
        return proof.needed_steps(end.args[0], len(clauses), watch)
    raise NotRup("the proof does not end in a contradiction")


class _Proof:
    """Clauses over variables 1 .. variables, by their ids; units among them and what follows are true.

    Lists by literal: -v reads from their far end.
    """

    def __init__(self, variables: int) -> None:
        size = 2 * variables + 1
        self._literals: list[tuple[int, ...]] = [()]  # of each clause; there is no clause 0
        self._hints: dict[int, list[int]] = {}  # the ids that a step follows from, once they are found
        self._value = [0] * size  # 1 true, -1 false, 0 open
        self._reason = [0] * size  # of a true literal: the clause that made it true, 0 for an assumption
        self._trail: list[int] = []  # the true literals in their order
        self._number_of_units = 0  # so many of them have a unit clause as their reason
        self._units: list[int] = []  # clauses of one literal, or none, that are not true yet
        self._watches: list[list[int]] = [[] for _ in range(size)]  # the ids of clauses that watch a literal
        self._watched: list[list[int]] = [[]]  # the literals of each clause, the two watched ones first

    def load(self, clauses: Iterable[Sequence[int]]) -> None:
        """Hold the formula, and propagate its units."""
        for clause in clauses:
            self._hold(tuple(clause))
        self._propagate_units()

    def add(self, clause: Sequence[int]) -> None:
        """Hold a step of the proof, without the literals that are false already."""
        value = self._value
        if not any(value[literal] > 0 for literal in clause):  # else a unit implies it
            self._hold(tuple([literal for literal in dict.fromkeys(clause) if not value[literal]]))
            self._propagate_units()

    def needed_steps(self, conflict: int, formula: int, watch: Watch) -> bytes:
        """Return the lines of the steps that a conflict needs; the formula has so many clauses."""
        last = self._hold(())
        self._hints[last] = self._reasons(conflict, 0)
        self._undo(self._number_of_units)
        wanted = {last}
        for number in range(last, formula, -1):
            if number in wanted:
                watch.look()
                if number not in self._hints:
                    self._hints[number] = self._check(number)
                wanted.update(self._hints[number])
        ids = list(range(formula + 1))  # the number of each clause in the proof; those of steps left out are not used
        lines: list[str] = []
        for number in range(formula + 1, last + 1):
            ids.append(formula + len(lines) + 1)
            if number in wanted:
                words = [str(ids[number])]
                words.extend([str(literal) for literal in self._literals[number]])
                words.append("0")
                words.extend([str(ids[hint]) for hint in self._hints[number]])
                words.append("0\n")
                lines.append(" ".join(words))
        return "".join(lines).encode("ascii")

    def _check(self, number: int) -> list[int]:
        """Return the ids before a clause that it follows from. No clause after it is used from now on."""
        while self._trail and self._reason[self._trail[-1]] >= number:
            self._undo(len(self._trail) - 1)
        mark = len(self._trail)
        clause = self._literals[number]
        try:
            for literal in clause:
                self._make_true(-literal, 0)
            self._propagate(mark, number)
        except _Conflict as end:
            return self._reasons(end.args[0], mark)
        finally:
            self._undo(mark)
        text = " ".join([str(literal) for literal in clause])
        raise NotRup(f"{text or 'the empty clause'} does not follow by propagation")

    def _reasons(self, conflict: int, mark: int) -> list[int]:
        """Return the ids that a conflict follows from, in the order of propagation from ``mark`` on."""
        needed = {-literal for literal in self._literals[conflict]}
        hints = [conflict]
        for literal in reversed(self._trail[mark:]):
            if literal in needed:
                needed.remove(literal)
                reason = self._reason[literal]
                if reason:
                    hints.append(reason)
                    needed.update([-other for other in self._literals[reason] if other != literal])
        hints += [self._reason[literal] for literal in sorted(needed)]  # units
        hints.reverse()
        return hints

    # ---- clauses and their propagation -------------------------------------------------------------------------

    def _hold(self, clause: tuple[int, ...]) -> int:
        """Hold a clause under the next id, which is returned."""
        number = len(self._literals)
        self._literals.append(clause)
        self._watched.append(list(clause))
        if len(clause) > 1:
            self._watches[clause[0]].append(number)
            self._watches[clause[1]].append(number)
        else:
            self._units.append(number)
        return number

    def _propagate_units(self) -> None:
        """Make the literals of new units true, and propagate them; whatever follows becomes a unit step of its own."""
        mark = self._number_of_units
        units = self._units
        self._units = []
        for unit in units:
            clause = self._literals[unit]
            if not clause or self._value[clause[0]] < 0:
                raise _Conflict(unit)
            if not self._value[clause[0]]:
                self._make_true(clause[0], unit)
        self._propagate(mark, len(self._literals))
        for literal in self._trail[mark:]:
            reason = self._reason[literal]
            if len(self._literals[reason]) > 1:
                hints = [self._reason[-other] for other in self._literals[reason] if other != literal]
                hints.append(reason)
                unit = self._hold((literal,))
                self._reason[literal] = unit
                self._hints[unit] = hints
        self._number_of_units = len(self._trail)
        self._units = []

    def _make_true(self, literal: int, reason: int) -> None:
        self._value[literal] = 1
        self._value[-literal] = -1
        self._reason[literal] = reason
        self._trail.append(literal)

    def _undo(self, mark: int) -> None:
        for literal in self._trail[mark:]:
            self._value[literal] = self._value[-literal] = 0
        del self._trail[mark:]

    def _propagate(self, mark: int, before: int) -> None:
        """Make true what follows from the literals of the trail from ``mark`` on, by clauses with smaller ids.

        Raises ``_Conflict`` for the first clause whose literals are all false.
        """
        value = self._value
        trail = self._trail
        watches = self._watches
        head = mark
        while head < len(trail):
            false = -trail[head]
            head += 1
            pending = iter(watches[false])
            kept: list[int] = []
            for number in pending:
                if number >= before:  # nor is it used later
                    continue
                clause = self._watched[number]
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                other = clause[0]
                if value[other] <= 0:
                    for place in range(2, len(clause)):
                        literal = clause[place]
                        if value[literal] >= 0:
                            clause[1], clause[place] = literal, false
                            watches[literal].append(number)
                            break
                    else:
                        kept.append(number)
                        if value[other]:
                            kept.extend(pending)
                            watches[false] = kept
                            raise _Conflict(number)
                        self._make_true(other, number)
                    continue
                kept.append(number)
            watches[false] = kept
