"""The clauses that a SAT solver learns, step by step: those that its proof adds, in order."""

from __future__ import annotations

from gridproof import backends
from gridproof.backends.protocol import Backend
from gridproof.errors import InputError
from gridproof.limits import Limits
from gridproof.models.clauses import Clauses
from gridproof.models.variables import candidate_name
from gridproof.pictures.document import Svg
from gridproof.pictures.steps import Step, Steps
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid

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
    end = "there is no other solution" if solution is not None else "there is no solution"
    steps = [Step(f"the board; then {len(added):,} clauses are learned until it is proven that {end}")]
    geometry = board.geometry
    every = [(cell, symbol) for cell in range(geometry.cell_count) for symbol in range(1, geometry.order + 1)]
    places = {f"x[{candidate_name(geometry, *place)}]": place for place in every}
    for clause in added[:most]:
        literals = [(clauses.name(abs(literal)), literal > 0) for literal in clause]
        about = [(places[name], true) for name, true in literals if name in places]
        # a clause of one literal that says what a cell holds stays on the board
        settled = tuple(place for place, true in about if true and len(clause) == 1)
        notes: dict[int, list[str]] = {}
        for (cell, symbol), true in about:
            notes.setdefault(cell, []).append(f"{'' if true else '≠'}{geometry.symbol_text(symbol)}")
        written = {
            cell: " ".join(texts) if len(texts) <= _NOTED else f"{texts[0]} +{len(texts) - 1}"
            for cell, texts in notes.items()
        }
        words = [_said(name, true, name in places) for name, true in literals]
        said = f"learned the empty clause: {end}"
        if words:
            more = f" or {len(words) - _LISTED} more" if len(words) > _LISTED else ""
            number = f"{len(words)} literal{'s' if len(words) > 1 else ''}"
            said = f"learned a clause of {number}: {' or '.join(words[:_LISTED])}{more}"
        shown = () if settled else tuple(written.items())
        steps.append(Step(said, len(steps) - 1, None, settled, tuple(notes), shown, len(clause)))
    sizes = sorted(map(len, added))
    title = f"{prover.name}, {clauses.encoding.name}: {len(added):,} learned clauses"
    title += f", half of them of at most {sizes[len(sizes) // 2]} literals"
    if len(added) > most:
        title += f"; the first {most:,} are shown"
    return Steps(board, title, tuple(steps), picture)


def _said(name: str, true: bool, of_cell: bool) -> str:
    """A literal by the name of its variable: ``x[r1c1=5]`` is about a cell."""
    if of_cell:
        return name[2:-1] if true else name[2:-1].replace("=", "≠")
    return name if true else f"not {name}"
