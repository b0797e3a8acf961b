"""Parts of a board: some of its clues, rules and pencil marks, which contradict or can be left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from gridproof.models.variables import candidate_name
from gridproof.puzzle.board import Board
from gridproof.puzzle.contradictions import Contradiction
from gridproof.rules.short_names import short_name
from gridproof.text import counted, plural


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
        clues = " ".join(names[: len(self.cells)])
        others = names[len(self.cells) :]
        if clues:
            others.insert(0, clues)
        return "; ".join(others)

    def names(self, board: Board, *, short: bool = False) -> list[str]:
        """Name each clue, rule and pencil mark. short: whether rules are named instead of stated."""
        geometry = board.geometry
        names = [candidate_name(geometry, cell, board.clues[cell]) for cell in self.cells]
        times_stated = Counter([name_rule(board, number, short=short) for number in self.rules])
        for sentence, times in times_stated.items():
            names.append(state_times(sentence, times))
        for cell in self.marks:
            names.append(describe_marks(board, cell))
        return names

    def count_text(self) -> str:
        """Count what there is: ``4 clues, 1 rule and the pencil marks of 2 cells``."""
        parts: list[str] = []
        if self.cells:
            parts.append(counted(len(self.cells), "clue"))
        if self.rules:
            parts.append(counted(len(self.rules), "rule"))
        if self.marks:
            parts.append(f"the pencil marks of {counted(len(self.marks), 'cell')}")
        if len(parts) < 2:
            return "".join(parts)
        return f"{', '.join(parts[:-1])} and {parts[-1]}"

    def of(self, board: Board) -> Board:
        """Return the board with these clues, rules and pencil marks alone."""
        full = board.geometry.every_symbol
        clues = [0] * len(board.clues)
        for cell in self.cells:
            clues[cell] = board.clues[cell]
        part = Board(board.geometry, tuple(clues))
        if board.marks is not None and self.marks:
            masks = [full] * len(board.clues)
            for cell in self.marks:
                masks[cell] = board.marks[cell]
            part = part.with_marks(masks)
        return part.with_rules([board.rules[number] for number in self.rules])

    def rest_of(self, board: Board) -> Part:
        """Return the clues, rules and pencil marks of the board that are not among these.

        A cell whose marks are all symbols counts as one without: they state nothing.
        """
        every_symbol = board.geometry.every_symbol
        clues = [cell for cell, clue in enumerate(board.clues) if clue and cell not in self.cells]
        rules = [number for number in range(len(board.rules)) if number not in self.rules]
        marks: list[int] = []
        for cell, mask in enumerate(board.marks or ()):
            if mask != every_symbol and cell not in self.marks:
                marks.append(cell)
        return Part(tuple(clues), tuple(rules), tuple(marks))

    def highlight(self, board: Board) -> tuple[int, ...]:
        """Return the cells of the clues and the pencil marks, and those of the rules that are about some cells only."""
        cells = set(self.cells) | set(self.marks)
        for number in self.rules:
            scope = board.rules[number].scope(board.geometry)
            if len(scope) < board.geometry.cell_count:
                cells |= scope
        return tuple(sorted(cells))


def name_rule(board: Board, number: int, *, short: bool) -> str:
    """Return the short name of a rule of a board, or its sentence."""
    rule = board.rules[number]
    return short_name(rule, board.geometry) if short else rule.sentence(board.geometry)


def describe_marks(board: Board, cell: int) -> str:
    """Return the pencil marks of a cell in words: ``the pencil marks 13 in r1c1``."""
    geometry = board.geometry
    mask = (board.marks or board.candidates)[cell]
    symbols = [geometry.symbol_text(s) for s in geometry.symbols if mask >> (s - 1) & 1]
    between = "" if geometry.symbol_characters else ","
    text = between.join(symbols) or "(none)"
    return f"the {plural('pencil mark', len(symbols))} {text} in {geometry.cell_name(cell)}"


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

    def sentence(self, board: Board, most: int | None = None) -> str:
        """State the conflict. most: of a larger one the clues, rules and pencil marks are only counted."""
        if self.houses_alone:
            return "the houses alone admit no grid, whatever the clues are"
        verb = "contradict each other" if self.size > 1 else "cannot hold in any grid"
        if most is not None and self.size > most:
            return f"{self.count_text()} {verb}"
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
