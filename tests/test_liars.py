"""Backends that lie are caught: in the library, and from the command line as anybody's plug-in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core_samples import FOUR
from gridproof import backends, crosscheck, reference
from gridproof.backends.protocol import Backend
from gridproof.board import Board
from gridproof.cli import main
from gridproof.errors import BackendFailure, BackendUnavailable, DisagreementError
from gridproof.geometry import Geometry
from gridproof.limits import NO_LIMITS
from gridproof.questions import solve, verify
from gridproof.solve import Pipeline
from gridproof.verdict import Status, Verdict
from liars import LIARS, Liar

TWO = Board.from_symbols(FOUR, "12343412" + "." * 8)
COMMANDS = ("verify", "solve", "count")

every_liar = pytest.mark.parametrize("kind", LIARS)


def test_the_board_has_several_solutions_and_the_honest_one_is_believed() -> None:
    assert reference.count(TWO, 3) >= 2
    board = Board(FOUR, next(reference.solutions(TWO)))
    with Pipeline(Liar("honest")) as pipeline:
        assert pipeline.verify(TWO).status is Status.MULTIPLE
        assert pipeline.verify(board).status is Status.UNIQUE
        assert pipeline.solve(TWO).status is Status.SOLVED


# ---- in the library --------------------------------------------------------------------------------------------------


def judged(kind: str, command: str, board: Board = TWO, cross_check: str = "all") -> Verdict:
    with Pipeline(Liar(kind), cross_check=cross_check) as pipeline:
        return pipeline.verify(board) if command == "verify" else pipeline.solve(board)


@every_liar
@pytest.mark.parametrize("command", ["verify", "solve"])
def test_a_verdict_is_a_disagreement(kind: str, command: str, tmp_path: Path) -> None:
    verdict = judged(kind, command)
    if command not in LIARS[kind][1]:
        assert verdict.status is Status.SOLVED, "asked for one solution, it gives one"
        assert len(verdict.solutions) == 1
        assert crosscheck.bad_grids(TWO, verdict.solutions) == []
        return
    assert verdict.status is Status.DISAGREEMENT
    assert not verdict.is_unique
    assert verdict.evidence.contradictions
    assert verdict.reason == "; ".join(verdict.evidence.contradictions)
    assert "backend" in verdict.reason
    if verdict.evidence.reference == "contradicts":
        assert "backend claims" in verdict.reason
        assert "reference" in verdict.reason
    assert verdict.differing_cells == ()
    assert str(verdict).startswith("disagreement; ")
    # and it can be seen again from what is written down
    reproducer = json.loads(verdict.write_reproducer(tmp_path).read_text(encoding="utf-8"))
    assert eval(reproducer["board"], {"Board": Board, "Geometry": Geometry}) == TWO
    assert reproducer["made"]["backend"] == f"liar-{kind}"
    assert reproducer["made"]["backend_version"] == "6.66"
    assert reproducer["contradictions"] == list(verdict.evidence.contradictions)


@every_liar
def test_a_count_does_not_pass(kind: str) -> None:
    with Pipeline(Liar(kind)) as pipeline:
        if "count" not in LIARS[kind][1]:
            assert pipeline.count(TWO, 2).number == 2
            return
        if kind in ("one-of-two", "none-at-all"):
            count = pipeline.count(TWO)
            assert count.evidence.reference == "contradicts"
            assert "backend claims" in count.reason
            assert "reference" in count.reason
        else:
            with pytest.raises((BackendFailure, DisagreementError), match=f"liar-{kind}"):
                pipeline.count(TWO)


@pytest.mark.parametrize("kind", ["none-at-all", "one-of-two"])
def test_only_the_reference_catches_what_has_no_witness(kind: str) -> None:
    verdict = judged(kind, "verify", cross_check="none")
    assert verdict.status is (Status.NONE if kind == "none-at-all" else Status.UNIQUE)
    assert verdict.evidence.reference == "not asked"
    assert judged(kind, "verify", cross_check="sample=1").status is Status.DISAGREEMENT


@pytest.mark.parametrize("kind", sorted(set(LIARS) - {"none-at-all", "one-of-two"}))
def test_what_a_check_sees_needs_no_reference(kind: str) -> None:
    assert judged(kind, "verify", cross_check="none").status is Status.DISAGREEMENT


def test_both_claims_are_named() -> None:
    assert judged("none-at-all", "verify").reason == (
        "the backend claims no solution, the reference found another, which passes the check"
    )
    assert "the backend claims 1 solution, the reference found another" in judged("one-of-two", "verify").reason
    assert "twice" in judged("twice", "verify").reason
    assert "r1c1 holds 2 but its clue is 1" in judged("clue-changed", "verify").reason
    assert "ZeroDivisionError: of its own" in judged("crash-at-once", "verify").reason


def test_the_functions_raise() -> None:
    with pytest.raises(DisagreementError, match="the reference found another"):
        solve(TWO, Liar("none-at-all"))
    with pytest.raises(DisagreementError, match="is none"):
        solve(TWO, Liar("wrong-grid"))
    assert verify(TWO, Liar("twice")).status is Status.DISAGREEMENT


def test_after_a_crash_the_next_board_gets_a_new_session() -> None:
    with Pipeline(Liar("crash-after-one")) as pipeline:
        first = pipeline.session(FOUR)
        assert pipeline.verify(TWO).status is Status.DISAGREEMENT
        assert pipeline.session(FOUR) is not first
        with pytest.raises(BackendFailure, match="closed"):
            first.solutions(TWO, NO_LIMITS)
        with pytest.raises(BackendFailure, match="MemoryError: after one"):
            list(pipeline.solutions(TWO))
        assert pipeline.solve(TWO).status is Status.SOLVED


def test_a_crash_at_the_very_end_is_a_warning() -> None:
    with pytest.warns(RuntimeWarning, match="liar-crash-in-close crashed: RuntimeError: closed badly"):
        assert verify(TWO, Liar("crash-in-close")).status is Status.MULTIPLE


# ---- from the command line -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the metadata of an installed package that brings the liars."""
    folder = tmp_path_factory.mktemp("site")
    info = folder / "liars-6.66.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: liars\nVersion: 6.66\n")
    (info / "entry_points.txt").write_text("[gridproof.backends]\nliars = liars:backends\n")
    return folder


@pytest.fixture
def installed(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(package))


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("kind", "command"), [(kind, command) for kind in LIARS for command in sorted(LIARS[kind][1])])
@pytest.mark.parametrize("form", ["text", "json"])
def test_the_command_line_says_so(
    kind: str, command: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "12343412........"
    arguments = [command, "-b", f"liar-{kind}", "--reproducers", str(tmp_path), line]
    code = main([*arguments, "--json"] if form == "json" else arguments)
    out, err = capsys.readouterr()
    assert code == 3
    assert "gridproof: DISAGREEMENT: " in err
    (reproducer,) = tmp_path.glob("gridproof-disagreement-*.json")
    assert f"reproducer: {reproducer}" in err
    record = json.loads(reproducer.read_text(encoding="utf-8"))
    assert eval(record["board"], {"Board": Board, "Geometry": Geometry}) == TWO
    assert record["made"]["backend"] == f"liar-{kind}"
    assert record["python"]
    assert record["reason"] in err
    if form == "json":
        said = json.loads(out)
        assert said["verdict"] == "disagreement"
        assert said["reason"] == record["reason"]
        assert said["input"] == line
        assert said["evidence"]["contradictions"]
    else:
        assert out.count("\n") == 1
        assert "disagreement" in out
        assert "unique" not in out


@pytest.mark.parametrize("command", COMMANDS)
def test_in_a_process_of_its_own(command: str, package: Path, tmp_path: Path) -> None:
    source, here = Path(reference.__file__).parents[1], Path(__file__).parent
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (source, package, here)))}
    lines = "12343412........\n" * 2
    done = subprocess.run(
        [sys.executable, "-m", "gridproof", command, "-b", "liar-none-at-all"],
        input=lines,
        capture_output=True,
        text=True,
        env=env,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("DISAGREEMENT") == 2
    assert len(list(tmp_path.glob("gridproof-disagreement-*.json"))) == 1, "the same twice is one reproducer"
    assert len(done.stdout.splitlines()) == 2


@pytest.mark.usefixtures("installed")
def test_a_reproducer_that_cannot_be_written_hides_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing"
    assert main(["verify", "-b", "liar-twice", "--reproducers", str(missing), "12343412........"]) == 3
    out, err = capsys.readouterr()
    assert out.startswith("disagreement\t")
    assert "no reproducer: " in err


@pytest.mark.usefixtures("installed")
def test_plug_ins_are_listed_after_ours(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backends"]) == 0
    out, _ = capsys.readouterr()
    assert "liar-honest" in out
    names = [backend.name for backend in backends.all_backends()]
    assert names.index("liar-honest") > names.index("reference")
    assert isinstance(backends.find("liar-honest"), Backend)


def test_a_broken_plug_in_is_named_and_spoils_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[gridproof.backends]\nbroken = there_is_no_such_module:backends\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["backends"]) == 0
    out, _ = capsys.readouterr()
    (line,) = [line for line in out.splitlines() if "broken" in line]
    assert "unavailable: " in line
    assert "there_is_no_such_module" in line
    assert backends.find("reference").name == "reference"
    with pytest.raises(BackendUnavailable, match="there_is_no_such_module"):
        Pipeline("broken")
    with pytest.raises(BackendUnavailable, match="no backend is called 'nobody'"):
        backends.find("nobody")
