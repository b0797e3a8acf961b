"""A group of drawings and the kind of rule that a person names: the rules that the group states.

Only the geometry comes from the drawing: the cells of a line in their order, the two cells of a dot, the cells that a
number outside sees, the number in a cage. What does not fit is refused, and the item is named.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from gridproof.errors import InputError
from gridproof.formats.drawn.groups import NOUNS, Group
from gridproof.formats.drawn.items import DrawnItem
from gridproof.formats.drawn.lines import join_pieces, lines_for
from gridproof.formats.programs import list_cells
from gridproof.formats.shapes import are_neighbours
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, all_kinds, find, parse_rule
from gridproof.rules.catalog import every_name, tidy_name
from gridproof.rules.cells import cell_names
from gridproof.rules.kinds.outside import OutsideClue
from gridproof.rules.rule import REQUIRED
from gridproof.text import counted

NAMES = {
    "diagonal": "extra-region",
    "no-repeats": "extra-region",
    "10-line": "sum-line",
    "ten-line": "sum-line",
    "x": "xv",
}
"""Names that setters use for drawings of a kind whose own name they hardly use."""

_LINES = ("plain", "bulb", "ringed", "diagonal")
_IN_CELLS = ("circle", "square", "diamond", "shade", "text", "end")
_FORMS_OF_KIND = {
    "arrow": ("arrow",),
    "little-killer": ("pointer",),
    "thermometer": ("bulb", "plain", "ringed"),
    "slow-thermometer": ("bulb", "plain", "ringed"),
    "quadruple": ("corner",),
    "counting-circles": (*_IN_CELLS, "corner", "dot"),
}
"""Forms of the items of a kind, where they do not follow from its parameters."""

_FROM_BULBS = ("thermometer", "slow-thermometer")
"""Kinds of lines that begin in a bulb."""

_PAIRS = ("difference", "ratio", "xv", "inequality")
"""Kinds that compare the two cells of a dot; they also compare neighbours along a line."""

_OF_ALL_ITEMS = ("counting-circles", "clone", "equal-sums", "same-values")
"""Kinds of which the items of a group are one rule."""

_OF_SINGLE_CELLS = (
    *("odd", "even", "minimum", "maximum", "row-indexer", "column-indexer", "box-indexer", "given"),
    "counting-circles",
)
"""Kinds of which each marked cell has its own rule; other marked cells are a region with their neighbours."""

_WITH_ENDS = (*_FROM_BULBS, "between", "double-arrow", "lockout", "arrow", "little-killer")
"""Kinds to which the shapes at the ends of a line belong, too."""

_LETTERS = {"X": 10, "V": 5, "XV": 15}
"""Letters that stand for a sum."""

_CELLS = re.compile(r"@(?:(-?\d+)(?:-(\d*))?)?")
"""The words of a reading that stand for cells of an item: ``@`` all, ``@1`` the first, ``@-1`` the last, ``@2-``."""

_NUMBER = re.compile(r"#(?:([-+*])(\d+))?")
"""The words that stand for its numbers, perhaps with a number that is added, subtracted or multiplied: ``#+1``."""


class Meaning(NamedTuple):
    """A meaning of a group: rules, and where the parts stand in the file that were read for them."""

    rules: tuple[Rule, ...]
    parts: frozenset[str]


class Place(NamedTuple):
    """The cells of an item as a rule takes them, its text, and the items that it is."""

    cells: tuple[str, ...]
    text: str
    items: Sequence[DrawnItem]


def mean(group: Group, reading: str, geometry: Geometry) -> Meaning:
    """Return the rules of a group that is read as rules of a kind.

    Parameters
    ----------
    group
        The drawings.
    reading
        A rule without cells, such as ``whispers 4`` or ``sandwich``. The cells of each item are put at its end, and the
        number in the item before them if the kind needs one. Where a reading has ``@`` and ``#``, these stand for the
        cells and the numbers: ``any-of [ killer #+1 @ ] [ killer #-1 @ ]``; ``@1`` is the first cell, ``@-1`` the last.
    geometry
        Of the board.

    Raises
    ------
    InputError
        If the reading is no rule, or an item does not fit; the item is named.
    """
    words = split_reading(reading)
    kind = find_kind(words)
    is_explicit = any(_CELLS.fullmatch(word) for word in words)
    forms = forms_of(kind)
    if is_explicit:
        forms = tuple(NOUNS)
    places = list(list_places(group, kind, forms, geometry))
    if kind in _OF_ALL_ITEMS and not is_explicit:
        places = [join_places(places, kind)]
    rules = []
    parts = group.parts()
    for place in places:
        rules.append(make_rule(words, kind, place, geometry))
        if kind in _WITH_ENDS:
            for item in place.items:
                for end in item.ends:
                    parts.update(end.parts)
    return Meaning(tuple(rules), frozenset(parts))


def join_places(places: Sequence[Place], kind: str) -> Place:
    """Return the items of a group as one, for a kind of which they are one rule together."""
    cells: list[str] = []
    items: list[DrawnItem] = []
    for place in places:
        if cells and kind != "counting-circles":
            cells.append("/")
        cells += place.cells
        items += place.items
    return Place(tuple(cells), "", items)


def split_reading(reading: str) -> list[str]:
    """Return the words of a reading, with the names of kinds in place of those that setters use."""
    try:
        words = shlex.split(reading)
    except ValueError as problem:
        raise InputError(f"{problem}; expected quotes in pairs") from None
    if not words:
        raise InputError("no kind of rule; expected one, such as whispers")
    return [NAMES.get(word, word) for word in join_name(words)]


def join_name(words: list[str]) -> list[str]:
    """Return words of which the first is a kind, where people write its name with blanks or capitals.

    Examples
    --------
    >>> join_name(["Parity", "line"]), join_name(["whispers", "4"])
    (['parity-line'], ['whispers', '4'])
    """
    known = {*every_name(), *NAMES}
    for number in (3, 2, 1):
        name = tidy_name(" ".join(words[:number]))
        if name in known:
            return [name, *words[number:]]
    return words


def find_kind(words: Sequence[str]) -> str:
    """Return the kind that an item of a reading is: the first one that is no choice."""
    for word in words:
        if word != "[":
            kind = find(word, files=False)
            if not kind.name_of_rules():
                return kind.kind
    raise InputError("only choices; expected a kind such as whispers in them")


def make_rule(words: Sequence[str], kind: str, place: Place, geometry: Geometry) -> Rule:
    """Return the rule of an item. Raises ``InputError`` that names the item."""
    try:
        stated = list(words)
        cells = place.cells
        if not any(_CELLS.fullmatch(word) for word in stated):
            if takes_number(kind, stated, place.text):
                stated.append("#")
            stated.append("@")
        if stated[0] == "sum-line" and cells[0] == cells[-1]:
            stated[0] = "sum-loop"
            cells = cells[:-1]
        text = []
        for word in stated:
            if _NUMBER.fullmatch(word):
                text += [str(number) for number in numbers_for(word, place.text, kind)]
            elif _CELLS.fullmatch(word):
                text += cells_for(word, cells)
            else:
                text.append(shlex.quote(_NUMBER.sub(partial(number_in_word, text=place.text, kind=kind), word)))
        return parse_rule(" ".join(text), files=False).make(geometry)
    except InputError as problem:
        raise InputError(f"{describe_place(place, geometry)}: {problem}") from None


def takes_number(kind: str, stated: Sequence[str], text: str) -> bool:
    """Return whether the number in an item is that of its rule. Raises ``InputError`` for one that has no place."""
    numbers = [parameter for parameter in find(kind).parameters() if parameter.type in ("number", "numbers")]
    if any(word.lstrip("-").isdecimal() or "=" in word for word in stated[1:]):
        return False
    if numbers and numbers[0].default is REQUIRED:
        return True
    if numbers and text:
        return True
    if text.isdecimal():
        raise InputError(f"its number has no place in {kind}; expected a kind with a number, or {kind} @")
    return False


def cells_for(word: str, cells: Sequence[str]) -> Sequence[str]:
    """Return the cells that a word of a reading stands for. Raises ``InputError`` where the item has no such cells."""
    match = _CELLS.fullmatch(word)
    assert match is not None
    if match[1] is None:
        return cells
    first = int(match[1])
    last = first
    if match[2] is not None:
        last = int(match[2] or len(cells))
    if first < 0:
        first += len(cells) + 1
        last = first
    if not 1 <= first <= last <= len(cells):
        raise InputError(f"{word} of {counted(len(cells), 'cell')}")
    return cells[first - 1 : last]


def numbers_for(word: str, text: str, kind: str) -> list[int]:
    """Return the numbers that a word of a reading stands for. Raises ``InputError`` if the text is no number."""
    match = _NUMBER.fullmatch(word)
    assert match is not None
    numbers = numbers_in(text, kind)
    operand = int(match[2] or 0)
    match match[1]:
        case "+":
            return [number + operand for number in numbers]
        case "-":
            return [number - operand for number in numbers]
        case "*":
            return [number * operand for number in numbers]
    return numbers


def number_in_word(match: re.Match[str], text: str, kind: str) -> str:
    """Return the only number for a place in a longer word, such as a comparison."""
    numbers = numbers_for(match[0], text, kind)
    if len(numbers) != 1:
        raise InputError(f"{counted(len(numbers), 'number')} in {text!r:.40}, where {match[0]} needs one")
    return str(numbers[0])


def numbers_in(text: str, kind: str) -> list[int]:
    """Return the numbers that a text is; ``X`` is 10, ``V`` is 5.

    Raises
    ------
    InputError
        If it is anything else, as ``?`` or ``>9`` is.
    """
    if text.upper() in _LETTERS:
        return [_LETTERS[text.upper()]]
    if not re.fullmatch(r"-?\d+(?:[\s,]+\d+)*", text):
        raise InputError(f"the text {text!r:.40}, where {kind} needs a number")
    if kind == "quadruple":
        return [int(digit) for digit in re.findall(r"\d", text)]
    return [int(number) for number in re.findall(r"-?\d+", text)]


def list_places(group: Group, kind: str, forms: Sequence[str], geometry: Geometry) -> Iterator[Place]:
    """Yield the cells of each item as rules of a kind take them. Raises ``InputError`` for one that does not fit.

    forms: those that items may have.
    """
    marks = join_pieces(group.items)
    if kind not in _OF_SINGLE_CELLS and group.look.form in _IN_CELLS:
        marks = join_cells(group.items, geometry)
    for pieces in marks:
        first = pieces[0]
        text = first.text
        if first.form == "pointer" and first.ends:
            text = " ".join([end.text for end in first.ends])
        place = Place((), text, pieces)
        try:
            if first.form not in forms:
                wanted = " or a ".join([NOUNS[form].one for form in forms])
                raise InputError(f"not for {kind}, which needs a {wanted}")
            if any(not piece.cells for piece in pieces):
                raise InputError("no cells that it is clearly at")
            for cells in list_cells_of(kind, pieces, geometry):
                yield place._replace(cells=tuple(cells.split()))
        except InputError as problem:
            raise InputError(f"{describe_place(place, geometry)}: {problem}") from None


def list_cells_of(kind: str, pieces: Sequence[DrawnItem], geometry: Geometry) -> Iterator[str]:
    """Yield the cells of an item in the order in which a rule of a kind takes them, as text."""
    first = pieces[0]
    if first.form == "arrow":
        circle = first.cells[0]
        shaft = [cell for cell in first.cells if cell != circle]
        yield f"{cell_names([circle], geometry)} / {cell_names(shaft, geometry)}"
    elif kind in _FROM_BULBS:
        for piece in pieces:
            yield cell_names(from_bulb(piece), geometry)
    elif first.form in _LINES:
        for line in lines_for(kind, pieces, geometry):
            yield cell_names(line, geometry)
    else:
        cells: list[int] = []
        for piece in pieces:
            cells += piece.cells
        yield cell_names(cells, geometry)


def join_cells(items: Sequence[DrawnItem], geometry: Geometry) -> list[list[DrawnItem]]:
    """Return marked cells in groups of orthogonal neighbours: regions, each in the order of its cells."""
    regions: list[list[DrawnItem]] = []
    for item in sorted(items, key=lambda item: item.cells):
        joined = [item]
        apart = []
        for region in regions:
            if any(are_neighbours(item.cells[0], other.cells[0], geometry.columns) for other in region):
                joined = region + joined
            else:
                apart.append(region)
        joined.sort(key=lambda item: item.cells)
        apart.append(joined)
        regions = apart
    return regions


def from_bulb(item: DrawnItem) -> Sequence[int]:
    """Return the cells of a thermometer from its bulb; without one that has its colour, from its only circle."""
    if item.form == "bulb":
        return item.cells
    if not item.ends:
        return item.cells
    raise InputError("circles at both ends, so that nobody can tell which is the bulb")


def forms_of(kind: str) -> tuple[str, ...]:
    """Return the forms that items of a kind may have."""
    if kind in _FORMS_OF_KIND:
        return _FORMS_OF_KIND[kind]
    rule = find(kind)
    if issubclass(rule, OutsideClue):
        return ("outside",)
    if kind in _PAIRS:
        return ("dot", *_LINES)
    types = {parameter.type for parameter in rule.cell_parameters()}
    if types == {"lines"}:
        return (*_LINES, "dot", "corner", "arrow", "cage", "outside", *_IN_CELLS)
    if types == {"cells"}:
        return (*_IN_CELLS, "cage", *_LINES, "corner", "dot", "outside")
    return ()


def kinds_that_fit(group: Group, geometry: Geometry) -> list[str]:
    """Return the kinds of rules that the drawings of a group can be, by their geometry.

    Kinds that need a value which no drawing has, such as a pattern, are not among them.
    """
    fitting = []
    for kind in all_kinds():
        if not forms_of(kind) or group.look.form not in forms_of(kind):
            continue
        try:
            mean(group, kind, geometry)
        except InputError:
            continue
        fitting.append(kind)
    return fitting


def describe_place(place: Place, geometry: Geometry) -> str:
    """Return the name of an item: its noun, where it is, and its text."""
    first = place.items[0]
    words = NOUNS[first.form].one
    cells: list[int] = []
    for item in place.items:
        cells += item.cells
    if cells:
        words += f" at {list_cells([geometry.cell_name(cell) for cell in dict.fromkeys(cells)])}"
    if place.text:
        words += f" with {place.text!r:.40}"
    return f"the {words} ({', '.join(first.parts[:2])})"
