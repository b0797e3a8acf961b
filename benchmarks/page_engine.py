"""Edits of real puzzles, analysed as in the page: ``page_engine.mjs`` runs this in the Python of the page."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from gridproof import Board, read_puzzle
from gridproof.formats import Puzzle
from gridproof.page.findings import begin, pack

EVERY = 5
"""Of the complete puzzles each fifth is edited."""

EDITS = 4
"""Edits of each puzzle, one after the other."""


def edit(board: Board, random: Random) -> Board:
    """Type a symbol into a cell; if it is there, take it away."""
    typed = random.randrange(board.geometry.cell_count)
    symbol = random.randint(1, board.geometry.symbol_count)
    clues = list(board.clues)
    clues[typed] = 0 if clues[typed] == symbol else symbol
    return replace(board, clues=tuple(clues))


def time_analysis(board: Board, milliseconds: Callable[[], float]) -> tuple[float, float]:
    """Return the CPU milliseconds to the verdict, and to the end."""
    started = milliseconds()
    verdict = None
    for finding in begin(pack(("look", Puzzle(board)))):
        if finding.content and verdict is None:
            verdict = milliseconds() - started
    assert verdict is not None
    return verdict, milliseconds() - started


def main(lines: Sequence[str], milliseconds: Callable[[], float]) -> None:
    records = [json.loads(line) for line in lines]
    complete = [record["payload"] for record in records if record["complete"]]
    random = Random(7)
    times = []
    for payload in complete[::EVERY]:
        board = replace(read_puzzle(payload).board, filled=())
        time_analysis(board, milliseconds)
        for _ in range(EDITS):
            board = edit(board, random)
            times.append(time_analysis(board, milliseconds))
    for place, name in enumerate(("verdict", "end")):
        ordered = sorted([one[place] for one in times])
        middle, late = ordered[len(ordered) // 2], ordered[int(0.9 * len(ordered))]
        print(f"edit to {name}: median {middle:.0f} ms, p90 {late:.0f}, longest {ordered[-1]:.0f}; {len(times)} edits")


if "given" in globals():  # whoever runs this puts it there
    main(globals()["given"].splitlines(), globals()["milliseconds"])
