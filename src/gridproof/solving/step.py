"""A step of a solution and its reason, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from gridproof.models.variables import candidate_name
from gridproof.puzzle.board import Board
from gridproof.rules.cells import shortened_runs
from gridproof.solving.words import joined, listed, rule_text

if TYPE_CHECKING:
    from gridproof.pictures import Svg

LARGEST_NAMED = 12
"""A reason of more facts gets no name: nobody follows it."""

MOST_HELD = 2
"""Symbols of a house that a reason lists. If it uses more, the house "holds each digit once"."""

MOST_PLACES = 4
"""Places that the first hint names. If a reason is about more, it names the place of the conclusion."""

Candidate: TypeAlias = tuple[int, int]
"""A cell and a symbol."""


class Fact(NamedTuple):
    """A fact that a person would name, as a member of a reason.

    kind: ``cell`` (cell ``number`` holds something), ``place`` (``symbol`` has a place in house ``number``), ``once``
    (house ``number`` holds each symbol once) or ``rule`` (rule ``number`` of the board).
    """

    kind: Literal["cell", "place", "once", "rule"]
    number: int
    symbol: int = 0


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
    >>> Position(board, board.candidates, board.clues).places(0, 3)
    [2, 3]
    """

    board: Board
    candidates: tuple[int, ...]
    entries: tuple[int, ...]

    def symbols(self, cell: int) -> list[int]:
        """Return the symbols that are left in a cell."""
        return [s for s in range(1, self.board.geometry.order + 1) if self.candidates[cell] >> (s - 1) & 1]

    def places(self, house: int, symbol: int) -> list[int]:
        """Return the cells that are left for a symbol in a house, by the number of the house in its geometry."""
        return [c for c in self.board.geometry.houses[house].cells if self.candidates[c] >> (symbol - 1) & 1]

    def cells(self, fact: Fact) -> Sequence[int]:
        """Return the cells of a fact: the places of a symbol, all cells of a house or a rule."""
        match fact.kind:
            case "cell":
                return [fact.number]
            case "place":
                return self.places(fact.number, fact.symbol)
            case "once":
                return self.board.geometry.houses[fact.number].cells
        return sorted(self.board.rules[fact.number].scope(self.board.geometry))

    def after(self, placed: Iterable[Candidate], removed: Iterable[Candidate] = ()) -> Position:
        """Return the position with symbols placed, which then go from the other cells of their houses, and removed."""
        entries, masks, peers = [*self.entries], [*self.candidates], self.board.geometry.peers
        for cell, symbol in placed:
            entries[cell], bit = symbol, 1 << (symbol - 1)
            masks[cell] &= bit
            for peer in peers[cell]:
                masks[peer] &= ~bit
        for cell, symbol in removed:
            masks[cell] &= ~(1 << (symbol - 1))
        return replace(self, candidates=tuple(masks), entries=tuple(entries))

    def options(self, fact: Fact) -> list[Candidate]:
        """Return the candidates of a cell that holds something, or of a symbol in a house."""
        symbols = [fact.symbol] if fact.kind == "place" else self.symbols(fact.number)
        return [(cell, symbol) for cell in self.cells(fact) for symbol in symbols]


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """A step: candidates to remove or a symbol to place, and a minimal reason.

    Attributes
    ----------
    position : Position
        The board and its candidates at the beginning of the round.
    placed, removed : tuple of (cell, symbol)
        The conclusion.
    reason : tuple of Fact
        No fact of it can be left out, given the candidates that are left.
    cost : float
        The sum of the weights of the reason.
    round : int
        The number of the round, from 1. All steps of the smallest cost make a round.
    proven : bool
        Whether it is proven that no step from here has a cheaper reason.
    name, twin : str
        The name of a known pattern that gives the step, and of the same pattern seen from the other side, or empty.
    pattern : tuple of Fact
        The reason that the name stands for, which may be another than the cheapest.
    gone : tuple of (cell, symbol), optional
        Of the candidates that are gone from the cells of its rules, a minimal set without which the step would not
        follow.
    restored : tuple of (cell, symbol)
        A candidate that an entry or a pencil mark excludes wrongly. A step with it has no reason.
    """

    position: Position
    placed: tuple[Candidate, ...] = ()
    removed: tuple[Candidate, ...] = ()
    reason: tuple[Fact, ...] = ()
    cost: float = 0.0
    round: int = 0
    proven: bool = False
    name: str = ""
    twin: str = ""
    pattern: tuple[Fact, ...] = ()
    gone: tuple[Candidate, ...] | None = None
    restored: tuple[Candidate, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts to name: of the pattern, if there is one, else the reason; rules first, houses last.

        Among facts of a kind those come first from which the others follow.
        """
        order = dict.fromkeys([*self._following(), *sorted(self.pattern or self.reason)])
        return tuple(sorted(order, key=lambda fact: "rule cell place once".index(fact.kind)))

    def _following(self) -> Iterator[Fact]:
        """Yield cells and places in the order in which they contradict what is removed, a chain from end to end."""
        facts, houses = self.pattern or self.reason, self.position.board.geometry.houses
        linked = [{*houses[fact.number].cells} for fact in facts if fact.kind == "once"]
        for candidate in self.removed:
            left = {fact: self.position.options(fact) for fact in facts if fact.kind in ("cell", "place")}
            excluded, todo = set[Candidate](), [candidate]
            while todo:
                cell, symbol = todo.pop()  # the newest
                excluded.update((cell, other) for other in self.position.symbols(cell) if other != symbol)
                excluded.update((peer, symbol) for cells in linked if cell in cells for peer in cells - {cell})
                for fact in [*left]:
                    options = [option for option in left[fact] if option not in excluded]
                    if len(options) < 2:
                        yield fact
                        todo += options
                        del left[fact]

    def held_once(self, house: int) -> list[int]:
        """Return the symbols that a house holds once as far as the reason needs it; empty for all, as with rules.

        These are the symbols of which the conclusion and a cell or place, or two of the latter, have one in the house.
        """
        facts, cells = self.pattern or self.reason, {*self.position.board.geometry.houses[house].cells}
        if any(fact.kind == "rule" for fact in facts):
            return []
        groups = [self.removed, *(self.position.options(fact) for fact in facts if fact.kind in ("cell", "place"))]
        times = Counter(symbol for group in groups for symbol in {s for cell, s in group if cell in cells})
        return sorted(symbol for symbol, number in times.items() if number > 1)

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that the reason is about: those of its cells, places (the whole house of a single) and rules."""
        position, cells = self.position, set[int]()
        for fact in self.facts:
            whole_house = self.placed and fact.kind == "place"
            some = position.cells(fact._replace(kind="once") if whole_house else fact)
            cells.update(some if fact.kind != "once" and len(some) < len(position.candidates) else ())
        return tuple(sorted(cells))

    def texts(self, bare: bool = False) -> list[str]:
        """Return the facts of the reason in words, alike ones together. bare: rules without what follows from them."""
        texts: list[tuple[list[str], tuple[str, ...]]] = []
        for fact in self.facts:
            subject, *verbs = self._words(fact, self.held_once(fact.number) if fact.kind == "once" else (), bare)
            alike = [names for names, others in texts if others == (*verbs,) and any(verbs)]
            if alike and (fact.kind == "once" or alike[-1] is texts[-1][0]):  # cells of a chain stay in their order
                alike[-1].append(subject)
            else:
                texts.append(([subject], (*verbs,)))
        return [f"{joined(sorted(names))} {verbs[len(names) > 1]}".strip() for names, verbs in texts]

    def _words(self, fact: Fact, about: Sequence[int] = (), bare: bool = False) -> tuple[str, str, str]:
        """Return what a fact is about, what it states, and how it states this of several alike.

        about: the symbols that the reason needs of a house, if not all. bare: see ``texts``.
        """
        position, geometry = self.position, self.position.board.geometry
        name, text = geometry.cell_name, geometry.symbol_text
        match fact.kind:
            case "rule":
                rule, alone = position.board.rules[fact.number], len(self.pattern or self.reason) == 1
                full = rule_text(geometry, rule, position.candidates, self.gone or (), alone)
                return rule.sentence(geometry) if bare else full, "", ""
            case "cell":
                left = position.symbols(fact.number)
                if self.placed and len(left) == 1:  # which the second hint does not give away
                    return name(fact.number), "has only one symbol left", "have only one symbol left"
                what = listed(map(text, left), " or ") if len(left) < geometry.order else "not empty"
                return name(fact.number), f"is {what}", f"are {what}"
            case "place":
                cells, house = position.cells(fact), geometry.houses[fact.number].name
                if self.placed and len(cells) == 1:
                    return text(fact.symbol), f"has only one place in {house}", f"have only one place in {house}"
                places = listed(map(name, cells), " or ")
                return f"{text(fact.symbol)} in {house}", f"is in {places}", f"are in {places}"
        held = "each digit" if geometry.order <= 9 else "each symbol"
        held = listed(map(text, about)) if 0 < len(about) <= MOST_HELD else held
        return geometry.houses[fact.number].name, f"holds {held} once", f"hold {held} once"

    def because(self) -> str:
        """Return the reason in words."""
        texts = self.texts()
        if len(self.facts) > LARGEST_NAMED:
            return f"of these {len(self.facts)} facts: {'; '.join(texts)}"
        return "; ".join(texts) if len(texts) > 2 and ", " in "".join(texts) else listed(texts, ", and ")

    def conclusion(self) -> str:
        """Return what follows: ``r1c1 is 5`` or ``r1c2 and r1c3 are not 5``."""
        name, text = self.position.board.geometry.cell_name, self.position.board.geometry.symbol_text
        if self.placed:
            return " and ".join(f"{name(cell)} is {text(symbol)}" for cell, symbol in self.placed)
        kinds = {fact.kind for fact in self.pattern or self.reason}
        alike: dict[tuple[str, str], list[str]] = {}
        for cell in dict.fromkeys(cell for cell, _ in self.removed):
            gone = [symbol for other, symbol in self.removed if other == cell]
            left = [symbol for symbol in self.position.symbols(cell) if symbol not in gone]
            # a house takes symbols away; places of symbols, or a rule that leaves few, are about what stays
            stays = "once" not in kinds and ("rule" not in kinds or len(gone) >= len(left))
            verb = "" if not stays else "must be" if len(left) == 1 else "can only be"
            alike.setdefault((verb, listed(map(text, left if verb else gone), " or ")), []).append(name(cell))
        parts = [
            f"{listed(cells)} {verb or ('is not' if len(cells) == 1 else 'are not')} {symbols}"
            for (verb, symbols), cells in alike.items()
        ]
        return ("; " if len(parts) > 2 else " and ").join(parts)

    def sentence(self) -> str:
        """Return the step in one sentence."""
        name, text = self.position.board.geometry.cell_name, self.position.board.geometry.symbol_text
        for cell, symbol in self.restored:
            entry = self.position.entries[cell]
            wrong = f"{text(entry)} was entered in" if entry else f"{text(symbol)} was removed from"
            return f"{wrong} {name(cell)}, but every solution has {text(symbol) if entry else 'it'} there"
        return f"{self._title()}{self.conclusion()}, because {self.because()}"

    def hint(self, level: int) -> str:
        """Return a hint: 1 names the place, 2 the facts, 3 is the whole sentence."""
        if level >= 3 or self.restored:
            return self.sentence()
        if level == 1:
            return f"look at {listed([*self.places()])}"
        return self._title() + "; ".join(self.texts(bare=True))

    def places(self) -> dict[str, Sequence[int]]:
        """Return where to look: cells, houses and rules of the reason; of a long one the cells of the conclusion."""
        board, places = self.position.board, dict[str, Sequence[int]]()
        geometry, name = board.geometry, board.geometry.cell_name
        for fact in self.facts:
            if fact.kind == "cell":
                places[name(fact.number)] = (fact.number,)
            elif fact.kind == "rule":
                cells = self.position.cells(fact)
                at = f" at {shortened_runs(cells, geometry)}" if len(cells) <= geometry.order else ""
                places[f"the {board.rules[fact.number].called} rule{at}"] = cells
            else:
                places[geometry.houses[fact.number].name] = geometry.houses[fact.number].cells
        if len(places) > MOST_PLACES:
            places = {name(cell): (cell,) for cell, _ in (*self.placed, *self.removed)}
        return places

    def _title(self) -> str:
        """Return the name, with that of the twin, as the beginning of a text."""
        if not self.twin:
            return f"{self.name}: " if self.name else ""
        if self.name.split()[1:] == self.twin.split()[1:] and not self.name.startswith(("naked", "hidden")):
            return f"{self.name}: "
        sides = {self.name.split()[0], self.twin.split()[0]} == {"naked", "hidden"}
        return f"{self.name}, {'seen from the other side' if sides else 'also'} a {self.twin}: "

    def applied(self) -> Board:
        """Return the board of the position after the step: with the entry, without the candidates or the mistakes."""
        board, full = self.position.board, (1 << self.position.board.geometry.order) - 1
        filled, marks = list(board.filled or [0] * len(board.clues)), list(board.marks or [full] * len(board.clues))
        for cell, symbol in self.restored:
            filled[cell], marks[cell] = 0, marks[cell] | 1 << (symbol - 1)
        for cell, symbol in self.placed:
            filled[cell] = symbol
        for cell, symbol in self.removed:
            marks[cell] = marks[cell] & self.position.candidates[cell] & ~(1 << (symbol - 1))
        kept = None if all(mask == full for mask in marks) else tuple(marks)
        return replace(board, filled=tuple(filled) if any(filled) else (), marks=kept)

    def after(self, earlier: Iterable[Step]) -> Step:
        """Return this step on the position that earlier ones of its round lead to, to be drawn after them."""
        position = self.position
        for step in earlier:
            if step.round == self.round:
                position = position.after(step.placed, step.removed)
        return replace(self, position=position)

    def marked(self, level: int) -> set[int]:
        """Return the cells that a hint of this level is about; see ``hint``."""
        return {*self.cells} if level > 1 else {cell for cells in self.places().values() for cell in cells}

    def picture(self, level: int = 3, **options: Any) -> Svg:
        """Draw the position: the cells of the reason marked, candidates to remove struck, a placed symbol ringed.

        level: as of ``hint``; 1 marks where to look. options: of ``gridproof.pictures.board_svg``, such as ``theme``.
        """
        from gridproof.pictures import board_svg

        drawn, options = self.position, {"candidates": self.position.candidates, **options}
        if level > 2 or self.restored:
            drawn = drawn.after(self.placed)
            options["second"] = [cell for cell, _ in (*self.placed, *self.restored)]
            options["struck"] = self.removed
        return board_svg(drawn.board.with_filled(drawn.entries), highlight=self.marked(level), **options)

    def __repr__(self) -> str:
        return f"<Step: {self.sentence()}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.svg import card

        rows = [("name", self.name), ("seen from the other side", self.twin), ("cost", self.cost or None)]
        return card(f"{self.sentence()}.", rows, self.picture())

    def as_dict(self) -> dict[str, object]:
        """Return the step as JSON has it."""
        record: dict[str, object] = {"round": self.round}
        for key in ("placed", "removed", "restored"):
            record[key] = [candidate_name(self.position.board.geometry, *one) for one in getattr(self, key)]
        record |= {"cost": self.cost, "size": len(self.reason), "name": self.name or None, "twin": self.twin or None}
        record["proven_cheapest"] = self.proven
        facts = [{"kind": fact.kind, "text": " ".join(self._words(fact)[:2]).strip()} for fact in self.reason]
        return {**record, "reason": facts, "sentence": self.sentence()}
