"""The widget as its user has it: in JupyterLab, in Chromium. What is compared is what the page says, not its pixels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import needs_browser, opened

pytest.importorskip("anywidget", reason="anywidget is not installed (extra widget)")

pytestmark = [pytest.mark.notebook, needs_browser]

CELLS = (
    "from gridproof import BoardWidget",
    "widget = BoardWidget('1... .... .3.. ...4')\nwidget",
)
SECOND = "words => document.querySelectorAll('.gp-cell')[1].ariaLabel.includes(words)"
"""Whether the second cell says so."""
SAID = """words => {
    const text = document.querySelector('.gp-sentence').textContent;
    return !document.querySelector('.gp-busy') && text.includes(words);
}"""


@pytest.fixture(scope="module")
def page(browser: Any, lab: tuple[Path, str]) -> Iterator[Any]:
    with opened(browser, lab, "board.ipynb", CELLS, 800) as page:
        page.set_default_timeout(30_000)
        page.wait_for_selector(".gp-cell")
        said(page, "several solutions")
        yield page


def said(page: Any, words: str) -> str:
    """What the page says, once it says these words."""
    page.wait_for_function(SAID, arg=words)
    text: str = page.inner_text(".gp-sentence")
    return text


def cell(page: Any, number: int) -> str:
    text: str = page.get_attribute(f"[data-cell='{number}']", "aria-label")
    return text


def test_a_board_is_drawn_and_judged(page: Any) -> None:
    assert page.locator("[role=gridcell]").count() == 16
    assert page.locator(".gp-picture svg.gridproof").count() == 1
    assert cell(page, 0) == "r1c1, clue 1"
    assert re.fullmatch(r"r1c3, candidates [\d ]+", cell(page, 2))


def test_the_mouse_and_the_keyboard(page: Any) -> None:
    page.click("[data-cell='1']")
    page.keyboard.press("1")
    assert "contradict" in said(page, "no solution")
    assert cell(page, 1) == "r1c2, clue 1"
    page.keyboard.press("Control+z")
    said(page, "several solutions")
    page.keyboard.press("Control+y")
    said(page, "no solution")
    page.keyboard.press("Delete")
    said(page, "several solutions")


def test_without_a_mouse(page: Any) -> None:
    page.focus("[role=gridcell][tabindex='0']")
    page.keyboard.press("Control+a")
    assert page.locator(".gp-cell[aria-selected=true]").count() == 16
    page.click("[data-cell='0']")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert page.locator(".gp-cell[aria-selected=true]").count() == 2
    focused = page.evaluate("document.activeElement.dataset.cell")
    assert focused == "5"
    order = []
    for _ in range(3):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.dataset.name"))
    assert order == ["clue", "entry", "mark"], "from the board the buttons come next, in reading order"
    page.keyboard.press("Space")
    assert page.get_attribute("[data-name=mark]", "aria-checked") == "true"
    page.click("[data-name=clue]")


def test_a_puzzle_is_pasted_solved_and_copied(page: Any) -> None:
    page.click("[data-cell='0']")
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.setData('text/plain', '1... ..2. .3.. ...4');
            document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true}));
        }"""
    )
    said(page, "exactly one solution")
    page.click("[data-name=solve]")
    page.wait_for_function(SECOND, arg="entry")
    page.click("[data-name=clear]")
    page.wait_for_function(SECOND, arg="candidates")
    page.click("[data-name=text]")
    page.wait_for_function("document.querySelector('.gp-copied').value.length > 0")
    assert page.input_value(".gp-copied") == "1.....2..3.....4"
    page.click("[data-name=why]")
    said(page, "left out")


def test_the_next_step_in_three_hints(page: Any) -> None:
    page.click("[data-name=next]")
    said(page, "look at")
    assert page.inner_text("[data-name=next]") == "Hint 2 of 3"
    page.click("[data-name=next]")
    said(page, "only")
    page.click("[data-name=next]")
    conclusion = re.search(r"r(\d)c(\d) is (\d), because", said(page, "because"))
    assert conclusion
    assert page.is_disabled("[data-name=next]")
    row, column, symbol = map(int, conclusion.groups())
    page.click("[data-name=apply]")
    page.wait_for_function("document.querySelector('[data-name=apply]').disabled")
    assert cell(page, 4 * row + column - 5).endswith(f"entry {symbol}")


def test_light_and_dark(page: Any) -> None:
    colours = {}
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
        page.wait_for_function(
            "dark => document.body.dataset.jpThemeLight === String(!dark)", arg=theme.endswith("Dark")
        )
        colours[theme] = page.evaluate(
            """() => [
                getComputedStyle(document.querySelector('.gp-picture svg rect')).fill,
                getComputedStyle(document.querySelector('.gp-sentence')).color,
            ]"""
        )
    brightness = {
        theme: [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in pair] for theme, pair in colours.items()
    }
    (light_ground, light_text), (dark_ground, dark_text) = brightness.values()
    assert light_ground > 600 > 300 > dark_ground
    assert light_text < 300 < 500 < dark_text
