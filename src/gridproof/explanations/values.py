"""The results of explanations, as values."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gridproof.models.variables import candidate_name
from gridproof.puzzle.board import Board, Contradiction
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.text import counted
from gridproof.trust.answer import Status
from gridproof.trust.verdict import difference

if TYPE_CHECKING:
    from gridproof.pictures import Svg


@dataclass(frozen=True, slots=True)
class Part:
    """Some clues, rules and pencil marks of a board.

    Parameters
    ----------
    cells
        The cells of the clues.
    rules
        The numbers of the rules in ``board.rules``, counted from 0.
    marks
        The cells of the pencil marks.

    Examples
    --------
    >>> from gridproof import parse
    >>> board = parse("12.. ..3. .... ...4").with_rule("killer 6 r3c1 r3c2")
    >>> part = Part((0, 6), (0,))
    >>> part.size, part.text(board)
    (3, 'r1c1=1 r2c3=3; the killer cage r3c1 r3c2 sums to 6')
    >>> part.of(board).clue_count
    2
    """

    cells: tuple[int, ...] = ()
    rules: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of clues, rules and cells with pencil marks."""
        return len(self.cells) + len(self.rules) + len(self.marks)

    def text(self, board: Board) -> str:
        """Name the clues with their symbols, then the rules, then the pencil marks."""
        names = self.names(board)
        clues, others = names[: len(self.cells)], names[len(self.cells) :]
        return "; ".join(filter(None, [" ".join(clues), *others]))

    def names(self, board: Board) -> list[str]:
        """Name each clue, rule and pencil mark."""
        geometry = board.geometry
        clues = [candidate_name(geometry, cell, board.clues[cell]) for cell in self.cells]
        stated = Counter(board.rules[number].sentence(geometry) for number in self.rules)
        sentences = [state_times(sentence, times) for sentence, times in stated.items()]
        between = "" if geometry.symbol_characters else ","
        marks = []
        masks = board.marks or ()
        for cell in self.marks:
            symbols = [s for s in range(1, geometry.order + 1) if masks[cell] >> (s - 1) & 1]
            texts = between.join(map(geometry.symbol_text, symbols)) or "(none)"
            marks.append(f"the pencil mark{'s' * (len(symbols) != 1)} {texts} in {geometry.cell_name(cell)}")
        return [*clues, *sentences, *marks]

    def count_text(self) -> str:
        """Count what there is: ``4 clues, 1 rule and the pencil marks of 2 cells``."""
        parts = [counted(len(some), noun) for some, noun in ((self.cells, "clue"), (self.rules, "rule")) if some]
        if self.marks:
            parts.append(f"the pencil marks of {counted(len(self.marks), 'cell')}")
        return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))

    def of(self, board: Board) -> Board:
        """Return the board with these clues, rules and pencil marks alone."""
        full = (1 << board.geometry.order) - 1
        clues = tuple(clue if cell in self.cells else 0 for cell, clue in enumerate(board.clues))
        part = Board(board.geometry, clues)
        if board.marks is not None and self.marks:
            part = part.with_marks(mask if cell in self.marks else full for cell, mask in enumerate(board.marks))
        return part.with_rules(board.rules[number] for number in self.rules)

    def rest_of(self, board: Board) -> Part:
        """Return the clues, rules and pencil marks of the board that are not among these.

        A cell whose marks are all symbols counts as one without: they state nothing.
        """
        every_symbol = (1 << board.geometry.order) - 1
        clues = [cell for cell, clue in enumerate(board.clues) if clue and cell not in self.cells]
        rules = [number for number in range(len(board.rules)) if number not in self.rules]
        marks: list[int] = []
        for cell, mask in enumerate(board.marks or ()):
            if mask != every_symbol and cell not in self.marks:
                marks.append(cell)
        return Part(tuple(clues), tuple(rules), tuple(marks))

    def highlight(self, board: Board) -> tuple[int, ...]:
        """Return the cells of the clues and the pencil marks, and those of the rules that are about some cells only."""
        scopes = [board.rules[number].scope(board.geometry) for number in self.rules]
        some = [scope for scope in scopes if len(scope) < board.geometry.cell_count]
        return tuple(sorted({*self.cells, *self.marks}.union(*some)))


def state_times(sentence: str, times: int) -> str:
    """Return the sentence of a rule, with the number of times that it is stated if that is more than once."""
    if times == 1:
        return sentence
    return f"{sentence} (stated {'twice' if times == 2 else f'{times} times'})"


@dataclass(frozen=True, slots=True)
class ConflictSet(Part):
    """Clues, rules and pencil marks that contradict the houses; without any one of them there is a solution.

    Parameters
    ----------
    direct
        Contradictions that show at a glance.

    Examples
    --------
    >>> from gridproof import parse
    >>> from gridproof.explanations import explain
    >>> board = parse("12.. ..3. .... ...4")
    >>> conflict = explain(board).conflicts[0]
    >>> conflict.cells, conflict.sentence(board)
    ((0, 1, 6), '3 clues contradict each other: r1c1=1 r1c2=2 r2c3=3')
    """

    direct: tuple[Contradiction, ...] = ()

    @property
    def houses_alone(self) -> bool:
        """True if the houses admit no grid, so that neither clues nor rules nor pencil marks matter."""
        return not self.size

    def sentence(self, board: Board) -> str:
        """State the conflict."""
        if self.houses_alone:
            return "the houses alone admit no grid, whatever the clues are"
        verb = "contradict each other" if self.size > 1 else "cannot hold in any grid"
        return f"{self.count_text()} {verb}: {self.text(board)}"


@dataclass(frozen=True, slots=True)
class Correction(Part):
    """Clues, rules and pencil marks without which a board has a solution, and not without fewer of them.

    Parameters
    ----------
    unique
        Whether there is then exactly one solution.

    Examples
    --------
    >>> from gridproof import parse
    >>> from gridproof.explanations import explain
    >>> board = parse("12.. ..3. .... ...4")
    >>> [(one.text(board), one.unique) for one in explain(board).corrections]
    [('r1c1=1', False), ('r1c2=2', False), ('r2c3=3', False)]
    """

    unique: bool = False


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
        text = {
            "none": counted(len(self.conflicts), "conflict set"),
            "multiple": f"two solutions differ in only {len(self.differing)} cells",
        }.get(self.status, counted(len(self.redundant), "redundant clue"))
        if self.redundant_rules:
            text += f", {counted(len(self.redundant_rules), 'redundant rule')}"
        return f"<Explanation: {self.status}; {text}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.svg import card

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
        marked: set[int] = set()
        for unique, result in ((True, "is exactly one solution"), (False, "are several solutions")):
            sets = [one for one in self.corrections if one.unique is unique]
            cells = {cell for one in sets for cell in one.highlight(self.board)} - marked
            if cells:
                what = "leave out what is marked like this" if sets[0].size == 1 else "leave some of these out"
                groups.append((tuple(sorted(cells)), f"{what}, and there {result}"))
            marked |= cells
        if groups:
            return groups
        return [(one.highlight(self.board), "cells of what contradicts itself") for one in self.conflicts[:1]]

    def picture(self) -> Svg:
        """Draw the board with the cells in question."""
        from gridproof.pictures import board_svg, differences

        if self.status is Status.MULTIPLE:
            return board_svg(self.board, differs=differences(*self.witnesses))
        return board_svg(self.board, **self.marked())

    def marked(self) -> dict[str, Any]:
        """Return the groups of cells as options of ``board_svg`` and ``board_text``."""
        return dict(zip(("highlight", "second"), (cells for cells, _ in self.groups()), strict=False))

    def sentences(self) -> list[str]:
        """State the explanation in sentences, the most important first.

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
            return ["the puzzle has no solution", *self._guilty(), *self._contradicting()]
        if self.status is Status.MULTIPLE:
            return self._differing()
        return ["the puzzle has exactly one solution", *self._spared()]

    def _guilty(self) -> list[str]:
        """State what to leave out so that there is a solution."""
        sets, lines = self.corrections, []
        if sets:
            noun = {1: "one", 2: "pair"}.get(len(sets[0].names(self.board)), "set")
            these = f"this {noun}" if len(sets) == 1 else "any one of these" + f" {noun}s" * (noun != "one")
            names = "; ".join(" + ".join(one.names(self.board)) for one in sets)
            number = sum(one.unique for one in sets)
            those = "" if len(sets) == 1 else "with each: " if number == len(sets) else f"with the first {number}: "
            unique = f" ({those.replace(' first 1:', ' first:')}exactly one)" if number else ""
            lines.append(f"leave out {these} and there is a solution: {names}{unique}")
        if self.corrections_stopped:
            more = "there may be more of these" if sets else "what to leave out was not found"
            lines.append(f"{more}: the search was {self.corrections_stopped}")
        return lines

    def _contradicting(self) -> list[str]:
        """State the conflicts, and whether there are more."""
        lines = []
        for conflict in self.conflicts:
            glance = f" ({conflict.direct[0]})" if conflict.direct else ""
            lines.append(f"{conflict.sentence(self.board)}{glance}")
        if self.stopped:
            lines.append(f"there may be more such sets; the search was {self.stopped}")
        elif not self.complete:
            lines.append(f"there are more than {counted(len(self.conflicts), 'such set')}")
        return lines

    def _differing(self) -> list[str]:
        """State how many solutions there are, where two differ, and what would leave one."""
        geometry = self.board.geometry
        number = f"{'' if self.complete else 'more than '}{self.solutions:,}"
        fixing = "adding one clue is not enough"
        if self.fixing:
            fixing = f"with the further clue {candidate_name(geometry, *self.fixing)} there is exactly one solution"
        return [
            f"the puzzle has {number} solutions",
            difference(self.board, self.differing, len(self.differing), only=True),
            fixing,
        ]

    def _spared(self) -> list[str]:
        """State what can be left out."""
        board, lines = self.board, []
        if self.is_minimal:
            lines.append(f"{'neither a clue nor a rule' if board.rules else 'no clue'} can be left out: it is minimal")
        clues = [board.geometry.cell_name(cell) for cell in self.redundant]
        rules = [board.rules[number].sentence(board.geometry) for number in self.redundant_rules]
        for noun, names, between in (("clue", clues, " "), ("rule", rules, "; ")):
            if len(names) == 1:
                lines.append(f"only this {noun} can be left out: {names[0]}")
            elif names:
                lines.append(f"each of these {len(names)} {noun}s can be left out on its own: {between.join(names)}")
        if self.enough is not None and not self.is_minimal:
            goes = replace(self.enough.rest_of(board), marks=())
            lines.append(f"{goes.count_text()} can be left out together: {goes.text(board)}")
            lines.append(f"these are enough: {self.enough.text(board)}")
        return lines
