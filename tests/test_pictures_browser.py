"""What shows itself in a notebook and can be touched: sliders over steps, plots to point at, a bar of progress."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from browser import needs_browser, opened
from gridproof import parse
from gridproof.pictures.timeline import sat_timeline
from gridproof.pictures.tree import search_tree

pytestmark = [pytest.mark.notebook, needs_browser]

PUZZLE = "1....6..2......1....5......3..6....2"
SMALL = parse(PUZZLE)
CELLS = (
    "import time, gridproof\nfrom gridproof.pictures.tree import search_tree\n"
    "from gridproof.experiments import compare\n"
    f"search_tree(gridproof.parse('{PUZZLE}'), 'search-bits', most_nodes=5).steps()",
    "compare(['seventeen'], ['search-bits', 'search-propagate'], sample=2, seconds=2, jobs=2).plot()",
    """
from pathlib import Path
from threading import Thread
from gridproof.runs import progress
progress.BEGINS_AFTER = 0
shown = progress.Shown("puzzles")
shown(5, 10)
def end():
    while not Path("seen").exists():
        time.sleep(0.05)
    shown.__exit__()
Thread(target=end).start()
""",
)


def words(page: Any) -> str:
    text: str = page.inner_text(".gp-steps output")
    return text


def test_a_page_of_steps(browser: Any, tmp_path: Path) -> None:
    """Without any server: the slider, the keyboard, the buttons, what is drawn, and a screen reader's words."""
    steps = search_tree(SMALL, "search-bits").steps()
    page = browser.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    page.goto(steps.save(tmp_path / "steps.html").as_uri())
    assert words(page) == f"0 of {len(steps) - 1}: the board"
    assert page.locator(".gp-words").is_hidden()
    page.focus("input[type=range]")
    page.keyboard.press("ArrowRight")
    page.click("button[aria-label=forward]")
    assert words(page) == f"2 of {len(steps) - 1}: {steps.steps[2].said}"
    assert page.get_attribute("input[type=range]", "aria-valuetext") == words(page)
    filled = [symbol for clue, symbol in zip(SMALL.clues, steps.position(2).filled, strict=True) if not clue and symbol]
    assert page.locator(".gp-settled").all_text_contents() == list(map(str, filled))
    assert page.locator(".gp-chosen").count() == 1
    dead = next(number for number, step in enumerate(steps.steps) if step.marked)
    page.fill("input[type=range]", str(dead))
    assert page.locator(".gp-dead").count() == len(steps.steps[dead].marked)
    assert "dead end: " in words(page)
    light = page.evaluate("getComputedStyle(document.querySelector('.gp-settled')).fill")
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.querySelector('.gp-settled')).fill") != light
    assert problems == []
    page.close()


def test_a_page_of_learned_clauses(browser: Any, tmp_path: Path) -> None:
    board = parse("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
    steps = sat_timeline(board, "glucose4").steps()
    page = browser.new_page()
    page.goto(steps.save(tmp_path / "learned.html").as_uri())
    assert page.locator(".gp-bars rect").count() == len(steps)
    page.fill("input[type=range]", "2")
    assert sorted(page.locator(".gp-note").all_text_contents()) == sorted(text for _, text in steps.steps[2].notes)
    assert page.locator(".gp-bar.gp-now").count() == 1
    page.close()


def test_without_scripts_the_steps_are_there_in_words(browser: Any, tmp_path: Path) -> None:
    steps = search_tree(SMALL, "search-bits").steps()
    page = browser.new_page(java_script_enabled=False)
    page.goto(steps.save(tmp_path / "steps.html").as_uri())
    assert page.locator(".gp-words").is_visible()
    assert not page.locator(".gp-live").is_visible()
    assert page.locator(".gp-board svg").count() == 1
    page.close()


def test_in_jupyterlab(browser: Any, lab: tuple[Path, str]) -> None:
    with opened(browser, lab, "pictures.ipynb", CELLS, 2400) as page:
        page.wait_for_selector(".gp-steps output")
        page.focus(".gp-steps input[type=range]")
        page.keyboard.press("ArrowRight")
        assert words(page).startswith("1 of 349: r1c2=")
        page.wait_for_selector(".jp-OutputArea-output img")
        inside = (
            "img => img.getBoundingClientRect().right <= img.closest('.jp-OutputArea').getBoundingClientRect().right"
        )
        assert page.eval_on_selector(".jp-RenderedImage img", inside), "the legend is not cut"
        page.wait_for_selector(".widget-hbox:has-text('5 of 10 puzzles')")
        (lab[0] / "seen").touch()
        page.wait_for_selector(".widget-hbox", state="detached")
