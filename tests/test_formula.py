"""Formulas of sizes: what they mean, that nothing else is understood, and that none takes long."""

from __future__ import annotations

import re

import pytest

from gridproof.models.sizes import read

OWN = {"part": lambda k: {6: 35, 5: 7}[k]}


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
        ("2^bits(n)", 8),
        ("2^(4/2)", 4),
        ("2^3^2", 512),
        ("0^0 + 0^n", 1),
        ("(r*c)", 6),
        ("part(n)", 35),
        ("part(r + c)", 7),
        (" n ", 6),
    ],
)
def test_value(text: str, value: int) -> None:
    assert read(text, OWN)(6, 2, 3) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("m", "'m' is not understood"),
        ("n.real", "'n.real' is not understood"),
        ("n[0]", "not understood"),
        ("__import__('os')", "not understood"),
        ("pairs(n, n)", "not understood"),
        ("pairs(k=n)", "not understood"),
        ("pairs", "'pairs' is not understood"),
        ("pairs + 1", "'pairs' is not understood"),
        ("n(3)", "not understood"),
        ("n // 2", "'n // 2' is not understood"),
        ("n % 2", "'n % 2' is not understood"),
        ("-n", "'-n' is not understood"),
        ("n^-2", "'-2' is not understood"),
        ("r + m^2", "'m' is not understood"),
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
    with pytest.raises(ValueError, match=re.escape(says)):
        read(text, OWN)


def test_what_is_expected_is_said() -> None:
    with pytest.raises(ValueError, match=r"expected whole numbers, n, r, c, .* pairs\(\), bits\(\), part\(\)"):
        read("yours(n)", OWN)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("n/4", "6/4 is no whole number"),
        ("n/(c - 3)", "6/0 is no whole number"),
        ("n^(r - c)", "6^-1 is no whole number"),
        ("9^9^9^9", "is too large"),
        ("(2^2000)^(2^2000)", "is too large"),
        ("pairs(9^9)", "pairs(387420489); expected a number from 1 to 10,000"),
        ("part(n - 6)", "part(0); expected"),
    ],
)
def test_numbers_are_whole_and_not_too_large(text: str, says: str) -> None:
    size = read(text, OWN)
    with pytest.raises(ValueError, match=re.escape(says)):
        size(6, 2, 3)


@pytest.mark.parametrize("text", ["+".join(["n"] * 100_000), "(" * 10_000 + "n" + ")" * 10_000, "n" + "^1" * 5_000])
def test_long_formulas_are_refused(text: str) -> None:
    """A formula of that length once ended in a RecursionError."""
    with pytest.raises(ValueError, match=r"characters; expected a formula such as 'n\^3', of 400 characters at most"):
        read(text, OWN)


@pytest.mark.parametrize(
    ("text", "value"), [("+".join(["n"] * 200), 1200), ("(" * 180 + "n" + ")" * 180, 6), ("n" + "^1" * 199, 6)]
)
def test_formulas_of_the_greatest_length_have_a_value(text: str, value: int) -> None:
    assert read(text, OWN)(6, 2, 3) == value


def test_what_is_nested_too_deep_is_no_formula() -> None:
    with pytest.raises(ValueError, match="not "):
        read("(" * 399, OWN)
    with pytest.raises(ValueError, match="not understood"):
        read("-" * 399 + "n", OWN)
