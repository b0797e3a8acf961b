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
from gridproof.trust.answer import Status


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_backend(parser, DEFAULT_BACKEND)
    _options.flag(parser, "--all", "show every conflict set, smallest first (up to --sets)")
    _options.number(parser, "--sets", "at most N sets with --all", 100)
    _options.flag(parser, "--minimal", "of a unique puzzle, also find a minimal set of clues and rules that is enough")
    _options.add_file(_options.add_output(parser), _options.PICTURE)


def run(args: Options) -> int:
    def explain_puzzle(puzzle: Puzzle) -> Explanation:
        conflicts = args.sets if args.all else None
        return explain(
            puzzle.board, args.backend, args.encoding, conflicts=conflicts, minimal=args.minimal, limits=args.limits
        )

    path = _options.picture_path(args.output, force=args.force) if args.output else None
    results = Results(args.inputs, Status.UNIQUE, as_json=args.json)
    pictures = []
    for _, item, explanation in results.answers(explain_puzzle):
        groups = zip(("[ ]", "( )"), explanation.groups(), strict=False)
        legends = [f"{brackets}: {legend}" for brackets, (cells, legend) in groups if cells]
        first, *sentences = explanation.sentences()
        drawn = board_text(item.board, **explanation.marked())
        text = "\n".join([drawn, *legends, f"{explanation.status}: {first}", *sentences])
        results.show(item, explanation.status, text, _record(explanation, args.all))
        if path is not None:
            pictures.append(explanation.picture())
    if path is not None and pictures:
        save(pictures, path)
    return results.exit_code


def _record(explanation: Explanation, all_sets: bool) -> dict[str, object]:
    board, status = explanation.board, explanation.status

    def part(some: Part) -> dict[str, object]:
        return {"cells": names(some.cells), "rules": rules(some.rules), "marks": names(some.marks)}

    def names(cells: Iterable[int]) -> list[str]:
        return list(map(board.geometry.cell_name, cells))

    def rules(numbers: Iterable[int]) -> list[str]:
        return [board.rules[number].sentence(board.geometry) for number in numbers]

    record: dict[str, object] = {"verdict": str(status)}
    if status == Status.NONE:
        record["corrections"] = [part(one) | {"unique": one.unique} for one in explanation.corrections]
        record["corrections_stopped"] = explanation.corrections_stopped or None
        record["conflicts"] = [
            part(one) | {"direct": list(map(str, one.direct)), "houses_alone": one.houses_alone}
            for one in explanation.conflicts
        ]
        record |= {"complete": explanation.complete} if all_sets else {}
        record |= {"reason": explanation.stopped} if explanation.stopped else {}
    elif status == Status.MULTIPLE:
        fixing = explanation.fixing and candidate_name(board.geometry, *explanation.fixing)
        record |= {"solutions": explanation.solutions, "complete": explanation.complete}
        record |= {"differ": names(explanation.differing), "fixing": fixing}
    else:
        record |= {"minimal": explanation.is_minimal, "redundant": names(explanation.redundant)}
        record["redundant_rules"] = rules(explanation.redundant_rules)
        record |= {"enough": part(explanation.enough)} if explanation.enough else {}
    return record
