"""Verbs: each is a function with the options of the command of its name, for whatever is a puzzle."""

from __future__ import annotations

import argparse
import inspect
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gridproof
from gridproof.errors import BoardError, EncodingError, InputError, NotUnderstoodError
from gridproof.formats.reading import ReadOptions
from gridproof.pipeline import DEFAULT_BACKEND

VERBS = (
    "candidates",
    "canonical",
    "certify",
    "check",
    "compile",
    "convert",
    "count",
    "explain",
    "minimise",
    "rate",
    "show",
    "solve",
    "steps",
    "verify",
)
LINE = "1.....2..3.....4"
GRID = "1243342143122134"

OF_OUTPUT = {"words", "help", "json", "next", "hint", "story", "svg", "html", "widget", "quiet"}
OF_OUTPUT |= {"output", "force", "resume", "notation", "explain_reading", "solutions", "grades", "per_page"}
"""Options of a command about where its output goes and how it looks. A function returns it."""

RECORDS = {
    "shape": {"boxes", "jigsaw", "latin", "diagonal", "windoku", "disjoint", "size", "digits"},
    "readings": {"read"},
    "ignored": {"ignore"},
    "rules": {"rule"},
    "entries_as_clues": {"entries"},
    "limits": {"seconds"},
    "cross_check": {"cross_check"},
    "conflicts": {"all", "sets"},
    "enumerated": set[str](),
    "puzzle": {"input"},
    "certificate": {"certificates"},
}
"""Parameters of functions that stand for several options of commands, or for one of another name."""

OF_MANY = {"distinct", "jobs", "engine", "column", "dask", "details", "rate", "canonical", "keep"}
"""Options of ``gridproof verify`` for many puzzles: see ``verify_many``."""


OF_WAY_OUT = {"columns", "keep", "split", "rate", "steps", "symbols"}
"""Options of commands that write puzzles: see ``write``, which has all of them."""


def parameters(verb: str) -> dict[str, Any]:
    """The defaults of the parameters of a function, those of ``ReadOptions`` among them."""
    found = {p.name: p.default for p in inspect.signature(getattr(gridproof, verb)).parameters.values()}
    if found.pop("reading", None) is not None:
        read = inspect.signature(gridproof.parse).parameters
        found |= {name: read[name].default for name in ReadOptions.__annotations__}
    return found


def options(verb: str) -> dict[str, Any]:
    """The defaults of the options of a command."""
    parser = argparse.ArgumentParser()
    import_module(f"gridproof.cli.{verb}").configure(parser)
    return {action.dest: action.default for action in parser._actions if action.dest not in OF_OUTPUT}


@pytest.mark.parametrize("verb", VERBS)
def test_a_function_has_the_options_of_its_command(verb: str) -> None:
    mine, theirs = parameters(verb), options(verb)
    records = RECORDS if verb != "check" else {"certificate": RECORDS["certificate"]}
    replaced = {option for name in mine for option in records.get(name, ())}
    left = theirs.keys() - replaced - (OF_MANY if verb == "verify" else set())
    if verb in ("convert", "minimise", "canonical"):
        left = left - OF_WAY_OUT - {"column"}  # which ``read`` has
        assert OF_WAY_OUT | {"to"} <= parameters("write").keys()
    if verb in ("minimise", "canonical"):
        left = left - {"to", "jobs"}
    if verb == "certify":
        left = left - {"jobs"}  # of many
    if verb in ("steps", "explain"):
        left = left - {"symbols"}  # which a ``Puzzle`` has: its ``names``
    assert left == mine.keys() - records.keys()
    for name in left:
        default = DEFAULT_BACKEND if theirs[name] is None and name == "backend" and verb != "show" else theirs[name]
        assert mine[name] in (default, inspect.Parameter.empty), name


def test_options_of_reading_are_those_of_parse() -> None:
    assert {*ReadOptions.__annotations__} == {*inspect.signature(gridproof.parse).parameters} - {"puzzle"}


PUZZLES: list[Any] = [
    LINE,
    LINE.encode(),
    [[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]],
    np.array(gridproof.parse(LINE)),
    gridproof.parse(LINE),
    gridproof.read_puzzle(LINE),
    gridproof.convert(LINE, "f-puzzles"),
]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: f"{type(puzzle).__name__} {str(puzzle)[:8]}")
def test_whatever_is_a_puzzle_is_taken(puzzle: Any) -> None:
    assert gridproof.explain(puzzle).is_minimal == gridproof.explain(LINE).is_minimal
    assert gridproof.candidates(puzzle).masks == tuple(1 << int(symbol) - 1 for symbol in GRID)
    assert repr(gridproof.candidates(puzzle)) == "<Candidates: 16 in 16 cells>"
    assert repr(gridproof.certify(puzzle)).startswith("<Certificate: unique, ")
    assert gridproof.parse(gridproof.convert(puzzle, "toml")) == gridproof.parse(LINE)
    assert repr(gridproof.compile(puzzle, "extended")).startswith("<Cnf of 4x4, 2x2 boxes, extended: 64 variables")
    assert gridproof.show(puzzle) == gridproof.show(LINE)


def test_rules_and_shapes_are_read_by_all() -> None:
    empty, rule, latin = "." * 9, "killer 3 r1c1 r1c2", gridproof.Geometry.latin
    options: ReadOptions = {"shape": latin, "rules": rule}
    assert gridproof.count(empty, **options).number == 4
    assert {gridproof.solve(empty, **options)["r1c3"]} == {3}  # type: ignore[index]
    assert all(grid["r1c3"] == 3 for grid in gridproof.solutions(empty, **options))
    assert gridproof.candidates(empty, **options).masks[2] == 0b100
    assert gridproof.explain(empty, **options).solutions == 4
    assert "rules.json" in gridproof.certify(empty, **options).files
    assert "killer" in gridproof.convert(empty, "toml", **options)
    assert gridproof.compile(empty, **options).problem.rules
    assert len(gridproof.show(empty, **options)) > len(gridproof.show(empty, shape=latin))


def test_a_model_is_written_in_the_format_that_is_named() -> None:
    model = gridproof.compile(LINE, "minimal")
    text = gridproof.compile(LINE, "minimal", to="dimacs", no_names=True)
    assert f"p cnf {model.sizes['variables']} {model.sizes['clauses'] + 4}\n" in text
    bare = gridproof.compile(LINE, "minimal", to="dimacs", rules_only=True)
    assert f"p cnf {model.sizes['variables']} {model.sizes['clauses']}\n" in bare
    assert "x[r1c1=1]" in bare
    assert gridproof.compile(LINE, to="lp").startswith("\\ gridproof")
    with pytest.raises(EncodingError, match="lp with 'triad', which is for cnf; expected dimacs"):
        gridproof.compile(LINE, "triad", to="lp")
    with pytest.raises(InputError, match="no format of models is called 'cnf'"):
        gridproof.compile(LINE, to="cnf")


def test_what_a_format_cannot_express_is_refused() -> None:
    with pytest.raises(BoardError, match="cannot"):
        gridproof.convert(LINE, "sdk", rules="killer 3 r1c1 r1c2")
    with pytest.raises(InputError, match="no format is called 'tml'; did you mean toml"):
        gridproof.convert(LINE, "tml")
    drawn = json.dumps({"size": 4, "grid": [[{}] * 4] * 4, "line": [{"lines": [["R1C1", "R2C2"]]}]})
    for verb in (gridproof.explain, gridproof.candidates, gridproof.certify, gridproof.compile):
        with pytest.raises(NotUnderstoodError):
            verb(drawn)
    assert gridproof.show(drawn).endswith("</svg>")
    assert gridproof.explain(drawn, despite_unread=True).status == "multiple"


def test_a_drawing_takes_a_title_and_a_verdict() -> None:
    plain = gridproof.show(LINE)
    assert "Well known" in gridproof.show(LINE, title="Well known")
    assert plain != gridproof.show(LINE, verify=True)


def test_certificates_are_checked(tmp_path: Path) -> None:
    gridproof.certify(LINE).write(tmp_path / "one")
    [report] = gridproof.check(tmp_path / "one")
    assert (report.accepted, getattr(report, "claim", "")) == (True, "unique")
    (tmp_path / "one" / "board.txt").write_text("1...\n..2.\n.3..\n...3\n")
    assert not any(report.accepted for report in gridproof.check(str(tmp_path / "one"), large=True))
    assert not gridproof.check(tmp_path / "nothing")[0].accepted
