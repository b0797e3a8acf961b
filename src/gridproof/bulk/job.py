"""The options of a run, and the job that a worker gets once."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import Any, Literal, TypeAlias, get_args

from gridproof._version import __version__
from gridproof.backends.protocol import Backend
from gridproof.errors import GeometryError
from gridproof.expect import expect, expect_flag, expect_word, list_of
from gridproof.formats import Shape, Zero
from gridproof.formats.shapes import Shapes, geometry_of
from gridproof.limits import NO_LIMITS, Limits, expect_limits
from gridproof.models import catalog
from gridproof.models.targets import Encoding
from gridproof.pipeline import DEFAULT_BACKEND, Pipeline
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import parse_rule
from gridproof.rules.cells import OffBoard
from gridproof.trust import crosscheck
from gridproof.trust.crosscheck import CrossCheck

Engine: TypeAlias = Literal["auto", "session"]
"""``auto``: the bit-parallel lanes, and the backend for the rest. ``session``: the backend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The options of ``verify_many``, ``verify_table`` and, for many puzzles, of `gridproof verify`.

    Parameters
    ----------
    shape
        The geometry, or a function from an order to one.
    engine
        ``"session"``: the backend; ``"auto"``: the bit-parallel lanes, then the backend for the rest; ``None``:
        sessions up to 1,000 puzzles, then lanes and the backend, like `gridproof verify`. With rules, or a backend or
        an encoding other than the default, sessions decide all puzzles.
    backend, encoding, limits
        As in ``gridproof.verify``, for the sessions.
    cross_check
        ``"all"``, ``"none"``, ``"sample=P"`` or a ``CrossCheck``; without it, every answer up to 10,000 puzzles, beyond
        that one in a thousand. A ``CrossCheck`` also sets the seconds for each puzzle.
    column
        The column of puzzles in a table, if it is not ``puzzle``, ``question``, ``quiz`` or a plural of them.
    zero
        The meaning of ``0``, ``"blank"`` or ``"symbol"``, if the text of a puzzle leaves it open.
    rules
        Further rules of every puzzle as text, such as ``"anti-knight"``.
    despite_unread
        Whether to take a puzzle as it was read if something unread, such as rules in words, may change it; otherwise
        its record has what follows from the part that was understood, or ``not understood``.
    rate
        Whether to rate each puzzle that has exactly one solution; see ``gridproof.rate``.
    canonical
        Whether to find the digest of each canonical form; see ``gridproof.canonical``.
    entries_as_clues
        Whether digits that are filled in but not given are clues.

    Raises
    ------
    InputError
        For options that do not go together.

    Examples
    --------
    >>> RunOptions(engine="lanes")
    Traceback (most recent call last):
        ...
    gridproof.errors.InputError: engine is 'lanes'; expected one of auto, session
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
    rate: bool = False
    canonical: bool = False
    entries_as_clues: bool = False

    def __post_init__(self) -> None:
        if self.engine is not None:
            expect_word(self.engine, get_args(Engine), "engine")
        expect_limits(self.limits)
        wanted = "all, none, sample=P, a CrossCheck, or None"
        expect(self.cross_check, (str, CrossCheck, NoneType), "cross_check", wanted)
        expect(self.column, (str, NoneType), "column", "the name of a column, or None")
        for name in ("despite_unread", "rate", "canonical", "entries_as_clues"):
            expect_flag(getattr(self, name), name)
        object.__setattr__(self, "rules", tuple(list_of(self.rules, str, "rules", "texts of rules")))

    @property
    def sessions_only(self) -> bool:
        """True if sessions decide every puzzle, whatever their number."""
        named = self.encoding is not None or self.backend != DEFAULT_BACKEND
        return self.engine == "session" or bool(self.rules) or (self.engine is None and named)

    @property
    def reading(self) -> Shapes:
        """The options for the reader."""
        return Shapes(self.shape, self.zero, despite_unread=True, entries_as_clues=self.entries_as_clues)

    def make_job(self, number: int, form: str | None = None) -> Job:
        """Return the job for so many puzzles (docs/bulk.md). form: of the encoded result, if any."""
        are_few = self.engine is None and number <= crosscheck.ONE_BY_ONE
        engine: Engine = "auto"
        if self.sessions_only or are_few:
            engine = "session"
        check = self.cross_check
        if check is None and number <= crosscheck.ALL_CHECKED:
            check = CrossCheck()
        elif check is None:
            check = CrossCheck("sample", crosscheck.SAMPLED_SHARE)
        elif isinstance(check, str):
            check = CrossCheck.parse(check)
        return Job(
            engine=engine,
            backend=self.backend,
            encoding=catalog.load(self.encoding) if isinstance(self.encoding, str) else self.encoding,
            limits=self.limits,
            cross_check=check,
            form=form,
            rules=tuple(self.rules),
            despite_unread=self.despite_unread,
            rate=self.rate,
            canonical=self.canonical,
        )

    def describe(self, job: Job) -> dict[str, Any]:
        """Return a run as plain data, by which runs are compared.

        Raises ``BackendUnavailable``, ``EncodingError``, and ``InputError`` for a rule, now rather than in a worker.
        """
        with Pipeline(job.backend, job.encoding, limits=job.limits, cross_check="none") as pipeline:
            made = pipeline.made
            encoding = pipeline.encoding
        check = job.cross_check
        mode: str = check.mode
        if mode == "sample":
            mode = f"sample={check.share:g}"
        plain = {
            "engine": job.engine,
            "backend": f"{made.backend} {made.backend_version}",
            "encoding": repr(encoding),
            "seconds": job.limits.seconds,
            "conflicts": job.limits.conflicts,
            "cross-check": mode,
            "cross-check seconds": check.seconds,
            "rules": [describe_rule(text) for text in job.rules],
            "gridproof": __version__,
            "shape": describe_shape(self.shape),
        }
        for name in _PLAIN:
            plain[name.replace("_", "-")] = getattr(self, name)
        return plain


_PLAIN = ("column", "zero", "despite_unread", "entries_as_clues", "rate", "canonical")


@dataclass(frozen=True, slots=True)
class Job:
    """The work on each chunk.

    encoding: ``None`` for the default of each board. form: of the encoded result, if any. rules: further ones, of every
    puzzle, as text: a rule made from it cannot be sent to other processes. despite_unread, rate, canonical: as of
    ``RunOptions``.
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
    canonical: bool = False


def describe_rule(text: str) -> list[str]:
    """Return the rule and, where its kind is the user's own, what the file of that states. Raises ``InputError``."""
    with suppress(OffBoard):  # another board may have these cells; what else is wrong, is wrong on any board
        parse_rule(text).make(Geometry.classic(3))
    kind = shlex.split(text)[0]
    if kind.endswith(".toml"):
        return [text, Path(kind).read_text(encoding="utf-8-sig")]
    return [text]


def describe_shape(shape: Shape) -> list[str]:
    """Return a shape in words by which shapes are compared: a geometry, or what it gives for some orders."""
    if isinstance(shape, (Geometry, Digits)):
        return [repr(shape)]
    words = []
    for order in (4, 6, 9, 16):
        try:
            words.append(repr(geometry_of(shape, order)))
        except GeometryError as problem:
            words.append(str(problem))
    return words
