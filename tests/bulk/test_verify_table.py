"""Tables in, tables out: the verdicts stand beside their puzzles, whoever's table it is."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import Any

import pytest

from bulk.bulk_samples import parts_of, puzzles
from gridproof import to_table, verify_many, verify_table
from gridproof.bulk.many import ADDED
from gridproof.errors import InputError
from gridproof.runs import frames, progress
from gridproof.runs.progress import ProgressBar

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
arrow = pytest.importorskip("pyarrow")

LINES = [*puzzles(20), None, "nothing", "11" + "." * 14]
VERDICTS = [record.verdict for record in verify_many(LINES)]
KEYED = {"id": list(range(23)), "puzzle": LINES}


class Stream:
    """Any program's table that keeps to the PyCapsule interface."""

    def __arrow_c_stream__(self, requested: object = None) -> object:
        return arrow.table(KEYED).__arrow_c_stream__(requested)


TABLES: dict[str, tuple[Any, Any]] = {
    "pandas": (pandas.DataFrame(KEYED), pandas.DataFrame),
    "pandas.Series": (pandas.Series(LINES), pandas.DataFrame),
    "Polars": (polars.DataFrame(KEYED), polars.DataFrame),
    "Polars.Series": (polars.Series(LINES), polars.DataFrame),
    "Arrow": (arrow.table(KEYED), arrow.Table),
    "Arrow, a batch": (arrow.RecordBatch.from_pydict(KEYED), arrow.RecordBatch),
    "Arrow, a reader of batches": (arrow.table(KEYED).to_reader(), arrow.Table),
    "PyCapsule": (Stream(), arrow.Table),
    "nothing in it": (polars.DataFrame({"puzzle": []}, {"puzzle": polars.String}), polars.DataFrame),
}


def listed(table: Any, name: str) -> list[Any]:
    column = table[name] if frames.kind_of(table) != "arrow" else table.column(name)
    values = column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()
    return [None if value is pandas.NA or value != value else value for value in values]


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_the_same_kind_with_the_verdicts_beside(name: str) -> None:
    table, kind = TABLES[name]
    verified: Any = verify_table(table)
    assert isinstance(verified, kind)
    names = list(verified.schema.names if kind in (arrow.Table, arrow.RecordBatch) else verified.columns)
    assert names[-len(ADDED) :] == list(ADDED)
    assert names[:-8] in (["id", "puzzle"], ["puzzle"])
    if name == "nothing in it":
        assert len(verified) == 0
        return
    assert listed(verified, "verdict") == VERDICTS
    assert listed(verified, "puzzle") == LINES
    records = list(verify_many(LINES))
    assert listed(verified, "solution") == [record.solution for record in records]
    assert listed(verified, "reason") == [record.reason for record in records]
    assert listed(verified, "grids_checked") == [record.grids_checked for record in records]


def test_types_do_not_depend_on_what_was_found() -> None:
    one, other = (verify_table(arrow.table({"puzzle": [line]})).schema for line in (LINES[0], "nothing"))
    assert one == other


@pytest.mark.slow
@pytest.mark.parametrize("index", [range(50, 73), ["same"] * 23, pandas.MultiIndex.from_product([[1], range(23)])])
def test_the_index_is_kept_and_the_table_is_not_touched(index: Any) -> None:
    frame = pandas.DataFrame(KEYED, index=index)
    before = frame.copy()
    verified = verify_table(frame)
    assert verified.index.equals(frame.index)
    assert listed(verified, "verdict") == VERDICTS
    pandas.testing.assert_frame_equal(frame, before)
    series = frame["puzzle"].rename("mine")
    assert verify_table(series).index.equals(frame.index)
    assert list(verify_table(series).columns)[:2] == ["mine", "verdict"]


def test_stored_solutions_are_judged_and_stay() -> None:
    (record,) = verify_many(LINES[:1])
    frame = polars.DataFrame({"quizzes": LINES[:1], "solution": [record.solution], "reason": ["mine"]})
    verified = verify_table(frame, add=["stored", "solution", "reason"])
    assert verified.columns == ["quizzes", "solution", "reason", "stored", "solution_found", "reason_found"]
    assert verified.row(0) == (LINES[0], record.solution, "mine", "right", record.solution, None)
    with pytest.raises(InputError, match="column 'solution_found' already; expected another suffix"):
        verify_table(verified, add=["solution"])
    assert verify_table(verified, add=["solution"], suffix="2").columns[-1] == "solution2"


def test_columns_and_options_of_ones_own() -> None:
    frame = polars.DataFrame({"mine": ["." * 16], "puzzle": [1]})
    verified = verify_table(frame, "mine", add=["row", "verdict", "engine"], rules=["anti-knight"], jobs=1)
    assert verified.columns == ["mine", "puzzle", "row", "verdict", "engine"]
    assert verified.row(0)[2:5] == (1, "multiple", "cadical153/triad")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (LINES, "a value of type list.*verify_many"),
        (polars.LazyFrame(KEYED), "a value of type LazyFrame"),
        (arrow.array(LINES), "expected a table in memory"),
        ("puzzles.csv", "a value of type str"),
        (polars.DataFrame({"id": [1]}), "expected a column puzzle or question"),
    ],
)
def test_what_is_no_table_is_refused(table: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"(?s){message}"):
        verify_table(table)


def test_a_column_that_no_record_has_is_refused() -> None:
    with pytest.raises(InputError, match="'verdicts' to be added; did you mean verdict"):
        verify_table(polars.DataFrame(KEYED), add=["verdicts"])


@pytest.mark.parametrize("kind", frames.KINDS)
def test_records_to_tables(kind: frames.Kind) -> None:
    verified = to_table(verify_many(LINES), kind)
    assert frames.kind_of(verified) == kind
    assert listed(verified, "verdict") == VERDICTS
    assert listed(verified, "row") == list(range(1, 24))
    assert set(listed(verified, "line")) == set(listed(verified, "unread")) == {None}
    assert len(to_table([], kind)) == 0


def test_progress_is_shown_part_by_part() -> None:
    shown: list[tuple[int, int]] = []
    with parts_of(10):
        verify_table(polars.DataFrame(KEYED), progress=lambda done, all_: shown.append((done, all_)))
    assert shown == [(10, 23), (20, 23), (23, 23)]


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "BEGINS_AFTER", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.0)


@pytest.mark.usefixtures("shown_at_once")
def test_a_terminal_has_a_line_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with ProgressBar("puzzles") as shown:
        shown(5, 1000)
        assert "5/1000" in screen.getvalue()
        assert "puzzles/s" in screen.getvalue()
    assert not screen.getvalue().rstrip("\r").rpartition("\r")[2].strip()


@pytest.mark.usefixtures("shown_at_once")
def test_no_progress_in_a_pipe_and_none_unless_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, wanted in ((io.StringIO(), True), (_Screen(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with ProgressBar("puzzles", wanted) as shown:
            shown(5, 1000)
        assert stream.getvalue() == ""


NOTEBOOK = """
from gridproof.runs import progress
progress.BEGINS_AFTER = progress._EVERY = 0.0
with progress.ProgressBar("puzzles") as shown:
    shown(5, 10)
"""


@pytest.mark.notebook
def test_a_notebook_has_a_bar() -> None:
    nbformat: Any = pytest.importorskip("nbformat")
    client: Any = pytest.importorskip("nbclient")
    pytest.importorskip("ipywidgets")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(NOTEBOOK)])
    client.NotebookClient(notebook, kernel_name="python3").execute()
    (output,) = notebook.cells[0].outputs
    assert "application/vnd.jupyter.widget-view+json" in output.data


def test_nobody_else_needs_any_of_them() -> None:
    code = """
import sys
for name in ("pandas", "polars", "pyarrow", "ipywidgets", "IPython"): sys.modules[name] = None
import gridproof
try: gridproof.to_table([], "arrow")
except gridproof.GridproofError as problem: print(problem)
try: gridproof.to_table([])
except gridproof.GridproofError as problem: print(problem)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == [
        "Parquet and tables of Arrow need pyarrow; pip install 'gridproof[parquet]'",
        "a table of pandas needs pandas, which is not installed",
    ]
