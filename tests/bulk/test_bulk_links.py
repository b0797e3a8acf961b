"""Files of links, mixed with plain puzzles, in bulk: the records of one by one, and the same bytes when resumed."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from bulk.bulk_samples import in_columns, link, puzzles, seeds, without_engine
from gridproof import formats, read_puzzle, verify_many
from gridproof.cli import main
from gridproof.trust.answer import Status

THERMOMETER = {"thermometer": [{"lines": [["R1C1", "R1C2", "R1C3"]]}]}
DRAWING = {"circle": [{"cells": ["R2C1"]}]}


def wrong_cage(solution: str) -> dict[str, Any]:
    """A cage that the stored solution breaks, and prose."""
    total = str(18 - int(solution[0]) - int(solution[1]))
    cage = {"cells": ["R1C1", "R1C2"], "value": total if total != "9" else "10"}
    return {"killercage": [cage], "ruleset": "Cages lie.", "solution": [int(digit) for digit in solution]}


@pytest.fixture(scope="module")
def solved() -> tuple[str, str]:
    """A puzzle and its only solution."""
    (record,) = verify_many([seeds()[0]])
    assert record.verdict == "unique"
    assert record.solution is not None
    return record.puzzle, record.solution


@pytest.fixture(scope="module")
def lines(solved: tuple[str, str]) -> list[str]:
    """Plain puzzles, links with and without rules, links that are not understood, and what is no puzzle."""
    one, other, *more = puzzles(8, 5)
    return [
        one,
        link(other, "Plain"),
        link(other, "Warm", **THERMOMETER),
        link("." * 81, "Drawn", **DRAWING),
        "https://f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSzKLryBdZQmq8l54+x1p7rjtn/nQaCR3PgOmfXYAWIA",
        more[0],
        link(solved[0], "Caged", **wrong_cage(solved[1])),
        f"{more[1][:40]}x{more[1][41:]}",
        link("." * 81, "Empty", **THERMOMETER),
        *more[2:],
    ]


@pytest.fixture(scope="module")
def mixed(lines: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("links") / "mixed.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def here(*arguments: object) -> tuple[int, str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = main(["verify", *map(str, arguments)])
    return code, out.getvalue()


@pytest.mark.parametrize("options", [[], ["--despite-unread", "--entries", "as-clues"]])
def test_the_records_are_those_of_one_by_one(options: list[str], mixed: Path, tmp_path: Path) -> None:
    code, single = here(mixed, "--json", *options)
    output = tmp_path / "result.jsonl"
    assert here(mixed, "-o", output, "-j", "0", *options)[0] == code == 2
    verified = [json.loads(line) for line in output.read_text().splitlines()]
    expected = [json.loads(line) for line in single.splitlines()]
    assert len(verified) == len(expected) > 9
    for record, other in zip(verified, expected, strict=True):
        if record["verdict"] in (Status.MALFORMED, Status.NOT_UNDERSTOOD):
            other["reason"] = other["reason"].removeprefix(f"{mixed}, ")
        assert record == other
    # the drawing, and the cage that the stored solution breaks, beside words that nobody reads
    assert [record["verdict"] == "not understood" for record in verified].count(True) == (0 if options else 2)
    drawn = verified[3]
    assert drawn["unread"] == [{"where": "circle 1 of 1", "what": "drawn at r2c1", "may_be_rule": True}]
    assert ("despite what is unread: circle 1 of 1" in drawn["reason"]) == bool(options)
    assert "the prose probably changes this rule" in verified[6]["reason"]


def test_tables_have_title_author_and_what_is_unread(mixed: Path, tmp_path: Path) -> None:
    for name in ("result.csv", "result.jsonl", "result.parquet"):
        assert here(mixed, "-o", tmp_path / name, "-j", "0")[0] == 2
    rows = list(csv.DictReader((tmp_path / "result.csv").read_text().splitlines()))
    assert [row["title"] for row in rows[:4]] == ["", "Plain", "Warm", "Drawn"]
    assert (rows[3]["verdict"], rows[3]["unread"]) == ("not understood", "circle 1 of 1: drawn at r2c1")
    assert rows[3]["puzzle"] == mixed.read_text().splitlines()[3], "a link is kept whole"
    records = [in_columns(json.loads(line)) for line in (tmp_path / "result.jsonl").read_text().splitlines()]
    assert list(map(without_engine, rows)) == [
        {name: "" if value is None else str(value) for name, value in one.items()} for one in records
    ]
    parquet = pytest.importorskip("pyarrow.parquet")
    assert list(map(without_engine, parquet.read_table(tmp_path / "result.parquet").to_pylist())) == records


def test_the_library_takes_links_and_sheets(lines: list[str]) -> None:
    puzzle = read_puzzle(lines[2])
    text, again, drawn = verify_many([lines[2], puzzle, lines[3]])
    assert text[3:] == again[3:]
    assert (text.title, text.author, text.line) == ("Warm", "Nobody", None)
    assert formats.parse(again.puzzle) == puzzle.board
    assert (drawn.verdict, drawn.reason) == ("not understood", "circle 1 of 1: drawn at r2c1")
    assert [str(one) for one in drawn.unread] == ["circle 1 of 1: drawn at r2c1"]
    (despite,) = verify_many([lines[3]], despite_unread=True)
    assert despite.verdict == "multiple"
    assert despite.reason is not None
    assert despite.reason.startswith("despite what is unread: circle 1 of 1")


@pytest.mark.parametrize("stored", [True, False])
def test_links_in_a_table(stored: bool, solved: tuple[str, str], tmp_path: Path) -> None:
    """Everything else in a puzzle is kept, and the solution in its own column counts."""
    drawn = link(solved[0], "Drawn", **DRAWING, solution=[int(digit) for digit in "123456789" * 9])
    path = tmp_path / "table.csv"
    path.write_text(f"puzzle,solution\n{drawn},{solved[1] if stored else ''}\n")
    (part,) = verify_many(path)
    assert (part.verdict, part.title) == ("unique" if stored else "not understood", "Drawn")
    (verified,) = verify_many(path, despite_unread=True)
    assert (verified.verdict, verified.title, verified.stored) == ("unique", "Drawn", "right" if stored else "wrong")
    assert (verified.reason or "").startswith("despite what is unread: circle 1 of 1: drawn at r2c1")
    code, single = here(path, "--json", "--despite-unread")
    record = json.loads(single)
    assert code == (0 if stored else 1)
    assert [record["title"], record["evidence"]["stored"], record["reason"]] == [
        "Drawn",
        verified.stored,
        verified.reason,
    ]
