"""A puzzle without the rules that a format cannot express, for whoever wants that."""

from __future__ import annotations

from dataclasses import replace

from gridproof.errors import InexpressibleRule
from gridproof.formats.catalog import Format
from gridproof.formats.puzzle import Puzzle
from gridproof.puzzle.board import Board
from gridproof.rules import Rule


def without_inexpressible(form: Format, puzzle: Puzzle) -> tuple[Puzzle, tuple[Rule, ...]]:
    """Return a puzzle without the rules that a format cannot express, and these rules.

    It has all solutions of the puzzle, and perhaps more. Raises ``BoardError`` for anything else that the format cannot
    express.

    Examples
    --------
    >>> from gridproof.formats import read_puzzle
    >>> from gridproof.formats.catalog import all_formats
    >>> puzzle = read_puzzle("1... .... .... ...2", rules=["killer 5 r1c2 r1c3", "even r2c2"])
    >>> _, left_out = without_inexpressible(all_formats()["sudokupad"], puzzle)
    >>> [rule.kind for rule in left_out]
    ['even']
    """
    left_out: list[Rule] = []
    while True:
        try:
            form.text_of(puzzle)
        except InexpressibleRule as problem:
            dropped = rules_to_drop(puzzle.board, problem.rule)
            left_out += dropped
            kept = [rule for rule in puzzle.board.rules if rule not in dropped]
            puzzle = replace(puzzle, board=replace(puzzle.board, rules=tuple(kept)))
        else:
            return puzzle, tuple(left_out)


def rules_to_drop(board: Board, inexpressible: Rule) -> list[Rule]:
    """Return a rule, and those that would demand more without it: that all dots are given, without one of the dots."""
    kept = [rule for rule in board.rules if rule != inexpressible]
    dropped = [inexpressible]
    for rule in kept:
        if rule.complete(kept, board.geometry) != rule:
            dropped.append(rule)
    return dropped
