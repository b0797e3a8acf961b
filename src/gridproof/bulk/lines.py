"""Lines of puzzles to chunks: a line that is a puzzle by itself is decoded by NumPy, all else by ``gridproof.formats``.

What ``gridproof.formats`` makes of a line may depend on its neighbours (rows of a board, a heading, ``end``), but a
one-line puzzle with a clue is always what it looks like, and it settles whatever stood before it: an *anchor*. So the
slow reader is given only what lies between two anchors, with both of them, and says the same as for the whole file.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from gridproof import formats
from gridproof.bulk.chunks import Bytes, Chunk, Damaged, Group, Single, ordered
from gridproof.errors import PuzzleFormatError
from gridproof.formats import Zero
from gridproof.formats.notation import Item, Shape, Shapes, readable
from gridproof.lanes.decode import Lines, decode_lines
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS

LONGEST_TEXT = 1000
"""Characters of a damaged line that are kept for the result."""

_PROBE = 200
_ITEMS = 1000
_KEPT_LINES = 2 * formats.LONGEST_BLOCK
_NOTHING = np.zeros(0, np.int64)


class EasyOrders:
    """Which order a line of so many characters can only have; as ``gridproof.formats`` decides it.

    zeros_are_blanks: whether each ``0`` is known to be one.
    """

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self.zeros_are_blanks = shapes.zero == "blank"
        self._known: dict[int, int | None] = {}

    def of(self, length: int) -> int | None:
        """The order, ``None`` if such lines need a closer look."""
        if length < 1:
            return None
        if length not in self._known:
            self._known[length] = self._find(length)
        return self._known[length]

    def most_common(self, lengths: Iterable[int]) -> int | None:
        """The order that most of these lengths have."""
        orders = Counter(order for length in lengths if (order := self.of(length)) is not None)
        return orders.most_common(1)[0][0] if orders else None

    def _find(self, length: int) -> int | None:
        order = isqrt(length)
        if order * order != length or order > LARGEST_ORDER_IN_CHARACTERS:
            return None
        if self.shapes.zero == "symbol":  # arrays of characters have symbols from 1
            return None
        if self.shapes.order is not None:
            return order if self.shapes.order == order else None
        # a short line may be a row of a board, and a cube may be pencil marks
        if length <= LARGEST_ORDER_IN_CHARACTERS or round(length ** (1 / 3)) ** 3 == length:
            return None
        return order if self.shapes.usable(order) else None


class LineReader:
    """Reads blocks of whole lines (see ``Source.blocks``) of a text that is no table."""

    def __init__(self, blocks: Iterator[bytes], shape: Shape, zero: Zero | None = None) -> None:
        self._blocks = Blocks(blocks)
        self._shape = shape
        self._zero = zero
        self._easy = EasyOrders(Shapes(shape, zero))
        self._line = 1  # number of the first line that waits
        self._context = False  # whether that line is an anchor that was given out already
        self._ended = False

    def __iter__(self) -> Iterator[Chunk]:
        waiting = b""
        while not self._ended and (waiting or self._blocks.more):
            data = waiting + self._blocks.take()
            found = self._fast(data, final=not self._blocks.more)
            if found is None:  # not one anchor in a whole block: puzzles of several lines, most likely
                waiting = yield from self._slow(data)
            else:
                chunk, waiting = found
                yield chunk

    # ---- blocks with anchors ---------------------------------------------------------------------------------------

    def _fast(self, data: bytes, final: bool) -> tuple[Chunk, bytes] | None:
        """The rows up to the last anchor (to the end if that is final) and the data from it on; None without anchor."""
        order = self._easy.most_common(lengths_of_lines(data))
        if order is None:
            return None
        lines = decode_lines(data, order, zeros_are_blanks=self._easy.zeros_are_blanks)
        total = len(lines.starts)
        is_anchor = np.zeros(total, np.bool_)
        is_anchor[lines.good[lines.clues.any(axis=1)]] = True
        if not is_anchor[self._context :].any():
            return None
        is_anchor[0] |= self._context
        last = int(np.flatnonzero(is_anchor)[-1])
        stop = total if final else last + 1
        slow = _between_anchors(is_anchor, lines.damaged[lines.damaged < stop])
        others, end = self._read_between(data, lines, is_anchor, slow)
        if end is not None:
            self._ended, stop = True, end
        fast = np.zeros(total, np.bool_)
        fast[lines.good] = True
        fast[slow] = False
        fast[stop:] = False
        fast[0] &= not self._context
        rows = np.flatnonzero(fast)
        group = None
        if len(rows):
            chosen = slice(None) if len(rows) == len(lines.starts) else rows
            texts = texts_at(data, lines.starts[chosen], order * order)
            group = Group(self._easy.shapes.geometry(order), rows, texts)
        chunk = ordered(group, rows * 2, rows + self._line, others)
        if final or self._ended:
            return chunk, b""
        self._line += last
        self._context = True
        return chunk, data[int(lines.starts[last]) :]

    def _read_between(
        self, data: bytes, lines: Lines, is_anchor: NDArray[np.bool_], slow: NDArray[np.int64]
    ) -> tuple[list[tuple[int, int, Single | Damaged]], int | None]:
        """What the slow reader says of these lines, with keys among the lines; and the line ``end`` if it met one."""
        if not len(slow):
            return [], None
        wanted = np.zeros(len(is_anchor) + 2, np.bool_)
        for shift in (0, 1, 2):
            wanted[slow + shift] = True  # the line itself and its neighbours, which may be anchors
        fed = np.flatnonzero(wanted[1:-1])
        numbers = fed.tolist()
        starts, ends = lines.starts[fed].tolist(), lines.ends[fed].tolist()
        feed = Feed(data[start:end] for start, end in zip(starts, ends, strict=True))
        anchors = set(fed[is_anchor[fed]].tolist())
        found: list[tuple[int, int, Single | Damaged]] = []
        key = -1
        for item in formats.read(feed, self._shape, self._zero):
            at = numbers[(item.line or 1) - 1]
            if at in anchors and not isinstance(item, PuzzleFormatError):
                key = 2 * at + 1
                continue
            given = data[int(lines.starts[at]) : int(lines.ends[at])]
            found.append((key, at + self._line, row_of(item, at + self._line, given)))
        return found, numbers[feed.taken - 1] if feed.taken < len(numbers) else None

    # ---- blocks without ---------------------------------------------------------------------------------------------

    def _slow(self, data: bytes) -> Generator[Chunk, None, bytes]:
        """Reads on until there is an anchor, and returns the data from it on."""
        rest = b""
        stopped = False
        first_line, first_is_context = self._line, self._context
        line_of_anchor = 0
        kept: deque[bytes] = deque(maxlen=_KEPT_LINES)

        def lines() -> Iterator[bytes]:
            nonlocal rest, stopped, line_of_anchor
            block, begin, number = data, 0, first_line
            while True:
                while begin < len(block):
                    end = block.index(b"\n", begin)
                    line = block[begin:end]
                    kept.append(line)
                    yield line
                    if self._is_anchor(line) and not (first_is_context and number == first_line):
                        rest, stopped, line_of_anchor = block[begin:], True, number
                        return
                    begin, number = end + 1, number + 1
                if not self._blocks.more:
                    return
                block, begin = self._blocks.take(), 0

        feed = Feed(lines())
        found: list[tuple[int, int, Single | Damaged]] = []
        for item in formats.read(feed, self._shape, self._zero):
            number = (item.line or 1) + first_line - 1
            if first_is_context and number == first_line and not isinstance(item, PuzzleFormatError):
                continue
            back = feed.taken - (number - first_line)
            given = kept[-back] if 0 < back <= len(kept) else b""
            found.append((len(found), number, row_of(item, number, given)))
            if len(found) >= _ITEMS:
                yield ordered(None, _NOTHING, _NOTHING, found)
                found = []
        if found:
            yield ordered(None, _NOTHING, _NOTHING, found)
        self._ended = not stopped
        self._line, self._context = line_of_anchor, True
        return rest

    def _is_anchor(self, line: bytes) -> bool:
        order = self._easy.of(len(line))
        if order is None:
            return False
        lines = decode_lines(line, order, zeros_are_blanks=self._easy.zeros_are_blanks)
        return len(lines.good) == 1 and bool(lines.clues.any())


class Blocks:
    """Blocks with one of them looked at ahead, so that the last is known to be the last."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._next = next(blocks, b"")

    @property
    def more(self) -> bool:
        """Whether there is another."""
        return bool(self._next)

    def take(self) -> bytes:
        """The next block, empty if there is none."""
        block, self._next = self._next, next(self._blocks, b"") if self._next else b""
        return block


class Feed:
    """Lines for ``gridproof.formats``, and how many of them it took: fewer than there are if it met ``end``."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self.taken = 0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        line = next(self._lines)
        self.taken += 1
        return line


def lengths_of_lines(data: bytes) -> Iterable[int]:
    """The lengths of the first lines; of all lines, if these are not like the first."""
    sample = data[: 1 << 16].split(b"\n", _PROBE)[:-1]
    lengths = Counter(map(len, sample))
    if len(data) > 1 << 16 and 2 * max(lengths.values(), default=0) <= len(sample):
        ends = np.flatnonzero(np.frombuffer(data, np.uint8) == 10)
        return [int(length) for length in np.diff(ends, prepend=-1) - 1]
    return map(len, sample)


def texts_at(data: bytes | Bytes, starts: NDArray[np.int64], width: int) -> Bytes:
    """The (texts, width) characters that start at these places."""
    raw = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
    if len(starts) and len(starts) * (width + 1) == len(raw) and (np.diff(starts) == width + 1).all():
        return np.ascontiguousarray(raw.reshape(len(starts), width + 1)[:, :width])
    windows = np.lib.stride_tricks.sliding_window_view(raw, width)
    return np.ascontiguousarray(windows[starts])


def row_of(item: Item, line: int, given: bytes) -> Single | Damaged:
    """What the slow reader found, with its true line. given: the line as it is."""
    if not isinstance(item, PuzzleFormatError):
        return Single(0, item.board, item.text, item.answer, item.symbols)
    error = PuzzleFormatError(item.problem, text=item.text, expected=item.expected, line=line, column=item.column)
    shown = readable(given[: 4 * LONGEST_TEXT].decode("utf-8", "surrogateescape"))
    return Damaged(0, max(shown, item.text, key=len)[:LONGEST_TEXT], str(error))


def _between_anchors(is_anchor: NDArray[np.bool_], damaged: NDArray[np.int64]) -> NDArray[np.int64]:
    """All lines of the runs between two anchors in which any is damaged."""
    if not len(damaged):
        return damaged
    run = np.cumsum(is_anchor)
    slow = np.zeros(int(run[-1]) + 1, np.bool_)
    slow[run[damaged]] = True
    return np.flatnonzero(slow[run] & ~is_anchor)
