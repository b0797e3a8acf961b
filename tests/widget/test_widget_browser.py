"""The widget as its user has it: in JupyterLab, in Chromium. Words of the page are compared, not pixels."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from browser import needs_browser, opened
from gridproof import parse, read_puzzle, verify
from gridproof.formats import Puzzle
from gridproof.formats.catalog import all_formats

Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
pytest.importorskip("anywidget", reason="anywidget is not installed (extra widget)")

pytestmark = [pytest.mark.notebook, needs_browser]

CELLS = (
    "from gridproof import BoardWidget",
    "widget = BoardWidget('1... .... .3.. ...4')\nwidget",
)
THIRD = "words => document.querySelectorAll('.gp-cell')[2].ariaLabel.includes(words)"
"""JavaScript: true if the label of the third cell includes the words."""
SHOWN = """words => {
    const text = document.querySelector('.gp-sentence').textContent;
    return !document.querySelector('.gp-busy') && text.includes(words);
}"""


@pytest.fixture(scope="module")
def page(browser: Any, lab: tuple[Path, str]) -> Iterator[Any]:
    with opened(browser, lab, "board.ipynb", CELLS, 800) as page:
        page.set_default_timeout(30_000)
        page.wait_for_selector(".gp-cell")
        wait_for_sentence(page, "several solutions")
        yield page


def wait_for_sentence(page: Any, words: str) -> str:
    """Return the sentence of the page, once it includes these words."""
    page.wait_for_function(SHOWN, arg=words)
    text: str = page.inner_text(".gp-sentence")
    return text


def cell(page: Any, number: int) -> str:
    text: str = page.get_attribute(f"[data-cell='{number}']", "aria-label")
    return text


def drag(page: Any, *cells: int) -> None:
    """Draw through the middles of cells."""
    for place, number in enumerate(cells):
        box = page.locator(f"[data-cell='{number}']").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if not place:
            page.mouse.down()
    page.mouse.up()


def wait_for_badge(page: Any, word: str) -> None:
    """Wait until the state is this word."""
    page.wait_for_function("word => document.querySelector('.gp-badge').textContent === word", arg=word)


def paste(page: Any, text: str) -> None:
    """Paste a text into the board."""
    page.click("[data-cell='0']")
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData('text/plain', text);
            document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true}));
        }""",
        text,
    )


def form(page: Any, kind: str) -> None:
    """Wait until the form of a kind is open."""
    page.wait_for_function("kind => document.querySelector('.gp-form b')?.textContent === kind", arg=kind)


def rules(page: Any, number: int) -> list[str]:
    """Wait until there are so many rules, and return them."""
    page.wait_for_function("number => document.querySelectorAll('[data-row=rule]').length === number", arg=number)
    texts: list[str] = page.locator("[data-row=rule]").all_inner_texts()
    return texts


def test_a_board_is_drawn_and_judged(page: Any) -> None:
    assert page.locator("[role=gridcell]").count() == 16
    assert page.locator(".gp-picture svg.gridproof").count() == 1
    assert (cell(page, 0), cell(page, 2)) == ("r1c1, clue 1", "r1c3, empty")
    page.click("[data-name=candidates]")
    page.wait_for_function(THIRD, arg="candidates")
    page.click("[data-name=nothing]")
    page.wait_for_function(THIRD, arg="empty")


def test_setting_by_mouse_and_keyboard(page: Any) -> None:
    page.click("[data-cell='1']")
    page.keyboard.press("1")
    assert "contradict" in wait_for_sentence(page, "no solution")
    wait_for_badge(page, "none")
    assert cell(page, 1) == "r1c2, clue 1"
    page.keyboard.press("Control+z")
    wait_for_badge(page, "several: 3")
    page.keyboard.press("Control+y")
    wait_for_badge(page, "none")
    page.keyboard.press("Delete")
    wait_for_badge(page, "several: 3")
    page.click("[data-row=pad][data-name='2']")
    page.wait_for_function("document.querySelectorAll('.gp-cell')[1].ariaLabel === 'r1c2, clue 2'")
    page.click("[data-row=pad][data-name='0']")
    wait_for_badge(page, "several: 3")


def test_the_keys_of_the_board_and_of_groups(page: Any) -> None:
    page.focus("[role=gridcell][tabindex='0']")
    page.keyboard.press("Control+a")
    assert page.locator(".gp-cell[aria-selected=true]").count() == 16
    page.click("[data-cell='0']")
    for key in ("Shift+ArrowRight", "Shift+ArrowDown", "Control+ArrowDown", "Control+Space"):
        page.keyboard.press(key)
    chosen = page.locator(".gp-cell[aria-selected=true]").evaluate_all("all => all.map(one => one.dataset.cell)")
    assert chosen == ["0", "1", "5", "9"]
    order = []
    for _ in range(3):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.dataset.name"))
    assert order == ["clue", "0", "set"], "the groups come next, each with the button that was used last"
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[data-name=solve][aria-checked=true]")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("[data-name=set][aria-checked=true]")


def test_a_button_that_is_used_up_passes_the_focus_on(page: Any) -> None:
    """JupyterLab takes keys that nobody has: ``d d`` would delete the notebook's cell."""
    page.click("[data-cell='1']")
    page.keyboard.press("2")
    page.keyboard.press("Control+z")
    page.wait_for_selector("[data-name=redo]:enabled")
    page.focus("[data-name=redo]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-name=redo]:disabled")
    page.wait_for_function("document.activeElement.closest('.gp-widget [aria-label=setting]') !== null")
    page.click("[data-name=undo]")
    wait_for_badge(page, "several: 3")


def test_rules_by_mouse(page: Any) -> None:
    page.click("[data-name=killer]")
    form(page, "killer")
    drag(page, 2, 3)
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    assert rules(page, 1) == ["the killer cage r1c3 r1c4 sums to 7"]
    page.click("[data-name=sandwich]")
    form(page, "sandwich")
    drag(page, 12, 8)
    page.fill("[name=total]", "2")
    page.click("[data-row=form][data-name=add]")
    assert rules(page, 2)[1] == "from the bottom in column 1, the digits between 1 and 4 sum to 2"
    page.click("[data-name=thermometer]")
    form(page, "thermometer")
    drag(page, 0, 5)
    page.click("[data-row=form][data-name=add]")
    assert rules(page, 3)[2] == "the thermometer r1c1 r2c2 increases from its bulb"
    page.dblclick("[data-cell='2']")
    page.wait_for_selector("[data-row=rule][data-name='0'][aria-pressed=true]")
    page.fill("[name=total]", "6")
    page.click("[data-row=form][data-name=change]")
    page.wait_for_function("document.querySelector('[data-row=rule]').textContent.endsWith('sums to 6')")
    page.click("[data-row=rule][data-name='2']")
    page.click("[data-row=form][data-name=delete]")
    rules(page, 2)
    page.click("[data-name=undo]")
    rules(page, 3)


def test_a_double_click_goes_through_the_rules_of_a_cell(page: Any) -> None:
    for number in (1, 2, 1, 2):
        page.dblclick("[data-cell='0']")
        page.wait_for_selector(f"[data-row=rule][data-name='{number}'][aria-pressed=true]")
    page.keyboard.press("Escape")


def test_rules_without_a_mouse(page: Any) -> None:
    page.focus("[data-name=killer]")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.name") == "thermometer"
    page.keyboard.press("Enter")
    form(page, "thermometer")
    page.focus("[role=gridcell][tabindex='0']")
    for key in ("Home", "ArrowDown", "Home", "Shift+ArrowRight", "Shift+ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert rules(page, 4)[3].startswith("the thermometer r")
    page.keyboard.press("Escape")
    for _ in range(5):
        page.keyboard.press("Control+z")
    page.wait_for_selector("[data-row=rule]", state="detached")
    wait_for_badge(page, "several: 3")


def test_a_puzzle_is_pasted_and_copied_with_its_title(page: Any) -> None:
    about = Puzzle(parse("1... ..2. .3.. ...4"), title="Tiny", author="me", prose="Sudoku.")
    paste(page, all_formats()["f-puzzles"].text_of(about))
    wait_for_badge(page, "not all rules read")
    assert page.inner_text(".gp-heading") == "Tiny by me"
    assert page.inner_text(".gp-prose") == "Sudoku."
    page.click("[data-name=about]")
    page.check("[name=covered]")
    page.click("[data-row=form][data-name=about]")
    wait_for_badge(page, "unique")
    page.click("[data-name=solution]")
    page.wait_for_function(THIRD, arg="entry")
    page.click("[data-name=nothing]")
    page.click("[data-row=copy][data-name=text]")
    page.wait_for_function("document.querySelector('.gp-copied').value === '1.....2..3.....4'")
    page.click("[data-row=copy][data-name=link]")
    page.wait_for_function("document.querySelector('.gp-copied').value.startsWith('https://')")
    again = read_puzzle(page.input_value(".gp-copied"))
    assert (again.title, again.author, again.prose, bool(again.solution)) == ("Tiny", "me", "Sudoku.", True)
    page.click("[data-row=copy][data-name=png]")
    page.wait_for_function(
        "document.querySelector('.gp-image:not([hidden])')"
        " || document.querySelector('.gp-sentence').textContent === 'Copied: png.'"
    )
    page.click("[data-name=why]")
    wait_for_sentence(page, "left out")


def test_solving_by_mouse_with_hints(page: Any) -> None:
    page.click("[data-name=solve]")
    wait_for_badge(page, "0 of 12")
    page.click("[data-name=next]")
    wait_for_sentence(page, "Look at")
    assert page.inner_text("[data-name=next]") == "Hint 2 of 3"
    page.click("[data-name=next]")
    wait_for_sentence(page, "only")
    page.click("[data-name=next]")
    conclusion = re.search(r"r(\d)c(\d) is (\d), because", wait_for_sentence(page, "because"))
    assert conclusion
    assert page.is_disabled("[data-name=next]")
    row, column, symbol = map(int, conclusion.groups())
    page.click("[data-name=apply]")
    page.wait_for_function("document.querySelector('[data-name=apply]').disabled")
    assert cell(page, 4 * row + column - 5).endswith(f"entry {symbol}")


def test_solving_by_keyboard_and_wrong_entries(page: Any) -> None:
    page.click("[data-name=clear]")
    wait_for_badge(page, "0 of 12")
    page.focus("[data-name=check]")
    page.keyboard.press("Space")
    page.focus("[role=gridcell][tabindex='0']")  # the cell of the hint
    while cell(page, 0) != page.evaluate("document.activeElement.ariaLabel"):
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Home")
    for key in ("Home", "ArrowRight", "4", "ArrowRight", "4", "ArrowRight", "Alt+3", "Alt+2"):
        page.keyboard.press(key)
    page.wait_for_function("document.querySelectorAll('.gp-cell')[3].ariaLabel === 'r1c4, candidates 2 3'")
    wait_for_badge(page, "2 clash")
    assert cell(page, 1) == "r1c2, entry 4, wrong"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Delete")
    wait_for_sentence(page, "Entries that differ from the solution: r1c2.")
    page.click("[data-name=check]")
    wait_for_badge(page, "1 of 12")


def test_teaching_by_mouse_and_keyboard(page: Any) -> None:
    page.click("[data-name=teach]")
    wait_for_badge(page, "step 1 of 12")
    wait_for_sentence(page, "Look at")
    page.click("[data-name=forward]")
    page.click("[data-name=forward]")
    wait_for_sentence(page, "because")
    page.focus("[data-name=forward]")
    page.keyboard.press("Enter")
    wait_for_badge(page, "step 2 of 12")
    wait_for_sentence(page, "Look at")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    wait_for_sentence(page, "because")
    page.focus(".gp-slider")
    page.keyboard.press("End")
    wait_for_badge(page, "step 12 of 12")
    page.click("[data-name=set]")
    wait_for_badge(page, "unique")


def test_errors_look_like_errors(page: Any) -> None:
    page.click("[data-name=set]")
    paste(page, "nonsense")
    wait_for_sentence(page, "nonsense")
    page.wait_for_selector(".gp-sentence.gp-error")
    page.click("[data-name=why]")
    page.wait_for_selector(".gp-sentence.gp-error", state="detached")


def test_a_new_board_with_painted_regions(page: Any) -> None:
    page.click("[data-name=new]")
    page.fill("[name=order]", "4")
    page.select_option("[name=shape]", "jigsaw")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.gp-form').textContent.includes('16 cells have no region')")
    for region in ((0, 1, 2, 6), (3, 7, 11, 10), (15, 14, 13, 9)):
        drag(page, *region)
        page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.gp-form').textContent.includes('All cells have a region')")
    page.keyboard.press("Escape")
    wait_for_sentence(page, "several solutions")


def test_a_puzzle_from_an_empty_board_to_its_solution(page: Any) -> None:
    """The film of docs/tour.md. With a folder as FILM in the environment its pictures are written there."""
    page.set_viewport_size({"width": 1200, "height": 980})

    def taken(name: str) -> None:
        page.wait_for_function("!document.querySelector('.gp-busy')")
        if folder := os.environ.get("FILM"):
            page.add_style_tag(content=".Toastify { display: none }")
            page.evaluate("document.querySelector('.gp-widget').scrollIntoView()")
            picture = Image.open(BytesIO(page.locator(".gp-widget").screenshot()))
            picture.quantize(128).save(Path(folder) / f"widget-{name}.png", optimize=True)

    def rule(kind: str, cells: tuple[int, ...], value: str = "") -> None:
        page.click(f"[data-row=kind][data-name={kind}]")
        form(page, kind)
        drag(page, *cells)
        page.keyboard.type(value)

    page.click("[data-name=set]")
    page.click("[data-name=new]")
    page.fill("[name=order]", "6")
    page.click("[data-row=form][data-name=new]")
    page.wait_for_function("document.querySelectorAll('.gp-cell').length === 36")
    rule("killer", (8, 9, 15), "14")
    taken("1-cage")
    page.keyboard.press("Enter")
    rules(page, 1)
    rule("thermometer", (12, 18, 19, 20, 21))
    page.click("[data-row=form][data-name=add]")
    rules(page, 2)
    taken("2-thermometer")
    rule("sandwich", (30, 31), "14")
    page.click("[data-row=form][data-name=add]")
    rules(page, 3)
    page.click("[data-row=form][data-name=close]")
    for number, symbol in ((3, 2), (10, 3)):
        page.click(f"[data-cell='{number}']")
        page.click(f"[data-row=pad][data-name='{symbol}']")
    wait_for_badge(page, "unique")
    taken("3-unique")
    page.click("[data-name=about]")
    page.fill("[name=title]", "Fourteen")
    page.fill("[name=author]", "gridproof")
    page.click("[data-row=form][data-name=about]")
    page.wait_for_function("document.querySelector('.gp-heading').textContent === 'Fourteen by gridproof'")
    page.click("[data-row=copy][data-name=link]")
    page.wait_for_function("document.querySelector('.gp-copied').value.startsWith('https://')")
    taken("4-link")
    shared = read_puzzle(page.input_value(".gp-copied"))
    assert (shared.title, len(shared.board.rules), verify(shared).is_unique) == ("Fourteen", 3, True)
    page.click("[data-name=solve]")
    solution = verify(shared).solutions[0]
    for place in range(36):
        if place == 12:
            page.click("[data-name=next]")
            wait_for_sentence(page, "Look at")
            page.click("[data-name=next]")
            taken("5-hint")
            page.click("[data-name=apply]")
            page.wait_for_selector("[data-name=apply]:disabled")
            page.click("[data-name=next]")
            wait_for_sentence(page, "Look at")
        if "clue" not in (label := cell(page, place)) and "entry" not in label:
            page.click(f"[data-cell='{place}']")
            page.keyboard.press(str(solution[place]))
    wait_for_badge(page, "solved")
    taken("6-solved")


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
        wait_for_sentence(page, "several solutions")
        page.click("[data-name=why]")
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
