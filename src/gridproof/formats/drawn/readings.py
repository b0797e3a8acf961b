"""Puzzles with drawings that were read: each group as rules of a kind that a person names, or ignored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from gridproof.errors import InputError
from gridproof.formats.drawn.drawings import groups_of
from gridproof.formats.drawn.groups import Group
from gridproof.formats.drawn.meanings import mean
from gridproof.formats.drawn.suggestions import suggest_readings
from gridproof.formats.puzzle import AsRead, Puzzle, Unread
from gridproof.text import quote

SUGGESTED = "suggested"
"""The reading that stands for all suggestions."""


def read_drawings(puzzle: Puzzle, readings: Mapping[str, str] | str, ignored: Iterable[str] = ()) -> Puzzle:
    """Return a puzzle with groups of its drawings as rules.

    Parameters
    ----------
    puzzle
        A puzzle of a link.
    readings
        The kind of rule for the letter of a group, as in ``{"A": "german-whispers", "C": "sandwich"}``; several letters
        may share it, as in ``"A, B"``. ``"suggested"`` stands for what the words seem to mean.
    ignored
        The letters of groups that are no rules, several in one text, too; also the key of any other unread part.

    Returns
    -------
    Puzzle
        With further rules. What was read or ignored is no longer among what is not understood.

    Raises
    ------
    InputError
        For a letter that no group has, and for a drawing that does not fit the kind; it is named.

    Examples
    --------
    >>> from gridproof import read_puzzle
    >>> text = '{"grid": [[{}, {}], [{}, {}]], "line": [{"lines": [["R1C1", "R1C2"]], "outlineC": "#0f0"}]}'
    >>> puzzle = read_drawings(read_puzzle(text), {"A": "thermometer"})
    >>> [rule.sentence(puzzle.board.geometry) for rule in puzzle.board.rules]
    ['the thermometer r1c1 r1c2 increases from its bulb']
    >>> puzzle.not_understood
    ()
    """
    groups = {group.letter: group for group in groups_of(puzzle)}
    if readings == SUGGESTED:
        for suggestion in suggest_readings(puzzle):
            group = groups[suggestion.letter]
            puzzle = read_group(puzzle, group, suggestion.reading, suggestion.sentence)
    elif isinstance(readings, str):
        raise InputError(f"readings {quote(readings)}; expected a kind for each letter, or {SUGGESTED!r}")
    else:
        for letters, reading in readings.items():
            for letter in letters.replace(",", " ").split():
                puzzle = read_group(puzzle, find_group(letter, groups), reading)
    keys = {part.key for part in puzzle.unread}
    for names in ignored:
        for name in [names] if names in keys else names.replace(",", " ").split():
            puzzle = ignore_part(puzzle, name, groups)
    return puzzle


def find_group(letter: str, groups: Mapping[str, Group]) -> Group:
    """Return the group of a letter. Raises ``InputError`` with the groups that there are."""
    group = groups.get(letter.upper())
    if group is None:
        there = "; ".join(str(group) for group in groups.values()) or "none: no drawing is unread"
        raise InputError(f"{quote(letter)} names no group of drawings; there is {there}")
    return group


def read_group(puzzle: Puzzle, group: Group, reading: str, sentence: str = "") -> Puzzle:
    """Return a puzzle with a group as rules. sentence: the words behind a reading that nobody has confirmed."""
    try:
        meaning = mean(group, reading, puzzle.board.geometry)
    except InputError as problem:
        raise InputError(f"{group.letter} = {reading}: {problem}") from None
    board = puzzle.board.with_rules(meaning.rules)
    as_read = AsRead(group.letter, group.words, reading, sentence)
    puzzle = replace(puzzle, board=board, as_read=(*puzzle.as_read, as_read))
    return without_parts(puzzle, meaning.parts, f"read as {reading}")


def ignore_part(puzzle: Puzzle, name: str, groups: Mapping[str, Group]) -> Puzzle:
    """Return a puzzle with a group of drawings, or the unread parts of a key, that are no rule."""
    group = groups.get(name.upper())
    if group is not None:
        return without_parts(puzzle, group.parts(), "ignored")
    parts = {part.where for part in puzzle.unread if part.key == name}
    if not parts:
        find_group(name, groups)
    return without_parts(puzzle, parts, "ignored")


def without_parts(puzzle: Puzzle, parts: Iterable[str], why: str) -> Puzzle:
    """Return a puzzle of which parts of the file cannot be rules any more."""
    places = set(parts)
    unread = []
    for part in puzzle.unread:
        if part.where in places:
            part = Unread(part.where, f"{part.what}; {why}", may_be_rule=False, relaxes=False)
        unread.append(part)
    return replace(puzzle, unread=tuple(unread))
