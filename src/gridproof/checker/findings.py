"""Limits on the effort of the checker, findings with a code of their own, and the report."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any, Literal, TypeAlias

Claim: TypeAlias = Literal["unique", "none", "multiple", "count", "at least"]
Answer: TypeAlias = Literal["verified", "refuted", "failed", "not run"]


@dataclass(frozen=True, slots=True)
class CheckerLimits:
    """The effort that a certificate may cost the checker. What exceeds a limit is refused, never half-checked.

    Attributes
    ----------
    order, houses : int
        Symbols of a board, and houses beside its rows, columns and boxes.
    statement_bytes, proof_bytes : int
        Size of a file that states the board, and of a formula, a proof or a list of solutions.
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
    >>> limits = CheckerLimits(seconds=10.0)
    >>> limits.seconds, limits.order
    (10.0, 64)
    """

    order: int = 64
    houses: int = 512
    statement_bytes: int = 1 << 20
    proof_bytes: int = 128 << 20
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
        return f"[{self.code}] {self._place()}{self.message}"

    def _place(self) -> str:
        """Return the file and line before a colon, or nothing for the certificate as a whole."""
        file = printable(self.file)
        if self.line:
            return f"{file}, line {self.line}: "
        if file:
            return f"{file}: "
        return ""


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
        ``unique``, ``none``, ``multiple``, ``count`` or ``at least``; ``None`` if the claim could not be read.
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
        lines = [f"{where}: {self._result()}"]
        if self.accepted:
            lines[0] += f" ({self.steps} proof steps, {self.seconds:.2f} s)"
            lines.extend(self._describe_statement())
        else:
            lines.extend(str(reason) for reason in self.reasons)
        if self.opinion:
            lines.append(str(self.opinion))
        return "\n  ".join(lines)

    def __repr__(self) -> str:
        return f"<Report: {self._result()}>"

    def _result(self) -> str:
        """Return the result and the claim in words."""
        result = "accepted" if self.accepted else "refused"
        claim: str = self.claim or "no readable claim"
        if "solutions" in self.facts:
            word = "exactly" if self.claim == "count" else "at least"
            claim = f"{word} {self.facts['solutions']:,} {'solution' if self.facts['solutions'] == 1 else 'solutions'}"
        return f"{result}: {claim}"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def _describe_statement(self) -> Iterator[str]:
        """Yield what was certified, for people who compare it with the puzzle they have in mind."""
        facts = self.facts
        rows = facts["board"]
        between_rows = " / " if " " in rows[0] else " "
        yield f"board: {between_rows.join(rows)}"
        clues = f"cells with a clue: {facts['clues']}"
        marks = facts["restricted"] - facts["clues"]
        if marks:
            clues += f", with pencil marks: {marks}"
        yield clues
        yield f"houses: {facts['houses']}"
        kinds = [f"{kind} {number}" for kind, number in facts["rules"].items()]
        if kinds:
            yield f"rules: {', '.join(kinds)} (see rules.json)"
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
    characters = []
    for character in text:
        if not character.isprintable():
            character = character.encode("unicode_escape").decode()
        characters.append(character)
    return "".join(characters)


def quote(text: object, length: int = 60) -> str:
    """Return offending text, printable and short enough for a message."""
    if isinstance(text, str | bytes):
        text = text[: length + 1]  # `ascii` of a long text would take long
    quoted = ascii(text)
    if len(quoted) <= length + 3:
        return quoted
    return quoted[:length] + "..."
