"""Conclusions from the part of a puzzle that was understood: never more than the whole puzzle allows."""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridproof
from gridproof import Geometry, Status, read_puzzle, verify_many
from gridproof.checker import check
from gridproof.cli import main
from gridproof.errors import NotUnderstoodError
from gridproof.formats.unread import Unread, summary_of_unread

GRIDS = [tuple(grid) for grid in gridproof.solutions("." * 16)]
SOLUTION = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
PAIRS = [pair for pair in combinations(range(16), 2) if pair[1] - pair[0] in ((1, 4) if pair[1] % 4 else (4,))]
NAMES = [f"R{cell // 4 + 1}C{cell % 4 + 1}" for cell in range(16)]
CIRCLE = [{"cells": ["R2C1"]}]


def puzzle(clues: dict[int, int], **more: Any) -> str:
    cells = [{"value": clues[cell], "given": True} if cell in clues else {} for cell in range(16)]
    return json.dumps({"grid": [cells[k : k + 4] for k in range(0, 16, 4)], **more})


def dots(pairs: list[tuple[int, int]]) -> list[dict[str, Any]]:
    return [{"cells": [NAMES[cell] for cell in pair]} for pair in pairs]


@pytest.mark.slow
@given(
    solution=st.sampled_from(GRIDS),
    cells=st.sets(st.integers(0, 15), max_size=6),
    is_wrong=st.booleans(),
    places=st.lists(st.sampled_from(["stated", "drawn", "nowhere"]), min_size=24, max_size=24),
    is_negative=st.booleans(),
    line=st.lists(st.integers(0, 15), min_size=2, max_size=3, unique=True),
    is_stored=st.booleans(),
)
def test_nothing_is_concluded_that_the_whole_puzzle_does_not_have(
    solution: tuple[int, ...],
    cells: set[int],
    is_wrong: bool,
    places: list[str],
    is_negative: bool,
    line: list[int],
    is_stored: bool,
) -> None:
    """Black dots of which some are only drawn, perhaps all given, and a thermometer; the truth is found by trying."""
    clues = {cell: solution[cell] % 4 + 1 if is_wrong and not k else solution[cell] for k, cell in enumerate(cells)}
    line.sort(key=solution.__getitem__)
    double = _double(solution)
    if is_negative:
        places = ["drawn" if place == "nowhere" else place for place in places]
    where = dict(zip(PAIRS, places, strict=True))
    stated, drawn = ([pair for pair in PAIRS if pair in double and where[pair] == name] for name in ("stated", "drawn"))

    def fits(grid: tuple[int, ...]) -> bool:
        marked, double = {*stated, *drawn}, _double(grid)
        given = all(grid[cell] == symbol for cell, symbol in clues.items())
        rises = all(grid[a] < grid[b] for a, b in pairwise(line))
        return given and rises and marked <= double and (not is_negative or double <= marked)

    whole = [grid for grid in GRIDS if fits(grid)]
    data: dict[str, Any] = {"ratio": dots(stated), "circle": dots(drawn) or CIRCLE}
    data["thermometer"] = [{"lines": [[NAMES[cell] for cell in line]]}]
    data |= {"negative": ["ratio"]} if is_negative else {}
    data |= {"solution": list(solution)} if is_stored and solution in whole else {}
    try:
        verdict = gridproof.verify(puzzle(clues, **data))
    except NotUnderstoodError:
        return
    assert verdict.evidence.basis == "part"
    assert verdict.evidence.unread
    if verdict.status is Status.NONE:
        assert not whole
    elif verdict.status is Status.AT_MOST_ONE:
        assert whole in ([], [verdict.solution])
    else:
        assert verdict.status is Status.UNIQUE
        assert whole == [verdict.solution] == [tuple(data["solution"])]


def _double(grid: tuple[int, ...]) -> set[tuple[int, int]]:
    """The neighbours of which one is twice the other."""
    return {(a, b) for a, b in PAIRS if max(grid[a], grid[b]) == 2 * min(grid[a], grid[b])}


ONE = {cell: SOLUTION[cell] for cell in (0, 1, 2, 3, 4, 6, 8, 9, 10)}
CASES: list[tuple[dict[int, int], dict[str, Any], str, str]] = [
    ({0: 1, 1: 1}, {}, "none", "already by what was understood"),
    (ONE, {}, "at most one", "no solution is stored"),
    (ONE, {"ruleset": "Circles are odd."}, "at most one", "no solution is stored, and the prose may change a rule"),
    (ONE, {"solution": list(SOLUTION)}, "unique", "the file's solution agrees"),
    ({0: 1}, {"solution": list(SOLUTION)}, "not understood", "circle 1 of 1"),
    ({0: 2}, {"solution": list(SOLUTION)}, "not understood", "the stored solution is none: r1c1 holds 1"),
    (
        ONE,
        {"thermometer": [{"lines": [["R2C1", "R1C1"]]}], "solution": list(SOLUTION), "ruleset": "Frozen ones fall."},
        "not understood",
        "breaks the rule that the thermometer r2c1 r1c1 increases from its bulb: the prose probably changes this rule",
    ),
    # what is unread may allow more: other digits, and fewer houses
    ({0: 5, 1: 1, 2: 1}, {}, "not understood", "value 5"),
    ({0: 1, 1: 1}, {"solution": [0, *SOLUTION[1:]]}, "not understood", "solution: it is not whole"),
]


@pytest.mark.parametrize(("clues", "more", "verdict", "reason"), CASES)
def test_the_same_in_python_in_bulk_and_on_the_command_line(
    clues: dict[int, int],
    more: dict[str, Any],
    verdict: str,
    reason: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    text = puzzle(clues, circle=CIRCLE, **more)
    (record,) = verify_many([text])
    assert record.verdict == verdict
    assert reason in (record.reason or "")
    understood = verdict != "not understood"
    assert (record.basis, record.reference) == (("part", "agrees") if understood else (None, None))
    code = main(["verify", "-q", "--json", text])
    shown = json.loads(capsys.readouterr().out)
    assert (shown["verdict"], shown["reason"], shown["evidence"]["basis"]) == (verdict, record.reason, record.basis)
    assert code == {"unique": 0, "none": 1}.get(verdict, 2)
    assert main(["verify", "-q", text]) == code
    assert capsys.readouterr().out.startswith(f"{verdict}\t")
    if not understood:
        with pytest.raises(NotUnderstoodError) as caught:
            gridproof.verify(text)
        assert caught.value.reason == record.reason
        assert main(["certify", "-q", text, "-o", str(tmp_path / "proof")]) == 2
        return
    decided = gridproof.verify(text)
    reason = record.reason.split("both hold 1; ")[-1] if record.reason else ""
    assert (decided.status, decided.reason) == (verdict, reason)
    assert "the part that was understood" in decided._repr_html_()
    certificate = gridproof.certify(text)
    assert "only what was understood of the puzzle" in json.loads(certificate.files["claim.json"])["made"]["of a part"]
    report = check(certificate.write(tmp_path / "proof"))
    assert report.claim == ("none" if verdict == "none" else "unique")
    assert str(report).splitlines()[-1].startswith("  of a part of a puzzle, as its maker states: ")


def test_the_words_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    text = puzzle(ONE, circle=CIRCLE)
    reason = "already by what was understood; no solution is stored; unread: circle 1 of 1: drawn at r2c1"
    assert gridproof.verify(text).sentence() == f"The puzzle has at most one solution: {reason}."
    assert main(["show", "--verify", text]) == 2
    assert reason in capsys.readouterr().out
    assert gridproof.show(text, verify=True).count("<text") > 16
    assert str(gridproof.verify(text, despite_unread=True)).startswith("unique; despite what is unread")


def test_what_may_allow_more_stays_so_when_it_is_written() -> None:
    text = puzzle({0: 5}, circle=CIRCLE)
    again = read_puzzle(gridproof.convert(text, "toml", despite_unread=True))
    assert [part.relaxes for part in again.not_understood] == [True, False]


@pytest.mark.slow
def test_a_part_is_cheap() -> None:
    """A hard part ends by its limit, whatever limit there is for whole puzzles."""
    cages = [{"cells": [f"R{r}C{c}", f"R{r}C{c + 1}"]} for r in range(1, 26) for c in range(1, 25, 2)]
    cells: list[list[dict[str, Any]]] = [[{} for _ in range(25)] for _ in range(25)]
    text = json.dumps({"size": 25, "grid": cells, "whispers": [{"lines": [cage["cells"]]} for cage in cages]})
    hard = text[:-1] + ', "circle": [{"cells": ["R1C1"]}]}'
    with pytest.raises(NotUnderstoodError):
        gridproof.verify(hard, "search-scan")


def test_geometry_of_a_part() -> None:
    """Regions that are no regions leave nothing certain."""
    cells = [[{"region": -1} for _ in range(4)] for _ in range(4)]
    with pytest.raises(NotUnderstoodError, match="region -1 has 16 cells"):
        gridproof.verify(json.dumps({"grid": cells}))
    assert Geometry.latin(4).region_of is None


# ---- parts that may allow more ---------------------------------------------------------------------------------------

TOO_LARGE = {"cells": ["R1C1", "R1C2"], "value": "8"}
EMPTY: dict[str, Any] = {"cells": [[{}] * 4] * 4, "cages": [{"cells": [[0, 0], [0, 1]], "value": 8, "unique": True}]}
BOXES = [[[r, c] for r in range(4) for c in range(4) if r // 2 * 2 + c // 2 == k] for k in range(4)]


def sudokupad(**more: Any) -> str:
    return json.dumps({**EMPTY, "regions": BOXES, **more})


UNKNOWN = {
    "iss, houses": ".Shape~4x4.NoRows.~R1C1_1~R1C2_1",
    "iss, values": ".Shape~4x4.Doublers.Cage~8~R1C1~R1C2",
    "iss, before an item": ".Shape~4x4.Not.Cage~8~R1C1~R1C2",
    "iss, around an item": ".Shape~4x4.Any.Cage~8~R1C1~R1C2.End",
    "iss, in a choice": ".Shape~4x4.Cage~8~R1C1~R1C2.Or.SchrodingerCells.End",
    "iss, a digit": ".Shape~4x4.Cage~8~R1C1~R1C2.~R3C3_0",
    **{
        f"f-puzzles, {key}": puzzle({}, killercage=[TOO_LARGE], **{key: value})
        for key, value in {
            "digits": "0-8",
            "minDigit": 0,
            "values": [0, 1, 2, 3],
            "doubler": ["R1C1"],
            "nosudoku": True,
            "disabled": ["killercage"],
            "rows": False,
            "negative": ["sums"],
            "metadata": {"bgimage": "https://example.org/a.png"},
        }.items()
    },
    "f-puzzles, a field": puzzle({}, killercage=[TOO_LARGE]).replace("{}", '{"double": true}', 1),
    "sudokupad, metadata": sudokupad(metadata={"digits": "0123"}),
    "sudokupad, global": sudokupad(**{"global": ["norowcol"]}),
    "sudokupad, a key": sudokupad(norowcol=True),
    "sudokupad, false": sudokupad(rows=False),
    "sudokupad, a field": sudokupad(cells=[[{"double": True}, {}, {}, {}], *[[{}] * 4] * 3]),
    "sudokupad, a type of cage": sudokupad(cages=[*EMPTY["cages"], {"cells": [[2, 2]], "type": "doubler"}]),
    "sudokupad, a picture": sudokupad(metadata={"bgimage": "https://example.org/a.png", "bgimageopacity": 1}),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_part_of_an_unknown_type_may_allow_more(name: str) -> None:
    text = UNKNOWN[name]
    with pytest.raises(NotUnderstoodError):
        gridproof.verify(text)
    assert [part.relaxes for part in read_puzzle(text).not_understood].count(True) >= 1
    assert gridproof.verify(text, despite_unread=True).status == "none"


@pytest.mark.parametrize(
    "text",
    [
        ".Shape~4x4.FullRankTies~some.Cage~8~R1C1~R1C2",
        ".Shape~4x4.Cage~8~R1C1~R1C2.Or.Thermo~R3C1~R3C2.WhiteDot~R1C1~R4C4.End",
        ".Shape~4x4.Cage~8~R1C1~R1C2.WhiteDot~R1C1~R4C4",
        puzzle({}, killercage=[TOO_LARGE, {"cells": ["R2C1"], "value": "8/22"}]),
        puzzle({}, killercage=[TOO_LARGE], line=[{"lines": [["R1C1", "R1C2"]]}]),
        sudokupad(lines=[{"wayPoints": [[0.5, 0.5], [0.5, 2.5]]}]),
        sudokupad(cages=[*EMPTY["cages"], {"cells": [[2, 2], [2, 3]], "value": 5}]),
    ],
)
def test_a_part_that_can_only_take_solutions_away_leaves_a_verdict(text: str) -> None:
    verdict = gridproof.verify(text)
    assert (verdict.status, verdict.evidence.basis) == ("none", "part")


def test_a_key_that_states_nothing_is_no_part() -> None:
    assert read_puzzle(puzzle({}, flags=[], nothing=None, empty="", antiknight=False)).unread == ()
    assert [part.where for part in read_puzzle(puzzle({}, rows=False)).unread] == ["rows"]


def test_an_arrow_without_a_shaft_is_unread() -> None:
    lines_of_no_cells: list[list[list[str]]] = [[], [[]], [["R1C1"]]]
    for lines in lines_of_no_cells:
        (part,) = read_puzzle(puzzle({}, arrow=[{"lines": lines, "cells": ["R1C1", "R1C2"]}])).not_understood
        assert str(part) == "arrow 1 of 1: no shafts; expected some"


def test_cells_of_f_puzzles_that_are_marked_as_odd_or_even() -> None:
    text = puzzle({0: 1})
    for parity in ("odd", "Even"):
        text = text.replace("{}", json.dumps({"parity": parity}), 1)
    marked = read_puzzle(text)
    assert marked.unread == ()
    assert [rule.text(marked.board.geometry) for rule in marked.board.rules] == ["odd r1c2", "even r1c3"]
    (part,) = read_puzzle(puzzle({0: 1}).replace("{}", '{"parity": 3}', 1)).not_understood
    assert str(part) == "grid r1c2 parity: 3; expected odd or even"


@pytest.mark.parametrize("blanks", ["{} ", " {}", "{}\n", "12 34{}"])
def test_blanks_around_a_stored_solution_of_sudokupad(blanks: str) -> None:
    stored = "".join(map(str, SOLUTION))
    text = blanks.replace("12 34{}", f"{stored[:4]} {stored[4:]}").replace("{}", stored)
    result = read_puzzle(sudokupad(cages=[], metadata={"solution": text}))
    assert (result.solution, result.unread) == (SOLUTION, ())


# ---- rules in words, where everything else was read ------------------------------------------------------------------

OTHER = (*SOLUTION[:8], *SOLUTION[12:], *SOLUTION[8:12])
WORDS = {"ruleset": "Odd digits count double."}
WITH_WORDS: list[tuple[dict[int, int], dict[str, Any], str, str]] = [
    ({0: 1}, WORDS, "not understood", "several solutions by what was read; the words may exclude them"),
    ({0: 1}, {**WORDS, "solution": list(SOLUTION)}, "not understood", "several solutions by what was read"),
    ({0: 1, 1: 1}, WORDS, "not understood", "no solution by what was read; the words may change a rule"),
    (ONE, WORDS, "unique", "by what was read; the words were not"),
    (ONE, {**WORDS, "solution": list(SOLUTION)}, "unique", ""),
    (
        ONE,
        {**WORDS, "solution": list(OTHER)},
        "not understood",
        "one solution by what was read, which is not the stored one",
    ),
    (
        {0: 1, 1: 1},
        {"odd": [{"cell": "R1C2"}], "solution": list(SOLUTION)},
        "not understood",
        "no solution by what was read",
    ),
    ({0: 1, 1: 1}, {}, "none", "r1c1 and r1c2 in row 1 both hold 1"),
    ({0: 1, 1: 1}, {"ruleset": "  "}, "none", ""),
    ({0: 1}, {}, "multiple", ""),
]


@pytest.mark.parametrize(("clues", "more", "verdict", "reason"), WITH_WORDS)
@pytest.mark.parametrize("engine", ["session", "auto"])
def test_words_that_nobody_reads(
    clues: dict[int, int], more: dict[str, Any], verdict: str, reason: str, engine: Any
) -> None:
    text = puzzle(clues, **more)
    (record,) = verify_many([text], engine=engine)
    assert record.verdict == verdict
    assert reason in (record.reason or "")
    confirmed = not record.reason
    assert record.basis == ("what was read" if verdict == "unique" and not confirmed else None)
    if verdict == "not understood":
        with pytest.raises(NotUnderstoodError) as caught:
            gridproof.verify(text)
        assert caught.value.reason == record.reason
    else:
        assert gridproof.verify(text).status == verdict


@pytest.mark.parametrize(("clues", "verdict"), [({0: 1}, "multiple"), ({0: 1, 1: 1}, "none"), (ONE, "unique")])
def test_a_verdict_despite_the_words_names_them(clues: dict[int, int], verdict: str) -> None:
    decided = gridproof.verify(puzzle(clues, **WORDS), despite_unread=True)
    assert decided.status == verdict
    assert "words" in decided.reason
    assert [str(part) for part in decided.evidence.unread] == ["rules in words: nobody has read them"][
        : verdict != "unique"
    ]


def test_the_line_the_summary_and_the_card_name_the_basis(capsys: pytest.CaptureFixture[str]) -> None:
    text = puzzle(ONE, **WORDS)
    assert main(["verify", text]) == 0
    printed = capsys.readouterr()
    assert printed.out.strip().endswith("by what was read; the words were not")
    assert "; basis: what was read 1" in printed.err
    assert main(["verify", "-q", "--json", text]) == 0
    assert json.loads(capsys.readouterr().out)["evidence"]["basis"] == "what was read"
    assert "what was read, without the words" in gridproof.verify(text)._repr_html_()


def test_pictures_and_certificates_are_of_what_was_understood(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = puzzle({0: 1}, **WORDS)
    assert main(["show", "--verify", text]) == 2
    assert main(["certify", text, "-o", str(tmp_path / "proof")]) == 2
    assert not (tmp_path / "proof").exists()
    assert main(["show", "--verify", "--despite-unread", text]) == 0
    assert "despite what is unread: rules in words" in capsys.readouterr().out


def test_the_name_of_an_unread_part_steers_no_terminal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    name = "\x1b]0;owned\x07\x1b[31mRED\u202e\u2066\x85\x00 and\nmore\ud83e"
    text = puzzle({}, **{name: 1})
    path = tmp_path / "hostile.json"
    path.write_text(text)
    for arguments in (
        ["show", str(path)],
        ["convert", str(path), "--to", "toml", "--despite-unread"],
        ["convert", str(path), "--to", "iss"],
        ["verify", str(path)],
        ["verify", "--json", str(path)],
    ):
        main(arguments)
        printed = "".join(capsys.readouterr())
        assert "RED" in printed
        assert [character for character in printed if not character.isprintable() and character not in "\t\n"] == []
    for picture in (gridproof.show(text), read_puzzle(text)._repr_html_()):
        assert "RED" in str(picture)
        assert [
            character for character in str(picture) if not character.isprintable() and character not in "\t\n"
        ] == []


def test_a_part_without_a_solution_leaves_a_verdict_only_where_no_words_are_unread() -> None:
    drawing = {"line": [{"lines": [["R1C1", "R1C2"]]}]}
    verdict = gridproof.verify(puzzle({0: 1, 1: 1}, **drawing))
    assert (verdict.status, verdict.evidence.basis) == ("none", "part")
    with pytest.raises(NotUnderstoodError, match="no solution by what was read; the words may change a rule"):
        gridproof.verify(puzzle({0: 1, 1: 1}, **drawing, **WORDS))


def test_unread_parts_are_listed_by_their_keys() -> None:
    parts = [Unread(where, "drawn") for where in ("a", "b 1", "b 2", "c 1", "c 2", "c 3")]
    assert summary_of_unread(parts) == "a: drawn; b 1: drawn; b 2: drawn; c 1: drawn (and 2 more of c)"
    many = [Unread(f"key{number} 1 of 1", "drawn") for number in range(12)]
    assert summary_of_unread(many).endswith("key7 1 of 1: drawn; and 4 more")
