"""The board in Jupyter. It needs anywidget."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable, Iterable
from typing import Any, get_args

from gridproof.errors import BackendUnavailable, InputError, Interrupted
from gridproof.formats import Puzzle, PuzzleLike, read_puzzle
from gridproof.pictures.document import Svg, xml_text
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.text import counted
from gridproof.trust.verdict import Verdict
from gridproof.widget.actions import expect_modes
from gridproof.widget.analysis import Task
from gridproof.widget.analyst import Analyst
from gridproof.widget.board import LiveBoard
from gridproof.widget.editing import Typing
from gridproof.widget.script import read_script, read_style
from gridproof.widget.stage import refuse_large
from gridproof.widget.state import MODES, SWITCHES, Check, Mode, Shown

try:
    import anywidget
    import traitlets
except ImportError:
    raise BackendUnavailable("the widget needs anywidget; pip install 'gridproof[widget]'") from None

_QUIET = (
    "<style>.jp-OutputArea-child:has(+.jp-OutputArea-child .gp-still) .jupyter-widgets:not(:has(.gp-widget))"
    "{display:none}</style>"
)
"""Without the widget's model JupyterLab writes an error in its place, which this hides."""


class BoardWidget(anywidget.AnyWidget):
    """A board to set puzzles on, to solve and to teach with.

    In the mode *set* digits are clues or candidates of the puzzle, and rules come from a palette; a word is the live
    verdict, and true candidates or the solution are shown only if wanted. In the mode *solve* digits are entries, marks
    in corners or in the middle, or colours, which are the solver's own; wrong ones can be shown, and *Hint* gives the
    next step in three levels. In the mode *teach* the way to the solution is shown step by step, each step line by
    line. Another process finds all that is shown. *Undo* has two histories: that of the puzzle, and that of its solver.

    Nobody reads the rules in words of a puzzle. They are always on the screen. "words not read" stands beside a verdict
    without a colour, unless a stored solution is the only one, or the setter states that the rules on the board are all
    that the words state. A puzzle of which drawings were not read opens only if wanted: the drawings are pale, what was
    not read is listed, and there is no verdict.

    Parameters
    ----------
    puzzle : Board, Puzzle, text, link, list or array, optional
        The first puzzle, of at most 25 rows, columns and digits; an empty 9x9 board by default.
    mode : {"set", "solve", "teach"}, optional
        The mode to begin with; by default the first of ``modes``.
    modes : sequence of str
        The modes that may be chosen. Without "set" the puzzle is fixed, as for pupils.
    despite_unread : bool
        Whether to open a puzzle of which something that may be a rule was not read.
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
    check : {"nothing", "clashes", "wrong"}
        The entries that the mode *solve* marks: only those that clash, or all that are wrong; it may be set.
    clean : bool
        Whether an entry takes the marks of its digit away from the cells that see it; it may be set.
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

    _esm = read_script()
    _css = read_style()

    board: Any = traitlets.Instance(Board)
    mode: Any = traitlets.Enum(get_args(Mode), "set").tag(sync=True)
    show: Any = traitlets.Enum(get_args(Shown), "nothing").tag(sync=True)
    check: Any = traitlets.Enum(get_args(Check), "nothing").tag(sync=True)
    clean = traitlets.Bool(True).tag(sync=True)
    place = traitlets.Int(0, min=0).tag(sync=True)
    page: Any = traitlets.Dict({}).tag(sync=True)

    def __init__(
        self,
        puzzle: PuzzleLike | None = None,
        *,
        mode: Mode | None = None,
        modes: Iterable[Mode] = MODES,
        live: bool = True,
        despite_unread: bool = False,
        **options: Any,
    ) -> None:
        self._still: Any = None
        self._analyst = Analyst(self._take)
        if puzzle is None:
            puzzle = Board.empty(Geometry.classic(3))
        record = puzzle if isinstance(puzzle, Puzzle) else read_puzzle(puzzle, despite_unread=despite_unread)
        modes = expect_modes(modes)
        super().__init__(board=record.board, mode=mode or modes[0], **options)
        switches = {name: getattr(self, name) for name in (*SWITCHES, "place")}
        self._live = LiveBoard(
            record,
            live=live,
            modes=modes,
            show_changes=self._show_changes,
            send=lambda message: self.send(message),
            begin=self._analyst.begin,
            **switches,
        )
        self._live.begin()
        self.observe(lambda change: self._live.show_board(change["new"]), "board")
        self.observe(self._on_switch, list(switches))
        self.on_msg(self._on_message)

    # ---- what a program can do -----------------------------------------------------------------------------------

    @property
    def puzzle(self) -> Puzzle:
        """The board with title, author, prose and the solver's pencil marks."""
        return self._live.puzzle

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the board without its entries; ``None`` until it is found."""
        return self._live.verdict

    @property
    def solutions(self) -> int:
        """The number of solutions that were counted."""
        return self._live.solutions

    @property
    def complete(self) -> bool:
        """True if these are all."""
        return self._live.complete

    @property
    def sentence(self) -> str:
        """The sentence on the screen."""
        return str(self.page["sentence"])

    def on_change(self, listener: Callable[[Board], object]) -> None:
        """Call the function with the board after each change."""
        self.observe(lambda change: listener(change["new"]), "board")

    def enter(self, cells: Iterable[str] | Iterable[int], symbol: int, typing: Typing = "clue") -> None:
        """Put a symbol into cells (``r1c1``, ``row3``, or numbers from 0), as typing does.

        typing: a clue or a mark (candidate) of the puzzle; an entry, a note (in the middle), a corner mark or a colour
        of its solver. Raises ``InputError`` for what the board does not have.
        """
        self._live.enter(cells, symbol, typing)

    def undo(self) -> None:
        """Undo the last step of the setter; in the mode *solve* that of the solver."""
        self._live.undo()

    def redo(self) -> None:
        """Do again what was undone last."""
        self._live.redo()

    def clear(self) -> None:
        """Take away clues and candidates; in the mode *solve* entries and pencil marks instead."""
        self._live.clear()

    def clear_rules(self) -> None:
        """Take away all rules; houses and clues stay."""
        self._live.clear_rules()

    def paste(self, text: str, *, despite_unread: bool = False) -> None:
        """Take over the puzzle of a text or link, with title and author.

        despite_unread: whether to take it if something that may be a rule was not read; there is no verdict then.

        Raises
        ------
        InputError
            If it is no puzzle, or if something that may be a rule was not read (``NotUnderstoodError``).
        """
        self._live.paste(text, despite_unread=despite_unread)

    def wait(self, seconds: float = 60.0) -> None:
        """Wait until the analysis of the board is done.

        Raises
        ------
        Interrupted
            It took longer.
        """
        until = time.monotonic() + seconds
        while self._live.busy:
            if time.monotonic() > until:
                raise Interrupted("seconds", seconds)
            time.sleep(0.01)

    def why(self) -> None:
        """Explain why there is no solution, or several, or which clues can be left out."""
        self._live.why()

    def next(self) -> None:
        """Show the next step in the mode *solve*: at first the place, then the facts, at last all of it."""
        self._live.next()

    def apply(self) -> None:
        """Take the next step, if it was found."""
        self._live.apply()

    def forward(self) -> None:
        """Show more of the step of the lesson, or go on to the next one."""
        self._live.forward()

    def back(self) -> None:
        """Show less of the step of the lesson, or go back to the one before."""
        self._live.back()

    def text(self, what: str = "text") -> str:
        """Return the puzzle as ``text``, ``toml``, ``link`` (of f-puzzles), ``sudokupad``, ``iss`` or ``svg``.

        Links and TOML keep title, author and prose. The link of a puzzle that was found to be unique, without rules in
        words that nobody has read, has its solution, by which SudokuPad can confirm that a solver is right.

        Raises
        ------
        InputError
            For what the format cannot hold.
        """
        return self._live.text(what)

    def picture(self, **options: Any) -> Svg:
        """Return the picture. options: of ``board_svg``, such as ``theme``."""
        return self._live.picture(**options)

    def close(self) -> None:
        """Take the widget off the page and end its process."""
        self._analyst.close()
        super().close()

    def __repr__(self) -> str:
        return f"<BoardWidget: {self.board.geometry.description}, {counted(self.board.clue_count, 'clue')}>"

    # ---- the host of the board -----------------------------------------------------------------------------------

    @traitlets.validate("board")
    def _checked(self, proposal: dict[str, Any]) -> Board:
        board: Board = proposal["value"]
        refuse_large(*board.geometry.shape, board.geometry.symbol_count)
        return board

    def _show_changes(self, changes: dict[str, Any]) -> None:
        """Take over what has changed, which the page then draws. May be called in the analyst's thread."""
        if "page" in changes:
            changes["page"] = changes["page"] | {"key": self.model_id}
        with self.hold_sync():
            for name, value in changes.items():
                setattr(self, name, value)
        if self._still is not None and not self._live.busy:
            self._still.update(self._still_picture(), raw=True)

    def _take(self, task: Task, found: dict[str, Any]) -> None:
        """Pass on a finding, in the analyst's thread."""
        self._live.take(task, found)

    def _on_switch(self, change: Any) -> None:
        """Set a switch; a mode that this board does not have is taken back."""
        try:
            self._live.switch(change["name"], change["new"])
        except InputError:
            setattr(self, change["name"], change["old"])
            raise

    def _on_message(self, _: object, content: Any, __: object) -> None:
        self._live.receive(content)

    def _still_picture(self) -> dict[str, str]:
        """Return the picture as an output of its own, which a widget on the page hides."""
        svg = self.picture(labels=True, notes=None)
        puzzle = self.puzzle
        parts = [_QUIET]
        heading = " by ".join([name.strip() for name in (puzzle.title, puzzle.author) if name.strip()])
        if heading:
            parts.append(f"<p><b>{xml_text(heading)}</b></p>")
        parts.append(svg.html)
        badges = ", ".join([badge[0] for badge in self.page["badges"]])
        parts.append(f"<p><b>{xml_text(badges)}</b></p>")
        for text in (self.sentence, puzzle.prose):
            if text:
                parts.append(f"<p>{xml_text(text)}</p>")
        html = f'<div class="gp-still gp-still-{self.model_id}">{"".join(parts)}</div>'
        still = {"text/plain": repr(svg), "text/html": html}
        png = svg.png()
        if png is not None:
            still["image/png"] = b64encode(png).decode()
        return still

    def _ipython_display_(self, **_: Any) -> None:
        """Show the widget, and a picture that stands in its place where no widget is, as in a saved notebook."""
        from IPython import display as notebook

        display: Any = notebook.display
        bundle = self._repr_mimebundle_()
        assert bundle is not None
        display(bundle[0], metadata=bundle[1], raw=True)
        self._still = display(self._still_picture(), raw=True, display_id=True)


__all__ = ["BoardWidget"]
