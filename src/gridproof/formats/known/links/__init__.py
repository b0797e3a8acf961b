"""Links that hold a puzzle: those of f-puzzles and SudokuPad, their payloads, the data behind them, and other links.

The data are JSON, or SudokuPad's shortened text. No link is ever opened: a short link does not hold its puzzle.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache, partial
from itertools import chain, combinations, islice
from math import isqrt
from typing import Any
from urllib.parse import quote, unquote

from gridproof.errors import InputError
from gridproof.formats.catalog import EXTRAS, Format
from gridproof.formats.known.links import f_puzzles, sudokupad
from gridproof.formats.lzstring import packed, unpacked
from gridproof.formats.puzzle import Item, Puzzle, malformed
from gridproof.formats.reading import read_plain
from gridproof.formats.shapes import Shapes

LONGEST = 1_000_000
"""Characters of a link or of JSON at most."""

_MENDED_AT_MOST = 2_000_000
"""Characters of payloads that are unpacked at most while lost slashes are looked for; some seconds."""

_F_PUZZLES = re.compile(
    r"(?:fpuz(?:zles)?|N4I)[\w+/=% -]{12,}\s*$"
    r'|\s*\{(?:.*"grid"\s*:\s*\[\s*(?:\[\s*(?:\{|\]|$)|$)|\s*"(?:size|title|author|ruleset)"\s*:.*,\s*$)',
    re.IGNORECASE | re.DOTALL,
)
_SUDOKUPAD = re.compile(
    r"(?:scl|ctc|scf)[\w+/=% -]{24,}\s*$"
    r"|\s*\{(?:\s*(?:id|ce|cells|metadata)\s*:"
    r'|(?!.*"grid"\s*:).*"cells"\s*:\s*\[\s*(?:\[\s*(?:\{|\]|$)|$)'
    r'|\s*"(?:id|cellSize|metadata|regions|cages)"\s*:.*,\s*$)',
    re.IGNORECASE | re.DOTALL,
)
_OTHER = re.compile(
    r"[\W_]{0,3}(?:https?://|www\.|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/)(?!sigh\.github\.io/)\S*", re.IGNORECASE
)
_CELLS = re.compile(r"(?<=[=/?&#])[\d.*_-]{36,}(?=$|[^\w.*%+/=-])")

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

_WORDS = {"t": "true", "true": "true", "f": "false", "false": "false", "null": "null", "": "null"}
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
    payload = re.split(r"[\s#]", link[2], maxsplit=1)[0]
    is_behind_name = len(payload) > 2 * _SHORTEST_PAYLOAD and not re.search(r"\s#|^#", f"{before} ")
    return link if not before or is_behind_name else None


def read(text: str, drawings: bool = False) -> Puzzle:
    """Return the puzzle of one link, payload or JSON text.

    Parameters
    ----------
    text : str
        ``https://f-puzzles.com/?load=...``, ``https://sudokupad.app/...``, a payload by itself (with or without
        ``fpuzzles``, ``scl``, ``ctc`` before it), JSON, or SudokuPad's shortened text. Percent codes, blanks for ``+``
        and slashes that a server has merged are mended.
    drawings : bool
        Whether rules that are drawn in SudokuPad are read; see ``formats.drawn``.

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
    text = text.strip()
    try:
        if len(text) > LONGEST:
            raise InputError(f"a text of {len(text):,} characters; expected at most {LONGEST:,}")
        data = _data(text)
        if isinstance(data.get("grid"), list):
            return f_puzzles.Reading(data).puzzle()
        if isinstance(data.get("cells"), list):
            reading = sudokupad.Reading(data)
            if drawings:
                from gridproof.formats.drawn import with_drawings

                return with_drawings(reading)
            return reading.puzzle()
        raise InputError("neither a grid nor cells; expected a puzzle of f-puzzles or SudokuPad")
    except RecursionError:
        raise InputError(f"{_name(text)}: data that are nested too deeply; expected a puzzle") from None
    except InputError as problem:
        raise InputError(f"{_name(text)}: {problem}") from None


def _name(text: str) -> str:
    """Return the name for such a text in messages."""
    if text.startswith("{"):
        return "JSON of f-puzzles or SudokuPad"
    is_of_f_puzzles = linked(text) == "f-puzzles" or text.startswith(("fpuz", "N4I"))
    return f"a link of {'f-puzzles' if is_of_f_puzzles else 'SudokuPad'}"


def _data(text: str) -> dict[str, Any]:
    """Return the data of a text. Of its possible payloads the first counts that can be unpacked."""
    if text.startswith("{"):
        return data_of(text)
    payloads = _payloads(text)
    problems: list[InputError] = []
    for payload in chain(payloads, *map(_mended, payloads)):
        try:
            return data_of(payload if payload.startswith("{") else unpacked(payload))
        except InputError as problem:
            problems.append(problem)
    raise problems[len(payloads) - 1]  # the last payload, as it is


def _payloads(text: str) -> list[str]:
    """Return the possible payloads: up to the first blank, with ``+`` for all of them, or all of a bare text."""
    link = _link_in(text)
    if link is None:
        return [_bare(text)]
    load = _LOAD.search(link[2])
    whole = link[2][load.start(1) if load else 0 :].removeprefix("sudoku/")
    text = load[1] if load else re.split(r"[?&#]", whole)[0].strip("/")
    first = re.split(r"[\s)>\]\"'`,]|[.;!](?=\s|$)", text, maxsplit=1)[0]
    return [*map(_bare, dict.fromkeys((first, text, *([whole] if "{" in whole else []))))]


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


def _mended(payload: str) -> Iterator[str]:
    """Yield the payload with one slash or two more, because some servers merge two into one."""
    slashes = [] if payload.startswith("{") else [match.start() for match in re.finditer("/", payload)]
    lost = chain(combinations(slashes, 1), combinations(slashes, 2))
    for places in islice(lost, _MENDED_AT_MOST // (len(payload) or 1)):
        mended = payload
        for place in reversed(places):
            mended = f"{mended[:place]}/{mended[place:]}"
        yield mended


# ---- data ------------------------------------------------------------------------------------------------------------


def data_of(text: str) -> dict[str, Any]:
    """Return the data of JSON or of shortened text.

    Raises
    ------
    InputError
        If it is neither, or no object.
    RecursionError
        If it is nested too deeply.

    Examples
    --------
    >>> data_of("{t:'It is small',ce:[[{v:1},,]],hidden:f}")
    {'title': 'It is small', 'cells': [[{'value': 1}, {}, {}]], 'hidden': False}
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as problem:
        if re.match(r'\s*\{\s*"', text):
            raise InputError(f"JSON that is damaged: {problem}") from None
        data = _shortened(text.strip())
    except ValueError as problem:  # a number of thousands of digits
        raise InputError(f"JSON that cannot be read: {problem}") from None
    if not isinstance(data, dict):
        raise InputError("neither a grid nor cells; expected a puzzle of f-puzzles or SudokuPad")
    return data


def _shortened(text: str) -> Any:
    """Return the data of shortened text: no quotes around keys, strings in single quotes, ``t`` and ``f``, gaps."""
    try:
        return json.loads(_PART.sub(_json, text) or "null")
    except json.JSONDecodeError as problem:
        here = problem.doc[problem.pos : problem.pos + 20]
        raise InputError(f"{here!r}; expected JSON or SudokuPad's shortened text") from None


def _json(part: re.Match[str]) -> str:
    """Return a part of shortened text as JSON."""
    if part["word"] is not None:
        return _word(part["word"].strip(), part["key"] is not None)
    if part["string"] is None:
        return _STANDS_FOR[part.lastgroup or ""]
    string = _ESCAPE.sub(
        lambda code: chr(int(code[1][1:], 16)) if code[1][1:] else _ESCAPED.get(code[1], code[1]), part["string"]
    )
    return _word(string, True) if part["key"] else json.dumps(string)


@lru_cache(maxsize=4096)
def _word(word: str, is_key: bool) -> str:
    """Return a key, or a value without quotes, as JSON."""
    if is_key:
        return f"{json.dumps(_LONG_NAMES.get(word, word))}:"
    try:
        return _WORDS.get(word) or json.dumps(int(word) if re.fullmatch("-?[0-9]{1,15}", word) else float(word))
    except ValueError:
        return json.dumps(word)


# ---- formats ---------------------------------------------------------------------------------------------------------


def _read_cells(text: str, shapes: Shapes) -> Iterator[Item]:
    cells = [piece for piece in _CELLS.findall(text.strip()) if isqrt(len(piece)) ** 2 == len(piece)]
    if len(cells) == 1:
        yield from read_plain(cells[0], shapes)
    else:
        yield malformed("a link without the cells of a puzzle", text, "the cells, or a link with them", 1)


def _in_sudokupad(kind: str, data: str) -> str:
    return f"https://sudokupad.app/?puzzleid={kind}{quote(packed(data), safe='')}"


KEPT = tuple(name for name in EXTRAS if name != "unread parts")
_links_format = partial(Format, by_line=True, read=lambda text, shapes: iter([read(text, shapes.drawings)]), keeps=KEPT)
F_PUZZLES: Format = _links_format(
    name="f-puzzles",
    summary="links of f-puzzles, their payloads, and the JSON behind them",
    sniff=lambda text: _F_PUZZLES.match(text) is not None or linked(text) == "f-puzzles",
    write=lambda puzzle: f"https://www.f-puzzles.com/?load={packed(f_puzzles.json_of(puzzle, F_PUZZLES.refuse))}",
    examples=(
        '{"size": 2, "title": "Small", "grid": [[{"value": 1, "given": true}, {}], [{}, {}]]}',
        "https://f-puzzles.com/?load=N4IgzglgXgpiBcAmANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYLgXWSEeffvy5A=",
    ),
)
SUDOKUPAD_LINK: Format = _links_format(
    name="sudokupad-link",
    summary="links that open a puzzle of f-puzzles in SudokuPad",
    sniff=lambda text: linked(text) == "sudokupad-link",
    write=lambda puzzle: _in_sudokupad("fpuzzles", f_puzzles.json_of(puzzle, SUDOKUPAD_LINK.refuse)),
    examples=(
        "https://sudokupad.app/fpuzN4IgzglgXgpiBcAmANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYLgXWSEeffvy5A=",
    ),
)
SUDOKUPAD: Format = _links_format(
    name="sudokupad",
    summary="links of SudokuPad, their payloads, and the JSON or shortened text behind them",
    sniff=lambda text: _SUDOKUPAD.match(text) is not None or linked(text) == "sudokupad",
    write=lambda puzzle: _in_sudokupad("scl", sudokupad.json_of(puzzle, SUDOKUPAD.refuse)),
    examples=('{"cells": [[{"value": 1}, {}], [{}, {}]]}', "{id:'x',ce:[[{v:1},],[,]],re:[]}"),
)
CELLS_LINK = Format(
    name="cells-link",
    summary="links that hold the cells of a puzzle",
    by_line=True,
    sniff=lambda text: _OTHER.match(text) is not None and not linked(text) and "sigh.github.io/" not in text,
    read=_read_cells,
    examples=(f"https://www.example.org/sudoku?bd={'53007' + '0' * 76}",),
)
FORMATS = (F_PUZZLES, SUDOKUPAD_LINK, SUDOKUPAD, CELLS_LINK)
