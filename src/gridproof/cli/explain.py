"""Explain why a puzzle has no solution, where its solutions differ, or which of its clues and rules are redundant.

none: a minimal set of clues and rules that contradict each other (with --all, every such set, smallest first).
multiple: the fewest cells in which two solutions differ, and a further clue that leaves only one solution.
unique: the clues and rules that can be left out.
The pencil marks of a cell hold even where its clue is left out.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gridproof.cli import _options
from gridproof.cli._results import Results
from gridproof.errors import InputError
from gridproof.models.variables import candidate_name
from gridproof.puzzle.board import Board
from gridproof.trust.answer import Status

if TYPE_CHECKING:
    from gridproof.explanations import ConflictSet, Explanation

GROUP = "puzzles"
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
    from gridproof.explanations import DEFAULT_BACKEND

    _options.add_input(parser)
    _options.add_backend(parser, DEFAULT_BACKEND)
    _options.flag(parser, "--all", "show every conflict set, smallest first (up to --sets)")
    _options.number(parser, "--sets", "at most N sets with --all", 100)
    told = "draw the board with the cells in question highlighted (one puzzle only)"
    _options.value(parser, "--svg", "FILE", told)
    _options.flag(parser, "--json", "one JSON object a line")


def run(args: argparse.Namespace) -> int:
    from gridproof.explanations import explain
    from gridproof.pictures import board_svg, board_text, differences

    if args.svg and not args.svg.endswith(".svg"):
        raise InputError(f"--svg {args.svg!r}; expected a name ending in .svg")
    wanted, limits, results = args.sets if args.all else None, _options.limits_of(args), Results(args, Status.UNIQUE)
    explained = results.answers(
        lambda board: explain(board, args.backend, args.encoding, conflicts=wanted, limits=limits)
    )
    for number, (item, told) in enumerate(explained):
        results.count(told.status)
        shown = told.conflicts[0].shown(told.board) if told.conflicts else told.differing or told.redundant
        if args.json:
            print(json.dumps(_record(item.text, told, args.all)))
        else:
            print(board_text(item.board, highlight=shown))
            if shown:
                rules = bool(told.conflicts and told.conflicts[0].rules)
                print(f"[ ]: {_RULES_LEGEND if rules else _LEGEND[told.status]}")
            print("\n".join(_sentences(told)))
        if args.svg:
            if number:
                raise InputError("--svg with several puzzles; expected one")
            if told.status == Status.MULTIPLE:
                board_svg(item.board, differs=differences(*told.witnesses)).save(args.svg)
            else:
                board_svg(item.board, highlight=shown).save(args.svg)
    return results.exit_code


_LEGEND = {
    Status.NONE: "clues that contradict each other",
    Status.MULTIPLE: "cells in which two solutions differ",
    Status.UNIQUE: "clues that can be left out, one at a time",
}
"""What the brackets around cells mean."""

_RULES_LEGEND = "cells of clues and rules that contradict each other"


def _sentences(told: Explanation) -> list[str]:
    geometry, rules = told.board.geometry, told.board.rules
    if told.status == Status.NONE:
        lines = []
        for conflict in told.conflicts:
            lines.append(f"none: {_conflict(conflict, told.board)}")
            lines += [f"  {contradiction}" for contradiction in conflict.direct]
        sets, what = _number(len(told.conflicts), "set"), "clues and rules" if rules else "clues"
        if told.stopped:
            lines.append(f"none: there may be more than {sets} of such {what}; the search was {told.stopped}")
        elif not told.complete:
            lines.append(f"none: there are more than {sets} of such {what}; a larger --sets shows more of them")
        return lines
    if told.status == Status.MULTIPLE:
        number = f"{told.solutions:,}" if told.complete else f"more than {told.solutions:,}"
        fixing = "no single further clue leaves exactly one solution"
        if told.fixing:
            fixing = (
                f"with the further clue {candidate_name(geometry, *told.fixing)} the puzzle has exactly one solution"
            )
        return [
            f"multiple: the puzzle has {number} solutions",
            f"two of them differ in only {len(told.differing)} cells: {' '.join(_names(told.differing, told))}",
            fixing,
        ]
    if told.is_minimal:
        return [
            f"unique: the puzzle is minimal, as {'neither a clue nor a rule' if rules else 'no clue'} can be left out"
        ]
    return [
        *_spared("clue", _names(told.redundant, told), " "),
        *_spared("rule", _rules(told.redundant_rules, told.board), "; "),
    ]


def _spared(what: str, those: list[str], between: str) -> list[str]:
    if not those:
        return []
    if len(those) == 1:
        return [f"unique: only this {what} can be left out: {those[0]}"]
    return [f"unique: each of these {len(those)} {what}s can be left out on its own: {between.join(those)}"]


def _names(cells: Iterable[int], told: Explanation) -> list[str]:
    return list(map(told.board.geometry.cell_name, cells))


def _rules(numbers: Iterable[int], board: Board) -> list[str]:
    return [board.rules[number].sentence(board.geometry) for number in numbers]


def _number(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"


def _conflict(conflict: ConflictSet, board: Board) -> str:
    """What contradicts what."""
    if conflict.rules_alone:
        return "the rules alone admit no grid, whatever the clues are"
    counts = ((len(conflict.cells), "clue"), (len(conflict.rules), "rule"))
    parts = [_number(number, what) for number, what in counts if number]
    if not parts:
        return "the pencil marks alone contradict the rules"
    verb = "contradict each other"
    if len(conflict.cells) + len(conflict.rules) == 1:
        verb = "cannot hold in any grid" if board.marks is None else "contradicts the pencil marks"
    elif board.marks is not None:
        parts.append("the pencil marks")
    return f"{' and '.join(parts)} {verb}: {conflict.said(board)}"


def _record(text: str, told: Explanation, all_sets: bool) -> dict[str, object]:
    record: dict[str, object] = {"input": text, "verdict": str(told.status)}
    if told.status == Status.NONE:
        record["conflicts"] = [
            {
                "cells": _names(conflict.cells, told),
                "direct": [str(c) for c in conflict.direct],
                "rules_alone": conflict.rules_alone,
                "rules": _rules(conflict.rules, told.board),
            }
            for conflict in told.conflicts
        ]
        if all_sets:
            record["complete"] = told.complete
        return record | ({"reason": told.stopped} if told.stopped else {})
    if told.status == Status.MULTIPLE:
        fixing = told.fixing and candidate_name(told.board.geometry, *told.fixing)
        record |= {"solutions": told.solutions, "complete": told.complete}
        return record | {"differ": _names(told.differing, told), "fixing": fixing}
    record |= {"minimal": told.is_minimal, "redundant": _names(told.redundant, told)}
    return record | {"redundant_rules": _rules(told.redundant_rules, told.board)}
