"""Real certificates, each spoilt in one way: the checker refuses each for a reason of its own, digests made to fit."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gridproof import checker, formats
from gridproof.certificates import Certificate, certify
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

Files = dict[str, bytes]

# needs search, so that each lemma of its proof counts, and so does each clause
HARD = "12..4......5.69.1...9...5.........7.7...52.9..3......2.9.6...5.4..9..8.1..3...9.4"
OTHER = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"


@pytest.fixture(scope="module")
def hard() -> Files:
    return dict(certify(formats.parse(HARD), cross_check="none").files)


@pytest.fixture(scope="module")
def six() -> Files:
    """Several solutions."""
    board = Board.from_symbols(Geometry.classic(2, 3), "123456" + "." * 30)
    return dict(certify(board, cross_check="none").files)


@pytest.fixture(scope="module")
def none() -> Files:
    """Three clues that leave no place for 1 in the first box, and one that has no part in it."""
    return dict(certify(formats.parse("..1. .2.. 1... ...3"), cross_check="none").files)


def sealed(files: Files, **changes: bytes) -> Files:
    """With these files instead, and digests that fit. ``__`` in a name stands for ``/``, ``_`` for a dot."""
    files = files | {name.replace("__", "/").replace("_", "."): data for name, data in changes.items()}
    head = json.loads(files["claim.json"])
    head["files"] = {name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name != "claim.json"}
    return files | {"claim.json": json.dumps(head).encode()}


def codes(files: Files, folder: Path) -> tuple[str, ...]:
    """The reasons for which the checker refuses these files."""
    report = checker.check(Certificate("unique", files).write(folder / "certificate"))
    assert not report.accepted
    assert all(reason.message for reason in report.reasons)
    return report.codes()


def lines(data: bytes) -> list[str]:
    return data.decode().splitlines()


def joined(found: list[str]) -> bytes:
    return ("\n".join(found) + "\n").encode()


def clauses_changed(formula: bytes, change: Callable[[list[str]], list[str]]) -> bytes:
    """A formula with other clauses under a header that counts them."""
    found = lines(formula)
    header = next(number for number, line in enumerate(found) if line.startswith("p cnf"))
    clauses = change(found[header + 1 :])
    return joined([*found[:header], f"{found[header].rsplit(' ', 1)[0]} {len(clauses)}", *clauses])


def test_they_are_accepted_as_they_are(hard: Files, six: Files, none: Files, tmp_path: Path) -> None:
    for number, (files, claim) in enumerate(((hard, "unique"), (six, "multiple"), (none, "none"))):
        for name, content in (("as made", files), ("sealed again", sealed(files))):
            report = checker.check(Certificate("unique", content).write(tmp_path / f"{name} {number}"))
            assert report.accepted, str(report)
            assert report.claim == claim


def test_a_flipped_digit_of_the_solution(hard: Files, tmp_path: Path) -> None:
    rows = lines(hard["solution.txt"])
    board = lines(hard["board.txt"])
    column = board[4].index(".")
    rows[4] = rows[4][:column] + str(int(rows[4][column]) % 9 + 1) + rows[4][column + 1 :]
    # the grid is none any more, and so the formula forbids another one
    assert codes(sealed(hard, solution_txt=joined(rows)), tmp_path) == (
        "solution-not-a-solution",
        "clause-not-implied",
        "forbidding-clause-missing",
    )


def test_a_flipped_digit_where_the_clue_is(hard: Files, tmp_path: Path) -> None:
    rows = lines(hard["solution.txt"])
    rows[0] = "9" + rows[0][1:]
    assert "solution-against-clue" in codes(sealed(hard, solution_txt=joined(rows)), tmp_path)


@pytest.mark.parametrize(
    ("which", "reason"),
    [
        ("a rule of a cell", "rule-missing"),
        ("a pair", "rule-missing"),
        ("a clue", "clue-missing"),
        ("the forbidden grid", "forbidding-clause-missing"),
    ],
)
def test_a_dropped_clause(which: str, reason: str, hard: Files, tmp_path: Path) -> None:
    def drop(clauses: list[str]) -> list[str]:
        place = {"a rule of a cell": 0, "a pair": 1, "the forbidden grid": -1}.get(which)
        units = [number for number, clause in enumerate(clauses) if len(clause.split()) == 2]
        del clauses[units[0] if place is None else place]
        return clauses

    formula = clauses_changed(hard["proof/formula.cnf"], drop)
    assert codes(sealed(hard, proof__formula_cnf=formula), tmp_path) == (reason,)


CELL = 2 * 37
"""Where the clauses about r1c3 begin, the first cell without a clue: a rule and 36 pairs for each cell before."""


def altered_literal(clauses: list[str]) -> list[str]:
    clauses[CELL] = clauses[CELL].replace("19 20 21", "19 20 30")
    return clauses


def altered_sign(clauses: list[str]) -> list[str]:
    clauses[CELL + 1] = clauses[CELL + 1].replace("-19 ", "19 ")
    return clauses


def shortened(clauses: list[str]) -> list[str]:
    clauses[CELL] = clauses[CELL].replace(" 26 27 0", " 26 0")
    return clauses


def easier(clauses: list[str]) -> list[str]:
    """A cell that no clue fills gets its symbol: nothing is wrong about that, but it was not to be assumed."""
    return [*clauses, f"{-int(clauses[-1].split()[2])} 0"]


def impossible(clauses: list[str]) -> list[str]:
    return [*clauses, "0"]


def wider(clauses: list[str]) -> list[str]:
    """Forbids the solution and every other grid with the same first rows."""
    return [*clauses[:-1], " ".join([*clauses[-1].split()[:36], "0"])]


@pytest.mark.parametrize("change", [altered_literal, altered_sign, shortened, easier, impossible, wider])
def test_a_clause_that_says_more_than_the_rules(
    change: Callable[[list[str]], list[str]], hard: Files, tmp_path: Path
) -> None:
    formula = clauses_changed(hard["proof/formula.cnf"], change)
    assert formula != hard["proof/formula.cnf"]
    found = codes(sealed(hard, proof__formula_cnf=formula), tmp_path)
    assert found[0] == "clause-not-implied"
    assert found[1:] == (("forbidding-clause-missing",) if change is wider else ())


def test_a_header_that_counts_wrongly(hard: Files, tmp_path: Path) -> None:
    formula = hard["proof/formula.cnf"] + b"-1 -2 0\n"
    assert codes(sealed(hard, proof__formula_cnf=formula), tmp_path) == ("bad-header",)


def test_the_proof_of_another_board(hard: Files, tmp_path: Path) -> None:
    proof = certify(formats.parse(OTHER), encoding="minimal", cross_check="none").files["proof/proof.drat"]
    assert codes(sealed(hard, proof__proof_drat=proof), tmp_path) == ("proof-step-not-implied",)


def test_the_certificate_of_another_board(hard: Files, tmp_path: Path) -> None:
    other = dict(certify(formats.parse(OTHER), cross_check="none").files)
    found = codes(sealed(other, board_txt=hard["board.txt"]), tmp_path)
    assert found == ("solution-against-clue", "clause-not-implied")


def test_a_truncated_proof(hard: Files, tmp_path: Path) -> None:
    steps = lines(hard["proof/proof.drat"])
    assert len(steps) > 20
    assert codes(sealed(hard, proof__proof_drat=joined(steps[: len(steps) // 2])), tmp_path) == ("proof-incomplete",)
    cut = hard["proof/proof.drat"][: len(hard["proof/proof.drat"]) // 2].rstrip(b"0123456789").rstrip()
    assert codes(sealed(hard, proof__proof_drat=cut + b" 1"), tmp_path)[0] in ("bad-proof", "proof-step-not-implied")


def test_lemmas_taken_out(hard: Files, tmp_path: Path) -> None:
    assert codes(sealed(hard, proof__proof_drat=b"0\n"), tmp_path) == ("proof-step-not-implied",)


def test_a_negated_lemma(hard: Files, tmp_path: Path) -> None:
    steps = lines(hard["proof/proof.drat"])
    place = next(number for number, step in enumerate(steps) if step[0] != "d")
    literal, rest = steps[place].split(maxsplit=1)
    steps[place] = f"{-int(literal)} {rest}"
    assert codes(sealed(hard, proof__proof_drat=joined(steps)), tmp_path) == ("proof-step-not-implied",)


def test_the_final_empty_clause_removed(hard: Files, tmp_path: Path) -> None:
    steps = lines(hard["proof/proof.drat"])
    assert steps.pop() == "0"
    assert codes(sealed(hard, proof__proof_drat=joined(steps)), tmp_path) == ("proof-incomplete",)


def test_boxes_of_another_shape(six: Files, tmp_path: Path) -> None:
    found = codes(sealed(six, geometry_json=geometry_with(six, boxes=[3, 2])), tmp_path)
    assert found == ("bad-geometry",)


def test_another_geometry_with_its_own_boxes(six: Files, tmp_path: Path) -> None:
    """A well-formed geometry, of which the certificate says nothing true."""
    other = certify(Board.empty(Geometry.classic(3, 2)), cross_check="none").files["geometry.json"]
    assert codes(sealed(six, geometry_json=other), tmp_path) == ("solution-not-a-solution",)


def test_another_geometry_under_a_proof(tmp_path: Path) -> None:
    grid = "123456456123231564564231312645645312"
    board = Board.from_symbols(Geometry.classic(2, 3), "." + grid[1:])
    files = dict(certify(board, cross_check="none").files)
    other = certify(Board.empty(Geometry.classic(3, 2)), cross_check="none").files["geometry.json"]
    found = codes(sealed(files, geometry_json=other), tmp_path)
    assert found == ("solution-not-a-solution", "clause-not-implied")


def geometry_with(files: Files, **changes: Any) -> bytes:
    return json.dumps(json.loads(files["geometry.json"]) | changes).encode()


def test_a_house_dropped(hard: Files, tmp_path: Path) -> None:
    houses = json.loads(hard["geometry.json"])["houses"]
    assert codes(sealed(hard, geometry_json=geometry_with(hard, houses=houses[:-1])), tmp_path) == ("bad-geometry",)


def test_digests(hard: Files, tmp_path: Path) -> None:
    """Digests find what was changed by accident; edited to match, they are no reason for anything."""
    spoilt = joined(lines(hard["proof/proof.drat"])[:-1])
    assert codes(hard | {"proof/proof.drat": spoilt}, tmp_path / "not edited") == (
        "digest-mismatch",
        "proof-incomplete",
    )
    assert codes(sealed(hard | {"proof/proof.drat": spoilt}), tmp_path / "edited") == ("proof-incomplete",)
    head = json.loads(hard["claim.json"])
    head["files"]["board.txt"] = "0" * 64
    only_digest = hard | {"claim.json": json.dumps(head).encode()}
    assert codes(only_digest, tmp_path / "only the digest") == ("digest-mismatch",)


def test_another_claim(hard: Files, six: Files, none: Files, tmp_path: Path) -> None:
    for number, (files, claim) in enumerate(((hard, "none"), (hard, "multiple"), (none, "unique"), (six, "unique"))):
        head = json.loads(files["claim.json"]) | {"claim": claim}
        if claim == "multiple":
            del head["states"]
        found = codes(sealed(files | {"claim.json": json.dumps(head).encode()}), tmp_path / str(number))
        assert {"missing-file", "unexpected-file", "missing-key"} & set(found)


class TestNone:
    def test_a_cell_taken_from_the_conflict(self, none: Files, tmp_path: Path) -> None:
        cells = json.loads(none["conflict.json"])["cells"]
        fewer = json.dumps({"cells": cells[1:]}).encode()
        # the formula states a clue that is not in the conflict any more
        assert codes(sealed(none, conflict_json=fewer), tmp_path) == ("clause-not-implied",)

    def test_a_clue_taken_from_the_formula_of_the_conflict(self, none: Files, tmp_path: Path) -> None:
        formula = clauses_changed(none["proof/conflict.cnf"], lambda clauses: clauses[:-1])
        assert codes(sealed(none, proof__conflict_cnf=formula), tmp_path) == ("clue-missing",)

    def test_a_cell_without_a_clue(self, none: Files, tmp_path: Path) -> None:
        cells = json.loads(none["conflict.json"])["cells"]
        more = json.dumps({"cells": [*cells, 13]}).encode()
        assert codes(sealed(none, conflict_json=more), tmp_path) == ("bad-conflict",)

    def test_a_board_without_one_of_the_clues(self, none: Files, tmp_path: Path) -> None:
        found = codes(sealed(none, board_txt=none["board.txt"].replace(b"..1.", b"....")), tmp_path)
        assert "clause-not-implied" in found

    @pytest.mark.parametrize("name", ["proof", "conflict"])
    def test_lemmas_taken_out(self, name: str, tmp_path: Path) -> None:
        """Where nothing is to be seen at a glance, each of the two proofs is needed."""
        board = formats.parse("...745...87...........1..32....7..9...1........7........2.5.4..5..1.......4...16.")
        files = dict(certify(board, encoding="minimal", cross_check="none").files) | {f"proof/{name}.drat": b"0\n"}
        assert codes(sealed(files), tmp_path) == ("proof-step-not-implied",)


class TestMultiple:
    def test_one_solution_twice(self, six: Files, tmp_path: Path) -> None:
        found = codes(sealed(six, solution2_txt=six["solution.txt"]), tmp_path)
        assert found == ("solutions-equal",)

    def test_one_solution_only(self, six: Files, tmp_path: Path) -> None:
        fewer = {name: data for name, data in six.items() if name != "solution2.txt"}
        assert codes(sealed(fewer), tmp_path) == ("missing-file",)


def test_an_archive_with_one_byte_changed(hard: Files, tmp_path: Path) -> None:
    path = Certificate("unique", hard).write(tmp_path / "certificate.zip")
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("proof/proof.drat")
    data = bytearray(path.read_bytes())
    data[info.header_offset + 100] ^= 1
    path.write_bytes(data)
    assert not checker.check(path).accepted
