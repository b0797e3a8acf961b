"""Links of f-puzzles and SudokuPad, their bare payloads, and the JSON behind them: one puzzle each, as a sheet.

No link is ever opened: what a short link leads to is not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import unquote

from gridproof.errors import InputError
from gridproof.formats.lzstring import phrases, whole_text
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shortened import Garbled, data_of

LONGEST = 1_000_000
"""Characters of a link or of JSON at most."""

_MENDED_AT_MOST = 4_000_000
"""Characters of payloads that are unpacked at most while lost slashes are looked for; some seconds."""

_HOST = re.compile(r"(f-puzzles\.com|sudokupad\.app|crackingthecryptic\.com)\b/*(.*)", re.IGNORECASE | re.DOTALL)
_BEFORE_HOST = re.compile(r"[\W_]*(?:https?:/{0,3})?(?:[\w-]{1,20}\.){0,3}$", re.IGNORECASE)
_LONGEST_NAME = 200
"""Characters before a link, such as the title of its puzzle."""

_LOAD = re.compile(r"[?&](?:load|puzzleid)=([^&#]*)", re.IGNORECASE)
_KIND = re.compile(r"fpuzzles|fpuz|scl|ctc|scf")
_SHORTEST_PAYLOAD = 24
"""Characters; whatever is shorter is the name of a puzzle on a server."""


def linked(text: str) -> str:
    """The format of a link, perhaps behind a name or in brackets; empty if there is none.

    A line that is something else may have a link beside it, as a remark.
    """
    link = _link_in(text.strip()) if "." in text[:_LONGEST_NAME] else None
    if link is None:
        return ""
    if link[1].lower().startswith("f-"):
        return "f-puzzles"
    return "sudokupad-link" if "fpuz" in link[2][:_LONGEST_NAME] else "sudokupad"


def _link_in(text: str) -> re.Match[str] | None:
    """The link that a text is, or that stands behind a name."""
    link = _HOST.search(text)
    if link is None or link.start() > _LONGEST_NAME:
        return None
    before = _BEFORE_HOST.sub("", text[: link.start()])
    if not before:
        return link
    payload = re.match(r"[^\s#]*", link[2])
    assert payload is not None
    return link if len(payload[0]) > 2 * _SHORTEST_PAYLOAD and not re.search(r"\s#|^#", f"{before} ") else None


def read(text: str) -> Puzzle:
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
    from gridproof.formats.known.f_puzzles import reading as f_puzzles
    from gridproof.formats.known.sudokupad import reading as sudokupad

    text = text.strip()
    try:
        if len(text) > LONGEST:
            raise InputError(f"a text of {len(text):,} characters; expected at most {LONGEST:,}")
        data = _data(text)
        if isinstance(data, dict) and isinstance(data.get("grid"), list):
            return f_puzzles.read(data)
        if isinstance(data, dict) and isinstance(data.get("cells"), list):
            return sudokupad.read(data)
        raise InputError("neither a grid nor cells; expected a puzzle of f-puzzles or SudokuPad")
    except RecursionError:
        raise InputError(f"{_name(text)}: data that are nested too deeply; expected a puzzle") from None
    except InputError as problem:
        raise InputError(f"{_name(text)}: {problem}") from None


def _name(text: str) -> str:
    """What people call such a text."""
    if text.startswith("{"):
        return "JSON of f-puzzles or SudokuPad"
    known = linked(text) or ("f-puzzles" if text.startswith(("fpuz", "N4I")) else "")
    return f"a link of {'f-puzzles' if known == 'f-puzzles' else 'SudokuPad'}"


def _data(text: str) -> Any:
    if text.startswith("{"):
        return data_of(text)
    *others, last = _payloads(text)
    for payload in others:
        with suppress(InputError):
            return _unpacked(payload)
    return _unpacked(last)


def _payloads(text: str) -> Iterator[str]:
    """What may be the payload: up to the first blank, with ``+`` for all of them, or all of a bare text."""
    link = _link_in(text)
    if link is None:
        yield _bare(text)
        return
    load = _LOAD.search(link[2])
    whole = link[2][load.start(1) if load else 0 :].removeprefix("sudoku/")
    text = load[1] if load else re.split(r"[?&#]", whole)[0].strip("/")
    first = re.split(r"[\s)>\]\"'`,]", text, maxsplit=1)[0]
    yield from map(_bare, dict.fromkeys((first, text, *([whole] if "{" in whole else []))))


def _bare(payload: str) -> str:
    """The payload without what says its kind, and without percent codes, which some programs write twice."""
    while "%" in payload and (plain := unquote(payload)) != payload:
        payload = plain
    payload = payload.strip()
    kind = _KIND.match(payload)
    payload = payload[kind.end() :] if kind else payload
    if payload.startswith("{"):
        return payload
    if not kind and len(payload) < _SHORTEST_PAYLOAD:
        raise InputError("a short link, whose puzzle is on a server; expected a link that holds its puzzle")
    return re.sub(r"[\r\n]", "", payload).replace(" ", "+")


def _unpacked(payload: str) -> Any:
    """The data behind a payload, whose lost slashes are restored.

    Some servers merge two slashes into one. Where unpacking or reading comes to a halt, the loss was before: the slash
    is doubled with which it comes furthest, until it comes to the end.
    """
    if payload.startswith("{"):
        return data_of(payload)
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
    found: list[tuple[int, str]] = []
    problem: InputError | None = None
    try:
        found.extend(phrases(payload))  # what came before an error stays
    except InputError as problem_found:
        problem = problem_found
    halt = sum(len(phrase) for _, phrase in found)
    try:
        data = data_of(whole_text(phrase for _, phrase in found))
        if problem is None:
            return halt, [], data, None
    except Garbled as garbled:
        problem, halt = problem or garbled, min(halt, garbled.place)
    reached = last = 0
    for place, phrase in found:
        reached, last = reached + len(phrase), place
        if reached > halt:
            break
    return reached, [place for place, letter in enumerate(payload[: last + 2]) if letter == "/"], None, problem
