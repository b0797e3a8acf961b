"""A board in Jupyter to click and type into, with a live verdict. It needs anywidget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

from gridproof.errors import BackendUnavailable, GridproofError, InputError, Interrupted
from gridproof.explain import Explanation
from gridproof.formats import parse
from gridproof.formats.catalog import all_formats
from gridproof.formats.sheet import Sheet
from gridproof.formats.values import PuzzleLike
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.show.cards import verdict_sentence
from gridproof.show.svg import board_svg, frame
from gridproof.show.widget.analysis import Analyst, Finding, Question
from gridproof.show.widget.editing import Editor, labels
from gridproof.trust.verdict import Status

try:
    import anywidget
    import traitlets
except ImportError:
    raise BackendUnavailable("the widget needs anywidget; pip install 'gridproof[widget]'") from None

LARGEST_ORDER = 25
"""Of boards that one can click into."""

_HERE = Path(__file__).parent


class BoardWidget(anywidget.AnyWidget):
    """A board to click and type into, which says at once what it is worth.

    Arrows move, with shift they select; digits and letters are typed as clues, entries or pencil marks; Delete takes
    away; Ctrl-Z and Ctrl-Y undo and redo; text in any format can be pasted. After each step it says, found in another
    process: the verdict, the candidates of all solutions (the paler, the fewer solutions have them), how many solutions
    were found so far, and where there is none a smallest set of clues and rules that contradict each other.

    Parameters
    ----------
    puzzle : Board, text, list or array, optional
        Where it begins; an empty 9x9 board if not given. Of order 25 at most.
    live : bool
        Whether to look at the board after each step.

    Attributes
    ----------
    board : Board
        What is on the screen. May be set.
    verdict : Verdict or None
        As far as it is known; ``None`` while it is being found.
    solutions : int
        How many were found; ``complete`` says whether these are all.

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

    _esm = _HERE / "board.js"
    _css = _HERE / "board.css"

    board: Any = traitlets.Instance(Board)
    verdict: Any = traitlets.Any(None, allow_none=True)
    solutions = traitlets.Int(0)
    complete = traitlets.Bool(False)

    picture = traitlets.Unicode("").tag(sync=True)
    frame: Any = traitlets.List([]).tag(sync=True)
    order = traitlets.Int(0).tag(sync=True)
    symbols: Any = traitlets.List([]).tag(sync=True)
    labels: Any = traitlets.List([]).tag(sync=True)
    said = traitlets.Unicode("").tag(sync=True)
    tone = traitlets.Unicode("").tag(sync=True)
    busy = traitlets.Bool(False).tag(sync=True)
    history: Any = traitlets.List([False, False]).tag(sync=True)

    _analyst: Analyst | None = None

    def __init__(self, puzzle: PuzzleLike | None = None, *, live: bool = True, **options: Any) -> None:
        start = Board.empty(Geometry.classic(3)) if puzzle is None else parse(puzzle)
        self._editor = Editor(_fitting(start))
        self._finding: Finding | None = None
        self._told = Event()
        self._told.set()
        self._live = live
        self._listeners: list[Callable[[Board], object]] = []
        super().__init__(board=start, **options)
        self.on_msg(self._heard)
        self.observe(self._set, "board")
        self._changed()

    # ---- what a program can do -----------------------------------------------------------------------------------

    def on_change(self, listener: Callable[[Board], object]) -> None:
        """Call the function with the board after each change."""
        self._listeners.append(listener)

    def enter(self, cells: list[str] | list[int], symbol: int, mode: str = "clue") -> None:
        """Put a symbol into cells (``r1c1``, or numbers from 0), as typing does. mode: clue, entry or mark."""
        names = {self.board.geometry.cell_name(cell): cell for cell in range(self.board.geometry.cell_count)}
        if unknown := [cell for cell in cells if isinstance(cell, str) and cell not in names]:
            raise InputError(f"cell {unknown[0]!r}; expected r1c1 to {max(names, key=lambda name: names[name])}")
        if mode not in ("clue", "entry", "mark"):
            raise InputError(f"mode {mode!r}; expected clue, entry or mark")
        self._do("enter", [names[cell] if isinstance(cell, str) else cell for cell in cells], symbol, mode)

    def undo(self) -> None:
        """Go back one step."""
        self._do("undo")

    def redo(self) -> None:
        """Go forward again."""
        self._do("redo")

    def clear(self) -> None:
        """Take away entries; if there are none, pencil marks; then clues."""
        self._do("clear")

    def paste(self, text: str) -> None:
        """Take over the puzzle of a text. Raises ``InputError`` if it is none."""
        self._do("paste", text)

    def wait(self, seconds: float = 60.0) -> None:
        """Wait until all is said about the board.

        Raises
        ------
        Interrupted
            It took longer.
        """
        if not self._told.wait(seconds):
            raise Interrupted("seconds", seconds)

    def solve(self) -> None:
        """Fill the cells with the solution that is known, if one is."""
        solution = self.verdict.solution if self.verdict is not None else None
        if solution is None:
            self.said = "no solution is known"
        else:
            self._do("show", self.board.with_filled(solution))

    def why(self) -> None:
        """Say why there is no solution, or several, or which clues could be left out."""
        self.busy = True
        self._ask("why")

    def text(self, what: str = "text") -> str:
        """The puzzle as ``text``, ``link`` (for f-puzzles and SudokuPad) or ``svg``.

        Raises ``InputError`` for what the form cannot say.
        """
        if what not in ("text", "link", "svg"):
            raise InputError(f"the puzzle as {what!r}; expected text, link or svg")
        if what == "svg":
            return str(board_svg(self.board))
        name = "f-puzzles" if what == "link" else "toml" if self.board.rules or self.board.marks else "text"
        form = all_formats()[name]
        if form.write is None:
            raise InputError(f"{form.name} is read only")
        return form.write(Sheet(self.board))

    def close(self) -> None:
        """Take the widget off the page and end its process."""
        if self._analyst is not None:
            self._analyst.close()
        super().close()

    def __repr__(self) -> str:
        return f"<BoardWidget: {self.board.geometry.description}, {self.board.clue_count} clues>"

    # ---- how it works ---------------------------------------------------------------------------------------------

    @property
    def _puzzle(self) -> Board:
        """The board without entries, which are no part of the puzzle."""
        board: Board = self.board
        return replace(board, filled=())

    def _ask(self, question: Question) -> None:
        if self._analyst is None:
            self._analyst = Analyst(self._found)
        self._told.clear()
        self._analyst.ask(self._puzzle, question)

    def _do(self, what: str, *arguments: Any) -> None:
        before = self._editor.board
        getattr(self._editor, what)(*arguments)
        if self._editor.board.geometry.order > LARGEST_ORDER:
            self._editor.undo()
            raise InputError(f"a board of more than {LARGEST_ORDER} symbols; expected one that can be clicked into")
        if self._editor.board != before:
            self.board = self._editor.board
            self._changed()

    @traitlets.validate("board")
    def _checked(self, proposal: dict[str, Any]) -> Board:
        return _fitting(proposal["value"])

    def _set(self, change: dict[str, Any]) -> None:
        if change["new"] is not self._editor.board:
            self._editor.show(change["new"])
            self._changed()

    def _heard(self, _: object, content: dict[str, Any], __: object) -> None:
        """What the page asks for. Nothing that comes from there is trusted."""
        try:
            kind = content.get("kind")
            if kind == "enter":
                cells = [int(cell) for cell in content["cells"]]
                self.enter(cells, int(content["symbol"]), str(content["mode"]))
            elif kind in ("undo", "redo", "clear", "solve", "why"):
                getattr(self, kind)()
            elif kind == "paste":
                self.paste(str(content["text"])[:100_000])
            elif kind == "copy":
                self.send({"kind": "copied", "text": self.text(str(content["what"]))})
        except GridproofError as problem:
            self.said, self.tone = str(problem), "problem"
        except (KeyError, TypeError, ValueError, AttributeError):
            self.said, self.tone = "this was not understood", "problem"

    def _changed(self) -> None:
        """The board is another one: draw it, and look at it anew."""
        puzzle = self._puzzle
        if self._finding is None or self._finding.board != puzzle:
            self._finding = Finding(puzzle)
            self.verdict, self.solutions, self.complete = None, 0, False
            if self._live:
                self.busy, self.said, self.tone = True, "looking ...", ""
                self._ask("look")
        self._draw(self._finding)
        for listener in self._listeners:
            listener(self.board)

    def _found(self, finding: Finding) -> None:
        """Called in the analyst's thread."""
        if finding.board != self._puzzle:
            return
        if finding.explanation is None:
            self._finding = finding
            self._draw(finding)
            self.verdict, self.solutions, self.complete = finding.verdict, finding.solutions, finding.complete
        self.said, self.tone = sentence(finding), finding.verdict.status if finding.verdict else ""
        self.busy = not finding.done
        if finding.done:
            self._told.set()

    def _draw(self, finding: Finding) -> None:
        board = self.board
        weights = {(cell, symbol): share for cell, symbol, share in finding.weights}
        masks: list[int] | None = None
        if weights:
            masks = [0] * len(board.clues)
            for cell, symbol in weights:
                masks[cell] |= 1 << (symbol - 1)
        conflict = finding.conflict.shown(board) if finding.conflict else ()
        svg = board_svg(board, highlight=conflict, candidates=masks, weights=weights)
        geometry = board.geometry
        with self.hold_sync():
            self.order, self.frame, self.picture = geometry.order, list(frame(board, masks)), str(svg)
            self.symbols = [geometry.symbol_text(symbol) for symbol in range(1, geometry.order + 1)]
            self.labels = labels(board, masks)
            self.history = [self._editor.can_undo, self._editor.can_redo]


def sentence(finding: Finding) -> str:
    """What was found, in words."""
    if finding.problem:
        return finding.problem
    if finding.explanation is not None:
        return _explained(finding.explanation)
    if finding.verdict is None:
        return ""
    words = verdict_sentence(finding.verdict)
    if finding.verdict.status is Status.MULTIPLE and finding.solutions > 2:
        words = f"{words.rstrip('.')}; {'' if finding.complete else 'at least '}{finding.solutions:,} solutions"
    if finding.conflict is not None and (said := finding.conflict.said(finding.board)):
        words = f"{words.rstrip('.')}; these contradict each other: {said}"
    return words


def _explained(explanation: Explanation) -> str:
    board = explanation.board
    name = board.geometry.cell_name
    if explanation.status is Status.NONE:
        return "; ".join(f"these contradict each other: {found.said(board)}" for found in explanation.conflicts)
    if explanation.status is Status.MULTIPLE:
        words = f"two solutions differ in {', '.join(map(name, explanation.differing))}"
        if explanation.fixing is not None:
            cell, symbol = explanation.fixing
            words += f"; {board.geometry.symbol_text(symbol)} at {name(cell)} would make it unique"
        return words
    spare = [name(cell) for cell in explanation.redundant]
    spare += [board.rules[number].sentence(board.geometry) for number in explanation.redundant_rules]
    return f"each of these alone could be left out: {', '.join(spare)}" if spare else "no clue can be left out"


def _fitting(board: Board) -> Board:
    if board.geometry.order > LARGEST_ORDER:
        raise InputError(f"a board of order {board.geometry.order}; expected one up to order {LARGEST_ORDER}")
    return board


__all__ = ["BoardWidget", "sentence"]
