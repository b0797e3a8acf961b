#!/usr/bin/env python3
"""Makes a program for ``benchmarks.peers`` of the program schoku, which must be found in the PATH.

It reports wall time only, so the seconds are CPU time of the process, less that of one for a single line.
"""

import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path


def run(path: str) -> tuple[str, float]:
    """Return schoku's report on a file, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.NamedTemporaryFile() as solutions:
        command = ["schoku", "-rM", "-c", "-t1", "-x", path, solutions.name]
        report = subprocess.run(command, capture_output=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return report, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def number_of(words: str, report: str) -> int:
    """Return the number of a line of the report, 0 if there is no such line."""
    found = re.search(rf"^ *(\d+) .*{words}", report, re.MULTILINE)
    return int(found.group(1)) if found else 0


def main() -> None:
    report, seconds = run(sys.argv[1])
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as single:
        single.write(Path(sys.argv[1]).read_text()[:82])
        single.flush()
        seconds -= run(single.name)[1]
    none = number_of("had no solution", report)
    several = number_of("had multiple solutions", report)
    unique = number_of("puzzles entered and presets", report) - none - several
    print(none, unique, several, seconds)


main()
