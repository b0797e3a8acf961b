"""The words of every kind of rule, as predicates of their own, against what a statement in text or TOML comes to.

Clauses, ``holds`` and the reference all see the rule after it was parsed, given its defaults and completed. A
fault there is seen by none of them: so here the text is written, and its meaning worked out from docs/rules.md, without
the parser, its cell numbers, defaults, expressions and ``complete``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import combinations, groupby, product
from math import prod
from random import Random
from typing import Any

import pytest

from core_samples import EVERYTHING
from gridproof.formats import parse
from gridproof.models import catalog
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import all_kinds
from gridproof.rules.rule import REQUIRED, Rule
from rules.random_rules import grids
from rules.rule_truth import grids_of_clauses

BOXES = Geometry.classic(2)
JIGSAW = Geometry.jigsaw("AAAB CABB CCDB CDDD")
LABELS = {BOXES: "AABBAABBCCDDCCDD", JIGSAW: "AAABCABBCCDBCDDD"}
N = 4
NAMES = [f"r{row}c{column}" for row in range(1, N + 1) for column in range(1, N + 1)]
ROUNDS = 100 if EVERYTHING else 16

Words = Callable[["NamedGrid", dict[str, Any]], bool]
WORDS: dict[str, Words] = {}


class NamedGrid:
    """A grid and its board, by the names of cells. dots: the pairs that other rules mark, and their ratios."""

    def __init__(self, grid: tuple[int, ...], labels: str, dots: list[tuple[str, dict[str, Any]]]) -> None:
        self.at = dict(zip(NAMES, grid, strict=True))
        self.region = dict(zip(NAMES, labels, strict=True))
        self.dots = dots

    def __call__(self, names: list[str]) -> list[int]:
        return [self.at[name] for name in names]

    def marked(self, stated: dict[str, Any], *kinds: str) -> set[frozenset[str]]:
        lines = [*stated.get("marked", []), *(dot["cells"] for kind, dot in self.dots if kind in kinds)]
        return {frozenset(line[k : k + 2]) for line in lines for k in range(len(line) - 1)}


def place(name: str) -> tuple[int, int]:
    row, column = re.findall(r"\d", name)
    return int(row), int(column)


def apart(one: str, other: str) -> tuple[int, int]:
    (r, c), (s, d) = place(one), place(other)
    return abs(r - s), abs(c - d)


TOUCHING = [(one, other) for one, other in combinations(NAMES, 2) if sum(apart(one, other)) == 1]


def words(*kinds: str) -> Callable[[Words], Words]:
    def note(function: Words) -> Words:
        WORDS.update(dict.fromkeys(kinds, function))
        return function

    return note


def steps(line: list[int]) -> list[tuple[int, int]]:
    return [(line[k], line[k + 1]) for k in range(len(line) - 1)]


def leaps(held: NamedGrid, offsets: list[int]) -> bool:
    moves = {tuple(offsets[k : k + 2]) for k in range(0, len(offsets), 2)}
    pairs = [(a, b) for a, b in combinations(NAMES, 2) if apart(a, b) in moves or apart(a, b)[::-1] in moves]
    return all(held.at[a] != held.at[b] for a, b in pairs)


WORDS["anti-king"] = lambda held, p: leaps(held, p.get("offsets", [1, 1]))
WORDS["anti-knight"] = lambda held, p: leaps(held, p.get("offsets", [1, 2]))
WORDS["leaper"] = lambda held, p: leaps(held, p["offsets"])
WORDS["even"] = lambda held, p: all(v in (2, 4) for v in held(p["cells"]))
WORDS["odd"] = lambda held, p: all(v in (1, 3) for v in held(p["cells"]))
WORDS["extra-region"] = lambda held, p: len({*held(p["cells"])}) == len(p["cells"])
WORDS["difference"] = lambda held, p: all(abs(a - b) == p.get("difference", 1) for a, b in steps(held(p["cells"])))
WORDS["xv"] = lambda held, p: all(a + b == p["total"] for a, b in steps(held(p["cells"])))
WORDS["inequality"] = lambda held, p: held(p["cells"]) == sorted({*held(p["cells"])})
WORDS["thermometer"] = lambda held, p: all(held(line) == sorted({*held(line)}) for line in p["lines"])
WORDS["slow-thermometer"] = lambda held, p: all(held(line) == sorted(held(line)) for line in p["lines"])
WORDS["palindrome"] = lambda held, p: all(held(line) == held(line)[::-1] for line in p["lines"])
WORDS["clone"] = lambda held, p: held(p["lines"][0]) == held(p["lines"][1])
WORDS["little-killer"] = lambda held, p: sum(held(p["cells"])) == p["total"]
WORDS["numbered-room"] = lambda held, p: dict(enumerate(held(p["cells"]), 1)).get(held(p["cells"])[0]) == p["symbol"]


@words("ratio")
def _ratio(held: NamedGrid, p: dict[str, Any]) -> bool:
    return all(p.get("ratio", 2) in (a / b, b / a) for a, b in steps(held(p["cells"])))


@words("killer")
def _killer(held: NamedGrid, p: dict[str, Any]) -> bool:
    digits = held(p["cells"])
    return (p.get("total") is None or p["total"] == sum(digits)) and (
        p.get("repeats", False) or len({*digits}) == len(digits)
    )


@words("whispers", "dutch-whispers")
def _whispers(held: NamedGrid, p: dict[str, Any]) -> bool:
    return all(abs(a - b) >= p["difference"] for line in p["lines"] for a, b in steps(held(line)))


WORDS["whispers"] = lambda held, p: _whispers(held, {"difference": 2, **p})  # half of 4
WORDS["dutch-whispers"] = lambda held, p: _whispers(held, {"difference": 1, **p})


@words("nabner")
def _nabner(held: NamedGrid, p: dict[str, Any]) -> bool:
    return all(abs(a - b) > 1 for line in p["lines"] for a, b in combinations(held(line), 2))


def windows(held: NamedGrid, p: dict[str, Any], kind: dict[int, str]) -> bool:
    """Every three neighbours are of three kinds; of a line of two, both differ."""
    kinds = [[kind[v] for v in held(line)] for line in p["lines"]]
    return all(len({*line[k : k + 3]}) == len(line[k : k + 3]) for line in kinds for k in range(max(len(line) - 2, 1)))


WORDS["entropic"] = lambda held, p: windows(held, p, {1: "low", 2: "middle", 3: "middle", 4: "high"})
WORDS["parity-line"] = lambda held, p: all(a % 2 != b % 2 for line in p["lines"] for a, b in steps(held(line)))
WORDS["given"] = lambda held, p: {*held(p["cells"])} <= {*p["values"]}


WORDS["equal-sums"] = lambda held, p: len({sum(held(line)) for line in p["lines"]}) == 1
WORDS["average-arrow"] = lambda held, p: all(
    sum(held(shaft)) / len(shaft) == held(p["circle"])[0] for shaft in p["shafts"]
)
WORDS["product-cage"] = lambda held, p: prod(held(p["cells"])) == p["product"]
WORDS["same-values"] = lambda held, p: len({"".join(map(str, sorted(held(line)))) for line in p["lines"]}) == 1
WORDS["count-distinct"] = lambda held, p: held(p["circle"]) == [len({*held(p["cells"])})]
WORDS["same-difference"] = lambda held, p: all(
    len({abs(a - b) for a, b in steps(held(line))}) <= 1 for line in p["lines"]
)
WORDS["value-indexing"] = lambda held, p: all(
    dict(enumerate(held(line)[2:], 1)).get(held(line)[1]) == held(line)[0] for line in p["lines"]
)


@words("linear-sum")
def _linear_sum(held: NamedGrid, p: dict[str, Any]) -> bool:
    factors = p.get("factors", [1] * len(p["cells"]))
    products = [int(factor) * digit for factor, digit in zip(factors, held(p["cells"]), strict=True)]
    return sum(products) == int(p["total"])


@words("bounded-cage")
def _bounded_cage(held: NamedGrid, p: dict[str, Any]) -> bool:
    digits = held(p["cells"])
    return sum(digits) in range(p["least"], p["greatest"] + 1) and (
        p.get("repeats", False) or len({*digits}) == len(digits)
    )


@words("equality-cage")
def _equality_cage(held: NamedGrid, p: dict[str, Any]) -> bool:
    digits = held(p["cells"])
    even, low = [v for v in digits if v in (2, 4)], [v for v in digits if v in (1, 2)]
    return len({*digits}) == len(digits) == 2 * len(even) == 2 * len(low)


@words("hidden-skyscraper")
def _hidden_skyscraper(held: NamedGrid, p: dict[str, Any]) -> bool:
    line = held(p["cells"])
    hidden = [v for k, v in enumerate(line) if any(other > v for other in line[:k])]
    return hidden[:1] == [p["symbol"]]


@words("full-rank")
def _full_rank(held: NamedGrid, p: dict[str, Any]) -> bool:
    def number(names: list[str]) -> int:
        return int("".join(map(str, held(names))))

    rows = [[f"r{k}c{m}" for m in range(1, N + 1)] for k in range(1, N + 1)]
    columns = [[f"r{m}c{k}" for m in range(1, N + 1)] for k in range(1, N + 1)]
    ranked = sorted(number(names) for line in rows + columns for names in (line, line[::-1]))
    return ranked.count(number(p["cells"])) == 1 and ranked.index(number(p["cells"])) == p["rank"] - 1


@words("anti-queen")
def _anti_queen(held: NamedGrid, p: dict[str, Any]) -> bool:
    diagonal = [(a, b) for a, b in combinations(NAMES, 2) if apart(a, b)[0] == apart(a, b)[1]]
    same = {held.at[a] for a, b in diagonal if held.at[a] == held.at[b]}
    return not same & {*(p.get("digits") or range(1, N + 1))}


@words("anti-taxicab")
def _anti_taxicab(held: NamedGrid, p: dict[str, Any]) -> bool:
    same = [(a, b) for a, b in combinations(NAMES, 2) if held.at[a] == held.at[b]]
    return all(sum(apart(a, b)) != held.at[a] for a, b in same)


@words("dutch-flatmates")
def _dutch_flatmates(held: NamedGrid, p: dict[str, Any]) -> bool:
    columns = ["".join(str(held.at[f"r{row}c{column}"]) for row in range(1, N + 1)) for column in range(1, N + 1)]
    return all("12" in column or "24" in column for column in columns)


@words("modular")
def _modular(held: NamedGrid, p: dict[str, Any]) -> bool:
    m = p.get("modulus", 3)
    lines = [[v % m for v in held(line)] for line in p["lines"]]
    return all(len({*line[k : k + m]}) == len(line[k : k + m]) for line in lines for k in range(len(line)))


@words("renban")
def _renban(held: NamedGrid, p: dict[str, Any]) -> bool:
    lines = [held([*dict.fromkeys(line)]) for line in p["lines"]]
    return all({*line} == {*range(min(line), min(line) + len(line))} for line in lines)


@words("between")
def _between(held: NamedGrid, p: dict[str, Any]) -> bool:
    lines = [held(line) for line in p["lines"]]
    return all(line[0] < v < line[-1] or line[-1] < v < line[0] for line in lines for v in line[1:-1])


@words("lockout")
def _lockout(held: NamedGrid, p: dict[str, Any]) -> bool:
    least = 1 if p.get("difference") is None else p["difference"]  # (4 + 1) / 2 - 1, rounded down
    lines = [held(line) for line in p["lines"]]
    free = all(v < min(line[0], line[-1]) or v > max(line[0], line[-1]) for line in lines for v in line[1:-1])
    return free and all(abs(line[0] - line[-1]) >= least for line in lines)


@words("zipper")
def _zipper(held: NamedGrid, p: dict[str, Any]) -> bool:
    def even(line: list[int]) -> bool:
        pairs = {line[k] + line[-1 - k] for k in range(len(line) // 2)}
        middle = {line[len(line) // 2]} if len(line) % 2 and len(line) > 1 else set()
        return len(pairs | middle) <= 1

    return all(even(held(line)) for line in p["lines"])


@words("double-arrow")
def _double_arrow(held: NamedGrid, p: dict[str, Any]) -> bool:
    lines = [held(line) for line in p["lines"] if len(line) > 2]
    return all(sum(line[1:-1]) == line[0] + line[-1] for line in lines)


@words("sum-line")
def _sum_line(held: NamedGrid, p: dict[str, Any]) -> bool:
    total = p.get("total", 10)

    def cut(line: list[int]) -> bool:
        return not line or any(sum(line[:k]) == total and cut(line[k:]) for k in range(1, len(line) + 1))

    return all(cut(held(line)) for line in p["lines"])


@words("region-sum")
def _region_sum(held: NamedGrid, p: dict[str, Any]) -> bool:
    return all(
        len({sum(held([*part])) for _, part in groupby(line, key=held.region.__getitem__)}) == 1 for line in p["lines"]
    )


@words("arrow")
def _arrow(held: NamedGrid, p: dict[str, Any]) -> bool:
    number = int("".join(map(str, held(sorted(p["circle"])))))
    return all(sum(held(shaft)) == number for shaft in p.get("shafts", []))


@words("sandwich")
def _sandwich(held: NamedGrid, p: dict[str, Any]) -> bool:
    line = held(p["cells"])
    ends = [k for k, v in enumerate(line) if v in (1, N)]
    return len(ends) == 2 and sum(line[ends[0] + 1 : ends[1]]) == p["total"]


@words("state-machine")
def _state_machine(held: NamedGrid, p: dict[str, Any]) -> bool:
    states = [state.split() for state in p["states"].split(";")]

    def ends(at: int, line: list[int]) -> bool:
        if at >= len(states):
            return False
        if not line:
            return "end" in states[at]
        return any(ends(int(step.split(">")[1]), line[1:]) for step in states[at] if step.startswith(f"{line[0]}>"))

    starts = [number for number, words in enumerate(states) if "start" in words]
    return all(any(ends(at, line) for at in starts) for line in map(held, p["lines"]))


@words("lunchbox")
def _lunchbox(held: NamedGrid, p: dict[str, Any]) -> bool:
    box = held(p["cells"])
    smallest, largest = box.index(min(box)), box.index(max(box))
    inside = box[min(smallest, largest) + 1 : max(smallest, largest)]
    return len(set(box)) == len(box) and sum(inside) == p["total"]


@words("rellik")
def _rellik(held: NamedGrid, p: dict[str, Any]) -> bool:
    cage = held(p["cells"])
    some = [[v for k, v in enumerate(cage) if chosen >> k & 1] for chosen in range(1, 1 << len(cage))]
    return len(set(cage)) == len(cage) and p["total"] not in map(sum, some)


@words("sum-loop")
def _sum_loop(held: NamedGrid, p: dict[str, Any]) -> bool:
    total = p.get("total", 10)

    def fits(loop: list[int]) -> bool:
        # cut anywhere: the sums up to each cell, of which those a run apart are the cuts
        ends = [sum(loop[: k + 1]) for k in range(len(loop))]
        return ends[-1] % total == 0 and all(cut in ends for cut in range(total, ends[-1] + 1, total))

    return all(any(fits(line[k:] + line[:k]) for k in range(len(line))) for line in map(held, p["lines"]))


@words("skyscraper")
def _skyscraper(held: NamedGrid, p: dict[str, Any]) -> bool:
    line = held(p["cells"])
    return sum(all(v > other for other in line[:k]) for k, v in enumerate(line)) == int(p["seen"])


@words("x-sum")
def _x_sum(held: NamedGrid, p: dict[str, Any]) -> bool:
    line = held(p["cells"])
    return line[0] <= len(line) and sum(line[: line[0]]) == p["total"]


@words("quadruple")
def _quadruple(held: NamedGrid, p: dict[str, Any]) -> bool:
    return all(held(p["cells"]).count(v) >= p["values"].count(v) for v in p["values"])


@words("look-and-say")
def _look_and_say(held: NamedGrid, p: dict[str, Any]) -> bool:
    counts = [(p["values"][k], p["values"][k + 1]) for k in range(0, len(p["values"]), 2)]
    digits = held(p["cells"])
    named = {digit for _, digit in counts}
    return all(digits.count(digit) == number for number, digit in counts) and (
        not p.get("only") or all(digit in named for digit in digits)
    )


@words("counting-circles")
def _counting_circles(held: NamedGrid, p: dict[str, Any]) -> bool:
    return all(held(p["cells"]).count(v) == v for v in held(p["cells"]))


@words("row-indexer")
def _row_indexer(held: NamedGrid, p: dict[str, Any]) -> bool:
    return all(held.at[f"r{held.at[name]}c{place(name)[1]}"] == place(name)[0] for name in p["cells"])


@words("column-indexer")
def _column_indexer(held: NamedGrid, p: dict[str, Any]) -> bool:
    return all(held.at[f"r{place(name)[0]}c{held.at[name]}"] == place(name)[1] for name in p["cells"])


@words("box-indexer")
def _box_indexer(held: NamedGrid, p: dict[str, Any]) -> bool:
    boxes = {name: [other for other in NAMES if held.region[other] == held.region[name]] for name in p["cells"]}
    return all(held.at[box[held.at[name] - 1]] == box.index(name) + 1 for name, box in boxes.items())


@words("disjoint-groups")
def _disjoint_groups(held: NamedGrid, p: dict[str, Any]) -> bool:
    boxes = [[name for name in NAMES if held.region[name] == label] for label in "ABCD"]
    return all(len({held.at[box[k]] for box in boxes}) == N for k in range(N))


@words("maximum")
def _maximum(held: NamedGrid, p: dict[str, Any]) -> bool:
    near = [(a, b) for pair in TOUCHING for a, b in (pair, pair[::-1]) if a in p["cells"] and b not in p["cells"]]
    return all(held.at[a] > held.at[b] for a, b in near)


@words("minimum")
def _minimum(held: NamedGrid, p: dict[str, Any]) -> bool:
    near = [(a, b) for pair in TOUCHING for a, b in (pair, pair[::-1]) if a in p["cells"] and b not in p["cells"]]
    return all(held.at[a] < held.at[b] for a, b in near)


def free(held: NamedGrid, marked: set[frozenset[str]]) -> list[tuple[int, int]]:
    return [(held.at[a], held.at[b]) for a, b in TOUCHING if frozenset((a, b)) not in marked]


@words("non-consecutive")
def _non_consecutive(held: NamedGrid, p: dict[str, Any]) -> bool:
    return all(abs(a - b) != 1 for a, b in free(held, held.marked(p, "difference", "ratio")))


@words("negative-difference")
def _negative_difference(held: NamedGrid, p: dict[str, Any]) -> bool:
    never = p.get("differences", [1])
    return all(abs(a - b) not in never for a, b in free(held, held.marked(p, "difference", "ratio")))


@words("negative-ratio")
def _negative_ratio(held: NamedGrid, p: dict[str, Any]) -> bool:
    never = {*p.get("ratios", [2]), *(dot.get("ratio", 2) for kind, dot in held.dots if kind == "ratio")}
    return not any(a / b in never or b / a in never for a, b in free(held, held.marked(p, "difference", "ratio")))


@words("negative-xv")
def _negative_xv(held: NamedGrid, p: dict[str, Any]) -> bool:
    return all(a + b not in p.get("totals", [5, 10]) for a, b in free(held, held.marked(p, "xv")))


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "a<b": lambda a, b: a < b,
    "abs(a-b)>1 or a==b": lambda a, b: abs(a - b) > 1 or a == b,
    "a/2==b/(n/2)": lambda a, b: a == b,
    "not(a in (1,n))": lambda a, b: a in (2, 3),
}
PATTERNS: dict[str, Callable[[str], bool]] = {
    ".*(12|21).*": lambda text: "12" in text or "21" in text,
    "[^1]{1,3}.?": lambda text: 0 < len(text) <= 4 and "1" not in text[: min(3, max(1, len(text) - 1))],
    "[1-3]*4?": lambda text: "4" not in text[:-1],
}


@words("relation")
def _relation(held: NamedGrid, p: dict[str, Any]) -> bool:
    pairs = (lambda line: [*combinations(line, 2)]) if p.get("pairs") == "all" else steps
    return all(COMPARISONS[p["allow"]](a, b) for line in p["lines"] for a, b in pairs(held(line)))


@words("regex")
def _regex(held: NamedGrid, p: dict[str, Any]) -> bool:
    return all(PATTERNS[p["pattern"]]("".join(map(str, held(line)))) for line in p["lines"])


@words("clauses")
def _clauses(held: NamedGrid, p: dict[str, Any]) -> bool:
    def true(literal: str) -> bool:
        name, symbol = re.findall(r"\[(\w+)=(\d)\]", literal)[0]
        return (held.at[name] == int(symbol)) != literal.startswith("-")

    return all(any(map(true, clause.split())) for clause in p["clauses"].split(" 0") if clause)


Stated = list[tuple[str, dict[str, Any]]]
WORDS["any-of"] = lambda held, p: any(WORDS[kind](held, values) for kind, values in p["rules"])
WORDS["all-of"] = lambda held, p: all(WORDS[kind](held, values) for kind, values in p["rules"])
WORDS["none-of"] = lambda held, p: not any(WORDS[kind](held, values) for kind, values in p["rules"])


@words("connected")
def _connected(held: NamedGrid, p: dict[str, Any]) -> bool:
    inside = [name for name in p.get("cells", NAMES) if held.at[name] in p["values"]]
    reached = set(inside[:1])
    for _ in inside:
        reached |= {name for name in inside for other in reached if sum(apart(name, other)) == 1}
    return bool(inside) and reached == {*inside} and p.get("size", len(inside)) == len(inside)


@words("further-cells")
def _further_cells(held: NamedGrid, p: dict[str, Any]) -> bool:
    for first, second in product(range(1, N + 1), repeat=2):
        held.at |= {"va1": first, "va2": second}
        if all(WORDS[kind](held, values) for kind, values in p["rules"]):
            return True
    return False


# ---- random statements -----------------------------------------------------------------------------------------------


def some_cells(random: Random, least: int = 1) -> list[str]:
    """A row or a column in one of its directions, or a walk over neighbours."""
    if random.random() < 0.4:
        number, along = random.randint(1, N), random.random() < 0.5
        line = [f"r{number}c{k}" if along else f"r{k}c{number}" for k in range(1, N + 1)]
        return random.choice((line, line[::-1]))
    walk = [random.choice(NAMES)]
    for _ in range(random.randint(least - 1, N - 1)):
        near = [name for name in NAMES if max(apart(name, walk[-1])) == 1 and name not in walk]
        walk.append(random.choice(near))
    return walk


def groups_of_one_size(random: Random, least: int = 1) -> list[list[str]]:
    size = random.randint(1, 3)
    return [random.sample(NAMES, size) for _ in range(random.randint(least, 3))]


GROUPS: dict[str, Callable[[Random], list[list[str]]]] = {
    "clone": lambda random: groups_of_one_size(random, 2)[:2],
    "same-values": groups_of_one_size,
    "value-indexing": lambda random: [random.sample(NAMES, random.randint(3, 6))],
}
"""Lines of kinds that do not take any lines."""


def some_value(kind: str, name: str, of: str, random: Random) -> Any:
    if name == "circle" and kind != "arrow":
        return [random.choice(NAMES)]
    if name == "lines" and kind in GROUPS:
        return GROUPS[kind](random)
    if name == "marked":
        return [
            list(pair) for pair in random.sample(TOUCHING, 14 if kind == "non-consecutive" else random.randint(1, 5))
        ]
    if of == "rules":
        return rules_of_further_cells(random) if kind == "further-cells" else some_rules(random)
    if of == "lines":
        return [some_cells(random) for _ in range(random.randint(1, 2))]
    if of == "cells":
        return some_cells(random)[: 1 + (random.random() < 0.2)] if name == "circle" else some_cells(random, 2)
    if of == "number":
        return random.randint(1, {"difference": 3, "ratio": 4, "seen": N, "symbol": N}.get(name, 10))
    if of == "flag":
        return random.random() < 0.5
    if name == "values" and kind == "look-and-say":
        return [number for digit in random.sample(range(1, N + 1), 2) for number in (random.choice((0, 1, 1)), digit)]
    if name == "offsets":
        return [random.randint(0, 2) for _ in range(random.choice((2, 4)))]
    if of == "numbers":
        return [random.randint(1, N) for _ in range(random.randint(1, 2))]
    literals = [f"{random.choice(('', '-'))}x[{random.choice(NAMES)}={random.randint(1, N)}]" for _ in range(4)]
    texts = {
        "allow": [*COMPARISONS],
        "pairs": ["all", "consecutive"],
        "groups": ["va:2"],
        "pattern": [*PATTERNS],
        "states": ["start 1>1 2>0; end 3>1 4>0", "start end 1>0 1>1 3>2; end 2>1; start 2>0 4>2", "start 1>9"],
        "clauses": [" ".join(literals[:3]) + f" 0 {literals[3]} 0", f"{literals[0]} {literals[1]}"],
    }
    return random.choice(texts[name])


LINES = [["r1c1", "r1c2", "r1c3", "r1c4"], ["r4c4", "r3c4", "r2c4", "r1c4"], ["r3c4", "r3c3", "r3c2", "r3c1"]]


def some_rules(random: Random) -> Stated:
    """Rules that may stand in a choice, and choices among them."""
    kinds = [kind for kind in all_kinds().values() if not kind.looks_at_others and kind.can_be_negated]
    plain = [kind for kind in kinds if not kind.name_of_rules()]
    chosen = random.choices(kinds if random.random() < 0.4 else plain, k=random.randint(1, 3))
    return [(kind.kind, statement(kind, random)) for kind in chosen]


def rules_of_further_cells(random: Random) -> Stated:
    """Rules of which some name a further cell."""
    rules: Stated = []
    for _ in range(random.randint(1, 4)):
        cells = random.sample([*NAMES, "va1", "va2", "va1", "va2"], 3)
        kind = random.choice(("killer", "inequality", "palindrome", "renban", "same-values", "linear-sum", "any-of"))
        values: dict[str, Any] = {"lines": [cells]}
        if kind in ("killer", "linear-sum"):
            values = {"total": random.randint(3, 9), "cells": cells}
            values |= {"repeats": True} if kind == "killer" else {"factors": [1, -1, 2]}
        elif kind == "inequality":
            values = {"cells": [random.choice(("va1", "va2")), random.choice(NAMES)]}
        elif kind == "any-of":
            own = {"values": [random.randint(1, N)], "cells": [cells[0]]}
            values = {"rules": [("given", own), ("clone", {"lines": [[cells[1]], [cells[2]]]})]}
        elif kind in ("palindrome", "renban"):
            values = {"lines": [list(dict.fromkeys(cells))]}
        else:
            values = {"lines": [[cells[0]], [cells[1]]]}
        rules.append((kind, values))
    return rules


def statement(kind: type[Rule], random: Random) -> dict[str, Any]:
    """Values for the parameters of a kind; optional ones are often missing."""
    chosen = [p for p in kind.parameters() if p.default is REQUIRED or random.random() < 0.5]
    stated = {p.name: some_value(kind.kind, p.name, p.type, random) for p in chosen}
    if kind.kind == "full-rank":
        stated = {"rank": random.randint(1, 18), "cells": random.choice(LINES)}
    if "factors" in stated:
        stated["factors"] = [random.randint(-2, 3) for _ in stated["cells"]]
    return stated


def cells_as_text(names: list[str], random: Random) -> str:
    """The cells in one of the ways in which people name them."""
    if any(name.startswith("v") for name in names):
        return " ".join(names)
    rows, columns = {place(name)[0] for name in names}, {place(name)[1] for name in names}
    if len(names) == N and len(rows) == 1 and names == sorted(names):
        return random.choice((f"row{rows.pop()}", f"{names[0]}-{names[-1]}"))
    if len(names) == N and len(columns) == 1 and names == sorted(names):
        return random.choice((f"column{columns.pop()}", f"R1C{place(names[0])[1]}-{names[-1]}"))
    return random.choice((" ", ", ")).join(names)


def as_text(kind: str, values: dict[str, Any], random: Random) -> str:
    """The statement as ``--rule`` takes it."""
    parts, lists = [kind], []
    for name, value in values.items():
        if name in ("lines", "shafts", "marked"):
            lists += [cells_as_text(line, random) for line in value]
        elif name in ("cells", "circle"):
            lists.append(cells_as_text(value, random))
        elif name == "rules":
            parts += [f"[ {as_text(inner, own, random)} ]" for inner, own in value]
        elif isinstance(value, bool):
            parts += [name] if value else []
        else:
            text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
            parts.append(f"{name}='{text}'")
    return " ".join([*parts, " / ".join(lists)])


def as_toml(kind: str, values: dict[str, Any], random: Random) -> str:
    """The statement as a table of a puzzle file."""
    lines = ["[[rule]]", f'kind = "{kind}"']
    for name, value in values.items():
        if name in ("lines", "shafts", "marked"):
            value = [cells_as_text(line, random) for line in value]
        elif name in ("cells", "circle"):
            value = cells_as_text(value, random)
        elif name == "rules":
            lines.append(f"rules = [{', '.join(as_entry(inner, own, random) for inner, own in value)}]")
            continue
        lines.append(f"{name} = {json.dumps(value)}")
    return "\n".join(lines)


def as_entry(kind: str, values: dict[str, Any], random: Random) -> str:
    """The statement of a rule in a choice: as a text, or as a table on one line."""
    if random.random() < 0.5:
        return json.dumps(as_text(kind, values, random))
    return "{" + ", ".join(as_toml(kind, values, random).splitlines()[1:]) + "}"


NEVER: dict[str, tuple[str, tuple[int, ...], Callable[[int, int, int], bool]]] = {
    "negative-xv": ("totals", (3, 5, 7), lambda a, b, k: a + b == k),
    "negative-difference": ("differences", (1, 2, 3), lambda a, b, k: abs(a - b) == k),
    "negative-ratio": ("ratios", (2, 3, 4), lambda a, b, k: k in (a / b, b / a)),
    "non-consecutive": ("", (1,), lambda a, b, k: abs(a - b) == k),
}


def planted(kind: str, geometry: Geometry, random: Random) -> tuple[list[tuple[str, dict[str, Any]]], dict[str, Any]]:
    """Dots, and a negative rule that a random grid keeps, as each pair that breaks it has a dot or is marked."""
    parameter, choices, is_broken = NEVER[kind]
    at = dict(zip(NAMES, random.choice(grids(geometry)), strict=True))
    k, marked, dots = random.choice(choices), [], []
    for a, b in TOUCHING:
        if is_broken(at[a], at[b], k) and random.random() < 0.5:
            marked.append([a, b])
        elif is_broken(at[a], at[b], k) or random.random() < 0.1:
            total, difference = at[a] + at[b], abs(at[a] - at[b])
            dot = ("xv", {"total": total}) if kind == "negative-xv" else ("difference", {"difference": difference})
            if max(at[a], at[b]) % min(at[a], at[b]) == 0 and kind != "negative-xv" and random.random() < 0.5:
                dot = ("ratio", {"ratio": max(at[a], at[b]) // min(at[a], at[b])})
            dots.append((dot[0], {**dot[1], "cells": [a, b]}))
    return dots, {**({parameter: [k]} if parameter else {}), **({"marked": marked} if marked else {})}


@pytest.mark.parametrize("kind", all_kinds().values(), ids=lambda kind: kind.kind)
def test_a_statement_means_the_same_as_its_words(kind: type[Rule]) -> None:
    random = Random(f"words of {kind.kind}")
    allowed = set()
    for number in range(ROUNDS):
        geometry = (BOXES, JIGSAW)[number % 2]
        negative = "marked" in {p.name for p in kind.parameters()}
        dots, own = planted(kind.kind, geometry, random) if negative else ([], statement(kind, random))
        stated = [*dots, (kind.kind, own)]
        random.shuffle(stated)
        texts = [as_text(name, values, random) for name, values in stated]
        board = Board.empty(geometry).with_rules(texts)
        shape = f'clues = "{"." * 16}"\njigsaw = "{LABELS[geometry]}"\n'
        tables = [as_toml(name, values, random) for name, values in stated]
        assert parse(shape + "\n".join(tables)).rules == board.rules, (texts, tables)
        meant = {
            grid
            for grid in grids(geometry)
            if all(WORDS[name](NamedGrid(grid, LABELS[geometry], dots), values) for name, values in stated)
        }
        held = {
            grid
            for grid in grids(geometry)
            if all(rule.holds(geometry.digits.of(grid), geometry) for rule in board.rules)
        }
        assert held == meant, texts
        allowed.add(0 < len(meant) < len(grids(geometry)))
        if number >= 4:
            continue
        assert grids_of_clauses(board.problem, catalog.load("triad"), grids(geometry)) == meant, texts
    assert True in allowed or kind.kind in ("anti-king", "anti-taxicab", "non-consecutive")


def test_every_kind_has_words_of_its_own() -> None:
    assert WORDS.keys() == all_kinds().keys()
