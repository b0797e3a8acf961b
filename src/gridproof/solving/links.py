"""The search for chains: all strong and weak links of a position, or those that some facts state, and ways along them.

What follows from a candidate along a chain never rests on more than the node before. So breadth-first search finds the
shortest chain, and finds one whenever there is one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Literal, TypeAlias

from gridproof.puzzle.geometry import Geometry
from gridproof.solving.chain import Chain, Node, Order, StrongLink, node_of
from gridproof.solving.patterns import cell_set, union
from gridproof.solving.position import Candidate, Fact, Position

LinkKind: TypeAlias = Literal["cell", "place", "group", "almost locked set"]
"""A kind of strong links; a group is a place in a house whose cells are in two other houses."""

SIMPLE: tuple[LinkKind, ...] = ("cell", "place")
"""Strong links between single candidates."""

GROUPS: tuple[LinkKind, ...] = ("cell", "place", "group")
"""Strong links of groups, too."""

SETS: tuple[LinkKind, ...] = ("cell", "place", "group", "almost locked set")
"""All kinds of strong links."""

EVERY_KIND = (SIMPLE, GROUPS, SETS)
"""The kinds in the order in which chains of them are preferred."""

LARGEST_SET = 4
"""Largest number of cells of an almost locked set."""

MOST_LINKS = 12
"""Largest number of strong links of a chain: nobody follows more."""


class LinkNetwork:
    """The links of a position by which chains are found.

    Parameters
    ----------
    position
        The candidates that are left.
    order
        The order in which links are followed.
    kinds
        The kinds of strong links to use.
    facts
        The only facts to use; all of the position if it is not given.
    symbol
        The only symbol of places, if it is given.
    """

    def __init__(
        self,
        position: Position,
        order: Order,
        kinds: Collection[LinkKind],
        facts: Collection[Fact] | None = None,
        symbol: int = 0,
    ) -> None:
        self.position = position
        self._cell_rank = {cell: rank for rank, cell in enumerate(order.cells)}
        self._symbol_rank = {symbol: rank for rank, symbol in enumerate(order.symbols)}
        self._kinds = kinds
        self._given = None if facts is None else frozenset(facts)
        self._houses: frozenset[int] | None = None  # the only ones to use
        if self._given is not None:
            self._houses = frozenset([fact.number for fact in self._given if fact.kind == "once"])
        self._only_symbol = symbol
        self._weak: dict[Node, list[Node]] = {}

    # ---- the links ------------------------------------------------------------------------------------------------

    @cached_property
    def strong(self) -> Mapping[Node, Sequence[StrongLink]]:
        """The strong links of each node, which is the first node of them all."""
        links: dict[Node, dict[StrongLink, None]] = {}
        for link in self._list_strong_links():
            back = link._replace(first=link.other, other=link.first)
            links.setdefault(link.first, {})[link] = None
            links.setdefault(back.first, {})[back] = None
        strong: dict[Node, tuple[StrongLink, ...]] = {}
        for node in sorted(links, key=self._rank):
            strong[node] = tuple(sorted(links[node], key=self._rank_link))
        return strong

    def _rank(self, node: Node) -> tuple[int, int, list[int]]:
        """Return a key by which nodes are in the canonical order, single cells first."""
        ranks = sorted([self._cell_rank[cell] for cell in node.cells])
        return len(ranks), self._symbol_rank[node.symbol], ranks

    def _rank_link(self, link: StrongLink) -> tuple[int, str, bool, tuple[int, int, list[int]]]:
        """Return a key that puts the links of a node in the canonical order, those of few facts and of boxes first."""
        fact = link.facts[0]
        in_line = fact.kind != "cell" and self._geometry.houses[fact.number].kind in ("row", "column")
        return len(link.facts), link.kind, in_line, self._rank(link.other)

    def _list_strong_links(self) -> Iterator[StrongLink]:
        """Yield each strong link, in one direction."""
        if "cell" in self._kinds:
            yield from self._links_of_cells()
        if "place" in self._kinds or "group" in self._kinds:
            yield from self._links_of_places()
        if "almost locked set" in self._kinds:
            for house in range(len(self._geometry.houses)):
                yield from self._links_of_sets(house)

    def _links_of_cells(self) -> Iterator[StrongLink]:
        for cell in range(len(self.position.candidates)):
            fact = Fact("cell", cell)
            if self.position.candidates[cell].bit_count() == 2 and self._may_use(fact):
                one, other = [Node(symbol, (cell,)) for symbol in self.position.symbols(cell)]
                yield StrongLink(one, other, "cell", (fact,))

    def _links_of_places(self) -> Iterator[StrongLink]:
        symbols = [self._only_symbol] if self._only_symbol else self._geometry.symbols
        for house in self._geometry.full_houses:
            for symbol in symbols:
                fact = Fact("place", house, symbol)
                if not self._may_use(fact):
                    continue
                places = self.position.places(house, symbol)
                parts: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
                if len(places) == 2 and "place" in self._kinds:
                    parts.add(((places[0],), (places[1],)))
                if len(places) > 2 and "group" in self._kinds:
                    parts.update(self._split_into_groups(house, places))
                for one, other in sorted(parts):
                    yield StrongLink(Node(symbol, one), Node(symbol, other), "place", (fact,))

    def _split_into_groups(
        self, house: int, places: Sequence[int]
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Yield the ways to part places in two of which each has one cell or is in another house, too."""
        houses = self._geometry.houses
        others = {number for cell in places for number in self._geometry.houses_of[cell] if number != house}
        for number in sorted(others):
            group = tuple([cell for cell in places if cell in houses[number].cells])
            rest = tuple([cell for cell in places if cell not in group])
            if rest and any(set(rest) <= set(houses[each].cells) for each in others):
                yield group, rest

    def _links_of_sets(self, house: int) -> Iterator[StrongLink]:
        """Yield the links of almost locked sets of two cells or more in a house."""
        once = Fact("once", house)
        if not self._may_use(once):
            return
        masks = self.position.candidates
        cells = []
        for cell in self._geometry.houses[house].cells:
            if masks[cell].bit_count() > 1 and self._may_use(Fact("cell", cell)):
                cells.append(cell)
        for size in range(2, LARGEST_SET + 1):
            for chosen in combinations(cells, size):
                mask = union([masks[cell] for cell in chosen])
                if mask.bit_count() != size + 1:
                    continue
                facts = (once, *[Fact("cell", cell) for cell in chosen])
                nodes = []
                for symbol in self._geometry.symbols:
                    if mask >> (symbol - 1) & 1:
                        holders = [cell for cell in chosen if masks[cell] >> (symbol - 1) & 1]
                        nodes.append(Node(symbol, tuple(holders)))
                for one, other in combinations(nodes, 2):
                    yield StrongLink(one, other, "almost locked set", facts)

    def _may_use(self, fact: Fact) -> bool:
        return self._given is None or fact in self._given

    @property
    def _geometry(self) -> Geometry:
        return self.position.board.geometry

    @cached_property
    def _by_symbol(self) -> Mapping[int, Sequence[tuple[Node, int]]]:
        """The nodes of each symbol, with the sets of their cells."""
        nodes: dict[int, list[tuple[Node, int]]] = {}
        for node in self.strong:
            nodes.setdefault(node.symbol, []).append((node, cell_set(node.cells)))
        return nodes

    @cached_property
    def _seen(self) -> Sequence[int]:
        """The set of cells that each cell sees, by the houses that may be used."""
        geometry = self._geometry
        seen: list[int] = []
        for cell, peers in enumerate(geometry.peers):
            if self._houses is None:
                seen.append(cell_set(peers))
                continue
            mask = 0
            for house in geometry.houses_of[cell]:
                if house in self._houses:
                    mask |= cell_set(geometry.houses[house].cells)
            seen.append(mask & ~(1 << cell))
        return seen

    def _weakly_linked(self, node: Node) -> list[Node]:
        """Return the nodes with a strong link that have a weak link to a node."""
        known = self._weak.get(node)
        if known is not None:
            return known
        seen = -1
        for cell in node.cells:
            seen &= self._seen[cell]
        linked = [other for other, cells in self._by_symbol.get(node.symbol, ()) if not cells & ~seen]
        if len(node.cells) == 1:
            symbols = sorted(self.position.symbols(node.cells[0]), key=self._symbol_rank.__getitem__)
            for symbol in symbols:
                other = Node(symbol, node.cells)
                if symbol != node.symbol and other in self.strong:
                    linked.append(other)
        self._weak[node] = linked
        return linked

    # ---- the ways -------------------------------------------------------------------------------------------------

    def find_chain(self, removed: Iterable[Candidate]) -> Chain | None:
        """Return a shortest chain whose two ends have weak links to all these candidates."""
        ends = self._common_ends(removed)
        return self._search(ends, set(ends))

    def find_loop(self, removed: Sequence[Candidate]) -> Chain | None:
        """Return a loop of which each of these candidates has weak links to both nodes of a weak link."""
        for candidate in sorted(removed, key=lambda each: self._rank(node_of(each))):
            ends = self._common_ends([candidate])
            for start in ends:
                closing = [node for node in self._weakly_linked(start) if node in ends]
                chain = self._search([start], set(closing))
                if chain is None or len(set(chain.nodes)) < len(chain.nodes):
                    continue
                loop = replace(chain, is_loop=True)
                if all(self._is_excluded(loop, each) for each in removed):
                    return loop
        return None

    def _is_excluded(self, loop: Chain, candidate: Candidate) -> bool:
        node = node_of(candidate)
        for one, other in loop.weak_links():
            ends = (one, other)
            if all(loop.weak_link(self._geometry, node, end) is not None for end in ends):
                return True
        return False

    def _common_ends(self, removed: Iterable[Candidate]) -> list[Node]:
        """Return the nodes with a strong link that have weak links to all of some candidates."""
        common: list[Node] | None = None
        for candidate in removed:
            linked = self._weakly_linked(node_of(candidate))
            common = linked if common is None else [node for node in common if node in linked]
        return common or []

    def _search(self, starts: Iterable[Node], ends: Collection[Node]) -> Chain | None:
        """Return a shortest chain from one of some nodes to one of others; of two the one with two different ends."""
        way: dict[Node, tuple[StrongLink, Node | None]] = {}  # to each node: the last link, and the node before it
        reached: list[Node] = []
        for start in starts:
            self._follow(start, None, way, reached)
        for _ in range(MOST_LINKS):
            chains = [Chain(tuple(links_to(node, way)), houses=self._houses) for node in reached if node in ends]
            if chains:
                return min(chains, key=lambda chain: chain.nodes[0] == chain.nodes[-1])
            before = reached
            reached = []
            for node in before:
                for other in self._weakly_linked(node):
                    self._follow(other, node, way, reached)
        return None

    def _follow(
        self, first: Node, before: Node | None, way: dict[Node, tuple[StrongLink, Node | None]], reached: list[Node]
    ) -> None:
        """Take each strong link from a node to one that is not yet reached."""
        for link in self.strong[first]:
            if link.other not in way:
                way[link.other] = (link, before)
                reached.append(link.other)


def find_chain_in(
    position: Position, order: Order, facts: Iterable[Fact], removed: Sequence[Candidate]
) -> Chain | None:
    """Return the chain or the loop that some facts make and that excludes some candidates, if there is one.

    A chain of simple links comes first, then one with groups, then one with almost locked sets.
    """
    given = tuple(facts)
    for kinds in EVERY_KIND:
        network = LinkNetwork(position, order, kinds, given)
        chain = network.find_chain(removed) or network.find_loop(removed)
        if chain is not None:
            return chain
    return None


def links_to(node: Node, way: Mapping[Node, tuple[StrongLink, Node | None]]) -> list[StrongLink]:
    """Return the strong links that lead to a node, in order."""
    links: list[StrongLink] = []
    at: Node | None = node
    while at is not None:
        link, at = way[at]
        links.append(link)
    return links[::-1]
