"""The checker accepts what is right, and refuses every mutation for its own reason, also with digests that fit."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import gridproof.checker as checker
from checker_maker import (
    ALL_RULES,
    SCHEMES,
    Board,
    Files,
    Formula,
    board_of,
    board_units,
    certificate,
    diagonals,
    first_grids,
    geometry,
    refutation,
    sealed,
    text_of,
    write,
)
from gridproof.checker import Limits, Report, check, check_all

# 17 clues, and one that needs search: there, propagation alone refutes nothing and every step of a proof counts.
EASY = board_of(".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...")
HARD = board_of("12..4......5.69.1...9...5.........7.7...52.9..3......2.9.6...5.4..9..8.1..3...9.4")
NINE, SIX, FOUR = geometry(3, 3), geometry(2, 3), geometry(2, 2)
JIGSAW = geometry(0, 4, [
    {"kind": "region", "name": f"region {i + 1}", "cells": cells}
    for i, cells in enumerate([[0, 1, 2, 4], [3, 5, 6, 7], [8, 9, 10, 12], [11, 13, 14, 15]])
])  # fmt: skip
PROVING = (
    "cadical103", "cadical153", "cadical195", "glucose3", "glucose4", "glucose42", "gluecard3", "gluecard4",
    "lingeling", "maplechrono", "maplecm",
)  # fmt: skip


def report(files: Files, tmp_path: Path) -> Report:
    return check(write(files, tmp_path / "certificate.zip"))


def refused(files: Files, tmp_path: Path) -> tuple[str, ...]:
    result = report(files, tmp_path)
    assert not result.accepted
    assert result.reasons
    assert all(reason.message for reason in result.reasons)
    return result.codes()


@pytest.fixture(scope="module")
def hard() -> Files:
    return certificate(NINE, HARD)


@pytest.fixture(scope="module")
def easy() -> Files:
    return certificate(NINE, EASY)


@pytest.fixture(scope="module")
def none() -> Files:
    """Three clues that leave no place for 1 in the first box, and one that has no part in it."""
    return certificate(FOUR, {2: 1, 5: 2, 8: 1, 15: 3}, conflict=[2, 5, 8])


# ---- what is right ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("solver", PROVING)
def test_accepts_each_solver(solver: str, tmp_path: Path) -> None:
    board = EASY if solver in ("cadical153", "glucose4") else HARD
    result = report(certificate(NINE, board, solver=solver), tmp_path)
    assert result.accepted, str(result)
    assert result.claim == "unique"
    assert result.steps > 0
    assert result.facts["clues"] == len(board)
    assert result.facts["houses"] == {"row": 9, "column": 9, "box": 9}
    assert board_of(result.facts["board"].replace(" ", "")) == board


@pytest.mark.parametrize(
    ("shape", "board", "encoding"),
    [
        (NINE, EASY, "minimal"),
        (NINE, HARD, "triad"),
        (NINE, EASY, "seqcounter"),
        (geometry(3, 2, diagonals(6)), {0: 1, 8: 2, 16: 3, 29: 5, 33: 6}, "triad"),
        (geometry(3, 2, diagonals(6)), {0: 1, 8: 2, 16: 3, 29: 5, 33: 6}, "bitwise"),
    ],
)
def test_accepts_encodings_of_larger_boards(shape: dict[str, Any], board: Board, encoding: str, tmp_path: Path) -> None:
    result = report(certificate(shape, board, encoding), tmp_path)
    assert result.accepted, str(result)
    assert result.claim != "multiple"


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["minimal", "other", "extended", "triad", *SCHEMES])
@pytest.mark.parametrize(
    ("shape", "board"),
    [
        (FOUR, {0: 1, 1: 2, 2: 3, 7: 4}),
        (SIX, {0: 1, 8: 2, 16: 3, 19: 4, 29: 5, 33: 6, 5: 4, 30: 2, 11: 3, 12: 6}),
        (geometry(2, 2, diagonals(4)), {1: 2, 7: 1}),
    ],
)
def test_accepts_each_encoding(shape: dict[str, Any], board: Board, encoding: str, tmp_path: Path) -> None:
    result = report(certificate(shape, board, encoding), tmp_path)
    assert result.accepted, str(result)
    assert result.claim == ("none", "unique", "multiple")[len(first_grids(shape, board, {}, 2))]


def test_accepts_folder_and_nested_archive(hard: Files, tmp_path: Path) -> None:
    assert check(write(hard, tmp_path / "folder")).accepted
    nested = write({f"inner/{name}": data for name, data in hard.items()}, tmp_path / "nested.zip")
    result = check(nested)
    assert result.accepted
    assert result.name == "inner"


@pytest.mark.slow
def test_checks_collections_in_order(hard: Files, none: Files, tmp_path: Path) -> None:
    wrong = sealed(hard | {"solution.txt": text_of(dict.fromkeys(range(81), 1), 9)})
    files = {f"{folder}/{name}": data for folder, part in (("b", none), ("a", hard), ("c", wrong))
             for name, data in part.items()}  # fmt: skip
    path = write(files, tmp_path / "many.zip")
    results = list(check_all(path))
    assert [(result.name, result.claim, result.accepted) for result in results] == [
        ("a", "unique", True), ("b", "none", True), ("c", "unique", False),
    ]  # fmt: skip
    assert check(path).codes() == ("several-certificates",)
    stray = write(files | {"d/board.txt": b""}, tmp_path / "stray.zip")
    assert [result.codes() for result in check_all(stray)][-1] == ("unexpected-file",)


def test_accepts_pencil_marks(tmp_path: Path) -> None:
    grid = first_grids(FOUR, {}, {}, 1)[0]
    marks = {cell: sorted({symbol, symbol % 4 + 1}) for cell, symbol in grid.items() if cell % 3}
    unique = report(certificate(FOUR, {0: grid[0]}, candidates=marks), tmp_path)
    assert unique.accepted, str(unique)
    none = report(certificate(FOUR, {0: grid[0]}, candidates=marks | {5: []}, conflict=[5]), tmp_path)
    assert none.accepted, str(none)
    assert none.claim == "none"
    # What the marks exclude is part of the board: without them the formula says too much and the grid too little.
    files = certificate(FOUR, {0: grid[0]}, candidates=marks)
    head = json.loads(files["candidates.json"])["candidates"]
    loose = json.dumps({"candidates": [None if cell == 1 else row for cell, row in enumerate(head)]}).encode()
    assert "clause-not-implied" in refused(sealed(files | {"candidates.json": loose}), tmp_path)
    tight = json.dumps({"candidates": [[grid[cell] % 4 + 1] if cell == 1 else row for cell, row in enumerate(head)]})
    codes = refused(sealed(files | {"candidates.json": tight.encode()}), tmp_path)
    assert "solution-against-clue" in codes
    assert "clue-missing" in codes


def test_accepts_the_smallest_and_the_fullest_boards(tmp_path: Path) -> None:
    for shape in (geometry(0, 1), FOUR, JIGSAW):
        grid = first_grids(shape, {}, {}, 1)[0]
        for board in (grid, dict(list(grid.items())[1:])):
            result = report(certificate(shape, board), tmp_path)
            assert result.accepted, str(result)
            assert result.claim == "unique"


def test_a_geometry_without_any_grid_has_an_empty_conflict(tmp_path: Path) -> None:
    # Order 2 with both diagonals: the corner's row, column and diagonal leave its symbol no other cell.
    result = report(certificate(geometry(0, 2, diagonals(2)), {}, conflict=[]), tmp_path)
    assert result.accepted, str(result)
    assert result.claim == "none"
    assert result.facts["conflict cells"] == 0


def test_reads_symbols_as_numbers_above_order_35(tmp_path: Path) -> None:
    n = 36
    grid = {row * n + column: (row + column) % n + 1 for row in range(n) for column in range(n)}
    other = {cell: symbol % n + 1 for cell, symbol in grid.items()}
    head = {"format": checker_format(), "claim": "multiple", "made": {}}
    files = {"board.txt": text_of({}, n), "geometry.json": json.dumps(geometry(0, n)).encode(),
             "solution.txt": text_of(grid, n), "solution2.txt": text_of(other, n),
             "claim.json": json.dumps(head).encode()}  # fmt: skip
    assert report(sealed(files), tmp_path).accepted
    assert "bad-board" in refused(sealed(files | {"solution.txt": text_of(grid, n).replace(b"36", b"37")}), tmp_path)


def checker_format() -> str:
    return "gridproof-certificate/1"


# ---- what was made wrong ---------------------------------------------------------------------------------------------


def edited(files: Files, name: str, change: Callable[[list[bytes]], list[bytes]], count: bool = True) -> Files:
    """A file with its lines changed, the clause count in its header and all digests made to fit."""
    lines = change(files[name].split(b"\n")[:-1])
    if name.endswith(".cnf") and count:
        place = next(i for i, line in enumerate(lines) if line.startswith(b"p cnf"))
        clauses = sum(not line.startswith((b"c", b"p")) for line in lines)
        lines[place] = b" ".join([*lines[place].split()[:3], str(clauses).encode()])
    return sealed(files | {name: b"".join(line + b"\n" for line in lines)})


def flip_digit(files: Files) -> Files:
    text = files["solution.txt"]
    return files | {"solution.txt": text[:40] + (b"1" if text[40:41] != b"1" else b"2") + text[41:]}


def test_a_flipped_solution_digit(easy: Files, tmp_path: Path) -> None:
    codes = refused(flip_digit(easy), tmp_path)
    assert codes[0] == "digest-mismatch"
    assert {"solution-not-a-solution", "solution-against-clue"} & set(codes)
    codes = refused(sealed(flip_digit(easy)), tmp_path)
    assert {"solution-not-a-solution", "solution-against-clue"} & {codes[0]}
    assert "forbidding-clause-missing" in codes


@pytest.mark.parametrize("encoding", ["extended", "minimal", "other", "triad"])
def test_a_dropped_clause(encoding: str, tmp_path: Path) -> None:
    """Clauses of a small formula in turn: what its absence changes is named, or the formula is none the weaker."""
    grid = first_grids(FOUR, {}, {}, 1)[0]
    board = {cell: grid[cell] for cell in (0, 2, 5, 7, 8, 13)}
    files = certificate(FOUR, board, encoding)
    lines = files["proof/formula.cnf"].split(b"\n")[:-1]
    first = next(i for i, line in enumerate(lines) if line.startswith(b"p")) + 1
    kept = 0
    drops = range(first, len(lines), 13 if encoding == "triad" else 5)
    for drop in drops:

        def without(all_lines: list[bytes], drop: int = drop) -> list[bytes]:
            return all_lines[:drop] + all_lines[drop + 1 :]

        unchanged_header = edited(files, "proof/formula.cnf", without, count=False)
        assert refused(unchanged_header, tmp_path) == ("bad-header",)
        result = report(edited(files, "proof/formula.cnf", without), tmp_path)
        kept += result.accepted
        assert result.accepted or result.codes()[0] in {"rule-missing", "clue-missing", "forbidding-clause-missing"}
    # Propagation gives a rule of a triad formula in several ways, and two houses share cells; elsewhere none is idle.
    assert kept == 0 or encoding == "triad"
    assert kept < len(drops)


def test_an_altered_clause(hard: Files, tmp_path: Path) -> None:
    def alter(lines: list[bytes]) -> list[bytes]:
        place = lines.index(b"-91 -92 0")
        return [*lines[:place], b"-91 92 0", *lines[place + 1 :]]

    result = report(edited(hard, "proof/formula.cnf", alter), tmp_path)
    assert "clause-not-implied" in result.codes()
    reason = result.reasons[result.codes().index("clause-not-implied")]
    assert reason.file == "proof/formula.cnf"
    assert edited(hard, "proof/formula.cnf", alter)["proof/formula.cnf"].split(b"\n")[reason.line - 1] == b"-91 92 0"
    assert "-91 92 (not r2c2=1 or r2c2=2)" in reason.message


@pytest.mark.parametrize("stronger", [b"5 0", b"-91 0", b"-91 -201 0", b"0", b"91 92 93 0"])
@pytest.mark.parametrize("board", [EASY, HARD], ids=["easy", "hard"])
def test_an_added_stronger_clause(board: Board, stronger: bytes, tmp_path: Path) -> None:
    """Also where propagation refutes rules, clues and forbidden grid together, so that they imply any clause."""
    files = certificate(NINE, board)
    assert "clause-not-implied" in refused(edited(files, "proof/formula.cnf", lambda ls: [*ls, stronger]), tmp_path)


def test_even_a_true_consequence_of_the_clues_is_refused(hard: Files, tmp_path: Path) -> None:
    grid = board_of(hard["solution.txt"].decode().replace("\n", ""))
    cell = next(cell for cell in grid if cell not in HARD)
    unit = f"{cell * 9 + grid[cell]} 0".encode()
    assert "clause-not-implied" in refused(edited(hard, "proof/formula.cnf", lambda ls: [*ls, unit]), tmp_path)


def test_weaker_clauses_and_what_a_clue_excludes_are_no_harm(hard: Files, tmp_path: Path) -> None:
    cell, symbol = next(iter(HARD.items()))
    more = [f"{-(cell * 9 + symbol % 9 + 1)} 0".encode(), b"-91 -92 7 0", b"10 -10 0"]
    assert report(edited(hard, "proof/formula.cnf", lambda ls: ls + more), tmp_path).accepted


def test_another_boards_proof(hard: Files, tmp_path: Path) -> None:
    turned = {80 - cell: symbol for cell, symbol in HARD.items()}
    other = certificate(NINE, turned)
    assert refused(sealed(hard | {"proof/proof.drat": other["proof/proof.drat"]}), tmp_path) == (
        "proof-step-not-implied",
    )
    assert "clause-not-implied" in refused(sealed(hard | {"proof/formula.cnf": other["proof/formula.cnf"]}), tmp_path)
    assert "clause-not-implied" in refused(sealed(hard | {"board.txt": other["board.txt"]}), tmp_path)


def test_a_truncated_proof(hard: Files, tmp_path: Path) -> None:
    whole = hard["proof/proof.drat"]
    for length in (0, len(whole) // 3, len(whole) // 2, len(whole) - 4):
        codes = refused(sealed(hard | {"proof/proof.drat": whole[:length]}), tmp_path)
        assert codes[0] in {"proof-incomplete", "bad-proof", "proof-step-not-implied"}
    at_a_line = whole[: whole.rindex(b"\n", 0, len(whole) // 2) + 1]
    assert refused(sealed(hard | {"proof/proof.drat": at_a_line}), tmp_path) == ("proof-incomplete",)


@pytest.mark.parametrize("board", [EASY, HARD], ids=["easy", "hard"])
def test_a_proof_without_its_empty_clause(board: Board, tmp_path: Path) -> None:
    files = edited(certificate(NINE, board), "proof/proof.drat", lambda lines: lines[:-1])
    assert refused(files, tmp_path) == ("proof-incomplete",)


def test_only_the_empty_clause(easy: Files, hard: Files, tmp_path: Path) -> None:
    assert refused(sealed(hard | {"proof/proof.drat": b"0\n"}), tmp_path) == ("proof-step-not-implied",)


def test_negated_lemmas(hard: Files, tmp_path: Path) -> None:
    """Each of some lemmas with its first literal negated: a step that the search did not make."""
    lines = hard["proof/proof.drat"].split(b"\n")[:-1]
    lemmas = [i for i, line in enumerate(lines) if not line.startswith(b"d") and len(line.split()) == 2]
    outcomes = set()
    for place in lemmas[:: max(1, len(lemmas) // 4)]:
        literal = int(lines[place].split()[0])
        changed = [*lines[:place], f"{-literal} 0".encode(), *lines[place + 1 :]]

        def replaced(_: list[bytes], changed: list[bytes] = changed) -> list[bytes]:
            return changed

        outcomes.add(report(edited(hard, "proof/proof.drat", replaced), tmp_path).codes())
    assert ("proof-step-not-implied",) in outcomes
    assert outcomes <= {("proof-step-not-implied",), ()}  # late in the proof both signs may follow


def test_a_step_that_says_too_much_is_named(hard: Files, tmp_path: Path) -> None:
    result = report(edited(hard, "proof/proof.drat", lambda lines: [b"5 0", *lines]), tmp_path)
    assert result.codes() == ("proof-step-not-implied",)
    assert (result.reasons[0].file, result.reasons[0].line) == ("proof/proof.drat", 1)
    assert "'5'" in result.reasons[0].message


def test_deleting_what_is_needed(hard: Files, tmp_path: Path) -> None:
    """A proof may delete what it likes, and then has to do without."""
    rules = [line for line in hard["proof/formula.cnf"].split(b"\n") if line[:1] in b"-0123456789" and line]
    gone = edited(hard, "proof/proof.drat", lambda lines: [*(b"d " + line for line in rules), *lines])
    assert refused(gone, tmp_path) == ("proof-step-not-implied",)


def test_swapped_boxes(tmp_path: Path) -> None:
    wide, tall = geometry(2, 3), geometry(3, 2)
    grid = first_grids(wide, {}, {}, 1)[0]
    board = {cell: symbol for cell, symbol in grid.items() if cell % 4}
    files = certificate(wide, board)
    assert report(files, tmp_path).claim == "unique"
    # Only the houses, only the word, both; each with digests that fit.
    houses = sealed(files | {"geometry.json": json.dumps(wide | {"houses": tall["houses"]}).encode()})
    word = sealed(files | {"geometry.json": json.dumps(wide | {"boxes": [3, 2]}).encode()})
    both = sealed(files | {"geometry.json": json.dumps(tall).encode()})
    assert refused(houses, tmp_path) == ("bad-geometry",)
    assert refused(word, tmp_path) == ("bad-geometry",)
    codes = refused(both, tmp_path)
    assert "solution-not-a-solution" in codes
    assert "clause-not-implied" in codes
    assert "digest-mismatch" in refused(files | {"geometry.json": json.dumps(tall).encode()}, tmp_path)


def test_houses_added_or_left_out(tmp_path: Path) -> None:
    """A diagonal that geometry.json does not mention makes the formula easier; one only it mentions was left out."""
    grid = first_grids(geometry(2, 2, diagonals(4)), {}, {}, 1)[0]
    board = {cell: symbol for cell, symbol in grid.items() if cell % 4}
    with_them = certificate(geometry(2, 2, diagonals(4)), board)
    plain = certificate(FOUR, board)
    easier = sealed(with_them | {"geometry.json": plain["geometry.json"]})
    assert refused(easier, tmp_path) == ("clause-not-implied",)
    weaker = sealed(plain | {"geometry.json": with_them["geometry.json"]})
    assert refused(weaker, tmp_path) == ("rule-missing",)


def test_claims_that_are_not_so(hard: Files, none: Files, tmp_path: Path) -> None:
    def claims(files: Files, claim: str) -> Files:
        head = json.loads(files["claim.json"]) | {"claim": claim}
        if claim == "multiple":
            del head["states"]
        return sealed(files | {"claim.json": json.dumps(head).encode()})

    assert "missing-file" in refused(claims(hard, "none"), tmp_path)
    assert "missing-file" in refused(claims(hard, "multiple"), tmp_path)
    assert "unexpected-file" in refused(claims(none, "unique"), tmp_path)
    assert "unknown-claim" in refused(claims(hard, "probably"), tmp_path)
    # `none` with everything it needs, made from the proof that there is no *other* solution
    forged = {name: data for name, data in hard.items() if name != "solution.txt"}
    forged |= {"proof/conflict.cnf": hard["proof/formula.cnf"], "proof/conflict.drat": hard["proof/proof.drat"]}
    forged["conflict.json"] = json.dumps({"cells": sorted(HARD)}).encode()
    codes = refused(claims(forged, "none"), tmp_path)
    assert codes == ("clause-not-implied",)
    # `multiple` with one grid twice, and with a second that is none
    twice = {name: hard[name] for name in ("board.txt", "geometry.json", "solution.txt", "claim.json")}
    assert refused(claims(twice | {"solution2.txt": twice["solution.txt"]}, "multiple"), tmp_path) == (
        "solutions-equal",
    )
    swapped = twice["solution.txt"].translate(bytes.maketrans(b"12", b"21"))
    assert refused(claims(twice | {"solution2.txt": swapped}, "multiple"), tmp_path) == ("solution-against-clue",)


def test_a_unique_claim_for_a_board_with_several_solutions(tmp_path: Path) -> None:
    """The forger forbids every other grid, too: one clause for each, and a proof that is right."""
    board = {0: 1, 1: 2, 4: 3, 5: 4}
    grids = first_grids(FOUR, board, {}, 300)
    assert len(grids) > 1
    formula = Formula(FOUR)
    states = formula.rules(ALL_RULES)
    formula.clauses += board_units(board, {}, 4)
    formula.clauses += [[-(cell * 4 + symbol) for cell, symbol in grid.items()] for grid in grids]
    head = {"format": checker_format(), "claim": "unique", "made": {}, "states": states}
    files = {"board.txt": text_of(board, 4), "geometry.json": json.dumps(FOUR).encode(),
             "solution.txt": text_of(grids[0], 4), "proof/formula.cnf": formula.text(),
             "proof/proof.drat": refutation(formula.clauses, "cadical153"),
             "claim.json": json.dumps(head).encode()}  # fmt: skip
    assert refused(sealed(files), tmp_path) == ("clause-not-implied",)


def test_kinds_of_rule_that_do_not_suffice(hard: Files, tmp_path: Path) -> None:
    for count in range(1, 4):
        for states in combinations(ALL_RULES, count):
            head = json.loads(hard["claim.json"]) | {"states": list(states)}
            result = report(sealed(hard | {"claim.json": json.dumps(head).encode()}), tmp_path)
            enough = {"cell>=1", "house<=1"} <= set(states) or {"cell<=1", "house>=1"} <= set(states)
            assert result.codes() == (() if enough else ("rules-incomplete",))


def test_conflict_sets(none: Files, tmp_path: Path) -> None:
    result = report(none, tmp_path)
    assert result.accepted, str(result)
    assert result.facts["conflict cells"] == 3

    def conflict(cells: list[int]) -> Files:
        return sealed(none | {"conflict.json": json.dumps({"cells": cells}).encode()})

    assert refused(conflict([2, 5]), tmp_path) == ("clause-not-implied",)  # a clue the set does not name
    assert refused(conflict([2, 5, 8, 15]), tmp_path) == ("clue-missing",)
    assert refused(conflict([2, 5, 6]), tmp_path) == ("bad-conflict",)
    swapped = none | {"proof/conflict.drat": b"", "proof/conflict.cnf": none["proof/formula.cnf"]}
    assert refused(sealed(swapped), tmp_path) == ("clause-not-implied",)
    assert refused(sealed(none | {"proof/conflict.drat": b""}), tmp_path) == ("proof-incomplete",)


# ---- definitions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (b"c define 65 or 1 5", b"c defined 65 or 1 5", "undefined-variable"),
        (b"c define 65 or 1 5", b"c define 65 or 1", "clause-not-implied"),
        (b"c define 65 or 1 5", b"c define 65 nor 1 5", "clause-not-implied"),
        (b"c define 65 or 1 5", b"c define 65 or 1 66", "bad-definition"),
        (b"c define 65 or 1 5", b"c define 65 or 1 65", "bad-definition"),
        (b"c define 65 or 1 5", b"c define 5 or 1 65", "bad-definition"),
        (b"c define 65 or 1 5", b"c define 66 or 1 5", "bad-definition"),
        (b"c define 65 or 1 5", b"c define 65 or 1 5 0", "bad-definition"),
        (b"c define 65 or 1 5", b"c define 65 and 1 5", "bad-definition"),
        (b"c define 65 or 1 5", b"c define -65 or 1 5", "bad-definition"),
        (b"c define 65 or 1 5", b"c define", "bad-definition"),
        (b"c define 65 or 1 5", b"c define 99999 or 1 5", "bad-definition"),
        (b"c define 65 or 1 5", b"c define 65 or 1 5x", "bad-definition"),
    ],
)
def test_definitions_are_needed_and_mean_something(old: bytes, new: bytes, code: str, tmp_path: Path) -> None:
    files = certificate(FOUR, {0: 1, 5: 2, 10: 3, 15: 4, 1: 3}, "triad")
    if json.loads(files["claim.json"])["claim"] == "multiple":
        pytest.fail("the board was meant to have at most one solution")
    assert report(files, tmp_path).accepted
    assert files["proof/formula.cnf"].count(old + b"\n") == 1
    changed = sealed(files | {"proof/formula.cnf": files["proof/formula.cnf"].replace(old + b"\n", new + b"\n")})
    assert refused(changed, tmp_path)[0] == code


def test_definitions_of_every_form(hard: Files, tmp_path: Path) -> None:
    """Constants, negated literals, definitions by definitions: true clauses pass and false ones are refused."""
    definitions = [b"c define 730 or", b"c define 731 nor", b"c define 732 nor -91 -92", b"c define 733 or 91 92 93",
                   b"c define 734 or 733 -732", b"c define 735 nor 733"]  # fmt: skip
    right = [b"-730 0", b"731 0", b"-732 0", b"-733 -94 0", b"734 0", b"735 733 0", b"-735 -92 0", b"735 91 92 93 0"]
    wrong = [b"730 0", b"-731 0", b"732 0", b"-733 -93 0", b"-734 0", b"735 0", b"-735 0", b"-735 -94 0"]

    def with_clauses(clauses: list[bytes]) -> Files:
        def change(lines: list[bytes]) -> list[bytes]:
            lines = [line.replace(b"p cnf 729", b"p cnf 735") for line in lines]
            return definitions + lines + clauses

        return edited(hard, "proof/formula.cnf", change)

    result = report(with_clauses(right), tmp_path)
    assert result.accepted, str(result)
    named = check(write(with_clauses(wrong), tmp_path / "wrong.zip"), Limits(failures=100))
    assert named.codes() == ("clause-not-implied",)
    assert len(named.reasons) == len(wrong)


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


def test_runs_by_itself(hard: Files, tmp_path: Path) -> None:
    """A copy of the folder alone, in an interpreter that sees nothing else: no site-packages, no gridproof."""
    shutil.copytree(PACKAGE, tmp_path / "alone", ignore=shutil.ignore_patterns("__pycache__"))
    good, bad = write(hard, tmp_path / "good.zip"), write(sealed(flip_digit(hard)), tmp_path / "bad.zip")

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


def test_report_as_text_and_as_values(hard: Files, tmp_path: Path) -> None:
    good = report(hard, tmp_path)
    assert str(good).startswith(f"{tmp_path / 'certificate.zip'}: accepted: unique (")
    bad = report(flip_digit(hard), tmp_path)
    assert "[digest-mismatch] solution.txt: " in str(bad)
    for result in (good, bad):
        values = json.loads(json.dumps(result.as_dict()))
        assert values["accepted"] is result.accepted
        assert [reason["code"] for reason in values["reasons"]] == [reason.code for reason in result.reasons]


def test_the_report_says_which_board_was_certified(tmp_path: Path) -> None:
    """As the document shows it; what only looks like a box does not do so here."""
    extra = [
        {"kind": kind, "name": "x", "cells": [0, 5, 10, 15]} for kind in ("b\u043ex", "box, 4", "box\u200b", "größe")
    ]
    shape = geometry(2, 2, [*diagonals(4), *extra])
    grid = first_grids(shape, {}, {}, 1)[0]
    given = {cell: symbol for cell, symbol in grid.items() if cell > 2}
    result = report(certificate(shape, given, candidates={0: [grid[0]], 1: [1, 2, 3]}), tmp_path)
    assert result.accepted, str(result)
    rows = ["".join(map(str, [grid[cell] for cell in range(row, row + 4)])) for row in (4, 8, 12)]
    assert str(result).splitlines()[1:] == [
        f"  board: ...{grid[3]} {' '.join(rows)}",
        "  cells with a clue: 13, and pencil marks in 2 (see candidates.json)",
        "  houses: row 4, column 4, box 4 (2x2), "
        "'diagonal' 2, 'b\\u043ex' 1, 'box, 4' 1, 'box\\u200b' 1, 'gr\\xf6\\xdfe' 1",
    ]
    facts = json.loads(json.dumps(result.as_dict()))["facts"]
    assert (facts["clues"], facts["pencil marks"], facts["boxes"]) == (13, 2, [2, 2])
    assert facts["houses"]["b\u043ex"] == 1
    jigsaw = str(report(certificate(JIGSAW, first_grids(JIGSAW, {}, {}, 1)[0]), tmp_path)).splitlines()
    assert jigsaw[-2:] == ["  cells with a clue: 16", "  houses: row 4, column 4, region 4"]


def test_every_code_is_documented() -> None:
    document = PACKAGE.parents[2] / "docs" / "certificates.md"
    if not document.is_file():
        pytest.skip("not in a checkout")
    source = "\n".join(path.read_text() for path in PACKAGE.glob("*.py"))
    calls = re.findall(r'(?:Refusal|Finding|refuse)\(\s*"([a-z-]+)"', source)
    codes = {*calls, *re.findall(r'"((?:bad|binary)-[a-z]+)"', source)}
    table = document.read_text().split("## Reasons for a refusal")[1]
    assert codes == set(re.findall(r"`([a-z]+-[a-z-]+|unreadable)`", table))


def test_what_soundness_rests_on_stays_short_enough_to_read() -> None:
    """Lines with code in the modules that the argument at the top of the package names."""
    for names, most in (
        (("meaning", "rules", "machines", "rup"), 670),
        (("kinds", "pair_kinds", "line_kinds", "texts"), 475),
        (("statement", "dimacs"), 305),
    ):
        assert sum(code_lines(Path(checker.__file__).with_name(f"{name}.py")) for name in names) <= most


def code_lines(path: Path) -> int:
    source = path.read_text(encoding="utf-8")
    spoken = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = enumerate(source.splitlines(), 1)
    return sum(bool(text.strip()) and text.strip()[0] != "#" and number not in spoken for number, text in lines)
