"""The small languages that the checker reads: patterns and comparisons against Python's, state machines by hand."""

from __future__ import annotations

import re
from collections.abc import Hashable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridproof.checker.findings import Refusal
from gridproof.checker.machines import Machine
from gridproof.checker.texts import comparison, pattern, state_machine

WORDS = [word for length in range(5) for word in product((1, 2, 3), repeat=length)]
"""Every line of up to four cells of a board of order 3."""


def accepts(machine: Machine, word: tuple[int, ...]) -> bool:
    state: Hashable | None = machine.start
    for symbol in word:
        state = machine.step(state, symbol)
        if state is None:
            return False
    return machine.accepts(state)


def check_against_python(text: str) -> None:
    machine = pattern(text)
    for word in WORDS:
        line = "".join([str(symbol) for symbol in word])
        assert accepts(machine, word) == bool(re.fullmatch(text, line)), (text, line)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "123",
        "1.3",
        ".*",
        "1|23",
        "1(2|3)1",
        "(12|1)3",
        "(1|2)*3",
        "(1|2|)3",
        "1?2+3*",
        "[12]3",
        "[^2]*",
        "[1-3]2",
        "[13-3]{2}",
        "1{2}",
        "1{1,2}2",
        "1{2,}3?",
        "(1{0,1}2){2}",
        "(1*)*2",
        "((1|2)(3|1))+",
        "1{0}2",
    ],
)
def test_a_pattern_means_what_it_means_in_python(text: str) -> None:
    check_against_python(text)


atoms = st.sampled_from(["1", "2", "3", ".", "[12]", "[^1]", "[2-3]"])
patterns = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}"])).map(lambda p: f"({p[0]}){p[1]}"),
    ),
    max_leaves=6,
)


@given(patterns)
def test_any_pattern_means_what_it_means_in_python(text: str) -> None:
    check_against_python(text)


@pytest.mark.parametrize(
    "text", ["(1", "1)", "[1", "[]1[", "*1", "1{2", "1{a}", "1{3,2}", "1{100}", "x{1}!", "²", "1{1}{" * 3]
)
def test_a_pattern_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="is not a pattern"):
        pattern(text)


@pytest.mark.parametrize(
    "text",
    [
        "a < b",
        "abs(a - b) >= 2",
        "a + b == n or a == b",
        "a < b < n",
        "a in (1, b)",
        "a not in (1, 2)",
        "not a == b and a % 2 == 1",
        "max(a, b) - min(a, b) > 1",
        "a // 2 == b",
        "-a < -b",
        "a * 2 == b",
        "ceil(a / 2) == b",
    ],
)
def test_a_comparison_means_what_it_means_in_python(text: str) -> None:
    from math import ceil

    fits = comparison(text)
    for a, b in product(range(1, 5), repeat=2):
        expected = bool(eval(text, {"a": a, "b": b, "n": 4, "ceil": ceil}))
        assert fits(a, b, 4) == expected, (a, b)


def test_fractions_of_a_comparison_are_exact() -> None:
    assert comparison("a / 10 + b / 5 == 3 / 10")(1, 1, 9)


@pytest.mark.parametrize(
    "text", ["", "a <", "c < a", "a.b", "f(a)", "a if b else a", "[a] * 2", "lambda: a", "a < 'b'"]
)
def test_a_comparison_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="is not a comparison"):
        comparison(text)(1, 2, 4)


def test_a_state_machine_goes_from_start_to_end() -> None:
    machine = state_machine("start 1>1 2>0; 2>1 3>2; end")
    accepted = {word for word in WORDS if accepts(machine, word)}
    assert accepted == {(1, 3), (1, 2, 3), (2, 1, 3), (1, 2, 2, 3), (2, 1, 2, 3), (2, 2, 1, 3)}


def test_a_state_machine_may_be_in_several_states() -> None:
    machine = state_machine("start 1>0 1>1; end 2>1")
    assert accepts(machine, (1, 1, 2))
    assert not accepts(machine, (2,))
    assert not accepts(machine, ())


@pytest.mark.parametrize(
    "text", ["start 1>", "start >1", "begin", "start 1>1x", "start ١>1", "start 12345678901>12345678901"]
)
def test_a_state_machine_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="in a state"):
        state_machine(text)
