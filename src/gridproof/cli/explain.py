"""Why a puzzle has no solution, what its solutions disagree on, or which of its clues could be spared.

none: a minimal set of clues that contradict each other (with --all, every one, smallest first). multiple: the fewest
cells in which two solutions differ, and a further clue that makes the puzzle unique. unique: the redundant clues.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from gridproof.cli import _options

if TYPE_CHECKING:
    from gridproof.explain import Explanation

SUMMARY = "why there is no solution, or several; which clues matter"
EXIT_CODES = {
    0: "every puzzle has exactly one solution",
    1: "some have none or several, or are undecided",
}


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_seconds(parser)
    parser.add_argument("--all", action="store_true", help="every conflict set, smallest first (up to --limit)")
    parser.add_argument("--limit", type=_options.positive, default=100, metavar="N", help="with --all (default: 100)")
    parser.add_argument("--svg", metavar="FILE", help="draw the (one) board with the cells in question highlighted")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    from gridproof.cli._results import undecided
    from gridproof.errors import InputError, Interrupted, PuzzleFormatError
    from gridproof.explain import explain
    from gridproof.limits import Limits
    from gridproof.render import board_svg, board_text

    code, number, limits = 0, 0, Limits(seconds=args.seconds)
    for item in _options.items_of(args):
        number += 1
        if isinstance(item, PuzzleFormatError):
            print(f"gridproof: {item}", file=sys.stderr)
            code = 2
            continue
        _options.say_names(item)
        try:
            told = explain(item.board, conflicts=args.limit if args.all else None, limits=limits)
        except Interrupted as problem:
            print(undecided(item, problem, as_json=args.json))
            code = code or 1
            continue
        shown = _cells(told)
        if args.json:
            print(json.dumps(_record(item.text, told, args.all)))
        else:
            print(board_text(item.board, highlight=shown))
            print("\n".join(_sentences(told)))
        if args.svg:
            if number > 1:
                raise InputError("--svg with several puzzles; expected one")
            board_svg(item.board, highlight=shown).save(args.svg)
        if told.status != "unique":
            code = code or 1
    return 2 if args.without_puzzle else code


def _cells(told: Explanation) -> tuple[int, ...]:
    """The cells in question."""
    return told.conflicts[0].cells if told.conflicts else told.differing or told.redundant


def _sentences(told: Explanation) -> list[str]:
    geometry = told.board.geometry
    if told.status == "none":
        lines = []
        for conflict in told.conflicts:
            if not conflict.cells:
                lines.append("none: the pencil marks alone contradict the rules")
                continue
            lines.append(f"none: {len(conflict.cells)} clues contradict each other: {conflict.said(told.board)}")
            lines += [f"  {contradiction}" for contradiction in conflict.direct]
        if told.stopped:
            lines.append(f"none: there may be more than these {len(told.conflicts):,} sets: {told.stopped}")
        elif not told.complete:
            lines.append(f"none: there are more than these {len(told.conflicts):,} sets; --limit shows more")
        return lines
    if told.status == "multiple":
        number = f"{told.solutions:,} solutions" if told.complete else f"more than {told.solutions:,} solutions"
        names = " ".join(map(geometry.cell_name, told.differing))
        lines = [f"multiple: {number}; two of them differ in {len(told.differing)} cells only: {names}"]
        if told.fixing:
            cell, symbol = told.fixing
            lines.append(f"unique with the further clue {geometry.cell_name(cell)}={geometry.symbol_text(symbol)}")
        else:
            lines.append("no single further clue makes it unique")
        return lines
    if told.is_minimal:
        return ["unique and minimal: no clue can be left out"]
    names = " ".join(map(geometry.cell_name, told.redundant))
    return [f"unique; each of these {len(told.redundant)} clues can be left out, on its own: {names}"]


def _record(text: str, told: Explanation, all_sets: bool) -> dict[str, object]:
    geometry = told.board.geometry
    name = geometry.cell_name
    record: dict[str, object] = {"input": text, "verdict": str(told.status)}
    if told.status == "none":
        record["conflicts"] = [
            {"cells": [name(cell) for cell in conflict.cells], "direct": [str(c) for c in conflict.direct]}
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
