"""Links of f-puzzles and SudokuPad: what they hold becomes rules, and what was not understood is listed."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridproof import formats
from gridproof.errors import InputError, NotUnderstoodError, PuzzleFormatError
from gridproof.formats import catalog
from gridproof.formats.known import links
from gridproof.formats.known.links import payloads
from gridproof.formats.lzstring import pack, unpack
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.geometry import Geometry

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"

SMALL: dict[str, Any] = {
    "size": 4,
    "title": "Small",
    "author": "Nobody",
    "ruleset": "Digits along a thermometer increase.",
    "grid": [[{"value": 1, "given": True}, {}, {}, {"value": 2}], *([{}] * 4 for _ in range(3))],
    "killercage": [{"cells": ["R1C2", "R2C2"], "value": "5"}, {}],
    "thermometer": [{"lines": [["R3C1", "R3C2", "R4C2"]]}],
    "sandwichsum": [{"cell": "R0C3", "value": "5"}],
    "littlekillersum": [{"cell": "R0C1", "direction": "DR", "value": 9, "cells": ["R1C2", "R2C3", "R3C4"]}],
    "antiknight": True,
    "line": [{"lines": [["R3C2", "R4C2"]], "fromConstraint": "thermometer"}],
    "foglight": ["R1C1"],
}


def read_with(**changes: Any) -> Any:
    return links.read(json.dumps(SMALL | changes))


@given(st.text(alphabet=st.characters(), max_size=200))
@settings(max_examples=100)
def test_what_is_packed_is_unpacked(text: str) -> None:
    units = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert unpack(pack(text)) == units


def test_a_known_payload() -> None:
    assert pack('{"size":4}') == "N4IgzglgXgpiBcAWAvkA"
    assert unpack("N4IgzglgXgpiBcAWAvkA") == '{"size":4}'


def test_a_bomb_is_bounded() -> None:
    with pytest.raises(InputError, match="more than 1,000 characters"):
        unpack(pack("a" * 5000), most=1000)


@pytest.mark.parametrize("payload", ["N4Ig", "%%%%", "AAAA", "////////", "N4IgzglgXgpiBcAWAvk"])
def test_a_damaged_payload_is_one_error(payload: str) -> None:
    with pytest.raises(InputError):
        unpack(payload)


def test_everything_that_is_stated_is_on_the_puzzle() -> None:
    result = read_with()
    geometry = Geometry.classic(2)
    assert result.board.geometry == geometry
    assert result.board.clues[:4] == (1, 0, 0, 0)
    assert result.board.filled[:4] == (0, 0, 0, 2)
    assert (result.title, result.author, result.prose) == ("Small", "Nobody", "Digits along a thermometer increase.")
    texts = sorted(rule.text(geometry) for rule in result.board.rules)
    assert texts == [
        "anti-knight 'offsets=1 2'",
        "killer total=5 r1c2 r2c2",
        "little-killer total=9 r1c2 r2c3 r3c4",
        "sandwich total=5 r1c3 r2c3 r3c3 r4c3",
        "thermometer r3c1 r3c2 r4c2",
    ]
    assert {str(part) for part in result.unread} == {
        "line: 1 that stand for rules, messages or fog",
        'foglight: ["R1C1"]',
    }
    assert result.not_understood == ()


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"line": [{"lines": [["R1C1", "R1C2"]]}]}, "line 1 of 1"),
        ({"unheard": [1]}, "unheard"),
        ({"killercage": [{"cells": [], "value": 5}]}, "killercage 1 of 1"),
        ({"killercage": [{"cells": ["R1C1", "R1C1"], "value": 3}]}, "killercage 1 of 1"),
        ({"xv": [{"cells": ["R1C1", "R1C2", "R1C3"], "value": "X"}]}, "xv 1 of 1"),
        ({"grid": [[{"pencilMarks": [1, 2]}, {}, {}, {}], *([{}] * 4 for _ in range(3))]}, "grid.pencilMarks"),
        ({"killercage": [{"cells": ["R1C1"], "value": "prime"}]}, "killercage 1 of 1"),
        ({"thermometer": [{"lines": [["A1", "A2"]]}]}, "thermometer 1 of 1"),
        ({"sandwichsum": [{"cell": "R2C2", "value": 3}]}, "sandwichsum 1 of 1"),
        ({"negative": ["colour"]}, "negative"),
        ({"grid": [[{"value": 77, "given": True}, {}, {}, {}], *([{}] * 4 for _ in range(3))]}, "grid r1c1"),
        ({"killercage": [{"cells": ["R1C1", "R1C9"], "value": 3}]}, "killercage 1 of 1"),
        ({"killercage": [{"cells": ["R1C1"], "value": 1, "twice": True}]}, "killercage 1 of 1"),
        ({"killercage": [{"cells": ["R1C1"]}] * 5001}, "killercage"),
        ({"modularline": [{"lines": [["R1C1", "R1C2"]], "value": 2}]}, "modularline 1 of 1"),
        ({"minimum": [{"cell": "R1C1"}, {"cell": "R1C3", "value": 2}]}, "minimum 1 of 1"),
        (
            {"littlekillersum": [{"cell": "R0C1", "cells": ["R1C2", "R2C3", "R3C4"], "value": 9}]},
            "littlekillersum 1 of 1",
        ),
        (
            {"littlekillersum": [{"cell": "R0C1", "direction": "DR", "cells": ["R1C1"], "value": 9}]},
            "littlekillersum 1 of 1",
        ),
        ({"sandwichsum": [{"cell": "R0C0", "value": 3}]}, "sandwichsum 1 of 1"),
        ({"clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R3C3"]}]}, "clone 1 of 1"),
        ({"arrow": [{"cells": [], "lines": [["R1C1", "R1C2"]]}]}, "arrow 1 of 1"),
    ],
)
def test_what_may_be_a_rule_is_never_dropped(changes: dict[str, Any], where: str) -> None:
    assert where in [part.where for part in read_with(**changes).not_understood]


@pytest.mark.parametrize(
    "changes",
    [
        {"renban": [{"lines": [["R1C1", "R1C2"]]}], "line": [{"lines": [["R1C2", "R1C1"]]}]},
        {"clone": [{"cells": ["R1C1", "R1C2"], "cloneCells": ["R3C1", "R3C2"]}], "cage": [{"cells": ["R3C1", "R3C2"]}]},
        {"cage": [{"cells": ["R4C4"], "value": "msgcorrect: well done"}]},
        {"renban": [{"lines": [["R1C1", "R1C2"]]}], "line": [{"lines": [["R1C2"]], "fromRangskSolver": True}]},
        {"grid": [[{"c": "#FF0000"}, {"cornerPencilMarks": [1]}, {}, {}], *([{}] * 4 for _ in range(3))]},
    ],
)
def test_what_decorates_withholds_no_verdict(changes: dict[str, Any]) -> None:
    result = read_with(**{"line": []} | changes)
    assert result.not_understood == ()
    assert {part.where.split()[0] for part in result.unread} & {*changes, "grid"}


def test_a_drawing_over_other_cells_than_those_of_the_rule_may_be_a_rule() -> None:
    for drawn in ["R1C1", "R1C2", "R1C3"], ["R1C1"]:
        result = read_with(renban=[{"lines": [["R1C1", "R1C2"]]}], line=[{"lines": [drawn]}])
        assert str(result.not_understood[0]) == f"line 1 of 1: drawn along {' '.join(drawn).lower()}"
    # a line that f-puzzles draws by itself needs no second one
    assert read_with(thermometer=[{"lines": [["R1C1", "R1C2"]]}], line=[{"lines": [["R1C1", "R1C2"]]}]).not_understood


def test_a_value_that_states_nothing_is_none() -> None:
    values: list[Any] = ["", [[]], [{}], None, False]
    for value in values:
        result = read_with(grid=[[{"value": value, "given": True}, {}, {}, {}], *([{}] * 4 for _ in range(3))])
        assert (result.board.clues[0], result.not_understood) == (0, ())


def test_a_solution_that_is_not_whole_is_noted() -> None:
    assert read_with(solution="1234").solution is None
    assert "solution: it is not whole, and so was not tested" in map(str, read_with(solution="1234").unread)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"grid": 3}', '{"grid": [[]]}', "{" * 5000, '{"size": 9e99, "grid": []}']
)
def test_what_is_no_puzzle_is_one_error(text: str) -> None:
    with pytest.raises(InputError):
        links.read(text)


ROW = [{"value": 1, "given": True, "region": 0}, {"value": 2, "region": 0}, {"region": 1}, {"region": 1}]
EVERYTHING: dict[str, Any] = SMALL | {
    "grid": [ROW, [{"region": k // 2, "givenPencilMarks": [1, 3]} for k in range(4)], *[[{}] * 4] * 2],
    "solution": [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1],
    "clone": [{"cells": ["R1C1"], "cloneCells": ["R2C4"]}],
    "quadruple": [{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [1, 2]}],
    "arrow": [{"cells": ["R1C1"], "lines": [["R1C1", "R1C2"], ["R1C1", "R2C1"]]}],
    "difference": [{"cells": ["R1C1", "R1C2"], "value": "2"}],
    "xv": [{"cells": ["R1C1", "R1C2"], "value": "X"}],
    "even": [{"cell": "R1C1"}],
    "maximum": [{"cell": "R1C1"}, {"cell": "R4C4"}],
    "whispers": [{"lines": [["R1C1", "R1C2"]], "value": "2"}],
    "skyscraper": [{"cell": "R0C1", "value": "2"}],
    "diagonal+": True,
    "negative": ["ratio"],
    "disjointgroups": True,
    "circle": [{"cells": ["R1C1"], "value": "x", "width": 0.5}],
}


SHORT: dict[str, Any] = {
    "metadata": {"title": "S", "solution": "1234341221434321", "antiknight": True, "rules": "words"},
    "cells": [[{"value": 1}, {}, {}, {}], *([{} for _ in range(4)] for _ in range(3))],
    "regions": [[[r + a, c + b] for a in (0, 1) for b in (0, 1)] for r in (0, 2) for c in (0, 2)],
    "cages": [{"cells": [[0, 0], [0, 1]], "value": 3, "unique": True}, {"cells": [[1, 0]], "value": "FOGLIGHT"}],
    "lines": [{"wayPoints": [[0.5, 0.5], [1.5, 1.5]]}],
}


def swapped(value: Any) -> list[Any]:
    """Return the same content in other types, none of them empty; an object gets a further field."""
    swaps = [[value], {"0": value}, json.dumps(value), True, 7.5]
    if isinstance(value, list):
        swaps.append(dict(enumerate(value)))
    if isinstance(value, dict):
        swaps.append([*value.values()])
    swaps = [swap for swap in swaps if type(swap) is not type(value)]
    if isinstance(value, dict):
        swaps.append({**value, "another": 1})
    return swaps


@pytest.mark.slow
@pytest.mark.parametrize("original", [EVERYTHING, SHORT], ids=["f-puzzles", "SudokuPad"])
def test_another_type_at_any_place_takes_nothing_away_unlisted(original: dict[str, Any]) -> None:
    """A puzzle that is read stays as it was, or an error or an entry of ``unread`` names what has changed."""
    before = links.read(json.dumps(original))
    for place, (holder, name) in enumerate(nodes(original)):
        for swap in swapped(holder[name]):
            changed = json.loads(json.dumps(original))
            inside, key = nodes(changed)[place]
            inside[key] = swap
            with suppress(InputError):
                after = links.read(json.dumps(changed))
                listed = {*after.unread} - {*before.unread}
                assert listed or replace(after, unread=()) == replace(before, unread=()), (name, holder[name], swap)


def nodes(data: Any) -> list[tuple[Any, Any]]:
    """Each place in some data: what it is in, and its key or number there."""
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    return [place for key in keys for place in ((data, key), *nodes(data[key]))]


PAYLOAD = pack(json.dumps(SMALL))


LINK = f"https://f-puzzles.com/?load={PAYLOAD}"


@pytest.mark.parametrize(
    "text",
    [
        LINK,
        f"https://www.f-puzzles.com/?id=1&load={PAYLOAD}&setting=1",
        f"https://sudokupad.app/fpuz{PAYLOAD}?setting-nogrid=1",
        f"beta.sudokupad.app/?puzzleid=fpuzzles{PAYLOAD}",
        f"fpuzzles{PAYLOAD}",
        PAYLOAD.replace("+", " "),
        PAYLOAD.replace("+", "%252B").replace("/", "%2F").replace("=", "%3D"),
        json.dumps(SMALL),
        f"My puzzle: {LINK}",
        f"[My puzzle]({LINK})",
        f'"{LINK}"',
        f"{LINK} # easy",
        f"{LINK} by me",
        LINK.replace("https://", "https:/").replace("/?", "?"),
    ],
)
def test_a_link_as_people_paste_it(text: str) -> None:
    assert catalog.recognise(text) is not None
    assert formats.read_puzzle(text) == read_with()


@pytest.mark.slow
@pytest.mark.parametrize(("length", "lost"), [(40, 1), (300, 2)])
def test_slashes_that_a_server_merged(length: int, lost: int) -> None:
    random = Random(lost)
    titles = ("".join(chr(random.randrange(0x3000, 0x9000)) for _ in range(length)) for _ in range(2000))
    wholes = ((title, pack(json.dumps(SMALL | {"title": title}, ensure_ascii=False))) for title in titles)
    title, whole = next((title, whole) for title, whole in wholes if whole.count("//") >= lost and "///" not in whole)
    for text in (f"https://f-puzzles.com/?load={whole}", f"https://sudokupad.app/fpuz{whole}"):
        assert links.read(text.replace("//", "/")).title == title


def test_the_search_for_lost_slashes_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    payload = pack(json.dumps(SMALL | {"title": "".join(chr(0x3000 + 7919 * k % 20_000) for k in range(2000))}))
    broken = payload[: len(payload) // 2] + payload[len(payload) // 2 + 4 :]
    assert payload.count("/") > 40
    unpackings = []

    def counted(text: str) -> str:
        unpackings.append(len(text))
        return unpack(text)

    monkeypatch.setattr(payloads, "unpack", counted)
    monkeypatch.setattr(payloads, "_MENDED_AT_MOST", 10 * len(payload))
    with pytest.raises(InputError):
        links.read(broken)
    assert 1 < len(unpackings) <= 11


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("N4Ig" + pack("a" * 50_000), "undefined reference|cut off"),
        ('{"size": 4, "grid": [[{' + '"a": [' * 100_000, "nested too deeply|damaged"),
        ("{id:" + "{a:" * 100_000, "nested too deeply"),
        (
            json.dumps(SMALL | {"killercage": [{"cells": ["R1C1"], "value": 5}] * 20_001}),
            "20,001 items; expected a list",
        ),
        (json.dumps(SMALL | {"killercage": [{"cells": ["R1C1"] * 10_000}]}), "killercage 1 of 1: .* at most 16 cells"),
        (
            json.dumps(SMALL | {"grid": [[{"value": int("9" * 4000)}, {}, {}, {}], *[[{}] * 4] * 3]}),
            "grid r1c1: value 9+",
        ),
        (
            json.dumps(SHORT | {"cages": [{"cells": [[0, 0]], "value": 1}] * 5001}),
            "5,001 cages; expected at most 5,000",
        ),
        (json.dumps(SHORT | {"cages": [{"cells": [[0, 0]] * 99, "value": 1, "unique": True}]}), "r1c1 is named twice"),
    ],
)
def test_hostile_text_is_one_error(text: str, problem: str) -> None:
    (item,) = formats.read(text)
    assert isinstance(item, PuzzleFormatError)
    assert re.search(problem, str(item))


def test_surrogates_that_were_split() -> None:
    assert links.read(pack(json.dumps(SMALL | {"title": "🧩"}, ensure_ascii=False))).title == "🧩"
    assert links.read(pack(json.dumps(SMALL | {"title": "🧩"}))).title == "🧩"
    assert links.read(pack(json.dumps(SMALL | {"title": "\ud83e"}))).title == "\ufffd"


SHORTENED = (
    "{id:'x',metadata:{t:'It\\'s small',author:'N',rules:'One\\\\nrule.',solution:'1234341221434321',antiking:f},"
    "ce:[[{v:1},,,],[,,,],[,,,],[,,,]],re:[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],[1,3]],"
    "[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],"
    "ca:[{ce:[[0,0],[0,1]],v:3,unique:t},{ce:[[2,2]],v:'FOGLIGHT'},{ce:[[3,0],[3,1]],v:7}],l:[{wp:[[1,1],[2,2]],c:#F}]}"
)


def test_shortened_text_of_sudokupad() -> None:
    packed_text, coded = pack(SHORTENED), quote(SHORTENED)
    pasted = (f"https://sudokupad.app/{text}" for text in (f"scl{packed_text}", SHORTENED, f"?load={SHORTENED}", coded))
    for text in (SHORTENED, f"scl{packed_text}", *pasted):
        result = links.read(text)
        assert result.board.geometry == Geometry.classic(2)
        assert result.board.clues[0] == 1
        assert (result.title, result.prose) == ("It's small", "One\nrule.")
        assert result.solution == tuple(map(int, "1234341221434321"))
        assert [rule.text(result.board.geometry) for rule in result.board.rules] == ["killer total=3 r1c1 r1c2"]
        assert [part.where for part in result.not_understood] == ["cages 3 of 3 (r4c1 r4c2)", "lines 1 of 1"]


def short(**changes: Any) -> Any:
    return links.read(json.dumps(SHORT | changes))


CAGES = [{"cells": [[r, c], [r, c + 1]], "value": v} for r, c, v in ((0, 0, 3), (1, 0, 7), (2, 0, 3))]


def test_cages_with_a_number_are_killer_cages_where_the_stored_solution_agrees() -> None:
    result = short(cages=CAGES, lines=[])
    assert len([rule for rule in result.board.rules if rule.kind == "killer"]) == 3
    assert result.not_understood == ()
    assert [str(part) for part in result.unread] == [
        "cages: 3 taken for killer cages, as the stored solution agrees with each"
    ]
    disagreeing = [*CAGES[:2], CAGES[2] | {"value": 4}]
    for cages, metadata in ((disagreeing, SHORT["metadata"]), (CAGES, {}), (CAGES[:2], SHORT["metadata"])):
        result = short(cages=cages, metadata=metadata, lines=[])
        assert [part.where.split()[0] for part in result.not_understood] == ["cages"] * len(cages)


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"metadata": SHORT["metadata"] | {"disjoint": True}}, "metadata.disjoint"),
        ({"metadata": {"norowcol": True}}, "metadata.norowcol"),
        ({"metadata": {"solution": "0" * 16}}, "solution"),
        ({"metadata": {"solution": "123"}}, "solution"),
        ({"regions": [[[0, 0], [0, 1]]]}, "regions"),
        ({"regions": [[*SHORT["regions"][0], [0, 0]], *SHORT["regions"][1:]]}, "regions"),
        ({"cages": [{"value": "antiknight: true"}]}, "cages 1 of 1"),
        ({"cages": [{"cells": [[0, 0], [0, 0]], "value": 3, "unique": True}]}, "cages 1 of 1 (r1c1 r1c1)"),
        ({"cells": [[{"pencilMarks": [1, 2]}, {}, {}, {}], *SHORT["cells"][1:]]}, "cells.pencilMarks"),
        ({"cages": [{"cells": [[0, 0], [1, 1]], "type": "rowcol", "unique": True}]}, "cages 1 of 1 (r1c1 r2c2)"),
        ({"cages": [{"cells": [[0, 0], [0, 9]], "value": 3, "unique": True}]}, "cages 1 of 1 (r1c1)"),
        ({"cells": [[{"value": 77}, {}, {}, {}], *SHORT["cells"][1:]]}, "cells r1c1"),
        ({"underlays": [{"center": [0.5, 2.5], "text": "7"}]}, "underlays 1 of 1"),
        ({"global": ["antiking", "sideways"]}, "global"),
        ({"unheard": {"a": 1}}, "unheard"),
    ],
)
def test_what_may_be_a_rule_of_sudokupad_is_never_dropped(changes: dict[str, Any], where: str) -> None:
    assert where in [part.where for part in short(**changes).not_understood]


def test_a_frame_around_the_board() -> None:
    rows: list[list[dict[str, Any]]] = [[{} for _ in range(6)] for _ in range(6)]
    rows[1][1] = {"value": 1}
    rows[4][4] = {"value": 1, "given": False}
    regions = [[[r + 1, c + 1] for r, c in region] for region in SHORT["regions"]]
    solution = "." * 6 + "".join(f".{row}." for row in ("1234", "3412", "2143", "4321")) + "." * 6
    result = short(cells=rows, regions=regions, metadata={"solution": solution}, cages=[])
    assert result.board.geometry == Geometry.classic(2)
    assert (result.board.clues[0], result.board.filled[15]) == (1, 1)
    assert result.solution == tuple(map(int, "1234341221434321"))
    assert str(result.not_understood[0]) == "lines 1 of 1: drawn along r0c0 r1c1"
    rows[0][2] = {"value": 4}
    assert "cells r0c2" in [part.where for part in short(cells=rows, regions=regions).not_understood]
    # regions that do not fill a square are no board of their own
    assert short(regions=regions[:1], metadata={}).board.geometry.order == 4


@pytest.mark.parametrize("text", ["{id:'x'", "{ce:[}", "{ce:" + "[" * 1000, "{'ce':3}", "{ce:[[,],[,],[,]]}", "hello"])
def test_what_is_no_puzzle_of_sudokupad(text: str) -> None:
    with pytest.raises(InputError):
        links.read(text)


def _rows(name: str) -> list[dict[str, Any]]:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is not here: the puzzles of others are not part of the project")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "least"), [("fpuzzles", 75), ("sudokupad", 100)])
def test_real_puzzles(name: str, least: int) -> None:
    understood = 0
    with Pipeline(cross_check="none") as pipeline:
        for row in _rows(f"{name}.jsonl"):
            result = links.read(row["payload"])
            geometry = result.board.geometry
            if row["complete"] and not result.not_understood:
                verdict = pipeline.verify(result.board)
                assert verdict.is_unique, row["name"]
                assert "".join(map(geometry.symbol_text, verdict.solutions[0])) == row["solution"], row["name"]
                understood += 1
            elif name == "fpuzzles" and (row["solution"] or "").isdigit() and geometry.order == 9:
                digits = geometry.digits.of(map(int, row["solution"]))
                holds = all(rule.holds(digits, geometry) for rule in result.board.rules)
                doubtful = row["solution_breaks"] or result.not_understood or row["name"] == "Reserved Parking"
                assert holds or doubtful, row["name"]
    assert understood >= least


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fpuzzles", "sudokupad"])
def test_no_verdict_on_a_real_puzzle_is_against_its_solution(name: str) -> None:
    """A verdict on what was read is one on the puzzle only where nothing is against it."""
    verdicts: Counter[str] = Counter()
    with Pipeline(cross_check="none", limits=Limits(seconds=0.5)) as pipeline:
        for row in _rows(f"{name}.jsonl"):
            puzzle = links.read(row["payload"])
            try:
                verdict = pipeline.verify(puzzle)
            except NotUnderstoodError:
                assert not row["complete"], row["name"]
                continue
            verdicts[verdict.status] += 1
            if puzzle.has_words or puzzle.solution is not None:
                assert verdict.status not in ("multiple", "none"), row["name"]
            if puzzle.solution is not None and verdict.is_unique:
                assert verdict.solution == puzzle.solution, row["name"]
    assert verdicts["unique"] >= 90
