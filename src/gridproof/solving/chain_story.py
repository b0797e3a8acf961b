"""The story of a chain: from the candidate along the chain, node by node, to what cannot be.

The first node cannot hold beside the candidate, so the other node of its strong link does, and so on. A group is no
line of its own: what follows from it belongs to the next line that is about a single cell.
"""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.solving.chain import Chain, Node, node_of
from gridproof.solving.position import Candidate, Fact
from gridproof.solving.story import StoryLine


def tell_chain(geometry: Geometry, chain: Chain, removed: Sequence[Candidate]) -> tuple[StoryLine, ...]:
    """Return the story of what a chain removes; several candidates are told one after the other."""
    lines: list[StoryLine] = []
    for candidate in removed:
        lines += tell_candidate(geometry, chain.refuting(geometry, candidate), candidate, len(lines))
    return tuple(lines)


def tell_candidate(geometry: Geometry, chain: Chain, candidate: Candidate, start: int) -> list[StoryLine]:
    """Return the story of one candidate. start: the number of its first line."""
    lines = [StoryLine("suppose", (candidate,))]
    before = node_of(candidate)  # the node that holds
    facts: dict[Fact, None] = {}
    for link in chain.links:
        decisive = dict.fromkeys(link.facts)
        facts = decisive | facts | dict.fromkeys(chain.weak_link(geometry, before, link.first) or ())
        before = link.other
        if len(before.cells) == 1:
            lines.append(StoryLine("is", single(before), tuple(facts), (start + len(lines) - 1,)))
            facts = {}
    facts = dict.fromkeys(chain.weak_link(geometry, before, node_of(candidate)) or ()) | facts
    last = len(lines) - 1
    after = (start,) if last == 0 else (start, start + last)
    together = (candidate, *single(before)) if len(before.cells) == 1 else (candidate,)
    lines.append(StoryLine("contradiction", together, tuple(facts), after))
    return lines


def single(node: Node) -> tuple[Candidate, ...]:
    """Return the candidate of a node of a single cell, as the candidates of a line."""
    return ((node.cells[0], node.symbol),)
