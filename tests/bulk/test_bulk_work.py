"""The verdict on each puzzle: the same as one by one; given solutions, cross-checks, lies; how it is written."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bulk.bulk_samples import CLASSIC, clues_of, in_parts, puzzles, seeds, table_row, without_engine
from gridproof import formats
from gridproof.bulk import VerdictRecord, records, results, verify_many, work
from gridproof.bulk.job import Engine, Job
from gridproof.bulk.reading import Rows
from gridproof.errors import EncodingError, InputError
from gridproof.formats.known.text import marks_line
from gridproof.formats.puzzle import Unread
from gridproof.formats.shapes import Shapes
from gridproof.lanes import LaneEngine, LaneResult
from gridproof.pipeline import Pipeline
from gridproof.runs import tables
from gridproof.runs.tables import TableFile
from gridproof.trust import check, reference
from gridproof.trust.crosscheck import CrossCheck


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["auto", "session"])
def test_verdicts_are_those_of_the_pipeline(engine: Engine) -> None:
    lines = puzzles(80, 1)
    verified = in_parts(30, lines, engine=engine)
    assert [record.row for record in verified] == list(range(1, 81))
    assert [record.puzzle for record in verified] == lines
    with Pipeline() as pipeline:
        for record, line in zip(verified, lines, strict=True):
            verdict = pipeline.verify(formats.parse(line))
            assert record.verdict == verdict.status
            assert record.reference == str(verdict.evidence.reference)
            assert record.grids_checked == verdict.evidence.checked
            grids = [grid for grid in (record.solution, record.second_solution) if grid is not None]
            assert len(grids) == len(verdict.solutions) == len(set(grids))
            for grid in grids:
                assert check.is_solution(verdict.board, tuple(map(int, grid)))
            assert record.engine == ("cadical153/extended" if engine == "session" else "lanes")
    assert {record.verdict for record in verified} == {"unique", "multiple", "none"}


@pytest.mark.slow
def test_every_kind_of_board(tmp_path: Path) -> None:
    unique = _first("unique")
    assert unique.solution is not None
    last = 1 << (int(unique.solution[-1]) - 1)
    marks = marks_line(formats.parse(unique.puzzle).with_marks([511] * 80 + [last | 1 | 2]))
    wrong = marks_line(formats.parse(unique.puzzle).with_marks([511] * 80 + [511 & ~last]))
    big = "." * 256
    pieces = [
        unique.puzzle,
        marks,
        wrong,
        "." * 16 + "\n",
        big,
        "\n".join(["1234", "3412", "2143", "432."]),
        "." * 1296,
    ]
    verified = list(verify_many(pieces, cross_check="none", engine="auto"))
    verdicts = ["unique", "unique", "none", "multiple", "multiple", "unique", "malformed"]
    assert [record.verdict for record in verified] == verdicts
    assert {record.engine for record in verified[:4]} == {"lanes"}
    assert verified[1].solution == unique.solution
    assert verified[5].solution == "1234341221434321"


def test_given_solutions(tmp_path: Path) -> None:
    unique, several, impossible = (_first(verdict) for verdict in ("unique", "multiple", "none"))
    assert unique.solution is not None
    assert several.solution is not None
    swapped = unique.solution.translate(str.maketrans("12", "21"))
    rows = [
        (unique.puzzle, unique.solution, "unique", "right"),
        (unique.puzzle, swapped, "unique", "wrong"),
        (unique.puzzle, "", "unique", None),
        (several.puzzle, several.solution, "multiple", "not_only"),
        (several.puzzle, several.second_solution, "multiple", "not_only"),
        (several.puzzle, "123456789" * 9, "multiple", "wrong"),
        (impossible.puzzle, unique.solution, "none", "wrong"),
        (unique.puzzle, unique.solution[:-1] + ".", "unique", "wrong"),
    ]
    path = tmp_path / "table.csv"
    path.write_text("quizzes,solutions\n" + "".join(f"{puzzle},{answer}\n" for puzzle, answer, _, _ in rows))
    engines: tuple[Engine, ...] = ("auto", "session")
    for engine in engines:
        verified = list(verify_many(path, engine=engine))
        assert [(record.verdict, record.stored) for record in verified] == [row[2:] for row in rows]
        assert verified[1].reason is not None
        assert "the stored solution is none: r" in verified[1].reason
        assert verified[0].reason is None
        assert all(record.reference == "agrees" for record in verified if record.verdict in ("unique", "none"))


@contextmanager
def lanes_are(engine: type[LaneEngine]) -> Iterator[None]:
    """Another engine in the place of the lanes."""
    work.engine_of.cache_clear()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(work, "LaneEngine", engine)
        yield
    work.engine_of.cache_clear()


class _AllOpen(LaneEngine):
    def verify(self, clues: Any, *, refuse: bool = True) -> LaneResult:
        verified, nothing = super().verify(clues), np.zeros(np.shape(clues), np.uint8)
        return replace(verified, codes=np.full_like(verified.codes, 3), first=nothing, second=nothing)


@pytest.mark.slow
def test_what_lanes_leave_open_goes_to_a_session() -> None:
    with lanes_are(_AllOpen):
        verified = list(verify_many(puzzles(80), engine="auto"))
    assert {record.engine for record in verified} == {"cadical153/extended"}
    assert {record.verdict for record in verified} == {"unique", "multiple", "none"}


class _Liar(LaneEngine):
    """A backend that gives no solution of any puzzle, or exactly its first."""

    code = 0

    def verify(self, clues: Any, *, refuse: bool = True) -> LaneResult:
        verified, nothing = super().verify(clues), np.zeros(np.shape(clues), np.uint8)
        first = verified.first if self.code else nothing
        return replace(verified, codes=np.full_like(verified.codes, self.code), first=first, second=nothing)


@pytest.mark.parametrize("code", [0, 1])
def test_lies_about_the_number_of_solutions_are_disagreements(code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    true = list(verify_many(puzzles(40), engine="auto"))
    monkeypatch.setattr(_Liar, "code", code)
    # what has no solution has none to claim, so these are left out where one is claimed
    chosen = [record for record in true if code == 0 or record.verdict != "none"]
    with lanes_are(_Liar):
        verified = list(verify_many([record.puzzle for record in chosen], engine="auto"))
    honest = "none" if code == 0 else "unique"
    for record, before in zip(verified, chosen, strict=True):
        lied = before.verdict != honest
        assert (record.verdict == "disagreement") == lied
        assert (record.reference == "contradicts") == lied
        if lied:
            assert record.reason is not None
            assert "the reference" in record.reason


def test_a_given_solution_contradicts_a_lie_without_any_cross_check(tmp_path: Path) -> None:
    unique = _first("unique")
    path = tmp_path / "table.csv"
    path.write_text(f"quizzes,solutions\n{unique.puzzle},{unique.solution}\n")
    with lanes_are(_Liar):
        (record,) = verify_many(path, cross_check="none", engine="auto")
    assert (record.verdict, record.reference, record.stored) == ("disagreement", "not asked", "valid")


class _Refusing(LaneEngine):
    def verify(self, clues: Any, *, refuse: bool = True) -> LaneResult:
        assert not refuse
        verified = super().verify(clues)
        return replace(verified, wrong=(np.asarray(clues) == clues_of(seeds()[3])).all(axis=1))


def test_one_refused_solution_is_one_disagreement() -> None:
    with lanes_are(_Refusing):
        verified = list(verify_many(seeds(), engine="auto"))
    true = list(verify_many(seeds(), engine="auto"))
    assert [record.row for record in verified if record.verdict == "disagreement"] == [4]
    assert [r for r in verified if r.row != 4] == [r for r in true if r.row != 4]


def test_a_sample_depends_on_nothing_but_the_row() -> None:
    rows = np.arange(1, 200_001, dtype=np.int64)
    chosen = work.choose_rows(rows, CrossCheck("sample", 0.01))
    assert 1_800 < chosen.sum() < 2_200
    assert (work.choose_rows(rows[500:600], CrossCheck("sample", 0.01)) == chosen[500:600]).all()
    assert work.choose_rows(rows, CrossCheck("sample", 1.0)).all()
    assert not work.choose_rows(rows, CrossCheck("sample", 0.0)).any()
    assert not work.choose_rows(rows, CrossCheck("none")).any()
    other = work.choose_rows(rows, CrossCheck("sample", 0.01, seed=1))
    assert (other != chosen).any()


def test_wrong_arguments() -> None:
    with pytest.raises(InputError, match="jobs is -1"):
        next(verify_many([], jobs=-1))
    with pytest.raises(EncodingError):
        next(verify_many([seeds()[0]], encoding="no-such"))
    unknown: Any = "lane"
    with pytest.raises(InputError, match="engine"):
        next(verify_many([seeds()[0]], engine=unknown))
    with pytest.raises(InputError, match="the column 'puzzle' of puzzles that come one by one"):
        next(verify_many([seeds()[0]], column="puzzle"))
    assert list(verify_many([])) == []


@pytest.mark.parametrize("engine", ["auto", "session"])
@pytest.mark.parametrize("blank", [".", "0"])
def test_an_answer_that_is_not_full_is_a_wrong_one_and_no_damage_to_its_row(blank: str, engine: Engine) -> None:
    unique = _first("unique")
    assert unique.solution is not None
    answers = [unique.solution, blank + unique.solution[1:], blank * 81]
    table = {"puzzle": [unique.puzzle] * 3, "solution": answers}
    verified = list(verify_many(table, engine=engine))
    assert [record.verdict for record in verified] == ["unique"] * 3
    assert [record.stored for record in verified] == ["right", "wrong", "wrong"]
    assert "1 of its 81 cells" in (verified[1].reason or "")


# ---- the written table -------------------------------------------------------------------------------------


def _columns(*written: VerdictRecord) -> records.Columns:
    columns = records.Columns(np.arange(1, 1 + len(written)), np.array([record.line or 0 for record in written]))
    for place, record in reversed(list(enumerate(written))):
        columns.write(place, record)
    return columns


@pytest.mark.parametrize(
    ("puzzle", "good", "written"),
    [
        ("=1+1", False, "'=1+1"),
        ("+1", False, "'+1"),
        ("@SUM(1)", False, "'@SUM(1)"),
        ("-1", False, "'-1"),
        ("\t=1", False, "'\t=1"),
        ("\r=1", False, "'\\x0d=1"),
        ("\n=1", False, "'\n=1"),
        ("\x1b[31m\x07", False, "\\x1b[31m\\x07"),
        ("1=1", False, "1=1"),
        ("-1.2*_0aZ", True, "-1.2*_0aZ"),
        ("=cmd|x " + seeds()[0], True, "'=cmd|x " + seeds()[0]),
        ("-2+3+cmd|x " + seeds()[0], True, "'-2+3+cmd|x " + seeds()[0]),
        ("5 3\n4 1", True, "5 3\n4 1"),
    ],
)
def test_csv_neither_runs_in_a_spreadsheet_nor_steers_a_terminal(puzzle: str, good: bool, written: str) -> None:
    verdict, reason = "unique" if good else "malformed", f"what is \x1b[31m{puzzle}"
    columns = _columns(VerdictRecord(1, 1, seeds()[0], verdict), VerdictRecord(2, 2, puzzle, verdict, reason=reason))
    data = ",".join(records.types()) + "\n" + results.encode(columns, "csv").decode()
    other, row = csv.DictReader(io.StringIO(data, newline=""))
    assert (other["puzzle"], row["puzzle"]) == (seeds()[0], written)
    assert row["reason"].startswith("what is \\x1b[31m")
    assert json.loads(results.encode(columns, "jsonl").splitlines()[1])["input"] == puzzle


FOREIGN = [
    ("=cmd|1", "'=cmd|1"),
    ("+1", "'+1"),
    ("-1", "'-1"),
    ("@SUM(1)", "'@SUM(1)"),
    ("\t=1", "'\\x09=1"),
    ("=1\n2", "'=1\\x0a2"),
    ("a\tb\r\nc", "a\\x09b\\x0d\\x0ac"),
    ("1=1", "1=1"),
]
"""Texts of others, and how CSV has them."""


@pytest.mark.parametrize(("text", "written"), FOREIGN)
def test_csv_is_as_careful_with_all_that_comes_with_a_puzzle(text: str, written: str) -> None:
    unread = Unread(text, "1", may_be_rule=True)
    record = VerdictRecord(1, 1, seeds()[0], "unique", title=text, author=text, reason=text, unread=(unread,))
    columns = _columns(record, record)
    data = ",".join(records.types()) + "\n" + results.encode(columns, "csv").decode()
    assert data.count("\n") == 3
    rows = list(csv.DictReader(io.StringIO(data, newline="")))
    for name in ("title", "author", "reason"):
        assert [row[name] for row in rows] == [written] * 2
    assert rows[0]["unread"].isprintable()
    assert not rows[0]["unread"].startswith(tables.FORMULA)
    assert json.loads(results.encode(columns, "jsonl").splitlines()[1])["title"] == text


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    expected = [
        VerdictRecord(1, 1, "1", "none", "x"),
        VerdictRecord(2, 2, 'a "b", c', "unique", "y", "z"),
        VerdictRecord(3, None, "é\udcff\n", "undecided", reason='line 3: "what"'),
        VerdictRecord(4, 4, "", "malformed"),
    ]
    columns = _columns(*expected)
    assert list(columns.records()) == expected
    with closing(TableFile("parquet", tmp_path / "whole.parquet", records.types(), results.PARQUET)) as joined:
        joined.append(results.encode(columns, "parquet"))
    table = parquet.read_table(tmp_path / "whole.parquet")
    assert table.column_names == list(records.FIELDS)
    rows = table.to_pylist()
    tabled = [table_row(record) for record in expected]
    for row in tabled:
        row["puzzle"] = row["puzzle"].replace("\udcff", "\\udcff")
    assert list(map(without_engine, rows)) == tabled


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("numbered", [True, False])
def test_rows_that_are_alike_are_written_as_all_others(form: str, numbered: bool, tmp_path: Path) -> None:
    """Numbers of more and more digits, a few other rows among them, and rows of which a sample is cross-checked."""
    unique = [line for line in puzzles(1200, 3) if line.startswith((".", "-"))]
    some = [
        k
        for k, record in enumerate(verify_many(unique, cross_check="none", engine="auto"))
        if record.verdict == "unique"
    ]
    lines = [unique[k].replace(".", "-") if k % 2 else unique[k] for k in some]
    for place in (3, 50, 51, 200):
        lines[place] = puzzles(place + 1)[-1][:80]
    lines[9] = lines[9].translate(str.maketrans("123456789", "ABCDEFGHI"))
    path = tmp_path / "lines"
    path.write_text("\n".join(["# comment"] * 7 + lines) + "\n")
    (chunk,) = Rows(path if numbered else lines, Shapes(CLASSIC)).chunks(5000)
    made = Job(cross_check=CrossCheck("sample", 0.01), form=form)
    verified = work.work(made, replace(chunk, first_row=90)).encoded
    columns = work.work(replace(made, form=None), replace(chunk, first_row=90)).columns
    assert columns is not None
    lists = columns.lists()
    assert len(lists[0]) > 300
    assert verified is not None
    assert verified.tobytes() == b"".join(results.encode_one_by_one(lists, form))
    assert lists[records.FIELDS.index("solution")][9].isalpha()


def _first(verdict: str) -> VerdictRecord:
    return next(record for record in verify_many(seeds(), engine="auto") if record.verdict == verdict)


# ---- boards with rules -----------------------------------------------------------------------------------------------


def test_a_board_with_rules_goes_to_a_session() -> None:
    """Without its rule the puzzle has several solutions, so that a rule left out would show."""
    plain = formats.parse("1" + "." * 15)
    ruled = plain.with_rule("anti-knight")
    truth = {grid for grid in reference.solutions(plain) if not check.violations(ruled, grid)}
    without, with_rule, again = verify_many([plain, ruled, ruled.with_marks([15] * 16)], engine="auto")
    assert (without.engine, without.verdict) == ("lanes", "multiple")
    with Pipeline() as pipeline:
        alone = str(pipeline.verify(ruled).made)
    for record in (with_rule, again):
        assert record.engine == alone, "the default encoding is that of the board"
        assert record.verdict == ("none", "unique", "multiple")[min(len(truth), 2)]
        shown = [text for text in (record.solution, record.second_solution) if text is not None]
        assert {tuple(map(int, text)) for text in shown} <= truth
