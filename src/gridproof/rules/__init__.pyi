"""Names of the package for editors and type checkers; ``python docs/make_rules.py`` makes this file."""

from collections.abc import Iterable
from typing import Any, TypeAlias

from gridproof.rules.catalog import all_kinds as all_kinds
from gridproof.rules.catalog import find as find
from gridproof.rules.rule import Rule as Rule
from gridproof.rules.rule_parsing import make_rule as make_rule
from gridproof.rules.rule_parsing import make_rules as make_rules
from gridproof.rules.rule_parsing import parse_rule as parse_rule
from gridproof.rules.rule_text import RuleText as RuleText

CellLine: TypeAlias = str | Iterable[str | int]
CellLines: TypeAlias = str | Iterable[CellLine | int]

def all_of(
    *in_order: Any,
    rules: Any = ...,
) -> RuleText:
    """All of the rules hold. Inside a choice they are one option together."""

def anti_king(
    *in_order: Any,
    offsets: str | Iterable[int] = ...,
) -> RuleText:
    """Cells that are a king's move apart hold different digits, also those that touch only at a corner."""

def anti_knight(
    *in_order: Any,
    offsets: str | Iterable[int] = ...,
) -> RuleText:
    """Cells that are a knight's move apart hold different digits."""

def anti_queen(
    *in_order: Any,
    digits: str | Iterable[int] = ...,
) -> RuleText:
    """No two cells on a diagonal, however far apart, both hold one of the digits: a queen's move apart they differ."""

def anti_taxicab(
    *in_order: Any,
) -> RuleText:
    """Two cells that hold the same digit are not that many steps apart."""

def any_of(
    *in_order: Any,
    rules: Any = ...,
) -> RuleText:
    """At least one of the rules holds; several may."""

def arrow(
    *in_order: Any,
    circle: CellLine = ...,
    shafts: CellLines = ...,
) -> RuleText:
    """The digits on each shaft of an arrow add up to the number in its circle."""

def average_arrow(
    *in_order: Any,
    circle: CellLine = ...,
    shafts: CellLines = ...,
) -> RuleText:
    """The digit in the circle is the average of the digits along each shaft."""

def between(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """Every digit on the line lies strictly between the digits at its two ends."""

def bounded_cage(
    *in_order: Any,
    least: int | str = ...,
    greatest: int | str = ...,
    cells: CellLine = ...,
    repeats: bool = ...,
) -> RuleText:
    """The digits of a cage differ, and their sum lies between two numbers, or equals one of them."""

def box_indexer(
    *in_order: Any,
    cells: CellLine = ...,
) -> RuleText:
    """A cell at place i of its box with the digit v means that i stands at place v of that box."""

def clauses(
    *in_order: Any,
    clauses: str = ...,
) -> RuleText:
    """At least one literal of each clause is true."""

def clone(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """Two groups of cells hold the same digits in the same order. A cell that is compared with itself has no effect."""

def column_indexer(
    *in_order: Any,
    cells: CellLine = ...,
) -> RuleText:
    """A cell in column c with the digit v means that c stands in column v of the same row."""

def connected(
    *in_order: Any,
    values: str | Iterable[int] = ...,
    size: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The cells that hold one of some digits form one orthogonally connected region."""

def count_distinct(
    *in_order: Any,
    circle: CellLine = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The digit in a cell is the number of different digits in other cells, among which it may stand itself."""

def counting_circles(
    *in_order: Any,
    cells: CellLine = ...,
) -> RuleText:
    """A digit in a circle is the number of circles that hold it. State all circles of a board in one rule."""

def difference(
    *in_order: Any,
    difference: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The digits on both sides of a white dot differ by 1, or by the value in the dot."""

def disjoint_groups(
    *in_order: Any,
) -> RuleText:
    """Cells at the same place of all boxes or regions hold different digits. Places are counted in reading order."""

def double_arrow(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """The digits inside the line add up to the sum of the digits at its two ends."""

def dutch_flatmates(
    *in_order: Any,
) -> RuleText:
    """Each 5 on a board of order 9 has a 1 above it or a 9 below it; it may have both."""

def dutch_whispers(
    *in_order: Any,
    difference: int | str = ...,
    lines: CellLines = ...,
) -> RuleText:
    """Neighbours on a Dutch whispers line differ by at least 4: one less than on a German one."""

def entropic(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """Every three neighbours on an entropic line are one low, one middle and one high digit (1-3, 4-6, 7-9)."""

def equal_sums(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """All groups of cells have the same sum, whatever it is."""

def equality_cage(
    *in_order: Any,
    cells: CellLine = ...,
) -> RuleText:
    """The digits of a cage differ, as many are even as odd, and as many are low as high."""

def even(
    *in_order: Any,
    cells: CellLine = ...,
) -> RuleText:
    """Each of the cells holds an even digit."""

def extra_region(
    *in_order: Any,
    cells: CellLine = ...,
) -> RuleText:
    """The digits of an extra region differ."""

def full_rank(
    *in_order: Any,
    rank: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The rows and columns, read as numbers from both ends, are ranked from the lowest (1) to the highest."""

def further_cells(
    *in_order: Any,
    groups: str = ...,
    rules: Any = ...,
) -> RuleText:
    """There are digits for some further cells, beside the grid, so that all of the rules hold."""

def given(
    *in_order: Any,
    values: str | Iterable[int] = ...,
    cells: CellLine = ...,
) -> RuleText:
    """Each of the cells holds one of the digits. A clue is a given of one digit; in a choice it may be one option."""

def hidden_skyscraper(
    *in_order: Any,
    symbol: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The clue outside the grid is the first digit that is hidden: a larger one stands before it."""

def inequality(
    *in_order: Any,
    cells: CellLine = ...,
) -> RuleText:
    """Digits increase from each cell to the next, as the sign < between them means."""

def killer(
    *in_order: Any,
    total: int | str = ...,
    cells: CellLine = ...,
    repeats: bool = ...,
) -> RuleText:
    """The digits of a cage differ and add up to its sum."""

def leaper(
    *in_order: Any,
    offsets: str | Iterable[int] = ...,
) -> RuleText:
    """Cells that are a leap apart hold different digits."""

def linear_sum(
    *in_order: Any,
    total: int | str = ...,
    factors: str | Iterable[int] = ...,
    cells: CellLine = ...,
) -> RuleText:
    """Digits, each times its factor, add up to a number. A cell may be listed twice; its factors then add up."""

def little_killer(
    *in_order: Any,
    total: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The digits along a diagonal add up to the clue outside the grid. They may repeat where no house forbids it."""

def lockout(
    *in_order: Any,
    difference: int | str = ...,
    lines: CellLines = ...,
) -> RuleText:
    """The ends of a lockout line differ by at least 4, and no digit on it lies between them or equals one of them."""

def look_and_say(
    *in_order: Any,
    values: str | Iterable[int] = ...,
    cells: CellLine = ...,
    only: bool = ...,
) -> RuleText:
    """Of each digit that the clue names, the cage holds exactly as many as the clue gives."""

def lunchbox(
    *in_order: Any,
    total: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The digits of a box differ, and those between its smallest and its largest one add up to the sum."""

def maximum(
    *in_order: Any,
    cells: CellLine = ...,
) -> RuleText:
    """Each of the cells holds more than each orthogonal neighbour that is not among them."""

def minimum(
    *in_order: Any,
    cells: CellLine = ...,
) -> RuleText:
    """Each of the cells holds less than each orthogonal neighbour that is not among them."""

def modular(
    *in_order: Any,
    modulus: int | str = ...,
    lines: CellLines = ...,
) -> RuleText:
    """Every three neighbours on a modular line have three different remainders when divided by 3."""

def nabner(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """No two digits of a nabner line are equal or consecutive, wherever they stand on it."""

def negative_difference(
    *in_order: Any,
    differences: str | Iterable[int] = ...,
    marked: CellLines = ...,
) -> RuleText:
    """All white dots are given, so neighbours without any dot do not differ by 1."""

def negative_ratio(
    *in_order: Any,
    ratios: str | Iterable[int] = ...,
    marked: CellLines = ...,
) -> RuleText:
    """All black dots are given: neighbours without any dot are not in the ratio 1 to 2, nor in one that a dot has."""

def negative_xv(
    *in_order: Any,
    totals: str | Iterable[int] = ...,
    marked: CellLines = ...,
) -> RuleText:
    """All X and V are given, so neighbours without a mark do not sum to 5 or 10."""

def non_consecutive(
    *in_order: Any,
    marked: CellLines = ...,
) -> RuleText:
    """Orthogonal neighbours never differ by 1, unless a white or a black dot stands between them."""

def none_of(
    *in_order: Any,
    rules: Any = ...,
) -> RuleText:
    """None of the rules holds: each is broken somewhere."""

def numbered_room(
    *in_order: Any,
    symbol: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The first digit is the place, counted along the row or column, at which the clue outside the grid stands."""

def odd(
    *in_order: Any,
    cells: CellLine = ...,
) -> RuleText:
    """Each of the cells holds an odd digit."""

def palindrome(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """A palindrome reads the same from both ends. The middle cell of an odd number is free."""

def parity_line(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """Even and odd digits alternate along a parity line."""

def product_cage(
    *in_order: Any,
    product: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The digits of a cage multiply to its number. They may repeat where no house forbids it."""

def quadruple(
    *in_order: Any,
    values: str | Iterable[int] = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The digits in the circle all stand in the cells around it."""

def ratio(
    *in_order: Any,
    ratio: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """One digit beside a black dot is twice the other, or as many times the other as the value in the dot."""

def regex(
    *in_order: Any,
    pattern: str = ...,
    lines: CellLines = ...,
) -> RuleText:
    """The digits along a line match a regular expression, such as ``.*(12|21).*``."""

def region_sum(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """Each part of the line that lies in one region has the same sum."""

def relation(
    *in_order: Any,
    allow: str = ...,
    pairs: str = ...,
    lines: CellLines = ...,
) -> RuleText:
    """A comparison of your own holds for pairs of cells along a line, such as ``abs(a-b)>2``."""

def rellik(
    *in_order: Any,
    total: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The digits of a cage differ, and no one, two or more of them add up to the number of the cage."""

def renban(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """The digits of a renban line are consecutive numbers in any order, none of them twice."""

def row_indexer(
    *in_order: Any,
    cells: CellLine = ...,
) -> RuleText:
    """A cell in row r with the digit v means that r stands in row v of the same column."""

def same_difference(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """All neighbours on a line have the same difference, whatever it is; each line has its own."""

def same_values(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """All groups of cells hold the same digits, each as often, in any order. Groups of one cell each are equal."""

def sandwich(
    *in_order: Any,
    total: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The digits between the smallest and the largest digit of the board, along a row or column, add up to the clue."""

def skyscraper(
    *in_order: Any,
    seen: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The clue outside the grid is the number of digits that are larger than all before them; the first one counts."""

def slow_thermometer(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """Digits increase or stay the same along a slow thermometer from its bulb on."""

def state_machine(
    *in_order: Any,
    states: str = ...,
    lines: CellLines = ...,
) -> RuleText:
    """The digits along a line lead a machine from a start to an end, such as ``start 1>1 2>0; end 3>1``."""

def sum_line(
    *in_order: Any,
    total: int | str = ...,
    lines: CellLines = ...,
) -> RuleText:
    """The line can be cut into runs of neighbours that each add up to the sum: 10, unless it is stated."""

def sum_loop(
    *in_order: Any,
    lines: CellLines = ...,
    total: int | str = ...,
) -> RuleText:
    """The closed line can be cut into runs of neighbours that each add up to the sum: 10, unless it is stated."""

def thermometer(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """Digits increase along a thermometer from its bulb on."""

def value_indexing(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """The second cell of a line is the place, from the third cell on, at which the digit of the first one stands."""

def whispers(
    *in_order: Any,
    difference: int | str = ...,
    lines: CellLines = ...,
) -> RuleText:
    """Neighbours on a German whispers line differ by at least 5."""

def x_sum(
    *in_order: Any,
    total: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """As many digits as the first one counts, itself included, add up to the clue outside the grid."""

def xv(
    *in_order: Any,
    total: int | str = ...,
    cells: CellLine = ...,
) -> RuleText:
    """The digits of two cells with an X between them sum to 10, those with a V to 5."""

def zipper(
    *in_order: Any,
    lines: CellLines = ...,
) -> RuleText:
    """Two cells at the same distance from the middle of a zipper line have the same sum everywhere."""
