"""Making certificates: every claim, shape and backend; conflicts; folders; what is not certified."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from checker.certificate_files import FOUR, NO_GRID
from gridproof import checker, formats
from gridproof.backends.protocol import HintedStep
from gridproof.backends.solvers.pysat import PySat
from gridproof.certificates.certificate import Certificate, Certificates
from gridproof.certificates.certify import NotCertified, certificate_of, certify, conflict
from gridproof.certificates.lrat import NotRup
from gridproof.errors import BackendUnavailable, DisagreementError, InputError, Interrupted
from gridproof.formats import datasets
from gridproof.limits import Limits
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.questions import solve, verify
from gridproof.trust import checked_board
from gridproof.trust.verdict import Status, Verdict

SEVENTEEN = formats.parse(".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...")
DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
CLAIMS = {"none": "11..............", "multiple": "1...............", "unique": "1234 34.. 2143 432."}


def accepted(certificate: Certificate, folder: Path) -> str:
    """The claim, which the checker accepts."""
    report = checker.check(certificate.write(folder / "certificate"))
    assert report.accepted, str(report)
    assert report.claim == certificate.claim
    return certificate.claim


def conflict_of(certificate: Certificate) -> Any:
    return json.loads(certificate.files["claim.json"])["conflict"]


# ---- boards that are certified --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in datasets.names() if name != "large"])
def test_every_set(name: str, tmp_path: Path) -> None:
    examples = datasets.examples(name)
    for number, example in enumerate(examples[:: max(1, len(examples) // 3)]):
        claim = accepted(certify(example.board, cross_check="none"), tmp_path / str(number))
        assert claim == {0: "none", 1: "unique"}.get(example.solutions, "multiple")


@pytest.mark.slow
def test_a_large_board(tmp_path: Path) -> None:
    board = datasets.examples("large")[0].board
    assert board.geometry.order == 16
    assert accepted(certify(board, cross_check="none"), tmp_path) == "unique"


SHAPES = {
    "one cell": Geometry.classic(1, 1),
    "two": Geometry.latin(2),
    "latin": Geometry.latin(5),
    "jigsaw": Geometry.jigsaw("AABBC ABBCC ABDCC AEDDD EEEED"),
    "windoku": Geometry.classic(2, 3).with_windoku(),
    "disjoint groups": Geometry.classic(2, 3).with_disjoint_groups(),
    "a house twice": Geometry.classic(2, 2).with_houses([[0, 1, 2, 3]]),
    "misnamed houses": Geometry.classic(2, 2)
    .with_houses([[0, 3, 12, 15]], "row")
    .with_houses([[5, 6, 9, 10]], "region"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape(shape: str, tmp_path: Path) -> None:
    geometry = SHAPES[shape]
    empty = Board.empty(geometry)
    grid = solve(empty)
    assert grid is not None
    claim = accepted(certify(empty, cross_check="none"), tmp_path / "empty")
    assert claim == ("unique" if geometry.order == 1 else "multiple")
    assert accepted(certify(Board(geometry, grid)), tmp_path / "full") == "unique"
    if geometry.order > 1:
        assert accepted(certify(empty.with_clue(0, 1).with_clue(1, 1)), tmp_path / "wrong") == "none"
        assert accepted(certify(Board(geometry, (0, *grid[1:]))), tmp_path / "fewer") == "unique"


@pytest.mark.slow
def test_symbols_above_35_are_numbers(tmp_path: Path) -> None:
    geometry = Geometry.latin(36)
    grid = tuple((row + column) % 36 + 1 for row in range(36) for column in range(36))
    certificate = certify(Board(geometry, (0, 0, *grid[2:])), cross_check="none")
    assert certificate.files["board.txt"].decode().splitlines()[0].startswith(". . 3 4 ")
    assert accepted(certificate, tmp_path) == "unique"


def test_every_backend_answers_and_the_prover_proves(tmp_path: Path) -> None:
    boards = [formats.parse(CLAIMS[claim]) for claim in ("none", "unique", "multiple")]
    first = [certify(board) for board in boards]
    for backend in ("cp-sat", "reference", "minisat22", "search-exact-cover"):
        assert [certify(board, backend).files for board in boards] == [one.files for one in first]
    other = certify(SEVENTEEN, prover="glucose4")
    assert json.loads(other.files["claim.json"])["made"]["prover"].startswith("glucose4 ")
    assert accepted(other, tmp_path) == "unique"
    assert accepted(certificate_of(verify(SEVENTEEN, "cp-sat"), PySat("glucose4")), tmp_path) == "unique"
    assert certify(boards[0], "minisat22", prover="glucose3").claim == "none"


def test_a_proof_with_other_steps_is_made_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = import_module("gridproof.certificates.refutation")
    original, provers = package.lrat, list[str]()

    def refuse(*arguments: Any) -> bytes:
        provers.append("once")
        if len(provers) == 1:
            raise NotRup("a RAT step")
        return bytes(original(*arguments))

    monkeypatch.setattr(package, "lrat", refuse)
    assert accepted(certify(SEVENTEEN, prover="cadical153"), tmp_path) == "unique"
    assert len(provers) == 2
    monkeypatch.setattr(package, "lrat", lambda *_: (_ for _ in ()).throw(NotRup("again")))
    with pytest.raises(DisagreementError, match="neither the proof of cadical153 nor that of glucose4"):
        certify(SEVENTEEN, prover="cadical153")


HARD = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
"""A puzzle that propagation does not solve."""


@pytest.mark.parametrize("broken", ["a hint too few", "a hint of RAT", "no empty clause"])
def test_a_proof_with_wrong_hints_is_made_again(broken: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    original = PySat.refute_with_hints

    def with_a_fault(self: PySat, *arguments: Any) -> list[HintedStep] | None:
        steps = original(self, *arguments)
        assert steps
        assert len(steps) > 1
        if broken == "no empty clause":
            return steps[:-1]
        number, literals, hints = steps[0]
        hints = hints[:-1] if broken == "a hint too few" else [*hints, -number]
        return [HintedStep(number, literals, hints), *steps[1:]]

    monkeypatch.setattr(PySat, "refute_with_hints", with_a_fault)
    certificate = certify(HARD)
    assert json.loads(certificate.files["claim.json"])["made"]["prover"].startswith("glucose4 ")
    assert accepted(certificate, tmp_path) == "unique"


def test_both_proofs_of_a_certificate_have_the_same_steps() -> None:
    files = certify(HARD).files
    steps = []
    for line in files["proof.lrat"].decode().splitlines():
        words = line.split()
        steps.append(words[1 : words.index("0", 1)])
    assert [line.split()[:-1] for line in files["proof.drat"].decode().splitlines()] == steps


def marked(marks: dict[int, int], clues: dict[int, int] | None = None) -> Board:
    """A 4x4 board with candidate masks in some cells."""
    symbols = [(clues or {}).get(cell, 0) for cell in range(16)]
    return Board(FOUR, tuple(symbols), (), tuple(marks.get(cell, 15) for cell in range(16)))


@pytest.mark.parametrize(
    ("board", "claim", "cells"),
    [
        (marked({0: 3}), "multiple", None),
        (marked({0: 3, 1: 3, 2: 3}), "none", [0, 1, 2]),
        (marked({0: 0}), "none", [0]),
        (marked({0: 2}, {0: 1}), "none", [0]),
        (marked({0: 1, 1: 1}, {5: 2}), "none", [0, 1]),
        (marked({0: 3, 1: 14}, {0: 1, 1: 2}), "multiple", None),
        (marked({0: 1, 1: 2, 2: 4, 4: 4, 6: 2, 8: 2, 9: 1}), "unique", None),
    ],
)  # fmt: skip
def test_pencil_marks(board: Board, claim: str, cells: list[int] | None, tmp_path: Path) -> None:
    certificate = certify(board)
    assert accepted(certificate, tmp_path) == claim
    if cells is not None:
        assert conflict_of(certificate) == {"cells": cells, "rules": []}


@pytest.mark.slow
def test_real_puzzles(tmp_path: Path) -> None:
    path = DATA / "fpuzzles.jsonl"
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in [row for row in rows if row["complete"]][::10]:
        certificate = certify(formats.parse(row["payload"]), cross_check="none")
        assert accepted(certificate, tmp_path) == "unique"
        assert certificate.files["solution.txt"].decode().replace("\n", "") == row["solution"]


# ---- conflicts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", datasets.examples("none")[:3], ids=lambda example: example.name)
def test_a_conflict_is_one_and_none_of_its_cells_can_be_spared(example: datasets.Example) -> None:
    board = example.board
    found = conflict(checked_board.state_for_checker(board))
    assert found
    cells, rules = found
    assert cells
    assert rules == ()
    only = Board(board.geometry, tuple(clue if cell in cells else 0 for cell, clue in enumerate(board.clues)))
    assert verify(only).status is Status.NONE
    for cell in cells:
        assert solve(only.without_clue(cell), cross_check="none") is not None


def test_a_conflict_of_clues_and_rules(tmp_path: Path) -> None:
    board = Board.empty(FOUR).with_rules(["odd r4c4", "even r1c1", "even r4c4"]).with_clue(3, 2)
    assert conflict_of(certify(board)) == {"cells": [], "rules": [1, 3]}
    board = Board.empty(FOUR).with_rules(["odd r4c4", "thermometer r1c2 r1c1"]).with_clue(0, 1).with_clue(9, 1)
    assert conflict_of(certify(board)) == {"cells": [0], "rules": [2]}
    assert accepted(certify(board), tmp_path) == "none"


@pytest.mark.parametrize(
    "rule", ["killer 30 r1c1 r1c2", "renban r1c1-r1c4 r2c1", "box-indexer r1c1", "extra-region r1c1-r1c4 r2c1"]
)
def test_rules_that_no_grid_keeps(rule: str, tmp_path: Path) -> None:
    geometry = Geometry.latin(4) if rule.startswith("box") else FOUR
    certificate = certify(Board.empty(geometry).with_rule(rule))
    assert conflict_of(certificate) == {"cells": [], "rules": [1]}
    assert accepted(certificate, tmp_path) == "none"


def test_houses_that_admit_no_grid_need_no_cell(tmp_path: Path) -> None:
    certificate = certify(Board.empty(NO_GRID).with_clue(6, 3).with_clue(10, 3))
    assert conflict_of(certificate) == {"cells": [], "rules": []}
    assert accepted(certificate, tmp_path) == "none"


def test_a_board_with_a_solution_has_no_conflict() -> None:
    assert conflict(checked_board.state_for_checker(SEVENTEEN)) is None


# ---- boards that are not certified -----------------------------------------------------------------------------------


def test_a_limit_comes_first() -> None:
    with pytest.raises(Interrupted, match="conflicts"):
        certify(datasets.load("none")[-1], encoding="minimal", limits=Limits(conflicts=1), cross_check="none")
    with pytest.raises(Interrupted, match=r"limit of 1e-06 seconds"):
        certify(SEVENTEEN, limits=Limits(seconds=1e-6), cross_check="none")
    limited = certify(SEVENTEEN, limits=Limits(seconds=600), cross_check="none")
    assert limited.files == certify(SEVENTEEN, cross_check="none").files


def test_undecided_and_disagreement_are_no_claims() -> None:
    with pytest.raises(Interrupted, match="no time"):
        certificate_of(Verdict(Status.UNDECIDED, SEVENTEEN, reason="no time"))
    with pytest.raises(DisagreementError, match="a bug"):
        certificate_of(Verdict(Status.DISAGREEMENT, SEVENTEEN, reason="a bug"))
    with pytest.raises(ValueError, match="verify"):
        certificate_of(Verdict(Status.SOLVED, SEVENTEEN))


@pytest.mark.parametrize("rules", [[], ["killer 3 r1c1 r1c2"]])
def test_a_false_verdict_finds_no_proof(rules: list[str]) -> None:
    board = Board.empty(FOUR).with_rules(rules)
    grid = solve(board)
    assert grid is not None
    with pytest.raises(DisagreementError, match="cadical195 finds a solution of the checker's formula"):
        certificate_of(Verdict(Status.UNIQUE, board, (grid,)))
    with pytest.raises(DisagreementError, match="the verdict is none, but the checker's formula has a solution"):
        certificate_of(Verdict(Status.NONE, board))


@pytest.mark.parametrize("backend", ["cp-sat", "reference", "minisat22", "maplesat"])
def test_provers_without_proofs_are_refused(backend: str) -> None:
    with pytest.raises(BackendUnavailable, match=f"{backend} cannot prove: .*; expected one of .*cadical153"):
        certify(SEVENTEEN, prover=backend)


def test_kinds_that_the_checker_does_not_have(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / "apart.toml"
    own.write_text(
        'words = "{cells} are apart"\nabout = "Neighbours differ."\nexample = "apart r1c1 r1c2"\n'
        '[parameters]\ncells = { type = "cells", help = "cells" }\n'
        '[relation]\ncells = "cells"\npairs = "consecutive"\nallow = "abs(a - b) > 1"\n'
    )
    with pytest.raises(NotCertified, match=r"^not certified: rule .* is of no kind that is in the checker"):
        certify(Board.empty(FOUR).with_rule(f"{own} r1c1 r1c2"))
    monkeypatch.setattr(checked_board, "known_kinds", lambda: {"killer": {"cells"}})
    with pytest.raises(NotCertified, match="not certified: rule 'the killer cage r1c1"):
        certify(Board.empty(FOUR).with_rule("killer 3 r1c1 r1c2"))


# ---- files -----------------------------------------------------------------------------------------------------------


def test_what_a_reader_sees() -> None:
    files = certify(SEVENTEEN).files
    assert list(files) == [
        *("claim.json", "board.txt", "geometry.json", "rules.json", "solution.txt"),
        *("formula.cnf", "proof.drat", "proof.lrat", "README.txt"),
    ]
    assert files["board.txt"].decode().splitlines()[0] == ".......1."
    assert json.loads(files["rules.json"]) == {"rules": []}
    assert files["proof.drat"] == b"0\n", "propagation alone refutes it"
    assert all(data.isascii() for data in files.values())


def test_nothing_but_certificates_is_replaced(tmp_path: Path) -> None:
    first, second = certify(formats.parse(CLAIMS["none"])), certify(formats.parse(CLAIMS["multiple"]))
    folder = first.write(tmp_path / "deep" / "folder")
    assert checker.check(second.write(folder)).claim == "multiple"
    assert not (folder / "proof.lrat").exists()
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds 'notes.txt'; expected"):
        first.write(folder)
    assert (folder / "notes.txt").read_text() == "mine"
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="is a file"):
        first.write(tmp_path / "file")


def test_a_link_stands_for_what_it_points_to(tmp_path: Path) -> None:
    certificate = certify(formats.parse(CLAIMS["none"]))
    for name, there in (("folder", True), ("new", False)):
        target, link = tmp_path / "elsewhere" / name, tmp_path / name
        target.parent.mkdir(exist_ok=True)
        link.symlink_to(target)
        if there:
            target.mkdir()
        for _ in range(2):
            assert certificate.write(link) == link
            assert link.is_symlink()
            assert checker.check(target).claim == checker.check(link).claim == "none"


def test_nothing_is_left_of_what_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = certify(formats.parse(CLAIMS["none"]))

    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="space"):
        certificate.write(tmp_path / "folder")
    assert list(tmp_path.iterdir()) == []


def test_many_in_one_folder(tmp_path: Path) -> None:
    many = Certificates(tmp_path / "many")
    certificates = [certify(formats.parse(line)) for line in CLAIMS.values()]
    places = [many.add(certificate, number) for number, certificate in enumerate(certificates, 1)]
    assert places == [str(tmp_path / "many" / number) for number in ("000001", "000002", "000003")]
    assert [(report.accepted, report.claim) for report in checker.check_all(tmp_path / "many")] == [
        (True, claim) for claim in CLAIMS
    ]
    with pytest.raises(InputError, match="holds the certificate 000001; expected a new or an empty folder"):
        Certificates(tmp_path / "many")
    Certificates(tmp_path / "many", replace=True)
    assert list((tmp_path / "many").iterdir()) == []
    with pytest.raises(InputError, match="is a file or a certificate itself"):
        Certificates(certificates[0].write(tmp_path / "one"))
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="is a file or a certificate itself"):
        Certificates(tmp_path / "file")
