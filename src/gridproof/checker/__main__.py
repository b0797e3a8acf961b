"""``python -m gridproof.checker PATH ...``: the checker by itself; 0 if every certificate is accepted, else
1."""

from __future__ import annotations

import sys

from . import check_all


def main(paths: list[str]) -> int:
    """Prints a report for each certificate in each path. Returns the exit code, 2 without a path."""
    if not paths:
        print("usage: python -m gridproof.checker CERTIFICATE ...", file=sys.stderr)
        return 2
    accepted = True
    for path in paths:
        for report in check_all(path):
            print(report)
            accepted = accepted and report.accepted
    return 0 if accepted else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
