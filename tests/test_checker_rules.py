"""The checker and rules: certificates spoilt in one part each, and the claims of somebody who may write any files."""

from __future__ import annotations

import json
import re
import tracemalloc
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from checker_maker import Files, refutation, sealed, write
from gridproof import checker
from gridproof.certificates import certify
from gridproof.checker.dimacs import Formula
from gridproof.checker.findings import Clock, Refusal
from gridproof.checker.kinds import KINDS, Shape, sum_of, times
from gridproof.checker.machines import Unrolled
from gridproof.checker.pair_kinds import in_order
from gridproof.checker.rules import Rule, Stated, parse_rules
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

SIX = Geometry.classic(2, 3)
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
KILLER, THERMOMETER, SANDWICH, ARROW, RENBAN, QUADRUPLE, EVEN, LITTLE, REGION = range(9)


@cache
def unique() -> Files:
    """A board of order 6 with rules of all sorts, and one clue: its proof takes search."""
    grid = tuple(map(int, GRID))
    board = Board.empty(SIX).with_rules(RULES)
    assert all(rule.holds(grid, SIX) for rule in board.rules)
    board = board.with_clue(34, grid[34])
    certificate = certify(board, cross_check="none")
    assert certificate.claim == "unique"
    return dict(certificate.files)


@cache
def none() -> Files:
    board = Board.empty(Geometry.classic(2)).with_rules(["even r4c4", "thermometer r1c2 r1c1", "killer 10 row2"])
    return dict(certify(board.with_clue(0, 1)).files)


def report(files: Files, folder: Path, limits: checker.Limits | None = None) -> checker.Report:
    return checker.check(write(sealed(files), folder / "certificate"), limits)


def codes(files: Files, folder: Path) -> set[str]:
    """The reasons for a refusal."""
    found = report(files, folder)
    assert not found.accepted
    return set(found.codes())


def with_rules(files: Files, change: Callable[[list[dict[str, Any]]], object]) -> Files:
    """With ``rules.json`` changed in place."""
    data = json.loads(files["rules.json"])
    change(data["rules"])
    return files | {"rules.json": json.dumps(data).encode()}


def with_formula(files: Files, change: Callable[[list[str]], list[str]], name: str = "formula") -> Files:
    """With other lines in a formula, under a header that counts them."""
    lines = change(files[f"proof/{name}.cnf"].decode().splitlines())
    place = next(number for number, line in enumerate(lines) if line.startswith("p"))
    clauses = sum(not line.startswith(("c", "p")) for line in lines)
    lines[place] = f"{lines[place].rsplit(' ', 1)[0]} {clauses}"
    return files | {f"proof/{name}.cnf": "\n".join([*lines, ""]).encode()}


def adding(clause: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [*lines, clause]


def without(number: int) -> Callable[[list[str]], list[str]]:
    return lambda lines: lines[:number] + lines[number + 1 :]


def declared(files: Files, word: str, rule: int, name: str = "formula") -> list[str]:
    """The comments that declare variables of a rule, counted from 0."""
    pattern = re.compile(rf"c {word} \d+ {rule + 1} ")
    return [line for line in files[f"proof/{name}.cnf"].decode().splitlines() if pattern.match(line)]


def test_they_are_accepted_as_they_are(tmp_path: Path) -> None:
    for number, files in enumerate((unique(), none())):
        found = report(files, tmp_path / str(number))
        assert found.accepted, str(found)
    assert found.facts["rules"] == {"even": 1, "thermometer": 1, "killer": 1}


# ---- rules.json ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(REGION))
def test_a_rule_dropped(number: int, tmp_path: Path) -> None:
    """What the formula says of it follows from nothing any more, and its variables mean something else."""
    found = codes(with_rules(unique(), lambda rules: rules.pop(number)), tmp_path)
    assert found <= {"bad-definition", "clause-not-implied"}
    assert found


@pytest.mark.parametrize(
    ("number", "key", "value", "expected"),
    [
        (KILLER, "total", 13, {"solution-against-rule", "bad-definition"}),
        (SANDWICH, "total", 8, {"solution-against-rule", "bad-definition"}),
        (LITTLE, "total", 14, {"solution-against-rule", "bad-definition", "clause-not-implied"}),
        (
            QUADRUPLE,
            "values",
            [2, 4],
            {"solution-against-rule", "clause-not-implied", "rule-missing", "bad-definition"},
        ),
        (THERMOMETER, "lines", [[4, 3, 5]], {"solution-against-rule", "clause-not-implied"}),
        (THERMOMETER, "lines", [[3, 4]], {"clause-not-implied"}),
        (SANDWICH, "cells", [12, 13, 14, 15, 16, 17], {"solution-against-rule", "clause-not-implied"}),
        (SANDWICH, "cells", [19, 18, 20, 21, 22, 23], {"solution-against-rule", "clause-not-implied"}),
        (ARROW, "circle", [31], {"solution-against-rule", "bad-definition", "clause-not-implied"}),
        (EVEN, "cells", [1, 18], {"solution-against-rule", "clause-not-implied"}),
        (EVEN, "cells", [1, 20, 13], {"solution-against-rule", "rule-missing"}),
        (KILLER, "repeats", True, {"clause-not-implied", "bad-definition"}),
        (REGION, "cells", [25, 26, 27, 28, 29], {"clause-not-implied"}),
    ],
)
def test_a_parameter_changed(number: int, key: str, value: object, expected: set[str], tmp_path: Path) -> None:
    def change(rules: list[dict[str, Any]]) -> None:
        rules[number]["parameters"][key] = value

    if number == REGION:  # a row: what the formula says of it, the houses say as well
        assert report(with_rules(unique(), change), tmp_path).accepted
        return
    found = codes(with_rules(unique(), change), tmp_path)
    assert found
    assert found <= expected, found


def test_a_rule_added(tmp_path: Path) -> None:
    odd = {"kind": "odd", "parameters": {"cells": [0]}}
    assert codes(with_rules(unique(), lambda rules: rules.append(odd)), tmp_path) == {"rule-missing"}
    killer = {"kind": "killer", "parameters": {"cells": [0, 1, 8], "total": 9, "repeats": False}}
    assert codes(with_rules(unique(), lambda rules: rules.append(killer)), tmp_path) == {"rule-missing"}


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ({"kind": "Killer", "parameters": {}}, "unknown-rule"),
        ({"kind": ["killer"], "parameters": {}}, "unknown-rule"),
        ({"kind": "fog", "parameters": {}}, "unknown-rule"),
        ({"kind": "killer"}, "bad-rules"),
        ({"kind": "odd", "parameters": {"cells": [0]}, "note": ""}, "bad-rules"),
        ({"kind": "odd", "parameters": [0]}, "bad-rules"),
        ("odd r1c1", "bad-rules"),
        ({"kind": "odd", "parameters": {}}, "bad-rules"),
        ({"kind": "odd", "parameters": {"cells": [0], "only": True}}, "bad-rules"),
        ({"kind": "odd", "parameters": {"cells": []}}, "bad-rules"),
        *(
            ({"kind": "clone", "parameters": {"lines": lines}}, "bad-rules")
            for lines in ([[0], [5], [5]], [[0, 1], [5]], [[0]], [])
        ),
        ({"kind": "odd", "parameters": {"cells": [36]}}, "bad-rules"),
        ({"kind": "odd", "parameters": {"cells": [-1]}}, "bad-rules"),
        ({"kind": "odd", "parameters": {"cells": [0.0]}}, "bad-rules"),
        ({"kind": "odd", "parameters": {"cells": [True]}}, "bad-rules"),
        ({"kind": "odd", "parameters": {"cells": ["r1c1"]}}, "bad-rules"),
        ({"kind": "odd", "parameters": {"cells": 0}}, "bad-rules"),
        ({"kind": "odd", "parameters": {"cells": [0] * 101}}, "bad-rules"),
        ({"kind": "killer", "parameters": {"cells": [0], "total": "9", "repeats": False}}, "bad-rules"),
        ({"kind": "killer", "parameters": {"cells": [0], "total": 9.0, "repeats": False}}, "bad-rules"),
        ({"kind": "killer", "parameters": {"cells": [0], "total": True, "repeats": False}}, "bad-rules"),
        ({"kind": "killer", "parameters": {"cells": [0], "total": 9, "repeats": 0}}, "bad-rules"),
        ({"kind": "little-killer", "parameters": {"cells": [0], "total": None}}, "bad-rules"),
        ({"kind": "renban", "parameters": {"lines": [0, 1]}}, "bad-rules"),
        ({"kind": "renban", "parameters": {"lines": [[0], []]}}, "bad-rules"),
        ({"kind": "leaper", "parameters": {"offsets": [1, 2, 3]}}, "bad-rules"),
        ({"kind": "look-and-say", "parameters": {"values": [1], "cells": [0], "only": False}}, "bad-rules"),
        ({"kind": "non-consecutive", "parameters": {"marked": [[0, 1, 2]]}}, "bad-rules"),
        ({"kind": "relation", "parameters": {"allow": "a<b", "lines": [[0, 1]], "pairs": "or"}}, "bad-rules"),
        *(
            ({"kind": "relation", "parameters": {"allow": allow, "lines": [[0, 1]], "pairs": "all"}}, "bad-rules")
            for allow in ("a <", "a < c", "a.real", "__import__('os')", "a < 1.5", "[a]", "a ** b", "1/(a-1)", "abs()",
                          "abs(a, key=b)", "a if b else n", "lambda: a", "(" * 400, "a" * 501, "a in b", "max", "'a'",
                          "a in (1, 2) * 9", "max((a, b)) > 1")
        ),
        *(
            ({"kind": "regex", "parameters": {"pattern": pattern, "lines": [[0, 1]]}}, "bad-rules")
            for pattern in ("(1", "1)", "[1", "[1-", "*1", "1{2", "1{3,2}", "1{100}", "1{,}", "((1{99}){99}){99}", "#",
                            "[^", "(" * 400 + ")" * 400, "1" * 501, "1{-1}", "1{ 1}", "\ufb06", "1{\u0663}")
        ),
    ],
)  # fmt: skip
def test_rules_that_are_none(rule: object, code: str, tmp_path: Path) -> None:
    found = report(with_rules(unique(), lambda rules: rules.append(rule)), tmp_path)  # type: ignore[arg-type]
    assert found.codes() == (code,), str(found)
    assert "rule 10" in str(found) or "read" in str(found)


def test_rules_json_as_such(tmp_path: Path) -> None:
    for number, (data, code) in enumerate((
        (b"[]", "bad-json"), (b'{"rules": {}}', "bad-rules"), (b'{"rules": [], "more": 1}', "unknown-key"),
        (b'{"rules": [{"kind": "odd", "kind": "even", "parameters": {"cells": [0]}}]}', "bad-json"),
        (b'{"rules": [{"kind": "odd", "parameters": {"cells": [1], "cells": [0]}}]}', "bad-json"),
    )):  # fmt: skip
        assert codes(unique() | {"rules.json": data}, tmp_path / str(number)) == {code}
    missing = {name: data for name, data in unique().items() if name != "rules.json"}
    assert codes(missing, tmp_path / "missing") == {"missing-file"}


def test_rules_in_the_older_format_are_not_overlooked(tmp_path: Path) -> None:
    head = json.loads(unique()["claim.json"]) | {"format": "gridproof-certificate/1"}
    found = codes(unique() | {"claim.json": json.dumps(head).encode()}, tmp_path)
    assert "unexpected-file" in found


# ---- the formula -----------------------------------------------------------------------------------------------------


def of_rules(files: Files) -> list[tuple[int, str]]:
    """The clauses of the formula that are no house's, by line, without clues and what forbids the solution."""
    lines = files["proof/formula.cnf"].decode().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("p"))
    houses = dict(certify(Board.empty(SIX).with_clue(0, 1).with_clue(1, 1), cross_check="none").files)
    said = set(houses["proof/formula.cnf"].decode().splitlines())
    own = [(number, line) for number, line in enumerate(lines) if number > start and line not in said]
    return [(number, line) for number, line in own[:-1] if len(line.split()) > 2 or line.startswith("-")]


def test_a_clause_too_few(tmp_path: Path) -> None:
    """Whatever is left out is missed, or follows from the rest by propagation; the proof may still need it."""
    missed = 0
    clauses = of_rules(unique())
    assert len(clauses) > 500
    for number, clause in clauses[:: len(clauses) // 20]:
        found = report(with_formula(unique(), without(number)), tmp_path / str(number))
        assert found.codes() in ((), ("rule-missing",), ("proof-step-not-implied",)), (clause, str(found))
        missed += not found.accepted
    assert missed > 8


def test_a_clause_too_many(tmp_path: Path) -> None:
    """A clause of a rule with a literal fewer, or with another sign."""
    refused = 0
    clauses = [(number, line.split()) for number, line in of_rules(unique()) if len(line.split()) > 2]
    for number, words in clauses[:: len(clauses) // 20]:
        for changed in ([*words[1:]], [str(-int(words[0])), *words[1:]]):
            added = " ".join(changed)
            found = report(with_formula(unique(), adding(added)), tmp_path / f"{number} {added}")
            assert found.codes() in ((), ("clause-not-implied",)), (added, str(found))
            refused += not found.accepted
    assert refused > 25


@pytest.mark.parametrize(("word", "number"), [("set", KILLER), ("set", RENBAN), ("state", SANDWICH), ("state", LITTLE)])
def test_the_meaning_of_a_variable_bent(word: str, number: int, tmp_path: Path) -> None:
    lines = declared(unique(), word, number)
    words = [line.split() for line in lines]
    first, other = (words[0], next(w for w in words[1:] if len(w) == len(words[0])))
    swapped = {" ".join(first): " ".join([*first[:3], *other[3:]]), " ".join(other): " ".join([*other[:3], *first[3:]])}
    replaced = {
        "twice": [*first[:3], *other[3:]],
        "another rule": [*first[:3], "2", *first[4:]],
        "another line": [*first[:4], "7", *first[5:]],
        "no symbols": first[:5],
        "an empty group": [*first[:5], "0", *first[5:]],
        "a symbol too large": [*first[:5], "9", "9"],
        "a cell's variable": [*first[:2], "5", *first[3:]],
    }
    variants: dict[str, Callable[[list[str]], list[str]]] = {
        "swapped": lambda text: [swapped.get(line, line) for line in text],
        "left out": lambda text: [line for line in text if line != lines[0]],
        "defined, too": lambda text: [f"c define {first[2]} or 1", *text],
    }
    for name, new in replaced.items():
        variants[name] = lambda text, new=new: [" ".join(new) if line == lines[0] else line for line in text]  # type: ignore[misc]
    for name, change in variants.items():
        found = codes(with_formula(unique(), change), tmp_path / name)
        expected = {"swapped": {"clause-not-implied"}, "left out": {"rule-missing"}}.get(name, {"bad-definition"})
        assert found == expected, (name, found)


def test_states_of_a_rule_that_the_conflict_does_not_name(tmp_path: Path) -> None:
    said = json.loads(none()["conflict.json"])
    assert said == {"cells": [0], "rules": [2]}
    sets = declared(none(), "set", 2)
    assert sets
    assert codes(with_formula(none(), lambda lines: [*sets, *lines], "conflict"), tmp_path / "1") == {"bad-definition"}
    for number, rules in enumerate(([], [1], [2, 3], [0], [4], [True], 2, None)):
        files = none() | {"conflict.json": json.dumps({"cells": [0], "rules": rules}).encode()}
        expected = {"clause-not-implied", "rule-missing"} if number < 3 else {"bad-conflict"}
        found = codes(files, tmp_path / f"rules {number}")
        assert found
        assert found <= expected
    assert codes(none() | {"conflict.json": b'{"cells": [0]}'}, tmp_path / "2") == {"missing-key"}
    assert codes(none() | {"conflict.json": b'{"cells": [], "rules": [2]}'}, tmp_path / "3") == {"clause-not-implied"}


# ---- forged claims ---------------------------------------------------------------------------------------------------


def forged(change: Callable[[list[str]], list[str]], proof: bytes | None = None) -> Files:
    """A claim that a board with several solutions has one: what its certificate would be, with another formula."""
    rules = ["killer 7 r1c1 r1c2", "x-sum 3 row2", "quadruple 1 2 row3"]
    grid = (3, 4, 1, 2, 2, 1, 3, 4, 1, 2, 4, 3, 4, 3, 2, 1)  # rows 3 and 4 are not the only ones
    board = Board(Geometry.classic(2), grid[:8] + (0,) * 8).with_rules(rules)
    files = dict(certify(board).files)
    assert json.loads(files["claim.json"])["claim"] == "multiple"
    full = certify(Board(Geometry.classic(2), grid).with_rules(rules)).files
    units = {f"{cell * 4 + grid[cell]} 0" for cell in range(8, 16)}
    head = json.loads(full["claim.json"])
    files = {name: data for name, data in full.items() if name != "board.txt"} | {"board.txt": files["board.txt"]}
    assert head["claim"] == "unique"
    files = with_formula(files, lambda lines: change([line for line in lines if line not in units]))
    clauses = [
        [int(word) for word in line.split()[:-1]]
        for line in files["proof/formula.cnf"].decode().splitlines()
        if line[0] not in "cp"
    ]
    return files | {"proof/proof.drat": refutation(clauses, "cadical153") if proof is None else proof}


def test_the_honest_formula_of_it_is_accepted_but_for_its_proof(tmp_path: Path) -> None:
    assert codes(forged(lambda lines: lines, b"0\n"), tmp_path) == {"proof-step-not-implied"}


def test_strengthening_the_formula(tmp_path: Path) -> None:
    for number, clause in enumerate(("33 0", "-33 0", "-33 -38 0", "0")):
        files = forged(adding(clause), b"0\n")
        assert "clause-not-implied" in codes(files, tmp_path / str(number))


def test_a_variable_of_a_rule_that_constrains(tmp_path: Path) -> None:
    def states(lines: list[str]) -> list[int]:
        return [int(line.split()[2]) for line in lines if re.match("c (state|set) ", line)]

    for number, sign in enumerate((1, -1)):

        def change(lines: list[str], sign: int = sign) -> list[str]:
            return [*lines, *(f"{sign * variable} 0" for variable in states(lines))]

        assert codes(forged(change), tmp_path / str(number)) == {"clause-not-implied"}


@pytest.mark.parametrize(
    "definition",
    [
        "c define 99 or 99", "c define 99 nor 99", "c define 33 or 34", "c define 99 or 100\nc define 100 nor 99",
        "c state 33 1 1 1 2", "c set 33 1 1 1 4", "c define 99 or 1\nc define 99 nor 1", "c state 99 1 1 1 4",
        "c set 99 2 1 1 2 3 4", "c state 99 2 1 4 4 4 4", "c state -99 2 1 4 1", "c state 99 0 1 4 1", "c set 99 1 1 1",
        "c state 99 2 -1 4 1", "c state 99 2 1 4 x", "c set 99 1 1 4 1", "c set 99 1 1 1 0 4",
    ],
)  # fmt: skip
def test_a_definition_that_constrains(definition: str, tmp_path: Path) -> None:
    """Circles, cell variables, one variable twice, and what no line can be: each could rule grids out."""

    def change(lines: list[str]) -> list[str]:
        top = int(next(line for line in lines if line.startswith("p")).split()[2])
        renamed = re.sub(r"\b(99|100)\b", lambda m: str(top - 99 + int(m[0]) + 1), definition)
        return [*renamed.split("\n"), *(re.sub(r"p cnf \d+", f"p cnf {top + 2}", line) for line in lines)]

    assert codes(forged(change, b"0\n"), tmp_path) == {"bad-definition"}


def test_steps_with_rat_over_cell_variables(tmp_path: Path) -> None:
    """Without the clauses that speak against it a symbol has RAT in its cell. That rules grids out, and never all."""
    files = forged(lambda lines: lines, b"0\n")
    clauses = [line for line in files["proof/formula.cnf"].decode().splitlines() if line[0] not in "cp"]
    steps = []
    for symbol in (8 * 4 + 4, 9 * 4 + 3, 10 * 4 + 2, 11 * 4 + 1):
        steps += [f"d {clause}" for clause in clauses if f"-{symbol}" in clause.split()]
        steps.append(f"{symbol} 0")
    proof = "".join(f"{step}\n" for step in [*steps, "0"])
    found = report(files | {"proof/proof.drat": proof.encode()}, tmp_path / "proof")
    assert found.codes() == ("proof-step-not-implied",)
    assert found.reasons[0].line == len(steps) + 1, "all steps before are right"
    # and as clauses of the formula they are no better
    for step in steps[-1], f"{steps[-1].split()[0]} 64 0":
        assert codes(forged(adding(step), b"0\n"), tmp_path / step) == {"clause-not-implied"}


def test_a_rule_that_is_read_as_its_words_are(tmp_path: Path) -> None:
    """The words in docs/certificates.md are those of the checker, and name every kind and parameter."""
    page = Path(checker.__file__).parents[3] / "docs" / "certificates.md"
    if not page.is_file():
        pytest.skip("not in a checkout")
    table = page.read_text(encoding="utf-8").split("### rules.json")[1].split("### The formulas")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| `")]
    said = {name: row for row in rows for name in re.findall("`([a-z-]+)`", row[0])}
    assert said.keys() == KINDS.keys()
    for name, kind in KINDS.items():
        parameters = ", ".join(f"{key} ({expected})" for key, expected in kind.parameters.items()) or "none"
        assert said[name][1:] == [parameters, kind.sentence], name


# ---- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule",
    [
        {"kind": "nabner", "parameters": {"lines": [list(range(36)) * 2] * 72}},
        {"kind": "regex", "parameters": {"pattern": "(.*1.{20}|.*2.{30})", "lines": [list(range(36)) * 2]}},
        {"kind": "little-killer", "parameters": {"total": 200, "cells": list(range(36)) * 2}},
        {"kind": "arrow", "parameters": {"circle": [0, 1, 2, 3, 4, 5], "shafts": [list(range(6, 36))]}},
    ],
)
def test_rules_that_take_too_much(rule: dict[str, Any], tmp_path: Path) -> None:
    limits = checker.Limits(parts=1000, trials=20_000)
    found = report(with_rules(unique(), lambda rules: rules.append(rule)), tmp_path, limits)
    assert set(found.codes()) <= {"too-large", "solution-against-rule", "rule-missing"}
    assert not found.accepted


def test_what_a_pattern_leaves_to_be_matched_counts_with_its_size(tmp_path: Path) -> None:
    """States of thousands of symbols each: a gigabyte, long before there are too many of them."""
    rule = {"kind": "regex", "parameters": {"pattern": "(.*1.{20}|.*2.{20})|.*", "lines": [list(range(36))]}}
    files = with_rules(unique(), lambda rules: rules.append(rule))
    tracemalloc.start()
    found = report(files, tmp_path, checker.Limits(trials=500_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.codes() == ("too-large",), str(found)
    assert peak < 60 << 20


def test_sets_are_tried_one_after_another(tmp_path: Path) -> None:
    line = sum_of(Shape(16, (), [set(range(16))] * 16), 50, times(range(8), 1), distinct=True)
    tracemalloc.start()
    found = Unrolled(16, checker.Limits(), Clock(60)).ways(line)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert all(sum(symbols) == 50 for (symbols,) in found)
    assert peak < 1 << 20


def test_pairs_of_cells_that_are_listed_again_and_again() -> None:
    """Each pair is looked at once, in the order of the line."""
    random = Random(1)
    for _ in range(50):
        line = tuple(random.choices(range(6), k=random.randint(1, 12)))
        assert {p for p in in_order(line) if p[0] != p[1]} == {p for p in combinations(line, 2) if p[0] != p[1]}
    assert len(list(in_order((0, 1) * 2000))) == 4


def test_the_lines_of_a_rule_are_listed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for each of its variables: hundreds of thousands of both may be declared."""
    asked = []
    lines = Rule.__dict__["lines"].fget

    def counted(rule: Rule) -> object:
        asked.append(rule)
        return lines(rule)

    monkeypatch.setattr(Rule, "lines", property(counted))
    assert report(unique(), tmp_path).accepted
    assert len(asked) == len(RULES)


def test_time_is_looked_at_between_variables_and_between_parts(tmp_path: Path) -> None:
    clock = Clock(60)
    rules = parse_rules(unique()["rules.json"], Shape(6, (), [set()] * 36), checker.Limits(), clock)
    meant = Unrolled(6, checker.Limits(), clock)
    stated = Stated(rules, meant, Formula(216), "")
    clock._limit = -1.0
    with pytest.raises(Refusal, match="too-slow"):
        next(stated.clauses())
    with pytest.raises(Refusal, match="too-slow"):
        Stated(rules, meant, Formula(216, states={217: (False, 8, 1, (1, 2))}), "")
