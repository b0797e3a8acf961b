"""Backends that lie, each in its own way: test doubles to be caught. What each is good for stands in ``LIARS``.

The tests bring them in as a package of somebody else would: by an entry point that names ``backends``.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator, Iterable
from typing import Any, ClassVar, NamedTuple, NoReturn

from gridproof.backends.protocol import Backend, Family, Session, Statistics, Target
from gridproof.backends.solvers.cpsat import CpSat
from gridproof.backends.solvers.search.propagate import Propagate
from gridproof.backends.solvers.search.session import SearchBackend
from gridproof.errors import Interrupted
from gridproof.limits import Limits
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Grid
from gridproof.trust import reference

RED = "\x1b[31m"

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


def huge_number(board: Board, truth: list[Grid]) -> Iterable[Any]:
    """Of more digits than Python writes."""
    return [(10**5000,) * len(board.clues)]


def exits_when_shown(board: Board, truth: list[Grid]) -> Iterable[Any]:
    class Strange:
        def __repr__(self) -> str:
            sys.exit(7)

    return [(*truth[0][:-1], Strange()), Strange()]


def colours(board: Board, truth: list[Grid]) -> Iterable[Any]:
    """What a terminal obeys."""

    class Red:
        def __repr__(self) -> str:
            return f"{RED}solved"

    return [(Red(),) * len(board.clues), Red()]


class FourByFour(NamedTuple):
    """A tuple that need not be what it seems."""

    row1: int
    row2: int
    row3: int
    row4: int


def another_tuple(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return [FourByFour(*truth[0][:4])]


def good_then_short(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return [truth[0], truth[0][:3]]


def good_then_nothing(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return [truth[0], None]


def crash_at_once(board: Board, truth: list[Grid]) -> Iterable[Any]:
    raise ZeroDivisionError("of its own")


def crash_after_one(board: Board, truth: list[Grid]) -> Iterable[Any]:
    yield truth[0]
    raise RuntimeError("after one")


def exits(board: Board, truth: list[Grid]) -> Iterable[Any]:
    sys.exit(7)


def exits_after_one(board: Board, truth: list[Grid]) -> Iterable[Any]:
    yield truth[0]
    sys.exit("that is enough")


def stops_the_world(board: Board, truth: list[Grid]) -> Iterable[Any]:
    class Stop(BaseException):
        """No ``Exception``."""

    raise Stop


def crash_in_colours(board: Board, truth: list[Grid]) -> Iterable[Any]:
    raise RuntimeError(f"{RED}\ngridproof: all is well\ud800")


def crash_that_cannot_be_told(board: Board, truth: list[Grid]) -> Iterable[Any]:
    class Mute(Exception):
        def __str__(self) -> str:
            sys.exit(7)

    raise Mute


def chatty(board: Board, truth: list[Grid]) -> Iterable[Any]:
    """Prints where the verdicts are printed, in Python and beneath it."""
    print("| Conflicts | ORIGINAL")
    os.write(1, b"c written by compiled code\n")
    return truth


def interrupted_in_colours(board: Board, truth: list[Grid]) -> Iterable[Any]:
    raise Interrupted(f"stopped {RED}")


def hangs(board: Board, truth: list[Grid]) -> NoReturn:
    """Whatever the limits are."""
    while True:
        time.sleep(60)


def hangs_after_one(board: Board, truth: list[Grid]) -> Iterable[Any]:
    yield truth[0]
    hangs(board, truth)


def dies(board: Board, truth: list[Grid]) -> Iterable[Any]:
    os._exit(9)


def no_iterator(board: Board, truth: list[Grid]) -> Iterable[Any]:
    return 7  # type: ignore[return-value]


OTHERS = {
    "honest": honest,
    "crash-in-close": honest,
    "chatty": chatty,
    "interrupted-in-colours": interrupted_in_colours,
    "hangs": hangs,
    "hangs-after-one": hangs_after_one,
    "hangs-in-open": honest,
    "dies": dies,
}
"""What no command calls false: these answer, or do not answer at all."""

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
    "huge-number": (huge_number, {"verify", "solve", "count"}),
    "exits-when-shown": (exits_when_shown, {"verify", "solve", "count"}),
    "colours": (colours, {"verify", "solve", "count"}),
    "another-tuple": (another_tuple, {"verify", "solve", "count"}),
    "good-then-short": (good_then_short, {"verify", "count"}),
    "good-then-nothing": (good_then_nothing, {"verify", "count"}),
    "crash-at-once": (crash_at_once, {"verify", "solve", "count"}),
    "crash-after-one": (crash_after_one, {"verify", "count"}),
    "exits": (exits, {"verify", "solve", "count"}),
    "exits-after-one": (exits_after_one, {"verify", "count"}),
    "stops-the-world": (stops_the_world, {"verify", "solve", "count"}),
    "crash-in-colours": (crash_in_colours, {"verify", "solve", "count"}),
    "crash-that-cannot-be-told": (crash_that_cannot_be_told, {"verify", "solve", "count"}),
    "no-iterator": (no_iterator, {"verify", "solve", "count"}),
    "crash-in-open": (honest, {"verify", "solve", "count"}),
    "crash-in-statistics": (honest, {"verify", "solve"}),
    "exit-in-statistics": (honest, {"verify", "solve"}),
    "huge-statistics": (honest, {"verify", "solve"}),
    "odd-statistics": (honest, {"verify", "solve"}),
    "other-statistics": (honest, {"verify", "solve"}),
}
"""name -> what it yields, and the commands whose answer that makes false on a board of two solutions."""


class LyingSession(Session):
    def __init__(self, geometry: Problem, name: str) -> None:
        super().__init__(geometry)
        self.name = name

    @property
    def statistics(self) -> Statistics:
        if self.name == "crash-in-statistics":
            raise RuntimeError("no statistics")
        if self.name == "exit-in-statistics":
            sys.exit(7)
        if self.name == "huge-statistics":
            return Statistics(nodes=10**5000)
        if self.name == "odd-statistics":
            return Statistics(nodes="many")  # type: ignore[arg-type]
        return {"nodes": 5} if self.name == "other-statistics" else Statistics()  # type: ignore[return-value]

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        truth = []
        for grid in reference.solutions(board):
            truth.append(grid)
            if len(truth) == 2:
                break
        answer = LIARS[self.name][0] if self.name in LIARS else OTHERS[self.name]
        yield from answer(board, truth)

    def close(self) -> None:
        super().close()
        if self.name == "crash-in-close":
            raise RuntimeError("closed badly")


class Liar(Backend):
    family: ClassVar[Family] = "search"
    accepts: ClassVar[Target] = "problem"
    summary = "lies"

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.name = f"liar-{kind}"

    @property
    def version(self) -> str:
        return "6.66"

    def _open(self, model: Any) -> Session:
        assert isinstance(model, Problem)
        if self.kind == "crash-in-open":
            raise RuntimeError("cannot load")
        if self.kind == "hangs-in-open":
            hangs(Board.empty(model.geometry), [])
        return LyingSession(model, self.kind)


def backends() -> Iterable[Backend]:
    return [Liar(kind) for kind in (*LIARS, *OTHERS)]


class Odd(Liar):
    """Odd in what it says about itself, not in what it does."""

    def __init__(self, kind: str) -> None:
        super().__init__("honest")
        self.name = "liar-\x1b[31m" if kind == "name" else f"odd-{kind}"
        self.odd = kind
        if kind == "summary":
            self.summary = f"{RED}lies\nand lies"
        if kind == "family":
            vars(self).update(family=10**5000)

    @property
    def version(self) -> str:
        if self.odd == "version":
            return f"{RED}6"
        if self.odd == "no-version":
            sys.exit(7)
        return "6.66"

    def unavailable(self) -> str | None:
        if self.odd == "unavailable":
            return f"{RED}not here"
        if self.odd == "no-reason":
            sys.exit(7)
        return None

    def no_proofs(self) -> str | None:
        if self.odd == "no-proofs":
            sys.exit(7)
        print("| looking for proofs")
        return "it writes none"


def odd_backends() -> Iterable[Any]:
    print("Hello from the liars!")
    kinds = ("name", "summary", "family", "version", "no-version", "unavailable", "no-reason", "no-proofs")
    return [*map(Odd, kinds), 42, Liar("honest")]


class Mine(CpSat):
    name = "cp-mine"


def own_backends() -> Iterable[Backend]:
    """Honest ones, made of parts of ours."""
    return [SearchBackend("search-mine", "a search", Propagate), Mine()]


def no_backends() -> Iterable[Any]:
    sys.exit(7)
