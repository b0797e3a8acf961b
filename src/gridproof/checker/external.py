"""A second check of a refutation, by a program that others wrote.

drat-trim reads a formula and a proof in DRAT; lrat-check and cake_lpr read LRAT. Such a program can confirm that the
formula is unsatisfiable. That the formula states the board and its rules, only the check in this package confirms.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from .findings import Answer, Opinion, Report

_OUTPUT_BYTES = 1 << 16
_VERIFIED = ("s VERIFIED", "s VERIFIED UNSAT", "c VERIFIED", "VERIFIED")


def with_opinion(report: Report, program: str, seconds: float = 600.0) -> Report:
    """Let a program check the proof of a certificate that was checked here.

    Parameters
    ----------
    report : Report
        Of ``check`` or ``check_all``.
    program : str
        ``drat-trim``, ``lrat-check``, ``cake_lpr`` or another program of that kind: a name on the PATH, or a path. A
        program with ``drat`` in its name gets ``proof.drat``, any other ``proof.lrat``.
    seconds : float
        The time for the program.

    Returns
    -------
    Report
        The same with the program's opinion; without one for a claim that needs no proof.

    Examples
    --------
    >>> report = Report("folder", "", accepted=True, claim="unique", reasons=())
    >>> print(with_opinion(report, "no-such-program").opinion)
    no-such-program on proof.lrat: not run: no such program on the PATH
    """
    if report.claim not in ("unique", "none"):
        return report
    proof = "proof.drat" if "drat" in Path(program).name else "proof.lrat"
    path = shutil.which(program)
    if path is None:
        return replace(report, opinion=Opinion(program, proof, "not run", "no such program on the PATH"))
    folder = Path(report.path, report.name).resolve()
    command = [os.path.realpath(path), str(folder / "formula.cnf"), str(folder / proof)]
    answer, text = run_program(command, seconds)
    return replace(report, opinion=Opinion(program, proof, answer, text))


def run_program(command: list[str], seconds: float) -> tuple[Answer, str]:
    """Run a program. Return its answer, and the line of its output that states it."""
    with tempfile.TemporaryFile() as output:  # on the disk: its output may be of any size
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=seconds)
        except subprocess.TimeoutExpired:
            return "failed", f"no answer within {seconds:g} seconds"
        except OSError as error:
            return "failed", str(error)
        size = output.seek(0, os.SEEK_END)
        output.seek(max(0, size - _OUTPUT_BYTES))
        text = output.read().decode("utf-8", "replace")
    last = "no output"
    # drat-trim returns to the start of a line to overwrite its progress
    for line in text.replace("\r", "\n").split("\n"):
        line = line.strip()
        if line in _VERIFIED:
            return "verified", line
        if line:
            last = line[:200]
    return "failed" if done.returncode < 0 else "refuted", last
