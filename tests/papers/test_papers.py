"""Papers: the contract of every file that is found, the kinds of claims, and what is wrong in a file of one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gridproof.errors import InputError
from gridproof.models import catalog
from gridproof.models.sizes import count_shared_pairs, model_size
from gridproof.models.targets.cnf import compile_cnf
from gridproof.papers import Request, load, names, run_paper
from gridproof.papers.claims import CLAIMS, Claim
from gridproof.papers.figures import Figures
from gridproof.papers.measures import find, measure_names
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


BEGINNING = "title = 'a'\nsource = 'b'\nsummary = 'c'\n[[table]]\ntitle = 'd'\n"


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
            f"{BEGINNING}measure = 'sizes'\npublished = {{a = {{b = 'x'}}}}",
            "published.a.b = 'x'; expected a number",
        ),
        (
            f"{BEGINNING}measure = 'sizes'\nclaim = [{{kind = 'near', far = 3}}]",
            "far",
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


@pytest.mark.parametrize("order", [4, 6, 9, 12])
@pytest.mark.parametrize("name", ["minimal", "natural", "extended", "extended-product", "triad"])
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
        if name != "extended-product":
            assert counted.clauses == size.clauses


def test_pairs_that_two_houses_share() -> None:
    geometry = Geometry.classic(2, 3)
    houses = [set(house.cells) for house in geometry.houses]
    shared = 0
    for first in range(geometry.cell_count):
        for second in range(first):
            number = sum({first, second} <= house for house in houses)
            shared += max(0, number - 1)
    assert count_shared_pairs(geometry) == shared


def test_the_size_of_a_board_with_rules_and_of_other_targets() -> None:
    board = Board.empty(Geometry.classic(2)).with_rules("killer 3 r1c1 r1c2")
    plain = model_size(Board.empty(Geometry.classic(2)), catalog.load("extended"))
    size = model_size(board, catalog.load("extended"))
    assert size.clauses is not None
    assert plain.clauses is not None
    assert size.clauses > plain.clauses
    assert size.with_repeats is None
    assert model_size(Board.empty(Geometry.classic(2)), catalog.load("alldifferent")).variables == 16
