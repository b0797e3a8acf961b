"""The kinds of rules that drawings of shared f-puzzles are, as somebody has read their words; see ``sudokupad``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product

from benchmarks.named_drawings.cells import (
    BESIDE,
    any_of,
    cages_of,
    cells_in,
    greatest,
    lines_of,
    pairs_at,
    write_lines,
)
from gridproof.formats import Puzzle
from gridproof.formats.drawn import groups_of

INVERTED = any_of(f"all-of [ killer #+{2 * m} @ ] [ regex {greatest(m)} @ ]" for m in range(1, 10))
BEFORE_NINE = any_of(f"all-of [ given 9 @{p} ] [ killer # @1-{p - 1} repeats ]" for p in range(2, 10))
ANTI_PALINDROME = "all-of " + " ".join(f"[ xv 10 @{place} @-{place} ]" for place in range(1, 13))
LIKE = "'[13][13]|[24][24]|[579][579]|[68][68]'"
WEAK_PALINDROME = "all-of " + " ".join(f"[ regex {LIKE} @{place} @-{place} ]" for place in range(1, 10))

NAMED: dict[int, str] = {
    25: "A = renban",
    26: "A = given 2 3 5 7 @; B = given 2 4 8 @; -prime; -poweroftwo",
    31: "A = whispers 2; B = whispers 4; C = whispers 5; D = whispers 6; E = whispers 7; F = whispers 3",
    32: "A = counting-circles",
    35: "A = sum-line",
    39: "",
    56: "A = skyscraper",
    59: "A = relation 'a + b == 13 or a + b == 14'; B = any-of [ killer 13 @ ] [ killer 14 @ ]",
    28: "-A",
    42: "-A; +disjoint-groups",
    43: "A = any-of [ regex 334554321123322 @ ] [ regex 223321123455433 @ ]; "
    "B = any-of [ regex 334554321123211 @ ] [ regex 112321123455433 @ ]",
    49: "-A; -B; -C; -D; -E; -F; -G; H = killer; -I",
    60: "A = regex '[1357]{2}.*' @; B = regex '[2468]{2}.*' @; C = regex '[1-4]{2}.*' @; D = regex '[5-8]{2}.*' @",
    64: "",
    80: "",
    81: "",
    134: "-A",
    67: f"A = {BEFORE_NINE}",
    72: f"+relation 'a % 2 == 1 or b % 2 == 1' {write_lines(pairs_at(BESIDE))}",
    73: "A = region-sum",
    74: "A = relation 'a * b // 10 == #' @",
    77: "A = relation 'abs(a - b) > 1' @",
    86: "A = quadruple # @",
    87: "A = any-of [ killer #+1 @ ] [ killer #-1 @ ]",
    88: "A = renban",
    95: "A = xv",
    96: "A = quadruple # @1 @2 @3",
    102: f"A = whispers; B = ratio; +relation 'a % 2 == 1 or b % 2 == 1' {write_lines(pairs_at(BESIDE, within=3))}",
    103: "A = zipper",
    104: f"A = {any_of(f'sum-line {total} @' for total in range(1, 25))}; B = diagonal; C = killer",
    105: "A = relation 'a % b == 0 or b % a == 0'; B = thermometer",
    108: "A = all-of [ whispers @ ] [ palindrome @ ]",
    115: "A = dutch-whispers",
    116: "A = same-difference",
    122: f"A = {INVERTED}; B = {INVERTED}",
    124: "A = sum-line",
    126: f"A = {any_of(f'killer {total} @ repeats' for total in range(3, 82, 3))}",
    127: "A = whispers; B = region-sum",
    129: "A = counting-circles",
    131: "A = any-of [ inequality @ ] [ xv 5 @ ]",
    132: "A = region-sum; -B; -C; -regionsum",
    138: "A B = nabner",
    141: "A = whispers; B = renban; C = whispers; -D",
    146: "A = renban",
    147: "A = any-of [ xv 10 @ ] [ xv 5 @ ]",
    149: "+column-indexer column1 column5 column9",
    151: "A = whispers; B = inequality",
    160: f"A = {ANTI_PALINDROME}; B = relation 'abs(a - b) == 2 or abs(a - b) == 7'; C = {WEAK_PALINDROME}; -D; -E",
}
"""By the number of a row of the file, from 0."""


def slanted_sums(puzzle: Puzzle) -> Iterator[str]:
    """The number in a cell is the sum of one of its diagonals."""
    for group in groups_of(puzzle):
        for item in group.items:
            row, column = divmod(item.cells[0], 9)
            ways = []
            for sign in (1, -1):
                steps = [(row + step, column + sign * step) for step in range(-8, 9)]
                cells = [f"r{r + 1}c{c + 1}" for r, c in steps if 0 <= r < 9 and 0 <= c < 9]
                ways.append(f"killer {item.text} {' '.join(cells)} repeats")
            yield any_of(ways)


def is_set(triple: tuple[int, ...]) -> bool:
    thirds = {(digit - 1) // 3 for digit in triple}
    rests = {digit % 3 for digit in triple}
    return len(thirds) != 2 and len(rests) != 2


def sets_in_boxes(puzzle: Puzzle) -> Iterator[str]:
    """The rows and columns of each box are alike or all different in thirds and in rests."""
    texts = ["".join(map(str, triple)) for triple in permutations(range(1, 10), 3) if is_set(triple)]
    parts = ["|".join(texts[start : start + 100]) for start in range(0, len(texts), 100)]
    lines = []
    for first, start in product(range(1, 10), (1, 4, 7)):
        lines.append([(first, start + step) for step in range(3)])
        lines.append([(start + step, first) for step in range(3)])
    for line in lines:
        yield any_of(f"regex '{part}' {write_lines([line])}" for part in parts)


def numbers_on_lines(puzzle: Puzzle) -> Iterator[str]:
    """The number at a corner is the sum of the line that crosses it."""
    marks = {}
    for group in groups_of(puzzle):
        if group.look.form == "corner":
            for item in group.items:
                marks[frozenset(item.cells)] = item.text
    for group in groups_of(puzzle):
        for item in group.items if group.look.form == "plain" else ():
            for corner, text in marks.items():
                if set(item.cells[:2]) <= corner:
                    names = " ".join(puzzle.board.geometry.cell_name(cell) for cell in item.cells)
                    yield f"killer {text} {names}"


def dominoes_of_seven(puzzle: Puzzle) -> Iterator[str]:
    yield "negative-xv 7 " + " / ".join(cells_in(puzzle, cage) for cage in cages_of(puzzle) if len(cage.cells) == 2)


def sums_within_boxes(puzzle: Puzzle) -> Iterator[str]:
    boxes: dict[int, list[str]] = {}
    for cage in cages_of(puzzle):
        row, column = divmod(cage.cells[0], 9)
        boxes.setdefault(row // 3 * 3 + column // 3, []).append(cells_in(puzzle, cage))
    for cages in boxes.values():
        if len(cages) > 1:
            yield f"equal-sums {' / '.join(cages)}"
    for one, other in combinations(boxes.values(), 2):
        yield f"none-of [ equal-sums {one[0]} / {other[0]} ]"


def three_in_a_row(puzzle: Puzzle) -> Iterator[str]:
    """Each digit stands three times in a row along a diagonal."""
    triples = []
    for row, column, sign in product(range(1, 8), range(1, 10), (1, -1)):
        if 1 <= column + 2 * sign <= 9:
            triples.append(write_lines([[(row + step, column + sign * step) for step in range(3)]]))
    for digit in range(1, 10):
        yield any_of(f"given {digit} {triple}" for triple in triples)


def five_on_average(puzzle: Puzzle) -> Iterator[str]:
    for line in lines_of(puzzle, "A"):
        yield f"killer {5 * len(line.split())} {line} repeats"


def own_differences(puzzle: Puzzle) -> Iterator[str]:
    for one, other in combinations(lines_of(puzzle, "A"), 2):
        a, b = " ".join(one.split()[:2]), " ".join(other.split()[:2])
        for difference in range(9):
            allowed = f"relation 'abs(a - b) == {difference}'"
            yield f"none-of [ all-of [ {allowed} {a} ] [ {allowed} {b} ] ]"


def different_differences(puzzle: Puzzle) -> Iterator[str]:
    """No two pairs of neighbours on a line have the same difference."""
    for line in lines_of(puzzle, "A"):
        cells = line.split()
        pairs = [" ".join(cells[place : place + 2]) for place in range(len(cells) - 1)]
        for one, other in combinations(pairs, 2):
            for difference in range(9):
                allowed = f"relation 'abs(a - b) == {difference}'"
                yield f"none-of [ all-of [ {allowed} {one} ] [ {allowed} {other} ] ]"


FURTHER: dict[int, Callable[[Puzzle], Iterator[str]]] = {
    28: slanted_sums,
    42: sets_in_boxes,
    49: numbers_on_lines,
    64: dominoes_of_seven,
    80: sums_within_boxes,
    81: three_in_a_row,
    116: own_differences,
    134: different_differences,
    151: five_on_average,
}
"""Rules about several drawings of an f-puzzles puzzle at once."""
