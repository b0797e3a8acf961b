"""A board in Jupyter to click and type into, with a live verdict. It needs anywidget."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

from gridproof.errors import BackendUnavailable, GridproofError, InputError, Interrupted
from gridproof.explanations.steps import Step
from gridproof.formats import PuzzleLike, parse
from gridproof.formats.catalog import all_formats
from gridproof.formats.puzzle import Puzzle
from gridproof.pictures.svg import board_svg
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.cells import read_cells
from gridproof.widget.analysis import Analyst, Finding, Question
from gridproof.widget.editing import Editor, Mode, labels

try:
    import anywidget
    import traitlets
except ImportError:
    raise BackendUnavailable("the widget needs anywidget; pip install 'gridproof[widget]'") from None

_HERE = Path(__file__).parent


class BoardWidget(anywidget.AnyWidget):
    """A board to click and type into, with a live verdict.

    Arrows move, with shift they select; digits and letters are typed as clues, entries or pencil marks; Delete takes
    away; Ctrl-Z and Ctrl-Y undo and redo; text in any format can be pasted. After each step another process finds the
    verdict, the number of solutions (up to 200) and the true candidates. If there is no solution, it finds what to
    leave out, and a minimal set that contradicts itself. *Next* gives a hint on the next step, in three levels. Cells
    with pencil marks show these, pale where no solution has them.

    Parameters
    ----------
    puzzle : Board, text, list or array, optional
        The first board, of order 25 at most; an empty 9x9 board by default.
    live : bool
        Whether to analyse the board after each step.

    Attributes
    ----------
    board : Board
        The board on the screen; it may be set.
    verdict : Verdict or None
        The verdict on the board without its entries; ``None`` until it is known.
    solutions : int
        How many solutions were counted; ``complete`` tells whether these are all.

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

    page: Any = traitlets.Dict({}).tag(sync=True)
    sentence = traitlets.Unicode("").tag(sync=True)
    busy = traitlets.Bool(False).tag(sync=True)

    _analyst: Analyst | None = None
    _finding: Finding
    _step: Step | None = None
    _level = 0

    def __init__(self, puzzle: PuzzleLike | None = None, *, live: bool = True, **options: Any) -> None:
        self._editor = Editor(Board.empty(Geometry.classic(3)) if puzzle is None else parse(puzzle))
        self._done = Event()
        self._done.set()
        self._live = live
        super().__init__(board=self._editor.board, **options)
        self._begin()
        self.on_msg(self._on_message)
        self.observe(self._changed, "board")

    # ---- what a program can do -----------------------------------------------------------------------------------

    def on_change(self, listener: Callable[[Board], object]) -> None:
        """Call the function with the board after each change."""
        self.observe(lambda change: listener(change["new"]), "board")

    def enter(self, cells: Iterable[str] | Iterable[int], symbol: int, mode: Mode = "clue") -> None:
        """Put a symbol into cells (``r1c1``, ``row3``, or numbers from 0), as typing does.

        mode: clue, entry or mark. Raises ``InputError`` for what the board does not have.
        """
        numbers: list[int] = []
        for cell in cells:
            numbers += read_cells(cell, self.board.geometry) if isinstance(cell, str) else [cell]
        self._do("enter", numbers, symbol, mode)

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
        """Wait until the analysis of the board is done.

        Raises
        ------
        Interrupted
            It took longer.
        """
        if not self._done.wait(seconds):
            raise Interrupted("seconds", seconds)

    def solve(self) -> None:
        """Fill the cells with the solution that is known, if one is."""
        solution = self.verdict.solution if self.verdict is not None else None
        if solution is None:
            self.sentence = "no solution is known"
        else:
            self._do("show", self.board.with_filled(solution))

    def why(self) -> None:
        """Explain why there is no solution, or several, or which clues can be left out."""
        self._ask("why")

    def next(self) -> None:
        """Show the next step from here: at first the place, then the facts, at last all of it."""
        if self._step is None:
            self._ask("next")
        else:
            self._show_step(self._step, min(3, self._level + 1))

    def apply(self) -> None:
        """Take the next step, if it is known."""
        if self._step is not None:
            self._do("show", self._step.applied())

    def text(self, what: str = "text") -> str:
        """Return the puzzle as ``text``, ``link`` (for f-puzzles and SudokuPad) or ``svg``.

        Raises ``InputError`` for what the format cannot hold.
        """
        if what == "svg":
            return str(board_svg(self.board))
        plain = "toml" if self.board.rules or self.board.marks else "text"
        if what not in ("text", "link"):
            raise InputError(f"the puzzle as {what!r}; expected text, link or svg")
        write = all_formats()["f-puzzles" if what == "link" else plain].write
        assert write is not None, "all three can be written"
        return write(Puzzle(self.board))

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

    def _do(self, what: str, *arguments: Any) -> None:
        getattr(self._editor, what)(*arguments)
        self.board = self._editor.board

    @traitlets.validate("board")
    def _checked(self, proposal: dict[str, Any]) -> Board:
        self._editor.show(proposal["value"])
        return self._editor.board

    def _on_message(self, _: object, content: dict[str, Any], __: object) -> None:
        """Do what the page asks for. Nothing that comes from there is trusted."""
        try:
            kind = content.get("kind")
            if kind == "enter":
                self._do("enter", [int(cell) for cell in content["cells"]], int(content["symbol"]), content["mode"])
            elif kind in ("undo", "redo", "clear", "solve", "why", "next", "apply"):
                getattr(self, kind)()
            elif kind == "paste":
                self.paste(str(content["text"])[:100_000])
            elif kind == "copy":
                self.send({"kind": "copied", "text": self.text(str(content["what"]))})
        except GridproofError as problem:
            self.sentence = str(problem)
        except (KeyError, TypeError, ValueError, AttributeError):
            self.sentence = "the page sent something that was not understood"

    def _changed(self, _: object) -> None:
        """Draw the new board and analyse it."""
        self._step, self._level = None, 0
        if self._finding.board == self._puzzle:
            self._draw()
            self.sentence = self._finding.sentence()
        else:
            self._begin()

    def _begin(self) -> None:
        self._take(Finding(self._puzzle))
        if self._live:
            self.sentence = "analysing ..."
            self._ask("look")

    def _ask(self, question: Question) -> None:
        if self._analyst is None:
            self._analyst = Analyst(self._on_finding)
        self.busy = True
        self._done.clear()
        self._analyst.ask(self.board if question == "next" else self._puzzle, question)

    def _on_finding(self, finding: Finding) -> None:
        """Take over a finding, in the analyst's thread."""
        if finding.board not in (self.board, self._puzzle):
            return
        if finding.step:
            self._show_step(finding.step, 1)
        elif finding.problem and self._finding.verdict:
            pass  # what is known stays
        elif finding.verdict is None and finding.explanation is not None:
            self._finding = replace(self._finding, explanation=finding.explanation)
            self._draw()
        else:
            self._take(finding)
        self.sentence = finding.sentence()
        self.busy = not finding.done
        if finding.done:
            self._done.set()

    def _show_step(self, step: Step, level: int) -> None:
        self._step, self._level, self.sentence = step, level, step.hint(level)
        self._draw()

    def _take(self, finding: Finding) -> None:
        self._finding = finding
        self._draw()
        self.verdict, self.solutions, self.complete = finding.verdict, finding.solutions, finding.complete

    def _draw(self) -> None:
        board, finding = self.board, self._finding
        masks, pale = _with_marks(board, finding)
        marked = finding.explanation.marked() if finding.explanation else {}
        if step := self._step:
            svg, masks = step.picture(self._level), [*step.position.candidates]
        else:
            svg = board_svg(board, candidates=masks, pale=pale, **marked)
        geometry = board.geometry
        self.page = {
            "svg": str(svg),
            "frame": [*svg.frame, *svg.size],
            "order": geometry.order,
            "symbols": [geometry.symbol_text(symbol) for symbol in range(1, geometry.order + 1)],
            "labels": labels(board, masks),
            "history": [self._editor.can_undo, self._editor.can_redo],
            "level": self._level,
        }


def _with_marks(board: Board, finding: Finding) -> tuple[list[int] | None, set[tuple[int, int]]]:
    """Return the candidates to be drawn, and which of them are pale: pencil marks that no solution has.

    Cells with pencil marks show these, the others the true candidates.
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


__all__ = ["BoardWidget"]
