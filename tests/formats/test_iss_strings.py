"""Strings of the Interactive Sudoku Solver whose items are stated otherwise here, by the words of that program."""

from __future__ import annotations

import contextlib
import io
import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridproof
from gridproof import read, read_puzzle
from gridproof.cli import main
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats import Puzzle
from gridproof.trust.check import violations

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
GRIDS = [tuple(grid) for grid in gridproof.solutions("." * 16)]
CELLS = [f"R{row}C{column}" for row in range(1, 5) for column in range(1, 5)]


def table(holds: Callable[[int, int], bool], n: int) -> str:
    """The code of a comparison, as that program makes it: six pairs in a digit, and no zeros at the end."""
    bits = [holds(a, b) for a in range(1, n + 1) for b in range(1, n + 1)]
    sixes = [bits[start : start + 6] for start in range(0, len(bits), 6)]
    return "".join(DIGITS[sum(bit << place for place, bit in enumerate(six))] for six in sixes).rstrip("A")


def solved(item: str) -> set[tuple[int, ...]]:
    puzzle = read_puzzle(f".Shape~4x4.{item}")
    assert puzzle.not_understood == (), item
    return {grid for grid in GRIDS if not violations(puzzle.board, grid)}


@settings(max_examples=12)
@given(
    allowed=st.sets(st.tuples(st.integers(1, 4), st.integers(1, 4))),
    cells=st.lists(st.integers(0, 15), min_size=2, max_size=4, unique=True),
)
def test_tables_of_pairs(allowed: set[tuple[int, int]], cells: list[int]) -> None:
    names = "~".join(CELLS[cell] for cell in cells)
    key = table(lambda a, b: (a, b) in allowed, 4)
    expected = {grid for grid in GRIDS if all((grid[a], grid[b]) in allowed for a, b in pairwise(cells))}
    assert solved(f"Pair~{key}~_a%20name~{names}") == expected
    assert solved(f"Binary~{key.translate(str.maketrans('-_', '_-'))}~{names}") == expected
    either = {pair for pair in allowed if pair[::-1] in allowed}
    key = table(lambda a, b: (a, b) in either, 4)
    expected = {grid for grid in GRIDS if all((grid[a], grid[b]) in either for a, b in combinations(cells, 2))}
    assert solved(f"PairX~{key}~{names}") == expected
    assert solved(f"PairX~{key}~~{names}~~_other~{names}") == expected


def test_usual_tables_are_stated_as_people_do() -> None:
    for text in ("a < b", "abs(a - b) >= 5", "a + b == 10", "max(a, b) == 2 * min(a, b)"):
        key = table(lambda a, b, text=text: bool(eval(text, {"a": a, "b": b})), 9)  # type: ignore[misc]
        (rule,) = read_puzzle(f".Pair~{key}~~R1C1~R1C2").board.rules
        assert f"{text} holds for consecutive pairs" in rule.sentence(gridproof.Geometry.classic(3))


def test_patterns_loops_sums_and_sets() -> None:
    pattern = urlsafe_b64encode(b".*(12|34).*").decode().rstrip("=")
    grids = solved(f"Regex~{pattern}~R1C1~R1C2~R1C3~~R2C1~R2C2")
    assert grids == {g for g in GRIDS if re.search("12|34", "".join(map(str, g[:3]))) and g[4:6] in ((1, 2), (3, 4))}
    assert solved("EqualSum~R1C1~R1C2~-~R2C3~R2C4~-~R3C1~R4C4") == {
        g for g in GRIDS if g[0] + g[1] == g[6] + g[7] == g[8] + g[15]
    }
    assert solved("EqualSum~R2C3~-~R1C1~R1C2") == {g for g in GRIDS if g[6] == g[0] + g[1]}
    assert solved("EqualSum~R1C1~R2C3~-~R1C2~R1C3~R1C4") == {g for g in GRIDS if g[0] + g[6] == sum(g[1:4])}
    assert solved("LookAndSay~1203~R1C1~R1C2~R1C3") == {g for g in GRIDS if 2 in g[:3] and 3 not in g[:3]}
    assert solved("SumLine~5~R1C1~R1C2~R2C2~R2C1~LOOP") == {
        g for g in GRIDS if {5} in ({g[0] + g[1], g[5] + g[4]}, {g[1] + g[5], g[4] + g[0]})
    }


@given(
    steps=st.sets(st.tuples(st.integers(0, 2), st.integers(1, 4), st.integers(0, 2))),
    starts=st.integers(1, 2),
    accepting=st.integers(0, 3),
    ends=st.integers(0, 1),
    line=st.lists(st.integers(0, 15), min_size=1, max_size=4, unique=True),
)
@settings(max_examples=25)
def test_machines(steps: set[tuple[int, int, int]], starts: int, accepting: int, ends: int, line: list[int]) -> None:
    """States 0 up to the number of starts are starts, of which some accept; then come those that accept besides."""
    accepting &= (1 << starts) - 1
    accepts = {k for k in range(starts) if accepting >> k & 1} | {*range(starts, starts + ends)}

    def fits(grid: tuple[int, ...]) -> bool:
        states = {*range(starts)}
        for cell in line:
            states = {after for state, symbol, after in steps if state in states and symbol == grid[cell]}
        return bool(states & accepts)

    # stateBits - 1 in 4 bits, symbols - 1 in 4, starts, further ends, which of the starts accept
    head = f"{1:04b}{3:04b}{starts:02b}{ends:02b}{accepting:0{starts}b}"
    from_each = [sorted(step[1:] for step in steps if step[0] == state) for state in range(3)]
    counted = f"00{head}{4:04b}" + "".join(
        f"{len(some):04b}" + "".join(f"{symbol - 1:02b}{after:02b}" for symbol, after in some) for some in from_each
    )
    codes = [counted]
    if all(len({symbol for symbol, _ in some}) == len(some) for some in from_each):
        masks = [sum(1 << symbol - 1 for symbol, _ in some) for some in from_each]
        after = ["".join(f"{after:02b}" for _, after in some) for some in from_each]
        codes.append(f"01{head}" + "".join(f"{mask:04b}{rest}" for mask, rest in zip(masks, after, strict=True)))
    expected = {grid for grid in GRIDS if fits(grid)}
    for bits in codes:
        bits += "0" * (-len(bits) % 8)
        code = urlsafe_b64encode(bytes(int(bits[k : k + 8], 2) for k in range(0, len(bits), 8))).decode().rstrip("=")
        assert solved(f"NFA~{code}~_name~{'~'.join(CELLS[cell] for cell in line)}") == expected


def test_squares_of_all_thirds() -> None:
    rule = read_puzzle(".GlobalEntropy.~R1C1_1").board.rules[0]
    modular = read_puzzle(".GlobalMod.~R1C1_1").board.rules[0]
    random, geometry = Random(7), gridproof.Geometry.classic(3)
    met = set()
    for _ in range(400):
        square = [random.randint(1, 9) for _ in range(4)]
        board = [0] * 81
        board[0:2], board[9:11] = square[:2], square[2:]
        for each, third in ((rule, lambda v: (v - 1) // 3), (modular, lambda v: v % 3)):
            fits = each.fits(square, (0, 1, 9, 10), geometry)  # type: ignore[attr-defined]
            assert fits == ({third(v) for v in square} == {0, 1, 2})  # type: ignore[no-untyped-call]
            met.add(fits)
    assert met == {True, False}
    assert read_puzzle(".Shape~4x4.GlobalEntropy.~R1C1_1").not_understood


def test_what_means_something_without_usual_regions() -> None:
    assert read_puzzle(".Shape~4x4.NoBoxes.RegionSumLine~R1C1~R1C4.~R1C1_1").board.rules == ()
    groups = read_puzzle(".Shape~4x4.NoBoxes.DisjointSets.~R1C1_1").board.rules
    assert [rule.text(gridproof.Geometry.latin(4)) for rule in groups][:2] == [
        "extra-region r1c1 r1c3 r3c1 r3c3",
        "extra-region r1c2 r1c4 r3c2 r3c4",
    ]


def test_an_and_around_items_changes_nothing() -> None:
    inside = read_puzzle(".~R1C1_1.And.Cage~3~R1C1~R1C2.And.Thermo~R2C1~R2C2.End.End.Or.Diagonal~1.End")
    assert [rule.kind for rule in inside.board.rules] == ["killer", "thermometer"]
    assert inside.board.geometry == gridproof.Geometry.classic(3)
    assert [part.where for part in inside.not_understood] == ["Or (item 8 of 10)"]


def seen(line: tuple[int, ...]) -> int:
    return sum(height == max(line[: place + 1]) for place, height in enumerate(line))


OPTIONS: list[tuple[str, Callable[[tuple[int, ...]], bool]]] = [
    ("Cage~5~R1C1~R1C2", lambda g: g[0] + g[1] == 5),
    ("Cage~~R1C1~R2C3~R3C2", lambda g: len({g[0], g[6], g[9]}) == 3),
    (".~R1C1_1_3~R2C2_4", lambda g: g[0] in (1, 3) and g[5] == 4),
    ("Thermo~R2C1~R2C2", lambda g: g[4] < g[5]),
    ("Modular~2~R1C1~R2C2~R3C3", lambda g: g[0] % 2 != g[5] % 2 != g[10] % 2),
    ("Pair~" + table(lambda a, b: a < b, 4) + "~~R1C1~R2C2~~_other~R3C1~R2C2", lambda g: g[0] < g[5] > g[8]),
    ("Skyscraper~R1~2~3", lambda g: seen(g[:4]) == 2 and seen(g[3::-1]) == 3),
]
"""Items and their meaning."""


@given(
    st.recursive(
        st.sampled_from(range(len(OPTIONS))),
        lambda inner: st.tuples(st.sampled_from(["Or", "And"]), st.lists(inner, min_size=1, max_size=3)),
        max_leaves=6,
    )
)
@settings(max_examples=40)
def test_choices_inside_choices(tree: object) -> None:
    def written(node: object) -> str:
        if isinstance(node, int):
            return f".{OPTIONS[node][0]}"
        kind, inner = cast("tuple[str, list[object]]", node)
        return f".{kind}{''.join(map(written, inner))}.End"

    def meant(node: object, grid: tuple[int, ...]) -> bool:
        if isinstance(node, int):
            return OPTIONS[node][1](grid)
        kind, inner = cast("tuple[str, list[object]]", node)
        return (any if kind == "Or" else all)(meant(child, grid) for child in inner)

    fitting = {grid for grid in GRIDS if meant(tree, grid)}
    assert solved(written(tree)[1:]) == fitting
    board = read_puzzle(f".Shape~4x4{written(tree)}").board
    if 0 not in board.candidates and "Pair" not in written(tree):
        again = read_puzzle(gridproof.convert(board, "iss"))
        assert again.not_understood == ()
        assert {grid for grid in GRIDS if not violations(again.board, grid)} == fitting


def test_sums_sets_and_counts() -> None:
    assert solved("EqualSum~R1C1~R1C2~R2C3~-~R2C3~R3C1~R4C4~R4C1") == {
        g for g in GRIDS if g[0] + g[1] + g[6] == g[6] + g[8] + g[15] + g[12]
    }
    assert solved("EqualSum~R1C1~-~R2C3~-~R3C2") == {g for g in GRIDS if g[0] == g[6] == g[9]}
    assert solved("Sum~-2_=_1_2_-3_1~R1C1~R2C3~R3C2~R1C1") == {g for g in GRIDS if 2 * g[0] + 2 * g[6] - 3 * g[9] == -2}
    assert solved("SameValues~2~R1C1~R2C3~R3C2~R4C4") == {g for g in GRIDS if {g[0], g[6]} == {g[9], g[15]}}
    assert solved("SameValues~3~R1C1~R2C3~R3C2") == solved("EqualSum~R1C1~-~R2C3~-~R3C2")
    assert solved("CountDistinct~R1C1~R2C3~R3C2~R4C4") == {g for g in GRIDS if g[0] == len({g[6], g[9], g[15]})}
    assert solved("ContainExact~2_2_3~R1C1~R2C3~R3C2~R4C4") == {
        g for g in GRIDS if (picked := (g[0], g[6], g[9], g[15])).count(2) == 2 and picked.count(3) == 1
    }
    assert solved("HiddenSkyscraper~R1~1~2") == {
        g for g in GRIDS if first_hidden(g[:4]) == 1 and first_hidden(g[3::-1]) == 2
    }
    assert solved("ValueIndexing~R1C1~R2C3~R3C2~R4C4") == {
        g for g in GRIDS if g[6] <= 2 and (g[9], g[15])[g[6] - 1] == g[0]
    }
    assert solved("EqualityCage~R1C1~R2C3") == {g for g in GRIDS if {g[0], g[6]} in ({1, 4}, {2, 3})}


def test_the_largest_houses_hold_the_same_digits() -> None:
    assert read_puzzle(".Shape~4x4.RegionSameValues").board.rules == ()
    puzzle = read_puzzle(".Shape~4x4~6.RegionSize~6.RegionSameValues.~R1C1_1~R1C2_2~R1C3_5~R1C4_6")
    assert puzzle.not_understood == ()
    solutions = list(gridproof.solutions(puzzle))
    assert len(solutions) == 24, "of Latin squares, as boxes of six cells do not fit"
    assert all(set(grid) == {1, 2, 5, 6} for grid in solutions)
    (rule,) = puzzle.board.rules
    assert len(rule.value("lines")) == 8


def test_ranks_of_lines() -> None:
    def number(cells: Iterable[int], grid: tuple[int, ...]) -> list[int]:
        return [grid[cell] for cell in cells]

    lines = [range(4 * k, 4 * k + 4) for k in range(4)] + [range(k, 16, 4) for k in range(4)]

    def rank(line: Sequence[int], grid: tuple[int, ...]) -> int:
        ranked = sorted(number(cells, grid) for each in lines for cells in (each, each[::-1]))
        own = number(line, grid)
        return ranked.index(own) + 1 if ranked.count(own) == 1 else 0

    top, right = range(1, 16, 4), range(11, 7, -1)
    expected = {g for g in GRIDS if rank(top, g) == 6 and rank(right, g) == 3}
    assert expected
    assert solved("FullRank~C2~6.FullRank~R3~~3") == expected
    assert solved("FullRank~C2~6.FullRank~R3~~3.FullRankTies~only-unclued") == expected
    different = {g for g in GRIDS if len({tuple(number(way, g)) for line in lines for way in (line, line[::-1])}) == 16}
    assert solved("FullRankTies~none") == different
    assert solved("FullRank~C2~6.FullRankTies~none") == {g for g in different if rank(top, g) == 6}
    assert read_puzzle(".FullRank~C2~6.FullRankTies~any").not_understood
    assert read_puzzle(".FullRank~C2~6.FullRankTies~some").not_understood


def first_hidden(line: tuple[int, ...]) -> int:
    return next((height for place, height in enumerate(line) if height < max(line[: place + 1])), 0)


@pytest.mark.parametrize(
    "rule",
    [
        "equal-sums r1c1 r1c2 / r2c3 / r3c1 r4c4 r4c2",
        "same-values r1c1 r1c2 / r2c3 r3c3",
        "linear-sum 3 factors='1 -2 100' r1c1 r2c2 r2c2",
        "linear-sum 9 r1c1 r2c2 r3c3",
        "count-distinct r1c1 / r2c3 r3c2 r4c4",
        "equality-cage r1c1 r1c2",
        "parity-line r1c1 r1c2 r2c3",
        "modular 4 r1c1 r1c2 r2c3",
        "value-indexing r1c1 r1c2 r2c3 r2c4",
        "hidden-skyscraper 2 row1",
        "full-rank 7 r1c4 r1c3 r1c2 r1c1",
    ],
)
def test_what_is_written_is_read_again(rule: str) -> None:
    board = gridproof.Board.empty(gridproof.Geometry.classic(2)).with_rules([rule])
    again = read_puzzle(gridproof.convert(board, "iss"))
    assert again.not_understood == ()
    fitting = [grid for grid in GRIDS if not violations(board, grid)]
    assert [grid for grid in GRIDS if not violations(again.board, grid)] == fitting


def test_an_option_that_demands_nothing_makes_a_choice_true() -> None:
    puzzle = read_puzzle(".Shape~4x4.NoBoxes.Or.RegionSumLine~R1C1~R1C4.Cage~3~R1C1~R1C2.End.~R1C1_1")
    assert (puzzle.board.rules, puzzle.not_understood) == ((), ())


@settings(max_examples=20)
@given(st.sets(st.integers(0, 11)), st.integers(0, 2))
def test_copies_of_items(targets: set[int], first: int) -> None:
    """Bits are cells from the origin on; each copy is moved by rows and columns, not along the line of cells."""
    targets = {first + target for target in targets if (first + target) % 4 < 3 and first + target < 12}
    bits = [first + place in targets for place in range(16)]
    sixes = [bits[start : start + 6] for start in range(0, 16, 6)]
    code = "".join(DIGITS[sum(bit << place for place, bit in enumerate(six))] for six in sixes)
    origin = "" if first == 0 else f"~{CELLS[first]}"
    names = f"{CELLS[first]}~{CELLS[first + 5]}"
    item = f"Replicate~{code}{origin}.Pair~{table(lambda a, b: a < b, 4)}~_R1C1~{names}.End"
    assert solved(item) == {g for g in GRIDS if all(g[cell] < g[cell + 5] for cell in targets)}


def test_a_copy_in_a_choice_is_one_option() -> None:
    copies = "Replicate~D.Cage~3~R1C1~R2C1.End"
    assert solved(f"Or.Cage~7~R1C1~R1C2.{copies}.End") == solved("Cage~7~R1C1~R1C2") | solved(copies)


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        ("Or.End", "a choice without options"),
        ("Or.AntiKnight.End", "AntiKnight in a group, where the solver has none"),
        ("And.Diagonal~1.End", "Diagonal in a group, where the solver has none"),
        ("Or.And.Windoku.End.Cage~3~R1C1~R1C2.End", "Windoku in a group, where the solver has none"),
        ("Or.Cage~3~R1C1~R1C2.Cage~3~R9C9.End", "'R9C9' is not a cell"),
        ("Replicate~B~R1C1.Cage~3~R1C1~R1C2", "no End to it"),
        ("Replicate~=.Cage~3~R1C1~R1C2.End", "expected letters, digits, - and _"),
        ("Replicate~I.Cage~3~R1C1~R1C2.End", "a copy of 'R1C2' that leaves the board"),
        ("Replicate~AAB~R4C4.Cage~3~R1C1~R1C2.End", "a copy at a cell beyond the board"),
        ("Replicate~B.Skyscraper~R1~2.End", "Skyscraper, which has no cells to move"),
        ("End", "nothing that it ends"),
        (".".join(["Or"] * 30) + ".Cage~3~R1C1~R1C2" + ".End" * 30, "groups inside each other; expected at most 15"),
        (".".join(["Replicate~B___"] * 9) + ".Cage~~R1C1" + ".End" * 9, "copies of many items; expected at most"),
    ],
)
def test_a_group_that_is_not_read_is_not_understood(item: str, problem: str) -> None:
    puzzle = read_puzzle(f".Shape~4x4.~R1C1_1.{item}")
    assert problem in " ".join(str(part) for part in puzzle.not_understood)


@pytest.mark.parametrize(
    "text",
    [
        ".Shape~4x4\n.~R1C1_1\n# a comment\n.Cage~3~R1C2~R1C3\n",
        ".~R1C1_1.Shape~4x4\n\n  .Cage~3~R1C2~R1C3",
        ".Shape~4x4 .~R1C1_1 .Cage~3~R1C2~R1C3",
        "..Shape~4x4.~R1C1_1.Cage~3~R1C2~R1C3",
        ".   .Shape~4x4.~R1C1_1.Cage~3~R1C2~R1C3",
    ],
)
def test_a_string_over_several_lines(text: str) -> None:
    assert read_puzzle(text) == read_puzzle(".Shape~4x4.~R1C1_1.Cage~3~R1C2~R1C3")


def test_lines_with_a_group_over_several_of_them_are_one_string(tmp_path: Path) -> None:
    lines = (".~R1C1_1~VS1_2", ".Var~S~shade~4x4", ".Or", ".~R2C2_1", ".Cage~3~R1C2~R1C3", ".End", ".Shape~4x4")
    assert read_puzzle("\n".join(lines)) == read_puzzle("".join(lines))
    path = tmp_path / "strings.txt"
    path.write_text("\n".join(lines) + "\n")
    (puzzle,) = read(path, despite_unread=True)
    assert puzzle == read_puzzle("".join(lines))
    assert not puzzle.not_understood
    with pytest.raises(PuzzleFormatError, match="more than one puzzle"):
        read_puzzle("\n".join(line for line in lines if line != ".End"))


@pytest.mark.parametrize("shape", ["6x8~~Raw", "8x6~7", "6x6~Raw", "9x9~1-8"])
def test_a_shape_that_is_not_read_is_not_understood(shape: str) -> None:
    puzzle = read_puzzle(f".Shape~{shape}.~R1C1_1.Cage~3~R1C2~R1C3")
    assert [part.where for part in puzzle.not_understood] == ["Shape (item 1 of 3)"]


def test_a_line_each_stays_a_puzzle_each() -> None:
    first, second = ".Shape~4x4.~R1C1_1.Cage~3~R1C2~R1C3", ".Shape~4x4.~R1C1_2"
    assert list(read(f"{first}\n{second}\n")) == [read_puzzle(first), read_puzzle(second)]
    assert [type(item).__name__ for item in read(".Shape~4x4\n.~R1C1_1.Thermo~R1C1~R1C2")] == ["Puzzle"]
    with pytest.raises(PuzzleFormatError, match="more than one puzzle"):
        read_puzzle(f"{first}\n{second}")
    with pytest.raises(InputError, match="two Shapes"):
        read_puzzle(".Shape~4x4\n.Shape~4x4.~R1C1_1")


INDENTED = """
    .Shape~4x4.Thermo~R1C1~R1C2~R1C3~R1C4
    .Thermo~R2C4~R2C3.Thermo~R3C1~R3C2

    # the next puzzle
    .Shape~4x4.~R1C1_1.Cage~3~R1C2~R1C3
"""


def test_indented_lines_that_stand_together_are_one_string(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = ".Shape~4x4.Thermo~R1C1~R1C2~R1C3~R1C4.Thermo~R2C4~R2C3.Thermo~R3C1~R3C2"
    second = ".Shape~4x4.~R1C1_1.Cage~3~R1C2~R1C3"
    expected = [read_puzzle(first), read_puzzle(second)]
    path = tmp_path / "strings.txt"
    path.write_text(INDENTED)
    assert list(read(INDENTED)) == list(read(path)) == expected
    assert [puzzle.line for puzzle in read(path) if isinstance(puzzle, Puzzle)] == [2, 6]
    assert read_puzzle(INDENTED.split("\n\n")[0]) == expected[0]
    for arguments, typed in (([INDENTED], ""), ([str(path)], ""), (["-"], INDENTED)):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            main(["count", "--json", "-q", *arguments])
        numbers = [json.loads(line)["count"] for line in out.getvalue().splitlines()]
        assert numbers == [gridproof.count(first).number, gridproof.count(second).number]


def test_indented_lines_with_clues_of_their_own_are_a_string_each() -> None:
    first, second = ".Shape~4x4.~R1C1_1", ".Shape~4x4.~R1C1_2"
    assert list(read(f"  {first}\n  {second}\n")) == [read_puzzle(first), read_puzzle(second)]
    assert list(read(f"  {first}\n{second}\n")) == [read_puzzle(first), read_puzzle(second)]
    good, bad = read(f"  {first}\n\n  .Shape~44x4.~R1C1_1\n")
    assert good == read_puzzle(first)
    assert isinstance(bad, PuzzleFormatError)
    assert (bad.line, "expected rows and columns" in str(bad)) == (3, True)


def test_a_digit_that_is_counted_twice_is_refused_as_the_solver_does() -> None:
    (part,) = read_puzzle(".LookAndSay~1111~R1C1~R1C2~R1C3").not_understood
    assert part.what == "the clue '1111' counts a digit twice, which the solver refuses"
    assert read_puzzle(".LookAndSay~1112~R1C1~R1C2~R1C3").not_understood == ()


@pytest.mark.parametrize("name", ["text", "symbol", "notes", "Foo", "puzzle"])
def test_a_type_that_is_not_known_is_unread(name: str) -> None:
    link = f"https://sigh.github.io/Interactive-Sudoku-Solver/?q=.Shape~4x4.{name}~1~R1C1"
    assert [part.where for part in read_puzzle(link).not_understood] == [f"{name} (item 2 of 2)"]


@pytest.mark.parametrize(
    ("rules", "types"),
    [
        (["nabner r1c1 r1c2 r2c2"], {"Pair"}),
        (["leaper offsets='1 3'"], {"Pair"}),
        (["inequality r1c1 r3c3"], {"Pair"}),
        (["difference 2 r1c1 r1c2 r2c2"], {"Pair"}),
        (["box-indexer r1c1 r2c4"], {"Pair"}),
        (["non-consecutive", "difference r1c1 r1c2"], {"Pair", "WhiteDot"}),
        (["negative-ratio", "ratio 3 r1c1 r1c2"], {"Pair"}),
        (["regex '1.*' row1"], {"NFA"}),
        (["slow-thermometer r1c1-r1c3"], {"Pair"}),
        (["sandwich 2 r1c1 r1c2 r1c3"], {"Or", "And", "End", "NFA"}),
        (["x-sum 5 row1", "x-sum 6 row1"], {"XSum", "NFA", "Or", "And", "End"}),
        (["killer 0 r1c1 r1c2", "even r2c2"], {"NFA", "AllDifferent"}),
        (["any-of [ anti-knight ] [ even r1c1 ]"], {"Or", "And", "End", "Pair"}),
        (["none-of [ whispers 2 r1c1 r1c2 ] [ even r4c4 ]"], {"Or", "End", "Pair"}),
        (["between r1c1 r1c2", "double-arrow r2c1 r2c2"], set()),
    ],
)
def test_a_rule_without_an_item_is_written_by_its_primitives(rules: list[str], types: set[str]) -> None:
    """The solutions are those by ``holds``, which neither the writer nor the reader uses."""
    board = gridproof.parse("." * 16, rules=rules)
    string = gridproof.convert(board, "iss")
    named = set(re.findall(r"\.([A-Z]\w*)", string)) - {"Shape"}
    assert named <= types
    assert not types or named & types - {"Or", "And", "End"}
    expected = {grid for grid in GRIDS if not violations(board, grid)}
    assert solved(string.removeprefix(".Shape~4x4.").strip() or ".") == expected


@pytest.mark.parametrize(
    "item", ["Between~R1C1~R1C2", "DoubleArrow~R1C1~R1C2", "Lockout~2~R1C1~R1C2", "RellikCage~0~R1C1"]
)
def test_what_means_something_else_there_if_it_is_short_is_unread(item: str) -> None:
    (part,) = read_puzzle(f".Shape~4x4.{item}").not_understood
    assert "expected at least 3" in str(part) or "expected one from 1 on" in str(part)


@pytest.mark.parametrize(
    "text", [".AntiKnight", ".AntiConsecutive", ".Windoku.DisjointSets", ".AntiKnight\n.AntiKing\n"]
)
def test_items_without_values_are_a_string(text: str, tmp_path: Path) -> None:
    """The second one has 16 characters, as a line of 4x4 cells has."""
    puzzle = gridproof.read_puzzle(text)
    assert (puzzle.format, puzzle.not_understood) == ("iss", ())
    assert puzzle.board.geometry.cell_count == 81
    path = tmp_path / "one.txt"
    path.write_text(text, encoding="utf-8")
    (read_again,) = gridproof.read(path)
    assert isinstance(read_again, Puzzle)
    assert read_again.board == puzzle.board


# ---- further cells and regions ---------------------------------------------------------------------------------------


def test_further_cells_are_one_rule() -> None:
    string = ".Shape~4x4.Cage~5~VA1~R1C1.Var~A~a%20label~2.Var~B.~VB_1_2~R4C4_3.Thermo~VB~VA2.Cage~3~R1C2~R1C3"
    board = read_puzzle(string).board
    assert [rule.text(board.geometry) for rule in board.rules] == [
        "killer total=3 r1c2 r1c3",
        "further-cells 'groups=va:2 vb:1' [ killer total=5 va1 r1c1 ] [ given 'values=1 2' vb1 ] "
        "[ thermometer vb1 va2 ]",
    ]
    assert board["r4c4"] == 3
    assert read_puzzle(".Shape~4x4.Var~A~~3.~R1C1_1").board.rules == ()


def test_copies_stay_in_their_layer() -> None:
    for size in ("2x2", "4"):
        board = read_puzzle(f".Shape~4x4.Var~A~~{size}.Replicate~J~VA1.~VA1_2.End").board
        (rule,) = board.rules
        assert rule.text(board.geometry).endswith("[ given values=2 va1 ] [ given values=2 va4 ]")
    for item in (
        "Replicate~C~VA4.~VA4_2.End",
        "Replicate~D~VA1.WhiteDot~VA1~R1C1.End",
        "Replicate~C~VA1.Cage~3~VA1~VA2.End",
    ):
        assert read_puzzle(f".Shape~4x4.Var~A~~2x2.{item}").not_understood, item


@pytest.mark.parametrize(
    "item",
    [
        *(
            "Var~a~~2",
            "Var",
            "Var~A~~2.Var~A~~3",
            "Var~A~~999x9",
            "Var~A~~2.Cage~3~VA3~R1C1",
            "Var~A~~1.Cage~3~VA1~R1C1",
        ),
        *("ConnectedValues~VA~1", "ConnectedValues~~9", "ConnectedValues~~1~0", "ConnectedValues~~1~x"),
        *("Or.ConnectedValues~~1.End", "Var~A~~2.WhiteDot~VA1~R4C4", "Var~A~~2.AllDifferent~VA"),
    ],
)
def test_further_cells_that_are_not_read_are_not_understood(item: str) -> None:
    assert read_puzzle(f".Shape~4x4.~R1C1_1.{item}").not_understood


def test_connected_values_are_a_region_of_the_grid_or_of_a_group() -> None:
    board = read_puzzle(".Shape~4x4.ConnectedValues~~1_2~7.Var~S~~2x2.ConnectedValues~VS~3").board
    assert [rule.text(board.geometry) for rule in board.rules] == [
        "connected 'values=1 2' size=7",
        "further-cells groups=vs:2x2 [ connected values=3 vs1 vs2 vs3 vs4 ]",
    ]


def test_doppelgangers_are_houses_that_lack_a_digit_each() -> None:
    string = ".Shape~4x4~0-4.Doppelganger.~R1C1_0~R1C2_1~R2C3_1.GreaterThan~R1C3~R1C4.Thermo~DGR1~DGR2~DGR3"
    puzzle = read_puzzle(string)
    assert not puzzle.not_understood
    geometry = puzzle.board.geometry
    solutions = [geometry.digits.of(grid) for grid in gridproof.solutions(puzzle)]
    assert solutions
    houses: dict[str, list[tuple[int, ...]]] = {"row": [], "column": [], "box": []}
    for house in geometry.houses:
        houses[house.kind].append(house.cells)
    for digits in solutions:
        lacking = {}
        for kind, cells_of in houses.items():
            lacking[kind] = [({0, 1, 2, 3, 4} - {digits[cell] for cell in cells}).pop() for cells in cells_of]
            assert sorted(lacking[kind]) == [1, 2, 3, 4]
        assert lacking["column"][0] < lacking["column"][1] < lacking["column"][2]
        for cell in [cell for cell in range(16) if digits[cell] == 0]:
            box = cell // 8 * 2 + cell % 4 // 2
            assert len({lacking["row"][cell // 4], lacking["column"][cell % 4], lacking["box"][box]}) == 3
    for other in (".Shape~4x4.Doppelganger", ".Shape~4x4~0-5.Doppelganger", ".Shape~4x4~0-4.RegionSize~2.Doppelganger"):
        assert read_puzzle(other).not_understood


def test_a_cage_counts_a_cell_as_often_as_it_names_it() -> None:
    assert solved("Cage~7~R1C1~R2C3~R1C1") == {g for g in GRIDS if 2 * g[0] + g[6] == 7 and g[0] != g[6]}
    assert solved("Cage~0~R1C1~R2C3~R1C1") == {g for g in GRIDS if g[0] != g[6]}


def test_neighbours_are_not_consecutive_although_there_are_dots() -> None:
    board = read_puzzle(".Shape~4x4.AntiConsecutive.BlackDot~R1C1~R1C2").board
    assert sorted(rule.kind for rule in board.rules) == ["ratio", "relation"]
    for grid in gridproof.solutions(board):
        assert all(abs(a - b) != 1 for a, b in zip(grid, grid[4:], strict=False))
    kinds = [rule.kind for rule in read_puzzle(".Shape~4x4.AntiConsecutive.X~R1C1~R1C2").board.rules]
    assert kinds == ["non-consecutive", "xv"]
