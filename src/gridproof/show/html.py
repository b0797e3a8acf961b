"""Boards as an HTML table, for places that do not show SVG; attributes only, no style block or script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from gridproof.puzzle.geometry import Geometry
from gridproof.show.cells import Shown, picture, walls
from gridproof.show.colours import (
    ALARM,
    BACKGROUND,
    CANDIDATE,
    CLUE,
    DIFFERS,
    FILLED,
    HIGHLIGHT,
    LINE,
    RING,
    SECOND,
    THIN_LINE,
    declared,
)
from gridproof.show.document import xml_text
from gridproof.show.svg import candidate_columns

if TYPE_CHECKING:
    from gridproof.puzzle.board import Board


def board_html(
    board: Board,
    *,
    highlight: Iterable[int] = (),
    second: Iterable[int] = (),
    candidates: Sequence[int] | None = None,
    differs: Mapping[int, tuple[int, int]] | None = None,
    title: str | None = None,
) -> str:
    """The board as a table; parameters and errors are those of ``board_svg``.

    What survives where even ``style`` attributes are stripped: bold clues, underlined symbols in the second
    group, backgrounds. Houses beyond rows, columns and boxes are not shaded here; the label names them. Rules are said
    under the table.

    Examples
    --------
    >>> import gridproof
    >>> board_html(gridproof.parse("1... ..2. .3.. ...4")).count("<td")
    16
    """
    shown = picture(board, highlight, second, candidates, differs)
    geometry = shown.geometry
    n = geometry.order
    upright, level = walls(geometry)
    side = 36 if not shown.count("marks") else max(36, 14 * candidate_columns(n))
    label = xml_text(f"Board of {geometry.description}" if title is None else title)
    parts = [
        f'<table aria-label="{label}" cellspacing="0" cellpadding="0" style="border-collapse:collapse;'
        f"margin:4px;color-scheme:light dark;{declared('background', BACKGROUND)};{declared('color', CLUE)};"
        'font-family:Helvetica,Arial,sans-serif">'
    ]
    if board.rules:
        said = "<br/>".join(xml_text(rule.sentence(geometry)) for rule in board.rules)
        parts.append(f'<caption align="bottom" style="caption-side:bottom;text-align:left">{said}</caption>')
    for row in range(n):
        parts.append("<tr>")
        for column in range(n):
            cell = row * n + column
            content = shown.cells[cell]
            fill = BACKGROUND if content.kind != "differs" else DIFFERS
            fill = HIGHLIGHT if cell in shown.highlight else fill
            if cell in shown.second and fill == BACKGROUND:
                fill = SECOND
            inner = _content(content, geometry)
            if cell in shown.second and content.kind != "marks":
                inner = f"<u>{inner or '&#160;'}</u>"
            edges = (
                level[row][column],
                upright[row][column + 1],
                level[row + 1][column],
                upright[row][column],
            )
            border = ";".join(
                declared(f"border-{name}", LINE if wall else THIN_LINE, "3px solid " if wall else "1px solid ")
                for name, wall in zip(("top", "right", "bottom", "left"), edges, strict=True)
            )
            ring = f";{declared('box-shadow', RING, 'inset 0 0 0 4px ')}" if cell in shown.second else ""
            ground, ink = declared("background", fill), _style(content)
            parts.append(
                f'<td width="{side}" height="{side}" align="center" bgcolor="{fill}" style="{border}{ring};'
                f'padding:0;text-align:center;vertical-align:middle;{ground};{ink}">{inner}</td>'
            )
        parts.append("</tr>")
    return "\n".join([*parts, "</table>"])


def _style(content: Shown) -> str:
    colour = {"clue": CLUE, "filled": FILLED, "differs": ALARM, "marks": CANDIDATE, "blank": CLUE}[content.kind]
    if content.kind == "marks" and not content.symbols:
        colour = ALARM
    if content.kind == "marks" and content.symbols:
        # in a typeface of one width, so that the candidates of all cells line up
        return f"{declared('color', colour)};font-family:monospace;font-size:13px;line-height:1.05"
    return f"{declared('color', colour)};font-size:{15 if content.kind == 'differs' else 20}px"


def _content(content: Shown, geometry: Geometry) -> str:
    texts = [geometry.symbol_text(symbol) for symbol in content.symbols]
    if content.kind == "clue":
        return f"<b>{texts[0]}</b>"
    if content.kind == "filled":
        return texts[0]
    if content.kind == "differs":
        return "/".join(texts)
    if content.kind == "blank":
        return ""
    if not texts:
        return "&#215;"
    columns = candidate_columns(geometry.order)
    present = dict(zip(content.symbols, texts, strict=True))
    empty = "&#160;" * (1 if geometry.symbol_characters else 2)
    rows = [
        "&#160;".join(present.get(symbol, empty) for symbol in range(start, min(start + columns, geometry.order + 1)))
        for start in range(1, geometry.order + 1, columns)
    ]
    return f"<small>{'<br/>'.join(rows)}</small>"
