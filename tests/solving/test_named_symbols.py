"""Sentences of steps and explanations write symbols by the names of the puzzle, and by those alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

import gridproof
from cli_runner import Command
from core_samples import HARD, UNIQUE
from gridproof.formats.puzzle import Puzzle

CIRCLED = "①②③④⑤⑥⑦⑧⑨"
"""Names that stand for nothing else in a sentence, so that they can be put back."""

TO_DIGITS = str.maketrans(CIRCLED, "123456789")
LETTERS = str.maketrans("123456789", "ABCDEFGHI")


def named(text: str, *rules: str) -> Puzzle:
    puzzle = gridproof.read_puzzle(text, rules=rules)
    return replace(puzzle, names=tuple(CIRCLED[: puzzle.board.geometry.symbol_count]))


def words_of_steps(puzzle: Puzzle) -> list[str]:
    """All that is told of the first steps of a puzzle."""
    words = []
    for step in islice(gridproof.steps(puzzle), 25):
        words += [step.sentence(), *step.story_texts(), step.hint(3), str(step.as_dict())]
        if step.chain is not None:
            words.append(step.notation())
    return words


@pytest.mark.parametrize("first", ["named", "plain"])
@pytest.mark.parametrize(
    ("text", "rules"), [(HARD, ()), (UNIQUE, ()), ("1.....2..3.....4", ("killer 6 r1c2 r1c3 r1c4",))]
)
def test_steps_are_told_in_names(first: str, text: str, rules: tuple[str, ...]) -> None:
    plain = gridproof.read_puzzle(text, rules=rules)
    told = {}
    for turn in (first, "plain" if first == "named" else "named"):  # what is kept of one must not show in the other
        told[turn] = words_of_steps(named(text, *rules) if turn == "named" else plain)
    assert [words.translate(TO_DIGITS) for words in told["named"]] == told["plain"]
    assert set("".join(told["named"])) & set(CIRCLED)
    assert not set("".join(told["plain"])) & set(CIRCLED)


@pytest.mark.parametrize(
    ("text", "minimal"), [("11..............", False), ("12.............3", False), ("1.....2..3.....4", True)]
)
def test_explanations_are_told_in_names(text: str, minimal: bool) -> None:
    told = gridproof.explain(named(text), minimal=minimal)
    plain = gridproof.explain(text, minimal=minimal)
    assert [words.translate(TO_DIGITS) for words in told.sentences()] == plain.sentences()
    picture = told.picture()
    assert set(picture) & set(CIRCLED)
    assert not set(plain.picture()) & set(CIRCLED)


def test_a_puzzle_in_letters_is_told_in_letters(call: Command) -> None:
    letters, digits = call("steps", "--story", HARD.translate(LETTERS)), call("steps", "--story", HARD)
    assert letters.code == digits.code == 0
    assert "is A," in letters.out
    assert "shown as" not in letters.err
    assert len(letters.out) == len(digits.out)
    explained = call("explain", "ABB.............")
    assert "r1c2=B; r1c3=B" in explained.out
    assert "[B]" in explained.out
    assert "both hold B" in explained.out


def test_the_option_names_symbols(call: Command) -> None:
    assert "r3c3 is W" in call("steps", "--next", "--symbols", "WXYZ", "1.....2..3.....4").out
    assert "r1c2=W" in call("explain", "--symbols", "WXYZ", "11..............").out
    refused = call("steps", "--symbols", "WXY", "1.....2..3.....4")
    assert refused.code == 2
    assert "expected 4 different ones" in refused.err
