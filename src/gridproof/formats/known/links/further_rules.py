"""Rules that f-puzzles and SudokuPad have no item for: a link that opens in SudokuPad holds each of them three times.

People see its drawing and read it as a numbered sentence below the rules in words. gridproof reads it under a key of
its own, as text; both programs leave out the key when they save the puzzle, so it never belongs to an older puzzle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gridproof.formats.known.links.f_puzzles_drawing import Drawing, draw_copies
from gridproof.formats.programs import UnreadItem, as_sentence, check_sense, shorten, terms_of
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule
from gridproof.rules.rule_parsing import parse_rule

KEY = "gridproof"
"""The key of the rules in the JSON."""


def draw_further(rule: Rule, geometry: Geometry) -> Iterator[Drawing]:
    """Yield the drawings of a rule, and the rule itself under the key. Raises ``Inexpressible`` for a user's kind."""
    terms_of(rule, geometry)
    yield KEY, {"rule": rule.text(geometry)}
    yield from draw_copies(rule, geometry)


def read_further(entry: Any, geometry: Geometry) -> Rule:
    """Return the rule of an entry under the key. Raises ``UnreadItem`` or ``InputError``."""
    if not isinstance(entry, dict) or set(entry) != {"rule"} or not isinstance(entry["rule"], str):
        raise UnreadItem(f'{shorten(entry)}; expected an object such as {{"rule": "numbered-room 5 row1"}}')
    rule = parse_rule(entry["rule"], files=False).make(geometry)
    return check_sense(rule, geometry)


def number_sentences(rules: Iterable[Rule], geometry: Geometry) -> str:
    """Return rules in words, a numbered line for each.

    Examples
    --------
    >>> from gridproof.rules import make_rules
    >>> board = Geometry.classic(2)
    >>> print(number_sentences(make_rules(board, ["numbered-room 3 row1", "sum-line 5 r1c1 r1c2"]), board))
    1. From the left in row 1, the first digit is the place of 3.
    2. R1c1 r1c2 can be cut into runs that each sum to 5.
    """
    lines = []
    for number, rule in enumerate(rules, 1):
        lines.append(f"{number}. {as_sentence(rule, geometry)}")
    return "\n".join(lines)


def add_sentences(words: str, rules: Sequence[Rule], geometry: Geometry) -> str:
    """Return rules in words with the numbered sentences of further rules below."""
    paragraphs = [words, number_sentences(rules, geometry)]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def remove_sentences(words: str, rules: Sequence[Rule], geometry: Geometry) -> str:
    """Return rules in words without the numbered sentences of further rules, if these stand below them."""
    sentences = number_sentences(rules, geometry)
    if not sentences:
        return words
    if words == sentences:
        return ""
    return words.removesuffix(f"\n\n{sentences}")


def list_drawings(rules: Iterable[Rule], geometry: Geometry) -> Iterator[Drawing]:
    """Yield the drawings that stand for further rules."""
    for rule in rules:
        for key, fields in draw_further(rule, geometry):
            if key != KEY:
                yield key, fields
