"""The grades of puzzles: one word for what a puzzle needs, by the cost of its hardest step."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from gridproof.errors import InputError
from gridproof.text import suggest


class Grade(NamedTuple):
    """A grade: its name, the most that a step may cost, and what such a puzzle needs in words."""

    name: str
    most: float
    needs: str


GRADES = (
    Grade("easy", 1.1, "singles, and what one rule alone leaves"),
    Grade("medium", 2.5, "locked candidates, pairs, two rules together"),
    Grade("hard", 3.8, "triples, X-wings, skyscrapers, kites, short wings"),
    Grade("fiendish", 5.7, "larger fish, chains of three or four links"),
    Grade("extreme", inf, "long chains, and chains that branch into cases"),
)
"""All grades, the easiest first. How the costs were chosen stands in docs/rating.md."""


def grade_of(hardest: float) -> Grade:
    """Return the grade of a puzzle whose hardest step costs so much.

    Examples
    --------
    >>> grade_of(1.1).name, grade_of(3.6).name, grade_of(25.4).name
    ('easy', 'hard', 'extreme')
    """
    for grade in GRADES:
        if hardest <= grade.most:
            return grade
    raise ValueError(f"a cost of {hardest}; expected a number")


def find_grade(name: str) -> Grade:
    """Return the grade of a name. Raises ``InputError`` for an unknown one.

    Examples
    --------
    >>> find_grade("medium").most
    2.5
    >>> find_grade("evil")
    Traceback (most recent call last):
    gridproof.errors.InputError: the grade 'evil'; expected one of easy, medium, hard, fiendish, extreme
    """
    for grade in GRADES:
        if grade.name == name:
            return grade
    raise InputError(f"the grade {name!r}; {suggest(str(name), [grade.name for grade in GRADES])}")
