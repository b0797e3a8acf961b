"""The page of a puzzle: its picture, the verdict in a word and in a sentence, and what the buttons need."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock
from typing import Any, Literal, TypeAlias, get_args

import anywidget
import traitlets

from gridproof.explanations import Explanation
from gridproof.formats import Puzzle
from gridproof.pictures.document import Svg
from gridproof.pictures.svg import board_svg
from gridproof.puzzle.board import Board
from gridproof.rules import find
from gridproof.solving import Step
from gridproof.trust.answer import Status
from gridproof.trust.check import is_solution
from gridproof.trust.verdict import Verdict
from gridproof.widget.editing import Editor
from gridproof.widget.palette import palette, rule_form

_QUIET = (
    "<style>.jp-OutputArea-child:has(+.jp-OutputArea-child .gp-still) .jupyter-widgets:not(:has(.gp-widget))"
    "{display:none}</style>"
)
"""Without the widget's model JupyterLab writes an error in its place, which this hides."""

Mode: TypeAlias = Literal["set", "solve", "teach"]

_TONES = {Status.UNIQUE: "good", Status.MULTIPLE: "warn", Status.NONE: "bad", Status.DISAGREEMENT: "bad"}
_NAMES = {"clue": "clue", "filled": "entry", "marks": "candidates"}


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings about a board without its entries; see ``Analyst``.

    path: the steps of the lesson. looked: whether nothing more is to be found about the verdict.
    """

    verdict: Verdict | None = None
    solutions: int = 0
    complete: bool = False
    candidates: tuple[int, ...] | None = None
    explanation: Explanation | None = None
    path: tuple[Step, ...] = ()
    looked: bool = False


class Screen(anywidget.AnyWidget):
    """A puzzle on a page. The page has the selection and the forms; all else that it shows is ``page``.

    pencil: whether typing makes candidates or pencil marks. place: the number of the step of the lesson.
    """

    _esm = Path(__file__).with_name("board.js")
    _css = Path(__file__).with_name("board.css")

    board: Any = traitlets.Instance(Board)
    mode: Any = traitlets.Enum(get_args(Mode), "set").tag(sync=True)
    show: Any = traitlets.Enum(("nothing", "candidates", "solution"), "nothing").tag(sync=True)
    check = traitlets.Bool(False).tag(sync=True)
    pencil = traitlets.Bool(False).tag(sync=True)
    place = traitlets.Int(0, min=0).tag(sync=True)
    page: Any = traitlets.Dict({}).tag(sync=True)
    palette: Any = traitlets.List([]).tag(sync=True)

    _findings = Findings()
    _hint: Step | None = None
    _level = 1  # how much of a step is shown, from 1 to 3
    _remark = ""
    _task: Any = None
    _still: Any = None

    def __init__(self, puzzle: Puzzle, **options: Any) -> None:
        self._editor, self._lock = Editor(puzzle), RLock()  # of the board and what was found about it
        super().__init__(board=self._editor.board, palette=palette(), **options)

    @property
    def puzzle(self) -> Puzzle:
        """The board with title, author, prose and the solver's pencil marks."""
        return self._editor.puzzle

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
    def sentence(self) -> str:
        """The sentence on the screen."""
        return str(self.page["sentence"])

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
        board, step, found = self._given, self._step, self._findings
        if self.mode == "solve":
            if step and self._level == 3:
                return step.picture(candidates=self._beside(step), **options)
            board = self.puzzle.position
            options |= {"wrong": self._wrong(), "highlight": step.cells_of_hint(self._level) if step else ()}
        elif step:
            return step.rebase(found.path[: self.place]).picture(self._level, **options)
        elif self.mode == "set":
            options |= found.explanation.marked() if found.explanation else {}
            if self.show == "candidates":
                options["candidates"] = found.candidates
            elif self.show == "solution" and found.verdict is not None:
                board, more = found.verdict.view()
                options |= more
        return board_svg(board, **options)

    def _beside(self, step: Step) -> list[int | None]:
        """Return the candidates in the cells of a step, in the others the pencil marks of the solver."""
        cells = {*step.cells, *(cell for cell, _ in (*step.placed, *step.removed))}
        own, full = self.puzzle.position.marks or (), (1 << self.board.geometry.order) - 1
        masks = zip(step.position.candidates, own, strict=True)
        return [mask if c in cells else mark if mark != full else None for c, (mask, mark) in enumerate(masks)]

    def _labels(self, svg: Svg) -> list[str]:
        """Describe each cell for screen readers: ``r1c1, clue 5``."""
        geometry, wrong, labels = self.board.geometry, self._wrong(), []
        for cell, content in enumerate(svg.cells):
            symbols = " ".join(map(geometry.symbol_text, content.symbols))
            what = f"{_NAMES.get(content.kind, content.kind)} {symbols}" if symbols else "no candidate left"
            what = "empty" if content.kind == "blank" else what
            labels.append(f"{geometry.cell_name(cell)}, {what}{', wrong' if cell in wrong else ''}")
        return labels

    # ---- the verdict ---------------------------------------------------------------------------------------------

    def _badge(self) -> tuple[str, str]:
        """Return the state in a word with a number, and its tone: good, bad, warn or plain."""
        found, board = self._findings, self.board
        if self.mode == "teach":
            number = len(found.path)
            return (f"step {min(self.place + 1, number)} of {number}" if number else "no steps"), "plain"
        if self.mode == "solve":
            if self._solved:
                return "solved", "good"
            clashing, differing, _ = self._mistakes()
            if clashing or differing:
                return (f"{len(clashing)} clash" if clashing else f"{len(differing)} wrong"), "bad"
            return f"{sum(map(bool, board.filled))} of {board.clues.count(0)}", "plain"
        if found.verdict is None:
            return ("not checked" if found.looked or not self._task else "checking"), "plain"
        status = found.verdict.status
        word = "several" if status is Status.MULTIPLE else str(status)
        if word == "several" and (found.solutions > 2 or found.complete):
            word += f": {found.solutions:,}{'' if found.complete else '+'}"
        return word, _TONES.get(status, "plain")

    def _sentence(self) -> str:
        """Return the state in a sentence, or in one for each part."""
        found, verdict = self._findings, self._findings.verdict
        lines = [] if verdict is None else [verdict.sentence()]
        if self._remark:
            lines = [self._remark]
        elif step := self._step:
            lines = [step.hint(self._level)]
        elif self.mode == "set":
            lines = found.explanation.sentences() if found.explanation else lines
        elif self._solved:
            lines = ["every cell is right"]
        else:
            clashing, differing, broken = self._mistakes()
            for cells, what in ((differing, "differ from the solution"), (clashing, "clash")):
                if cells:
                    names = " ".join(map(self.board.geometry.cell_name, sorted(cells)))
                    broken.insert(0, f"entries that {what}: {names}")
            if self.check and not broken:
                broken = ["no entry is wrong" if found.complete and found.solutions == 1 else "no entries clash"]
            lines = [*broken, *(lines if found.solutions != 1 else ())]
        return "\n".join(f"{line[0].upper()}{line[1:].rstrip('.')}." for line in lines)

    @property
    def _entered(self) -> tuple[int, ...]:
        return tuple(map(max, self.board.clues, self.board.filled or self.board.clues))

    @property
    def _solved(self) -> bool:
        return bool(self.board.filled) and is_solution(self._given, self._entered)

    def _wrong(self) -> Collection[int]:
        clashing, differing, _ = self._mistakes()
        return clashing | differing

    def _mistakes(self) -> tuple[set[int], set[int], list[str]]:
        """Return the entries that are twice in a house, others that differ from the only solution, broken rules.

        There are none where wrong entries are not shown.
        """
        if self.mode != "solve" or not self.check:
            return set(), set(), []
        verdict, entries = self._findings.verdict, {cell for cell, entry in enumerate(self.board.filled) if entry}
        found = replace(self._given, clues=self._entered).contradictions()
        clashing = {cell for one in found if one.kind == "clash" for cell in one.cells} & entries
        only = verdict.solutions[0] if verdict is not None and verdict.is_unique else self._entered
        differing = {cell for cell in entries - clashing if self.board.filled[cell] != only[cell]}
        return clashing, differing, [one.message for one in found if one.kind == "rule"]

    # ---- the page ------------------------------------------------------------------------------------------------

    def _draw(self, **changes: Any) -> None:
        """Change attributes, and draw the page."""
        for name, value in changes.items():
            setattr(self, name, value)
        svg, geometry, puzzle = self.picture(), self.board.geometry, self.puzzle
        rules = [
            {
                "text": rule.sentence(geometry),
                "cells": [*dict.fromkeys(cell for _, cells in rule.lists() for cell in cells)],
                "form": rule_form(find(rule.name_or_path), rule),
            }
            for rule in self.board.rules
        ]
        self.page = {
            "key": self.model_id,
            "svg": str(svg),
            "frame": [*svg.frame, *svg.size],
            "order": geometry.order,
            "symbols": [geometry.symbol_text(symbol) for symbol in range(1, geometry.order + 1)],
            "labels": self._labels(svg),
            "about": [puzzle.title, puzzle.author, puzzle.prose],
            "badge": self._badge(),
            "sentence": self._sentence(),
            "busy": self._task is not None,
            "undo": self._editor.can_undo,
            "redo": self._editor.can_redo,
            "level": self._level if self._step else 0,
            "last": max(0, len(self._findings.path) - 1),
            "rules": rules,
        }
        if self._still is not None and self._task is None:
            self._still.update(self._still_picture(svg), raw=True)

    def _still_picture(self, svg: Svg) -> dict[str, str]:
        """Return the picture as an output of its own, which a widget on the page hides."""
        html = f'<div class="gp-still gp-still-{self.model_id}">{_QUIET}{svg.html}</div>'
        return {"text/plain": repr(svg), "text/html": html}

    def _ipython_display_(self, **_: Any) -> None:
        """Show the widget, and a picture that stands in its place where no widget is, as in a saved notebook."""
        from IPython import display as notebook

        display: Any = notebook.display
        bundle = self._repr_mimebundle_()
        assert bundle is not None
        display(bundle[0], metadata=bundle[1], raw=True)
        self._still = display(self._still_picture(self.picture()), raw=True, display_id=True)
