"""The certificate of a number of solutions: all of them, and a proof that there is no other."""

from __future__ import annotations

from collections.abc import Sequence

from gridproof._version import __version__
from gridproof.backends.protocol import Backend
from gridproof.certificates.certificate import Certificate
from gridproof.certificates.refutation import rest_of, write_refutation_beside
from gridproof.errors import Interrupted
from gridproof.limits import Watch
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.text import counted
from gridproof.trust.checked_board import grid_txt, state_for_checker

MOST_COUNTED = 100_000
"""Solutions that a certificate lists, unless another number is given."""


def certificate_of_count(
    pipeline: Pipeline, board: Board, prover: Backend, most: int, watch: Watch, *, of_a_part: bool = False
) -> Certificate:
    """Find all solutions of a board and prove that there is no other.

    Parameters
    ----------
    pipeline
        Finds the solutions.
    board
        The board.
    prover
        The solver that proves what a tree of our own cannot.
    most
        The largest number of solutions that is listed.
    watch
        The clock of everything together.
    of_a_part
        Whether the board is only a part of its puzzle.

    Returns
    -------
    Certificate
        Of the claim ``count``; or of ``at least``, without a proof, if a limit came first.

    Raises
    ------
    NotCertified
        For a board that the checker cannot state.
    Interrupted
        If a limit comes before the first solution.
    BackendFailure, DisagreementError
        As in ``Pipeline.solutions``; also if the checker's formula has a further solution.

    Examples
    --------
    >>> from gridproof import Limits, backends, parse
    >>> pipeline = Pipeline("minisat22")
    >>> certificate = certificate_of_count(pipeline, parse("." * 16), backends.find("cadical153"), 1000, Watch())
    >>> print(certificate.claim, certificate.solutions)
    count 288
    """
    stated = state_for_checker(board, watch.limits)
    grids, stop = _find_solutions(pipeline, board, most)
    files = dict(stated.files)
    files["solutions.txt"] = solutions_txt(grids, board.geometry)
    made = {"gridproof": __version__}
    if of_a_part:
        made["of a part"] = "only what was understood of the puzzle"
    if not stop:
        try:
            formula = stated.formula(grids)
            refutation = write_refutation_beside(grids, stated.layout, formula, prover, rest_of(watch.limits, watch))
            files |= refutation.files
            made["prover"] = refutation.prover
        except Interrupted as interrupted:
            stop = f"no proof: {interrupted}"
    about = {"solutions": len(grids), "made": made}
    if stop:
        made["stopped"] = stop
        return Certificate.seal("at least", files, about)
    return Certificate.seal("count", files, about)


def solutions_txt(grids: Sequence[Sequence[int]], geometry: Geometry) -> bytes:
    """Return ``solutions.txt``: the symbols of each grid on a line.

    Examples
    --------
    >>> from gridproof import Geometry
    >>> solutions_txt([(1, 2, 2, 1), (2, 1, 1, 2)], Geometry.latin(2))
    b'1221\\n2112\\n'
    """
    lines = []
    for grid in grids:
        rows = grid_txt(grid, geometry).splitlines()
        between = b" " if b" " in rows[0] else b""
        lines.append(between.join(rows) + b"\n")
    return b"".join(lines)


def _find_solutions(pipeline: Pipeline, board: Board, most: int) -> tuple[list[tuple[int, ...]], str]:
    """Return the solutions in ascending order, and why there may be more; nothing if these are all."""
    grids: list[tuple[int, ...]] = []
    stop = ""
    try:
        for grid in pipeline.solutions(board):
            if len(grids) == most:
                stop = f"stopped at {counted(most, 'solution')}; there are more"
                break
            grids.append(tuple(grid))
    except Interrupted as interrupted:
        if not grids:
            raise
        stop = str(interrupted)
    return sorted(grids), stop
