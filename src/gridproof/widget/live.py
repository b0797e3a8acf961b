"""The puzzle on the screen, which is drawn and analysed whenever it changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import anywidget
import traitlets

from gridproof.formats import Puzzle
from gridproof.pictures.document import Svg
from gridproof.puzzle.board import Board
from gridproof.widget.analysis import Analyst, Finding, Question
from gridproof.widget.editing import Editor
from gridproof.widget.palette import palette
from gridproof.widget.screen import MODES, SHOWN, Mode, Screen

_HERE = Path(__file__).parent
_QUIET = (
    "<style>.jp-OutputArea-child:has(+.jp-OutputArea-child .gp-still) .jupyter-widgets:not(:has(.gp-widget))"
    "{display:none}</style>"
)
"""Without the widget's model JupyterLab writes an error in its place, which this hides."""


class LivePuzzle(anywidget.AnyWidget):
    """A puzzle with its history, the picture of it on a page, and what is found about it."""

    _esm = _HERE / "board.js"
    _css = _HERE / "board.css"

    board: Any = traitlets.Instance(Board)
    mode: Any = traitlets.Enum(MODES, "set")
    show: Any = traitlets.Enum(SHOWN, "nothing")
    check = traitlets.Bool(False)
    verdict: Any = traitlets.Any(None, allow_none=True)
    solutions = traitlets.Int(0)
    complete = traitlets.Bool(False)

    page: Any = traitlets.Dict({}).tag(sync=True)
    palette: Any = traitlets.List([]).tag(sync=True)
    sentence = traitlets.Unicode("").tag(sync=True)
    busy = traitlets.Bool(False).tag(sync=True)

    _analyst: Analyst | None = None
    _running: tuple[Question, Board] | None = None
    _then: Question | None = None
    _asked: Puzzle | None = None
    _still: Any = None
    _remark = ""

    def __init__(self, puzzle: Puzzle, mode: Mode, live: bool, **options: Any) -> None:
        self._editor = Editor(puzzle)
        self._screen = Screen(self._editor.puzzle, Finding(self._given))
        self._done = Event()
        self._done.set()
        self._live = live
        super().__init__(board=self._editor.board, mode=mode, palette=palette(), **options)
        self._refresh()
        self.observe(self._changed, "board")
        self.observe(self._switched, ["mode", "show", "check"])

    @property
    def puzzle(self) -> Puzzle:
        """The board with title, author, prose and the solver's pencil marks."""
        return self._editor.puzzle

    # ---- what is on the screen -----------------------------------------------------------------------------------

    @property
    def _given(self) -> Board:
        """The board without entries, which are no part of the puzzle."""
        return replace(self._editor.board, filled=())

    def _do(self, what: str, *arguments: Any) -> None:
        getattr(self._editor, what)(*arguments)
        self._update()

    def _update(self) -> None:
        """Take over the puzzle of the editor."""
        if self.board == self._editor.board:
            self._changed(None)  # pencil marks or the title
        else:
            self.board = self._editor.board

    @traitlets.validate("board")
    def _checked(self, proposal: dict[str, Any]) -> Board:
        if proposal["value"] != self._editor.board:
            self._editor.show_board(proposal["value"])
        return self._editor.board

    def _changed(self, _: object) -> None:
        """Draw the new board and analyse it."""
        self._asked = None
        self._remark = ""
        self._refresh(step=None, level=self._screen.begin if self.mode == "teach" else 0)

    def _switched(self, change: Any) -> None:
        self._remark = ""
        level = self._screen.begin if self.mode == "teach" else 0
        self._refresh(**({"step": None, "level": level, "pencil": False} if change["name"] == "mode" else {}))

    def _refresh(self, **changes: Any) -> None:
        """Draw what changed, and ask for what is not yet known of the puzzle."""
        self._draw(**changes)
        screen = self._screen
        if self.mode == "teach" and not screen.path:
            self._ask("path")
        elif self.mode != "teach" and self._live and not screen.finding.done and self._running != ("look", self._given):
            self._ask("look")

    def _draw(self, **changes: Any) -> None:
        editor, given = self._editor, self._given
        if self._screen.finding.board != given:
            changes = {"finding": Finding(given), "path": (), "place": 0, "step": None, **changes}
        if self._screen.chosen is not None and self._screen.puzzle.board.rules != given.rules:
            changes = {"form": None, "chosen": None, **changes}
        undone = editor.can_undo, editor.can_redo
        state = {"puzzle": editor.puzzle, "undone": undone, "mode": self.mode, "show": self.show, "check": self.check}
        self._screen = replace(self._screen, **state, **changes)
        finding = self._screen.finding
        self.page = {**self._screen.page(), "key": self.model_id}
        self.sentence = self._remark or self._screen.sentence
        self.verdict, self.solutions, self.complete = finding.verdict, finding.solutions, finding.complete
        if self._still is not None and not self.busy:
            self._still.update(_still_picture(self._screen, self.model_id), raw=True)

    def _ipython_display_(self, **_: Any) -> None:
        """Show the widget, and a picture that stands in its place where no widget is, as in a saved notebook."""
        from IPython import display as notebook

        display: Any = notebook.display
        bundle = self._repr_mimebundle_()
        assert bundle is not None
        display(bundle[0], metadata=bundle[1], raw=True)
        self._still = display(_still_picture(self._screen, self.model_id), raw=True, display_id=True)

    # ---- what is found -------------------------------------------------------------------------------------------

    def _ask(self, question: Question) -> None:
        self.busy = True
        self._done.clear()
        self._remark = ""
        if self._running == ("look", self._given) and question in ("why", "next"):
            self._then = question  # what is being found is needed, too
            return
        if self._analyst is None:
            self._analyst = Analyst(self._on_finding)
        board = self._given
        every = ((1 << board.geometry.order) - 1,) * len(board.clues)
        puzzle = Puzzle(board, notes=every)  # so that candidates of the puzzle are no pencil marks of its solver
        if question == "next":
            puzzle = self._asked = Puzzle(self.board, notes=self.puzzle.notes or every)
        self._running, self._then = (question, puzzle.board), None
        self._analyst.ask(puzzle, question)

    def _on_finding(self, finding: Finding) -> None:
        """Take over a finding, in the analyst's thread."""
        if (finding.question, finding.board) != self._running or finding.board not in (self.board, self._given):
            return
        screen, changes = self._screen, dict[str, Any]()
        if finding.question == "look":
            changes = {"finding": finding}
        elif finding.question == "why" and finding.explanation:
            changes = {"finding": replace(screen.finding, explanation=finding.explanation)}
        elif finding.question == "path" and finding.step:
            changes = {"path": (*screen.path, finding.step), "level": screen.level or screen.begin}
        elif finding.question == "next" and finding.step and self._asked:
            changes = {"step": finding.step, "level": 1}
        if finding.question != "look":
            self._remark = finding.problem
        with self.hold_sync():  # so that the page never shows what was before as the last word
            if finding.done:
                self._running, self.busy = None, self._then is not None
            self._draw(**changes)
        if finding.done and self._then:
            self._ask(self._then)
        elif finding.done:
            self._done.set()

    def _tell(self, remark: str) -> None:
        self._remark = self.sentence = remark


def _still_picture(screen: Screen, key: str) -> dict[str, str]:
    """Return the picture as an output of its own, which a widget on the page hides."""
    svg: Svg = screen.picture()[0]
    return {"text/plain": repr(svg), "text/html": f'<div class="gp-still gp-still-{key}">{_QUIET}{svg.html}</div>'}
