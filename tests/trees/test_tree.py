"""Search trees: recorded whole or thinned out, folded, pruned, drawn."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from gridproof.backends import find
from gridproof.backends.solvers.search.session import SearchBackend, SearchSession
from gridproof.errors import BackendUnavailable, InputError
from gridproof.limits import NO_LIMITS, Limits
from gridproof.pictures import Svg
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.trees import SearchTree, search_tree
from gridproof.trees.drawing import Limb, Vertex, shape
from gridproof.trees.search_tree import TreeJournal

FOUR = Geometry.classic(2)
SMALL = Board.from_symbols(FOUR, "1.....2....3.4..")
HARD = Board.from_symbols(
    Geometry.classic(3), "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
)
SEARCHES = [
    f"search-{name}" for name in ("tables", "scan", "sets", "bits", "lazy", "propagate", "norvig", "exact-cover")
]


def vertices(root: Vertex) -> list[Vertex]:
    reached = [root]
    for vertex in reached:
        reached += vertex.children
    return reached


def texts(picture: str) -> list[str]:
    elements = ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")
    return [element.text or "" for element in elements]


@pytest.mark.parametrize("backend", SEARCHES)
@pytest.mark.parametrize("board", [SMALL, Board.empty(FOUR), Board.empty(Geometry.latin(3))], ids=["one", "288", "12"])
def test_every_node_is_recorded_or_counted(backend: str, board: Board) -> None:
    tree = search_tree(board, backend, limits=NO_LIMITS)
    reached = vertices(tree.root)
    assert len(reached) - 1 + sum(vertex.hidden for vertex in reached) == tree.statistics.nodes
    assert sum(vertex.solution > 0 for vertex in reached) == tree.solutions
    assert not any(vertex.open for vertex in reached)
    dead = [vertex for vertex in reached if vertex.failure is not None]
    assert len(dead) == tree.statistics.dead_ends
    assert not any(vertex.children or vertex.solution for vertex in dead)


def test_the_choices_on_the_way_to_a_solution_make_it() -> None:
    for backend in SEARCHES:
        tree = search_tree(SMALL, backend)
        entries = {cell: clue for cell, clue in enumerate(SMALL.clues) if clue}
        vertex = tree.root
        entries.update(vertex.forced)
        while not vertex.solution:
            (vertex,) = (child for child in vertex.children if child.on_solution)
            entries[vertex.cell] = vertex.symbol
            entries.update(vertex.forced)
        search = find(backend)
        with search.open(FOUR) as session:
            assert [tuple(entries[cell] for cell in range(16))] == list(session.solutions(SMALL))


def test_a_large_tree_keeps_what_is_near_the_root_and_the_solutions() -> None:
    board = Board.empty(FOUR)
    whole = {depth_and_path(vertex) for vertex in paths(search_tree(board, "search-bits", limits=NO_LIMITS).root)}
    backend = find("search-bits")
    assert isinstance(backend, SearchBackend)
    journal = TreeJournal(most_kept=60, most_solutions=2)
    with backend.open(FOUR) as session:
        assert isinstance(session, SearchSession)
        session.make_journal = journal.started
        solutions = len(list(session.solutions(board)))
        journal.finish()
        nodes = session.statistics.nodes
    reached = vertices(journal.root)
    assert len(reached) <= 60 + 4 + 16 + 64 + 2 * 16
    assert len(reached) - 1 + sum(vertex.hidden for vertex in reached) == nodes
    assert sum(vertex.solution > 0 for vertex in reached) <= solutions == 288
    assert {vertex.solution for vertex in reached} >= {1, 2}
    assert [(child.cell, child.symbol) for child in journal.root.children] == [(0, 1), (0, 2), (0, 3), (0, 4)]
    assert {depth_and_path(path) for path in paths(journal.root)} < whole


def paths(root: Vertex) -> list[list[Vertex]]:
    paths = [[root]]
    for path in paths:
        paths += [[*path, child] for child in path[-1].children]
    return paths


def depth_and_path(path: list[Vertex]) -> tuple[tuple[int, int], ...]:
    return tuple((vertex.cell, vertex.symbol) for vertex in path)


def drawn_of(tree: SearchTree) -> Limb:
    return shape(tree.root, tree.board, tree.most_nodes)


def drawn(root: Limb) -> list[Limb]:
    return [limb for limb in root.walk() if not limb.counted]


@pytest.mark.parametrize("backend", ["search-bits", "search-exact-cover", "search-propagate"])
@pytest.mark.parametrize("most", [1, 7, 100_000])
def test_a_picture_is_pruned_to_the_stated_size_and_counts_the_rest(backend: str, most: int) -> None:
    tree = search_tree(Board.empty(FOUR), backend, most_nodes=most, limits=Limits(solutions=40))
    root = drawn_of(tree)
    assert len(drawn(root)) <= most
    assert root.size - 1 == tree.statistics.nodes
    assert tree.solutions == 40
    for limb in root.walk():
        assert sum(child.size for child in limb.children) < limb.size
        assert not limb.counted or limb.label.startswith(f"+{limb.size:,} node")
    if most == 100_000:
        assert not any(limb.counted for limb in root.walk())


def test_the_solution_is_drawn_before_anything_else() -> None:
    root = drawn_of(search_tree(HARD, "search-exact-cover", most_nodes=25))
    assert [limb.remark for limb in drawn(root) if limb.solution] == ["solution 1"]
    limb = next(limb for limb in drawn(root) if limb.solution)
    while limb.parent is not None:
        assert limb.on_solution
        assert limb in limb.parent.children
        limb = limb.parent
    assert limb is root


def test_forced_moves_are_folded() -> None:
    root = drawn_of(search_tree(SMALL, "search-propagate"))
    assert (root.label, root.remark, root.children) == ("board → 12 forced", "solution 1", [])
    root = drawn_of(search_tree(SMALL, "search-bits"))
    labels = [limb.label for limb in root.walk()]
    assert labels == ["board", "r1c2=2", "r1c3=3 → r1c4=4", "r2c1=3", "r2c1=4 → 8 forced", "r1c3=4", "r1c2=3 → r1c3=4"]


def test_long_runs_of_choices_beside_which_nothing_is_drawn_are_folded() -> None:
    root = drawn_of(search_tree(HARD, "search-exact-cover", most_nodes=25))
    (folded,) = (limb for limb in root.walk() if "choices" in limb.label)
    assert re.fullmatch(r"r\dc\d=\d ⋯ r\dc\d=\d: \d+ choices", folded.label)
    assert [child.counted for child in folded.children] == [False, True]
    for parent in root.walk():
        assert all(child.parent is parent for child in parent.children)


def test_dead_ends_name_the_cell_or_the_house() -> None:
    remarks = {limb.remark for limb in drawn_of(search_tree(SMALL, "search-bits")).walk() if limb.dead}
    assert remarks == {"r1c4 has no candidate", "r2c2 has no candidate"}
    remarks = {limb.remark for limb in drawn_of(search_tree(HARD, "search-exact-cover")).walk() if limb.dead}
    assert any(re.fullmatch(r"\d has no place in (row|column|box) \d", remark) for remark in remarks)


def test_a_board_that_contradicts_itself_is_a_dead_root() -> None:
    root = drawn_of(search_tree(Board.from_symbols(FOUR, "11.............."), "search-bits"))
    assert (root.remark, root.dead) == ("r1c1 and r1c2 in row 1 both hold 1", True)


def test_a_limit_is_named_and_the_open_end_shown() -> None:
    tree = search_tree(HARD, "search-bits", limits=Limits(conflicts=10))
    assert tree.stopped == "stopped by the limit of 10 conflicts"
    assert tree.summary == "search-bits: 33 nodes, 11 dead ends, 0 solutions; stopped by the limit of 10 conflicts"
    tree = search_tree(Board.empty(FOUR), "search-bits")
    assert "2 solutions; stopped by the limit of 2 solutions" in tree.summary
    assert tree.root.open


def test_svg() -> None:
    tree = search_tree(SMALL, "search-bits")
    picture = tree.to_svg()
    assert isinstance(picture, Svg)
    assert tree._repr_html_() == picture.html
    assert texts(picture) == [
        "search-bits: 16 nodes, 3 dead ends, 1 solution",
        "board",
        "r1c2=2",
        "r1c3=3 → r1c4=4",
        "r2c1=3",
        "r2c2 has no candidate",
        "r2c1=4 → 8 forced",
        "solution 1",
        "r1c3=4",
        "r1c4 has no candidate",
        "r1c2=3 → r1c3=4",
        "r1c4 has no candidate",
    ]
    assert picture.count("<style") == picture.count("<style>@supports") == 1, "it turns colours dark, and no others"
    assert picture.count('stroke-width="3.5"') == 4  # board, r1c2=2, r1c3=3 and the edge to the solution


def test_svg_texts_do_not_overlap_and_stay_inside() -> None:
    picture = search_tree(HARD, "search-exact-cover", most_nodes=40).to_svg()
    root = ElementTree.fromstring(picture)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    boxes = []
    for element in root.iter("{http://www.w3.org/2000/svg}text"):
        x, y, length = float(element.attrib["x"]), float(element.attrib["y"]), 7.23 * len(element.text or "")
        assert x >= 0
        assert x + length <= width
        assert 12 <= y <= height
        boxes.append((y, x, x + length))
    rows = sorted(boxes)
    for index, (y, left, right) in enumerate(rows):
        for below, other_left, other_right in rows[index + 1 :]:
            if below - y >= 10:
                break
            assert right <= other_left or other_right <= left


def test_errors() -> None:
    with pytest.raises(BackendUnavailable, match="reference records no tree"):
        search_tree(SMALL, "reference")
    with pytest.raises(InputError, match="most_nodes is 0"):
        search_tree(SMALL, "search-bits", most_nodes=0)
    with pytest.raises(BackendUnavailable, match="search-bit"):
        search_tree(SMALL, "search-bit")
