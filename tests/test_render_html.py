"""The table: well-formed, attributes only, and saying of each cell what the board says."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given, settings

from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.show import board_html, colours, differences
from render_samples import SOLUTION, boards_with_cells, classic


def cells_of(html: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(html).iter("td"))


@settings(max_examples=60, deadline=None)
@given(boards_with_cells())
def test_every_cell_says_what_the_board_says(drawn: tuple[Board, set[int], set[int]]) -> None:
    board, highlight, second = drawn
    geometry = board.geometry
    n = geometry.order
    html = board_html(board, highlight=highlight, second=second)
    root = ElementTree.fromstring(html)
    assert [len(row) for row in root] == [n] * n
    assert {element.tag for element in root.iter()} <= {"table", "tr", "td", "b", "u", "small", "br"}
    assert not any({"class", "id"} & set(element.keys()) for element in root.iter())
    for cell, td in enumerate(cells_of(html)):
        text = "".join(td.itertext()).replace("\xa0", "")
        clue = board.clues[cell]
        filled = board.filled[cell] if board.filled and not clue else 0
        assert (td.find(".//b") is not None) == bool(clue)
        if clue or filled:
            assert text == geometry.symbol_text(clue or filled)
        elif board.marks is not None:
            mask = board.marks[cell]
            symbols = [geometry.symbol_text(s) for s in range(1, n + 1) if mask >> (s - 1) & 1]
            assert text == ("".join(symbols) or "×")
        else:
            assert text == ""
        assert (td.get("bgcolor") == colours.HIGHLIGHT) == (cell in highlight)
        assert ("box-shadow" in td.get("style", "")) == (cell in second)


def test_bold_borders_between_boxes() -> None:
    cells = cells_of(board_html(Board.empty(Geometry.classic(2, 3))))
    for cell, td in enumerate(cells):
        row, column = divmod(cell, 6)
        style = td.get("style", "")
        assert ("border-right:3px" in style) == (column in (2, 5))
        assert ("border-left:3px" in style) == (column in (0, 3))
        assert ("border-top:3px" in style) == (row in (0, 2, 4))
        assert ("border-bottom:3px" in style) == (row in (1, 3, 5))


def test_differing_witnesses_share_a_cell() -> None:
    first = tuple(map(int, SOLUTION))
    second = (*first[:2], 6, 4, *first[4:])
    cells = cells_of(board_html(classic(filled=True), differs=differences(first, second)))
    assert [cells[cell].text for cell in (2, 3)] == ["4/6", "6/4"]
    assert [cell for cell, td in enumerate(cells) if td.get("bgcolor") == colours.DIFFERS] == [2, 3]


def test_the_label_names_the_board() -> None:
    assert ElementTree.fromstring(board_html(classic())).get("aria-label") == "Board of 9x9, 3x3 boxes"
    label = ElementTree.fromstring(board_html(classic(), title='"<&\x00')).get("aria-label")
    assert label == '"<&\ufffd'
