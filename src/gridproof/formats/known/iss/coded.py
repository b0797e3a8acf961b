"""Items of the Interactive Sudoku Solver whose rules are stated otherwise here: tables of pairs, machines, sums."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, TypeAlias

from gridproof.formats.known.iss.writing import CELL, NUMBERS, is_readable, number_of
from gridproof.formats.programs import Reader, Wrong
from gridproof.rules.expressions import compiled
from gridproof.rules.patterns import holding, windows
from gridproof.text import quote

Stated: TypeAlias = Iterable[tuple[str, dict[str, Any]]]
"""Rules: the kind of each, and its parameters that are no defaults."""

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_COMPARISONS = (
    *("a < b", "a > b", "a == b", "a != b", "abs(a - b) >= {k}", "abs(a - b) < {k}", "abs(a - b) == {k}"),
    *("a + b == {k}", "a + b != {k}", "(a - b) % {k} == 0", "(a - b) % {k} != 0", "max(a, b) == {k} * min(a, b)"),
)
"""How people state a table of pairs; any other table is stated as the pairs themselves."""


class Coded(Reader):
    """A reader of such items on a board of an ``order``: ``read_`` and the type of an item is its method."""

    order: int

    def cell(self, name: str) -> int:
        """Return the number of a cell. Raises ``Wrong``."""
        match = CELL.fullmatch(name)
        row, column = (NUMBERS.index(part.lower()) for part in match.groups()) if match else (0, 0)
        if not 1 <= row <= self.order or not 1 <= column <= self.order:
            raise Wrong(f"{quote(name)} is not a cell of a board of order {self.order}")
        return (row - 1) * self.order + column - 1

    def lines(self, names: Sequence[str], gap: str = "") -> list[tuple[int, ...]]:
        """Return the cells of each line; lines are parted by a gap, or by the name of the next ones."""
        parts = groupby(names, key=lambda name: name == gap or name.startswith("_"))
        lines = [tuple(map(self.cell, part)) for is_between, part in parts if not is_between]
        if not lines:
            raise Wrong("no cells; expected some")
        return lines

    def read_Pair(self, name: str, arguments: Sequence[str]) -> Stated:
        """Yield the rule of a table of pairs: a bit for each, the first in the lowest of the first six."""
        n, key = self.order, arguments[0] if arguments else ""
        if name.startswith("Binary"):  # in which the last two digits are the other way round
            key = key.translate(str.maketrans("-_", "_-"))
        if not {*key} <= {*_DIGITS}:
            raise Wrong(f"the table {quote(key)}; expected letters, digits, - and _")
        bits = sum(_DIGITS.index(digit) << 6 * place for place, digit in enumerate(key))
        pairs = [(a, b) for a in range(1, n + 1) for b in range(1, n + 1)]
        allowed = {pair for place, pair in enumerate(pairs) if bits >> place & 1}
        everywhere = name.endswith("X")
        if bits >> n * n or (everywhere and {(b, a) for a, b in allowed} != allowed):
            raise Wrong(f"the table {quote(key)}; expected {n}x{n} pairs, for {name} in either order alike")
        where = "all" if everywhere else "consecutive"
        yield "relation", {"allow": self._compared(allowed, pairs), "pairs": where, "lines": self.lines(arguments[1:])}

    read_PairX = read_Binary = read_BinaryX = read_Pair

    def _compared(self, allowed: set[tuple[int, int]], pairs: list[tuple[int, int]]) -> str:
        """Return the comparison that holds for these pairs."""
        for text in dict.fromkeys(text.format(k=k) for text in _COMPARISONS for k in range(1, 2 * self.order + 1)):
            holds = compiled(text, {"a", "b"})
            if all(holds(a=a, b=b) == ((a, b) in allowed) for a, b in pairs):
                return text
        rest = set(pairs) - allowed
        listed = sorted(100 * a + b for a, b in min(allowed, rest, key=len)) or [0]
        return f"100 * a + b {'in' if len(allowed) <= len(rest) else 'not in'} ({', '.join(map(str, listed))},)"

    def read_Regex(self, _: str, arguments: Sequence[str]) -> Stated:
        pattern = "".join(_bytes(arguments).decode("latin-1").split())
        yield "regex", {"pattern": pattern, "lines": self.lines(arguments[1:])}

    def read_NFA(self, _: str, arguments: Sequence[str]) -> Stated:
        """Yield the rule of a machine in bits: a head, then the steps from each state, counted or by a mask."""
        bits = "".join(f"{byte:08b}" for byte in _bytes(arguments))
        place = 0

        def number(size: int) -> int:
            nonlocal place
            place += size
            if place > len(bits):
                raise Wrong("a machine whose code is cut short")
            return int(bits[place - size : place] or "0", 2)

        is_masked, size, symbols = number(2), number(4) + 1, number(4) + 1
        starts, ends = number(size), number(size)
        accepting = number(starts)
        counted = 0 if is_masked else number(4)
        states: list[str] = []
        while (is_masked or counted) and len(bits) - place >= (symbols if is_masked else counted):
            if is_masked:
                mask = number(symbols)
                steps = [(symbol, number(size)) for symbol in range(1, symbols + 1) if mask >> symbol - 1 & 1]
            else:
                steps = [(number((symbols - 1).bit_length()) + 1, number(size)) for _ in range(number(counted))]
            here = len(states)
            accepts = accepting >> here & 1 if here < starts else here < starts + ends
            marks = [*(["start"] if here < starts else []), *(["end"] if accepts else [])]
            states.append(" ".join([*marks, *(f"{symbol}>{after}" for symbol, after in steps)]))
        yield "state-machine", {"states": "; ".join(states), "lines": self.lines(arguments[1:])}

    def read_GlobalEntropy(self, name: str, _: Sequence[str]) -> Stated:
        """Yield the rule that each square of four cells holds digits of all three classes."""
        n, classes = self.order, ("[1-3]", "[4-6]", "[7-9]") if name == "GlobalEntropy" else ("[147]", "[258]", "[369]")
        if n != 9:
            raise Wrong(f"on a board of order {n}; expected 9")
        yield "regex", {"pattern": holding(classes, 4), "lines": windows(n, "2x2")}

    read_GlobalMod = read_GlobalEntropy

    def read_EqualSum(self, _: str, arguments: Sequence[str]) -> Stated:
        """Yield segments of one sum as an arrow, a double arrow or a zipper; raises ``Wrong`` for other sizes."""
        segments = sorted(self.lines(arguments, "-"), key=len)
        first, *others = segments
        if len(first) == 1:
            yield "arrow", {"circle": first, "shafts": others}
        elif {*map(len, segments)} == {2}:
            yield "zipper", {"lines": [[a for a, _ in segments] + [b for _, b in reversed(segments)]]}
        elif len(first) == 2:
            yield "double-arrow", {"lines": [(first[0], *other, first[1]) for other in others]}
        else:
            raise Wrong("sums of three cells or more; expected one of one cell or of two")

    def read_LookAndSay(self, _: str, arguments: Sequence[str]) -> Stated:
        clue = arguments[0] if arguments else ""
        if not clue.isdecimal() or len(clue) % 2:
            raise Wrong(f"the clue {quote(clue)}; expected pairs of digits such as 12")
        yield "look-and-say", {"values": [*map(int, clue)], "cells": self.lines(arguments[1:])[0]}

    def read_Arrow(self, name: str, arguments: Sequence[str]) -> Stated:
        size = number_of(*arguments[:1] or [""]) if name == "PillArrow" else 1
        cells = tuple(map(self.cell, arguments[name == "PillArrow" :]))
        circle = tuple(sorted(cells[:size]))
        if (name == "PillArrow" and size not in (2, 3)) or not is_readable(circle, self.order) or size >= len(cells):
            raise Wrong(f"{len(cells)} cells, {size} of them the circle; expected one, or two or three that touch")
        yield "arrow", {"circle": circle, "shafts": (cells[size:],)}

    read_PillArrow = read_Arrow

    def read_SumLine(self, _: str, arguments: Sequence[str]) -> Stated | None:
        """Return the rule of a loop; ``None`` for any other line."""
        if arguments[-1:] != ["LOOP"]:
            return None
        return [("sum-loop", {"total": number_of(arguments[0]), "lines": self.lines(arguments[1:-1])})]


def _bytes(arguments: Sequence[str]) -> bytes:
    code = arguments[0] if arguments else ""
    try:
        return urlsafe_b64decode(code + "=" * (-len(code) % 4))
    except ValueError:
        raise Wrong(f"the code {quote(code)}; expected base 64") from None
