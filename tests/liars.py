"""Backends that lie, each in its own way: test doubles to be caught. What each is good for stands in ``LIARS``.

The tests bring them in as a package of somebody else would: by an entry point that names ``backends``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any, ClassVar, Literal

from gridproof import reference
from gridproof.backends.protocol import Backend, Model, Session, Statistics, Target
from gridproof.board import Board
from gridproof.geometry import Geometry, Grid
from gridproof.limits import Limits

Answer = Callable[[Board, list[Grid]], Iterable[Any]]
"""What a liar yields, from the board and up to two true solutions."""


def honest(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return truth


def wrong_grid(board: Board, truth: list[Grid]) -> Iterable[Any]:
    """Two neighbours of a solution changed places."""
    for grid in truth:
        symbols = list(grid)
        symbols[-1], symbols[-2] = symbols[-2], symbols[-1]
        yield tuple(symbols)


def clue_changed(board: Board, truth: list[Grid]) -> Iterable[Any]:
    """A grid that no house complains of: the symbols of a solution, renamed."""
    for grid in truth:
        yield tuple(symbol % board.geometry.order + 1 for symbol in grid)


def one_of_two(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return truth[:1]


def none_at_all(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return []


def twice(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return truth[:1] * 2


def twice_in_other_words(board: Board, truth: list[Grid]) -> Iterable[Any]:
    """A subclass of ``int`` that does not look the same."""

    class Number(int):
        def __repr__(self) -> str:
            return f"number {int(self)}"

    return [*truth[:1], *(tuple(map(Number, grid)) for grid in truth[:1])]


def too_short(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return [grid[:-1] for grid in truth]


def too_long(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return [(*grid, 1) for grid in truth]


def nothing_there(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return [()]


def not_a_grid(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return [None]


def a_list(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return map(list, truth)


def a_number(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return [42]


def text(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return ["".join(map(str, grid)) for grid in truth]


def fractions(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return [tuple(map(float, grid)) for grid in truth]


def unprintable(board: Board, truth: list[Grid]) -> Iterable[Any]:
    """Not even its description can be had."""

    class Strange:
        def __repr__(self) -> str:
            raise RuntimeError("no description")

    return [tuple(Strange() for _ in board.clues)]


def good_then_short(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return [truth[0], truth[0][:3]]


def good_then_nothing(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return [truth[0], None]


def crash_at_once(board: Board, truth: list[Grid]) -> Iterable[Any]:
    raise ZeroDivisionError("of its own")


def crash_after_one(board: Board, truth: list[Grid]) -> Iterable[Any]:
    yield truth[0]
    raise MemoryError("after one")


def no_iterator(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return 7  # type: ignore[return-value]


SOLVABLE, TWO = "solvable", "two"

LIARS: dict[str, tuple[Answer, set[str]]] = {
    "wrong-grid": (wrong_grid, {"verify", "solve", "count"}),
    "clue-changed": (clue_changed, {"verify", "solve", "count"}),
    "one-of-two": (one_of_two, {"verify", "count"}),
    "none-at-all": (none_at_all, {"verify", "solve", "count"}),
    "twice": (twice, {"verify", "count"}),
    "twice-in-other-words": (twice_in_other_words, {"verify", "count"}),
    "too-short": (too_short, {"verify", "solve", "count"}),
    "too-long": (too_long, {"verify", "solve", "count"}),
    "nothing-there": (nothing_there, {"verify", "solve", "count"}),
    "not-a-grid": (not_a_grid, {"verify", "solve", "count"}),
    "a-list": (a_list, {"verify", "solve", "count"}),
    "a-number": (a_number, {"verify", "solve", "count"}),
    "text": (text, {"verify", "solve", "count"}),
    "fractions": (fractions, {"verify", "solve", "count"}),
    "unprintable": (unprintable, {"verify", "solve", "count"}),
    "good-then-short": (good_then_short, {"verify", "count"}),
    "good-then-nothing": (good_then_nothing, {"verify", "count"}),
    "crash-at-once": (crash_at_once, {"verify", "solve", "count"}),
    "crash-after-one": (crash_after_one, {"verify", "count"}),
    "no-iterator": (no_iterator, {"verify", "solve", "count"}),
    "crash-in-open": (honest, {"verify", "solve", "count"}),
    "crash-in-statistics": (honest, {"verify", "solve"}),
}
"""name -> what it yields, and the commands whose answer that makes false on a board of two solutions."""


class LyingSession(Session):
    def __init__(self, geometry: Geometry, name: str) -> None:
        super().__init__(geometry)
        self.name = name

    @property
    def statistics(self) -> Statistics:
        if self.name == "crash-in-statistics":
            raise RuntimeError("no statistics")
        return Statistics()

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        truth = []
        for grid in reference.solutions(board):
            truth.append(grid)
            if len(truth) == 2:
                break
        answer = LIARS[self.name][0] if self.name in LIARS else honest
        yield from answer(board, truth)

    def close(self) -> None:
        super().close()
        if self.name == "crash-in-close":
            raise RuntimeError("closed badly")


class Liar(Backend):
    family: ClassVar[Literal["sat", "cp", "search"]] = "search"
    accepts: ClassVar[Target] = "geometry"
    summary = "lies"

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.name = f"liar-{kind}"

    @property
    def version(self) -> str:
        return "6.66"

    def open(self, model: Model) -> Session:
        assert isinstance(model, Geometry)
        if self.kind == "crash-in-open":
            raise RuntimeError("cannot load")
        return LyingSession(model, self.kind)


def backends() -> Iterable[Backend]:
    return [Liar(kind) for kind in (*LIARS, "crash-in-close", "honest")]
