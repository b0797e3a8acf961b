"""Names of steps: each pattern on a small position of its own, and no name without the pattern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridproof import Board, Geometry, solutions
from gridproof.experiments.instances import instance
from gridproof.solving import Fact, Goal, Position, Step, naming, steps
from gridproof.solving.path import SolvingPath
from gridproof.solving.patterns import Pattern, patterns, rules
from solving.test_next_step import check_reason

SAMPLES = {
    "naked single": ("r1c1=5", "r1c1=5"),
    "hidden single": ("5.box1:r1c1", "r1c1=5"),
    "pointing": ("5.box1:r1c1,r1c2", "r1c9-5"),
    "claiming": ("5.row1:r1c1,r1c2", "r2c3-5"),
    "locked pair": ("r1c1=12 r1c2=12", "r1c9-1 r2c3-1"),
    "locked triple": ("r1c1=12 r1c2=23 r1c3=13", "r1c9-1 r2c3-1"),
    "naked pair": ("r1c1=12 r1c5=12", "r1c9-1"),
    "naked triple": ("r1c1=12 r1c5=23 r1c6=13", "r1c9-1"),
    "naked quad": ("r1c1=12 r1c5=23 r1c6=34 r1c7=14", "r1c9-1"),
    "hidden pair": ("1.row1:r1c1,r1c5 2.row1:r1c1,r1c5", "r1c1-9"),
    "hidden triple": ("1.row1:r1c1,r1c5 2.row1:r1c5,r1c9 3.row1:r1c9,r1c1", "r1c1-9"),
    "hidden quad": ("1.row1:r1c1,r1c5 2.row1:r1c5,r1c9 3.row1:r1c9,r1c7 4.row1:r1c7,r1c1", "r1c1-9"),
    "X-wing": ("5.row1:r1c1,r1c5 5.row5:r5c1,r5c5", "r9c1-5 r8c5-5"),
    "swordfish": ("5.row1:r1c1,r1c5 5.row5:r5c5,r5c9 5.row8:r8c9,r8c1", "r4c1-5"),
    "jellyfish": ("5.row1:r1c1,r1c4 5.row4:r4c4,r4c7 5.row7:r7c7,r7c9 5.row9:r9c9,r9c1", "r2c1-5"),
    "finned X-wing": ("5.row1:r1c1,r1c5 5.row5:r5c1,r5c5,r5c6", "r4c5-5"),
    "sashimi X-wing": ("5.row1:r1c1,r1c5 5.row5:r5c1,r5c4,r5c6", "r4c5-5"),
    "Franken swordfish": ("5.row1:r1c1,r1c2,r1c4 5.row4:r4c1,r4c2,r4c4 5.box7:r7c1,r8c1,r8c2", "r9c4-5"),
    "skyscraper": ("5.row1:r1c1,r1c5 5.row5:r5c1,r5c6", "r3c6-5"),
    "kite": ("5.row1:r1c3,r1c9 5.column1:r2c1,r9c1", "r9c9-5"),
    "empty rectangle": ("5.box1:r1c1,r1c3,r2c2,r3c2 5.row9:r9c2,r9c9", "r1c9-5"),
    "turbot fish": ("5.box1:r1c3,r2c2 5.row9:r9c2,r9c9", "r1c9-5"),
    "XY-wing": ("r1c1=12 r1c9=13 r9c1=23", "r9c9-3"),
    "XYZ-wing": ("r1c1=123 r1c9=13 r2c2=23", "r1c2-3"),
    "W-wing": ("r1c1=12 r9c9=12 2.row5:r5c1,r5c9", "r1c9-1"),
    "remote pair": ("r1c1=12 r1c9=12 r5c9=12 r5c2=12", "r2c2-1"),
    "simple colouring": (
        "5.row1:r1c1,r1c9 5.box3:r1c9,r3c8 5.column8:r3c8,r7c8 5.box9:r7c8,r8c7 5.row8:r8c7,r8c2",
        "r2c2-5",
    ),
    "X-chain": ("5.row1:r1c1,r1c9 5.column8:r3c8,r7c8 5.row8:r8c7,r8c2", "r2c2-5"),
    "killer combination": ("killer.15:r1c1,r1c2 r1c1=12345678", "r1c2-6"),
    "killer subset": ("killer.15:r1c1,r1c2 r1c1=78", "r1c9-7 r1c9-8"),
    "outie": ("killer.12:r1c1,r1c2,r1c3 killer.15:r1c4,r1c5,r1c6 killer.20:r1c7,r1c8,r1c9,r2c9", "r2c9-3 r2c9-1"),
    "innie": ("killer.12:r1c1,r1c2,r1c3 killer.15:r1c4,r1c5,r1c6 killer.11:r1c7,r1c8", "r1c9=7"),
    "thermometer bounds": ("thermometer:r1c1,r2c2,r3c3 r1c1=56789", "r2c2-5 r3c3-6"),
    "arrow bounds": ("arrow:r5c5,/,r1c1,r2c2 r2c2=6789", "r1c1-4 r5c5-6"),
    "XY-chain": ("r1c1=12 r1c5=23 r5c5=34 r5c9=14", "r1c9-1"),
    "AIC": ("5.row1:r1c1,r1c9 r5c9=56 6.row9:r9c9,r9c1", "r9c1-5"),
    "discontinuous loop": ("5.row1:r1c1,r1c9 r5c9=56 6.row9:r9c9,r9c1 r1c1=56", "r2c2-5"),
    "continuous loop": ("5.row1:r1c1,r1c9 r5c9=56 6.row9:r9c9,r9c1 r6c1=56", "r3c9-5 r3c1-6"),
    "X-chain with groups": ("5.box3:r1c7,r1c8,r3c9 5.row8:r8c9,r8c5 5.row5:r5c5,r5c2", "r1c2-5"),
    "AIC with groups": ("5.box3:r1c7,r1c8,r3c9 r5c9=56 6.column2:r5c2,r1c2", "r1c2-5"),
    "ALS-XZ": ("r1c1=123 r1c2=23 r1c5=235 r3c1=146 r3c7=46 r3c8=456", "r1c8-5"),
    "AIC with ALS": ("r1c1=123 r1c2=23 r1c5=235 1.row5:r5c1,r5c9 r8c9=15", "r8c5-5"),
    "dual kite": ("5.column2:r1c2,r7c2 5.row2:r2c3,r2c4 5.column3:r2c3,r8c3 5.row1:r1c2,r1c6", "r7c4-5 r8c6-5"),
    "dual empty rectangle": ("5.box5:r4c4,r6c4,r6c5,r6c6 5.row7:r7c4,r7c8 5.column8:r6c8,r7c8", "r6c8-5 r7c4-5"),
}
TWINS = "7...1...6.3..5..7...6.3.8....3...9..5.......8..96.31....51.92...8.5.4.1.....7...."
GONE = " ".join(
    f"{symbol}{cell}"
    for cell, kept in (("11", "123"), ("19", "13"), ("22", "23"))
    for symbol in "123456789"
    if symbol not in kept
)
"""The candidates that are gone where only an XYZ-wing is."""

"""The candidates left in cells (r1c1=12) and houses (5.row1: places of 5 in row 1), rules, and the conclusions."""


def position(statements: Sequence[str]) -> Board:
    """A board of which only the candidates named in statements are left."""
    geometry, rules = Geometry.classic(3), list[str]()
    marks = [511] * 81
    for statement in statements:
        if statement[0].islower() and "=" not in statement:
            rules.append(statement.translate(str.maketrans(".:,", "   ")))
        elif "=" in statement:
            cell, symbols = statement.split("=")
            marks[geometry.cell(cell)] = sum(1 << (int(symbol) - 1) for symbol in symbols)
        else:
            symbol, house, *cells = statement.replace(":", ".").replace(",", ".").split(".")
            (there,) = (each.cells for each in geometry.houses if each.name.replace(" ", "") == house)
            for other in {*there} - {geometry.cell(name) for name in cells}:
                marks[other] &= ~(1 << (int(symbol) - 1))
    return Board.empty(geometry).with_rules(rules).with_marks(marks)


def named(board: Board, *goals: str) -> Step:
    """The step with these conclusions, and its name."""
    candidates = [(board.geometry.cell(goal[:4]), int(goal[5])) for goal in goals]
    with SolvingPath(board) as path:
        if goals[0][4] == "=":
            return path.with_name(Step(path.position, placed=tuple(candidates)))
        return path.with_name(Step(path.position, removed=tuple(candidates)))


def test_every_pattern_has_a_position() -> None:
    """But the full house, which needs entries, and what one table makes: rules alone, kinds of fish and of loops."""
    without = {pattern.name for pattern in patterns()} - {*SAMPLES, "full house", *rules.NAMES.values()}
    assert all({*name.split()} & {"finned", "sashimi", "Franken", "mutant", "loop"} for name in without)


WORDS = {
    "naked triple": "because r1c6 is 1 or 3, r1c1 is 1 or 2, r1c5 is 2 or 3, and row 1 holds each digit once",
    "hidden pair": "because 1 and 2 in row 1 are in r1c1 or r1c5",
    "swordfish": "; column 1, column 5 and column 9 hold 5 once",
    "killer combination": "sums to 15: with 9 gone from r1c1 only 6+9 or 7+8 are left",
    "killer subset": "sums to 15, and row 1 holds each digit once: with 6 and 9 gone from r1c1 only 7+8 is left",
    "thermometer bounds": "increases from its bulb, with at least 5 in r1c1",
    "arrow bounds": "r5c5: with at least 6 in r2c2, r5c5 is at most 9 and r1c1 r2c2 sum to at least 7",
}


@pytest.mark.parametrize("name", WORDS)
def test_the_sentence_has_what_matters(name: str) -> None:
    statements, goals = (text.split() for text in SAMPLES[name])
    assert named(position(statements), *goals).sentence().endswith(WORDS[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_each_pattern_has_its_name_and_only_if_it_is_whole(name: str) -> None:
    statements, goals = (text.split() for text in SAMPLES[name])
    step = named(position(statements), *goals)
    assert name in (step.name, step.twin)
    check_reason(replace(step, reason=step.pattern))
    for number in range(len(statements)):
        less = named(position([*statements[:number], *statements[number + 1 :]]), *goals)
        assert name not in (less.name, less.twin)


def test_a_false_pattern_names_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern that offers too little and takes everything, and one that others take for their twin."""

    def too_little(board_position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
        yield [Fact("once", house) for house in range(27)]
        yield [Fact("once", 26), *(Fact("cell", cell) for cell in range(81) if cell != goal.cell)]

    lie = Pattern("lie", -1, too_little, lambda *_: True)
    liars = [lie, *(replace(pattern, twins=("lie",)) for pattern in patterns())]
    monkeypatch.setattr(naming, "patterns", lambda: liars)
    step = named(position(["r1c1=12", "r1c5=12"]), "r1c9-1")
    assert (step.name, step.twin) == ("naked pair", "")
    assert named(position(["r1c1=12", "r1c5=123"]), "r1c9-1").name == ""


def test_a_subset_is_seen_from_both_sides() -> None:
    step = next(step for step in steps(TWINS) if step.twin == "naked triple")
    assert step.sentence().startswith("hidden pair: r8c1 and r8c9 can only be 3 or 9, ")


@pytest.mark.slow
def test_the_measuring_reads_lines_of_a_library(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2]))
    names = import_module("benchmarks.names")

    lines = [f":0801:1:{'.' * 81}:{gone}:312::" for gone in (GONE, GONE.replace("422", "522"))]
    lines += [f":0800x:1:{'.' * 81}:{GONE}:312::", f":0801-x:1:{'.' * 81}:{GONE}:312::"]
    lines += [f":0606-x:1:{'.' * 81}:{GONE}:312::", f":0801-1:1:{'.' * 81}:{GONE}:312::"]
    (tmp_path / "library").write_text("\n".join(lines))
    names.show(names.measure(tmp_path / "library"))
    printed = capsys.readouterr().out
    assert "| 0801 | XYZ-wing | 3 | 2 | 0 | 3 | 0 | 0.67 | 1.00 |" in printed
    assert "3 lines with an x, 2 of them of a technique that has a name here" in printed
    assert "1 false names in these: 0801x: XYZ-wing" in printed


@pytest.mark.slow
@settings(max_examples=4, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.4, 0.8))
def test_a_named_step_follows_from_its_pattern_alone(seed: int, share: float) -> None:
    """Every false candidate that has a name is tried in random positions around a solution."""
    random, geometry = Random(seed), Geometry.classic(2, 3)
    grid = next(iter(solutions(instance("sudoku", geometry, 1.0, seed=seed).board)))
    marks = [sum(1 << s for s in range(6) if s + 1 == symbol or random.random() > share) for symbol in grid]
    with SolvingPath(Board.empty(geometry).with_marks(marks)) as path:
        for cell, symbol in enumerate(grid):
            for other in path.position.symbols(cell):
                if other != symbol:
                    step = path.with_name(Step(path.position, removed=((cell, other),)))
                    assert not step.twin or step.name
                    if step.name:
                        check_reason(replace(step, reason=step.pattern))
