"""Certificates are checked here, by the separate checker: as the function ``gridproof.check`` and for the command."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import NoneType

from gridproof.checker import CheckerLimits, Report, check_all
from gridproof.expect import expect, expect_flag, expect_number


def check(
    certificate: str | Path, *, program: str | None = None, large: bool = False, seconds: float | None = None
) -> list[Report]:
    """Check certificates, with a checker that shares no code with the rest of gridproof.

    Parameters
    ----------
    certificate
        The folder of one certificate, or of many.
    program
        A program that also checks the proofs, such as ``"cake_lpr"``; its ``opinion`` is in the report.
    large
        Whether to allow each certificate eight times the memory, and an hour; for boards above order 25.
    seconds
        The time limit for each certificate; 300 without it.

    Returns
    -------
    list
        A report for each certificate, in order: ``accepted``, and why not.

    Examples
    --------
    >>> import gridproof, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = gridproof.certify("1... ..2. .3.. ...4").write(f"{folder}/proof")
    ...     [report] = gridproof.check(f"{folder}/proof")
    >>> report.accepted, report.claim
    (True, 'unique')
    """
    expect(certificate, (str, Path), "certificate", "the path of a folder")
    expect(program, (str, NoneType), "program", "the name of a program, or None")
    expect_flag(large, "large")
    if seconds is not None:
        expect_number(seconds, "seconds")
    return list(check_each(certificate, program, large, seconds))


def check_each(certificate: str | Path, program: str | None, large: bool, seconds: float | None) -> Iterator[Report]:
    """Yield the report on each certificate as soon as it is checked; see ``check``."""
    from gridproof.checker.external import with_opinion

    limits = CheckerLimits()
    if large:
        limits = replace(
            limits,
            clauses=8 * limits.clauses,
            proof_bytes=8 * limits.proof_bytes,
            parts=8 * limits.parts,
            trials=8 * limits.trials,
            seconds=3600.0,
        )
    if seconds is not None:
        limits = replace(limits, seconds=seconds)
    for report in check_all(certificate, limits):
        if program:
            yield with_opinion(report, program)
        else:
            yield report
