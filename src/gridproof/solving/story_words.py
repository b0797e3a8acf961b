"""Stories in words."""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.solving.position import Candidate, Fact
from gridproof.solving.reason import Reason
from gridproof.solving.story import StoryLine
from gridproof.solving.words import list_cells, list_symbols, listed

MOST_LINES_IN_SENTENCE = 5
"""Largest number of lines of a story that a sentence tells."""


def describe_story(reason: Reason, lines: Sequence[StoryLine]) -> list[str]:
    """Return each line of a story in words, with its number, and the numbers of those before it that are not at hand.

    Candidates that go in the same way as the first one, by the same facts, are only named.

    Parameters
    ----------
    reason
        The reason that the story is made of.
    lines
        The story.
    """
    texts: list[str] = []
    likewise: list[Candidate] = []
    first: list[StoryLine] = []
    for start, part in split_story(lines):
        if first and are_alike(first, part):
            likewise.append(part[0].candidates[0])
            continue
        first = first or part
        for number, line in enumerate(part):
            before = [earlier - start for earlier in line.after]
            text = "  " * line.depth + f"{number + 1}. {describe_line(reason, line)}"
            is_at_hand = all(earlier == number - 1 for earlier in before)
            if line.kind != "case" and not is_at_hand:
                text += f" [{', '.join([str(earlier + 1) for earlier in before])}]"
            texts.append(text)
    if likewise:
        texts.append(f"in the same way {name_gone(reason, likewise)}")
    return texts


def describe_as_if(reason: Reason, lines: Sequence[StoryLine]) -> str:
    """Return a short story without cases as part of a sentence: ``if r3c4 is 9, then r5c5 is not 9, ...; so ...``.

    It is empty for a longer story, and for one of candidates that go in different ways.
    """
    parts = [part for _, part in split_story(lines)]
    first = parts[0]
    is_short = 2 < len(first) <= MOST_LINES_IN_SENTENCE and first[0].kind == "suppose"
    has_cases = any(line.depth > 0 or line.kind == "cases" for line in first)
    if not is_short or has_cases or not all(are_alike(first, part) for part in parts):
        return ""
    texts = [describe_line(reason, line) for line in first[1:]]
    told = f"if {name_candidate(reason, first[0].candidates[0])}, {'; '.join(texts)}"
    likewise = [part[0].candidates[0] for part in parts[1:]]
    if likewise:
        told += f"; in the same way {name_gone(reason, likewise)}"
    return told


def split_story(lines: Sequence[StoryLine]) -> list[tuple[int, list[StoryLine]]]:
    """Return the story of each candidate, with the number of its first line."""
    parts: list[tuple[int, list[StoryLine]]] = []
    for number, line in enumerate(lines):
        if line.kind in ("suppose", "open"):
            parts.append((number, []))
        parts[-1][1].append(line)
    return parts


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


def describe_line(reason: Reason, line: StoryLine) -> str:
    """Return a line of a story in words: ``r9c5 is 8, its only place in box 8 (by column 4)``."""
    first = name_candidate(reason, line.candidates[0]) if line.candidates else ""
    match line.kind:
        case "suppose":
            return f"suppose {first}"
        case "case":
            return f"if {first}"
        case "open":
            return f"{name_gone(reason, line.candidates)}, but its story is too long to be told"
        case "cases":
            return f"{describe_options(reason, line)}{describe_houses(reason, line.facts[1:])}"
        case "contradiction":
            if not line.facts and not line.candidates:
                return "so none of these can be"
            return f"{describe_contradiction(reason, line)}{describe_houses(reason, line.facts[1:])}"
        case "is not" if not line.facts:
            return f"so {name_gone(reason, line.candidates)}"
    conclusion = name_gone(reason, line.candidates) if line.kind == "is not" else first
    return f"then {conclusion}, {describe_cause(reason, line.facts[0])}{describe_houses(reason, line.facts[1:])}"


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
    texts: list[str] = []
    for cell, symbols in symbols_of.items():
        texts.append(f"{geometry.cell_name(cell)} is not {list_symbols(geometry, symbols, ' or ')}")
    return listed(texts)


def describe_cause(reason: Reason, fact: Fact) -> str:
    """Return how a fact decides a candidate."""
    geometry = reason.position.board.geometry
    match fact.kind:
        case "cell":
            return "its only symbol left"
        case "place":
            return f"the only place in {geometry.houses[fact.number].name}"
        case "rule":
            return f"because {reason.position.board.rules[fact.number].sentence(geometry)}"
        case "once":
            return f"because {geometry.houses[fact.number].name} holds each digit once"


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
    """Return what cannot be: ``3 has no place in row 3``, ``r1c1 has no symbol left``."""
    board = reason.position.board
    fact = line.facts[0] if line.facts else None
    if fact is not None and fact.kind == "cell":
        return f"so {board.geometry.cell_name(fact.number)} has no symbol left"
    if fact is not None and fact.kind == "place":
        symbol = board.geometry.symbol_text(fact.symbol)
        return f"so {symbol} has no place in {board.geometry.houses[fact.number].name}"
    if fact is not None and fact.kind == "rule":
        return f"which cannot be, because {board.rules[fact.number].sentence(board.geometry)}"
    both = listed([name_candidate(reason, candidate) for candidate in line.candidates])
    if fact is None:
        return f"which cannot be: {both}"
    return f"which cannot be: {both}, and {board.geometry.houses[fact.number].name} holds each digit once"


def describe_houses(reason: Reason, facts: Sequence[Fact]) -> str:
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
