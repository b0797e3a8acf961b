"""Interactive output of a notebook: sliders over steps, plots to point at, a bar of progress."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import gridproof
from browser import needs_browser, opened
from gridproof import parse
from gridproof.explanations import explain
from gridproof.pictures import colours
from gridproof.solving import slides, steps
from gridproof.trees import search_tree

pytestmark = [pytest.mark.notebook, needs_browser]

PUZZLE = "1....6..2......1....5......3..6....2"
SMALL = parse(PUZZLE)
CELLS = (
    "import time, gridproof\nfrom gridproof.trees import search_tree\n"
    f"search_tree(gridproof.parse('{PUZZLE}'), 'search-bits', most_nodes=5).steps()",
    """
from gridproof.runs import progress
progress.BEGINS_AFTER = progress._EVERY = 0
bar = progress.ProgressBar("puzzles")
bar(5, 10)
""",
)


def words(page: Any) -> str:
    text: str = page.inner_text(".gp-steps output")
    return text


def test_a_page_of_steps(browser: Any, tmp_path: Path) -> None:
    """The page needs no server: the slider, the keyboard, the buttons, the drawing, a screen reader's words."""
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
    assert words(page) == f"2 of {len(steps) - 1}: {steps.steps[2].text}"
    assert page.get_attribute("input[type=range]", "aria-valuetext") == words(page)
    filled = [symbol for clue, symbol in zip(SMALL.clues, steps.position(2).filled, strict=True) if not clue and symbol]
    assert page.locator(".gp-forced").all_text_contents() == list(map(str, filled))
    assert page.locator(".gp-chosen").count() == 1
    dead = next(number for number, step in enumerate(steps.steps) if step.marked)
    page.fill("input[type=range]", str(dead))
    assert page.locator(".gp-dead").count() == len(steps.steps[dead].marked)
    assert "dead end: " in words(page)
    light = page.evaluate("getComputedStyle(document.querySelector('.gp-forced')).fill")
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.querySelector('.gp-forced')).fill") != light
    assert problems == []
    page.close()


def test_without_scripts_the_steps_are_there_in_words(browser: Any, tmp_path: Path) -> None:
    steps = search_tree(SMALL, "search-bits").steps()
    page = browser.new_page(java_script_enabled=False)
    page.goto(steps.save(tmp_path / "steps.html").as_uri())
    assert page.locator(".gp-words").is_visible()
    assert not page.locator(".gp-live").is_visible()
    assert page.locator(".gp-board img").count() == 1
    page.close()


def test_a_page_of_steps_fits_a_narrow_screen(browser: Any, tmp_path: Path) -> None:
    path = list(steps("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"))[:2]
    page = browser.new_page(viewport={"width": 320, "height": 700})
    page.goto(slides(path).save(tmp_path / "steps.html").as_uri())
    page.wait_for_selector(".gp-steps output")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.close()


def test_in_jupyterlab(browser: Any, lab: tuple[Path, str]) -> None:
    with opened(browser, lab, "pictures.ipynb", CELLS, 2400) as page:
        page.wait_for_selector(".gp-steps output")
        page.focus(".gp-steps input[type=range]")
        page.keyboard.press("ArrowRight")
        assert words(page).startswith("1 of 349: r1c2=")
        page.wait_for_selector(".widget-hbox:has-text('5/10')")


def test_pictures_show_in_a_notebook_that_is_not_trusted(browser: Any, lab: tuple[Path, str]) -> None:
    """JupyterLab removes SVG and styles there, but not an image; nothing of it is left as text."""
    nbformat: Any = import_module("nbformat")
    tree = search_tree(SMALL, "search-bits", most_nodes=5)
    results: list[Any] = [SMALL, gridproof.verify(SMALL), explain(SMALL), tree, tree.steps()]
    cells = []
    for result in results:
        data = {"text/html": result._repr_html_(), "text/plain": repr(result)}
        output = nbformat.v4.new_output("execute_result", data, execution_count=1)
        cells.append(nbformat.v4.new_code_cell("1", outputs=[output], execution_count=1))
    folder, address = lab
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "strange.ipynb")
    page = browser.new_page(viewport={"width": 1200, "height": 4000}, color_scheme="dark")
    page.goto(f"{address}/lab/tree/strange.ipynb?reset", wait_until="domcontentloaded")
    page.wait_for_function(
        """number => {
            const images = [...document.querySelectorAll('.jp-OutputArea-output img')];
            return images.length >= number && images.every((image) => image.complete && image.naturalWidth > 100);
        }""",
        arg=len(results) + 1,
        timeout=60_000,
    )
    assert page.locator(".jp-OutputArea-output svg, .jp-OutputArea-output style").count() == 0
    assert "Board of" not in "".join(page.locator(".jp-OutputArea-output").all_inner_texts())
    page.close()


def test_a_picture_has_the_colours_of_the_page(browser: Any, tmp_path: Path) -> None:
    for theme, expected in (("true", "light"), ("false", "dark")):
        page = browser.new_page(viewport={"width": 300, "height": 300})
        page.set_content(f'<body data-jp-theme-light="{theme}" style="margin:0">{SMALL._repr_html_()}')
        colour = page.evaluate("getComputedStyle(document.querySelector('img')).colorScheme")
        assert colour == expected
        page.locator("img").evaluate("async (image) => await image.decode()")
        page.screenshot(clip={"x": 1, "y": 1, "width": 2, "height": 2}, path=str(tmp_path / "a.png"))
        ground = tuple(import_module("PIL.Image").open(tmp_path / "a.png").convert("RGB").getpixel((0, 0)))
        hexadecimal = colours.BACKGROUND if expected == "light" else colours.DARK[colours.BACKGROUND]
        assert ground == tuple(bytes.fromhex(hexadecimal[1:]))
        page.close()


DOLLARS = """
import gridproof
from IPython.display import HTML, display
display(HTML("<p class='formula'>A formula: $x^2$</p>"))
gridproof.read_puzzle('{"title": "A $5 and a $6 puzzle", "grid": [[{}, {}], [{}, {}]]}')
"""


def test_a_dollar_in_a_title_begins_no_formula(browser: Any, lab: tuple[Path, str]) -> None:
    with opened(browser, lab, "dollars.ipynb", (DOLLARS,), 600) as page:
        page.wait_for_selector(".formula mjx-container")  # formulas are typeset by now
        assert "A $5 and a $6 puzzle" in page.inner_text(".jp-OutputArea-output:last-child b")
