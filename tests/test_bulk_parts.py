"""Parts on disk: what is resumed, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gridproof.bulk.parts import Parts
from gridproof.bulk.results import Summary
from gridproof.errors import InputError

OPTIONS = {"engine": "auto", "part-size": 3}


def parts_of(output: Path, *, resume: bool = True, **options: object) -> Parts:
    return Parts(output, {**OPTIONS, **options}, resume=resume, timings=False)


def put(parts: Parts, *numbers: int) -> None:
    for number in numbers:
        summary = Summary(number, slowest=[(0.5, number, "...")])
        summary.verdicts["unique"] = number
        parts.put(number, f"digest {number}", b"row %d\n" % number, summary)


def test_parts_are_joined_in_order_and_removed(tmp_path: Path) -> None:
    output = tmp_path / "result.jsonl"
    with parts_of(output, resume=False) as parts:
        put(parts, 2, 0, 1)
        parts.join(3)
    assert output.read_bytes() == b"row 0\nrow 1\nrow 2\n"
    assert [path.name for path in tmp_path.iterdir()] == ["result.jsonl"]


def test_a_csv_result_has_a_header_even_without_rows(tmp_path: Path) -> None:
    output = tmp_path / "result.csv"
    with parts_of(output) as parts:
        parts.join(0)
    assert output.read_text().startswith("row,line,puzzle,verdict,")


def test_what_is_done_is_known_again(tmp_path: Path) -> None:
    output = tmp_path / "result.jsonl"
    with parts_of(output) as parts:
        put(parts, 4, 1)
    with parts_of(output) as parts:
        assert len(parts) == 2
        found = parts.summary_of(4, "digest 4")
        assert found is not None
        assert (found.rows, found.verdicts["unique"], found.slowest) == (4, 4, [(0.5, 4, "...")])
        assert parts.summary_of(0, "digest 0") is None
        with pytest.raises(InputError, match="input has changed"):
            parts.summary_of(1, "digest 2")


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_journal_that_was_cut_off_loses_its_last_part_only(cut: int, tmp_path: Path) -> None:
    output = tmp_path / "result.jsonl"
    with parts_of(output) as parts:
        put(parts, 0, 1)
    journal = parts.folder / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-cut])
    with parts_of(output) as parts:
        assert len(parts) == 1
        put(parts, 1, 2)
    with parts_of(output) as parts:
        assert len(parts) == 3
        assert all(json.loads(line) for line in journal.read_text().splitlines())
        parts.join(3)
    assert output.read_bytes() == b"row 0\nrow 1\nrow 2\n"


def test_a_journal_that_was_cut_off_in_its_first_line_is_none(tmp_path: Path) -> None:
    with parts_of(tmp_path / "result.jsonl") as parts:
        put(parts, 0)
    journal = parts.folder / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:20])
    with parts_of(tmp_path / "result.jsonl") as parts:
        assert len(parts) == 0
        assert not list(parts.folder.glob("part-*"))


def test_a_part_that_is_not_whole_or_not_there_is_done_again(tmp_path: Path) -> None:
    with parts_of(tmp_path / "result.jsonl") as parts:
        put(parts, 0, 1, 2)
    (parts.folder / "part-000001.jsonl").write_bytes(b"row")
    (parts.folder / "part-000002.jsonl").unlink()
    (parts.folder / "part-000003.tmp").write_bytes(b"half")
    with parts_of(tmp_path / "result.jsonl") as parts:
        assert [parts.summary_of(k, f"digest {k}") is not None for k in range(4)] == [True, False, False, False]


def test_parts_of_an_earlier_run_are_not_thrown_away_unasked(tmp_path: Path) -> None:
    with parts_of(tmp_path / "result.jsonl") as parts:
        put(parts, 0)
    with pytest.raises(InputError, match="--resume"):
        parts_of(tmp_path / "result.jsonl", resume=False)


def test_other_options_are_another_run(tmp_path: Path) -> None:
    with parts_of(tmp_path / "result.jsonl") as parts:
        put(parts, 0)
    with pytest.raises(InputError, match=r"engine = 'auto', this one has 'session'"):
        parts_of(tmp_path / "result.jsonl", engine="session")
    with pytest.raises(InputError, match=r"more = None, this one has 1"):
        parts_of(tmp_path / "result.jsonl", more=1)


def test_only_one_run_at_a_time(tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="files are locked by fcntl, which this system has not")
    with parts_of(tmp_path / "result.jsonl"), pytest.raises(InputError, match="another process"):
        parts_of(tmp_path / "result.jsonl")
    with parts_of(tmp_path / "result.jsonl"):
        pass


@pytest.mark.parametrize("name", ["result", "result.txt", "result.csv.zip"])
def test_endings_that_say_nothing(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.parquet, \.csv or \.jsonl"):
        parts_of(tmp_path / name)
    assert not list(tmp_path.iterdir())
