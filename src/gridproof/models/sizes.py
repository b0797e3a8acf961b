"""The sizes of models as papers state them: variables, and clauses in both ways of counting.

Two cells of a row that share a box are kept apart twice, once for the row and once for the box. Published tables count
both clauses; a model here has each clause once. Both numbers are exact. Up to ``MOST_CLAUSES`` the model is compiled
and counted; a larger one is counted from its cells and houses, if it states each of these by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gridproof.models import schemes, targets
from gridproof.models.targets import Encoding
from gridproof.models.targets.cnf import LargeModel, compile_cnf
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

MOST_CLAUSES = 3_000_000
"""Largest number of clauses that are compiled to count them; more take half a gigabyte."""

LARGEST_COMPILED = 49
"""Largest number of symbols of a board that is compiled because its clauses are not stated house by house."""


@dataclass(frozen=True)
class ModelSize:
    """The size of a model.

    Attributes
    ----------
    variables : int, or None
        The number of variables; ``None`` if the model was too large to be compiled.
    clauses : int, or None
        The number of different clauses; of constraints, for a target that has no clauses.
    with_repeats : int, or None
        The number of clauses where each house states its own, as published tables count them. ``None`` for other
        targets, for boards with rules, and where the clauses are not stated house by house.
    """

    variables: int | None
    clauses: int | None
    with_repeats: int | None = None


def model_size(board: Board, encoding: Encoding) -> ModelSize:
    """Return the size of the model of a board.

    Parameters
    ----------
    board
        Its houses and rules are counted; its clues only where the encoding depends on them, as ``reduced`` does.
    encoding
        The recipe of the model.

    Examples
    --------
    >>> from gridproof.models import catalog
    >>> model_size(Board.empty(Geometry.classic(3)), catalog.load("extended"))
    ModelSize(variables=729, clauses=10530, with_repeats=11988)

    References
    ----------
    Lynce and Ouaknine 2006, Sudoku as a SAT problem: 8,829 clauses (minimal) and 11,988 (extended).
    """
    if encoding.target != "cnf":
        sizes = targets.find(encoding.target).compile(board.problem, encoding).sizes
        return ModelSize(sizes.get("variables"), sizes.get("clauses", sizes.get("constraints")))
    model = targets.find("cnf").compile(board.problem, encoding) if _depends_on_clues(encoding) else None
    if isinstance(model, LargeModel):
        cnf = model.clauses_of(board)
        return ModelSize(cnf.variable_count, cnf.clause_count)
    geometry = board.geometry
    written = None
    if not board.rules and geometry.has_full_houses_only and not _goes_through_intersections(encoding):
        written = _written_size(geometry, encoding)
    if written is None and geometry.symbol_count > LARGEST_COMPILED:
        return ModelSize(None, None)
    if written is None or written.clauses is None or written.clauses <= MOST_CLAUSES:
        compiled = compile_cnf(board.problem, encoding)
        repeats = None if written is None else written.clauses
        return ModelSize(compiled.variable_count, compiled.clause_count, repeats)
    repeated = geometry.symbol_count * count_repeats(geometry, encoding)
    return ModelSize(written.variables, written.clauses - repeated, written.clauses)


def count_repeats(geometry: Geometry, encoding: Encoding) -> int:
    """Return how many clauses about one symbol a house repeats that another house has stated.

    Clauses with auxiliary variables are never repeated, as each house has its own. Symbols are alike, so that one of
    them tells the number of all; so 144x144 takes seconds.

    Examples
    --------
    >>> from gridproof.models import catalog
    >>> count_repeats(Geometry.classic(3), catalog.load("minimal"))
    162
    """
    pairs: set[int] = set()
    others: set[tuple[int, ...]] = set()
    stated = 0
    scheme = encoding.choice("house", "at_most_one")
    for house in geometry.houses:
        if encoding.choice("house", "at_least_one"):
            stated += 1
            others.add(tuple(house.cells))
        if not scheme:
            continue
        size = len(house.cells)
        for clause in schemes.find(str(scheme)).template(size).clauses:
            if any(abs(literal) > size for literal in clause):
                continue
            stated += 1
            cells = [house.cells[-literal - 1] for literal in clause]
            if len(cells) == 2:
                pairs.add(cells[0] * geometry.cell_count + cells[1])
            else:
                others.add(tuple(cell - geometry.cell_count for cell in cells))
    return stated - len(pairs) - len(others)


def _written_size(geometry: Geometry, encoding: Encoding) -> ModelSize:
    """Return the size where each group of literals has its own clauses: those of cells, and of symbols in houses."""
    n = geometry.symbol_count
    variables = geometry.cell_count * n
    clauses = 0
    for number, literals, table in _groups(geometry):
        if encoding.choice(table, "at_least_one"):
            clauses += number
        scheme = encoding.choice(table, "at_most_one")
        if scheme:
            template = schemes.find(str(scheme)).template(literals)
            clauses += number * len(template.clauses)
            variables += number * template.auxiliaries
    return ModelSize(variables, clauses)


def _groups(geometry: Geometry) -> Iterator[tuple[int, int, str]]:
    """Yield how many groups there are of so many literals, and the table of an encoding that is about them."""
    n = geometry.symbol_count
    yield geometry.cell_count, n, "cell"
    for house in geometry.houses:
        yield n, len(house.cells), "house"


def _depends_on_clues(encoding: Encoding) -> bool:
    return encoding.choice("board", "clues") == "propagated"


def _goes_through_intersections(encoding: Encoding) -> bool:
    return encoding.choice("house", "through") == "intersections"
