"""Items of the Interactive Sudoku Solver whose rules are stated otherwise here: tables of pairs, machines, sums."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import groupby, product
from typing import Any, NamedTuple

from gridproof.formats.known.iss.names import (
    cell_of,
    first_of,
    is_readable_pill,
    names_of_further,
    number_of,
    read_bits,
)
from gridproof.formats.programs import ProgramReader, UnreadItem
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.expressions import compile_comparison
from gridproof.rules.patterns import holding, windows
from gridproof.text import counted, quote


class StatedRule(NamedTuple):
    """A rule that an item states: the name of its kind, and its parameters that are no defaults."""

    kind: str
    terms: dict[str, Any]


_CLASSES = {
    "GlobalEntropy": ("[1-3]", "[4-6]", "[7-9]"),
    "GlobalMod": ("[147]", "[258]", "[369]"),
}
"""The classes of digits of which each square of four cells holds all, by the type of the item."""

_SWAPPED_DIGITS = str.maketrans("-_", "_-")
_COMPARISONS = (
    "a < b",
    "a > b",
    "a == b",
    "a != b",
    "abs(a - b) >= {k}",
    "abs(a - b) < {k}",
    "abs(a - b) == {k}",
    "a + b == {k}",
    "a + b != {k}",
    "(a - b) % {k} == 0",
    "(a - b) % {k} != 0",
    "max(a, b) == {k} * min(a, b)",
)
"""The comparisons by which people state a table of pairs; any other table is stated as the pairs themselves."""


class _Bits:
    """Bits of a code, from which numbers are taken one after the other."""

    def __init__(self, code: bytes) -> None:
        self.bits = "".join(f"{byte:08b}" for byte in code)
        self.place = 0

    @property
    def left(self) -> int:
        """The number of bits that are not taken."""
        return len(self.bits) - self.place

    def number(self, size: int) -> int:
        """Take a number of so many bits. Raises ``UnreadItem``."""
        if size > self.left:
            raise UnreadItem("a machine whose code is cut short")
        digits = self.bits[self.place : self.place + size]
        self.place += size
        return int(digits or "0", 2)


class CodedItems(ProgramReader):
    """A reader of such items on a board: ``read_`` and the type of an item is its method."""

    shape: Geometry
    digits: Digits

    def cell(self, name: str) -> int:
        """Return the number of a cell. Raises ``UnreadItem``."""
        return cell_of(name, self.shape)

    def cells(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return the numbers of cells. Raises ``UnreadItem``."""
        return tuple(self.cell(name) for name in names)

    def lines(self, names: Sequence[str], gap: str = "") -> tuple[tuple[int, ...], ...]:
        """Return the cells of each line; lines are parted by a gap, or by the name of the next ones."""
        lines = []
        for is_between, part in groupby(names, key=lambda name: name == gap or name.startswith("_")):
            if not is_between:
                lines.append(self.cells(list(part)))
        if not lines:
            raise UnreadItem("no cells; expected some")
        return tuple(lines)

    # ---- tables of pairs ---------------------------------------------------------------------------------------------

    def read_Pair(self, name: str, arguments: Sequence[str]) -> list[StatedRule]:
        """Return the rule of a table of pairs: a bit for each, the first in the lowest of the first six."""
        n = len(self.digits)
        key = first_of(arguments)
        if name.startswith("Binary"):
            key = key.translate(_SWAPPED_DIGITS)
        bits = read_bits(key)
        allowed: set[tuple[int, int]] = set()
        for place, pair in enumerate(product(self.digits, self.digits)):
            if bits >> place & 1:
                allowed.add(pair)
        is_for_all = name.endswith("X")
        is_symmetric = all((b, a) in allowed for a, b in allowed)
        if bits >> n * n or (is_for_all and not is_symmetric):
            raise UnreadItem(f"the table {quote(key)}; expected {n}x{n} pairs, for {name} in either order alike")
        terms = {
            "allow": find_comparison(allowed, self.digits),
            "pairs": "all" if is_for_all else "consecutive",
            "lines": self.lines(arguments[1:]),
        }
        return [StatedRule("relation", terms)]

    read_PairX = read_Binary = read_BinaryX = read_Pair

    # ---- machines ----------------------------------------------------------------------------------------------------

    def read_Regex(self, _: str, arguments: Sequence[str]) -> list[StatedRule]:
        pattern = "".join(_decode(arguments).decode("latin-1").split())
        return [StatedRule("regex", {"pattern": pattern, "lines": self.lines(arguments[1:])})]

    def read_NFA(self, _: str, arguments: Sequence[str]) -> list[StatedRule]:
        """Return the rule of a machine in bits: a head, then the steps from each state, counted or by a mask."""
        bits = _Bits(_decode(arguments))
        is_masked = bits.number(2)
        state_size = bits.number(4) + 1
        symbols = bits.number(4) + 1
        starts = bits.number(state_size)
        ends = bits.number(state_size)
        accepting_starts = bits.number(starts)
        if is_masked:
            count_size = 0
            head_size = symbols
        else:
            count_size = bits.number(4)
            head_size = count_size
        symbol_size = (symbols - 1).bit_length()
        states: list[str] = []
        while head_size and bits.left >= head_size:
            steps = []
            if is_masked:
                symbol_mask = bits.number(symbols)
                for symbol in range(1, symbols + 1):
                    if symbol_mask >> (symbol - 1) & 1:
                        after = bits.number(state_size)
                        steps.append(f"{self.digits.digit(symbol)}>{after}")
            else:
                for _step in range(bits.number(count_size)):
                    symbol = bits.number(symbol_size) + 1
                    steps.append(f"{self.digits.digit(symbol)}>{bits.number(state_size)}")
            here = len(states)
            words = []
            if here < starts:
                words.append("start")
                is_end = accepting_starts >> here & 1 > 0
            else:
                is_end = here < starts + ends
            if is_end:
                words.append("end")
            states.append(" ".join(words + steps))
        return [StatedRule("state-machine", {"states": "; ".join(states), "lines": self.lines(arguments[1:])})]

    def read_GlobalEntropy(self, name: str, _: Sequence[str]) -> list[StatedRule]:
        """Return the rule that each square of four cells holds digits of all three classes."""
        lines = windows(self.shape.shape, "2x2")
        return [StatedRule("regex", {"pattern": holding(_CLASSES[name], 4), "lines": lines})]

    read_GlobalMod = read_GlobalEntropy

    # ---- sums and clues ----------------------------------------------------------------------------------------------

    def read_EqualSum(self, _: str, arguments: Sequence[str]) -> list[StatedRule]:
        return [StatedRule("equal-sums", {"lines": self.lines(arguments, "-")})]

    def read_Sum(self, _: str, arguments: Sequence[str]) -> list[StatedRule] | None:
        """Return the rule of a sum with factors, ``0_=_1_1_-2``; ``None`` for any other sum."""
        total, is_weighted, factors = first_of(arguments).partition("_=_")
        if not is_weighted:
            return None
        numbers = tuple([number_of(factor) for factor in factors.split("_")])
        if max(numbers) > 100 or min(numbers) < -100:
            raise UnreadItem(f"the factors {quote(factors)}; expected numbers from -100 to 100")
        terms = {"total": number_of(total), "factors": numbers, "cells": self.cells(arguments[1:])}
        return [StatedRule("linear-sum", terms)]

    def read_SameValues(self, _: str, arguments: Sequence[str]) -> list[StatedRule]:
        """Return the rule of so many groups of as many cells each, one group after the other."""
        number = number_of(first_of(arguments))
        cells = self.cells(arguments[1:])
        if number < 1 or not cells or len(cells) % number:
            raise UnreadItem(f"{number} groups of {len(cells)} cells; expected as many cells in each")
        size = len(cells) // number
        groups = [cells[start : start + size] for start in range(0, len(cells), size)]
        return [StatedRule("same-values", {"lines": tuple(groups)})]

    def read_CountDistinct(self, _: str, arguments: Sequence[str]) -> list[StatedRule]:
        cells = self.cells(arguments)
        if len(cells) < 2:
            raise UnreadItem(f"{counted(len(cells), 'cell')}; expected one that counts, and some that are counted")
        return [StatedRule("count-distinct", {"circle": cells[:1], "cells": cells[1:]})]

    def read_ConnectedValues(self, _: str, arguments: Sequence[str]) -> list[StatedRule]:
        """Return the rule of one region of the cells with some values, of the grid or a group of further cells."""
        stated = [*arguments, "", "", ""]
        group = stated[0]
        values = stated[1]
        size = stated[2]
        terms: dict[str, Any] = {"values": tuple([number_of(value) for value in values.split("_")])}
        if not all(value in self.digits for value in terms["values"]) or len(arguments) > 3:
            raise UnreadItem(f"{quote('~'.join(arguments))}; expected a group, values of the board and a size")
        if size:
            terms["size"] = number_of(size)
            if terms["size"] < 1:
                raise UnreadItem(f"the size {quote(size)}; expected a number from 1 on")
        if group:
            further = names_of_further(self.shape)
            terms["cells"] = tuple([further[name] for name in further if name.rstrip("0123456789") == group])
            if not terms["cells"]:
                raise UnreadItem(f"{quote(group)} is no group of further cells")
        return [StatedRule("connected", terms)]

    def read_ContainExact(self, _: str, arguments: Sequence[str]) -> list[StatedRule]:
        """Return the rule that each value stands in the cells exactly as often as it is listed."""
        counts = Counter([number_of(value) for value in first_of(arguments).split("_")])
        values: list[int] = []
        for value, times in counts.items():
            values += [times, value]
        return [StatedRule("look-and-say", {"values": tuple(values), "cells": self.lines(arguments[1:])[0]})]

    def read_LookAndSay(self, _: str, arguments: Sequence[str]) -> list[StatedRule]:
        """Return the rule of a cage that holds so many of each digit: ``1324`` is one 3 and two 4s."""
        clue = first_of(arguments)
        if not clue.isascii() or not clue.isdecimal() or len(clue) % 2:
            raise UnreadItem(f"the clue {quote(clue)}; expected pairs of digits such as 12")
        values = tuple(int(digit) for digit in clue)
        if len(set(values[1::2])) < len(values[1::2]):
            raise UnreadItem(f"the clue {quote(clue)} counts a digit twice, which the solver refuses")
        return [StatedRule("look-and-say", {"values": values, "cells": self.lines(arguments[1:])[0]})]

    def read_Arrow(self, name: str, arguments: Sequence[str]) -> list[StatedRule]:
        size = 1
        names = arguments
        if name == "PillArrow":
            size = number_of(first_of(arguments))
            names = arguments[1:]
        cells = self.cells(names)
        circle = tuple(sorted(cells[:size]))
        is_pill = name == "PillArrow"
        if (is_pill and size not in (2, 3)) or not is_readable_pill(circle, self.shape.columns) or size >= len(cells):
            expected = "expected one, or two or three that touch"
            raise UnreadItem(f"{len(cells)} cells, {size} of them the circle; {expected}")
        return [StatedRule("arrow", {"circle": circle, "shafts": (cells[size:],)})]

    read_PillArrow = read_Arrow

    def read_SumLine(self, _: str, arguments: Sequence[str]) -> list[StatedRule] | None:
        """Return the rule of a loop; ``None`` for any other line."""
        if arguments[-1:] != ["LOOP"]:
            return None
        return [StatedRule("sum-loop", {"total": number_of(arguments[0]), "lines": self.lines(arguments[1:-1])})]


def _list_pairs(pairs: set[tuple[int, int]]) -> str:
    """Return pairs as a tuple of numbers, the first symbol in the hundreds; one that no pair has if there are none."""
    codes = sorted(100 * a + b for a, b in pairs)
    words = ", ".join(str(code) for code in codes or [0])
    return f"({words},)"


def _decode(arguments: Sequence[str]) -> bytes:
    code = first_of(arguments)
    try:
        return urlsafe_b64decode(code + "=" * (-len(code) % 4))
    except ValueError:
        raise UnreadItem(f"the code {quote(code)}; expected base 64") from None


@cache
def _comparisons_by_pairs(digits: Digits) -> dict[frozenset[tuple[int, int]], str]:
    """Return the first comparison that holds for exactly the pairs of each set."""
    texts: dict[frozenset[tuple[int, int]], str] = {}
    for comparison in _COMPARISONS:
        for k in range(1, 2 * digits.last + 1):
            text = comparison.format(k=k)
            holds = compile_comparison(text, frozenset("ab"))
            pairs = frozenset([(a, b) for a, b in product(digits, digits) if holds(a=a, b=b)])
            texts.setdefault(pairs, text)
    return texts


def find_comparison(allowed: set[tuple[int, int]], digits: Digits) -> str:
    """Return the comparison that holds for these pairs."""
    text = _comparisons_by_pairs(digits).get(frozenset(allowed))
    if text is not None:
        return text
    pairs: Iterable[tuple[int, int]] = product(digits, digits)
    forbidden = set(pairs) - allowed
    if len(allowed) <= len(forbidden):
        return f"100 * a + b in {_list_pairs(allowed)}"
    return f"100 * a + b not in {_list_pairs(forbidden)}"
