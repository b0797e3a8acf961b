"""Formulas of sizes: what they mean, and that nothing else is understood."""

from __future__ import annotations

import re

import pytest

from gridproof.formula import Formula


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n", 6),
        ("n^3 + 2*r - c", 216 + 4 - 3),
        ("pairs(n)", 15),
        ("pairs(1)", 0),
        ("bits(n)", 3),
        ("bits(1) + bits(2) + bits(3) + bits(4) + bits(5)", 0 + 1 + 2 + 2 + 3),
        ("n*(n - 1)/2", 15),
        ("1/2 + 1/2", 1),
        ("2^bits(n)", 8),
        ("2^(4/2)", 4),
        ("2^3^2", 512),
        ("(r*c)", 6),
        ("part(n)", 35),
        ("part(r + c)", 7),
        (" n ", 6),
    ],
)
def test_value(text: str, value: int) -> None:
    formula = Formula.parse(text.strip(), {"part": ((6, 35), (5, 7))})
    assert formula(6, 2, 3) == value
    assert str(formula) == text.strip()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("m", "'m' is not understood"),
        ("n.real", "not understood"),
        ("n[0]", "not understood"),
        ("__import__('os')", "not understood"),
        ("pairs(n, n)", "not understood"),
        ("pairs(k=n)", "not understood"),
        ("pairs", "'pairs' is not understood"),
        ("pairs + 1", "'pairs' is not understood"),
        ("n(3)", "not understood"),
        ("n // 2", "FloorDiv"),
        ("n % 2", "Mod"),
        ("-n", "'-n' is not understood"),
        ("n < 2", "not understood"),
        ("1.5*n", "1.5"),
        ("'n'", "not understood"),
        ("True", "'True' is not understood"),
        ("n if n else n", "not understood"),
        ("lambda: 3", "not understood"),
        ("[n for n in r]", "not understood"),
        ("(n := 3)", "not understood"),
        ("n +", "not a formula"),
        ("", "not a formula"),
        ("n; n", "not a formula"),
        ("import os", "not a formula"),
        (3, "is no text"),
        (None, "is no text"),
        (["n"], "is no text"),
    ],
)
def test_nothing_else_is_understood(text: object, says: str) -> None:
    with pytest.raises(ValueError, match=says.replace("+", r"\+").replace("(", r"\(")):
        Formula.parse(text)


def test_what_is_expected_is_said() -> None:
    with pytest.raises(ValueError, match=r"expected whole numbers, n, r, c, .* pairs\(\), bits\(\), mine\(\)"):
        Formula.parse("yours(n)", {"mine": ((1, 1),)})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("n/4", "n/4 = 3/2 at n=6, r=2, c=3; expected a whole number"),
        ("n/(c - 3)", "divides by zero"),
        ("n^(1/2)", "expected a whole number"),
    ],
)
def test_values_are_whole(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Formula.parse(text)(6, 2, 3)


@pytest.mark.parametrize(
    "text",
    ["9^9^9^9", "n^n^n", "2^4097", "(2^4000)*(2^4000)", "1/2^5000", "pairs(" * 20 + "n" + ")" * 20, "(2^9)^(9^9)"],
)
def test_values_are_bounded(text: str) -> None:
    """Each of them would take memory or time without end."""
    formula = Formula.parse(text)
    with pytest.raises(ValueError, match=r"is too large at n=6, r=2, c=3; expected below 2\^4096"):
        formula(6, 2, 3)


@pytest.mark.parametrize("text", ["n^(1/2)", "(r - c)^(1/2)", "n^(9/4)", "4^(1/2)"])
def test_exponents_are_whole(text: str) -> None:
    with pytest.raises(ValueError, match=r"the exponent .*/.; expected a whole number"):
        Formula.parse(text)(6, 2, 3)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("n" + "+n" * 3000, "a formula of 6,001 characters; expected at most 300"),
        ("(" * 150 + "n" + ")" * 150, "a formula of 301 characters"),
        ("-" * 299 + "n", "' is not understood"),
        ("n" + "()" * 149, "' is not understood"),
        ("n" + "+n" * 148 + "+m", "'m' is not understood"),
        ("(" * 200 + "n", "not a formula"),
        ("n\0", "null bytes"),
    ],
)
def test_long_and_deep_formulas(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)):
        Formula.parse(text)


def test_the_longest_formula() -> None:
    assert Formula.parse("n" + "+n" * 149)(6, 2, 3) == 900


def test_a_table_knows_what_it_holds() -> None:
    formula = Formula.parse("part(n)", {"part": ((4, 1), (9, 2))})
    assert formula(9, 3, 3) == 2
    with pytest.raises(LookupError, match=r"part\(6\) is not in its table; expected one of \[4, 9\]"):
        formula(6, 2, 3)
