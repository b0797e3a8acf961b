"""Arguments of wrong types: an error of ours at the door of every public function, and no other exception."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridproof
from gridproof import Geometry, GridproofError
from gridproof.errors import BoardError, InputError
from gridproof.formats.reading import ReadOptions

api: Any = gridproof
"""Without its types, since wrong ones are given."""

LINE = "1... ..2. .3.. ...4"
ONE = api.parse(LINE)
NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: api.verify(LINE, limits=5), "^limits is 5; expected limits such as Limits"),
        (lambda: api.count(LINE, limits={"seconds": 3}), "^limits is {'seconds': 3}; expected limits"),
        (lambda: next(api.verify_many([LINE], limits=3)), "^limits is 3; expected limits"),
        (
            lambda: api.solve(LINE, cross_check=True),
            "cross_check is True; expected all, none, sample=P or a CrossCheck",
        ),
        (lambda: api.verify(LINE, backend=5), "^backend is 5; expected a name, a path ending in .py, or a Backend"),
        (lambda: api.verify(LINE, encoding=b"extended"), "^encoding is b'extended'; expected a name"),
        (lambda: api.verify(LINE, despite_unread="no"), "despite_unread is 'no'; expected True or False"),
        (lambda: api.verify(LINE, rules=[5]), "5 is not a rule; expected a text such as"),
        (lambda: ONE.with_rule(lambda grid: True), "<function .* is not a rule; expected a text"),
        (lambda: ONE.without_rule(0), "rule 0 of a board with 0 rules"),
        (lambda: api.Limits("x"), "the limit seconds is 'x'; expected a number above zero"),
        (lambda: api.Limits(seconds=True), "the limit seconds is True"),
        (lambda: api.Pipeline(backend=None), "^backend is None; expected a name"),
        (lambda: api.parse(LINE, 5), "shape=5; expected a Geometry, Digits, or a function from an order to one"),
        (lambda: api.parse("." * 16, lambda order: 16), "the shape of order 16 is 16; expected a Geometry"),
        (lambda: api.Board(NINE), "geometry '53..7.*; expected a Geometry. gridproof.parse makes a board of a text"),
        (lambda: api.Board(ONE.geometry), "clues: None; expected a number for each cell, 16 in all"),
        (lambda: api.Geometry.classic(9), r"expected classic\(3\) for a board of 9x9, classic\(9, 9\) for 81x81"),
        (lambda: api.count(LINE, estimate=True, seed=-1), "seed is -1; expected a whole number of at least 0"),
        (lambda: api.count(LINE, estimate=True, seed=1.5), "seed is 1.5; expected a whole number"),
        (lambda: api.count(LINE, estimate=True, probes=1), "probes is 1; expected a whole number of at least 2"),
        (lambda: api.count(LINE, limit=True), "limit is True; expected a whole number of at least 1"),
        (lambda: api.explain(LINE, conflicts=0), "conflicts is 0; expected a whole number of at least 1"),
        (lambda: api.Board.empty(9), "geometry is 9; expected a Geometry"),
        (lambda: bool(api.verify(LINE)), "a verdict is neither true nor false; expected verdict.is_unique"),
    ],
)
def test_a_wrong_type_is_an_error_of_ours(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


def test_an_option_that_there_is_not_is_refused_by_its_name() -> None:
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'rule'"):
        api.verify(LINE, rule="anti-knight")


def test_numbers_of_numpy_are_numbers() -> None:
    assert api.count("." * 16, limit=np.int64(3)).number == 3
    same = api.count("." * 16, estimate=True, probes=np.int64(10), seed=np.array(5))
    assert same == api.count("." * 16, estimate=True, probes=10, seed=5)


def test_the_empty_board_is_the_usual_one() -> None:
    assert api.Board.empty() == api.parse("." * 81)


@pytest.mark.slow
def test_a_single_text_is_a_list_of_one() -> None:
    rule = "killer 5 r1c1 r1c2"
    assert api.parse(LINE, rules=rule) == api.parse(LINE, rules=[rule]) == ONE.with_rules(rule)
    assert api.verify(NINE, rules="anti-knight").status == "none"
    compared = api.experiments.compare("easy", "search-bits", repeat=1, sample=1)
    assert [setup.backend for setup in compared.setups] == ["search-bits"]


@pytest.mark.parametrize("cell", ["r1c3", "R1C3", (1, 3), 2, np.int64(2)])
def test_a_cell_has_a_name_a_pair_and_a_number(cell: Any) -> None:
    board = ONE.with_clue(cell, 4)
    assert (board["r1c3"], board[1, 3], board[2], board[cell]) == (4, 4, 4, 4)
    assert board.without_clue(cell) == ONE
    assert api.solve(ONE)[cell] == 4


@pytest.mark.parametrize(
    "cell", ["r1c5", "r0c1", "x", "", (0, 1), (1, 5), (1,), (1, 2, 3), 16, -1, 1.0, None, [1, 2], "r٣c1"]
)
def test_what_is_no_cell_is_refused(cell: Any) -> None:
    for call in (ONE.__getitem__, ONE.without_clue, lambda cell: ONE.with_clue(cell, 1), ONE.geometry.cell):
        with pytest.raises(
            BoardError, match=r"cell .*; expected r1c1 to r4c4, row and column from 1 to 4, or a number"
        ):
            call(cell)


def test_boards_and_grids_are_square_arrays_and_texts() -> None:
    grid = api.solve(ONE)
    assert grid is not None
    assert np.array(ONE).tolist() == [[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]]
    assert np.array(grid).shape == np.asarray(grid, np.int8).shape == (4, 4)
    assert api.parse(np.array(ONE)) == ONE
    assert api.parse(ONE.text()) == ONE
    assert (ONE.text(), tuple(ONE)) == ("1.....2..3.....4", ONE.clues)
    large = api.Board.empty(Geometry.classic(6)).with_clue("r1c2", 36)
    assert api.parse(large.text()) == large


def test_a_pipeline_shows_what_it_is_made_of() -> None:
    with api.Pipeline("search-bits") as pipeline:
        assert repr(pipeline) == "<Pipeline: search-bits>"


# ---- anything at all ------------------------------------------------------------------------------------------------

ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.floats(-1, 3),
    st.sampled_from(["", "x", "r1c1", "blank", "extended", "cadical153", "killer 3 r1c1", LINE]),
    st.binary(max_size=3),
    st.lists(st.one_of(st.integers(-1, 3), st.sampled_from(["x", "r1c1"])), max_size=4),
    st.sampled_from([{}, {"seconds": 1}, (1, 2), object(), Path("/nowhere"), ONE, ONE.geometry, api.Limits(1)]),
    st.sampled_from([np.int64(2), np.zeros((2, 2)), np.array("x"), iter([1, 2]), int, float("nan"), 10**30]),
)


def _doors() -> Iterator[tuple[str, Callable[..., Any], list[Any]]]:
    """Yield each public function and method with arguments that are right."""
    with_puzzle = [api.verify, api.solve, api.count, api.solutions, api.parse]
    for function in [*with_puzzle, api.read_puzzle, api.read, api.verify_many]:
        yield function.__name__, function, [LINE]
    for function in (gridproof.explain, gridproof.candidates, gridproof.certify, gridproof.compile, gridproof.show):
        yield function.__name__, function, [LINE]
    yield "canonical", gridproof.canonical, [LINE]
    yield "minimise", gridproof.minimise, [LINE]
    yield "convert", gridproof.convert, [LINE, "toml"]
    yield "check", gridproof.check, ["/nowhere"]
    yield "instance", api.experiments.instance, ["qwh", Geometry.latin(4), 0.5]
    yield "find", api.backends.find, ["cadical153"]
    yield "Limits", api.Limits, []
    yield "Pipeline", api.Pipeline, []
    yield "Board", api.Board, [ONE.geometry, ONE.clues]
    methods: dict[str, list[Any]] = {
        "with_clue": ["r1c2", 2],
        "without_clue": ["r1c1"],
        "with_filled": [ONE.clues],
        "with_marks": [[15] * 16],
        "with_rules": [["killer 3 r1c1 r1c2"]],
        "with_rule": ["killer 3 r1c1 r1c2"],
        "without_rule": [0],
        "from_symbols": [ONE.geometry, "." * 16],
        "empty": [ONE.geometry],
        "__getitem__": ["r1c1"],
    }
    shapes: dict[str, list[Any]] = {"classic": [2, 2], "latin": [4], "standard": [4], "jigsaw": ["1122" * 4]}
    shapes |= {"with_houses": [[[0, 3, 12, 15]], "corners"], "cell": ["r1c1"]}
    for owner, calls in ((ONE.with_rule("killer 3 r1c1 r1c2"), methods), (ONE.geometry, shapes)):
        for name, right in calls.items():
            yield name, getattr(owner, name), right


DOORS = {name: (function, right) for name, function, right in _doors()}


@pytest.mark.slow
@pytest.mark.parametrize("name", DOORS)
@given(data=st.data())
def test_anything_gives_an_answer_or_an_error_of_ours(name: str, data: st.DataObject) -> None:
    function, right = DOORS[name]
    arguments, named = list(right), {}
    parameters = list(inspect.signature(function).parameters)
    options = [name for name in parameters[len(right) :] if name not in ("executor", "jobs", "reading")]
    options += ReadOptions.__annotations__ if "reading" in parameters else []
    wrong = data.draw(st.sampled_from([*range(len(right)), *options]))
    if isinstance(wrong, int):
        arguments[wrong] = data.draw(ANYTHING)
    else:
        named[wrong] = data.draw(ANYTHING)
    try:
        answer = function(*arguments, **named)
        if isinstance(answer, Iterator):
            next(answer, None)
    except (gridproof.errors.DisagreementError, gridproof.errors.BackendFailure):
        raise
    except (GridproofError, FileNotFoundError):  # a text may be the name of a file
        return
    assert getattr(answer, "status", None) != "disagreement"
