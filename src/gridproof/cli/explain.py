"""Why a puzzle has no solution, what its solutions disagree on, or which of its clues could be spared.

none: a minimal set of clues that contradict each other (with --all, every such set, smallest first). multiple: the
fewest cells in which two solutions differ, and a further clue that leaves only one solution. unique: the clues that
can be left out. Pencil marks of a cell hold whether its clue is left out or not.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from gridproof.cli import _options
from gridproof.cli._complaints import Complaints

if TYPE_CHECKING:
    from gridproof.explain import ConflictSet, Explanation
    from gridproof.puzzle.board import Board

SUMMARY = "why there is no solution, or several; which clues matter"
EXIT_CODES = {
    0: "every puzzle has exactly one solution",
    1: "some have none or several, or are undecided",
}
EXAMPLES = (
    "gridproof explain examples/no-solution.txt",
    "gridproof explain examples/two-solutions.txt --svg differences.svg",
)


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_seconds(parser.add_argument_group("how the answer is found"))
    parser.add_argument("--all", action="store_true", help="every conflict set, smallest first (up to --sets)")
    parser.add_argument("--sets", type=_options.positive, default=100, metavar="N", help="with --all (default: 100)")
    _options.add_former(parser, "--limit", "sets")
    parser.add_argument("--svg", metavar="FILE", help="draw the (one) board with the cells in question highlighted")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    from gridproof.cli._results import undecided
    from gridproof.errors import InputError, Interrupted, PuzzleFormatError
    from gridproof.explain import explain
    from gridproof.limits import Limits
    from gridproof.show import board_svg, board_text, differences

    if args.svg and not args.svg.endswith(".svg"):
        raise InputError(f"--svg {args.svg!r}; expected a name ending in .svg")
    code, number, limits, complaints = 0, 0, Limits(seconds=args.seconds), Complaints()
    for item in _options.items_of(args):
        number += 1
        if isinstance(item, PuzzleFormatError):
            complaints.malformed(str(item), item.text, item.source, in_result=False)
            code = 2
            continue
        complaints.good()
        _options.say_names(item)
        try:
            told = explain(item.board, conflicts=args.sets if args.all else None, limits=limits)
        except Interrupted as problem:
            print(undecided(item, problem, as_json=args.json))
            code = code or 1
            continue
        shown = _cells(told)
        if args.json:
            print(json.dumps(_record(item.text, told, args.all)))
        else:
            print(board_text(item.board, highlight=shown))
            if shown:
                print(f"[ ]: {_LEGEND[str(told.status)]}")
            print("\n".join(_sentences(told)))
        if args.svg:
            if number > 1:
                raise InputError("--svg with several puzzles; expected one")
            if told.status == "multiple":
                board_svg(item.board, differs=differences(*told.witnesses)).save(args.svg)
            else:
                board_svg(item.board, highlight=shown).save(args.svg)
        if told.status != "unique":
            code = code or 1
    complaints.end()
    return code


_LEGEND = {
    "none": "clues that contradict each other",
    "multiple": "cells in which two solutions differ",
    "unique": "clues that can be left out, one at a time",
}
"""What the brackets around cells mean, by status."""


def _cells(told: Explanation) -> tuple[int, ...]:
    """The cells in question."""
    return told.conflicts[0].cells if told.conflicts else told.differing or told.redundant


def _sentences(told: Explanation) -> list[str]:
    geometry = told.board.geometry
    if told.status == "none":
        lines = []
        for conflict in told.conflicts:
            lines.append(f"none: {_conflict(conflict, told.board)}")
            lines += [f"  {contradiction}" for contradiction in conflict.direct]
        sets = "1 set" if len(told.conflicts) == 1 else f"{len(told.conflicts):,} sets"
        if told.stopped:
            lines.append(f"none: there may be more than {sets} of such clues; the search was {told.stopped}")
        elif not told.complete:
            lines.append(f"none: there are more than {sets} of such clues; a larger --sets shows more of them")
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
        return ["unique: the puzzle is minimal, as no clue can be left out"]
    names = " ".join(map(geometry.cell_name, told.redundant))
    if len(told.redundant) == 1:
        return [f"unique: only this clue can be left out: {names}"]
    return [f"unique: each of these {len(told.redundant)} clues can be left out on its own: {names}"]


def _conflict(conflict: ConflictSet, board: Board) -> str:
    """What contradicts what."""
    if conflict.rules_alone:
        return "the rules alone admit no grid, whatever the clues are"
    if not conflict.cells:
        return "the pencil marks alone contradict the rules"
    said, number = conflict.said(board), len(conflict.cells)
    if board.marks is None:
        return f"{number} clues contradict each other: {said}"
    if number == 1:
        return f"1 clue contradicts the pencil marks: {said}"
    return f"{number} clues and the pencil marks contradict each other: {said}"


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
        fixing = told.fixing
        record["fixing"] = None if fixing is None else f"{name(fixing[0])}={geometry.symbol_text(fixing[1])}"
    else:
        record |= {"minimal": told.is_minimal, "redundant": [name(cell) for cell in told.redundant]}
    return record
