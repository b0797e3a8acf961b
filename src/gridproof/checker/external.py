"""A second opinion: the refutations of a certificate, given to a proof checker that others wrote.

Such a program reads a formula and a proof and prints ``s VERIFIED``, as drat-trim does. It can say that the
formula is unsatisfiable; that the formula says what the board says is something only the check in this
package looks at.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from .certificate import CONFLICT_FORMULA, CONFLICT_PROOF, FORMULA, PROOF, check
from .container import Container
from .findings import Limits, Refusal, Report

Answer: TypeAlias = Literal["verified", "refuted", "failed", "not run"]

_OUTPUT_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an external program said of one proof. answer: ``verified``; ``refuted`` (it ran and did not
    verify); ``failed`` (it crashed or took too long); ``not run`` (no such program, or no such proof). text:
    why, or the last line it printed that is not empty."""

    program: str
    proof: str
    answer: Answer
    text: str


@dataclass(frozen=True, slots=True)
class SecondOpinion:
    """Our report next to what the external program said of each proof. A claim of several solutions has no
    proof, so ``opinions`` is empty there, and ``accepted`` is our report's word alone."""

    report: Report
    opinions: tuple[Opinion, ...]

    @property
    def accepted(self) -> bool:
        """Both accept: ours the certificate, the other every proof in it."""
        return self.report.accepted and all(opinion.answer == "verified" for opinion in self.opinions)

    @property
    def agree(self) -> bool:
        """Whether no answer of the program contradicts the report (one that did not run contradicts
        nothing)."""
        return not self.report.accepted or all(opinion.answer != "refuted" for opinion in self.opinions)

    @property
    def not_run(self) -> bool:
        """Whether some proof could not be given to the program, although ours accepts it."""
        return self.report.accepted and any(opinion.answer == "not run" for opinion in self.opinions)

    def as_dict(self) -> dict[str, Any]:
        """Both opinions as plain values that ``json.dumps`` takes."""
        return {**self.report.as_dict(), "external": [asdict(opinion) for opinion in self.opinions]}

    def __str__(self) -> str:
        said = [f"  {o.program} on {o.proof}: {o.answer}{': ' * bool(o.text)}{o.text}" for o in self.opinions]
        return "\n".join([str(self.report), *said])


def check_external(
    path: str | os.PathLike[str],
    program: str = "drat-trim",
    limits: Limits | None = None,
    seconds: float = 600.0,
) -> SecondOpinion:
    """Check the one certificate in a folder or ``.zip``, here and with ``program``; see ``second_opinion``.

    Whatever is wrong is in the result; nothing is raised.

    Parameters
    ----------
    path : path
        The folder or archive.
    program : str
        A program that reads a formula and a proof and prints ``s VERIFIED``: a name on the PATH, or a path.
    limits : Limits, optional
        How much the certificate may ask of the checker.
    seconds : float
        How long the program may take for each proof.

    Returns
    -------
    SecondOpinion
        The report of this package (``report``), what the program says of each proof (``opinions``), and whether
        both accept (``accepted``). Without a readable claim, the program gets no proof.

    Examples
    --------
    >>> second = check_external("no such folder")
    >>> second.report.codes(), second.opinions, second.accepted
    (('unreadable',), (), False)
    """
    return second_opinion(check(path, limits), program, limits, seconds)


def second_opinion(
    report: Report, program: str = "drat-trim", limits: Limits | None = None, seconds: float = 600.0
) -> SecondOpinion:
    """Has ``program FORMULA PROOF`` check each proof of a certificate that was checked here, for at most ``seconds``.

    program: a name on the PATH, or a path. It is given copies of the two files in a temporary folder, with names of
    ours; nothing of the certificate becomes part of a command line. Nothing is raised.
    """
    limits = limits or Limits()
    pairs = {"unique": [(FORMULA, PROOF)], "none": [(FORMULA, PROOF), (CONFLICT_FORMULA, CONFLICT_PROOF)]}
    opinions = []
    for cnf, drat in pairs.get(report.claim or "", []):
        found = shutil.which(program)
        if found is None:
            opinions.append(Opinion(program, drat, "not run", "no such program on the PATH"))
            continue
        try:
            with Container(report.path, limits) as container:
                names = [f"{report.name}/{name}" if report.name else name for name in (cnf, drat)]
                files = [container.read(name, limits.proof_bytes) for name in names]
            opinions.append(_ask(found, program, drat, files, seconds))
        except Refusal as refusal:
            opinions.append(Opinion(program, drat, "not run", str(refusal.finding)))
        except OSError as error:
            opinions.append(Opinion(program, drat, "failed", str(error)))
    return SecondOpinion(report, tuple(opinions))


def _ask(found: str, program: str, proof: str, files: list[bytes], seconds: float) -> Opinion:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("formula.cnf", "proof.drat")]
        for copy, data in zip(paths, files, strict=True):
            copy.write_bytes(data)
        output = Path(folder, "output")
        with output.open("wb") as stream:  # to the disk: nobody knows how much it prints
            try:
                subprocess.run(
                    [found, *map(str, paths)],
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=subprocess.STDOUT,
                    timeout=seconds,
                    check=False,
                    cwd=folder,
                )
            except subprocess.TimeoutExpired:
                return Opinion(program, proof, "failed", f"no answer within {seconds:g} seconds")
        with output.open("rb") as stream:
            stream.seek(max(0, output.stat().st_size - _OUTPUT_BYTES))
            # drat-trim returns to the start of a line to overwrite its progress
            lines = [line.strip() for line in stream.read().decode("utf-8", "replace").replace("\r", "\n").split("\n")]
    if "s VERIFIED" in lines:
        return Opinion(program, proof, "verified", "")
    last = next((line for line in reversed(lines) if line), "no output")[:200]
    ran = any(line.startswith("s ") for line in lines)
    return Opinion(program, proof, "refuted" if ran else "failed", last)
