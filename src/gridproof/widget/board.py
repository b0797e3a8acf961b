"""The board with what the page sends.

A *host* shows it: Jupyter, or a page in a browser. The host passes on what the page sends (``receive``, ``switch``) and
what was found (``take``), and receives what has changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gridproof.errors import GridproofError, InputError
from gridproof.formats import Puzzle
from gridproof.puzzle.board import Board
from gridproof.rules import all_kinds
from gridproof.widget.actions import BoardActions
from gridproof.widget.new_board import read_new_board
from gridproof.widget.palette import build_palette

_ACTS = ("undo", "redo", "clear", "why", "next", "apply", "back", "forward", "first", "last")
_ACTS_OF_SETTERS = ("clear_rules", "open_anyway")
_FORMS = ("add", "change", "delete", "about", "new", "paint")
_LONGEST_PASTED = 100_000


class LiveBoard(BoardActions):
    """A board on a screen, without the host that shows it. The parameters are those of ``BoardActions``.

    Examples
    --------
    >>> from gridproof import read_puzzle
    >>> board = LiveBoard(read_puzzle("1... ..2. .3.. ...4"), live=False, show_changes=print, send=print, begin=print)
    >>> board.make_page()["badges"]
    [Badge(word='not checked', tone='plain')]
    """

    def receive(self, content: Any) -> None:
        """Do what the page sends. Nothing that comes from there is trusted."""
        try:
            do_message(self, content)
        except GridproofError as problem:
            self.show_error(str(problem))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError):
            self.show_error("The page sent something that was not understood.")
        self.send({"kind": "answered"})  # so the page can tell that there is a kernel


def do_message(board: BoardActions, content: Mapping[str, Any]) -> None:
    """Do what a message is for.

    Raises
    ------
    GridproofError
        If it cannot be done, or if a board that is only to be solved would be changed.
    KeyError, IndexError, TypeError, ValueError, AttributeError
        For a message that no page sends.
    """
    act = content["act"]
    cells = [int(cell) for cell in content.get("cells", ())]
    if act in _ACTS:
        getattr(board, act)()
    elif act in _ACTS_OF_SETTERS:
        refuse_fixed(board)
        getattr(board, act)()
    elif act == "enter":
        if content["typing"] in ("clue", "mark"):
            refuse_fixed(board)
        board.enter(cells, int(content["symbol"]), content["typing"])
    elif act == "paste":
        refuse_fixed(board)
        board.paste(str(content["text"])[:_LONGEST_PASTED])
        board.send({"kind": "accepted", "act": "open", "left": 0})
    elif act == "line":
        board.show_line(int(content["line"]))
    elif act == "copy":
        what = str(content["what"])
        copied = board.text("svg") if what == "png" else board.text(what)  # the page makes a PNG of it
        board.send({"kind": "copied", "what": what, "text": copied})
    elif act == "links":
        board.send({"kind": "links", "links": board.links(), "refusals": board.refusals()})
    elif act == "palette":
        board.send({"kind": "palette", **build_palette()})
    elif act in _FORMS:
        refuse_fixed(board)
        left = submit_form(board, act, content, cells)
        board.update()
        board.send({"kind": "accepted", "act": act, "left": left})
    else:
        raise KeyError(act)


def submit_form(board: BoardActions, act: str, content: Mapping[str, Any], cells: Sequence[int]) -> int:
    """Do what a form is for. Return how many cells have no region yet, where regions are painted."""
    editor = board.editor
    values = content["values"]
    rules = editor.board.rules
    starts = [int(start) for start in content.get("starts", ())]
    if act == "add":
        kind = all_kinds()[content["kind"]]  # never a file that the page names
        editor.rule(kind.kind, values, cells, starts=starts)
    elif act == "change":
        number = range(len(rules))[content["rule"]]
        editor.rule(rules[number].name_or_path, values, cells, number, starts=starts)
    elif act == "delete":
        editor.without_rule(content["rule"])
    elif act == "about":
        title, author, prose = [str(values[name]) for name in ("title", "author", "prose")]
        editor.describe(title, author, prose, words_covered=bool(values["covered"]))
    elif act == "new":
        editor.open(Puzzle(Board.empty(read_new_board(values))))
    else:
        return editor.paint(cells)
    return 0


def refuse_fixed(board: BoardActions) -> None:
    """Refuse to change the puzzle of a board that is only to be solved. Raises ``InputError``."""
    if "set" not in board.modes:
        raise InputError(f"the puzzle is fixed; expected what is done in the modes {', '.join(board.modes)}")
