"""The board with what is done to it, by a program or by a person, and by what is found about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from threading import RLock
from typing import Any

from gridproof.errors import InputError, NotUnderstoodError
from gridproof.formats import Puzzle
from gridproof.formats.catalog import all_formats
from gridproof.puzzle.board import Board
from gridproof.rules.cells import read_cells
from gridproof.solving.story_pictures import told_lines
from gridproof.widget.analysis import Question, Task
from gridproof.widget.editing import Typing
from gridproof.widget.entries import Entries
from gridproof.widget.findings import Findings
from gridproof.widget.screen import Screen
from gridproof.widget.state import MODES, SWITCHES, Mode

_COPIES = {"toml": "toml", "link": "f-puzzles", "sudokupad": "sudokupad-link", "iss": "iss"}
"""The formats of copies, by what the page calls them."""
_LINKS = {"SudokuPad": "sudokupad", "f-puzzles": "link", "Interactive Sudoku Solver": "iss"}
"""The links of the page to other programs, each with the copy that is the address."""


class BoardActions(Screen):
    """A board on a screen, and all that can be done with it.

    Parameters
    ----------
    puzzle : Puzzle
        The first puzzle.
    live : bool
        Whether to analyse the puzzle after each step.
    modes : sequence of str
        The modes that may be chosen.
    words_covered : bool
        Whether the words and drawings of the puzzle say nothing beyond its rules on the board.
    entries : Entries, optional
        The work of its solver, if it is more than what comes with the puzzle.
    show_changes : function
        Is called with what has changed, by name: ``board``, ``page``, ``place``, and the switches.
    send : function
        Sends a message to the page.
    begin : function
        Begins with a task, and ends every other. Each finding of it goes to ``take``, with the task.
    **switches
        Values of switches, and the ``place``, other than those to begin with.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        live: bool = True,
        modes: Iterable[Mode] = MODES,
        words_covered: bool = False,
        entries: Entries | None = None,
        show_changes: Callable[[dict[str, Any]], object],
        send: Callable[[dict[str, Any]], object],
        begin: Callable[[Task], object],
        **switches: Any,
    ) -> None:
        super().__init__(puzzle, words_covered=words_covered, entries=entries)
        self.modes = expect_modes(modes)
        if switches.get("mode", self.modes[0]) not in self.modes:
            raise InputError(f"mode = {switches['mode']!r}; expected one of the modes {', '.join(self.modes)}")
        self.mode = self.modes[0]
        self._live = live
        self._show_changes = show_changes
        self.send = send
        self._begin = begin
        self._lock = RLock()  # of the board and what was found about it
        self._analysed = self._given
        self._shown: dict[str, Any] = {"board": self.board}
        for name, value in switches.items():
            expect_switch(name, value)
            setattr(self, name, value)

    @property
    def busy(self) -> bool:
        """True while something is to be found."""
        return self._task is not None

    def begin(self) -> None:
        """Show all of it, and begin with what was not yet found: at first, and when the host shows it again."""
        with self._lock:
            self._shown = {"board": self.board}
            self._task = None
            self._refresh()

    # ---- what a person or a program does -------------------------------------------------------------------------

    def show_board(self, board: Board) -> None:
        """Continue with another board of the puzzle; ``undo`` returns to the one before."""
        if board != self.board:
            self.editor.show_board(board)
            self.update()

    def switch(self, name: str, value: Any) -> None:
        """Set a switch, or the ``place`` of the lesson. Raises ``InputError`` for a value that it does not have."""
        expect_switch(name, value)
        if name == "mode" and value not in self.modes:
            raise InputError(f"mode = {value!r}; expected {' or '.join(self.modes)}")
        with self._lock:
            if getattr(self, name) == value:
                return
            setattr(self, name, value)
            self._remark = ""
            if name == "mode":
                self._forget_hint()
            self._refresh()

    def _forget_hint(self) -> None:
        self._hint = None
        self._level = 1
        self._line = None

    def enter(self, cells: Iterable[str] | Iterable[int], symbol: int, typing: Typing = "clue") -> None:
        """Put a symbol into cells (``r1c1``, ``row3``, or numbers from 0), as typing does.

        typing: a clue or a mark (candidate) of the puzzle; an entry, a note (in the middle), a corner mark or a colour
        of its solver. Raises ``InputError`` for what the board does not have.
        """
        numbers: list[int] = []
        for cell in cells:
            if isinstance(cell, str):
                numbers += read_cells(cell, self.board.geometry)
            else:
                numbers.append(cell)
        self.editor.enter(numbers, symbol, typing, tidy=self.clean)
        self.update()

    def undo(self) -> None:
        """Undo the last step of the setter; in the mode *solve* that of the solver."""
        self.editor.undo(setter=self.mode == "set")
        self.update()

    def redo(self) -> None:
        """Do again what was undone last."""
        self.editor.redo(setter=self.mode == "set")
        self.update()

    def clear(self) -> None:
        """Take away clues and candidates; in the mode *solve* entries and pencil marks instead."""
        self.editor.clear(setter=self.mode == "set")
        self.update()

    def clear_rules(self) -> None:
        """Take away all rules; houses and clues stay."""
        self.editor.clear_rules()
        self.update()

    def paste(self, text: str, *, despite_unread: bool = False) -> None:
        """Take over the puzzle of a text or link, with title and author.

        despite_unread: whether to take it if something that may be a rule was not read; there is no verdict then.

        Raises
        ------
        InputError
            If it is no puzzle, or if something that may be a rule was not read (``NotUnderstoodError``).
        """
        try:
            self.editor.paste(text, despite_unread=despite_unread)
        except NotUnderstoodError:
            self._refused = text
            raise
        self._refused = ""
        self.update()

    def open_anyway(self) -> None:
        """Take over the puzzle that was refused because not all of it was read."""
        if self._refused:
            self.paste(self._refused, despite_unread=True)
            self.send({"kind": "accepted", "act": "open", "left": 0})

    def why(self) -> None:
        """Explain why there is no solution, or several, or which clues can be left out."""
        self._refresh("why")

    def next(self) -> None:
        """Show the next step in the mode *solve*: at first the place, then the facts, at last all of it."""
        self.switch("mode", "solve")
        if self._hint is None:
            self._refresh("next")
        else:
            self._draw(_level=min(3, self._level + 1))

    def apply(self) -> None:
        """Take the next step, if it was found."""
        if self._hint is not None:
            self.editor.take_step(self._hint.apply())
            self.update()

    def forward(self) -> None:
        """Show more of the step of the lesson, or go on to the next one."""
        self._go_to(self.place + 1)

    def back(self) -> None:
        """Show less of the step of the lesson, or go back to the one before."""
        self._go_to(self.place - 1)

    def first(self) -> None:
        """Go to the beginning of the step of the lesson; from there to that of the one before."""
        beginnings = [number for number, place in enumerate(self.lesson) if place.level == 1 and number < self.place]
        self._go_to(beginnings[-1] if beginnings else 0)

    def last(self) -> None:
        """Go to the beginning of the next step of the lesson; from the last one to its end."""
        beginnings = [number for number, place in enumerate(self.lesson) if place.level == 1 and number > self.place]
        self._go_to(beginnings[0] if beginnings else len(self.lesson) - 1)

    def _go_to(self, place: int) -> None:
        if 0 <= place < len(self.lesson):
            self.place = place
            self._draw()

    def show_line(self, line: int) -> None:
        """Show a line of the story of the step, by its number from 0; the same line again shows the whole step."""
        place = self._lesson_place
        if place is not None:
            here = [
                number for number, other in enumerate(self.lesson) if other.step == place.step and other.line == line
            ]
            if here:
                self._go_to(here[0])
        elif self._hint is not None and self._level == 3:
            if not 0 <= line < len(told_lines(self._hint.story)):
                raise InputError(f"line {line} of the story; expected one that it has, from 0")
            self._draw(_line=None if line == self._line else line)

    def text(self, what: str = "text") -> str:
        """Return the puzzle as ``text``, ``toml``, ``link`` (of f-puzzles), ``sudokupad``, ``iss`` or ``svg``.

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
        formats = {"text": plain, **_COPIES}
        if what not in formats:
            raise InputError(f"the puzzle as {what!r}; expected {', '.join(formats)} or svg")
        puzzle = self.puzzle_to_give()
        if what not in ("link", "sudokupad"):
            puzzle = replace(puzzle, solution=self.puzzle.solution)
        return all_formats()[formats[what]].text_of(puzzle)

    def puzzle_to_give(self) -> Puzzle:
        """Return the puzzle without what its solver wrote, and with its solution if that was found to be the only one.

        It has none where words or drawings may say more than the rules on the board, nor on a board that is only to be
        solved.
        """
        puzzle = replace(self.puzzle, board=self._given, notes=None)
        if self.words_covered:  # what was not read is among the rules now
            puzzle = replace(puzzle, unread=())
        if self.verdict is None or not self.verdict.is_unique or self._is_in_part or "set" not in self.modes:
            return puzzle
        return replace(puzzle, solution=self.verdict.solution)

    def links(self) -> list[tuple[str, str]]:
        """Return the names and the addresses of other programs with the puzzle, as far as they can have it."""
        links: list[tuple[str, str]] = []
        for name, what in _LINKS.items():
            with suppress(InputError):
                links.append((f"Open in {name}", self.text(what)))
        return links

    def refusals(self) -> dict[str, str]:
        """Return why the puzzle cannot be copied in some formats, by what the page calls these."""
        refusals: dict[str, str] = {}
        for what in ("text", *_COPIES):
            try:
                self.text(what)
            except InputError as problem:
                refusals[what] = str(problem)
        return refusals

    # ---- what changes, and what is then to be found --------------------------------------------------------------

    def update(self) -> None:
        """Take over the puzzle of the editor."""
        with self._lock:
            self._task = None
            self._forget_hint()
            self._remark = ""
            if self._analysed != self._given:
                self._analysed = self._given
                self._findings = Findings()
                self.place = 0
            self._refresh()

    def _draw(self, **changes: Any) -> None:
        """Change attributes, and show what is then to be seen."""
        for name, value in changes.items():
            setattr(self, name, value)
        now = {"page": self.make_page(), "place": self.place, "board": self.board}
        for name in SWITCHES:
            now[name] = getattr(self, name)
        changed = {name: value for name, value in now.items() if name not in self._shown or self._shown[name] != value}
        self._shown = now
        self._show_changes(changed)

    def show_error(self, text: str) -> None:
        """Show what cannot be done, in place of the state."""
        self._draw(_remark=text, _is_error=True)

    def _refresh(self, question: Question | None = None, *, done: bool = False) -> None:
        """Draw the page, and begin with a question, or else with what was not yet found.

        A question interrupts a look, which begins again after it. done: whether the task has ended.
        """
        running = None if done or self._task is None else self._task[0]
        findings = self._findings
        if question:
            self._remark = ""
            self._refused = ""
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
            unmarked = (self.board.geometry.every_symbol,) * len(self.board.clues)
            puzzle = replace(puzzle, board=self._given, notes=unmarked)
        task: Task = (question, puzzle)
        self._task = task
        self._draw()
        self._begin(task)

    def take(self, task: Task, found: dict[str, Any]) -> None:
        """Take over a finding about a task; that of an earlier task is of no use."""
        question = task[0]
        step = found.get("step")
        done = "done" in found
        with self._lock:
            if task is not self._task:
                return
            if step and question == "next":
                self._forget_hint()
                self._hint = step
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


def expect_modes(modes: Iterable[str]) -> tuple[Mode, ...]:
    """Return modes in their order. Raises ``InputError`` for one that there is not, or for none."""
    chosen = list(modes)
    if not chosen or isinstance(modes, str) or any(mode not in MODES for mode in chosen):
        raise InputError(f"modes = {modes!r}; expected some of {', '.join(MODES)}")
    return tuple([mode for mode in MODES if mode in chosen])


def expect_switch(name: str, value: object) -> None:
    """Refuse a value that a switch, or the place of the lesson, does not have. Raises ``InputError``."""
    if name == "place":
        if type(value) is not int or value < 0:
            raise InputError(f"place = {value!r}; expected a whole number from 0")
    elif name not in SWITCHES:
        raise InputError(f"the switch {name!r}; expected {', '.join(SWITCHES)} or place")
    elif value not in SWITCHES[name]:
        raise InputError(f"{name} = {value!r}; expected {' or '.join(map(str, SWITCHES[name]))}")
