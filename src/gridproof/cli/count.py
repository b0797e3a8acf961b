"""Count the solutions of each puzzle, up to a limit, or estimate their number.

The output has one tab-separated line for each puzzle: the number, and `at least` with what stopped the count if there
may be more; or `disagreement` or `malformed`, and the reason. With --estimate it is the mean of random probes of the
tree of a search (Knuth 1975), `about`, and an interval of 95 %: for boards with any number of solutions, without rules.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from functools import partial

from gridproof.cli import DISAGREEMENT, _options
from gridproof.cli._results import Results, print_malformed
from gridproof.errors import BackendFailure, DisagreementError
from gridproof.trust.answer import Status

GROUP = "puzzles"
SUMMARY = "count the solutions of each puzzle"
EXIT_CODES = {
    0: "every count is complete or reached --limit",
    1: "some counts are incomplete because another limit came first",
    3: DISAGREEMENT,
}
EXAMPLES = (
    "gridproof count examples/two-solutions.txt",
    "gridproof count --latin --limit 1000 .........",
    "gridproof count --estimate --probes 400 --latin .................................................",
)

_COUNTED = "counted"


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_cross_check(_options.add_backend(parser))
    _options.add_output(parser)
    from gridproof.questions import PROBES

    _options.number(parser, "--limit", "stop at N solutions")
    _options.flag(parser, "--estimate", "estimate the number; no backend is needed")
    _options.number(parser, "--probes", "random probes of an estimate", PROBES, least=2)
    _options.number(parser, "--seed", "of the random probes (default: 0)", 0, least=0)


def run(args: argparse.Namespace) -> int:
    from gridproof.pipeline import Count
    from gridproof.trust.record import VerdictRecord

    if args.estimate:
        return _estimate(args)
    with _options.pipeline_of(args) as pipeline, Results(args, _COUNTED, row=partial(print_malformed, args)) as results:
        for number, item in results.puzzles():
            try:
                count = pipeline.count(item.board, args.limit)
            except (DisagreementError, BackendFailure) as problem:
                count = Count.failed(problem)
            word = _COUNTED if count.complete or count.number == args.limit else str(Status.UNDECIDED)
            verdict = count.disagreement(item.board, pipeline.made)
            if verdict is not None:
                word = str(verdict.status)
            reference = count.evidence.reference
            results.add(VerdictRecord(number, item.line, item.text, word, reference=reference), verdict)
            reason = " ".join(count.reason.split())
            if args.json:
                record: dict[str, object] = {"line": item.line, "input": item.text, "verdict": word}
                record |= {"count": count.number, "complete": count.complete, "reason": count.reason}
                print(json.dumps(record | {"evidence": asdict(count.evidence)}))
            elif verdict is not None:
                print(f"{word}\t{reason}")
            else:
                print(count.number if count.complete else f"{count.number}\tat least; {reason}")
    return results.exit_code


def _estimate(args: argparse.Namespace) -> int:
    from gridproof.questions import estimated

    limits, results = _options.limits_of(args), Results(args, _COUNTED, row=partial(print_malformed, args))
    with results:
        for item, count in results.answers(lambda board: estimated(board, args.limit, args.probes, args.seed, limits)):
            results.count(_COUNTED)
            if args.json:
                record = {"line": item.line, "input": item.text, "verdict": _COUNTED, "count": count.number}
                print(json.dumps(record | {"complete": False, "reason": count.reason, "interval": count.interval}))
            else:
                print(f"{count.number}\tabout; {count.reason}")
    return results.exit_code
