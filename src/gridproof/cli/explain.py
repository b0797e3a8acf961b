"""Explain why there is no solution, or several; find redundant clues.

none: what to leave out so that there is a solution, and a minimal set of clues, rules and pencil marks that contradict
each other (with --all, every such set, smallest first).
multiple: the fewest cells in which two solutions differ, and a further clue that leaves only one solution.
unique: the clues and rules that can be left out, each on its own; with --minimal, how many together.

exit codes:
    0    every puzzle has exactly one solution
    1    some have none or several, or are undecided

examples:
    gridproof explain examples/no-solution.txt
    gridproof explain examples/two-solutions.txt -o differences.svg
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.explanations import DEFAULT_BACKEND, Explanation, Part, explain
from gridproof.formats.puzzle import Puzzle
from gridproof.models.variables import candidate_name
from gridproof.pictures import board_text
from gridproof.pictures.document import save
from gridproof.puzzle.board import Board
from gridproof.trust.answer import Status


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_backend(parser, DEFAULT_BACKEND)
    _options.flag(parser, "--all", "show every conflict set, smallest first (up to --sets)")
    _options.number(parser, "--sets", "at most N sets with --all", 100)
    _options.flag(parser, "--minimal", "of a unique puzzle, also find a minimal set of clues and rules that is enough")
    output = _options.add_output(parser)
    _options.add_symbols(output)
    _options.add_file(output, _options.PICTURE)


def run(args: Options) -> int:
    conflicts = None
    if args.all:
        conflicts = args.sets

    def explain_puzzle(puzzle: Puzzle) -> Explanation:
        board = puzzle.with_named_symbols().board
        return explain(
            board, args.backend, args.encoding, conflicts=conflicts, minimal=args.minimal, limits=args.limits
        )

    path = None
    if args.output:
        path = _options.picture_path(args.output, force=args.force)
    results = Results(args.inputs, Status.UNIQUE, as_json=args.json)
    pictures = []
    for _, item, explanation in results.answers(explain_puzzle):
        legends: list[str] = []
        for brackets, (cells, legend) in zip(("[ ]", "( )"), explanation.groups(), strict=False):
            if cells:
                legends.append(f"{brackets}: {legend}")
        first, *sentences = explanation.sentences()
        lines = [board_text(explanation.board, **explanation.picture_options())]
        lines += legends
        lines.append(f"{explanation.status}: {first}")
        lines += sentences
        text = results.below_name(item, "\n".join(lines))
        results.show(item.with_named_symbols(), explanation.status, text, write_record(explanation, args.all))
        if path is not None:
            pictures.append(explanation.picture())
    if path is not None and pictures:
        save(pictures, path)
    return results.exit_code


def write_record(explanation: Explanation, all_sets: bool) -> dict[str, object]:
    """Return an explanation as JSON has it. all_sets: whether every conflict set was wanted."""
    board = explanation.board
    record: dict[str, object] = {"verdict": str(explanation.status)}
    if explanation.status is Status.NONE:
        corrections: list[dict[str, object]] = []
        for correction in explanation.corrections:
            corrections.append(write_part(correction, board) | {"unique": correction.unique})
        conflicts: list[dict[str, object]] = []
        for conflict in explanation.conflicts:
            at_a_glance = [str(one) for one in conflict.direct]
            more = {"direct": at_a_glance, "houses_alone": conflict.houses_alone}
            conflicts.append(write_part(conflict, board) | more)
        record["corrections"] = corrections
        record["corrections_stopped"] = explanation.corrections_stopped or None
        record["conflicts"] = conflicts
        if all_sets:
            record["complete"] = explanation.complete
        if explanation.stopped:
            record["reason"] = explanation.stopped
    elif explanation.status is Status.MULTIPLE:
        record["solutions"] = explanation.solutions
        record["complete"] = explanation.complete
        record["differ"] = name_cells(explanation.differing, board)
        record["fixing"] = candidate_name(board.geometry, *explanation.fixing) if explanation.fixing else None
    else:
        record["minimal"] = explanation.is_minimal
        record["redundant"] = name_cells(explanation.redundant, board)
        record["redundant_rules"] = word_rules(explanation.redundant_rules, board)
        if explanation.enough:
            record["enough"] = write_part(explanation.enough, board)
    return record


def write_part(part: Part, board: Board) -> dict[str, object]:
    return {
        "cells": name_cells(part.cells, board),
        "rules": word_rules(part.rules, board),
        "marks": name_cells(part.marks, board),
    }


def name_cells(cells: Iterable[int], board: Board) -> list[str]:
    return [board.geometry.cell_name(cell) for cell in cells]


def word_rules(numbers: Iterable[int], board: Board) -> list[str]:
    return [board.rules[number].sentence(board.geometry) for number in numbers]
