"""Stories in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gridproof.solving.position import Candidate, Fact
from gridproof.solving.reason import Reason
from gridproof.solving.rule_words import RuleInReason
from gridproof.solving.story import StoryLine
from gridproof.solving.words import list_cells, list_symbols, listed

MOST_LINES_IN_SENTENCE = 5
"""Largest number of lines of a story that a sentence tells."""


class StoryPart(NamedTuple):
    """The story of one candidate.

    start: the number of its first line in the whole story. lines: numbered from the first one of it. likewise: the
    candidates that go in the same way, by the same facts; these are only named.
    """

    start: int
    lines: list[StoryLine]
    likewise: list[Candidate]


def split_story(lines: Sequence[StoryLine]) -> list[StoryPart]:
    """Return the stories of the candidates; of some that are alike only the first one."""
    parts: list[StoryPart] = []
    for number, line in enumerate(lines):
        if line.kind in ("suppose", "open"):
            parts.append(StoryPart(number, [], []))
        part = parts[-1]
        after = tuple([earlier - part.start for earlier in line.after])
        part.lines.append(line._replace(after=after))
    told: list[StoryPart] = []
    for part in parts:
        alike = [earlier for earlier in told if are_alike(earlier.lines, part.lines)]
        if alike:
            alike[0].likewise.extend(part.lines[0].candidates)
        else:
            told.append(part)
    return told


def describe_story(reason: Reason, lines: Sequence[StoryLine]) -> list[str]:
    """Return each line of a story in words, with its number, and the numbers of those before it that are not at hand.

    Of candidates that go in the same way the first one is told; the others are named in its last line.

    Parameters
    ----------
    reason
        The reason that the story is made of.
    lines
        The story.
    """
    texts: list[str] = []
    for part in split_story(lines):
        for number, line in enumerate(part.lines):
            text = "  " * line.depth + f"{number + 1}. {describe_line(reason, part.lines, number)}"
            is_at_hand = all(earlier == number - 1 for earlier in line.after)
            if line.kind != "case" and not is_at_hand:
                text += f" [{', '.join([str(earlier + 1) for earlier in line.after])}]"
            texts.append(text)
        if part.likewise:
            texts[-1] += f"; in the same way {name_gone(reason, part.likewise)}"
    return texts


def describe_as_if(reason: Reason, lines: Sequence[StoryLine]) -> str:
    """Return a short story without cases as part of a sentence: ``if r3c4 is 9, then r5c5 is not 9, ...; so ...``.

    It is empty for a longer story, and for one of candidates that go in different ways.
    """
    parts = split_story(lines)
    first = parts[0].lines
    is_short = 2 < len(first) <= MOST_LINES_IN_SENTENCE and first[0].kind == "suppose"
    has_cases = any(line.depth > 0 or line.kind == "cases" for line in first)
    if not is_short or has_cases or len(parts) > 1:
        return ""
    texts = [describe_line(reason, first, number) for number in range(1, len(first))]
    told = f"if {name_candidate(reason, first[0].candidates[0])}, {'; '.join(texts)}"
    if parts[0].likewise:
        told += f"; in the same way {name_gone(reason, parts[0].likewise)}"
    return told


def are_alike(one: Sequence[StoryLine], other: Sequence[StoryLine]) -> bool:
    """Return whether two stories have lines of the same kinds, by the same facts."""
    kinds = [line.kind for line in one]
    facts: set[Fact] = set()
    other_facts: set[Fact] = set()
    for line in one:
        facts.update(line.facts)
    for line in other:
        other_facts.update(line.facts)
    return kinds == [line.kind for line in other] and facts == other_facts


def describe_line(reason: Reason, part: Sequence[StoryLine], number: int) -> str:
    """Return a line of a story in words: ``r9c5 is 8, its only place in box 8 (by column 4)``.

    part: the story of one candidate. number: that of the line in it, from 0.
    """
    line = part[number]
    first = name_candidate(reason, line.candidates[0]) if line.candidates else ""
    match line.kind:
        case "suppose":
            return f"suppose {first}"
        case "case":
            return f"if {first}"
        case "open":
            return f"{name_gone(reason, line.candidates)}, but its story is too long to be told"
        case "cases":
            return f"{describe_options(reason, line)}{name_houses(reason, line.facts[1:])}"
        case "contradiction" if not line.facts and not line.candidates:
            return "so none of these can be"
        case "is not" if not line.facts:
            return f"so {name_gone(reason, line.candidates)}"
    left = masks_before(reason, part, line)
    if line.is_hall_set:
        members = [fact for fact in line.facts if fact.kind in ("cell", "place")]
        return describe_hall_set(reason, line, members, left)
    others = name_houses(reason, line.facts[1:])
    is_by_same_rule = by_same_rule(part, number)
    if line.kind == "contradiction":
        cannot_be = "the same rule cannot hold" if is_by_same_rule else describe_contradiction(reason, line)
        return f"but then {cannot_be}{others}"
    conclusion = name_gone(reason, line.candidates) if line.kind == "is not" else first
    return f"then {conclusion}, {describe_cause(reason, line, left, is_by_same_rule)}{others}"


def by_same_rule(part: Sequence[StoryLine], number: int) -> bool:
    """Return whether a line is by the rule that was told last before it."""
    decisive = part[number].facts[:1]
    for line in reversed(part[:number]):
        rules = [fact for fact in line.facts if fact.kind == "rule"]
        if rules:
            return line.facts[:1] == decisive and len(rules) == 1
    return False


def masks_before(reason: Reason, part: Sequence[StoryLine], line: StoryLine) -> list[int]:
    """Return what is left in each cell by the lines that a line follows from, and by the houses of the line."""
    houses = reason.position.board.geometry.houses
    masks = list(reason.position.candidates)
    for number in line.after:
        earlier = part[number]
        for cell, symbol in earlier.candidates:
            bit = 1 << (symbol - 1)
            if earlier.kind == "is not":
                masks[cell] &= ~bit
                continue
            masks[cell] &= bit
            for fact in line.facts:
                if fact.kind == "once" and cell in houses[fact.number].cells:
                    for other in houses[fact.number].cells:
                        if other != cell:
                            masks[other] &= ~bit
    return masks


def name_candidate(reason: Reason, candidate: Candidate) -> str:
    """Return a candidate in words: ``r1c1 is 5``."""
    geometry = reason.position.board.geometry
    cell, symbol = candidate
    return f"{geometry.cell_name(cell)} is {geometry.symbol_text(symbol)}"


def name_gone(reason: Reason, candidates: Sequence[Candidate]) -> str:
    """Return that candidates do not hold, in words: ``r1c1 is not 2 or 5 and r1c2 is not 5``."""
    geometry = reason.position.board.geometry
    symbols_of: dict[int, list[int]] = {}
    for cell, symbol in candidates:
        symbols_of.setdefault(cell, []).append(symbol)
    cells_without: dict[str, list[int]] = {}
    for cell, symbols in symbols_of.items():
        cells_without.setdefault(list_symbols(geometry, symbols, " or "), []).append(cell)
    texts: list[str] = []
    for names, cells in cells_without.items():
        negated = "is not" if len(cells) == 1 else "are not"
        texts.append(f"{list_cells(geometry, cells)} {negated} {names}")
    return listed(texts)


def describe_cause(reason: Reason, line: StoryLine, left: Sequence[int], is_by_same_rule: bool) -> str:
    """Return how the first fact of a line decides a candidate.

    left: the mask of each cell before the line. is_by_same_rule: whether the rule of the line was told last before it.
    """
    board = reason.position.board
    geometry = board.geometry
    fact = line.facts[0]
    match fact.kind:
        case "cell":
            return "its only symbol left"
        case "place":
            return f"the only place in {geometry.houses[fact.number].name}"
        case "rule":
            rule = board.rules[fact.number]
            told = "by the same rule" if is_by_same_rule else f"because {rule.sentence(geometry)}"
            if line.kind == "is" and len(rule.scope(geometry)) == 2:  # the other cell has its symbol
                return told
            removed = line.candidates if line.kind == "is not" else ()
            houses = [set(geometry.houses[other.number].cells) for other in line.facts if other.kind == "once"]
            return RuleInReason(geometry, rule, left, removed=removed, houses=houses).describe(told)
        case "once":
            house = reason.describe_house(fact.number)
            return f"because {house.subject} {house.verb}"


# ---- Hall sets -------------------------------------------------------------------------------------------------------


def describe_hall_set(reason: Reason, line: StoryLine, members: Sequence[Fact], left: Sequence[int]) -> str:
    """Return what a Hall set takes away: ``then r1c1 and r1c2 hold 3 and 7, so r1c4 is not 3 (by row 1)``.

    members: the facts of the set that are cells or places. left: the mask of each cell before the line.
    """
    geometry = reason.position.board.geometry
    houses = list(dict.fromkeys([fact.number for fact in members]))
    others = [fact for fact in line.facts if fact not in members]
    if members[0].kind == "cell":
        cells = [fact.number for fact in members]
        symbols: list[int] = [s for s in geometry.symbols if any(left[cell] >> (s - 1) & 1 for cell in cells)]
        subject = list_cells(geometry, cells)
        verb, rooms = "hold", list_symbols(geometry, symbols)
    elif len(houses) == 1:
        symbols = [fact.symbol for fact in members]
        places: list[int] = []
        for cell in geometry.houses[houses[0]].cells:
            if any(left[cell] >> (symbol - 1) & 1 for symbol in symbols):
                places.append(cell)
        subject = f"{list_symbols(geometry, symbols)} in {geometry.houses[houses[0]].name}"
        verb, rooms = "are in", list_cells(geometry, places)
    else:
        across = [fact for fact in others if fact.kind == "once"][: len(members)]
        others = [fact for fact in others if fact not in across]
        names = listed([geometry.houses[house].name for house in houses])
        subject = f"{geometry.symbol_text(members[0].symbol)} in {names}"
        verb, rooms = "is in", listed([geometry.houses[fact.number].name for fact in across])
    return f"then {subject} {verb} {rooms}, so {name_gone(reason, line.candidates)}{name_houses(reason, others)}"


# ---- cases, contradictions and houses --------------------------------------------------------------------------------


def describe_options(reason: Reason, line: StoryLine) -> str:
    """Return the cases of a fact: ``8 in box 8 is in r9c5 or r9c6``."""
    geometry = reason.position.board.geometry
    cells = [cell for cell, _ in line.candidates]
    symbols = [symbol for _, symbol in line.candidates]
    if line.facts and line.facts[0].kind == "place":
        house = geometry.houses[line.facts[0].number].name
        return f"{geometry.symbol_text(symbols[0])} in {house} is in {list_cells(geometry, cells, ' or ')}"
    if len(set(cells)) == 1:
        return f"{geometry.cell_name(cells[0])} is {list_symbols(geometry, symbols, ' or ')}"
    return listed([name_candidate(reason, candidate) for candidate in line.candidates], " or ")


def describe_contradiction(reason: Reason, line: StoryLine) -> str:
    """Return what cannot be: ``3 has no place in row 3``, ``5 is twice in box 1``, ``r1c1 is 2 and 5``."""
    board = reason.position.board
    geometry = board.geometry
    fact = line.facts[0] if line.facts else None
    if fact is None:
        cell = geometry.cell_name(line.candidates[0][0])
        return f"{cell} is {list_symbols(geometry, [symbol for _, symbol in line.candidates])}"
    match fact.kind:
        case "cell":
            return f"{geometry.cell_name(fact.number)} has no symbol left"
        case "place":
            return f"{geometry.symbol_text(fact.symbol)} has no place in {geometry.houses[fact.number].name}"
        case "rule":
            return f"it cannot be that {board.rules[fact.number].sentence(geometry)}"
        case "once":
            symbol = geometry.symbol_text(line.candidates[0][1])
            return f"{symbol} is twice in {geometry.houses[fact.number].name}"


def name_houses(reason: Reason, facts: Sequence[Fact]) -> str:
    """Return the further facts behind a line in brackets: `` (by column 4 and box 2)``."""
    board = reason.position.board
    names: list[str] = []
    for fact in facts:
        if fact.kind == "rule":
            names.append(board.rules[fact.number].sentence(board.geometry))
        elif fact.kind == "cell":
            names.append(board.geometry.cell_name(fact.number))
        else:
            names.append(board.geometry.houses[fact.number].name)
    return f" (by {listed(names)})" if names else ""
