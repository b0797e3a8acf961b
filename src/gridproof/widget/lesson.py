"""The way through a lesson: each step at first as a place to look at, then its facts, its story, and all of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gridproof.solving import Step
from gridproof.solving.story_pictures import told_lines


class LessonPlace(NamedTuple):
    """A place in a lesson.

    step: the number of the step. level: how much of it is shown, as in ``Step.hint``. line: the number of the line of
    the story, among those that are told, if one is shown.
    """

    step: int
    level: int
    line: int | None = None


def places_of(step: Step, number: int) -> Iterable[LessonPlace]:
    """Yield the places of a step."""
    yield LessonPlace(number, 1)
    told = told_lines(step.story) if step.has_story else []
    if told:
        yield LessonPlace(number, 2)
    for line in range(len(told)):
        yield LessonPlace(number, 3, line)
    yield LessonPlace(number, 3)
