"""Chains of strong and weak links by turns: X-chain, XY-chain, alternating inference chain (AIC) and loops.

The strong links of an X-chain are places of one symbol, those of an XY-chain cells. A chain that ends with the node
with which it begins is a *discontinuous loop*: that node holds. In a *continuous loop* a weak link joins the ends, and
candidates go along all its weak links. Any other chain is an AIC, or, if it is made of two almost locked sets or of one
and a cell, ALS-XZ. Chains are named apart if they need groups, or almost locked sets (ALS).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

from gridproof.solving.chain import Chain, Order
from gridproof.solving.links import GROUPS, SETS, SIMPLE, LinkKind, LinkNetwork
from gridproof.solving.patterns import Pattern
from gridproof.solving.patterns.fish import PATTERNS as FISH
from gridproof.solving.position import Candidate, Fact, Goal, Position

RARE_FISH = tuple([fish.name for fish in FISH if "Franken" in fish.name or "mutant" in fish.name])
"""The fish that a chain with groups may be seen as: nobody looks for one of these before the chain."""

FEWEST_LINKS = 3
"""Smallest number of strong links of a chain that has no more special name."""


@lru_cache(maxsize=32)
def network_of(
    position: Position, order: Order, kinds: tuple[LinkKind, ...], facts: tuple[Fact, ...] | None, symbol: int
) -> LinkNetwork:
    """Return the links of some kinds in a position. order, facts, symbol: as of ``LinkNetwork``."""
    return LinkNetwork(position, order, kinds, facts, symbol)


def find_chains(
    name: str,
    kinds: tuple[LinkKind, ...],
    one_symbol: bool,
    position: Position,
    order: Order,
    removed: tuple[Candidate, ...],
    facts: tuple[Fact, ...] | None,
) -> Iterator[Chain]:
    """Yield a chain and a loop that exclude some candidates, if they have a name.

    kinds: of strong links. order: the canonical one. one_symbol: whether all nodes are about the symbol of the
    candidates. facts: the only facts to use; ``None`` for all.
    """
    symbols = {symbol for _, symbol in removed}
    if one_symbol and len(symbols) > 1:
        return
    network = network_of(position, order, kinds, facts, symbols.pop() if one_symbol else 0)
    for chain in (network.find_chain(removed), network.find_loop(removed)):
        if chain is not None and name_of(chain) == name:
            yield chain


def name_of(chain: Chain) -> str:
    """Return the name of a chain."""
    nodes = chain.nodes
    kinds = {link.kind for link in chain.links}
    has_sets = "almost locked set" in kinds
    groups = [node for node in nodes if len(node.cells) > 1]
    addition = ""
    if has_sets:
        addition = " with ALS"
    elif groups:
        addition = " with groups"
    if has_sets and len(chain.links) == 2 and kinds <= {"almost locked set", "cell"} and nodes[1] != nodes[2]:
        return "ALS-XZ"
    if len(chain.links) < FEWEST_LINKS and not has_sets:
        return ""
    if len({node.symbol for node in nodes}) == 1:
        return f"X-chain{addition}"
    if kinds == {"cell"}:
        return "XY-chain"
    if chain.is_loop:
        return f"continuous loop{addition}"
    if nodes[0] == nodes[-1]:
        return f"discontinuous loop{addition}"
    return f"AIC{addition}"


def offer_nothing(position: Position, goal: Goal) -> tuple[()]:
    """Offer nothing: chains are found for all goals together."""
    return ()


def make_pattern(
    name: str, place: float, kinds: tuple[LinkKind, ...], one_symbol: bool = False, twins: tuple[str, ...] = ()
) -> Pattern:
    """Return the pattern of the chains of a name. place: in the usual order. kinds, one_symbol: of ``find_chains``."""
    chains = partial(find_chains, name, kinds, one_symbol)
    return Pattern(name, place, offer_nothing, twins=twins, one_symbol=one_symbol, along_chain=True, chains=chains)


def make_patterns() -> Iterator[Pattern]:
    """Yield the patterns of all chains: those that need groups and sets last."""
    yield make_pattern("X-chain", 81, ("place",), one_symbol=True)
    yield make_pattern("XY-chain", 82, ("cell",))
    yield make_pattern("ALS-XZ", 110, ("cell", "almost locked set"))
    yield make_pattern("X-chain with groups", 89, ("place", "group"), one_symbol=True, twins=RARE_FISH)
    for addition, place, kinds in (("", 83, SIMPLE), (" with groups", 112, GROUPS), (" with ALS", 116, SETS)):
        for number, kind in enumerate(("AIC", "discontinuous loop", "continuous loop")):
            yield make_pattern(f"{kind}{addition}", place + number, kinds)


PATTERNS = tuple(make_patterns())
