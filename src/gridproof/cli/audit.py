"""Audit sets of puzzles: faults in each, puzzles that are there twice, and what a test set shares with a training set.

Every puzzle is verified, every stored answer checked. Puzzles are equal if their cells are, or if a symmetry makes them
so: other names of the symbols, bands, stacks and lines in another order, a transposition. -o writes all pairs of equal
puzzles: the same, or symmetric. Files may have millions of rows and be compressed. With --folder the audit can be
stopped by Ctrl-C and goes on with --resume; the result is the same for any number of --jobs.

exit codes:
    0    no fault, and no puzzle is there twice in any guise
    1    something was found

examples:
    gridproof audit examples/well-known.txt
    gridproof audit examples/two-solutions.txt examples/well-known.txt --grades 0 -o pairs.csv --force
"""

from __future__ import annotations

import argparse
import json

from gridproof.auditing import audit
from gridproof.bulk.run import count_cores
from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._stopping import first_ctrl_c
from gridproof.cli._streams import to_stderr
from gridproof.errors import Interrupted
from gridproof.runs.progress import ignore


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s TRAIN [TEST ...] [OPTION ...]"
    _options.value(parser, "files", "FILE", "files of puzzles: the training set, then test sets", nargs="+")
    group = parser.add_argument_group("audit")
    _options.value(group, "--column", "NAME", "the column of puzzles (default: puzzle, question or quiz)")
    _options.number(group, "--grades", "puzzles of each file that are rated", 50, least=0)
    _options.number(group, "--seed", "seed of that sample", 0, least=0)
    _options.number(group, "--jobs", "worker processes (default: the cores)", least=0)
    _options.value(group, "--folder", "DIR", "a new folder for what has been found, from which --resume goes on")
    _options.add_file(group, "the pairs of equal puzzles, as .csv, .jsonl or .parquet", resume="go on with --folder")
    _options.add_output(parser)


def run(args: Options) -> int:
    _options.refuse_to_overwrite(args.output, force=args.force or args.resume)

    def note(text: str) -> None:
        if not args.quiet:
            to_stderr(f"gridproof: {text}")

    with first_ctrl_c(ignore) as stop:
        try:
            found = audit(
                *args.files,
                column=args.column,
                output=args.output,
                folder=args.folder,
                resume=args.resume,
                jobs=count_cores() if args.jobs is None else args.jobs,
                grades=args.grades,
                seed=args.seed,
                progress=note,
                stop=stop,
            )
        except Interrupted:
            how = f"; --folder {args.folder} --resume goes on" if args.folder else ""
            to_stderr(f"gridproof: stopped{how}")
            return 130
    print(json.dumps(found.as_json()) if args.json else found)
    return 0 if found.is_clean else 1
