"""Links of f-puzzles and SudokuPad, their bare payloads, and the JSON behind them: one puzzle each, as a sheet.

No link is ever opened: what a short link leads to is not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from gridproof.errors import InputError
from gridproof.formats import fpuzzles, sudokupad
from gridproof.formats.lzstring import unpacked
from gridproof.formats.sheet import Sheet

LONGEST = 2_000_000
"""Characters of a link or of JSON at most."""

_HOST = re.compile(
    r"\s*(?:https?://)?(?:www\.|beta\.|app\.)?(f-puzzles\.com|sudokupad\.app|crackingthecryptic\.com)/(.*)",
    re.IGNORECASE | re.DOTALL,
)
_LOAD = re.compile(r"[?&](?:load|puzzleid)=([^&#]*)", re.IGNORECASE)
_KIND = re.compile(r"(fpuzzles|fpuz|scl|ctc|scf)(.*)", re.DOTALL)
_PAYLOAD = re.compile(r"[A-Za-z0-9+/=_ %\s-]{40,}")


def looks_like_one(text: str) -> bool:
    """Whether a text is a link, a payload or JSON of these programs, as far as one look tells."""
    text = text.strip()
    if _HOST.match(text) or text.startswith("{id:"):
        return True
    if text.startswith("{"):
        return '"grid"' in text or '"cells"' in text
    return bool(_PAYLOAD.fullmatch(text)) and (bool(_KIND.match(text)) or text.startswith("N4Ig"))


def read(text: str) -> Sheet:
    """The sheet of one link, payload or JSON text.

    Parameters
    ----------
    text : str
        ``https://f-puzzles.com/?load=...``, ``https://sudokupad.app/...``, a payload by itself (with or without
        ``fpuzzles``, ``scl``, ``ctc`` before it), JSON, or SudokuPad's shortened text. Percent codes, blanks for ``+``
        and slashes that a server has merged are mended.

    Raises
    ------
    InputError
        If it is none of these, is damaged, or is a short link whose puzzle is on a server.

    Examples
    --------
    >>> from gridproof.formats.lzstring import packed
    >>> sheet = read("https://f-puzzles.com/?load=" + packed('{"size": 1, "title": "Small", "grid": [[{}]]}'))
    >>> sheet.title, sheet.board.geometry.order
    ('Small', 1)
    """
    text = text.strip()
    if len(text) > LONGEST:
        raise InputError(f"a text of {len(text):,} characters; expected at most {LONGEST:,}")
    if text.startswith("{"):
        return _of_data(text)
    kind, payload = _payload(text)
    problem = InputError(f"{text[:60]!r} is no link that holds a puzzle")
    for attempt in _mended(payload):
        try:
            data = unpacked(attempt)
            if data.lstrip().startswith("{"):
                return _of_data(data, kind)
        except InputError as found:
            problem = found
    raise problem


def _payload(text: str) -> tuple[str, str]:
    """What the payload is said to be (``f-puzzles``, ``sudokupad`` or nothing), and the payload."""
    host = _HOST.match(text)
    if host:
        load = _LOAD.search(host[2])
        text = load[1] if load else host[2].split("?")[0].removeprefix("sudoku/").strip("/")
    said = _KIND.match(unquote(text))
    if said:
        return ("f-puzzles" if said[1].startswith("fpuz") else "sudokupad"), text[len(said[1]) :]
    if len(text) < 40:
        raise InputError(f"{text[:60]!r} is a short link: its puzzle is on a server, and no link is opened here")
    return ("f-puzzles" if host and host[1].lower().startswith("f-") else ""), text


def _mended(payload: str) -> Iterator[str]:
    """The payload as it is, and with the damages undone that links suffer."""
    plain = unquote(payload).strip().replace(" ", "+").replace("\n", "").replace("\r", "")
    yield plain
    # some servers merge two slashes into one
    for place, character in enumerate(plain):
        if character == "/":
            yield f"{plain[:place]}/{plain[place:]}"


def _of_data(text: str, kind: str = "") -> Sheet:
    if kind == "f-puzzles" or (not kind and '"grid"' in text):
        return fpuzzles.read(text)
    return sudokupad.read(text)
