"""Backends that lie are caught: in the library, and from the command line as anybody's plug-in."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core_samples import FOUR
from gridproof import backends
from gridproof.backends import guarding, plugins
from gridproof.backends.protocol import Backend
from gridproof.bulk import verify_many
from gridproof.cli import main
from gridproof.errors import BackendFailure, BackendUnavailable, DisagreementError
from gridproof.experiments.measuring import Bench, Request, StageClock
from gridproof.limits import NO_LIMITS, Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.questions import solve, verify
from gridproof.trees import search_tree
from gridproof.trust import crosscheck, reference
from gridproof.trust.verdict import Status, Verdict
from liars import LIARS, RED, Liar

pytestmark = pytest.mark.process

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
def test_a_verdict_is_a_disagreement(kind: str, command: str) -> None:
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
    assert str(verdict).startswith("disagreement; ")


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
        with pytest.raises(BackendFailure, match=r"RuntimeError: \\x1b\[31mafter one"):
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


def in_a_process(arguments: list[str], package: Path, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    source, here = Path(reference.__file__).parents[2], Path(__file__).parent
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (source, package, here)))}
    return subprocess.run(
        [sys.executable, "-m", "gridproof", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        env=env,
        cwd=cwd,
        check=False,
    )


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("kind", "command", "form"),
    [
        *((kind, command, "text") for kind in LIARS for command in sorted(LIARS[kind][1])[-1:]),
        *(("crash-after-one", command, "json") for command in ("verify", "count")),
        *(("none-at-all", command, form) for command in COMMANDS for form in ("text", "json")),
    ],
)
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
    assert (record["made"]["backend"], record["made"]["backend_version"]) == (f"liar-{kind}", "6.66")
    assert record["contradictions"]
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
    assert RED not in out + err


@pytest.mark.usefixtures("installed")
def test_a_limit_in_colours_is_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "-b", "liar-interrupted-in-colours", "12343412........"]) == 1
    out, err = capsys.readouterr()
    assert r"stopped \x1b[31m" in out
    assert RED not in out + err


# ---- what lands where verdicts are printed ---------------------------------------------------------------------------


@pytest.mark.parametrize("options", ["count", "verify -j1", "verify --seconds 100"])
def test_only_results_go_to_standard_output(options: str, package: Path, tmp_path: Path) -> None:
    """What is printed in Python, by compiled code, and by programs that are started goes to standard error."""
    (tmp_path / "puzzles.txt").write_text("123434122143432.\n" * 2)
    done = in_a_process([*options.split(), "-q", "-b", "liar-chatty", "puzzles.txt"], package, tmp_path)
    lines = done.stdout.splitlines()
    assert len(lines) == 2, done.stdout
    assert {line.split("\t")[0] for line in lines} == {"1" if options == "count" else "unique"}
    assert "c written by compiled code\n" in done.stderr
    assert "| Conflicts | ORIGINAL\n" in done.stderr


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("limits", [NO_LIMITS, Limits(seconds=100)])
def test_memory_that_runs_out_is_undecided(limits: Limits) -> None:
    """Also in a process of its own, and behind the guard of a plug-in."""
    for backend in (Liar("out-of-memory"), "liar-out-of-memory"):
        with Pipeline(backend, limits=limits) as pipeline:
            verdict = pipeline.verify(TWO)
            assert (verdict.status, verdict.reason) == (Status.UNDECIDED, "there was not enough memory")


# ---- time limits ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("kind", ["hangs", "hangs-after-one"])
def test_a_time_limit_holds_for_a_backend_that_ignores_it(
    kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(plugins.Foreign, "grace", 0.1)
    assert main(["verify", "-q", "-b", f"liar-{kind}", "--seconds", "0.2", "12343412........", "1" + "." * 15]) == 1
    out, _ = capsys.readouterr()
    for line in out.splitlines():
        assert line.startswith("undecided\t")
        assert line.endswith("stopped by the limit of 0.2 seconds")
    assert out.count("\n") == 2


@pytest.mark.usefixtures("installed")
def test_a_backend_that_never_opens_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarding, "OPENING_SECONDS", 0.2)
    with Pipeline("liar-hangs-in-open", limits=Limits(seconds=100)) as pipeline:
        verdict = pipeline.verify(TWO)
        monkeypatch.setattr(guarding, "Child", None)
        again = pipeline.verify(TWO)
    assert (verdict.status, again.status) == (Status.UNDECIDED, Status.UNDECIDED)
    assert verdict.reason == "liar-hangs-in-open had not loaded the rules after 0.2 seconds"
    assert again.reason == "liar-hangs-in-open did not load the rules in 0.2 seconds before"


@pytest.mark.usefixtures("installed")
def test_under_a_time_limit_not_even_the_end_of_its_process_ends_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    with Pipeline("liar-dies", limits=Limits(seconds=100)) as pipeline:
        verdict = pipeline.verify(TWO)
    assert verdict.status is Status.DISAGREEMENT
    assert verdict.reason == "the backend liar-dies crashed: liar-dies: its process ended (EOFError)"


@pytest.mark.usefixtures("installed")
def test_under_a_time_limit_the_truth_is_told_and_lies_are_found() -> None:
    limits = Limits(seconds=100)
    with Pipeline("liar-honest", limits=limits) as pipeline:
        assert [pipeline.verify(TWO).status, pipeline.verify(TWO).status] == [Status.MULTIPLE] * 2
        assert pipeline.count(TWO, 2).number == 2
    said = {
        "wrong-grid": "the backend's solution 1 is none: ",
        "not-a-grid": "the backend liar-not-a-grid crashed: it gave None; expected a tuple of symbols",
        "exits-after-one": "the backend liar-exits-after-one crashed: SystemExit: that is enough",
        "crash-in-open": "the backend liar-crash-in-open crashed: RuntimeError: cannot load",
    }
    for kind, reason in said.items():
        with Pipeline(f"liar-{kind}", limits=limits) as pipeline:
            verdict = pipeline.verify(TWO)
        assert verdict.status is Status.DISAGREEMENT
        assert reason in verdict.reason


@pytest.mark.usefixtures("installed")
def test_a_process_that_may_start_none_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)  # type: ignore[attr-defined]
    with (
        Pipeline("liar-honest", limits=Limits(seconds=100)) as pipeline,
        pytest.raises(BackendUnavailable, match="keeps a time limit only in a child process"),
    ):
        pipeline.verify(TWO)


# ---- in bulk and in comparisons ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("installed")
def test_in_bulk_here_and_in_worker_processes() -> None:
    for jobs, kinds in ((0, LIARS), (1, ("not-a-grid", "exits", "crash-after-one"))):
        for kind in kinds:
            (record,) = verify_many(["12343412........"], engine="session", backend=f"liar-{kind}", jobs=jobs)
            assert record.verdict == "disagreement"
            assert record.reason
            assert RED not in record.reason


@every_liar
def test_in_a_comparison(kind: str) -> None:
    measured = Bench(Liar(kind), None, StageClock()).measure(Request(TWO, None, 100.0, 0.0))
    assert RED not in measured.get("reason", "")
    json.dumps(measured)
    if kind.startswith(("exit", "crash")) and kind != "crash-in-statistics":
        assert (measured["verdict"], measured["reason"][:9]) in (("failed", "crashed: "), ("disagreement", "gave a gr"))


# ---- what they say about themselves --------------------------------------------------------------------------------


def test_in_a_process_of_its_own(package: Path, tmp_path: Path) -> None:
    done = in_a_process(["verify", "-b", "liar-none-at-all"], package, tmp_path, "12343412........\n" * 2)
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("DISAGREEMENT") == 2
    assert len(list(tmp_path.glob("gridproof-disagreements/*.json"))) == 1, "the same twice is one reproducer"
    assert len(done.stdout.splitlines()) == 2


@pytest.mark.usefixtures("installed")
def test_a_reproducer_that_cannot_be_written_hides_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    folder = str(tmp_path / "file" / "folder")
    assert main(["verify", "-b", "liar-twice", "--reproducers", folder, "12343412........"]) == 3
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


def test_what_they_state_about_themselves_can_be_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bring(tmp_path, "liars", "odd = liars:odd_backends\nnone = liars:no_backends", monkeypatch)
    assert main(["backends"]) == 0
    out, err = capsys.readouterr()
    assert RED not in out + err
    assert "Hello from the liars!\n" in err
    for line in (
        r"odd-summary          search          \x1b[31mlies and lies (6.66)",
        r"odd-version          search          lies (\x1b[31m6)",
        "odd-no-reason        search          unavailable: it fails: SystemExit: 7",
        "fails: family of odd-family is 'oracle'; expected one of sat, cp, ",
        "fails: it gives 42; expected backends",
        "unavailable: the entry point 'none' (liars:no_backends) fails: SystemExit: 7",
        "liar-honest          search          lies (6.66)",
    ):
        assert line in out
    with pytest.raises(BackendUnavailable, match="odd-no-reason: it fails: SystemExit: 7"):
        Pipeline("odd-no-reason")


def test_what_is_made_of_our_parts_works_behind_the_guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring(tmp_path, "liars", "own = liars:own_backends", monkeypatch)
    assert search_tree(TWO, "search-mine", limits=NO_LIMITS).solutions == reference.count(TWO)
    for limits in (NO_LIMITS, Limits(seconds=100)):
        with Pipeline("cp-mine", limits=limits) as pipeline:
            assert pipeline.verify(TWO).status is Status.MULTIPLE
            assert pipeline.count(TWO).number == reference.count(TWO)


def test_a_broken_plug_in_is_named_and_spoils_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bring(tmp_path, "broken", "broken = there_is_no_such_module:backends", monkeypatch)
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
