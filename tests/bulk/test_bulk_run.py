"""The kind of worker makes no difference; workers that die are replaced, puzzles that kill them set aside."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bulk.bulk_samples import (
    CLASSIC,
    DyingBackend,
    HandlingBackend,
    clues_of,
    environment,
    here,
    in_parts,
    parts_of,
    puzzles,
    write_lines,
)
from gridproof.bulk import verify_many
from gridproof.bulk.chunks import Chunk
from gridproof.bulk.job import Job
from gridproof.bulk.reading import Rows
from gridproof.bulk.run import Workers, start_workers, work_through
from gridproof.bulk.work import work
from gridproof.errors import BackendFailure
from gridproof.formats.shapes import Shapes
from gridproof.trust.crosscheck import CrossCheck

pytestmark = pytest.mark.process

JOB = Job("session", cross_check=CrossCheck("none"))


def test_start_workers_and_executors_give_the_same() -> None:
    lines = puzzles(300, 3)
    options: dict[str, Any] = {"engine": "session"}
    alone = in_parts(40, lines, **options)
    assert in_parts(40, lines, jobs=2, **options) == alone
    with ThreadPoolExecutor(3) as threads:
        assert in_parts(40, lines, executor=threads, **options) == alone
    assert {record.verdict for record in alone} == {"unique", "multiple", "none"}


def test_sessions_forget_between_parts() -> None:
    lines = puzzles(60, 4)
    together = in_parts(30, lines, engine="session")
    second = in_parts(30, lines[30:], engine="session")
    assert [record.second_solution for record in together[30:]] == [record.second_solution for record in second]


def test_records_come_while_the_rest_is_not_even_read() -> None:
    read = 0

    def source() -> Iterator[str]:
        nonlocal read
        for line in puzzles(50) * 3000:
            read += 1
            yield line

    with parts_of(500):
        assert next(verify_many(source(), cross_check="none")).row == 1
    assert read < 30_000


def test_a_worker_that_dies_is_replaced_and_its_part_done_again(tmp_path: Path) -> None:
    lines = puzzles(60, 5)
    calm = in_parts(10, lines, engine="session", backend=DyingBackend(frozenset()))
    once = str(tmp_path / "died")
    dying = DyingBackend(frozenset({clues_of(lines[33])}), once)
    with pytest.warns(RuntimeWarning, match=r"died on rows 31 to 40 \(it ended with exit code 9\)") as warnings:
        verified = in_parts(10, lines, engine="session", backend=dying, jobs=2)
    assert len(warnings) == 1
    assert Path(once).exists()
    assert verified == calm


def script_of(tmp_path: Path, how: str, part_size: int) -> subprocess.CompletedProcess[str]:
    """A script without ``if __name__ == "__main__":`` that has processes started."""
    script = tmp_path / "script.py"
    script.write_text(
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from multiprocessing import get_context\n"
        "from gridproof.backends.solvers.reference import ReferenceBackend\n"
        "from gridproof.bulk import many, verify_many\n"
        f"many.SESSION_PART_SIZE = {part_size}\n"
        "class Mine(ReferenceBackend):\n    name = 'mine'\n"
        f"for record in verify_many({puzzles(24, 6)!r}, engine='session', {how}):\n"
        "    print(record.verdict, record.engine)\n"
    )
    return subprocess.run(
        [sys.executable, str(script)], env=environment(), capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("how", "part_size"),
    [
        ("backend=Mine(), jobs=2", 4),
        ("executor=ProcessPoolExecutor(1, mp_context=get_context('spawn'))", 24),
    ],
)
def test_a_script_that_is_not_guarded_gets_an_error(how: str, part_size: int, tmp_path: Path) -> None:
    """Its workers never begin: no puzzle is to blame, so none is set aside."""
    done = script_of(tmp_path, how, part_size)
    assert (done.returncode, done.stdout) == (1, "")
    assert "gridproof.errors.BackendFailure: " in done.stderr
    assert 'a script that works below `if __name__ == "__main__":` only' in done.stderr


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals of POSIX")
def test_workers_hear_no_ctrl_c_whatever_handler_a_solver_installs() -> None:
    lines = puzzles(6, 5)
    verified = in_parts(3, lines, engine="session", backend=HandlingBackend(), jobs=1)
    calm = in_parts(3, lines, engine="session", backend=DyingBackend(frozenset()))
    assert [record._replace(engine=None) for record in verified] == [record._replace(engine=None) for record in calm]


def test_a_puzzle_that_kills_workers_is_set_aside() -> None:
    lines = puzzles(24, 6)
    poison = frozenset({clues_of(lines[9])})
    calm = in_parts(8, lines, engine="session", backend=DyingBackend(frozenset()))
    with pytest.warns(RuntimeWarning) as warnings:
        verified = in_parts(8, lines, engine="session", backend=DyingBackend(poison), jobs=2)
    first, second = [str(each.message) for each in warnings]
    assert first.startswith("a worker process died on rows 9 to 16 (it ended with exit code 9)")
    assert second.startswith("row 10 is set aside")
    assert [record.row for record in verified if record.verdict == "undecided"] == [10]
    assert verified[9].reason is not None
    assert "set aside" in verified[9].reason
    assert (verified[9].engine, verified[9].reference, verified[9].puzzle) == (None, "not asked", lines[9])
    assert verified[:9] + verified[10:] == calm[:9] + calm[10:]


def test_workers_that_die_on_everything_end_the_run() -> None:
    lines = puzzles(24, 6)
    dying = DyingBackend(frozenset([clues_of(line) for line in lines]))
    with (
        pytest.warns(RuntimeWarning),
        pytest.raises(BackendFailure, match=r"die on one puzzle after the other: rows 1, 2, 3, 4; expected"),
    ):
        in_parts(12, lines, engine="session", backend=dying, jobs=1)


def test_parts_that_die_though_none_of_their_puzzles_does_end_the_run(tmp_path: Path) -> None:
    """As where memory is short: what is done in small pieces gets through, but there is no end of it."""
    lines = puzzles(48, 6)
    dying = DyingBackend(frozenset([clues_of(lines[place]) for place in range(7, 48, 8)]), most=4)
    with (
        pytest.warns(RuntimeWarning, match="worker process died") as warnings,
        pytest.raises(BackendFailure, match=r"twice on each of 3 parts, .*no puzzle of these kills one alone"),
    ):
        in_parts(8, lines, engine="session", backend=dying, jobs=1)
    assert len(warnings) == 3


@pytest.mark.parametrize("problem", [OSError(24, "Too many open files"), ImportError("cannot open shared object")])
def test_workers_that_cannot_start_are_a_fault_of_the_machine(
    problem: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(*_: object) -> None:
        raise problem

    monkeypatch.setattr("gridproof.runs.pool.Worker", start)
    path = write_lines(tmp_path / "lines.txt", puzzles(20))
    for how in (["-j", "2"], ["-j", "1", "-q"]):
        code, messages = here(path, "-o", tmp_path / "out.csv", *how)
        assert code == 2
        assert messages.count("\n") == 1
        assert "worker processes cannot be started: " in messages
        assert (getattr(problem, "strerror", None) or str(problem)) in messages
        assert [each.name for each in tmp_path.iterdir()] == ["lines.txt"]


def test_an_executor_that_breaks_is_its_owners_business() -> None:
    lines = puzzles(4, 8)
    dying = DyingBackend(frozenset({clues_of(lines[0])}))
    with ProcessPoolExecutor(1) as executor, pytest.raises(BackendFailure, match="the executor broke"):
        list(verify_many(lines, engine="session", backend=dying, executor=executor))


def test_errors_of_the_work_itself_are_not_deaths() -> None:
    class Failing(ThreadPoolExecutor):
        def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(ZeroDivisionError("what?"))
            return future

    with Failing(1) as executor, pytest.raises(ZeroDivisionError):
        list(verify_many(puzzles(4), executor=executor))


def test_after_a_stop_what_is_under_way_is_finished() -> None:
    chunks = Rows(iter(puzzles(100)), Shapes(CLASSIC)).chunks(10)
    done: list[int] = []
    for chunk, result in work_through(chunks, JOB, start_workers(0), stop=lambda: len(done) >= 3):
        assert result.summary.rows == 10
        done.append(chunk.index)
    assert done == [0, 1, 2]
    assert next(chunks).index == 3


def test_no_chunk_is_begun_far_ahead_of_one_that_is_not_done() -> None:
    begun: list[int] = []
    waiting: list[tuple[Chunk, Future[Any]]] = []

    class Stuck(ThreadPoolExecutor):
        def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
            begun.append(arguments[1].index)
            future: Future[Any] = Future()
            waiting.append((arguments[1], future))
            if arguments[1].index:
                future.set_result(work(*arguments))
            elif len(begun) > 1:
                raise AssertionError
            return future

    with Stuck(1) as executor:
        stream = work_through(Rows(iter(puzzles(120)), Shapes(CLASSIC)).chunks(1), JOB, Workers(executor, lambda: 4))
        verified = [next(stream)[0].index for _ in range(60)]
        assert 0 not in verified
        assert max(begun) < 70
        waiting[0][1].set_result(work(JOB, waiting[0][0]))
        verified += [chunk.index for chunk, _ in stream]
    assert sorted(verified) == list(range(120))
