"""The results of explanations: true candidates, and the reason for a verdict in sentences and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gridproof.explanations.parts import ConflictSet, Correction, Part, name_rule
from gridproof.models.variables import candidate_name
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.text import counted
from gridproof.trust.answer import Status
from gridproof.trust.verdict import state_difference

if TYPE_CHECKING:
    from gridproof.pictures import Svg


@dataclass(frozen=True, slots=True, repr=False)
class Candidates:
    """The true candidates of a board.

    Attributes
    ----------
    masks : tuple of int
        For each cell the symbols it takes in some solution (bit symbol-1); 0 everywhere if there is no solution.
    witnesses : dict
        For each (cell, symbol) among them a solution in which the cell holds it.

    Examples
    --------
    >>> from gridproof import parse
    >>> from gridproof.explanations import candidates
    >>> answer = candidates(parse("12.. .... 4.1. ...."))
    >>> answer.masks[2] == 0b1100  # r1c3 takes 3 and 4
    True
    >>> answer.witnesses[2, 4][2]
    4
    """

    masks: tuple[int, ...]
    witnesses: dict[tuple[int, int], SymbolTuple]

    def __repr__(self) -> str:
        return f"<Candidates: {len(self.witnesses):,} in {len(self.masks):,} cells>"


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """The reason for the verdict on a board, by its status.

    Attributes
    ----------
    board : Board
        The board that is explained.
    status : Status
        ``none``, ``multiple`` or ``unique``.
    corrections : tuple of Correction
        Of ``none``: the smallest sets to leave out so that there is a solution, those first that leave exactly one. If
        leaving out one clue, rule or pencil mark helps, these are all that do.
    corrections_stopped : str
        The reason why there may be more of them, if there is one.
    conflicts : tuple of ConflictSet
        Of ``none``: minimal sets of clues, rules and pencil marks that contradict; one empty set if the houses alone
        admit no grid.
    solutions : int
        How many solutions were looked at.
    complete : bool
        Of ``none``: ``False`` if there are more conflict sets than were wanted, or if a limit came first. Of
        ``multiple``: whether all solutions were looked at.
    stopped : str
        The limit that came first, if one did.
    differing : tuple of int
        Of ``multiple``: the fewest cells in which two of the solutions looked at differ; ``witnesses`` are these two.
    witnesses : tuple of Grid
        Of ``unique`` the solution.
    fixing : (int, int), optional
        Of ``multiple``: a cell and a symbol that as a further clue makes it unique, if there is one.
    redundant : tuple of int
        Of ``unique``: the cells whose clue can be left out (one at a time) with the solution still the only one: those
        with ``verify(board.without_clue(cell)).is_unique``.
    redundant_rules : tuple of int
        Likewise the numbers of the rules with ``verify(board.without_rule(number)).is_unique``.
    enough : Part, optional
        Of ``unique``, if wanted: a minimal set of clues and rules that still leaves exactly this solution.

    Examples
    --------
    >>> from gridproof import parse
    >>> from gridproof.explanations import explain
    >>> explanation = explain(parse("1... ..2. .3.. ...4"))
    >>> explanation
    <Explanation: unique; 0 redundant clues>
    >>> explanation.is_minimal
    True
    """

    board: Board
    status: Status
    corrections: tuple[Correction, ...] = ()
    corrections_stopped: str = ""
    conflicts: tuple[ConflictSet, ...] = ()
    solutions: int = 0
    complete: bool = True
    stopped: str = ""
    differing: tuple[int, ...] = ()
    witnesses: tuple[SymbolTuple, ...] = ()
    fixing: tuple[int, int] | None = None
    redundant: tuple[int, ...] = ()
    redundant_rules: tuple[int, ...] = ()
    enough: Part | None = None

    def __repr__(self) -> str:
        if self.status is Status.NONE:
            text = counted(len(self.conflicts), "conflict set")
        elif self.status is Status.MULTIPLE:
            text = f"two solutions differ in only {counted(len(self.differing), 'cell')}"
        else:
            text = counted(len(self.redundant), "redundant clue")
        if self.redundant_rules:
            text += f", {counted(len(self.redundant_rules), 'redundant rule')}"
        return f"<Explanation: {self.status}; {text}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import card

        first, *others = self.sentences()
        return card(f"{first.capitalize()}.", [("", one) for one in others], self.picture())

    @property
    def is_minimal(self) -> bool:
        """True if the puzzle is unique and neither a clue nor a rule can be left out."""
        return self.status is Status.UNIQUE and not self.redundant and not self.redundant_rules

    def groups(self) -> list[tuple[tuple[int, ...], str]]:
        """Return the cells in question with their meaning, in at most two groups.

        Pictures show the first group filled and the second as rings.
        """
        if self.status is Status.MULTIPLE:
            return [(self.differing, "cells in which two solutions differ")]
        if self.status is Status.UNIQUE:
            return [(self.redundant, "clues that can be left out, one at a time")]
        groups: list[tuple[tuple[int, ...], str]] = []
        grouped: set[int] = set()
        for unique, result in ((True, "is exactly one solution"), (False, "are several solutions")):
            sets = [one for one in self.corrections if one.unique is unique]
            cells: set[int] = set()
            for correction in sets:
                cells.update(correction.highlight(self.board))
            cells -= grouped
            if cells:
                what = "leave out what is marked like this" if sets[0].size == 1 else "leave some of these out"
                groups.append((tuple(sorted(cells)), f"{what}, and there {result}"))
            grouped |= cells
        if not groups and self.conflicts:
            groups.append((self.conflicts[0].highlight(self.board), "cells of what contradicts itself"))
        return groups

    def picture(self) -> Svg:
        """Draw the board with the cells in question."""
        from gridproof.pictures import board_svg, differences

        if self.status is Status.MULTIPLE:
            return board_svg(self.board, differs=differences(*self.witnesses))
        return board_svg(self.board, **self.picture_options())

    def picture_options(self) -> dict[str, Any]:
        """Return the groups of cells as options of ``board_svg`` and ``board_text``."""
        options: dict[str, Any] = {}
        for name, (cells, _) in zip(("highlight", "second"), self.groups(), strict=False):
            options[name] = cells
        return options

    def sentences(self, most: int | None = None) -> list[str]:
        """State the explanation in sentences, the most important first.

        most: how many clues, rules and pencil marks a sentence names, by short names; the others are only counted. All
        of them, in full, by default.

        Examples
        --------
        >>> from gridproof import parse
        >>> from gridproof.explanations import explain
        >>> print(*explain(parse("12.. ..3. .... ...4")).sentences(), sep="\\n")
        the puzzle has no solution
        leave out any one of these and there is a solution: r1c1=1; r1c2=2; r2c3=3
        3 clues contradict each other: r1c1=1 r1c2=2 r2c3=3 (3 has no place left in row 1)
        """
        if self.status is Status.NONE:
            return ["the puzzle has no solution"] + state_corrections(self, most) + state_conflicts(self, most)
        if self.status is Status.MULTIPLE:
            return state_solutions(self)
        return ["the puzzle has exactly one solution"] + state_redundancy(self, most)


# ---- the sentences ---------------------------------------------------------------------------------------------------


def list_some(names: Sequence[str], between: str, most: int | None) -> str:
    """Return names in a list; of more than ``most`` the first ones, and how many others there are."""
    if most is None or len(names) <= most + 1:
        return between.join(names)
    return f"{between.join(names[:most])} and {len(names) - most} more"


def state_corrections(explanation: Explanation, most: int | None) -> list[str]:
    """State what to leave out so that there is a solution."""
    lines: list[str] = []
    sets = explanation.corrections
    if sets:
        parts = [one.names(explanation.board, short=most is not None) for one in sets]
        names = list_some([" + ".join(part) for part in parts], "; ", most)
        these = call_corrections(len(sets), len(parts[0]))
        lines.append(f"leave out {these} and there is a solution: {names}{count_unique(sets)}")
    if explanation.corrections_stopped:
        more = "there may be more of these" if sets else "what to leave out was not found"
        lines.append(f"{more}: the search was {explanation.corrections_stopped}")
    return lines


def call_corrections(number: int, size: int) -> str:
    """Return what a number of corrections of a size are called together: ``this pair``, ``any one of these``."""
    noun = {1: "one", 2: "pair"}.get(size, "set")
    if number == 1:
        return f"this {noun}"
    return "any one of these" if size == 1 else f"any one of these {noun}s"


def count_unique(corrections: Sequence[Correction]) -> str:
    """Return with how many of the corrections there is exactly one solution; nothing for none."""
    number = sum(one.unique for one in corrections)
    if not number:
        return ""
    if len(corrections) == 1:
        return " (exactly one)"
    if number == len(corrections):
        return " (with each: exactly one)"
    those = "the first" if number == 1 else f"the first {number}"
    return f" (with {those}: exactly one)"


def state_conflicts(explanation: Explanation, most: int | None) -> list[str]:
    """State the conflicts, and whether there are more."""
    lines: list[str] = []
    for conflict in explanation.conflicts:
        glance = f" ({conflict.direct[0]})" if conflict.direct else ""
        lines.append(f"{conflict.sentence(explanation.board, most)}{glance}")
    if explanation.stopped:
        lines.append(f"there may be more such sets; the search was {explanation.stopped}")
    elif not explanation.complete:
        lines.append(f"there are more than {counted(len(explanation.conflicts), 'such set')}")
    return lines


def state_solutions(explanation: Explanation) -> list[str]:
    """State how many solutions there are, where two differ, and what would leave one."""
    number = f"{explanation.solutions:,}" if explanation.complete else f"more than {explanation.solutions:,}"
    fixing = "adding one clue is not enough"
    if explanation.fixing:
        clue = candidate_name(explanation.board.geometry, *explanation.fixing)
        fixing = f"with the further clue {clue} there is exactly one solution"
    return [
        f"the puzzle has {number} solutions",
        state_difference(explanation.board, explanation.differing, len(explanation.differing), only=True),
        fixing,
    ]


def state_redundancy(explanation: Explanation, most: int | None) -> list[str]:
    """State what can be left out."""
    board = explanation.board
    lines: list[str] = []
    if explanation.is_minimal:
        nothing = "neither a clue nor a rule" if board.rules else "no clue"
        lines.append(f"{nothing} can be left out: it is minimal")
    clues = [board.geometry.cell_name(cell) for cell in explanation.redundant]
    rules = [name_rule(board, number, short=most is not None) for number in explanation.redundant_rules]
    for noun, names, between in (("clue", clues, " "), ("rule", rules, "; ")):
        if len(names) == 1:
            lines.append(f"only this {noun} can be left out: {names[0]}")
        elif names:
            lines.append(
                f"each of these {len(names)} {noun}s can be left out on its own: {list_some(names, between, most)}"
            )
    if explanation.enough is not None and not explanation.is_minimal:
        goes = replace(explanation.enough.rest_of(board), marks=())
        lines.append(f"{goes.count_text()} can be left out together: {goes.text(board)}")
        lines.append(f"these are enough: {explanation.enough.text(board)}")
    return lines
