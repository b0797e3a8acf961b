"""Papers: the contract of every file that is found, the kinds of claims, and what is wrong in a file of one's own."""

from __future__ import annotations

import importlib.util
import json
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gridproof
from gridproof.errors import BackendUnavailable, InputError
from gridproof.experiments.instances import instance
from gridproof.experiments.size_tables import size_rows, write_csv
from gridproof.formats import datasets
from gridproof.models import catalog
from gridproof.models.sizes import count_repeats, model_size
from gridproof.models.targets.cnf import compile_cnf, state_houses
from gridproof.papers import Request, load, names, run_paper
from gridproof.papers.all_different import is_filled, keep_matched
from gridproof.papers.claims import CLAIMS, Claim
from gridproof.papers.figures import Figures
from gridproof.papers.measures import find, measure_names
from gridproof.papers.measures.left import count_left
from gridproof.papers.measures.propagation import count_solved
from gridproof.papers.puzzle_sets import make_images, puzzle_sets
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

every_paper = pytest.mark.parametrize("name", names())


@every_paper
def test_a_paper_has_words_tables_and_claims(name: str) -> None:
    paper = load(name)
    assert paper.title
    assert any(character.isdigit() for character in paper.source), "a source has its year"
    assert paper.summary
    assert any(table.claims for table in paper.tables)
    for table in paper.tables:
        assert table.options


@pytest.mark.slow
@every_paper
def test_a_sample_of_a_paper_runs(name: str) -> None:
    report = run_paper(name, Request(sample=1))
    for table in report.tables:
        assert table.ours.values, table.table.title
        assert table.ours.remarks
    written = json.loads(report.to_json())
    assert written["sampled"]
    assert written["paper"] == name
    text = report.text()
    assert "Only a sample was measured" in text
    assert report.paper.title in report.to_markdown()


def test_every_measure_is_used() -> None:
    used = {table.measure for name in names() for table in load(name).tables}
    assert used == set(measure_names()) == {find(name).name for name in measure_names()}


OURS = Figures.from_rows({"a": {"10": 1000.0, "20": 8000.0}, "b": {"10": 10.0, "20": 20.0}, "c": {"10": 9.0}})


@pytest.mark.parametrize(
    ("kind", "values", "published", "holds"),
    [
        ("same", {}, {"a": {"10": 1000}}, True),
        ("same", {}, {"a": {"10": 1000, "20": 7999}}, False),
        ("same", {}, {"d": {"10": 1}}, None),
        ("near", {"within": 2}, {"b": {"10": 12}}, True),
        ("near", {"within": 2}, {"b": {"10": 12.5}}, False),
        ("order", {"column": "10", "rows": ["a", ["b", "c"]]}, {}, True),
        ("order", {"column": "10", "rows": ["a", "c", "b"]}, {}, False),
        ("order", {"column": "20", "rows": ["a", "c"]}, {}, None),
        ("ratio", {"column": "10", "rows": ["a", "b"]}, {"a": {"10": 140}, "b": {"10": 1}}, True),
        ("ratio", {"column": "10", "rows": ["a", "b"]}, {"a": {"10": 160}, "b": {"10": 1}}, False),
        ("ratio", {"column": "10", "rows": ["a", "b"]}, {"a": {"10": 160}}, None),
        ("factor", {"column": "10", "row": "b"}, {"b": {"10": 14}}, True),
        ("factor", {"column": "10", "row": "b"}, {"b": {"10": 16}}, False),
        ("factor", {"column": "10", "row": "b"}, {"b": {"10": 6}}, False),
        ("factor", {"column": "10", "row": "b"}, {}, None),
        ("between", {"column": "10", "row": "b", "bounds": [10, 11]}, {}, True),
        ("between", {"column": "10", "row": "b", "bounds": [11, 12]}, {}, False),
        ("between", {"column": "30", "row": "b", "bounds": [11, 12]}, {}, None),
        ("peak", {"column": "10", "between": ["a", "b"]}, {}, True),
        ("peak", {"column": "10", "between": ["b", "c"]}, {}, False),
        ("crossing", {"column": "10", "level": 500, "between": ["a", "b"]}, {}, True),
        ("crossing", {"column": "10", "level": 5, "between": ["a", "b"]}, {}, False),
        ("growth", {"row": "a", "power": [2.9, 3.1]}, {}, True),
        ("growth", {"row": "b", "power": [2.9, 3.1]}, {}, False),
        ("growth", {"row": "c", "power": [2.9, 3.1]}, {}, None),
    ],
)
def test_a_claim(kind: str, values: dict[str, Any], published: dict[str, dict[str, float]], holds: bool | None) -> None:
    claim: Claim = CLAIMS[kind](**values)
    theirs = Figures.from_rows(published)
    assert claim.sentence(theirs)
    assert claim.try_on(OURS, theirs).holds is holds


RIGHT_OPTIONS = "options = {encodings = ['minimal'], orders = [4], count = 'clauses'}"
BEGINNING = "title = 'a'\nsource = 'b'\nsummary = 'c'\n[[table]]\ntitle = 'd'\n"
RIGHT = f"{BEGINNING}measure = 'sizes'\n{RIGHT_OPTIONS}\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("title = 'a'", "table is missing; expected at least one"),
        ("colour = 1", "unknown key colour"),
        (
            f"{BEGINNING}measure = 'luck'",
            "'luck'; expected one of",
        ),
        (
            f"{BEGINNING}measure = 'sizes'\noptions = {{speed = 1}}",
            "options.speed",
        ),
        (
            f"{RIGHT}published = {{a = {{b = 'x'}}}}",
            "published.a.b = 'x'; expected a number",
        ),
        (f"{RIGHT}claim = [{{kind = 'near', far = 3}}]", "unknown key table 1.claim 1.far"),
        (f"{RIGHT}claim = [{{kind = 'near'}}]", "claim 1.within is missing; expected a number"),
        (f"{RIGHT}claim = [{{kind = 'ratio', column = '4', rows = ['a']}}]", "rows = ['a']; expected two rows"),
        (f"{RIGHT}claim = [{{kind = 'order', column = 4, rows = ['a']}}]", "column = 4; expected a text"),
        (f"{RIGHT}claim = 3", "claim = 3; expected a list of tables"),
        (f"differs = 'no'\n{RIGHT}", "differs = 'no'; expected a list of sentences"),
        (f"{BEGINNING}measure = 'sizes'", "options.encodings is missing; expected a list of names"),
        (
            f"{BEGINNING}measure = 'sizes'\noptions = {{encodings = ['minimal'], orders = [4, 0], count = 'clauses'}}",
            "orders = [4, 0]; expected a list of whole numbers above zero",
        ),
        (
            f"{BEGINNING}measure = 'speed'\noptions = {{backend = 'a', encodings = ['b'], sets = {{c = {{mak = 3}}}}}}",
            "sets = {'c': {'mak': 3}}; expected a table of sets",
        ),
    ],
)
def test_what_is_wrong_in_a_file_is_named(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"mine\.toml") as caught:
        load(str(path))
    assert problem in str(caught.value)


def test_an_unknown_paper_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match="did you mean encoding-sizes"):
        load("encoding-siz")


def test_a_set_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n")
    report = run_paper("tdoku-minisat", Request(sample=2, sets={"hardest": str(path)}))
    assert f"hardest: 1 puzzle of {path}" in report.tables[0].ours.remarks
    with pytest.raises(InputError, match="the paper has no such set"):
        run_paper("tdoku-minisat", Request(sample=2, sets={"hardes": str(path)}))


def test_the_verb_for_sets_and_for_papers() -> None:
    report = gridproof.compare(paper="encoding-sizes", sample=1)
    found = [finding.holds for _, finding in report.tables[0].findings]
    assert found == [True, True, None]
    assert report.machine.cores >= 1
    with pytest.raises(InputError, match="a paper beside sets"):
        gridproof.compare("easy", paper="encoding-sizes")
    with pytest.raises(InputError, match="seconds beside a paper"):
        gridproof.compare(paper="encoding-sizes", seconds=1)  # type: ignore[call-overload]


def test_a_report_in_latex_and_with_what_differs() -> None:
    report = run_paper("encoding-sizes", Request(sample=1))
    assert r"minimal & 8,829 (8,829) \\" in report.to_latex()
    assert "holds: all 3 published figures are ours" in report.to_latex()
    assert "- Kwon and Jain apply the clues once" in report.to_markdown()
    assert "What differs, and why:" in report.text()


def test_images_have_as_many_solutions_and_other_symbols() -> None:
    boards = datasets.load("easy")[:2]
    images = make_images(boards, 3, None)
    assert images[:2] == tuple(boards)
    assert len(set(images)) == 6
    for board, other in zip(boards * 3, images, strict=True):
        assert other.clues.count(0) == board.clues.count(0)
        assert gridproof.verify(other).is_unique
    assert len(make_images(boards, 30, 3)) == 4, "whole rounds, until there are enough"


@pytest.mark.parametrize("seed", range(5))
def test_what_clues_leave_is_what_simplifying_the_formula_leaves(seed: int) -> None:
    board = instance("sudoku", Geometry.classic(3), 0.6, seed).board
    houses = state_houses(board.geometry, catalog.load("extended"))
    true = set(houses.variables.cells.of_board(board))
    false = set()
    for clause in houses.clauses:
        if len(clause) == 2 and true & {-literal for literal in clause}:
            false |= {-literal for literal in clause} - true
    left = 0
    for clause in houses.clauses:
        if not true & set(clause) and not false & {-literal for literal in clause}:
            left += 1
    assert count_left(board) == left


def test_a_table_of_sizes_of_any_board() -> None:
    rows = size_rows([9], ["extended"], shape=Geometry.latin, rules=["anti-knight"])
    board = Board.empty(Geometry.latin(9)).with_rules("anti-knight")
    clauses = len(compile_cnf(board.problem, catalog.load("extended")).clauses)
    assert rows[1] == ["9x9", "extended", "729", f"{clauses:,}", "-"]
    assert size_rows([], ["extended"], ["1... ..2. .3.. ...4"])[1][2:] == ["64", "384", "448"]
    assert write_csv(size_rows([4], ["minimal", "triad"])).splitlines()[1:] == [
        "4x4,minimal,64,240,304",
        "4x4,triad,128,432,",
    ]
    with pytest.raises(InputError, match="order 9 beside a board of 4x4"):
        size_rows([9], ["minimal"], shape=Geometry.classic(2))


@pytest.mark.parametrize("order", [4, 6, 9, 12])
@pytest.mark.parametrize("name", ["minimal", "natural", "extended", "extended-product", "extended-commander", "triad"])
def test_a_size_is_that_of_the_model(name: str, order: int, monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.empty(Geometry.standard(order))
    encoding = catalog.load(name)
    compiled = compile_cnf(board.problem, encoding)
    size = model_size(board, encoding)
    assert (size.variables, size.clauses) == (compiled.variable_count, compiled.clause_count)
    if name != "triad":
        monkeypatch.setattr("gridproof.models.sizes.MOST_CLAUSES", 0)
        counted = model_size(board, encoding)
        assert counted.variables == size.variables
        assert counted.with_repeats == size.with_repeats
        assert counted.clauses == size.clauses


def test_pairs_that_two_houses_share() -> None:
    geometry = Geometry.classic(2, 3)
    houses = [set(house.cells) for house in geometry.houses]
    shared = 0
    for first in range(geometry.cell_count):
        for second in range(first):
            number = sum({first, second} <= house for house in houses)
            shared += max(0, number - 1)
    assert count_repeats(geometry, catalog.load("minimal")) == shared


def test_the_size_of_a_board_with_rules_and_of_other_targets() -> None:
    board = Board.empty(Geometry.classic(2)).with_rules("killer 3 r1c1 r1c2")
    plain = model_size(Board.empty(Geometry.classic(2)), catalog.load("extended"))
    size = model_size(board, catalog.load("extended"))
    assert size.clauses is not None
    assert plain.clauses is not None
    assert size.clauses > plain.clauses
    assert size.with_repeats is None
    assert model_size(Board.empty(Geometry.classic(2)), catalog.load("alldifferent")).variables == 16


def test_the_page_is_made_of_the_runs_that_are_kept() -> None:
    root = Path(__file__).parents[2]
    spec = importlib.util.spec_from_file_location("make_papers", root / "docs" / "make_papers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = (root / "docs" / "papers.md").read_text(encoding="utf-8")
    assert page == module.make_page(), "python docs/make_papers.py"
    for kind in CLAIMS:
        assert f"| `{kind}` |" in page
    for kept in (root / "benchmarks" / "results").glob("paper-*.json"):
        report = json.loads(kept.read_text(encoding="utf-8"))
        assert kept.stem == f"paper-{report['paper']}"
        assert not report["sampled"]
        assert report["seconds"] < 900, "a run takes at most 15 minutes"
        paper = load(report["paper"])
        changed = "the paper's file has changed since it was run"
        assert report["differs"] == list(paper.differs), changed
        assert [table["published"] for table in report["tables"]] == [
            table.published.rows_of() for table in paper.tables
        ], changed


@pytest.mark.parametrize("seed", range(20))
def test_all_different_keeps_what_fills_a_house_and_nothing_else(seed: int) -> None:
    """By going through all ways to fill a house: the candidates that one of them has are those that are kept."""
    random = Random(seed)
    symbols_of = [set(random.sample(range(1, 6), random.choice((1, 2, 2, 3)))) for _ in range(5)]
    ways = [way for way in product(*symbols_of) if len(set(way)) == 5]
    for cell in range(5):
        kept = keep_matched(cell, range(5), symbols_of)
        assert kept == {way[cell] for way in ways}


def test_all_different_fills_what_singles_fill_and_more() -> None:
    extended = catalog.load("extended")
    boards = datasets.load("seventeen")
    by_singles = [count_solved([board], extended, shaves=False) == 1 for board in boards]
    by_all_different = [is_filled(board) for board in boards]
    for singles, all_different in zip(by_singles, by_all_different, strict=True):
        assert all_different or not singles
    assert sum(by_singles) < sum(by_all_different) < len(boards)
    assert not is_filled(Board.empty(Geometry.classic(2)))


def test_random_grids_as_a_set_and_scaled_holes() -> None:
    wanted = {"16": {"order": 16, "holes": 0.5, "make": 3}}
    (puzzles,), remarks = puzzle_sets(wanted, Request())
    assert [board.clues.count(0) for board in puzzles.boards] == [128] * 3
    assert remarks == ("16: 3 puzzles that are random grids of 16x16, 4x4 boxes with 50% holes",)
    options = {"kind": "qwh", "orders": [6, 8], "holes": ["1.2n^1.55", 40], "instances": 3, "seconds": 5}
    figures = find("completion").run({**options, "backend": "cadical153", "encoding": "extended"}, Request())
    assert figures.rows == ("1.2n^1.55", "40 %")
    assert figures.get("40 %", "order 6: solvable [%]") == 100


def test_a_backend_that_does_not_take_the_encoding_is_refused() -> None:
    options = {"backend": "search-bits", "encodings": ["minimal"], "sets": {"a": "easy"}}
    with pytest.raises(BackendUnavailable, match="search-bits searches the board itself and takes no encoding"):
        find("speed").run(options, Request(sample=1))
