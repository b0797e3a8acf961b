"""Files as people have them: compressed, from another system, or of another kind than the command reads."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from cli_runner import run
from core_samples import UNIQUE, UNIQUE_SOLUTION
from gridproof import sources, text
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.sources import Source, lines_of

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
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_utf_16_is_read_everywhere(
    tmp_path: Path, mark: str, pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [UNIQUE, "# Ċ, whose bytes hold a line end, é, 😀", *[UNIQUE[k : k + 9] for k in range(0, 81, 9)]]
    for end in ("\n", "\r\n", "\r"):
        data = ("\ufeff" + end.join([*lines, ""])).encode(mark)
        path = tmp_path / "puzzles.txt"
        path.write_bytes(pack(data))
        expected = [(1, UNIQUE), (3, "\n".join(lines[2:]))]
        for source in (data, io.BytesIO(data), lines_of(path)):
            items = list(text.read(source))
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
        first, second = text.read(source)
        assert isinstance(second, PuzzleFormatError)
        assert (first.text, second.line, second.column) == (UNIQUE, 2, 81)


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
