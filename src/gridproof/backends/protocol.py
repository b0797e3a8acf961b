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

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from difflib import get_close_matches
from functools import lru_cache
from importlib import metadata, util
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, Self, TypeAlias

from gridproof.backends.sessions import Session as Session
from gridproof.errors import BackendUnavailable
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.puzzle.board import Problem
from gridproof.puzzle.geometry import Geometry
from gridproof.text import text_of
from gridproof.trust.answer import Statistics as Statistics

if TYPE_CHECKING:
    from gridproof.models import targets

Model: TypeAlias = "targets.Model | Problem"
"""The input of a session: the model of a target (``gridproof.models.targets``); for a search the problem itself."""

Family: TypeAlias = Literal["sat", "cp", "asp", "smt", "mip", "search"]
"""The kind of solver, for comparisons."""

Target: TypeAlias = str
"""The kind of model that a backend takes: the name of a target, or ``problem`` for the problem itself."""


Values: TypeAlias = "range | Mapping[str, Any] | type"
"""The values of an option: numbers, words with what they stand for, or a type; ``str`` leaves them to the solver."""

_MANY = 60
"""Options of which the nearest are named, not all."""


class HintedStep(NamedTuple):
    """A step of a proof: a clause, with the numbers of the clauses before it that it follows from.

    If its literals are false, each of them in turn has one literal left, which then is true, and the last has none.
    """

    number: int
    literals: tuple[int, ...]
    hints: list[int]


class Incremental(Protocol):
    """A solver that takes further clauses and answers many questions, for one thread at a time.

    Literals are numbers as in DIMACS files. Use it as a context manager; it is closed when the block ends.

    Examples
    --------
    >>> from gridproof import backends
    >>> with backends.find("cadical153").incremental([[1, 2], [-1, 2]]) as solver:
    ...     solver.solve([-2]), solver.core(), solver.solve(), solver.model()[1]
    (False, [-2], True, 2)
    """

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause for good."""

    def prefer(self, literals: Iterable[int]) -> None:
        """Let decisions make these literals true, in solvers that support it."""

    def solve(self, assumptions: Sequence[int] = (), watch: Watch | None = None) -> bool:
        """Return whether there is a model in which all assumptions are true.

        Raises ``Interrupted`` if a limit of ``watch`` comes first; another call continues. Raises ``BackendFailure`` if
        the solver breaks; it then takes no more calls.
        """

    def model(self) -> Sequence[int]:
        """Return the true literals in the model of the last solve, by variable from 1."""

    def core(self) -> Sequence[int]:
        """Return assumptions of the last solve, which found no model, that cannot all be true."""

    def counters(self) -> Mapping[str, int]:
        """Return ``decisions``, ``conflicts``, ``propagations`` and ``restarts`` since it was opened."""

    def close(self) -> None:
        """Free the solver; it then takes no more calls."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class Package(NamedTuple):
    """A package of a solver: what is imported, the distribution that it is in, and what pip installs."""

    module: str
    distribution: str
    install: str


_version_of = lru_cache(metadata.version)  # it reads a file


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

    family: Family

    accepts: Target
    """The kind of model that ``open`` takes."""

    summary: str
    """One line for ``gridproof backends``."""

    aliases: tuple[str, ...] = ()
    """Other names for it."""

    grace: float | None = 1.0
    """Seconds beyond a time limit that it has for stopping by itself in a child process; ``None`` if it cannot."""

    package: Package | None = None
    """The package that it needs besides gridproof."""

    origin: str = ""
    """The program that it was made from, if not its own. Solvers of one origin do not cross-check each other."""

    options: Mapping[str, Any] = {}
    """The options that ``configured`` has set."""

    @property
    def version(self) -> str:
        """The version of the solver, or of its package."""
        from gridproof._version import __version__

        return _version_of(self.package.distribution) if self.package else __version__

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
        made = copy(self)
        made.name = f"{self.name}:{text}"
        made.options = options
        if self.unavailable():  # ``open`` names what is missing
            return made
        known = self._known_options()
        for name in options:
            if name not in known:
                listed = sorted(known)
                if len(known) > _MANY:
                    listed = get_close_matches(name, known, 12, 0.4)
                expected = f"expected one of {', '.join(listed)}" if known else "it has none"
                raise BackendUnavailable(f"{self.name} has no option {name!r}; {expected}")
        made.options = {name: _value(f"{self.name}: {name}", text, known[name]) for name, text in options.items()}
        try:
            self._try(made.options)
        except Exception as problem:
            given = ", ".join(f"{name} = {text!r}" for name, text in options.items())
            raise BackendUnavailable(f"{self.name} does not take {given}: {text_of(problem, most=300)}") from None
        return made

    def _known_options(self) -> Mapping[str, Values]:
        """Return the options that it has, with their values."""
        return {}

    def _try(self, options: Mapping[str, Any]) -> None:  # noqa: B027  # not every solver has to
        """Give options to the solver. An error, of whatever kind, is the reason why it does not take them."""

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
        reason = self.unavailable()
        if reason:
            raise BackendUnavailable(f"{self.name}: {reason}")
        if problem is None or given != self.accepts:
            kind = type(model).__name__
            raise BackendUnavailable(f"{self.name} takes a model for {self.accepts!r}; it was given a {kind}")
        reason = self.refuses(problem)
        if reason:
            raise BackendUnavailable(f"{self.name}: {reason}")
        return self._open(model)

    @abstractmethod
    def _open(self, model: Any) -> Session:
        """Return a session with the model. ``open`` has checked its kind and its rules."""

    # ---- what only some can do --------------------------------------------------------------------------------------

    def no_incremental(self) -> str | None:
        """Return the reason why it has no ``incremental``, or ``None`` if it has."""
        return "it answers questions about whole boards only"

    def incremental(self, clauses: Iterable[Sequence[int]], at_most_one: Iterable[Sequence[int]] = ()) -> Incremental:
        """Return a solver that takes further clauses and answers many questions.

        Parameters
        ----------
        clauses
            What it begins with: literals are numbers as in DIMACS files.
        at_most_one
            Groups of literals, each of which has at most one that is true. Some solvers take these as they are, others
            get a clause for each pair.

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
        """Return the reason why it has no ``refute``, or ``None`` if it has."""
        return "it logs no proofs"

    def refute(self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS) -> list[str] | None:
        """Return a proof that the clauses contradict each other, or ``None`` if they do not.

        The proof is textual DRAT, one step per line. Its last line is the empty clause, ``0``. Of the limits, seconds
        and conflicts count. Raises ``BackendUnavailable`` (see ``no_proofs``), ``Interrupted`` and ``BackendFailure``.

        Examples
        --------
        >>> from gridproof import backends
        >>> backends.find("cadical153").refute([[1], [-1]])[-1]
        '0'
        """
        raise BackendUnavailable(f"{self.name}: {self.no_proofs()}")

    def no_hints(self) -> str | None:
        """Return the reason why it has no ``refute_with_hints``, or ``None`` if it has."""
        return "it does not name the clauses that a step follows from"

    def refute_with_hints(
        self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS
    ) -> list[HintedStep] | None:
        """Return a proof whose steps name what they follow from, or ``None`` if the clauses do not contradict.

        The clauses have the numbers 1, 2, ..., and the steps those after them. The last step is the empty clause, and
        needs all others. Limits and errors are those of ``refute``; see ``no_hints``.

        Examples
        --------
        >>> from gridproof import backends
        >>> backends.find("cadical195").refute_with_hints([[1], [-1]])
        [HintedStep(number=3, literals=(), hints=[1, 2])]
        """
        raise BackendUnavailable(f"{self.name}: {self.no_hints()}")


def _value(option: str, text: str, values: Values) -> Any:
    """Return the value that a text stands for. Raises ``BackendUnavailable`` if it stands for none."""
    if values is str:
        return text
    if isinstance(values, Mapping):
        if text in values:
            return values[text]
        expected = f"one of {', '.join(values)}"
    else:
        with suppress(ValueError):
            value = json.loads(text.casefold())
            if value in values if isinstance(values, range) else type(value) in (values, int):
                return value
        if isinstance(values, range):
            expected = f"a whole number from {values.start} to {values.stop - 1}"
        else:
            expected = f"a value of the type {values.__name__}"
    raise BackendUnavailable(f"{option} = {text!r}; expected {expected}")


def proof_of(lines: Iterable[str]) -> list[str]:
    """Return the steps of a proof up to the empty clause, with which it ends.

    Some solvers go on after it with deletions of what is no longer needed; some never write it, because the clauses
    fall by propagation alone.

    Examples
    --------
    >>> proof_of(["1 2 0", "0", "d 1 2 0"]), proof_of([])
    (['1 2 0', '0'], ['0'])
    """
    steps = []
    for line in lines:
        step = line.strip()
        if step == "0":
            break
        if step:
            steps.append(step)
    steps.append("0")
    return steps
