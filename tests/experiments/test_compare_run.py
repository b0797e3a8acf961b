"""Comparisons that run: processes that are measured, overrun, die, lie, and are gone on with."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from experiments.compare_fakes import (
    CannotStart,
    Fake,
    HoldsMemory,
    HousesOnly,
    RefusesWhenOpened,
    SleepingSolver,
    SlowToOpen,
    calls_a_program,
    denies,
    dies,
    fills_memory,
    invents,
    raises,
    repeats,
    sleeps,
    sleeps_after_the_first,
    stops_at_one,
)
from gridproof import cli
from gridproof.backends import find
from gridproof.backends.protocol import Backend
from gridproof.errors import InputError
from gridproof.experiments import (
    Comparison,
    ContradictionError,
    Plan,
    PuzzleSet,
    RunRecord,
    compare,
    experiment,
    scheduler,
)
from gridproof.experiments import records as files
from gridproof.experiments.measuring import Bench, StageClock
from gridproof.experiments.plan import Task, entries, schedule
from gridproof.experiments.records import Budget
from gridproof.models.catalog import load
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry
from gridproof.runs.progress import ProgressBar

pytestmark = pytest.mark.process

SMALL = Geometry.classic(2)


def boards(*lines: str) -> PuzzleSet:
    return PuzzleSet("small", tuple(Board.from_symbols(SMALL, line) for line in lines))


PROPER = "1234341221434..."
MANY = "1234............"
NO_SOLUTION = "1...1..........."
PROPER_2, MANY_2 = "2134341212434...", "2134............"
"""Boards with 2 in the first cell: those on which the fakes misbehave."""

GOOD = boards(PROPER, MANY, NO_SOLUTION)


def run(
    puzzles: PuzzleSet, *backends: str | Backend, seconds: float = 5.0, repeat: int = 1, **options: Any
) -> Comparison:
    return compare([puzzles], backends, seconds=seconds, repeat=repeat, **options)


# ---- measurements --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def measured() -> Comparison:
    return run(GOOD, "cadical153", Fake("fake"), mode="both", repeat=2, seed=3)


def test_every_run_is_made_once_and_gets_its_verdict(measured: Comparison) -> None:
    assert measured.complete
    assert len({record.key for record in measured.records}) == len(measured.records) == 3 * 2 * 2 * 2
    verdicts = {(record.puzzle, record.verdict) for record in measured.records}
    assert verdicts == {(1, "unique"), (2, "multiple"), (3, "none")}
    assert {record.solution for record in measured.records if record.puzzle == 1} == {"1234341221434321"}
    assert all(record.solved and not record.reason and not record.stage for record in measured.records)
    assert [record.position for record in measured.records] == list(range(24))


def test_each_cold_run_compiles_and_loads_a_warm_session_once_a_round(measured: Comparison) -> None:
    for record in measured.records:
        fresh = record.mode == "cold" or record.session_age == 0
        for name in ("encode_seconds", "load_seconds", "encode_cpu", "load_cpu"):
            assert (getattr(record, name) > 0) is fresh, (record.setup, name)
        assert record.first_seconds > 0  # type: ignore[operator]
        assert (record.prove_seconds > 0) is (record.verdict != "none")  # type: ignore[operator]
    for setup in measured.setups:
        for number in (0, 1):
            ages = [
                record.session_age for record in measured.records if record.setup == setup and record.repeat == number
            ]
            assert ages == ([0, 1, 2] if setup.mode == "warm" else [0, 0, 0])


def test_several_jobs_make_each_run_once_and_leave_a_warm_session_whole() -> None:
    comparison = run(boards(PROPER, MANY, NO_SOLUTION, PROPER), Fake("a"), Fake("b"), mode="warm", repeat=2, jobs=3)
    assert comparison.notes == ("small: 1 of 4 puzzles are there twice and run once",)
    assert len({record.key for record in comparison.records}) == len(comparison.records) == 12
    for setup in comparison.setups:
        assert Counter(run.session_age for run in comparison.records if run.setup == setup) == {0: 2, 1: 2, 2: 2}


def test_runs_of_a_warm_setup_keep_their_order_whichever_thread_makes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this a round would begin before the last one has ended, and close its session."""
    made: list[int] = []

    def measured(self: object, task: Task) -> dict[str, Any]:
        made.append(task.record.position)
        time.sleep(0)  # lets other threads go on
        return {}

    monkeypatch.setattr(scheduler._Scheduler, "_measured", measured)
    plan = Plan([GOOD], [Fake("a")], mode="warm", repeat=100)
    tasks = list(schedule(plan, entries(plan, []), [GOOD]))
    assert len(list(scheduler.execute(tasks, plan.budget, jobs=4))) == 300
    assert made == sorted(made)


def bench(backend: str | Backend, encoding: str | None = None, seconds: float = 5.0) -> Bench:
    """The work of a worker, in this process."""
    found = find(backend) if isinstance(backend, str) else backend
    return Bench(found, load(encoding) if encoding else None, Budget(seconds), StageClock())


def test_a_backend_that_cannot_be_stopped_is_not_measured_through_a_process_of_its_own() -> None:
    from gridproof.backends.isolation import EndableSession

    bench_of_it = bench("lingeling", "extended")
    assert bench_of_it.measure(GOOD.boards[0], (0, "small", Problem(SMALL)))["verdict"] == "unique"
    (opened,) = bench_of_it._warm.values()
    assert isinstance(opened.session, EndableSession)
    assert opened.session._isolated._child is None
    opened.session.close()


def test_processes_that_a_backend_starts_are_measured_and_limited() -> None:
    burning = Fake("burning", calls_a_program)
    (measured,) = run(boards(PROPER_2), burning, seconds=60).records
    assert measured.solved
    assert measured.first_cpu is not None
    assert measured.first_cpu >= 0.3
    assert measured.peak_memory is not None
    assert measured.base_memory is not None
    assert measured.peak_memory > measured.base_memory + 140_000_000
    (limited,) = run(boards(PROPER_2), burning, seconds=60, cpu_seconds=0.2).records
    assert (limited.solved, limited.stopped) == (False, "solve")
    (limited,) = run(boards(PROPER_2), burning, seconds=60, memory=120).records
    assert (limited.verdict, limited.reason) == ("undecided", "ended from outside: it overran the limit of 120 MB")
    assert limited.first_cpu is not None
    assert limited.first_cpu >= 0.25, "the last look may have been before the end of the burning"
    assert limited.peak_memory is not None
    assert limited.peak_memory > 120_000_000


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="this system cannot forget a peak")
@pytest.mark.parametrize("mode", ["cold", "warm"])
def test_memory_does_not_depend_on_the_runs_before(mode: str) -> None:
    two = PuzzleSet("filling", (Board.from_symbols(SMALL, MANY_2),))
    small = PuzzleSet("small", (Board.from_symbols(SMALL, PROPER), Board.from_symbols(Geometry.latin(4), PROPER)))
    made = compare([small, two], Fake("fills", fills_memory), repeat=4, mode=mode, seed=1)
    memory = {
        name: [run.peak_memory or 0 for run in made.records if run.puzzle_set == name] for name in ("small", "filling")
    }
    assert min(memory["filling"]) > max(memory["small"]) + 80_000_000
    assert max(memory["small"]) < min(memory["small"]) + 20_000_000
    crossed = Board.empty(SMALL.with_diagonals())
    diagonal = PuzzleSet("diagonal", (crossed, crossed.with_clue("r1c1", 1)))
    made = compare([small, diagonal], HoldsMemory("holds"), repeat=3, mode=mode, seed=1)
    large = [run.puzzle_set for run in made.records if (run.peak_memory or 0) > max(memory["small"]) + 60_000_000]
    assert large == ["diagonal"] * 6, "also in later rounds, whose sessions take the memory of earlier ones"


BURN = "import sys, time\nwhile time.process_time() < 0.4: pass\nprint(flush=True); sys.stdin.read()"


def test_a_process_that_still_runs_counts_in_the_stage_that_started_it() -> None:
    clock = StageClock()
    clock.reset()
    with clock.stage("first"):
        child = subprocess.Popen([sys.executable, "-c", BURN], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
    with clock.stage("prove"):
        pass
    child.communicate(b"")
    assert 0.3 <= clock.spent("first", kind="cpu") < 5
    assert clock.spent("prove", kind="cpu") < 0.2, "what was spent before does not count again"


# ---- backends that misbehave ---------------------------------------------------------------------------------------


@pytest.fixture
def little_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backends get less time for stopping by themselves."""
    monkeypatch.setattr(scheduler, "GRACE", 0.1)


@pytest.mark.parametrize(
    ("way", "mode", "stage"), [(sleeps, "warm", "first"), (sleeps_after_the_first, "cold", "prove")]
)
@pytest.mark.usefixtures("little_grace")
def test_a_run_that_overruns_is_ended_from_outside_and_its_worker_replaced(way: Any, mode: str, stage: str) -> None:
    comparison = run(boards(MANY_2, PROPER, MANY), Fake("slow", way), mode=mode, repeat=2, seconds=0.8)
    assert comparison.complete
    assert len(comparison.records) == 6
    for record in comparison.records:
        if record.puzzle == 1:
            assert (record.verdict, record.stage) == ("undecided", stage)
            assert record.reason == "ended from outside: it overran the limit of 0.8 seconds"
            assert record.seconds >= 0.8
            assert (record.prove_seconds is not None) is (stage == "prove")
            assert getattr(record, f"{stage}_cpu") is not None
            assert record.peak_memory is not None
            assert record.peak_memory > 1_000_000
        else:
            assert record.verdict == {2: "unique", 3: "multiple"}[record.puzzle]


def test_a_worker_that_dies_is_a_failed_run_and_no_more() -> None:
    comparison = run(boards(MANY_2, PROPER), Fake("dead", dies), mode="warm", repeat=2)
    assert comparison.complete
    outcomes = {(record.puzzle, record.verdict, record.reason) for record in comparison.records}
    assert outcomes == {(1, "failed", "its process ended with exit code 7"), (2, "unique", "")}


def test_a_backend_that_raises_fails_and_its_session_is_not_used_again() -> None:
    raising, session = bench(Fake("raising", raises)), (0, "small", Problem(SMALL))
    lines = (PROPER, MANY, MANY_2, MANY)
    measured = [raising.measure(Board.from_symbols(SMALL, line), session) for line in lines]
    assert [run["verdict"] for run in measured] == ["unique", "multiple", "failed", "multiple"]
    assert (measured[2]["reason"], measured[2]["stage"]) == ("crashed: ZeroDivisionError: by design", "first")
    assert [run["session_age"] for run in measured] == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("way", "verdict", "reason"),
    [
        (invents, "disagreement", "gave a grid that is no solution: r1c1 holds 1 but its clue is 2"),
        (repeats, "disagreement", "gave the same solution twice as two"),
        (denies, "none", ""),
        (stops_at_one, "unique", ""),
    ],
)
def test_what_a_liar_gives_is_checked_as_far_as_it_can_be_alone(way: Any, verdict: str, reason: str) -> None:
    measured = bench(Fake("liar", way)).measure(Board.from_symbols(SMALL, MANY_2))
    assert (measured["verdict"], measured.get("reason", "")) == (verdict, reason)


@pytest.mark.usefixtures("little_grace")
def test_a_session_that_does_not_open_in_time_is_not_tried_for_each_puzzle(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(scheduler, "OPENING_SECONDS", 0.3)
    openings = tmp_path / "openings"
    monkeypatch.setenv("GRIDPROOF_TEST_OPENINGS", str(openings))
    six = Geometry.classic(2, 3)
    large = PuzzleSet("six", (Board.empty(six), Board.empty(six).with_clue(0, 1), Board.empty(six).with_clue(0, 2)))
    comparison = compare([large], [SlowToOpen("slow")], mode="warm", seconds=0.2, repeat=4)
    assert {(record.verdict, record.stage) for record in comparison.records} == {("undecided", "load")}
    assert len({record.reason for record in comparison.records}) == 1
    assert comparison.records[0].reason.startswith("its session was not open after")
    assert len(openings.read_text()) == 1


def test_a_backend_that_cannot_start_in_its_process_fails_or_is_refused() -> None:
    with pytest.raises(InputError, match="'local' cannot be sent to another process"):
        run(GOOD, Fake("local", lambda board, limits: iter(())))  # type: ignore[arg-type, return-value]
    comparison = run(GOOD, CannotStart("broken"))
    outcomes = [(record.verdict, record.reason) for record in comparison.records]
    assert outcomes == [("failed", "ImportError: no such library")] * 3


def test_a_backend_that_refuses_a_set_is_not_applicable_there() -> None:
    ruled = PuzzleSet("ruled", (GOOD.boards[0].with_rule("killer 3 r1c1 r1c2"), GOOD.boards[0]))
    notes: list[str] = []
    comparison = compare([GOOD, ruled], [HousesOnly("houses"), Fake("fake")], repeat=1, seconds=5, note=notes.append)
    assert notes == ["houses is left out of ruled: it takes houses only"]
    assert comparison.complete
    outcomes = {
        (run.puzzle, run.verdict, run.reason, run.seconds)
        for run in comparison.records
        if run.puzzle_set == "ruled" and run.backend == "houses" and run.puzzle == 1
    }
    assert outcomes == {(1, "not applicable", "it takes houses only", 0.0)}
    tables = {ranking.puzzle_set: ranking for ranking in comparison.rankings()}
    assert [row.setup.backend for row in tables["ruled"].rows] == ["fake"]
    assert len(tables["small"].rows) == 2


def test_a_refusal_at_opening_is_not_applicable() -> None:
    refusing = bench(RefusesWhenOpened("refusing"))
    measured = refusing.measure(Board.from_symbols(SMALL, PROPER))
    assert (measured["verdict"], measured["reason"]) == ("not applicable", "no board of 4x4")


@pytest.mark.usefixtures("little_grace")
def test_a_run_that_is_ended_keeps_the_size_of_its_model() -> None:
    (run_of_it,) = run(boards(MANY_2), SleepingSolver(), seconds=0.5).records
    assert (run_of_it.verdict, run_of_it.stage) == ("undecided", "first")
    assert run_of_it.variables is not None
    assert run_of_it.variables >= 64
    assert run_of_it.clauses
    assert run_of_it.base_memory
    assert run_of_it.session_age == 0


# ---- contradictions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "message"),
    [(denies, "claims none"), (invents, "gave a grid that is no solution: ")],
)
def test_a_contradiction_stops_the_show_and_keeps_what_was_measured(tmp_path: Path, way: Any, message: str) -> None:
    output = tmp_path / "results.jsonl"
    puzzles, backends = boards(MANY_2, PROPER, MANY), (Fake("liar", way), Fake("fake"))
    with pytest.raises(ContradictionError, match=message) as caught:
        run(puzzles, *backends, output=output)
    assert "liar" in str(caught.value)
    assert MANY_2 in str(caught.value)
    kept = files.read(output)
    assert tuple(kept) == caught.value.comparison.records
    assert kept[-1].puzzle == 1
    # it is not forgotten by going on
    with pytest.raises(ContradictionError, match=message):
        run(puzzles, *backends, output=output, resume=True)
    assert files.read(output) == kept


# ---- interruption --------------------------------------------------------------------------------------------------


def interrupted_after(number: int, patch: pytest.MonkeyPatch) -> None:
    """Have Ctrl-C come when so many runs are made."""

    def execute(*arguments: Any) -> Iterator[RunRecord]:
        with closing(scheduler.execute(*arguments)) as records:
            yield from islice(records, number)
            raise KeyboardInterrupt

    patch.setattr(experiment, "execute", execute)


def test_an_interrupted_comparison_goes_on_to_the_same_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "results.csv"
    options: dict[str, Any] = {"repeat": 2, "seed": 5, "output": output}
    with monkeypatch.context() as patch:
        interrupted_after(5, patch)
        partial = run(GOOD, Fake("a"), Fake("b"), **options)
    assert not partial.complete
    assert len(partial.records) == 5
    assert files.read(output) == list(partial.records)
    assert "Incomplete: 5 of 12 runs" in str(partial)

    notes: list[str] = []
    shown: list[tuple[int, int]] = []
    monkeypatch.setattr(ProgressBar, "__call__", lambda self, done, total: shown.append((done, total)))
    whole = run(GOOD, Fake("a"), Fake("b"), note=notes.append, resume=True, **options)
    assert notes == ["resumed: 5 of 12 runs were made before"]
    assert shown == [(done, 7) for done in range(1, 8)]
    assert whole.complete
    assert whole.records[:5] == partial.records
    assert [record.position for record in whole.records] == list(range(12))
    assert files.read(output) == list(whole.records)
    assert [file.name for file in tmp_path.iterdir()] == [output.name]

    plan = Plan([GOOD], [Fake("a"), Fake("b")], repeat=2, seed=5)
    assert [record.key for record in whole.records] == [
        task.record.key for task in schedule(plan, entries(plan, []), [GOOD])
    ]
    # all is there: nothing is run again
    again = run(GOOD, Fake("a"), Fake("b"), resume=True, **options)
    assert again.records == whole.records


def test_a_killed_comparison_goes_on_from_its_journal(tmp_path: Path) -> None:
    output = tmp_path / "results.csv"
    whole = run(GOOD, Fake("a"), output=output)
    output.unlink()
    journal = files.open_journal(files.journal(output))
    for record in whole.records[:2]:
        journal.add(asdict(record))
    journal.close()
    with journal.path.open("a", encoding="utf-8") as out:
        out.write('{"puzzle_set": "sma')
    with pytest.raises(InputError, match=r"results\.csv\.journal was left by a comparison that was killed"):
        run(GOOD, Fake("a"), output=output)
    again = run(GOOD, Fake("a"), output=output, resume=True)
    assert again.records[:2] == whole.records[:2]
    assert again.records[2] != whole.records[2]  # it was measured again
    assert {record.key for record in again.records} == {record.key for record in whole.records}
    assert not journal.path.exists()


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("missing", [1, 8, 60])
def test_half_a_last_line_is_measured_again(missing: int, form: str, tmp_path: Path) -> None:
    output = tmp_path / f"results.{form}"
    whole = run(GOOD, Fake("a"), output=output)
    output.write_bytes(output.read_bytes()[:-missing])
    again = run(GOOD, Fake("a"), output=output, resume=True)
    assert again.complete
    assert again.records[:2] == whole.records[:2]
    assert [record.key for record in again.records] == [record.key for record in whole.records]
    assert files.read(output) == list(again.records)


def test_names_that_a_spreadsheet_would_run_are_made_safe_and_known_again(tmp_path: Path) -> None:
    output = tmp_path / "results.csv"
    puzzles = boards(PROPER)
    before = run(puzzles, Fake("=cmd|1"), output=output)
    assert ",'=cmd|1," in output.read_text()
    assert files.read(output) == list(before.records)
    assert run(puzzles, Fake("=cmd|1"), output=output, resume=True).records == before.records


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("finished") / "results.csv"
    run(boards(PROPER), Fake("a"), output=output)
    return output


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seconds": 4.0}, "limit was 5.0 when it was measured, it is 4.0 now"),
        ({"seed": 1}, "seed was 0"),
        ({"mode": "warm"}, "is not wanted now"),
        ({"puzzles": boards(PROPER_2)}, "board was '1234341221434...'"),
    ],
)
def test_runs_of_another_comparison_are_not_gone_on_from(finished: Path, changes: dict[str, Any], message: str) -> None:
    before = finished.read_bytes()
    options = {"puzzles": GOOD, **changes}
    with pytest.raises(InputError, match=f"cannot resume: .*{message}"):
        run(options.pop("puzzles"), Fake("a"), output=finished, resume=True, **options)
    assert finished.read_bytes() == before


# ---- the command ---------------------------------------------------------------------------------------------------


@pytest.fixture
def puzzle_file(tmp_path: Path) -> str:
    path = tmp_path / "small.txt"
    path.write_text(f"{PROPER}\n{MANY}\n", encoding="ascii")
    return str(path)


def test_the_command_measures_shows_writes_and_draws(
    puzzle_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    results, cactus, scatter = (tmp_path / name for name in ("r.csv", "c.svg", "s.png"))
    command = ["compare", puzzle_file, "-b", "cadical153", "-b", "search-bits", "-e", "extended", "-e", "linked"]
    command += ["--repeat", "1", "-o", str(results)]
    pictures = ["--draw", "cactus", str(cactus), "--draw", "scatter:cadical153,search-bits", str(scatter)]
    assert cli.main([*command, *pictures]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("small: 2 puzzles, cold, limit 10 s\n")
    assert "linked is for cp-sat, so it is skipped with cadical153" in err
    assert len(files.read(results)) == 4
    assert cactus.read_bytes().startswith(b"<?xml")
    assert scatter.read_bytes().startswith(b"\x89PNG")
    # the same table from the file, and nothing measured
    assert cli.main(["compare", "--from", str(results)]) == 0
    assert capsys.readouterr().out == out


def test_the_command_names_what_stopped_it(
    puzzle_file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "r.csv"
    command = ["compare", puzzle_file, "-b", "reference", "--repeat", "1", "-o", str(results)]

    with monkeypatch.context() as patch:
        interrupted_after(1, patch)
        assert cli.main(command) == 130
    out, err = capsys.readouterr()
    assert "Incomplete: 1 of 2 runs" in out
    assert f"gridproof: interrupted; the same command with --resume goes on from {results}" in err
    (record,) = files.read(results)
    with monkeypatch.context() as patch:
        patch.setattr("gridproof.cli.compare.compare", lambda *_, **__: Comparison((), 10.0, 0, expected=2))
        assert cli.main(command[:-2]) == 130, "before the first run"
    assert capsys.readouterr().err == "gridproof: interrupted\n"
    assert cli.main([*command, "--resume", "-q"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert record in files.read(results)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["nosuch"], "no puzzle set 'nosuch'"),
        ([], "no puzzle sets"),
        (["hard", "-o", "r.xlsx"], "'r.xlsx'"),
        (["hard", "--draw", "cactus", "c.bmp"], "a picture in 'c.bmp'"),
        (
            ["hard", "--draw", "scatter:a", "c.svg"],
            "--draw scatter:a; expected cactus, scatter:A,B or against:PARAMETER",
        ),
        (["hard", "--draw", "cactus:order,set", "c.svg"], "--draw cactus:order,set; expected cactus"),
        (["hard", "--export", "r.txt"], "--export r.txt; expected a name that ends in .csv"),
        (["hard", "--draw", "catcus", "c.svg"], "did you mean cactus?"),
        (["hard", "--force"], "--force without --output"),
        (["--from", "r.csv", "--resume"], "--from shows results"),
        (["--from", "r.csv", "--memory", "5"], "--from shows results that were measured before; expected no --memory"),
        (["--replay", "f", "--seconds", "3"], "--replay runs what the folder holds; expected no --seconds"),
        (["hard", "--table", "t.doc"], "expected a name that ends in .md or .tex or .json"),
        (["hard", "--folder", "f", "-o", "r.csv"], "expected one of them, without --output"),
        (["hard", "--replay", "f"], "--replay runs what the folder holds; expected no SET"),
        (["--replay", "nosuch"], "expected a folder made by compare --folder"),
    ],
)
def test_the_command_refuses_what_it_cannot_do(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    assert cli.main(["compare", *options]) == 2
    assert message in capsys.readouterr().err
