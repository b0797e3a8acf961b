"""``gridproof verify`` is one program: the number of puzzles chooses the engine, and changes nothing in the output."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bulk.bulk_samples import in_columns, link, puzzles, seeds, without_engine, write_lines
from core_samples import UNIQUE, UNIQUE_SOLUTION
from gridproof import verify_many
from gridproof.bulk import RunOptions
from gridproof.cli import main
from gridproof.trust import crosscheck
from gridproof.trust.crosscheck import CrossCheck


def output_of(*arguments: object) -> tuple[int, str, str]:
    """The command in this process: its exit code, its standard output, and its standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["verify", *map(str, arguments)])
    return code, out.getvalue(), err.getvalue()


def records(*arguments: object) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output_of("--json", *arguments)[1].splitlines()]


def test_the_rule() -> None:
    jobs = [RunOptions().make_job(number) for number in (1, 1000, 1001, 10_000, 10_001)]
    assert [job.engine for job in jobs] == ["session", "session", "auto", "auto", "auto"]
    assert {job.cross_check for job in jobs[:4]} == {CrossCheck("all")}
    assert jobs[4].cross_check == CrossCheck("sample", 0.001)


LINES = [
    UNIQUE,
    "1" + UNIQUE[1:],  # no solution, as two clues show
    "..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..",  # none, as only a search shows
    UNIQUE[:40] + "x" + UNIQUE[41:],
    UNIQUE[:-1],
    UNIQUE.translate(str.maketrans("123456789", "ABCDEFGHI")),
    link(UNIQUE, "A title"),
    link(UNIQUE, circle=[{"cells": ["R1C1"]}]),
    "5...7.......1.5....98....6.8.......34..8....1....2...6.6....28....419.......8..7.",
    "1.....2..3.....4",
]
"""Every kind of line; where there are several solutions, there are two."""


@pytest.mark.slow
@pytest.mark.parametrize(("many", "options"), [(10_000, ["--json"]), (1_001, [])], ids=["JSON", "text"])
def test_ten_and_ten_thousand_lines_give_the_same_bytes_per_line(many: int, options: list[str], tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    outputs = []
    for number in (len(LINES), many):
        write_lines(path, [*LINES, *[seeds()[0]] * (number - len(LINES))])
        code, text, _ = output_of(path, "-q", *options)
        assert code == 2
        outputs.append(text.splitlines()[: len(LINES)])
    assert outputs[0] == outputs[1]
    assert {record.engine for record in islice(verify_many(path), 900, 910)} == {"lanes"}
    verdicts = [record.verdict for record in islice(verify_many(path), len(LINES))]
    assert verdicts == [
        *(
            "unique",
            "none",
            "none",
            "malformed",
            "malformed",
            "unique",
            "unique",
            "at most one",
            "multiple",
            "unique",
        )
    ]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Every kind of row of a table."""
    lines = [
        *(f"{UNIQUE},{UNIQUE_SOLUTION}", f"{UNIQUE},{UNIQUE_SOLUTION[::-1]}", f"1{'.' * 15},", f"11{'.' * 14},"),
        *("12x4............,", f"{UNIQUE},"),
    ]
    return write_lines(tmp_path / "table.csv", ["puzzle,solution", *lines])


def test_the_screen_and_files_hold_the_same(table: Path, tmp_path: Path) -> None:
    code, text, _ = output_of(table)
    assert code == 2
    assert output_of(table, "--engine", "session", "-j", "0")[:2] == (code, text)
    assert f"malformed\t{table}, line 6, column 3: " in text
    alone = records(table)
    assert [record["verdict"] for record in alone] == [
        *("unique", "unique", "multiple", "none", "malformed", "unique"),
    ]
    assert records(table, "--engine", "session", "-j", "0") == alone
    results = {form: tmp_path / f"result.{form}" for form in ("csv", "jsonl")}
    for result in results.values():
        assert output_of(table, "-o", result, "-j", "0")[0] == code
    in_file = [json.loads(line) for line in results["jsonl"].read_text().splitlines()]
    alone[4]["reason"] = alone[4]["reason"].removeprefix(f"{table}, ")
    assert in_file == alone
    from_csv = list(csv.DictReader(results["csv"].read_text().splitlines()))
    assert list(map(without_engine, from_csv)) == [
        {name: "" if value is None else str(value) for name, value in in_columns(record).items()} for record in in_file
    ]


def test_details_are_added_on_demand(table: Path) -> None:
    plain, detailed = records(table), records(table, "--details")
    names = ["backend", "encoding", "timings", "statistics", "geometry", "rules", "prose", "entries"]
    for short, long in zip(plain, detailed, strict=True):
        assert {name: long[name] for name in short} == short
        assert list(long)[len(short) :] == ([] if short["verdict"] == "malformed" else names)
    assert (detailed[0]["backend"], detailed[0]["encoding"]) == ("cadical153", "extended")
    assert detailed[0]["timings"].keys() == {"solve", "check", "reference"}
    (ruled,) = records(UNIQUE, "--details", "--rule", "anti-king")
    assert ruled["rules"]
    assert output_of(table, "--details", "-j", "0")[0] == 2


def test_more_puzzles_go_to_the_lanes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(crosscheck, "ONE_BY_ONE", 60)
    path = write_lines(tmp_path / "lines", puzzles(61))
    first = write_lines(tmp_path / "first", puzzles(60))
    assert {record.engine for record in verify_many(first)} == {"cadical153/extended"}
    engines = [record.engine for record in verify_many(path)]
    assert engines.count("lanes") > 50
    few, many = records(first), records(path)
    for row in (*few, *many):
        assert row["evidence"]["reference"] == ("not needed" if row["verdict"] == "multiple" else "agrees")
    monkeypatch.setattr(crosscheck, "ALL_CHECKED", 60)
    assert sum(record["evidence"]["reference"] == "agrees" for record in records(path)) < 5


def test_the_summary_is_the_same(table: Path, tmp_path: Path) -> None:
    lines = [
        next(line for line in output_of(table, *options)[2].splitlines() if line.startswith("6 puzzles: "))
        for options in ([], ["-j", "0"], ["-o", tmp_path / "result.csv", "-j", "0"])
    ]
    assert len({(line.split(";")[0], *line.split(";")[2:]) for line in lines}) == 1, lines
    assert "3 unique, 1 multiple, 1 none, 1 malformed" in lines[0]
    assert lines[0].endswith("stored solutions: right 1, wrong 1")
