"""Regular expressions and state machines of lines: compared with Python's ``re``, and quick where that one is not."""

from __future__ import annotations

import re
from itertools import product
from random import Random
from time import process_time

import pytest

import gridproof
from gridproof.errors import InputError, Interrupted
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.patterns import PatternMachine, fits, parse_pattern
from gridproof.rules.primitives import NEVER, Automaton

NINE = Geometry.classic(3)
ORDER_36 = Geometry.classic(6)
ALL_ROWS = " ".join(f"row{row}" for row in range(1, 10))


def random_pattern(depth: int, random: Random) -> str:
    choice = random.random()
    if depth == 0 or choice < 0.3:
        return random.choice(["1", "2", "3", ".", "[12]", "[^3]", "[2-4]"])
    first = random_pattern(depth - 1, random)
    if choice < 0.6:
        return first + random_pattern(depth - 1, random)
    if choice < 0.75:
        return f"({first}|{random_pattern(depth - 1, random)}{random.choice(['', '|'])})"
    return f"({first}){random.choice(['*', '+', '?', '{2}', '{1,3}', '{2,}', '{0,2}', '{0,0}'])}"


@pytest.mark.parametrize("seed", range(60))
def test_a_pattern_matches_what_python_matches(seed: int) -> None:
    random = Random(seed)
    pattern = random_pattern(4, random)
    sequence = parse_pattern(pattern)
    length = random.randint(1, 4)
    machine = PatternMachine(sequence)
    automaton = Automaton.of(tuple(range(length)), Digits(1, 4), machine.start, machine.step, machine.accepts)
    for symbols in product(range(1, 5), repeat=length):
        matches = re.fullmatch(pattern, "".join(map(str, symbols))) is not None
        assert fits(sequence, symbols) == matches, (pattern, symbols)
        assert automaton.allows(symbols) == matches, (pattern, symbols)


@pytest.mark.parametrize(
    "pattern",
    [
        "(.|.)*[12]",
        "((.*)*)*1",
        "(((.?)*)*)*1",
        "(()*.|.)*1",
        "(" * 49 + ".*" + ")*" * 49 + "1",
        "(" * 49 + ".?" + "){0,99}" * 49 + "1",
        "((.{0,99}){0,99}){0,99}1",
    ],
)
def test_a_pattern_with_many_ways_to_match_takes_no_time(pattern: str) -> None:
    line = [2, 3, 4, 5, 6, 7, 8, 9, 3] * 9
    started = process_time()
    assert not fits(parse_pattern(pattern), line)
    assert fits(parse_pattern(pattern), [*line, 1])
    assert process_time() - started < 5


def test_the_time_limit_is_kept_by_a_pattern_with_many_ways_to_match() -> None:
    solved = gridproof.solve("." * 81)
    assert solved is not None
    another_end = solved[-1] % 9 + 1
    answer = gridproof.verify(solved, rules=f"regex (.|.)*{another_end} {ALL_ROWS}")
    assert answer.status == "none"


@pytest.mark.slow
def test_a_pattern_of_too_many_states_is_a_limit() -> None:
    board = Board.empty(NINE).with_rule(f"regex ((.{{0,99}}){{0,99}}){{0,99}} {ALL_ROWS}")
    with pytest.raises(Interrupted, match="a regular expression of more than 10,000 states"):
        list(board.rules[0].expand(NINE))


@pytest.mark.parametrize("pattern", ["(" * 51 + "." + ")" * 51, "." * 501, "(", "[3-1]", "1**", "{2}"])
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_pattern(pattern)


# ---- boards whose symbols are no characters --------------------------------------------------------------------------


def board_of_36() -> Board:
    cells = [(row * 6 + row // 6 + column) % 36 + 1 for row in range(36) for column in range(36)]
    cells[0] = cells[5] = 0
    return Board(ORDER_36, tuple(cells)).with_rule("regex . r1c1")


def test_above_order_35_a_regular_expression_expands_into_what_nothing_fulfils() -> None:
    assert list(board_of_36().rules[0].expand(ORDER_36)) == [NEVER]


def test_above_order_35_no_grid_fulfils_a_regular_expression() -> None:
    board = board_of_36()
    assert gridproof.verify(board).status == "none"
    assert board.rules[0].impossible(ORDER_36) == "no symbols in its cells fulfil it"


# ---- state machines --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["1>" + "1" * 4301, "\u0661>1", "1>\u0661", "-1>1", "1>1_0", "1234567890>1"])
def test_a_step_of_other_than_a_few_ascii_digits_is_refused(word: str) -> None:
    with pytest.raises(InputError, match="in a state; expected start, end, or a step such as 3>1"):
        Board.empty(NINE).with_rule(f"state-machine 'start {word}; end' row1")
