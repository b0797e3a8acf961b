"""Links of f-puzzles and SudokuPad, their bare payloads, and the JSON behind them: one puzzle each, as a sheet.

No link is ever opened: what a short link leads to is not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from gridproof.errors import InputError
from gridproof.formats import fpuzzles, sudokupad
from gridproof.formats.lzstring import phrases, whole_text
from gridproof.formats.sheet import Sheet
from gridproof.formats.shortened import Garbled, data_of

LONGEST = 1_000_000
"""Characters of a link or of JSON at most."""

_MENDED_AT_MOST = 4_000_000
"""Characters of payloads that are unpacked at most while lost slashes are looked for; some seconds."""

_LINK = re.compile(
    r"(?:https?:/{0,3})?(?:[\w-]+\.)*(f-puzzles\.com|sudokupad\.app|crackingthecryptic\.com)\b/*(.*)",
    re.IGNORECASE | re.DOTALL,
)
_LOAD = re.compile(r"[?&](?:load|puzzleid)=([^&#]*)", re.IGNORECASE)
_KIND = re.compile(r"fpuzzles|fpuz|scl|ctc|scf")
_BARE = re.compile(r"(?:(?:fpuzzles|fpuz|scl|ctc|scf)[\w+/=% -]{24,}|N4I[\w+/=% -]{17,})\s*")
_JSON = re.compile(r'\{.*"(?:grid|cells)"\s*:\s*\[\s*\[\s*[{\],]', re.DOTALL)
_SHORTENED = re.compile(r"\{(?:id|ce|cells|cs|cellSize|ca|cages|re|regions|metadata|settings|l|o|u|a|t)\s*:")
_SHORTEST_PAYLOAD = 24
"""Characters; whatever is shorter is the name of a puzzle on a server."""


def looks_like_one(text: str) -> bool:
    """Whether a text is a link, a payload or JSON of these programs, as far as one look tells.

    A line that is something else may have a link beside it, as a remark.
    """
    text = text.strip()
    if text.startswith("{"):
        return bool(_SHORTENED.match(text) or _JSON.match(text))
    return bool(_BARE.fullmatch(text)) or _link_in(text) is not None


def _link_in(text: str) -> re.Match[str] | None:
    """The link that a text is, or that stands behind a name."""
    link = _LINK.search(text)
    if link is None or (before := text[: link.start()].rstrip("<([\"' ")) == "":
        return link
    payload = re.match(r"[^\s#]*", link[2])
    assert payload is not None
    return link if len(payload[0]) > 2 * _SHORTEST_PAYLOAD and not re.search(r"\s#|^#", f"{before} ") else None


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
    try:
        return _read(text.strip())
    except InputError as problem:
        raise InputError(f"{_name(text.strip())}: {problem}") from None


def _name(text: str) -> str:
    """What people call such a text."""
    if text.startswith("{"):
        return "JSON of f-puzzles or SudokuPad"
    link = _link_in(text)
    of_f_puzzles = link[1].lower().startswith("f-") if link else text.startswith(("fpuz", "N4I"))
    return f"a link of {'f-puzzles' if of_f_puzzles else 'SudokuPad'}"


def _read(text: str) -> Sheet:
    if len(text) > LONGEST:
        raise InputError(f"a text of {len(text):,} characters; expected at most {LONGEST:,}")
    if text.startswith("{"):
        return _sheet(data_of(text))
    problem = InputError("no link that holds a puzzle")
    for payload in _payloads(text):
        if payload.startswith("{"):
            return _sheet(data_of(payload))
        try:
            data = _unpacked(payload)
        except InputError as found:
            problem = found
        else:
            return _sheet(data)
    raise problem


def _sheet(data: Any) -> Sheet:
    if isinstance(data, dict) and "grid" in data:
        return fpuzzles.sheet_of(data)
    if isinstance(data, dict) and "cells" in data:
        return sudokupad.sheet_of(data)
    raise InputError("neither a grid nor cells; expected a puzzle of f-puzzles or SudokuPad")


def _payloads(text: str) -> Iterator[str]:
    """What may be the payload: up to the first blank, or with ``+`` for all of them."""
    link = _link_in(text)
    if link:
        load = _LOAD.search(link[2])
        text = load[1] if load else re.split(r"[?&#]", link[2])[0].removeprefix("sudoku/").strip("/")
    first = re.match(r"[^\s)>\]\"'`,]*", text)
    assert first is not None
    candidates = dict.fromkeys((first[0], text) if link else (text,))
    for candidate in candidates:
        payload = _plain(candidate)
        said = _KIND.match(payload)
        if said:
            payload = payload[said.end() :]
        elif payload.startswith("{"):
            pass
        elif len(payload) < _SHORTEST_PAYLOAD:
            raise InputError("a short link, whose puzzle is on a server; expected a link that holds its puzzle")
        yield payload


def _plain(payload: str) -> str:
    """The payload without percent codes, which some programs write twice."""
    while "%" in payload and (plain := unquote(payload)) != payload:
        payload = plain
    payload = payload.strip()
    return payload if payload.startswith("{") else re.sub(r"[\r\n]", "", payload).replace(" ", "+")


def _unpacked(payload: str) -> Any:
    """The data behind a payload, whose lost slashes are restored.

    Some servers merge two slashes into one. Where unpacking or reading comes to a halt, the loss was before: the slash
    is doubled with which it comes furthest, until it comes to the end.
    """
    reached, slashes, data, problem = _attempt(payload)
    budget, first = _MENDED_AT_MOST - len(payload), 0
    while problem is not None:
        best = (reached, slashes, first, payload)
        for place in [place for place in slashes if place >= first]:
            budget -= len(payload)
            if budget < 0:
                raise problem
            tried = f"{payload[:place]}/{payload[place:]}"
            far, those, data, still = _attempt(tried)
            if still is None:
                return data
            best = max(best, (far, those, place + 2, tried), key=lambda one: one[0])
        if best[3] == payload:
            raise problem
        reached, slashes, first, payload = best
    return data


def _attempt(payload: str) -> tuple[int, list[int], Any, InputError | None]:
    """How many characters could be unpacked and read, the slashes that these came from, and the data or the problem."""
    parts: list[str] = []
    ends: list[tuple[int, int]] = []  # after each phrase: characters of the text, and of the payload
    problem: InputError | None = None
    try:
        for place, phrase in phrases(payload):
            parts.append(phrase)
            ends.append(((ends[-1][0] if ends else 0) + len(phrase), place))
    except InputError as found:
        problem = found
    reached, last = ends[-1] if ends else (0, 0)
    try:
        data = data_of(whole_text(parts))
        if problem is None:
            return reached, [], data, None
    except Garbled as found:
        problem = problem or found
        reached, last = next((end for end in ends if end[0] >= found.place), (reached, last))
    return reached, [place for place, letter in enumerate(payload[: last + 2]) if letter == "/"], None, problem
