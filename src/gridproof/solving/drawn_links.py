"""The links of a step as its picture has them: those of its chain, or those that its story goes along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridproof.pictures.links import Link
from gridproof.solving.chain import Chain, Node
from gridproof.solving.position import Candidate, Position
from gridproof.solving.story import StoryLine

MOST_LINES = 12
"""Largest number of lines of a story whose links are drawn: with more nobody finds a way through them."""


def links_of_chain(chain: Chain) -> list[Link]:
    """Return the links of a chain in order, strong and weak by turns."""
    links: list[Link] = []
    weak = list(chain.weak_links())
    for number, link in enumerate(chain.links):
        links.append(Link(True, candidates_of(link.first), candidates_of(link.other)))
        if number < len(weak):
            one, other = weak[number]
            links.append(Link(False, candidates_of(one), candidates_of(other)))
    return links


def links_of_story(position: Position, story: Sequence[StoryLine]) -> list[Link]:
    """Return the links along the story of its first candidate, up to its first cases; none for a long story.

    A candidate that holds has weak links to other candidates of a cell or a place, which have a strong link to the last
    one of them that is left.
    """
    if len(story) > MOST_LINES:
        return []
    links: list[Link] = []
    for number, line in enumerate(story):
        if line.kind in ("cases", "case", "open") or (number and line.kind == "suppose"):
            break
        if line.kind == "is" and line.facts[0].kind in ("cell", "place"):
            links += links_of_line(position, story, line)
    return links


def links_of_line(position: Position, story: Sequence[StoryLine], line: StoryLine) -> Iterator[Link]:
    """Yield the links by which a candidate holds: weak ones from earlier candidates, then the strong one."""
    others = tuple([option for option in position.options(line.facts[0]) if option not in line.candidates])
    for earlier in line.after:
        for candidate in story[earlier].candidates:
            excluded = tuple([other for other in others if exclude_each_other(position, candidate, other)])
            if excluded and story[earlier].kind != "is not":
                yield Link(False, (candidate,), excluded)
    if others:
        yield Link(True, others, line.candidates)


def exclude_each_other(position: Position, one: Candidate, other: Candidate) -> bool:
    """Return whether two candidates are of one cell, or of one symbol in a house."""
    if one == other:
        return False
    if one[0] == other[0]:
        return True
    return one[1] == other[1] and other[0] in position.board.geometry.peers[one[0]]


def candidates_of(node: Node) -> tuple[Candidate, ...]:
    """Return the candidates of a node."""
    return tuple([(cell, node.symbol) for cell in node.cells])
