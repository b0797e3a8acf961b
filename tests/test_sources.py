"""Files as people have them: compressed, from another system, or of another kind than the command reads."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from cli_runner import run
from core_samples import UNIQUE, UNIQUE_SOLUTION
from gridproof import text
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.sources import lines_of

TABLE = f"id,puzzle\r\n1,{UNIQUE}\r\n2,{UNIQUE_SOLUTION}\r\n".encode()


def zstd(data: bytes) -> bytes:
    packed: bytes = pytest.importorskip("zstandard").ZstdCompressor().compress(data)
    return packed


@pytest.mark.parametrize("packed", [bytes, gzip.compress, zstd])
def test_compressed_or_not(tmp_path: Path, packed: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "puzzles"
    path.write_bytes(packed(TABLE))
    items = list(text.read(lines_of(path)))
    assert [item.line for item in items] == [2, 3]
    for command, out in (("count", b"1\n1\n"), ("solve", f"{UNIQUE_SOLUTION}\n".encode())):
        done = run(command, str(path))
        assert (done.returncode, out in done.stdout) == (0, True)


def test_a_plain_file_is_given_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "puzzles"
    path.write_bytes(TABLE)
    assert list(lines_of(path)) == TABLE.splitlines(keepends=True)


@pytest.mark.parametrize("mark", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_said_once(tmp_path: Path, mark: str) -> None:
    data = f"\ufeff{UNIQUE}\n{UNIQUE}\n".encode(mark)
    (item,) = text.read(io.BytesIO(data))
    assert isinstance(item, PuzzleFormatError)
    assert (item.problem, item.expected, item.line) == ("text in UTF-16", "text in UTF-8", 1)
    path = tmp_path / "puzzles.txt"
    path.write_bytes(data)
    for bulk in ([], ["-o", str(tmp_path / "result.csv")]):
        done = run("verify", str(path), *bulk)
        assert done.returncode == 2
        assert done.stderr.count(b"text in UTF-16") == 1
        assert b"expected text in UTF-8" in done.stderr


def test_parquet_is_for_bulk(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "puzzles.parquet"
    parquet.write_table(arrow.table({"puzzle": [UNIQUE]}), path)
    with pytest.raises(InputError, match="is a Parquet file; expected text"):
        list(lines_of(path))
    for command in ("solve", "explain", "verify"):
        done = run(command, str(path))
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"is a Parquet file" in done.stderr
    assert run("verify", str(path), "-o", str(tmp_path / "result.csv")).returncode == 0


def test_of_a_damaged_archive_what_comes_before_is_read(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.gz"
    path.write_bytes(gzip.compress(f"{UNIQUE}\n".encode() * 3)[:-4])
    for bulk in ([], ["--jobs", "0"]):
        done = run("verify", str(path), *bulk)
        assert done.returncode == 2
        assert done.stdout.count(f"unique\t{UNIQUE_SOLUTION}\n".encode()) == 3
        assert b"damaged or cut off" in done.stdout + done.stderr
        assert b"Traceback" not in done.stderr


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder; expected a file"):
        list(lines_of(tmp_path))
