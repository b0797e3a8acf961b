"""Drop clues and rules that a puzzle does not need.

What is left has exactly one solution, too. The output has a line for each puzzle: the puzzle that is left, a tab, and
what is enough and what was dropped. A puzzle with rules is a string of the Interactive Sudoku Solver; with rules that
this program does not have, it is TOML, below a comment with the rest of the line. --to and -o write any other format,
or a table. Clues are dropped before rules; --drop rules finds which of the rules are needed. What is left is minimal,
and --fewest finds a set with the fewest members. `verify` checks every minimal puzzle.

exit codes:
    0    every puzzle is minimal now
    1    some are undecided because a limit came first
    2    a puzzle has not exactly one solution

examples:
    gridproof minimise 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    gridproof minimise --drop rules --rule 'killer 5 r2c1 r3c1' --rule 'killer 3 r1c1 r1c2' 12.............3
"""

from __future__ import annotations

import argparse
from dataclasses import replace

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.cli._streams import to_stderr
from gridproof.cli._way_out import add_way_out, wishes_of
from gridproof.errors import InputError
from gridproof.explanations import DEFAULT_BACKEND
from gridproof.formats.known.jsonl import rule_list
from gridproof.formats.one_line import text_of
from gridproof.formats.puzzle import Puzzle
from gridproof.generation.minimising import Minimised, minimise
from gridproof.output.columns import Made
from gridproof.output.way_out import LINES, WayOut, line_of

TYPES = {"puzzle": "string", "solution": "string", "clues": "int64", "kept": "string", "dropped": "string"}
"""The columns of a table, and their types."""


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_backend(parser, DEFAULT_BACKEND)
    parser.add_argument("--drop", choices=("clues", "rules"), help="drop only these (default: clues, then rules)")
    _options.flag(parser, "--fewest", "keep the fewest clues and rules, not just a minimal set; may take long")
    add_way_out(_options.add_output(parser), "a line with what is left and what was dropped")


def run(args: Options) -> int:
    def minimise_clues(puzzle: Puzzle) -> Minimised:
        return minimise(
            puzzle.board, args.backend, args.encoding, drop=args.drop, fewest=args.fewest, limits=args.limits
        )

    way_out = WayOut(wishes_of(args), TYPES)
    if args.json and way_out.form != LINES:
        raise InputError(f"--json with {way_out.form}; expected one of them")
    with Results(args.inputs, "minimised", as_json=args.json, summary=not args.quiet) as results, way_out:
        for _, puzzle, minimised in results.answers(minimise_clues):
            kept = minimised.kept.names(puzzle.board)
            dropped = minimised.dropped.names(puzzle.board)
            if args.json:
                board = minimised.board
                record = {"puzzle": text_of(board, args.shape), "clues": board.text(), "rules": rule_list(board)}
                results.show(puzzle, "minimised", "", {**record, "kept": kept, "dropped": dropped})
                continue
            results.count("minimised")
            left = replace(puzzle, board=minimised.board, solution=minimised.solution)
            text = line_of(left, args.shape)
            line = f"{text}\t{minimised}"
            if "\n" in text:
                line = f"# {minimised}\n{text}\n"
            columns = {"kept": kept, "dropped": dropped}
            way_out.add(Made(left, columns, line=line))
    if way_out.summary:
        to_stderr(way_out.summary)
    return results.exit_code
