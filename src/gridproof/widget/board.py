"""The widget with what a program can do with it, and what its page sends. It needs anywidget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from gridproof.errors import BackendUnavailable, GridproofError, InputError, Interrupted
from gridproof.formats import Puzzle, PuzzleLike, read_puzzle
from gridproof.formats.catalog import all_formats
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import all_kinds, find
from gridproof.rules.cells import read_cells
from gridproof.trust.answer import Status
from gridproof.widget.editing import Typing
from gridproof.widget.palette import about_form, new_form, paint_form, rule_form
from gridproof.widget.screen import Mode

try:
    from traitlets import TraitError

    from gridproof.widget.live import LivePuzzle
except ImportError:
    raise BackendUnavailable("the widget needs anywidget; pip install 'gridproof[widget]'") from None

_ACTS = ("undo", "redo", "clear", "why", "next", "apply", "back", "forward")
_LONGEST_PASTED = 100_000


class BoardWidget(LivePuzzle):
    """A board to set puzzles on, to solve and to teach with.

    In the mode *set* digits are clues or candidates of the puzzle, and rules come from a palette; a word tells the live
    verdict, and true candidates or the solution are shown only if wanted. In the mode *solve* digits are entries and
    pencil marks, which are the solver's own; wrong ones can be shown, and *Hint* tells the next step in three levels.
    In the mode *teach* the way to the solution is shown step by step. Another process finds all that is shown.

    Parameters
    ----------
    puzzle : Board, Puzzle, text, link, list or array, optional
        The first puzzle, of order 25 at most; an empty 9x9 board by default.
    mode : {"set", "solve", "teach"}
        The mode to begin with.
    live : bool
        Whether to analyse the puzzle after each step.

    Attributes
    ----------
    board : Board
        The board on the screen; it may be set.
    puzzle : Puzzle
        The board with title, author, prose and the solver's pencil marks.
    mode : str
        The mode; it may be set.
    show : {"nothing", "candidates", "solution"}
        The part of the solutions that the mode *set* shows; it may be set.
    check : bool
        Whether the mode *solve* shows wrong entries; it may be set.
    verdict : Verdict or None
        The verdict on the board without its entries; ``None`` until it is known.
    solutions : int
        How many solutions were counted; ``complete`` tells whether these are all.
    sentence : str
        The sentence on the screen.

    Raises
    ------
    BackendUnavailable
        anywidget is not installed.
    InputError
        The puzzle is none, or too large.

    Examples
    --------
    >>> widget = BoardWidget("1... ..2. .3.. ...4", live=False)
    >>> widget.enter(["r1c2"], 2)
    >>> widget.board.clues[:4]
    (1, 2, 0, 0)
    >>> widget.undo()
    >>> widget.board.clues[:4]
    (1, 0, 0, 0)
    """

    def __init__(
        self, puzzle: PuzzleLike | None = None, *, mode: Mode = "set", live: bool = True, **options: Any
    ) -> None:
        empty = Puzzle(Board.empty(Geometry.classic(3)))
        given = empty if puzzle is None else read_puzzle(puzzle, despite_unread=False)
        super().__init__(given, mode, live, **options)
        self.on_msg(self._on_message)

    # ---- what a program can do -----------------------------------------------------------------------------------

    def on_change(self, listener: Callable[[Board], object]) -> None:
        """Call the function with the board after each change."""
        self.observe(lambda change: listener(change["new"]), "board")

    def enter(self, cells: Iterable[str] | Iterable[int], symbol: int, typing: Typing = "clue") -> None:
        """Put a symbol into cells (``r1c1``, ``row3``, or numbers from 0), as typing does.

        typing: a clue or a mark (candidate) of the puzzle, an entry or a note of its solver. Raises ``InputError`` for
        what the board does not have.
        """
        numbers: list[int] = []
        for cell in cells:
            numbers += read_cells(cell, self.board.geometry) if isinstance(cell, str) else [cell]
        self._do("enter", numbers, symbol, typing)

    def undo(self) -> None:
        """Go back one step."""
        self._do("undo")

    def redo(self) -> None:
        """Go forward again."""
        self._do("redo")

    def clear(self) -> None:
        """Take away clues and candidates; in the mode *solve* entries and pencil marks instead."""
        self._editor.clear(setter=self.mode == "set")
        self._update()

    def paste(self, text: str) -> None:
        """Take over the puzzle of a text or link, with title and author. Raises ``InputError`` if it is none."""
        self._do("paste", text)

    def wait(self, seconds: float = 60.0) -> None:
        """Wait until the analysis of the board is done.

        Raises
        ------
        Interrupted
            It took longer.
        """
        if not self._done.wait(seconds):
            raise Interrupted("seconds", seconds)

    def why(self) -> None:
        """Explain why there is no solution, or several, or which clues can be left out."""
        self._ask("why")

    def next(self) -> None:
        """Show the next step in the mode *solve*: at first the place, then the facts, at last all of it."""
        self.mode = "solve"
        if self._screen.step is None:
            self._ask("next")
        else:
            self._draw(level=min(3, self._screen.level + 1))

    def apply(self) -> None:
        """Take the next step, if it is known."""
        if step := self._screen.step:
            after, before = step.applied(), self.board
            self._editor.show_board(replace(before, filled=after.filled), notes=after.marks)
            self._update()

    def forward(self) -> None:
        """Tell more of the step of the lesson, or go on to the next one."""
        self._go(1)

    def back(self) -> None:
        """Tell less of the step of the lesson, or go back to the one before."""
        self._go(-1)

    def _go(self, by: int) -> None:
        screen, levels = self._screen, 4 - self._screen.begin
        to = screen.place * levels + screen.level - screen.begin + by
        place, level = divmod(min(max(to, 0), len(screen.path) * levels - 1), levels)
        if screen.path:
            self._draw(place=place, level=screen.begin + level)

    def text(self, what: str = "text") -> str:
        """Return the puzzle as ``text``, ``toml``, ``link`` (for f-puzzles and SudokuPad) or ``svg``.

        Links and TOML keep title, author and prose. The link of a puzzle that is known to be unique has its solution,
        by which SudokuPad tells solvers that they are right. Raises ``InputError`` for what the format cannot hold.
        """
        if what == "svg":
            return str(self._screen.picture(theme="light")[0])
        plain = "toml" if self.board.rules or self.board.marks else "text"
        formats = {"text": plain, "toml": "toml", "link": "f-puzzles"}
        if what not in formats:
            raise InputError(f"the puzzle as {what!r}; expected text, toml, link or svg")
        verdict, puzzle = self.verdict, replace(self.puzzle, board=self._given, notes=None)
        if what == "link" and verdict is not None and verdict.status is Status.UNIQUE:
            puzzle = replace(puzzle, solution=tuple(verdict.solutions[0]))
        return all_formats()[formats[what]].text_of(puzzle)

    def close(self) -> None:
        """Take the widget off the page and end its process."""
        if self._analyst is not None:
            self._analyst.close()
        super().close()

    def __repr__(self) -> str:
        return f"<BoardWidget: {self.board.geometry.description}, {self.board.clue_count} clues>"

    # ---- what the page sends -------------------------------------------------------------------------------------

    def _on_message(self, _: object, content: dict[str, Any], __: object) -> None:
        """Do what the page asks for. Nothing that comes from there is trusted."""
        self._remark = ""
        try:
            kind = content.get("kind")
            cells = [int(cell) for cell in content.get("cells", ())]
            if kind == "enter" and self.mode != "teach":
                pencil = not self._screen.pencil if content.get("other") else self._screen.pencil
                typing: Any = replace(self._screen, pencil=pencil).typing
                self._do("enter", cells, int(content["symbol"]), typing)
            elif kind == "press":
                self._press(str(content["row"]), str(content["value"]), cells)
            elif kind == "submit":
                self._submit(str(content["button"]), content["values"], cells)
            elif kind == "paste":
                self.paste(str(content["text"])[:_LONGEST_PASTED])
        except GridproofError as problem:
            self._tell(str(problem))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, TraitError):
            self._tell("the page sent something that was not understood")

    def _press(self, row: str, value: str, cells: list[int]) -> None:
        """Do what a button is for."""
        if row in ("mode", "show"):
            self.set_trait(row, value)
        elif row == "check":
            self.check = not self.check
        elif row == "typing":
            self._draw(pencil=value in ("mark", "note"))
        elif row == "pad" and self.mode != "teach":
            self._do("enter", cells, int(value), self._screen.typing)
        elif row == "copy":
            text = self.text("svg" if value == "png" else value)
            self.send({"kind": "copied", "what": value, "text": text})
        elif row == "begin":
            self._draw(begin=min(3, max(1, int(value))), level=min(3, max(1, int(value))))
        elif row == "step":
            self._draw(place=range(len(self._screen.path))[int(value)], level=self._screen.begin)
        elif row == "kind":
            self._open(rule_form(all_kinds()[value]))  # never a file that the page names
        elif row == "rule":
            rule = self.board.rules[int(value)]
            self._open(rule_form(find(rule.called), rule), chosen=int(value))
        elif value == "new":
            self._open(new_form(self.board.geometry.order))
        elif value == "about":
            self._open(about_form(self.puzzle))
        elif value in _ACTS:
            getattr(self, value)()

    def _submit(self, button: str, values: Mapping[str, Any], cells: list[int]) -> None:
        """Do what a form is for."""
        editor, form, chosen = self._editor, self._screen.form or {}, self._screen.chosen
        then: dict[str, Any] | None = None
        if button in ("add", "change"):
            editor.rule(form["kind"], values, cells, chosen if button == "change" else None)
            then = rule_form(find(form["kind"])) if button == "add" else None
        elif button == "delete" and chosen is not None:
            editor.without_rule(chosen)
        elif button == "name":
            title, author, prose = (str(values[name]) for name in ("title", "author", "prose"))
            editor.show(replace(self.puzzle, title=title, author=author, prose=prose))
        elif button == "new":
            editor.new(int(values["order"]), values["shape"], [n for n in ("diagonals", "windoku") if values.get(n)])
            if values["shape"] == "jigsaw":
                then = paint_form(self._order, self._order**2)
        elif button == "paint":
            then = paint_form(self._order, editor.paint(cells))
        self._open(then)
        self._update()

    @property
    def _order(self) -> int:
        return self._editor.board.geometry.order

    def _open(self, form: dict[str, Any] | None, chosen: int | None = None) -> None:
        self._draw(form=form, chosen=chosen)


__all__ = ["BoardWidget"]
