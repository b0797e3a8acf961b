"""Lines whose cells are compared two by two: thermometers, whispers, palindromes, entropic and modular lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from gridproof.errors import InputError
from gridproof.puzzle.digits import Digit, Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Mark, Shape
from gridproof.rules.expressions import compile_comparison, explain_no_value
from gridproof.rules.foreign import FPuzzlesItem, IssItem
from gridproof.rules.pairs import Pair, PairsOnLines, all_pairs, consecutive, mirrored, near
from gridproof.rules.primitives import Cells, Different, Primitive
from gridproof.rules.rule import parameter

COMPARED = frozenset("abn")
"""The names that a comparison may have: the two digits, and the number of digits."""


class Thermometer(PairsOnLines):
    """Digits increase along a thermometer from its bulb on.

    Several lines may begin at one bulb. A thermometer of more cells than there are symbols has no solution.
    """

    lines: tuple[Cells, ...] = parameter("lines", "each line from its bulb on", once=True)

    kind = "thermometer"
    words = "the thermometer {lines} increases from its bulb"
    mark = Line((), "grey", "thick", bulb=True)
    example = "thermometer r1c1 r1c2 r2c2"
    aliases = ("thermo",)
    formats = (
        FPuzzlesItem(key="thermometer", fields={"lines": "lines"}),
        IssItem(type="Thermo", cells="lines"),
    )

    def allows(self, a: int, b: int, n: int) -> bool:
        return a < b


class SlowThermometer(PairsOnLines):
    """Digits increase or stay the same along a slow thermometer from its bulb on."""

    lines: tuple[Cells, ...] = parameter("lines", "each line from its bulb on", once=True)

    kind = "slow-thermometer"
    words = "the slow thermometer {lines} never decreases from its bulb"
    mark = Line((), "grey", "normal", bulb=True)
    example = "slow-thermometer r1c1 r1c2 r2c2"
    aliases = ("slow-thermo",)
    formats = (FPuzzlesItem(key="slowthermometer", is_drawn=False, fields={"lines": "lines"}),)

    def allows(self, a: int, b: int, n: int) -> bool:
        return a <= b


class Whispers(PairsOnLines):
    """Neighbours on a German whispers line differ by at least 5.

    With n digits the default is n / 2, rounded up (as in dclamage's solver; the Interactive Sudoku Solver takes 5
    always).
    """

    difference: int | None = parameter("number", "the least difference", None)

    kind = "whispers"
    words = "neighbours on the whispers line {lines} differ by at least {difference}"
    mark = Line((), "green", "thick")
    example = "whispers r1c1 r1c2 r2c2"
    aliases: ClassVar[tuple[str, ...]] = ("german-whispers",)
    formats = (
        FPuzzlesItem(key="whispers", is_drawn=False, fields={"lines": "lines", "difference": "value"}),
        IssItem(type="Whisper", arguments=("difference",), omitted=5, cells="lines"),
    )

    def usual_difference(self, n: int) -> int:
        """Return the least difference on a board of n digits if none is stated."""
        return (n + 1) // 2

    def least_difference(self, n: int) -> int:
        """Return the least difference on a board of n digits."""
        return self.usual_difference(n) if self.difference is None else self.difference

    def numbers(self, geometry: Geometry) -> dict[str, Any]:
        return {"difference": self.least_difference(geometry.symbol_count)}

    def allows(self, a: int, b: int, n: int) -> bool:
        return abs(a - b) >= self.least_difference(n)


class DutchWhispers(Whispers):
    """Neighbours on a Dutch whispers line differ by at least 4: one less than on a German one."""

    difference: int | None = parameter("number", "the least difference", None)

    kind = "dutch-whispers"
    words = "neighbours on the Dutch whispers line {lines} differ by at least {difference}"
    mark = Line((), "orange", "thick")
    example = "dutch-whispers r1c1 r1c2 r2c2"
    aliases: ClassVar[tuple[str, ...]] = ()
    formats = (
        FPuzzlesItem(key="whispers", is_drawn=False, is_read=False, fields={"lines": "lines", "difference": "value"}),
        IssItem(type="Whisper", is_read=False, arguments=("difference",), cells="lines"),
    )

    def usual_difference(self, n: int) -> int:
        return super().usual_difference(n) - 1


class Nabner(PairsOnLines):
    """No two digits of a nabner line are equal or consecutive, wherever they stand on it."""

    kind = "nabner"
    words = "no two digits of the nabner line {lines} are equal or consecutive"
    mark = Line((), "yellow", "thick")
    example = "nabner r1c1 r1c2 r2c2"
    formats = (FPuzzlesItem(key="nabner", is_drawn=False, fields={"lines": "lines"}),)

    def pairs_in(self, cells: Cells, geometry: Geometry) -> Iterable[Pair]:
        return all_pairs(cells, geometry)

    def allows(self, a: int, b: int, n: int) -> bool:
        return abs(a - b) >= 2


class Palindrome(PairsOnLines):
    """A palindrome reads the same from both ends. The middle cell of an odd number is free."""

    kind = "palindrome"
    words = "the palindrome {lines} reads the same from both ends"
    mark = Line((), "grey", "thick")
    example = "palindrome r1c1 r1c2 r2c3"
    formats = (
        FPuzzlesItem(key="palindrome", fields={"lines": "lines"}),
        IssItem(type="Palindrome", cells="lines"),
    )

    def pairs_in(self, cells: Cells, geometry: Geometry) -> Iterable[Pair]:
        return mirrored(cells, geometry)

    def allows(self, a: int, b: int, n: int) -> bool:
        return a == b


class Entropic(PairsOnLines):
    """Every three neighbours on an entropic line are one low, one middle and one high digit (1-3, 4-6, 7-9).

    Where n is not divisible by 3 the middle is larger by one (n = 4, 7, ...) or smaller by one (n = 5, 8, ...), as in
    dclamage's solver. On a line of two cells they differ.
    """

    kind = "entropic"
    words = "every three neighbours on the entropic line {lines} are low, middle and high"
    mark = Line((), "orange", "thick")
    example = "entropic r1c1 r1c2 r2c2"
    aliases = ("entropic-line",)
    formats = (
        FPuzzlesItem(key="entropicline", is_drawn=False, fields={"lines": "lines"}),
        IssItem(type="Entropic", cells="lines", order=9),
    )

    def pairs_in(self, cells: Cells, geometry: Geometry) -> Iterable[Pair]:
        return near(cells, geometry)

    def allows(self, a: int, b: int, n: int) -> bool:
        return third_of(a, n) != third_of(b, n)

    def pair_fits(self, a: Digit, b: Digit, digits: Digits) -> bool:
        # thirds of all digits, whatever the first one is
        return self.allows(digits.symbol(a), digits.symbol(b), len(digits))


class Modular(PairsOnLines):
    """Every three neighbours on a modular line have three different remainders when divided by 3.

    With another modulus m it is every m neighbours, and their remainders when divided by m; with 2, parity alternates.
    On a line of fewer cells all remainders differ.
    """

    modulus: int = parameter("number", "the number that digits are divided by", 3)

    kind = "modular"
    words = "every {modulus} neighbours on the modular line {lines} have different remainders by {modulus}"
    mark = Line((), "teal", "thick")
    example = "modular r1c1 r1c2 r2c2"
    aliases = ("modular-line",)
    formats = (
        FPuzzlesItem(key="modularline", is_drawn=False, fields={"lines": "lines"}),
        IssItem(type="Modular", arguments=("modulus",), cells="lines"),
    )

    def __post_init__(self) -> None:
        if self.modulus < 1:
            raise InputError(f"the modulus {self.modulus}; expected 1 or more")

    def pairs_in(self, cells: Cells, geometry: Geometry) -> Iterable[Pair]:
        return combinations_within(cells, self.modulus)

    def allows(self, a: int, b: int, n: int) -> bool:
        return a % self.modulus != b % self.modulus


class ParityLine(PairsOnLines):
    """Even and odd digits alternate along a parity line."""

    kind = "parity-line"
    words = "even and odd digits alternate along {lines}"
    mark = Line((), "red", "normal")
    example = "parity-line r1c1 r1c2 r2c2"
    aliases = ("parity",)
    formats = (IssItem(type="Modular", is_read=False, arguments=(2,), cells="lines"),)

    def allows(self, a: int, b: int, n: int) -> bool:
        return a % 2 != b % 2


class Clone(PairsOnLines):
    """Two groups of cells hold the same digits in the same order. A cell that is compared with itself has no effect."""

    lines: tuple[Cells, ...] = parameter("lines", "the two groups")

    kind = "clone"
    words = "{lines} hold the same digits in the same order"
    example = "clone r1c1 r1c2 / r3c3 r3c4"
    formats = (
        FPuzzlesItem(key="clone", fields={"lines": ("cells", "cloneCells")}),
        IssItem(type="Palindrome", is_read=False, pairs=True, apart=True),
    )

    def __post_init__(self) -> None:
        lengths = [len(line) for line in self.lines]
        if len(lengths) != 2 or lengths[0] != lengths[1]:
            given = " and ".join(str(length) for length in lengths)
            raise InputError(f"groups of {given} cells; expected two groups of as many cells each")

    def find_pairs(self, geometry: Geometry) -> Iterator[Pair]:
        first_group, second_group = self.lines
        for first, second in zip(first_group, second_group, strict=True):
            if first != second:
                yield first, second

    def allows(self, a: int, b: int, n: int) -> bool:
        return a == b

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Shape(line, "shade", colour="grey") for line in self.lines]


class PairComparison(PairsOnLines):
    """A comparison of your own holds for pairs of cells along a line, such as ``abs(a-b)>2``.

    a and b are the digits of a pair, n is the number of digits. The pairs are ``consecutive`` cells of each line, or
    ``all`` pairs of cells on it.
    """

    allow: str = parameter("text", "the comparison of a and b")
    pairs: str = parameter("text", "consecutive or all", "consecutive")
    lines: tuple[Cells, ...] = parameter("lines", "each line of cells, with both ends")

    kind = "relation"
    words = "{allow} holds for {pairs} pairs (a, b) of {lines}"
    mark = Line((), "teal", "thin")
    example = "relation a!=b r1c1 r2c2"

    def __post_init__(self) -> None:
        if self.pairs not in ("consecutive", "all"):
            raise InputError(f"pairs = {self.pairs!r}; expected consecutive or all")
        try:
            compile_comparison(self.allow, COMPARED)
        except ValueError as problem:
            raise InputError(str(problem)) from None

    def pairs_in(self, cells: Cells, geometry: Geometry) -> Iterable[Pair]:
        if self.pairs == "all":
            return all_pairs(cells, geometry)
        return consecutive(cells, geometry)

    def allows(self, a: int, b: int, n: int) -> bool:
        return bool(compile_comparison(self.allow, COMPARED)(a=a, b=b, n=n))

    def invalid_reason(self, geometry: Geometry) -> str | None:
        return super().invalid_reason(geometry) or explain_no_value(self.allow, self.pair_fits, geometry.digits)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        if self.pairs == "all" and self.allow == "a != b":
            return [Different(line) for line in self.lines]
        return super().expand(geometry)


def combinations_within(cells: Cells, size: int) -> Iterator[Pair]:
    """Yield the pairs of cells that stand in some run of so many neighbours, the nearest cells first."""
    for distance in range(1, min(size, len(cells))):
        yield from zip(cells, cells[distance:], strict=False)


def third_of(digit: int, n: int) -> int:
    """Return 0 for a low digit, 1 for one in the middle, and 2 for a high one."""
    third = (n + 1) // 3
    if digit <= third:
        return 0
    return 2 if digit > n - third else 1
