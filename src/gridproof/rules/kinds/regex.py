"""A regular expression of the user's own, as a machine that reads a line cell by cell.

A pattern is a sequence of parts. After some symbols, what is left to be matched is one of several sequences: these are
the pattern's partial derivatives (Antimirov 1996, "Partial derivatives of regular expressions"), finitely many.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from gridproof.errors import InputError
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry, symbol_number
from gridproof.rules.drawing import Line
from gridproof.rules.kinds.lines import OnLines
from gridproof.rules.primitives import Automaton, Cells, Primitive
from gridproof.rules.rule import parameter


class Regex(OnLines):
    """The digits along a line match a regular expression, such as ``.*(12|21).*``.

    It has symbols, ``.``, ``[1-3]``, ``[^5]``, ``( )``, ``|``, ``* + ?`` and ``{2,3}``; the whole line must match.
    Above order 35 symbols are no characters, and no grid fulfils the rule.
    """

    pattern: str = parameter("text", "the regular expression")

    kind = "regex"
    words = "the digits along {lines} match {pattern}"
    mark = Line((), "teal", "thin")
    example = "regex .*(12|21).* row1"
    aliases = ("automaton",)

    def __post_init__(self) -> None:
        try:
            parsed(self.pattern)
        except (ValueError, RecursionError) as problem:
            raise InputError(str(problem)) from None

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        order = geometry.order if geometry.order <= LARGEST_ORDER_IN_CHARACTERS else 0
        machine = Machine(self.pattern)
        yield Automaton.of(line, order, machine.start, machine.step, machine.accepts)

    def fits(self, digits: Sequence[int], line: Cells, geometry: Geometry) -> bool:
        if geometry.order > LARGEST_ORDER_IN_CHARACTERS:
            return False
        return bool(re.fullmatch(self.pattern.upper(), "".join(map(geometry.symbol_text, digits))))


class StateMachine(OnLines):
    """The digits along a line lead a machine from a start to an end, such as ``start 1>1 2>0; end 3>1``.

    Its states, numbered from 0, are parted by ``;``. Each lists its steps, the symbol and the state after it. A symbol
    may have several steps; a line without a step does not fit.
    """

    states: str = parameter("text", "the states, each with start, end, and steps such as 3>1")

    kind = "state-machine"
    words = "the digits along {lines} lead the machine {states} from a start to an end"
    mark = Line((), "teal", "thin")
    example = "state-machine 'start 1>1 2>1; end 3>1 4>1' row1"

    def __post_init__(self) -> None:
        for state in self.states.split(";"):
            if wrong := next((word for word in state.split() if not re.fullmatch(r"start|end|\d+>\d+", word)), None):
                raise InputError(f"{wrong!r} in a state; expected start, end, or a step such as 3>1")

    def _tables(self) -> tuple[frozenset[int], frozenset[int], set[tuple[int, int, int]]]:
        """Return the starts, the ends, and the steps (state, symbol, state after it)."""
        words = [(number, word) for number, state in enumerate(self.states.split(";")) for word in state.split()]
        starts, ends = (frozenset(number for number, word in words if word == name) for name in ("start", "end"))
        steps = {(number, *map(int, word.split(">"))) for number, word in words if ">" in word}
        return starts, ends, steps  # type: ignore[return-value]

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        starts, ends, steps = self._tables()
        after: dict[tuple[int, int], set[int]] = {}
        for state, symbol, then in steps:
            after.setdefault((state, symbol), set()).add(then)

        def step(states: frozenset[int], symbol: int) -> frozenset[int] | None:
            return frozenset().union(*(after.get((state, symbol), ()) for state in states)) or None

        yield Automaton.of(line, geometry.order, starts, step, lambda states: not ends.isdisjoint(states))

    def fits(self, digits: Sequence[int], line: Cells, geometry: Geometry) -> bool:
        starts, ends, steps = self._tables()
        may_follow = {*ends}  # the states from which what is behind a cell leads to an end
        for digit in reversed(digits):
            may_follow = {state for state, symbol, then in steps if symbol == digit and then in may_follow}
        return bool(may_follow & starts)


Rest: TypeAlias = tuple[tuple[Any, ...], ...]
"""What is left to be matched, part by part: ``("symbols", set)``, ``("options", sequences)`` or ``("times", sequence,
least, most)``, where ``most`` may be ``None``."""
LONGEST = 500
"""Characters of a pattern: no person writes a longer one, and it bounds how deep a pattern is nested."""

_EVERY = frozenset(range(1, LARGEST_ORDER_IN_CHARACTERS + 1))
_REPEATS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def parsed(pattern: str) -> Rest:
    """Return the sequence that a pattern is.

    Parameters
    ----------
    pattern : str
        Symbols (1-9, then A-Z), ``.`` for any, ``[1-3]`` and ``[^5]``, ``( )``, ``|``, ``* + ?`` and ``{2,3}``, of up
        to 99 repeats.

    Raises
    ------
    ValueError
        With the place where it is no such pattern.
    """
    if len(pattern) > LONGEST:
        raise ValueError(f"a pattern of {len(pattern):,} characters; expected at most {LONGEST}")
    reader = _Reader(pattern)
    rest = reader.alternatives()
    if reader.place < len(pattern):
        reader.refuse("a symbol, . [ ] ( ) | or one sign of repeats")
    return rest


class _Reader:
    def __init__(self, pattern: str) -> None:
        self.pattern, self.place = pattern, 0

    def refuse(self, expected: str) -> None:
        raise ValueError(f"{self.pattern!r}, character {self.place + 1}: expected {expected}")

    def take(self, form: str) -> re.Match[str] | None:
        """Return what has a form at this place, and go on behind it; ``None`` for anything else."""
        match = re.compile(form).match(self.pattern, self.place)
        self.place = match.end() if match else self.place
        return match

    def alternatives(self) -> Rest:
        options = [self.sequence()]
        while self.take(r"\|"):
            options.append(self.sequence())
        return options[0] if len(options) == 1 else (("options", tuple(options)),)

    def sequence(self) -> Rest:
        parts: Rest = ()
        while (single := self.single()) is not None:
            if mark := self.take(r"[*+?]|\{([0-9]{1,2})(,?)([0-9]{0,2})\}"):
                low, comma, high = mark[1], mark[2], mark[3]
                least, most = _REPEATS.get(mark[0]) or (int(low), int(high) if high else None if comma else int(low))
                if most is not None and most < least:
                    self.refuse("the smaller number of repeats first")
                single = (("times", single, least, most),)
            parts += single
        return parts

    def single(self) -> Rest | None:
        if self.take(r"\("):
            rest = self.alternatives()
            if not self.take(r"\)"):
                self.refuse("a )")
            return rest
        if self.take(r"\."):
            return (("symbols", _EVERY),)
        if match := self.take(r"\[(\^?)((?:[1-9A-Za-z](?:-[1-9A-Za-z])?)+)\]|[1-9A-Za-z]"):
            listed = set[int]()
            for first, last in re.findall("(.)(?:-(.))?", match[2] or match[0]):
                symbols = range(symbol_number(first) or 0, (symbol_number(last or first) or 0) + 1)
                if not symbols:
                    self.refuse("the smaller symbol first")
                listed.update(symbols)
            return (("symbols", _EVERY - listed if match[1] else frozenset(listed)),)
        return None


def may_end(rest: Rest) -> bool:
    """Return whether the line may end here."""
    return all(
        (word == "options" and any(map(may_end, inner))) or (word == "times" and (not least[0] or may_end(inner)))
        for word, inner, *least in rest
    )


class Machine:
    """A pattern as a machine. A state is a bit mask of sequences, numbered as they are met: one of them is left."""

    start = 1

    def __init__(self, pattern: str) -> None:
        self._numbers = {parsed(pattern): 0}
        self._rests = [*self._numbers]
        self._after: dict[tuple[int, int], int] = {}

    def step(self, state: int, symbol: int) -> int | None:
        """Return the state after one more symbol; ``None`` if the symbol fits none of the sequences."""
        mask = 0
        while state:
            last = state.bit_length() - 1
            state ^= 1 << last
            if (last, symbol) not in self._after:
                self._after[last, symbol] = self._mask(after(self._rests[last], symbol))
            mask |= self._after[last, symbol]
        return mask or None

    def accepts(self, state: int) -> bool:
        """Return whether the line may end in a state."""
        return any(may_end(rest) for number, rest in enumerate(self._rests) if state >> number & 1)

    def _mask(self, rests: frozenset[Rest]) -> int:
        mask = 0
        for rest in rests:
            if rest not in self._numbers:
                self._numbers[rest] = len(self._rests)
                self._rests.append(rest)
            mask |= 1 << self._numbers[rest]
        return mask


def after(rest: Rest, symbol: int) -> frozenset[Rest]:
    """Return what may be left after one symbol; nothing if it does not fit."""
    match rest:
        case (("symbols", symbols), *others) if symbol in symbols:
            return frozenset({tuple(others)})
        case (("options", options), *others):
            return frozenset().union(*(after((*option, *others), symbol) for option in options))
        case (("times", inner, least, most), *others) if most != 0:
            again = ("times", inner, max(least - 1, 0), None if most is None else most - 1)
            found = frozenset((*left, again, *others) for left in after(inner, symbol))
            return found | after(tuple(others), symbol) if may_end(rest[:1]) else found
        case (("times", *_), *others):
            return after(tuple(others), symbol)
    return frozenset()


def holding(classes: Sequence[str], cells: int, missing: Sequence[str] | None = None) -> str:
    """Return a pattern for so many cells that hold a digit of each class, such as ``[1-3]``.

    Examples
    --------
    >>> holding(["1", "2"], 2)
    '(1(2)|2(1))'
    """
    missing = sorted(classes) if missing is None else missing
    if not missing:
        return "." * cells
    options = [one + holding(classes, cells - 1, [other for other in missing if other != one]) for one in missing]
    if len(missing) < cells and (others := sorted({*classes} - {*missing})):
        options.append(f"({'|'.join(others)}){holding(classes, cells - 1, missing)}")
    return f"({'|'.join(options)})"


def windows(order: int, shape: str) -> list[tuple[int, ...]]:
    """Return the cells of each square ``2x2``, or of each ``3`` cells in a row or a column, of a board."""
    deltas = [[0, 1, order, order + 1]] if shape == "2x2" else [[0, 1, 2], [0, order, 2 * order]]
    places = [(row, column) for row in range(order) for column in range(order)]
    return [
        tuple(row * order + column + step for step in steps)
        for steps in deltas
        for row, column in places
        if row + steps[-1] // order < order and column + steps[-1] % order < order
    ]
