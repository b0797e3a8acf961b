"""The kinds of rules that drawings of shared puzzles are, as somebody has read their words: once, as data.

``A = whispers`` reads the drawings of a letter, ``-B`` ignores them, and ``+anti-knight`` adds a rule of the whole
board that stands in the words only. A few whole-board rules are written out by the functions below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise, permutations, product
from math import floor

from gridproof.formats import Puzzle
from gridproof.formats.drawn import groups_of
from gridproof.formats.drawn.items import DrawnItem
from gridproof.rules.kinds.killer import Killer

Cell = tuple[int, int]
"""A row and a column, from 1."""


def name_of(cell: Cell) -> str:
    return f"r{cell[0]}c{cell[1]}"


def names_of(cells: Iterable[int]) -> list[str]:
    """Return the names of cells of a 9x9 by their numbers from 0."""
    return [name_of((cell // 9 + 1, cell % 9 + 1)) for cell in cells]


def items_of(puzzle: Puzzle, letter: str) -> Sequence[DrawnItem]:
    """Return the drawings of a letter."""
    groups = {group.letter: group for group in groups_of(puzzle)}
    return groups[letter].items


def write_lines(lines: Iterable[Iterable[Cell]]) -> str:
    """Return lines of cells as a rule takes them."""
    return " / ".join(" ".join(name_of(cell) for cell in line) for line in lines)


def pairs_at(offsets: Iterable[Cell], n: int = 9, within: int = 0) -> Iterator[list[Cell]]:
    """Yield the pairs of cells that are an offset apart. within: only those inside a box of so many rows."""
    for row, column in product(range(1, n + 1), repeat=2):
        for down, right in offsets:
            other = (row + down, column + right)
            if not (1 <= other[0] <= n and 1 <= other[1] <= n):
                continue
            if within and (row - 1) // within != (other[0] - 1) // within:
                continue
            if within and (column - 1) // within != (other[1] - 1) // within:
                continue
            yield [(row, column), other]


def windows(size: int, n: int = 9) -> Iterator[list[Cell]]:
    """Yield each run of so many neighbours in a row or a column."""
    for first, start in product(range(1, n + 1), range(1, n - size + 2)):
        yield [(first, start + step) for step in range(size)]
        yield [(start + step, first) for step in range(size)]


def squares(n: int = 9) -> Iterator[list[Cell]]:
    """Yield the four cells of each square of two rows and columns."""
    for row, column in product(range(1, n), repeat=2):
        yield [(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)]


BESIDE = [(0, 1), (1, 0)]
SLANTED = [(1, 1), (1, -1)]
RISING = [(1, -1)]
KNIGHTS = [(1, 2), (2, 1), (1, -2), (2, -1)]
MIXED = "'[13579]+[2468].*|[2468]+[13579].*'"
MAGIC = "+equal-sums r4c4-r4c6 / r5c4-r5c6 / r6c4-r6c6 / r4c4 r5c4 r6c4 / r4c5 r5c5 r6c5 / r4c6 r5c6 r6c6 / "
MAGIC += "r4c4 r5c5 r6c6 / r4c6 r5c5 r6c4"


def any_of(rules: Iterable[str]) -> str:
    return "any-of " + " ".join(f"[ {rule} ]" for rule in rules)


def greatest(digit: int) -> str:
    """Return the pattern of a line whose greatest digit is this one."""
    return f"[1-{digit}]*{digit}[1-{digit}]*"


def all_distinct_sets() -> str:
    return any_of(f"regex [{''.join(map(str, four))}]* @" for four in combinations(range(1, 10), 4))


def quincunxes() -> Iterator[str]:
    for row, column in product((1, 4, 7), repeat=2):
        cells = [(row, column), (row, column + 2), (row + 1, column + 1), (row + 2, column), (row + 2, column + 2)]
        yield "+" + any_of(f"killer {total} {write_lines([cells])} repeats" for total in range(15, 40, 5))


def opposite_cells() -> Iterator[list[Cell]]:
    for number in range(40):
        row, column = divmod(number, 9)
        yield [(row + 1, column + 1), (9 - row, 9 - column)]


def turned_cells() -> Iterator[list[Cell]]:
    for row, column in product(range(1, 10), repeat=2):
        yield [(row, column), (column, 10 - row)]


KNIGHT = "+anti-knight"
RESIDUES = [f"+regex .*[{group}].* {write_lines(squares())}" for group in ("147", "258", "369")]
UP_TO_NINE = range(1, 10)
SQUARE_SUM = any_of(f"all-of [ killer {m * m} @ repeats ] [ regex {greatest(m)} @ ]" for m in range(2, 10))
DOUBLE_SUM = any_of(f"all-of [ killer {2 * m} @ repeats ] [ regex {greatest(m)} @ ]" for m in range(2, 10))
INVERTED = any_of(f"all-of [ killer #+{2 * m} @ ] [ regex {greatest(m)} @ ]" for m in range(1, 10))
LOOK_AND_SAY = any_of(
    f"all-of [ killer {10 * a + b} @ repeats ] [ regex '([^{b}]*{b}){{{a}}}[^{b}]*' @ ]"
    for a in range(1, 5)
    for b in range(1, 10)
)
THREES = any_of(f"killer {total} @" for total in (3, 13, 23, *range(30, 40), 43))
BEFORE_NINE = any_of(f"all-of [ given 9 @{p} ] [ killer # @1-{p - 1} repeats ]" for p in range(2, 10))
ENDS_COUNT = "all-of [ count-distinct @1 / @ ] [ same-values @1 / @-1 ]"

ANTI_PALINDROME = "all-of " + " ".join(f"[ xv 10 @{place} @-{place} ]" for place in range(1, 13))
LIKE = "'[13][13]|[24][24]|[579][579]|[68][68]'"
WEAK_PALINDROME = "all-of " + " ".join(f"[ regex {LIKE} @{place} @-{place} ]" for place in range(1, 10))
NEARLY = any_of(
    f"all-of [ given {d} @1 ] [ any-of [ killer {d - 1} @3- repeats ] [ killer {d + 1} @3- repeats ] ]"
    for d in range(1, 10)
)
ALL_SLANTED = [(step, sign * step) for step in range(1, 9) for sign in (1, -1)]
BETWEEN_BOXES = [pair for pair in pairs_at(BESIDE) if pair not in list(pairs_at(BESIDE, within=3))]
CENTRES = [f"+given {' '.join(map(str, range(1, box + 2)))} r{box // 3 * 3 + 2}c{box % 3 * 3 + 2}" for box in range(9)]
CHESS = "'[13579][2468][2468][13579]|[2468][13579][13579][2468]'"
ODD, EVEN = "[13579]", "[2468]"
NO_CHESS = "|".join(
    "".join(pattern)
    for pattern in product((ODD, EVEN), repeat=4)
    if pattern not in ((ODD, EVEN, EVEN, ODD), (EVEN, ODD, ODD, EVEN))
)
MARKED = [(1, 1), (1, 8), (8, 8), (8, 1), (6, 3), (3, 3), (3, 6), (6, 6)]

UNMARKED = [square for square in squares() if square[0] not in MARKED]


def same_in_rows(n: int) -> str:
    return "+same-values " + " / ".join(f"row{row}" for row in range(1, n + 1))


def own_differences_of_four() -> str:
    """Return the words of four digits up to 4 in which each difference of neighbours occurs as often as it is large."""
    words = []
    for word in product(range(1, 5), repeat=4):
        differences = sorted(abs(a - b) for a, b in pairwise(word))
        if differences in ([1, 2, 2], [3, 3, 3]):
            words.append("".join(str(digit) for digit in word))
    return "|".join(words)


SUDOKUPAD: dict[int, str] = {
    0: "-A; -B; -C; -E; D = ratio; +negative-ratio",
    1: "A = thermometer",
    3: "A = whispers",
    6: f"A = odd; -B; {MAGIC}; +relation 'abs(a - b) >= 2' {write_lines(pairs_at(RISING))}",
    11: f"+regex {MIXED} {write_lines(squares())}",
    14: "A = slow-thermometer",
    15: f"A = thermometer; +regex {MIXED} {write_lines(windows(3, 6))}",
    20: "A = all-of [ sandwich # @ ] [ x-sum # @ ]; B = odd",
    22: f"A = whispers; B = dutch-whispers; C = arrow; E = difference; F = odd; {'; '.join(quincunxes())}",
    23: f"+regex {MIXED} {write_lines(windows(3))}",
    24: "",
    29: "A = thermometer; B = whispers; C = difference",
    31: "A = thermometer; B = whispers",
    33: "A = whispers; B = diagonal",
    34: "A = any-of [ killer # @ ] [ all-of [ killer @ ] [ product-cage # @ ] ]",
    35: "A = region-sum; -B",
    38: "-A; B = quadruple # @",
    41: f"A = regex '131|313|242|424'; B = regex '{own_differences_of_four()}'; C = ratio 2",
    50: "-A; -B; C = even",
    51: "",
    67: "",
    77: "A = killer repeats",
    133: f"A = {any_of(f'all-of [ given {d} @1 ] [ killer {11 * d} @2- repeats ]' for d in range(1, 10))}; -B",
    138: f"+relation 'abs(a - b) >= 3' {write_lines(pairs_at(BESIDE, within=3))}",
    152: "A = diagonal; -B",
    169: "A = parity-line; B = whispers; C = dutch-whispers; D = ratio; E = difference; -F",
    47: "A = palindrome",
    52: f"A = {ENDS_COUNT}; B = {ENDS_COUNT}; -C; -D",
    54: "A = region-sum; B = whispers; C = xv; D = difference",
    62: "A = equal-sums",
    64: "+non-consecutive",
    65: "A = region-sum; B = renban",
    72: "+anti-king",
    90: "",
    103: "A = thermometer; C = ratio",
    104: f"A = {THREES}",
    115: "A = bounded-cage #-2 #+2 @",
    118: f"A = {all_distinct_sets()}",
    110: f"digits 1-9; A = zipper; B = whispers; {same_in_rows(6)}",
    112: "-A",
    121: "",
    123: "A = region-sum",
    127: "A B C D E F G = between; I = ratio",
    128: "A = no-repeats",
    131: "A = zipper; -B",
    135: "A = clone",
    137: "A = counting-circles; B = arrow; -D; E = ratio; +anti-knight",
    142: "A = thermometer; B = whispers; C = difference",
    145: "A = equal-sums @1 @2 / @3 @4",
    146: f"A = little-killer; C = odd; +non-consecutive; {'; '.join(RESIDUES)}",
    149: "",
    153: "A = renban; B = numbered-room",
    158: "A B C D E F = equal-sums",
    170: "A = region-sum; B = difference; C = ratio",
    173: f"A = {SQUARE_SUM}",
    176: "A = renban; B = slow-thermometer; C = dutch-whispers; D = difference",
    177: f"+anti-knight; +relation 'abs(a - b) >= 2' {write_lines(pairs_at(SLANTED))}",
    178: f"digits 1-9; A = slow-thermometer; B = ratio 3; C = ratio; -D; {same_in_rows(5)}",
    180: "A = region-sum; B = ratio",
    183: "A = diagonal; B = thermometer",
    184: f"+relation 'abs(a - b) >= 3' {write_lines(pairs_at(BESIDE))}; "
    f"+relation 'abs(a - b) >= 4' {write_lines(BETWEEN_BOXES)}; {'; '.join(CENTRES)}",
    187: f"+anti-knight; +relation 'abs(a - b) == 1 or abs(a - b) == 8' {write_lines(pairs_at(RISING))}",
    188: "A = palindrome; B = ratio; C = odd; +negative-xv 10",
    191: f"+regex {MIXED} {write_lines(windows(3))}",
    199: "-A; -B; -C; -D; -E; -F",
    203: f"A = even; +relation 'a != b or a % 2 == 1 or a == 4' {write_lines(pairs_at(ALL_SLANTED))}",
    207: f"A = {LOOK_AND_SAY}",
    211: "A = renban",
    213: f"A = thermometer; B = {DOUBLE_SUM}; C = ratio; D = xv",
    222: f"+relation 'a + b <= 13' {write_lines(pairs_at(BESIDE))}; "
    f"+relation 'a + b == 10' {write_lines(opposite_cells())}",
    223: "-A; B = dutch-whispers; -C; -D; F = region-sum; -G; -H; -I; -J; E = "
    + any_of(
        f"all-of [ given {a} @1 ] [ given {b} @-1 ] [ any-of [ killer {10 * a + b} @2-6 repeats ] "
        f"[ killer {10 * b + a} @2-6 repeats ] ]"
        for a in range(1, 10)
        for b in range(1, 10)
    ),
    226: "",
    227: "A = region-sum; B = diagonal; +disjoint-groups",
    230: "A = arrow",
    232: "A = thermometer; +anti-knight; -B",
    234: "+anti-knight",
    228: "-A; -B; -C",
    236: "A = diagonal; B = killer @",
    237: "A = thermometer; B = between; C = entropic; D = modular; E = nabner; F = parity-line; G = region-sum; "
    "H = renban; I = sum-line; J = whispers; M = quadruple",
    238: "A = xv; B = x-sum",
    239: "A = nabner; B = inequality",
    241: f"A = renban; +regex '12|23|34|41|56|67|78|85|99' {write_lines(turned_cells())}",
    242: "A = whispers",
    243: "A = region-sum; -B",
    244: "A = whispers; B = little-killer; -C",
    249: f"A B = renban; -D; -E; C = {NEARLY}",
    250: "A = arrow",
    251: "A = double-arrow",
    240: "",
    246: "A = entropic; -B; -C; -D",
    252: "A = between; B = clone; -C; -D; E = skyscraper",
    255: "A = entropic; B = diagonal; C = ratio; D = difference",
    257: "A = region-sum; B = even; C = difference; D = ratio",
    258: "",
    259: "A = thermometer; +anti-king",
    265: "A = thermometer; B = region-sum; C = renban; D = whispers; E = arrow; F = killer; I = ratio; J = quadruple",
    266: f"A = renban; B = whispers; C = {any_of(f'killer #*{k} @ repeats' for k in range(1, 23))}",
    267: "A = whispers; B = region-sum; C = ratio; D = difference",
    268: "A = ratio; B = difference",
    269: f"digits 1-9; A = killer 17 @ repeats; B = difference; C = ratio; -D; {same_in_rows(8)}",
    270: "A = sum-line; B = renban; C = whispers",
    272: "A = region-sum; B = any-of [ difference 1 @ ] [ ratio 2 @ ]",
    274: "A = killer repeats",
    275: "A = whispers 3; -B; -C; -D; -E; -F",
    278: "A = dutch-whispers; B = sandwich",
    279: "-A; -B; -C; -D; -E; -F; -G",
    280: "A = whispers; B = difference; C = ratio",
    281: "+non-consecutive; "
    f"+regex '[^2468][^2468]|[2468][^2468]|[^2468][2468]' {write_lines(pairs_at(KNIGHTS, within=3))}; "
    f"+regex '[^369].|.[^369]' {write_lines(pairs_at(KNIGHTS, within=3))}",
    283: "A = region-sum",
    286: "-A; -B; -C; -D; -E; -F",
    289: f"A = little-killer; C = regex {CHESS} @; +regex '{NO_CHESS}' {write_lines(UNMARKED)}",
}
"""By the number of a row of the file, from 0."""

F_PUZZLES: dict[int, str] = {
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


# ---- rules about several drawings at once, from the cells of their groups --------------------------------------------


def lines_of(puzzle: Puzzle, letter: str) -> list[str]:
    """Return the cells of each drawing of a letter."""
    geometry = puzzle.board.geometry
    groups = {group.letter: group for group in groups_of(puzzle)}
    return [" ".join(geometry.cell_name(cell) for cell in item.cells) for item in groups[letter].items]


def cages_of(puzzle: Puzzle) -> list[Killer]:
    """Return the killer cages that were read, or are among the drawings."""
    cages = [rule for rule in puzzle.board.rules if isinstance(rule, Killer)]
    for group in groups_of(puzzle):
        if group.look.form == "cage":
            cages += [Killer(total=None, cells=item.cells) for item in group.items]
    return cages


def cells_in(puzzle: Puzzle, cage: Killer) -> str:
    return " ".join(puzzle.board.geometry.cell_name(cell) for cell in cage.cells)


def unique_cages(puzzle: Puzzle) -> Iterator[str]:
    """No digit twice among the cages of one sum."""
    for one, other in combinations(cages_of(puzzle), 2):
        a, b = cells_in(puzzle, one), cells_in(puzzle, other)
        apart = f"extra-region {a} {b}"
        if set(one.cells) & set(other.cells):
            yield f"none-of [ equal-sums {a} / {b} ]"
        elif None in (one.total, other.total):
            yield f"any-of [ none-of [ equal-sums {a} / {b} ] ] [ {apart} ]"
        elif one.total == other.total:
            yield apart


def touching(one: Killer, other: Killer) -> bool:
    return any(abs(a // 9 - b // 9) + abs(a % 9 - b % 9) == 1 for a in one.cells for b in other.cells)


def paired_cages(puzzle: Puzzle) -> Iterator[str]:
    """Each cage has exactly one neighbour of the same sum."""
    cages = cages_of(puzzle)
    for cage in cages:
        beside = [other for other in cages if other is not cage and touching(cage, other)]
        ways = []
        for partner in beside:
            parts = []
            for other in beside:
                equal = f"equal-sums {cells_in(puzzle, cage)} / {cells_in(puzzle, other)}"
                parts.append(f"[ {equal} ]" if other is partner else f"[ none-of [ {equal} ] ]")
            ways.append("all-of " + " ".join(parts))
        yield any_of(ways)


def different_sums(puzzle: Puzzle, totals: list[int], repeats: str = "") -> Iterator[str]:
    """Each cage has one of some totals, no two the same."""
    cages = [cells_in(puzzle, cage) for cage in cages_of(puzzle)]
    for cage in cages:
        yield any_of(f"killer {total} {cage} {repeats}" for total in totals)
    for one, other in combinations(cages, 2):
        yield f"none-of [ equal-sums {one} / {other} ]"


def equal_cages(puzzle: Puzzle) -> Iterator[str]:
    yield "equal-sums " + " / ".join(cells_in(puzzle, cage) for cage in cages_of(puzzle))


def segments_of_one_sum(puzzle: Puzzle) -> Iterator[str]:
    lines = lines_of(puzzle, "A")
    yield any_of("all-of " + " ".join(f"[ sum-line {n} {line} ]" for line in lines) for n in range(3, 46))


def wrong_colours(puzzle: Puzzle) -> Iterator[str]:
    """Exactly the lines with a certain digit are drawn in the colour of another kind."""
    kinds = {"A": "renban", "B": "whispers", "C": "region-sum"}
    worlds = []
    for digit in range(1, 10):
        parts = []
        for letter, kind in kinds.items():
            for line in lines_of(puzzle, letter):
                others = [f"[ {other} {line} ]" for other in kinds.values() if other != kind]
                right = f"all-of [ regex [^{digit}]* {line} ] [ {kind} {line} ]"
                wrong = (
                    f"all-of [ regex .*{digit}.* {line} ] [ any-of {' '.join(others)} ] [ none-of [ {kind} {line} ] ]"
                )
                parts.append(f"[ any-of [ {right} ] [ {wrong} ] ]")
        worlds.append("all-of " + " ".join(parts))
    yield any_of(worlds)


def least_and_greatest(puzzle: Puzzle) -> Iterator[str]:
    """The number of a cage is the sum of its least and its greatest digit."""
    geometry = puzzle.board.geometry
    for group in groups_of(puzzle):
        if group.look.form != "cage":
            continue
        for item in group.items:
            cells = " ".join(geometry.cell_name(cell) for cell in item.cells)
            ways = []
            for least in range(1, 10):
                most = int(item.text) - least
                if least < most <= 9:
                    ways.append(f"all-of [ regex [{least}-{most}]* {cells} ] [ quadruple {least} {most} {cells} ]")
            yield any_of(ways)


def odd_lots(puzzle: Puzzle) -> Iterator[str]:
    """The digit in an orange circle is the number of odd digits on its line."""
    for line in (*lines_of(puzzle, "B"), *lines_of(puzzle, "F")):
        first = line.split()[0]
        if first in lines_of(puzzle, "G"):
            counts = (f"regex '([2468]*[13579]){{{number}}}[2468]*' {line}" for number in range(1, 10))
            yield any_of(f"all-of [ given {number} {first} ] [ {rule} ]" for number, rule in enumerate(counts, 1))


def two_absent_digits(puzzle: Puzzle) -> Iterator[str]:
    lines = [line for letter in "ABCDE" for line in lines_of(puzzle, letter)]
    lines += [cells_in(puzzle, cage) for cage in cages_of(puzzle)]
    yield any_of(f"regex [^{a}{b}]* {' / '.join(lines)}" for a, b in combinations(range(1, 10), 2))


def index_line(line: str) -> str:
    """Return the rule of a line on which the digit at place p names the place of p."""
    cells = line.split()
    parts = [f"[ regex [1-{len(cells)}]* {line} ]"]
    for (first, one), (second, other) in combinations(enumerate(cells, 1), 2):
        named, naming = f"[ given {second} {one} ]", f"[ given {first} {other} ]"
        parts.append(f"[ any-of [ all-of {named} {naming} ] [ none-of {named} {naming} ] ]")
    return f"all-of {' '.join(parts)}"


def index_lines(puzzle: Puzzle) -> Iterator[str]:
    for line in lines_of(puzzle, "A"):
        yield index_line(line)


def index_lines_and_a_thermometer(puzzle: Puzzle) -> Iterator[str]:
    """Of the three lines of each colour one is a thermometer, and the others are index lines."""
    starts = {line for letter in "EFG" for line in lines_of(puzzle, letter)}
    for letter in "ABC":
        lines = []
        for line in lines_of(puzzle, letter):
            cells = line.split()
            lines.append(" ".join(cells[::-1] if cells[-1] in starts else cells))
        ways = []
        for place, line in enumerate(lines):
            indexed = [f"[ {index_line(other)} ]" for other in lines if other != line]
            ways.append(f"all-of [ thermometer {lines[place]} ] {' '.join(indexed)}")
        yield any_of(ways)


PRIMES = [n for n in range(2, 100) if all(n % d for d in range(2, n))]
PRIME_POWERS = sorted(p**e for p in PRIMES for e in range(1, 7) if p**e <= 45)


def arrow_of_eight(puzzle: Puzzle) -> Iterator[str]:
    """Yield the choice among the straight arrows of eight cells from the first box to the last."""
    arrows = []
    for row, column in ((1, 1), (2, 2), (1, 2), (2, 1)):
        circle, *shaft = [name_of((row + step, column + step)) for step in range(8)]
        arrows.append(f"arrow {circle} / {' '.join(shaft)}")
    yield any_of(arrows)


def hit_lines(puzzle: Puzzle) -> Iterator[str]:
    """Yield the lines whose circled digits count the digits at their own place, from the square on."""
    groups = {group.letter: group for group in groups_of(puzzle)}
    squares_at = {item.cells[0] for item in groups["D"].items}
    circles = {item.cells[0] for item in groups["E"].items}
    for line in groups["B"].items:
        cells = list(line.cells)
        if cells[0] not in squares_at:
            cells.reverse()
        names = names_of(cells)
        yield f"killer {' '.join(names)}"
        for circle in circles.intersection(cells):
            yield any_of(count_hits(names, names[cells.index(circle)]))


def count_hits(names: list[str], counter: str) -> Iterator[str]:
    """Yield the cases of a hit line: which places hold their own number. counter: the cell with their count."""
    places = range(len(names))
    for count in range(1, len(names) + 1):
        for hits in combinations(places, count):
            parts = [f"[ given {count} {counter} ]"]
            for place in places:
                is_hit = f"[ given {place + 1} {names[place]} ]"
                parts.append(is_hit if place in hits else f"[ none-of {is_hit} ]")
            yield f"all-of {' '.join(parts)}"


def reflected_rooms(puzzle: Puzzle) -> Iterator[str]:
    """Yield numbered rooms along slanted ways that turn once at the rim, and windows that are not entropic.

    The clue X stands at the place that the first cell holds, and nowhere before it.
    """
    groups = {group.letter: group for group in groups_of(puzzle)}
    for line in groups["B"].items:
        names = names_of(line.cells)
        for start in range(len(names) - 2):
            yield f"none-of [ entropic {' '.join(names[start : start + 3])} ]"
    for arrow in groups["C"].items:
        (row, column), (next_row, next_column) = arrow.points[0], arrow.points[-1]
        down = 1 if next_row > row else -1
        right = 1 if next_column > column else -1
        way = [name_of(cell) for cell in slanted_way((floor(row) + 1, floor(column) + 1), down, right)]
        clue = arrow.ends[0].text
        cases = []
        for place in range(1, 10):
            earlier = [f"[ given {clue} {name} ]" for name in way[: place - 1]]
            case = f"all-of [ given {place} {way[0]} ] [ given {clue} {way[place - 1]} ]"
            cases.append(f"{case} [ none-of {' '.join(earlier)} ]" if earlier else case)
        yield any_of(cases)


def slanted_way(outside: Cell, down: int, right: int) -> Iterator[Cell]:
    """Yield the nine cells of a way from a cell outside, which turns where it meets the rim."""
    row, column = outside
    for _ in range(9):
        row += down
        column += right
        yield row, column
        if not 1 <= column + right <= 9:
            right = -right
        if not 1 <= row + down <= 9:
            down = -down


def shadow_sums(puzzle: Puzzle) -> Iterator[str]:
    """Yield the sums of the digits that are smaller than the one before, as a machine along each row or column."""
    (group,) = groups_of(puzzle)
    for item in group.items:
        row, column = item.points[0]
        if -0.5 < row < 9 and (column < 0 or column > 9):
            way = [(floor(row) + 1, number) for number in range(1, 10)]
            is_turned = column > 9
        else:
            way = [(number, floor(column) + 1) for number in range(1, 10)]
            is_turned = row > 9
        if is_turned:
            way.reverse()
        yield f"state-machine '{machine_of_shadows(int(item.text))}' {' '.join(name_of(cell) for cell in way)}"


def machine_of_shadows(total: int) -> str:
    """Return the states of a machine: the sum so far, and the digit before."""
    states = []
    for so_far, last in product(range(total + 1), range(10)):
        steps = ["start"] if so_far == last == 0 else []
        if so_far == total:
            steps.append("end")
        for digit in range(1, 10):
            after = so_far + digit if digit < last else so_far
            if after <= total:
                steps.append(f"{digit}>{after * 10 + digit}")
        states.append(" ".join(steps))
    return "; ".join(states)


def one_condition_each(puzzle: Puzzle) -> Iterator[str]:
    """Yield for each cell the digits with one of three conditions: a knight's move away, in their own box, or a 5.

    Two conditions hold of the cell in the centre, which can only be the 5 in the fifth box.
    """
    for row, column in product(range(1, 10), repeat=2):
        box = (row - 1) // 3 * 3 + (column - 1) // 3 + 1
        others = [(row + down, column + right) for down, right in KNIGHTS]
        others += [(row - down, column - right) for down, right in KNIGHTS]
        names = [name_of(cell) for cell in others if 1 <= cell[0] <= 9 and 1 <= cell[1] <= 9]
        cases = []
        for digit in range(1, 10):
            conditions = int(digit == box) + int(digit == 5)
            wanted = 2 if (row, column) == (5, 5) else 1
            if wanted - conditions not in (0, 1):
                continue
            quantifier = "none-of" if conditions == wanted else "any-of"
            same = " ".join(f"[ given {digit} {name} ]" for name in names)
            cases.append(f"all-of [ given {digit} {name_of((row, column))} ] [ {quantifier} {same} ]")
        yield any_of(cases)


def no_result(puzzle: Puzzle) -> Iterator[str]:
    """Yield the choice of the number that no two neighbours result in, as no dot is drawn."""
    pairs = write_lines(pairs_at(BESIDE))
    cases = []
    for n in range(1, 10):
        terms = f"a + b != {n} and a * b != {n} and abs(a - b) != {n} and a != {n} * b and b != {n} * a"
        cases.append(f"relation '{terms}' {pairs}")
    yield any_of(cases)


def knights_tour(puzzle: Puzzle) -> Iterator[str]:
    """Yield the choice among the ways of a knight through 1 to 6, from r6c1 to r2c6."""
    tours = []
    for tour in knights_ways([(6, 1)], (2, 6)):
        givens = [f"[ given {digit} {name_of(cell)} ]" for digit, cell in enumerate(tour, 1)]
        tours.append(f"all-of {' '.join(givens)}")
    yield any_of(tours)


def knights_ways(way: list[Cell], end: Cell) -> Iterator[list[Cell]]:
    """Yield the ways of a knight on 6x6 that go on from a way and reach their end with the sixth cell."""
    if len(way) == 6:
        if way[-1] == end:
            yield way
        return
    row, column = way[-1]
    for down, right in KNIGHTS:
        for cell in ((row + down, column + right), (row - down, column - right)):
            if cell not in way and 1 <= cell[0] <= 6 and 1 <= cell[1] <= 6:
                yield from knights_ways([*way, cell], end)


def binary_trees(puzzle: Puzzle) -> Iterator[str]:
    """Yield the choice which of two trees grows and which falls, from the cell above to those below it."""
    edges = set()
    for line in lines_of(puzzle, "A"):
        for one, other in pairwise(line.split()):
            edges.add((one, other) if one[1] < other[1] else (other, one))
    roots = [cell for cell in lines_of(puzzle, "C") if any(cell == above for above, _ in edges)]
    trees = []
    for root in roots:
        tree: list[tuple[str, str]] = []
        for above, below in sorted(edges):
            if above == root or any(above == child for _, child in tree):
                tree.append((above, below))
        nodes = {root, *(below for _, below in tree)}
        yield f"killer {' '.join(sorted(nodes))}"
        trees.append(tree)
    first, second = trees
    cases = []
    for growing, falling in ((first, second), (second, first)):
        turned = [(below, above) for above, below in falling]
        cases.append(f"all-of {write_increases(growing)} {write_increases(turned)}")
    yield any_of(cases)


def write_increases(pairs: Iterable[tuple[str, str]]) -> str:
    """Return the rules that the digits of pairs of cells increase, each in brackets."""
    return " ".join(f"[ inequality {less} {more} ]" for less, more in pairs)


def absent_digits(puzzle: Puzzle) -> Iterator[str]:
    """Yield that the digits in a pink circle are not in the four cells around it."""
    for mark in items_of(puzzle, "A"):
        names = " ".join(names_of(mark.cells))
        yield f"regex '[^{mark.text.replace(' ', '')}]*' {names}"


def least_differences(puzzle: Puzzle) -> Iterator[str]:
    """Yield that the circles of a line differ by one more than the fewest digits that its other cells can hold."""
    peers = puzzle.board.geometry.peers
    for line in items_of(puzzle, "A"):
        first, *inner, last = line.cells
        fewest = len(inner)
        for digits in product(range(len(inner)), repeat=len(inner)):
            held = dict(zip(inner, digits, strict=True))
            if all(held[one] != held[other] for one, other in combinations(inner, 2) if other in peers[one]):
                fewest = min(fewest, len(set(digits)))
        ends = " ".join(names_of((first, last)))
        yield f"relation 'abs(a - b) == {fewest + 1}' {ends}"


def letter_clues(puzzle: Puzzle) -> Iterator[str]:
    """Yield the clues in letters, each of which is the digit of a cell; ``?Z`` is a number of two digits."""
    cell_of = {item.text: names_of(item.cells)[0] for item in items_of(puzzle, "D")}
    yield f"extra-region {' '.join(cell_of.values())}"
    for cage in items_of(puzzle, "B"):
        names = names_of(cage.cells)
        yield f"killer {' '.join(names)}"
        yield ends_with(cell_of[cage.text[-1]], names)
    for mark in items_of(puzzle, "C"):
        names = names_of(mark.cells)
        yield any_of(f"same-values {cell_of[mark.text]} / {name}" for name in names)
    for clue in items_of(puzzle, "E"):
        kind = {"🏢": "skyscraper", "🚪": "numbered-room"}.get(clue.text.strip("\u200b")[0])
        if kind is not None:
            letter = cell_of[clue.text.strip("\u200b")[-1]]
            way = " ".join(names_of(clue.cells))
            yield any_of(f"all-of [ given {digit} {letter} ] [ {kind} {digit} {way} ]" for digit in range(1, 10))
    yield f"linear-sum 0 1 1 1 -1 r9c7 r8c8 r7c9 {cell_of['G']}"
    yield ends_with(cell_of["Z"], ["r1c7", "r2c6", "r3c5", "r4c4", "r5c3", "r6c2", "r7c1"])


def ends_with(letter: str, names: list[str]) -> str:
    """Return the rule that the sum of some cells has two digits, the last one that of a cell."""
    factors = " ".join(["1"] * len(names))
    return any_of(f"linear-sum {ten} {factors} -1 {' '.join(names)} {letter}" for ten in range(10, 100, 10))


FURTHER: dict[int, Callable[[Puzzle], Iterator[str]]] = {
    0: binary_trees,
    35: index_lines,
    38: absent_digits,
    50: segments_of_one_sum,
    51: unique_cages,
    67: paired_cages,
    77: lambda puzzle: different_sums(puzzle, PRIMES, "repeats"),
    112: shadow_sums,
    138: arrow_of_eight,
    152: lambda puzzle: different_sums(puzzle, PRIME_POWERS),
    169: two_absent_digits,
    199: hit_lines,
    223: odd_lots,
    226: no_result,
    228: wrong_colours,
    236: least_and_greatest,
    240: one_condition_each,
    246: reflected_rooms,
    252: least_differences,
    274: equal_cages,
    275: knights_tour,
    279: index_lines_and_a_thermometer,
    286: letter_clues,
}
"""Rules about several drawings of a SudokuPad puzzle at once."""


# ---- the same for f-puzzles ------------------------------------------------------------------------------------------


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


FURTHER_OF_F_PUZZLES: dict[int, Callable[[Puzzle], Iterator[str]]] = {
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
