"""``gridproof verify`` in bulk, whole runs from a file of lines to a Parquet result: time, memory, equality of results.

    python -m benchmarks.bulk [--lines 1000000] [--runs jobs-0 jobs-1 jobs-2 dask resumed] [--set NAME] [--keep]

The puzzles are those of ``benchmarks.make_million``, with 1 % damaged lines. Each run is a process of its own. Wall and
CPU seconds are of the process and its workers (those of Dask apart); memory is the peak of the largest of them. The run
``resumed`` is killed by SIGKILL at a third and again at two thirds of the parts. The last line states whether all
results have the same bytes. Needs Linux or macOS.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from benchmarks import machine
from benchmarks.make_million import lines

RUNS = ("jobs-0", "jobs-1", "jobs-2", "dask", "resumed")

_PART = 50_000


@dataclass(frozen=True, slots=True)
class Figure:
    """One run. memory: in MB, of the largest process. digest: of the result."""

    run: str
    lines: int
    wall: float
    cpu: float
    memory: float
    digest: str

    @property
    def rate(self) -> float:
        """Lines per wall second."""
        return self.lines / self.wall


def measure(run: str, source: Path, number: int, output: Path) -> Figure:
    """Run it once."""
    command = [sys.executable, "-m", "gridproof", "verify", str(source), "-o", str(output), "-q"]
    output.unlink(missing_ok=True)
    if run == "dask":
        with _cluster() as address:
            return _timed(run, [*command, "--dask", address], number, output)
    if run != "resumed":
        return _timed(run, [*command, "--jobs", run.removeprefix("jobs-")], number, output)
    command += ["--jobs", "2", "--resume"]
    folder = output.with_name(output.name + ".parts")
    for third in (1, 2):
        process = subprocess.Popen(command)
        while process.poll() is None and len(list(folder.glob("part-*.parquet"))) * 3 * _PART < third * number:
            time.sleep(0.01)
        process.kill()
        process.wait()
    return _timed(run, command, number, output)


def _timed(run: str, command: list[str], number: int, output: Path) -> Figure:
    started = time.perf_counter()
    process = subprocess.Popen(command)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    code = os.waitstatus_to_exitcode(status)
    process.returncode = code
    if code != 2:  # some lines are malformed
        raise SystemExit(f"{' '.join(command)} ended with {code}; expected 2")
    with output.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    # what wait4 returns for a process covers those it waited for itself
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Figure(run, number, wall, used.ru_utime + used.ru_stime, used.ru_maxrss / unit, digest)


@contextlib.contextmanager
def _cluster(workers: int = 2) -> Iterator[str]:
    """A scheduler and workers of one thread each, on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        local = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
        programs = [["distributed.cli.dask_scheduler", "--port", "0"]]
        programs += [["distributed.cli.dask_worker", "--nthreads", "1", "--local-directory", folder]] * workers
        log = (Path(folder) / "log").open("wb")
        started = [subprocess.Popen([sys.executable, "-m", *p, *local], stdout=log, stderr=log) for p in programs]
        try:
            distributed = importlib.import_module("distributed")
            with distributed.Client(scheduler_file=str(file), timeout=60) as client:
                client.wait_for_workers(workers, timeout=60)
                yield str(client.scheduler.address)
        finally:
            for process in reversed(started):
                process.send_signal(signal.SIGTERM)
            for process in started:
                process.wait(timeout=30)
            log.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--runs", nargs="+", choices=RUNS, default=RUNS)
    parser.add_argument("--set", dest="name", help="one set of puzzles only, such as 17clue-2000")
    parser.add_argument("--keep", action="store_true", help="keep the figures in benchmarks/results/")
    args = parser.parse_args()
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "lines.txt"
        with source.open("wb") as file:
            for batch in lines(args.lines, 0.01, 0, args.name):
                file.write(batch)
        print(f"{'run':10}{'lines':>12}{'wall s':>9}{'CPU s':>9}{'lines/s':>10}{'MB':>7}  result")
        for run in args.runs:
            figure = measure(run, source, args.lines, Path(folder) / f"{run}.parquet")
            figures.append(figure)
            row = f"{run:10}{figure.lines:12,}{figure.wall:9.1f}{figure.cpu:9.1f}{figure.rate:10,.0f}"
            print(f"{row}{figure.memory:7.0f}  {figure.digest[:16]}", flush=True)
    same = len({figure.digest for figure in figures}) == 1
    print("all results have the same bytes" if same else "THE RESULTS DIFFER")
    if args.keep:
        folder_of_results = Path(__file__).resolve().parent / "results"
        folder_of_results.mkdir(exist_ok=True)
        record = {"date": date.today().isoformat(), "machine": machine.description(), "set": args.name}
        record |= {"figures": [asdict(figure) for figure in figures]}
        path = folder_of_results / f"{record['date']}-bulk-{args.lines}.json"
        path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    if not same:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
