"""Canonical forms of boards with rules or further houses, under the symmetries that keep these.

The symmetries are turns, mirror images and other names of the symbols, as far as the rules state the same of the image
(``symmetries``); rules go along with their cells. The form is the least of all images: first its clues, blanks before
symbols, then what its rules state. Two boards have the same form exactly when such a symmetry takes one to the other,
since the symmetries of a board and of its image are the same but for that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from gridproof.errors import BoardError
from gridproof.generation.symmetries import Renames, Symmetry, kept_moves, parts_of
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import SymbolTuple

KEPT_PROBLEMS = 256
"""Number of problems whose symmetries are remembered: puzzles that are made often share their rules."""


class Move(NamedTuple):
    """A turn or mirror image: the cell that comes to each cell, and what the rules state of the image."""

    source: tuple[int, ...]
    statement: str


class KeptForm(NamedTuple):
    """The least image of a board, what its rules state, and the number of symmetries that give it."""

    board: Board
    statement: str
    automorphisms: int


def kept_form(board: Board) -> KeptForm:
    """Return the form of a board under the symmetries that keep its rules and houses.

    Raises ``BoardError`` if nothing but the board itself is known to mean the same.

    Examples
    --------
    >>> from gridproof import parse
    >>> one = parse("1... .... .... ...2", rules=["anti-knight", "killer 5 r1c2 r1c3"])
    >>> other = parse("2... .... .... ...1", rules=["killer 5 r4c3 r4c2", "anti-knight"])
    >>> kept_form(one)[1:] == kept_form(other)[1:]
    True
    >>> kept_form(one).board.text()
    '...1........2...'
    """
    moves, renames = symmetries_of(board.problem)
    if len(moves) < 2 and not renames.any:
        reason = "no turn, no mirror image and no other names of its symbols keep its houses and rules"
        raise BoardError(f"no canonical form of this board: {reason}")
    least: tuple[SymbolTuple, str] | None = None
    best = Symmetry((), ())
    found = 0
    for move in moves:
        moved = tuple([board.clues[cell] for cell in move.source])
        for names in names_to_try(moved, renames):
            key = tuple([names[symbol] for symbol in moved]), move.statement
            if least is None or key < least:
                least = key
                best = Symmetry(move.source, names)
                found = 0
            if key == least:
                found += 1
    assert least is not None
    image = best.of_board(Board(board.geometry, board.clues, rules=board.rules))
    return KeptForm(image, least[1], found)


@lru_cache(maxsize=KEPT_PROBLEMS)
def symmetries_of(problem: Problem) -> tuple[list[Move], Renames]:
    """Return the turns and mirror images that keep a problem, and the ways to rename its symbols."""
    board = Board.empty(problem.geometry).with_rules(problem.rules)
    moves = []
    for source in kept_moves(board):
        image = Symmetry(source, tuple(range(problem.geometry.symbol_count + 1))).of_board(board)
        moves.append(Move(source, statement_of(image)))
    return moves, Renames(board)


def names_to_try(symbols: Sequence[int], renames: Renames) -> Iterator[tuple[int, ...]]:
    """Yield the names under which an image may be least: in order of appearance, where any names will do."""
    same = tuple(range(renames.order + 1))
    if renames.is_free:
        met = dict.fromkeys(symbol for symbol in symbols if symbol)
        met.update(dict.fromkeys(same[1:]))
        names = [0] * len(same)
        for name, symbol in enumerate(met, 1):
            names[symbol] = name
        yield tuple(names)
        return
    yield same
    if renames.can_reverse:
        yield renames.reversed


def statement_of(board: Board) -> str:
    """Return what the rules of a board state, the same text for the same statements in whatever order."""
    parts: set[object] = set()
    for rule in board.rules:
        parts |= parts_of(rule.complete(board.rules, board.geometry), board.geometry)
    return write_part(parts)


def write_part(part: object) -> str:
    """Return a statement as text, the parts of a set in the order of their texts."""
    if isinstance(part, (set, frozenset)):
        return "{" + ",".join(sorted(_write_all(part))) + "}"
    if isinstance(part, tuple):
        return "(" + ",".join(_write_all(part)) + ")"
    return repr(part)


def _write_all(parts: Iterable[object]) -> list[str]:
    return [write_part(part) for part in parts]
