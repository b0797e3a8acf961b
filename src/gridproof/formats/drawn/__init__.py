"""Rules that are drawn and stated in words, read together in a closed world (``--read-drawings``).

A puzzle of SudokuPad counts as read only if every sentence of its rules in words is a known rule or changes no
solution, every drawn item belongs to exactly one sentence or is decoration by a convention, every sentence found its
items, and the stored solution keeps every rule. Otherwise the puzzle stays as it is, with the sentences and drawings
that stood in the way. The method and its evidence are in docs/formats.md.

sentences.py, words.toml, kinds/           sentences by a bounded vocabulary; a kind of sentence is a file of kinds/
items.py                                   drawn items by their form
geometry.py                                points and cells; lines that were drawn in pieces
finding.py                                 the items of a sentence, and the rules that they become
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from gridproof.errors import InputError
from gridproof.formats.drawn.finding import LINES, ON_BOARD, WAYS, Claim, nearness
from gridproof.formats.drawn.items import LISTS, Item, distance, items_of
from gridproof.formats.drawn.sentences import Sentence, language
from gridproof.formats.programs import Wrong
from gridproof.formats.puzzle import Puzzle, Read, Unread
from gridproof.rules import Rule


def with_drawings(reading: Any) -> Puzzle:
    """Return the puzzle of a file with the rules that are drawn, or with what stood in the way of reading them."""
    puzzle: Puzzle = reading.puzzle()
    if not puzzle.prose.strip():
        return puzzle
    geometry = puzzle.board.geometry
    boxes = re.search(r"(\d+x\d+) boxes", geometry.description)  # which have their size as a name
    sentences = language(geometry.order, boxes[1] if boxes else "").read(puzzle.prose)
    items = items_of(reading)
    claims = _claims(sentences)
    obstacles = [Unread("rules in words", f"not read: {one.text!r:.160}") for one in sentences if not one.sorts]
    if not any(sort.name == "sudoku" for sentence in sentences for sort, _ in sentence.sorts):
        obstacles.append(Unread("rules in words", "no sentence about rows, columns and boxes"))
    if geometry.region_of is None:
        obstacles.append(Unread("regions", "none, where the words have boxes or regions"))
    obstacles += _assign(claims, items)
    found: list[tuple[Claim, list[Item], Rule]] = []
    for claim in claims:
        try:
            for shown, rule in WAYS[claim.sort.drawing][0](claim, geometry):
                found.append((claim, shown, reading.sensible(rule, geometry)))
        except (Wrong, InputError) as problem:
            obstacles.append(Unread("drawings", f"{problem}, for {claim.sentences[0]!r:.120}"))
    if puzzle.solution and not obstacles:
        for claim, _, rule in [one for one in found if not one[2].holds(puzzle.solution, geometry)][:1]:
            words = f"this reading of {claim.sentences[0]!r:.120}: {rule.sentence(geometry)}"
            obstacles.append(Unread("rules in words", f"the stored solution breaks {words}"))
    reads = [Read(one.text) for one in sentences if one.sorts and not any(sort.drawing for sort, _ in one.sorts)]
    for claim, shown, rule in found:
        reads.append(Read(" ".join(claim.sentences), rule.sentence(geometry), tuple(item.where for item in shown)))
    cages = any(claim.sort.drawing == "cages" for claim in claims)
    drawn = (*LISTS, "cages") if cages else LISTS
    rest = tuple(part for part in puzzle.unread if part.where.split(" ")[0].rstrip(":") not in drawn)
    sketch = tuple(sketch for item in items if (sketch := item.sketch()))
    puzzle = replace(puzzle, reads=tuple(reads), sketch=sketch)
    if obstacles or any(part.may_be_rule for part in rest):
        named = {place for part in obstacles for place in part.where.split(", ")}
        return replace(puzzle, unread=(*obstacles, *(part for part in puzzle.unread if part.where not in named)))
    kept = [rule for rule in puzzle.board.rules if not (cages and rule.kind == "killer")]
    rules = dict.fromkeys([*kept, *(rule for _, _, rule in found)])
    return replace(puzzle, board=replace(puzzle.board, rules=()).with_rules(rules), unread=rest)


def _claims(sentences: Sequence[Sentence]) -> list[Claim]:
    """Return the claims of the sentences; those of one sort that do not differ in colour or number are one."""
    claims: list[Claim] = []
    for sentence in sentences:
        for sort, words in sentence.sorts:
            if not sort.drawing:
                continue
            new = Claim(sort, [sentence.text], words)
            if same := next((claim for claim in claims if claim.is_like(new)), None):
                same.sentences.append(sentence.text)
                same.words += f" ; {words}"
            else:
                claims.append(new)
    return claims


def _assign(claims: Sequence[Claim], items: Sequence[Item]) -> Iterator[Unread]:
    """Give each item to the one claim that it fits best; yield those that no claim or several have."""
    for item in items:
        near = {claim: value for claim in claims if (value := nearness(claim, item)) is not None}
        best = [claim for claim, value in near.items() if value == min(near.values())]
        if len(best) > 1:  # the usual colour only decides where words name the kinds
            best = [one for one in best if one.sort.colour and distance(item.fill, one.sort.colour) is not None] or best
        if len(best) > 1 and item.form == "outside" and all(claim.has("both") for claim in best):
            for claim in best[1:]:
                claim.items.append(item)
            best = best[:1]
        if len(best) == 1:
            best[0].items.append(item)
        elif item.form not in ("end", "cage") or best:
            yield Unread(item.where, f"{item.what}: {'several sentences' if best else 'no sentence'} for it")
    for claim in claims:
        rivals = [other for other in claims if other.sort.drawing == claim.sort.drawing]
        mixed = len({item.fill for item in claim.items}) > 1
        if mixed and claim.sort.drawing in LINES and not claim.colours and len(rivals) > 1:
            yield Unread("drawings", f"lines of several colours for {claim.sentences[0]!r:.120}")
        # "White dots ..., black dots ...": of the kinds of one sentence one may be missing
        together = any({*claim.sentences} <= {*other.sentences} for other in rivals if other.items)
        if not claim.items and claim.sort.drawing not in ON_BOARD and not together:
            yield Unread("drawings", f"none for {claim.sentences[0]!r:.120}")
