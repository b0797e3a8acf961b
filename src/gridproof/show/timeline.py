"""A SAT solver at work: its decisions, conflicts and restarts over time, until it has an answer, as a picture.

A SAT solver walks no tree that could be drawn: it learns from each conflict and jumps back. What can be seen from
outside are its counters. It is asked in small slices of conflicts, the counters are read after each; the marks show
when the first solution was found and when it was proven to be the only one (or not).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter

from gridproof import backends
from gridproof.backends.capabilities import Incremental
from gridproof.backends.protocol import Backend
from gridproof.errors import InputError, Interrupted
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models import catalog, targets
from gridproof.models.clauses import Clauses
from gridproof.models.encoding import Encoding
from gridproof.models.large import LargeModel
from gridproof.models.targets.cnf import Cnf
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid
from gridproof.show.colours import TIMELINE
from gridproof.show.document import Svg, document, xml_text
from gridproof.show.steps import MOST_STEPS, Steps

_SLICE = 20
"""Conflicts between two looks at the counters, at first."""

_PARTS = 200
"""Of a long run: a slice is such a part of the conflicts so far."""

_AXIS = TIMELINE["axis"]
_DASHES = {"decisions": "", "conflicts": "6 3", "restarts": "2 3"}


@dataclass(frozen=True, slots=True)
class Moment:
    """Counters after so many wall seconds; ``event`` says what the solver had just answered, if anything."""

    seconds: float
    decisions: int
    conflicts: int
    restarts: int
    event: str = ""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked, to be asked again."""

    board: Board
    backend: Backend
    clauses: Clauses
    solution: Grid | None


@dataclass(frozen=True, slots=True, repr=False)
class Timeline:
    """The moments of one board, in order."""

    backend: str
    encoding: str
    moments: tuple[Moment, ...]
    _asked: _Asked | None = field(default=None, compare=False)

    @property
    def summary(self) -> str:
        """One line: what it cost and what came of it."""
        last = self.moments[-1]
        events = ", ".join(moment.event for moment in self.moments if moment.event)
        return f"{self.backend}, {self.encoding}: {last.decisions:,} decisions, {last.conflicts:,} conflicts: {events}"

    def to_svg(self) -> Svg:
        """The counters as lines over time, each on the common scale, with the events marked."""
        width, height, left, bottom = 640.0, 300.0, 70.0, 40.0
        seconds = max(self.moments[-1].seconds, 1e-9)
        most = max(1, max(max(m.decisions, m.conflicts, m.restarts) for m in self.moments))

        def x(moment: Moment) -> float:
            return round(left + (width - left - 110) * moment.seconds / seconds, 1)

        def y(count: int) -> float:
            return round(height - bottom - (height - bottom - 30) * count / most, 1)

        parts = [_text(left, 18, self.summary, anchor="start", bold=True)]
        parts += [_line(left, y(0), width - 110, y(0)), _line(left, y(0), left, y(most))]
        parts += [_text(left - 6, y(count) + 4, f"{count:,}", anchor="end") for count in sorted({0, most // 2, most})]
        parts.append(_text(left, height - 20, "0"))
        parts.append(_text(width - 110, height - 20, f"{1000 * seconds:,.1f} ms"))
        for moment in self.moments:
            if moment.event:
                parts.append(_line(x(moment), y(0), x(moment), y(most), dash="1 3"))
                parts.append(_text(x(moment), height - 6, moment.event, anchor="end"))
        labels: list[float] = []
        for name, dash in _DASHES.items():
            colour = TIMELINE[name]
            points = " ".join(f"{x(moment)},{y(getattr(moment, name))}" for moment in self.moments)
            dashes = f' stroke-dasharray="{dash}"' if dash else ""
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
            place = y(getattr(self.moments[-1], name)) + 4
            while any(abs(place - other) < 14 for other in labels):
                place -= 14
            labels.append(place)
            parts.append(_text(width - 104, place, name, anchor="start", colour=colour))
        return document((width, height), self.summary, parts)

    def steps(self, most: int = MOST_STEPS, limits: Limits = NO_LIMITS) -> Steps:
        """The clauses that the solver learns, with a slider: how large each is, and which cells it is about.

        They are those of a proof that there is no solution (other than the first), for which the solver is asked anew.

        Parameters
        ----------
        most : int
            How many clauses; a proof that is longer says so.
        limits : Limits
            What the proof may cost.

        Raises
        ------
        BackendUnavailable
            The backend hands out no proofs.
        InputError
            The board has several solutions, or this was not found out.
        Interrupted
            A limit came first.

        Examples
        --------
        >>> from gridproof import parse
        >>> steps = sat_timeline(parse("1... ..2. .3.. ...4"), "cadical153", "extended").steps()
        >>> steps.steps[-1].said
        'learned the empty clause: there is no other solution'
        """
        from gridproof.show.learned import learned_steps

        asked = self._asked
        if asked is None or self.moments[-1].event not in ("none", "no other: unique"):
            raise InputError("no proof to be shown: the board has several solutions, or this was not found out")
        return learned_steps(asked.board, asked.backend, asked.clauses, asked.solution, self.to_svg(), most, limits)

    def _repr_svg_(self) -> str:
        return str(self.to_svg())

    def __repr__(self) -> str:
        return f"<Timeline: {self.summary}>"


def sat_timeline(
    board: Board,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    limits: Limits = NO_LIMITS,
) -> Timeline:
    """Solve ``board`` and look for a second solution with a SAT backend, looking at its counters on the way.

    Without an encoding the default one for the board's size is taken. Raises ``BackendUnavailable`` for a backend that
    is no SAT solver, or one that cannot be asked in slices, and ``EncodingError``.
    """
    solvers = backends.offering(backend, "be watched at work", lambda one: one.no_incremental())
    target = targets.find("cnf")
    chosen = encoding or target.default_encoding(board.problem)
    model = target.compile(board.problem, catalog.load(chosen) if isinstance(chosen, str) else chosen)
    assert isinstance(model, (Cnf, LargeModel))
    cnf = model.clauses_of(board)
    literals, active = cnf.literals(board), next(cnf.activations())
    # of a board that contradicts itself the empty clause may be left, which solvers do not take
    with solvers.incremental(clause or (-active,) for clause in cnf) as solver:
        moments, first = [Moment(0.0, 0, 0, 0)], None
        started = perf_counter()
        for event in _asked(solver, [*literals, active], limits, started):
            moments.append(_moment(solver, started, event))
            if event == "first solution":
                first = cnf.decode(solver.model())
                solver.add([*cnf.blocking_clause(first), -active])
    return Timeline(solvers.name, model.encoding.name, tuple(moments), _Asked(board, solvers, cnf, first))


def _asked(solver: Incremental, literals: list[int], limits: Limits, started: float) -> Iterator[str]:
    """Asks for a first and a second solution, slice by slice; what each slice brought, empty for nothing yet."""
    found, conflicts = 0, 0
    while found < 2:
        slice_ = max(_SLICE, conflicts // _PARTS)
        try:
            answer: bool | None = solver.solve(literals, Watch(Limits(conflicts=slice_)))
        except Interrupted:
            answer = None
        conflicts += slice_
        over = limits.seconds is not None and perf_counter() - started > limits.seconds
        over = over or (limits.conflicts is not None and conflicts >= limits.conflicts)
        if answer is None:
            yield "stopped by a limit" if over else ""
            if over:
                return
        elif answer:
            found += 1
            yield "first solution" if found == 1 else "second solution"
        else:
            yield "no other: unique" if found else "none"
            return


def _moment(solver: Incremental, started: float, event: str) -> Moment:
    counters = solver.counters()
    return Moment(perf_counter() - started, counters["decisions"], counters["conflicts"], counters["restarts"], event)


def _text(
    x: float, y: float, text: str, *, anchor: str = "middle", colour: str = TIMELINE["text"], bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="sans-serif" font-size="12" fill="{colour}" '
        f'text-anchor="{anchor}"{weight}>{xml_text(text)}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, *, dash: str = "") -> str:
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{TIMELINE["axis"]}"{dashes}/>'
