"""Parts of a puzzle that its reader left without a meaning, and drawings that were read since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gridproof.text import text_of

LISTED = 8
"""Unread parts that are listed on a line; the others are counted there."""

LISTED_OF_KEY = 2
"""Unread parts of one key that are listed on a line; of more the first one is, and the others are counted."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of a puzzle that was not turned into a rule.

    Parameters
    ----------
    where : str
        The key and the place in the file. Control characters are escaped, here and in ``what``.
    what : str
        A short description.
    may_be_rule : bool
        Whether it may change the solutions; a colour or a message may not.
    relaxes : bool
        Whether it may also allow more than what was read, such as other digits or fewer houses; anything may whose type
        is not known. Any other part can only take solutions away.

    Examples
    --------
    >>> print(Unread("circle 1 of 1", "drawn at r2c1"))
    circle 1 of 1: drawn at r2c1
    """

    where: str
    what: str
    may_be_rule: bool = True
    relaxes: bool = True

    def __post_init__(self) -> None:
        # keys and texts of a file go to terminals, pictures and tables, and may hold what steers these
        for name in ("where", "what"):
            text = getattr(self, name)
            if not text.isprintable():
                object.__setattr__(self, name, text_of(text))

    @property
    def key(self) -> str:
        """The key in the file, without the place."""
        return self.where.split(" ")[0].rstrip(":")

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, slots=True)
class AsRead:
    """A group of drawings that was read as rules.

    Parameters
    ----------
    letter, words : str
        Its letter, and what is drawn: ``2 green lines``.
    reading : str
        The kind of rule.
    sentence : str
        The words behind a mere suggestion; empty where a person has named the kind.

    Examples
    --------
    >>> print(AsRead("A", "2 green lines", "whispers", "Digits on green lines differ by 5."))
    A = whispers (2 green lines: 'Digits on green lines differ by 5.')
    """

    letter: str
    words: str
    reading: str
    sentence: str = ""

    def __str__(self) -> str:
        why = self.words
        if self.sentence:
            why += f": {self.sentence!r:.120}"
        return f"{self.letter} = {self.reading} ({why})"


def count_by_key(parts: Sequence[Unread]) -> str:
    """Return how many unread parts there are of each key: ``circle (2), text (1)``."""
    keys = Counter(part.key for part in parts)
    return ", ".join(f"{key} ({number:,})" for key, number in keys.most_common())


def summary_of_unread(parts: Sequence[Unread]) -> str:
    """Return unread parts on one line: the first of each key, and the number of the others.

    Examples
    --------
    >>> summary_of_unread([Unread(f"line {number} of 9", "drawn") for number in range(1, 10)])
    'line 1 of 9: drawn (and 8 more of line)'
    """
    of_keys: dict[str, list[Unread]] = {}
    for part in parts:
        of_keys.setdefault(part.key, []).append(part)
    words: list[str] = []
    counted = 0
    for key, members in of_keys.items():
        if len(members) > LISTED_OF_KEY:
            words.append(f"{members[0]} (and {len(members) - 1:,} more of {key})")
        else:
            words += [str(part) for part in members]
        counted += len(members)
        if len(words) >= LISTED:
            break
    if counted < len(parts):
        words.append(f"and {len(parts) - counted:,} more")
    return "; ".join(words)
