"""The work of a SAT solver over time: its decisions, conflicts and restarts until it has an answer, as a picture.

A SAT solver walks no tree that could be drawn: it learns from each conflict and jumps back. Only its counters are
visible. It works in small slices of conflicts, and the counters are read after each. The marks are the times of the
first solution and of the proof that it is the only one, or of another solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gridproof import backends
from gridproof.backends.models import compile_model, default_encoding, encoding_for
from gridproof.backends.protocol import Backend, Incremental
from gridproof.errors import Interrupted
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models.clauses import Cnf
from gridproof.models.targets import Encoding
from gridproof.models.targets.cnf import LargeModel
from gridproof.pictures.colours import ALARM, CANDIDATE, FILLED, GOOD, LINE
from gridproof.pictures.document import Svg, at, document, element, group, stroke, text, through
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.board import Board
from gridproof.text import counted

_SLICE = 20
"""Conflicts in a slice, at first."""

_PARTS = 200
"""In a long run a slice is this part of the conflicts so far."""

_LINES = {"decisions": (FILLED, "none"), "conflicts": (ALARM, "6 3"), "restarts": (GOOD, "2 3")}
"""Colour and dashes of each counter's line."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Counters after some wall seconds; ``event`` is the answer that the solver has just given, if any."""

    seconds: float
    decisions: int
    conflicts: int
    restarts: int
    event: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Timeline:
    """The moments of one board, in order."""

    backend: str
    encoding: str
    moments: tuple[Moment, ...]

    @property
    def summary(self) -> str:
        """The work and the result, in one line."""
        last = self.moments[-1]
        events = ", ".join(moment.event for moment in self.moments if moment.event)
        work = f"{counted(last.decisions, 'decision')}, {counted(last.conflicts, 'conflict')}"
        return f"{self.backend}, {self.encoding}: {work}: {events}"

    def to_svg(self) -> Svg:
        """Draw the counters as lines over time, on a common scale, with the events marked."""
        width, height = 640.0, 300.0
        left = 70.0
        right = width - 110
        top = 30.0
        bottom = height - 40
        seconds = max(self.moments[-1].seconds, 1e-9)
        most = 1
        for moment in self.moments:
            most = max(most, moment.decisions, moment.conflicts, moment.restarts)

        def place(moment: Moment, count: int) -> complex:
            return complex(left + (right - left) * moment.seconds / seconds, bottom - (bottom - top) * count / most)

        lines = [stroke(through([complex(left, top), complex(left, bottom), complex(right, bottom)]), CANDIDATE)]
        texts = [text(complex(left, 18), self.summary, text_anchor="start", font_weight="bold")]
        texts.append(text(complex(left, height - 20), "0"))
        texts.append(text(complex(right, height - 20), f"{1000 * seconds:,.1f} ms"))
        for count in {0, most // 2, most}:
            texts.append(text(place(self.moments[0], count) - 6 + 4j, f"{count:,}", text_anchor="end"))
        for moment in self.moments:
            if moment.event:
                foot = place(moment, 0)
                lines.append(stroke(through([foot, place(moment, most)]), CANDIDATE, stroke_dasharray="1 3"))
                texts.append(text(complex(foot.real, height - 6), moment.event, text_anchor="end"))
        for row, (name, (colour, dashes)) in enumerate(_LINES.items()):
            points = [place(moment, getattr(moment, name)) for moment in self.moments]
            path = " ".join([at(point) for point in points])
            style = {"fill": "none", "stroke": colour, "stroke_width": "2", "stroke_dasharray": dashes}
            lines.append(element("polyline", points=path, **style))
            number = f"{name} {getattr(self.moments[-1], name):,}"
            texts.append(text(complex(right + 6, top + 14 * row), number, text_anchor="start", fill=colour))
        style = {"font_family": "sans-serif", "font_size": "12", "fill": LINE, "text_anchor": "middle"}
        return document((width, height), self.summary, lines + group(texts, **style))

    def _repr_html_(self) -> str:
        return self.to_svg().html

    def __repr__(self) -> str:
        return f"<Timeline: {self.summary}>"


def sat_timeline(
    board: Board,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    limits: Limits = NO_LIMITS,
) -> Timeline:
    """Solve ``board`` and search for a second solution with a SAT backend, and record its counters on the way.

    The default encoding is that of the board's size. Raises ``BackendUnavailable`` for a backend that is no SAT solver,
    or that cannot be interrupted and continued, or does not take the encoding, and ``EncodingError``.
    """
    solvers = backends.find_able(backend, "be watched at work", lambda one: one.no_incremental())
    chosen = encoding_for(solvers, encoding) if encoding else default_encoding(solvers, board.problem)
    model = compile_model(board.problem, solvers, chosen)
    assert isinstance(model, (Cnf, LargeModel))
    cnf = model.clauses_of(board)
    active = cnf.variable_count + 1
    literals = cnf.literals(board) + [active]
    # a board that contradicts itself may have the empty clause, which solvers do not take
    with solvers.incremental(clause or (-active,) for clause in cnf) as solver:
        moments = [Moment(0.0, 0, 0, 0)]
        watch = Watch(limits)
        for event in search_for_two(solver, literals, watch):
            counters = {name: solver.counters()[name] for name in _LINES}
            moments.append(Moment(watch.elapsed, **counters, event=event))
            if event == "first solution":
                first = cnf.decode(solver.model())
                solver.add(list(cnf.blocking_clause(first)) + [-active])
    return Timeline(solvers.name, model.encoding.name, tuple(moments))


def search_for_two(solver: Incremental, literals: list[int], watch: Watch) -> Iterator[str]:
    """Search for a first and a second solution. Yield the event of each slice, empty if there is none yet."""
    solutions = 0
    while solutions < 2:
        conflicts = max(_SLICE, watch.conflicts // _PARTS)
        try:
            answer: bool | None = solver.solve(literals, Watch(Limits(conflicts=conflicts)))
        except Interrupted:
            answer = None
        watch.conflicts += conflicts
        if answer is None:
            over = 0 in (watch.remaining(), watch.conflicts_left())
            yield "stopped by a limit" if over else ""
            if over:
                return
        elif answer:
            solutions += 1
            yield "first solution" if solutions == 1 else "second solution"
        else:
            yield "no other: unique" if solutions else "none"
            return
