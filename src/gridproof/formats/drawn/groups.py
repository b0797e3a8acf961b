"""Drawn items that look alike, with a letter and in words: ``A: 2 green lines``, ``B: 3 white dots on edges``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import NamedTuple

from gridproof.formats.drawn.colours import Colour
from gridproof.formats.drawn.forms import SIGNS
from gridproof.formats.drawn.items import PIXELS, DrawnItem
from gridproof.formats.drawn.lines import join_pieces
from gridproof.formats.puzzle import Puzzle, count_by_key
from gridproof.puzzle.board import Board
from gridproof.rules.drawing import Sketch


class Noun(NamedTuple):
    """The words for one item of a form, and for several."""

    one: str
    several: str


NOUNS = {
    "plain": Noun("line", "lines"),
    "bulb": Noun("line with a bulb", "lines with a bulb"),
    "ringed": Noun("line between circles", "lines between circles"),
    "diagonal": Noun("line along a diagonal", "lines along a diagonal"),
    "arrow": Noun("arrow", "arrows"),
    "pointer": Noun("arrow outside", "arrows outside"),
    "dot": Noun("dot on an edge", "dots on edges"),
    "corner": Noun("mark on a corner", "marks on corners"),
    "circle": Noun("circle", "circles"),
    "end": Noun("circle at an end", "circles at ends"),
    "square": Noun("square", "squares"),
    "diamond": Noun("diamond", "diamonds"),
    "shade": Noun("shaded cell", "shaded cells"),
    "text": Noun("text in a cell", "texts in cells"),
    "outside": Noun("text outside", "texts outside"),
    "cage": Noun("cage", "cages"),
    "hidden": Noun("invisible shape", "invisible shapes"),
    "unknown": Noun("other drawing", "other drawings"),
}
"""The words for the forms of items."""

_WITHOUT_COLOUR = ("cage", "hidden", "unknown", "text", "outside")
"""Forms whose items are one group in any colour: numbers and cages differ by their text."""

_INK = Colour(0, 0, 0)

_WIDTHS = {"thin ": 5, "": 12, "thick ": 10**6}
"""The words for the width of a line, and the pixels up to which each goes."""


class Look(NamedTuple):
    """The look of a drawn item: what people tell it apart by. others: the names of the colours of what is under it."""

    form: str
    colour: Colour | None
    width: str = ""
    text: str = ""
    border: Colour | None = None
    others: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Group:
    """Drawings of one look.

    Attributes
    ----------
    letter
        Its name: ``A`` is the first.
    look
        What its items have in common.
    items
        The drawings, in the order of the file.
    words
        How many there are of which look: ``2 green lines``.
    """

    letter: str
    look: Look
    items: tuple[DrawnItem, ...]
    words: str

    def parts(self) -> set[str]:
        """Return where its unread parts stand in the file."""
        places: set[str] = set()
        for item in self.items:
            places.update(item.parts)
        return places

    def __str__(self) -> str:
        return f"{self.letter}: {self.words}"


def group_items(items: Sequence[DrawnItem]) -> list[Group]:
    """Return items in groups of one look, with letters."""
    members: dict[Look, list[DrawnItem]] = {}
    for item in items:
        members.setdefault(look_of(item), []).append(item)
    words = {}
    for look, group in members.items():
        words[look] = describe_look(look, len(join_pieces(group)))
    times = Counter(words.values())
    groups = []
    for number, (look, group) in enumerate(members.items()):
        text = words[look]
        if times[text] > 1 and look.colour is not None:
            text += f" ({look.colour.code})"
        groups.append(Group(letter_of(number), look, tuple(group), text))
    return groups


def letter_of(number: int) -> str:
    """Return the name of a group: A to Z, then AA, AB and so on."""
    if number < len(ascii_uppercase):
        return ascii_uppercase[number]
    return letter_of(number // len(ascii_uppercase) - 1) + ascii_uppercase[number % len(ascii_uppercase)]


def look_of(item: DrawnItem) -> Look:
    """Return the look of an item."""
    if item.form in _WITHOUT_COLOUR:
        return Look(item.form, None, text=sort_of_text(item))
    width = ""
    if item.size and item.form in ("plain", "bulb", "ringed"):
        for name, most in reversed(_WIDTHS.items()):
            if item.size < most:
                width = name
    border = item.border
    if item.is_line or item.fill is None or (border is not None and border.name in ("black", "grey")):
        border = None
    others = frozenset(
        [colour.name for colour in item.others if item.colour is None or colour.name != item.colour.name]
    )
    return Look(item.form, item.colour, width, sort_of_text(item), border, others)


def sort_of_text(item: DrawnItem) -> str:
    """Return what kind of text an item has; empty for none."""
    text = item.text
    if not text:
        return ""
    if re.fullmatch(r"[\d\s,]+", text):
        return "numbers"
    if item.form == "dot" and text in SIGNS:
        return "signs"
    if item.form == "dot" and set(text.upper()) <= {"X", "V"}:
        return "X or V"
    if len(text) > 1:
        return "words"
    if item.form in ("cage", "outside"):
        return f"the letter {text}"
    return "letters"


def describe_look(look: Look, number: int) -> str:
    """Return in words how many items there are of a look."""
    noun = NOUNS[look.form].one if number == 1 else NOUNS[look.form].several
    colour = ""
    if look.colour is not None:
        colour = " and ".join([look.colour.name, *sorted(look.others)]) + " "
    words = f"{number:,} {look.width}{colour}{noun}"
    if look.border is not None:
        words += f" with a {look.border.name} border"
    if look.text and look.form != "outside":
        words += f" with {look.text}"
    elif look.text and look.text != "numbers":
        words += f" ({look.text})"
    return words


def sketches_of(groups: Sequence[Group], board: Board) -> list[Sketch]:
    """Return how the drawings of some groups look, each with the letter of its group."""
    sketches = []
    for group in groups:
        for item in group.items:
            points = item.points
            if not points and item.cells:
                row, column = divmod(item.cells[0], board.geometry.columns)
                points = ((row + 0.5, column + 0.5),)
            if not points:
                continue
            width = item.size / PIXELS if len(points) > 1 else item.size
            colour = item.colour or _INK
            if item.colour is None or not item.points:
                width = 0
            sketches.append(Sketch(points, width, colour.code, item.rounded, group.letter))
    return sketches


def note_of_unread(puzzle: Puzzle, groups: Sequence[Group], in_picture: bool) -> str:
    """Return the note for a picture about what was not understood; empty if nothing was.

    in_picture: whether the picture shows the drawings, pale.
    """
    if not groups:
        return puzzle.missing()
    drawn: set[str] = set()
    for group in groups:
        drawn.update(group.parts())
    others = [part for part in puzzle.not_understood if part.where not in drawn]
    where = "not"
    if in_picture:
        where = "pale"
    looks = [f"{group.letter} ({group.words})" for group in groups]
    note = f"not understood, and {where} in the picture: {', '.join(looks)}"
    if others:
        return f"{note}; and not drawn: {count_by_key(others)}"
    return note
