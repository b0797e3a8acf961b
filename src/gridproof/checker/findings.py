"""What the checker says: limits on its effort, findings with a code of their own, and the report."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any, Literal, TypeAlias

Claim: TypeAlias = Literal["unique", "none", "multiple"]

MEANT = ("row", "column", "box", "region")
"""The kinds of houses that mean what they say. Reports quote any other, which may be made to look like these."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a certificate may ask of the checker. What exceeds a limit is refused, never half-checked.

    Attributes
    ----------
    order, houses : int
        Symbols and houses of a board.
    statement_bytes, proof_bytes : int
        Size of one JSON or text file, and of one file in ``proof/``.
    archive_bytes : int
        Size of a ``.zip`` as it lies on the disk.
    entries : int
        Files in one folder or archive.
    line_bytes : int
        Length of one line.
    literals : int
        Literals of a formula, or of the clauses a proof holds at one time.
    variables : int
        Variables of a formula and of its proof.
    parts : int
        What all rules are made of, such as pairs of cells.
    trials : int
        Symbols read by their machines, and sets of symbols tried.
    seconds : float
        Wall-clock time for one certificate.
    failures : int
        Refused clauses that are named before the rest is left unsaid.

    Examples
    --------
    >>> limits = Limits(seconds=10.0)
    >>> limits.seconds, limits.order
    (10.0, 64)
    """

    order: int = 64
    houses: int = 512
    statement_bytes: int = 1 << 20
    proof_bytes: int = 32 << 20
    archive_bytes: int = 256 << 20
    entries: int = 200_000
    line_bytes: int = 1 << 18
    literals: int = 4_000_000
    variables: int = 500_000
    parts: int = 200_000
    trials: int = 5_000_000
    seconds: float = 300.0
    failures: int = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason for a refusal.

    Attributes
    ----------
    code : str
        The reason for machines.
    message : str
        A sentence for people.
    file : str
        The path inside the certificate where it was found; '' for the certificate as a whole.
    line : int
        The line there, counted from 1; 0 for no line.

    Examples
    --------
    >>> print(Finding("missing-file", "the certificate has no such file", "solution.txt"))
    [missing-file] solution.txt: the certificate has no such file
    """

    code: str
    message: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        file = printable(self.file)
        place = f"{file}, line {self.line}: " if self.line else f"{file}: " if file else ""
        return f"[{self.code}] {place}{self.message}"


class Refusal(Exception):
    """A finding that ends a part of the check. Never leaves the package: ``check`` turns it into a report."""

    def __init__(self, code: str, message: str, file: str = "", line: int = 0) -> None:
        super().__init__(code, message)
        self.finding = Finding(code, message, file, line)


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """What became of one certificate.

    Attributes
    ----------
    path : str
        The folder or archive.
    name : str
        The folder of the certificate inside it; '' if it holds this one alone.
    accepted : bool
        Whether every part of the claim was confirmed.
    claim : str, or None
        ``unique``, ``none`` or ``multiple``, as the certificate says; ``None`` if that could not be read.
    reasons : tuple of Finding
        Why it was refused; empty if and only if it was accepted.
    steps : int
        Proof steps that were checked.
    seconds : float
        Wall-clock time.
    facts : dict
        What the checker counted on its way, by name.

    Examples
    --------
    >>> reason = Finding("missing-file", "no claim.json, so this is no certificate", "claim.json")
    >>> report = Report("folder", "", accepted=False, claim=None, reasons=(reason,))
    >>> report.codes()
    ('missing-file',)
    >>> print(report)
    folder: refused: no readable claim
      [missing-file] claim.json: no claim.json, so this is no certificate
    """

    path: str
    name: str
    accepted: bool
    claim: Claim | None
    reasons: tuple[Finding, ...]
    steps: int = 0
    seconds: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)

    def codes(self) -> tuple[str, ...]:
        """The codes of the reasons, each once, in the order found."""
        return tuple(dict.fromkeys(reason.code for reason in self.reasons))

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values that ``json.dumps`` takes."""
        return asdict(self)

    def __str__(self) -> str:
        where = printable(f"{self.path}/{self.name}" if self.name else self.path)
        claim = self.claim or "no readable claim"
        if self.accepted:
            steps = f"{self.steps} proof steps, {self.seconds:.2f} s"
            return "\n".join([f"{where}: accepted: {claim} ({steps})", *(f"  {line}" for line in self._statement())])
        return "\n".join([f"{where}: refused: {claim}", *(f"  {reason}" for reason in self.reasons)])

    def __repr__(self) -> str:
        return f"<Report: {'accepted' if self.accepted else 'refused'}: {self.claim or 'no readable claim'}>"

    def _repr_html_(self) -> str:
        headline, *lines = str(self).splitlines()
        rest = f"<pre>{escape(chr(10).join(lines))}</pre>" if lines else ""
        return f"<div><b>{escape(headline)}</b>{rest}</div>"

    def _statement(self) -> Iterator[str]:
        """What was certified, for whoever wants to compare it with the puzzle they have in mind."""
        facts, marks = self.facts, self.facts["pencil marks"]
        yield f"board: {facts['board']}"
        also = f", and pencil marks in {marks} (see candidates.json)" if marks else ""
        yield f"cells with a clue: {facts['clues']}{also}"
        shape = f" ({'x'.join(map(str, facts['boxes']))})" if facts["boxes"] else ""
        counts = [f"{kind} {number}{shape * (kind == 'box')}" if kind in MEANT
                  else f"{quote(kind).encode('ascii', 'backslashreplace').decode()} {number}"
                  for kind, number in facts["houses"].items()]  # fmt: skip
        yield f"houses: {', '.join(counts)}"
        if kinds := facts.get("rules"):
            yield f"rules: {', '.join(f'{kind} {number}' for kind, number in kinds.items())} (see rules.json)"


class Clock:
    """The time one certificate has taken, and the moment it has had enough."""

    def __init__(self, seconds: float) -> None:
        self._start = time.monotonic()
        self._limit = seconds

    def elapsed(self) -> float:
        """Seconds since the check began."""
        return time.monotonic() - self._start

    def look(self) -> None:
        """Raises ``Refusal`` if the time is over."""
        if self.elapsed() > self._limit:
            raise Refusal("too-slow", f"the check takes longer than {self._limit:g} seconds; a longer limit may do")


def printable(text: str) -> str:
    """A name for a terminal: what is no printable character is escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def quote(text: object, length: int = 60) -> str:
    """Offending text, printable and short enough for a message."""
    shown = repr(text[: length + 1] if isinstance(text, str | bytes) else text)
    return shown if len(shown) <= length + 3 else shown[:length] + "..."
