"""CSV: which columns, kept columns, quotes, and damage that stays in its record."""

from __future__ import annotations

import csv
import io
import pickle

import pandas
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridproof
from formats.notations import GRID, LINE, NINE, ROWS, SOLUTION, items, only
from gridproof.errors import NotUnderstoodError, PuzzleFormatError
from gridproof.formats import Puzzle, SolutionWriter, read
from gridproof.puzzle.geometry import Geometry

BLOCK = "\n".join(ROWS)
FRAMED = "\n".join(f"|{row[:3]}|{row[3:6]}|{row[6:]}|" for row in ROWS)
LETTERS = str.maketrans("123456789", "ABCDEFGHI")
WRONG = LINE[:7] + "x" + LINE[8:]


def test_column_names_and_delimiters() -> None:
    for name in ("puzzle", "question", "quizzes", "Puzzle", "QUESTION", '"Quizzes"', "quiz"):
        for answer in ("solution", "answer", "solutions", "Solution", "ANSWER"):
            puzzle = only(f"{name},{answer}\n{LINE},{SOLUTION}\n")
            assert (puzzle.solution, puzzle.format, puzzle.line, puzzle.text) == (GRID, "csv", 2, LINE)
    head, row = ("source", "question", "answer", "rating"), ("someone", LINE, SOLUTION, "3.5")
    for delimiter in ",;\t":
        puzzle = only(f"{delimiter.join(head)}\r\n{delimiter.join(row)}\r\n")
        assert puzzle.table is not None
        assert (puzzle.row, puzzle.table.header, puzzle.solution) == (row, head, GRID)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f"puzzle\n{LINE}\n\n# comment\n{LINE}\n", [2, 5]),
        (f"\ufeff\n# a set\n\npuzzle,rating\n{LINE},1\n", [5]),
        (f'puzzle\n# "\n{LINE}\n  # say "this\n{LINE}\n', [3, 5]),
        (f"name,puzzle\nend,{LINE}\n", [2]),
        (f'id,puzzle\n1,"{BLOCK}"\n2,{" ".join(LINE)}\n3,"{LINE}"\n4,"{",".join(LINE)}"\n', [2, 11, 12, 13]),
        (f'puzzle\n"+---+---+---+\n{FRAMED}"', [2]),
        *((f"puzzle,solution\n{record}\n", [2]) for record in (f"{LINE},", f"{LINE},  ", LINE, f'{LINE},""')),
    ],
)
def test_what_is_read(text: str, lines: list[int]) -> None:
    assert items(text) == [LINE] * len(lines)
    results = list(read(text))
    assert [item.line for item in results] == lines
    assert all(isinstance(item, Puzzle) and item.solution is None for item in results)


def test_shapes() -> None:
    assert only(f"puzzle\n{' '.join(['36', *'.' * 1295])}\n").board.geometry.order == 36
    assert only(f"puzzle\n{LINE}", Geometry.latin(9)).board.geometry == Geometry.latin(9)
    assert only(f"puzzle\n{LINE}", Geometry.latin).board.geometry == Geometry.latin(9)


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        (f"{LINE},{SOLUTION}", "1:83", "puzzle,solution"),
        (f"puzzle\n{WRONG}\n", "2:8", "'x'"),
        (f"c,puzzle\n1,{WRONG}\n", "2:10", "'x'"),
        (f'c,puzzle\n"a, b",{WRONG}\n', "2:15", "'x'"),
        (f'c,c,puzzle\n"x",,{WRONG}\n', "2:13", "'x'"),
        (f'id,puzzle\n1,"{WRONG}"\n', "2:11", "'x'"),
        (f'id,puzzle\n1,"{BLOCK.replace("8.", "x.", 1)}"\n', "4:3", "'x'"),
        (f"puzzle,solution\n{LINE},{SOLUTION[:80]}\n", "2:163", "80 characters"),
        (f"puzzle,solution\n{LINE},a{SOLUTION[1:]}\n", "2:83", "'a'"),
        (f"puzzle,solution\n{LINE},{SOLUTION.translate(LETTERS)}\n", "2:83", "expected all 81 cells (1-9), or nothing"),
        (f"puzzle,solution\n{LINE},none\n", "2:87", "'none'"),
        (f"puzzle,solution\n{LINE},1234341221434321\n", "2:99", "81 cells on a line (9x9)"),
        ("a,b,puzzle\n1,2\n", "2:4", "expected 3 fields (a,b,puzzle)"),
        ("id,puzzle\n1,\n", "2:3", "no puzzle"),
        (f'puzzle\n"{LINE}\n{LINE}"\n', "3:1", "more than one"),
        (b"a\xff,puzzle\n1", "2:2", "2 fields (a\\xff,puzzle)"),
    ],
)
def test_the_place_of(text: str | bytes, place: str, part: str) -> None:
    (error,) = read(text, NINE if "solution\n" in str(text) else Geometry.standard)
    assert isinstance(error, PuzzleFormatError)
    assert f"{error.line}:{error.column}" == place
    assert part in str(error)


BAD = (
    f'1,"{LINE}', f'1,{LINE[:40]}"{LINE[40:]}', f'"1,{LINE}', '"', "1", ",,,,,,", f"1,{LINE[:80]}",
    '1,"' + "x" * 200_000 + '"', "1," + "x" * 2_000_000, f"1,{LINE[:80]}é", f'1,"{LINE}" {LINE}',
)  # fmt: skip


class TestDamageStaysInItsRecord:
    @pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
    def test_of_many_kinds(self, bad: str) -> None:
        good = f"7,{LINE}"
        quoted = f'8,"{LINE}"'
        results = list(read("\n".join(["id,puzzle", good, quoted, bad, quoted, good, bad, good, ""])))
        assert [isinstance(item, Puzzle) for item in results] == [True, True, False, True, True, False, True]
        assert [item.line for item in results] == [2, 3, 4, 5, 6, 7, 8]

    def test_in_quotes_of_a_column_alone(self) -> None:
        assert items(f'puzzle\n"{LINE}\n{LINE}\n"{LINE}"\n') == ["2:1", LINE, LINE]

    def test_bytes_that_are_not_utf8(self) -> None:
        text = b"name,puzzle\nJos\xe9," + LINE.encode() + b"\nJos\xc3\xa9," + LINE.encode()
        assert items(text) == ["2:4", LINE]

    def test_a_damaged_grid_in_quotes_is_one_error(self) -> None:
        bad = "\n".join(ROWS[:8])
        assert items(f'id,puzzle\n1,"{bad}"\n2,"{BLOCK}"\n') == ["2:4", LINE]

    def test_errors_name_their_record(self) -> None:
        (error,) = read(f"id,puzzle,more\n1,{LINE[:80]},x\n")
        assert isinstance(error, PuzzleFormatError)
        assert error.row == ("1", LINE[:80], "x")
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.row, again.table) == (str(error), error.row, error.table)


HODOKU = f":0000:x:53+4{LINE[3:]}:::"
ANSWERS = {
    "partial": (LINE, 51),
    "an unknown cell": (f"x{SOLUTION[1:]}", 1),
    "partial, with zeros": (LINE.replace(".", "0"), 51),
    "with an entry": (HODOKU, 50),
    "blanks around it": (f"  {SOLUTION} ", 0),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_may_be_partial_and_have_entries(name: str) -> None:
    answer, blanks = ANSWERS[name]
    puzzle = only(f"puzzle,solution\n{LINE},{answer}\n")
    assert puzzle.solution is not None
    assert puzzle.solution.count(0) == blanks
    text = f"puzzle,solution\n{LINE},{answer}\n{LINE},{SOLUTION}\n"
    for records in (
        gridproof.verify_many(text),
        gridproof.verify_many({"puzzle": [LINE] * 2, "answer": [answer, SOLUTION]}),
    ):
        record, right = records
        assert (record.verdict, record.stored, right.stored) == ("unique", "wrong" if blanks else "right", "right")
        assert not blanks or f"{blanks} of its 81 cells are blank" in str(record.reason)


RULES = {"rules": "Digits along an arrow sum to its circle.", "Visual_Elements": '[{"type": "arrow"}]'}


@pytest.mark.parametrize("name", RULES)
def test_a_column_of_rules_is_unread(name: str) -> None:
    rule = RULES[name]
    table = {"puzzle": [LINE] * 3, name: [rule, "", "[]"]}
    stream = io.StringIO()
    csv.writer(stream).writerows([table, *zip(*table.values(), strict=True)])
    text = stream.getvalue()
    first, *others = read(text)
    assert isinstance(first, NotUnderstoodError)
    assert [(part.where, part.what, part.relaxes) for part in first.puzzle.not_understood] == [(name, repr(rule), True)]
    assert (first.row, first.line) == ((LINE, rule), 2)
    assert all(isinstance(item, Puzzle) and not item.unread for item in others)
    (puzzle, *_) = read(text, despite_unread=True)
    assert isinstance(puzzle, Puzzle)
    for source in (text, table, pandas.DataFrame(table), pyarrow.table(table)):
        verdicts = [record.verdict for record in gridproof.verify_many(source)]
        assert verdicts == ["not understood", "unique", "unique"]
    verdicts = [record.verdict for record in gridproof.verify_many(table, despite_unread=True)]
    assert verdicts == ["unique"] * 3


def test_a_column_of_rules_may_be_that_of_puzzles() -> None:
    (record,) = gridproof.verify_many({"rules": [LINE]}, column="rules")
    assert record.verdict == "unique"


@settings(max_examples=100, deadline=None)
@given(
    others=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), min_size=1, max_size=4),
    delimiter=st.sampled_from(",;\t"),
)
def test_what_the_csv_module_writes_is_read_and_kept(others: list[str], delimiter: str) -> None:
    others = [other.replace("\r", "").replace("\x00", "") for other in others]
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerows([["puzzle", *[f"c{number}" for number, _ in enumerate(others)]], *[[LINE, *others]] * 2])
    first, second = read(stream.getvalue(), NINE)
    assert isinstance(first, Puzzle)
    assert first.row == second.row == (LINE, *others)
    stream = io.StringIO(newline="")
    SolutionWriter(stream).solution(first, GRID)
    _, record = csv.reader(io.StringIO(stream.getvalue(), newline=""), delimiter=delimiter)
    assert record == [LINE, *others, SOLUTION]
