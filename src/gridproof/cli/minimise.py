"""Drop clues and rules that a puzzle does not need.

What is left has exactly one solution, too. The output has a line for each puzzle: the puzzle that is left, a tab, and
what is enough and what was dropped. A puzzle with rules is a string of the Interactive Sudoku Solver; with rules that
this program does not have, it is TOML, below a comment with the rest of the line. Clues are dropped before rules;
--keep clues finds which of the rules are needed. What is left is minimal, and --fewest finds a set with the fewest
members. `verify` checks every minimal puzzle.

exit codes:
    0    every puzzle is minimal now
    1    some are undecided because a limit came first
    2    a puzzle has not exactly one solution

examples:
    gridproof minimise 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
    gridproof minimise --keep clues --rule 'killer 5 r2c1 r3c1' --rule 'killer 3 r1c1 r1c2' 12.............3
"""

from __future__ import annotations

import argparse

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.explanations import DEFAULT_BACKEND
from gridproof.formats.known.jsonl import rule_list
from gridproof.formats.one_line import text_of
from gridproof.formats.puzzle import Puzzle
from gridproof.generation.minimising import Minimised, minimise


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_backend(parser, DEFAULT_BACKEND)
    parser.add_argument("--keep", choices=("clues", "rules"), help="drop only the others (default: clues, then rules)")
    _options.flag(parser, "--fewest", "keep the fewest clues and rules, not just a minimal set; may take long")
    _options.add_output(parser)


def run(args: Options) -> int:
    def minimise_clues(puzzle: Puzzle) -> Minimised:
        return minimise(
            puzzle.board, args.backend, args.encoding, keep=args.keep, fewest=args.fewest, limits=args.limits
        )

    with Results(args.inputs, "minimised", as_json=args.json, summary=not args.quiet) as results:
        for _, puzzle, minimised in results.answers(minimise_clues):
            record = {
                "puzzle": text_of(minimised.board),
                "clues": minimised.board.text(),
                "rules": rule_list(minimised.board),
                "kept": minimised.kept.names(puzzle.board),
                "dropped": minimised.dropped.names(puzzle.board),
            }
            line = f"{record['puzzle']}\t{minimised}"
            if "\n" in text_of(minimised.board):
                line = f"# {minimised}\n{record['puzzle']}\n"
            results.show(puzzle, "minimised", line, record)
    return results.exit_code
