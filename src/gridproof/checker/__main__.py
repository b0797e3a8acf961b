"""The checker by itself: ``python -m gridproof.checker PATH ...``; 0 if every certificate is accepted, else 1."""

from __future__ import annotations

import sys

from . import check_all


def main(paths: list[str]) -> int:
    """Print a report for each certificate in each path. Return the exit code, 2 without a path."""
    if not paths:
        print("usage: python -m gridproof.checker CERTIFICATE ...", file=sys.stderr)
        return 2
    code = 0
    for path in paths:
        for report in check_all(path):
            print(report)
            if not report.accepted:
                code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
