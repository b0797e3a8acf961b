"""The report of an audit: what is wrong within each file, and what its files have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from gridproof.text import counted, plural

FAULTS = ("malformed", "not understood", "none", "multiple", "undecided", "disagreement")
"""The verdicts that a row of a good set has not, in the order in which they are stated."""


@dataclass
class FileReport:
    """The findings about one file.

    Attributes
    ----------
    name : str
        The file.
    rows : int
        Its rows.
    verdicts : dict
        The number of rows by verdict.
    stored : dict
        The number of stored answers by their check: ``right``, ``wrong``, ``not_only`` (one of several), ``valid``.
    clues : dict
        The number of puzzles by the number of their clues.
    same, symmetric : int
        The rows that are the same as an earlier row, and those that are equal to one up to symmetry only.
    different : int
        The puzzles that differ up to symmetry.
    not_compared : int
        The puzzles that have no form, because of rules or houses: of these only the text is compared.
    grades : dict
        The number of puzzles of the sample by grade.
    """

    name: str
    rows: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    stored: dict[str, int] = field(default_factory=dict)
    clues: dict[int, int] = field(default_factory=dict)
    same: int = 0
    symmetric: int = 0
    different: int = 0
    not_compared: int = 0
    grades: dict[str, int] = field(default_factory=dict)

    @property
    def faults(self) -> int:
        """The number of rows whose verdict or stored answer is wrong."""
        wrong = self.stored.get("wrong", 0)
        return wrong + sum([self.verdicts.get(name, 0) for name in FAULTS])

    def lines(self) -> Iterator[str]:
        """Yield the findings, a line each."""
        unique = self.verdicts.get("unique", 0)
        with_one = f"{unique:,} with"
        if unique == self.rows > 0:
            with_one = "each with" if unique > 1 else "with"
        yield f"{self.name}: {counted(self.rows, 'row')}, {with_one} exactly one solution"
        found = [f"{self.verdicts[name]:,} {name}" for name in FAULTS if self.verdicts.get(name)]
        if found:
            yield f"  at fault: {', '.join(found)}"
        if self.stored:
            checks = [f"{number:,} {name.replace('_', ' ')}" for name, number in sorted(self.stored.items())]
            yield f"  stored answers: {', '.join(checks)}"
        yield f"  {describe_equal_rows(self.different, self.same, self.symmetric)}"
        if self.not_compared:
            yield f"  {counted(self.not_compared, 'puzzle')} with rules or further houses compared by text only"
        if self.clues:
            yield f"  {describe_clues(self.clues)}"
        if self.grades:
            shown = [f"{number} {grade}" for grade, number in self.grades.items()]
            if len(self.grades) == 1 and self.rows > 1:
                shown = [f"all {grade}" for grade in self.grades]
            yield f"  grades of a sample of {sum(self.grades.values())}: {', '.join(shown)}"


@dataclass
class Overlap:
    """The rows of a later file whose puzzle is in an earlier one. same, symmetric: as in ``FileReport``."""

    earlier: str
    later: str
    same: int
    symmetric: int

    def __str__(self) -> str:
        both = self.same + self.symmetric
        are = "is" if both == 1 else "are"
        line = f"{counted(both, 'row')} of {self.later} {are} in {self.earlier}"
        if not both:
            return f"no row of {self.later} is in {self.earlier}"
        return f"{line}: {describe_guises(self.same, self.symmetric)}"


@dataclass
class Audit:
    """The result of an audit; ``str`` gives a page of text.

    Attributes
    ----------
    files : list of FileReport
        The findings about each file.
    overlaps : list of Overlap
        What each two files have in common.
    """

    files: list[FileReport]
    overlaps: list[Overlap]

    @property
    def is_clean(self) -> bool:
        """True if every row has exactly one solution and no wrong answer, and no puzzle is there twice in any guise."""
        within = sum([report.faults + report.same + report.symmetric for report in self.files])
        between = sum([overlap.same + overlap.symmetric for overlap in self.overlaps])
        return within + between == 0

    def __str__(self) -> str:
        lines: list[str] = []
        for report in self.files:
            lines += report.lines()
        lines += [str(overlap) for overlap in self.overlaps]
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """Return all findings under their names."""
        return {**asdict(self), "is_clean": self.is_clean}


def describe_equal_rows(different: int, same: int, symmetric: int) -> str:
    """Return how many puzzles of a file differ, and how many rows are an earlier one again; see ``FileReport``.

    Examples
    --------
    >>> describe_equal_rows(40, 0, 0)
    'no puzzle is there twice: all 40 differ up to symmetry'
    >>> describe_equal_rows(40, 1, 2)
    '40 puzzles differ up to symmetry; 3 rows are an earlier one again: 1 the same, 2 in disguise'
    >>> describe_equal_rows(40, 0, 2)
    '40 puzzles differ up to symmetry; 2 rows are an earlier one in disguise'
    >>> describe_equal_rows(1, 0, 24)
    'all 25 puzzles are one up to symmetry: 24 in disguise'
    """
    again = same + symmetric
    if not different:
        return "no puzzle to compare"
    if not again:
        differ = f": all {different:,} differ up to symmetry" if different > 1 else ""
        return f"no puzzle is there twice{differ}"
    guises = describe_guises(same, symmetric)
    if different == 1:
        return f"all {again + 1:,} puzzles are one up to symmetry: {guises}"
    rows = "1 row is" if again == 1 else f"{again:,} rows are"
    rows = f"{different:,} puzzles differ up to symmetry; {rows}"
    if not symmetric:
        return f"{rows} the same as an earlier one"
    if not same:
        return f"{rows} an earlier one in disguise"
    return f"{rows} an earlier one again: {guises}"


def describe_guises(same: int, symmetric: int) -> str:
    """Return how many rows are the same as an earlier one, and how many are so up to symmetry only, in words.

    Examples
    --------
    >>> describe_guises(0, 3)
    '3 in disguise'
    """
    guises = []
    if same:
        guises.append(f"{same:,} the same")
    if symmetric:
        guises.append(f"{symmetric:,} in disguise")
    return ", ".join(guises)


def describe_clues(numbers: Mapping[int, int]) -> str:
    """Return the least, mean and largest number of clues.

    Examples
    --------
    >>> describe_clues({17: 1, 24: 3})
    'clues: 17 to 24, 22.2 on average, most often 24 (3 puzzles)'
    >>> describe_clues({17: 25})
    'clues: 17 in every puzzle'
    """
    if len(numbers) == 1:
        [only] = numbers
        return f"clues: {only} in every puzzle" if numbers[only] > 1 else f"clues: {only}"
    puzzles = sum(numbers.values())
    mean = sum([clues * number for clues, number in numbers.items()]) / puzzles
    usual = max(sorted(numbers), key=numbers.__getitem__)
    often = f"{numbers[usual]:,} {plural('puzzle', numbers[usual])}"
    return f"clues: {min(numbers)} to {max(numbers)}, {mean:.1f} on average, most often {usual} ({often})"
