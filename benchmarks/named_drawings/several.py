"""Rules about several drawings of a SudokuPad puzzle at once, from the cells of their groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, pairwise, product
from math import floor

from benchmarks.named_drawings.cells import (
    BESIDE,
    KNIGHTS,
    Cell,
    any_of,
    cages_of,
    cells_in,
    items_of,
    lines_of,
    name_of,
    names_of,
    pairs_at,
    write_lines,
)
from gridproof.formats import Puzzle
from gridproof.formats.drawn import groups_of
from gridproof.rules.kinds.killer import Killer


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
