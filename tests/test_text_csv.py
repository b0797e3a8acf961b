"""CSV: which columns, kept columns, quotes, and damage that stays in its record."""

from __future__ import annotations

import csv
import io
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridproof.errors import PuzzleFormatError
from gridproof.formats import Puzzle, SolutionWriter, read
from gridproof.puzzle.geometry import Geometry
from text_samples import GRID, LINE, NINE, ROWS, SOLUTION, error_of, items, only


def test_column_names() -> None:
    for name in ("puzzle", "question", "quizzes", "Puzzle", "QUESTION", '"Quizzes"', "quiz"):
        for answer in ("solution", "answer", "solutions", "Solution", "ANSWER"):
            puzzle = only(f"{name},{answer}\n{LINE},{SOLUTION}\n")
            assert (puzzle.solution, puzzle.format, puzzle.line, puzzle.text) == (GRID, "csv", 2, LINE)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiters(delimiter: str) -> None:
    head = delimiter.join(["source", "question", "answer", "rating"])
    puzzle = only(head + "\r\n" + delimiter.join(["someone", LINE, SOLUTION, "3.5"]) + "\r\n")
    assert puzzle.row == ("someone", LINE, SOLUTION, "3.5")
    assert puzzle.table is not None
    assert puzzle.table.header == ("source", "question", "answer", "rating")
    assert puzzle.solution == GRID


def test_a_column_alone() -> None:
    assert items(f"puzzle\n{LINE}\n\n# comment\n{LINE}\n") == [LINE, LINE]


def test_comments_and_blank_lines_before_the_header() -> None:
    assert items(f"\ufeff\n# a set\n\npuzzle,rating\n{LINE},1\n") == [LINE]


def test_no_answer() -> None:
    for record in (f"{LINE},", f"{LINE},  ", LINE, f'{LINE},""'):
        assert only(f"puzzle,solution\n{record}\n").solution is None
    assert only(f"puzzle\n{LINE}\n").solution is None


def test_a_table_needs_its_header() -> None:
    (error,) = read(f"{LINE},{SOLUTION}")
    assert isinstance(error, PuzzleFormatError)
    assert "puzzle,solution" in error.expected


def test_puzzles_in_other_forms() -> None:
    rows = "\n".join(ROWS)
    framed = "\n".join(["+---+---+---+", *[f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in ROWS]])
    numbers = " ".join(LINE)
    text = f'id,puzzle\n1,"{rows}"\n2,"{framed}"\n3,{numbers}\n4,"{LINE}"\n5,"{",".join(LINE)}"\n'
    assert items(text) == [LINE] * 5
    assert [item.line for item in read(text)] == [2, 11, 21, 22, 23]


def test_large_boards() -> None:
    numbers = " ".join(["36", *"." * 1295])
    puzzle = only(f"puzzle\n{numbers}\n")
    assert puzzle.board.geometry.order == 36


def test_a_quote_in_a_comment_opens_no_record() -> None:
    text = f'puzzle\n# "\n{LINE}\n  # say "this\n{LINE}\n'
    assert [item.line for item in read(text)] == [3, 5]


def test_end_is_no_end_in_a_table() -> None:
    assert items(f"name,puzzle\nend,{LINE}\n") == [LINE]


class TestPlaces:
    def test_a_wrong_character(self) -> None:
        bad = LINE[:7] + "x" + LINE[8:]
        for before in ("", "1,", '"a, b",', '"x",,'):
            head = ",".join(["c"] * before.replace("a, b", "").count(",") + ["puzzle"])
            error = error_of(f"{head}\n{before}{bad}\n")
            assert (error.line, error.column, error.text) == (2, len(before) + 8, "x")

    def test_inside_quotes(self) -> None:
        bad = LINE[:7] + "x" + LINE[8:]
        error = error_of(f'id,puzzle\n1,"{bad}"\n')
        assert (error.line, error.column) == (2, 11)
        rows = [*ROWS]
        rows[4] = rows[4][:3] + "x" + rows[4][4:]
        joined = "\n".join(rows)
        error = error_of(f'id,puzzle\n1,"{joined}"\n')
        assert (error.line, error.column) == (6, 4)

    def test_a_wrong_answer(self) -> None:
        for bad, column in ((SOLUTION[:80], 163), ("x" + SOLUTION[1:], 83), (LINE, 83), ("none", 83)):
            error = error_of(f"puzzle,solution\n{LINE},{bad}\n", NINE)
            assert error.line == 2
            assert error.column is not None
            assert 83 <= error.column <= column

    def test_an_answer_of_another_size(self) -> None:
        error = error_of(f"puzzle,solution\n{LINE},{'1234341221434321'}\n")
        assert (error.line, error.column) == (2, 83)
        assert "81 cells" in error.expected

    def test_too_few_fields(self) -> None:
        error = error_of("a,b,puzzle\n1,2\n")
        assert (error.line, error.column) == (2, 4)
        assert "a,b,puzzle" in error.expected

    def test_an_empty_field(self) -> None:
        error = error_of("id,puzzle\n1,\n")
        assert error.line == 2
        assert error.problem == "no puzzle"

    def test_several_puzzles_in_a_field(self) -> None:
        error = error_of(f'puzzle\n"{LINE}\n{LINE}"\n')
        assert error.line == 3
        assert "more than one" in error.problem


def test_a_header_that_is_not_utf8_is_shown_all_the_same() -> None:
    (error,) = read(b"a\xff,puzzle\n1")
    assert isinstance(error, PuzzleFormatError)
    assert "2 fields (a\\xff,puzzle)" in str(error)


BAD = (
    f'1,"{LINE}', f'1,{LINE[:40]}"{LINE[40:]}', f'"1,{LINE}', '"', "1", ",,,,,,", f"1,{LINE[:80]}",
    '1,"' + "x" * 200_000 + '"', "1," + "x" * 2_000_000, f"1,{LINE[:80]}é", f'1,"{LINE}" {LINE}',
)  # fmt: skip


class TestDamageStaysInItsRecord:
    @pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
    def test_of_many_kinds(self, bad: str) -> None:
        good = f"7,{LINE}"
        quoted = f'8,"{LINE}"'
        found = list(read("\n".join(["id,puzzle", good, quoted, bad, quoted, good, bad, good, ""])))
        assert [isinstance(item, Puzzle) for item in found] == [True, True, False, True, True, False, True]
        assert [item.line for item in found] == [2, 3, 4, 5, 6, 7, 8]

    def test_bytes_that_are_not_utf8(self) -> None:
        text = b"name,puzzle\nJos\xe9," + LINE.encode() + b"\nJos\xc3\xa9," + LINE.encode()
        assert items(text) == ["2:4", LINE]

    def test_a_damaged_grid_in_quotes_is_one_error(self) -> None:
        bad = "\n".join(ROWS[:8])
        good = "\n".join(ROWS)
        assert items(f'id,puzzle\n1,"{bad}"\n2,"{good}"\n') == ["2:4", LINE]

    def test_errors_know_their_record(self) -> None:
        (error,) = read(f"id,puzzle,more\n1,{LINE[:80]},x\n")
        assert isinstance(error, PuzzleFormatError)
        assert error.row == ("1", LINE[:80], "x")
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.row, again.table) == (str(error), error.row, error.table)


@settings(max_examples=100, deadline=None)
@given(
    others=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), min_size=1, max_size=4),
    delimiter=st.sampled_from(",;\t"),
)
def test_what_the_csv_module_writes_is_read_and_kept(others: list[str], delimiter: str) -> None:
    others = [other.replace("\r", "").replace("\x00", "") for other in others]
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(["puzzle", *[f"c{number}" for number, _ in enumerate(others)]])
    writer.writerow([LINE, *others])
    writer.writerow([LINE, *others])
    first, second = read(stream.getvalue(), NINE)
    assert isinstance(first, Puzzle)
    assert isinstance(second, Puzzle)
    assert first.row == second.row == (LINE, *others)
    stream = io.StringIO(newline="")
    SolutionWriter(stream).solution(first, GRID)
    _, record = csv.reader(io.StringIO(stream.getvalue(), newline=""), delimiter=delimiter)
    assert record == [LINE, *others, SOLUTION]


def test_geometry_is_asked_of_the_shape() -> None:
    geometry = Geometry.latin(9)
    assert only(f"puzzle\n{LINE}", geometry).board.geometry == geometry
    assert only(f"puzzle\n{LINE}", Geometry.latin).board.geometry == geometry
