"""How puzzles are verified: what a worker is told once, and what tells one run from others."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from gridproof._version import __version__
from gridproof.backends.protocol import Backend
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models.encoding import Encoding
from gridproof.pipeline import DEFAULT_BACKEND, Pipeline
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import parse_rule
from gridproof.trust.crosscheck import CrossCheck

Engine: TypeAlias = Literal["auto", "lanes", "session"]
"""``lanes``: the bit-parallel engine. ``session``: the backend. ``auto``: lanes first, the backend for the rest."""


@dataclass(frozen=True, slots=True)
class Job:
    """How puzzles are verified.

    encoding: ``None`` for the default of each board. form: of the encoded result, if any. rules: further ones, of every
    puzzle, as text: what they are made to is no thing to send to other processes.
    """

    engine: Engine = "auto"
    backend: str | Backend = DEFAULT_BACKEND
    encoding: Encoding | None = None
    limits: Limits = NO_LIMITS
    cross_check: CrossCheck = field(default_factory=CrossCheck)
    form: str | None = None
    timings: bool = False
    rules: tuple[str, ...] = ()

    def described(self) -> dict[str, Any]:
        """What tells it from others, option by option.

        Raises ``BackendUnavailable``, ``EncodingError``, and ``InputError`` for a rule, now rather than in a worker.
        """
        with Pipeline(self.backend, self.encoding, limits=self.limits, cross_check="none") as pipeline:
            made, encoding = pipeline.made, pipeline.encoding
        mode, share = self.cross_check.mode, self.cross_check.share
        return {
            "engine": self.engine,
            "backend": f"{made.backend} {made.backend_version}",
            "encoding": repr(encoding),
            "seconds": self.limits.seconds,
            "conflicts": self.limits.conflicts,
            "cross-check": mode if mode != "sample" else f"sample={share:g}",
            "cross-check seconds": self.cross_check.seconds,
            "timings": self.timings,
            "rules": list(map(_described_rule, self.rules)),
            "gridproof": __version__,
        }


def _described_rule(text: str) -> list[str]:
    """The rule and, where its kind is the user's own, what the file of that says. Raises ``InputError``."""
    parse_rule(text).on(Geometry.classic(3))  # what is wrong with a rule, is wrong on any board
    kind = shlex.split(text)[0]
    return [text, Path(kind).read_text(encoding="utf-8-sig")] if kind.endswith(".toml") else [text]
