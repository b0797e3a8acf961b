"""Check certificates independently.

The checker shares no code with the rest of gridproof. A CERTIFICATE is a folder with one certificate, or with a folder
for each of many. For an accepted one you see the board, the houses and the kinds of rules, so that you can compare them
with the puzzle you have in mind. For a refused one you see the reasons.

exit codes:
    0    every certificate is accepted
    1    some certificates are refused
    2    there is no certificate at a path, or the external program could not run

examples:
    gridproof check proof
    gridproof check --json proof
"""

from __future__ import annotations

import argparse
import json

from gridproof.certificates.check import check_each
from gridproof.cli import _options
from gridproof.cli._options import Options

_NOTHING_THERE = {"unreadable", "not-a-certificate", "missing-file"}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [OPTION ...] CERTIFICATE ..."
    _options.value(parser, "certificates", "CERTIFICATE", "a folder", nargs="+")
    text = "also check the proof with cake_lpr, lrat-check, drat-trim or the like (a name on the PATH, or a path)"
    _options.value(parser, "--with", "PROGRAM", text, dest="program")
    text = "for boards above order 25: allow each certificate eight times the memory, and an hour"
    _options.flag(parser, "--large", text)
    _options.seconds(parser, "--seconds", "time limit for each certificate (default: 300)")
    _options.flag(parser, "--json", "write one JSON object per line")
    _options.flag(parser, "-q --quiet", "show only what is refused")


def run(args: Options) -> int:
    codes = [0]
    for path in args.certificates:
        for report in check_each(path, args.program, args.large, args.seconds):
            codes.append(1 - report.confirmed)
            nothing = report.claim is None and set(report.codes()) <= _NOTHING_THERE
            if nothing or (report.opinion and report.opinion.answer == "not run"):
                codes.append(2)
            if not (report.confirmed and args.quiet):
                print(json.dumps(report.as_dict()) if args.json else report)
    return max(codes)
