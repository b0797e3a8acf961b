"""A puzzle as text: for the storage of the browser, and for the address of the page."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from gridproof.errors import InputError
from gridproof.formats import Puzzle, read_puzzle
from gridproof.formats.catalog import all_formats
from gridproof.text import quote
from gridproof.widget.board import LiveBoard

_PACKED = "p="
"""The beginning of an address with a puzzle of our own, packed; any other holds a text or a link as it is."""

LONGEST_TEXT = 1_000_000
"""Most bytes of a puzzle that an address is unpacked to."""


def save_board(board: LiveBoard) -> dict[str, Any]:
    """Return all that a person has typed, as plain values that ``read_saved`` reads.

    Examples
    --------
    >>> board = LiveBoard(read_puzzle("1... ..2. .3.. ...4"), live=False, show_changes=print, send=print, begin=print)
    >>> read_saved(save_board(board)).board.clue_count
    4
    """
    return {
        "toml": to_toml(board.puzzle),
        "notes": list(board.puzzle.notes or ()),
        "words_covered": board.words_covered,
    }


def read_saved(saved: Any) -> Puzzle:
    """Return the puzzle of what ``save_board`` returned. Raises ``InputError`` for anything else."""
    if not isinstance(saved, dict) or not isinstance(saved.get("toml"), str):
        raise InputError(f"a stored puzzle is {quote(str(saved))}; expected its TOML, and its pencil marks")
    puzzle = read_puzzle(saved["toml"], despite_unread=True)
    notes = saved.get("notes") or None
    cells = puzzle.board.geometry.cell_count
    full = (1 << puzzle.board.geometry.order) - 1
    if notes is None:
        return puzzle
    if (
        not isinstance(notes, list)
        or len(notes) != cells
        or not all(type(mask) is int and 0 < mask <= full for mask in notes)
    ):
        raise InputError(f"stored pencil marks are {quote(str(notes))}; expected a mask for each of {cells} cells")
    return replace(puzzle, notes=tuple(notes))


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
