"""The check of certificates by the separate checker, as the function ``gridproof.check`` and for the command."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from gridproof.arguments import checked
from gridproof.checker import CheckerLimits, Report, check_all


@checked
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
    return list(reports(certificate, program, large, seconds))


def reports(certificate: str | Path, program: str | None, large: bool, seconds: float | None) -> Iterator[Report]:
    """Yield the report on each certificate as soon as it is checked; see ``check``."""
    from gridproof.checker.external import with_opinion

    limits = CheckerLimits()
    if large:
        more = {name: 8 * getattr(limits, name) for name in ("clauses", "proof_bytes", "parts", "trials")}
        limits = replace(limits, **more, seconds=3600.0)
    if seconds is not None:
        limits = replace(limits, seconds=seconds)
    for report in check_all(certificate, limits):
        yield with_opinion(report, program) if program else report
