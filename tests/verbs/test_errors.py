"""The exception tree: its shape, and that errors survive the way between processes."""

from __future__ import annotations

import inspect
import json
import pickle

import pytest

from gridproof import errors
from gridproof.errors import (
    BackendError,
    BackendFailure,
    BackendUnavailable,
    BoardError,
    DisagreementError,
    EncodingError,
    GeometryError,
    GridproofError,
    InputError,
    Interrupted,
    PuzzleFormatError,
    describe_error,
    error_for,
)
from gridproof.formats.puzzle import Table
from gridproof.text import escape_controls, sanitise_grid, text_of

ALL = [member for _, member in inspect.getmembers(errors, inspect.isclass) if member.__module__ == errors.__name__]


def test_everything_is_below_one_root_and_drawn() -> None:
    assert {GridproofError, InputError, BackendError} < set(ALL)
    for error in ALL:
        assert issubclass(error, GridproofError)
        assert error.__doc__
        assert error.__name__ in (errors.__doc__ or ""), "the tree in the module's docstring has each"


def test_parents_of_errors() -> None:
    for child in (PuzzleFormatError, GeometryError, BoardError, EncodingError):
        assert issubclass(child, InputError)
        assert issubclass(child, ValueError)
    assert issubclass(BackendUnavailable, BackendError)
    assert issubclass(BackendFailure, BackendError)
    # a limit, a crash or a bug is none of the user's input
    for other in (Interrupted, BackendFailure, DisagreementError):
        assert not issubclass(other, ValueError)
    assert not issubclass(Interrupted, BackendError)


def _of_a_file() -> PuzzleFormatError:
    error = PuzzleFormatError("bad", text="x", expected="y", line=3)
    error.source = "puzzles.txt"
    return error


def _of_a_record() -> PuzzleFormatError:
    error = _of_a_file()
    error.row, error.table = ("x",), Table(("puzzle",), ",", 0, None)
    return error


@pytest.mark.parametrize(
    "error",
    [
        _of_a_file(),
        _of_a_record(),
        PuzzleFormatError("a row too many", text="123", expected="9 rows", line=3, column=7),
        PuzzleFormatError("no puzzle", text="", expected="one"),
        GeometryError("order 0"),
        Interrupted("seconds", 0.5),
        Interrupted("something else"),
        BackendFailure("it crashed"),
        BackendUnavailable("no such thing"),
        DisagreementError("contradiction"),
    ],
    ids=lambda error: f"{type(error).__name__} {error}",
)
def test_they_survive_the_way_between_processes(error: GridproofError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)


def test_the_words_of_a_format_error() -> None:
    error = PuzzleFormatError("no symbol of a 9x9 board", text="x", expected="1-9", line=3, column=7)
    assert str(error) == "line 3, column 7: no symbol of a 9x9 board: 'x'; expected 1-9"
    assert PuzzleFormatError("bad", text="x", expected="y", line=3).place == "line 3"
    assert str(PuzzleFormatError("bad", text="x", expected="y")) == "bad: 'x'; expected y"
    assert str(_of_a_file()) == "puzzles.txt, line 3: bad: 'x'; expected y"
    long = str(PuzzleFormatError("bad", text="z" * 10_000, expected="y"))
    assert len(long) < 200
    assert "(10000 characters)" in long


def test_the_words_of_an_interruption() -> None:
    assert str(Interrupted("seconds", 0.25)) == "stopped by the limit of 0.25 seconds"
    assert str(Interrupted("conflicts", 1000)) == "stopped by the limit of 1000 conflicts"


def test_control_characters_are_escaped() -> None:
    assert escape_controls("\x1b[31mred\x07\x00\x7f\x9b1m\rover\x0b") == r"\x1b[31mred\x07\x00\x7f\x9b1m\x0dover\x0b"
    assert escape_controls("a \u202e b \u2028") == r"a \u202e b \u2028", "nor turn the direction of text"
    for plain in ("5 3 .\t7\n6\r\n", "größe │ 数独", ""):
        assert escape_controls(plain) == plain
    error = PuzzleFormatError("a \x1b", text="\x1b", expected="\x1b[31m")
    assert str(error) == r"a \x1b: '\x1b'; expected \x1b[31m"
    assert error.expected == "\x1b[31m"


# ---- values and errors from code of others ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("as it is: größe, 数独", "as it is: größe, 数独"),
        ("\x1b]0;title\x07\x9b31m\x00\x7f", r"\x1b]0;title\x07\x9b31m\x00\x7f"),
        ("two\r\nlines\tand \v a\u2028half\n", "two lines and a half"),
        ("\u202egnp.exe\u200b", r"\u202egnp.exe\u200b"),
        ("\ud800", r"\ud800"),
        ("x" * 1000, "x" * 1000),
        ("x" * 1001, "x" * 1000 + "..."),
        (" " * 1001 + "x", "..."),
    ],
)
def test_text_of_a_value_is_one_safe_line(value: object, text: str) -> None:
    assert text_of(value) == text


def test_describe_error_names_the_kind_unless_it_is_ours() -> None:
    assert describe_error(ZeroDivisionError("of its own")) == "ZeroDivisionError: of its own"
    assert describe_error(SystemExit(7)) == "SystemExit: 7"
    assert describe_error(BackendFailure("broke\x1b")) == r"broke\x1b"
    assert describe_error(Interrupted("seconds", 2)) == "stopped by the limit of 2 seconds"
    red = type("Red\x1b", (Exception,), {})
    assert describe_error(red("no")) == r"Red\x1b: no"


def test_memory_that_runs_out_is_no_failure() -> None:
    ours = BackendFailure("broke")
    assert error_for(ours) is ours
    assert isinstance(error_for(ValueError("no")), BackendFailure)
    assert str(error_for(MemoryError())) == "there was not enough memory"


def test_a_sanitised_grid_can_be_sent_and_written() -> None:
    grid = (1, 2, 3, 4)
    assert sanitise_grid(grid) == grid
    assert sanitise_grid((10**5000,)) == ("int with a number of too many digits",)
    strange = sanitise_grid((1, True, 2.0, 2**70, None))
    assert strange == (1, "True", "2.0", str(2**70), "None")
    for given in (strange, sanitise_grid([1, 2]), sanitise_grid(None)):
        assert pickle.loads(pickle.dumps(given)) == given
        json.dumps(given)
