"""The clauses that a SAT solver learns, step by step: those that its proof adds, in order."""

from __future__ import annotations

from gridproof import backends
from gridproof.backends.protocol import Backend
from gridproof.errors import InputError
from gridproof.limits import Limits
from gridproof.models.clauses import Clauses
from gridproof.models.variables import candidate_name
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid
from gridproof.show.document import Svg
from gridproof.show.steps import Step, Steps

_LISTED = 8
"""Literals of a clause that are written out; more are counted."""

_NOTED = 2
"""Literals that are written into one cell; more are counted."""


def learned_steps(
    board: Board, backend: Backend, clauses: Clauses, solution: Grid | None, picture: Svg, most: int, limits: Limits
) -> Steps:
    """See ``Timeline.steps``. clauses: of the board. solution: the one beside which no other is, if any."""
    if most < 1:
        raise InputError(f"at most {most!r} clauses; expected a whole number of at least 1")
    prover = backends.offering(backend, "show what it learns", lambda one: one.no_proofs())
    given = [(literal,) for literal in clauses.literals(board)]
    other = [clauses.blocking_clause(solution)] if solution is not None else []
    proof = prover.refute([*clauses, *given, *other], limits)
    if proof is None:
        raise InputError("no proof to be shown: the board has another solution")
    added = [tuple(map(int, line.split()[:-1])) for line in proof if not line.startswith("d")]
    reader = _Reader(board, clauses)
    end = "there is no other solution" if solution is not None else "there is no solution"
    steps = [Step(f"the board; then {len(added):,} clauses are learned until it is proven that {end}")]
    settled: tuple[tuple[int, int], ...] = ()
    for clause in added[:most]:
        # a clause of one literal that says what a cell holds stays on the board
        if len(clause) == 1 and clause[0] > 0 and (place := reader.places.get(clauses.name(clause[0]))):
            settled = (place,)
        steps.append(reader.step(clause, len(steps) - 1, settled, end))
        settled = ()
    sizes = sorted(map(len, added))
    title = f"{prover.name}, {clauses.encoding.name}: {len(added):,} learned clauses"
    title += f", half of them of at most {sizes[len(sizes) // 2]} literals"
    if len(added) > most:
        title += f"; the first {most:,} are shown"
    return Steps(board, title, tuple(steps), picture)


class _Reader:
    """Says what clauses are about. places: by the name of a variable its cell and symbol."""

    def __init__(self, board: Board, clauses: Clauses) -> None:
        geometry = self._geometry = board.geometry
        self._clauses = clauses
        self.places = {
            f"x[{candidate_name(geometry, cell, symbol)}]": (cell, symbol)
            for cell in range(geometry.cell_count)
            for symbol in range(1, geometry.order + 1)
        }

    def step(self, clause: tuple[int, ...], after: int, settled: tuple[tuple[int, int], ...], end: str) -> Step:
        """One learned clause."""
        if not clause:
            return Step(f"learned the empty clause: {end}", after)
        words: list[str] = []
        notes: dict[int, list[str]] = {}
        for literal in clause:
            name = self._clauses.name(abs(literal))
            if place := self.places.get(name):
                sign = "=" if literal > 0 else "≠"
                symbol = self._geometry.symbol_text(place[1])
                words.append(f"{self._geometry.cell_name(place[0])}{sign}{symbol}")
                notes.setdefault(place[0], []).append(symbol if literal > 0 else f"≠{symbol}")
            else:
                words.append(name if literal > 0 else f"not {name}")
        more = f" or {len(words) - _LISTED} more" if len(words) > _LISTED else ""
        number = f"{len(clause)} literal{'s' if len(clause) > 1 else ''}"
        said = f"learned a clause of {number}: {' or '.join(words[:_LISTED])}{more}"
        written = [
            (cell, " ".join(texts) if len(texts) <= _NOTED else f"{texts[0]} +{len(texts) - 1}")
            for cell, texts in notes.items()
            if not settled
        ]
        return Step(said, after, None, settled, tuple(notes), tuple(written), len(clause))
