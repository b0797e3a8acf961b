"""Forms that came before, so that no puzzle is made twice, or again, in any guise."""

from __future__ import annotations

from collections.abc import Iterable

from gridproof.errors import InputError
from gridproof.generation.canonical import LeastForms
from gridproof.generation.recipe import Generated, Recipe
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
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
    InputError
        If the recipe has rules: symmetries may change what they mean.
    BoardError
        If boards of this shape have no forms.
    """

    def __init__(self, recipe: Recipe, *, distinct: bool, unlike: Iterable[Board]) -> None:
        if recipe.killer or recipe.problem.rules:
            raise InputError("distinct puzzles with rules; expected none: symmetries may change what rules mean")
        self._forms = LeastForms(recipe.shape)
        self._distinct = distinct
        self._known: set[object] = set()
        with Pipeline(cross_check="none") as pipeline:
            for board in unlike:
                if board.geometry != recipe.shape or board.rules:
                    continue
                verdict = pipeline.verify(board)
                if verdict.status is Status.UNIQUE:
                    form, _ = self._forms.find(board.clues, tuple(verdict.solutions[0]))
                    self._known.add(form)

    def is_new(self, made: Generated) -> bool:
        """Return whether a puzzle is equal to none before; it counts from now on."""
        form, _ = self._forms.find(made.board.clues, made.solution)
        if form in self._known:
            return False
        if self._distinct:
            self._known.add(form)
        return True
