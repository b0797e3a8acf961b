"""Regular expressions over the symbols of a line, as machines that read it cell by cell.

A pattern is turned into its derivatives (Brzozowski 1964, "Derivatives of regular expressions"): the state of the
machine is what is still to be matched.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeAlias

from gridproof.puzzle.geometry import symbol_number

Node: TypeAlias = tuple[Any, ...]
NOTHING: Node = ("nothing",)
EMPTY: Node = ("empty",)
MOST_REPEATS = 99


def parsed(pattern: str) -> Node:
    """A pattern as a tree.

    Parameters
    ----------
    pattern : str
        Symbols (1-9, then A-Z), ``.`` for any, ``[1-3]`` and ``[^5]``, ``( )``, ``|``, ``* + ?`` and ``{2,3}``.

    Raises
    ------
    ValueError
        With the place where it is no such pattern.
    """
    reader = _Reader(pattern)
    node = reader.alternatives()
    if reader.place < len(pattern):
        raise ValueError(f"{pattern!r}, character {reader.place + 1}: {pattern[reader.place]!r} is not expected here")
    return node


class _Reader:
    def __init__(self, pattern: str) -> None:
        self.pattern, self.place = pattern, 0

    def alternatives(self) -> Node:
        node = self.sequence()
        while self.take("|"):
            node = either(node, self.sequence())
        return node

    def sequence(self) -> Node:
        node = EMPTY
        while self.place < len(self.pattern) and self.pattern[self.place] not in "|)":
            node = then(node, self.repeated())
        return node

    def repeated(self) -> Node:
        node = self.single()
        while self.place < len(self.pattern):
            if self.take("*"):
                node = star(node)
            elif self.take("+"):
                node = then(node, star(node))
            elif self.take("?"):
                node = either(EMPTY, node)
            elif self.take("{"):
                low, high = self.bounds()
                least, more = EMPTY, EMPTY
                for _ in range(low):
                    least = then(least, node)
                for _ in range(0 if high is None else high - low):
                    more = either(EMPTY, then(node, more))
                node = then(least, star(node) if high is None else more)
            else:
                break
        return node

    def bounds(self) -> tuple[int, int | None]:
        end = self.pattern.find("}", self.place)
        bounded = self.pattern[self.place : end] if end > 0 else ""
        low, comma, high = bounded.partition(",")
        if not bounded.isascii() or not low.isdecimal() or (high and not high.isdecimal()):
            raise ValueError(f"{self.pattern!r}, character {self.place}: expected {{2}}, {{2,}} or {{2,3}}")
        self.place = end + 1
        most = int(high) if high else None if comma else int(low)
        if int(low) > MOST_REPEATS or (most is not None and not int(low) <= most <= MOST_REPEATS):
            raise ValueError(f"{self.pattern!r}: expected repeats from 0 to {MOST_REPEATS}, the smaller number first")
        return int(low), most

    def single(self) -> Node:
        character = self.pattern[self.place]
        self.place += 1
        if character == "(":
            node = self.alternatives()
            if not self.take(")"):
                raise ValueError(f"{self.pattern!r}: a ) is missing")
            return node
        if character == ".":
            return ("not", frozenset())
        if character == "[":
            return self.character_class()
        return ("one", frozenset({self.symbol(character)}))

    def character_class(self) -> Node:
        way = "not" if self.take("^") else "one"
        symbols: set[int] = set()
        while not self.take("]"):
            if self.place >= len(self.pattern):
                raise ValueError(f"{self.pattern!r}: a ] is missing")
            first = last = self.symbol(self.next())
            if self.take("-"):
                last = self.symbol(self.next())
            symbols.update(range(first, last + 1))
        return (way, frozenset(symbols))

    def symbol(self, character: str) -> int:
        number = symbol_number(character)
        if number is None:
            raise ValueError(
                f"{self.pattern!r}, character {self.place}: {character!r} is no symbol; expected 1-9 or A-Z"
            )
        return number

    def next(self) -> str:
        self.place += 1
        return self.pattern[self.place - 1 : self.place] or " "

    def take(self, character: str) -> bool:
        found = self.pattern.startswith(character, self.place)
        self.place += found
        return found


def then(one: Node, other: Node) -> Node:
    """One pattern after the other."""
    if NOTHING in (one, other):
        return NOTHING
    if one == EMPTY:
        return other
    return one if other == EMPTY else ("then", one, other)


def either(one: Node, other: Node) -> Node:
    """One pattern or the other; equal ones once, so that a pattern has finitely many derivatives."""
    options: set[Node] = set()
    for node in (one, other):
        options.update(node[1] if node[0] == "either" else {node})
    options.discard(NOTHING)
    if not options:
        return NOTHING
    return options.pop() if len(options) == 1 else ("either", frozenset(options))


def star(node: Node) -> Node:
    """Any number of times."""
    return EMPTY if node in (NOTHING, EMPTY) else node if node[0] == "star" else ("star", node)


@lru_cache(maxsize=4096)
def matches_nothing_more(node: Node) -> bool:
    """Whether the line may end here."""
    match node:
        case ("empty",) | ("star", _):
            return True
        case ("then", one, other):
            return matches_nothing_more(one) and matches_nothing_more(other)
        case ("either", options):
            return any(map(matches_nothing_more, options))
    return False


@lru_cache(maxsize=65536)
def after(node: Node, symbol: int) -> Node:
    """What is left to match after one symbol."""
    match node:
        case ("one", symbols):
            return EMPTY if symbol in symbols else NOTHING
        case ("not", symbols):
            return NOTHING if symbol in symbols else EMPTY
        case ("star", inner):
            return then(after(inner, symbol), node)
        case ("then", one, other):
            left = then(after(one, symbol), other)
            return either(left, after(other, symbol)) if matches_nothing_more(one) else left
        case ("either", options):
            found = NOTHING
            for option in options:
                found = either(found, after(option, symbol))
            return found
    return NOTHING
