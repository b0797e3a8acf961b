"""Shared puzzles with a shading that the solver has to find, by further cells: one for each cell of the grid.

The further cell vs1 holds a 1 if r1c1 is shaded, mirrored or otherwise special, and a 2 if it is not. What depends on a
digit and on the shading of its cell is a machine that reads both, cell after cell.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from benchmarks.named_drawings.cells import any_of, items_of, names_of
from gridproof.formats import Puzzle
from gridproof.formats.drawn import groups_of

Steps = Callable[[Hashable], Iterable[tuple[int, Hashable]]]
"""The steps of a machine from a state: each digit with the state after it."""

NUMBERS = range(81)
ROWS = [range(9 * row, 9 * row + 9) for row in range(9)]
COLUMNS = [range(column, 81, 9) for column in range(9)]
BOXES = [[first + step for step in (0, 1, 2, 9, 10, 11, 18, 19, 20)] for first in (0, 3, 6, 27, 30, 33, 54, 57, 60)]
SHADING = " ".join(f"vs{number + 1}" for number in NUMBERS)
ONE_IN_EACH_HOUSE = "2*12*"

MOST_CASES = 4
"""Largest number of cells whose shadings are told apart case by case; with more, a machine reads them."""


def shade_names(numbers: Iterable[int]) -> str:
    return " ".join(f"vs{number + 1}" for number in numbers)


def cell_names(numbers: Iterable[int]) -> str:
    return " ".join(names_of(numbers))


def both_names(numbers: Iterable[int]) -> str:
    """Return each cell, followed by the further cell with its shading."""
    return " ".join(f"{cell_names([number])} {shade_names([number])}" for number in numbers)


def with_shading(rules: Iterable[str]) -> str:
    """Return the rule that there is a shading with some rules."""
    parts = [f"given 1 2 {SHADING}", *rules]
    return f"further-cells vs:9x9 {' '.join(f'[ {part} ]' for part in parts)}"


def in_lines(pattern: str, groups: Iterable[Iterable[int]]) -> str:
    """Return the rule that the shading of each group of cells matches a pattern."""
    return f"regex '{pattern}' {' / '.join(shade_names(group) for group in groups)}"


def yin_and_yang() -> Iterator[str]:
    """Yield that shaded and unshaded cells are two connected regions without a square of four in one of them."""
    yield f"connected 1 {SHADING}"
    yield f"connected 2 {SHADING}"
    squares = []
    for row, column in product(range(8), repeat=2):
        first = 9 * row + column
        squares.append((first, first + 1, first + 9, first + 10))
    yield in_lines(".*(12|21).*", squares)


# ---- machines --------------------------------------------------------------------------------------------------------


def write_machine(start: Hashable, steps: Steps, is_end: Callable[[Hashable], bool]) -> str:
    """Return the states of a machine that can be reached, as the rule ``state-machine`` takes them."""
    numbers = {start: 0}
    waiting = deque([start])
    states = []
    while waiting:
        state = waiting.popleft()
        words = ["start"] if state == start else []
        if is_end(state):
            words.append("end")
        for digit, after in steps(state):
            if after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
            words.append(f"{digit}>{numbers[after]}")
        states.append(" ".join(words))
    return "; ".join(states)


class Value(NamedTuple):
    """What a digit counts: a factor and what is added to it."""

    factor: int
    added: int = 0

    def of(self, digit: int) -> int:
        return self.factor * digit + self.added


def sum_of_values(total: int, numbers: Sequence[int], values: Mapping[int, Value]) -> str:
    """Return the rule that the values of some cells have a sum. values: by the shading of a cell."""
    if len(numbers) > MOST_CASES:
        return read_values(total, numbers, values)
    cases = []
    for shades in product(values, repeat=len(numbers)):
        of_shades = [f"[ given {shade} vs{number + 1} ]" for shade, number in zip(shades, numbers, strict=True)]
        rest = total - sum(values[shade].added for shade in shades)
        counted = [number for shade, number in zip(shades, numbers, strict=True) if values[shade].factor]
        factors = [str(values[shade].factor) for shade in shades if values[shade].factor]
        if counted:
            of_shades.append(f"[ linear-sum {rest} {' '.join(factors)} {cell_names(counted)} ]")
        if counted or not rest:
            cases.append(f"all-of {' '.join(of_shades)}")
    return any_of(cases)


def read_values(total: int, numbers: Sequence[int], values: Mapping[int, Value]) -> str:
    """Return the same for values of 0 or more as a machine."""

    def steps(state: Hashable) -> Iterator[tuple[int, Hashable]]:
        assert isinstance(state, tuple)
        so_far, digit = state
        if digit:
            for shade in (1, 2):
                after = so_far + values[shade].of(digit)
                if after <= total:
                    yield shade, (after, 0)
        else:
            for next_digit in range(1, 10):
                yield next_digit, (so_far, next_digit)

    machine = write_machine((0, 0), steps, lambda state: state == (total, 0))
    return f"state-machine '{machine}' {both_names(numbers)}"


# ---- puzzles ---------------------------------------------------------------------------------------------------------


def shaded_sums(puzzle: Puzzle) -> Iterator[str]:
    """Yield a shading in which the number of each circle is the sum of the shaded digits that it touches."""
    rules = list(yin_and_yang())
    for group in groups_of(puzzle):
        for mark in group.items:
            rules.append(sum_of_values(int(mark.text), mark.cells, {1: Value(1), 2: Value(0)}))
    yield with_shading(rules)


def half_and_double(puzzle: Puzzle) -> Iterator[str]:
    """Yield a shading in which shaded digits count half and others twice in cages. All is counted in halves."""
    rules = list(yin_and_yang())
    for cage in (*items_of(puzzle, "A"), *items_of(puzzle, "B")):
        whole, _, half = cage.text.partition(" ")
        total = 2 * int(whole) + (1 if half else 0)
        rules.append(f"killer {cell_names(cage.cells)}")
        rules.append(sum_of_values(total, cage.cells, {1: Value(1), 2: Value(4)}))
    yield with_shading(rules)


def signed_zippers(puzzle: Puzzle) -> Iterator[str]:
    """Yield a shading with zippers, on which digits that are not shaded count as negative numbers."""
    rules = list(yin_and_yang())
    rules.append(f"given 1 {shade_names(cell for item in items_of(puzzle, 'B') for cell in item.cells)}")
    for line in items_of(puzzle, "A"):
        middle = len(line.cells) // 2
        for distance in range(1, middle + 1):
            one, other = line.cells[middle - distance], line.cells[middle + distance]
            rules.append(signed_sum(one, other, line.cells[middle]))
    yield with_shading(rules)


def signed_sum(one: int, other: int, centre: int) -> str:
    """Return the rule that the values of two cells add up to that of a third one, case by case of their shading."""
    cases = []
    for first, second, third in product((1, 2), repeat=3):
        if one == other and first != second:
            continue
        shades = f"[ given {first} vs{one + 1} ] [ given {second} vs{other + 1} ] [ given {third} vs{centre + 1} ]"
        factors = f"{3 - 2 * first} {3 - 2 * second} {2 * third - 3}"
        cases.append(f"all-of {shades} [ linear-sum 0 {factors} {cell_names((one, other, centre))} ]")
    return any_of(cases)


def heyawake(puzzle: Puzzle) -> Iterator[str]:
    """Yield a shading without neighbours that leaves one region, with counts in boxes, and cages of what is left."""
    rules = [f"connected 2 {SHADING}"]
    neighbours = [(number, number + 1) for number in NUMBERS if number % 9 < 8]
    neighbours += [(number, number + 9) for number in NUMBERS if number < 72]
    rules.append(in_lines("12|21|22", neighbours))
    rules.append(in_lines("2*1.*", [line[2:7] for line in (*ROWS, *COLUMNS)]))
    for item in items_of(puzzle, "B"):
        (circle,) = item.cells
        box = BOXES[circle // 27 * 3 + circle % 9 // 3]
        cases = []
        for count in range(1, 10):
            cases.append(
                f"all-of [ given {count} {cell_names([circle])} ] [ {in_lines(f'(2*1){{{count}}}2*', [box])} ]"
            )
        rules.append(any_of(cases))
    for cage in items_of(puzzle, "A"):
        rules.append(f"killer {cell_names(cage.cells)}")
        rules.append(sum_of_values(int(cage.text), cage.cells, {1: Value(0), 2: Value(1)}))
    yield with_shading(rules)


def mirrored_digits(puzzle: Puzzle) -> Iterator[str]:
    """Yield the place of one mirrored digit in each house, each digit once; in cages it counts as ten less itself."""
    rules = [in_lines(ONE_IN_EACH_HOUSE, (*ROWS, *COLUMNS, *BOXES))]
    for digit in range(1, 10):
        places = (f"all-of [ given {digit} {cell_names([number])} ] [ given 1 vs{number + 1} ]" for number in NUMBERS)
        rules.append(any_of(places))
    for cage in items_of(puzzle, "A"):
        rules.append(f"killer {cell_names(cage.cells)}")
        rules.append(sum_of_values(int(cage.text), cage.cells, {1: Value(-1, 10), 2: Value(1)}))
    yield with_shading(rules)


FURTHER: dict[int, Callable[[Puzzle], Iterator[str]]] = {
    32: shaded_sums,
    171: signed_zippers,
    229: mirrored_digits,
    256: heyawake,
    262: half_and_double,
}
"""Rules of puzzles of SudokuPad, by the number of the row of the file."""

NAMED: dict[int, str] = {
    32: "-A; -B",
    171: "-A; -B; -C; -D",
    229: "-A",
    256: "-A; -B",
    262: "-A; -B",
}
"""What their drawings are named: most are part of the rules above."""
