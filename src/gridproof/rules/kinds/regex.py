"""Languages of the user's own that a line has to be in: a regular expression, or a state machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gridproof.errors import InputError
from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import patterns
from gridproof.rules.drawing import Line
from gridproof.rules.kinds.lines import OnLines
from gridproof.rules.primitives import NEVER, Automaton, Cells, Primitive
from gridproof.rules.rule import parameter
from gridproof.text import quote


class Regex(OnLines):
    """The digits along a line match a regular expression, such as ``.*(12|21).*``.

    It has digits, ``.``, ``[1-3]``, ``[^5]``, ``( )``, ``|``, ``* + ?`` and ``{2,3}``; the whole line must match.
    With digits above 35 they are no characters, and no grid fulfils the rule.
    """

    pattern: str = parameter("text", "the regular expression")

    kind = "regex"
    words = "the digits along {lines} match {pattern}"
    mark = Line((), "teal", "thin")
    example = "regex .*(12|21).* row1"
    aliases = ("automaton",)

    def __post_init__(self) -> None:
        try:
            patterns.parse_pattern(self.pattern)
        except ValueError as problem:
            raise InputError(str(problem)) from None

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        if not geometry.digits.are_characters:
            yield NEVER
            return
        machine = patterns.PatternMachine(patterns.parse_pattern(self.pattern))
        yield Automaton.of(line, geometry.digits, machine.start, machine.step, machine.accepts)

    def fits(self, digits: Sequence[Digit], line: Cells, geometry: Geometry) -> bool:
        if not geometry.digits.are_characters:
            return False
        return patterns.fits(patterns.parse_pattern(self.pattern), digits)


class MachineStep(NamedTuple):
    """A step of a state machine: in a state, a digit leads to the state after it."""

    state: int
    digit: int
    state_after: int


class StateMachine(OnLines):
    """The digits along a line lead a machine from a start to an end, such as ``start 1>1 2>0; end 3>1``.

    Its states, numbered from 0, are parted by ``;``. Each lists its steps, the digit and the state after it. A digit
    may have several steps; a line without a step does not fit.
    """

    states: str = parameter("text", "the states, each with start, end, and steps such as 3>1")

    kind = "state-machine"
    words = "the digits along {lines} lead the machine {states} from a start to an end"
    mark = Line((), "teal", "thin")
    example = "state-machine 'start 1>1 2>1; end 3>1 4>1' row1"

    def __post_init__(self) -> None:
        for _, word in self._words():
            if not re.fullmatch(r"start|end|[0-9]{1,9}>[0-9]{1,9}", word):
                raise InputError(f"{quote(word)} in a state; expected start, end, or a step such as 3>1")

    def _words(self) -> list[tuple[int, str]]:
        """Return each word with the number of the state that states it."""
        words = []
        for state, text in enumerate(self.states.split(";")):
            for word in text.split():
                words.append((state, word))
        return words

    def _states_named(self, name: str) -> frozenset[int]:
        """Return the states that are a ``start``, or an ``end``."""
        return frozenset(state for state, word in self._words() if word == name)

    def _steps(self) -> list[MachineStep]:
        steps = []
        for state, word in self._words():
            digit, arrow, state_after = word.partition(">")
            if arrow:
                steps.append(MachineStep(state, int(digit), int(state_after)))
        return steps

    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        ends = self._states_named("end")
        after: dict[tuple[int, int], set[int]] = {}
        for step in self._steps():
            after.setdefault((step.state, step.digit), set()).add(step.state_after)

        def advance(states: frozenset[int], digit: int) -> frozenset[int] | None:
            reached: set[int] = set()
            for state in states:
                reached |= after.get((state, digit), set())
            return frozenset(reached) or None

        def is_end(states: frozenset[int]) -> bool:
            return not ends.isdisjoint(states)

        yield Automaton.of(line, geometry.digits, self._states_named("start"), advance, is_end)

    def fits(self, digits: Sequence[Digit], line: Cells, geometry: Geometry) -> bool:
        steps = self._steps()
        may_follow = set(self._states_named("end"))  # the states from which what is behind a cell leads to an end
        for digit in reversed(digits):
            may_follow = {step.state for step in steps if step.digit == digit and step.state_after in may_follow}
        return bool(may_follow & self._states_named("start"))
