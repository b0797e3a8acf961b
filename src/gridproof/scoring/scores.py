"""The score of an answer to a puzzle: what is right, wrong and blank, and where it goes wrong first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.puzzle.houses import House
from gridproof.rules import Rule
from gridproof.rules.primitives import Different, Primitive, Relation, cells_of
from gridproof.trust import check
from gridproof.trust.answer import Status


@dataclass(frozen=True)
class Score:
    """The score of an answer.

    Cells are numbers from 0 on, in reading order. The cells to fill are those without a clue; a clue that the answer
    changes is wrong, one that it repeats is neither right nor wrong.

    Attributes
    ----------
    verdict : Status
        That of the puzzle: with ``multiple`` solutions an answer is right if it is one of them, and cells are compared
        with none unless it is; with ``none`` nothing can be right.
    taken : str
        The part of the answer that was read as its grid; empty if there is none.
    grid : tuple of int
        The symbols of the answer, 0 for a blank; empty if there is no grid in it.
    solved : bool
        True if the grid is a solution.
    consistent : bool
        True if nothing in the grid breaks a house, a clue, a pencil mark or a rule so far; blanks break nothing. An
        answer without a grid is not consistent.
    right_cells, wrong_cells, blank_cells : tuple of int
        The cells that hold the digit of the solution, those that hold another one, and those without a digit.
    correct_before_error : int
        The number of right cells before the first wrong one, in reading order.
    breaks : str
        The house or rule that the first wrong cell breaks, in words; empty if there is no wrong cell.
    share : float
        The share of the cells to fill that are right, from 0 to 1; a wrong clue counts against it.
    """

    verdict: Status
    taken: str
    grid: tuple[int, ...]
    solved: bool
    consistent: bool
    right_cells: tuple[int, ...]
    wrong_cells: tuple[int, ...]
    blank_cells: tuple[int, ...]
    correct_before_error: int
    breaks: str
    share: float

    @property
    def right(self) -> int:
        """The number of right cells."""
        return len(self.right_cells)

    @property
    def wrong(self) -> int:
        """The number of wrong cells."""
        return len(self.wrong_cells)

    @property
    def blank(self) -> int:
        """The number of blank cells."""
        return len(self.blank_cells)

    @property
    def first_wrong(self) -> int | None:
        """The first wrong cell in reading order, or ``None``."""
        return self.wrong_cells[0] if self.wrong_cells else None

    @property
    def reward(self) -> float:
        """The reward of all or nothing: 1 if the puzzle is solved, else 0."""
        return float(self.solved)

    def __str__(self) -> str:
        if not self.grid:
            return "no grid in the answer"
        text = (
            f"{'solved' if self.solved else 'not solved'}: {self.right} right, {self.wrong} wrong, {self.blank} blank"
        )
        if self.breaks:
            text += f"; {self.breaks}"
        return text

    def as_json(self) -> dict[str, Any]:
        """Return the counts, the cells and the rewards under their names."""
        return {
            "verdict": str(self.verdict),
            "solved": self.solved,
            "consistent": self.consistent,
            "right": self.right,
            "wrong": self.wrong,
            "blank": self.blank,
            "right_cells": list(self.right_cells),
            "wrong_cells": list(self.wrong_cells),
            "blank_cells": list(self.blank_cells),
            "correct_before_error": self.correct_before_error,
            "first_wrong": self.first_wrong,
            "breaks": self.breaks,
            "reward": self.reward,
            "share": self.share,
            "taken": self.taken,
        }


def score_grid(board: Board, verdict: Status, solution: SymbolTuple | None, grid: Sequence[int], taken: str) -> Score:
    """Return the score of a grid.

    Parameters
    ----------
    board
        The puzzle.
    verdict, solution
        Its verdict, and its only solution if it has one.
    grid
        A symbol for each cell, 0 for a blank; empty if there was none.
    taken
        The text of the grid.
    """
    cells_to_fill = [cell for cell, clue in enumerate(board.clues) if not clue]
    if not grid:
        return Score(verdict, taken, (), False, False, (), (), tuple(cells_to_fill), 0, "", 0.0)
    symbols = tuple(grid)
    problems = tuple(find_breaks(board, symbols))
    solved = not problems and check.is_solution(board, symbols)
    truth = symbols if solved else solution
    right = []
    wrong = []
    blank = []
    before = None
    for cell, symbol in enumerate(symbols):
        clue = board.clues[cell]
        if not symbol:
            blank.append(cell)
        elif clue:
            if symbol != clue:
                wrong.append(cell)
        elif truth is not None:
            if symbol == truth[cell]:
                right.append(cell)
            else:
                wrong.append(cell)
        if wrong and before is None:
            before = len(right)
    breaks = ""
    if wrong:
        cell = wrong[0]
        expected = 0 if truth is None else truth[cell]
        breaks = describe_wrong_cell(board.geometry, cell, symbols[cell], find_reason(cell, problems), expected)
    share = 0.0
    if truth is not None and cells_to_fill:
        wrong_clues = sum([bool(board.clues[cell]) for cell in wrong])
        share = max(0, len(right) - wrong_clues) / len(cells_to_fill)
    if solved:
        share = 1.0
    return Score(
        verdict,
        taken,
        symbols,
        solved,
        not problems,
        tuple(right),
        tuple(wrong),
        tuple(blank),
        len(right) if before is None else before,
        breaks,
        share,
    )


def find_breaks(board: Board, symbols: Sequence[int]) -> Iterator[tuple[frozenset[int], str]]:
    """Yield what a grid with blanks breaks so far: the cells, and the clue, the house or the rule in words."""
    geometry = board.geometry
    for cell, (symbol, clue) in enumerate(zip(symbols, board.clues, strict=True)):
        if symbol and clue and symbol != clue:
            yield frozenset([cell]), describe_changed_clue(geometry, cell, clue)
    if board.marks is not None:
        for cell, (symbol, mask) in enumerate(zip(symbols, board.candidates, strict=True)):
            if symbol and not board.clues[cell] and not mask >> (symbol - 1) & 1:
                yield frozenset([cell]), f"the pencil marks of {geometry.cell_name(cell)} exclude it"
    for house in geometry.houses:
        yield from _find_clashes(geometry, house, symbols)
    for rule, primitive, part_cells in _parts_of(board.problem):
        if _is_broken(primitive, part_cells, symbols):
            yield part_cells, check.BREAKS + rule.sentence(geometry)


def _find_clashes(geometry: Geometry, house: House, symbols: Sequence[int]) -> Iterator[tuple[frozenset[int], str]]:
    """Yield the cells of a house that hold the same symbol, and the clash in words."""
    cells_of_symbol: dict[int, list[int]] = {}
    for cell in house.cells:
        if symbols[cell]:
            cells_of_symbol.setdefault(symbols[cell], []).append(cell)
    for symbol, cells in cells_of_symbol.items():
        if len(cells) > 1:
            yield frozenset(cells), describe_clash(geometry, symbol, house)


@lru_cache(maxsize=64)
def _parts_of(problem: Problem) -> tuple[tuple[Rule, Primitive, frozenset[int]], ...]:
    """Return the parts of the rules with their cells; pairs of cells that are compared are a part each."""
    parts: list[tuple[Rule, Primitive, frozenset[int]]] = []
    for stated in problem.rules:
        rule = stated.complete(problem.rules, problem.geometry)
        for primitive in rule.expand(problem.geometry):
            if isinstance(primitive, Relation):
                for pair in primitive.pairs:
                    parts.append((stated, Relation((pair,), primitive.allowed), frozenset(pair)))
            else:
                parts.append((stated, primitive, frozenset(cells_of(primitive))))
    return tuple(parts)


def _is_broken(primitive: Primitive, cells: frozenset[int], symbols: Sequence[int]) -> bool:
    """Return whether a part of a rule is broken: cells that differ by those that are filled, any other once all are."""
    if isinstance(primitive, Different):
        filled = [symbols[cell] for cell in primitive.cells if symbols[cell]]
        return len(set(filled)) < len(filled)
    return all(symbols[cell] for cell in cells) and not primitive.allows(symbols)


def find_reason(cell: int, problems: Sequence[tuple[frozenset[int], str]]) -> str:
    """Return the first thing that a cell breaks, or an empty text."""
    for cells, text in problems:
        if cell in cells:
            return text
    return ""


def describe_wrong_cell(geometry: Geometry, cell: int, symbol: int, reason: str, expected: int) -> str:
    """Return why a cell is wrong.

    reason: what it breaks, or an empty text. expected: the symbol of the only solution, or 0 if there is none.
    """
    name = f"{geometry.cell_name(cell)} holds {geometry.symbol_text(symbol)}"
    if reason:
        return f"{name}: {reason}"
    if not expected:
        return f"{name}, and the puzzle has no solution with it"
    return f"{name}, which breaks nothing yet; the only solution has {geometry.symbol_text(expected)} there"


def describe_changed_clue(geometry: Geometry, cell: int, clue: int) -> str:
    """Return the reason of a cell whose clue is changed."""
    return f"the clue {geometry.symbol_text(clue)} of {geometry.cell_name(cell)} is changed"


def describe_clash(geometry: Geometry, symbol: int, house: House) -> str:
    """Return the reason of a symbol that is in a house twice."""
    return f"{geometry.symbol_text(symbol)} is in {house.name} twice"
