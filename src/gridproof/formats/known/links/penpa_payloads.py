"""The data inside a link of Penpa+: base64 of raw deflate, lines of text, and JSON with short names for its keys.

The facts about its layout are of the program's public source, swaroopg92/penpa-edit, version 3.2.3.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from binascii import Error as NotBase64
from typing import Any, NamedTuple
from urllib.parse import unquote

from gridproof.errors import InputError
from gridproof.formats.programs import shorten

MOST_BYTES = 4_000_000
"""Bytes of unpacked text at most; a link may come from anywhere."""

_LINK = re.compile(r"[\W_]{0,3}(?:https?://)?[^\s?#]{0,200}[?#]m=(?:edit|solve)&p=(\S*)")
_ANSWER = re.compile(r"&a=([^&\s]*)")
_END_OF_PAYLOAD = re.compile(r"[&)>\]\"'`,;!]|\.(?=\s|$)")

_WORDS = {
    "Z": "z",
    "O": "null",
    "9": '"qa"',
    "Q": '"pu_q"',
    "A": '"pu_a"',
    "G": '"grid"',
    "M": '"edit_mode"',
    "S": '"surface"',
    "L": '"line"',
    "E": '"lineE"',
    "W": '"wall"',
    "C": '"cage"',
    "N": '"number"',
    "Y": '"symbol"',
    "P": '"special"',
    "B": '"board"',
    "R": '"command_redo"',
    "U": '"command_undo"',
    "8": '"command_replay"',
    "1": '"numberS"',
    "F": '"freeline"',
    "2": '"freelineE"',
    "T": '"thermo"',
    "3": '"arrows"',
    "D": '"direction"',
    "0": '"squareframe"',
    "5": '"polygon"',
    "4": '"deletelineE"',
    "6": '"killercages"',
    "7": '"nobulbthermo"',
    "_": '"__a"',
}
"""The text that the character behind a z stands for."""

_SHORT = re.compile("z([" + "".join(_WORDS) + "])")
_SIGNS = {"%2C": ",", "%2D": "\n", "%2E": "&", "%2F": "="}
"""The codes with which the program writes signs in texts; these are no percent codes of addresses."""

_FEWEST_FIELDS = 11
_FEWEST_LINES = 6


class PenpaData(NamedTuple):
    """The data of a link.

    fields: of the first line. question, answer: the layers of the setter and of the solver. colours: those of the
    question that are no usual ones. cells: the numbers of the cells of the board. solution: of the answer check.
    """

    fields: list[str]
    question: dict[str, Any]
    answer: dict[str, Any]
    colours: dict[str, Any]
    cells: list[int]
    solution: Any

    def text(self, place: int, label: str = "") -> str:
        """Return a text of the first line, with the signs that it is written without."""
        if place >= len(self.fields):
            return ""
        text = self.fields[place]
        for code, sign in _SIGNS.items():
            text = text.replace(code, sign)
        return text.removeprefix(label).strip()


def is_penpa(text: str) -> bool:
    """Return whether a text is a link of Penpa+ that holds its puzzle."""
    return _LINK.match(text) is not None


def data_of_penpa(text: str) -> PenpaData:
    """Return the data of a link. Raises ``InputError`` if it is damaged, or of another version."""
    link = _LINK.match(text)
    if link is None:
        raise InputError("no payload; expected a link with #m=edit&p=, or m=solve")
    payload = _END_OF_PAYLOAD.split(link[1], maxsplit=1)[0]
    plain = _SHORT.sub(lambda short: _WORDS[short[1]], unpack(payload))
    lines = plain.split("\n")
    fields = lines[0].split(",")
    if len(lines) < _FEWEST_LINES or len(fields) < _FEWEST_FIELDS:
        found = f"{len(lines)} lines of data with {len(fields)} fields in the first"
        raise InputError(f"{found}; expected at least {_FEWEST_LINES} lines and {_FEWEST_FIELDS} fields")
    colours = lines[14] if len(lines) > 14 else ""
    answer = _ANSWER.search(text)
    return PenpaData(
        fields,
        read_layer(3, lines[3]),
        read_layer(4, lines[4]),
        read_layer(14, colours),
        read_cells(lines[5]),
        read_json("the solution", unpack(answer[1])) if answer else None,
    )


def unpack(payload: str) -> str:
    """Return the text behind a payload. Raises ``InputError`` if it is damaged, or unpacks to too much.

    Examples
    --------
    >>> unpack("y0jNycnXUSjPL8pJUQQA")
    'hello, world!'
    """
    payload = unquote(payload).replace(" ", "+").rstrip("=")
    try:
        packed = b64decode(payload + "=" * (-len(payload) % 4), validate=True)
    except (NotBase64, ValueError):
        raise InputError("a payload that is no base64; expected all of a link") from None
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        plain = unpacking.decompress(packed, MOST_BYTES + 1)
    except zlib.error:
        raise InputError("a payload that is damaged; expected deflate in base64") from None
    if len(plain) > MOST_BYTES:
        raise InputError(f"a payload that unpacks to more than {MOST_BYTES:,} bytes; expected a puzzle")
    if not unpacking.eof:
        raise InputError("a payload that is cut off; expected all of it")
    return plain.decode("utf-8", "replace")


def read_json(what: str, text: str) -> Any:
    """Return the data of JSON. Raises ``InputError``."""
    try:
        return json.loads(text)
    except ValueError:
        raise InputError(f"{what} is {shorten(text)}; expected JSON") from None


def read_layer(line: int, text: str) -> dict[str, Any]:
    """Return a layer of the drawing; an empty one of a line that states none. line: its number, from 0."""
    if text.strip() in ("", "x", '"x"', "null"):
        return {}
    layer = read_json(f"line {line + 1} of the data", text)
    if not isinstance(layer, dict):
        raise InputError(f"line {line + 1} of the data is {shorten(layer)}; expected an object")
    return layer


def read_cells(text: str) -> list[int]:
    """Return the numbers of the cells, each of which is stated as the difference from the one before."""
    steps = read_json("the list of cells", text)
    if not isinstance(steps, list) or not all(type(step) is int for step in steps):
        raise InputError(f"the list of cells is {shorten(steps)}; expected whole numbers")
    cells = []
    number = 0
    for step in steps:
        number += step
        cells.append(number)
    return cells
