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

A *backend* is a solver that has loaded nothing yet. ``open`` loads the rules of one problem and returns a *session*,
which takes board after board of that problem. No rule is rebuilt for a board: clues enter as assumptions (SAT), domains
(CP-SAT) or a start state (search).

``solutions`` yields each solution of the board exactly once. **Returning means that there are no more.** However the
iterator ends, also if it is closed early, the session is then ready for the next board and keeps nothing of the last
one. Asking for the next board closes the previous iterator. A closed iterator or session raises ``BackendFailure``, so
that it is never mistaken for a complete enumeration.

A session works for one thread at a time. Threads may pass it on between two steps. A thread that comes in the middle of
another thread's step gets ``BackendFailure``; the other thread is not disturbed. ``gridproof.Pipeline`` lends each of
its sessions to one question at a time, so threads may share a pipeline.

``gridproof.pipeline`` derives everything else (the first solution, the number, uniqueness), once for all backends.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from importlib import metadata, util
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias

from gridproof.backends.capabilities import Incremental
from gridproof.errors import BackendFailure, BackendUnavailable, BoardError, InputError
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.runs.interrupts import Closing
from gridproof.trust.answer import Statistics as Statistics

if TYPE_CHECKING:
    from gridproof.models import targets

Model: TypeAlias = "targets.Model | Problem"
"""The input of a session: the model of a target (``gridproof.models.targets``); for a search the problem itself."""

Family: TypeAlias = Literal["sat", "cp", "asp", "smt", "mip", "pb", "search"]
"""The kind of solver, for comparisons."""

Target: TypeAlias = str
"""The kind of model that a backend takes: the name of a target, or ``problem`` for the problem itself."""


def sound(statistics: object) -> Statistics:
    """Return the statistics of a session. Raises ``BackendFailure`` if they are none."""
    if not isinstance(statistics, Statistics):
        raise BackendFailure(f"its statistics are of the type {type(statistics).__name__}; expected Statistics")
    return statistics


class Turn:
    """A lock without waiting: a thread that comes while another is at work gets a ``BackendFailure``."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @property
    def taken(self) -> bool:
        """True while a thread is at work."""
        return self._lock.locked()

    def take(self) -> threading.Lock:
        """Return the lock for a ``with`` block. Raises ``BackendFailure`` if a thread is at work."""
        if self._lock.locked():
            raise BackendFailure(
                "another thread is at work here; expected one thread at a time (threads may share a Pipeline)"
            )
        return self._lock  # Ctrl-C cannot come between taking a lock by ``with`` and the block


class Solutions(Iterator[Grid]):
    """The iterator of one board. A plain generator that was closed would just end, and so claim to be complete."""

    __slots__ = ("_complete", "_generator", "_over", "_turn")

    def __init__(self, generator: Generator[Grid, None, None], turn: Turn) -> None:
        self._generator = generator
        self._turn = turn
        self._complete = False
        self._over = False

    def __next__(self) -> Grid:
        with self._turn.take():
            if self._over and not self._complete:
                raise BackendFailure("these solutions were cut off (by a limit, an error, or another board); ask again")
            try:
                return next(self._generator)
            except StopIteration:
                self._complete = True
                raise
            except BaseException:
                self._over = True
                raise

    def close(self) -> None:
        """Stop here. Raises ``BackendFailure`` while another thread is in a step."""
        with self._turn.take():
            self._end()

    def _end(self) -> None:
        self._over = True
        self._generator.close()


class Session(Closing):
    """A backend with a model loaded, for one thread at a time.

    Subclasses write ``_solutions``, keep ``_statistics`` or write ``statistics``, and a ``close`` that first calls this
    one's. The docstring of the module has the contract.

    Parameters
    ----------
    problem
        The geometry and the rules that are loaded.

    Examples
    --------
    >>> from gridproof import backends, parse
    >>> board = parse("1... ..2. .3.. ...4")
    >>> with backends.find("reference").open(board.problem) as session:
    ...     list(session.solutions(board))
    [(1, 2, 4, 3, 3, 4, 2, 1, 4, 3, 1, 2, 2, 1, 3, 4)]
    """

    guarded: ClassVar[bool] = False
    """True for sessions that work in a child process under a time limit."""

    def __init__(self, problem: Problem | Geometry) -> None:
        self.problem = Problem.of(problem)
        self._running: Solutions | None = None
        self._closed = False
        self._turn = Turn()
        self._statistics = Statistics()

    @property
    def geometry(self) -> Geometry:
        """The geometry of the problem."""
        return self.problem.geometry

    @property
    def at_work(self) -> bool:
        """True while a thread is in the middle of a step."""
        return self._turn.taken

    def solutions(self, board: Board, limits: Limits = NO_LIMITS) -> Solutions:
        """Return an iterator of each solution of a board; see the docstring of the module.

        Parameters
        ----------
        board
            A board of the session's problem.
        limits
            What the board may cost.

        Returns
        -------
        Solutions
            Each grid once. It raises ``Interrupted`` if a limit comes before the end.

        Raises
        ------
        BoardError
            If the board does not belong to the session's problem.
        BackendFailure
            After ``close``, and while another thread is in the middle of a step.
        """
        with self._turn.take():
            if self._closed:
                raise BackendFailure("the session is closed; open another one")
            if not isinstance(board, Board) or not isinstance(limits, Limits):
                raise InputError(f"solutions({board!r}, {limits!r}); expected a Board, and Limits or nothing")
            if board.geometry is not self.geometry and board.geometry != self.geometry:
                message = f"a board of {board.geometry.description}; this session takes {self.geometry.description}"
                raise BoardError(message)
            if board.rules != self.problem.rules:
                raise BoardError(f"a board with {len(board.rules)} rules; this session has loaded other rules")
            self._stop_running()
            self._running = running = Solutions(self._solutions(board, limits), self._turn)
            return running

    @abstractmethod
    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        """The generator behind ``solutions``; it cleans up in a ``finally``."""

    @property
    def statistics(self) -> Statistics:
        """The counters for the last board so far."""
        return self._statistics

    def _add_figures(self, watch: Watch, **figures: int) -> None:
        """Add figures to the statistics."""
        after = {name: (getattr(self._statistics, name) or 0) + figure for name, figure in figures.items()}
        self._statistics = replace(self._statistics, seconds=watch.elapsed, **after)

    def close(self) -> None:
        """Free the solver. You may call it twice; afterwards the session takes no boards.

        Raises ``BackendFailure``, and closes nothing, while another thread is in the middle of a step.
        """
        with self._turn.take():
            self._closed = True
            self._stop_running()

    def _stop_running(self) -> None:
        if self._running is not None:
            running, self._running = self._running, None
            running._end()


class Package(NamedTuple):
    """A package of a solver: what is imported, the distribution that it is in, and what pip installs."""

    module: str
    distribution: str
    install: str


class Backend(ABC):
    """A solver that has loaded nothing yet. Making one imports no solver; ``open`` does.

    Examples
    --------
    >>> from gridproof import backends
    >>> backend = backends.find("cadical153")
    >>> backend.family, backend.accepts, backend.no_proofs() is None
    ('sat', 'cnf', True)
    """

    name: str
    """The name for ``-b NAME``: lower case, unique. Options follow after a colon."""

    family: ClassVar[Family]

    accepts: ClassVar[Target]
    """The kind of model that ``open`` takes."""

    summary: str
    """One line for ``gridproof backends``."""

    aliases: tuple[str, ...] = ()
    """Other names for it."""

    @property
    def plain(self) -> Backend:
        """The backend without the guard that backends of other packages have; usually itself."""
        return self

    package: ClassVar[Package | None] = None
    """The package that it needs besides gridproof."""

    origin: str = ""
    """The program that it was made from, if not its own. Solvers of one origin do not cross-check each other."""

    process_per_question: bool = False
    """True if each question starts a process, which costs so much that the contract kit has fewer of them."""

    options: Mapping[str, Any] = {}
    """The options that ``configured`` has set."""

    @property
    def version(self) -> str:
        """The version of the solver, or of its package."""
        from gridproof._version import __version__

        return metadata.version(self.package.distribution) if self.package else __version__

    def unavailable(self) -> str | None:
        """Return the reason why it cannot be used here, or ``None`` if it can."""
        if self.package is None or util.find_spec(self.package.module):
            return None
        return f"{self.package.distribution} is not installed (pip install {self.package.install})"

    def refuses(self, problem: Problem) -> str | None:
        """Return the reason why it cannot take the rules of a problem, or ``None``. It never ignores a rule."""
        return None

    seed_option: str | None = None
    """The option that seeds the solver's random choices, if it has one."""

    def configured(self, text: str) -> Backend:
        """Return the backend with options.

        Parameters
        ----------
        text
            What follows its name and a colon: ``option=value,option=value``.

        Returns
        -------
        Backend
            A copy whose name ends in the options.

        Raises
        ------
        BackendUnavailable
            For an unknown option, with the known ones, and for a value that the solver does not take.

        Examples
        --------
        >>> from gridproof import backends
        >>> backends.find("cp-sat").configured("num_workers=2").options
        {'num_workers': 2}
        """
        parts = text.split(",")
        options = dict(part.strip().partition("=")[::2] for part in parts)
        if not all(options) or not all(options.values()):
            raise BackendUnavailable(f"{self.name}:{text}; expected {self.name}:option=value, several with , between")
        if len(options) < len(parts):
            raise BackendUnavailable(f"{self.name}:{text}; expected each option once")
        known = options if self.unavailable() else self._read(options)  # ``open`` names what is missing
        made = copy(self)
        made.options = known
        made.name = f"{self.name}:{text}"
        return made

    def _read(self, options: Mapping[str, str]) -> Mapping[str, Any]:
        """The options for a session. Raises ``BackendUnavailable`` for what the solver has not or does not take."""
        raise BackendUnavailable(f"{self.name} has no options, so not {', '.join(map(repr, options))}")

    def open(self, model: Model | Geometry) -> Session:
        """Load houses and rules; return the session.

        Parameters
        ----------
        model
            A model of the kind that the backend accepts. A geometry stands for the problem without rules.

        Raises
        ------
        BackendUnavailable
            If the backend cannot be used, takes another kind of model, or refuses a rule.
        """
        if isinstance(model, Geometry):
            model = Problem(model)
        problem: Problem | None = model if isinstance(model, Problem) else getattr(model, "problem", None)
        given = "problem" if isinstance(model, Problem) else problem and model.encoding.target
        if reason := self.unavailable():
            raise BackendUnavailable(f"{self.name}: {reason}")
        if problem is None or given != self.accepts:
            kind = type(model).__name__
            raise BackendUnavailable(f"{self.name} takes a model for {self.accepts!r}; it was given a {kind}")
        if reason := self.refuses(problem):
            raise BackendUnavailable(f"{self.name}: {reason}")
        return self._open(model)

    @abstractmethod
    def _open(self, model: Any) -> Session:
        """Return a session with the model. ``open`` has checked its kind and its rules."""

    # ---- what only some can do: see ``gridproof.backends.capabilities`` --------------------------------------------

    def no_incremental(self) -> str | None:
        """Return the reason why it has no ``incremental``, or ``None`` if it has."""
        return "it answers questions about whole boards only"

    def incremental(self, clauses: Iterable[Sequence[int]]) -> Incremental:
        """Return a solver that takes further clauses and answers many questions.

        Parameters
        ----------
        clauses
            What it begins with: literals are numbers as in DIMACS files.

        Returns
        -------
        Incremental

        Raises
        ------
        BackendUnavailable
            If it has none; see ``no_incremental``.
        """
        raise BackendUnavailable(f"{self.name}: {self.no_incremental()}")

    def no_proofs(self) -> str | None:
        """See ``capabilities.Proofs``."""
        return "it logs no proofs"

    def refute(self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS) -> list[str] | None:
        """See ``capabilities.Proofs``."""
        raise BackendUnavailable(f"{self.name}: {self.no_proofs()}")
