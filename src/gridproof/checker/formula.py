"""The formula of a statement: its houses, board, rules and forbidden grids as clauses; and the check of its refutation.

Variable cell * n + place is x[cell, digit]: the cell holds the digit, which is at this place among the n digits of the
board, from 1 on. The parts of rules take further variables, behind those of all cells, in the order in which their
clauses need them. ``docs/certificates.md`` lists the clauses one by one.

A refutation is in LRAT, the format in which each step names the clauses that it follows from. A line
``id literals 0 hints 0`` adds a clause. Its hints are ids of clauses held: if the literals are all false, each hint in
turn has one literal left, which is then true, and the last one has none. So the clauses held imply the new one (it has
RUP, reverse unit propagation). A line ``id d ids 0`` lets go of clauses. The check is linear in the hints and searches
for nothing (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp 2017, without RAT).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, count, repeat
from typing import NamedTuple

from .findings import CheckerLimits, Clock, Refusal, quote
from .machines import Unrolled
from .rules import Rule
from .statement import Board, Cells, Grid, Layout


@dataclass(frozen=True, slots=True)
class Formula:
    """Clauses over the variables 1 .. variables, each once and without a literal twice."""

    variables: int
    clauses: tuple[Cells, ...]

    def dimacs(self) -> bytes:
        """Return ``formula.cnf``, byte for byte."""
        words = words_of_literals(self.variables)
        pieces = chain.from_iterable(zip(self.clauses, repeat((0,))))
        text = "".join(map(words.__getitem__, chain.from_iterable(pieces)))
        return f"p cnf {self.variables} {len(self.clauses)}\n{text}".encode("ascii")


@lru_cache(maxsize=8)
def words_of_literals(variables: int) -> list[str]:
    """Return the word of each literal, and that of 0, which ends a clause. Those of -1, -2, ... stand at the end."""
    words = ["0\n"]
    words.extend([f"{literal} " for literal in range(1, variables + 1)])
    words.extend([f"{literal} " for literal in range(-variables, 0)])
    return words


def formula(
    layout: Layout, board: Board, rules: Iterable[Rule], forbidden: Iterable[Grid], unrolled: Unrolled
) -> Formula:
    """Return the formula that the grids of a board satisfy, except for the grids that are forbidden.

    Each literal that the board settles is a clause of its own. It is left out of all other clauses where it is false,
    and clauses in which one is true are left out. A clause of which nothing would be left stays as it is.
    """
    fresh = count(len(layout.cells) * layout.count + 1)
    true = true_literals(layout, board)
    clauses = dict(house_clauses(layout, frozenset(true), unrolled.limits))
    for clause in chain(rule_clauses(rules, unrolled, fresh), grid_clauses(layout, forbidden)):
        if true.isdisjoint(clause):
            whole = tuple(dict.fromkeys(clause))
            open_literals = tuple([literal for literal in whole if -literal not in true])
            clauses[open_literals or whole] = None
            refuse_too_many(clauses, unrolled.limits)
    return Formula(next(fresh) - 1, tuple(clauses))


def rule_clauses(rules: Iterable[Rule], unrolled: Unrolled, fresh: Iterator[int]) -> Iterator[Sequence[int]]:
    """Yield the clauses of all parts of the rules."""
    for rule in rules:
        for part in rule.parts:
            yield from unrolled.clauses(part, fresh)


def grid_clauses(layout: Layout, forbidden: Iterable[Grid]) -> Iterator[Sequence[int]]:
    """Yield a clause for each forbidden grid: some cell holds another symbol."""
    for grid in forbidden:
        yield [-layout.variable(cell, grid[cell]) for cell in layout.cells]


@lru_cache(maxsize=8)
def house_clauses(layout: Layout, true: frozenset[int], limits: CheckerLimits) -> dict[tuple[int, ...], None]:
    """Return the literals that are true and the clauses of cells and houses; most boards with rules settle nothing."""
    clauses: dict[tuple[int, ...], None] = {}
    for literal in sorted(sorted(true, reverse=True), key=abs):  # a positive one first
        clauses[literal,] = None
    for group, is_full in groups_of(layout):
        if true.isdisjoint(group):
            open_literals = [literal for literal in group if -literal not in true]
            if is_full:
                clauses[tuple(open_literals) or group] = None
            opposites = [-literal for literal in open_literals]
            for pair in combinations(opposites, 2):
                clauses[pair] = None
            refuse_too_many(clauses, limits)
    return clauses


def true_literals(layout: Layout, board: Board) -> set[int]:
    """Return the literals that a board makes true: of its own cells, and of the peers of a cell with one symbol."""
    true: set[int] = set()
    for cell, allowed in board.items():
        if len(allowed) == layout.count:
            continue
        true.update(-layout.variable(cell, digit) for digit in layout.digits if digit not in allowed)
        if len(allowed) == 1:
            (digit,) = allowed
            true.add(layout.variable(cell, digit))
            true.update(-layout.variable(peer, digit) for peer in layout.peers[cell])
    return true


@lru_cache(maxsize=8)
def groups_of(layout: Layout) -> tuple[tuple[Cells, bool], ...]:
    """Return the variables of which at most one is true: those of a cell, and those of a digit in a house.

    With each group: whether exactly one is. It is so in a cell, and in a house with as many cells as there are digits.
    """
    groups = []
    for cell in layout.cells:
        groups.append((tuple([layout.variable(cell, digit) for digit in layout.digits]), True))
    for house in layout.houses:
        is_full = len(house) == layout.count
        for digit in layout.digits:
            groups.append((tuple([layout.variable(cell, digit) for cell in house]), is_full))
    return tuple(groups)


def refuse_too_many(clauses: Sized, limits: CheckerLimits) -> None:
    if len(clauses) > limits.clauses:
        raise Refusal("too-large", f"the formula has more than {limits.clauses} clauses", "formula.cnf")


# ---- the refutation --------------------------------------------------------------------------------------------------

_PLAIN = b"0123456789- d\t"


class ProofStep(NamedTuple):
    """One line of a proof in LRAT: a clause, with the numbers of those that it follows from, or the numbers of clauses
    that are let go of."""

    number: int
    deletes: bool
    literals: tuple[int, ...]
    hints: list[int]


def parse_step(line: bytes) -> ProofStep:
    """Parse one line of a proof. Raises ``ValueError`` or ``IndexError`` if it is not LRAT."""
    words = line.split()
    if line.translate(None, _PLAIN) or words[-1] != b"0":
        raise ValueError
    number = int(words[0])
    if words[1] == b"d":
        return ProofStep(number, True, (), [int(word) for word in words[2:-1]])
    numbers = [int(word) for word in words[1:-1]]
    end = numbers.index(0)
    return ProofStep(number, False, tuple(numbers[:end]), numbers[end + 1 :])


def check_lrat(clauses: Sequence[tuple[int, ...]], top: int, data: bytes, limits: CheckerLimits, clock: Clock) -> int:
    """Check that the proof in ``data`` refutes the clauses, whose ids are 1, 2, ...; return the number of steps.

    Variables are at most ``top``. The last step has to be the empty clause.

    Raises
    ------
    Refusal
        For the first step that does not follow, a step that is not LRAT, or if the empty clause never comes.
    """
    file = "proof.lrat"
    held: dict[int, tuple[int, ...]] = dict(enumerate(clauses, 1))
    last = len(held)
    steps = 0
    ended = False

    def refuse(code: str, text: str) -> Refusal:
        return Refusal(code, text, file, number)

    for number, line in enumerate(data.splitlines(), 1):
        if not number & 0xFF:
            clock.look()
        if len(line) > limits.line_bytes:
            raise refuse("too-large", f"a line has {len(line)} bytes; at most {limits.line_bytes} are read")
        if ended:
            raise refuse("bad-proof", f"{quote(line)}; expected nothing after the empty clause")
        try:
            step = parse_step(line)
        except (ValueError, IndexError):
            expected = "'id literals 0 hints 0' or 'id d ids 0'"
            raise refuse("bad-proof", f"{quote(line)}; expected {expected}") from None
        if step.deletes:
            if not let_go(step.hints, held):
                raise refuse("bad-proof", f"{quote(line)} deletes a clause that is not held")
            continue
        if step.number <= last or 0 in step.hints or any(abs(literal) > top for literal in step.literals):
            text = f"expected an id above {last}, and variables up to {top}"
            raise refuse("bad-proof", f"{quote(line)}; {text}")
        objection = objection_to(step, held)
        if objection:
            raise refuse("proof-step-not-implied", f"{quote(line)}: {objection}")
        held[step.number] = step.literals
        last = step.number
        steps += 1
        ended = not step.literals
    if not ended:
        raise Refusal("proof-incomplete", "the proof does not end with the empty clause", file)
    return steps


def let_go(numbers: Iterable[int], held: dict[int, tuple[int, ...]]) -> bool:
    """Let go of clauses; return whether all of them were held."""
    return all(held.pop(number, None) is not None for number in numbers)


def objection_to(step: ProofStep, held: Mapping[int, tuple[int, ...]]) -> str:
    """Return why a clause does not follow by its hints from the clauses held, or nothing."""
    false = set(step.literals)
    for place, hint in enumerate(step.hints, 1):
        clause = held.get(hint)
        if clause is None:
            return f"hint {hint} is no clause held (hints of RAT are not read)"
        open_literals = [literal for literal in clause if literal not in false]
        if not open_literals:
            if place < len(step.hints):
                return f"hints follow {hint}, whose literals are all false"
            return ""
        if len(open_literals) > 1:
            return f"hint {hint} has more than one literal left"
        false.add(-open_literals[0])
    return "the hints end without a clause whose literals are all false"
