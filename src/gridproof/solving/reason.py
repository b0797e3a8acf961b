"""The facts behind a step in words, in an order in which one can follow them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gridproof.solving.position import Candidate, Fact, Position
from gridproof.solving.rule_words import RuleInReason
from gridproof.solving.words import joined, list_cells, list_symbols, listed

LARGEST_NAMED = 12
"""Largest number of facts of a reason that gets a name: nobody follows more."""

MOST_HELD = 2
"""Largest number of symbols that a sentence lists of a house. If more are used, it "holds each digit once"."""

KINDS = ("rule", "cell", "place", "once")
"""The kinds of facts, in the order in which a sentence names them."""


class FactText(NamedTuple):
    """A fact in words. several: the verb with several subjects alike; empty for a fact that stands alone."""

    subject: str
    verb: str = ""
    several: str = ""


@dataclass(frozen=True, slots=True)
class Reason:
    """Facts from which a step follows, with what is needed to word them.

    Attributes
    ----------
    position : Position
        The position of the step.
    facts : tuple of Fact
        The facts, in any order.
    placed, removed : tuple of (cell, symbol)
        The conclusion.
    gone : tuple of (cell, symbol)
        Candidates that are gone from the cells of rules, and whose absence matters.
    is_chain : bool
        Whether the cells and places stand in the order of a chain, which is kept.
    """

    position: Position
    facts: tuple[Fact, ...]
    placed: tuple[Candidate, ...] = ()
    removed: tuple[Candidate, ...] = ()
    gone: tuple[Candidate, ...] = ()
    is_chain: bool = False

    # ---- the order ------------------------------------------------------------------------------------------------

    def in_order(self) -> tuple[Fact, ...]:
        """Return the facts: rules first, houses last; of a kind those first from which the others follow.

        The cells and places of a chain stand as they follow each other along it.
        """
        if self.is_chain:
            return tuple(sorted(self.facts, key=lambda fact: fact.kind == "once"))
        order: dict[Fact, None] = {}
        for candidate in self.removed:
            order |= dict.fromkeys(self._contradicting(candidate))
        order |= dict.fromkeys(sorted(self.facts))
        return tuple(sorted(order, key=lambda fact: KINDS.index(fact.kind)))

    def _contradicting(self, candidate: Candidate) -> Iterator[Fact]:
        """Yield cells and places in the order in which they contradict a candidate, a chain from end to end."""
        linked: list[set[int]] = []
        options_of: dict[Fact, list[Candidate]] = {}
        for fact in self.facts:
            if fact.kind == "once":
                linked.append(set(self.position.cells(fact)))
            elif fact.kind in ("cell", "place"):
                options_of[fact] = self.position.options(fact)
        excluded: set[Candidate] = set()
        held = [candidate]
        while held:
            cell, symbol = held.pop()  # the newest
            excluded.update([(cell, other) for other in self.position.symbols(cell) if other != symbol])
            for cells in linked:
                if cell in cells:
                    excluded.update([(peer, symbol) for peer in cells if peer != cell])
            for fact in list(options_of):
                options = [option for option in options_of[fact] if option not in excluded]
                if len(options) < 2:
                    yield fact
                    held += options
                    del options_of[fact]

    # ---- the words ------------------------------------------------------------------------------------------------

    def sentence(self) -> str:
        """Return all facts in one sentence."""
        rules = [fact for fact in self.facts if fact.kind == "rule"]
        houses = [fact for fact in self.facts if fact.kind == "once"]
        if houses and len(rules) == 1 and len(rules) + len(houses) == len(self.facts):
            matters = self.rule_in_reason(rules[0]).describe_matters()
            rule_and_houses = listed(self.texts(bare=True), ", and ")
            return f"{rule_and_houses}: {matters}" if matters else rule_and_houses
        texts = self.texts()
        if len(self.facts) > LARGEST_NAMED:
            return f"of these {len(self.facts)} facts: {'; '.join(texts)}"
        if len(texts) > 2 and ", " in "".join(texts):
            return "; ".join(texts)
        return listed(texts, ", and ")

    def texts(self, bare: bool = False) -> list[str]:
        """Return the facts in words, alike ones together. bare: rules without what follows from them."""
        groups: list[tuple[FactText, list[str]]] = []
        for fact in self.in_order():
            text = self.describe(fact, bare)
            subjects = find_subjects_alike(groups, text, anywhere=fact.kind == "once")
            if subjects is None:
                groups.append((text, [text.subject]))
            else:
                subjects.append(text.subject)
        sentences: list[str] = []
        for text, subjects in groups:
            verb = text.verb if len(subjects) == 1 else text.several
            sentences.append(f"{joined(sorted(subjects))} {verb}".strip())
        return sentences

    def describe(self, fact: Fact, bare: bool = False) -> FactText:
        """Return a fact in words. bare: see ``texts``."""
        match fact.kind:
            case "rule":
                return FactText(self._describe_rule(fact, bare))
            case "cell":
                return self._describe_cell(fact.number)
            case "place":
                return self._describe_places(fact)
            case "once":
                return self.describe_twice(fact) or self.describe_house(fact.number, self.held_once(fact.number))

    def _describe_rule(self, fact: Fact, bare: bool) -> str:
        """Return a rule in words, with what of it matters; if it is not alone in the reason, in brackets."""
        in_reason = self.rule_in_reason(fact)
        if not bare and len(self.facts) == 1:
            return in_reason.describe()
        sentence = in_reason.rule.sentence(in_reason.geometry)
        matters = "" if bare else in_reason.describe_matters()
        return f"{sentence} ({matters})" if matters else sentence

    def rule_in_reason(self, fact: Fact) -> RuleInReason:
        """Return a rule of the reason with what is needed to word it."""
        board = self.position.board
        houses = [frozenset(self.position.cells(other)) for other in self.facts if other.kind == "once"]
        return RuleInReason(
            board.geometry,
            board.rules[fact.number],
            self.position.candidates,
            gone=self.gone,
            removed=self.removed,
            houses=houses,
        )

    def _describe_cell(self, cell: int) -> FactText:
        geometry = self.position.board.geometry
        name = geometry.cell_name(cell)
        left = self.position.symbols(cell)
        if not left:
            return FactText(name, "has no symbol left")
        if self.placed and len(left) == 1:  # which the second hint does not give away
            return FactText(name, "has only one symbol left", "have only one symbol left")
        if len(left) == geometry.symbol_count:
            return FactText(name, "is not empty", "are not empty")
        symbols = list_symbols(geometry, left, " or ")
        return FactText(name, f"is {symbols}", f"are {symbols}")

    def _describe_places(self, fact: Fact) -> FactText:
        geometry = self.position.board.geometry
        symbol = geometry.symbol_text(fact.symbol)
        house = geometry.houses[fact.number].name
        places = self.position.cells(fact)
        if not places:
            return FactText(symbol, f"has no place in {house}")
        if self.placed and len(places) == 1:
            return FactText(symbol, f"has only one place in {house}", f"have only one place in {house}")
        names = list_cells(geometry, places, " or ")
        return FactText(f"{symbol} in {house}", f"is in {names}", f"are in {names}")

    def describe_twice(self, fact: Fact) -> FactText | None:
        """Return that a house holds a symbol twice; ``None`` if it does not."""
        geometry = self.position.board.geometry
        cells_of: dict[int, list[int]] = {}
        for cell in self.position.cells(fact):
            cells_of.setdefault(self.position.entries[cell], []).append(cell)
        for symbol, cells in cells_of.items():
            if symbol and len(cells) > 1:
                times = "twice" if len(cells) == 2 else "more than once"
                held = f"holds {geometry.symbol_text(symbol)} {times}, in {list_cells(geometry, cells)}"
                return FactText(geometry.houses[fact.number].name, held)
        return None

    def describe_house(self, house: int, symbols: Sequence[int] = ()) -> FactText:
        """Return that a house holds symbols once: those given if they are few, else each one.

        A house that is not full need not hold a symbol: it holds none twice.
        """
        geometry = self.position.board.geometry
        noun = "digit" if geometry.digits.last <= 9 else "symbol"
        is_full = house in geometry.full_houses
        if 0 < len(symbols) <= MOST_HELD:
            times = "once" if is_full else "at most once"
            held = f"{list_symbols(geometry, symbols)} {times}"
        elif is_full:
            held = f"each {noun} once"
        else:
            held = f"no {noun} twice"
        return FactText(geometry.houses[house].name, f"holds {held}", f"hold {held}")

    def held_once(self, house: int) -> list[int]:
        """Return the symbols that a house holds once as far as the reason needs it; empty for all, as with rules.

        These are the symbols of which the conclusion and a cell or place, or two of the latter, have one in the house.
        """
        groups: list[Sequence[Candidate]] = [self.removed]
        for fact in self.facts:
            if fact.kind == "rule":
                return []
            if fact.kind in ("cell", "place"):
                groups.append(self.position.options(fact))
        cells = set(self.position.board.geometry.houses[house].cells)
        times: Counter[int] = Counter()
        for group in groups:
            times.update({symbol for cell, symbol in group if cell in cells})
        return sorted(symbol for symbol, number in times.items() if number > 1)


def find_subjects_alike(
    groups: Sequence[tuple[FactText, list[str]]], text: FactText, anywhere: bool
) -> list[str] | None:
    """Return the subjects of the last group with the same verb; ``None`` for none.

    anywhere: whether any group will do, or only the last one, as with the cells of a chain, which stay in order.
    """
    if not text.verb:
        return None
    candidates = groups if anywhere else groups[-1:]
    for other, subjects in reversed(candidates):
        if other.verb == text.verb:
            return subjects
    return None
