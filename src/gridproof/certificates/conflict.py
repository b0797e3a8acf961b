"""A small set of rules, and of cells whose clues and pencil marks contradict each other and these rules already.

The set is minimal: without what the board states of any one of its cells, and without any one of its rules, there is a
solution. That does not mean that no other is smaller.
"""

from __future__ import annotations

from itertools import count

from gridproof import backends
from gridproof.explanations.minimiser import contradicting, minimise
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.trust.statement import Statement


def conflict(stated: Statement, limits: Limits = NO_LIMITS) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Find a minimal set of cells and rules that has no solution, by the formula of the checker.

    Parameters
    ----------
    stated
        The board as the checker reads it.
    limits
        When to stop.

    Returns
    -------
    tuple of cells and rules, or None
        Both ascending, and empty if the houses alone have no solution; ``None`` if the board has a solution.

    Raises
    ------
    Interrupted
        If a limit comes first.

    Examples
    --------
    Row 1 has no place for a 3:

    >>> from gridproof import parse
    >>> from gridproof.trust.statement import statement
    >>> conflict(statement(parse("12.. ..3. .... ...4")))
    ((0, 1, 6), ())
    """
    n = stated.shape.order
    selectors = range(n**3 + 1, n**3 + 1 + len(stated.rules) + len(stated.board))
    fresh = count(selectors.stop)
    with backends.find(DEFAULT_BACKEND).incremental(stated.formula(cells=(), rules=()).clauses) as solver:
        for selector, rule in zip(selectors, stated.rules, strict=False):
            for part in rule.parts:
                for clause in stated.unrolled.clauses(part, fresh):
                    solver.add([-selector, *clause])
        for selector, (cell, symbols) in zip(selectors[len(stated.rules) :], stated.board.items(), strict=True):
            for symbol in range(1, n + 1):
                if symbol not in symbols:
                    solver.add([-selector, -(cell * n + symbol)])
        needed = minimise(selectors, contradicting(solver, Watch(limits)))
    if needed is None:
        return None
    numbers, cells = [selector - selectors.start for selector in needed], list(stated.board)
    rules = tuple(number for number in numbers if number < len(stated.rules))
    return tuple(cells[number - len(stated.rules)] for number in numbers[len(rules) :]), rules
