"""Search trees and learned clauses step by step: what each step says, and the page that shows it."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from gridproof import Board, Geometry, Limits, parse
from gridproof.errors import BackendUnavailable, InputError, Interrupted
from gridproof.pictures.steps import Step, Steps
from gridproof.pictures.timeline import sat_timeline
from gridproof.pictures.tree import search_tree

SMALL = parse("1....6..2......1....5......3..6....2")
HARD = parse("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")


def test_a_step_is_a_choice_and_what_followed() -> None:
    tree = search_tree(SMALL, "search-propagate")
    steps = tree.steps()
    assert len(steps) == 1 + (tree.statistics.nodes or 0)
    assert steps.steps[0].said == "the board"
    for number, step in enumerate(steps.steps):
        filled = steps.position(number).filled
        assert step.chosen is None or filled[step.chosen[0]] == step.chosen[1]
        assert all(filled[cell] == symbol for cell, symbol in step.settled)
    solved = [number for number, step in enumerate(steps.steps) if "; solution 1" in step.said]
    assert 0 not in [clue or symbol for clue, symbol in zip(SMALL.clues, steps.position(solved[0]).filled, strict=True)]


def test_a_dead_end_is_marked_and_taken_back() -> None:
    steps = search_tree(HARD, "search-propagate").steps(most=200)
    dead = [number for number, step in enumerate(steps.steps) if "; dead end: " in step.said]
    assert dead
    for number in dead[:-1]:
        assert steps.steps[number].marked
        later = steps.steps[number + 1]
        assert re.match(r"takes back \d+ choices?, then r\dc\d=\d", later.said)
        # the position goes on from the step that the choice before left
        assert later.after < number
    assert "199 of 3,598 nodes are shown" in steps.title


def test_a_dead_end_without_a_place_marks_its_house() -> None:
    steps = search_tree(HARD, "search-exact-cover").steps()
    house = next(step for step in steps.steps if "has no place in" in step.said)
    assert len(house.marked) == 9


@pytest.mark.parametrize("encoding", ["extended", "triad"])
def test_learned_clauses_end_with_the_empty_one(encoding: str) -> None:
    steps = sat_timeline(HARD, "glucose4", encoding).steps()
    assert steps.steps[0].said.endswith("are learned until it is proven that there is no other solution")
    assert steps.steps[-1].said == "learned the empty clause: there is no other solution"
    for step in steps.steps[1:-1]:
        number = re.match(r"learned a clause of (\d+) literals?: ", step.said)
        assert number is not None
        assert int(number[1]) == step.size
        assert {cell for cell, _ in step.notes} <= set(step.marked)
    known = sat_timeline(HARD, "glucose4", encoding).steps(most=3)
    assert len(known) == 4
    assert known.title.endswith("; the first 3 are shown")


def test_a_learned_cell_stays_on_the_board() -> None:
    steps = sat_timeline(HARD, "cadical153").steps()
    settled = [number for number, step in enumerate(steps.steps) if step.settled]
    (cell, symbol), *_ = steps.steps[settled[0]].settled
    assert steps.position(len(steps) - 1).filled[cell] == symbol or HARD.clues[cell] == symbol


def test_of_a_large_board_what_is_left_is_proven() -> None:
    board = Board(Geometry.classic(4, 5), tuple([1, 1] + [0] * 398))
    assert sat_timeline(board, "cadical153").steps().steps[-1].said == "learned the empty clause: there is no solution"


def test_what_has_no_proof_is_refused() -> None:
    with pytest.raises(InputError, match="several solutions"):
        sat_timeline(Board.empty(Geometry.classic(2)), "cadical153").steps()
    with pytest.raises(BackendUnavailable, match="cannot show what it learns"):
        sat_timeline(parse("11.............."), "maplesat").steps()
    with pytest.raises(Interrupted):
        sat_timeline(HARD, "cadical153").steps(limits=Limits(conflicts=1))
    for most in (0, -1):
        with pytest.raises(InputError, match="expected a whole number of at least 1"):
            sat_timeline(HARD, "cadical153").steps(most)
        with pytest.raises(InputError, match="expected a whole number of at least 1"):
            search_tree(SMALL, "search-bits").steps(most)


def test_a_step_that_is_not_there_is_refused() -> None:
    steps = search_tree(SMALL, "search-bits").steps(most=5)
    for number in (-1, 5):
        with pytest.raises(InputError, match=f"step {number}; expected 0 to 4"):
            steps.position(number)
    with pytest.raises(InputError, match="at least one"):
        Steps(SMALL, "nothing", ())


class _Tags(HTMLParser):
    """Whether tags are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attributes: object) -> None:
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_holds_everything(tmp_path: Path) -> None:
    board = SMALL.with_rule("killer 5 r1c2 r1c3")
    steps = Steps(board, 'a <title> & "more"', (Step("</script> & 'one'"), Step("two", 0, (1, 2))), None)
    page = steps.save(tmp_path / "steps.html").read_text(encoding="utf-8")
    tags = _Tags()
    tags.feed(page)
    assert tags.open == []
    assert "http" not in page.replace("http://www.w3.org/", ""), "nothing is loaded from elsewhere"
    assert board.rules[0].sentence(board.geometry) in page
    data = json.loads(html.unescape(re.search(r'data-steps="([^"]*)"', page)[1]))  # type: ignore[index]
    assert [step[0] for step in data["steps"]] == ["</script> & 'one'", "two"]
    assert data["steps"][1][1:3] == [0, [1, 2]]
    assert page.count("</script>") == 1
    assert "<td" in page.partition("gp-words")[2], "where no script runs the steps are there in words"


def test_it_is_short_in_text() -> None:
    tree = search_tree(SMALL, "search-bits")
    assert repr(tree.steps()) == f"<Steps: {len(tree.steps())}; {tree.summary}>"
    timeline = sat_timeline(HARD, "cadical153")
    assert repr(timeline) == f"<Timeline: {timeline.summary}>"
    assert repr(timeline.steps()).startswith("<Steps: ")
