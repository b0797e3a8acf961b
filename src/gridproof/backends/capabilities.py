"""Abilities that only some backends have, each as a small protocol.

``Backend.incremental`` opens a solver of the protocol ``Incremental``; ``Backend.no_incremental`` gives the reason why
a backend has none. A backend of the protocol ``Proofs`` refutes clauses; ``no_proofs`` gives the reason why one cannot.
Explanations, certificates and timelines use only these protocols.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Protocol, Self

from gridproof.limits import NO_LIMITS, Limits, Watch


def proof_of(lines: Iterable[str]) -> list[str]:
    """Return the steps of a proof up to the empty clause, with which it ends.

    Some solvers go on after it with deletions of what is no longer needed; some never write it, because the clauses
    fall by propagation alone.

    Examples
    --------
    >>> proof_of(["1 2 0", "0", "d 1 2 0"]), proof_of([])
    (['1 2 0', '0'], ['0'])
    """
    return [*takewhile(lambda step: step != "0", filter(None, map(str.strip, lines))), "0"]


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


class Proofs(Protocol):
    """A backend that proves contradictions.

    Examples
    --------
    >>> from gridproof import backends
    >>> backends.find("cadical153").refute([[1], [-1]])[-1]
    '0'
    """

    def no_proofs(self) -> str | None:
        """Return why it has no ``refute``, or ``None`` if it has."""

    def refute(self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS) -> list[str] | None:
        """Return a proof that the clauses contradict each other, or ``None`` if they do not.

        The proof is textual DRAT, one step per line. Its last line is the empty clause, ``0``. Of the limits, seconds
        and conflicts count. Raises ``BackendUnavailable`` (see ``no_proofs``), ``Interrupted`` and ``BackendFailure``.
        """
