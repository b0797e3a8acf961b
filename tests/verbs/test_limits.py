"""Limits and the watch that keeps them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from gridproof import limits as module
from gridproof.errors import InputError, Interrupted
from gridproof.limits import NO_LIMITS, Limits, Watch, look, watched


class Clock:
    """A clock in place of the system's that advances only when a test sets it."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "monotonic", clock)
    return clock


@pytest.mark.parametrize("name", ["seconds", "conflicts", "solutions"])
@pytest.mark.parametrize("value", [0, -1, -0.5, math.nan, -math.inf, "5", True, [1], 1j])
def test_a_limit_is_a_number_above_zero(name: str, value: Any) -> None:
    with pytest.raises(InputError, match=rf"the limit {name} is .*; expected a (whole )?number above zero, or None"):
        Limits(**{name: value})


def test_conflicts_and_solutions_are_whole_numbers() -> None:
    with pytest.raises(InputError, match=r"the limit conflicts is 1\.5; expected a whole number"):
        Limits(conflicts=1.5)  # type: ignore[arg-type]
    assert Limits(seconds=1.5, conflicts=10**400).seconds == 1.5
    assert Limits(seconds=np.float32(2), conflicts=np.int64(3)).conflicts == 3  # type: ignore[arg-type]


def test_a_watch_of_a_block_is_kept_in_it_only(clock: Clock) -> None:
    look()
    with watched(Watch(Limits(seconds=2.0))):
        look()
        clock.now += 2.0
        with watched(Watch()):
            look()
        with pytest.raises(Interrupted, match="2 seconds"):
            look()
    look()


def test_no_limit_never_stops(clock: Clock) -> None:
    watch = Watch()
    assert watch.limits == NO_LIMITS == Limits()
    clock.now += 1e9
    watch.look()
    watch.conflict(10**9)
    for _ in range(1_000):
        watch.before_next_solution()
    assert watch.remaining() is None
    assert watch.conflicts_left() is None
    assert watch.elapsed == 1e9


def test_seconds(clock: Clock) -> None:
    watch = Watch(Limits(seconds=2.0))
    assert watch.remaining() == 2.0
    clock.now += 1.5
    watch.look()
    assert watch.remaining() == 0.5
    clock.now += 0.5
    with pytest.raises(Interrupted) as stopped:
        watch.look()
    assert (stopped.value.limit, stopped.value.value) == ("seconds", 2.0)
    assert str(stopped.value) == "stopped by the limit of 2 seconds"
    clock.now += 5
    assert watch.remaining() == 0.0


def test_conflicts() -> None:
    watch = Watch(Limits(conflicts=3))
    watch.conflict()
    watch.conflict(2)
    assert watch.conflicts_left() == 0
    with pytest.raises(Interrupted) as stopped:
        watch.conflict()
    assert (stopped.value.limit, stopped.value.value) == ("conflicts", 3)
    assert watch.conflicts_left() == 0


def test_solutions() -> None:
    watch = Watch(Limits(solutions=2))
    watch.before_next_solution()
    watch.before_next_solution()
    for _ in range(2):
        with pytest.raises(Interrupted) as stopped:
            watch.before_next_solution()
        assert (stopped.value.limit, stopped.value.value) == ("solutions", 2)
