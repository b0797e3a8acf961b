"""Cards: results as notebooks show them, with a picture, one sentence and the evidence.

Attributes and inline styles only; text has the page's own colours. Where a host strips the picture, the words stay.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gridproof.pictures.cells import differences
from gridproof.pictures.document import Svg, xml_text
from gridproof.pictures.svg import board_svg

if TYPE_CHECKING:
    from gridproof.formats.puzzle import Puzzle
    from gridproof.generation.instances import Instance
    from gridproof.pipeline import Count
    from gridproof.puzzle.board import Board
    from gridproof.trust.verdict import Evidence, Verdict

LARGEST_ORDER_PICTURED = 49
"""Above this order a card has no picture: it would take megabytes."""


def card(sentence: str, rows: Iterable[tuple[str, object]] = (), picture: Svg | None = None, text: str = "") -> str:
    """A card: a sentence, rows of a name and what is said under it (empty ones are left out), a picture, a text."""
    lines = [
        f'<tr><td align="left" valign="top" style="opacity:.7;padding:0 1em 0 0">{xml_text(name)}</td>'
        f'<td align="left" style="text-align:left">{xml_text(str(value))}</td></tr>'
        for name, value in rows
        if value not in (None, "", ())
    ]
    table = f'<table style="border:none;margin-top:.5em">{"".join(lines)}</table>' if lines else ""
    shown = f"<div>{picture}</div>" if picture else ""
    plain = f'<pre style="overflow-x:auto">{xml_text(text)}</pre>' if text else ""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1.2em;align-items:flex-start">'
        f'{shown}<div style="max-width:48em"><b>{xml_text(sentence)}</b>{table}{plain}</div></div>'
    )


def verdict_card(verdict: Verdict) -> str:
    """The board with its solution, or the cells in which two solutions differ; who says so, and what was checked."""
    rows = [*_rules(verdict.board), *_evidence(verdict.evidence)]
    if made := verdict.made:
        by = f"{made.backend} {made.backend_version}".strip()
        rows.append(("decided by", f"{by}, encoding {made.encoding}" if made.encoding else by))
    rows.append(("seconds", ", ".join(f"{stage} {seconds:.4f}" for stage, seconds in verdict.seconds.items())))
    board, shown = verdict_view(verdict)
    return card(verdict_sentence(verdict), rows, _picture(board, **shown))


def verdict_sentence(verdict: Verdict) -> str:
    """The verdict in one sentence."""
    why = f": {verdict.reason}" if verdict.reason else ""
    names = list(map(verdict.board.geometry.cell_name, verdict.differing_cells))
    few = " ".join(names[:10]) + (" and others" if len(names) > 10 else "")
    at_once = [] if why else verdict.board.contradictions()[:1]
    return {
        "unique": f"The puzzle has exactly one solution{why}.",
        "multiple": f"The puzzle has several solutions; two of them differ in {len(names)} cells: {few}{why}.",
        "none": f"The puzzle has no solution{why or ''.join(f': {seen}' for seen in at_once)}.",
        "solved": f"This is a solution; whether there are others was not asked{why}.",
        "undecided": f"Undecided{why}.",
        "disagreement": f"Disagreement: independent parts contradict each other{why}.",
    }[verdict.status]


def verdict_view(verdict: Verdict) -> tuple[Board, dict[str, Any]]:
    """The board with what the verdict knows of its solutions, and what else a drawing of it shows."""
    board = verdict.board
    if verdict.status in ("unique", "solved"):
        return board.with_filled(verdict.solutions[0]), {}
    if verdict.status == "multiple":
        first, second = verdict.solutions[:2]
        return board.with_filled(first), {"differs": differences(first, second)}
    seen = board.contradictions()[:1] if verdict.status == "none" else []
    return board, {"highlight": [cell for found in seen for cell in found.cells]}


def count_card(count: Count) -> str:
    """How many solutions, and what was checked."""
    return card(f"{count}.", _evidence(count.evidence))


def puzzle_card(puzzle: Puzzle) -> str:
    """The puzzle, what its file says about it, and what of that was not understood."""
    first, *others = puzzle.headings()
    rows: list[tuple[str, object]] = [("", line.strip()) for line in others]
    rows += _rules(puzzle.board)
    rows += [("not understood", str(one)) for one in puzzle.not_understood]
    rows.append(("stored solution", "is there" if puzzle.solution else None))
    return card(f"{first}.", rows, _picture(puzzle.board))


def instance_card(made: Instance, meaning: str) -> str:
    """The board, and what it was made from."""
    rows = [("holes", made.holes), ("balanced", "yes" if made.balanced else None), ("seed", made.seed)]
    return card(f"{made.kind}: {meaning}.", rows, _picture(made.board))


def _picture(board: Board, **shown: Any) -> Svg | None:
    return None if board.geometry.order > LARGEST_ORDER_PICTURED else board_svg(board, **shown)


def _rules(board: Board) -> list[tuple[str, object]]:
    return [("rule", rule.sentence(board.geometry)) for rule in board.rules]


def _evidence(evidence: Evidence) -> list[tuple[str, object]]:
    return [
        ("grids checked", evidence.checked or None),
        evidence.opinion,
        *(("contradiction", said) for said in evidence.contradictions),
        ("stored solution", (evidence.stored or "").replace("_", " ")),
        ("certificate", evidence.certificate),
    ]
