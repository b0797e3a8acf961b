"""The pipeline that stays open between questions: rules are loaded once, and every option is obeyed all the same."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import gridproof
from cli_runner import environment
from gridproof import Limits, Pipeline, warm
from gridproof.backends.protocol import Session
from gridproof.backends.solvers import pysat
from gridproof.errors import InputError

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SEVERAL = "12.. .... 4.1. ...."


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The models that are loaded from now on, beginning with no warm pipeline."""
    warm.close()
    models: list[Any] = []
    honest = pysat.PySat._open

    def open_session(backend: pysat.PySat, model: Any) -> Session:
        models.append(model)
        return honest(backend, model)

    monkeypatch.setattr(pysat.PySat, "_open", open_session)
    yield models
    warm.close()


@pytest.fixture
def no_callbacks_of_gc() -> Iterator[None]:
    """Python drops a ``KeyboardInterrupt`` in a callback of its garbage collection, and Hypothesis has such a callback.

    Of 300 presses of Ctrl-C one was lost so.
    """
    gc.disable()
    yield
    gc.enable()


def test_the_rules_are_loaded_once_for_all_questions(opened: list[Any]) -> None:
    for _ in range(3):
        assert gridproof.verify(LINE).is_unique
        assert gridproof.solve(LINE) is not None
        assert gridproof.count(LINE).number == 1
        assert len(list(gridproof.solutions(LINE))) == 1
    assert len(opened) == 1
    assert gridproof.verify(SEVERAL).status == "multiple"
    assert len(opened) == 2


def test_other_options_of_a_question_are_obeyed(opened: list[Any]) -> None:
    assert str(gridproof.verify(LINE, cross_check="none").evidence.reference) == "not asked"
    assert str(gridproof.verify(LINE).evidence.reference) == "agrees"
    assert str(gridproof.count("." * 81, limits=Limits(solutions=3))).endswith("stopped by the limit of 3 solutions")
    assert str(gridproof.count("." * 81, limit=2)).endswith("stopped at 2")
    assert gridproof.verify("." * 81, limits=Limits(seconds=1e-9)).status == "undecided"
    assert gridproof.verify("." * 81).status == "multiple"
    assert len(opened) == 1
    with pytest.raises(InputError, match="limits is 5"):
        gridproof.verify(LINE, limits=5)  # type: ignore[arg-type]


def test_what_is_not_usual_gets_a_pipeline_of_its_own(opened: list[Any]) -> None:
    for _ in range(2):
        assert gridproof.verify(LINE, "minisat22").is_unique
        assert gridproof.verify(LINE, encoding="minimal").is_unique
    assert len(opened) == 4
    assert warm._warm == {}


def test_threads_share_it(opened: list[Any]) -> None:
    with ThreadPoolExecutor(8) as pool:
        verdicts = list(pool.map(gridproof.verify, [LINE, SEVERAL] * 40))
    assert [str(verdict.status) for verdict in verdicts] == ["unique", "multiple"] * 40
    assert len(opened) <= 16


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_begins_with_another_one(opened: list[Any]) -> None:
    assert gridproof.verify(LINE).is_unique
    before = dict(warm._warm)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if warm._warm == {} and gridproof.verify(LINE).is_unique and not gridproof.verify(SEVERAL).is_unique:
                code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert warm._warm == before
    assert gridproof.verify(LINE).is_unique


def _enumerate_until_ctrl_c(board: str) -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        for _ in gridproof.solutions(board):
            pass
    finally:
        timer.join()


@pytest.mark.process
@pytest.mark.usefixtures("no_callbacks_of_gc")
def test_a_question_goes_on_rightly_after_ctrl_c(opened: list[Any]) -> None:
    hard = " ".join(["."] * 16**2)
    assert gridproof.verify(LINE).is_unique
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            _enumerate_until_ctrl_c(hard)
        assert gridproof.verify(LINE).is_unique
        assert gridproof.verify(SEVERAL).status == "multiple"


@pytest.mark.process
def test_it_is_closed_in_silence_when_python_ends() -> None:
    code = f"import gridproof; print(gridproof.verify({LINE!r})); from gridproof import warm; print(len(warm._warm))"
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment())
    assert (run.stdout, run.stderr, run.returncode) == ("unique; reference: agrees\n1\n", "", 0)


def test_a_pipeline_cannot_be_pickled_and_states_why() -> None:
    with Pipeline() as pipeline, pytest.raises(TypeError, match=r"<Pipeline: .*> cannot be pickled, as it holds open"):
        pickle.dumps(pipeline)
