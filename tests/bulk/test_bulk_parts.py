"""Parts on disk: what is resumed, and what is refused."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridproof.bulk.to_file import SIDECAR, Parts
from gridproof.errors import InputError
from gridproof.runs.tables import resolve_output
from gridproof.trust.record import Summary

OPTIONS = {"engine": "auto", "part-size": 3}


def parts_of(output: Path, *, resume: bool = True, **options: object) -> Parts:
    return Parts(output, {**OPTIONS, **options}, resume=resume)


def put(parts: Parts, *numbers: int) -> None:
    for number in numbers:
        summary = Summary(number, seconds=0.5)
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
        verified = parts.summary_of(4, "digest 4")
        assert verified is not None
        assert (verified.rows, verified.verdicts["unique"], verified.seconds) == (4, 4, 0.5)
        assert parts.summary_of(0, "digest 0") is None
        with pytest.raises(InputError, match="input has changed"):
            parts.summary_of(1, "digest 2")


def done_of(parts: Parts, number: int) -> list[bool]:
    """Which of the first parts are done."""
    return [parts.summary_of(k, f"digest {k}") is not None for k in range(number)]


def test_a_part_that_is_not_whole_or_not_there_is_done_again(tmp_path: Path) -> None:
    output = tmp_path / "result.jsonl"
    with parts_of(output) as parts:
        put(parts, 0, 2, 3, 4)
    (parts.folder / "part-000002.jsonl").write_bytes(b"row")
    (parts.folder / "part-000003.jsonl").unlink()
    (parts.folder / "part-000005.tmp").write_bytes(b"half")
    with parts_of(output) as parts:
        assert done_of(parts, 6) == [True, False, False, False, True, False]
        put(parts, 1, 2, 3)
        parts.join(5)
    assert output.read_bytes() == b"row 0\nrow 1\nrow 2\nrow 3\nrow 4\n"


@pytest.mark.parametrize(
    ("damage", "kept"),
    [
        (lambda data: data + b"half a r", 3),
        (lambda data: data[:-1], 2),
        (lambda data: data.replace(b"row 1", b"rwo 1"), 1),
        (lambda data: b"", 0),
    ],
)
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_what_was_joined_is_taken_over_as_far_as_it_is_whole(
    form: str, damage: Callable[[bytes], bytes], kept: int, tmp_path: Path
) -> None:
    output = tmp_path / f"result.{form}"
    with parts_of(output) as parts:
        put(parts, 0, 1, 2)
    whole = parts.folder / f"whole.{form}"
    expected = whole.read_bytes()
    whole.write_bytes(damage(expected))
    with parts_of(output) as parts:
        assert done_of(parts, 3) == [k < kept for k in range(3)]
        put(parts, *reversed(range(kept, 3)))
        parts.join(3)
    assert output.read_bytes() == expected


def test_a_part_that_is_joined_lies_in_the_result_only(tmp_path: Path) -> None:
    with parts_of(tmp_path / "result.jsonl") as parts:
        put(parts, 0, 2, 1)
        assert [path.name for path in parts.folder.glob("part-*")] == ["part-000002.jsonl"]
    assert (parts.folder / "whole.jsonl").read_bytes() == b"row 0\nrow 1\nrow 2\n"


def test_an_input_that_has_become_shorter_gives_a_shorter_result(tmp_path: Path) -> None:
    output = tmp_path / "result.jsonl"
    with parts_of(output) as parts:
        put(parts, 0, 1, 2)
    with parts_of(output) as parts:
        assert done_of(parts, 2) == [True, True]
        parts.join(2)
    assert output.read_bytes() == b"row 0\nrow 1\n"


def test_parts_of_an_earlier_run_are_not_thrown_away_by_default(tmp_path: Path) -> None:
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
    for resume in (True, False):  # the advice to resume, or to remove its folder, would damage a run that is at work
        with parts_of(tmp_path / "result.jsonl"), pytest.raises(InputError, match="another process is writing to"):
            parts_of(tmp_path / "result.jsonl", resume=resume)
    with parts_of(tmp_path / "result.jsonl"):
        pass


# ---- a damaged journal ---------------------------------------------------------------------------------------------


DAMAGES: dict[str, tuple[int, Callable[[list[bytes]], bytes]]] = {
    "a key of another name": (2, lambda lines: b"\n".join([*lines, b""]).replace(b'"part"', b'"prat"', 1)),
    "no options": (1, lambda lines: b"\n".join([*lines[1:], b""])),
    "deep nesting": (5, lambda lines: b"\n".join([*lines, b"[" * 100_000, b""])),
    "half a line": (3, lambda lines: b"\n".join([*lines[:2], lines[2][:40], lines[3], b""])),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_journal_is_one_sentence(name: str, tmp_path: Path) -> None:
    with parts_of(tmp_path / "result.jsonl") as parts:
        put(parts, 0, 1, 2)
    journal = parts.folder / "journal.jsonl"
    number, damage = DAMAGES[name]
    damaged = damage(journal.read_bytes().splitlines())
    assert damaged != journal.read_bytes()
    journal.write_bytes(damaged)
    with pytest.raises(InputError) as caught:
        parts_of(tmp_path / "result.jsonl")
    message = str(caught.value)
    assert f"journal.jsonl, line {number} is damaged: " in message
    assert message.endswith("expected it as gridproof wrote it, or remove that folder to start again")
    assert ("\n" in message, len(message) < 500) == (False, True)
    assert journal.read_bytes() == damaged, "it is left as it is, to be looked at"
    assert (parts.folder / "whole.jsonl").read_bytes() == b"row 0\nrow 1\nrow 2\n"


@st.composite
def mutations(draw: st.DrawFn) -> Callable[[bytes], bytes]:
    """Something that may happen to a file: bytes changed, lost, added, lines in another order or number."""
    kind = draw(st.sampled_from(["change", "lose", "add", "lines", "key", "value"]))
    share, other = draw(st.floats(0, 1)), draw(st.floats(0, 1))
    added = draw(st.one_of(st.binary(max_size=8), st.sampled_from([b"\n", b"{}\n", b"null", b"0", b'"', b"["])))
    order = draw(st.lists(st.integers(0, 4), max_size=6))

    def mutate(data: bytes) -> bytes:
        place, end = sorted((round(share * len(data)), round(other * len(data))))
        if kind == "change":
            return data[:place] + added + data[place + len(added) :]
        if kind == "lose":
            return data[:place] + data[end:]
        if kind == "add":
            return data[:place] + added + data[place:]
        lines = data.splitlines(keepends=True)
        if kind == "lines":
            return b"".join(lines[number] for number in order if number < len(lines))
        number = int(share * (len(lines) - 1))
        try:
            entry = json.loads(lines[number])
        except (ValueError, IndexError):
            return data
        if not isinstance(entry, dict) or not entry:
            return data
        name = sorted(entry)[int(other * (len(entry) - 1))]
        value = entry.pop(name)
        entry[f"{name}_" if kind == "key" else name] = value if kind == "key" else added.decode("latin-1")
        return b"".join([*lines[:number], json.dumps(entry).encode() + b"\n", *lines[number + 1 :]])

    return mutate


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(st.lists(mutations(), min_size=1, max_size=3))
def test_whatever_happens_to_a_journal_the_result_is_right_or_refused(changes: list[Callable[[bytes], bytes]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "result.jsonl")
        with parts_of(output) as parts:
            put(parts, 0, 2, 1)
        journal = parts.folder / "journal.jsonl"
        data = journal.read_bytes()
        for change in changes:
            data = change(data)
        journal.write_bytes(data)
        try:
            reopened = parts_of(output)
        except InputError:
            return
        total = Summary()
        with reopened as parts:
            for number in range(4):
                if (counted := parts.summary_of(number, f"digest {number}")) is None:
                    put(parts, number)
                    counted = parts.summary_of(number, f"digest {number}")
                assert counted is not None
                total.add(counted)
            parts.join(4)
        assert output.read_bytes() == b"row 0\nrow 1\nrow 2\nrow 3\n"
        assert (total.rows, total.verdicts) == (6, {"unique": 6})


# ---- parts that cannot become a result -----------------------------------------------------------------------------


def refused(output: Path) -> str:
    with pytest.raises(InputError) as caught:
        resolve_output(output, beside=SIDECAR)
    assert f"output {str(output)!r}: " in str(caught.value)
    return str(caught.value)


def test_a_link_stays_and_what_it_points_to_is_written(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = tmp_path / "result.jsonl"
    link.symlink_to(elsewhere / "real.jsonl")
    for content in (0, 1):
        with parts_of(link, resume=False) as parts:
            put(parts, content)
            assert parts.folder == elsewhere.resolve() / "real.jsonl.parts"
        with parts_of(link) as parts:
            assert len(parts) == 1
            if content:
                put(parts, 0)
            parts.join(content + 1)
    assert link.is_symlink()
    assert link.read_bytes() == b"row 0\nrow 1\n"
    assert [path.name for path in elsewhere.iterdir()] == ["real.jsonl"]


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    assert "folder.csv is a folder; expected the name of a file" in refused(tmp_path / "folder.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "folder.csv")
    assert "folder.csv is a folder" in refused(tmp_path / "link.csv")
    (tmp_path / "a.csv.summary.json").mkdir()
    assert "a.csv.summary.json is a folder" in refused(tmp_path / "a.csv")
    (tmp_path / "file").touch()
    assert "file is no folder" in refused(tmp_path / "file" / "a.csv")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.csv")
        assert "pipe.csv is a pipe or a device" in refused(tmp_path / "pipe.csv")
    assert not list(tmp_path.glob("*.parts"))


def test_a_folder_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)  # for root, nothing is forbidden
    assert f"{tmp_path} cannot be written to" in refused(tmp_path / "new" / "a.csv")
    monkeypatch.undo()

    def mkdir(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", mkdir)
    with pytest.raises(InputError, match=r"a\.csv\.parts: Permission denied; expected the name of a file"):
        parts_of(tmp_path / "a.csv")


def test_a_run_that_ends_early_leaves_its_parts_and_nothing_else(tmp_path: Path) -> None:
    def broken_off(*done: int) -> None:
        with parts_of(tmp_path / "result.jsonl") as parts:
            put(parts, *done)
            (parts.folder / "part-000001.tmp").write_bytes(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken_off()
    assert not list(tmp_path.iterdir())
    with pytest.raises(ZeroDivisionError):
        broken_off(0)
    verified = sorted(path.name for path in (tmp_path / "result.jsonl.parts").iterdir())
    assert verified == ["journal.jsonl", "whole.jsonl"]
