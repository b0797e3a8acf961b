"""The drawings of a puzzle that may be rules, in groups."""

from __future__ import annotations

import json

from gridproof.formats.drawn.forms import with_forms
from gridproof.formats.drawn.groups import Group, group_items
from gridproof.formats.drawn.items import DrawnItem, merge_items
from gridproof.formats.drawn.of_f_puzzles import items_of_f_puzzles
from gridproof.formats.drawn.of_penpa import items_of_penpa
from gridproof.formats.drawn.of_sudokupad import items_of_sudokupad
from gridproof.formats.drawn.of_toml import groups_of_entries
from gridproof.formats.known.links.payloads import data_in
from gridproof.formats.known.links.penpa_payloads import data_of_penpa
from gridproof.formats.puzzle import Puzzle

_PROGRAMS = ("sudokupad", "f-puzzles", "sudokupad-link", "penpa")
"""The formats of puzzles that have drawings."""


def groups_of(puzzle: Puzzle) -> list[Group]:
    """Return the drawings of a puzzle of which nothing is known but their look, in groups.

    A group keeps its letter when others have been read.

    Examples
    --------
    >>> from gridproof import read_puzzle
    >>> text = '{"grid": [[{}, {}], [{}, {}]], "line": [{"lines": [["R1C1", "R1C2"]], "outlineC": "#0f0"}]}'
    >>> [str(group) for group in groups_of(read_puzzle(text))]
    ['A: 1 green line']
    """
    if not puzzle.not_understood:
        return []
    unread = {part.where for part in puzzle.not_understood}
    return [group for group in all_groups_of(puzzle) if unread.intersection(group.parts())]


def all_groups_of(puzzle: Puzzle) -> list[Group]:
    """Return the groups of all drawings of a puzzle, also of those that were read or ignored."""
    if puzzle.format == "toml":
        import tomllib  # only whoever reads such files waits for it

        return groups_of_entries(tomllib.loads(puzzle.text).get("drawn", []), puzzle.board.geometry)
    if puzzle.format == "jsonl":
        return groups_of_entries(json.loads(puzzle.text).get("drawn", []), puzzle.board.geometry)
    return group_items(drawings_of(puzzle))


def drawings_of(puzzle: Puzzle) -> list[DrawnItem]:
    """Return all drawings of a puzzle that its file left without a meaning, whatever a person has named since.

    The text of the puzzle is read again, because hardly anybody asks.
    """
    if puzzle.format not in _PROGRAMS or not puzzle.unread:
        return []
    text = puzzle.text.strip()
    if puzzle.format == "penpa":
        items, order = items_of_penpa(data_of_penpa(text))
    else:
        data = data_in(text)
        items_of = items_of_f_puzzles if isinstance(data.get("grid"), list) else items_of_sudokupad
        items, order = items_of(data)
    return with_forms(list(merge_items(items)), order)
