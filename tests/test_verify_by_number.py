"""``gridproof verify`` is one program: how many puzzles there are changes who answers, and nothing of what is said."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from bulk_samples import in_columns, puzzles, write_lines
from core_samples import UNIQUE, UNIQUE_SOLUTION
from gridproof import verify_many
from gridproof.bulk.many import by_number
from gridproof.cli import main
from gridproof.trust import crosscheck
from gridproof.trust.crosscheck import CrossCheck


def said(*arguments: object) -> tuple[int, str, str]:
    """The command in this process: its exit code, what goes to standard output, and to standard error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["verify", *map(str, arguments)])
    return code, out.getvalue(), err.getvalue()


def records(*arguments: object) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said("--json", *arguments)[1].splitlines()]


def test_the_rule() -> None:
    assert by_number(1) == by_number(1000) == ("session", CrossCheck("all"))
    assert by_number(1001) == by_number(10_000) == ("auto", CrossCheck("all"))
    assert by_number(10_001) == ("auto", CrossCheck("sample", 0.001))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Every kind of row, more of them than are answered one by one below."""
    lines = [
        *(f"{UNIQUE},{UNIQUE_SOLUTION}", f"{UNIQUE},{UNIQUE_SOLUTION[::-1]}", f"1{'.' * 15},", f"11{'.' * 14},"),
        *("12x4............,", f"{UNIQUE},"),
    ]
    return write_lines(tmp_path / "table.csv", ["puzzle,solution", *lines])


def test_one_by_one_and_many_at_a_time_say_the_same(table: Path, tmp_path: Path) -> None:
    code, text, _ = said(table)
    by_session = ("--engine", "session", "-j", "0")
    assert code == 2
    assert said(table, *by_session)[:2] == (code, text)
    assert f"malformed\t{table}, line 6, column 3: " in text
    alone = records(table)
    assert [record["verdict"] for record in alone] == [
        *("unique", "unique", "multiple", "none", "malformed", "unique"),
    ]
    only_alone = {"statistics", "geometry", "column"}
    in_bulk = records(table, *by_session)
    assert (alone[4].pop("input"), in_bulk[4].pop("input")) == ("x", "12x4............,")
    for one, other in zip(alone, in_bulk, strict=True):
        assert {name: value for name, value in one.items() if name not in only_alone} | {"timings": {}} == other
    results = {form: tmp_path / f"result.{form}" for form in ("csv", "jsonl")}
    for result in results.values():
        assert said(table, "-o", result, "-j", "0")[0] == code
    in_file = [json.loads(line) for line in results["jsonl"].read_text().splitlines()]
    for one, other in zip(alone, in_file, strict=True):
        assert set(one) - only_alone == set(other) - ({"input"} if one["verdict"] == "malformed" else set())
        same = set(one) & set(other) - {"timings", "reason"}
        assert {name: one[name] for name in same} == {name: other[name] for name in same}
        assert (one["reason"] or "").endswith(other["reason"] or "")
    from_csv = list(csv.DictReader(results["csv"].read_text().splitlines()))
    assert from_csv == [
        {name: "" if value is None else str(value) for name, value in in_columns(record).items()} for record in in_file
    ]


def test_more_puzzles_go_to_the_lanes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(crosscheck, "ONE_BY_ONE", 60)
    path = write_lines(tmp_path / "lines", puzzles(61))
    first = write_lines(tmp_path / "first", puzzles(60))
    few, many = records(first), records(path)
    assert (len(few), len(many)) == (60, 61)
    assert {record["backend"] for record in few} == {"cadical153"}
    assert {record["backend"] for record in many} <= {"lanes", "cadical153"}
    assert sum(record["backend"] == "lanes" for record in many) > 50
    assert [record["verdict"] for record in few] == [record["verdict"] for record in many[:60]]
    for row in (*few, *many):
        assert row["evidence"]["reference"] == ("not needed" if row["verdict"] == "multiple" else "agrees")
    monkeypatch.setattr(crosscheck, "ALL_CHECKED", 60)
    monkeypatch.setattr("gridproof.bulk.many.ALL_CHECKED", 1001)
    checked = [record for record in records(path) if record["evidence"]["reference"] == "agrees"]
    assert len(checked) < 5
    assert [record.engine for record in verify_many(first, engine=None)] == ["cadical153/extended"] * 60


def test_the_summary_is_the_same(table: Path, tmp_path: Path) -> None:
    lines = [
        next(line for line in said(table, *options)[2].splitlines() if line.startswith("6 puzzles: "))
        for options in ([], ["-j", "0"], ["-o", tmp_path / "result.csv", "-j", "0"])
    ]
    assert len({(line.split(";")[0], *line.split(";")[2:]) for line in lines}) == 1, lines
    assert "3 unique, 1 multiple, 1 none, 1 malformed" in lines[0]
    assert lines[0].endswith("stored solutions: right 1, wrong 1")
