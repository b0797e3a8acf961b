"""Primitives of rules -> clauses, in the ways that an encoding file may choose in its table ``[rule]``.

Sums: by *combinations* of symbols (one variable for each set of symbols that a cage may hold), by *partial sums* (an
automaton), or by one of PySAT's pseudo-Boolean encodings; targets beyond clauses take sums that many combinations
reach as they are (*linear*). Automata: with *states* only, which are true at least where the machine is, or with
*states and edges*, after Quimper and Walsh 2007 ("Decomposing global grammar constraints"). Relations: by *forbid*-ding
pairs, or by *support* (Kasif 1990, "On the parallel complexity of discrete relaxation").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate, combinations, product
from math import comb
from typing import TypeAlias, assert_never

from gridproof.errors import EncodingError, shortened
from gridproof.models.builder import Builder, Guarded
from gridproof.puzzle.board import Problem
from gridproof.rules.primitives import (
    AnyOf,
    Automaton,
    Count,
    Different,
    Domain,
    Equivalent,
    Primitive,
    Relation,
    Sum,
    TooLarge,
    Tuples,
)
from gridproof.runs.interrupts import PysatsHandlerOff

MOST_COMBINATIONS = 128
"""A sum that more sets of symbols reach is taken by partial sums: each costs a variable (a cage of n = 9 has 12 at
most, an arrow with two cells on its shaft 16)."""

MOST_TRIED = 20_000
"""Sets that are looked at to find these; above it a sum is taken by partial sums."""

MOST_SUBSETS = 500
"""A count with more subsets of cells than this is said by PySAT's sequential counter."""

PSEUDO_BOOLEAN = ("bdd", "seqcounter", "sortnetwrk", "adder", "binmerge")
"""PySAT's pseudo-Boolean encodings of sums; they need its extra ``pb``."""


def add_primitive(primitive: Primitive, to: Builder, label: str) -> None:
    """Say a primitive in clauses.

    Parameters
    ----------
    primitive : Primitive
        What must hold.
    to : Builder
        The model under construction.
    label : str
        What new variables are for, such as the rule's sentence.
    """
    match primitive:
        case Domain(cell=cell, values=values):
            for symbol in set(to.symbols(cell)).difference(values):
                to.add((-to.x(cell, symbol),))
        case Different():
            _different(primitive, to, label)
        case Relation():
            _relation(primitive, to)
        case Tuples():
            _tuples(primitive, to)
        case Sum():
            _sum(primitive, to, label)
        case Automaton():
            _automaton(primitive, to, label)
        case Count():
            _count(primitive, to, label)
        case Equivalent(one=one, other=other):
            to.add((-to.x(*one), to.x(*other)))
            to.add((to.x(*one), -to.x(*other)))
        case AnyOf():
            _any_of(primitive, to, label)
        case _:
            assert_never(primitive)


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
            sentence = shortened(rule.sentence(problem.geometry), 100)
            raise TooLarge(f"{too_large}, from rule {number} of {len(problem.rules)} on: {sentence}") from None


def _different(different: Different, to: Builder, label: str) -> None:
    if len(different.cells) > to.order:
        to.never(label)
        return
    for symbol in range(1, to.order + 1):
        to.check()
        places = tuple(to.x(cell, symbol) for cell in different.cells)
        say = to.exactly_one if len(set(places)) == to.order else to.at_most_one
        say(places, f"{label} = {symbol}")


def _relation(relation: Relation, to: Builder) -> None:
    support = to.choices["relation"] == "support"

    @cache
    def fitting(here: Sequence[int], there: Sequence[int], forwards: bool) -> dict[int, list[int]]:
        """Return for each symbol of a cell the symbols of its partner that fit."""
        pairs = product(here, there) if forwards else ((b, a) for a, b in product(here, there))
        fits = iter([bool(relation.allowed[a - 1] >> (b - 1) & 1) for a, b in pairs])
        return {a: [b for b, fit in zip(there, fits, strict=False) if fit] for a in here}

    @cache
    def needed(here: Sequence[int], there: Sequence[int], forwards: bool) -> list[tuple[int, list[int]]]:
        """Return the symbols that need one of those in the partner: all with ``support``, else those that fit none."""
        most = len(there) if support else 1
        return [(a, fits) for a, fits in fitting(here, there, forwards).items() if len(fits) < most]

    @cache
    def bad(here: Sequence[int], there: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pairs that do not fit, but for symbols that fit no other."""
        forwards, backwards = fitting(here, there, True), fitting(there, here, False)
        return [(a, b) for a, b in product(here, there) if forwards[a] and backwards[b] and b not in forwards[a]]

    for one, other in relation.pairs:
        to.check()
        here, there = to.symbols(one), to.symbols(other)
        for a, fits in needed(here, there, True):
            to.add((-to.x(one, a), *(to.x(other, b) for b in fits)))
        for b, fits in needed(there, here, False):
            to.add((-to.x(other, b), *(to.x(one, a) for a in fits)))
        for a, b in () if support else bad(here, there):
            to.add((-to.x(one, a), -to.x(other, b)))


def _tuples(tuples: Tuples, to: Builder) -> None:
    """Forbid the shortest beginnings of combinations that none of the allowed ones has."""
    beginnings = {allowed[:length] for allowed in tuples.allowed for length in range(len(tuples.cells) + 1)}
    if not beginnings:
        beginnings = {()}
    for length in range(1, len(tuples.cells) + 1):
        to.check()
        for combination in product(*map(to.symbols, tuples.cells[:length])):
            if combination not in beginnings and combination[:-1] in beginnings:
                to.add([-to.x(cell, symbol) for cell, symbol in zip(tuples.cells, combination, strict=False)])


def _sum(total: Sum, to: Builder, label: str) -> None:
    way = to.choices["sum"]
    if way in ("combinations", "linear") and (ways := ways_of(total, to.order)) is not None:
        _combinations(total, ways, to, label)
    elif way == "linear":
        to.linear(total)
    elif way in ("combinations", "partial-sums"):
        _automaton(partial_sums(total, to.order), to, label)
    else:
        _pseudo_boolean(total, to, way, label)


Sets: TypeAlias = tuple[frozenset[int], ...]


def ways_of(total: Sum, order: int) -> tuple[Sets, ...] | None:
    """Return every way to give each coefficient, in order, the set of its cells' symbols; ``None`` if too many."""
    return _combinations_of(total.coefficients, total.total, order) if total.distinct else None


@lru_cache(maxsize=1024)
def _combinations_of(coefficients: tuple[int, ...], total: int, order: int) -> tuple[Sets, ...] | None:
    weights = Counter(coefficients)
    begun: list[tuple[Sets, int]] = [((), 0)]
    for number, (weight, size) in enumerate(weights.items(), 1):
        if len(begun) * comb(order, size) > MOST_TRIED:
            return None
        begun = [
            ((*sets, frozenset(more)), so_far + weight * sum(more))
            for sets, so_far in begun
            for more in combinations(range(1, order + 1), size)
            if number < len(weights) or so_far + weight * sum(more) == total
        ]
    return tuple([sets for sets, _ in begun]) if len(begun) <= MOST_COMBINATIONS else None


def _combinations(total: Sum, ways: Sequence[Sets], to: Builder, label: str) -> None:
    """Add a variable for each way; as the cells of a coefficient differ, each symbol of its set is in one of them.

    This is stated in all three directions (a way has these symbols and no others, a symbol needs a way that has it):
    twice to three times as fast as the first of them alone, which would do.
    """
    if not ways:
        to.never(label)
        return
    first = to.new(len(ways), f"{label}: symbols") if len(ways) > 1 else 0
    if first:
        to.add(range(first, first + len(ways)))
    for group, weight in enumerate(dict.fromkeys(total.coefficients)):
        sets = [way[group] for way in ways]
        cells = [cell for cell, other in zip(total.cells, total.coefficients, strict=True) if other == weight]
        some, every = sets[0].union(*sets), sets[0].intersection(*sets)
        for symbol in range(1, to.order + 1):
            places = [to.x(cell, symbol) for cell in cells]
            if symbol in every:
                to.add(places)
                continue
            if symbol not in some:
                for place in places:
                    to.add((-place,))
                continue
            having = []
            for chosen, symbols in enumerate(sets, first):
                if symbol in symbols:
                    having.append(chosen)
                    to.add((-chosen, *places))
                else:
                    for place in places:
                        to.add((-chosen, -place))
            for place in places:
                to.add((-place, *having))


@lru_cache(maxsize=1024)
def _partial_sums(coefficients: tuple[int, ...], total: int, order: int) -> Automaton:
    # what the last i cells can add decides early; the state carries the place, so that layers differ
    ends = [sorted((weight, weight * order)) for weight in reversed(coefficients)]
    least, greatest = ([0, *accumulate(end)] for end in zip(*ends, strict=True)) if ends else ([0], [0])

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int] | None:
        place, so_far = state
        so_far += coefficients[place] * symbol
        left = len(coefficients) - place - 1
        return (place + 1, so_far) if least[left] <= total - so_far <= greatest[left] else None

    cells = tuple(range(len(coefficients)))
    return Automaton.of(cells, order, (0, 0), step, lambda state: state == (len(coefficients), total))


def partial_sums(total: Sum, order: int) -> Automaton:
    """Return the automaton whose state after i cells is the sum of these."""
    return Automaton(total.cells, _partial_sums(total.coefficients, total.total, order).layers)


def _pseudo_boolean(total: Sum, to: Builder, way: str, label: str) -> None:
    terms = [
        (to.x(cell, symbol), weight * symbol)
        for cell, weight in zip(total.cells, total.coefficients, strict=True)
        for symbol in range(1, to.order + 1)
    ]
    # weights must be positive: c*x = -c*(not x) + c
    literals = [literal if weight > 0 else -literal for literal, weight in terms]
    bound = total.total - sum(weight for _, weight in terms if weight < 0)
    if bound < 0:
        to.never(label)
        return
    try:
        from pysat.pb import EncType, PBEnc

        weights = [abs(weight) for _, weight in terms]
        encoded = PBEnc.equals(literals, weights, bound, to.top, encoding=getattr(EncType, way))
    except AssertionError as missing:  # all that PySAT says of a package that is not there
        raise EncodingError(
            f"rule.sum = {way!r} needs more of PySAT (pip install 'python-sat[pb]'): {missing}"
        ) from None
    to.take(encoded, f"{label}: {way}")


def _automaton(automaton: Automaton, to: Builder, label: str) -> None:
    """Add a variable for each state between two cells; none for the only state there, none for the accepted ends."""
    layers = automaton.layers
    states: list[Sequence[int | None]] = []
    for place, layer in enumerate(layers):
        if place == 0 or len(layer) == 1:
            states.append([None] * len(layer))
        else:
            first = to.new(len(layer), f"{label}: after {place} cells")
            states.append(range(first, first + len(layer)))
    for place, (cell, layer) in enumerate(zip(automaton.cells, layers, strict=True)):
        after = states[place + 1] if place + 1 < len(layers) else None
        for state, row in enumerate(layer):
            to.check()
            here = states[place][state]
            condition = () if here is None else (-here,)
            for symbol, target in enumerate(row, 1):
                if target < 0:
                    to.add((*condition, -to.x(cell, symbol)))
                elif after is not None and (there := after[target]) is not None:
                    to.add((*condition, -to.x(cell, symbol), there))
    if to.choices["automaton"] == "states-and-edges":
        _edges(automaton, states, to, label)


def _edges(automaton: Automaton, states: Sequence[Sequence[int | None]], to: Builder, label: str) -> None:
    """Add the clauses from a state back to symbols: one state at a time, and an edge into each state."""
    layers = automaton.layers
    for place, layer in enumerate(layers):
        named = [state for state in states[place] if state is not None]
        if named:
            to.add(named)
            for one, other in combinations(named, 2):
                to.add((-one, -other))
        edges: dict[int, list[tuple[int, int]]] = {}
        for state, row in enumerate(layer):
            for symbol, target in enumerate(row, 1):
                if target >= 0:
                    edges.setdefault(target, []).append((state, symbol))
        if place + 1 == len(layers):
            continue
        for target, incoming in edges.items():
            there = states[place + 1][target]
            if there is None:
                continue
            first = to.new(len(incoming), f"{label}: into a state after {place + 1} cells")
            to.add((-there, *range(first, first + len(incoming))))
            for edge, (state, symbol) in enumerate(incoming, first):
                to.add((-edge, to.x(automaton.cells[place], symbol)))
                here = states[place][state]
                if here is not None:
                    to.add((-edge, here))


def _count(count: Count, to: Builder, label: str) -> None:
    number = len(count.cells)
    if count.low > number or count.high < 0 or count.low > count.high:
        to.never(label)
        return
    literals = [_holds_one_of(cell, count.values, to, label) for cell in count.cells]
    _at_least(literals, count.low, to, label)
    _at_least([-literal for literal in literals], number - count.high, to, label)


def _holds_one_of(cell: int, values: Sequence[int], to: Builder, label: str) -> int:
    """Return a literal that is true exactly when the cell holds one of the values."""
    literals = [to.x(cell, value) for value in values if 1 <= value <= to.order]
    if len(literals) == 1:
        return literals[0]
    variable = to.new(1, f"{label}: one of {' '.join(map(str, values))}")
    to.add((-variable, *literals))
    for literal in literals:
        to.add((-literal, variable))
    return variable


def _at_least(literals: Sequence[int], low: int, to: Builder, label: str) -> None:
    if low <= 0:
        return
    size = len(literals) - low + 1
    if comb(len(literals), size) <= MOST_SUBSETS:
        for subset in combinations(literals, size):
            to.add(subset)
        return
    from pysat.card import CardEnc, EncType

    with PysatsHandlerOff():
        encoded = CardEnc.atleast(list(literals), bound=low, top_id=to.top, encoding=EncType.seqcounter)
    to.take(encoded, f"{label}: counter")


def _any_of(any_of: AnyOf, to: Builder, label: str) -> None:
    options = any_of.options
    if not options:
        to.never(label)
    elif len(options) == 1:
        add_all(options[0], to, label)
    elif all(len(option) == 1 and isinstance(option[0], Domain) for option in options):
        domains = [domain for option in options for domain in option if isinstance(domain, Domain)]
        to.add(tuple(dict.fromkeys(literal for domain in domains for literal in _in_domain(domain, to))))
    else:
        first = to.new(len(options), f"{label}: option")
        to.add(range(first, first + len(options)))
        for guard, option in enumerate(options, first):
            add_all(option, Guarded(to, guard), label)


def _in_domain(domain: Domain, to: Builder) -> list[int]:
    """Return the literals of which one is true exactly when the domain holds; of all symbols but one, only that."""
    excluded = [symbol for symbol in range(1, to.order + 1) if symbol not in domain.values]
    if len(excluded) == 1:
        return [-to.x(domain.cell, excluded[0])]
    return [to.x(domain.cell, symbol) for symbol in domain.values if 1 <= symbol <= to.order]


def add_all(primitives: Iterable[Primitive], to: Builder, label: str) -> None:
    """State several primitives. Raises ``TooLarge`` or ``Interrupted``; see ``check_effort``."""
    for primitive in primitives:
        to.check()
        add_primitive(primitive, to, label)
