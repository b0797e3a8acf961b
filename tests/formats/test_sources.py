"""Files as people have them: compressed, from another system, or of another kind than the command reads."""

from __future__ import annotations

import gzip
import io
import random
import re
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

import gridproof
from cli_runner import run
from core_samples import UNIQUE, UNIQUE_SOLUTION
from gridproof import formats
from gridproof.cli import main
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.experiments.sets import load_sets
from gridproof.formats import sources
from gridproof.formats.sources import Source, lines_of

TABLE = f"id,puzzle\r\n1,{UNIQUE}\r\n2,{UNIQUE_SOLUTION}\r\n".encode()


def zstd(data: bytes, **options: bool) -> bytes:
    packed: bytes = pytest.importorskip("zstandard").ZstdCompressor(**options).compress(data)
    return packed


@pytest.mark.slow
@pytest.mark.parametrize("packed", [bytes, gzip.compress, zstd])
def test_compressed_or_not(tmp_path: Path, packed: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "puzzles"
    path.write_bytes(packed(TABLE))
    assert [item.line for item in formats.read(lines_of(path))] == [2, 3]
    for command, out in (("count", b"1\n1\n"), ("solve", f"{UNIQUE_SOLUTION}\n".encode())):
        done = run(command, str(path))
        assert (done.returncode, out in done.stdout) == (0, True)


@pytest.mark.parametrize("mark", ["\ufeff", ""])
@pytest.mark.parametrize("code", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_utf_16_is_read_everywhere(
    tmp_path: Path, code: str, mark: str, pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [UNIQUE, "# Ċ, whose bytes hold a line end, é, 😀", *[UNIQUE[k : k + 9] for k in range(0, 81, 9)]]
    for end in ("\n", "\r\n", "\r"):
        data = (mark + end.join([*lines, ""])).encode(code)
        path = tmp_path / "puzzles.txt"
        path.write_bytes(pack(data))
        expected = [(1, UNIQUE), (3, "\n".join(lines[2:]))]
        for source in (data, io.BytesIO(data), lines_of(path)):
            items = list(formats.read(source))
            assert [(item.line, item.text) for item in items] == expected
            assert not any(isinstance(item, PuzzleFormatError) for item in items)
        for size in (7, 100, 1 << 22):
            monkeypatch.setattr(sources, "BLOCK", size)
            with Source(path) as opened:
                assert b"".join(opened.blocks()).decode() == "\n".join([*lines, ""])


def test_utf_16_that_is_cut_off_is_no_traceback(tmp_path: Path) -> None:
    data = f"\ufeff{UNIQUE}\n{UNIQUE}".encode("utf-16-le")[:-1]
    path = tmp_path / "puzzles.txt"
    path.write_bytes(data)
    for source in (data, lines_of(path)):
        first, second = formats.read(source)
        assert isinstance(second, PuzzleFormatError)
        assert (first.text, second.line, second.column) == (UNIQUE, 2, 81)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_an_endless_line_is_refused_from_files_and_from_standard_input(
    pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "LONGEST_LINE", 10_000)
    monkeypatch.setattr(sources, "BLOCK", 5_000)
    path = tmp_path / "puzzles"
    path.write_bytes(pack(TABLE + b"\0" * 30_000))
    for source in (path, "-"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
        with pytest.raises(InputError, match="a line of more than 0 MB; expected lines of puzzles"):
            list(lines_of(source))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_blank_lines_without_end_are_refused(
    pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "LONGEST_GAP", 10_000)
    monkeypatch.setattr(sources, "BLOCK", 3_000)
    path = tmp_path / "puzzles"
    path.write_bytes(pack(TABLE + b"\n" * 5_000 + TABLE))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert b"".join(lines_of("-")).replace(b"\r", b"") == b"".join(lines_of(path)).replace(b"\r", b"")
    path.write_bytes(pack(TABLE + b"\n" * 30_000))
    for source in (path, "-"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
        with pytest.raises(InputError, match="of blank lines; expected puzzles"):
            list(lines_of(source))


@pytest.mark.slow
def test_blank_lines_cost_next_to_nothing() -> None:
    text = f"{UNIQUE}\n" + "\n" * 2_000_000 + UNIQUE
    started = process_time()
    assert [item.line for item in formats.read(text)] == [1, 2_000_002]
    assert [record.line for record in gridproof.verify_many(text)] == [1, 2_000_002]
    assert process_time() - started < 2


@pytest.mark.slow
def test_parquet_is_for_commands(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "puzzles.parquet"
    parquet.write_table(arrow.table({"puzzle": [UNIQUE]}), path)
    with pytest.raises(InputError, match="is a Parquet file; expected text"):
        list(lines_of(path))
    for command in ("solve", "explain", "verify"):
        assert run(command, str(path)).returncode == 0


ROWS = "\n".join(UNIQUE[start : start + 9] for start in range(0, 81, 9)) + "\n"
"""A puzzle that is settled only when nothing follows."""


def flipped(packed: bytes, place: int) -> bytes:
    return packed[:place] + bytes([packed[place] ^ 0x10]) + packed[len(packed) + place + 1 :]


DAMAGED = flipped(gzip.compress(ROWS.encode()), -8)
"""Damaged in its check sum."""


@pytest.mark.parametrize(
    ("command", "shown"),
    [("verify -q -j 0", UNIQUE_SOLUTION), ("solve -q", UNIQUE_SOLUTION[:9]), ("certify -q -o", "unique\t")],
)
def test_puzzles_before_a_cut_are_not_lost(
    command: str, shown: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it comes from; then the cut is one malformed puzzle, and other inputs are read all the same."""
    monkeypatch.chdir(tmp_path)
    packed = gzip.compress(ROWS.encode())[:-8]
    Path("whole").write_text(ROWS)
    Path("puzzles").write_bytes(packed)
    once = 0
    for number, given in enumerate((["whole"], ["puzzles"], ["-"], ["puzzles", "whole"])):
        if len(given) > 1 and "-j" in command:
            continue
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(packed)))
        words = [*command.split(), *([f"proofs{number}"] if command.endswith("-o") else [])]
        code = main([*words, *given])
        out, err = capsys.readouterr()
        once = once or out.count(shown)
        assert once
        assert (code, out.count(shown)) == (2 if number else 0, once * len(given)), out + err
        assert ("cut off after 9 lines" in out + err) == bool(number)


@pytest.mark.parametrize("command", [["compile"], ["tree", "-o", "tree.svg"]], ids=" ".join)
def test_where_one_puzzle_is_expected_a_damage_is_no_second_one(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("puzzles").write_bytes(DAMAGED)
    assert main([*command, "puzzles"]) == 2
    out, err = capsys.readouterr()
    assert (out, "damaged compressed data" in err) == ("", True)


def test_a_damaged_set_is_not_compared(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.gz"
    path.write_bytes(DAMAGED)
    with pytest.raises(InputError, match=r"puzzles\.gz: damaged compressed data .*; expected a whole"):
        load_sets([path])


def given_of(path: Path) -> tuple[bytes, str]:
    """The bytes that ``Source`` gives of a file, and the error of its damage."""
    with Source(path) as source:
        return b"".join(source.blocks()), str(source.damage)


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: zstd(data, write_checksum=True)], ids=["gzip", "zstd"])
def test_damage_is_reported_with_the_number_of_lines_before_it(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    rng = random.Random(0)
    data = b"".join(bytes(rng.choices(b".123456789", k=81)) + b"\n" for _ in range(9000))
    packed, path = pack(data), tmp_path / "puzzles"
    for damaged in (packed[: len(packed) // 2], packed[:-5], flipped(packed, -4)):
        path.write_bytes(damaged)
        given, message = given_of(path)
        assert data.startswith(given)
        assert given.endswith(b"\n")
        kind = "compressed data that are cut off" if len(damaged) < len(packed) else r"damaged compressed data \(.*\)"
        lines = given.count(b"\n")
        assert re.fullmatch(f"{kind} after {lines:,} lines: '.*'; expected a whole compressed file", message)
        assert lines > 3000


def test_frames_and_members_one_after_the_other(tmp_path: Path) -> None:
    path, lines = tmp_path / "puzzles", UNIQUE.encode() + b"\n"
    for pack in (gzip.compress, zstd, lambda data: zstd(data, write_checksum=True, write_content_size=False)):
        path.write_bytes(pack(lines) + pack(b"") + pack(lines * 3000) + bytes(20))
        assert given_of(path) == (lines * 3001, "None")
    skippable = b"\x50\x2a\x4d\x18\x04\0\0\0skip"
    path.write_bytes(zstd(lines) + skippable + zstd(lines))
    assert given_of(path) == (lines * 2, "None")
