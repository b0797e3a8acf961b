"""Boards: a geometry with clues, and the candidates left in each cell.

A board may contradict itself: its constructor only checks that every value is in range. ``Board.contradictions`` finds
obvious contradictions, and a backend decides whether it has solutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.errors import BoardError
from gridproof.expect import expect, expect_whole
from gridproof.puzzle.contradictions import Contradiction, find_contradictions
from gridproof.puzzle.frame import CellName
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import whole_number
from gridproof.text import counted

if TYPE_CHECKING:
    from gridproof.rules import Rule
    from gridproof.rules.rule_text import AnyRule


class Problem(NamedTuple):
    """Geometry and rules, which a model states and a session loads once, before any clue."""

    geometry: Geometry
    rules: tuple[Rule, ...] = ()

    @classmethod
    def of(cls, problem: Problem | Geometry) -> Problem:
        """Return a problem unchanged, and a geometry as the problem without rules."""
        if isinstance(problem, Problem):
            return problem
        return cls(problem)


@dataclass(frozen=True, slots=True, repr=False)
class Board:
    """Geometry, clues and pencil marks; never changed, only copied with something added.

    Clues and pencil marks are two separate restrictions, and a solution keeps to both. So the pencil marks of a cell
    hold whether the cell has a clue or not, and stay when its clue is taken away.

    Any sequences of whole numbers will do (lists, arrays); they are kept as tuples of ``int``.

    Parameters
    ----------
    geometry : Geometry
        The cells and their houses.
    clues : sequence of int
        The symbol (from 1) given in each cell in reading order, 0 where none is.
    filled : sequence of int
        What was entered later, in the same form; drawn, but no part of the puzzle.
    marks : sequence of int, or None
        Pencil marks: for each cell a bit mask of the symbols it may hold (bit symbol-1). ``None`` rules nothing out.
    rules : tuple of Rule
        What must hold beyond the houses; see ``with_rule``.

    Raises
    ------
    BoardError
        A sequence has not one entry for each cell, or an entry is out of range or no whole number; or ``geometry`` is
        none. ``gridproof.parse`` makes a board of a text.

    Examples
    --------
    >>> board = Board(Geometry.latin(2), (1, 0, 0, 0), marks=(1, 3, 3, 3))
    >>> board["r1c1"], board[1, 1], board.text()
    (1, 1, '1...')
    >>> board.without_clue("r1c1").candidates
    (1, 3, 3, 3)
    """

    geometry: Geometry
    clues: tuple[int, ...] = None  # type: ignore[assignment]  # so that Board("53..7") gets its error below
    filled: tuple[int, ...] = ()
    marks: tuple[int, ...] | None = None
    rules: tuple[Rule, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.geometry, Geometry):
            expected = "a Geometry. gridproof.parse makes a board of a text"
            raise BoardError(f"geometry {self.geometry!r:.60}; expected {expected}")
        n = self.geometry.symbol_count
        object.__setattr__(self, "clues", _take_numbers("clues", self.clues, self.geometry, n))
        if type(self.filled) is not tuple or self.filled:
            object.__setattr__(self, "filled", _take_numbers("filled", self.filled, self.geometry, n))
        if self.marks is not None:
            object.__setattr__(
                self, "marks", _take_numbers("marks", self.marks, self.geometry, self.geometry.every_symbol)
            )
        if type(self.rules) is not tuple or self.rules:
            from gridproof.rules import Rule

            if type(self.rules) is not tuple or not all(isinstance(rule, Rule) for rule in self.rules):
                raise BoardError(
                    f"rules {repr(self.rules)[:60]}; expected a tuple of Rule. with_rules takes texts, too"
                )

    @classmethod
    def from_symbols(cls, geometry: Geometry, symbols: str, marks: Sequence[int] | None = None) -> Board:
        """Return a board from one character for each cell (``.`` for none), as ``repr`` writes it up to order 35."""
        expect(geometry, Geometry, "geometry", "a Geometry")
        expect(symbols, str, "symbols", "a text with one character for each cell")
        values = {character: symbol for symbol, character in enumerate("." + geometry.symbol_characters)}
        try:
            clues = tuple(values[character] for character in symbols)
        except KeyError as problem:
            allowed = geometry.symbol_characters or "numbers (this board has no one-character symbols)"
            symbol = problem.args[0]
            raise BoardError(f"symbol {symbol!r} on a board of {geometry.description}; expected . {allowed}") from None
        return cls(geometry, clues, marks=marks)  # type: ignore[arg-type]  # it takes any sequence

    @classmethod
    def trusted(cls, geometry: Geometry, clues: tuple[int, ...], rules: tuple[Rule, ...] = ()) -> Board:
        """Return a board from clues that are right: one for each cell, 0 to the order. Nothing is checked.

        It is for readers that have checked the clues already: the constructor takes several times as long.
        """
        board = object.__new__(cls)
        keep = object.__setattr__  # as a frozen dataclass does it; its checks, in __post_init__, take 14 us more
        keep(board, "geometry", geometry)
        keep(board, "clues", clues)
        keep(board, "filled", ())
        keep(board, "marks", None)
        keep(board, "rules", rules)
        return board

    @classmethod
    def empty(cls, geometry: Geometry | None = None) -> Board:
        """Return the board without clues; without a geometry, the usual one of 9x9 cells."""
        if geometry is None:
            geometry = Geometry.classic()
        expect(geometry, Geometry, "geometry", "a Geometry")
        return cls(geometry, (0,) * geometry.cell_count)

    @property
    def candidates(self) -> tuple[int, ...]:
        """The mask of the symbols that clue and pencil marks of each cell allow; nothing is concluded."""
        full = self.geometry.every_symbol
        by_clues = [1 << (clue - 1) if clue else full for clue in self.clues]
        if self.marks is None:
            return tuple(by_clues)
        return tuple([mask & mark for mask, mark in zip(by_clues, self.marks, strict=True)])

    @property
    def clue_count(self) -> int:
        """The number of cells with a clue."""
        return self.geometry.cell_count - self.clues.count(0)

    def contradictions(self) -> list[Contradiction]:
        """Return every contradiction that clues, pencil marks and rules show at a glance, without any search.

        Returns
        -------
        list of Contradiction
            With cells and a sentence each. An empty list does not mean that there is a solution.

        Examples
        --------
        >>> for contradiction in Board.from_symbols(Geometry.latin(3), "11.......").contradictions():
        ...     print(contradiction)
        r1c1 and r1c2 in row 1 both hold 1
        """
        return find_contradictions(self.geometry, self.clues, self.candidates, self.rules)

    @property
    def problem(self) -> Problem:
        """Geometry and rules, which all boards of one session have in common."""
        return Problem(self.geometry, self.rules)

    def with_clue(self, cell: CellName, symbol: int) -> Board:
        """Return a copy with this clue (0 takes the clue away); the pencil marks stay.

        Examples
        --------
        >>> Board.empty(Geometry.latin(2)).with_clue("r1c2", 2).text()
        '.2..'
        """
        clues = list(self.clues)
        clues[self.geometry.cell(cell)] = symbol
        return replace(self, clues=tuple(clues))

    def with_digit(self, cell: CellName, digit: int) -> Board:
        """Return a copy with the clue that is this digit.

        Examples
        --------
        >>> from gridproof.puzzle.digits import Digits
        >>> Board.empty(Geometry.latin(2).with_digits(Digits(0, 1))).with_digit("r1c2", 0).text()
        '.0..'
        """
        digits = self.geometry.digits
        if digit not in digits:
            raise BoardError(f"the digit {digit!r} on a board of {self.geometry.description}")
        return self.with_clue(cell, digits.symbol(digit))

    def without_clue(self, cell: CellName) -> Board:
        """Return a copy without the clue of this cell; its pencil marks stay."""
        return self.with_clue(cell, 0)

    def with_filled(self, entries: Sequence[int]) -> Board:
        """Return a copy whose cells without a clue hold these entries (0 for none), kept apart from the clues."""
        n = self.geometry.symbol_count
        filled = []
        for clue, entry in zip(self.clues, _take_numbers("entries", entries, self.geometry, n), strict=True):
            filled.append(0 if clue else entry)
        return replace(self, filled=tuple(filled))

    def with_marks(self, marks: Iterable[int]) -> Board:
        """Return a copy with these pencil marks, one mask for each cell."""
        return replace(self, marks=marks)  # type: ignore[arg-type]  # it takes any sequence

    def with_rules(self, rules: Iterable[AnyRule] | AnyRule) -> Board:
        """Return a copy with further rules.

        Parameters
        ----------
        rules : iterable of str, RuleText, Rule, or a kind of your own
            In text as docs/rules.md explains for each kind; one text stands for a list of one. A class of rules, or the
            path of a TOML file, is a kind of your own (docs/rules.md), which the texts may name.

        Raises
        ------
        InputError
            For what is no rule, and for a rule that names cells which the board does not have, or a cell twice where
            its kind does not allow that.

        Examples
        --------
        >>> board = Board.empty(Geometry.latin(4)).with_rules(["killer 7 r1c1 r1c2", "thermometer r2c1 r3c1 r4c1"])
        >>> for rule in board.rules:
        ...     print(rule.sentence(board.geometry))
        the killer cage r1c1 r1c2 sums to 7
        the thermometer r2c1-r4c1 increases from its bulb
        """
        from gridproof.rules import make_rules

        every = list(self.rules)
        every += make_rules(self.geometry, rules)
        return replace(self, rules=tuple(rule.complete(every, self.geometry) for rule in every))

    def with_rule(self, rule: AnyRule) -> Board:
        """Return a copy with one more rule."""
        return self.with_rules([rule])

    def without_rule(self, number: int) -> Board:
        """Return a copy without the rule of this number, counted from 0."""
        number = expect_whole(number, "rule number")
        if not 0 <= number < len(self.rules):
            raise BoardError(
                f"rule {number} of a board with {counted(len(self.rules), 'rule')}; expected a number from 0"
            )
        rest = list(self.rules)
        del rest[number]
        return replace(self, rules=tuple(rule.complete(rest, self.geometry) for rule in rest))

    # ---- its parts, texts and pictures ---------------------------------------------------------------------------

    def __getitem__(self, cell: CellName) -> int:
        return self.clues[self.geometry.cell(cell)]

    def __iter__(self) -> Iterator[int]:
        return iter(self.clues)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        # 0 is an empty cell, so with a digit 0 the array has symbols
        return in_rows(self.clues, self.geometry, dtype)

    def text(self) -> str:
        """Return the clues on one line, ``.`` for an empty cell; above order 35, numbers with blanks between.

        Examples
        --------
        >>> Board(Geometry.latin(2), (0, 2, 0, 0)).text()
        '.2..'
        """
        between = " "
        if self.geometry.symbol_characters:
            between = ""
        texts = []
        for clue in self.clues:
            texts.append(self.geometry.symbol_text(clue) if clue else ".")
        return between.join(texts)

    def __repr__(self) -> str:
        if self.geometry.symbol_characters:
            marks = ""
            if self.marks is not None:
                marks = f", marks={self.marks!r}"
            text = f"Board.from_symbols({self.geometry!r}, {self.text()!r}{marks})"
        else:
            text = f"Board({self.geometry!r}, {self.clues!r}, marks={self.marks!r})"
        if self.rules:
            text += f".with_rules({[rule.text(self.geometry) for rule in self.rules]!r})"
        if self.filled:
            return f"{text}.with_filled({self.filled!r})"
        return text

    def __str__(self) -> str:
        from gridproof.pictures import board_text

        return board_text(self)

    def _repr_html_(self) -> str:
        from gridproof.pictures import board_svg

        return board_svg(self).html


def in_rows(values: Iterable[int], geometry: Geometry, dtype: Any = None) -> Any:
    """Return an array of NumPy with a row for each row of the board."""
    import numpy as np

    return np.array(tuple(values), dtype).reshape(geometry.shape)


def _take_numbers(what: str, entries: Iterable[object], geometry: Geometry, most: int) -> tuple[int, ...]:
    """Return the entries as a tuple of plain numbers, one in range for each cell. Raises ``BoardError``."""
    try:
        given = tuple(entries)
    except TypeError:
        expected = f"a number for each cell, {geometry.cell_count} in all"
        raise BoardError(f"{what}: {entries!r}; expected {expected}") from None
    numbers = []
    for cell, entry in enumerate(given):
        number = entry if type(entry) is int else whole_number(entry)
        if number is None:
            place = geometry.cell_name(cell)
            raise BoardError(f"{what}: {entry!r} at {place}; expected a whole number from 0 to {most}")
        numbers.append(number)
    if len(numbers) != geometry.cell_count:
        expected = f"{geometry.cell_count} on a board of {geometry.description}"
        raise BoardError(f"{what} of {counted(len(numbers), 'cell')}; expected {expected}")
    for cell, number in enumerate(numbers):
        if not 0 <= number <= most:
            raise BoardError(f"{what}: {number!r} at {geometry.cell_name(cell)}; expected 0 to {most}")
    return tuple(numbers)
