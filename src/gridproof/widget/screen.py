"""A puzzle on the screen: its picture, and all else that the page shows, as plain values.

This module and those it imports are independent of the host, which shows the page by the script of ``script.py``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from gridproof.pictures.document import Svg
from gridproof.pictures.svg import board_svg
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, find
from gridproof.rules.kinds.outside import OutsideClue
from gridproof.rules.short_names import short_name
from gridproof.solving import Step
from gridproof.solving.story_pictures import told_lines
from gridproof.widget.palette import make_form
from gridproof.widget.state import BoardState

_NAMES = {"clue": "clue", "filled": "entry", "marks": "candidates"}


class Screen(BoardState):
    """A puzzle and its state, as they are shown. The page has the selection and the forms."""

    # ---- the picture ---------------------------------------------------------------------------------------------

    def picture(self, **options: Any) -> Svg:
        """Return the picture. options: of ``board_svg``, such as ``theme``."""
        options = {"sketch": self.editor.sketch, **options}
        step = self._step
        if self.mode == "solve":
            return self._picture_of_solving(step, options)
        if step:
            place = self._lesson_place
            assert place is not None
            earlier = self._findings.path[: place.step]
            return step.rebase(earlier).picture(place.level, line=self._line_of_story(step), **options)
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

    def _picture_of_solving(self, step: Step | None, options: dict[str, Any]) -> Svg:
        """Return the picture of the entries and marks, with wrong entries, and the hint as far as it goes."""
        entries = self.editor.entries
        options["pencil"] = entries.pencil(self.board.geometry)
        if step and self._level == 3:
            line = self._line_of_story(step)
            shown = mix_candidates(self.puzzle.board, step)
            return step.picture(candidates=shown, line=line, **options)
        if step:
            options["highlight"] = step.cells_of_hint(self._level)
        return board_svg(self.board, wrong=self._wrong(), **options)

    def _line_of_story(self, step: Step) -> int | None:
        """Return the number, in the story of a step, of the line that is shown."""
        line = self._shown_line
        if line is None:
            return None
        return told_lines(step.story)[line]

    # ---- the page ------------------------------------------------------------------------------------------------

    def make_page(self) -> dict[str, Any]:
        """Return all that the page shows, as plain values."""
        svg = self.picture(labels=True, notes=None, theme="light")
        geometry = self.board.geometry
        puzzle = self.puzzle
        history = self.editor.history(setter=self.mode == "set")
        step = self._step
        story: list[str] = []
        if step and self._shown_level == 3 and step.has_story:
            story = step.story_texts()
        return {
            "svg": str(svg),
            "frame": [*svg.frame, *svg.size],
            "rows": geometry.rows,
            "columns": geometry.columns,
            "symbols": list(geometry.digits.texts()),
            "values": [content.symbols[0] if content.kind in _HOLDING else 0 for content in svg.cells],
            "labels": describe_cells(svg, self.board, self._wrong(), self._pencil_words()),
            "about": [puzzle.title, puzzle.author, puzzle.prose, self.editor.words_covered],
            "houses": geometry.description,
            "unread": [str(part) for part in self.editor.unread],
            "badges": self._badges(),
            "sentence": self._sentence(),
            "lists": self._lists(),
            "error": bool(self._remark) and self._is_error,
            "anyway": bool(self._refused),
            "busy": self._task is not None,
            "solved": self.mode == "solve" and self._solved,
            "modes": list(self.modes),
            "undo": history.can_undo,
            "redo": history.can_redo,
            "level": self._shown_level,
            "story": story,
            "line": self._shown_line,
            "target": self._target(),
            "last": max(0, len(self.lesson) - 1) if self.mode == "teach" else 0,
            "kinds": {rule.kind: rule.summary() for rule in self.board.rules},
            "rules": [describe_rule(rule, geometry) for rule in self.board.rules],
        }

    def _target(self) -> int | None:
        """Return the cell that the hint changes first, which is then chosen on the page."""
        if self.mode != "solve" or self._hint is None:
            return None
        changed = self._hint.placed or self._hint.removed
        return changed[0][0] if changed else None

    def _pencil_words(self) -> Mapping[int, str]:
        """Return the marks and colours of each cell in words."""
        if self.mode != "solve":
            return {}
        geometry = self.board.geometry
        return self.editor.entries.pencil(geometry).words(geometry)


_HOLDING = ("clue", "filled")
"""The kinds of contents of a cell that has its symbol."""


# ---- what cells and rules are called ---------------------------------------------------------------------------------


def mix_candidates(board: Board, step: Step) -> list[int | None]:
    """Return the candidates in the cells of a step, in the others the candidates that the puzzle gives."""
    cells = set(step.cells)
    cells.update([cell for cell, _ in step.placed + step.removed])
    for line in step.story:
        cells.update([cell for cell, _ in line.candidates])
    full = board.geometry.every_symbol
    shown: list[int | None] = []
    for cell, marks in enumerate(board.marks or [full] * len(board.clues)):
        if cell in cells:
            shown.append(step.position.candidates[cell])
        else:
            shown.append(None if marks == full else marks)
    return shown


def describe_rule(rule: Rule, geometry: Geometry) -> dict[str, Any]:
    """Return what the page shows of a rule: its names, its cells, and the form that changes it."""
    cells = dict.fromkeys([cell for _, line in rule.lists() for cell in line])
    return {
        "kind": rule.kind,
        "name": short_name(rule, geometry),
        "text": rule.sentence(geometry),
        "cells": list(cells),
        "outside": isinstance(rule, OutsideClue),
        "form": make_form(find(rule.name_or_path), rule),
    }


def describe_cells(svg: Svg, board: Board, wrong: Collection[int], pencil: Mapping[int, str]) -> list[str]:
    """Describe each cell for screen readers: ``r1c1, clue 5, in killer 12, r1c1 r1c2``."""
    geometry = board.geometry
    rules_of: dict[int, list[str]] = {}
    for rule in board.rules:
        scope = rule.scope(geometry)
        if len(scope) < geometry.cell_count and not isinstance(rule, OutsideClue):
            for cell in scope:
                rules_of.setdefault(cell, []).append(short_name(rule, geometry).partition(",")[0])
    labels: list[str] = []
    for cell, content in enumerate(svg.cells):
        symbols = " ".join([geometry.symbol_text(symbol) for symbol in content.symbols])
        if content.kind == "blank":
            what = pencil.get(cell, "empty")
        elif not symbols:
            what = "no candidate left"
        else:
            what = f"{_NAMES.get(content.kind, content.kind)} {symbols}"
        if cell in wrong:
            what += ", wrong"
        if cell in rules_of:
            what += f", in {', '.join(rules_of[cell])}"
        labels.append(f"{geometry.cell_name(cell)}, {what}")
    return labels
