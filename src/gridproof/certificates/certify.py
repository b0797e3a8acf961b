"""Certificates are made here, from a puzzle (``certify``) or from an existing verdict (``certificate_of``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count as count_from
from typing import Unpack

from gridproof import backends
from gridproof._version import __version__
from gridproof.backends.protocol import Backend
from gridproof.certificates.certificate import Certificate
from gridproof.certificates.counting import MOST_COUNTED, certificate_of_count
from gridproof.certificates.refutation import DEFAULT_PROVER, proving_backend, rest_of, write_refutation
from gridproof.errors import BackendFailure, DisagreementError, Interrupted
from gridproof.expect import expect_flag, expect_whole
from gridproof.explanations.minimiser import contradicting, minimise
from gridproof.formats import PuzzleLike, read_puzzle
from gridproof.formats.reading import ReadOptions
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models.targets import Encoding
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.questions import verify
from gridproof.trust.checked_board import CheckedBoard, grid_txt, refuse_rules, state_for_checker
from gridproof.trust.checked_board import NotCertified as NotCertified
from gridproof.trust.crosscheck import CrossCheck
from gridproof.trust.verdict import Status, Verdict
from gridproof.warm import lend_pipeline


def certify(
    puzzle: PuzzleLike,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    prover: str | Backend = DEFAULT_PROVER,
    limits: Limits = NO_LIMITS,
    cross_check: str | CrossCheck = "none",
    count: bool = False,
    most: int = MOST_COUNTED,
    **reading: Unpack[ReadOptions],
) -> Certificate:
    """Find out how many solutions a puzzle has (none, one or several; or exactly how many) and prove it.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads; its rules must be of kinds that the checker can read. If
        something unread may be a rule, the certificate is of the part that was understood (``made`` has that), as far
        as a verdict follows from it.
    backend, encoding, cross_check
        As in ``gridproof.verify``, for the answer. The certificate does not depend on them. The answer is not
        cross-checked by default, because the proof leaves no room for another one.
    prover : str or Backend
        The solver that refutes the checker's formula; ``gridproof backends`` marks those that write proofs.
    limits : Limits
        Seconds for everything together, and conflicts for each question.
    count : bool
        Whether to list all solutions and to prove that there is no other. If a limit comes first, the claim is
        ``at least``, with the solutions found until then and without a proof.
    most : int
        The largest number of solutions that is listed.
    **reading
        The options of ``gridproof.parse``, such as ``rules``.

    Returns
    -------
    Certificate
        Its ``claim``, its ``files``, and ``write(path)``.

    Raises
    ------
    NotCertified
        For a rule of a kind without a sentence in the checker, or a board that is too large for it.
    NotUnderstoodError
        If something unread may be a rule, and nothing follows from the rest.
    BackendUnavailable
        For a prover without proofs.
    Interrupted
        If a limit comes first.
    DisagreementError
        If two parts contradict each other.

    Examples
    --------
    >>> import gridproof
    >>> certificate = gridproof.certify("....2...........", rules="killer 3 r1c1 r1c2")
    >>> print(certificate.claim, certificate.files["formula.cnf"].decode().splitlines()[0])
    none p cnf 65 314
    >>> certificate = gridproof.certify("1" + "." * 15, count=True)
    >>> print(certificate.claim, certificate.files["solutions.txt"].count(b"\\n"))
    count 72
    """
    despite_unread = reading.get("despite_unread", False)
    options: ReadOptions = {**reading, "despite_unread": True}
    expect_flag(count, "count")
    most = expect_whole(most, "most", least=1)
    record = read_puzzle(puzzle, **options)
    refuse_rules(record.board)
    proving = proving_backend(prover)
    watch = Watch(limits)
    if count:
        board = record.understood(despite_unread).board
        of_a_part = bool(record.not_understood)
        with lend_pipeline(board, backend, encoding, limits, "none") as pipeline:
            return certificate_of_count(pipeline, board, proving, most, watch, of_a_part=of_a_part)
    verdict = verify(record, backend, encoding, limits=limits, cross_check=cross_check, despite_unread=despite_unread)
    return certificate_of(verdict, proving, limits=limits, watch=watch)


def certificate_of(
    verdict: Verdict, prover: str | Backend = DEFAULT_PROVER, *, limits: Limits = NO_LIMITS, watch: Watch | None = None
) -> Certificate:
    """Make the certificate of a verdict of ``gridproof.verify``.

    Parameters
    ----------
    verdict
        The verdict, from any backend.
    prover, limits
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
        If the verdict is ``disagreement``, or if the prover finds no proof for it.

    Examples
    --------
    >>> print(certificate_of(verify("1... ..2. .3.. ...4")).claim)
    unique
    """
    if verdict.status is Status.DISAGREEMENT:
        raise DisagreementError(verdict.reason)
    if verdict.status is Status.UNDECIDED:
        raise Interrupted(verdict.reason)
    if verdict.status is Status.SOLVED:
        raise ValueError("a verdict of solve() does not exclude other solutions; expected a verdict of verify()")
    try:
        return _certificate(verdict, proving_backend(prover), limits, watch or Watch(limits))
    except Interrupted as stop:  # the user's limit, not the rest of it
        raise Interrupted("seconds", limits.seconds) if stop.limit == "seconds" else stop from None


def certify_verdict(
    verdict: Verdict, prover: str | Backend, write: Callable[[Certificate], object], limits: Limits, watch: Watch
) -> Verdict:
    """Return a verdict with its certificate in its evidence; ``disagreement`` if the proof contradicts it.

    Parameters
    ----------
    verdict
        The verdict of ``gridproof.verify``.
    prover, limits, watch
        As in ``certificate_of``.
    write
        Writes the certificate, and returns its place.

    Returns
    -------
    Verdict

    Raises
    ------
    NotCertified, BackendUnavailable, Interrupted
        As in ``certificate_of``.

    Examples
    --------
    >>> verdict = verify("1... ..2. .3.. ...4")
    >>> certify_verdict(verdict, "cadical153", lambda _: "a folder", NO_LIMITS, Watch(NO_LIMITS)).evidence.certificate
    'a folder'
    """
    try:
        certificate = certificate_of(verdict, prover, limits=limits, watch=watch)
    except (DisagreementError, BackendFailure) as problem:
        return replace(verdict, status=Status.DISAGREEMENT, reason=str(problem))
    return replace(verdict, evidence=replace(verdict.evidence, certificate=str(write(certificate))))


def _certificate(verdict: Verdict, prover: Backend, limits: Limits, watch: Watch) -> Certificate:
    """Return the certificate of a verdict that needs no other answer first."""
    status = verdict.status
    stated = state_for_checker(verdict.board, limits)
    files = dict(stated.files)
    solutions: Sequence[Sequence[int]] = verdict.solutions
    if status is Status.MULTIPLE:
        solutions = two_solutions(stated, rest_of(limits, watch)) or solutions
    for grid, name in zip(solutions, ("solution.txt", "solution2.txt"), strict=False):
        files[name] = grid_txt(grid, verdict.board.geometry)
    made = {"gridproof": __version__, "prover": f"{prover.name} {prover.version}"}
    if verdict.evidence.basis == "part":
        # the certificate is of the part; that the stored solution is its solution, or that there is none, is beside it
        made["of a part"] = f"only what was understood of the puzzle; {verdict.reason}"
        if status is Status.AT_MOST_ONE:
            status = Status.UNIQUE
    about: dict[str, object] = {"made": made}
    if status is Status.UNIQUE:
        refutation = write_refutation(stated.formula(verdict.solutions), prover, rest_of(limits, watch))
        files |= refutation.files
        made["prover"] = refutation.prover
    elif status is Status.NONE:
        contradictory = conflict(stated, rest_of(limits, watch))
        if contradictory is None:
            raise DisagreementError("the verdict is none, but the checker's formula has a solution")
        cells, rules = contradictory
        about["conflict"] = {"cells": list(cells), "rules": [number + 1 for number in rules]}
        refutation = write_refutation(stated.formula((), cells, rules), prover, rest_of(limits, watch))
        files |= refutation.files
        made["prover"] = refutation.prover
    return Certificate.seal(status, files, about)


def two_solutions(stated: CheckedBoard, limits: Limits = NO_LIMITS) -> list[tuple[int, ...]]:
    """Find two solutions of the checker's formula, so that they do not depend on who answered, nor on earlier puzzles.

    Returns none if the formula is too large.

    Raises
    ------
    DisagreementError
        If the formula has fewer.
    Interrupted
        If a limit comes first.

    Examples
    --------
    >>> from gridproof import parse
    >>> one, other = two_solutions(state_for_checker(parse("12341234........")))
    Traceback (most recent call last):
    gridproof.errors.DisagreementError: the verdict is multiple, but the checker's formula has no two solutions
    """
    layout = stated.layout
    watch = Watch(limits)
    found: list[tuple[int, ...]] = []
    try:
        clauses = stated.formula().clauses
    except NotCertified:
        return found
    with backends.find(DEFAULT_BACKEND).incremental(clauses) as solver:
        while len(found) < 2:
            if not solver.solve((), watch):
                raise DisagreementError("the verdict is multiple, but the checker's formula has no two solutions")
            true = [literal for literal in solver.model()[: len(layout.cells) * layout.count] if literal > 0]
            found.append(tuple([(literal - 1) % layout.count + 1 for literal in true]))
            solver.add([-literal for literal in true])
    return sorted(found)


def conflict(stated: CheckedBoard, limits: Limits = NO_LIMITS) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Find a minimal set of cells and rules that has no solution, by the formula of the checker.

    Minimal: without what the board states of any one of its cells, and without any one of its rules, there is a
    solution. That does not mean that no other set is smaller.

    Parameters
    ----------
    stated
        The board as the checker reads it.
    limits
        When to stop.

    Returns
    -------
    tuple of cells and rules, or None
        Both ascending, and empty if the houses alone have no solution; ``None`` if the board has a solution.

    Raises
    ------
    Interrupted
        If a limit comes first.

    Examples
    --------
    Row 1 has no place for a 3:

    >>> from gridproof import parse
    >>> conflict(state_for_checker(parse("12.. ..3. .... ...4")))
    ((0, 1, 6), ())
    """
    layout = stated.layout
    behind_cells = len(layout.cells) * layout.count + 1
    selectors = range(behind_cells, behind_cells + len(stated.rules) + len(stated.board))
    fresh = count_from(selectors.stop)
    with backends.find(DEFAULT_BACKEND).incremental(stated.formula(cells=(), rules=()).clauses) as solver:
        for selector, rule in zip(selectors, stated.rules, strict=False):
            for part in rule.parts:
                for clause in stated.unrolled.clauses(part, fresh):
                    solver.add([-selector] + clause)
        for selector, (cell, symbols) in zip(selectors[len(stated.rules) :], stated.board.items(), strict=True):
            for digit in layout.digits:
                if digit not in symbols:
                    solver.add([-selector, -layout.variable(cell, digit)])
        needed = minimise(selectors, contradicting(solver, Watch(limits)))
    if needed is None:
        return None
    board_cells = list(stated.board)
    cells = []
    rules = []
    for selector in needed:
        number = selector - selectors.start
        if number < len(stated.rules):
            rules.append(number)
        else:
            cells.append(board_cells[number - len(stated.rules)])
    return tuple(cells), tuple(rules)
