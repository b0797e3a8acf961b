"""``python -m benchmarks.iss_strings FILE``: strings of the Interactive Sudoku Solver, from the text to the verdict.

FILE has a JSON object a line, with ``iss`` (the string), ``solution`` (all digits of the only one; from ten digits on
letters, A for 1) and ``name`` or ``id``. A string counts as right if it is ``unique`` with this solution.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from gridproof import Verdict, verify
from gridproof.errors import GridproofError, NotUnderstoodError
from gridproof.limits import Limits


def text_of(verdict: Verdict) -> str:
    """Return the solution of a verdict as the solver writes it."""
    digits = verdict.board.geometry.digits.of(verdict.solution or ())
    if max(digits, default=0) < 10:
        return "".join(str(digit) for digit in digits)
    return "".join(chr(ord("A") + digit - 1) if digit else "0" for digit in digits)


def decide(row: dict[str, Any], seconds: float, cross_check: str) -> tuple[str, str]:
    """Return the outcome of a string, and the reason if it is not right."""
    try:
        verdict = verify(row["iss"], limits=Limits(seconds=seconds), cross_check=cross_check)
    except NotUnderstoodError as problem:
        return "not understood", str(problem)
    except GridproofError as problem:
        return "refused", str(problem)
    outcome = str(verdict.status)
    if outcome != "unique":
        return outcome, verdict.reason
    if text_of(verdict) == row["solution"].upper():
        return "right", ""
    return "unique with another solution", text_of(verdict)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.iss_strings", description=__doc__)
    parser.add_argument("file", type=Path, help="strings and solutions, a JSON object a line")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each string (default: 20)")
    parser.add_argument("--cross-check", default="none", help="all or none (default: none)")
    args = parser.parse_args()
    outcomes: Counter[str] = Counter()
    for number, line in enumerate(args.file.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        outcome, why = decide(row, args.seconds, args.cross_check)
        outcomes[outcome] += 1
        if outcome != "right":
            print(f"{number} {row.get('name') or row.get('id')}: {outcome}: {why:.160}")
    for outcome, number in outcomes.most_common():
        print(f"{number:5} {outcome}")


if __name__ == "__main__":
    main()
