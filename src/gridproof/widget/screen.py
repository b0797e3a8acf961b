"""The page of a puzzle: its picture, the verdict in a word and in a sentence, the buttons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from gridproof.explanations.steps import Step
from gridproof.formats import Puzzle
from gridproof.pictures.cells import picture
from gridproof.pictures.document import Svg
from gridproof.pictures.svg import board_svg
from gridproof.puzzle.board import Board
from gridproof.rules.rule import Words
from gridproof.trust.answer import Status
from gridproof.trust.check import is_solution
from gridproof.widget.analysis import Finding

Mode: TypeAlias = Literal["set", "solve", "teach"]
Show: TypeAlias = Literal["nothing", "candidates", "solution"]

MODES = ("set", "solve", "teach")
SHOWN = ("nothing", "candidates", "solution")

_MODES = (("set", "Set"), ("solve", "Solve"), ("teach", "Teach"))
_SHOWN = (("nothing", "Clues only"), ("candidates", "True candidates"), ("solution", "Solution"))
_TYPING = {"set": (("clue", "Clues"), ("mark", "Candidates")), "solve": (("entry", "Digits"), ("note", "Pencil marks"))}
_LEVELS = (("1", "Where"), ("2", "Facts"), ("3", "Whole step"))
_WORDS = {Status.UNIQUE: ("unique", "good"), Status.NONE: ("none", "bad"), Status.DISAGREEMENT: ("disagreement", "bad")}


@dataclass(frozen=True, slots=True)
class Screen:
    """All that decides what is shown.

    finding: on the puzzle without what its solver entered. show: what a setter sees of the solutions. pencil: whether
    typing makes candidates or pencil marks. check: whether wrong entries are shown. step, level: the hint on the screen
    and how much of it is told, from 1 to 3. path: the steps of a lesson; place: which of them, ``begin``: the level at
    which each begins. form: the form that is open.
    """

    puzzle: Puzzle
    finding: Finding
    mode: Mode = "set"
    show: Show = "nothing"
    pencil: bool = False
    check: bool = False
    step: Step | None = None
    level: int = 0
    path: tuple[Step, ...] = ()
    place: int = 0
    begin: int = 1
    form: dict[str, Any] | None = None
    chosen: int | None = None
    undone: tuple[bool, bool] = (False, False)

    @property
    def typing(self) -> str:
        """The use of a typed symbol; see ``editing.Typing``."""
        return _TYPING["set" if self.mode == "set" else "solve"][self.pencil][0]

    @property
    def shown_step(self) -> Step | None:
        """The hint, or the step of the lesson."""
        if self.mode == "teach":
            return self.path[self.place] if self.path else None
        return self.step if self.mode == "solve" else None

    # ---- the picture ---------------------------------------------------------------------------------------------

    def picture(self, **options: Any) -> tuple[Svg, list[str]]:
        """Return the picture, and each cell in words. options: of ``board_svg``, such as ``theme``."""
        board, step = self.puzzle.board, self.shown_step
        if step and (self.level == 3 or self.mode == "teach"):
            drawn = step.position.board.with_filled(step.position.entries)
            masks = step.position.candidates if self.mode == "teach" else self._beside(step)
            return step.picture(self.level, candidates=masks, **options), labels(drawn, masks)
        if self.mode == "set":
            return self._set(replace(board, filled=()), options)
        if self.mode == "teach":
            board = replace(board, filled=())
            return board_svg(board, **options), labels(board)
        clashing, differing, _ = self._mistakes()
        board, wrong = self.puzzle.position, clashing | differing if self.check else ()
        marked = step.marked(self.level) if step else ()
        return board_svg(board, highlight=marked, wrong=wrong, **options), labels(board, wrong=wrong)

    def _beside(self, step: Step) -> list[int | None]:
        """Return the candidates in the cells of a step, in the others the pencil marks of the solver."""
        cells = {*step.cells, *(cell for cell, _ in (*step.placed, *step.removed))}
        own, full = self.puzzle.position.marks, (1 << self.puzzle.board.geometry.order) - 1
        masks = step.position.candidates
        return [mask if c in cells else own[c] if own and own[c] != full else None for c, mask in enumerate(masks)]

    def _set(self, board: Board, options: dict[str, Any]) -> tuple[Svg, list[str]]:
        finding, masks = self.finding, None
        if finding.explanation:
            options |= finding.explanation.marked()
        if self.show == "candidates":
            masks, options["pale"] = _with_marks(board, finding)
        elif self.show == "solution" and finding.verdict is not None:
            board, more = finding.verdict.view()
            options |= more
        return board_svg(board, candidates=masks, **options), labels(board, masks)

    # ---- the verdict ---------------------------------------------------------------------------------------------

    @property
    def badge(self) -> tuple[str, str]:
        """The state in a word with a number, and its tone: good, bad, warn or plain."""
        if self.mode == "teach":
            return (f"step {self.place + 1} of {len(self.path)}" if self.path else "no steps", "plain")
        return self._progress() if self.mode == "solve" else self._verdict()

    def _verdict(self) -> tuple[str, str]:
        finding = self.finding
        if finding.verdict is None:
            return ("checking", "plain") if not finding.done else ("not checked", "plain")
        if finding.verdict.status is Status.MULTIPLE:
            number = f": {finding.solutions:,}{'' if finding.complete else '+'}"
            return f"several{number if finding.solutions > 2 or finding.complete else ''}", "warn"
        return _WORDS.get(finding.verdict.status, (str(finding.verdict.status), "plain"))

    def _progress(self) -> tuple[str, str]:
        board, (clashing, differing, _) = self.puzzle.board, self._mistakes()
        if self.solved:
            return "solved", "good"
        if self.check and (clashing or differing):
            return (f"{len(clashing)} clash" if clashing else f"{len(differing)} wrong"), "bad"
        return f"{sum(map(bool, board.filled))} of {board.clues.count(0)}", "plain"

    @property
    def sentence(self) -> str:
        """The state in a sentence, or in one for each part."""
        if step := self.shown_step:
            return _capital(step.hint(self.level))
        if self.mode != "solve":
            return self.finding.sentence() if self.mode == "set" else self.finding.problem
        if self.solved:
            return "Every cell is right."
        verdict, parts = self.finding.verdict, []
        if self.check:
            clashing, differing, broken = self._mistakes()
            parts = [_entries(self.puzzle.board, clashing, "entry clashes|entries clash")]
            differ = "entry differs from the solution|entries differ from the solution"
            parts = [*filter(None, [*parts, _entries(self.puzzle.board, differing, differ), *map(_capital, broken)])]
            parts = parts or ["No entries clash." if verdict is None else "No entry is wrong."]
        if verdict is not None and verdict.status is not Status.UNIQUE:
            parts.append(verdict.sentence())
        return "\n".join(parts)

    @property
    def solved(self) -> bool:
        """True if clues and entries are a solution."""
        board = self.puzzle.board
        return bool(board.filled) and is_solution(replace(board, filled=()), self._entered)

    @property
    def _entered(self) -> tuple[int, ...]:
        board = self.puzzle.board
        return tuple(map(max, board.clues, board.filled or board.clues))

    def _mistakes(self) -> tuple[set[int], set[int], list[str]]:
        """Return the entries that are twice in a house, others that differ from the only solution, broken rules."""
        board, verdict = self.puzzle.board, self.finding.verdict
        entries = {cell: entry for cell, entry in enumerate(board.filled) if entry}
        found = replace(board, clues=self._entered, filled=()).contradictions()
        clashing = {cell for one in found if one.kind == "clash" for cell in one.cells} & entries.keys()
        only = verdict.solutions[0] if verdict is not None and verdict.status is Status.UNIQUE else None
        differing = {cell for cell, entry in entries.items() if only and entry != only[cell]}
        return clashing, differing - clashing, [one.message for one in found if one.kind == "rule"]

    # ---- the page ------------------------------------------------------------------------------------------------

    def page(self) -> dict[str, Any]:
        """Return all that the page draws."""
        svg, words = self.picture()
        geometry = self.puzzle.board.geometry
        heading = " by ".join(filter(None, (self.puzzle.title.strip(), self.puzzle.author.strip())))
        return {
            "svg": str(svg),
            "frame": [*svg.frame, *svg.size],
            "order": geometry.order,
            "symbols": [geometry.symbol_text(symbol) for symbol in range(1, geometry.order + 1)],
            "labels": words,
            "heading": heading,
            "badge": self.badge,
            "parts": [_row("mode", "what the board is for", _MODES, self.mode), *self._parts()],
            "form": self.form if self.mode == "set" else None,
        }

    def _parts(self) -> list[dict[str, Any]]:
        undo, redo = self.undone
        history = [("undo", "Undo", not undo), ("redo", "Redo", not redo)]
        if self.mode == "teach":
            last = len(self.path) - 1
            ways = [
                ("back", "\u25c0 Back", not self.place and self.level == self.begin),
                ("forward", "Forward \u25b6", self.place >= last and self.level == 3),
            ]
            slider = {"part": "slider", "name": "step", "label": "step", "most": max(last, 0), "value": self.place}
            levels = _row("begin", "Begin each step with", _LEVELS, str(self.begin))
            return [slider, _bar("do", "steps", ways), levels, _COPIES]
        symbols = map(self.puzzle.board.geometry.symbol_text, range(1, self.puzzle.board.geometry.order + 1))
        pad = _bar("pad", "digits", [*((str(n), text) for n, text in enumerate(symbols, 1)), ("0", "\u232b")])
        typing = _row("typing", "what typing makes", _TYPING[self.mode], self.typing)
        below = [typing | {"below": True}, pad | {"below": True}]
        if self.mode == "solve":
            hint = f"Hint {min(3, self.level + 1)} of 3" if self.step else "Hint"
            begun = bool(self.puzzle.board.filled or self.puzzle.notes)
            acts = [("next", hint, self.level == 3), ("apply", "Take the step", not self.step), *history]
            acts += [("clear", "Start again", not begun)]
            check = {**_bar("check", "entries", [("check", "Show wrong entries")]), "pressed": self.check}
            return [*below, _bar("do", "solving", acts), check, _COPIES]
        geometry = self.puzzle.board.geometry
        rules = [
            {"text": rule.sentence(geometry), "cells": [*dict.fromkeys(c for _, cells in rule.lists() for c in cells)]}
            for rule in self.puzzle.board.rules
        ]
        tools = [("why", "Why"), *history, ("clear", "Clear"), ("new", "New ..."), ("about", "Title ...")]
        return [
            _row("show", "what is shown of the solutions", _SHOWN, self.show),
            *(*below, _bar("do", "setting", tools)),
            {"part": "kinds", "name": "kind", "label": "kinds of rules", "value": (self.form or {}).get("kind")},
            {"part": "rules", "name": "rule", "label": "rules of the puzzle", "rules": rules, "value": self.chosen},
            _COPIES,
        ]


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _entries(board: Board, cells: set[int], words: str) -> str:
    """Return how many cells there are and which, in words for one and for several; empty for none."""
    number = Words(len(cells))
    number.several = len(cells) != 1
    return f"{number:{words}}: {' '.join(map(board.geometry.cell_name, sorted(cells)))}." if cells else ""


def _row(name: str, label: str, choices: Sequence[tuple[str, str]], value: str) -> dict[str, Any]:
    """Return buttons of which one is chosen."""
    return {"part": "choice", "name": name, "label": label, "choices": choices, "value": value}


def _bar(name: str, label: str, choices: Sequence[tuple[Any, ...]]) -> dict[str, Any]:
    """Return buttons, each with its name, its text and whether it is disabled."""
    return {"part": "buttons", "name": name, "label": label, "choices": choices}


_COPIES = _bar("copy", "Copy", [("link", "Link"), ("text", "Text"), ("toml", "TOML"), ("svg", "SVG"), ("png", "PNG")])


def _with_marks(board: Board, finding: Finding) -> tuple[list[int] | None, set[tuple[int, int]]]:
    """Return the candidates to be drawn, and which of them are pale: given candidates that no solution has.

    Cells with given candidates show these, the others the true candidates.
    """
    if finding.candidates is None:
        return None, set()
    n = board.geometry.order
    masks, pale = list(finding.candidates), set[tuple[int, int]]()
    for cell, mask in enumerate(board.marks or ()):
        if mask != (1 << n) - 1:
            pale |= {(cell, symbol) for symbol in range(1, n + 1) if (mask & ~masks[cell]) >> (symbol - 1) & 1}
            masks[cell] = mask
    return masks, pale


def labels(
    board: Board, candidates: Sequence[int | None] | None = None, wrong: Sequence[int] | set[int] = ()
) -> list[str]:
    """Describe each cell for screen readers: ``r1c1, clue 5``."""
    geometry = board.geometry
    names = {"clue": "clue", "filled": "entry", "marks": "candidates"}
    words = []
    for cell, content in enumerate(picture(board, (), (), candidates, None, free_is_blank=True).cells):
        symbols = " ".join(map(geometry.symbol_text, content.symbols))
        what = f"{names[content.kind]} {symbols}" if symbols else "no candidate left"
        what = "empty" if content.kind == "blank" else what
        words.append(f"{geometry.cell_name(cell)}, {what}{', wrong' if cell in wrong else ''}")
    return words
