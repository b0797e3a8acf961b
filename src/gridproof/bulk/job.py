"""The options of a run, and the job that a worker gets once."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from gridproof._version import __version__
from gridproof.arguments import checked
from gridproof.backends.protocol import Backend
from gridproof.errors import GeometryError, InputError
from gridproof.formats import Shape, Zero
from gridproof.formats.shapes import Shapes
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models import catalog
from gridproof.models.targets import Encoding
from gridproof.pipeline import DEFAULT_BACKEND, Pipeline
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import parse_rule
from gridproof.rules.cells import OffBoard
from gridproof.trust import crosscheck
from gridproof.trust.crosscheck import CrossCheck

Engine: TypeAlias = Literal["auto", "lanes", "session"]
"""``lanes``: the bit-parallel engine. ``session``: the backend. ``auto``: lanes first, the backend for the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The options of ``verify_many``, ``verify_table`` and, for many puzzles, of `gridproof verify`.

    Parameters
    ----------
    shape
        The geometry, or a function from an order to one.
    engine
        ``"lanes"``: the bit-parallel engine; ``"session"``: the backend; ``"auto"``: lanes, then the backend;
        ``None``: sessions up to 1,000 puzzles, then lanes and the backend, like `gridproof verify`. With rules, or a
        backend or an encoding other than the default, sessions decide all puzzles.
    backend, encoding, limits
        As in ``gridproof.verify``, for the sessions.
    cross_check
        ``"all"``, ``"none"``, ``"sample=P"`` or a ``CrossCheck``; without it, every answer up to 10,000 puzzles, beyond
        that one in a thousand. A ``CrossCheck`` also sets the seconds for each puzzle.
    column
        The column of puzzles in a table, if it is not ``puzzle``, ``question`` or ``quizzes``.
    zero
        The meaning of ``0``, ``"blank"`` or ``"symbol"``, if the text of a puzzle leaves it open.
    rules
        Further rules of every puzzle as text, such as ``"anti-knight"``.
    despite_unread
        Whether to take a puzzle of another program as it was read if something unread may be a rule; otherwise its
        record has what follows from the part that was understood, or ``not understood``.
    drawings
        Whether to read what is drawn in puzzles of SudokuPad; see ``gridproof.parse``.
    rate
        Whether to rate each puzzle that has exactly one solution; see ``gridproof.rate``.
    entries_as_clues
        Whether digits that are filled in but not given are clues.

    Raises
    ------
    InputError
        For options that do not go together.

    Examples
    --------
    >>> RunOptions(engine="lanes", rules=["anti-knight"])
    Traceback (most recent call last):
        ...
    gridproof.errors.InputError: engine 'lanes' with the rule 'anti-knight': it knows houses only; expected 'session'
    """

    shape: Shape = Geometry.standard
    engine: Engine | None = None
    backend: str | Backend = DEFAULT_BACKEND
    encoding: str | Encoding | None = None
    limits: Limits = NO_LIMITS
    cross_check: str | CrossCheck | None = None
    column: str | None = None
    zero: Zero | None = None
    rules: Iterable[str] = ()
    despite_unread: bool = False
    drawings: bool = False
    rate: bool = False
    entries_as_clues: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", tuple(self.rules))
        if self.engine == "lanes" and self._names_a_solver:
            raise InputError("engine 'lanes' with a backend or an encoding, which it would not use; expected one")
        for rule in self.rules if self.engine == "lanes" else ():
            raise InputError(f"engine 'lanes' with the rule {rule!r}: it knows houses only; expected 'session'")

    @property
    def _names_a_solver(self) -> bool:
        return self.encoding is not None or self.backend != DEFAULT_BACKEND

    @property
    def sessions_only(self) -> bool:
        """True if sessions decide every puzzle, whatever their number."""
        return self.engine == "session" or bool(self.rules) or (self.engine is None and self._names_a_solver)

    @property
    def reading(self) -> Shapes:
        """The options for the reader."""
        return Shapes(
            self.shape,
            self.zero,
            despite_unread=True,
            entries_as_clues=self.entries_as_clues,
            drawings=self.drawings,
        )

    def job(self, number: int, form: str | None = None) -> Job:
        """Return the job for so many puzzles (docs/bulk.md). form: of the encoded result, if any."""
        sessions = self.sessions_only or (self.engine is None and number <= crosscheck.ONE_BY_ONE)
        engine: Engine = "session" if sessions else self.engine or "auto"
        check = self.cross_check
        if check is None:
            all_of_them = number <= crosscheck.ALL_CHECKED
            check = CrossCheck() if all_of_them else CrossCheck("sample", crosscheck.SAMPLED_SHARE)
        elif isinstance(check, str):
            check = CrossCheck.parse(check)
        encoding = catalog.load(self.encoding) if isinstance(self.encoding, str) else self.encoding
        rules, unread = tuple(self.rules), self.despite_unread
        return Job(engine, self.backend, encoding, self.limits, check, form, rules, unread, self.rate)

    def described(self) -> dict[str, Any]:
        """Return the options for the reader as plain data, which tell a run from others."""
        reading = {"zero": self.zero, "despite-unread": self.despite_unread, "entries-as-clues": self.entries_as_clues}
        reading |= {"read-drawings": True} if self.drawings else {}
        return {"shape": _described_shape(self.shape), "column": self.column, **reading}


RunOptions.__init__ = checked(RunOptions.__init__)  # type: ignore[method-assign]


@dataclass(frozen=True, slots=True)
class Job:
    """The work on each chunk.

    encoding: ``None`` for the default of each board. form: of the encoded result, if any. rules: further ones, of every
    puzzle, as text: a rule made from it cannot be sent to other processes. despite_unread, rate: as of ``RunOptions``.
    """

    engine: Engine = "auto"
    backend: str | Backend = DEFAULT_BACKEND
    encoding: Encoding | None = None
    limits: Limits = NO_LIMITS
    cross_check: CrossCheck = field(default_factory=CrossCheck)
    form: str | None = None
    rules: tuple[str, ...] = ()
    despite_unread: bool = False
    rate: bool = False

    def described(self) -> dict[str, Any]:
        """Return the job as plain data, which tells a run from others.

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
            "rules": list(map(_described_rule, self.rules)),
            **({"rate": True} if self.rate else {}),
            "gridproof": __version__,
        }


def _described_rule(text: str) -> list[str]:
    """The rule and, where its kind is the user's own, what the file of that states. Raises ``InputError``."""
    with suppress(OffBoard):  # another board may have these cells; what else is wrong, is wrong on any board
        parse_rule(text).on(Geometry.classic(3))
    kind = shlex.split(text)[0]
    return [text, Path(kind).read_text(encoding="utf-8-sig")] if kind.endswith(".toml") else [text]


def _described_shape(shape: Shape) -> list[str]:
    """A shape in words that tell it from others: a geometry, or what it gives for some orders."""
    if isinstance(shape, Geometry):
        return [repr(shape)]
    words = []
    for order in (4, 6, 9, 16):
        try:
            words.append(repr(shape(order)))
        except GeometryError as problem:
            words.append(str(problem))
    return words
