"""Suggestions for people to confirm: what the words of a puzzle, or names in its file, seem to mean by its drawings.

A suggestion rests on keywords alone: a sentence that names the look of a group and a kind of rule that such drawings
can be. No sentence is understood. So a negation, an exception or a twist goes unnoticed, and whoever takes a
suggestion gets a verdict that states it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from gridproof.errors import InputError
from gridproof.formats.drawn.drawings import groups_of
from gridproof.formats.drawn.groups import Group
from gridproof.formats.drawn.meanings import mean
from gridproof.formats.puzzle import Puzzle

_MARKS = ("dot",)
_NUMBERS = ("", "numbers")
_LINES = ("plain", "bulb", "ringed")
_CELLS = ("circle", "square", "shade", "end")


class Keyword(NamedTuple):
    """A kind of rule, the forms of drawings that it is suggested for, and a pattern that sentences about it have.

    needs_colour: whether the sentence has to name the colour of the drawings, too, because many kinds are drawn so.
    texts: the sorts of text that the drawings may have; any if there are none.
    """

    reading: str
    forms: tuple[str, ...]
    pattern: str
    needs_colour: bool = True
    texts: tuple[str, ...] = ()


KEYWORDS = (
    Keyword("slow-thermometer", ("bulb",), r"slow|stay the same|(?:not|never) decrease|equal to or", False),
    Keyword("thermometer", ("bulb",), r"thermo|bulb|increas", False),
    Keyword("whispers 3", _LINES, r"(?:at least|minimum|or more).*\b(?:3|three)\b|\b(?:3|three)\b or more"),
    Keyword("whispers 4", _LINES, r"dutch|(?:at least|minimum).*\b(?:4|four)\b|\b(?:4|four)\b or more"),
    Keyword("whispers", _LINES, r"german|(?:at least|minimum).*\b(?:5|five)\b|\b(?:5|five)\b or more|whisper"),
    Keyword("renban", _LINES, r"renban|consecutive (?:set|sequence|digits|numbers|group)|set of .*consecutive"),
    Keyword("nabner", _LINES, r"nabner|no two .*consecutive"),
    Keyword("region-sum", _LINES, r"region.?sum|box borders? divide|(?:same|equal) (?:sum|total).*\bbox"),
    Keyword("palindrome", _LINES, r"palindrom|reads? the same"),
    Keyword("zipper", _LINES, r"zipper|equal distance|equidistant|equally distant"),
    Keyword("between", ("ringed",), r"between (?:line|the (?:digits|values|numbers|circle))|lies? between", False),
    Keyword("lockout", ("ringed",), r"lockout|outside the range", False),
    Keyword("double-arrow", ("ringed",), r"double.?arrow|sum .*\b(?:circle|ends)", False),
    Keyword("entropic", _LINES, r"entrop|\blow\b.*\bhigh\b"),
    Keyword("modular", _LINES, r"modular|remainder|1,? ?4,? ?7"),
    Keyword("parity-line", _LINES, r"parity line|alternat\w* (?:between )?(?:odd|even|parity)"),
    Keyword("sum-line", _LINES, r"\b(?:ten|10).?lines?\b|segments?.* sum to (?:10|ten)"),
    Keyword("arrow", ("arrow",), r"arrow|circle", False),
    Keyword("little-killer", ("pointer",), r"diagonal|little killer|arrow", False),
    Keyword("ratio", _MARKS, r"black.*(?:ratio|doubl|twice|1:2|two times)|kropki", texts=_NUMBERS),
    Keyword("difference", _MARKS, r"white.*(?:consecutive|differ|difference of 1)|kropki", texts=_NUMBERS),
    Keyword("xv", _MARKS, r"\bX\b.*\b10\b|\bV\b.*\b5\b|\bXV\b", False, ("X or V",)),
    Keyword("inequality", _MARKS, r"inequality|greater|smaller|less than", False, ("signs",)),
    Keyword("quadruple", ("corner",), r"quad|surrounding|touching|four cells", False),
    Keyword("odd", _CELLS, r"\bodd\b"),
    Keyword("even", _CELLS, r"\beven\b"),
    Keyword("counting-circles", ("circle", "end"), r"(?:how many|number of) (?:times|circles)|counting circle", False),
    Keyword("diagonal", ("diagonal",), r"diagonal", False),
    Keyword("sandwich", ("outside",), r"sandwich|between the 1 and (?:the )?9", False),
    Keyword("x-sum", ("outside",), r"x.?sum|first x\b", False),
    Keyword("skyscraper", ("outside",), r"skyscraper", False),
    Keyword("numbered-room", ("outside",), r"numbered room|nth (?:cell|digit)", False),
    Keyword("killer", ("cage",), r"cage", False),
)
"""In the order in which they are tried; the first that fits a sentence is taken."""

_COLOUR_WORDS = {
    "grey": r"gr[ea]y|silver|shaded",
    "yellow": r"yellow|gold\w*|beige",
    "orange": r"orange|gold\w*|peach|brown",
    "turquoise": r"turquoise|teal|cyan|blue",
    "blue": r"blue|turquoise|cyan|teal|indigo",
    "purple": r"purple|violet|lavender|lilac|pink|magenta",
    "pink": r"pink|magenta|purple|fuchsia",
    "red": r"red|pink",
    "green": r"green|lime",
    "white": r"white|open|hollow",
    "black": r"black|filled|solid",
}
"""The words of people for each name of a colour, as a pattern."""

_SENTENCE_END = re.compile(r"\n+|(?<=[.!?])\s+")


class Suggestion(NamedTuple):
    """A kind of rule that the drawings of a letter may be, and the sentence behind it."""

    letter: str
    reading: str
    sentence: str


def suggest_readings(puzzle: Puzzle) -> list[Suggestion]:
    """Return a suggestion for each group of drawings of which a sentence of the puzzle seems to name the kind.

    Examples
    --------
    >>> from gridproof import read_puzzle
    >>> text = '{"grid": [[{}, {}], [{}, {}]], "line": [{"lines": [["R1C1", "R1C2"]], "outlineC": "#0f0"}],'
    >>> puzzle = read_puzzle(text + '"ruleset": "Normal rules apply. Green lines are palindromes."}')
    >>> suggest_readings(puzzle)
    [Suggestion(letter='A', reading='palindrome', sentence='Green lines are palindromes.')]
    """
    suggestions = []
    for group in groups_of(puzzle):
        found = find_suggestion(group, puzzle.prose)
        if found is not None and fits_drawing(found, group, puzzle):
            suggestions.append(found)
    return suggestions


def find_suggestion(group: Group, prose: str) -> Suggestion | None:
    """Return what the words suggest for a group; ``None`` if they suggest nothing, or two kinds."""
    found: dict[str, str] = {}
    of_form_alone: set[str] = set()  # kinds that only such drawings are: what begins in a bulb is hardly anything else
    for sentence in sentences_of(group, prose):
        for keyword in KEYWORDS:
            if group.look.form in keyword.forms and fits_sentence(keyword, group, sentence):
                found.setdefault(keyword.reading, sentence)
                if len(keyword.forms) == 1:
                    of_form_alone.add(keyword.reading)
                break
    readings = of_form_alone or set(found)
    if len(readings) != 1:
        return None
    (reading,) = readings
    return Suggestion(group.letter, reading, found[reading])


def fits_drawing(suggestion: Suggestion, group: Group, puzzle: Puzzle) -> bool:
    """Return whether the drawings of a group can be what is suggested."""
    try:
        mean(group, suggestion.reading, puzzle.board.geometry)
    except InputError:
        return False
    return True


def sentences_of(group: Group, prose: str) -> Iterator[str]:
    """Yield the sentences of the prose, and the name that the file itself has for a group."""
    for name in sorted({item.name for item in group.items if item.name}):
        yield f"{group.look.colour.name if group.look.colour else ''} {name}, as the file calls it".strip()
    for sentence in _SENTENCE_END.split(prose):
        if sentence.strip():
            yield " ".join(sentence.split())


def fits_sentence(keyword: Keyword, group: Group, sentence: str) -> bool:
    """Return whether a sentence has the words for a kind, and those for the look of a group where it needs them."""
    if keyword.texts and group.look.text not in keyword.texts:
        return False
    if not re.search(keyword.pattern, sentence, re.IGNORECASE):
        return False
    colour = group.look.colour
    if not keyword.needs_colour:
        return True
    if colour is None:
        return False
    return re.search(rf"\b(?:{_COLOUR_WORDS[colour.name]})", sentence, re.IGNORECASE) is not None
