"""Steps on a board with a slider: HTML that needs no server and no kernel.

A notebook keeps it as it is. Where no script may run, a table of the first steps in words stands in its place.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.pictures.changes import pack_pictures
from gridproof.pictures.colours import ALARM, FILLED, HIGHLIGHT, declared
from gridproof.pictures.document import FONTS, Svg, html_page, save_text, xml_text
from gridproof.pictures.svg import board_svg
from gridproof.puzzle.board import Board

MOST_STEPS = 1000
"""Default number of steps that are kept: about 100 kB in a notebook."""

_IN_WORDS = 12
"""Number of steps in the table that stands there where no script runs."""

_SCRIPT = Path(__file__).with_name("steps.js")
_STYLE = (
    ".gp-steps{margin:4px}.gp-steps input[type=range]{width:min(32em,90%);vertical-align:middle}"
    ".gp-steps output{display:block;min-height:2.8em;margin:.4em 0}"
    f".gp-steps .gp-forced{{{declared('fill', FILLED)}}}.gp-steps .gp-chosen{{{declared('fill', HIGHLIGHT)}}}"
    f".gp-steps .gp-dead{{fill:none;{declared('stroke', ALARM)}}}"
)


@dataclass(frozen=True, slots=True)
class Slide:
    """A step as it is shown.

    text: the step in words. after: the number of the step from whose position it goes on, -1 for the board as given.
    chosen, forced: what is put into cells, as (cell, symbol): by choice, and as its consequence. marked: cells to look
    at, such as those of a dead end. picture: drawn in place of the board, if there is one.
    """

    text: str
    after: int = -1
    chosen: tuple[int, int] | None = None
    forced: tuple[tuple[int, int], ...] = ()
    marked: tuple[int, ...] = ()
    picture: Svg | None = None


@dataclass(frozen=True, repr=False)
class Steps:
    """Steps on a board, in order; a notebook shows them with a slider, above the picture of the whole.

    Attributes
    ----------
    board : Board
        The board before the first step.
    title : str
        A heading.
    steps : tuple of Slide
        The steps, at least one.
    picture : Svg or None
        The whole in one picture.
    """

    board: Board
    title: str
    steps: tuple[Slide, ...]
    picture: Svg | None = None

    def __post_init__(self) -> None:
        if not self.steps:
            raise InputError("no step; expected at least one")

    def __len__(self) -> int:
        return len(self.steps)

    def position(self, number: int) -> Board:
        """Return the board after a step (from 0), filled; of two symbols put into one cell the last counts.

        Raises ``InputError`` for a step that is not there.
        """
        if not 0 <= number < len(self.steps):
            raise InputError(f"step {number}; expected 0 to {len(self.steps) - 1}")
        filled = [0] * len(self.board.clues)
        path = []
        while number >= 0:
            path.append(self.steps[number])
            number = path[-1].after
        for step in reversed(path):
            if step.chosen:
                cell, symbol = step.chosen
                filled[cell] = symbol
            for cell, symbol in step.forced:
                filled[cell] = symbol
        return self.board.with_filled(filled)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write a page (UTF-8) with the slider and return its path. Raises ``OSError`` where that fails."""
        return save_text(path, html_page(self.title, "", self._repr_html_()))

    def __repr__(self) -> str:
        return f"<Steps: {len(self.steps):,}; {self.title}>"

    def _repr_html_(self) -> str:
        geometry = self.board.geometry
        board = board_svg(self.board)
        content: dict[str, Any] = {
            "columns": geometry.columns,
            "board": board,
            "frame": board.frame,
            "symbols": [""] + [geometry.symbol_text(symbol) for symbol in geometry.symbols],
            "clues": [cell for cell, clue in enumerate(self.board.clues) if clue],
            "fonts": FONTS,
            "steps": [(step.text, step.after, step.chosen, step.forced, step.marked) for step in self.steps],
        }
        pictures = [step.picture for step in self.steps if step.picture]
        if len(pictures) == len(self.steps):
            content["pictures"] = pack_pictures(pictures)
        rows = []  # of the table that stands there where no script runs: the first steps, and how many follow
        for number, step in enumerate(self.steps[:_IN_WORDS]):
            rows.append(
                f'<tr><td align="right" valign="top">{number}</td><td align="left" style="text-align:left">'
                f"{xml_text(step.text)}</td></tr>"
            )
        more = len(self.steps) - _IN_WORDS
        if more > 0:
            rows.append(f'<tr><td></td><td align="left">and {more:,} more</td></tr>')
        words = "".join(rows)
        whole = self.picture.html if self.picture else ""
        data = quote_once(json.dumps(content, separators=(",", ":"), ensure_ascii=False))
        return (
            f"<div class='gp-steps' data-steps='{data}'>"
            f"<style>{_STYLE}</style><b>{xml_text(self.title)}</b>"
            f'<div class="gp-live" hidden></div><div class="gp-board">{board.html}</div>'
            f'<table class="gp-words">{words}</table><div class="gp-whole">{whole}</div>'
            f"<script>{_SCRIPT.read_text(encoding='utf-8')}</script></div>"
        )


def quote_once(text: str) -> str:
    """Return a text for an attribute in single quotes, in which the many double quotes of JSON stay as they are."""
    return text.replace("&", "&amp;").replace("'", "&#39;").replace("<", "&lt;").replace(">", "&gt;")
