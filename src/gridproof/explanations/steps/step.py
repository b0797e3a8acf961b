"""A step of a solution and its reason, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Literal, NamedTuple

from gridproof.models.variables import candidate_name
from gridproof.puzzle.board import Board

LARGEST_NAMED = 12
"""A reason of more facts gets no name: nobody follows it."""

_MOST_TRIED, _MOST_LISTED = 2000, 4
"""Combinations of symbols that are tried to tell what a rule leaves, and sets of symbols that are listed."""


class Fact(NamedTuple):
    """A fact that a person would name, as a member of a reason.

    kind: ``cell`` (the cell ``index`` holds something), ``place`` (the symbol has a place in the house ``index``),
    ``once`` (the house ``index`` holds each symbol once) or ``rule`` (the rule ``index`` of the board).
    """

    kind: Literal["cell", "place", "once", "rule"]
    index: int
    symbol: int = 0


Candidate = tuple[int, int]
"""A cell and a symbol."""


class Goal(NamedTuple):
    """A conclusion: the cell holds the symbol, or (``placed`` is false) does not."""

    cell: int
    symbol: int
    placed: bool


@dataclass(frozen=True, slots=True)
class Position:
    """A board, the candidates that are left (a mask for each cell, bit ``symbol - 1``) and the symbols placed so far.

    Examples
    --------
    >>> from gridproof import parse
    >>> board = parse("12.. .... .... ....")
    >>> Position(board, board.candidates).places(0, 3)
    [2, 3]
    """

    board: Board
    candidates: tuple[int, ...]
    entries: tuple[int, ...] = ()

    def symbols(self, cell: int) -> list[int]:
        """Return the symbols that are left in a cell."""
        return [s for s in range(1, self.board.geometry.order + 1) if self.candidates[cell] >> (s - 1) & 1]

    def places(self, house: int, symbol: int) -> list[int]:
        """Return the cells that are left for a symbol in a house, by the number of the house in its geometry."""
        return [c for c in self.board.geometry.houses[house].cells if self.candidates[c] >> (symbol - 1) & 1]

    def text(self, fact: Fact, symbols: Sequence[int] = ()) -> str:
        """Return a fact in words. symbols: those that it is about in a reason, if not all."""
        geometry, text = self.board.geometry, self.board.geometry.symbol_text
        if fact.kind == "rule":
            return self.board.rules[fact.index].sentence(geometry) + self._left_by(fact.index)
        if fact.kind == "cell":
            return f"{geometry.cell_name(fact.index)} is {_either(map(text, self.symbols(fact.index)))}"
        house = geometry.houses[fact.index].name
        if fact.kind == "place":
            cells = _either(map(geometry.cell_name, self.places(fact.index, fact.symbol)))
            return f"{text(fact.symbol)} in {house} is in {cells}"
        return f"{house} holds {text(symbols[0]) if len(symbols) == 1 else 'each symbol'} once"

    def _left_by(self, number: int) -> str:
        """Return the sets of symbols that a rule leaves to its cells, where these are few."""
        geometry, rule = self.board.geometry, self.board.rules[number]
        cells = sorted(rule.scope(geometry))
        choices = [self.symbols(cell) for cell in cells]
        if prod(map(len, choices)) > _MOST_TRIED:
            return ""
        grid, sets = [0] * geometry.cell_count, set()
        for symbols in product(*choices):
            for cell, symbol in zip(cells, symbols, strict=True):
                grid[cell] = symbol
            repeated = any(b in geometry.peers[a] and grid[a] == grid[b] for a in cells for b in cells)
            if not repeated and rule.holds(grid, geometry):
                sets.add(tuple(sorted(symbols)))
        if not 0 < len(sets) <= _MOST_LISTED:
            return ""
        listed = _either("+".join(map(geometry.symbol_text, one)) for one in sorted(sets))
        return f" (only {listed} {'is' if len(sets) == 1 else 'are'} left)"


@dataclass(frozen=True, slots=True)
class Step:
    """A step: candidates to remove or a symbol to place, and a minimal reason.

    Attributes
    ----------
    position : Position
        The board and its candidates before the step.
    placed, removed, restored : tuple of (cell, symbol)
        The conclusion. ``restored`` are candidates that were removed wrongly; only the first steps have them.
    reason : tuple of Fact
        No fact of it can be left out, given the candidates that are left.
    cost : float
        The sum of the weights of the reason.
    round : int
        The number of the round, from 1. All steps of the smallest cost make a round.
    name, twin : str
        The name of a known pattern that gives the step, and of the same pattern seen from the other side, or empty.
    pattern : tuple of Fact
        The reason that the name stands for, which may be another than the cheapest.
    proven : bool
        Whether no reason is cheaper, for any step of the position.
    """

    position: Position = field(repr=False)
    placed: tuple[Candidate, ...] = ()
    removed: tuple[Candidate, ...] = ()
    reason: tuple[Fact, ...] = ()
    cost: float = 0.0
    round: int = 0
    name: str = ""
    twin: str = ""
    pattern: tuple[Fact, ...] = ()
    restored: tuple[Candidate, ...] = ()
    proven: bool = False

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that the reason is about: those of its cells, places and rules."""
        geometry, cells = self.position.board.geometry, set[int]()
        for fact in self.pattern or self.reason:
            if fact.kind == "cell":
                cells.add(fact.index)
            elif fact.kind == "place":
                cells.update(self.position.places(fact.index, fact.symbol))
            elif fact.kind == "rule" and len(scope := self.position.board.rules[fact.index].scope(geometry)) < len(
                self.position.candidates
            ):
                cells.update(scope)
        return tuple(sorted(cells))

    def conclusion(self) -> str:
        """Return what the step concludes: ``r1c1 is 5`` or ``r1c2 and r1c3 are not 5``."""
        name, text = self.position.board.geometry.cell_name, self.position.board.geometry.symbol_text
        for cell, symbol in self.restored:
            if entered := self.position.entries[cell]:
                return f"{text(entered)} was entered in {name(cell)}, but every solution has {text(symbol)} there"
            return f"{text(symbol)} was removed from {name(cell)}, but every solution has it there"
        for cell, symbol in self.placed:
            return f"{name(cell)} is {text(symbol)}"
        gone: dict[int, list[int]] = {}
        for cell, symbol in self.removed:
            gone.setdefault(cell, []).append(symbol)
        alike: dict[str, list[str]] = {}
        for cell, symbols in gone.items():
            left = [symbol for symbol in self.position.symbols(cell) if symbol not in symbols]
            if len(symbols) > 2 and left:
                predicate = f"can only be {_either(map(text, left))}"
            else:
                predicate = f"{{verb}} not {_either(map(text, symbols))}"
            alike.setdefault(predicate, []).append(name(cell))
        return " and ".join(
            f"{_listed(cells)} {predicate.format(verb='is' if len(cells) == 1 else 'are')}"
            for predicate, cells in alike.items()
        )

    def corrected(self) -> Board:
        """Return the board of the position without the mistakes that the step restores."""
        board = self.position.board
        filled, marks = list(board.filled), list(board.marks or ())
        for cell, symbol in self.restored:
            if filled:
                filled[cell] = 0
            if marks:
                marks[cell] |= 1 << (symbol - 1)
        return replace(board, filled=tuple(filled), marks=tuple(marks) or None)

    def because(self) -> str:
        """Return the reason in words, rules first and houses last."""
        geometry, facts = self.position.board.geometry, self.pattern or self.reason
        if self.placed and len(facts) == 1 and facts[0].kind == "cell":
            return "nothing else is left there"
        if self.placed and len(facts) == 1 and facts[0].kind == "place":
            cell, symbol = map(str, (geometry.cell_name(self.placed[0][0]), geometry.symbol_text(self.placed[0][1])))
            return f"{cell} is the only place for {symbol} in {geometry.houses[facts[0].index].name}"
        if len(facts) > LARGEST_NAMED:
            return f"of these {len(facts)} facts: {'; '.join(self.facts())}"
        return _listed(self.facts())

    def facts(self) -> list[str]:
        """Return each fact of the reason in words."""
        facts = self.pattern or self.reason
        alone = {fact.symbol for fact in facts if fact.kind == "place"} | {symbol for _, symbol in self.removed}
        single = [] if any(fact.kind in ("cell", "rule") for fact in facts) else sorted(alone)
        order = ("rule", "cell", "place", "once")
        return [
            self.position.text(fact, single) for fact in sorted(facts, key=lambda f: (order.index(f.kind), f[1:]))
        ]

    def sentence(self) -> str:
        """Return the step in one sentence."""
        if self.restored:
            return self.conclusion()
        named = f"{self.name}: " if self.name else ""
        because = self.because()
        return f"{named}{self.conclusion()}, because {because}"

    def hint(self, level: int) -> str:
        """Return a hint: 1 names the place, 2 the facts, 3 is the whole sentence."""
        if level >= 3 or self.restored:
            return self.sentence()
        if level == 2:
            return f"{self.name + ': ' if self.name else ''}{self.because()}"
        geometry = self.position.board.geometry
        facts = self.pattern or self.reason
        houses = dict.fromkeys(geometry.houses[f.index].name for f in facts if f.kind in ("place", "once"))
        rules = [self.position.board.rules[f.index].sentence(geometry) for f in facts if f.kind == "rule"]
        cells = [geometry.cell_name(f.index) for f in facts if f.kind == "cell"]
        return f"look at {_listed([*rules, *houses, *cells])}"

    def as_dict(self) -> dict[str, object]:
        """Return the step as JSON has it."""
        geometry = self.position.board.geometry

        def names(some: Sequence[Candidate]) -> list[str]:
            return [candidate_name(geometry, cell, symbol) for cell, symbol in some]

        record: dict[str, object] = {"round": self.round, "placed": names(self.placed), "removed": names(self.removed)}
        if self.restored:
            record["restored"] = names(self.restored)
        facts = [
            {"kind": fact.kind, "text": text}
            for fact, text in ((fact, self.position.text(fact)) for fact in self.reason)
        ]
        record |= {"cost": self.cost, "size": len(self.reason), "name": self.name or None, "twin": self.twin or None}
        return record | {"reason": facts, "proven": self.proven, "sentence": self.sentence()}


def _either(texts: Iterable[str]) -> str:
    *first, last = texts
    return " or ".join([*([", ".join(first)] if first else []), last])


def _listed(texts: Sequence[str]) -> str:
    return " and ".join([*([", ".join(texts[:-1])] if len(texts) > 1 else []), *texts[-1:]])
