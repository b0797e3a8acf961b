"""The formula of a statement: its houses, board, rules and forbidden grids as clauses; and the check of its refutation.

Variable cell * n + symbol is x[cell, symbol]: the cell holds the symbol. The parts of rules take further variables,
from n**3 + 1 on, in the order in which their clauses need them. ``docs/certificates.md`` lists the clauses one by one.

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
from itertools import chain, combinations, count

from .findings import Clock, Limits, Refusal, quote
from .machines import Unrolled
from .rules import Rule
from .statement import Board, Cells, Shape


@dataclass(frozen=True, slots=True)
class Formula:
    """Clauses over the variables 1 .. variables, each once and without a literal twice."""

    variables: int
    clauses: tuple[Cells, ...]

    def dimacs(self) -> bytes:
        """Return ``formula.cnf``, byte for byte."""
        lines = [f"{' '.join(map(str, clause))} 0\n" for clause in self.clauses]
        return f"p cnf {self.variables} {len(self.clauses)}\n{''.join(lines)}".encode("ascii")


def formula(
    shape: Shape, board: Board, rules: Iterable[Rule], forbidden: Iterable[Mapping[int, int]], unrolled: Unrolled
) -> Formula:
    """Return the formula that the grids of a board satisfy, except for the grids that are forbidden.

    Each literal that the board settles is a clause of its own. It is left out of all other clauses where it is false,
    and clauses in which one is true are left out. A clause of which nothing would be left stays as it is.
    """
    n, fresh = shape.order, count(shape.order**3 + 1)
    true = settled(shape, board)
    clauses = dict(_of_houses(shape, frozenset(true), unrolled.limits))
    stated = (clause for rule in rules for part in rule.parts for clause in unrolled.clauses(part, fresh))
    grids = ([-(cell * n + grid[cell]) for cell in range(n * n)] for grid in forbidden)
    for clause in chain(stated, grids):
        if true.isdisjoint(clause):
            whole = tuple(dict.fromkeys(clause))
            clauses[tuple([literal for literal in whole if -literal not in true]) or whole] = None
            _bounded(clauses, unrolled.limits)
    return Formula(next(fresh) - 1, tuple(clauses))


@lru_cache(maxsize=8)
def _of_houses(shape: Shape, true: frozenset[int], limits: Limits) -> dict[tuple[int, ...], None]:
    """Return the literals that are true and the clauses of cells and houses; most boards with rules settle nothing."""
    clauses: dict[tuple[int, ...], None] = {}
    clauses.update(((literal,), None) for literal in sorted(true, key=lambda one: (abs(one), -one)))
    for group in _groups(shape):
        if true.isdisjoint(group):
            left = [literal for literal in group if -literal not in true]
            clauses[tuple(left) or group] = None
            clauses.update(dict.fromkeys(combinations([-literal for literal in left], 2)))
            _bounded(clauses, limits)
    return clauses


def settled(shape: Shape, board: Board) -> set[int]:
    """Return the literals that a board makes true: of its own cells, and of the peers of a cell with one symbol."""
    n, true = shape.order, set[int]()
    for cell, symbols in board.items():
        true.update(-(cell * n + symbol) for symbol in range(1, n + 1) if symbol not in symbols)
        for symbol in symbols if len(symbols) == 1 else ():
            true.add(cell * n + symbol)
            true.update(-(peer * n + symbol) for peer in shape.peers[cell])
    return true


def _groups(shape: Shape) -> Iterator[Cells]:
    """Yield the variables of which exactly one is true: those of a cell, and those of a symbol in a house."""
    n = shape.order
    for cell in range(n * n):
        yield tuple(range(cell * n + 1, cell * n + n + 1))
    for house in shape.houses:
        for symbol in range(1, n + 1):
            yield tuple([cell * n + symbol for cell in house])


def _bounded(clauses: Sized, limits: Limits) -> None:
    if len(clauses) > limits.clauses:
        raise Refusal("too-large", f"the formula has more than {limits.clauses} clauses", "formula.cnf")


# ---- the refutation --------------------------------------------------------------------------------------------------

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
