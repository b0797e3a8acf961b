"""Bulk on what is in memory: tables, arrays, lists, and a text where a path could stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bulk.bulk_samples import in_parts, puzzles
from gridproof import Board, Geometry, parse, verify_many
from gridproof.bulk import VerdictRecord
from gridproof.errors import InputError

LINES = puzzles(30)
CELLS = np.array([[int(cell.replace(".", "0")) for cell in line] for line in LINES])
KEYED = {"id": list(range(30)), "Puzzle": LINES}
COLUMNS = "expected a column puzzle or question or quizzes or quiz or puzzles or questions"

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
arrow = pytest.importorskip("pyarrow")
arrow_dataset = pytest.importorskip("pyarrow.dataset")


@pytest.fixture(scope="module")
def expected() -> list[VerdictRecord]:
    """The records of the puzzles as texts."""
    return list(verify_many(LINES, engine="auto"))


TABLES = {
    "pandas": pandas.DataFrame(KEYED, index=range(5, 35)),
    "pandas, arrays": pandas.DataFrame({"puzzle": list(CELLS)}),
    "Polars": polars.DataFrame(KEYED),
    "Polars, lists": polars.DataFrame({"puzzle": CELLS.tolist()}),
    "Polars, arrays": polars.DataFrame({"puzzle": polars.Series(CELLS)}),
    "Arrow": arrow.table(KEYED),
    "Arrow, in pieces": arrow.concat_tables([arrow.table(KEYED).slice(0, 7), arrow.table(KEYED).slice(7)]),
    "Arrow, a batch": arrow.table(KEYED).to_batches()[0],
    "Arrow, lists": arrow.table({"puzzle": CELLS.tolist()}),
    "dictionary": KEYED,
    "dictionary of lists": {"puzzle": CELLS.tolist()},
}
OTHERS: dict[str, Any] = {
    "pandas.Series": pandas.Series(LINES),
    "Polars.Series": polars.Series(LINES),
    "Arrow.array": arrow.array(LINES),
    "(n, 81)": CELLS,
    "(n, 9, 9)": CELLS.reshape(-1, 9, 9),
    "floats": CELLS.astype(float),
    "NaN": np.where(CELLS == 0, np.nan, CELLS),
    "bytes of memory": CELLS.astype(np.uint8),
    "masked": np.ma.masked_equal(CELLS, 0),
    "across memory": np.asfortranarray(CELLS),
    "characters": np.array([list(line) for line in LINES]),
    "array of texts": np.array(LINES),
    "array of bytes": np.array(LINES).astype("S"),
    "lists": CELLS.tolist(),
    "lists of rows": CELLS.reshape(-1, 9, 9).tolist(),
    "bytes": [line.encode() for line in LINES],
    "boards": [parse(line) for line in LINES],
}


@pytest.mark.parametrize("form", [*TABLES, *OTHERS])
def test_every_form_gives_the_same_records(form: str, expected: list[VerdictRecord]) -> None:
    assert in_parts(11, (TABLES | OTHERS)[form], engine="auto") == expected


@pytest.mark.parametrize("form", ["pandas", "Polars", "Arrow", "dictionary"])
def test_a_column_by_its_name(form: str, expected: list[VerdictRecord]) -> None:
    make = {"pandas": pandas.DataFrame, "Polars": polars.DataFrame, "Arrow": arrow.table, "dictionary": dict}[form]
    table = make({"puzzle": ["what?"] * 30, "mine": LINES})
    assert list(verify_many(table, column="mine", engine="auto")) == expected
    with pytest.raises(InputError, match="columns 'puzzle', 'mine'; expected the column 'yours'"):
        next(verify_many(table, column="yours"))


@pytest.mark.parametrize("form", ["pandas", "Polars", "Arrow", "dictionary"])
def test_given_solutions(form: str, expected: list[VerdictRecord]) -> None:
    make = {"pandas": pandas.DataFrame, "Polars": polars.DataFrame, "Arrow": arrow.table, "dictionary": dict}[form]
    unique = [record for record in expected if record.verdict == "unique"][:5]
    lines = [record.puzzle for record in unique]
    first = unique[0].solution
    assert first is not None
    given = [first, None, "", first, "123"]
    verified = list(verify_many(make({"question": lines, "answer": given})))
    assert [record.stored for record in verified] == ["right", None, None, "wrong", None]
    assert [record.verdict for record in verified] == ["unique"] * 4 + ["malformed"]
    cells = [list(map(int, first)), None, None, [1] * 81, [0] * 81]
    verified = list(verify_many(make({"question": lines, "answer": cells})))
    assert [record.stored for record in verified] == ["right", None, None, "wrong", "wrong"]
    assert [record.verdict for record in verified] == ["unique"] * 5


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pandas.DataFrame({"id": [1], "p": LINES[:1]}), f"the DataFrame has the columns 'id', 'p'; {COLUMNS}"),
        (pandas.DataFrame(CELLS), f"the DataFrame has the columns '0', '1', .*{COLUMNS}"),
        (pandas.DataFrame([["a", "b"]], columns=["puzzle", "puzzle"]), "has the column 'puzzle' more than once"),
        (polars.DataFrame({"id": [1], "p": LINES[:1]}), f"the DataFrame has the columns 'id', 'p'; {COLUMNS}"),
        (arrow.table({"id": [1], "p": LINES[:1]}), f"the Table has the columns 'id', 'p'; {COLUMNS}"),
        (arrow.table({"puzzle": [1]}), "the column 'puzzle' is of type int64; expected text, or lists of cells"),
        ({1: LINES[0]}, f"the dict has the columns '1'; {COLUMNS}"),
        ({"puzzle": LINES, "solution": LINES[:3]}, "the dict has columns of 3 and 30 values|of 30 and 3 values"),
        ({"puzzle": 5}, "the dict does not give its column 'puzzle'"),
        (arrow_dataset.dataset(arrow.table(KEYED)), "a value of type InMemoryDataset: .*; expected a path"),
        (5, "a value of type int: 5; expected a path, puzzles one after the other, a table"),
        (None, "a value of type NoneType: None; expected a path"),
    ],
)
def test_what_is_no_input_is_refused(table: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        next(verify_many(table))


def test_nothing_in_a_column_is_a_malformed_row() -> None:
    table = pandas.DataFrame({"puzzle": [LINES[0], None, float("nan"), pandas.NA, LINES[1]]})
    verified = [(record.verdict == "malformed", record.puzzle) for record in verify_many(table)]
    assert verified == [(False, LINES[0]), (True, ""), (True, ""), (True, ""), (False, LINES[1])]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "message"),
    [(10, "r1c6: '10.0'"), (-1, "r1c6: '-1.0'"), (1.5, "r1c6: '1.5'"), (np.inf, "r1c6: 'inf'"), (256, "r1c6: '256.0'")],
)
def test_a_number_that_is_no_symbol_damages_its_row_only(
    value: float, message: str, expected: list[VerdictRecord]
) -> None:
    cells = CELLS.astype(float)
    cells[3, 5] = value
    for given in (cells, cells.tolist(), cells.reshape(-1, 9, 9)):
        verified = list(verify_many(given, engine="auto"))
        assert verified[3].reason is not None
        assert (verified[3].verdict, verified[3].reason.startswith(message)) == ("malformed", True)
        assert verified[:3] + verified[4:] == expected[:3] + expected[4:]


def test_arrays_of_other_shapes() -> None:
    assert [record.verdict for record in verify_many(np.zeros((3, 80), int))] == ["malformed"] * 3
    assert [record.verdict for record in verify_many(np.zeros((2, 9, 8), int))] == ["malformed"] * 2
    assert [record.verdict for record in verify_many(np.zeros(3, int))] == ["malformed"] * 3
    # one puzzle where many are expected: nine of 3x3 cells
    assert all("order 3" in str(record.reason) for record in verify_many(CELLS[0].reshape(9, 9)))
    assert list(verify_many(np.zeros((0, 81), int))) == list(verify_many(np.zeros((0, 9, 9), int))) == []
    # cyclic squares with three rows taken away, so that there is little to search
    wide = np.array([[0 if row < 3 else (row + column) % 40 + 1 for row in range(40) for column in range(40)]] * 2)
    assert [record.verdict for record in verify_many(wide, shape=Geometry.latin, engine="session")] == ["multiple"] * 2
    large = np.zeros((1, 16, 16), int)
    large[0, 0, :2] = 16, 10
    assert next(verify_many(large)).puzzle == "GA" + "." * 254


def test_a_text_where_a_path_could_stand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(LINES[0][start : start + 9] for start in range(0, 81, 9))
    table = f"id,puzzle\r\n1,{LINES[0]}\r\n2,{LINES[1]}"
    expected = [record.verdict for record in verify_many(LINES[:2])]
    assert [record.verdict for record in verify_many("\n".join(LINES[:2]))] == expected
    assert [record.verdict for record in verify_many(table)] == expected
    assert [record.verdict for record in verify_many(table.replace("puzzle", "mine"), column="mine")] == expected
    for one in (LINES[0], LINES[0].encode(), rows, Board.from_symbols(Geometry.classic(3), LINES[0])):
        assert [record.verdict for record in verify_many(one)] == expected[:1]
    damaged = list(verify_many(f"{LINES[0]}\nwhat?\n{LINES[1]}"))
    assert [(record.line, record.verdict) for record in damaged] == [
        (1, expected[0]),
        (2, "malformed"),
        (3, expected[1]),
    ]
    with pytest.raises(InputError, match="is no file that exists; read as a puzzle: "):
        next(verify_many("puzzles.txt"))
    (tmp_path / LINES[0]).write_text(LINES[1])
    assert next(verify_many(LINES[0])).puzzle == LINES[1], "a file of this name is what is meant"
