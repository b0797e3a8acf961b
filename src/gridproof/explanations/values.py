"""What an explanation says, as values."""

from __future__ import annotations

from dataclasses import dataclass

from gridproof.models.variables import candidate_name
from gridproof.puzzle.board import Board, Contradiction
from gridproof.puzzle.geometry import Grid
from gridproof.trust.answer import Status


@dataclass(frozen=True, slots=True)
class ConflictSet:
    """Clues and rules that contradict the houses and the pencil marks; without any one of them there is a solution.

    Parameters
    ----------
    cells
        Where these clues are.
    direct
        Contradictions that show at a glance.
    rules_alone
        Whether the houses admit no grid, so that neither clues nor rules nor pencil marks matter.
    rules
        The numbers of these rules in ``board.rules``, counted from 0.

    Examples
    --------
    >>> from gridproof import parse
    >>> from gridproof.explanations import explain
    >>> board = parse("12.. ..3. .... ...4")
    >>> conflict = explain(board).conflicts[0]
    >>> conflict.cells, conflict.said(board)
    ((0, 1, 6), 'r1c1=1 r1c2=2 r2c3=3')
    """

    cells: tuple[int, ...]
    direct: tuple[Contradiction, ...] = ()
    rules_alone: bool = False
    rules: tuple[int, ...] = ()

    def said(self, board: Board) -> str:
        """The clues with their symbols, then the rules: ``r1c6=5 r2c4=6; the killer cage r1c1 r1c2 sums to 20``."""
        clues = " ".join(candidate_name(board.geometry, cell, board.clues[cell]) for cell in self.cells)
        sentences = [board.rules[number].sentence(board.geometry) for number in self.rules]
        return "; ".join(filter(None, [clues, *sentences]))

    def part_of(self, board: Board) -> Board:
        """The board with these clues and rules alone, and with its pencil marks."""
        clues = tuple(clue if cell in self.cells else 0 for cell, clue in enumerate(board.clues))
        return Board(board.geometry, clues, (), board.marks, tuple(board.rules[number] for number in self.rules))

    def shown(self, board: Board) -> tuple[int, ...]:
        """The cells of the clues, and those of the rules that are about some cells only."""
        scopes = [board.rules[number].scope(board.geometry) for number in self.rules]
        some = [scope for scope in scopes if len(scope) < board.geometry.cell_count]
        return tuple(sorted({*self.cells}.union(*some)))


@dataclass(frozen=True, slots=True)
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
    >>> from gridproof.explanations import true_candidates
    >>> found = true_candidates(parse("12.. .... 4.1. ...."))
    >>> found.masks[2] == 0b1100  # r1c3 takes 3 and 4
    True
    >>> found.witnesses[2, 4][2]
    4
    """

    masks: tuple[int, ...]
    witnesses: dict[tuple[int, int], Grid]


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """What there is to say about a board, by its status.

    Attributes
    ----------
    board : Board
        What was asked about.
    status : Status
        ``none``, ``multiple`` or ``unique``.
    conflicts : tuple of ConflictSet
        Of ``none``: minimal sets of clues and rules that contradict; one empty set if the pencil marks alone, or the
        houses alone, have no solution.
    solutions : int
        How many solutions were looked at.
    complete : bool
        Of ``none``: ``False`` if there are more sets than were asked for, or if a limit came first; where none was
        asked for, it says nothing. Of ``multiple``: whether all solutions were looked at.
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
    conflicts: tuple[ConflictSet, ...] = ()
    solutions: int = 0
    complete: bool = True
    stopped: str = ""
    differing: tuple[int, ...] = ()
    witnesses: tuple[Grid, ...] = ()
    fixing: tuple[int, int] | None = None
    redundant: tuple[int, ...] = ()
    redundant_rules: tuple[int, ...] = ()

    def __repr__(self) -> str:
        told = {
            "none": f"{len(self.conflicts)} conflict sets",
            "multiple": f"two solutions differ in only {len(self.differing)} cells",
        }.get(self.status, f"{len(self.redundant)} redundant clues")
        if self.redundant_rules:
            told += f", {len(self.redundant_rules)} redundant rules"
        return f"<Explanation: {self.status}; {told}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import explanation_card

        return explanation_card(self)

    @property
    def is_minimal(self) -> bool:
        """Whether the puzzle is unique and neither a clue nor a rule can be left out."""
        return self.status is Status.UNIQUE and not self.redundant and not self.redundant_rules
