"""Columns of the reader's own beside the verdicts, and Parquet files read puzzle by puzzle."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import gridproof
from cli_runner import Command
from gridproof import Puzzle
from gridproof.bulk import many
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.runs import tables

UNIQUE, SEVERAL, DAMAGED = "1.....2..3.....4", "1...............", "1...x..2.3.....4"
PUZZLES = [UNIQUE, DAMAGED, SEVERAL, UNIQUE, "", SEVERAL, UNIQUE]
VERDICTS = ["unique", "malformed", "multiple", "unique", "malformed", "multiple", "unique"]
NAMES = ["a", "b,\nc", 'd"', "", "e", "é", "g"]


def write_input(path: Path) -> Path:
    """A table with columns of its own, in the form of its name."""
    rows = []
    for number, (puzzle, name) in enumerate(zip(PUZZLES, NAMES, strict=True), 1):
        rows.append({"id": number, "puzzle": puzzle, "name": name, "solution": ""})
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    else:
        pyarrow = pytest.importorskip("pyarrow.parquet")
        pyarrow.write_table(pytest.importorskip("pyarrow").Table.from_pylist(rows), path)
    return path


def read_output(path: Path) -> list[dict[str, Any]]:
    return tables.read(path)


@pytest.mark.parametrize("before", [".csv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("after", [".csv", ".jsonl", ".parquet"])
def test_columns_stay_with_their_rows(
    before: str, after: str, call: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(many, "PART_SIZE", 2)
    monkeypatch.setattr(many, "SESSION_PART_SIZE", 2)
    source = write_input(tmp_path / f"input{before}")
    plain, kept = tmp_path / f"plain{after}", tmp_path / f"kept{after}"
    assert call("verify", source, "-q", "-j0", "-o", plain).code == 2
    assert call("verify", source, "-q", "-j0", "-o", kept, "--keep", "name,id").code == 2
    rows = read_output(kept)
    assert list(rows[0])[:2] == (["row", "line"] if after == ".jsonl" else ["name", "id"])
    assert [str(row["id"]) for row in rows] == ["1", "2", "3", "4", "5", "6", "7"]
    assert [row["verdict"] for row in rows] == VERDICTS
    names = [row.pop("name") or "" for row in rows]
    assert [" ".join(name.replace("\\n", "\n").split()) for name in names] == [" ".join(name.split()) for name in NAMES]
    for row in rows:
        del row["id"]
    assert rows == read_output(plain)


def test_a_run_that_stopped_goes_on(call: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "SESSION_PART_SIZE", 2)
    monkeypatch.setattr(many, "PART_SIZE", 2)
    source = write_input(tmp_path / "input.csv")
    whole, output = tmp_path / "whole.csv", tmp_path / "kept.csv"
    call("verify", source, "-q", "-j0", "-o", whole, "--keep", "all")
    from gridproof.bulk.to_file import Parts

    put = Parts.put

    def fail_later(parts: Parts, index: int, *rest: Any) -> None:
        put(parts, index, *rest)
        if index == 1:
            raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(Parts, "put", fail_later)
        with pytest.raises(MemoryError):
            call("verify", source, "-q", "-j0", "-o", output, "--keep", "all")
    other = call("verify", source, "-q", "-j0", "-o", output, "--keep", "id", "--resume")
    assert "keep = ['id', 'name']" in other.err
    assert (
        call("verify", source, "-j0", "-o", output, "--keep", "all", "--resume").err.count("4 from an earlier run") == 1
    )
    assert output.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--keep", "no-such"], "keep 'no-such': no such column"),
        (["--keep", "puzzle"], "keep 'puzzle': a column of this name is written"),
        (["--keep", ","], "expected names with commas between them"),
    ],
)
def test_what_cannot_be_kept(arguments: list[str], message: str, call: Command, tmp_path: Path) -> None:
    source = write_input(tmp_path / "input.csv")
    done = call("verify", source, "-o", tmp_path / "out.csv", *arguments)
    assert done.code == 2
    assert message in done.err
    assert not list(tmp_path.glob("out.csv*"))


def test_only_a_file_is_read_twice(call: Command, tmp_path: Path) -> None:
    assert "expected a table in a file" in call("verify", "-", "-o", tmp_path / "o.csv", "--keep", "id", stdin="").err
    assert "--keep without --output" in call("verify", write_input(tmp_path / "i.csv"), "--keep", "id").err


def test_python_reads_parquet_puzzle_by_puzzle(tmp_path: Path) -> None:
    items = list(gridproof.read(write_input(tmp_path / "input.parquet")))
    assert [isinstance(item, Puzzle) for item in items] == [word != "malformed" for word in VERDICTS]
    assert isinstance(items[0], Puzzle)
    assert items[0].columns["id"] == 1
    assert isinstance(items[1], PuzzleFormatError)
    assert (items[1].line, items[1].column) == (2, 5)
    own = list(gridproof.read(tmp_path / "input.parquet", column="name"))
    assert all(isinstance(item, PuzzleFormatError) for item in own)
    (tmp_path / "damaged.parquet").write_bytes(b"PAR1 and nothing more")
    with pytest.raises(InputError, match="expected a Parquet file"):
        list(gridproof.read(tmp_path / "damaged.parquet"))


def test_a_damaged_parquet_file_is_refused_with_columns_to_keep_as_without(call: Command, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    source = tmp_path / "input.parquet"
    source.write_bytes(b"PAR1, and no table")
    for options in ([], ["--keep", "id"]):
        done = call("verify", source, "-o", tmp_path / "result.csv", *options)
        assert (done.code, done.out) == (2, "")
        assert "expected a Parquet file" in done.err
        assert "Traceback" not in done.err
