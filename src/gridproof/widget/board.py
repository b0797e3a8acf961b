"""The widget with what a program can do with it, and what its page sends. It needs anywidget."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from gridproof.errors import BackendUnavailable, GridproofError, InputError, Interrupted
from gridproof.formats import PuzzleLike, read_puzzle
from gridproof.formats.catalog import all_formats
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import all_kinds
from gridproof.rules.cells import read_cells
from gridproof.widget.analysis import Analyst, Question, Task
from gridproof.widget.editing import LARGEST_ORDER, Typing
from gridproof.widget.findings import Findings

try:
    import traitlets

    from gridproof.widget.screen import Mode, Screen
except ImportError:
    raise BackendUnavailable("the widget needs anywidget; pip install 'gridproof[widget]'") from None

_ACTS = ("undo", "redo", "clear", "clear_rules", "why", "next", "apply", "back", "forward")
_LONGEST_PASTED = 100_000


class BoardWidget(Screen):
    """A board to set puzzles on, to solve and to teach with.

    In the mode *set* digits are clues or candidates of the puzzle, and rules come from a palette; a word is the live
    verdict, and true candidates or the solution are shown only if wanted. In the mode *solve* digits are entries and
    pencil marks, which are the solver's own; wrong ones can be shown, and *Hint* gives the next step in three levels.
    In the mode *teach* the way to the solution is shown step by step. Another process finds all that is shown.

    Nobody reads the rules in words of a puzzle. They stand below the board, and the state is "not all rules read" in
    place of a verdict, unless a stored solution is the only one, or the setter states in the form *Title ...* that
    the rules on the board are all that the words state.

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
        The verdict on the board without its entries; ``None`` until it is found.
    solutions : int
        How many solutions were counted; ``complete`` is true if these are all.
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
        if puzzle is None:
            puzzle = Board.empty(Geometry.classic(3))
        self._live = live
        self._analyst = Analyst(self._on_finding)
        super().__init__(read_puzzle(puzzle, despite_unread=False), mode=mode, **options)
        self._refresh()
        self.observe(self._on_board, "board")
        self.observe(self._on_switch, ["mode", "show", "check", "pencil", "place"])
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
            if isinstance(cell, str):
                numbers += read_cells(cell, self.board.geometry)
            else:
                numbers.append(cell)
        self._editor.enter(numbers, symbol, typing)
        self._update()

    def undo(self) -> None:
        """Go back one step."""
        self._editor.undo()
        self._update()

    def redo(self) -> None:
        """Go forward again."""
        self._editor.redo()
        self._update()

    def clear(self) -> None:
        """Take away clues and candidates; in the mode *solve* entries and pencil marks instead."""
        self._editor.clear(setter=self.mode == "set")
        self._update()

    def clear_rules(self) -> None:
        """Take away all rules; houses and clues stay."""
        self._editor.clear_rules()
        self._update()

    def paste(self, text: str) -> None:
        """Take over the puzzle of a text or link, with title and author. Raises ``InputError`` if it is none."""
        self._editor.paste(text)
        self._update()

    def wait(self, seconds: float = 60.0) -> None:
        """Wait until the analysis of the board is done.

        Raises
        ------
        Interrupted
            It took longer.
        """
        until = time.monotonic() + seconds
        while self._task is not None:
            if time.monotonic() > until:
                raise Interrupted("seconds", seconds)
            time.sleep(0.01)

    def why(self) -> None:
        """Explain why there is no solution, or several, or which clues can be left out."""
        self._refresh("why")

    def next(self) -> None:
        """Show the next step in the mode *solve*: at first the place, then the facts, at last all of it."""
        self.mode = "solve"
        if self._hint is None:
            self._refresh("next")
        else:
            self._draw(_level=min(3, self._level + 1))

    def apply(self) -> None:
        """Take the next step, if it was found."""
        if self._hint is not None:
            after = self._hint.apply()
            self._editor.show(replace(self.puzzle, board=replace(self.board, filled=after.filled), notes=after.marks))
            self._update()

    def forward(self) -> None:
        """Show more of the step of the lesson, or go on to the next one."""
        self._go(1)

    def back(self) -> None:
        """Show less of the step of the lesson, or go back to the one before."""
        self._go(-1)

    def _go(self, by: int) -> None:
        levels_so_far = 3 * self.place + self._level - 1
        place, level = divmod(levels_so_far + by, 3)
        if 0 <= place < len(self._findings.path):
            self._level = level + 1
            self.place = place
            self._draw()

    def text(self, what: str = "text") -> str:
        """Return the puzzle as ``text``, ``toml``, ``link`` (for f-puzzles and SudokuPad) or ``svg``.

        Links and TOML keep title, author and prose. The link of a puzzle that was found to be unique, without rules in
        words that nobody has read, has its solution, by which SudokuPad can confirm that a solver is right.

        Raises
        ------
        InputError
            For what the format cannot hold.
        """
        if what == "svg":
            return str(self.picture(theme="light"))
        plain = "toml" if self.board.rules or self.board.marks else "text"
        formats = {"text": plain, "toml": "toml", "link": "f-puzzles"}
        if what not in formats:
            raise InputError(f"the puzzle as {what!r}; expected text, toml, link or svg")
        puzzle = replace(self.puzzle, board=self._given, notes=None)
        if what == "link" and self.verdict is not None and self.verdict.is_unique and not self._is_in_part:
            puzzle = replace(puzzle, solution=self.verdict.solution)
        return all_formats()[formats[what]].text_of(puzzle)

    def close(self) -> None:
        """Take the widget off the page and end its process."""
        self._analyst.close()
        super().close()

    def __repr__(self) -> str:
        return f"<BoardWidget: {self.board.geometry.description}, {self.board.clue_count} clues>"

    # ---- what changes, and what is then to be found --------------------------------------------------------------

    def _update(self) -> None:
        """Take over the puzzle of the editor."""
        if self.board == self._editor.board:
            self._on_board(None)  # pencil marks or the title
        else:
            self.board = self._editor.board

    @traitlets.validate("board")
    def _checked(self, proposal: dict[str, Any]) -> Board:
        self._editor.show_board(proposal["value"])
        return self._editor.board

    def _on_board(self, change: Any) -> None:
        with self._lock:
            self._task = None
            self._hint = None
            self._remark = ""
            if change and replace(change["old"], filled=()) != self._given:
                self._findings = Findings()
                self.place = 0
            self._refresh()

    def _on_switch(self, change: Any) -> None:
        self._remark = ""
        if change["name"] == "mode":
            self._hint = None
            self._level = 1
            self.pencil = False
        self._refresh()

    def _refresh(self, question: Question | None = None, *, done: bool = False) -> None:
        """Draw the page, and begin with a question, or else with what was not yet found.

        A question interrupts a look, which begins again after it. done: whether the task has ended.
        """
        running = None if done or self._task is None else self._task[0]
        findings = self._findings
        if question:
            self._remark = ""
        elif self.mode == "teach":
            question = None if findings.path or running == "path" or done else "path"
        elif self._live and not findings.looked and running in (None, "path"):
            question = "look"
        if question is None:
            if not running:
                self._task = None
            self._draw()
            return
        if running == "path":
            self._findings = replace(findings, path=())
        puzzle = self.puzzle
        if question != "next":  # neither entries nor pencil marks of the solver
            unmarked = ((1 << self.board.geometry.order) - 1,) * len(self.board.clues)
            puzzle = replace(puzzle, board=self._given, notes=unmarked)
        task: Task = (question, puzzle)
        self._task = task
        self._draw()
        self._analyst.begin(task)

    def _on_finding(self, task: Task, found: dict[str, Any]) -> None:
        """Take over a finding, in the analyst's thread."""
        question = task[0]
        step = found.get("step")
        done = "done" in found
        with self._lock:
            if task is not self._task:
                return
            if step and question == "next":
                self._hint = step
                self._level = 1
            elif step:
                found = {"path": self._findings.path + (step,)}
            kept = {name: value for name, value in found.items() if name in Findings.__slots__}
            if done and question == "look":
                kept["looked"] = True
            self._findings = replace(self._findings, **kept)
            if "problem" in found:
                self._remark = found["problem"]
                self._is_error = False
            if done:
                self._refresh(done=True)
            else:
                self._draw()

    # ---- what the page sends -------------------------------------------------------------------------------------

    def _on_message(self, _: object, content: dict[str, Any], __: object) -> None:
        """Do what the page sends. Nothing that comes from there is trusted."""
        try:
            act = content["act"]
            cells = [int(cell) for cell in content.get("cells", ())]
            if act in _ACTS:
                getattr(self, act)()
            elif act == "enter":
                self.enter(cells, int(content["symbol"]), content["typing"])
            elif act == "paste":
                self.paste(str(content["text"])[:_LONGEST_PASTED])
            elif act == "copy":
                what = str(content["what"])
                copied = self.text("svg") if what == "png" else self.text(what)  # the page makes a PNG of it
                self.send({"kind": "copied", "what": what, "text": copied})
            else:
                self._edit(act, content, cells)
        except GridproofError as problem:
            self._draw(_remark=str(problem), _is_error=True)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):
            self._draw(_remark="The page sent something that was not understood.", _is_error=True)
        self.send({"kind": "answered"})  # so the page can tell that there is a kernel

    def _edit(self, act: str, content: Mapping[str, Any], cells: list[int]) -> None:
        """Do what a form is for."""
        editor = self._editor
        values = content["values"]
        rules = self.board.rules
        left = 0
        if act == "add":
            editor.rule(all_kinds()[content["kind"]].kind, values, cells)  # never a file that the page names
        elif act == "change":
            number = range(len(rules))[content["rule"]]
            editor.rule(rules[number].name_or_path, values, cells, number)
        elif act == "delete":
            editor.without_rule(content["rule"])
        elif act == "about":
            puzzle = replace(
                self.puzzle, title=str(values["title"]), author=str(values["author"]), prose=str(values["prose"])
            )
            editor.show(puzzle, words_covered=bool(values["covered"]))
        elif act == "new":
            order = str(values["order"]).strip()
            if not order.isascii() or not order.isdigit():
                raise InputError(f"{order!r} symbols; expected a whole number from 1 to {LARGEST_ORDER}")
            houses = [name for name in ("diagonals", "windoku") if values.get(name)]
            editor.new(int(order), values["shape"], houses)
        else:
            left = {"paint": editor.paint}[act](cells)
        self._update()
        self.send({"kind": "accepted", "act": act, "left": left})


__all__ = ["BoardWidget"]
