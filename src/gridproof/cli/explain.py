"""Explain why a puzzle has no solution, where its solutions differ, or which of its clues and rules are redundant.

none: a minimal set of clues and rules that contradict each other (with --all, every such set, smallest first).
multiple: the fewest cells in which two solutions differ, and a further clue that leaves only one solution.
unique: the clues and rules that can be left out.
The pencil marks of a cell hold even where its clue is left out.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from gridproof.cli import _arguments, _options
from gridproof.cli._asking import Asking
from gridproof.models.variables import candidate_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gridproof.explain import ConflictSet, Explanation
    from gridproof.puzzle.board import Board

SUMMARY = "explain why there is no solution, or several; find redundant clues"
EXIT_CODES = {
    0: "every puzzle has exactly one solution",
    1: "some have none or several, or are undecided",
}
EXAMPLES = (
    "gridproof explain examples/no-solution.txt",
    "gridproof explain examples/two-solutions.txt --svg differences.svg",
)


def configure(parser: argparse.ArgumentParser) -> None:
    from gridproof.explain import DEFAULT_BACKEND

    _options.add_input(parser)
    _options.add_backend(parser, DEFAULT_BACKEND)
    parser.add_argument("--all", action="store_true", help="show every conflict set, smallest first (up to --sets)")
    _arguments.add_number(parser, "--sets", "at most N sets with --all", 100)
    _options.add_former(parser, "--limit", "sets")
    parser.add_argument(
        "--svg", metavar="FILE", help="draw the board with the cells in question highlighted (one puzzle only)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    from gridproof.errors import InputError
    from gridproof.explain import explain
    from gridproof.show import board_svg, board_text, differences

    if args.svg and not args.svg.endswith(".svg"):
        raise InputError(f"--svg {args.svg!r}; expected a name ending in .svg")
    wanted, limits = args.sets if args.all else None, _options.limits_of(args)
    asking = Asking(args, lambda board: explain(board, args.backend, args.encoding, conflicts=wanted, limits=limits))
    for number, (item, told) in enumerate(asking):
        shown = _cells(told)
        if args.json:
            print(json.dumps(_record(item.text, told, args.all)))
        else:
            print(board_text(item.board, highlight=shown))
            if shown:
                rules = bool(told.conflicts and told.conflicts[0].rules)
                print(f"[ ]: {_RULES_LEGEND if rules else _LEGEND[str(told.status)]}")
            print("\n".join(_sentences(told)))
        if args.svg:
            if number:
                raise InputError("--svg with several puzzles; expected one")
            if told.status == "multiple":
                board_svg(item.board, differs=differences(*told.witnesses)).save(args.svg)
            else:
                board_svg(item.board, highlight=shown).save(args.svg)
        if told.status != "unique":
            asking.found_otherwise()
    return asking.code


_LEGEND = {
    "none": "clues that contradict each other",
    "multiple": "cells in which two solutions differ",
    "unique": "clues that can be left out, one at a time",
}
"""What the brackets around cells mean, by status."""

_RULES_LEGEND = "cells of clues and rules that contradict each other"


def _cells(told: Explanation) -> tuple[int, ...]:
    """The cells in question."""
    return told.conflicts[0].shown(told.board) if told.conflicts else told.differing or told.redundant


def _sentences(told: Explanation) -> list[str]:
    geometry = told.board.geometry
    what = "clues and rules" if told.board.rules else "clues"
    if told.status == "none":
        lines = []
        for conflict in told.conflicts:
            lines.append(f"none: {_conflict(conflict, told.board)}")
            lines += [f"  {contradiction}" for contradiction in conflict.direct]
        sets = _number(len(told.conflicts), "set")
        if told.stopped:
            lines.append(f"none: there may be more than {sets} of such {what}; the search was {told.stopped}")
        elif not told.complete:
            lines.append(f"none: there are more than {sets} of such {what}; a larger --sets shows more of them")
        return lines
    if told.status == "multiple":
        number = f"{told.solutions:,}" if told.complete else f"more than {told.solutions:,}"
        names = " ".join(map(geometry.cell_name, told.differing))
        lines = [
            f"multiple: the puzzle has {number} solutions",
            f"two of them differ in only {len(told.differing)} cells: {names}",
        ]
        if told.fixing:
            cell, symbol = told.fixing
            clue = f"{geometry.cell_name(cell)}={geometry.symbol_text(symbol)}"
            lines.append(f"with the further clue {clue} the puzzle has exactly one solution")
        else:
            lines.append("no single further clue leaves exactly one solution")
        return lines
    if told.is_minimal:
        neither = "neither a clue nor a rule" if told.board.rules else "no clue"
        return [f"unique: the puzzle is minimal, as {neither} can be left out"]
    lines = []
    if told.redundant:
        lines.append(_spared("clue", " ".join(map(geometry.cell_name, told.redundant)), len(told.redundant)))
    if told.redundant_rules:
        sentences = "; ".join(_sentences_of(told.redundant_rules, told.board))
        lines.append(_spared("rule", sentences, len(told.redundant_rules)))
    return lines


def _spared(what: str, which: str, number: int) -> str:
    if number == 1:
        return f"unique: only this {what} can be left out: {which}"
    return f"unique: each of these {number} {what}s can be left out on its own: {which}"


def _sentences_of(rules: Iterable[int], board: Board) -> list[str]:
    return [board.rules[number].sentence(board.geometry) for number in rules]


def _number(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"


def _conflict(conflict: ConflictSet, board: Board) -> str:
    """What contradicts what."""
    if conflict.rules_alone:
        return "the rules alone admit no grid, whatever the clues are"
    clues, rules = len(conflict.cells), len(conflict.rules)
    if not clues + rules:
        return "the pencil marks alone contradict the rules"
    parts = [_number(number, what) for number, what in ((clues, "clue"), (rules, "rule")) if number]
    if board.marks is None and clues + rules == 1:
        return f"{parts[0]} cannot hold in any grid: {conflict.said(board)}"
    if board.marks is not None:
        if clues + rules == 1:
            return f"{parts[0]} contradicts the pencil marks: {conflict.said(board)}"
        parts.append("the pencil marks")
    return f"{' and '.join(parts)} contradict each other: {conflict.said(board)}"


def _record(text: str, told: Explanation, all_sets: bool) -> dict[str, object]:
    geometry = told.board.geometry
    name = geometry.cell_name
    record: dict[str, object] = {"input": text, "verdict": str(told.status)}
    if told.status == "none":
        record["conflicts"] = [
            {
                "cells": [name(cell) for cell in conflict.cells],
                "direct": [str(c) for c in conflict.direct],
                "rules_alone": conflict.rules_alone,
                "rules": _sentences_of(conflict.rules, told.board),
            }
            for conflict in told.conflicts
        ]
        if all_sets:
            record["complete"] = told.complete
        if told.stopped:
            record["reason"] = told.stopped
    elif told.status == "multiple":
        record |= {"solutions": told.solutions, "complete": told.complete}
        record["differ"] = [name(cell) for cell in told.differing]
        record["fixing"] = told.fixing and candidate_name(geometry, *told.fixing)
    else:
        record |= {"minimal": told.is_minimal, "redundant": [name(cell) for cell in told.redundant]}
        record["redundant_rules"] = _sentences_of(told.redundant_rules, told.board)
    return record
