"""The check of certificates by the separate checker, as the function ``gridproof.check`` and for the command."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gridproof.arguments import checked
from gridproof.checker import Limits, Report, check_all

if TYPE_CHECKING:
    from gridproof.checker.external import SecondOpinion


@checked
def check(
    certificate: str | Path, *, external: str | None = None, large: bool = False, seconds: float | None = None
) -> list[Report | SecondOpinion]:
    """Check certificates, with a checker that shares no code with the rest of gridproof.

    Parameters
    ----------
    certificate
        The folder of one certificate, or of many.
    external
        A program that also checks the proofs, such as ``"drat-trim"``.
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
    return list(reports(certificate, external, large, seconds))


def reports(
    certificate: str | Path, external: str | None, large: bool, seconds: float | None
) -> Iterator[Report | SecondOpinion]:
    """Yield the report on each certificate as soon as it is checked; see ``check``."""
    from gridproof.checker.external import second_opinion

    limits = Limits()
    if large:
        more = {name: 8 * getattr(limits, name) for name in ("literals", "proof_bytes", "parts", "trials")}
        limits = replace(limits, **more, seconds=3600.0)
    if seconds is not None:
        limits = replace(limits, seconds=seconds)
    for report in check_all(certificate, limits):
        yield second_opinion(report, external, limits) if external else report
