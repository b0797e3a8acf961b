"""The boards of the page, as a page sees them: messages in, messages out. No browser is needed for that."""

from __future__ import annotations

import io
import json
import re
import zipfile
from importlib.resources import files
from typing import Any

import pytest

from gridproof import candidates, parse, rate, read_puzzle, solutions
from gridproof.errors import InputError
from gridproof.formats.catalog import all_formats
from gridproof.generation import recipe
from gridproof.page.boards import Boards
from gridproof.page.findings import begin
from gridproof.page.saving import from_address, to_address
from gridproof.solving.grades import GRADES

FOUR = "1... ..2. .3.. ...4"
SEVERAL = "12......4.1....."
NO_SOLUTION = "11.............."


class Page:
    """A page without a screen: it does the work at once, and keeps what it was sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[dict[str, Any], bytes]] = []
        self.values: dict[str, Any] = {}
        self.saved: dict[str, Any] = {}
        self.boards = Boards(lambda text, content: self.sent.append((json.loads(text), content)))

    def do(self, order: str, content: bytes = b"", /, **values: Any) -> list[dict[str, Any]]:
        """Send a message, and do what follows; return the messages that came for the page."""
        self.boards.handle(json.dumps({"do": order, **values}), content)
        came = []
        while self.sent:
            message, packed = self.sent.pop(0)
            came.append(message)
            if message["kind"] == "changed":
                self.values |= message["values"]
            elif message["kind"] == "saved":
                self.saved[message["tab"]] = message
            elif message["kind"] == "work":
                for finding in begin(packed):
                    if finding.content:
                        number = json.dumps({"do": "take", "number": message["number"]})
                        self.boards.handle(number, finding.content)
            elif message["kind"] == "job":
                came += [{"result": json.loads(one.text), "file": one.content} for one in begin(packed) if one.text]
        return came

    def results(self, name: str, **values: Any) -> list[dict[str, Any]]:
        """Return the results of a job."""
        return [message["result"] for message in self.do("job", name=name, **values) if "result" in message][:-1]

    @property
    def badge(self) -> str:
        badge: str = self.values["page"]["badges"][0][0]
        return badge


@pytest.fixture
def page() -> Page:
    made = Page()
    made.do("open", tab="1", text=FOUR)
    return made


@pytest.mark.parametrize(("text", "badge"), [(FOUR, "unique"), (SEVERAL, "several: 2"), (NO_SOLUTION, "none")])
def test_what_is_opened_gets_its_verdict(page: Page, text: str, badge: str) -> None:
    page.do("open", tab="2", text=text)
    assert page.badge == badge
    assert page.values["page"]["key"] == "page"
    json.dumps(page.values)


def test_an_edit_a_question_and_a_hint(page: Page) -> None:
    page.do("send", content={"act": "enter", "cells": [1], "symbol": 1, "typing": "clue"})
    assert page.badge == "none"
    page.do("send", content={"act": "undo"})
    page.do("send", content={"act": "why"})
    assert (
        "can be left out" in page.values["page"]["sentence"] or "could be left out" in page.values["page"]["sentence"]
    )
    page.do("send", content={"act": "next"})
    assert page.values["mode"] == "solve"
    assert page.values["page"]["sentence"].startswith("Look at")
    page.do("set", name="mode", value="teach")
    assert page.badge == "step 1 of 12"


def test_wrong_input_gets_the_words_of_the_command_line(page: Page) -> None:
    with pytest.raises(InputError) as problem:
        read_puzzle("53x")
    [refused] = page.do("open", tab="2", text="53x")
    assert (refused["kind"], refused["do"], refused["tab"]) == ("refused", "open", "2")
    assert refused["words"] == str(problem.value)
    assert page.do("export", what="soul", shown_as="soul")[0]["words"].startswith(
        "the puzzle as 'soul'; expected f-puzzles"
    )
    assert page.do("set", name="mode", value="sleep")[0]["words"] == "mode = 'sleep'; expected set or solve or teach"


@pytest.mark.parametrize("title", ["<script>alert(1)</script>", "\u202e\x00", "a" * 10_000, '"]}', "</textarea>"])
def test_hostile_titles_are_only_text(page: Page, title: str) -> None:
    values = {"title": title, "author": title, "prose": title, "covered": True}
    came = page.do("send", content={"act": "about", "values": values})
    assert came
    assert "<script" not in page.values["page"]["svg"]
    page.do("open", tab="2", saved=page.saved["1"]["saved"])
    text = page.do("export", what="print", shown_as="print")[0]["text"]
    assert "<script" not in text
    assert "</textarea" not in text


# ---- tabs ------------------------------------------------------------------------------------------------------------


def test_tabs_have_a_puzzle_and_a_history_each(page: Page) -> None:
    page.do("send", content={"act": "enter", "cells": [1], "symbol": 2, "typing": "clue"})
    page.do("open", tab="2", text=SEVERAL)
    assert page.badge == "several: 2"
    page.do("show", tab="1")
    assert page.badge == "unique"
    page.do("send", content={"act": "undo"})
    assert page.boards.board.board == parse(FOUR)
    page.do("close", tab="2")
    assert page.do("send", content={"act": "redo"})


def test_what_was_typed_is_there_again_after_a_reload(page: Page) -> None:
    page.do("send", content={"act": "enter", "cells": [1], "symbol": 2, "typing": "entry"})
    page.do("send", content={"act": "enter", "cells": [2], "symbol": 4, "typing": "note"})
    page.do("send", content={"act": "enter", "cells": [5], "symbol": 3, "typing": "corner"})
    page.do("send", content={"act": "enter", "cells": [6], "symbol": 2, "typing": "colour"})
    page.do("send", content={"act": "add", "kind": "killer", "values": {"total": "7"}, "cells": [2, 3]})
    values = {"title": "One", "author": "me", "prose": "Cages.", "covered": True}
    page.do("send", content={"act": "about", "values": values})
    before = page.boards.board
    again = Page()
    again.do("open", tab="1", saved=json.loads(json.dumps(page.saved["1"]["saved"])))
    after = again.boards.board
    assert after.puzzle == before.puzzle
    assert after.editor.entries == before.editor.entries
    assert any(after.editor.entries.corners)
    assert any(after.editor.entries.paints)
    assert after.words_covered
    assert again.badge == page.badge == "unique"


@pytest.mark.parametrize(
    "saved", [[], {}, {"toml": 3}, {"toml": "clues"}, {"toml": FOUR, "work": {"filled": [1]}}, "text"]
)
def test_a_damaged_storage_is_refused(page: Page, saved: Any) -> None:
    [refused] = page.do("open", tab="2", saved=saved)
    assert refused["kind"] == "refused"


def test_the_address_holds_the_puzzle_without_the_entries(page: Page) -> None:
    page.do("send", content={"act": "enter", "cells": [1], "symbol": 2, "typing": "entry"})
    page.do("send", content={"act": "add", "kind": "killer", "values": {"total": "7"}, "cells": [2, 3]})
    address = page.saved["1"]["address"]
    again = Page()
    again.do("open", tab="1", address=address)
    assert again.boards.board.board == parse(FOUR, rules=["killer 7 r1c3 r1c4"])
    for text in (FOUR.replace(" ", "%20"), all_formats()["f-puzzles"].text_of(read_puzzle(FOUR))):
        again.do("open", tab="2", address=text)
        assert again.boards.board.board == parse(FOUR)


def test_damaged_addresses_are_refused() -> None:
    address = to_address(read_puzzle(FOUR))
    for damaged in (address[:-8], address[:10], "p=", "p=%%%", "p=ÄÖ"):
        with pytest.raises(InputError, match="address"):
            from_address(damaged)
    import base64
    import zlib

    bomb = base64.urlsafe_b64encode(zlib.compress(b"1" * 10_000_000)).decode()
    with pytest.raises(InputError, match="longer than 1,000,000 bytes"):
        from_address(f"p={bomb}")


# ---- forms, and questions of the page --------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["f-puzzles", "sudokupad", "iss", "toml", "text"])
def test_each_form_is_read_again(page: Page, what: str) -> None:
    [exported] = page.do("export", what=what, shown_as=what)
    assert parse(exported["text"]) == parse(FOUR)
    assert exported["link"] == (what in ("f-puzzles", "sudokupad"))
    assert bool(exported["file"]) != exported["link"]


def test_links_have_the_solution_that_was_found(page: Page) -> None:
    [exported] = page.do("export", what="sudokupad", shown_as="sudokupad")
    assert read_puzzle(exported["text"]).solution == next(solutions(FOUR))


def test_a_form_that_cannot_hold_the_puzzle_is_refused(page: Page) -> None:
    page.do("send", content={"act": "add", "kind": "killer", "values": {"total": "7"}, "cells": [2, 3]})
    [refused] = page.do("export", what="text", shown_as="text")
    assert refused["kind"] == "refused"
    assert refused["do"] == "export"


@pytest.mark.parametrize("puzzle", [FOUR, SEVERAL, "1" + "." * 15, "." * 81])
def test_numbers_of_candidates_are_those_of_all_solutions(page: Page, puzzle: str) -> None:
    page.do("open", tab="2", text=puzzle)
    results = page.results("candidates", most=3)
    board = parse(puzzle)
    masks = candidates(board).masks
    assert len(results) == len(masks)
    for result, mask in zip(results, masks, strict=True):
        assert [int(symbol) for symbol, _ in result["numbers"]] == [s for s in range(1, 10) if mask >> (s - 1) & 1]
    if len(masks) == 16:
        grids = list(solutions(board))
        for cell, result in enumerate(results):
            for symbol, number in result["numbers"]:
                exact = sum(grid[cell] == int(symbol) for grid in grids)
                assert number == (f"{exact}" if exact < 3 else "3+")


@pytest.mark.parametrize("puzzle", [SEVERAL, "1" + "." * 15, "12.. .... .... ...."])
def test_equal_cells_are_those_of_all_solutions(page: Page, puzzle: str) -> None:
    page.do("open", tab="2", text=puzzle)
    results = page.results("equal")
    grids = list(solutions(puzzle))
    by_symbols: dict[tuple[int, ...], list[str]] = {}
    for cell in range(16):
        column = tuple(grid[cell] for grid in grids)
        if len(set(column)) > 1:
            by_symbols.setdefault(column, []).append(f"r{cell // 4 + 1}c{cell % 4 + 1}")
    expected = sorted(cells for cells in by_symbols.values() if len(cells) > 1)
    assert sorted(result["equal"] for result in results if "equal" in result) == expected


def test_a_certificate_is_made_and_checked(page: Page) -> None:
    [made] = [one for one in page.do("job", name="certify") if one.get("file")]
    assert made["result"] == {"claim": "unique", "file": "certificate.zip"}
    [report] = [one["result"] for one in page.do("job", made["file"], name="check") if "result" in one][:-1]
    assert report["accepted"]
    assert "accepted: unique" in report["report"]
    forged = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made["file"])) as before, zipfile.ZipFile(forged, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            after.writestr(name, data.replace(b"1243", b"1234") if name.endswith("solution.txt") else data)
    [report] = [one["result"] for one in page.do("job", forged.getvalue(), name="check") if "result" in one][:-1]
    assert not report["accepted"]


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"no zip", "is no zip"), (b"PK\x03\x04" + b"\x00" * 50, "is no zip"), (b"", "check")],
)
def test_what_is_no_certificate_is_refused(page: Page, content: bytes, words: str) -> None:
    if not content:
        empty = io.BytesIO()
        zipfile.ZipFile(empty, "w").close()
        content, words = empty.getvalue(), "has no claim.json"
    [result] = [one["result"] for one in page.do("job", content, name="check") if "result" in one][:-1]
    assert words in result["problem"]


def test_a_question_that_makes_no_sense_is_answered_in_words(page: Page) -> None:
    [result] = page.results("equal")
    assert "exactly one solution" in result["problem"]


def test_a_puzzle_is_made_with_a_grade(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe, "find_spec", lambda name: None)  # as in the page, which has no NumPy
    [made] = page.results("make", grade="easy", seed=1)
    assert rate(made["puzzle"]).grade == "easy"
    assert page.results("make", grade="easy", seed=1) == [made]
    assert page.results("make", grade="easy", seed=2) != [made]
    assert page.boards.board.board.clue_count == 4, "the puzzle on the screen stays"


def test_a_grade_that_there_is_not_is_refused_in_words(page: Page) -> None:
    [result] = page.results("make", grade="evil")
    assert result["problem"].startswith("the grade 'evil'; expected one of easy")


def test_the_page_offers_each_grade() -> None:
    index = files("gridproof.page").joinpath("static", "index.html").read_text(encoding="utf-8")
    assert re.findall("<option>(.*?)</option>", index) == [grade.name for grade in GRADES]
