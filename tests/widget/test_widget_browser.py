"""The widget as its user has it: in JupyterLab, in Chromium. What the page does is in ``test_board_in_browser.py``."""

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
    "widget = BoardWidget('12......4.1.....')\nwidget",
)


@pytest.fixture(scope="module")
def page(browser: Any, lab: tuple[Path, str]) -> Iterator[Any]:
    with opened(browser, lab, "board.ipynb", CELLS, 800) as page:
        page.set_default_timeout(30_000)
        page.wait_for_selector(".gp-cell")
        wait_for_badge(page, "several: 2")
        yield page


def wait_for_badge(page: Any, word: str) -> None:
    """Wait until the state is this word."""
    page.wait_for_function("word => document.querySelector('.gp-badge').textContent === word", arg=word)


def test_keys_of_the_board_are_not_those_of_the_notebook(page: Any) -> None:
    page.click("[data-cell='1']")
    page.keyboard.press("1")
    wait_for_badge(page, "none")
    page.keyboard.press("Control+z")
    wait_for_badge(page, "several: 2")
    page.focus("[data-name=redo]")
    for key in ("Enter", "d", "d", "x"):
        page.keyboard.press(key)
    wait_for_badge(page, "none")
    assert page.locator(".jp-Cell").count() == len(CELLS), "no cell of the notebook was deleted or cut"
    page.focus("[data-name=undo]")
    page.keyboard.press("Enter")
    wait_for_badge(page, "several: 2")


def test_the_program_and_the_page_share_the_board(page: Any) -> None:
    page.click("[data-row=mode][data-name=teach]")
    page.wait_for_selector("[data-name=teach][aria-checked=true]")
    page.click("[data-row=mode][data-name=set]")
    page.click("[data-row=tab][data-name=add]")
    page.wait_for_selector("[data-row=kind]")


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


def test_a_dead_kernel_is_reported(browser: Any, lab: tuple[Path, str]) -> None:
    with opened(browser, lab, "dead.ipynb", CELLS, 800) as page:
        page.wait_for_selector(".gp-cell")
        wait_for_badge(page, "several: 2")
        page.click("[data-cell='2']")
        page.wait_for_timeout(4_000)
        assert page.locator(".gp-sentence.gp-error").count() == 0, "whoever answers is there"
        page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
        page.click("[data-cell='2']")
        page.keyboard.press("3")
        page.wait_for_selector(".gp-sentence.gp-error")
        assert "run the cell again" in page.inner_text(".gp-sentence")


def test_a_picture_stands_in_its_place_after_a_reload(page: Any) -> None:
    assert page.evaluate("getComputedStyle(document.querySelector('.gp-still')).display") == "none"
    page.evaluate(
        """async () => {
            await window.jupyterapp.commands.execute('docmanager:save');
            await window.jupyterapp.shell.currentWidget.sessionContext.shutdown();
        }"""
    )
    page.reload(wait_until="domcontentloaded")
    page.wait_for_selector(".gp-still img")
    page.wait_for_function(
        "[...document.querySelectorAll('.jp-OutputArea-output')]"
        ".every(one => one.querySelector('.gp-still') || getComputedStyle(one).display === 'none')"
    )
