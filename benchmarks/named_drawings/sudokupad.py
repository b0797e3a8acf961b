"""The kinds of rules that drawings of shared SudokuPad puzzles are, as somebody has read their words: once, as data.

``A = whispers`` reads the drawings of a letter, ``-B`` ignores them, and ``+anti-knight`` adds a rule of the whole
board that stands in the words only. A few whole-board rules are written out by the functions here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, product

from benchmarks.named_drawings.cells import (
    BESIDE,
    KNIGHTS,
    RISING,
    SLANTED,
    any_of,
    greatest,
    opposite_cells,
    pairs_at,
    squares,
    turned_cells,
    windows,
    write_lines,
)

MIXED = "'[13579]+[2468].*|[2468]+[13579].*'"
MAGIC = "+equal-sums r4c4-r4c6 / r5c4-r5c6 / r6c4-r6c6 / r4c4 r5c4 r6c4 / r4c5 r5c5 r6c5 / r4c6 r5c6 r6c6 / "
MAGIC += "r4c4 r5c5 r6c6 / r4c6 r5c5 r6c4"


def all_distinct_sets() -> str:
    return any_of(f"regex [{''.join(map(str, four))}]* @" for four in combinations(range(1, 10), 4))


def quincunxes() -> Iterator[str]:
    for row, column in product((1, 4, 7), repeat=2):
        cells = [(row, column), (row, column + 2), (row + 1, column + 1), (row + 2, column), (row + 2, column + 2)]
        yield "+" + any_of(f"killer {total} {write_lines([cells])} repeats" for total in range(15, 40, 5))


RESIDUES = [f"+regex .*[{group}].* {write_lines(squares())}" for group in ("147", "258", "369")]
SQUARE_SUM = any_of(f"all-of [ killer {m * m} @ repeats ] [ regex {greatest(m)} @ ]" for m in range(2, 10))
DOUBLE_SUM = any_of(f"all-of [ killer {2 * m} @ repeats ] [ regex {greatest(m)} @ ]" for m in range(2, 10))
LOOK_AND_SAY = any_of(
    f"all-of [ killer {10 * a + b} @ repeats ] [ regex '([^{b}]*{b}){{{a}}}[^{b}]*' @ ]"
    for a in range(1, 5)
    for b in range(1, 10)
)
THREES = any_of(f"killer {total} @" for total in (3, 13, 23, *range(30, 40), 43))
ENDS_COUNT = "all-of [ count-distinct @1 / @ ] [ same-values @1 / @-1 ]"
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


NAMED: dict[int, str] = {
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
