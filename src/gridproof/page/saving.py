"""A puzzle as text: for the storage of the browser, and for the address of the page."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from dataclasses import asdict, replace
from typing import Any, NamedTuple
from urllib.parse import unquote

from gridproof.errors import InputError
from gridproof.formats import Puzzle, read_puzzle
from gridproof.formats.catalog import all_formats
from gridproof.pictures.pencil import PAINTS
from gridproof.puzzle.geometry import Geometry
from gridproof.text import quote
from gridproof.widget.board import LiveBoard
from gridproof.widget.entries import Entries

_PACKED = "p="
"""The beginning of an address with a puzzle of our own, packed; any other holds a text or a link as it is."""

_PAINTS = range(1, len(PAINTS) + 1)

LONGEST_TEXT = 1_000_000
"""Most bytes of a puzzle that an address is unpacked to."""


class Saved(NamedTuple):
    """A puzzle from the storage.

    entries: the work of its solver. words_covered: whether its words say nothing beyond its rules on the board.
    """

    puzzle: Puzzle
    entries: Entries
    words_covered: bool


def save_board(board: LiveBoard) -> dict[str, Any]:
    """Return all that a person has typed, as plain values that ``read_saved`` reads.

    Examples
    --------
    >>> board = LiveBoard(read_puzzle("1... ..2. .3.. ...4"), live=False, show_changes=id, send=id, begin=id)
    >>> board.enter(["r1c2"], 3, "corner")
    >>> read_saved(save_board(board)).entries.corners[:3]
    (0, 4, 0)
    """
    work = asdict(board.editor.entries)
    return {"toml": to_toml(board.puzzle), "work": work, "words_covered": board.words_covered}


def read_saved(saved: Any) -> Saved:
    """Return what ``save_board`` has saved. Raises ``InputError`` for anything else."""
    if not isinstance(saved, dict) or not isinstance(saved.get("toml"), str):
        raise InputError(f"a stored puzzle is {quote(str(saved))}; expected its TOML, and the work of its solver")
    puzzle = read_puzzle(saved["toml"], despite_unread=True)
    entries = read_entries(saved.get("work"), puzzle.board.geometry)
    return Saved(puzzle, entries, saved.get("words_covered") is True)


def read_entries(work: Any, geometry: Geometry) -> Entries:
    """Return the stored work of a solver. Raises ``InputError`` for what is none on a board of this geometry."""
    masks = range(1 << geometry.symbol_count)
    values = {"filled": range(geometry.symbol_count + 1), "notes": masks[1:], "corners": masks}
    if not isinstance(work, dict):
        raise InputError(f"the stored work of a solver is {quote(str(work))}; expected entries, marks and colours")
    read: dict[str, tuple[int, ...]] = {}
    for name, allowed in values.items():
        stored = work.get(name)
        if not are_cells(stored, geometry, allowed):
            raise InputError(f"the stored work of a solver has {name} {quote(str(stored))}; expected one number a cell")
        read[name] = tuple(stored or ())
    paints: Any = work.get("paints")
    is_list = isinstance(paints, (list, tuple)) and len(paints) == geometry.cell_count
    if not is_list or not all(isinstance(cell, (list, tuple)) and set(cell) <= set(_PAINTS) for cell in paints):
        raise InputError(f"the stored work of a solver has paints {quote(str(paints))}; expected a list for each cell")
    return Entries(**read, paints=tuple([tuple(cell) for cell in paints]))


def are_cells(stored: Any, geometry: Geometry, allowed: range) -> bool:
    """Return whether this is a list with an allowed number for each cell."""
    if not isinstance(stored, (list, tuple)) or len(stored) != geometry.cell_count:
        return False
    return all(type(number) is int and number in allowed for number in stored)


def to_toml(puzzle: Puzzle) -> str:
    """Return the puzzle with its entries in our own format, which holds every board and rule."""
    return all_formats()["toml"].text_of(puzzle)


def to_address(puzzle: Puzzle) -> str:
    """Return the part of an address behind ``#`` that holds a puzzle without the entries of its solver.

    Examples
    --------
    >>> address = to_address(read_puzzle("1... ..2. .3.. ...4"))
    >>> from_address(address).replace('"', "'")
    "clues = '''\\n1...\\n..2.\\n.3..\\n...4\\n'''"
    """
    plain = replace(puzzle, board=replace(puzzle.board, filled=()), notes=None)
    packed = zlib.compress(to_toml(plain).encode(), 9)
    return _PACKED + urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def from_address(address: str) -> str:
    """Return the text of the puzzle that an address holds: packed, or a text or link of any format.

    Raises
    ------
    InputError
        For a packed puzzle that is damaged or too large.
    """
    if not address.startswith(_PACKED):
        return unquote(address)
    packed = address.removeprefix(_PACKED)
    try:
        data = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(data, LONGEST_TEXT).decode()
    except (zlib.error, NotBase64, ValueError):
        raise InputError(f"the address holds {quote(packed)}; expected a puzzle as this page writes it") from None
    if not unpacking.eof:
        raise InputError(f"the puzzle in the address is cut off, or longer than {LONGEST_TEXT:,} bytes")
    return text
