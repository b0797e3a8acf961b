"""Work of the page itself: solutions of each candidate, cells that must be equal, certificates, puzzles that are made.

Each function is a generator: it yields results as they are found, and empty ones where other work may take its turn.
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from gridproof.certificates import certify, check
from gridproof.errors import InputError, Interrupted
from gridproof.explanations import candidates
from gridproof.formats import Puzzle
from gridproof.generation.making import make
from gridproof.generation.recipe import Recipe
from gridproof.generation.tally import PATIENCE, Patience
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.trust.answer import Status
from gridproof.widget.analysis import SECONDS

MOST_SOLUTIONS = 500
"""Largest number of solutions that are counted together, before those of each candidate are counted alone."""

LARGEST_CERTIFICATE = 500_000_000
"""Most bytes that a certificate may have when it is unpacked."""


class Result(NamedTuple):
    """A part of an answer.

    values: plain values. content: the bytes of a file, if there is one.
    """

    values: Mapping[str, Any] = {}
    content: bytes = b""


# ---- solutions of each candidate -------------------------------------------------------------------------------------


def count_for_candidates(puzzle: Puzzle, most: int) -> Iterator[Result]:
    """Yield for each cell its true candidates, each with the number of solutions that have it there.

    A number that reached ``most`` is one of at least so many. All solutions of a puzzle that has few are looked at
    together. Otherwise each candidate becomes a clue, and the solutions with it are counted up to ``most``.
    """
    board = puzzle.board
    names = [board.geometry.cell_name(cell) for cell in range(board.geometry.cell_count)]
    with Pipeline(limits=Limits(seconds=SECONDS)) as pipeline:
        grids: list[SymbolTuple] = []
        for grid in pipeline.solutions(board):
            grids.append(grid)
            if len(grids) > MOST_SOLUTIONS:
                break
            yield Result()
        if len(grids) <= MOST_SOLUTIONS:
            for cell, name in enumerate(names):
                numbers = Counter([grid[cell] for grid in grids])
                yield Result({"cell": name, "numbers": numbers_of(board, numbers, most)})
            return
        masks = candidates(board, limits=Limits(seconds=SECONDS)).masks
        for cell, name in enumerate(names):
            numbers = Counter()
            for symbol in range(1, board.geometry.symbol_count + 1):
                if masks[cell] >> (symbol - 1) & 1:
                    one = board if board.clues[cell] else board.with_clue(cell, symbol)
                    numbers[symbol] = pipeline.count(one, most).number
                    yield Result()
            yield Result({"cell": name, "numbers": numbers_of(board, numbers, most)})


def numbers_of(board: Board, numbers: Mapping[int, int], most: int) -> list[list[str]]:
    """Return pairs of a symbol and how many solutions have it, in the order of the symbols."""
    pairs = []
    for symbol in sorted(numbers):
        number = f"{numbers[symbol]}"
        if numbers[symbol] >= most:
            number = f"{most}+"
        pairs.append([board.geometry.symbol_text(symbol), number])
    return pairs


# ---- cells that must be equal ----------------------------------------------------------------------------------------


def find_equal_cells(puzzle: Puzzle) -> Iterator[Result]:
    """Yield each set of cells that hold the same symbol in all solutions, though not always the same one.

    Two cells must be equal if there is no solution in which they differ: that is asked of a pair with one more rule,
    and each solution that is found separates further cells.
    """
    board = puzzle.board
    geometry = board.geometry
    with Pipeline(limits=Limits(seconds=SECONDS)) as pipeline:
        two = pipeline.verify(board)
        if two.status is not Status.MULTIPLE:
            raise InputError(
                f"cells that must be equal are of interest where there are several solutions: {two.sentence()}"
            )
        open_cells = [cell for cell, mask in enumerate(candidates(board).masks) if mask & (mask - 1)]
        unproven = split_by_solution([open_cells], two.solutions[0])
        unproven = split_by_solution(unproven, two.solutions[1])
        found = 0
        while unproven:
            cells = unproven.pop()
            first = cells[0]
            for other in cells[1:]:
                yield Result()
                pair = f"killer {geometry.cell_name(first)} {geometry.cell_name(other)}"
                verdict = pipeline.verify(board.with_rule(pair))
                if verdict.status is Status.UNDECIDED:
                    raise Interrupted("seconds", SECONDS)
                if verdict.status is not Status.NONE:
                    unproven = split_by_solution([*unproven, cells], verdict.solutions[0])
                    break
            else:
                found += 1
                yield Result({"equal": [geometry.cell_name(cell) for cell in cells]})
    if not found:
        yield Result({"words": "No cells must be equal."})


def split_by_solution(groups: list[list[int]], grid: SymbolTuple) -> list[list[int]]:
    """Return the groups of cells, each split by the symbols of a solution; cells that are alone are left out."""
    parts: list[list[int]] = []
    for group in groups:
        by_symbol: dict[int, list[int]] = {}
        for cell in group:
            by_symbol.setdefault(grid[cell], []).append(cell)
        for part in by_symbol.values():
            if len(part) > 1:
                parts.append(part)
    return parts


# ---- certificates ----------------------------------------------------------------------------------------------------


def make_certificate(puzzle: Puzzle) -> Iterator[Result]:
    """Yield the certificate of the verdict on a puzzle, as a zip of its files."""
    certificate = certify(puzzle.board, limits=Limits(seconds=SECONDS))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in certificate.files.items():
            archive.writestr(f"certificate/{name}", data)
    yield Result({"claim": certificate.claim, "file": "certificate.zip"}, packed.getvalue())


def check_certificate(puzzle: Puzzle | None, content: bytes) -> Iterator[Result]:
    """Yield the report on a zip with a certificate, or with many. The puzzle on the screen has no part in it."""
    with tempfile.TemporaryDirectory() as folder:
        unpack(content, Path(folder))
        certificates = [path.parent for path in sorted(Path(folder).rglob("claim.json"))]
        if not certificates:
            raise InputError(
                "the zip has no claim.json; expected a certificate that this page or `gridproof certify` wrote"
            )
        for place in certificates:
            for report in check(place):
                words = str(report).replace(f"{folder}/", "")
                yield Result({"accepted": report.accepted, "report": words})


def unpack(content: bytes, folder: Path) -> None:
    """Unpack a zip into a folder. Raises ``InputError`` for what is none, or too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum([member.file_size for member in archive.infolist()])
            if size > LARGEST_CERTIFICATE:
                raise InputError(f"the zip unpacks to {size:,} bytes; expected at most {LARGEST_CERTIFICATE:,}")
            archive.extractall(folder)  # which leaves out absolute paths and `..`
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError):
        raise InputError("the file is no zip, or damaged; expected the zip of a certificate") from None


# ---- a puzzle that is made -------------------------------------------------------------------------------------------


def make_puzzle(_: Puzzle, grade: str, seed: int | None = None) -> Iterator[Result]:
    """Yield a puzzle of 9x9 with a grade, attempt after attempt. The puzzle on the screen has no part in it.

    grade: its name. seed: that of all random choices; another one each time without it.
    """
    recipe = Recipe(grade=grade) if seed is None else Recipe(grade=grade, seed=seed)
    hope = Patience(PATIENCE, lambda line: None)
    for number in count():
        for made in make(recipe, range(number, number + 1), 1, hope):
            yield Result({"puzzle": made.board.text()})
            return
        yield Result()


JOBS: dict[str, Callable[..., Iterator[Result]]] = {
    "candidates": count_for_candidates,
    "equal": find_equal_cells,
    "certify": make_certificate,
    "check": check_certificate,
    "make": make_puzzle,
}
"""Each question by its name."""
