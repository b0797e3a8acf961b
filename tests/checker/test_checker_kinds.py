"""The checker's parts of a rule at the edges of its sentence, cell by cell, without any house."""

from __future__ import annotations

from typing import Any

import pytest

from gridproof.checker.machines import KINDS
from gridproof.checker.statement import Layout


def fits(kind: str, symbols: str, parameters: dict[str, Any], order: int = 9) -> bool:
    """Return whether cells 0, 1, 2, ... with these symbols keep a rule; all other cells hold 1."""
    grid = tuple(int(symbol) for symbol in symbols.ljust(order**2, "1"))
    no_houses = Layout(order, order, 1, order, (), (), (frozenset(),) * order**2)
    return all(part.fits(grid) for part in KINDS[kind].parts(no_houses, **parameters))


LINE = {"lines": ((0, 1, 2),)}
PAIR = {"cells": (0, 1)}
THREE = {"cells": (0, 1, 2)}
FOUR = {"cells": (0, 1, 2, 3)}

EDGES: list[tuple[str, dict[str, Any], str, str]] = [
    ("thermometer", LINE, "123 149", "113 122 321"),
    ("slow-thermometer", LINE, "113 222", "121 321"),
    ("whispers", {**LINE, "difference": 5}, "161 616 949", "151 155"),
    ("between", LINE, "135 531", "115 155 335 533 565"),
    ("lockout", {**LINE, "difference": 4}, "165 561 519", "135 115 155 164"),
    ("renban", LINE, "132 456", "133 124 135"),
    ("nabner", LINE, "135 924", "123 131 243"),
    ("palindrome", LINE, "121 555", "122"),
    ("entropic", LINE, "147 963", "123 114 474"),
    ("modular", {**LINE, "modulus": 3}, "123 456", "144 171"),
    ("sum-line", {**LINE, "total": 5}, "235 532 514", "234 533 141"),
    ("sum-loop", {**LINE, "total": 5}, "253 325", "333 251"),
    ("double-arrow", LINE, "132 143", "142 144"),
    ("zipper", LINE, "132 264", "133 142"),
    ("killer", {**THREE, "total": 6, "repeats": False}, "123 321", "124 222 114"),
    ("killer", {**THREE, "total": 6, "repeats": True}, "123 222 114", "124"),
    ("killer", {**THREE, "total": None, "repeats": False}, "129", "122"),
    ("little-killer", {**THREE, "total": 6}, "222 411", "221"),
    ("rellik", {**THREE, "total": 5}, "129 891", "519 239 149 288"),
    ("skyscraper", {**THREE, "seen": 2}, "131 291 223", "123 911 321"),
    ("x-sum", {**THREE, "total": 4}, "229 221", "231 149 429"),
    ("numbered-room", {**THREE, "symbol": 4}, "241 314", "214 144 944"),
    ("sandwich", {**FOUR, "total": 5}, "1329 9231", "1349 1523 9119 1199"),
    ("lunchbox", {**FOUR, "total": 5}, "1238 8231 2594", "1248 2258 2539"),
    ("even", THREE, "246", "247"),
    ("odd", THREE, "135", "136"),
    ("extra-region", THREE, "123", "121"),
    ("difference", {**PAIR, "difference": 2}, "13 31", "12 14"),
    ("ratio", {**PAIR, "ratio": 3}, "13 31 26", "12 33"),
    ("xv", {**PAIR, "total": 5}, "14 23", "15 55"),
    ("inequality", PAIR, "12", "11 21"),
    ("clone", {"lines": ((0, 1), (2, 3))}, "1212", "1221 1213"),
    ("quadruple", {**THREE, "values": (3, 3)}, "331 333", "311 123"),
    ("look-and-say", {**THREE, "values": (2, 3), "only": False}, "331 133", "333 311"),
    ("look-and-say", {**THREE, "values": (2, 3, 1, 5), "only": True}, "335 533", "331 355"),
    ("counting-circles", THREE, "122 212 333", "111 223 123"),
    ("arrow", {"circle": (0,), "shafts": ((1, 2),)}, "312 945", "311 955"),
    ("arrow", {"circle": (0, 1), "shafts": ((2, 3),)}, "1257 1156", "1258 1155"),
]
"""Kind, parameters, the symbols that keep the rule, and those that break it."""


@pytest.mark.parametrize(("kind", "parameters", "accepted", "refused"), EDGES)
def test_a_kind_at_the_edges_of_its_sentence(
    kind: str, parameters: dict[str, Any], accepted: str, refused: str
) -> None:
    for symbols in accepted.split():
        assert fits(kind, symbols, parameters), symbols
    for symbols in refused.split():
        assert not fits(kind, symbols, parameters), symbols


def test_above_order_35_no_grid_fits_a_regular_expression() -> None:
    pattern = {"pattern": ".*", "lines": ((0,),)}
    assert fits("regex", "1", pattern, order=35)
    assert not fits("regex", "1", pattern, order=36)


@pytest.mark.parametrize(("marked", "accepted"), [(((0, 1), (2, 3)), True), (((0, 1),), False), ((), False)])
def test_marked_pairs_are_exempt_from_a_negative_rule(marked: tuple[tuple[int, int], ...], accepted: bool) -> None:
    assert fits("non-consecutive", "1212", {"marked": marked}, order=2) == accepted
