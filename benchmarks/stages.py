"""The time of each stage of a warm SAT session: microseconds for each 17-clue puzzle.

    python -m benchmarks.stages [--backend NAME] [--encoding NAME]

The functions of each stage are timed from outside, which costs some microseconds itself: the first line is the time
without that.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from time import perf_counter
from typing import Any
from unittest import mock

from benchmarks import sets
from gridproof import formats
from gridproof.backends.solvers.pysat import _solver
from gridproof.errors import PuzzleFormatError
from gridproof.models.clauses import Cnf
from gridproof.pipeline import DEFAULT_BACKEND, Pipeline
from gridproof.trust import crosscheck

_STAGES: tuple[tuple[str, Any, str], ...] = (
    ("the solver's solves", _solver.Solver, "solve"),
    ("PySAT building the list of the model", _solver.Solver, "model"),
    ("reading it", Cnf, "decode"),
    ("the check", crosscheck, "bad_grids"),
    ("clues to assumptions", Cnf, "literals"),
    ("counters of the solver", _solver.Solver, "counters"),
    ("forbidding the grid and retiring that", _solver.Solver, "add"),
)


def measure(backend: str = DEFAULT_BACKEND, encoding: str | None = None) -> dict[str, float]:
    """Microseconds a puzzle by stage; ``all`` is measured without looking at the stages."""
    lines = sets.seventeen()[1]
    unobserved = min(_run(lines, backend, encoding) for _ in range(3))
    started = perf_counter()
    for _ in formats.read(lines):
        pass
    seconds_of = {"all": unobserved, "reading the text": perf_counter() - started}
    spent: dict[str, float] = defaultdict(float)
    with ExitStack() as stack:
        for label, owner, name in _STAGES:
            stack.enter_context(_timed(owner, name, label, spent))
        whole = _run(lines, backend, encoding)
    seconds_of |= {label: spent[label] for label, _, _ in _STAGES}
    seconds_of["all the rest"] = whole - sum(seconds_of.values()) + unobserved
    return {label: seconds / len(lines) * 1e6 for label, seconds in seconds_of.items()}


def _run(lines: list[str], backend: str, encoding: str | None) -> float:
    with Pipeline(backend, encoding, cross_check="none") as pipeline:
        for item in formats.read(lines[:1]):
            assert not isinstance(item, PuzzleFormatError)
            pipeline.session(item.board.geometry)
        started = perf_counter()
        for item in formats.read(lines):
            assert not isinstance(item, PuzzleFormatError)
            assert pipeline.verify(item.board).is_unique
        return perf_counter() - started


@contextmanager
def _timed(owner: Any, name: str, label: str, spent: dict[str, float]) -> Iterator[None]:
    function: Callable[..., Any] = getattr(owner, name)

    def timed(*arguments: Any, **options: Any) -> Any:
        started = perf_counter()
        try:
            return function(*arguments, **options)
        finally:
            spent[label] += perf_counter() - started

    with mock.patch.object(owner, name, timed):
        yield


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--backend", default=DEFAULT_BACKEND)
    parser.add_argument("--encoding")
    args = parser.parse_args()
    for label, microseconds in measure(args.backend, args.encoding).items():
        print(f"{microseconds:8.1f} us  {label}")


if __name__ == "__main__":
    main()
