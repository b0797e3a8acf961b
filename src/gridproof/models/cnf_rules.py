"""Primitives of rules -> clauses.

Relations forbid pairs. Automata have a variable for each state, which is true at least where the machine is. Sums have
a page of their own, ``cnf_sums``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

from gridproof.models.clauses import Builder, Guarded, WithFurther
from gridproof.models.cnf_connected import add_connected
from gridproof.models.cnf_counts import add_count
from gridproof.models.cnf_ranks import add_ranked
from gridproof.models.cnf_sums import add_sum
from gridproof.models.variables import Clause
from gridproof.puzzle.board import Problem
from gridproof.rules.filling import Exists
from gridproof.rules.primitives import (
    AnyOf,
    Automaton,
    Count,
    Different,
    Domain,
    Primitive,
    Relation,
    Sum,
    TooLarge,
)
from gridproof.rules.ranks import Ranked
from gridproof.rules.regions import Connected
from gridproof.text import quote


def add_all(primitives: Iterable[Primitive], to: Builder, label: str) -> None:
    """State several primitives.

    Parameters
    ----------
    primitives : iterable of Primitive
        What must hold.
    to : Builder
        The model under construction.
    label : str
        What new variables are for, such as ``rule 1``.

    Raises
    ------
    TooLarge
        For too many clauses.
    Interrupted
        If the time of ``limits.watched`` is over.
    """
    for primitive in primitives:
        to.check()
        TRANSLATIONS[type(primitive)](primitive, to, label)


def add_rules(problem: Problem, to: Builder) -> None:
    """State the rules of a problem.

    Raises
    ------
    TooLarge
        For the first rule with which they take too many clauses, with its sentence.
    Interrupted
        If the time of ``limits.watched`` is over.
    """
    for number, rule in enumerate(problem.rules, 1):
        try:
            add_all(rule.expand(problem.geometry), to, f"rule {number}")
        except TooLarge as too_large:
            sentence = quote(rule.sentence(problem.geometry), 100)
            raise TooLarge(f"{too_large}, from rule {number} of {len(problem.rules)} on: {sentence}") from None


def add_domain(domain: Domain, to: Builder, label: str) -> None:
    excluded = set(to.symbols(domain.cell)).difference(domain.values)
    for symbol in excluded:
        to.add((-to.x(domain.cell, symbol),))


def add_different(different: Different, to: Builder, label: str) -> None:
    cells = different.cells
    symbols = range(1, to.symbol_count + 1)
    if len(cells) > to.symbol_count:
        to.never(label)
    elif to.houses_of is not None and len(cells) < to.symbol_count:
        peers = to.houses_of.peers
        for first, second in combinations(cells, 2):
            if second not in peers[first]:
                to.extend([(-to.x(first, symbol), -to.x(second, symbol)) for symbol in symbols])
    else:
        for symbol in symbols:
            to.check()
            places = tuple(to.x(cell, symbol) for cell in cells)
            state = to.exactly_one if len(set(places)) == to.symbol_count else to.at_most_one
            state(places, f"{label} = {symbol}")


def add_relation(relation: Relation, to: Builder, label: str) -> None:
    for first, second in relation.pairs:
        to.check()
        forbidden = find_forbidden(relation.allowed, to.symbols(first), to.symbols(second))
        not_first = to.not_in(first)
        not_second = to.not_in(second)
        for a in forbidden.of_first:
            to.add((not_first[a],))
        for b in forbidden.of_second:
            to.add((not_second[b],))
        to.extend([(not_first[a], not_second[b]) for a, b in forbidden.pairs])


class Forbidden(NamedTuple):
    """The symbols that fit none of the other cell's, for each of two cells, and the pairs of others that do not fit."""

    of_first: list[int]
    of_second: list[int]
    pairs: list[tuple[int, int]]


@lru_cache(maxsize=1024)
def find_forbidden(allowed: Sequence[int], of_first: Sequence[int], of_second: Sequence[int]) -> Forbidden:
    """Return what a relation forbids, of the symbols that each of two cells may hold."""
    fitting_first = set()
    fitting_second = set()
    unfit = []
    for a, b in product(of_first, of_second):
        if allowed[a - 1] >> (b - 1) & 1:
            fitting_first.add(a)
            fitting_second.add(b)
        else:
            unfit.append((a, b))
    alone_first = [a for a in of_first if a not in fitting_first]
    alone_second = [b for b in of_second if b not in fitting_second]
    pairs = []
    for a, b in unfit:
        if a in fitting_first and b in fitting_second:
            pairs.append((a, b))
    return Forbidden(alone_first, alone_second, pairs)


# ---- automata, counts, options ---------------------------------------------------------------------------------------


def add_automaton(automaton: Automaton, to: Builder, label: str) -> None:
    """Add a variable for each state between two cells; none for the only state there, none for the accepted ends."""
    layers = automaton.layers
    conditions: Sequence[Clause] = [()]  # what the clauses of each state before a cell begin with
    for place, (cell, layer) in enumerate(zip(automaton.cells, layers, strict=True), 1):
        states = len(layers[place]) if place < len(layers) else 1
        first = 0
        if states > 1:
            first = to.new(states, f"{label}: after {place} cells")
            # that there is a state follows, but as a clause it makes some searches four times as fast
            to.add(range(first, first + states))
        not_here = to.not_in(cell)
        for condition, row in zip(conditions, layer, strict=True):
            to.check()
            for symbol, target in enumerate(row, 1):
                if target < 0:
                    to.add(condition + (not_here[symbol],))
                elif first:
                    to.add(condition + (not_here[symbol], first + target))
        if first:
            conditions = [(-first - state,) for state in range(states)]
        else:
            conditions = [()] * states  # none where the machine has stopped


def add_any_of(any_of: AnyOf, to: Builder, label: str) -> None:
    options = any_of.options
    domains = [option[0] for option in options if len(option) == 1 and isinstance(option[0], Domain)]
    if not options:
        to.never(label)
    elif len(options) == 1:
        add_all(options[0], to, label)
    elif len(domains) == len(options):
        literals: list[int] = []
        for domain in domains:
            literals += domain_literals(domain, to)
        to.add(tuple(dict.fromkeys(literals)))
    else:
        first = to.new(len(options), f"{label}: option")
        to.add(range(first, first + len(options)))
        for guard, option in enumerate(options, first):
            add_all(option, Guarded(to, guard), label)


def domain_literals(domain: Domain, to: Builder) -> list[int]:
    """Return the literals of which one is true exactly when the domain holds; of all symbols but one, only that."""
    excluded = [symbol for symbol in range(1, to.symbol_count + 1) if symbol not in domain.values]
    if len(excluded) == 1:
        return [-to.x(domain.cell, excluded[0])]
    literals = []
    for symbol in domain.values:
        if 1 <= symbol <= to.symbol_count:
            literals.append(to.x(domain.cell, symbol))
    return literals


def add_exists(exists: Exists, to: Builder, label: str) -> None:
    """Add the variables of further cells, each of which holds exactly one symbol, and state the parts over them."""
    board = exists.board
    inner = WithFurther(to, board, label)
    for cell in range(board.board.cell_count, board.cell_count):
        literals = tuple([inner.x(cell, symbol) for symbol in board.symbols])
        to.exactly_one(literals, f"{label}: {board.cell_name(cell)}")
    add_all(exists.parts, inner, label)


TRANSLATIONS: dict[type[Primitive], Callable[[Any, Builder, str], None]] = {
    Domain: add_domain,
    Different: add_different,
    Relation: add_relation,
    Sum: add_sum,
    Automaton: add_automaton,
    Count: add_count,
    AnyOf: add_any_of,
    Connected: add_connected,
    Exists: add_exists,
    Ranked: add_ranked,
}
"""The function that states a primitive of each class. It takes the model, and what new variables are for."""
