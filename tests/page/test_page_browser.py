"""The page as a person has it: in Chromium, from a server, and then without a network."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from browser import needs_browser
from gridproof import check, convert, parse, read_puzzle
from gridproof.formats import Puzzle
from gridproof.page.saving import to_address

pytestmark = [pytest.mark.notebook, needs_browser]

SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FOUR = "1... ..2. .3.. ...4"
SEVERAL = "12......4.1....."
LINK = convert(Puzzle(parse(FOUR), title="Four <b>clues</b>", author="me"), "f-puzzles")
TIMEOUT = 40_000
"""Milliseconds: the tests of a busy machine start Python at the same time."""


def badge(page: Any, word: str) -> None:
    """Wait until the state of the board is this word."""
    page.wait_for_function("word => document.querySelector('.gp-badge')?.textContent === word", arg=word)


def open_page(context: Any, address: str) -> Any:
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    page.goto(address)
    return page


def open_text(page: Any, text: str) -> None:
    """Open a text by the box."""
    page.fill("#text", text)
    page.click("#open")


def enter(page: Any, cell: int, key: str) -> None:
    page.click(f"[data-cell='{cell}']")
    page.keyboard.press(key)


class Visit:
    """A visit to the page: its window, and what it requested, printed and failed at."""

    def __init__(self, context: Any, address: str) -> None:
        self.context = context
        self.address = address
        self.requests: list[str] = []
        self.errors: list[str] = []
        context.on("request", lambda request: self.requests.append(request.url))
        context.on("weberror", lambda error: self.errors.append(str(error.error)))
        context.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        self.page = open_page(context, f"{address}#{LINK.replace('#', '%23')}")
        badge(self.page, "unique")


@pytest.fixture(scope="module")
def visit(browser: Any, address: str) -> Iterator[Visit]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
    made = Visit(context, address)
    yield made
    context.close()


def test_a_link_in_the_address_gets_its_verdict_and_nothing_leaves_the_page(visit: Visit) -> None:
    assert visit.requests
    strangers = [url for url in visit.requests if not url.startswith((visit.address, "data:", f"blob:{visit.address}"))]
    assert strangers == []
    assert visit.errors == []
    title = visit.page.text_content("#tabs [role=tab]")
    assert title == "Four <b>clues</b>", "markup is text"
    assert visit.page.locator("#tabs b, .gp-widget b:text('clues')").count() == 0


def test_everything_works_with_the_network_off(visit: Visit, tmp_path: Path) -> None:
    page = visit.page
    before = len(visit.requests)
    page.evaluate("navigator.serviceWorker.ready")
    visit.context.set_offline(True)
    try:
        open_text(page, SEVERAL)
        badge(page, "several: 2")
        enter(page, 2, "3")
        badge(page, "unique")
        page.click("[data-job=certify]")
        with page.expect_download() as download:
            page.click("#answer a")
        path = tmp_path / "certificate.zip"
        download.value.save_as(path)
        zipfile.ZipFile(path).extractall(tmp_path)
        [report] = check(tmp_path / "certificate")
        assert report.accepted
        assert report.claim == "unique"
        page.set_input_files("#certificate", path)
        page.wait_for_selector("#answer pre[data-accepted=true]")
        page.reload()
        badge(page, "unique")
    finally:
        visit.context.set_offline(False)
    assert [url for url in visit.requests[before:] if not url.startswith(visit.address) and "blob:" not in url] == []


def test_each_tab_has_its_puzzle_and_back_goes_to_the_one_before(visit: Visit) -> None:
    page = visit.page
    page.click("#new")
    badge(page, "several: 200+")
    open_text(page, SEVERAL)
    badge(page, "several: 2")
    enter(page, 2, "4")
    badge(page, "unique")
    entered = page.url
    page.go_back()
    badge(page, "several: 200+")
    page.go_forward()
    badge(page, "unique")
    assert page.url == entered
    page.reload()
    badge(page, "unique")
    assert page.url == entered
    assert read_puzzle(SEVERAL).board.with_clue(2, 4).clue_count == page.locator(".gp-cell[aria-label*=clue]").count()


def test_an_address_is_a_puzzle_for_somebody_else(browser: Any, visit: Visit, address: str) -> None:
    puzzle = Puzzle(parse(FOUR, rules=["killer 6 r1c2 r1c3"]), title="Sent")
    context = browser.new_context()
    page = open_page(context, f"{address}#{to_address(puzzle)}")
    badge(page, "unique")
    assert page.text_content("#tabs [role=tab]") == "Sent"
    context.close()


@pytest.mark.parametrize("text", ["53x", "1... ..2. .3.. ...", "https://example.org/nothing", SUDOKU[:-1] + "?"])
def test_wrong_input_stands_beside_its_error(visit: Visit, text: str) -> None:
    page = visit.page
    open_text(page, text)
    page.wait_for_function("() => document.querySelector('#text-problem').textContent")
    from gridproof.errors import InputError

    with pytest.raises(InputError) as problem:
        read_puzzle(text, despite_unread=False)
    assert page.text_content("#text-problem") == str(problem.value)
    assert page.input_value("#text") == text
    assert page.get_attribute("#text", "aria-describedby") == "text-problem"


@pytest.mark.parametrize("form", ["sudokupad", "f-puzzles", "iss", "toml", "text"])
def test_the_puzzle_in_other_forms(visit: Visit, form: str) -> None:
    page = visit.page
    open_text(page, SUDOKU)
    badge(page, "unique")
    page.click(f"[data-form='{form}']")
    page.wait_for_function(
        "form => document.querySelector('#given').dataset.form === form && !document.querySelector('#given').hidden",
        arg=form,
    )
    assert parse(page.input_value("#given-text")) == parse(SUDOKU)
    if form == "sudokupad":
        assert page.get_attribute("#given-ways a", "href") == page.input_value("#given-text")


def test_pictures_are_saved(visit: Visit, tmp_path: Path) -> None:
    for form, beginning in (("svg", b"<svg"), ("png", b"\x89PNG"), ("print", b"<!DOCTYPE html>")):
        visit.page.click(f"[data-form={form}]")
        visit.page.wait_for_function("form => document.querySelector('#given').dataset.form === form", arg=form)
        with visit.page.expect_download() as download:
            visit.page.click("#given-ways a[download]")
        download.value.save_as(tmp_path / form)
        assert (tmp_path / form).read_bytes().startswith(beginning)


def test_questions_of_the_page(visit: Visit) -> None:
    page = visit.page
    open_text(page, SEVERAL)
    badge(page, "several: 2")
    page.click("[data-job=candidates]")
    page.wait_for_function("() => document.querySelectorAll('#answer td').length === 16")
    assert page.inner_text("#answer td[title=r1c3]").split("\n") == ["3: 1", "4: 1"]
    page.click("[data-job=equal]")
    page.wait_for_selector("#answer p:text('r1c3 = r4c4')")
    enter(page, 2, "4")
    page.wait_for_selector("#answer p:text('as it was before')")
    page.keyboard.press("Control+z")
    page.wait_for_selector("#answer p:text('as it was before')", state="detached")


def test_a_puzzle_is_made_in_a_tab_of_its_own(visit: Visit) -> None:
    page = visit.page
    tabs = page.locator("#tabs [role=tab]").count()
    page.select_option("#grade", "medium")
    page.click("[data-job=make]")
    page.wait_for_function("tabs => document.querySelectorAll('#tabs [role=tab]').length === tabs + 1", arg=tabs)
    page.wait_for_function("() => document.querySelectorAll('.gp-cell').length === 81")
    badge(page, "unique")
    assert not page.is_visible("#stop")


def test_a_damaged_certificate_is_refused_in_words(visit: Visit) -> None:
    file = {"name": "c.zip", "mimeType": "application/zip", "buffer": b"no zip"}
    visit.page.set_input_files("#certificate", file)
    visit.page.wait_for_selector("#job-problem:text('is no zip')")


def test_by_keys_alone(visit: Visit) -> None:
    page = visit.page
    open_text(page, SEVERAL)
    badge(page, "several: 2")
    page.focus("#text")
    page.keyboard.press("Control+a")
    page.keyboard.type(FOUR)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    badge(page, "unique")
    page.focus("#tabs [aria-selected=true]")
    tabs = page.locator("#tabs [role=tab]").count()
    page.keyboard.press("ArrowLeft")
    badge(page, "several: 2")
    page.keyboard.press("ArrowRight")
    badge(page, "unique")
    page.keyboard.press("Delete")
    page.wait_for_function("tabs => document.querySelectorAll('#tabs [role=tab]').length === tabs - 1", arg=tabs)


def test_everything_has_a_name(visit: Visit) -> None:
    unnamed = visit.page.evaluate(
        """() => [...document.querySelectorAll('button, input:not([hidden]), textarea, a')].filter((one) => {
            const words = one.textContent.trim() || one.ariaLabel || one.title || one.value;
            return !words && !one.labels?.length && !one.closest('[hidden]');
        }).map((one) => one.outerHTML)"""
    )
    assert unnamed == []
    assert visit.page.get_attribute("html", "lang") == "en"


@pytest.mark.parametrize(
    "look", [{"color_scheme": "dark"}, {"forced_colors": "active"}, {"color_scheme": "light"}], ids=str
)
def test_on_a_narrow_screen_nothing_is_cut_off(visit: Visit, look: dict[str, Any]) -> None:
    page = visit.page
    page.emulate_media(**look)
    page.set_viewport_size({"width": 320, "height": 640})
    try:
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.emulate_media(color_scheme="light", forced_colors="none")


# ---- a film ----------------------------------------------------------------------------------------------------------

SIX_RULES = read_puzzle(Path(__file__).parents[2] / "examples" / "six-rules.toml")
"""A 6x6 whose six rules leave one solution; the last one is a cage of two cells."""


def drag(page: Any, *cells: int) -> None:
    """Draw through the middles of cells."""
    for place, cell in enumerate(cells):
        box = page.locator(f"[data-cell='{cell}']").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if not place:
            page.mouse.down()
    page.mouse.up()


@pytest.mark.slow
def test_a_cage_is_set_explained_told_proven_and_given_away(visit: Visit) -> None:
    """The film of docs/page.md. With a folder as FILM in the environment its pictures are written there."""
    page = visit.page

    def taken(name: str) -> None:
        page.wait_for_function("() => !document.querySelector('.gp-busy')")
        if folder := os.environ.get("FILM"):
            image: Any = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
            picture = image.open(BytesIO(page.screenshot(full_page=True)))
            picture.quantize(128).save(Path(folder) / f"page-{name}.png", optimize=True)

    for tab in range(page.locator("#tabs [role=tab]").count() - 1, 0, -1):
        page.locator("#tabs [aria-label^=close]").nth(tab).click()
    open_text(page, convert(SIX_RULES, "f-puzzles"))
    badge(page, "unique")
    taken("1-paste")
    *others, last = SIX_RULES.board.rules
    open_text(page, convert(Puzzle(replace(SIX_RULES.board, rules=tuple(others)), title="Five rules"), "toml"))
    page.wait_for_function("() => document.querySelector('.gp-badge').textContent.startsWith('several')")
    page.click("[data-job=candidates]")
    page.wait_for_function("() => document.querySelectorAll('#answer td').length === 36")
    taken("2-numbers")
    page.click("[data-row=tab][data-name=add]")
    page.click("[data-row=kind][data-name=killer]")
    cells = [cell for _, line in last.lists() for cell in line]
    drag(page, *cells)
    page.keyboard.type(str(last.value("total")))
    taken("3-cage")
    page.keyboard.press("Enter")
    badge(page, "unique")
    page.click("[data-row=tab][data-name=why]")
    page.click("[data-row=why-do][data-name=why]")
    taken("4-why")
    page.click("[data-name=teach]")
    page.wait_for_function("() => document.querySelector('.gp-badge').textContent.startsWith('step')")
    for _ in range(4):
        page.click("[data-name=forward]")
    taken("5-story")
    page.click("[data-name=set]")
    page.click("[data-job=certify]")
    page.wait_for_selector("#answer a")
    page.click("[data-form=sudokupad]")
    page.wait_for_function("() => document.querySelector('#given').dataset.form === 'sudokupad'")
    taken("6-proof")
    sent = read_puzzle(page.input_value("#given-text"))
    assert sent.board == SIX_RULES.board
    assert sent.title == "Five rules"
    assert sent.solution is not None


def test_the_visit_had_no_error(visit: Visit) -> None:
    assert visit.errors == []


# ---- what does not work ----------------------------------------------------------------------------------------------


def test_a_page_opened_as_a_file_states_what_to_do(browser: Any, built_page: Path) -> None:
    page = browser.new_page()
    page.goto((built_page / "index.html").as_uri())
    page.wait_for_selector("#stuck", state="visible")
    assert "open the page from a web server" in page.text_content("#stuck")
    page.close()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("delete globalThis.WebAssembly", "this browser has no WebAssembly"),
        ("globalThis.Worker = class { constructor() { throw new Error('no workers here') } }", "no workers here"),
    ],
)
def test_a_browser_that_cannot_do_it_gets_a_sentence(browser: Any, address: str, script: str, words: str) -> None:
    page = browser.new_page()
    page.add_init_script(script)
    page.goto(address)
    page.wait_for_function("words => document.querySelector('#state').textContent.includes(words)", arg=words)
    assert "use a current browser" in page.text_content("#state")
    page.close()


def test_a_server_that_has_lost_a_file_is_reported(browser: Any, address: str) -> None:
    context = browser.new_context()
    context.route("**/library.zip", lambda route: route.fulfill(status=404, body="gone"))
    page = open_page(context, address)
    page.fill("#text", "half of a link")
    page.wait_for_function("() => document.querySelector('#state').textContent.includes('library.zip: 404')")
    page.reload()
    assert page.input_value("#text") == "half of a link"
    context.close()


def test_a_zip_of_a_certificate_is_one_file_for_others(visit: Visit) -> None:
    """What the page makes is what `gridproof check` takes once it is unpacked: no names outside the folder."""
    visit.page.click("[data-job=certify]")
    with visit.page.expect_download() as download:
        visit.page.click("#answer a")
    names = zipfile.ZipFile(BytesIO(Path(download.value.path()).read_bytes())).namelist()
    assert all(name.startswith("certificate/") for name in names)
