"""Regular expressions over the symbols of a line: read from text, matched as a whole, and run symbol by symbol.

A pattern is a *sequence* of parts. ``fits`` matches a sequence by the places that it may lead to: from the places that
are reached so far to those behind the next part. Places only move forward, so that no pattern takes longer than some
steps for each part and each place; a matcher that tries one way after the other takes twice as long for each further
symbol where two ways lead to the same place.

``PatternMachine`` runs the same pattern from the other side: after some symbols, what is left to be matched is one of
several sequences. These are the pattern's partial derivatives (Antimirov 1996, "Partial derivatives of regular
expressions"), finitely many.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

from gridproof.puzzle.digits import LARGEST_ORDER_IN_CHARACTERS, digit_number
from gridproof.puzzle.houses import Shape
from gridproof.rules.primitives import TooLarge, check_effort

LONGEST_PATTERN = 500
"""Largest number of characters of a pattern: no person writes a longer one."""

DEEPEST_PATTERN = 50
"""Largest number of brackets around a symbol of a pattern: each of them is a call inside a call."""

MOST_SEQUENCES = 10_000
"""Largest number of sequences that may be left of one pattern; repeats of repeats of repeats have as many."""

_EVERY_DIGIT = frozenset(range(LARGEST_ORDER_IN_CHARACTERS + 1))
_REPEATS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


@dataclass(frozen=True, eq=False)
class OneOf:
    """A part that is one symbol of a set."""

    symbols: frozenset[int]


@dataclass(frozen=True, eq=False)
class AnyOption:
    """A part that is one of several sequences."""

    options: tuple[PartSequence, ...]


@dataclass(frozen=True, eq=False)
class Repeated:
    """A part that is a sequence, ``least`` to ``most`` times; any number of times if ``most`` is ``None``."""

    inner: PartSequence
    least: int
    most: int | None

    @cached_property
    def once_less(self) -> Repeated:
        """The repeats that are left after the first one."""
        if self.most is not None:
            return Repeated(self.inner, max(self.least - 1, 0), self.most - 1)
        if self.least:
            return Repeated(self.inner, self.least - 1, None)
        return self


PatternPart: TypeAlias = OneOf | AnyOption | Repeated
PartSequence: TypeAlias = tuple[PatternPart, ...]
"""Parts one after the other. Two parts are equal only if they are one object, so that comparing sequences is cheap."""


# ---- from text -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def parse_pattern(pattern: str) -> PartSequence:
    """Return the sequence of parts that a pattern is.

    Parameters
    ----------
    pattern : str
        Symbols (1-9, then A-Z), ``.`` for any, ``[1-3]`` and ``[^5]``, ``( )``, ``|``, ``* + ?`` and ``{2,3}``, of up
        to 99 repeats.

    Raises
    ------
    ValueError
        With the place where it is no such pattern.

    Examples
    --------
    >>> parse_pattern("[12]")
    (OneOf(symbols=frozenset({1, 2})),)
    """
    if len(pattern) > LONGEST_PATTERN:
        raise ValueError(f"a pattern of {len(pattern):,} characters; expected at most {LONGEST_PATTERN}")
    reader = _PatternReader(pattern)
    parts = reader.read_alternatives()
    if reader.place < len(pattern):
        reader.refuse("a symbol, . [ ] ( ) | or one sign of repeats")
    return parts


class _PatternReader:
    """Reads a pattern from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.place = 0
        self.depth = 0

    def refuse(self, expected: str) -> None:
        raise ValueError(f"{self.pattern!r}, character {self.place + 1}: expected {expected}")

    def take(self, form: str) -> re.Match[str] | None:
        """Return what has a form at this place, and go on behind it; ``None`` for anything else."""
        match = re.compile(form).match(self.pattern, self.place)
        if match is not None:
            self.place = match.end()
        return match

    def read_alternatives(self) -> PartSequence:
        options = [self.read_sequence()]
        while self.take(r"\|"):
            options.append(self.read_sequence())
        if len(options) == 1:
            return options[0]
        return (AnyOption(tuple(options)),)

    def read_sequence(self) -> PartSequence:
        parts: list[PatternPart] = []
        while True:
            single = self.read_single()
            if single is None:
                return tuple(parts)
            mark = self.take(r"[*+?]|\{([0-9]{1,2})(,?)([0-9]{0,2})\}")
            if mark is None:
                parts += single
            else:
                least, most = self.repeats_of(mark)
                parts.append(Repeated(single, least, most))

    def repeats_of(self, mark: re.Match[str]) -> tuple[int, int | None]:
        """Return the least and the largest number of repeats that a sign states."""
        if mark[0] in _REPEATS:
            return _REPEATS[mark[0]]
        least = int(mark[1])
        most: int | None = least
        if mark[3]:
            most = int(mark[3])
        elif mark[2]:
            most = None
        if most is not None and most < least:
            self.refuse("the smaller number of repeats first")
        return least, most

    def read_single(self) -> PartSequence | None:
        """Return what one sign of repeats would be about; ``None`` where nothing of the kind begins."""
        if self.take(r"\("):
            return self.read_brackets()
        if self.take(r"\."):
            return (OneOf(_EVERY_DIGIT),)
        symbols = self.take(r"\[(\^?)((?:[0-9A-Za-z](?:-[0-9A-Za-z])?)+)\]|[0-9A-Za-z]")
        if symbols is None:
            return None
        named = self.symbols_of(symbols[2] or symbols[0])
        return (OneOf(_EVERY_DIGIT - named if symbols[1] else named),)

    def read_brackets(self) -> PartSequence:
        self.depth += 1
        if self.depth > DEEPEST_PATTERN:
            self.refuse(f"at most {DEEPEST_PATTERN} brackets, one in the other")
        inner = self.read_alternatives()
        if not self.take(r"\)"):
            self.refuse("a )")
        self.depth -= 1
        return inner

    def symbols_of(self, text: str) -> frozenset[int]:
        """Return the symbols that a text such as ``1-35`` names."""
        symbols: set[int] = set()
        for first, last in re.findall("(.)(?:-(.))?", text):
            low = digit_number(first) or 0
            high = digit_number(last or first) or 0
            if high < low:
                self.refuse("the smaller symbol first")
            symbols.update(range(low, high + 1))
        return frozenset(symbols)


# ---- matched as a whole ----------------------------------------------------------------------------------------------


def fits(pattern: PartSequence, symbols: Sequence[int]) -> bool:
    """Return whether all symbols together match a pattern.

    Examples
    --------
    >>> fits(parse_pattern("(.*)*12"), [3, 1, 2]), fits(parse_pattern("(.*)*12"), [1, 2, 3])
    (True, False)
    """
    return len(symbols) in _Places(symbols).behind_all(pattern, frozenset([0]))


class _Places:
    """The places of a line: place k is before its symbol k, and the last one behind its end."""

    def __init__(self, symbols: Sequence[int]) -> None:
        self._symbols = symbols
        self._behind: dict[tuple[PatternPart, int], frozenset[int]] = {}

    def behind_all(self, sequence: PartSequence, places: frozenset[int]) -> frozenset[int]:
        """Return the places behind a sequence that begins at one of some places."""
        for part in sequence:
            reached: set[int] = set()
            for place in places:
                reached |= self._behind_part(part, place)
            places = frozenset(reached)
        return places

    def _behind_part(self, part: PatternPart, place: int) -> frozenset[int]:
        """Return the places behind a part that begins at a place; each is worked out once."""
        key = (part, place)
        if key not in self._behind:
            self._behind[key] = self._work_out(part, place)
        return self._behind[key]

    def _work_out(self, part: PatternPart, place: int) -> frozenset[int]:
        if isinstance(part, OneOf):
            matches = place < len(self._symbols) and self._symbols[place] in part.symbols
            return frozenset([place + 1]) if matches else frozenset()
        here = frozenset([place])
        if isinstance(part, AnyOption):
            ends = [self.behind_all(option, here) for option in part.options]
            return frozenset().union(*ends)
        return self._repeat(part, here)

    def _repeat(self, part: Repeated, places: frozenset[int]) -> frozenset[int]:
        for _ in range(part.least):
            places = self.behind_all(part.inner, places)
        reached = set(places)
        more = part.most is None or part.most > part.least
        repeats = part.least
        while places and more:
            places = self.behind_all(part.inner, places) - reached  # from other places all has been seen
            reached |= places
            repeats += 1
            more = part.most is None or part.most > repeats
        return frozenset(reached)


# ---- run symbol by symbol --------------------------------------------------------------------------------------------


class PatternMachine:
    """A pattern as a machine. A state is a bit mask of sequences, numbered as they are met: one of them is left."""

    start = 1
    """The state before the first symbol: the whole pattern is left."""

    def __init__(self, pattern: PartSequence) -> None:
        self._numbers = {pattern: 0}
        self._sequences = [pattern]
        self._state_after: dict[tuple[int, int], int] = {}

    def step(self, state: int, symbol: int) -> int | None:
        """Return the state after one more symbol; ``None`` if the symbol fits none of the sequences."""
        state_after = 0
        while state:
            number = state.bit_length() - 1
            state ^= 1 << number
            state_after |= self._step_one(number, symbol)
        return state_after or None

    def accepts(self, state: int) -> bool:
        """Return whether the line may end in a state."""
        return any(may_be_empty(left) for number, left in enumerate(self._sequences) if state >> number & 1)

    def _step_one(self, number: int, symbol: int) -> int:
        """Return the state after a symbol where one sequence was left."""
        if (number, symbol) not in self._state_after:
            state = 0
            for left in left_after(self._sequences[number], symbol):
                state |= 1 << self._number_of(left)
            self._state_after[number, symbol] = state
        return self._state_after[number, symbol]

    def _number_of(self, sequence: PartSequence) -> int:
        if sequence not in self._numbers:
            check_effort(len(self._sequences))
            if len(self._sequences) > MOST_SEQUENCES:
                raise TooLarge(f"a regular expression of more than {MOST_SEQUENCES:,} states")
            self._numbers[sequence] = len(self._sequences)
            self._sequences.append(sequence)
        return self._numbers[sequence]


def may_be_empty(sequence: PartSequence) -> bool:
    """Return whether no symbols match a sequence."""
    for part in sequence:
        if isinstance(part, OneOf):
            return False
        if isinstance(part, AnyOption) and not any(may_be_empty(option) for option in part.options):
            return False
        if isinstance(part, Repeated) and part.least and not may_be_empty(part.inner):
            return False
    return True


def left_after(sequence: PartSequence, symbol: int) -> frozenset[PartSequence]:
    """Return what may be left of a sequence after one symbol; nothing if it does not fit."""
    left: set[PartSequence] = set()
    for number, part in enumerate(sequence):
        others = sequence[number + 1 :]
        for inner in _left_inside(part, symbol):
            left.add((*inner, *others))
        if not may_be_empty((part,)):
            break
    return frozenset(left)


def _left_inside(part: PatternPart, symbol: int) -> set[PartSequence]:
    """Return what may be left of a part after a symbol that belongs to it."""
    if isinstance(part, OneOf):
        return {()} if symbol in part.symbols else set()
    left: set[PartSequence] = set()
    if isinstance(part, AnyOption):
        for option in part.options:
            left |= left_after(option, symbol)
    elif part.most != 0:
        for inner in left_after(part.inner, symbol):
            left.add((*inner, part.once_less))
    return left


# ---- made patterns ---------------------------------------------------------------------------------------------------


def holding(classes: Sequence[str], cells: int, missing: Sequence[str] | None = None) -> str:
    """Return a pattern for so many cells that hold a digit of each class, such as ``[1-3]``.

    Examples
    --------
    >>> holding(["1", "2"], 2)
    '(1(2)|2(1))'
    """
    if missing is None:
        missing = sorted(classes)
    if not missing:
        return "." * cells
    options = []
    for first in missing:
        others = [other for other in missing if other != first]
        options.append(first + holding(classes, cells - 1, others))
    repeated = sorted(set(classes).difference(missing))
    if repeated and len(missing) < cells:
        options.append(f"({'|'.join(repeated)}){holding(classes, cells - 1, missing)}")
    return f"({'|'.join(options)})"


def windows(board: Shape, shape: str) -> list[tuple[int, ...]]:
    """Return the cells of each square ``2x2``, or of each ``3`` cells in a row or a column, of a board."""
    rows, columns = board
    if shape == "2x2":
        patterns = [[(0, 0), (0, 1), (1, 0), (1, 1)]]
    else:
        patterns = [[(0, 0), (0, 1), (0, 2)], [(0, 0), (1, 0), (2, 0)]]
    found = []
    for places in patterns:
        height, width = places[-1]
        for row in range(rows - height):
            for column in range(columns - width):
                found.append(tuple((row + down) * columns + column + right for down, right in places))
    return found
