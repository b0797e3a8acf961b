"""Count the solutions of each puzzle, up to a limit, or estimate their number.

The output has one tab-separated line for each puzzle: the number, and `at least` with what stopped the count if there
may be more; or `disagreement` or `malformed`, and the reason. With --estimate it is the mean of random probes of the
tree of a search (Knuth 1975), `about`, and an interval of 95 %: for boards with any number of solutions, without rules.

exit codes:
    0    every count is complete or reached --limit
    1    some counts are incomplete because another limit came first
    3    a bug, please report it: two independent checks disagree, or a backend crashed

examples:
    gridproof count examples/two-solutions.txt
    gridproof count --latin --limit 1000 .........
    gridproof count --estimate --probes 400 --latin .................................................
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from functools import partial
from typing import Any

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results, print_malformed
from gridproof.errors import BackendFailure, DisagreementError
from gridproof.formats.puzzle import Puzzle
from gridproof.questions import PROBES, estimated
from gridproof.trust.answer import Status
from gridproof.trust.count import Count
from gridproof.trust.record import VerdictRecord

_COUNTED = "counted"


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_cross_check(_options.add_backend(parser))
    _options.add_output(parser)

    _options.number(parser, "--limit", "stop at N solutions")
    _options.flag(parser, "--estimate", "estimate the number; no backend is needed")
    _options.number(parser, "--probes", "random probes of an estimate", PROBES, least=2)
    _options.number(parser, "--seed", "of the random probes (default: 0)", 0, least=0)


def run(args: Options) -> int:
    report = partial(print_malformed, as_json=args.json)
    results = Results(args.inputs, _COUNTED, as_json=args.json, summary=not args.quiet, report=report)
    with args.open_pipeline() as pipeline, results:

        def count_solutions(puzzle: Puzzle) -> Count:
            if args.estimate:
                return estimated(puzzle.board, args.limit, args.probes, args.seed, args.limits)
            try:
                return pipeline.count(puzzle.board, args.limit)
            except (DisagreementError, BackendFailure) as problem:
                return Count.of_failure(problem)

        for number, item, count in results.answers(count_solutions):
            counted = count.complete or count.number == args.limit or args.estimate
            verdict = count.disagreement(item.board, pipeline.made)
            if verdict is not None:
                word = str(verdict.status)
            else:
                word = _COUNTED if counted else str(Status.UNDECIDED)
            reference = None if args.estimate else str(count.evidence.reference)
            results.add(VerdictRecord(number, item.line, item.text, word, reference=reference), verdict)
            reason = " ".join(count.reason.split())
            if args.json:
                record: dict[str, Any] = {"line": item.line, "input": item.text, "verdict": word, "count": count.number}
                record |= {"complete": count.complete, "reason": count.reason}
                if args.estimate:
                    record["interval"] = count.interval
                else:
                    record["evidence"] = asdict(count.evidence) | {"reference": reference}
                print(json.dumps(record))
            elif verdict is not None:
                print(f"{word}\t{reason}")
            elif count.complete:
                print(count.number)
            else:
                print(f"{count.number}\t{'about' if args.estimate else 'at least'}; {reason}")
    return results.exit_code
