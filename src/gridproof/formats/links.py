"""Links of f-puzzles and SudokuPad, their bare payloads, and the data behind them: JSON, or SudokuPad's shortened text.

No link is ever opened: a short link does not hold its puzzle.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from gridproof.errors import InputError
from gridproof.formats.lzstring import phrases, whole_text
from gridproof.formats.puzzle import Puzzle

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

_SHORT_NAMES = (
    "a=arrows ca=cages ce=cells cs=cellSize ct=center l=lines o=overlays re=regions "
    "t=title te=text u=underlays v=value vd=videos wp=wayPoints"
)
_LONG_NAMES: dict[str, str] = dict(re.findall(r"(\w+)=(\w+)", _SHORT_NAMES))
"""Names of properties in the shortened text; those of colours and widths, which nobody reads, stay."""

_WORDS = {"t": True, "true": True, "f": False, "false": False, "null": None, "": None}
_PART = re.compile(
    r"(?:'(?P<string>(?:[^'\\]|\\.)*)'|(?P<word>[^,:{}\[\]']+))(?P<key>:)?"
    r"|(?P<gap>(?<=\[)(?=,)|(?<=,)(?=[,\]]))|(?P<nothing>(?<=:)(?=[,}]))|(?P<last>,(?=\}))",
    re.DOTALL,
)
_STANDS_FOR = {"gap": "{}", "nothing": "null", "last": ""}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def linked(text: str) -> str:
    """Return the format of a link, perhaps behind a name or in brackets; empty if there is none.

    A line that is something else may have a link beside it, as a remark.
    """
    link = _link_in(text.strip()) if "." in text[:_LONGEST_NAME] else None
    if link is None:
        return ""
    if link[1].lower().startswith("f-"):
        return "f-puzzles"
    return "sudokupad-link" if "fpuz" in link[2][:_LONGEST_NAME] else "sudokupad"


def _link_in(text: str) -> re.Match[str] | None:
    """Find the link that a text is, or that stands behind a name."""
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
    """Return the puzzle of one link, payload or JSON text.

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
    >>> puzzle = read("https://f-puzzles.com/?load=" + packed('{"size": 1, "title": "Small", "grid": [[{}]]}'))
    >>> puzzle.title, puzzle.board.geometry.order
    ('Small', 1)
    """
    from gridproof.formats.known.f_puzzles import reading as f_puzzles
    from gridproof.formats.known.sudokupad import data as sudokupad

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
    """Return the name for such a text in messages."""
    if text.startswith("{"):
        return "JSON of f-puzzles or SudokuPad"
    known = linked(text) or ("f-puzzles" if text.startswith(("fpuz", "N4I")) else "")
    return f"a link of {'f-puzzles' if known == 'f-puzzles' else 'SudokuPad'}"


def _data(text: str) -> Any:
    """Return the data of a text. Of its possible payloads the first counts that can be unpacked."""
    if text.startswith("{"):
        return data_of(text)
    *first, last = _payloads(text)
    for payload in first:
        with suppress(InputError):
            return _unpacked(payload)
    return _unpacked(last)


def _payloads(text: str) -> Iterator[str]:
    """Yield the possible payloads: up to the first blank, with ``+`` for all of them, or all of a bare text."""
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
    """Return the payload without its kind, and without percent codes, which some programs write twice."""
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


# ---- payloads --------------------------------------------------------------------------------------------------------


def _unpacked(payload: str) -> Any:
    """Return the data behind a payload, whose lost slashes are restored.

    Some servers merge two slashes into one. Where unpacking or reading comes to a halt, the loss was before: the slash
    is doubled with which it comes furthest, until it comes to the end.
    """
    if payload.startswith("{"):
        return data_of(payload)
    data, problem, reached, slashes = _attempt(payload)
    budget, first = _MENDED_AT_MOST - len(payload), 0
    while problem is not None:
        best = (reached, slashes, first, payload)
        for place in [place for place in slashes if place >= first]:
            budget -= len(payload)
            if budget < 0:
                raise problem
            mended = f"{payload[:place]}/{payload[place:]}"
            data, halted, far, those = _attempt(mended)
            if halted is None:
                return data
            best = max(best, (far, those, place + 2, mended), key=lambda one: one[0])
        if best[3] == payload:
            raise problem
        reached, slashes, first, payload = best
    return data


def _attempt(payload: str) -> tuple[Any, InputError | None, int, list[int]]:
    """Unpack and read a payload as far as possible.

    Return the data or the problem, the number of characters before the halt, and the slashes these came from.
    """
    parts: list[tuple[int, str]] = []
    problem: InputError | None = None
    try:
        parts.extend(phrases(payload))  # what came before an error stays
    except InputError as halted:
        problem = halted
    halt = sum(len(phrase) for _, phrase in parts)
    try:
        data = data_of(whole_text(phrase for _, phrase in parts))
        if problem is None:
            return data, None, halt, []
    except Garbled as garbled:
        problem, halt = problem or garbled, min(halt, garbled.place)
    reached = last = 0
    for place, phrase in parts:
        reached, last = reached + len(phrase), place
        if reached > halt:
            break
    return None, problem, reached, [place for place, letter in enumerate(payload[: last + 2]) if letter == "/"]


# ---- data ------------------------------------------------------------------------------------------------------------


class Garbled(InputError):
    """Text that is neither JSON nor shortened text. place: the characters before the damage."""

    def __init__(self, problem: str, place: int) -> None:
        super().__init__(problem)
        self.place = place


def data_of(text: str) -> Any:
    """Return the data of JSON or of shortened text.

    Raises
    ------
    Garbled, InputError
        If it is neither JSON nor shortened text.
    RecursionError
        If it is nested too deeply.

    Examples
    --------
    >>> data_of("{t:'It is small',ce:[[{v:1},,]],hidden:f}")
    {'title': 'It is small', 'cells': [[{'value': 1}, {}, {}]], 'hidden': False}
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        if re.match(r'\s*\{\s*"', text):
            place = len(text) if problem.msg.startswith("Unterminated") else problem.pos
            raise Garbled(f"JSON that is damaged: {problem}", place) from None
        return _shortened(text.strip())
    except ValueError as problem:  # a number of thousands of digits
        raise InputError(f"JSON that cannot be read: {problem}") from None


def _shortened(text: str) -> Any:
    """Return the data of shortened text: no quotes around keys, strings in single quotes, ``t`` and ``f``, gaps."""
    try:
        return json.loads(_PART.sub(_json, text) or "null")
    except json.JSONDecodeError as problem:
        place = problem.pos
        for part in _PART.finditer(text):  # back from what was made of the text to the text
            if part.start() >= place:
                break
            place = max(part.start(), place - len(_json(part)) + len(part[0]))
        here = text[place : place + 20]
        raise Garbled(f"character {place + 1}: {here!r}; expected JSON or SudokuPad's shortened text", place) from None


def _json(part: re.Match[str]) -> str:
    """Return a part of shortened text as JSON."""
    if part["word"] is not None:
        return _word(part["word"].strip(), part["key"] is not None)
    if part["string"] is None:
        return _STANDS_FOR[part.lastgroup or ""]
    string = _ESCAPE.sub(_unescaped, part["string"])
    return _word(string, True) if part["key"] else json.dumps(string)


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPED.get(code, code)


@lru_cache(maxsize=4096)
def _word(word: str, is_key: bool) -> str:
    """Return a key, or a value without quotes, as JSON."""
    if is_key:
        return f"{json.dumps(_LONG_NAMES.get(word, word))}:"
    if word in _WORDS:
        return json.dumps(_WORDS[word])
    try:
        return json.dumps(int(word) if re.fullmatch("-?[0-9]{1,15}", word) else float(word))
    except ValueError:
        return json.dumps(word)
