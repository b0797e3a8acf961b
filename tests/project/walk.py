"""The walk of one question through the package: ``python tests/project/walk.py [PUZZLE]`` prints the files that are
entered, in order, and how many different lines of each are executed.

It is the second question of a process: names are imported, and the rules of the board are loaded.
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias

import gridproof

PACKAGE = Path(gridproof.__file__).parent
LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"

Walk: TypeAlias = dict[str, set[int]]
"""The executed lines of each file, by its path in the package, in the order in which the files are entered."""


def walk_of(puzzle: str = LINE) -> Walk:
    """Return the walk of ``gridproof.verify(puzzle)``."""
    gridproof.verify(puzzle)
    walk: Walk = {}
    root = f"{PACKAGE}/"

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        path = frame.f_code.co_filename
        if not path.startswith(root):
            return None
        if event == "line":
            walk.setdefault(path.removeprefix(root), set()).add(frame.f_lineno)
        return trace

    before = sys.gettrace()
    threading.settrace(trace)
    sys.settrace(trace)
    try:
        gridproof.verify(puzzle)
    finally:
        sys.settrace(before)
        threading.settrace(None)
    return walk


if __name__ == "__main__":
    steps = walk_of(*sys.argv[1:2])
    for file, lines in steps.items():
        print(f"{len(lines):5}  {file}")
    print(f"{sum(map(len, steps.values())):5}  lines in {len(steps)} files")
