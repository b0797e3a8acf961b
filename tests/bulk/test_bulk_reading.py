"""Bulk reading: the fast path reads every line just as ``gridproof.formats`` does; sources, tables, errors."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import random
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bulk.bulk_samples import CLASSIC, link, puzzles, seeds, write_lines
from gridproof import formats
from gridproof.bulk import chunks
from gridproof.bulk.chunks import find_lines
from gridproof.bulk.reading import Rows, cut_at_marks
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats import sources
from gridproof.formats.puzzle import given_text
from gridproof.formats.shapes import Shape, Shapes, Zero
from gridproof.formats.symbols import decode_characters
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

Row = tuple[Any, ...]

SOLUTION = "123456789" * 9


def slow_rows(data: bytes, shape: Shape, zero: Zero | None = None) -> list[Row]:
    verified: list[Row] = []
    for item in formats.read(io.BytesIO(data), shape, zero):
        if isinstance(item, PuzzleFormatError):
            verified.append(("malformed", item.line, item.reason))
        else:
            board = item.board
            verified.append(
                (board.clues, board.marks, board.geometry, item.line, item.text, item.solution, item.symbols)
            )
    return verified


def fast_rows(
    path: Path, shape: Shape, size: int = 1000, column: str | None = None, zero: Zero | None = None
) -> list[Row]:
    verified: list[Row] = []
    rows = Rows(path, Shapes(shape, zero), column)
    for index, chunk in enumerate(rows.chunks(size)):
        assert (chunk.index, chunk.first_row) == (index, len(verified) + 1)
        assert 0 < len(chunk) <= size
        here: list[Row | None] = [None] * len(chunk)
        lines = chunk.lines.tolist()
        for group in chunk.groups:
            for k, place in enumerate(group.places.tolist()):
                given = bytes(group.cells[k]).decode("ascii")
                clues = decode_characters(given, group.geometry.order)
                answer = None
                if group.answers is not None and group.answers[k].any():
                    answer = tuple(group.answers[k].tolist())
                assert here[place] is None
                here[place] = (clues, None, group.geometry, lines[place], given, answer, formats.Symbols.FROM_ONE)
        for place, item in chunk.items:
            assert here[place] is None
            if isinstance(item, PuzzleFormatError):
                here[place] = ("malformed", lines[place], item.reason)
                continue
            board = item.board
            here[place] = (
                board.clues, board.marks, board.geometry, lines[place], item.text, item.solution, item.symbols,
            )  # fmt: skip
        assert None not in here
        verified += [row for row in here if row is not None]
    rows.close()
    return verified


def random_line(rng: random.Random) -> bytes:
    p = rng.choice(seeds()).encode()
    rows = b"\n".join(p[k : k + 9] for k in range(0, 81, 9))
    return rng.choices(
        [
            p,
            p[: rng.randrange(82)],
            p[:40] + rng.choice([b"x", b"\xff", b"\r", b" ", b"#"]) + p[41:],
            b"",
            b"# comment",
            rows,
            rows[: 10 * rng.randrange(9)],
            rng.choice([b".", b"-", b"_", b"0"]) * 81,
            b"Grid 01",
            b"end",
            b".2" * 128,
            b"1" * 16,
            p + b" name 7",
            b"+---+---+---+",
            p + rng.choice([b"\r", b"\r\r", b" "]),
            p[:9],
            p + p,
            b"7" * 729,
            b"puzzle,solution",
            bytes(rng.randrange(256) for _ in range(rng.randrange(100))),
            p.replace(b".", rng.choice([b"x", b"?", b"0", b" "])),
            otherwise(p, rng),
            rows.replace(b".", rng.choice([b"x", b" ", b"0"])),
            otherwise(rows, rng),
            b"\n".join(rng.choice([b",", b"\t"]).join(row.split(b".")) for row in rows.split()),
            b":0000:x:" + p + b":::",
            rng.choice([b"https://example.org/?bd=" + p, b"https://sudokupad.app/abc", b"My puzzle:", b"<folder>"]),
            b" " * 9,
            link(
                rng.choice(seeds()), "Linked", **({"circle": [{"cells": ["R1C1"]}]} if rng.random() < 0.5 else {})
            ).encode(),
        ],
        [60, 4, 5, 3, 3, 4, 3, 3, 2, 0.3, 2, 1, 3, 2, 3, 3, 2, 1, 1, 3, 3, 6, 2, 3, 1, 2, 2, 1, 2],
    )[0]


def otherwise(given: bytes, rng: random.Random) -> bytes:
    """The same with zeros that are symbols or blanks, with letters, or with both kinds of blanks."""
    names, blank = rng.choice([(b"012345678", b"."), (b"012345678", b"-"), (b"ABCDEFGHI", b"0"), (b"123456780", b".")])
    if rng.random() < 0.5:
        given = given.replace(b"9", b".")
    if rng.random() < 0.5:
        return bytes(rng.choice(b".0") if code == ord(".") else code for code in given)
    return given.replace(b".", blank).translate(bytes.maketrans(b"123456789", names))


def random_record(rng: random.Random) -> bytes:
    p, s = rng.choice(seeds()).encode(), SOLUTION.encode()
    rows = b"\n".join(p[k : k + 9] for k in range(0, 81, 9))
    return rng.choices(
        [
            b"a," + p + b"," + s,
            b'"a","' + p + b'","' + s + b'"',
            b"a," + p + b",",
            b"a," + p,
            b'a,"' + p + b"," + s,
            b'"a,b",' + p + b"," + s,
            b"#a," + p + b"," + s,
            b" #a," + p + b"," + s,
            b"a," + p[:50] + b"," + s,
            b"a," + p + b"," + s[:30],
            b"a," + p + b",." + s[1:],
            b'a,"' + rows + b'",' + s,
            b"",
            b"\xff," + p + b"," + s,
            b"a," + p + b"," + s + b",x,y",
            b"a," + p.replace(b"1", b"x") + b"," + s,
            b'a"b"c,' + p + b"," + s,
            "é,".encode() + p + b"," + s,
            b"\0," + p + b"," + s,
            random_line(rng),
            b"a," + otherwise(p, rng) + b"," + otherwise(s, rng),
        ],
        [60, 4, 3, 2, 2, 2, 2, 2, 3, 3, 2, 3, 2, 2, 2, 3, 2, 2, 1, 5, 8],
    )[0]


@pytest.mark.parametrize("seed", range(60))
def test_every_line_is_read_as_the_slow_reader_reads_it(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    number = rng.randrange(70)
    if rng.random() < 0.5:
        share = rng.choice([0.1, 1.0])
        lines = [random_line(rng) if rng.random() < share else rng.choice(seeds()).encode() for _ in range(number)]
    else:
        lines = [b"a,puzzle,solution", *[random_record(rng) for _ in range(number)]]
    end = rng.choice([b"\n", b"\n", b"\r\n", b"\r"])
    data = b"\n".join(lines).replace(b"\n", end) + (end if rng.random() < 0.8 else b"")
    if rng.random() < 0.1:
        data = b"\xef\xbb\xbf" + data
    shapes: list[Shape] = [Geometry.standard, CLASSIC, Geometry.classic(4), Geometry.latin]
    shape = rng.choice(shapes)
    monkeypatch.setattr(sources, "BLOCK", rng.choice([7, 100, 500, 3000, 1 << 20]))
    path = tmp_path / "input"
    path.write_bytes(data)
    zero: Zero | None = rng.choice([None, None, "blank", "symbol"])
    assert fast_rows(path, shape, rng.choice([1, 7, 1000]), zero=zero) == slow_rows(data, shape, zero)


def test_the_fast_path_is_taken(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "lines", puzzles(100))
    path.write_bytes(path.read_bytes() + b"damaged" * 12 + b"\n" + puzzles(1)[0].encode() + b"\n")
    (chunk,) = Rows(path, Shapes(Geometry.standard)).chunks(1000)
    assert len(chunk.groups[0].places) == 101
    assert [(place, type(item)) for place, item in chunk.items] == [(100, PuzzleFormatError)]
    table = tmp_path / "table.csv"
    table.write_text("quizzes,solutions\n" + "".join(f'"{p}","{SOLUTION}"\n{p},{SOLUTION}\n' for p in puzzles(50)))
    (chunk,) = Rows(table, Shapes(Geometry.standard)).chunks(1000)
    assert len(chunk.groups[0].places) == len(chunk) == 100
    assert chunk.groups[0].answers is not None
    assert chunk.groups[0].answers.all()


class _Dribble(io.RawIOBase):
    """Gives one byte at a time, as a pipe may."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._data.read(1)
        buffer[: len(data)] = data
        return len(data)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input_that_comes_slowly(pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    data = "\n".join(puzzles(5)).encode()
    for wanted in (data, b"7", b""):
        stream = io.BufferedReader(_Dribble(pack(wanted)))
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
        with sources.Source("-") as source:
            assert b"".join(source.blocks()) == (wanted + b"\n" if wanted else b"")


def test_a_cut_before_the_first_line_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress("\n".join(puzzles(500)).encode())[:20])
    with pytest.raises(InputError, match="cut off"):
        fast_rows(path, CLASSIC)


def test_column_by_name(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    one, other = puzzles(2)
    path.write_text(f"Puzzle;mine;answer\n{other};{one};\nx;{one[:80]};\n")
    rows = fast_rows(path, Geometry.standard, column="MINE")
    assert rows[0][4] == one
    assert rows[1][:2] == ("malformed", 3)
    with pytest.raises(InputError, match=r"'Puzzle;mine;answer'; expected the column 'his'"):
        fast_rows(path, Geometry.standard, column="his")


def test_a_line_without_end_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "input"
    path.write_bytes((puzzles(1)[0] + "\n").encode() + b"7" * 100_000)
    monkeypatch.setattr(sources, "BLOCK", 1000)
    assert [row[0] == "malformed" for row in fast_rows(path, CLASSIC)] == [False, True]
    monkeypatch.setattr(sources, "LONGEST_LINE", 50_000)
    with pytest.raises(InputError, match="a line of more than"):
        fast_rows(path, CLASSIC)


def test_parquet(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    lines = puzzles(60)
    values: list[str | None] = [*lines, None, "", "x" * 81, "12", lines[0].replace(".", "0")]
    values.append("\n".join(lines[0][k : k + 9] for k in range(0, 81, 9)))
    answers: list[str | None] = [SOLUTION if k % 2 else None for k in range(len(values))]
    answers[3] = "123"
    for kind in (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        path = tmp_path / "table.parquet"
        table = pa.table({"id": range(len(values)), "quizzes": pa.array(values, kind), "solutions": answers})
        parquet.write_table(table, path, row_group_size=17)
        rows = fast_rows(path, Geometry.standard, 10)
        assert len(rows) == len(values)
        wrong = [place for place, row in enumerate(rows) if row[0] == "malformed"]
        assert wrong == [3, 60, 61, 62, 63]
        assert "line" not in rows[3][2].split(":")[0]
        assert rows[64][0] == rows[65][0] == rows[0][0]
        assert [row[5] is None for row in rows[4:60]] == [k % 2 == 0 for k in range(4, 60)]
    with pytest.raises(InputError, match="expected text"):
        fast_rows(path, Geometry.standard, column="id")
    with pytest.raises(InputError, match="'id', 'quizzes', 'solutions'; expected the column 'puzzles'"):
        fast_rows(path, Geometry.standard, column="puzzles")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes of POSIX")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_named_pipe(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """Its first bytes may come alone; there is nothing to be known by when it is read again."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with through(path, pack("\n".join(puzzles(5)).encode())):
        rows = Rows(path, Shapes(CLASSIC))
        try:
            assert sum(map(len, rows.chunks(2))) == 5
        finally:
            rows.close()


@contextmanager
def through(path: Path, data: bytes) -> Iterator[None]:
    """Somebody writes this into a named pipe, the first byte alone."""

    def write() -> None:
        with path.open("wb", buffering=0) as pipe:
            pipe.write(data[:1])
            pipe.write(data[1:])

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    yield
    writer.join(timeout=10)
    assert not writer.is_alive()


def test_values(tmp_path: Path) -> None:
    lines = puzzles(5)
    board = Board(Geometry.classic(2), (1,) + (0,) * 15)
    values: list[str | Board] = [*lines, "what?", "é" * 81, board, lines[0] + "\n"]
    (chunk,) = Rows(iter(values), Shapes(Geometry.standard)).chunks(100)
    assert len(chunk) == 9
    texts = [(place, given_text(item)) for place, item in chunk.items]
    assert texts == [(5, "what?"), (6, "é" * 81), (7, "1" + "." * 15)]
    assert chunk.groups[0].places.tolist() == [0, 1, 2, 3, 4, 8]


def test_values_that_are_neither_texts_nor_boards() -> None:
    values: list[Any] = [puzzles(1)[0].encode(), 7, {1: "x" * 2000}, None, "", float("nan")]
    (chunk,) = Rows(values, Shapes(CLASSIC)).chunks(100)
    assert chunk.groups[0].places.tolist() == [0]
    number, mapping, *nothing = [item for _, item in chunk.items if isinstance(item, PuzzleFormatError)]
    assert number.reason.startswith("a value of type int: '7'; expected a puzzle: a text, a Board, ")
    assert [given_text(item) for _, item in chunk.items] == ["7", repr(values[2])[:1000], "", "", ""]
    assert [place for place, _ in chunk.items] == [1, 2, 3, 4, 5]
    assert len(mapping.given) == 1000
    assert all("no puzzle" in item.reason for item in nothing)


def test_different_inputs_have_different_digests(tmp_path: Path) -> None:
    lines = puzzles(50)
    digests = set()
    for changed in (lines, lines[::-1], [*lines[:-1], lines[0]], [*lines[:-1], "x"], ["", *lines]):
        path = write_lines(tmp_path / "lines", changed)
        first, second = (next(Rows(path, Shapes(CLASSIC)).chunks(1000)).digest() for _ in range(2))
        assert first == second
        digests.add(first)
    assert len(digests) == 5


@pytest.mark.parametrize("column", ["rules", "solution"])
def test_each_column_that_a_result_depends_on_is_in_the_digest(column: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    digests = set()
    for value in ("", "one", "two"):
        path.write_text(f"puzzle,{column}\n{puzzles(1)[0]},{value}\n", encoding="utf-8")
        digests.add(next(Rows(path, Shapes(CLASSIC)).chunks(1000)).digest())
    assert len(digests) == 3


def test_boards_without_cells_in_an_array_are_errors() -> None:
    (chunk,) = Rows(np.zeros((2, 0, 0), dtype=int), Shapes(CLASSIC)).chunks(100)
    assert [type(item) for _, item in chunk.items] == [PuzzleFormatError, PuzzleFormatError]


def test_records_are_cut_at_their_delimiters() -> None:
    data = b"ab,c\nd\ne,f\n"
    lines = find_lines(data)
    records = [0, 2]
    starts, ends = lines.starts[records], lines.ends[records]
    first, second = cut_at_marks(starts, ends, np.array([2, 8]), np.array([0, 1]), columns=2).tolist()
    assert first == [[0, 7], [2, 8]]
    assert second == [[3, 9], [4, 10]]
    assert [data[start:end] for column in (first, second) for start, end in zip(*column, strict=True)] == [
        b"ab",
        b"e",
        b"c",
        b"f",
    ]


@pytest.mark.parametrize("line", ["12..", "1200", "3.4.", "4321", "12*.", "1.0.", "12/.", "15..", "1-2.", "a12."])
def test_arithmetic_on_characters_finds_what_the_table_finds(line: str) -> None:
    characters = np.frombuffer(b"1234" + line.encode(), np.uint8).reshape(2, 4)
    usual = chunks.decode_usual(characters, 4)
    if set(line) <= set(".1234") or set(line) <= set("01234"):
        assert usual is not None
        assert usual.tolist() == chunks.to_symbols(characters, 4).tolist()
    else:
        assert usual is None


def test_grids_are_encoded_alike_with_and_without_blanks() -> None:
    grids = np.array([[1, 2, 3, 4], [4, 3, 2, 1]], np.uint8)
    assert chunks.encode_grids(grids, 4).tobytes() == b"12344321"
    assert chunks.encode_grids(grids * (grids > 1), 4).tobytes() == b".234432."
    assert chunks.encode_grids(grids, 12).tobytes() == b"12344321"


def test_symbols_stay_in_the_process_that_found_them() -> None:
    shapes = Shapes(Geometry.standard)
    group = chunks.easy_rows(shapes, chunks.find_lines(SOLUTION.replace("7", ".").encode() + b"\n"))
    assert group is not None
    assert group.decoded is not None
    copy = pickle.loads(pickle.dumps(group))
    assert copy.decoded is None
    assert copy.symbols.tolist() == group.decoded.tolist()
