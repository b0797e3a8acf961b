"""The contract between gridproof and a solver.

::

            open(model)             solutions(board)              next()
    Backend ----------> Session ----------------------> iterator --------> a grid
                          ^ |                              |
                          | | close() / with ... as        | returns:             there are no more
                          | v                              | raises Interrupted:  a limit came first
                        closed                             | raises BackendFailure: the solver broke
                                                           | close():             the caller has enough
                          ready for the next board  <------+

A *backend* is a solver that has loaded nothing yet. ``open`` loads the rules of one geometry once and gives a
*session*, which takes board after board of that geometry. No rule is rebuilt for a board: clues enter as assumptions
(SAT), domains (CP-SAT) or a start state (search).

``solutions`` yields each solution of the board exactly once. **Returning means that there are no more.** Whatever ends
the iterator, including its being closed early, the session is ready for the next board and nothing of the last one is
left behind. At most one iterator of a session is alive at a time: asking for the next board closes the last one's.

Everything else (the first solution, how many, exactly one) is derived in ``gridproof.solve``, once for all backends.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Literal, Self, TypeAlias

from gridproof.board import Board
from gridproof.errors import BoardError
from gridproof.geometry import Geometry, Grid
from gridproof.limits import NO_LIMITS, Limits

if TYPE_CHECKING:
    from gridproof.cnf import Cnf
    from gridproof.cpmodel import CpSatModel

Model: TypeAlias = "Cnf | CpSatModel | Geometry"
"""What a session loads: clauses, a CP-SAT model, or for a search the geometry itself."""

Target: TypeAlias = Literal["cnf", "cp-sat", "geometry"]
"""The kind of model that a backend takes; the first two are also the targets of encodings."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the last board cost; ``None`` where the solver does not say.

    decisions, conflicts, propagations, restarts: of a SAT or CP-SAT solver. nodes: choices that a search made, tries:
    symbols that it tried, dead_ends: choices that failed. seconds: wall time inside ``solutions``.
    """

    decisions: int | None = None
    conflicts: int | None = None
    propagations: int | None = None
    restarts: int | None = None
    nodes: int | None = None
    tries: int | None = None
    dead_ends: int | None = None
    seconds: float = 0.0


class Session(ABC):
    """A backend with a model loaded. Subclasses write ``_solutions`` and ``statistics``; see the module's docstring."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self._running: Generator[Grid, None, None] | None = None

    def solutions(self, board: Board, limits: Limits = NO_LIMITS) -> Iterator[Grid]:
        """Each solution of ``board`` once; raises as the module's docstring says.

        Raises ``BoardError`` if the board is not of the session's geometry.
        """
        if board.geometry is not self.geometry and board.geometry != self.geometry:
            raise BoardError(f"a board of {board.geometry.description}; this session takes {self.geometry.description}")
        self._stop_running()
        self._running = self._solutions(board, limits)
        return self._running

    @abstractmethod
    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        """The generator behind ``solutions``; what it leaves behind is undone in a ``finally``."""

    @property
    @abstractmethod
    def statistics(self) -> Statistics:
        """What the last board cost so far."""

    def close(self) -> None:
        """Free the solver. Safe to call twice; afterwards the session takes no boards."""
        self._stop_running()

    def _stop_running(self) -> None:
        if self._running is not None:
            self._running.close()
            self._running = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Backend(ABC):
    """A solver that has loaded nothing yet. Making one imports no solver; ``open`` does."""

    name: str
    """How users call it (``-b NAME``): lower case, unique."""

    family: ClassVar[Literal["sat", "cp", "search"]]
    """What it is compared as."""

    accepts: ClassVar[Target]
    """The kind of model that ``open`` takes."""

    summary: str
    """One line for ``gridproof backends``."""

    aliases: tuple[str, ...] = ()
    """Other names that find it."""

    @property
    def version(self) -> str:
        """Version of the solver (or of the package that brings it)."""
        from gridproof import __version__

        return __version__

    def unavailable(self) -> str | None:
        """Why it cannot be used here, or ``None`` if it can."""
        return None

    @abstractmethod
    def open(self, model: Model) -> Session:
        """Load the rules once. Raises ``BackendUnavailable`` if it cannot be used or takes another kind of model."""
