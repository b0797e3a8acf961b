"""The checker on whole certificates: spoilt in one part each, forged as a whole, hostile, and by itself."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checker.certificate_files import (
    FOUR,
    GRID,
    RULES,
    Files,
    at_least,
    counted,
    joined,
    lines,
    multiple,
    none,
    report,
    sealed,
    solutions,
    unique,
    write,
)
from gridproof import checker
from gridproof.certificates import certify
from gridproof.checker import certificate
from gridproof.checker import folder as folder_of_certificate
from gridproof.checker.findings import Refusal
from gridproof.checker.machines import KINDS
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import all_kinds
from rules.random_rules import SHAPES, random_rule

TURNED = str.maketrans("1234", "2341")
KILLER, THERMOMETER, SANDWICH, ARROW, RENBAN, QUADRUPLE, EVEN, LITTLE, REGION = range(9)
GOOD = {"unique": unique, "none": none, "multiple": multiple, "count": counted, "at least": at_least}


def codes(files: Files, folder: Path, **claim: object) -> set[str]:
    """The reasons for a refusal."""
    result = report(sealed(files, **claim), folder)
    assert not result.accepted
    assert "checker-error" not in result.codes(), str(result)
    return set(result.codes())


def edited(name: str, change: Callable[[list[str]], list[str]], files: Files | None = None) -> Files:
    """A certificate with other lines in one file."""
    files = unique() if files is None else files
    return files | {name: joined(change(lines(files[name])))}


def with_rules(change: Callable[[list[dict[str, Any]]], object], files: Files | None = None) -> Files:
    files = unique() if files is None else files
    data = json.loads(files["rules.json"])
    change(data["rules"])
    return files | {"rules.json": json.dumps(data).encode()}


def with_json(files: Files, name: str, **changes: object) -> Files:
    return files | {name: json.dumps(json.loads(files[name]) | changes).encode()}


@pytest.mark.parametrize("claim", GOOD)
def test_they_are_accepted_as_they_are(claim: str, tmp_path: Path) -> None:
    result = report(GOOD[claim](), tmp_path)
    assert (result.accepted, result.claim) == (True, claim), str(result)


# ---- spoilt in one part ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(9))
def test_a_rule_dropped(number: int, tmp_path: Path) -> None:
    if number != REGION:  # a row: the houses state it as well, clause by clause
        assert codes(with_rules(lambda rules: rules.pop(number)), tmp_path) == {"formula-differs"}


@pytest.mark.parametrize(
    ("number", "key", "value"),
    [
        (KILLER, "total", 13),
        (KILLER, "repeats", True),
        (SANDWICH, "total", 8),
        (SANDWICH, "cells", [19, 18, 20, 21, 22, 23]),
        (LITTLE, "total", 14),
        (THERMOMETER, "lines", [[4, 3, 5]]),
        (THERMOMETER, "lines", [[3, 4]]),
        (ARROW, "circle", [31]),
        (EVEN, "cells", [1, 18]),
        (RENBAN, "lines", [[12, 13, 20]]),
    ],
)
def test_a_parameter_bent(number: int, key: str, value: object, tmp_path: Path) -> None:
    found = codes(with_rules(lambda rules: rules[number]["parameters"].update({key: value})), tmp_path)
    assert found in ({"solution-against-rule"}, {"formula-differs"})


def test_a_rule_added(tmp_path: Path) -> None:
    odd = {"kind": "odd", "parameters": {"cells": [0]}}
    assert codes(with_rules(lambda rules: rules.append(odd)), tmp_path) == {"formula-differs"}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda grids: grids[1:], "formula-differs"),  # a grid left out
        (lambda grids: [*grids, grids[-1]], "solutions-unsorted"),  # a grid doubled
        (lambda grids: [grids[1], grids[0], *grids[2:]], "solutions-unsorted"),
        (lambda grids: grids[::-1], "solutions-unsorted"),
        (lambda grids: ["1" * 16, *grids], "solution-not-a-solution"),
        (lambda grids: [grids[0][:-1] + "4", *grids[1:]], "solution-not-a-solution"),  # one digit wrong
        (lambda grids: [grids[0].translate(TURNED), *grids[1:]], "solution-against-clue"),  # a grid exchanged
        (lambda grids: [*grids[:-1], "1243431221343421"], "solution-against-rule"),
        (lambda grids: [grids[0][1:], *grids[1:]], "bad-solutions"),
        (lambda grids: [grids[0].replace("1", "5"), *grids[1:]], "bad-solutions"),
    ],
)
@pytest.mark.parametrize("make", [counted, at_least])
def test_another_list_of_solutions(
    change: Callable[[list[str]], list[str]], code: str, make: Callable[[], Files], tmp_path: Path
) -> None:
    spoilt = edited("solutions.txt", change, make())
    number = len(lines(spoilt["solutions.txt"]))
    if make is at_least and code == "formula-differs":
        assert report(sealed(spoilt, solutions=number), tmp_path).accepted, "fewer solutions are still so many at least"
        assert codes(spoilt, tmp_path) == {"bad-count"}
    else:
        assert codes(spoilt, tmp_path, solutions=number) == {code}


def test_the_list_of_solutions_ends_with_a_line(tmp_path: Path) -> None:
    files = counted()
    for text in (files["solutions.txt"].rstrip(), files["solutions.txt"].replace(b"1", b"\xff")):
        (code,) = codes(files | {"solutions.txt": text}, tmp_path)
        assert code in ("bad-solutions", "not-text")


def test_another_count(tmp_path: Path) -> None:
    files = counted()
    number = len(lines(files["solutions.txt"]))
    for stated in (number - 1, number + 1, -1, str(number), None, True):
        assert codes(files, tmp_path, solutions=stated) == {"bad-count"}
    assert codes(unique(), tmp_path, solutions=1) == {"bad-count"}


def test_the_proof_of_another_count(tmp_path: Path) -> None:
    """Neither the formula nor the proof that there are no other grids than those of another list is taken."""
    fewer = dict(certify(Board.empty(FOUR).with_clue(0, 1).with_rule("even r4c4"), count=True).files)
    files = counted()
    found = codes(files | {name: fewer[name] for name in ("formula.cnf", "proof.lrat")}, tmp_path)
    assert found == {"formula-differs"}
    found = codes(files | {"proof.lrat": fewer["proof.lrat"]}, tmp_path)
    assert found & {"proof-step-not-implied", "bad-proof"}


def test_a_claim_of_all_solutions_needs_a_proof(tmp_path: Path) -> None:
    some = at_least()
    number = len(lines(some["solutions.txt"]))
    assert codes(some, tmp_path, claim="count", solutions=number) == {"missing-file"}


@pytest.mark.parametrize(
    "change",
    [
        lambda texts: [*texts, "1 0"],  # a clause more
        lambda texts: [*texts[:5], *texts[6:]],
        lambda texts: [texts[0], *texts[2:], texts[1]],  # another order
        lambda texts: ["c a comment", *texts],
        lambda texts: [texts[0].replace("cnf ", "cnf 1"), *texts[1:]],
        lambda texts: [text.replace(" 0", "  0") for text in texts],
        lambda texts: [text.removeprefix("-") for text in texts],
        lambda _: [],
    ],
)
def test_another_formula(change: Callable[[list[str]], list[str]], tmp_path: Path) -> None:
    assert codes(edited("formula.cnf", change), tmp_path) == {"formula-differs"}
    assert codes(edited("formula.cnf", change, none()), tmp_path) == {"formula-differs"}


def test_the_message_shows_the_first_line_that_differs(tmp_path: Path) -> None:
    files = edited("formula.cnf", lambda texts: [*texts[:6], "7 8 0", *texts[7:]])
    assert "[formula-differs] formula.cnf, line 7: '7 8 0'; expected '" in str(report(sealed(files), tmp_path))


def test_a_proof_spoilt(tmp_path: Path) -> None:
    proof = lines(unique()["proof.lrat"])
    assert len(proof) > 2
    hinted = proof[-1].rsplit(" ", 2)
    for texts, code in (
        (proof[:-1], "proof-incomplete"),
        (proof[1:], "proof-step-not-implied"),
        ([*proof[:-1], f"{hinted[0]} 0"], "proof-step-not-implied"),  # a hint left out
        ([*proof[:-1], f"{hinted[0]} 1 0"], "proof-step-not-implied"),  # another hint
        ([proof[0], *proof], "bad-proof"),  # an id twice
        (lines(none()["proof.lrat"]), "proof-step-not-implied"),
        ([], "proof-incomplete"),
    ):
        assert codes(unique() | {"proof.lrat": joined(texts)}, tmp_path) & {code, "bad-proof"}, texts


def test_the_board_spoilt(tmp_path: Path) -> None:
    rows = [list(row) for row in lines(unique()["board.txt"])]
    rows[0][0] = GRID[0]
    assert codes(unique() | {"board.txt": joined(["".join(row) for row in rows])}, tmp_path) == {"formula-differs"}
    rows[0][0] = "6"
    assert codes(unique() | {"board.txt": joined(["".join(row) for row in rows])}, tmp_path) == {
        "solution-against-clue"
    }


def test_the_solution_spoilt(tmp_path: Path) -> None:
    rows = lines(unique()["solution.txt"])
    swapped = [rows[0][1] + rows[0][0] + rows[0][2:], *rows[1:]]
    assert codes(unique() | {"solution.txt": joined(swapped)}, tmp_path) == {"solution-not-a-solution"}
    exchanged = [row.translate(str.maketrans("12", "21")) for row in rows]
    assert codes(unique() | {"solution.txt": joined(exchanged)}, tmp_path) & {
        "solution-against-rule",
        "solution-against-clue",
    }
    blank = ["." + rows[0][1:], *rows[1:]]
    assert codes(unique() | {"solution.txt": joined(blank)}, tmp_path) == {"solution-incomplete"}
    second = multiple()
    assert codes(second | {"solution2.txt": second["solution.txt"]}, tmp_path) == {"solutions-equal"}


def test_the_geometry_spoilt(tmp_path: Path) -> None:
    for changes in ({"boxes": [3, 2]}, {"boxes": None}, {"houses": [[0, 7, 14, 21, 28, 35]]}):
        found = codes(with_json(unique(), "geometry.json", **changes), tmp_path)
        assert found <= {"formula-differs", "solution-not-a-solution", "solution-against-rule"}
        assert found


def test_the_conflict_spoilt(tmp_path: Path) -> None:
    conflict = json.loads(none()["claim.json"])["conflict"]
    cells, rules = conflict["cells"], conflict["rules"]
    for changed, code in (
        ({"cells": cells[1:], "rules": rules}, "formula-differs"),
        ({"cells": cells, "rules": rules[1:]}, "formula-differs"),
        ({"cells": [15], "rules": rules}, "bad-conflict"),  # no clue there
        ({"cells": [16], "rules": rules}, "bad-conflict"),  # no cell of the board
        ({"cells": [-1], "rules": rules}, "bad-conflict"),
        ({"cells": cells, "rules": [0]}, "bad-conflict"),
        ({"cells": cells, "rules": [4]}, "bad-conflict"),
        ({"cells": "0", "rules": rules}, "bad-conflict"),
        ({"cells": cells}, "bad-conflict"),
        ({}, "bad-conflict"),
        ([], "bad-conflict"),
    ):
        assert codes(none(), tmp_path, conflict=changed) == {code}, changed
    assert codes(unique(), tmp_path, conflict=conflict) == {"bad-conflict"}


def test_digests_and_files(tmp_path: Path) -> None:
    assert set(report(unique() | {"proof.drat": b"0\n"}, tmp_path).codes()) == {"digest-mismatch"}
    for name in sorted(unique().keys() - {"README.txt", "claim.json"}):
        missing = {other: data for other, data in unique().items() if other != name}
        assert "missing-file" in codes(missing, tmp_path), name
        assert "missing-file" in report(missing, tmp_path).codes(), name
    assert codes(unique() | {"more.txt": b""}, tmp_path) == {"unexpected-file"}
    assert codes(unique() | {"proof/proof.drat": b""}, tmp_path) == {"unexpected-file"}
    without = {name: data for name, data in unique().items() if name != "README.txt"}
    assert report(sealed(without), tmp_path).accepted


def test_another_claim(tmp_path: Path) -> None:
    for name in GOOD:
        for other in GOOD.keys() - {name}:
            assert codes(GOOD[name](), tmp_path, claim=other)


# ---- forged as a whole -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(
    seed=st.integers(0, 10**9),
    kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=2),
    parts=st.sets(
        st.sampled_from(["rules.json", "board.txt", "geometry.json", "solution.txt", "formula.cnf", "proof.lrat"])
    ),
)
@settings(max_examples=80)
def test_what_is_accepted_is_true(
    tmp_path_factory: pytest.TempPathFactory, seed: int, kinds: list[str], parts: set[str]
) -> None:
    """Files of one certificate in the place of those of another: whatever is accepted is true of the files there."""
    random = Random(seed)
    geometry = random.choice(SHAPES[2:])
    boards = []
    for _ in range(2):
        board = Board.empty(geometry).with_rules([random_rule(all_kinds()[name], geometry, random) for name in kinds])
        grid = random.choice(solutions(board) or [(1,) * geometry.cell_count])
        for cell in random.sample(range(geometry.cell_count), random.randint(0, geometry.order)):
            board = board.with_clue(cell, grid[cell])
        boards.append(board)
    one, other = (dict(certify(board, cross_check="none").files) for board in boards)
    forged = one | {name: other[name] for name in parts if name in one and name in other}
    result = report(sealed(forged), tmp_path_factory.mktemp("forged"))
    assert "checker-error" not in result.codes()
    if result.accepted:
        clues = boards["board.txt" in parts and "board.txt" in other].clues
        rules = boards["rules.json" in parts].rules
        truth = solutions(Board(geometry, clues).with_rules(rules))
        assert result.claim == ("none", "unique", "multiple")[min(len(truth), 2)]
    elif not parts:
        pytest.fail(str(result))


# ---- files of wrong forms --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["claim.json", "geometry.json", "rules.json"])
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "bad-json"),
        (b"[]", "bad-json"),
        (b"{", "bad-json"),
        (b"{}", "missing-key"),
        (b'{"a": 1, "a": 2}', "bad-json"),
        (b'{"a": NaN}', "bad-json"),
        (b"\xff\xfe{}", "not-text"),
        (b"[" * 500_000, "bad-json"),
        (b'{"order": ' + b"9" * 100_000 + b"}", "bad-json"),
    ],
    ids=range(9),
)
def test_json_of_a_wrong_form(name: str, data: bytes, code: str, tmp_path: Path) -> None:
    files = unique() | {name: data}
    result = report(files if name == "claim.json" else sealed(files), tmp_path)
    assert code in result.codes()
    assert "checker-error" not in result.codes()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"format": "gridproof-certificate/2"}, "unknown-format"),
        ({"format": 3}, "unknown-format"),
        ({"claim": ["unique"]}, "unknown-claim"),
        ({"files": []}, "bad-json"),
        ({"files": {}}, "digest-mismatch"),
        ({"rules": ["anti-knight"]}, "unknown-key"),
    ],
)
def test_claims_of_a_wrong_form(change: dict[str, Any], code: str, tmp_path: Path) -> None:
    head = json.loads(unique()["claim.json"]) | change
    assert report(unique() | {"claim.json": json.dumps(head).encode()}, tmp_path).codes()[0] == code


HALVES = [list(range(n, n + 6)) for n in range(0, 36, 6)]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"order": 0}, "bad-geometry"),
        ({"order": True}, "bad-geometry"),
        ({"order": 6.0}, "bad-geometry"),
        ({"boxes": [2, 2]}, "bad-geometry"),
        ({"boxes": [-2, -3]}, "bad-geometry"),
        ({"regions": HALVES}, "bad-geometry"),  # boxes and regions
        ({"boxes": None, "regions": HALVES[:5]}, "bad-geometry"),
        ({"boxes": None, "regions": [*HALVES[:5], HALVES[0]]}, "bad-geometry"),
        ({"boxes": None, "regions": [*HALVES[:5], [30, 31, 32, 33, 34, 36]]}, "bad-house"),
        ({"houses": {}}, "bad-geometry"),
        ({"houses": [{"name": "x", "cells": [0, 1, 2, 3, 4, 5]}]}, "bad-house"),
        ({"houses": [[0, 1, 2, 3, 4]]}, "bad-house"),
        ({"houses": [[0, 1, 2, 3, 4, 4]]}, "bad-house"),
        ({"houses": [[0, 1, 2, 3, 4, -1]]}, "bad-house"),
        ({"houses": [[0, 1, 2, 3, 4, 5]] * 600}, "too-large"),
        ({"more": 1}, "unknown-key"),
    ],
)
def test_geometries_of_a_wrong_form(change: dict[str, Any], code: str, tmp_path: Path) -> None:
    assert codes(with_json(unique(), "geometry.json", **change), tmp_path) == {code}


@pytest.mark.parametrize("name", ["board.txt", "solution.txt"])
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "bad-board"),
        (b"123456\n" * 5, "bad-board"),
        (b"123456\n" * 5 + b"12345\n", "bad-board"),
        (b"123456\n" * 5 + b"123457\n", "bad-board"),
        (b"123456\n" * 5 + b"1 2 3 4 5 x\n", "bad-board"),
        (b"123456\n" * 5 + b"123450\n", "bad-board"),
        (b"\xff\xfe\x00\x01", "not-text"),
        ("١23456\n".encode() * 6, "not-text"),
        (b"1" * 300_000 + b"\n2\n3\n4\n5\n6\n", "too-large"),
    ],
    ids=range(9),
)
def test_boards_of_a_wrong_form(name: str, data: bytes, code: str, tmp_path: Path) -> None:
    assert code in codes(unique() | {name: data}, tmp_path)


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ({"kind": "Killer", "parameters": {}}, "unknown-rule"),
        ({"kind": ["killer"], "parameters": {}}, "unknown-rule"),
        ({"kind": "killer"}, "bad-rules"),
        ({"kind": "odd", "parameters": {"cells": [0]}, "note": ""}, "bad-rules"),
        ("odd r1c1", "bad-rules"),
        ({"kind": "odd", "parameters": {}}, "bad-rules"),
        ({"kind": "odd", "parameters": {"cells": [0], "only": True}}, "bad-rules"),
        *(
            ({"kind": "odd", "parameters": {"cells": cells}}, "bad-rules")
            for cells in ([], [36], [-1], [0.0], [True], ["r1c1"], 0, [0] * 101)
        ),
        *(
            ({"kind": "clone", "parameters": {"lines": listed}}, "bad-rules")
            for listed in ([[0], [5], [5]], [[0, 1], [5]], [[0]], [])
        ),
        *(
            ({"kind": "killer", "parameters": {"cells": [0], "total": total, "repeats": False}}, "bad-rules")
            for total in ("9", 9.0, True)
        ),
        ({"kind": "killer", "parameters": {"cells": [0], "total": 9, "repeats": 0}}, "bad-rules"),
        ({"kind": "little-killer", "parameters": {"cells": [0], "total": None}}, "bad-rules"),
        ({"kind": "renban", "parameters": {"lines": [0, 1]}}, "bad-rules"),
        ({"kind": "leaper", "parameters": {"offsets": [1, 2, 3]}}, "bad-rules"),
        ({"kind": "look-and-say", "parameters": {"values": [1], "cells": [0], "only": False}}, "bad-rules"),
        ({"kind": "non-consecutive", "parameters": {"marked": [[0, 1, 2]]}}, "bad-rules"),
        ({"kind": "relation", "parameters": {"allow": "a<b", "lines": [[0, 1]], "pairs": "or"}}, "bad-rules"),
        ({"kind": "relation", "parameters": {"allow": 5, "lines": [[0, 1]], "pairs": "all"}}, "bad-rules"),
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
def test_rules_of_a_wrong_form(rule: Any, code: str, tmp_path: Path) -> None:
    result = report(sealed(with_rules(lambda rules: rules.append(rule))), tmp_path)
    assert result.codes() == (code,), str(result)
    assert "rule 10" in str(result) or "read" in str(result)
    assert str(result).isascii()


@pytest.mark.parametrize(
    "rule",
    [
        {"kind": "nabner", "parameters": {"lines": [list(range(36)) * 2] * 72}},
        {"kind": "regex", "parameters": {"pattern": "(.*1.{20}|.*2.{20})|.*", "lines": [list(range(36))]}},
        {"kind": "little-killer", "parameters": {"total": 200, "cells": list(range(36)) * 2}},
    ],
)
def test_rules_that_take_too_much(rule: dict[str, Any], tmp_path: Path) -> None:
    files = sealed(with_rules(lambda rules: rules.append(rule)))
    tracemalloc.start()
    result = report(files, tmp_path, checker.CheckerLimits(parts=1000, trials=100_000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert set(result.codes()) <= {"too-large", "solution-against-rule"}
    assert not result.accepted
    assert peak < 60 << 20


@pytest.mark.parametrize(
    ("limit", "number"),
    [
        ("statement_bytes", 10),
        ("proof_bytes", 10),
        ("order", 5),
        ("clauses", 10),
        ("trials", 10),
        ("parts", 3),
        ("entries", 3),
    ],
)
def test_a_limit_holds(limit: str, number: int, tmp_path: Path) -> None:
    limits = replace(checker.CheckerLimits(), **{limit: number})
    assert set(report(unique(), tmp_path, limits).codes()) & {"too-large", "bad-geometry"}


def test_the_limit_of_time_holds(tmp_path: Path) -> None:
    assert report(unique(), tmp_path, checker.CheckerLimits(seconds=1e-9)).codes() == ("too-slow",)


@pytest.mark.parametrize("part", ["parse_cells", "check_rules", "formula", "check_lrat"])
def test_an_error_of_the_checker_itself_refuses(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError(part)

    monkeypatch.setattr(certificate, part, fail)
    result = report(unique(), tmp_path)
    assert (result.accepted, result.codes()) == (False, ("checker-error",))
    assert part in result.reasons[0].message


def test_memory_that_runs_out_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(certificate, "check_lrat", run_out)
    assert report(unique(), tmp_path).codes() == ("too-large",)


# ---- folders ---------------------------------------------------------------------------------------------------------


def test_places_without_a_certificate(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("no folder")
    for name, code in (
        ("missing", "unreadable"),
        ("file", "unreadable"),
        ("empty", "missing-file"),
        ("a\0b", "unreadable"),
    ):
        assert checker.check(tmp_path / name).codes() == (code,)


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")
def test_links_and_pipes(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(unique()["board.txt"])
    places: list[tuple[Callable[[Path], None], str]] = [
        (lambda place: place.symlink_to(outside), "unsafe-link"),
        (lambda place: place.symlink_to(tmp_path), "unsafe-link"),
        (os.mkfifo, "unsafe-file"),
    ]
    for number, (make_instead, code) in enumerate(places):
        folder = write(unique(), tmp_path / str(number))
        (folder / "board.txt").unlink()
        make_instead(folder / "board.txt")
        assert checker.check(folder).codes() == (code,)
        # also where it has become something else since the folder was listed
        with pytest.raises(Refusal) as refused:
            folder_of_certificate.read_file(folder, "board.txt", 1000)
        assert refused.value.finding.code in ("unreadable", "unsafe-file")
    deep = write(unique() | {"a/b/c.txt": b""}, tmp_path / "deep")
    assert checker.check(deep).codes() == ("unexpected-file",)


def test_many_in_one_folder(tmp_path: Path) -> None:
    for number, claim in enumerate(GOOD, 1):
        write(GOOD[claim](), tmp_path / "all" / f"00000{number}")
    (tmp_path / "all" / "README.txt").write_text("anything")
    reports = list(checker.check_all(tmp_path / "all"))
    assert [(result.accepted, result.claim, result.name) for result in reports] == [
        (True, claim, f"00000{number}") for number, claim in enumerate(GOOD, 1)
    ]
    assert checker.check(tmp_path / "all").codes() == ("several-certificates",)
    (tmp_path / "all" / "stray.txt").write_text("")
    assert [result.accepted for result in checker.check_all(tmp_path / "all")] == [True] * len(GOOD) + [False]


@pytest.mark.slow
def test_random_damage_is_never_an_error_of_the_checker(tmp_path: Path) -> None:
    random, reasons = Random(7), Counter[str]()
    for _ in range(150):
        name = random.choice(sorted(unique()))
        data = bytearray(unique()[name])
        for _ in range(random.randint(1, 3)):
            place = random.randrange(len(data) + 1)
            data[place : place + random.randint(0, 2)] = random.randbytes(random.randint(0, 2))
        damaged = unique() | {name: bytes(data)}
        try:
            files = sealed(damaged)
        except (ValueError, AttributeError, TypeError, KeyError):
            files = damaged
        result = report(files, tmp_path)
        assert "checker-error" not in result.codes(), str(result)
        reasons.update(result.codes())
    assert len(reasons) > 5


# ---- the package -----------------------------------------------------------------------------------------------------

PACKAGE = Path(checker.__file__).parent


def test_imports_nothing_but_the_standard_library_and_itself() -> None:
    modules = set(sys.stdlib_module_names)
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert {alias.name.partition(".")[0] for alias in node.names} <= modules, path
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 1 or (node.level == 0 and (node.module or "").partition(".")[0] in modules), path


@pytest.mark.process
def test_runs_by_itself(tmp_path: Path) -> None:
    """A copy of the folder alone, in an interpreter that sees nothing else: no site-packages, no gridproof."""
    shutil.copytree(PACKAGE, tmp_path / "alone", ignore=shutil.ignore_patterns("__pycache__"))
    good = write(unique(), tmp_path / "good")
    bad = write(sealed(unique() | {"solution.txt": unique()["board.txt"]}), tmp_path / "bad")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-S", "-s", "-m", "alone", *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    accepted = run(str(good))
    assert (accepted.returncode, accepted.stderr) == (0, "")
    assert "accepted: unique" in accepted.stdout
    refusal = run(str(good), str(bad))
    assert (refusal.returncode, refusal.stderr) == (1, "")
    assert "solution-" in refusal.stdout
    assert run().returncode == 2


def test_the_report_states_what_was_certified(tmp_path: Path) -> None:
    result = report(unique(), tmp_path)
    counts = Counter(rule.split()[0] for rule in RULES)
    rows = [line.strip() for line in str(result).splitlines()]
    assert rows[0].startswith(f"{tmp_path / 'certificate'}: accepted: unique (")
    assert rows[1:] == [
        f"board: ...... ...... ...... ...... ...... ....{GRID[34]}.",
        "cells with a clue: 1",
        "houses: 6 rows, 6 columns, 6 boxes of 2x3",
        f"rules: {', '.join(f'{kind} {number}' for kind, number in counts.items())} (see rules.json)",
    ]
    assert "already contradictory: 1 cells, 1 rules" in str(report(none(), tmp_path))
    marked = certify(Board.empty(FOUR).with_marks([3, 3, *[15] * 14]), cross_check="none")
    text = str(report(dict(marked.files), tmp_path))
    assert "board: 1,2 1,2 . . / . . . . / . . . . / . . . .\n  cells with a clue: 0, with pencil marks: 2\n" in text
    jigsaw = certify(Board.empty(Geometry.jigsaw("AAAB CABB CCDB CDDD").with_diagonals()), cross_check="none")
    assert "houses: 4 rows, 4 columns, 4 regions, 2 further" in str(report(dict(jigsaw.files), tmp_path))
    for found in (result, report(unique() | {"proof.drat": b""}, tmp_path)):
        values = json.loads(json.dumps(found.as_dict()))
        assert values["accepted"] is found.accepted
        assert [reason["code"] for reason in values["reasons"]] == [reason.code for reason in found.reasons]


def test_every_code_is_documented() -> None:
    document = PACKAGE.parents[2] / "docs" / "certificates.md"
    if not document.is_file():
        pytest.skip("not in a checkout")
    source = "\n".join(path.read_text() for path in PACKAGE.glob("*.py"))
    codes = set(re.findall(r'(?:Refusal|Finding|GridProblem|refuse)\(\s*"([a-z-]+)"', source))
    table = document.read_text().split("## Reasons for a refusal")[1]
    assert codes == set(re.findall(r"`([a-z]+-[a-z-]+|unreadable)`", table))


def test_what_has_to_be_believed_stays_short_enough_to_read() -> None:
    """Lines, with comments and docstrings, as the argument at the top of the package names the modules."""
    of_kinds = ("pair_kinds", "line_kinds", "count_kinds", "region_kinds", "choices", "texts")
    believed = ("statement", *of_kinds, "rules", "machines", "clauses", "formula")
    lines = {path.stem: len(path.read_text(encoding="utf-8").splitlines()) for path in PACKAGE.glob("*.py")}
    assert sum(lines[name] for name in believed) <= 2_520
    assert sum(lines.values()) <= 3_400
