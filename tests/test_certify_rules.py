"""Certificates of boards with rules: every kind, what is claimed, and what is not certified."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checker_maker import sealed, write
from gridproof import checker, formats
from gridproof.backends import find
from gridproof.certificates import Certificate, NotCertified, certificate_of, certify, statements
from gridproof.certificates.certificate import rules_json
from gridproof.certificates.statements import statement
from gridproof.checker.findings import Clock
from gridproof.checker.kinds import KINDS, Shape
from gridproof.checker.rules import Rule as Reading
from gridproof.checker.rules import parse_rules
from gridproof.cli import main
from gridproof.errors import InputError
from gridproof.limits import NO_LIMITS
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.rules import Rule, all_kinds
from rule_samples import SHAPES, grids, random_rule

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "fpuzzles.jsonl"
FOUR, SIX = Geometry.classic(2), Geometry.classic(2, 3)
CLAIMS = ("none", "unique", "multiple")


def reading(rule: Rule, geometry: Geometry) -> Reading:
    """The rule as the checker reads what ``rules.json`` says of it."""
    regions: dict[int, list[int]] = {}
    for cell, region in enumerate(geometry.region_of or ()):
        regions.setdefault(region, []).append(cell)
    shape = Shape(geometry.order, tuple(map(tuple, regions.values())), [set(peers) for peers in geometry.peers])
    (found,) = parse_rules(rules_json([statement(rule, geometry)]), shape, checker.Limits(), Clock(60))
    return found


def kept(rule: Reading, grid: Grid) -> bool:
    return all(part.fits(dict(enumerate(grid))) for part in rule.parts)


def solutions(board: Board) -> list[Grid]:
    """By brute force and ``holds``."""
    allowed = board.candidates
    return [
        grid
        for grid in grids(board.geometry)
        if all(mask >> (symbol - 1) & 1 for mask, symbol in zip(allowed, grid, strict=True))
        and all(rule.holds(grid, board.geometry) for rule in board.rules)
    ]


def accepted(certificate: Certificate) -> checker.Report:
    with tempfile.TemporaryDirectory() as folder:
        report = checker.check(certificate.write(Path(folder, "certificate")))
    assert report.accepted, str(report)
    assert report.claim == certificate.claim
    return report


def with_clues(geometry: Geometry, rules: list[Rule], random: Random) -> Board:
    """A board with these rules and some clues of a grid that keeps them, if there is one."""
    board = Board.empty(geometry).with_rules(rules)
    grid = random.choice(solutions(board) or grids(geometry))
    for cell in random.sample(range(geometry.cell_count), random.randint(0, geometry.order)):
        board = board.with_clue(cell, grid[cell])
    return board


# ---- every kind ------------------------------------------------------------------------------------------------------


def test_the_checker_knows_no_kind_that_there_is_not() -> None:
    assert len(KINDS) > 45
    assert KINDS.keys() <= all_kinds().keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", all_kinds())
def test_every_kind(name: str) -> None:
    """The checker's words and ``holds`` agree on every grid, and so do certificates; no clause needs a derivation."""
    if name not in KINDS:  # one that was added: it is refused until the checker has words for it, too
        with pytest.raises(NotCertified, match=r"^not certified: rule .* is of no kind that the checker knows"):
            certify(Board.empty(Geometry.classic(3)).with_rule(all_kinds()[name].example))
        return
    for seed in range(6):
        random = Random(f"{name} {seed}")
        geometry = random.choice(SHAPES)
        rule = random_rule(all_kinds()[name], geometry, random)
        read = reading(rule, geometry)
        for grid in grids(geometry):
            assert kept(read, grid) == rule.holds(grid, geometry), (rule, grid)
        board = with_clues(geometry, [rule], random)
        certificate = certify(board, cross_check="none")
        assert certificate.claim == CLAIMS[min(2, len(solutions(board)))]
        facts = accepted(certificate).facts
        assert facts["rules"] == {name: 1}
        assert all(not found["clauses by RUP"] for part, found in facts.items() if part.endswith("cnf")), rule


def test_fractions_are_exact() -> None:
    """In binary ones 1/10 + 1/5 is not 3/10."""
    rule = all_kinds()["relation"].make({"allow": "a/10 + b/5 == 3/10", "lines": ((0, 10),), "pairs": "consecutive"})
    read = reading(rule, FOUR)
    for grid in grids(FOUR):
        assert kept(read, grid) == rule.holds(grid, FOUR) == (grid[0] == grid[10] == 1)
    accepted(certify(Board.empty(FOUR).with_rule(rule), cross_check="none"))


@cache
def larger(geometry: Geometry) -> Grid:
    assert geometry.box_shape is not None
    n, (high, wide) = geometry.order, geometry.box_shape
    return tuple((wide * (r % high) + r // high + c) % n + 1 for r in range(n) for c in range(n))


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_every_kind_on_larger_boards(name: str) -> None:
    """Where symbols have two digits, too; most random rules hold of no such grid."""
    for seed, geometry in enumerate((Geometry.classic(3), Geometry.classic(3, 4)) * 3):
        random = Random(f"{name} {seed}")
        rule = random_rule(all_kinds()[name], geometry, random)
        read = reading(rule, geometry)
        for _ in range(20):
            symbols = random.sample(range(1, geometry.order + 1), geometry.order)
            grid = tuple(symbols[symbol - 1] for symbol in larger(geometry))
            assert kept(read, grid) == rule.holds(grid, geometry), (rule, grid)


@pytest.mark.parametrize(
    "rule",
    [
        "arrow r1c1 r1c2 / r2c1 r2c2 r2c3 r2c4",
        "arrow r5c5 r5c6 / r1c1 r2c2 r3c3",
        "killer 30 r1c1 r1c2 r1c3 r1c4 r1c5",
        "killer repeats=yes 30 r1c1 r2c2 r3c3 r4c4 r5c5",
        "region-sum r1c2 r1c3 r1c4 r1c5",
        "renban r3c3 r3c4 r4c4 r4c3",
        "skyscraper 4 row1",
        "x-sum 22 column2",
        "disjoint-groups",
    ],
)
def test_symbols_of_two_digits(rule: str) -> None:
    geometry = Geometry.classic(3, 4)
    board = Board.empty(geometry).with_rule(rule)
    grid = larger(geometry)
    board = Board(geometry, tuple(s if c > 85 else 0 for c, s in enumerate(grid))).with_rule(rule)
    accepted(certify(board, cross_check="none"))


# ---- boards ----------------------------------------------------------------------------------------------------------


def test_agrees_with_brute_force() -> None:
    claims: Counter[str] = Counter()

    @given(seed=st.integers(0, 10**9), kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3))
    @settings(max_examples=60)
    def agrees(seed: int, kinds: list[str]) -> None:
        random = Random(seed)
        geometry = random.choice(SHAPES[2:])
        board = with_clues(geometry, [random_rule(all_kinds()[name], geometry, random) for name in kinds], random)
        certificate = certify(board, cross_check="none")
        assert certificate.claim == CLAIMS[min(2, len(solutions(board)))]
        accepted(certificate)
        claims[certificate.claim] += 1
        if certificate.claim == "none":
            minimal(board, certificate)

    agrees()
    assert not settings().derandomize or min(claims[claim] for claim in CLAIMS) >= 3


def test_a_certificate_is_never_good_for_rules_with_another_answer() -> None:
    """Rules are put in the place of others of their kinds: what is accepted is true of them, too."""
    seen: Counter[bool] = Counter()

    @given(seed=st.integers(0, 10**9), kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=2))
    @settings(max_examples=60)
    def never(seed: int, kinds: list[str]) -> None:
        random = Random(seed)
        geometry = random.choice(SHAPES[2:])
        board = with_clues(geometry, [random_rule(all_kinds()[name], geometry, random) for name in kinds], random)
        other = [random_rule(all_kinds()[name], geometry, random) for name in kinds]
        certificate = certify(board, cross_check="none")
        stated = rules_json(statement(rule, geometry) for rule in other)
        with tempfile.TemporaryDirectory() as folder:
            report = checker.check(write(sealed(dict(certificate.files) | {"rules.json": stated}), Path(folder, "x")))
        seen[report.accepted] += 1
        if report.accepted:
            found = solutions(Board(geometry, board.clues, rules=tuple(other)))
            assert CLAIMS[min(2, len(found))] == certificate.claim

    never()
    assert not settings().derandomize or min(seen[False], seen[True]) >= 5


def test_no_forged_formula_makes_a_false_claim_pass() -> None:
    """A board with several solutions, claimed to have one: the formula is changed at random until it is refuted."""
    forged: Counter[str] = Counter()

    @given(seed=st.integers(0, 10**9), kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=2))
    @settings(max_examples=60)
    def refused(seed: int, kinds: list[str]) -> None:
        random = Random(seed)
        geometry = random.choice(SHAPES[3:])
        board = with_clues(geometry, [random_rule(all_kinds()[name], geometry, random) for name in kinds], random)
        found = solutions(board)
        if len(found) < 2:
            return
        honest = dict(certify(Board(geometry, found[0], rules=board.rules), cross_check="none").files)
        lines = honest["proof/formula.cnf"].decode().splitlines()
        start = next(number for number, line in enumerate(lines) if line.startswith("p"))
        blank = {cell for cell, clue in enumerate(board.clues) if not clue}
        units = {f"{cell * geometry.order + found[0][cell]} 0" for cell in blank}
        said, clauses = lines[:start], [line.split()[:-1] for line in lines[start + 1 :] if line not in units]
        proof = None
        for _ in range(60):
            changed(said, clauses, random, int(lines[start].split()[2]))
            if (proof := refuted(clauses)) is not None:
                break
        else:
            return
        header = f"{' '.join(lines[start].split()[:3])} {len(clauses)}"
        text = "\n".join([*said, header, *(" ".join([*clause, "0"]) for clause in clauses), ""])
        board_txt = certify(board, cross_check="none").files["board.txt"]
        files = honest | {"board.txt": board_txt, "proof/formula.cnf": text.encode(), "proof/proof.drat": proof}
        with tempfile.TemporaryDirectory() as folder:
            report = checker.check(write(sealed(files), Path(folder, "certificate")))
        assert not report.accepted
        forged.update(report.codes())

    refused()
    assert not settings().derandomize or forged["clause-not-implied"] >= 5


def changed(said: list[str], clauses: list[list[str]], random: Random, top: int) -> None:
    """One clause more or other, or another meaning of a variable."""
    states = [number for number, line in enumerate(said) if line.startswith(("c state", "c set"))]
    way = random.randrange(4) if states else random.randrange(2)
    place = random.randrange(len(clauses))
    if way == 0:
        clauses.append([str(random.choice((-1, 1)) * random.randint(1, top)) for _ in range(random.randint(1, 3))])
    elif way == 1 and len(clauses[place]) > 1:
        clauses[place] = random.sample(clauses[place], len(clauses[place]) - 1)
    elif way == 2:
        one, other = random.choice(states), random.choice(states)
        first, second = said[one].split(), said[other].split()
        said[one] = " ".join([*first[:3], *second[3:]])
        said[other] = " ".join([*second[:3], *first[3:]])
    elif way == 3:
        words = said[random.choice(states)].split()
        clauses.append([random.choice(("", "-")) + words[2]])


def refuted(clauses: list[list[str]]) -> bytes | None:
    steps = find("cadical153").refute([tuple(map(int, clause)) for clause in clauses], NO_LIMITS)
    return None if steps is None else "".join(f"{step}\n" for step in steps).encode()


def minimal(board: Board, certificate: Certificate) -> None:
    """Nothing of the conflict can be spared."""
    said = json.loads(certificate.files["conflict.json"])
    cells, numbers = said["cells"], said["rules"]
    everything = [("cell", cell) for cell in cells] + [("rule", number) for number in numbers]
    for left_out in (None, *everything):
        clues = [clue if cell in cells and left_out != ("cell", cell) else 0 for cell, clue in enumerate(board.clues)]
        rules = [board.rules[number - 1] for number in numbers if left_out != ("rule", number)]
        # not with_rules: marks were found beside all rules
        left = Board(board.geometry, tuple(clues), rules=tuple(rules))
        assert bool(solutions(left)) == (left_out is not None)


def test_a_conflict_of_clues_and_rules() -> None:
    board = formats.parse("1... .... .... ...2").with_rules(["even r4c4", "thermometer r1c2 r1c1", "odd r2c1"])
    certificate = certify(board)
    assert json.loads(certificate.files["conflict.json"]) == {"cells": [0], "rules": [2]}
    assert accepted(certificate).facts["conflict cells"] == 1
    assert b"c rule 2: the thermometer r1c2 r1c1" in certificate.files["proof/conflict.cnf"]
    assert b"rule 1" not in certificate.files["proof/conflict.cnf"]


def test_rules_that_no_grid_keeps() -> None:
    for rule in ("killer 30 r1c1 r1c2", "renban r1c1-r1c4 r2c1", "box-indexer r1c1", "extra-region r1c1-r1c4 r2c1"):
        geometry = Geometry.latin(4) if rule.startswith("box") else FOUR
        certificate = certify(Board.empty(geometry).with_rule(rule))
        assert json.loads(certificate.files["conflict.json"]) == {"cells": [], "rules": [1]}
        accepted(certificate)


def test_real_puzzles() -> None:
    if not DATA.is_file():
        pytest.skip(f"{DATA} is not there")
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    complete = [row for row in rows if row["complete"]]
    for row in complete[::10]:
        certificate = certify(formats.parse(row["payload"]), cross_check="none")
        assert accepted(certificate).claim == "unique"
        assert certificate.files["solution.txt"].decode().replace("\n", "") == row["solution"]


def test_every_encoding_of_houses_and_every_backend_will_do() -> None:
    board = Board.empty(SIX).with_rules(["killer 5 r1c1 r1c2", "sandwich 9 row2", "arrow r4c4 / r5c4 r5c5"])
    for encoding in ("triad", "minimal", "extended-seqcounter"):
        accepted(certify(board.with_rule("renban row1"), "glucose4", encoding, cross_check="none"))


@pytest.mark.skipif(shutil.which("drat-trim") is None, reason="drat-trim is not installed")
def test_drat_trim_accepts_them(tmp_path: Path) -> None:
    board = Board.empty(FOUR).with_rules(["killer 3 r1c1 r1c2", "x-sum 1 row1"])
    opinion = checker.check_external(certify(board).write(tmp_path / "certificate"))
    assert opinion.accepted, str(opinion)


def test_a_board_without_rules_is_written_for_older_checkers() -> None:
    files = certify(formats.parse("1234 3412 2143 4...")).files
    assert json.loads(files["claim.json"])["format"] == "gridproof-certificate/1"
    assert "rules.json" not in files


def test_what_a_reader_sees(tmp_path: Path) -> None:
    board = Board.empty(FOUR).with_rules(["killer 10 row1", "whispers r1c1 r2c2", "killer 3 r4c1 r4c2"])
    certificate = certify(board)
    said = json.loads(certificate.files["rules.json"])["rules"]
    assert said[1] == {"kind": "whispers", "parameters": {"difference": 2, "lines": [[0, 5]]}}
    report = checker.check(certificate.write(tmp_path / "certificate"))
    assert str(report).splitlines()[-1] == "  rules: killer 2, whispers 1 (see rules.json)"


# ---- what is not certified -------------------------------------------------------------------------------------------


def test_kinds_that_the_checker_does_not_know(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "apart.toml"
    own.write_text(
        'words = "{cells} are apart"\nabout = "Neighbours differ."\nexample = "apart r1c1 r1c2"\n'
        '[parameters]\ncells = { type = "cells", help = "cells" }\n'
        '[relation]\ncells = "cells"\npairs = "consecutive"\nallow = "abs(a - b) > 1"\n'
    )
    board = Board.empty(FOUR).with_rule(f"{own} r1c1 r1c2")
    with pytest.raises(InputError, match="not certified: rule 'r1c1 r1c2 are apart'"):
        certify(board)
    monkeypatch.setattr(statements, "known_kinds", lambda: {"killer": {"cells"}})
    with pytest.raises(InputError, match="not certified: rule 'the killer cage r1c1 r1c2 sums to 3'"):
        certify(Board.empty(FOUR).with_rule("killer 3 r1c1 r1c2"))
    assert main(["certify", "-q", "1234" + "." * 12, "--rule", "odd r1c1", "-o", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().out.startswith("refused\tnot certified: rule 'r1c1 holds an odd digit' ")
    assert not (tmp_path / "out").exists()


def test_the_verdict_stands_without_a_certificate(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(statements, "known_kinds", dict)
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "12343412214343..", "--rule", "odd r3c2", "--certify", "proof"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("unique")
    assert "puzzle 1: no certificate: not certified: rule 'r3c2 holds an odd digit'" in err


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["1234" + "." * 12, "--rule", "killer 7 r4c1 r4c2", "--rule", "even r2c1"]
    assert main(["certify", "-q", *given, "-o", str(tmp_path / "one.zip")]) == 0
    claim = capsys.readouterr().out.split("\t")[0]
    assert main(["verify", *given, "--certify", str(tmp_path / "two")]) in (0, 1)
    capsys.readouterr()
    assert main(["check", str(tmp_path / "one.zip"), str(tmp_path / "two")]) == 0
    out = capsys.readouterr().out
    assert out.count(f"accepted: {claim}") == 2
    assert out.count("rules: killer 1, even 1") == 2


def test_a_false_verdict_of_a_board_with_rules() -> None:
    from gridproof.errors import DisagreementError
    from gridproof.trust.verdict import Status, Verdict

    board = Board.empty(FOUR).with_rule("killer 3 r1c1 r1c2")
    with pytest.raises(DisagreementError, match="the verdict is none, but"):
        certificate_of(Verdict(Status.NONE, board))
