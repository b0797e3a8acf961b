"""Check certificates, with a checker that shares no code with the rest of gridproof.

A CERTIFICATE is a folder or .zip of one certificate or of many. For an accepted one you see the board, the houses and
the kinds of rules, so that you can compare them with the puzzle you have in mind. For a refused one you see
the reasons.
"""

from __future__ import annotations

import argparse
import json

from gridproof.cli import _options
from gridproof.runs.interrupts import ended_cleanly

GROUP = "trust"
SUMMARY = "check certificates independently"
EXIT_CODES = {
    0: "every certificate is accepted",
    1: "some certificates are refused",
    2: "there is no certificate at a path, or the external program could not be asked",
}
EXAMPLES = (
    "gridproof check proof",
    "gridproof check --json proofs.zip",
)

_NOTHING_THERE = {"unreadable", "not-a-certificate", "missing-file"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [OPTION ...] CERTIFICATE ..."
    _options.value(parser, "certificates", "CERTIFICATE", "a folder or a .zip", nargs="+")
    told = "also check the proofs with this program, such as drat-trim (a name on the PATH, or a path)"
    _options.value(parser, "--external", "PROGRAM", told)
    told = "for boards above order 25: allow each certificate eight times the memory, and an hour"
    _options.flag(parser, "--large", told)
    _options.seconds(parser, "--seconds", "time limit for each certificate (default: 300)")
    _options.flag(parser, "--json", "write one JSON object per line")
    _options.flag(parser, "-q --quiet", "show only what is refused")


@ended_cleanly()  # what an external program is given lies in a temporary folder
def run(args: argparse.Namespace) -> int:
    from gridproof.checker.external import SecondOpinion
    from gridproof.checking import reports

    codes = [0]
    for path in args.certificates:
        for shown in reports(path, args.external, args.large, args.seconds):
            report = shown.report if isinstance(shown, SecondOpinion) else shown
            codes.append(1 - shown.accepted)
            nothing = report.claim is None and set(report.codes()) <= _NOTHING_THERE
            if nothing or (isinstance(shown, SecondOpinion) and shown.not_run):
                codes.append(2)
            if not (shown.accepted and args.quiet):
                print(json.dumps(shown.as_dict()) if args.json else shown)
    return max(codes)
