"""A verdict for each puzzle: unique, multiple (with two witnesses), none, undecided, malformed or disagreement.

One tab-separated line for each puzzle: the verdict, then the solution (for `multiple` two, and the cells in which they
differ; for the others the reason). A summary goes to standard error.
"""

from __future__ import annotations

import argparse

from gridproof.cli import _options

SUMMARY = "which puzzles have exactly one solution"


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_backend(parser)
    _options.add_cross_check(parser)
    _options.add_output(parser)


def run(args: argparse.Namespace) -> int:
    from gridproof.cli._results import MALFORMED, Tally, malformed_json, verdict_json, witnesses
    from gridproof.errors import PuzzleFormatError

    with _options.pipeline_of(args) as pipeline:
        tally = Tally(args, "unique")
        try:
            for item in _options.items_of(args):
                if isinstance(item, PuzzleFormatError):
                    tally.malformed(item)
                    print(malformed_json(item) if args.json else f"{MALFORMED}\t{_flat(str(item))}")
                    continue
                verdict = pipeline.verify(item.board)
                tally.add(verdict)
                if args.json:
                    print(verdict_json(item, verdict))
                    continue
                fields = [str(verdict.status), *witnesses(item, verdict)]
                if verdict.status == "multiple":
                    names = map(item.board.geometry.cell_name, verdict.differing_cells)
                    fields.append("differ in " + " ".join(names))
                elif verdict.reason:
                    fields.append(_flat(verdict.reason))
                print("\t".join(fields))
        except KeyboardInterrupt:
            tally.summary(stopped=True)
            raise
    tally.summary()
    return tally.exit_code


def _flat(text: str) -> str:
    return " ".join(text.split())
