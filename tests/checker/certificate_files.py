"""Certificates for tests, with digests that fit, and their reports."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from gridproof import checker
from gridproof.certificates import certify
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from rules.random_rules import grids

Files = dict[str, bytes]

FOUR, SIX = Geometry.classic(2), Geometry.classic(2, 3)
GRID = "123456456123231564564231312645645312"
RULES = (
    "killer 12 r1c2 r1c4 r2c3",
    "thermometer r1c4 r1c5 r1c6",
    "sandwich 9 row4",
    "arrow r6c3 / r5c3 r5c1 / r5c2 r5c3 r4c4",
    "renban r3c1 r3c2 r4c3 r4c1",
    "quadruple 3 4 r3c2 r3c3 r4c2 r4c3",
    "even r1c2 r4c3",
    "little-killer 13 r1c1 r2c2 r3c3 r4c4 r5c5",
    "extra-region r5c1-r5c6",
)


@cache
def unique() -> Files:
    """A board of order 6 with rules of all sorts and one clue."""
    board = Board.empty(SIX).with_rules(RULES).with_clue(34, int(GRID[34]))
    return dict(certify(board, cross_check="none").files)


@cache
def none() -> Files:
    """Three rules and a clue that contradict each other."""
    board = Board.empty(FOUR).with_rules(["even r4c4", "thermometer r1c2 r1c1", "killer 10 row2"])
    return dict(certify(board.with_clue(0, 1)).files)


@cache
def multiple() -> Files:
    return dict(certify(Board.empty(FOUR).with_clue(0, 1)).files)


@cache
def counted() -> Files:
    """All solutions of a board of order 4 with a clue and a rule."""
    return dict(certify(Board.empty(FOUR).with_clue(0, 1).with_rule("killer 5 r1c1 r1c2"), count=True).files)


@cache
def at_least() -> Files:
    """Some of these solutions, without a proof."""
    board = Board.empty(FOUR).with_clue(0, 1).with_rule("killer 5 r1c1 r1c2")
    return dict(certify(board, count=True, most=7).files)


def sealed(files: Files, **claim: object) -> Files:
    """The files with digests that fit, and with these keys of claim.json."""
    head = json.loads(files["claim.json"])
    head["files"] = {name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name != "claim.json"}
    return files | {"claim.json": json.dumps(head | claim).encode()}


def write(files: Files, folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    for name, data in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder


def report(files: Files, folder: Path, limits: checker.CheckerLimits | None = None) -> checker.Report:
    return checker.check(write(files, folder / "certificate"), limits)


def solutions(board: Board) -> list[SymbolTuple]:
    """Find solutions by brute force: every grid of the houses is tested against the candidates and each rule."""
    return [
        grid
        for grid in grids(board.geometry)
        if all(mask >> (symbol - 1) & 1 for mask, symbol in zip(board.candidates, grid, strict=True))
        and all(rule.holds(board.geometry.digits.of(grid), board.geometry) for rule in board.rules)
    ]


def lines(data: bytes) -> list[str]:
    return data.decode().splitlines()


def joined(texts: Sequence[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


NO_GRID = Geometry.jigsaw("0112 1202 3310 0323").with_diagonals()
"""Regions that leave no grid at all."""
