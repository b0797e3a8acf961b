"""Cards: results as notebooks show them, a sentence and a table beside a picture."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gridproof.pictures.cells import Drawable
from gridproof.pictures.document import Svg, xml_text
from gridproof.pictures.svg import board_svg

LARGEST_ORDER_PICTURED = 49
"""Above this order a card has no picture: it would take megabytes."""


_NO_FORMULAS = "mathjax_ignore tex2jax_ignore"
"""The classes by which MathJax leaves the dollars of a title alone."""


def card(sentence: str, rows: Iterable[tuple[str, object]] = (), picture: Svg | None = None) -> str:
    """Return a card in HTML.

    Parameters
    ----------
    sentence
        The result, in bold.
    rows
        Names with their values; empty values are left out.
    picture
        The picture beside it.

    Examples
    --------
    >>> "<b>It holds.</b>" in card("It holds.", [("seconds", 1.5)])
    True
    """
    lines = []
    for name, value in rows:
        if value not in (None, "", ()):
            lines.append(
                f'<tr><td align="left" valign="top" style="opacity:.7;padding:0 1em 0 0">{xml_text(name)}</td>'
                f'<td align="left" style="text-align:left">{xml_text(str(value))}</td></tr>'
            )
    table = ""
    if lines:
        table = f'<table style="border:none;margin-top:.5em">{"".join(lines)}</table>'
    image = f"<div>{picture.html}</div>" if picture else ""
    return (
        f'<div class="{_NO_FORMULAS}" style="display:flex;flex-wrap:wrap;gap:1.2em;align-items:flex-start">'
        f'{image}<div style="flex:1 1 20em;max-width:48em"><b>{xml_text(sentence)}</b>{table}</div></div>'
    )


def board_card(sentence: str, rows: Iterable[tuple[str, object]], board: Drawable, **options: Any) -> str:
    """Return a card with the picture of a board and, before the other rows, a row for each of its rules.

    options: of ``board_svg``.
    """
    all_rows: list[tuple[str, object]] = [("rule", rule.sentence(board.geometry)) for rule in board.rules]
    all_rows += rows
    if max(board.geometry.shape) > LARGEST_ORDER_PICTURED:
        return card(sentence, all_rows)
    return card(sentence, all_rows, board_svg(board, **options))
