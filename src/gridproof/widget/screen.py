"""A puzzle on the screen: its picture, the verdict in a word and in a sentence, and what the buttons need.

This module and those it imports are independent of the host, which shows ``page`` by ``board.js``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Literal, TypeAlias, get_args

from gridproof.formats import Puzzle
from gridproof.pictures.document import Svg
from gridproof.pictures.svg import board_svg
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import find
from gridproof.solving import Step
from gridproof.trust.answer import Status
from gridproof.trust.check import is_solution
from gridproof.trust.verdict import Verdict
from gridproof.widget.analysis import Task
from gridproof.widget.editing import Editor
from gridproof.widget.findings import Findings, Mistakes
from gridproof.widget.palette import make_form

Mode: TypeAlias = Literal["set", "solve", "teach"]

_TONES = {Status.UNIQUE: "good", Status.MULTIPLE: "warn", Status.NONE: "bad", Status.DISAGREEMENT: "bad"}
_NAMES = {"clue": "clue", "filled": "entry", "marks": "candidates"}


Shown: TypeAlias = Literal["nothing", "candidates", "solution"]

SWITCHES: dict[str, tuple[object, ...]] = {
    "mode": get_args(Mode),
    "show": get_args(Shown),
    "check": (False, True),
    "pencil": (False, True),
}
"""The switches of the screen, each with its values; the first is the one to begin with."""


class Screen:
    """A puzzle, what was found about it, and what is shown of both.

    The page has the selection and the forms; all else that it shows is made by ``make_page``.

    Attributes
    ----------
    mode, show, check
        As in ``BoardWidget``.
    pencil : bool
        Whether typing makes candidates or pencil marks.
    place : int
        The number of the step of the lesson.
    """

    mode: Mode = "set"
    show: Shown = "nothing"
    check = False
    pencil = False
    place = 0

    _findings = Findings()
    _hint: Step | None = None
    _level = 1  # how much of a step is shown, from 1 to 3
    _remark = ""
    _is_error = False  # whether the remark is an error
    _task: Task | None = None

    def __init__(self, puzzle: Puzzle, *, words_covered: bool = False) -> None:
        self._editor = Editor(puzzle, words_covered=words_covered)

    @property
    def puzzle(self) -> Puzzle:
        """The board with title, author, prose and the solver's pencil marks."""
        return self._editor.puzzle

    @property
    def words_covered(self) -> bool:
        """True if its setter has stated that its rules in words say nothing beyond its rules on the board."""
        return self._editor.words_covered

    @property
    def board(self) -> Board:
        """Its board."""
        return self._editor.board

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the board without its entries; ``None`` until it is found."""
        return self._findings.verdict

    @property
    def solutions(self) -> int:
        """The number of solutions that were counted."""
        return self._findings.solutions

    @property
    def complete(self) -> bool:
        """True if these are all."""
        return self._findings.complete

    @property
    def _given(self) -> Board:
        """The board without entries, which are no part of the puzzle."""
        return replace(self._editor.board, filled=())

    @property
    def _step(self) -> Step | None:
        """The hint, or the step of the lesson."""
        if self.mode == "teach" and self._findings.path:
            return self._findings.path[min(self.place, len(self._findings.path) - 1)]
        return self._hint if self.mode == "solve" else None

    # ---- the picture ---------------------------------------------------------------------------------------------

    def picture(self, **options: Any) -> Svg:
        """Return the picture. options: of ``board_svg``, such as ``theme``."""
        step = self._step
        if self.mode == "solve":  # entries and pencil marks, wrong entries, and the hint as far as it goes
            if step and self._level == 3:
                shown = mix_candidates(self.puzzle, step)
                return step.picture(candidates=shown, **options)
            if step:
                options["highlight"] = step.cells_of_hint(self._level)
            return board_svg(self.puzzle.position, wrong=self._wrong(), **options)
        if step:
            path = self._findings.path
            return step.rebase(path[: self.place]).picture(self._level, **options)
        board = self._given
        if self.mode == "set":  # what is wrong with the board, and what is to be seen of its solutions
            found = self._findings
            if found.explanation:
                options |= found.explanation.picture_options()
            if self.show == "candidates":
                options["candidates"] = found.candidates
            elif self.show == "solution" and found.verdict is not None:
                board, solutions = found.verdict.view()
                options |= solutions
        return board_svg(board, **options)

    # ---- the verdict ---------------------------------------------------------------------------------------------

    @property
    def _is_in_part(self) -> bool:
        """True if rules in words may say more than the rules on the board, so that no verdict is one on the puzzle.

        A stored solution that is the only one confirms that they do not.
        """
        if not self._editor.has_unread_words:
            return False
        verdict = self.verdict
        stored = self.puzzle.solution
        is_confirmed = verdict is not None and verdict.is_unique and verdict.solutions[0] == stored
        return not is_confirmed

    def _badge(self) -> tuple[str, str]:
        """Return the state in a word with a number, and its tone: good, bad, warn or plain."""
        if self.mode == "teach":
            number = len(self._findings.path)
            if not number:
                return "no steps", "plain"
            return f"step {min(self.place + 1, number)} of {number}", "plain"
        if self.mode == "solve":
            return self._badge_of_solving()
        verdict = self.verdict
        if verdict is None:
            if self._findings.looked or not self._task:
                return "not checked", "plain"
            return "checking", "plain"
        if self._is_in_part:
            return "not all rules read", "plain"
        if verdict.status is Status.MULTIPLE:
            return self._findings.number_in_words, "warn"
        return str(verdict.status), _TONES.get(verdict.status, "plain")

    def _badge_of_solving(self) -> tuple[str, str]:
        """Return how far the solver is, and the tone."""
        mistakes = self._mistakes()
        if self._solved:
            return ("full", "plain") if self._is_in_part else ("solved", "good")
        if mistakes.clashing:
            return f"{len(mistakes.clashing)} clash", "bad"
        if mistakes.differing:
            return f"{len(mistakes.differing)} wrong", "bad"
        if self._is_full:
            return "full, but not right", "bad"
        entered = len(self.board.filled) - self.board.filled.count(0)
        return f"{entered} of {self.board.clues.count(0)}", "plain"

    def _sentence(self) -> str:
        """Return the state in a sentence, or in one for each part."""
        found = self._findings
        lines: list[str] = []
        if self._remark:
            lines.append(self._remark)
        elif self._step:
            lines.append(self._step.hint(self._level))
        elif self.mode == "set":  # the verdict, and what explains it
            if found.verdict is not None and self._is_in_part:
                lines.append("nobody has read the rules in words; this is about the rules on the board alone")
            if found.explanation:
                lines += found.explanation.sentences()
            elif found.verdict is not None:
                lines.append(found.verdict.sentence())
        else:
            lines = self._sentences_of_solving()
        return "\n".join(f"{line[0].upper()}{line[1:].rstrip('.')}." for line in lines)

    def _sentences_of_solving(self) -> list[str]:
        """Return what is wrong with the entries, as far as that is to be shown."""
        found = self._findings
        if self._solved:
            if self._is_in_part:
                return ["every cell agrees with the rules on the board; nobody has read the rules in words"]
            return ["every cell is right"]
        mistakes = self._mistakes()
        lines = []
        if mistakes.clashing:
            lines.append(f"entries that clash: {self._names_of(mistakes.clashing)}")
        if mistakes.differing:
            lines.append(f"entries that differ from the solution: {self._names_of(mistakes.differing)}")
        lines += mistakes.broken
        if self._is_full and not lines:
            lines.append("the grid is full, but not right")
        elif self.check and not lines:
            is_only = found.complete and found.solutions == 1
            lines.append("no entry is wrong" if is_only and not self._is_in_part else "no entries clash")
        if found.verdict is not None and found.solutions != 1:
            lines.append(found.verdict.sentence())
        return lines

    def _names_of(self, cells: Collection[int]) -> str:
        """Return the names of some cells, in order."""
        return " ".join(self.board.geometry.cell_name(cell) for cell in sorted(cells))

    @property
    def _entered(self) -> tuple[int, ...]:
        """The symbols of clues and entries; 0 in an empty cell."""
        return tuple(max(pair) for pair in zip(self.board.clues, self.board.filled or self.board.clues, strict=True))

    @property
    def _is_full(self) -> bool:
        return self.mode == "solve" and bool(self.board.filled) and all(self._entered)

    @property
    def _solved(self) -> bool:
        return bool(self.board.filled) and is_solution(self._given, self._entered)

    def _wrong(self) -> Collection[int]:
        """Return the entries that are shown as wrong."""
        mistakes = self._mistakes()
        return mistakes.clashing | mistakes.differing

    def _mistakes(self) -> Mistakes:
        """Return the wrong entries of the solver; none where they are not to be shown."""
        if self.mode != "solve" or not self.check:
            return Mistakes()
        entries = {cell for cell, entry in enumerate(self.board.filled) if entry}
        clashing = set()
        broken = []
        for contradiction in replace(self._given, clues=self._entered).contradictions():
            if contradiction.kind == "clash":
                clashing |= entries.intersection(contradiction.cells)
            elif contradiction.kind == "rule":
                broken.append(contradiction.message)
        differing = set()
        verdict = self.verdict
        if verdict is not None and verdict.is_unique and not self._is_in_part:
            solution = verdict.solutions[0]
            differing = {cell for cell in entries - clashing if self.board.filled[cell] != solution[cell]}
        return Mistakes(clashing, differing, broken)

    # ---- the page ------------------------------------------------------------------------------------------------

    def make_page(self) -> dict[str, Any]:
        """Return all that the page shows, as plain values."""
        svg = self.picture()
        geometry = self.board.geometry
        puzzle = self.puzzle
        rules = []
        for rule in self.board.rules:
            cells = dict.fromkeys(cell for _, line in rule.lists() for cell in line)
            form = make_form(find(rule.name_or_path), rule)
            rules.append({"text": rule.sentence(geometry), "cells": list(cells), "form": form})
        target = None  # the cell that the hint changes first, which is then chosen on the page
        if self.mode == "solve" and self._hint is not None:
            changed = self._hint.placed or self._hint.removed
            if changed:
                target = changed[0][0]
        return {
            "svg": str(svg),
            "frame": [*svg.frame, *svg.size],
            "order": geometry.order,
            "symbols": [geometry.symbol_text(symbol) for symbol in range(1, geometry.order + 1)],
            "labels": describe_cells(svg, geometry, self._wrong()),
            "about": [puzzle.title, puzzle.author, puzzle.prose, self._editor.words_covered],
            "badge": self._badge(),
            "sentence": self._sentence(),
            "error": bool(self._remark) and self._is_error,
            "busy": self._task is not None,
            "undo": self._editor.can_undo,
            "redo": self._editor.can_redo,
            "level": self._level if self._step else 0,
            "target": target,
            "last": max(0, len(self._findings.path) - 1),
            "rules": rules,
        }


# ---- what cells show -------------------------------------------------------------------------------------------------


def mix_candidates(puzzle: Puzzle, step: Step) -> list[int | None]:
    """Return the candidates in the cells of a step, in the others the pencil marks of the solver."""
    cells = set(step.cells)
    cells.update(cell for cell, _ in step.placed)
    cells.update(cell for cell, _ in step.removed)
    full = (1 << puzzle.board.geometry.order) - 1
    shown: list[int | None] = []
    for cell, marks in enumerate(puzzle.position.marks or [full] * len(puzzle.board.clues)):
        if cell in cells:
            shown.append(step.position.candidates[cell])
        else:
            shown.append(None if marks == full else marks)
    return shown


def describe_cells(svg: Svg, geometry: Geometry, wrong: Collection[int]) -> list[str]:
    """Describe each cell for screen readers: ``r1c1, clue 5``."""
    labels = []
    for cell, content in enumerate(svg.cells):
        symbols = " ".join(geometry.symbol_text(symbol) for symbol in content.symbols)
        if content.kind == "blank":
            what = "empty"
        elif not symbols:
            what = "no candidate left"
        else:
            what = f"{_NAMES.get(content.kind, content.kind)} {symbols}"
        if cell in wrong:
            what += ", wrong"
        labels.append(f"{geometry.cell_name(cell)}, {what}")
    return labels
