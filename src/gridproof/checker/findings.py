"""Limits on the effort of the checker, findings with a code of their own, and the report."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any, Literal, TypeAlias

Claim: TypeAlias = Literal["unique", "none", "multiple"]
Answer: TypeAlias = Literal["verified", "refuted", "failed", "not run"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The effort that a certificate may cost the checker. What exceeds a limit is refused, never half-checked.

    Attributes
    ----------
    order, houses : int
        Symbols of a board, and houses beside its rows, columns and boxes.
    statement_bytes, proof_bytes : int
        Size of a file that states the board, and of a formula or proof.
    entries : int
        Files in one folder.
    line_bytes : int
        Length of one line.
    clauses : int
        Clauses of a formula.
    parts : int
        Parts of all rules, such as pairs of cells.
    trials : int
        Symbols that machines read, and sets of symbols that are tried.
    seconds : float
        Wall-clock time for one certificate.
    failures : int
        Superfluous or missing files that are named.

    Examples
    --------
    >>> limits = Limits(seconds=10.0)
    >>> limits.seconds, limits.order
    (10.0, 64)
    """

    order: int = 64
    houses: int = 512
    statement_bytes: int = 1 << 20
    proof_bytes: int = 64 << 20
    entries: int = 200_000
    line_bytes: int = 1 << 18
    clauses: int = 2_000_000
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
    """A finding that ends a part of the check. ``check`` turns it into a report."""

    def __init__(self, code: str, message: str, file: str = "", line: int = 0) -> None:
        super().__init__(code, message)
        self.finding = Finding(code, message, file, line)


@dataclass(frozen=True, slots=True)
class Opinion:
    """The result of an external program.

    Attributes
    ----------
    program, proof : str
        The program, and the file with the proof that it read.
    answer : str
        ``verified``; ``refuted`` (it ran and did not verify); ``failed`` (it crashed or took too long); ``not run``
        (there is no such program).
    text : str
        The last line that it printed, or why there is none.
    """

    program: str
    proof: str
    answer: Answer
    text: str

    def __str__(self) -> str:
        return f"{self.program} on {self.proof}: {self.answer}: {self.text}"


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The result of the check of one certificate.

    Attributes
    ----------
    path : str
        The folder.
    name : str
        The folder of the certificate inside it; '' if it holds this one alone.
    accepted : bool
        Whether every part of the claim was confirmed.
    claim : str, or None
        ``unique``, ``none`` or ``multiple``; ``None`` if the claim could not be read.
    reasons : tuple of Finding
        Why it was refused; empty if and only if it was accepted.
    steps : int
        Proof steps that were checked.
    seconds : float
        Wall-clock time.
    facts : dict
        Numbers and descriptions from the check, by name.
    opinion : Opinion, or None
        The result of an external program; see ``gridproof.checker.external``.

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
    opinion: Opinion | None = None

    @property
    def confirmed(self) -> bool:
        """True if the certificate is accepted here, and by the external program, if one ran."""
        return self.accepted and (self.opinion is None or self.opinion.answer == "verified")

    def codes(self) -> tuple[str, ...]:
        """Return the codes of the reasons, each once, in their order."""
        return tuple(dict.fromkeys(reason.code for reason in self.reasons))

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain values that ``json.dumps`` takes."""
        return asdict(self)

    def __str__(self) -> str:
        where = printable(f"{self.path}/{self.name}" if self.name else self.path)
        claim = self.claim or "no readable claim"
        if self.accepted:
            steps = f"{self.steps} proof steps, {self.seconds:.2f} s"
            lines = [f"{where}: accepted: {claim} ({steps})", *self._statement()]
        else:
            lines = [f"{where}: refused: {claim}", *map(str, self.reasons)]
        return "\n  ".join([*lines, str(self.opinion)] if self.opinion else lines)

    def __repr__(self) -> str:
        return f"<Report: {'accepted' if self.accepted else 'refused'}: {self.claim or 'no readable claim'}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def _statement(self) -> Iterator[str]:
        """Yield what was certified, for people who compare it with the puzzle they have in mind."""
        facts = self.facts
        yield f"board: {(' / ' if ' ' in facts['board'][0] else ' ').join(facts['board'])}"
        marks = facts["restricted"] - facts["clues"]
        yield f"cells with a clue: {facts['clues']}" + (f", with pencil marks: {marks}" if marks else "")
        yield f"houses: {facts['houses']}"
        if kinds := facts["rules"]:
            yield f"rules: {', '.join(f'{kind} {number}' for kind, number in kinds.items())} (see rules.json)"
        if "conflict cells" in facts:
            yield f"already contradictory: {facts['conflict cells']} cells, {facts['conflict rules']} rules"
        if facts["of a part"]:
            yield f"of a part of a puzzle, as its maker states: {quote(facts['of a part'], 300)}"


class Clock:
    """The time that the check of one certificate takes, and its limit."""

    def __init__(self, seconds: float) -> None:
        self._start = time.monotonic()
        self._limit = seconds

    def elapsed(self) -> float:
        """Return the seconds since the check began."""
        return time.monotonic() - self._start

    def look(self) -> None:
        """Refuse the certificate if its time is over."""
        if self.elapsed() > self._limit:
            raise Refusal("too-slow", f"the check takes longer than {self._limit:g} seconds; a longer limit may do")


def printable(text: str) -> str:
    """Return a name for a terminal, with escapes for characters that are not printable."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def quote(text: object, length: int = 60) -> str:
    """Return offending text, printable and short enough for a message."""
    quoted = ascii(text[: length + 1] if isinstance(text, str | bytes) else text)
    return quoted if len(quoted) <= length + 3 else quoted[:length] + "..."
