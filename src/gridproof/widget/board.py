"""The board with what is done to it: by a program, by the page, and by what is found about it.

A *host* shows it: Jupyter, or a page in a browser. The host passes on what the page sends (``receive``, ``switch``) and
what was found (``take``), and is told what has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from threading import RLock
from typing import Any

from gridproof.errors import GridproofError, InputError
from gridproof.formats import Puzzle
from gridproof.formats.catalog import all_formats
from gridproof.puzzle.board import Board
from gridproof.rules import all_kinds
from gridproof.rules.cells import read_cells
from gridproof.widget.analysis import Question, Task
from gridproof.widget.editing import LARGEST_ORDER, Typing
from gridproof.widget.findings import Findings
from gridproof.widget.screen import SWITCHES, Screen

_ACTS = ("undo", "redo", "clear", "clear_rules", "why", "next", "apply", "back", "forward")
_LONGEST_PASTED = 100_000


class LiveBoard(Screen):
    """A board on a screen, without the host that shows it.

    Parameters
    ----------
    puzzle : Puzzle
        The first puzzle.
    live : bool
        Whether to analyse the puzzle after each step.
    words_covered : bool
        Whether the rules in words of the puzzle say nothing beyond its rules on the board.
    show_changes : function
        Is called with what has changed, by name: ``board``, ``page``, ``place``, and the switches.
    send : function
        Sends a message to the page.
    begin : function
        Begins with a task, and ends every other. Each finding of it goes to ``take``, with the task.
    **switches
        Values of switches, and the ``place``, other than those to begin with.

    Examples
    --------
    >>> from gridproof import read_puzzle
    >>> board = LiveBoard(read_puzzle("1... ..2. .3.. ...4"), live=False, show_changes=print, send=print, begin=print)
    >>> board.make_page()["badge"]
    ('not checked', 'plain')
    """

    def __init__(
        self,
        puzzle: Puzzle,
        *,
        live: bool = True,
        words_covered: bool = False,
        show_changes: Callable[[dict[str, Any]], object],
        send: Callable[[dict[str, Any]], object],
        begin: Callable[[Task], object],
        **switches: Any,
    ) -> None:
        super().__init__(puzzle, words_covered=words_covered)
        self._live = live
        self._show_changes = show_changes
        self._send = send
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
            self._editor.show_board(board)
            self._update()

    def switch(self, name: str, value: Any) -> None:
        """Set a switch, or the ``place`` of the lesson. Raises ``InputError`` for a value that it does not have."""
        expect_switch(name, value)
        with self._lock:
            if getattr(self, name) == value:
                return
            setattr(self, name, value)
            self._remark = ""
            if name == "mode":
                self._hint = None
                self._level = 1
                self.pencil = False
            self._refresh()

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
        if what == "link":
            puzzle = self.puzzle_to_give()
        else:
            puzzle = replace(self.puzzle, board=self._given, notes=None)
        return all_formats()[formats[what]].text_of(puzzle)

    def puzzle_to_give(self) -> Puzzle:
        """Return the puzzle without what its solver wrote, and with its solution if that was found to be the only one.

        It has none where rules in words may say more than the rules on the board.
        """
        puzzle = replace(self.puzzle, board=self._given, notes=None)
        if self.verdict is not None and self.verdict.is_unique and not self._is_in_part:
            puzzle = replace(puzzle, solution=self.verdict.solution)
        return puzzle

    # ---- what changes, and what is then to be found --------------------------------------------------------------

    def _update(self) -> None:
        """Take over the puzzle of the editor."""
        with self._lock:
            self._task = None
            self._hint = None
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

    def receive(self, content: Any) -> None:
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
                self._send({"kind": "copied", "what": what, "text": copied})
            else:
                self._edit(act, content, cells)
        except GridproofError as problem:
            self._draw(_remark=str(problem), _is_error=True)
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):
            self._draw(_remark="The page sent something that was not understood.", _is_error=True)
        self._send({"kind": "answered"})  # so the page can tell that there is a kernel

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
        self._send({"kind": "accepted", "act": act, "left": left})


def expect_switch(name: str, value: object) -> None:
    """Refuse a value that a switch, or the place of the lesson, does not have. Raises ``InputError``."""
    if name == "place":
        if type(value) is not int or value < 0:
            raise InputError(f"place = {value!r}; expected a whole number from 0")
    elif name not in SWITCHES:
        raise InputError(f"the switch {name!r}; expected {', '.join(SWITCHES)} or place")
    elif value not in SWITCHES[name]:
        raise InputError(f"{name} = {value!r}; expected {' or '.join(map(str, SWITCHES[name]))}")
