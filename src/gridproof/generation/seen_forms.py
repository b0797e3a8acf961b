"""Forms that came before, so that no puzzle is made twice, or again, in any guise."""

from __future__ import annotations

from collections.abc import Iterable

from gridproof.generation.canonical import FormFinder, LeastForms
from gridproof.generation.recipe import Generated, Recipe
from gridproof.generation.symmetries import is_classic_shape
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.trust.answer import Status


class SeenForms:
    """The forms of other people's puzzles, and of those that are made.

    Parameters
    ----------
    recipe
        The recipe of the puzzles.
    distinct
        Whether a puzzle may not be equal to one that was made before.
    unlike
        Puzzles to which none may be equal. One without exactly one solution is equal to none that is made.

    Raises
    ------
    BoardError
        If boards of this shape or with these rules have no forms.
    """

    def __init__(self, recipe: Recipe, *, distinct: bool, unlike: Iterable[Board]) -> None:
        self._distinct = distinct
        self._known: set[object] = set()
        self._by_solution = not recipe.killer and not recipe.problem.rules and is_classic_shape(recipe.shape)
        self._forms = FormFinder()
        if not self._by_solution:
            if not recipe.killer:
                self._forms.find(Board.empty(recipe.shape).with_rules(recipe.problem.rules))
            for board in unlike:
                self._known.add(self._forms.digest(board))
            return
        self._least = LeastForms(recipe.shape)
        with Pipeline(cross_check="none") as pipeline:
            for board in unlike:
                if board.geometry != recipe.shape or board.rules:
                    continue
                verdict = pipeline.verify(board)
                if verdict.status is Status.UNIQUE:
                    self._known.add(self._form_of(board, tuple(verdict.solutions[0])))

    def is_new(self, made: Generated) -> bool:
        """Return whether a puzzle is equal to none before; it counts from now on."""
        form = self._form_of(made.board, tuple(made.solution))
        if form in self._known:
            return False
        if self._distinct:
            self._known.add(form)
        return True

    def _form_of(self, board: Board, solution: SymbolTuple) -> object:
        """Return what is the same for equal puzzles only: by the solution, where that can be, which takes less time."""
        if self._by_solution:
            return self._least.find(board.clues, solution)[0]
        return self._forms.find(board).digest
