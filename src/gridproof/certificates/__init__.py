"""Certificates: the verdict on a board with a proof that others can check, with tools that are not ours.

``certify`` takes a board, and ``certificate_of`` an existing verdict. ``docs/certificates.md`` describes the format,
and the checker, which shares no code with this package.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Unpack

from gridproof import backends
from gridproof._version import __version__
from gridproof.arguments import checked
from gridproof.backends.protocol import Backend
from gridproof.certificates import certificate as files
from gridproof.certificates.certificate import Certificate, Certificates
from gridproof.certificates.conflict import conflict
from gridproof.certificates.formula import board_units, dimacs, states
from gridproof.certificates.rule_clauses import comments, rule_clauses
from gridproof.certificates.statements import NotCertified, refuse_rules, statement
from gridproof.errors import DisagreementError, Interrupted
from gridproof.formats import PuzzleLike, parse
from gridproof.formats.one_puzzle import Reading
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models import catalog
from gridproof.models.clauses import Clause
from gridproof.models.encoding import Encoding
from gridproof.models.targets.cnf import Cnf, compile_cnf
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.geometry import Geometry
from gridproof.questions import verify
from gridproof.trust.crosscheck import CrossCheck
from gridproof.trust.verdict import Status, Verdict

_LARGEST_PAIRWISE = 25


@checked
def default_encoding(geometry: Geometry) -> str:
    """Return the name of the encoding of the formulas if none is given.

    Up to order 25 it is ``extended``, the quickest to check (docs/certificates.md). Above that its clauses become too
    many, and it is ``triad``.

    Parameters
    ----------
    geometry
        Of the board.

    Returns
    -------
    str
        A name that ``gridproof.models.catalog.load`` takes.

    Examples
    --------
    >>> default_encoding(Geometry.standard(9)), default_encoding(Geometry.standard(36))
    ('extended', 'triad')
    """
    return "extended" if geometry.order <= _LARGEST_PAIRWISE else "triad"


@checked
def certify(
    puzzle: PuzzleLike,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    limits: Limits = NO_LIMITS,
    cross_check: str | CrossCheck = "all",
    **reading: Unpack[Reading],
) -> Certificate:
    """Find out how many solutions a puzzle has (none, one or several) and prove it.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads; its rules must be of kinds that the checker knows.
    backend : str or Backend
        The solver that finds the solutions and writes the proof.
    encoding : str or Encoding, optional
        The encoding of the houses; see ``default_encoding``. Rules have one fixed encoding (``rule_clauses``).
    limits : Limits
        Seconds for everything together, and conflicts for each question.
    cross_check : str or CrossCheck
        As in ``gridproof.verify``.
    **reading
        The options of ``gridproof.parse``, such as ``rules``.

    Returns
    -------
    Certificate
        Its ``claim``, its ``files``, and ``write(path)``.

    Raises
    ------
    NotCertified
        For a rule that certificates cannot state.
    BackendUnavailable
        For a backend without proofs.
    Interrupted
        If a limit comes first.
    DisagreementError
        If two parts contradict each other.

    Examples
    --------
    >>> import gridproof
    >>> certificate = gridproof.certify("....2...........", rules="killer 3 r1c1 r1c2")
    >>> print(certificate.claim, certificate.files["conflict.json"].decode().strip())
    none {"cells": [4], "rules": [1]}
    """
    board = parse(puzzle, **reading)
    refuse_rules(board)
    proving = proving_backend(backend)
    watch = Watch(limits)
    verdict = verify(board, proving, encoding, limits=limits, cross_check=cross_check)
    return certificate_of(verdict, proving, encoding, limits=limits, watch=watch)


@checked
def certificate_of(
    verdict: Verdict,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    limits: Limits = NO_LIMITS,
    watch: Watch | None = None,
) -> Certificate:
    """Make the certificate of a verdict of ``gridproof.verify``.

    Parameters
    ----------
    verdict
        The verdict.
    backend, encoding, limits
        As in ``certify``.
    watch
        A clock that runs already; without it, a new one starts.

    Returns
    -------
    Certificate

    Raises
    ------
    NotCertified, BackendUnavailable
        As in ``certify``.
    Interrupted
        If a limit comes first, or if the verdict is ``undecided``.
    DisagreementError
        If the verdict is ``disagreement``, or if the backend finds no proof for it.

    Examples
    --------
    >>> print(certificate_of(verify("1... ..2. .3.. ...4")).claim)
    unique
    """
    refuse_rules(verdict.board)
    if verdict.status is Status.DISAGREEMENT:
        raise DisagreementError(verdict.reason)
    if verdict.status is Status.UNDECIDED:
        raise Interrupted(verdict.reason)
    if verdict.status is Status.SOLVED:
        raise ValueError("a verdict of solve() says nothing about other solutions; expected one of verify()")
    proving = proving_backend(backend)
    encoding = encoding or default_encoding(verdict.board.geometry)
    chosen = catalog.load(encoding) if isinstance(encoding, str) else encoding
    maker = _Maker(verdict, proving, compile_cnf(verdict.board.geometry, chosen), limits, watch or Watch(limits))
    try:
        return maker.certificate()
    except Interrupted as stop:  # what the user set, not what was left of it
        raise Interrupted("seconds", limits.seconds) if stop.limit == "seconds" else stop from None


@checked
def proving_backend(backend: str | Backend) -> Backend:
    """Return a backend that writes proofs.

    Parameters
    ----------
    backend
        The backend, or its name.

    Returns
    -------
    Backend
        The backend itself.

    Raises
    ------
    BackendUnavailable
        If it writes none, with the names of those that do.

    Examples
    --------
    >>> proving_backend("cadical153").name
    'cadical153'
    """
    return backends.offering(backend, "certify", lambda one: one.no_proofs())


class _Maker:
    """One certificate under way."""

    def __init__(self, verdict: Verdict, backend: Backend, cnf: Cnf, limits: Limits, watch: Watch) -> None:
        self._verdict, self._board = verdict, verdict.board
        self._backend, self._cnf = backend, cnf
        self._limits, self._watch = limits, watch
        self._rules = rule_clauses(verdict.board.problem, cnf.variables.count)

    def certificate(self) -> Certificate:
        board, status = self._board, self._verdict.status
        made = {"gridproof": __version__}
        content = files.board_files(board)
        if board.rules:
            content["rules.json"] = files.rules_json(statement(rule, board.geometry) for rule in board.rules)
        for grid, name in zip(self._verdict.solutions, ("solution.txt", "solution2.txt"), strict=False):
            content[name] = files.grid_text(grid, board.geometry)
        if status is Status.MULTIPLE:
            made |= {"backend": self._verdict.made.backend} if self._verdict.made else {}
            return Certificate.sealed(status, content, {"made": made})
        made |= {"backend": self._backend.name, "backend version": self._backend.version}
        made |= {"encoding": self._cnf.encoding.name}
        forbidden = map(self._cnf.blocking_clause, self._verdict.solutions)
        content |= self._refutation("formula", "proof", None, range(len(self._rules)), forbidden)
        if status is Status.NONE:
            finder = DEFAULT_BACKEND if self._backend.no_incremental() else self._backend
            found = conflict(board, self._cnf, [rule.clauses for rule in self._rules], self._left(), finder)
            if found is None:
                raise DisagreementError("the verdict is none, but its conflict has a solution")
            cells, rules = found
            content["conflict.json"] = files.conflict_json(cells, rules if board.rules else None)
            content |= self._refutation("conflict", "conflict", cells, rules)
        return Certificate.sealed(status, content, {"states": states(self._cnf.encoding), "made": made})

    def _refutation(
        self,
        formula: str,
        proof: str,
        cells: Collection[int] | None,
        rules: Collection[int],
        forbidden: Iterable[Clause] = (),
    ) -> dict[str, bytes]:
        """The formula of these cells (``None``: all) and rules, with some grid forbidden, and its refutation."""
        formula, proof = f"proof/{formula}.cnf", f"proof/{proof}.drat"
        extra = [clause for number in rules for clause in self._rules[number].clauses]
        extra += [*board_units(self._board, cells), *forbidden]
        steps = self._backend.refute([*self._cnf.clauses, *extra], self._left())
        if steps is None:
            raise DisagreementError(
                f"the verdict is {self._verdict.status}, but {self._backend.name} finds that {formula} can be satisfied"
            )
        geometry = self._board.geometry
        about = [f"gridproof: {geometry.description}, encoding {self._cnf.encoding.name}"]
        about += [f"rule {number + 1}: {self._board.rules[number].sentence(geometry)}" for number in rules]
        top = max([self._cnf.variables.count, *(variable for rule in self._rules for variable in rule.meanings)])
        return {
            formula: dimacs(self._cnf, about, extra, top, comments(self._rules, rules)),
            proof: "".join([f"{step}\n" for step in steps]).encode("ascii"),
        }

    def _left(self) -> Limits:
        """The limits with the time that is left."""
        self._watch.look()
        return Limits(self._watch.remaining() or self._limits.seconds, self._limits.conflicts)


__all__ = [
    "Certificate",
    "Certificates",
    "NotCertified",
    "certificate_of",
    "certify",
    "conflict",
    "default_encoding",
    "proving_backend",
    "refuse_rules",
]


def __dir__() -> list[str]:
    return __all__
