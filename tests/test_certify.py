"""certify: every claim, set, encoding and shape gives a certificate that the independent checker accepts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from gridproof import checker, formats
from gridproof.backends.protocol import Backend
from gridproof.backends.solvers.pysat import PySat
from gridproof.certificates import Certificate, certificate_of, certify, conflict, default_encoding
from gridproof.certificates.certificate import Archive, Certificates, board_files
from gridproof.errors import BackendUnavailable, DisagreementError, InputError, Interrupted
from gridproof.formats import datasets
from gridproof.limits import Limits
from gridproof.models import catalog
from gridproof.models.encoding import Encoding
from gridproof.models.targets.cnf import compile_cnf
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.questions import solve, verify
from gridproof.trust.verdict import Status, Verdict

SEVENTEEN = formats.parse(".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...")
CNF = [name for name in catalog.names() if catalog.load(name).target == "cnf"]
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def report(certificate: Certificate, folder: Path) -> checker.Report:
    return checker.check(certificate.write(folder / "certificate"))


def accepted(certificate: Certificate, folder: Path) -> str:
    """The claim, which the checker accepts."""
    found = report(certificate, folder)
    assert found.accepted, str(found)
    assert found.claim == certificate.claim
    return certificate.claim


# ---- what is certified ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in datasets.names() if name != "large"])
def test_every_set(name: str, tmp_path: Path) -> None:
    examples = datasets.examples(name)
    for number, example in enumerate(examples[:: max(1, len(examples) // 4)]):
        certificate = certify(example.board, cross_check="none")
        claim = accepted(certificate, tmp_path / str(number))
        assert claim == {0: "none", 1: "unique"}.get(example.solutions, "multiple")


@pytest.mark.slow
def test_a_large_board(tmp_path: Path) -> None:
    example = datasets.examples("large")[0]
    assert example.board.geometry.order == 16
    assert accepted(certify(example.board, cross_check="none"), tmp_path) == "unique"


@pytest.mark.parametrize("name", ["17clue-2000.txt", "hardest11.txt", "mixed10k.txt", "top95.txt"])
def test_samples_of_well_known_sets(name: str, tmp_path: Path) -> None:
    if not (DATA / name).is_file():
        pytest.skip(f"{DATA / name} is not there; test_every_set takes our own")
    lines = (DATA / name).read_text(encoding="ascii").split()
    for number, line in enumerate(lines[:: len(lines) // 3]):
        assert accepted(certify(formats.parse(line), cross_check="none"), tmp_path / str(number)) == "unique"


@pytest.mark.slow
@pytest.mark.parametrize("encoding", CNF)
def test_every_encoding(encoding: str, tmp_path: Path) -> None:
    six = Geometry.classic(2, 3)
    for number, line in enumerate(("1" + "." * 35, "11" + "." * 34, "123456" + "." * 30)):
        accepted(certify(Board.from_symbols(six, line), encoding=encoding), tmp_path / f"six{number}")
    grid = solve(Board.empty(six))
    assert grid is not None
    unique = Board(six, tuple(symbol if cell % 3 else 0 for cell, symbol in enumerate(grid)))
    assert accepted(certify(unique, encoding=encoding), tmp_path / "unique") in ("unique", "multiple")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["minimal", "natural", "triad", "extended-bitwise", "extended-seqcounter"])
def test_every_encoding_on_seventeen_clues(encoding: str, tmp_path: Path) -> None:
    certificate = certify(SEVENTEEN, encoding=encoding, cross_check="none")
    assert json.loads(certificate.files["claim.json"])["made"]["encoding"] == encoding
    assert accepted(certificate, tmp_path) == "unique"


SHAPES = {
    "one cell": Geometry.classic(1, 1),
    "two": Geometry.latin(2),
    "latin": Geometry.latin(5),
    "flat boxes": Geometry.classic(1, 4),
    "jigsaw": Geometry.jigsaw("AABBC ABBCC ABDCC AEDDD EEEED"),
    "diagonals": Geometry.classic(2, 2).with_diagonals(),
    "windoku": Geometry.classic(2, 3).with_windoku(),
    "disjoint groups": Geometry.classic(2, 3).with_disjoint_groups(),
    "further houses": Geometry.classic(2, 2).with_houses([[0, 3, 12, 15]], "corners"),
    "a house twice": Geometry.classic(2, 2).with_houses([[0, 1, 2, 3]]),
    "misnamed houses": Geometry.classic(2, 2)
    .with_houses([[0, 3, 12, 15]], "row")
    .with_houses([[5, 6, 9, 10]], "region"),
}


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["extended", "triad", "extended-seqcounter"])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape(shape: str, encoding: str, tmp_path: Path) -> None:
    geometry = SHAPES[shape]
    empty = Board.empty(geometry)
    grid = solve(empty)
    assert grid is not None
    claim = accepted(certify(empty, encoding=encoding, cross_check="none"), tmp_path / "empty")
    assert claim == ("unique" if geometry.order == 1 else "multiple")
    assert accepted(certify(Board(geometry, grid), encoding=encoding), tmp_path / "full") == "unique"
    if geometry.order > 1:
        wrong = empty.with_clue(0, 1).with_clue(1, 1)
        assert accepted(certify(wrong, encoding=encoding), tmp_path / "wrong") == "none"
        fewer = Board(geometry, (0, *grid[1:]))
        assert accepted(certify(fewer, encoding=encoding), tmp_path / "fewer") == "unique"


def test_a_geometry_that_no_grid_fits(tmp_path: Path) -> None:
    """The rules alone contradict each other, so the conflict needs no clue."""
    corner = Geometry.classic(2, 2).with_houses([[0, 1, 2, 7]])  # r2c4 would have to be what r1c4 is, in its box
    certificate = certify(Board.empty(corner))
    assert accepted(certificate, tmp_path) == "none"
    assert json.loads(certificate.files["conflict.json"]) == {"cells": []}


@pytest.mark.parametrize("encoding", ["extended", "triad", "extended-seqcounter"])
@pytest.mark.parametrize("kind", ["größe", "x\n1 0\np cnf 1 1", "\r\x1b[31m\0", "c define 1 or 2", "\ud800\u2028\\💥"])
def test_houses_may_be_called_anything(kind: str, encoding: str, tmp_path: Path) -> None:
    geometry = Geometry.classic(2, 2).with_houses([[0, 5, 10, 15]], kind)
    grid = solve(Board.empty(geometry))
    assert grid is not None
    for name, clues in (("unique", (0, *grid[1:])), ("none", (grid[1], *grid[1:]))):
        certificate = certify(Board(geometry, clues), encoding=encoding)
        assert accepted(certificate, tmp_path / name) == name
        formula = certificate.files["proof/formula.cnf"]
        assert formula.isascii()
        heads = [line.partition(b" ")[0] for line in formula.split(b"\n")]
        comments = heads.index(b"p")
        assert set(heads[:comments]) == {b"c"}
        assert b"\nc define 1 " not in formula
        if encoding == "extended-seqcounter":
            comment = f"seqcounter[{json.dumps(kind)[1:-1]} 1 = 4].1"
            (said,) = [line for line in formula.decode().split("\n") if comment in line]
            assert json.loads(f'"{said}"').endswith(f"seqcounter[{kind} 1 = 4].1")


def test_an_encoding_may_be_called_anything(tmp_path: Path) -> None:
    encoding = replace(catalog.load("minimal"), name="größe\n1 0")
    certificate = certify(formats.parse("1234341221434321"), encoding=encoding)
    assert accepted(certificate, tmp_path) == "unique"
    assert certificate.files["proof/formula.cnf"].startswith(
        b"c gridproof: 4x4, 2x2 boxes, encoding gr\\u00f6\\u00dfe\\n1 0\n"
    )


ORDER_36 = Geometry.classic(6, 6)


def test_the_default_encoding_does_not_grow_beyond_what_is_checked() -> None:
    assert default_encoding(Geometry.classic(5, 5)) == "extended"
    assert default_encoding(ORDER_36) == "triad"


def test_symbols_above_35_are_numbers() -> None:
    files = board_files(Board.empty(ORDER_36).with_clue(1, 36))
    assert files["board.txt"].split() == [b".", b"36", *[b"."] * (36**2 - 2)]
    assert files["board.txt"].count(b"\n") == 36


# ---- a user's own encoding -------------------------------------------------------------------------------------------


def own(cell: object, house: object, through: str = "cells") -> Encoding:
    """An encoding with these at-most-one schemes."""
    table = {"at_least_one": True}
    data = {
        "summary": "s", "source": "s", "target": "cnf",
        "cell": {**table, "at_most_one": cell}, "house": {**table, "at_most_one": house, "through": through},
    }  # fmt: skip
    return Encoding.from_data(data, "own")


@pytest.mark.slow
@pytest.mark.parametrize(
    "scheme", ["seqcounter", "totalizer", "bitwise", "kmtotalizer", "product", "commander", "bimander"]
)
@pytest.mark.parametrize("through", ["cells", "intersections"])
def test_schemes_over_auxiliaries(scheme: str, through: str, tmp_path: Path) -> None:
    """Through intersections the group of a scheme consists of auxiliaries itself."""
    for name, line in (
        ("none", "12.......3" + "." * 26),
        ("multiple", "1" + "." * 35),
        ("direct", "1....1" + "." * 30),
    ):
        board = Board.from_symbols(Geometry.classic(2, 3), line)
        accepted(certify(board, encoding=own(scheme, scheme, through), cross_check="none"), tmp_path / name)


def test_at_most_one_a_cell_and_at_least_one_a_house(tmp_path: Path) -> None:
    data = {
        "summary": "s", "source": "s", "target": "cnf",
        "cell": {"at_least_one": False, "at_most_one": "pairwise"},
        "house": {"at_least_one": True, "at_most_one": False},
    }  # fmt: skip
    certificate = certify(formats.parse("1234 34.. .... ..1."), encoding=Encoding.from_data(data, "other"))
    assert json.loads(certificate.files["claim.json"])["states"] == ["cell<=1", "house>=1"]
    accepted(certificate, tmp_path)


# ---- pencil marks ----------------------------------------------------------------------------------------------------


def marked(marks: dict[int, int], clues: dict[int, int] | None = None) -> Board:
    """A 4x4 board with candidate masks in some cells."""
    symbols = [(clues or {}).get(cell, 0) for cell in range(16)]
    return Board(Geometry.classic(2, 2), tuple(symbols), (), tuple(marks.get(cell, 15) for cell in range(16)))


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
    assert certificate.claim == claim
    assert accepted(certificate, tmp_path) == claim
    assert "candidates.json" in certificate.files
    if cells is not None:
        assert json.loads(certificate.files["conflict.json"]) == {"cells": cells}


def test_marks_that_say_nothing_are_left_out() -> None:
    assert "candidates.json" not in certify(marked({}, {0: 1})).files


# ---- conflicts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", datasets.examples("none"), ids=lambda example: example.name)
def test_a_conflict_is_one_and_none_of_its_cells_can_be_spared(example: datasets.Example) -> None:
    board = example.board
    found = conflict(board, compile_cnf(board.geometry, catalog.load("extended")))
    assert found
    cells, rules = found
    assert cells
    assert rules == ()
    only = Board(board.geometry, tuple(clue if cell in cells else 0 for cell, clue in enumerate(board.clues)))
    assert verify(only).status is Status.NONE
    for cell in cells:
        assert solve(only.without_clue(cell), cross_check="none") is not None


NO_GRID = Geometry.jigsaw("0112 1202 3310 0323").with_diagonals()
"""Regions that leave no grid at all."""


@pytest.mark.parametrize(
    "board",
    [
        Board.empty(NO_GRID).with_clue(6, 3).with_clue(10, 3),
        Board.empty(NO_GRID).with_clue(0, 1).with_marks([14, *[15] * 15]),
        Board.empty(NO_GRID).with_clue(0, 1),
    ],
    ids=["a clash", "a cell without candidates", "nothing at a glance"],
)
def test_rules_that_admit_no_grid_need_no_cell(board: Board, tmp_path: Path) -> None:
    certificate = certify(board)
    assert json.loads(certificate.files["conflict.json"]) == {"cells": []}
    assert accepted(certificate, tmp_path) == "none"


def test_direct_clashes_come_first() -> None:
    board = formats.parse("1..1 2..2 .... ....").with_clue(15, 1)
    cnf = compile_cnf(board.geometry, catalog.load("triad"))
    assert conflict(board, cnf) == ((0, 3), ())


def test_a_board_with_a_solution_has_no_conflict() -> None:
    cnf = compile_cnf(SEVENTEEN.geometry, catalog.load("extended"))
    assert conflict(SEVENTEEN, cnf) is None


# ---- what is not certified -------------------------------------------------------------------------------------------


def test_a_limit_comes_first() -> None:
    board = datasets.load("none")[-1]
    with pytest.raises(Interrupted) as stop:
        certify(board, encoding="minimal", limits=Limits(conflicts=1), cross_check="none")
    assert "conflicts" in str(stop.value)


def test_the_time_limit_is_for_all_of_it() -> None:
    with pytest.raises(Interrupted, match=r"limit of 1e-06 seconds"):
        certify(SEVENTEEN, limits=Limits(seconds=1e-6), cross_check="none")


def test_enough_time_changes_nothing() -> None:
    limited = certify(SEVENTEEN, limits=Limits(seconds=600), cross_check="none")
    assert limited.files == certify(SEVENTEEN, cross_check="none").files


def test_undecided_and_disagreement_are_no_claims() -> None:
    with pytest.raises(Interrupted, match="who knows"):
        certificate_of(Verdict(Status.UNDECIDED, SEVENTEEN, reason="who knows"))
    with pytest.raises(DisagreementError, match="a bug"):
        certificate_of(Verdict(Status.DISAGREEMENT, SEVENTEEN, reason="a bug"))
    with pytest.raises(ValueError, match="verify"):
        certificate_of(Verdict(Status.SOLVED, SEVENTEEN))


def test_a_false_verdict_finds_no_proof() -> None:
    board = formats.parse("1...............")
    grid = solve(board)
    assert grid is not None
    with pytest.raises(DisagreementError, match="the verdict is unique, but cadical153 finds"):
        certificate_of(Verdict(Status.UNIQUE, board, (grid,)))
    with pytest.raises(DisagreementError, match="the verdict is none, but cadical153 finds"):
        certificate_of(Verdict(Status.NONE, board))


@pytest.mark.parametrize("backend", ["cp-sat", "reference", "minisat22", "maplesat"])
def test_backends_without_proofs_are_refused(backend: str) -> None:
    with pytest.raises(BackendUnavailable, match=f"{backend} cannot certify: .*; expected one of .*cadical153"):
        certify(SEVENTEEN, backend)


def test_a_backend_may_be_an_object() -> None:
    backend: Backend = PySat("glucose4")
    made = json.loads(certify(SEVENTEEN, backend).files["claim.json"])["made"]
    assert made["backend"] == "glucose4"


# ---- files -----------------------------------------------------------------------------------------------------------


def test_a_verdict_that_is_there_already_is_certified(tmp_path: Path) -> None:
    certificate = certificate_of(verify(SEVENTEEN, "cp-sat"), "glucose4", "minimal")
    assert accepted(certificate, tmp_path) == "unique"


def test_what_a_reader_sees() -> None:
    files = certify(SEVENTEEN).files
    formula = files["proof/formula.cnf"].decode().splitlines()
    assert formula[0] == "c gridproof: 9x9, 3x3 boxes, encoding extended"
    assert "c 65 x[r1c8=2]" in formula
    assert formula[-1].count(" -") == 80
    assert files["board.txt"].decode().splitlines()[0] == ".......1."
    assert next(iter(files)) == "claim.json"


@pytest.mark.parametrize("line", ["1...............", "11..............", SEVENTEEN])
def test_the_same_board_gives_the_same_bytes(line: str | Board, tmp_path: Path) -> None:
    board = formats.parse(line) if isinstance(line, str) else line
    first, second = certify(board), certify(board)
    assert dict(first.files) == dict(second.files)
    one, two = (certificate.write(tmp_path / f"{name}.zip") for name, certificate in (("a", first), ("b", second)))
    assert one.read_bytes() == two.read_bytes()


def test_a_folder_and_an_archive_hold_the_same(tmp_path: Path) -> None:
    certificate = certify(formats.parse("11.............."))
    for name in ("folder", "archive.zip", "deep/er/folder", "deep/ARCHIVE.ZIP"):
        found = checker.check(certificate.write(tmp_path / name))
        assert found.accepted
        assert found.claim == "none"
    for name, data in certificate.files.items():
        assert (tmp_path / "folder" / name).read_bytes() == data


def test_nothing_but_certificates_is_replaced(tmp_path: Path) -> None:
    first, second = certify(formats.parse("11..............")), certify(formats.parse("1..............."))
    folder = first.write(tmp_path / "folder")
    assert checker.check(second.write(folder)).claim == "multiple"
    assert not (folder / "proof").exists()
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds 'notes.txt'; expected"):
        first.write(folder)
    assert (folder / "notes.txt").read_text() == "mine"
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="is a file"):
        first.write(tmp_path / "file")
    archive = first.write(tmp_path / "a.zip")
    assert checker.check(second.write(archive)).claim == "multiple"
    (tmp_path / "folder.zip").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        first.write(tmp_path / "folder.zip")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip", "file", "folder", "folder.zip"]


def test_a_link_stands_for_what_it_points_to(tmp_path: Path) -> None:
    certificate = certify(formats.parse("11.............."))
    for name, there in (("folder", True), ("new", False), ("old.zip", True), ("new.zip", False)):
        target, link = tmp_path / "elsewhere" / name, tmp_path / name
        target.parent.mkdir(exist_ok=True)
        link.symlink_to(target)
        if there and target.suffix:
            certify(formats.parse("1...............")).write(target)
        elif there:
            target.mkdir()
        for _ in range(2):
            assert certificate.write(link) == link
            assert link.is_symlink()
            assert checker.check(target).claim == checker.check(link).claim == "none"
    assert sorted(path.name for path in target.parent.iterdir()) == ["folder", "new", "new.zip", "old.zip"]
    (tmp_path / "elsewhere" / "folder" / "notes").write_text("mine")
    with pytest.raises(InputError, match="holds 'notes'"):
        certificate.write(tmp_path / "folder")


def test_nothing_is_left_of_what_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = certify(formats.parse("11.............."))

    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    def interrupted() -> None:
        with Archive(tmp_path / "archive.zip") as archive:
            archive.add(certificate)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="space"):
        certificate.write(tmp_path / "folder")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["folder", "archive.zip"])
def test_many_in_one_place(name: str, tmp_path: Path) -> None:
    boards = [formats.parse(line) for line in ("11..............", "1...............", "1234 34.. 2143 432.")]
    with Certificates(tmp_path / name) as many:
        places = [many.add(certify(board), number) for number, board in enumerate(boards, 1)]
    assert places == [str(tmp_path / name / number) for number in ("000001", "000002", "000003")]
    reports = list(checker.check_all(tmp_path / name))
    assert [found.claim for found in reports] == ["none", "multiple", "unique"]
    assert all(found.accepted for found in reports)


def test_many_do_not_go_into_one(tmp_path: Path) -> None:
    folder = certify(formats.parse("11..............")).write(tmp_path / "folder")
    with pytest.raises(InputError, match="is a certificate itself"):
        Certificates(folder)


def test_many_do_not_go_into_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match=r"is a file; expected a path ending in \.zip"):
        Certificates(tmp_path / "file")


def test_no_certificate_of_an_earlier_run_passes_for_one_of_this(tmp_path: Path) -> None:
    with Certificates(tmp_path / "folder") as many:
        many.add(certify(formats.parse("11..............")), 1)
    with pytest.raises(InputError, match="holds the certificate 000001; expected a new or an empty folder"):
        Certificates(tmp_path / "folder")


def test_an_archive_is_full_before_readers_refuse_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.certificates.certificate._MOST_ENTRIES", 15)
    certificate = certify(formats.parse("11.............."))
    with Archive(tmp_path / "archive.zip") as archive:
        archive.add(certificate, "1")
        with pytest.raises(InputError, match="more than 15 files"):
            archive.add(certificate, "2")
    assert [found.accepted for found in checker.check_all(tmp_path / "archive.zip")] == [True]
