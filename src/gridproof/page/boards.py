"""The boards of the page, one for each tab: what the first worker runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gridproof.errors import GridproofError
from gridproof.formats import Puzzle, read_puzzle
from gridproof.page.exports import export
from gridproof.page.findings import Job, pack, unpack_finding
from gridproof.page.saving import from_address, read_saved, save_board, to_address
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.text import counted
from gridproof.widget.analysis import Task
from gridproof.widget.board import LiveBoard

Post = Callable[[str, bytes], object]
"""Sends a message to the page: plain values as JSON, and bytes that go to the other worker, or none."""


class Boards:
    """The boards of the page. It takes messages, and sends others by ``post``.

    A message has a name, ``do``, which is that of a method below, and its arguments. What it sends has a ``kind``:
    ``changed`` (values of the board on the screen), ``message`` (for ``board.js``), ``work`` (for the other worker),
    ``saved`` (what to keep of a tab), ``exported``, and ``refused`` (why something was not done, in words).

    Examples
    --------
    >>> boards = Boards(lambda text, content: None)
    >>> boards.handle('{"do": "open", "tab": "1", "text": "1... ..2. .3.. ...4"}')
    >>> boards.board.board.clue_count
    4
    """

    def __init__(self, post: Post) -> None:
        self._post = post
        self._boards: dict[str, LiveBoard] = {}
        self._saved: dict[str, Puzzle] = {}
        self._shown = ""
        self._tasks = 0
        self._task: Task | None = None
        self._do: dict[str, Callable[..., None]] = {
            "open": self.open,
            "show": self.show,
            "close": self.close,
            "set": self.set,
            "send": self.send,
            "take": self.take,
            "export": self.export,
            "job": self.begin_job,
        }

    @property
    def board(self) -> LiveBoard:
        """The board on the screen."""
        return self._boards[self._shown]

    def handle(self, text: str, content: bytes = b"") -> None:
        """Do what a message states."""
        message = json.loads(text)
        name = message.pop("do")
        if content:
            message["content"] = bytes(content)  # in a browser it is a view of an array
        try:
            self._do[name](**message)
        except GridproofError as problem:
            self.post("refused", do=name, words=str(problem), tab=message.get("tab", self._shown))
        self._save()

    def post(self, kind: str, content: bytes = b"", **values: Any) -> None:
        """Send a message to the page."""
        self._post(json.dumps({"kind": kind, **values}), content)

    # ---- tabs ----------------------------------------------------------------------------------------------------

    def open(self, tab: str, text: str = "", saved: Any = None, address: str = "") -> None:
        """Show a puzzle in a tab: from the storage, an address or a text; an empty board without any of them."""
        entries = None
        words_covered = False
        if saved is not None:
            puzzle, entries, words_covered = read_saved(saved)
        elif address:
            puzzle = read_puzzle(from_address(address), despite_unread=False)
        elif text:
            puzzle = read_puzzle(text, despite_unread=False)
        else:
            puzzle = Puzzle(Board.empty(Geometry.classic(3)))
        board = LiveBoard(
            puzzle,
            entries=entries,
            words_covered=words_covered,
            show_changes=lambda values: self._show_changes(tab, values),
            send=lambda content: self.post("message", message=content),
            begin=lambda task: self._begin(tab, task),
        )
        self._boards[tab] = board
        self.show(tab)

    def show(self, tab: str) -> None:
        """Show the board of a tab."""
        board = self._boards[tab]
        self._shown = tab
        board.begin()

    def close(self, tab: str) -> None:
        """Forget the board of a tab that is not on the screen."""
        if tab != self._shown:
            self._boards.pop(tab, None)
            self._saved.pop(tab, None)

    # ---- the board on the screen ---------------------------------------------------------------------------------

    def set(self, name: str, value: Any) -> None:
        """Set a switch of the board."""
        self.board.switch(name, value)

    def send(self, content: Any) -> None:
        """Do what ``board.js`` sends."""
        self.board.receive(content)

    def take(self, number: int, content: bytes) -> None:
        """Take a finding about the task of this number."""
        if self._task is not None and number == self._tasks:
            self.board.take(self._task, unpack_finding(content))

    def export(self, what: str, shown_as: str) -> None:
        """Send the puzzle in another form. shown_as: what the page makes of it."""
        self.post("exported", what=what, shown_as=shown_as, **export(self.board, what))

    def begin_job(self, name: str, content: bytes = b"", **values: Any) -> None:
        """Begin with a question of the page itself about the puzzle on the screen."""
        if content:
            values["content"] = content
        board = self.board.board
        puzzle = replace(self.board.puzzle, board=replace(board, filled=()), notes=None)
        self.post("job", pack(Job(name, puzzle, values)), name=name)

    # ---- what goes to the page -----------------------------------------------------------------------------------

    def _show_changes(self, tab: str, values: dict[str, Any]) -> None:
        if tab == self._shown:
            plain = {name: value for name, value in values.items() if name != "board"}
            if "page" in plain:
                plain["page"] = plain["page"] | {"key": "page"}
            self.post("changed", values=plain)

    def _begin(self, tab: str, task: Task) -> None:
        if tab == self._shown:
            self._tasks += 1
            self._task = task
            self.post("work", pack(task), number=self._tasks)

    def _save(self) -> None:
        """Send what to keep of the tab on the screen, if its puzzle has changed."""
        board = self._boards.get(self._shown)
        if board is None or self._saved.get(self._shown) is board.puzzle:
            return
        puzzle = board.puzzle
        self._saved[self._shown] = puzzle
        title = (
            puzzle.title.strip() or f"{puzzle.board.geometry.description}, {counted(puzzle.board.clue_count, 'clue')}"
        )
        self.post("saved", tab=self._shown, title=title, address=to_address(puzzle), saved=save_board(board))
