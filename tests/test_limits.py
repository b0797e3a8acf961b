"""Limits and the watch that keeps them."""

from __future__ import annotations

import math

import pytest

from gridproof import limits as module
from gridproof.errors import InputError, Interrupted
from gridproof.limits import NO_LIMITS, Limits, Watch


class Clock:
    """In place of the system's: goes when it is told to."""

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
@pytest.mark.parametrize("value", [0, -1, -0.5, math.nan, -math.inf])
def test_a_limit_is_above_zero(name: str, value: float) -> None:
    with pytest.raises(InputError, match=f"the limit {name} is .*; expected a number above zero, or None"):
        Limits(**{name: value})  # type: ignore[arg-type]


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
