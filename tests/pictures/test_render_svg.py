"""The SVG drawing: read back, element by element, and held against the board."""

from __future__ import annotations

import copy
import pickle
import re
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from gridproof.errors import InputError
from gridproof.pictures import Svg, board_svg, colours, differences
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from pictures.render_samples import GEOMETRIES, SOLUTION, boards, boards_with_cells, classic

MARGIN = 4.5
ATTRIBUTES = {
    "svg": {"class", "role", "width", "height", "viewBox"},
    "title": set(),
    "desc": set(),
    "style": set(),
    "rect": {"x", "y", "width", "height", "rx", "fill"},
    "g": {
        "transform",
        "font-family",
        "font-size",
        "font-weight",
        "text-anchor",
        "fill",
        "stroke",
        "stroke-width",
    },
    "path": {"d", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "shape-rendering"},
    "text": {"x", "y"},
}


class Drawing:
    """An SVG read back."""

    def __init__(self, svg: str, order: int) -> None:
        self.root = ElementTree.fromstring(svg)
        self.order = order
        self.elements = [(_tag(element), element) for element in self.root.iter()]
        side = float(self.root.get("viewBox", "").split()[2]) - 2 * MARGIN
        self.cell = int(side / order)
        assert self.cell * order == side

    def texts(self, **attributes: str) -> list[tuple[int, float, float, str]]:
        """Cell, place in it (0 to 1) and text of all that is written in groups of these attributes."""
        found = []
        for tag, group in self.elements:
            if (
                tag == "g"
                and group.get("font-size")
                and all(group.get(name.replace("_", "-")) == value for name, value in attributes.items())
            ):
                for text in group:
                    x, y = float(text.get("x", "")) / self.cell, float(text.get("y", "")) / self.cell
                    found.append((int(y) * self.order + int(x), x % 1, y % 1, text.text or ""))
        return found

    def symbols(self, **attributes: str) -> dict[int, str]:
        """The one text in each cell that has one in such a group."""
        texts = self.texts(**attributes)
        found = {cell: text for cell, _, _, text in texts}
        assert len(found) == len(texts)
        return found

    def edges(self, stroke: str) -> set[tuple[int, int, str]]:
        """The straight lines of this colour, cut into pieces as long as one cell."""
        paths = [path.get("d", "") for tag, path in self.elements if tag == "path" and path.get("stroke") == stroke]
        return {edge for d in paths for edge in _edges(d, self.cell)}

    def squares(self, fill: str) -> list[int]:
        """The cells that paths of this fill cover: those with an odd number of upright lines on their left."""
        paths = [path.get("d", "") for tag, path in self.elements if tag == "path" and path.get("fill") == fill]
        found: list[int] = []
        for d in paths:
            upright = {(x, y) for x, y, way in _edges(d, self.cell) if way == "V"}
            cells = [divmod(cell, self.order) for cell in range(self.order**2)]
            covered = [(y, x) for y, x in cells if sum((left, y) in upright for left in range(x + 1)) % 2]
            found += [y * self.order + x for y, x in covered]
        return found


def _edges(d: str, cell: int) -> list[tuple[int, int, str]]:
    """The lines of a path, closed or straight across, cut into pieces as long as one cell."""
    pieces = []
    for part in re.findall(r"M[^M]*", d):
        part = re.sub(r"M(\d+) (\d+)V(\d+)", r"\1 \2 \1 \3", part)
        part = re.sub(r"M(\d+) (\d+)H(\d+)", r"\1 \2 \3 \2", part)
        numbers = [int(number) // cell for number in re.findall(r"\d+", part)]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        for (x, y), (to_x, to_y) in zip(points, [*points[1:], points[0]], strict=True):
            level, (x, to_x), (y, to_y) = y == to_y, sorted((x, to_x)), sorted((y, to_y))
            pieces += [(k, y, "H") for k in range(x, to_x)] if level else [(x, k, "V") for k in range(y, to_y)]
    return pieces


def _tag(element: ElementTree.Element) -> str:
    return element.tag.removeprefix("{http://www.w3.org/2000/svg}")


@settings(max_examples=60, deadline=None)
@given(boards_with_cells())
def test_well_formed_with_presentation_attributes_only(drawn: tuple[Board, set[int], set[int]]) -> None:
    board, highlight, second = drawn
    drawing = Drawing(board_svg(board, highlight=highlight, second=second), board.geometry.order)
    for tag, element in drawing.elements:
        assert set(element.keys()) <= ATTRIBUTES[tag], tag
    tags = [_tag(element) for element in drawing.root]
    assert tags[:3] == ["title", "desc", "rect"]
    assert drawing.root.get("role") == "img"
    background = drawing.root[2]
    assert (background.get("width"), background.get("height")) == (drawing.root.get("width"),) * 2
    assert background.get("fill") == colours.BACKGROUND


@settings(max_examples=80, deadline=None)
@given(boards())
def test_every_symbol_is_written_in_its_cell_as_what_it_is(board: Board) -> None:
    geometry = board.geometry
    drawing = Drawing(board_svg(board), geometry.order)
    write = geometry.symbol_text
    clues = {cell: write(clue) for cell, clue in enumerate(board.clues) if clue}
    filled = {cell: write(entry) for cell, entry in enumerate(board.filled) if entry and not board.clues[cell]}
    assert drawing.symbols(font_weight="bold") == clues
    assert drawing.symbols(fill=colours.FILLED) == filled
    marks: dict[int, list[str]] = {}
    for cell, _, _, text in drawing.texts(fill=colours.CANDIDATE):
        marks.setdefault(cell, []).append(text)
    expected: dict[int, list[str]] = {}
    for cell, mask in enumerate(board.marks or ()):
        ruled_out = mask != (1 << geometry.order) - 1
        if mask and ruled_out and cell not in clues and cell not in filled:
            expected[cell] = [write(s) for s in range(1, geometry.order + 1) if mask >> (s - 1) & 1]
    assert marks == expected


@pytest.mark.parametrize("name", GEOMETRIES)
def test_bold_lines_run_between_regions_and_thin_ones_elsewhere(name: str) -> None:
    geometry = GEOMETRIES[name]
    n, region = geometry.order, geometry.region_of or (0,) * geometry.cell_count
    drawing = Drawing(board_svg(Board.empty(geometry)), n)
    inner = [(c + 1, r, "V", r * n + c, r * n + c + 1) for r in range(n) for c in range(n - 1)]
    inner += [(c, r + 1, "H", r * n + c, r * n + c + n) for r in range(n - 1) for c in range(n)]
    frame = {edge for k in range(n) for edge in ((k, 0, "H"), (k, n, "H"), (0, k, "V"), (n, k, "V"))}
    bold = {(x, y, way) for x, y, way, a, b in inner if region[a] != region[b]}
    assert drawing.edges(colours.LINE) == bold | frame
    assert drawing.edges(colours.THIN_LINE) == {(x, y, way) for x, y, way, _, _ in inner}, "below the bold ones"


def test_symbols_are_centred() -> None:
    drawing = Drawing(board_svg(classic(filled=True)), 9)
    places = {(x, round(y, 3)) for _, x, y, _ in drawing.texts()}
    assert len(places) == 1
    ((x, baseline),) = places
    assert x == 0.5
    assert 0.65 < baseline < 0.75  # digits are about 0.7 of the font size high and stand on it


def test_candidates_stand_in_a_grid_within_their_cell() -> None:
    board = classic()
    drawing = Drawing(board_svg(board, candidates=[0b111111111] * 81), 9)
    places = {text: (x, y) for cell, x, y, text in drawing.texts(fill=colours.CANDIDATE) if cell == 2}
    assert len(places) == 9
    columns = sorted({x for x, _ in places.values()})
    rows = sorted({y for _, y in places.values()})
    assert (len(columns), len(rows)) == (3, 3)
    for symbol in range(1, 10):
        row, column = divmod(symbol - 1, 3)
        assert places[str(symbol)] == (columns[column], rows[row])
    assert columns[0] > 0.1
    assert columns[2] < 0.9
    assert drawing.symbols(font_weight="bold") == {c: str(clue) for c, clue in enumerate(board.clues) if clue}


def test_a_cell_without_candidates_is_crossed() -> None:
    plain = board_svg(classic().with_marks([511] * 81))
    crossed = board_svg(classic().with_marks([511, 511, 0, *[511] * 78]))
    assert colours.ALARM not in plain
    assert colours.ALARM in crossed


@settings(max_examples=40, deadline=None)
@given(boards_with_cells())
def test_highlighted_cells_are_filled_and_ringed(drawn: tuple[Board, set[int], set[int]]) -> None:
    board, highlight, second = drawn
    drawing = Drawing(board_svg(board, highlight=highlight, second=second), board.geometry.order)
    assert sorted(drawing.squares(colours.HIGHLIGHT)) == sorted(highlight)
    rings = [e for tag, e in drawing.elements if tag == "rect" and e.get("rx")]
    places = [(float(ring.get("x", "")), float(ring.get("y", ""))) for ring in rings]
    cells = [int(y // drawing.cell) * board.geometry.order + int(x // drawing.cell) for x, y in places]
    assert cells == sorted(second)


def test_differing_witnesses_share_a_cell_first_above_second() -> None:
    first = tuple(map(int, SOLUTION))
    second = (*first[:2], 6, 4, *first[4:])
    drawing = Drawing(board_svg(classic(filled=True), differs=differences(first, second)), 9)
    assert sorted(drawing.squares(colours.DIFFERS)) == [2, 3]
    written = sorted((cell, y, text) for cell, _, y, text in drawing.texts(fill=colours.ALARM))
    assert [(cell, text) for cell, _, text in written] == [(2, "4"), (2, "6"), (3, "6"), (3, "4")]
    assert not {2, 3} & drawing.symbols(fill=colours.FILLED).keys()
    assert "r1c3 4 or 6, r1c4 6 or 4" in (drawing.root[1].text or "")


def test_further_houses_are_shaded() -> None:
    geometry = Geometry.classic(3).with_windoku().with_diagonals().with_houses([range(9), range(72, 81)])
    drawing = Drawing(board_svg(Board.empty(geometry)), 9)
    shaded = [sorted(drawing.squares(tint)) for tint in colours.TINTS]
    by_kind = {
        kind: sorted({cell for house in geometry.houses if house.kind == kind for cell in house.cells})
        for kind in ("diagonal", "window")
    }
    expected = [by_kind["diagonal"], by_kind["window"], list(range(9)), list(range(72, 81)), [], []]
    assert shaded == expected
    plain = Drawing(board_svg(Board.empty(Geometry.classic(3).with_disjoint_groups())), 9)
    assert not any(plain.squares(tint) for tint in colours.TINTS)


def test_title_and_description_name_what_is_drawn() -> None:
    geometry = Geometry.classic(2).with_houses([[0, 5, 10, 15]], 'a "<&>" \x00 \ud800')
    board = Board.from_symbols(geometry, "1" + "." * 15).with_filled([0, 2, *[0] * 14])
    root = ElementTree.fromstring(board_svg(board, highlight=[0, 15], second=[3]))
    assert root[0].text == 'Board of 4x4, 2x2 boxes, 1 a "<&>" \ufffd \ufffd house'
    words = root[1].text or ""
    assert words.startswith("1 clue, 1 filled; highlighted: r1c1, r4c4; highlighted second: r1c4; row 1: 1 2 _ _;")
    assert ElementTree.fromstring(board_svg(board, title="é <b>"))[0].text == "é <b>"


def test_an_svg_is_a_string_that_shows_and_saves_itself(tmp_path: Path) -> None:
    svg = board_svg(classic(), title="Grille nº 1")
    assert isinstance(svg, str)
    assert svg == board_svg(classic()).replace("Board of 9x9, 3x3 boxes", "Grille nº 1")
    image = re.search(r'<img .* alt="(.*?)" src="data:image/svg\+xml;base64,(.*?)"/>', svg._repr_html_())
    assert image is not None
    assert image[1].startswith("Grille nº 1. 30 clues; row 1: 5 3 _")
    assert b64decode(image[2]).decode() == svg
    assert board_svg(classic()).html == classic()._repr_html_()
    path = svg.save(tmp_path / "board.svg")
    assert path.read_bytes() == svg.encode()
    assert ElementTree.parse(path).getroot().get("role") == "img"
    for twin in (copy.deepcopy(svg), pickle.loads(pickle.dumps(svg))):
        assert type(twin) is Svg
        assert twin == svg


def test_a_picture_is_saved_by_the_ending_of_the_name(tmp_path: Path) -> None:
    drawing = board_svg(Board.empty(Geometry.classic(2)))
    assert drawing.save(tmp_path / "board.svg").read_text(encoding="utf-8").startswith("<svg ")
    with pytest.raises(InputError, match=r"board\.txt; expected a name that ends in \.svg"):
        drawing.save(tmp_path / "board.txt")
