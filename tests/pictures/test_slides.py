"""Search trees step by step: the words of each step, and the page with the slider."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridproof import parse
from gridproof.errors import InputError
from gridproof.pictures.changes import pack_pictures
from gridproof.pictures.steps import Slide, Steps
from gridproof.solving import slides
from gridproof.trees import search_tree
from solving.test_chains import chain_step

SMALL = parse("1....6..2......1....5......3..6....2")
HARD = parse("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")


def test_a_step_is_a_choice_and_what_followed() -> None:
    tree = search_tree(SMALL, "search-propagate")
    steps = tree.steps()
    assert len(steps) == 1 + (tree.statistics.nodes or 0)
    assert steps.steps[0].text == "the board"
    for number, step in enumerate(steps.steps):
        filled = steps.position(number).filled
        assert step.chosen is None or filled[step.chosen[0]] == step.chosen[1]
        assert all(filled[cell] == symbol for cell, symbol in step.forced)
    solved = [number for number, step in enumerate(steps.steps) if "; solution 1" in step.text]
    assert 0 not in [clue or symbol for clue, symbol in zip(SMALL.clues, steps.position(solved[0]).filled, strict=True)]


def test_a_dead_end_is_marked_and_taken_back() -> None:
    steps = search_tree(HARD, "search-propagate").steps(most=200)
    dead = [number for number, step in enumerate(steps.steps) if "; dead end: " in step.text]
    assert dead
    for number in dead[:-1]:
        assert steps.steps[number].marked
        later = steps.steps[number + 1]
        assert re.match(r"takes back \d+ choices?, then r\dc\d=\d", later.text)
        # the position goes on from the step that the choice before left
        assert later.after < number
    assert "199 of 3,598 nodes are shown" in steps.title


def test_a_dead_end_without_a_place_marks_its_house() -> None:
    steps = search_tree(HARD, "search-exact-cover").steps()
    house = next(step for step in steps.steps if "has no place in" in step.text)
    assert len(house.marked) == 9


def test_a_step_that_is_not_there_is_refused() -> None:
    steps = search_tree(SMALL, "search-bits").steps(most=5)
    for number in (-1, 5):
        with pytest.raises(InputError, match=f"step {number}; expected 0 to 4"):
            steps.position(number)
    with pytest.raises(InputError, match="expected a whole number of at least 1"):
        search_tree(SMALL, "search-bits").steps(0)
    with pytest.raises(InputError, match="at least one"):
        Steps(SMALL, "nothing", ())


def test_the_page_holds_everything(tmp_path: Path) -> None:
    board = SMALL.with_rule("killer 5 r1c2 r1c3")
    steps = Steps(board, 'a <title> & "more"', (Slide("</script> & 'one'"), Slide("two", 0, (1, 2))), None)
    page = steps.save(tmp_path / "steps.html").read_text(encoding="utf-8")
    assert "http" not in page.replace("http://www.w3.org/", ""), "nothing is loaded from elsewhere"
    assert board.rules[0].sentence(board.geometry) in page
    data = json.loads(html.unescape(re.search(r"data-steps='([^']*)'", page)[1]))  # type: ignore[index]
    assert [step[0] for step in data["steps"]] == ["</script> & 'one'", "two"]
    assert data["steps"][1][1:3] == [0, [1, 2]]
    assert page.count("</script>") == 1
    assert "<td" in page.partition("gp-words")[2], "where no script runs the steps are there in words"


def test_it_is_short_in_text() -> None:
    tree = search_tree(SMALL, "search-bits")
    assert repr(tree.steps()) == f"<Steps: {len(tree.steps())}; {tree.summary}>"


@given(st.lists(st.lists(st.sampled_from(["<a/>\n", "<b/>\n", "c; ", "d; "])).map("".join)))
def test_pictures_are_made_again_from_what_changes(pictures: list[str]) -> None:
    packed = pack_pictures(pictures)
    now: list[int] = []
    for picture, changes in zip(pictures, packed["changes"], strict=True):
        for start, gone, come in changes:
            now[start : start + gone] = come
        assert "".join([packed["parts"][number] for number in now]) == picture


def test_a_lesson_is_small_and_goes_line_by_line() -> None:
    step = chain_step("AIC")
    lesson = slides([step])
    texts = [slide.text for slide in lesson.steps]
    assert len(texts) > 3
    assert texts[:-1] == [text.strip() for text in step.story_texts()][: len(texts) - 1]
    assert texts[-1] == step.sentence()
    assert len({str(slide.picture) for slide in lesson.steps}) == len(texts)
    assert len(lesson._repr_html_()) < sum([len(str(slide.picture)) for slide in lesson.steps])
