"""Tables of the sizes of models, as ``gridproof encodings --sizes`` writes them."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from typing import Any

from gridproof import formats
from gridproof.errors import InputError
from gridproof.experiments.text_tables import latex_table, markdown_rows
from gridproof.formats import Shape
from gridproof.formats.shapes import geometry_of
from gridproof.models import catalog
from gridproof.models.sizes import model_size
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.text import quote

HEAD = ("board", "encoding", "variables", "clauses", "as stated by houses")
"""The head of a table. Clauses: each once; constraints, for a target without clauses."""


def size_rows(
    orders: Iterable[int],
    encodings: Sequence[str] = (),
    puzzles: Iterable[Any] = (),
    shape: Shape = Geometry.standard,
    rules: Iterable[Any] = (),
) -> list[list[str]]:
    """Return the sizes of the models of boards, as texts, below a head.

    Parameters
    ----------
    orders
        The orders of boards without clues.
    encodings
        Names, or paths of .toml files; without any, all encodings for clauses.
    puzzles
        Further boards: whatever ``gridproof.parse`` reads.
    shape
        The geometry, or a function of the order.
    rules
        Rules of every board, in text or otherwise as ``Board.with_rules`` takes them.

    Raises
    ------
    InputError
        For an unknown encoding, an order that no such board has, or what is no puzzle.

    Examples
    --------
    >>> for row in size_rows([4, 9], ["minimal"]):
    ...     print(row)
    ['board', 'encoding', 'variables', 'clauses', 'as stated by houses']
    ['4x4', 'minimal', '64', '240', '304']
    ['9x9', 'minimal', '729', '7,371', '8,829']
    """
    boards: list[tuple[str, Board]] = []
    rules = list(rules)
    for order in orders:
        if order < 1:
            raise InputError(f"a board of order {order}; expected at least 1")
        geometry = geometry_of(shape, order)
        if geometry.columns != order:
            raise InputError(f"order {order} beside a board of {geometry.description}; expected one of them")
        boards.append((f"{geometry.rows}x{geometry.columns}", Board.empty(geometry).with_rules(rules)))
    for puzzle in puzzles:
        board = formats.parse(puzzle, shape=shape, rules=rules)
        boards.append((quote(str(puzzle), 24), board))
    rows = [list(HEAD)]
    for name, board in boards:
        for encoding_name in encodings or names_for_clauses():
            encoding = catalog.load(encoding_name)
            size = model_size(board, encoding)
            numbers = (size.variables, size.clauses, size.with_repeats)
            rows.append([name, encoding.name] + [write_number(number) for number in numbers])
    return rows


def names_for_clauses() -> list[str]:
    """Return the names of all encodings whose models are clauses."""
    return [name for name in catalog.names() if catalog.load(name).target == "cnf"]


def write_number(number: int | None) -> str:
    """Return a number as a text; ``-`` for none."""
    return "-" if number is None else f"{number:,}"


def write_csv(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as CSV, with plain numbers and empty cells where there is none."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    for name, encoding, *numbers in rows[1:]:
        plain = [number.replace(",", "").replace("-", "") for number in numbers]
        writer.writerow([name, encoding, *plain])
    return text.getvalue()


def write_latex(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a table in LaTeX."""
    caption = "Sizes of models: variables, clauses, each counted once, and clauses as often as houses state them."
    return latex_table(rows, caption, "sizes")


def write_markdown(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a table in Markdown."""
    return markdown_rows(rows) + "\n"


WRITERS: dict[str, Callable[[Sequence[Sequence[str]]], str]] = {
    ".tex": write_latex,
    ".md": write_markdown,
    ".csv": write_csv,
}
"""The forms of a file, by its ending."""
