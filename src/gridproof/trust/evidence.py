"""The evidence beside a verdict, and what made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from gridproof.formats.puzzle import Unread
from gridproof.trust.crosscheck import NOT_ASKED, Opinion

Worth: TypeAlias = Literal["right", "not_only", "valid", "wrong"]
"""Check of a solution that is stored with a puzzle: it is the only one, one of several, one (whether there are others
is undecided, or contradicted), or none."""

WHAT_WAS_READ: Literal["what was read"] = "what was read"
"""The basis of a verdict on the board of a puzzle that has rules in words, which nobody has read."""

AS_READ: Literal["as read"] = "as read"
"""The basis of a verdict on drawings that were read as the words suggest."""

_FOLLOWS_FROM = {
    AS_READ: "drawings as the words suggest",
    "part": "the part that was understood",
    WHAT_WAS_READ: f"{WHAT_WAS_READ}, without the words",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """The results of independent checks of an answer.

    Attributes
    ----------
    checked : int
        How many of its grids were checked against houses, clues and candidates.
    reference : Opinion
        The ``word`` of the reference backtracker: ``agrees``, ``contradicts``, ``undecided`` (no witness was in time),
        ``not asked`` (switched off or not in the sample), ``is the backend itself``, or ``not needed`` (checked grids
        prove the claim). If another ``witness`` answered, ``str`` has its name before the word:
        ``second solver gluecard3/checker: agrees``.
    contradictions : tuple of str
        The claims that contradict each other, each in a sentence.
    certificate : str, or None
        The place of a certificate of the verdict, if one was made.
    stored : str, or None
        The check of the solution stored with the puzzle: ``right``, ``not_only``, ``valid`` or ``wrong``.
    unread : tuple of Unread
        The unread parts of the puzzle that may be rules, if there is a verdict all the same.
    basis : str, or None
        ``part`` if something unread may be a rule, and the verdict follows from what was understood; ``what was read``
        if there are rules in words, and no stored solution confirms the verdict on the board; ``as read`` if drawings
        were read as the words suggest, and no stored solution confirms that; otherwise ``None``.
    """

    checked: int = 0
    reference: Opinion = NOT_ASKED
    contradictions: tuple[str, ...] = ()
    certificate: str | None = None
    stored: Worth | None = None
    unread: tuple[Unread, ...] = ()
    basis: Literal["part", "what was read", "as read"] | None = None

    def rows(self) -> list[tuple[str, object]]:
        """Return the evidence as rows of a card."""
        rows: list[tuple[str, object]] = [
            ("grids checked", self.checked or None),
            (self.reference.witness, self.reference.word),
        ]
        for claim in self.contradictions:
            rows.append(("contradiction", claim))
        rows.append(("stored solution", (self.stored or "").replace("_", " ")))
        rows.append(("follows from", _FOLLOWS_FROM.get(self.basis or "")))
        rows.append(("certificate", self.certificate))
        return rows


@dataclass(frozen=True, slots=True)
class Made:
    """Names and versions of the backend and the encoding that gave the answer."""

    backend: str
    backend_version: str
    encoding: str | None
    gridproof: str

    def __str__(self) -> str:
        return self.backend if self.encoding is None else f"{self.backend}/{self.encoding}"
