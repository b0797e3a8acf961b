"""Rules that are drawn and stated in words, read together in a closed world (``--read-drawings``).

A puzzle of SudokuPad counts as read only if every sentence of its rules in words is a known rule or changes no
solution, every drawn item belongs to exactly one sentence or is decoration by a convention, every sentence found its
items, and the stored solution keeps every rule. Otherwise the puzzle stays as it is, with the sentences and drawings
that stood in the way. The method and its evidence are in docs/formats.md.

sentences.py, words.toml, kinds/           sentences by a bounded vocabulary; a kind of sentence is a file of kinds/
items.py                                   drawn items by their form
geometry.py                                lines that were drawn in pieces
finding.py                                 the items of a sentence, and the rules that they become
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gridproof.errors import InputError
from gridproof.formats.drawn.finding import LINES, ON_BOARD, WAYS, Claim, nearness, with_numbers
from gridproof.formats.drawn.items import File, Item, distance, items_of
from gridproof.formats.drawn.sentences import Language, Sentence
from gridproof.formats.programs import Wrong
from gridproof.formats.puzzle import Puzzle, Read, Unread
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule

_DRAWN = ("lines", "arrows", "overlays", "underlays")


def with_drawings(reading: File) -> Puzzle:
    """Return the puzzle of a file with the rules that are drawn, or with what stood in the way of reading them."""
    puzzle = reading.puzzle()
    if not puzzle.prose.strip():
        return puzzle
    geometry = puzzle.board.geometry
    sentences = [*_language(geometry).read(puzzle.prose)]
    items = with_numbers(items_of(reading))
    puzzle = replace(puzzle, sketch=tuple(sketch for item in items if (sketch := item.sketch())))
    obstacles = [
        Unread("rules in words", f"not read: {sentence.text!r:.160}") for sentence in sentences if not sentence.sorts
    ]
    claims = _claims(sentences)
    if not any(sort.name == "sudoku" for sentence in sentences for sort, _ in sentence.sorts):
        obstacles.append(Unread("rules in words", "no sentence about rows, columns and boxes"))
    if geometry.region_of is None:
        obstacles.append(Unread("regions", "none, where the words have boxes or regions"))
    obstacles += _assign(claims, items)
    found: list[tuple[Claim, list[Item], Rule]] = []
    for claim in claims:
        try:
            found += [(claim, *one) for one in _found(claim, geometry)]
        except (Wrong, InputError) as problem:
            obstacles.append(Unread("drawings", f"{problem}, for {claim.sentences[0]!r:.120}"))
    cages = any(claim.sort.drawing == "cages" for claim in claims)
    rest = [part for part in puzzle.unread if not _is_drawing(part, cages)]
    if puzzle.solution and not obstacles:
        broken = [one for one in found if not one[2].holds(puzzle.solution, geometry)]
        obstacles += [
            Unread(
                "rules in words",
                f"the stored solution breaks this reading of {claim.sentences[0]!r:.120}: {rule.sentence(geometry)}",
            )
            for claim, _, rule in broken[:1]
        ]
    reads = (
        *(
            Read(sentence.text)
            for sentence in sentences
            if sentence.sorts and not any(s.drawing for s, _ in sentence.sorts)
        ),
        *(
            Read(" ".join(claim.sentences), rule.sentence(geometry), tuple(item.where for item in shown))
            for claim, shown, rule in found
        ),
    )
    if obstacles or any(part.may_be_rule for part in rest):
        return replace(puzzle, unread=(*obstacles, *puzzle.unread), reads=reads)
    kept = [rule for rule in puzzle.board.rules if not (cages and rule.kind == "killer")]
    rules = [*kept, *(rule for rule in dict.fromkeys(rule for _, _, rule in found) if rule not in kept)]
    board = replace(puzzle.board, rules=()).with_rules(rules)
    return replace(puzzle, board=board, unread=tuple(rest), reads=reads)


def _language(geometry: Geometry) -> Language:
    """Return the language of boards of a geometry; boxes are named by their size only if they are boxes."""
    n, usual = geometry.order, re.search(r"(\d+x\d+) boxes", geometry.description)
    return Language.of(n, usual[1] if usual else "")


def _claims(sentences: Sequence[Sentence]) -> list[Claim]:
    """Return the claims of the sentences; those of one sort that do not differ in colour or number are one."""
    claims: list[Claim] = []
    for sentence in sentences:
        for sort, words in sentence.sorts:
            if not sort.drawing:
                continue
            new = Claim(sort, [sentence.text], words)
            for claim in claims:
                same = claim.sort is sort and not {claim.number, new.number} - {None, claim.number or new.number}
                if same and (
                    sort.drawing not in LINES or not claim.colours or not new.colours or claim.colours == new.colours
                ):
                    claim.sentences.append(sentence.text)
                    claim.words += f" ; {words}"
                    break
            else:
                claims.append(new)
    return claims


def _assign(claims: Sequence[Claim], items: Sequence[Item]) -> Iterator[Unread]:
    """Give each item to the one claim that it fits best; yield those that no claim or several have."""
    for item in items:
        near = {claim: value for claim in claims if (value := nearness(claim, item)) is not None}
        best = [claim for claim, value in near.items() if value == min(near.values())]
        if len(best) > 1:  # the usual colour only decides where words name the kinds
            usual = [
                claim for claim in best if claim.sort.colour and distance(item.fill, claim.sort.colour) is not None
            ]
            best = usual or best
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
        if (
            claim.sort.drawing in LINES
            and not claim.colours
            and len(rivals) > 1
            and len({item.fill for item in claim.items}) > 1
        ):
            yield Unread("drawings", f"lines of several colours for {claim.sentences[0]!r:.120}")
        # "White dots ..., black dots ...": of the kinds of one sentence one may be missing
        together = any({*claim.sentences} <= {*other.sentences} for other in rivals if other.items)
        if not claim.items and claim.sort.drawing not in ON_BOARD and not together:
            yield Unread("drawings", f"none for {claim.sentences[0]!r:.120}")


def _found(claim: Claim, geometry: Geometry) -> Iterator[tuple[list[Item], Rule]]:
    for items, rule in WAYS[claim.sort.drawing][0](claim, geometry):
        if reason := rule.senseless(geometry):
            raise Wrong(reason)
        yield items, rule


def _is_drawing(part: Unread, cages: bool) -> bool:
    return part.where.split(" ")[0].rstrip(":") in (*_DRAWN, *(["cages"] if cages else []))
