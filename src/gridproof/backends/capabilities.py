"""What only some backends can do beyond sessions, each as a small protocol.

``Backend.incremental`` opens a solver that keeps to ``Incremental``; ``Backend.no_incremental`` says why a backend
offers none. A backend that keeps to ``Proofs`` refutes clauses; its ``no_proofs`` says why it does not. Explanations,
certificates and timelines use these and nothing else of a solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, Self

from gridproof.limits import NO_LIMITS, Limits, Watch


class Incremental(Protocol):
    """A solver with clauses loaded that takes more of them and is asked again and again, by one thread at a time.

    Literals are numbers as in DIMACS files. A context manager: it is closed when the block ends.

    Examples
    --------
    >>> from gridproof import backends
    >>> with backends.find("cadical153").incremental([[1, 2], [-1, 2]]) as solver:
    ...     solver.solve([-2]), solver.core(), solver.solve(), solver.model()[1]
    (False, [-2], True, 2)
    """

    def add(self, clause: Sequence[int]) -> None:
        """One more clause, for good."""

    def prefer(self, literals: Iterable[int]) -> None:
        """Have decisions make these literals true, in solvers that let themselves be told one by one."""

    def solve(self, assumptions: Sequence[int] = (), watch: Watch | None = None) -> bool:
        """Whether there is a model in which all assumptions are true.

        Raises ``Interrupted`` when a limit of ``watch`` comes first; asked again, the solver goes on. Raises
        ``BackendFailure`` if the solver breaks; it takes no more calls then.
        """

    def model(self) -> Sequence[int]:
        """The literals that are true in the model of the last solve, by variable from 1."""

    def core(self) -> Sequence[int]:
        """Assumptions of the last solve, which found no model, that cannot all be true."""

    def counters(self) -> Mapping[str, int]:
        """``decisions``, ``conflicts``, ``propagations`` and ``restarts`` since it was opened."""

    def close(self) -> None:
        """Free it; no more calls."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class Proofs(Protocol):
    """A backend that proves contradictions."""

    def no_proofs(self) -> str | None:
        """Why ``refute`` cannot be asked, or ``None`` if it can."""

    def refute(self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS) -> list[str] | None:
        """A proof that the clauses contradict each other, ``None`` if they do not.

        The proof is textual DRAT, a step on each line, and its last line is the empty clause, ``0``. limits: seconds
        and conflicts count. Raises ``BackendUnavailable`` (see ``no_proofs``), ``Interrupted`` and ``BackendFailure``.
        """
