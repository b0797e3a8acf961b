"""The data inside a link of f-puzzles or SudokuPad: the link is found in its line, and its payload unpacked.

Links come through forums, chats and servers. Percent codes, perhaps written twice, blanks for ``+``, and slashes that a
server has merged into one are mended. No link is ever opened: a short link does not hold its puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, combinations, islice
from typing import Any
from urllib.parse import unquote

from gridproof.errors import InputError
from gridproof.formats.known.links.shortened import data_of
from gridproof.formats.lzstring import unpack

_MENDED_AT_MOST = 2_000_000
"""Characters of payloads that are unpacked at most while lost slashes are looked for; some seconds."""

_HOST = re.compile(r"(f-puzzles\.com|sudokupad\.app|crackingthecryptic\.com)\b/*(.*)", re.IGNORECASE | re.DOTALL)
_BEFORE_HOST = re.compile(r"[\W_]*(?:https?:/{0,3})?(?:[\w-]{1,20}\.){0,3}$", re.IGNORECASE)
_LONGEST_NAME = 200
"""Characters before a link, such as the title of its puzzle."""

_LOAD = re.compile(r"[?&](?:load|puzzleid)=([^&#]*)", re.IGNORECASE)
_KIND = re.compile(r"fpuzzles|fpuz|scl|ctc|scf")
_END_OF_PAYLOAD = re.compile(r"[\s)>\]\"'`,]|[.;!](?=\s|$)")
_SHORTEST_PAYLOAD = 24
"""Characters; whatever is shorter is the name of a puzzle on a server."""


def format_of_link(text: str) -> str:
    """Return the format of a link, perhaps behind a name or in brackets; empty if there is none.

    A line that is something else may have a link beside it, as a remark. A record in JSON may have one in it.
    """
    link = None
    if "." in text[:_LONGEST_NAME] and not text.lstrip().startswith("{"):
        link = _find_link(text.strip())
    if link is None:
        return ""
    if link[1].lower().startswith("f-"):
        return "f-puzzles"
    if "fpuz" in link[2][:_LONGEST_NAME]:
        return "sudokupad-link"
    return "sudokupad"


def program_of(text: str) -> str:
    """Return the name of the program that made a link, a payload or JSON, for messages."""
    if text.startswith("{"):
        return "JSON of f-puzzles or SudokuPad"
    if format_of_link(text) == "f-puzzles" or text.startswith(("fpuz", "N4I")):
        return "a link of f-puzzles"
    return "a link of SudokuPad"


def data_in(text: str) -> dict[str, Any]:
    """Return the data of a link, a payload or JSON. Of its possible payloads the first counts that can be unpacked."""
    if text.startswith("{"):
        return data_of(text)
    payloads = find_payloads(text)
    problems: list[InputError] = []
    for payload in chain(payloads, *map(mend_slashes, payloads)):
        try:
            return data_of(payload if payload.startswith("{") else unpack(payload))
        except InputError as problem:
            problems.append(problem)
    of_last_payload = problems[len(payloads) - 1]  # as it is, before anything is mended in it
    raise of_last_payload


def _find_link(text: str) -> re.Match[str] | None:
    """Find the link that a text is, or that stands behind a name."""
    link = _HOST.search(text)
    if link is None or link.start() > _LONGEST_NAME:
        return None
    before = _BEFORE_HOST.sub("", text[: link.start()])
    if not before:
        return link
    payload = re.split(r"[\s#]", link[2], maxsplit=1)[0]
    is_remark = re.search(r"\s#|^#", f"{before} ") is not None
    if len(payload) > 2 * _SHORTEST_PAYLOAD and not is_remark:
        return link
    return None


def find_payloads(text: str) -> list[str]:
    """Return the possible payloads: up to the first blank, with ``+`` for all of them, or all of a bare text."""
    link = _find_link(text)
    if link is None:
        return [_strip_kind(text)]
    load = _LOAD.search(link[2])
    if load:
        whole, stated = link[2][load.start(1) :], load[1]
    else:
        whole = link[2].removeprefix("sudoku/")
        stated = re.split(r"[?&#]", whole)[0].strip("/")
    first = _END_OF_PAYLOAD.split(stated, maxsplit=1)[0]
    possible = [first, stated]
    if "{" in whole:
        possible.append(whole)
    return [_strip_kind(payload) for payload in dict.fromkeys(possible)]


def _strip_kind(payload: str) -> str:
    """Return the payload without its kind, and without percent codes, which some programs write twice."""
    while "%" in payload:
        plain = unquote(payload)
        if plain == payload:
            break
        payload = plain
    payload = payload.strip()
    kind = _KIND.match(payload)
    if kind:
        payload = payload[kind.end() :]
    if payload.startswith("{"):
        return payload
    if not kind and len(payload) < _SHORTEST_PAYLOAD:
        raise InputError("a short link, whose puzzle is on a server; expected a link that holds its puzzle")
    return re.sub(r"[\r\n]", "", payload).replace(" ", "+")


def mend_slashes(payload: str) -> Iterator[str]:
    """Yield the payload with one slash or two more, because some servers merge two into one."""
    if payload.startswith("{"):
        return
    slashes = [match.start() for match in re.finditer("/", payload)]
    lost = chain(combinations(slashes, 1), combinations(slashes, 2))
    for places in islice(lost, _MENDED_AT_MOST // (len(payload) or 1)):
        mended = payload
        for place in reversed(places):
            mended = f"{mended[:place]}/{mended[place:]}"
        yield mended
