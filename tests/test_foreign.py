"""Texts of what somebody else's code gave: always there, on one line, and nothing that a terminal obeys."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import pytest

from gridproof import parse
from gridproof.backends.plugins import Foreign
from gridproof.backends.solvers.pysat import PySat
from gridproof.errors import BackendFailure, Interrupted
from gridproof.explanations import explain
from gridproof.runs.foreign import crash, failure, harmless, text_of

FOUR = parse("1... ..2. .3.. ...4")


class Breaks:
    """Somebody else's solver, of whatever a test wants."""

    def __init__(self, problem: BaseException) -> None:
        self.problem = problem

    def solve(self, *_: object) -> NoReturn:
        print("I am at work")
        raise self.problem

    def close(self) -> None:
        print("good-bye")


class Backends(PySat):
    """Offers such solvers."""

    def __init__(self, problem: BaseException | None) -> None:
        super().__init__("glucose4")
        self.problem = problem

    def incremental(self, clauses: Iterable[Sequence[int]]) -> Any:
        return super().incremental(clauses) if self.problem is None else Breaks(self.problem)


@pytest.mark.parametrize("raised", [SystemExit(7), ValueError("no"), Interrupted("seconds", 3)])
def test_a_solver_that_is_asked_again_and_again_is_guarded(
    raised: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain(FOUR, Foreign(Backends(None))) == explain(FOUR)
    with pytest.raises(Interrupted if isinstance(raised, Interrupted) else BackendFailure):
        explain(FOUR, Foreign(Backends(raised)))
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "I am at work\ngood-bye\n")


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
def test_printable(value: object, text: str) -> None:
    assert text_of(value) == text


def test_crash_names_the_kind_unless_it_is_ours() -> None:
    assert crash(ZeroDivisionError("of its own")) == "ZeroDivisionError: of its own"
    assert crash(SystemExit(7)) == "SystemExit: 7"
    assert crash(BackendFailure("broke\x1b")) == r"broke\x1b"
    assert crash(Interrupted("seconds", 2)) == "stopped by the limit of 2 seconds"
    red = type("Red\x1b", (Exception,), {})
    assert crash(red("no")) == r"Red\x1b: no"


def test_memory_that_runs_out_is_no_failure() -> None:
    ours = BackendFailure("broke")
    assert failure(ours) is ours
    assert isinstance(failure(ValueError("no")), BackendFailure)
    assert str(failure(MemoryError())) == "there was not enough memory"


def test_harmless() -> None:
    grid = (1, 2, 3, 4)
    assert harmless(grid) == grid
    strange = harmless((1, True, 2.0, 2**70, None))
    assert strange == (1, "True", "2.0", str(2**70), "None")
    for given in (strange, harmless([1, 2]), harmless(None)):
        assert pickle.loads(pickle.dumps(given)) == given
        json.dumps(given)
