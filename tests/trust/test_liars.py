"""Backends that lie are caught: in the library, and from the command line as anybody's plug-in."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from core_samples import FOUR
from gridproof import backends
from gridproof.backends import isolation
from gridproof.backends.isolation import IsolatedBackend
from gridproof.backends.protocol import Backend
from gridproof.bulk import verify_many
from gridproof.cli import main
from gridproof.errors import BackendFailure, BackendUnavailable, DisagreementError
from gridproof.limits import NO_LIMITS, Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.questions import solve
from gridproof.trees import search_tree
from gridproof.trust import crosscheck, reference
from gridproof.trust.verdict import Status, Verdict
from liars import LIARS, Liar

pytestmark = pytest.mark.process

TWO = Board.from_symbols(FOUR, "12343412" + "." * 8)

every_liar = pytest.mark.parametrize("kind", LIARS)


# ---- in the library --------------------------------------------------------------------------------------------------


def judged(kind: str, command: str, board: Board = TWO, cross_check: str = "all") -> Verdict:
    with Pipeline(Liar(kind), cross_check=cross_check) as pipeline:
        return pipeline.verify(board) if command == "verify" else pipeline.solve(board)


def test_the_board_has_several_solutions_and_the_honest_one_is_believed() -> None:
    assert reference.count(TWO, 3) >= 2
    board = Board(FOUR, next(reference.solutions(TWO)))
    assert judged("honest", "verify").status is Status.MULTIPLE
    assert judged("honest", "verify", board).status is Status.UNIQUE
    assert judged("honest", "solve").status is Status.SOLVED


@every_liar
@pytest.mark.parametrize("command", ["verify", "solve"])
def test_a_verdict_is_a_disagreement(kind: str, command: str) -> None:
    verdict = judged(kind, command)
    if command not in LIARS[kind][1]:
        assert verdict.status is Status.SOLVED, "one solution was wanted, and it gives one"
        assert crosscheck.bad_grids(TWO, verdict.solutions) == []
        return
    assert verdict.status is Status.DISAGREEMENT
    assert not verdict.is_unique
    assert verdict.reason == "; ".join(verdict.evidence.contradictions)
    assert "backend" in verdict.reason
    assert str(verdict).startswith("disagreement; ")
    # only the reference catches what has no witness
    unchecked = judged(kind, command, cross_check="none")
    if kind in ("none-at-all", "one-of-two"):
        assert "backend claims" in verdict.reason
        assert "the reference found another" in verdict.reason
        assert unchecked.status in (Status.NONE, Status.UNIQUE)
        assert str(unchecked.evidence.reference) == "not asked"
    else:
        assert unchecked.status is Status.DISAGREEMENT


@every_liar
def test_a_count_does_not_pass(kind: str) -> None:
    with Pipeline(Liar(kind)) as pipeline:
        if "count" not in LIARS[kind][1]:
            assert pipeline.count(TWO, 2).number == 2
        elif kind in ("one-of-two", "none-at-all"):
            assert str(pipeline.count(TWO).evidence.reference) == "contradicts"
        else:
            with pytest.raises((BackendFailure, DisagreementError), match=f"liar-{kind}"):
                pipeline.count(TWO)


def test_both_claims_are_named() -> None:
    assert judged("none-at-all", "verify").reason == (
        "the backend claims no solution, the reference found another, which passes the check"
    )
    assert "twice" in judged("twice", "verify").reason
    assert "r1c1 holds 2 but its clue is 1" in judged("clue-changed", "verify").reason
    assert "ZeroDivisionError: of its own" in judged("crash-at-once", "verify").reason
    with pytest.raises(DisagreementError, match="the reference found another"):
        solve(TWO, Liar("none-at-all"))


def test_after_a_crash_the_next_board_gets_a_new_session() -> None:
    with Pipeline(Liar("crash-after-one")) as pipeline:
        first = pipeline.session(FOUR)
        assert pipeline.verify(TWO).status is Status.DISAGREEMENT
        assert pipeline.session(FOUR) is not first
        with pytest.raises(BackendFailure, match="closed"):
            first.solutions(TWO, NO_LIMITS)
        with pytest.raises(BackendFailure, match="RuntimeError: after one"):
            list(pipeline.solutions(TWO))
        assert pipeline.solve(TWO).status is Status.SOLVED


def test_a_crash_at_the_very_end_is_a_warning() -> None:
    with pytest.warns(RuntimeWarning, match="liar-crash-in-close crashed: RuntimeError: closed badly"):
        assert judged("crash-in-close", "verify").status is Status.MULTIPLE


# ---- as plug-ins -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the metadata of an installed package that brings the liars."""
    folder = tmp_path_factory.mktemp("site")
    bring(folder, "liars", "liars = liars:backends")
    return folder


def bring(folder: Path, name: str, entries: str, monkeypatch: pytest.MonkeyPatch | None = None) -> None:
    """Put the metadata of an installed package into a folder."""
    info = folder / f"{name}-6.66.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 6.66\n")
    (info / "entry_points.txt").write_text(f"[gridproof.backends]\n{entries}\n")
    if monkeypatch is not None:
        monkeypatch.syspath_prepend(str(folder))


@pytest.fixture
def installed(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(package))


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("kind", "command", "form"),
    [("none-at-all", "verify", "text"), ("wrong-grid", "solve", "text"), ("crash-after-one", "count", "json")],
)
def test_the_command_line_reports_it(
    kind: str,
    command: str,
    form: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = "12343412........"
    monkeypatch.chdir(tmp_path)
    arguments = [command, "-b", f"liar-{kind}", line]
    code = main([*arguments, "--json"] if form == "json" else arguments)
    out, err = capsys.readouterr()
    assert code == 3
    assert "gridproof: DISAGREEMENT: " in err
    (reproducer,) = tmp_path.glob("gridproof-disagreements/*.json")
    assert f"reproducer: {reproducer.relative_to(tmp_path)}" in err
    record = json.loads(reproducer.read_text(encoding="utf-8"))
    assert eval(record["board"], {"Board": Board, "Geometry": Geometry}) == TWO
    assert (record["made"]["backend"], record["made"]["backend_version"]) == (f"liar-{kind}", "6.66")
    assert record["contradictions"]
    assert record["reason"] in err
    if form == "json":
        printed = json.loads(out)
        assert (printed["verdict"], printed["reason"], printed["input"]) == ("disagreement", record["reason"], line)
        assert printed["evidence"]["contradictions"]
    else:
        assert out.count("\n") == 1
        assert "disagreement" in out
        assert "unique" not in out


def test_in_a_process_of_its_own(package: Path, tmp_path: Path) -> None:
    """Output of compiled code goes to standard error, too; the same disagreement twice is one reproducer."""
    source, here = Path(reference.__file__).parents[2], Path(__file__).parents[1]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (source, package, here)))}
    (tmp_path / "puzzles.txt").write_text("12343412........\n" * 2)
    for kind, code, verdict in (("chatty", 1, "multiple"), ("none-at-all", 3, "disagreement")):
        command = [sys.executable, "-m", "gridproof", "verify", "-b", f"liar-{kind}", "puzzles.txt"]
        done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path, check=False)
        assert done.returncode == code, done.stderr
        assert [line.split("\t")[0] for line in done.stdout.splitlines()] == [verdict] * 2
        assert "Traceback" not in done.stderr
        if kind == "chatty":
            assert "c written by compiled code\n" in done.stderr
            assert "| Conflicts | ORIGINAL\n" in done.stderr
    assert len(list(tmp_path.glob("gridproof-disagreements/*.json"))) == 1


@pytest.mark.usefixtures("installed")
def test_a_reproducer_that_cannot_be_written_hides_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gridproof-disagreements").touch()
    monkeypatch.chdir(tmp_path)
    assert main(["verify", "-b", "liar-twice", "12343412........"]) == 3
    out, err = capsys.readouterr()
    assert out.startswith("disagreement\t")
    assert "no reproducer: " in err


@pytest.mark.usefixtures("installed")
def test_a_backend_of_another_package_is_sent_by_its_place(tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text("from liars import Liar\n\ndef backends():\n    return [Liar('honest')]\n")
    for name in ("liar-honest", str(own)):
        backend = backends.find(name)
        assert isinstance(backend, IsolatedBackend)
        sent = pickle.dumps(backend)
        assert b"Liar" not in sent
        same = pickle.loads(sent)
        assert (same.name, same.version, type(same.inner)) == (name, backend.version, Liar)


@pytest.mark.usefixtures("installed")
def test_memory_that_runs_out_is_undecided() -> None:
    """The same holds in the process of a plug-in."""
    for backend in (Liar("out-of-memory"), "liar-out-of-memory"):
        with Pipeline(backend) as pipeline:
            verdict = pipeline.verify(TWO)
            assert (verdict.status, verdict.reason) == (Status.UNDECIDED, "there was not enough memory")


@pytest.mark.usefixtures("installed")
def test_a_time_limit_holds_for_a_backend_that_ignores_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Backend, "grace", 0.1)
    arguments = ["verify", "-q", "-b", "liar-hangs-after-one", "--seconds", "0.2"]
    assert main([*arguments, "12343412........", "1" + "." * 15]) == 1
    out, _ = capsys.readouterr()
    assert out.count("\n") == 2
    for line in out.splitlines():
        assert line.startswith("undecided\t")
        assert line.endswith("stopped by the limit of 0.2 seconds")


@pytest.mark.usefixtures("installed")
def test_a_backend_that_never_opens_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "OPENING_SECONDS", 0.2)
    with Pipeline("liar-hangs-in-open", limits=Limits(seconds=100)) as pipeline:
        verdict = pipeline.verify(TWO)
        monkeypatch.setattr(isolation, "Child", None)
        again = pipeline.verify(TWO)
    assert (verdict.status, again.status) == (Status.UNDECIDED, Status.UNDECIDED)
    assert verdict.reason == "liar-hangs-in-open had not loaded the rules after 0.2 seconds"
    assert again.reason == "liar-hangs-in-open did not load the rules in 0.2 seconds before"


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("limits", [NO_LIMITS, Limits(seconds=100)], ids=["no limit", "a time limit"])
def test_in_its_process_lies_are_found_and_the_truth_is_believed(limits: Limits) -> None:
    with Pipeline("liar-honest", limits=limits) as pipeline:
        assert [pipeline.verify(TWO).status, pipeline.verify(TWO).status] == [Status.MULTIPLE] * 2
        assert pipeline.count(TWO, 2).number == 2
    reasons = {
        "wrong-grid": "the backend's solution 1 is none: ",
        "not-a-grid": "the backend's solution 1 is none: ",
        "exits-after-one": "the backend liar-exits-after-one crashed: SystemExit: that is enough",
        "crash-in-open": "the backend liar-crash-in-open crashed: RuntimeError: cannot load",
        "dies": "the backend liar-dies crashed: liar-dies: its process ended (EOFError)",
    }
    for kind, reason in reasons.items():
        with Pipeline(f"liar-{kind}", limits=limits) as pipeline:
            verdict = pipeline.verify(TWO)
        assert verdict.status is Status.DISAGREEMENT
        assert reason in verdict.reason


# ---- in bulk and in comparisons ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("installed")
def test_in_bulk_here_and_in_worker_processes() -> None:
    for jobs, kinds in ((0, ("too-short", "crash-at-once")), (1, ("not-a-grid", "exits-after-one"))):
        for kind in kinds:
            (record,) = verify_many(["12343412........"], engine="session", backend=f"liar-{kind}", jobs=jobs)
            assert record.verdict == "disagreement"
            assert record.reason


# ---- their own descriptions ----------------------------------------------------------------------------------------


def test_what_is_made_of_our_parts_works_in_isolation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(tmp_path, "liars", "own = liars:own_backends", monkeypatch)
    assert search_tree(TWO, "search-mine", limits=NO_LIMITS).solutions == reference.count(TWO)
    with Pipeline("cp-mine") as pipeline:
        assert pipeline.verify(TWO).status is Status.MULTIPLE
        assert pipeline.count(TWO).number == reference.count(TWO)


def test_a_broken_plug_in_is_named_and_spoils_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = "broken = no_such_module:backends\nexits = liars:no_backends\nodd = liars:Odd.alone\nall = liars:backends"
    bring(tmp_path, "broken", entries, monkeypatch)
    assert main(["backends"]) == 0
    out, _ = capsys.readouterr()
    for words in (
        "unavailable: the entry point 'broken' (no_such_module:backends) fails: ModuleNotFoundError: ",
        "unavailable: the entry point 'exits' (liars:no_backends) fails: SystemExit: 7",
        "unavailable: the entry point 'odd' (liars:Odd.alone) fails: SystemExit: 7",
        "liar-honest          search          lies (6.66)",
    ):
        assert words in out
    names = [backend.name for backend in backends.all_backends()]
    assert names.index("liar-honest") > names.index("reference")
    for name in ("broken", "odd"):
        with pytest.raises(BackendUnavailable, match=f"{name}: .*fails: "):
            Pipeline(name)
    with pytest.raises(BackendUnavailable, match="no backend is called 'nobody'"):
        backends.find("nobody")
