"""Stories in pictures: for a line of a story the links that lead to it, and what it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gridproof.pictures.links import Link
from gridproof.solving.drawn_links import links_of_line
from gridproof.solving.position import Position
from gridproof.solving.story import StoryLine
from gridproof.solving.story_words import split_story


def told_lines(lines: Sequence[StoryLine]) -> list[int]:
    """Return the numbers of the lines that ``describe_story`` tells: stories like an earlier one are only named."""
    told: list[int] = []
    for part in split_story(lines):
        told += range(part.start, part.start + len(part.lines))
    return told


def lines_before(lines: Sequence[StoryLine], number: int) -> list[int]:
    """Return the numbers of the lines that count at a line: without those of cases that have ended."""
    counting: list[int] = []
    start = number
    while lines[start].kind not in ("suppose", "open", "conclusion"):
        start -= 1
    for place in range(start, number + 1):
        line = lines[place]
        depth = line.depth if line.kind != "case" else line.depth - 1
        counting = [earlier for earlier in counting if lines[earlier].depth <= depth]
        counting.append(place)
    return counting


def story_options(position: Position, lines: Sequence[StoryLine], number: int) -> dict[str, Any]:
    """Return how a line of a story is drawn, as options of ``gridproof.pictures.board_svg``.

    Links lead to each candidate from those that it follows from; the cells of what was supposed have a ring, those that
    the line is about are highlighted, and those of a contradiction are marked as wrong.

    Parameters
    ----------
    position
        The position of the step.
    lines
        Its story.
    number
        The number of the line, from 0.
    """
    counting = lines_before(lines, number)
    links: list[Link] = []
    supposed: list[int] = []
    for place in counting:
        line = lines[place]
        if line.kind in ("suppose", "case"):
            supposed += [cell for cell, _ in line.candidates]
        elif line.kind == "is" and line.facts[0].kind in ("cell", "place"):
            links += links_of_line(position, lines, line)
        elif line.kind in ("is", "is not"):
            links += links_by_rule(lines, line)
    line = lines[number]
    cells: set[int] = {cell for cell, _ in line.candidates}
    for fact in line.facts[:1]:
        about = position.cells(fact)
        if len(about) < len(position.candidates):
            cells.update(about)
    key = "wrong" if line.kind == "contradiction" else "highlight"
    return {"links": links, "second": supposed, key: cells}


def links_by_rule(lines: Sequence[StoryLine], line: StoryLine) -> Iterator[Link]:
    """Yield links to what a rule gives or takes away, from the candidates of the lines before it."""
    for earlier in line.after:
        if lines[earlier].candidates and lines[earlier].kind not in ("cases", "contradiction"):
            yield Link(line.kind == "is", lines[earlier].candidates, line.candidates)
