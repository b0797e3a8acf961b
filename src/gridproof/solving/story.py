"""The story of a step: its reason told in order, from "suppose that this candidate holds" to what cannot be.

From a contradiction (``derivation.py`` finds it) one goes back, so only what is needed is told. What a house or a cell
takes away is no line of its own: it belongs to the line that needs it. So a line is a symbol in a cell, or what a rule
takes away, with the facts and the earlier lines that it follows from. A story without an end consists of one line,
which is ``open``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from gridproof.backends.protocol import Incremental
from gridproof.explanations.minimiser import contradicting, minimise
from gridproof.solving.derivation import Derivation, DerivationTree, Refutation, find_roots
from gridproof.solving.facts import Facts
from gridproof.solving.position import Candidate, Fact, Position

LineKind: TypeAlias = Literal["suppose", "is", "is not", "cases", "case", "contradiction", "conclusion", "open"]


class StoryLine(NamedTuple):
    """A line of a story.

    kind: ``suppose`` and ``case`` assume a candidate; ``is`` and ``is not`` conclude that it holds, or not; ``cases``
    that one of several holds; ``contradiction`` that all this cannot be; ``conclusion`` is that of the step, where one
    fact gives it at once; ``open`` follows, but no story was found. candidates: what the line is about. facts: those
    that it follows from, first the one that decides; of a contradiction, the one that cannot hold. after: the numbers,
    from 0, of the earlier lines that it follows from. depth: how many cases the line is in. is_hall_set: whether all
    cells, or all places, among the facts decide together.
    """

    kind: LineKind
    candidates: tuple[Candidate, ...] = ()
    facts: tuple[Fact, ...] = ()
    after: tuple[int, ...] = ()
    depth: int = 0
    is_hall_set: bool = False


def make_story(step: StoryGoal, facts: Facts, solver: Incremental) -> tuple[StoryLine, ...]:
    """Return the story of a conclusion; several candidates to remove are told one after the other.

    Parameters
    ----------
    step
        What is told.
    facts, solver
        All facts, and the solver that holds them and the candidates that are left.
    """
    if step.placed or len(step.reason) == 1:
        return (StoryLine("conclusion", step.placed or step.removed, step.reason),)
    lines: list[StoryLine] = []
    for candidate in step.removed:
        tree = DerivationTree(facts, step.position, step.reason, candidate)
        refutation = tree.refute()
        if refutation is None:
            lines.append(StoryLine("open", (candidate,), step.reason))
        else:
            Writer(tree, lines).write(refutation)
    return tuple(merge_lines(Trimmer(facts, solver, lines).trim()))


def merge_lines(lines: Sequence[StoryLine]) -> list[StoryLine]:
    """Return a story in which all that a rule or a Hall set takes away, line after line, is one line."""
    merged: list[StoryLine] = []
    number_of: dict[int, int] = {}
    for number, line in enumerate(lines):
        after = tuple(sorted({number_of[earlier] for earlier in line.after}))
        line = line._replace(after=after)
        place = find_same_conclusion(merged, line)
        if place is None:
            place = len(merged)
            merged.append(line)
        else:
            merged[place] = merge_two(merged[place], line)
        number_of[number] = place
    return merged


def find_same_conclusion(merged: Sequence[StoryLine], line: StoryLine) -> int | None:
    """Return the number of a line that another one may be merged with, which removes more; ``None`` if there is none.

    It is the one before, or an earlier one of the same case that follows from the very same facts and lines.
    """
    last = len(merged) - 1
    for place in range(last, -1, -1):
        earlier = merged[place]
        if earlier.kind == "suppose" or earlier.depth < line.depth:
            return None
        if earlier.kind == "case" and earlier.depth == line.depth:
            return None
        if is_by_same_facts(earlier, line):
            is_next = place == last and place not in line.after
            is_equal = set(earlier.facts) == set(line.facts) and earlier.after == line.after
            if is_next or is_equal:
                return place
    return None


def is_by_same_facts(line: StoryLine, other: StoryLine) -> bool:
    """Return whether two lines remove candidates by the same fact, and one of them by no further facts of its own."""
    if line.kind != "is not" or other.kind != "is not" or line.depth != other.depth:
        return False
    facts = set(line.facts)
    other_facts = set(other.facts)
    return line.facts[:1] == other.facts[:1] and bool(facts) and (facts <= other_facts or other_facts <= facts)


def merge_two(line: StoryLine, other: StoryLine) -> StoryLine:
    """Return one line for two that remove candidates."""
    return line._replace(
        candidates=tuple(sorted(line.candidates + other.candidates)),
        facts=max(line.facts, other.facts, key=len),
        after=tuple(sorted({*line.after, *other.after})),
    )


class StoryGoal(NamedTuple):
    """The subject of a story: how a conclusion follows from a reason in a position."""

    position: Position
    reason: tuple[Fact, ...]
    placed: tuple[Candidate, ...]
    removed: tuple[Candidate, ...]


# ---- the lines -------------------------------------------------------------------------------------------------------


class Writer:
    """Writes the lines of a refutation.

    Parameters
    ----------
    tree
        The search that found it.
    lines
        The lines before, to which those of the refutation are added.
    """

    def __init__(self, tree: DerivationTree, lines: list[StoryLine]) -> None:
        self.tree = tree
        self.lines = lines

    def write(self, refutation: Refutation) -> None:
        """Add the lines of a refutation of the candidate."""
        number = self.add("suppose", [self.tree.assumed], 0)
        self.write_refutation(refutation, {self.tree.assumed: number}, 0)

    def add(
        self,
        kind: LineKind,
        literals: Iterable[int],
        depth: int,
        facts: Iterable[Fact] = (),
        after: Iterable[int] = (),
        is_hall_set: bool = False,
    ) -> int:
        """Add a line. Return its number."""
        candidates = tuple([self.tree.facts.candidate(abs(literal)) for literal in literals])
        self.lines.append(StoryLine(kind, candidates, tuple(facts), tuple(sorted(after)), depth, is_hall_set))
        return len(self.lines) - 1

    def write_refutation(self, refutation: Refutation, numbers: dict[int, int], depth: int) -> int:
        """Add what leads to a contradiction, and this; return its number. numbers: of the literals that have lines."""
        self.write_before(refutation, find_roots(refutation, depth), numbers)
        facts, after = self.gather(refutation, numbers)
        if not refutation.cases:
            together = [literal for literal in refutation.before if self.is_candidate(literal)]
            return self.add("contradiction", together, depth, facts, after)
        options = [option for option, _ in refutation.cases]
        ends = [self.add("cases", options, depth, facts, after)]
        for option, case in refutation.cases:
            own_numbers = numbers.copy()
            own_numbers[option] = self.add("case", [option], depth + 1, after=ends[:1])
            ends.append(self.write_refutation(case, own_numbers, depth + 1))
        return self.add("contradiction", (), depth, after=ends)

    def write_before(self, refutation: Refutation, literals: Iterable[int], numbers: dict[int, int]) -> None:
        """Add the lines of some literals that lead to a refutation, or to a literal by the same fact."""
        for literal in literals:
            if literal in numbers:
                continue
            derivation = refutation.derivations[literal]
            if self.is_part(literal, derivation, refutation.facts):
                self.write_before(refutation, derivation.before, numbers)
            else:
                self.write_literal(literal, refutation.derivations, numbers)

    def write_literal(self, literal: int, derivations: Mapping[int, Derivation], numbers: dict[int, int]) -> None:
        """Add the line of a literal, after all that it follows from."""
        derivation = derivations[literal]
        way = Refutation(derivation.facts, derivation.before, derivations)
        self.write_before(way, derivation.before, numbers)
        if derivation.refutation is not None:
            own_numbers = dict(numbers)
            own_numbers[-literal] = self.add("case", [literal], derivation.depth + 1)
            end = self.write_refutation(derivation.refutation, own_numbers, derivation.depth + 1)
            numbers[literal] = self.add("is not", [literal], derivation.depth, after=[end])
            return
        facts, after = self.gather(way, numbers)
        kind: LineKind = "is" if literal > 0 else "is not"
        numbers[literal] = self.add(kind, [literal], derivation.depth, facts, after, len(way.facts) > 1)

    def is_part(self, literal: int, derivation: Derivation, facts: tuple[Fact, ...]) -> bool:
        """Return whether a literal belongs to the line that some facts decide: it has no line of its own.

        So it is with variables of rules, with what a house or a cell takes away, and with what the same rule does. What
        a Hall set takes away has a line.
        """
        if abs(literal) > self.tree.facts.cell_variables:
            return True
        if literal > 0 or derivation.refutation is not None:
            return False
        if derivation.facts == facts:
            return True
        by_rule = any(fact.kind == "rule" for fact in derivation.facts)
        return not by_rule and len(derivation.facts) < 2

    def is_candidate(self, literal: int) -> bool:
        return 0 < literal <= self.tree.facts.cell_variables

    def gather(self, refutation: Refutation, numbers: Mapping[int, int]) -> tuple[list[Fact], set[int]]:
        """Return the facts behind a contradiction, and the numbers of the lines before it."""
        facts = dict.fromkeys(refutation.facts)
        after: set[int] = set()
        todo = list(refutation.before)
        while todo:
            literal = todo.pop(0)
            if literal in numbers:
                after.add(numbers[literal])
                continue
            derivation = refutation.derivations[literal]
            facts |= dict.fromkeys(derivation.facts)
            todo += derivation.before
        for fact in list(facts):  # what a rule states with houses needs them
            facts |= dict.fromkeys(self.tree.houses_of_rule.get(fact, ()))
        return list(facts), after


class Trimmer:
    """Leaves out of a story what is not needed: a cell may see two lines where one is enough.

    Parameters
    ----------
    facts, solver
        All facts, and the solver that holds them.
    lines
        The story.
    """

    def __init__(self, facts: Facts, solver: Incremental, lines: Sequence[StoryLine]) -> None:
        self.facts = facts
        self.solver = solver
        self.lines = list(lines)

    def trim(self) -> list[StoryLine]:
        """Return the story with only the facts and the lines that are needed."""
        needed: set[int] = set()
        for number in range(len(self.lines) - 1, -1, -1):
            line = self.lines[number]
            is_end = line.depth == 0 and line.kind in ("contradiction", "suppose", "open")
            if number not in needed and not is_end:
                continue
            needed.add(number)
            line = self.lines[number] = self.shorten(line)
            needed.update(line.after)
            if line.kind == "contradiction" and line.depth > 0:
                needed.add(self.find_case(number))
        kept = sorted(needed)
        number_of = {number: place for place, number in enumerate(kept)}
        trimmed: list[StoryLine] = []
        for number in kept:
            after = [number_of[earlier] for earlier in self.lines[number].after]
            trimmed.append(self.lines[number]._replace(after=tuple(after)))
        return trimmed

    def find_case(self, end: int) -> int:
        """Return the number of the line with which a case begins, given that with which it ends."""
        number = end
        while self.lines[number].kind != "case" or self.lines[number].depth != self.lines[end].depth:
            number -= 1
        return number

    def shorten(self, line: StoryLine) -> StoryLine:
        """Return a line with a minimal set of the facts and earlier lines that it follows from."""
        if not line.facts and line.kind != "contradiction":
            return line
        if any(self.lines[number].kind in ("cases", "contradiction") for number in line.after):
            return line
        literal_of = {number: self.literals(self.lines[number])[0] for number in line.after}
        selector_of = {fact: self.facts.selectors(self.facts.bit[fact])[0] for fact in line.facts}
        negated: list[int] = []
        if line.kind != "contradiction":
            negated = [-literal for literal in self.literals(line)]
        members = list(literal_of.values()) + list(reversed(selector_of.values()))  # what decides stays if it can
        kept = minimise(members, contradicting(self.solver, self.facts.watch, negated))
        if kept is None:
            return line
        facts = [fact for fact, selector in selector_of.items() if selector in kept]
        after = [number for number, literal in literal_of.items() if literal in kept]
        return line._replace(facts=tuple(facts), after=tuple(after))

    def literals(self, line: StoryLine) -> list[int]:
        """Return the candidates of a line as literals."""
        sign = -1 if line.kind == "is not" else 1
        return [sign * self.facts.x[cell][symbol] for cell, symbol in line.candidates]
