"""A chain: strong and weak links by turns, from one end to the other.

Of two nodes that a *strong* link joins at least one holds; of two that a *weak* link joins at most one. So from the
first node, if it does not hold, one goes on by turns, and the last one holds then. One end of a chain holds, therefore;
and what has a weak link to both of them cannot. In a *loop* the ends have a weak link, too. Then one of the nodes of
each weak link holds, and what sees both of these goes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, NamedTuple

from gridproof.puzzle.geometry import Geometry
from gridproof.solving.position import Candidate, Fact
from gridproof.solving.words import list_cells


class Order(NamedTuple):
    """All cells and all symbols in the canonical order: the first of equally short chains is that of any copy."""

    cells: tuple[int, ...]
    symbols: tuple[int, ...]


class Node(NamedTuple):
    """A symbol in one of some cells: in a single cell, or in one of a group."""

    symbol: int
    cells: tuple[int, ...]


class StrongLink(NamedTuple):
    """Two nodes of which one holds, and the facts behind it.

    kind: ``cell`` with two symbols, ``place`` with two places, or two groups of places, in a house, or ``almost locked
    set``: some cells of a house with one symbol more than they are.
    """

    first: Node
    other: Node
    kind: Literal["cell", "place", "almost locked set"]
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain or a loop.

    Attributes
    ----------
    links : tuple of StrongLink
        The strong links in order. There is a weak link from the second node of each to the first of the next.
    is_loop : bool
        Whether a weak link joins the ends, and the conclusion needs it.
    houses : frozenset of int, optional
        The only houses that its weak links may use.
    """

    links: tuple[StrongLink, ...]
    is_loop: bool = False
    houses: frozenset[int] | None = None

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes from one end to the other: two of a strong link at a time."""
        nodes: list[Node] = []
        for link in self.links:
            nodes += [link.first, link.other]
        return tuple(nodes)

    def weak_links(self) -> Iterator[tuple[Node, Node]]:
        """Yield the nodes of each weak link; that between the ends of a loop is the last."""
        for link, following in zip(self.links, self.links[1:], strict=False):
            yield link.other, following.first
        if self.is_loop:
            yield self.links[-1].other, self.links[0].first

    def refuting(self, geometry: Geometry, candidate: Candidate) -> Chain:
        """Return the same chain with ends that have a weak link to a candidate: a loop is cut at one of its links."""
        if not self.is_loop:
            return self
        node = node_of(candidate)
        for number in range(len(self.links)):
            links = self.links[number:] + self.links[:number]
            ends = (links[0].first, links[-1].other)
            if all(self.weak_link(geometry, node, end) is not None for end in ends):
                return replace(self, links=links, is_loop=False)
        return replace(self, is_loop=False)

    def facts(self, geometry: Geometry, candidates: Sequence[Candidate]) -> list[Fact]:
        """Return all facts by which the chain excludes some candidates."""
        facts: dict[Fact, None] = {}
        for link in self.links:
            facts |= dict.fromkeys(link.facts)
        weak = list(self.weak_links())
        for candidate in candidates:
            ends = self.refuting(geometry, candidate).nodes
            weak += [(node_of(candidate), ends[0]), (ends[-1], node_of(candidate))]
        for one, other in weak:
            facts |= dict.fromkeys(self.weak_link(geometry, one, other) or ())
        return list(facts)

    def weak_link(self, geometry: Geometry, one: Node, other: Node) -> tuple[Fact, ...] | None:
        """Return the houses by which two nodes have a weak link, as ``find_weak_link`` does."""
        return find_weak_link(geometry, one, other, self.houses)

    def notation(self, geometry: Geometry) -> str:
        """Return the chain in the notation that is named after the forum Eureka: ``(5)r1c1=r1c5-(5=3)r2c5``.

        ``=`` is a strong link and ``-`` a weak one. A symbol is written again where it changes, and after a cell.
        """
        text = ""
        symbol = 0
        for number, link in enumerate(self.links):
            if number:
                text += "-"
            first, other = link.first, link.other
            if link.kind == "place":
                if first.symbol != symbol:
                    text += f"({geometry.symbol_text(first.symbol)})"
                text += f"{name_cells(geometry, first.cells)}={name_cells(geometry, other.cells)}"
            else:
                symbols = [geometry.symbol_text(node.symbol) for node in (first, other)]
                cells = sorted([fact.number for fact in link.facts if fact.kind == "cell"])
                text += f"({'='.join(symbols)}){name_cells(geometry, cells)}"
            symbol = other.symbol if link.kind == "place" else 0
        return f"{text}-" if self.is_loop else text


def node_of(candidate: Candidate) -> Node:
    """Return the node of a single candidate."""
    cell, symbol = candidate
    return Node(symbol, (cell,))


def find_weak_link(
    geometry: Geometry, one: Node, other: Node, houses: Collection[int] | None = None
) -> tuple[Fact, ...] | None:
    """Return the houses by which two different nodes cannot both hold, or ``None`` if they can.

    No house is needed for two symbols of a cell. houses: the only ones to use, if given; one that holds all cells is
    preferred.
    """
    if one.symbol != other.symbol:
        is_one_cell = len(one.cells) == 1 and one.cells == other.cells
        return () if is_one_cell else None
    pairs = list(product(one.cells, other.cells))
    facts: dict[Fact, None] = {}
    for cell, other_cell in pairs:
        joining = joining_houses(geometry, (cell, other_cell), houses)
        if cell == other_cell or not joining:
            return None
        facts[Fact("once", joining[0])] = None
    for house in joining_houses(geometry, one.cells + other.cells, houses):
        return (Fact("once", house),)
    return tuple(facts)


def joining_houses(geometry: Geometry, cells: Sequence[int], houses: Collection[int] | None) -> list[int]:
    """Return the houses that hold all of some cells. houses: the only ones to use, if given."""
    joining: list[int] = []
    for house in geometry.houses_of[cells[0]]:
        if (houses is None or house in houses) and set(cells).issubset(geometry.houses[house].cells):
            joining.append(house)
    return joining


def name_cells(geometry: Geometry, cells: Sequence[int]) -> str:
    """Return cells in short: ``r1c12`` for ``r1c1`` and ``r1c2`` of a row; on large boards, ``r1c1|r1c2``.

    Examples
    --------
    >>> name_cells(Geometry.classic(3), [0, 1, 2]), name_cells(Geometry.classic(3), [0, 10])
    ('r1c123', 'r1c1|r2c2')
    """
    rows = sorted({cell // geometry.columns + 1 for cell in cells})
    columns = sorted({cell % geometry.columns + 1 for cell in cells})
    if max(geometry.shape) < 10 and 1 in (len(rows), len(columns)):
        return f"r{''.join(map(str, rows))}c{''.join(map(str, columns))}"
    return list_cells(geometry, cells, "|").replace(", ", "|")
