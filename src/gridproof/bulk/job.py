"""What is asked about every puzzle of a run: everything a worker has to know, and no more."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from gridproof import __version__
from gridproof.backends.protocol import Backend
from gridproof.errors import InputError
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models.encoding import Encoding
from gridproof.pipeline import DEFAULT_BACKEND, Pipeline
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import parse_rule
from gridproof.trust import crosscheck
from gridproof.trust.crosscheck import CrossCheck

Engine: TypeAlias = Literal["auto", "lanes", "session"]
"""``lanes``: the bit-parallel engine. ``session``: the backend. ``auto``: lanes first, the backend for the rest."""

ENGINES: tuple[Engine, ...] = get_args(Engine)


@dataclass(frozen=True, slots=True)
class Job:
    """How puzzles are verified.

    key: tells jobs apart whose results may differ. form: of the encoded result, if any. rules: further ones, of every
    puzzle, as text: what they are made to is no thing to send to other processes.
    """

    key: str
    engine: Engine
    backend: str | Backend
    encoding: Encoding | None
    limits: Limits
    cross_check: CrossCheck
    form: str | None = None
    timings: bool = False
    rules: tuple[str, ...] = ()


def job_of(
    engine: Engine = "auto",
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    limits: Limits = NO_LIMITS,
    cross_check: CrossCheck,
    form: str | None = None,
    timings: bool = False,
    rules: Sequence[str] = (),
) -> tuple[Job, dict[str, Any]]:
    """The job, and what tells it from others, option by option.

    Raises ``BackendUnavailable``, ``EncodingError``, and ``InputError`` for a rule, now rather than in a worker.
    """
    if rules and engine == "lanes":
        raise InputError(f"engine 'lanes' with the rule {rules[0]!r}: it knows houses only; expected 'session'")
    with Pipeline(backend, encoding, limits=limits, cross_check="none") as pipeline:
        made, found = pipeline.made, pipeline.encoding
    options = {
        "engine": engine,
        "backend": f"{made.backend} {made.backend_version}",
        "encoding": repr(found),
        "seconds": limits.seconds,
        "conflicts": limits.conflicts,
        "cross-check": described(cross_check),
        "cross-check seconds": cross_check.seconds,
        "timings": timings,
        "rules": [_described_rule(text) for text in rules],
        "gridproof": __version__,
    }
    engine = "session" if rules else engine
    return Job(repr(options), engine, backend, found, limits, cross_check, form, timings, tuple(rules)), options


def _described_rule(text: str) -> list[str]:
    """The rule and, where its kind is the user's own, what the file of that says. Raises ``InputError``."""
    parse_rule(text).on(Geometry.classic(3))  # what is wrong with a rule, is wrong on any board
    kind = shlex.split(text)[0]
    return [text, Path(kind).read_text(encoding="utf-8-sig")] if kind.endswith(".toml") else [text]


def described(cross_check: CrossCheck) -> str:
    """As ``CrossCheck.parse`` reads it."""
    return cross_check.mode if cross_check.mode != "sample" else f"sample={cross_check.share:g}"


def by_number(puzzles: int, seconds: float = crosscheck.CROSS_CHECK_SECONDS) -> tuple[Engine, CrossCheck]:
    """Who decides so many puzzles and which answers are cross-checked, where nobody says otherwise (docs/bulk.md)."""
    engine: Engine = "session" if puzzles <= crosscheck.ONE_BY_ONE else "auto"
    checked = puzzles <= crosscheck.ALL_CHECKED
    share = crosscheck.SAMPLED_SHARE
    return engine, CrossCheck("all", seconds=seconds) if checked else CrossCheck("sample", share, seconds=seconds)


def chosen_rows(rows: NDArray[np.int64], cross_check: CrossCheck) -> NDArray[np.bool_]:
    """Which rows are cross-checked: a matter of their numbers only, so that nobody has to keep count.

    The numbers are scattered by the finaliser of Steele, Lea and Flood's SplitMix64 (2014).
    """
    if cross_check.mode != "sample" or cross_check.share >= 1:
        return np.full(len(rows), cross_check.mode != "none")
    with np.errstate(over="ignore"):
        mixed = rows.astype(np.uint64) + np.uint64(cross_check.seed + 1) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
    return mixed < np.uint64(int(cross_check.share * 2**64))
