"""The page of the board in Chromium, by mouse and keyboard. Words of the page are compared, not pixels."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from board_host import shown
from browser import needs_browser
from gridproof import parse, read_puzzle, verify
from gridproof.formats import Puzzle
from gridproof.formats.catalog import all_formats
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry

pytestmark = [pytest.mark.notebook, needs_browser]

SEVERAL = "12......4.1....."
UNIQUE = "1... ..2. .3.. ...4"
UNREAD = '{"title": "Tiny", "grid": [[{}, {}], [{}, {}]], "line": [{"lines": [["R1C1", "R2C2"]]}]}'
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."

Open = Callable[..., Any]


@pytest.fixture
def show(browser: Any) -> Iterator[Open]:
    """Show a puzzle on a page of its own; each page is closed at the end, and has had no error."""
    with ExitStack() as stack:

        def show_one(puzzle: Any = SEVERAL, **options: Any) -> Any:
            record = puzzle if isinstance(puzzle, Puzzle) else Puzzle(parse(puzzle))
            page, host = stack.enter_context(shown(browser, record, **options))
            page.host = host
            return page

        yield show_one


# ---- what the page shows ---------------------------------------------------------------------------------------------


def wait_for_badge(page: Any, word: str) -> None:
    """Wait until the state is this word."""
    page.wait_for_function("word => document.querySelector('.gp-badge').textContent === word", arg=word)


def wait_for_sentence(page: Any, words: str) -> str:
    """Return the sentence of the page, once it includes these words."""
    page.wait_for_function(
        "words => document.querySelector('.gp-sentence').textContent.includes(words)", arg=words
    )  # fmt: skip
    text: str = page.text_content(".gp-sentence")
    return text


def label(page: Any, cell: int) -> str:
    """Return what a reader of the screen reads out about a cell."""
    text: str = page.get_attribute(f"[data-cell='{cell}']", "aria-label")
    return text


def wait_for_label(page: Any, cell: int, words: str) -> None:
    """Wait until the label of a cell is this."""
    page.wait_for_function(
        "([cell, words]) => document.querySelector(`[data-cell='${cell}']`).ariaLabel === words", arg=[cell, words]
    )  # fmt: skip


def chosen(page: Any) -> list[int]:
    """Return the chosen cells."""
    cells = page.locator(".gp-cell[aria-selected=true]").evaluate_all("all => all.map(one => one.dataset.cell)")
    return [int(cell) for cell in cells]


def tab(page: Any, name: str) -> None:
    """Show the panel of a tab."""
    page.click(f"[data-row=tab][data-name={name}]")


def rules(page: Any, number: int) -> list[str]:
    """Wait until there are so many rules, and return them in full."""
    tab(page, "rules")
    page.wait_for_function("number => document.querySelectorAll('[data-row=rule]').length === number", arg=number)
    texts: list[str] = page.locator("[data-row=rule]").evaluate_all("all => all.map(one => one.title)")
    return texts


def choose_kind(page: Any, kind: str) -> None:
    """Open the form of a kind of rule."""
    if page.locator("[data-row=form][data-name=close]").count():
        page.click("[data-row=form][data-name=close]")
    tab(page, "add")
    page.click(f"[data-row=kind][data-name={kind}]")
    page.wait_for_function("kind => document.querySelector('.gp-form b')?.textContent === kind", arg=kind)


def middle(page: Any, row: float, column: float) -> tuple[float, float]:
    """Return the middle of a cell, or of a place outside the grid, on the page."""
    box = page.locator(".gp-grid").bounding_box()
    side = box["width"] / int(page.locator(".gp-line").count())
    return box["x"] + (column + 0.5) * side, box["y"] + (row + 0.5) * side


def drag(page: Any, *cells: int) -> None:
    """Draw through the middles of cells."""
    order = page.locator(".gp-line").count()
    for place, number in enumerate(cells):
        page.mouse.move(*middle(page, *divmod(number, order)))
        if not place:
            page.mouse.down()
    page.mouse.up()


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


def place_of(page: Any, selector: str) -> tuple[float, float]:
    """Return where something stands."""
    box = page.locator(selector).first.bounding_box()
    return box["x"], box["y"]


# ---- setting ---------------------------------------------------------------------------------------------------------


def test_setting_by_mouse_and_keyboard(show: Open) -> None:
    page = show()
    wait_for_badge(page, "several: 2")
    assert page.locator("[role=gridcell]").count() == 16
    assert (label(page, 0), label(page, 2)) == ("r1c1, clue 1", "r1c3, empty")
    page.click("[data-cell='1']")
    page.keyboard.press("1")
    wait_for_badge(page, "none")
    assert "contradict" in wait_for_sentence(page, "no solution")
    page.keyboard.press("Control+z")
    wait_for_badge(page, "several: 2")
    page.keyboard.press("Control+y")
    wait_for_badge(page, "none")
    page.keyboard.press("Delete")
    page.click("[data-row=pad][data-name='2']")
    wait_for_label(page, 1, "r1c2, clue 2")
    page.click("[aria-label=erase]")
    wait_for_label(page, 1, "r1c2, empty")
    tab(page, "why")
    page.click("[data-name=candidates]")
    wait_for_label(page, 1, "r1c2, candidates 2 3 4")
    page.click("[data-name=nothing]")
    page.click("[data-name=why][data-row=why-do]")
    wait_for_sentence(page, "solutions")


def test_the_keys_of_the_board_and_of_groups(show: Open) -> None:
    page = show()
    page.focus("[role=gridcell][tabindex='0']")
    page.keyboard.press("Control+a")
    assert len(chosen(page)) == 16
    page.click("[data-cell='0']")
    for key in ("Shift+ArrowRight", "Shift+ArrowDown", "Control+ArrowDown", "Control+Space"):
        page.keyboard.press(key)
    assert chosen(page) == [0, 1, 5, 9]
    order = []
    for _ in range(4):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.dataset.name"))
    assert order == ["clue", "1", "clear", "set"], "the groups come next, each with the button that was used last"
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[data-name=solve][aria-checked=true]")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("[data-name=set][aria-checked=true]")


def test_a_button_that_is_used_up_passes_the_focus_on(show: Open) -> None:
    """JupyterLab takes keys that nobody has: ``d d`` would delete the notebook's cell."""
    page = show()
    page.click("[data-cell='2']")
    page.keyboard.press("3")
    page.keyboard.press("Control+z")
    page.wait_for_selector("[data-name=redo]:enabled")
    page.focus("[data-name=redo]")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-name=redo]:disabled")
    page.wait_for_function("document.activeElement.closest('[aria-label=history]') !== null")


def test_rules_by_mouse(show: Open) -> None:
    page = show()
    choose_kind(page, "killer")
    assert page.locator("[data-row=kind]").count() == 0, "the palette is folded while a form is open"
    drag(page, 2, 3)
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    assert rules(page, 1) == ["the killer cage r1c3 r1c4 sums to 7"]
    assert page.inner_text("[data-row=rule]") == "killer 7, r1c3 r1c4"
    choose_kind(page, "thermometer")
    drag(page, 0, 5)
    assert page.locator(".gp-stroke polyline").count() == 1, "the line is seen before it is a rule"
    page.click("[data-row=form][data-name=add]")
    assert rules(page, 2)[1] == "the thermometer r1c1 r2c2 increases from its bulb"
    page.dblclick("[data-cell='2']")
    page.wait_for_selector("[data-row=rule][data-name='0'][aria-pressed=true]")
    page.fill("[name=total]", "6")
    page.click("[data-row=form][data-name=change]")
    page.wait_for_function("document.querySelector('[data-row=rule]').title.endsWith('sums to 6')")
    assert label(page, 2) == "r1c3, empty, in killer 6"
    for number in (1, 0):
        page.dblclick(f"[data-cell='{(2, 0)[number]}']")
        page.wait_for_selector(f"[data-row=rule][data-name='{number}'][aria-pressed=true]")
        page.keyboard.press("Delete")
        rules(page, number)
    page.click("[data-name=undo]")
    rules(page, 1)


def test_an_oblong_board_with_a_zero_among_its_digits(show: Open) -> None:
    page = show(Puzzle(Board.empty(Geometry.oblong(2, 3, Digits(0, 3)))), live=False)
    assert page.locator("[role=row]").count() == 2
    assert page.locator("[data-row=pad]").all_inner_texts() == ["0", "1", "2", "3", "\u232b"]
    page.click("[data-cell='5']")
    page.keyboard.press("0")
    wait_for_label(page, 5, "r2c3, clue 0")
    page.keyboard.press("ArrowRight")
    assert chosen(page) == [3]
    page.keyboard.press("ArrowUp")
    assert chosen(page) == [0]
    page.click("[data-row=pad][data-name='4']")
    wait_for_label(page, 0, "r1c1, clue 3")
    page.click("[data-cell='5']")
    page.keyboard.press("Delete")
    wait_for_label(page, 5, "r2c3, empty")
    choose_kind(page, "thermometer")
    box = page.locator(".gp-grid").bounding_box()
    assert box["width"] / box["height"] == pytest.approx(3 / 2, rel=0.02)
    page.click("[data-cell='1']")
    page.click("[data-cell='5']", modifiers=["Shift"])
    assert chosen(page) == [1, 5], "the diagonal goes by the columns of the board"
    page.click("[data-row=form][data-name=close]")
    page.click("[data-row=mode][data-name=solve]")
    page.click("[data-cell='2']")
    page.keyboard.press("Shift+Digit0")
    wait_for_label(page, 2, "r1c3, corner 0")
    page.click("[data-row=typing][data-name=colour]")
    page.keyboard.press("9")
    wait_for_label(page, 2, "r1c3, corner 0, ink")


def test_a_double_click_goes_through_the_rules_of_a_cell(show: Open) -> None:
    page = show(Puzzle(parse(SEVERAL, rules=["killer 7 r1c3 r1c4", "thermometer r1c3 r2c3", "thermometer r3c1 r4c1"])))
    for number in (0, 1, 0, 1):
        page.dblclick("[data-cell='2']")
        page.wait_for_selector(f"[data-row=rule][data-name='{number}'][aria-pressed=true]")


def test_a_click_outside_the_grid_chooses_what_a_clue_there_sees(show: Open) -> None:
    page = show()
    choose_kind(page, "sandwich")
    page.mouse.click(*middle(page, 4, 1))
    assert chosen(page) == [1, 5, 9, 13]
    page.fill("[name=total]", "2")
    page.click("[data-row=form][data-name=add]")
    assert rules(page, 1) == ["from the bottom in column 2, the digits between 1 and 4 sum to 2"]
    choose_kind(page, "little-killer")
    page.mouse.click(*middle(page, -1, 1))
    assert chosen(page) == [2, 7]
    page.mouse.click(*middle(page, -1, 1))
    assert chosen(page) == [2, 7], "the other diagonal has one cell, along which nobody can look"
    page.fill("[name=total]", "5")
    page.click("[data-row=form][data-name=add]")
    rules(page, 2)
    page.click("[data-row=form][data-name=close]")
    page.mouse.click(*middle(page, 4, 1))
    page.wait_for_selector("[data-row=rule][data-name='0'][aria-pressed=true]")


def test_each_click_outside_looks_along_the_next_diagonal(show: Open) -> None:
    page = show(Puzzle(Board.empty(Geometry.classic(3))), live=False)
    choose_kind(page, "little-killer")
    sights = []
    for _ in range(3):
        page.mouse.click(*middle(page, 9, 2))
        sights.append(chosen(page))
    assert sights == [[35, 43, 51, 59, 67, 75], [63, 73], [35, 43, 51, 59, 67, 75]]


def test_an_arrow_has_a_pill_of_two_cells_and_strokes_are_lines_of_their_own(show: Open) -> None:
    page = show()
    choose_kind(page, "arrow")
    drag(page, 4, 5, 6, 7)
    page.fill("[name='first cells']", "2")
    page.click("[data-row=form][data-name=add]")
    assert rules(page, 1) == ["the digits along r2c3 r2c4 add up to the number in r2c1 r2c2"]
    choose_kind(page, "clone")
    drag(page, 8, 9)
    page.keyboard.down("Control")
    drag(page, 12, 13)
    page.keyboard.up("Control")
    page.click("[data-row=form][data-name=add]")
    assert "r3c1 r3c2 and r4c1 r4c2" in rules(page, 2)[1], "though they touch"


def test_rules_without_a_mouse(show: Open) -> None:
    page = show()
    tab(page, "add")
    page.focus("[data-name=killer]")
    for _ in range(page.locator("[data-row=kind]").count()):
        page.keyboard.press("ArrowRight")
        if page.evaluate("document.activeElement.dataset.name") == "thermometer":
            break
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-row=form][data-name=add]")
    page.focus("[role=gridcell][tabindex='0']")
    for key in ("Home", "ArrowDown", "Home", "Shift+ArrowRight", "Shift+ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert rules(page, 1)[0].startswith("the thermometer r2c1")


def test_a_new_board_with_painted_regions(show: Open) -> None:
    page = show()
    page.click("[data-name=new]")
    page.fill("[name=size]", "4")
    page.select_option("[name=shape]", "jigsaw")
    page.focus("[name=size]")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.gp-form').textContent.includes('16 cells have no region')")
    for region in ((0, 1, 2, 6), (3, 7, 11, 10), (15, 14, 13, 9)):
        drag(page, *region)
        page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.gp-form').textContent.includes('All cells have a region')")


def test_a_new_oblong_board_with_digits_of_its_own(show: Open) -> None:
    page = show()
    page.click("[data-name=new]")
    assert page.input_value("[name=size]") == "4x4"
    page.fill("[name=size]", "2x4")
    page.fill("[name=digits]", "0-4")
    page.fill("[name=boxes]", "2x2")
    page.click("[data-row=form][data-name=new]")
    page.wait_for_function("document.querySelectorAll('[data-cell]').length === 8")
    page.focus("[role=gridcell][tabindex='0']")
    page.keyboard.press("0")
    wait_for_label(page, 0, "r1c1, clue 0")
    tab(page, "out")
    page.wait_for_selector("[data-row=copy][data-name=text]:disabled")
    reason = "text cannot express a board of 2x4, 2x2 boxes, digits 0-4; expected toml"
    assert page.get_attribute("[data-row=copy][data-name=text]", "title").startswith(reason)
    assert f"Text: {reason}" in page.inner_text(".gp-refused")
    assert page.is_enabled("[data-row=copy][data-name=toml]")
    page.click("[data-name=new]")
    page.fill("[name=size]", "2x4")
    page.fill("[name=digits]", "0-2")
    page.click("[data-row=form][data-name=new]")
    wait_for_sentence(page, "expected at least as many digits as a row has cells")


# ---- puzzles in and out ----------------------------------------------------------------------------------------------


def test_a_puzzle_is_pasted_and_copied_with_its_title(show: Open) -> None:
    page = show()
    about = Puzzle(parse(UNIQUE), title="Tiny", author="me", prose="Sudoku.")
    page.click("[data-name=open]")
    page.fill("[name=text]", all_formats()["f-puzzles"].text_of(about))
    page.click("[data-row=form][data-name=open]")
    wait_for_badge(page, "unique")
    assert page.locator(".gp-badge").all_inner_texts() == ["unique", "words not read"]
    assert "gp-plain" in page.get_attribute(".gp-badge", "class")
    for mode in ("set", "solve", "teach"):
        page.click(f"[data-row=mode][data-name={mode}]")
        assert page.inner_text(".gp-heading") == "Tiny by me"
        assert page.inner_text(".gp-prose") == "Sudoku."
    page.click("[data-name=set]")
    tab(page, "rules")
    page.click("[data-name=about]")
    page.check("[name=covered]")
    page.click("[data-row=form][data-name=about]")
    page.wait_for_selector(".gp-badge.gp-good")
    tab(page, "out")
    page.click("[data-row=copy][data-name=link]")
    page.wait_for_function("document.querySelector('.gp-copied').value.startsWith('https://')")
    again = read_puzzle(page.input_value(".gp-copied"))
    assert (again.title, again.author, again.prose, bool(again.solution)) == ("Tiny", "me", "Sudoku.", True)
    page.wait_for_selector(".gp-links a")
    links = page.locator(".gp-links a").evaluate_all("all => all.map(one => [one.textContent, one.href])")
    assert [name for name, _ in links] == [
        "Open in SudokuPad",
        "Open in f-puzzles",
        "Open in Interactive Sudoku Solver",
    ]
    assert all(read_puzzle(address).board == parse(UNIQUE) for _, address in links)
    page.click("[data-row=copy][data-name=png]")
    page.wait_for_function(
        "document.querySelector('.gp-image:not([hidden])')"
        " || document.querySelector('.gp-sentence').textContent === 'Copied: png.'"
    )


def test_errors_look_like_errors_and_what_is_not_read_opens_anyway(show: Open) -> None:
    page = show()
    paste(page, "nonsense")
    wait_for_sentence(page, "nonsense")
    assert page.locator(".gp-sentence.gp-error").count() == 1
    assert not page.is_visible(".gp-anyway")
    paste(page, UNREAD)
    page.click(".gp-anyway")
    wait_for_badge(page, "no verdict")
    assert page.locator(".gp-badge").all_inner_texts() == ["no verdict", "not all read"]
    assert page.locator(".gp-sentence.gp-error").count() == 0
    tab(page, "rules")
    page.click(".gp-folded summary")
    assert page.inner_text(".gp-folded li") == "line 1 of 1: drawn along r1c1 r2c2"
    assert page.inner_text(".gp-heading") == "Tiny"


def test_a_board_for_pupils_is_only_solved(show: Open) -> None:
    page = show(UNIQUE, modes=("solve",))
    assert page.locator("[data-row=mode]").count() == 0
    assert page.locator("[data-name=new], [data-name=open], [data-name=add]").count() == 0
    paste(page, "." * 16)
    assert "is fixed" in wait_for_sentence(page, "fixed")
    assert page.host.board.board == parse(UNIQUE)


# ---- solving ---------------------------------------------------------------------------------------------------------


def test_solving_with_marks_colours_and_two_histories(show: Open) -> None:
    page = show(UNIQUE, mode="solve")
    page.click("[data-cell='1']")
    for key in ("Shift+Digit2", "Shift+Digit3", "Control+Digit4"):
        page.keyboard.press(key)
    wait_for_label(page, 1, "r1c2, corner 2 3, centre 4")
    page.click("[data-row=typing][data-name=colour]")
    page.click("[data-row=paint][aria-label=green]")
    wait_for_label(page, 1, "r1c2, corner 2 3, centre 4, green")
    page.click("[data-cell='2']")
    page.click("[data-row=typing][data-name=entry]")
    page.keyboard.press("4")
    wait_for_label(page, 1, "r1c2, corner 2 3, green")
    page.keyboard.press("Control+z")
    wait_for_label(page, 1, "r1c2, corner 2 3, centre 4, green")
    tab(page, "steps")
    page.click("[data-row=switch][data-name=clean]")
    page.keyboard.press("Control+z")
    page.click("[data-cell='2']")
    page.keyboard.press("4")
    wait_for_label(page, 2, "r1c3, entry 4")
    assert "centre 4" in label(page, 1), "marks stay if they are not to be tidied"
    page.click("[data-name=set]")
    assert page.is_disabled("[data-name=undo]"), "the puzzle has no steps to undo"


def test_the_digit_of_the_chosen_cell_is_seen_elsewhere(show: Open) -> None:
    page = show("1... ..1. .... ...4", mode="solve")
    page.click("[data-cell='0']")
    page.wait_for_selector(".gp-same")
    same = page.locator(".gp-same").evaluate_all("all => all.map(one => one.dataset.cell)")
    assert same == ["0", "6"]


def test_the_time_can_be_hidden(show: Open) -> None:
    page = show(UNIQUE, mode="solve")
    assert page.inner_text(".gp-timer") == "0:00"
    page.click(".gp-timer")
    assert page.get_attribute(".gp-timer", "aria-label") == "show the time"
    assert ":" not in page.inner_text(".gp-timer")


def test_solving_by_keyboard_and_wrong_entries(show: Open) -> None:
    page = show(UNIQUE, mode="solve")
    tab(page, "steps")
    page.click("[data-row=check][data-name=clashes]")
    page.click("[data-cell='0']")
    for key in ("ArrowRight", "3", "ArrowRight", "3"):
        page.keyboard.press(key)
    wait_for_badge(page, "2 clash")
    assert label(page, 1) == "r1c2, entry 3, wrong"
    page.keyboard.press("Delete")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("4")
    wait_for_badge(page, "1 of 12")
    page.click("[data-row=check][data-name=wrong]")
    wait_for_sentence(page, "Entries that differ from the solution: r1c2.")
    wait_for_badge(page, "1 wrong")


def test_hints_tell_their_story_line_by_line(show: Open) -> None:
    page = show(HARD, mode="solve")
    tab(page, "steps")
    page.click("[data-name=next]")
    wait_for_sentence(page, "Look at")
    page.click("[data-name=next]")
    assert page.inner_text("[data-name=next]") == "Hint 3 of 3"
    page.click("[data-name=next]")
    wait_for_sentence(page, "because")
    assert page.is_disabled("[data-name=next]")
    lines = page.locator("[data-row=line]").all_inner_texts()
    assert lines[0].startswith("1. suppose")
    assert len(lines) > 2
    without = page.locator(".gp-picture svg").inner_html()
    page.click("[data-row=line][data-name='1']")
    page.wait_for_selector("[data-row=line][data-name='1'][aria-pressed=true]")
    assert page.locator(".gp-picture svg").inner_html() != without, "the links are drawn"
    page.click("[data-name=apply]")
    page.wait_for_selector("[data-name=apply]:disabled")
    assert page.locator("[data-row=line]").count() == 0


def test_teaching_by_mouse_and_keyboard(show: Open) -> None:
    page = show(UNIQUE, mode="teach")
    wait_for_badge(page, "step 1 of 12")
    wait_for_sentence(page, "Look at")
    page.click("[data-name=forward]")
    wait_for_sentence(page, "because")
    page.click("[data-name=forward]")
    wait_for_badge(page, "step 2 of 12")
    page.focus("[data-name=back]")
    page.keyboard.press("Enter")
    wait_for_badge(page, "step 1 of 12")
    page.focus(".gp-slider")
    page.keyboard.press("End")
    wait_for_badge(page, "step 12 of 12")
    assert page.get_attribute(".gp-slider", "aria-valuetext") == "step 12 of 12"


# ---- the look --------------------------------------------------------------------------------------------------------


def test_one_screen_holds_it_all_and_nothing_moves(show: Open) -> None:
    page = show(Puzzle(Board.empty(Geometry.classic(3))))
    wait_for_badge(page, "several: 200+")
    places = {selector: place_of(page, selector) for selector in (".gp-grid", ".gp-pad", ".gp-tabs", ".gp-panel")}
    page.click("[data-cell='0']")
    for key in ("1", "ArrowRight", "1"):
        page.keyboard.press(key)
    wait_for_badge(page, "none")
    tab(page, "why")
    choose_kind(page, "sandwich")
    page.mouse.click(*middle(page, 9, 4))
    page.fill("[name=total]", "5")
    page.click("[data-row=form][data-name=add]")
    rules(page, 1)
    assert places == {selector: place_of(page, selector) for selector in places}
    size = page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
    assert size == [800, 1280]
    assert page.locator(".gp-board").bounding_box()["width"] <= 560


@pytest.mark.parametrize("dark", [False, True])
def test_a_narrow_page_has_the_panels_below_the_board(show: Open, dark: bool) -> None:
    page = show(UNIQUE, width=320, height=640, dark=dark)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert place_of(page, ".gp-tabs")[1] > place_of(page, ".gp-pad")[1] > place_of(page, ".gp-grid")[1]
    ground, ink = page.evaluate(
        """() => ['backgroundColor', 'color'].map(
            what => getComputedStyle(document.querySelector('.gp-widget'))[what].match(/\\d+/g).map(Number))"""
    )
    assert (sum(ground[:3]) < sum(ink[:3])) is dark


def test_forced_colours_tell_what_is_chosen(show: Open) -> None:
    page = show(UNIQUE, forced=True)
    looks = [
        page.evaluate("one => getComputedStyle(document.querySelector(one)).backgroundColor", f"[data-name={name}]")
        for name in ("set", "solve")
    ]
    assert looks[0] != looks[1]


def test_drawings_have_no_style_of_their_own(show: Open) -> None:
    """A browser looks at the whole page anew when a style comes or goes: with twenty boards that takes a second."""
    page = show(dark=True)
    tab(page, "add")
    page.wait_for_selector("[data-row=kind]")
    assert page.locator("[data-row=kind] svg").count() > 40
    assert page.locator("svg style").count() == 0
    fills = page.locator("svg.gridproof > rect").evaluate_all("all => all.map(one => getComputedStyle(one).fill)")
    assert set(fills) == {"rgb(27, 27, 31)"}, "though they are dark where the page is"


# ---- the film --------------------------------------------------------------------------------------------------------


def set_fourteen(page: Any, taken: Callable[[str], None]) -> None:
    """Set a puzzle of 6x6 from an empty board."""
    page.click("[data-name=new]")
    page.fill("[name=size]", "6")
    page.click("[data-row=form][data-name=new]")
    page.wait_for_function("document.querySelectorAll('.gp-cell').length === 36")
    choose_kind(page, "killer")
    drag(page, 8, 9, 15)
    page.keyboard.type("14")
    taken("1-cage")
    page.keyboard.press("Enter")
    rules(page, 1)
    choose_kind(page, "thermometer")
    drag(page, 12, 18, 19, 20, 21)
    taken("2-thermometer")
    page.click("[data-row=form][data-name=add]")
    rules(page, 2)
    choose_kind(page, "sandwich")
    page.mouse.click(*middle(page, 5, -1))
    page.keyboard.type("14")
    page.click("[data-row=form][data-name=add]")
    rules(page, 3)
    page.click("[data-row=form][data-name=close]")
    for number, symbol in ((3, 2), (10, 3)):
        page.click(f"[data-cell='{number}']")
        page.click(f"[data-row=pad][data-name='{symbol}']")
    wait_for_badge(page, "unique")
    taken("3-unique")


def share_fourteen(page: Any, taken: Callable[[str], None]) -> Puzzle:
    """Give the puzzle a title, and return it as it is in its link."""
    page.click("[data-name=about]")
    page.fill("[name=title]", "Fourteen")
    page.fill("[name=author]", "gridproof")
    page.click("[data-row=form][data-name=about]")
    page.wait_for_function("document.querySelector('.gp-heading').textContent === 'Fourteen by gridproof'")
    tab(page, "out")
    page.click("[data-row=copy][data-name=link]")
    page.wait_for_function("document.querySelector('.gp-copied').value.startsWith('https://')")
    page.wait_for_selector(".gp-links a")
    taken("4-link")
    return read_puzzle(page.input_value(".gp-copied"))


@pytest.mark.slow
def test_a_puzzle_from_an_empty_board_to_its_solution(show: Open) -> None:
    """The film of docs/tour.md. With a folder as FILM in the environment its pictures are written there."""
    page = show(Puzzle(Board.empty(Geometry.classic(3))))

    def taken(name: str) -> None:
        page.wait_for_function("!document.querySelector('.gp-busy')")
        if folder := os.environ.get("FILM"):
            image: Any = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
            picture = image.open(BytesIO(page.locator(".gp-widget").screenshot()))
            picture.quantize(128).save(Path(folder) / f"widget-{name}.png", optimize=True)

    set_fourteen(page, taken)
    shared = share_fourteen(page, taken)
    assert (shared.title, len(shared.board.rules), verify(shared).is_unique) == ("Fourteen", 3, True)
    page.click("[data-name=solve]")
    tab(page, "steps")
    solution = verify(shared).solutions[0]
    for place in range(36):
        if place == 12:
            page.click("[data-name=next]")
            wait_for_sentence(page, "Look at")
            page.click("[data-name=next]")
            taken("5-hint")
            page.click("[data-name=apply]")
            page.wait_for_selector("[data-name=apply]:disabled")
        if "clue" not in (text := label(page, place)) and "entry" not in text:
            page.click(f"[data-cell='{place}']")
            page.keyboard.press(str(solution[place]))
    wait_for_badge(page, "solved")
    taken("6-solved")
