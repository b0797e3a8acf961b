"""The kernel ``auto``: NumPy for few puzzles, numba for many, and nobody waits for the compiler."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gridproof.errors import BackendUnavailable
from gridproof.lanes import MULTIPLE, LaneEngine, LaneResult, choosing_kernel, kept_code, kernel_numpy
from gridproof.puzzle.geometry import Geometry
from lanes.lane_samples import HAS_NUMBA, puzzles, same


class FakeCompiler:
    """A child process that compiles for as long as ``alive`` stays true."""

    alive = True


@pytest.fixture(name="calls")
def fixture_calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """The kernels that have worked: new ones with small numbers in place of large; numba is a fake that NumPy plays."""
    calls: list[str] = []
    collecting: list[bool] = []

    def noting(name: str, function: Any) -> Any:
        def note(*arguments: Any, **more: Any) -> Any:
            calls.append(name)
            return function(*arguments, **more)

        return note

    monkeypatch.setattr(choosing_kernel, "kernels", choosing_kernel.KernelChoice())
    for name, value in {"SECONDS_TO_LOAD": 1e9, "SECONDS_TO_COMPILE": 1e9, "FIRST_SLICE": 30, "SLICE": 30}.items():
        monkeypatch.setattr(choosing_kernel, name, value)
    monkeypatch.setattr(choosing_kernel, "PUZZLES_TO_LOAD", 50)
    monkeypatch.setattr(choosing_kernel, "PUZZLES_TO_COMPILE", 100)
    monkeypatch.setattr(choosing_kernel, "find_spec", lambda name: True)
    monkeypatch.setattr(kept_code, "find_folder", lambda *_: tmp_path)
    monkeypatch.setattr("gridproof.runs.children.Child", noting("child", lambda *_: FakeCompiler()))
    fake: Any = ModuleType("kernel_numba")
    fake.search = noting("numba", kernel_numpy.search)
    fake.compile_search = lambda: collecting.append(gc.isenabled())
    monkeypatch.setitem(sys.modules, "gridproof.lanes.kernel_numba", fake)
    monkeypatch.setattr("gridproof.lanes.kernel_numba", fake, raising=False)
    monkeypatch.setattr(kernel_numpy, "search", noting("numpy", kernel_numpy.search))
    monkeypatch.setattr(kernel_numpy, "search_in_turn", noting("numpy in turn", kernel_numpy.search_in_turn))
    yield calls
    assert not any(collecting)
    assert gc.isenabled()


CLUES = puzzles(Geometry.classic(2), 130, seed=4)


def first_of(number: int) -> LaneResult:
    """The result of the first puzzles, found by NumPy in one piece."""
    return LaneEngine(Geometry.classic(2), "numpy").verify(CLUES[:number])


def test_few_puzzles_never_import_numba(calls: list[str]) -> None:
    kept_code.seal(kept_code.find_folder("", "") or Path())
    assert same(LaneEngine(Geometry.classic(2)).verify(CLUES[:40]), first_of(40))
    assert set(calls) == {"numpy"}


def test_many_puzzles_load_what_is_kept(calls: list[str]) -> None:
    kept_code.seal(kept_code.find_folder("", "") or Path())
    assert same(LaneEngine(Geometry.classic(2)).verify(CLUES[:60]), first_of(60))
    assert calls[0] == "numba"


def test_more_puzzles_have_it_compiled_and_numpy_works_meanwhile(calls: list[str]) -> None:
    engine = LaneEngine(Geometry.classic(2))
    expected = first_of(130)
    calls.clear()
    engine.verify(CLUES[:60])
    assert calls == ["numpy"] * 2
    calls.clear()
    assert same(engine.verify(CLUES), expected)
    assert calls == ["child"] + ["numpy"] * 5
    kept_code.seal(kept_code.find_folder("", "") or Path())
    calls.clear()
    assert same(engine.verify(CLUES), expected)
    assert calls == ["numba"]


def test_after_much_work_few_puzzles_are_enough(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing_kernel, "SECONDS_TO_LOAD", 10)
    monkeypatch.setattr(choosing_kernel, "SECONDS_TO_COMPILE", 100)
    kernels = choosing_kernel.kernels
    kernels.seconds = 11
    assert kernels.compiled_search(1) is None
    assert calls == []
    kernels.seconds = 101
    assert kernels.compiled_search(1) is None
    assert calls == ["child"]


def test_numpy_hands_over_what_follows(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing_kernel, "SECONDS_TO_LOAD", 0)
    monkeypatch.setattr(choosing_kernel, "SECONDS_BETWEEN_LOOKS", 0)
    expected = first_of(120)
    calls.clear()
    codes = np.zeros(120, np.uint8)
    place = np.arange(30)

    def follow_up(numbers: Any, found: LaneResult) -> tuple[Any, Any]:
        at = place[numbers]
        codes[at] = found.codes
        if at.max() >= 60:
            kept_code.seal(kept_code.find_folder("", "") or Path())
        place[numbers] += 30
        following = numbers[place[numbers] < 120]
        return following, CLUES[place[following]]

    LaneEngine(Geometry.classic(2)).verify_in_turn(CLUES[:30], follow_up)
    assert calls[0] == "numpy in turn"
    assert "numba" in calls
    assert np.array_equal(codes, expected.codes)
    calls.clear()
    place[:] = np.arange(30)
    LaneEngine(Geometry.classic(2)).verify_in_turn(CLUES[:30], follow_up)
    assert calls == ["numba"] * 4


def test_a_compiler_that_fails_is_not_started_again(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakeCompiler, "alive", False)
    assert same(LaneEngine(Geometry.classic(2)).verify(CLUES), first_of(130))
    assert calls.count("child") == 1
    assert "numba" not in calls


def test_where_no_process_starts_numpy_does_the_work(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def start(*_: object) -> None:
        raise OSError("too many open files")

    monkeypatch.setattr("gridproof.runs.children.Child", start)
    assert same(LaneEngine(Geometry.classic(2)).verify(CLUES), first_of(130))
    assert set(calls) == {"numpy"}


def test_where_nothing_can_be_kept_this_process_compiles(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_code, "find_folder", lambda *_: None)
    engine = LaneEngine(Geometry.classic(2))
    engine.verify(CLUES[:60])
    assert set(calls) == {"numpy"}
    calls.clear()
    engine.verify(CLUES)
    assert calls == ["numba"]


def test_without_numba_numpy_does_the_work(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing_kernel, "find_spec", lambda name: None)
    assert same(LaneEngine(Geometry.classic(2)).verify(CLUES), first_of(130))
    assert set(calls) == {"numpy"}


def test_a_numba_that_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("gridproof.lanes.kernel_numba", raising=False)
    monkeypatch.setitem(sys.modules, "gridproof.lanes.kernel_numba", None)
    with pytest.raises(BackendUnavailable, match=r"kernel_numba.*gridproof\[fast\]"):
        LaneEngine(Geometry.classic(2), "numba")
    assert LaneEngine(Geometry.classic(2)).verify(np.zeros((1, 16), np.uint8)).codes.tolist() == [MULTIPLE]


@pytest.mark.process
@pytest.mark.skipif(not HAS_NUMBA, reason="no numba")
def test_a_process_ends_without_waiting_for_its_compiler(tmp_path: Path) -> None:
    """A run that is over is over; the compiler ends with it."""
    script = (
        "from gridproof.lanes import choosing_kernel as c; c.kernels.seconds = 1e9; "
        "assert c.kernels.compiled_search(1) is None; print(c.kernels._compiler.alive)"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    started = monotonic()
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")
    assert not list(tmp_path.rglob("seal"))
    assert monotonic() - started < 30
