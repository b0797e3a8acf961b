"""A step of a solution: what it concludes, why, in words, as a picture and as a record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gridproof.models.variables import candidate_name
from gridproof.puzzle.board import Board
from gridproof.rules.cells import shortened_runs
from gridproof.solving.chain import Chain
from gridproof.solving.drawn_links import links_of_chain, links_of_story
from gridproof.solving.position import Candidate, Fact, Position
from gridproof.solving.reason import Reason
from gridproof.solving.story import StoryLine
from gridproof.solving.story_words import describe_as_if, describe_story
from gridproof.solving.words import list_symbols, listed

if TYPE_CHECKING:
    from gridproof.pictures import Svg
    from gridproof.pictures.links import Link

MOST_PLACES = 4
"""Largest number of places that the first hint names. If a reason is about more, it names that of the conclusion."""


SHAPELESS = ("", "forcing chain", "Nishio", "contradiction with cases")
"""Names of steps whose reasons have no shape of their own: one has to follow them from an assumption."""


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
    name, twin : str
        The name of a known pattern that gives the step, and of the same pattern seen from the other side, or empty.
    pattern : tuple of Fact
        The reason that the name stands for, which may be another than the cheapest.
    chain : Chain, optional
        The chain that the facts of the pattern make, if it is one.
    gone : tuple of (cell, symbol), optional
        Of the candidates that are gone from the cells of its rules, a minimal set without which the step would not
        follow.
    story : tuple of StoryLine
        The reason in order: from the assumption that the conclusion is false to the contradiction, line by line.
    restored : tuple of (cell, symbol)
        A candidate that an entry or a pencil mark excludes wrongly. A step with it has no reason.
    has_solution : bool
        Whether the board has a solution. If not, the path ends with a contradiction: a step that concludes nothing
        else.
    """

    position: Position
    placed: tuple[Candidate, ...] = ()
    removed: tuple[Candidate, ...] = ()
    reason: tuple[Fact, ...] = ()
    cost: float = 0.0
    round: int = 0
    name: str = ""
    twin: str = ""
    pattern: tuple[Fact, ...] = ()
    chain: Chain | None = None
    gone: tuple[Candidate, ...] | None = None
    story: tuple[StoryLine, ...] = ()
    restored: tuple[Candidate, ...] = ()
    has_solution: bool = True

    @property
    def is_contradiction(self) -> bool:
        """True if the step shows that there is no solution."""
        return not self.placed and not self.removed and not self.restored

    # ---- the reason -----------------------------------------------------------------------------------------------

    @property
    def shown_reason(self) -> Reason:
        """The reason to show: that of the pattern, if there is one, else the cheapest."""
        return Reason(
            self.position,
            self.pattern or self.reason,
            self.placed,
            self.removed,
            self.gone or (),
            self.chain is not None,
        )

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of the reason to show: rules first, houses last; of a kind those first from which others follow."""
        return self.shown_reason.in_order()

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that the reason is about: those of its cells, places (the whole house of a single) and rules."""
        cells: set[int] = set()
        for fact in self.facts:
            if fact.kind == "once":
                continue
            if self.placed and fact.kind == "place":
                fact = fact._replace(kind="once")
            some = self.position.cells(fact)
            if len(some) < len(self.position.candidates):
                cells.update(some)
        return tuple(sorted(cells))

    def places(self) -> dict[str, Sequence[int]]:
        """Return where to look: cells, houses and rules of the reason; of a long one the cells of the conclusion."""
        board = self.position.board
        geometry = board.geometry
        places: dict[str, Sequence[int]] = {}
        for fact in self.facts:
            if fact.kind == "cell":
                places[geometry.cell_name(fact.number)] = (fact.number,)
            elif fact.kind == "rule":
                cells = self.position.cells(fact)
                at = f" at {shortened_runs(cells, geometry)}" if len(cells) <= geometry.symbol_count else ""
                places[f"the {board.rules[fact.number].name_or_path} rule{at}"] = cells
            else:
                house = geometry.houses[fact.number]
                places[house.name] = house.cells
        if 0 < len(places) <= MOST_PLACES:
            return places
        concluded = self.placed + self.removed + self.restored
        return {geometry.cell_name(cell): (cell,) for cell, _ in concluded}

    # ---- in words -------------------------------------------------------------------------------------------------

    def hint(self, level: int) -> str:
        """Return a hint: 1 names the place, 2 the facts (of a mistake what is wrong), 3 is the whole sentence."""
        if level >= 3:
            return self.sentence()
        if level == 1:
            return f"look at {listed(self.places())}"
        if self.restored:
            return f"{self._mistake()}, which is wrong"
        return self._title() + "; ".join(self.shown_reason.texts(bare=True))

    def sentence(self) -> str:
        """Return the step in one sentence."""
        if not self.restored:
            return f"{self._title()}{self.conclusion()}, because {self.because()}"
        cell, symbol = self.restored[0]
        right = self.position.board.geometry.symbol_text(symbol) if self.position.entries[cell] else "it"
        return f"{self._mistake()}, but every solution has {right} there"

    @property
    def has_story(self) -> bool:
        """True if the step is told in more than one line."""
        return bool(self.story) and self.story[0].kind != "conclusion"

    def story_texts(self) -> list[str]:
        """Return the lines of the story in words; the sentence itself where one fact gives the conclusion at once."""
        if not self.story or self.story[0].kind == "conclusion":
            return [self.sentence()]
        return describe_story(self.shown_reason, self.story)

    def because(self) -> str:
        """Return the reason in words; told with an *if* where it joins a rule with other facts in no known shape."""
        kinds = [fact.kind for fact in self.facts if fact.kind != "once"]
        is_plain = self.name not in SHAPELESS or "rule" not in kinds or len(kinds) < 2
        told = "" if is_plain or not self.story else describe_as_if(self.shown_reason, self.story)
        return told or self.shown_reason.sentence()

    def conclusion(self) -> str:
        """Return what follows: ``r1c1 is 5`` or ``r1c2 and r1c3 are not 5``."""
        geometry = self.position.board.geometry
        if self.is_contradiction:
            return "there is no solution"
        if self.placed:
            entries = [f"{geometry.cell_name(cell)} is {geometry.symbol_text(symbol)}" for cell, symbol in self.placed]
            return " and ".join(entries)
        alike: dict[tuple[str, str], list[str]] = {}
        for cell in dict.fromkeys([cell for cell, _ in self.removed]):
            alike.setdefault(self._what_changes(cell), []).append(geometry.cell_name(cell))
        parts: list[str] = []
        for (verb, symbols), names in alike.items():
            negated = "is not" if len(names) == 1 else "are not"
            parts.append(f"{listed(names)} {verb or negated} {symbols}")
        return ("; " if len(parts) > 2 else " and ").join(parts)

    def _what_changes(self, cell: int) -> tuple[str, str]:
        """Return a verb and the symbols that stay in a cell, or no verb and the symbols that go.

        A house takes symbols away. Places of symbols, or a rule that leaves few, are about what stays.
        """
        kinds = {fact.kind for fact in self.shown_reason.facts}
        gone = [symbol for other, symbol in self.removed if other == cell]
        left = [symbol for symbol in self.position.symbols(cell) if symbol not in gone]
        geometry = self.position.board.geometry
        if "once" in kinds or ("rule" in kinds and len(gone) < len(left)):
            return "", list_symbols(geometry, gone, " or ")
        verb = "must be" if len(left) == 1 else "can only be"
        return verb, list_symbols(geometry, left, " or ")

    def _mistake(self) -> str:
        """Return the mistake that the step restores in words."""
        geometry = self.position.board.geometry
        cell, symbol = self.restored[0]
        entry = self.position.entries[cell]
        if entry:
            return f"{geometry.symbol_text(entry)} was entered in {geometry.cell_name(cell)}"
        return f"{geometry.symbol_text(symbol)} was removed from {geometry.cell_name(cell)}"

    def _title(self) -> str:
        """Return the name as the beginning of a text."""
        return f"{self.name}: " if self.name else ""

    def notation(self) -> str:
        """Return the chain in Eureka notation, with what follows: ``(5)r1c1=r1c5-(5=3)r2c5 => r2c1<>5``; empty if none.

        Each chain or wing has one: ``=`` is a strong link, ``-`` a weak one, and a loop ends with ``-``.
        """
        if self.chain is None:
            return ""
        geometry = self.position.board.geometry
        gone: list[str] = []
        for cell, symbol in self.removed:
            gone.append(f"{geometry.cell_name(cell)}<>{geometry.symbol_text(symbol)}")
        return f"{self.chain.notation(geometry)} => {', '.join(gone)}"

    # ---- on the board ---------------------------------------------------------------------------------------------

    def apply(self) -> Board:
        """Return the board of the position after the step: with the entry, without the candidates or the mistakes."""
        board = self.position.board
        full = board.geometry.every_symbol
        filled = list(board.filled or [0] * len(board.clues))
        marks = list(board.marks or [full] * len(board.clues))
        for cell, symbol in self.restored:
            filled[cell] = 0
            marks[cell] |= 1 << (symbol - 1)
        for cell, symbol in self.placed:
            filled[cell] = symbol
        for cell, symbol in self.removed:
            marks[cell] = marks[cell] & self.position.candidates[cell] & ~(1 << (symbol - 1))
        after = replace(board, filled=(), marks=None)
        if any(filled):
            after = replace(after, filled=tuple(filled))
        if any(mask != full for mask in marks):
            after = replace(after, marks=tuple(marks))
        return after

    def rebase(self, earlier: Iterable[Step]) -> Step:
        """Return this step on the position that earlier ones of its round lead to, to be drawn after them."""
        position = self.position
        for step in earlier:
            if step.round == self.round:
                position = position.apply(step.placed, step.removed)
        return replace(self, position=position)

    def cells_of_hint(self, level: int) -> set[int]:
        """Return the cells that a hint of this level is about; see ``hint``."""
        if level > 1 and not self.restored:
            return set(self.cells)
        cells: set[int] = set()
        for some in self.places().values():
            cells.update(some)
        return cells

    def picture(self, level: int = 3, *, line: int | None = None, **options: Any) -> Svg:
        """Draw the position: the cells of the reason marked, candidates to remove struck, a placed symbol ringed.

        The links of a chain, or of a short story, are numbered in order: strong ones solid, weak ones dashed.
        level: as of ``hint``; 1 marks where to look. line: the number, from 0, of a line of the story that is drawn in
        place of all this, with links from line to line. options: of ``gridproof.pictures.board_svg``, such as
        ``theme``.
        """
        from gridproof.pictures import board_svg

        drawn = self.position
        options = {"candidates": drawn.candidates, **options}
        if line is not None:
            from gridproof.solving.story_pictures import story_options

            options |= story_options(drawn, self.story, line)
            return board_svg(drawn.board.with_filled(drawn.entries), **options)
        if level > 2 or self.restored:
            drawn = drawn.apply(self.placed)
            options["second"] = [cell for cell, _ in self.placed + self.restored]
            options["struck"] = self.removed
            options["links"] = self._links()
        return board_svg(drawn.board.with_filled(drawn.entries), highlight=self.cells_of_hint(level), **options)

    def _links(self) -> list[Link]:
        """Return the links to draw."""
        if self.chain is not None:
            return links_of_chain(self.chain)
        return links_of_story(self.position, self.story)

    # ---- for notebooks and JSON -----------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Step: {self.sentence()}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import card

        rows = [("name", self.name), ("cost", self.cost or None)]
        return card(f"{self.sentence()}.", rows, self.picture())

    def as_dict(self) -> dict[str, object]:
        """Return the step as JSON has it."""
        record: dict[str, object] = {"round": self.round}
        for key, candidates in (("placed", self.placed), ("removed", self.removed), ("restored", self.restored)):
            record[key] = [candidate_name(self.position.board.geometry, *one) for one in candidates]
        record["contradiction"] = self.is_contradiction
        record["cost"] = self.cost
        record["size"] = len(self.reason)
        record["name"] = self.name or None
        record["twin"] = self.twin or None
        record["notation"] = self.notation() or None
        facts: list[dict[str, str]] = []
        for fact in self.reason:
            text = (
                self.shown_reason.describe_house(fact.number)
                if fact.kind == "once"
                else self.shown_reason.describe(fact)
            )
            facts.append({"kind": fact.kind, "text": f"{text.subject} {text.verb}".strip()})
        record["reason"] = facts
        record["sentence"] = self.sentence()
        record["story"] = self.story_texts()
        return record
