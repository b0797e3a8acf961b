"""Runs on a real Dask cluster on this machine: the same bytes, also with a worker killed in the middle."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bulk.bulk_samples import DyingBackend, clues_of, count_parts, environment, here, in_parts, puzzles, write_lines

pytestmark = pytest.mark.cluster

distributed: Any = pytest.importorskip("distributed", reason="distributed is not installed (extra dask)")

OPTIONS = ("--engine", "session", "--cross-check", "sample=0.1", "-q")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler and two workers with their nannies, each a process."""
    folder = tmp_path_factory.mktemp("dask")
    file = folder / "scheduler.json"
    local = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", *local]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", *local]
    worker += ["--local-directory", str(folder)]
    started = []
    with contextlib.ExitStack() as stack:
        for name, program in (("scheduler", scheduler), ("worker 1", worker), ("worker 2", worker)):
            log = stack.enter_context((folder / f"{name}.log").open("wb"))
            started.append(subprocess.Popen(program, env=environment(), stdout=log, stderr=log, cwd=folder))
        try:
            client = distributed.Client(scheduler_file=str(file), timeout=60, set_as_default=False)
            client.wait_for_workers(2, timeout=60)
            yield client.scheduler.address
            client.close()
        finally:
            for process in reversed(started):
                process.terminate()
            for process in started:
                try:
                    process.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = puzzles(2000, 21)
    lines[100] = lines[100][:-1]
    path = write_lines(tmp_path_factory.mktemp("bulk") / "many.txt", lines)
    assert here(path, "-o", path.with_name("whole.csv"), "-j", "0", *OPTIONS, part_size=50)[0] == 2
    return path


def test_the_same_bytes_with_a_worker_killed_in_the_middle(address: str, many: Path, tmp_path: Path) -> None:
    output = tmp_path / "result.csv"
    client = distributed.Client(address, timeout=30, set_as_default=False)
    victim = sorted(client.run(os.getpid).values())[0]
    killed_at: list[int] = []

    def kill() -> None:
        folder = tmp_path / "result.csv.parts"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            done = count_parts(folder)
            if done >= 4:
                os.kill(victim, signal.SIGKILL)
                killed_at.append(done)
                return
            time.sleep(0.002)

    killer = threading.Thread(target=kill)
    killer.start()
    code, message = here(many, "-o", output, "--dask", address, *OPTIONS, part_size=50)
    killer.join()
    client.wait_for_workers(2, timeout=60)
    assert victim not in client.run(os.getpid).values()
    client.close()
    assert code == 2, message
    assert killed_at
    assert killed_at[0] < 40
    assert output.read_bytes() == many.with_name("whole.csv").read_bytes()


def test_a_puzzle_that_kills_dask_workers_is_set_aside(address: str) -> None:
    lines = puzzles(8, 23)
    dying = DyingBackend(frozenset({clues_of(lines[2])}))
    with distributed.Client(address, timeout=30, set_as_default=False) as client:
        executor = client.get_executor(pure=False)
        verified = in_parts(4, lines, executor=executor, engine="session", backend=dying)
        client.wait_for_workers(2, timeout=60)
    calm = DyingBackend(frozenset())
    expected = in_parts(4, lines, engine="session", backend=calm)
    assert (verified[2].verdict, "set aside" in (verified[2].reason or "")) == ("undecided", True)
    assert verified[:2] + verified[3:] == expected[:2] + expected[3:]


def test_no_scheduler_and_no_workers(tmp_path: Path, many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gridproof.errors import BackendUnavailable
    from gridproof.runs.cluster import Cluster

    with pytest.raises(BackendUnavailable, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:1'"):
        Cluster("tcp://127.0.0.1:1", timeout=0.5)
    with pytest.raises(BackendUnavailable, match="no Dask scheduler answers at 'nonsense'"):
        Cluster("nonsense", timeout=0.5)


def test_workers_of_another_version_are_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from gridproof.errors import BackendUnavailable
    from gridproof.runs import cluster

    monkeypatch.setattr(cluster, "__version__", "0.0.0")
    with pytest.raises(BackendUnavailable, match=r"expected 0\.0\.0"):
        cluster.Cluster(address)
