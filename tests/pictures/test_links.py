"""Links between candidates in pictures: solid or dashed, numbered in order, between the nearest candidates."""

from __future__ import annotations

import re

from gridproof import Board, Geometry, pictures
from gridproof.pictures.links import Link, find_nearest_ends
from solving.test_chains import chain_step

LINES = re.compile(r'<path[^>]* stroke="#1d5fbf"[^>]*/>')


def test_links_are_numbered_and_weak_ones_dashed() -> None:
    board = Board.empty(Geometry.classic(3))
    links = [Link(True, ((0, 5),), ((8, 5),)), Link(False, ((8, 5),), ((80, 5),)), Link(True, ((80, 5),), ((72, 5),))]
    picture = pictures.board_svg(board, candidates=board.candidates, links=links, theme="light")
    solid, dashed = LINES.findall(picture)
    assert solid.count("Q") == 2
    assert "dasharray" not in solid
    assert dashed.count("Q") == 1
    assert "dasharray" in dashed
    assert re.findall(r'font-weight="bold" fill="#1d5fbf"[^>]*>(\d+)<', picture) == ["1", "2", "3"]
    assert picture.count("<circle") == 4


def test_a_board_without_links_has_none() -> None:
    board = Board.empty(Geometry.classic(3))
    assert "<circle" not in pictures.board_svg(board, candidates=board.candidates)


def test_a_group_is_met_at_its_nearest_candidate() -> None:
    ends = find_nearest_ends(Link(True, ((0, 5), (1, 5)), ((4, 5),)), lambda candidate: complex(candidate[0]))
    assert ends == (1, 4)


def test_the_picture_of_a_step_has_the_links_of_its_chain() -> None:
    """A chain of three strong links has two weak ones between them; the first hint shows none."""
    step = chain_step("AIC")
    picture = step.picture(theme="light")
    assert re.findall(r'font-weight="bold" fill="#1d5fbf"[^>]*>(\d+)<', picture) == ["1", "2", "3", "4", "5"]
    assert picture.count("<circle") == 6
    assert "<circle" not in step.picture(1)


def test_the_picture_of_a_step_without_a_chain_goes_along_its_story() -> None:
    """Weak links go to what a candidate excludes, strong ones to what is left; a story of one inference has none."""
    step = chain_step("pointing")
    assert step.chain is None
    assert "<circle" not in step.picture()
    forced = chain_step("finned X-wing")
    assert forced.chain is None
    numbers = re.findall(r'font-weight="bold" fill="#1d5fbf"[^>]*>(\d+)<', forced.picture(theme="light"))
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert len(numbers) >= 4
