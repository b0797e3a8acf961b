"""``gridproof verify`` in bulk, as a process: results, resuming after kill -9, Ctrl-C, closed pipes, memory."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bulk.bulk_samples import (
    CLASSIC,
    command,
    count_parts,
    damaged,
    environment,
    here,
    in_columns,
    puzzles,
    renamed,
    run,
    without_engine,
    write_lines,
)
from gridproof.bulk import run as running
from gridproof.bulk.results import Result
from gridproof.bulk.work import work
from gridproof.formats import datasets
from gridproof.runs.interrupts import Ended

pytestmark = pytest.mark.process

posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1,500 lines, one in a hundred damaged."""
    rng = random.Random(0)
    lines = [damaged(p, rng) if rng.random() < 0.01 else p.encode() for p in puzzles(1500, 11)]
    path = tmp_path_factory.mktemp("bulk") / "many.txt"
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


OPTIONS = ("--cross-check", "sample=0.05")


@pytest.fixture(scope="module")
def whole(many: Path) -> bytes:
    """The result of one process."""
    output = many.with_name("whole.csv")
    done = run(many, "-o", output, "--jobs", "0", *OPTIONS)
    assert done.returncode == 2, done.stderr
    assert not output.with_name("whole.csv.parts").exists()
    return output.read_bytes()


def test_a_result_and_its_summary(many: Path, whole: bytes) -> None:
    rows = list(csv.DictReader(whole.decode().splitlines()))
    assert [int(row["row"]) for row in rows] == list(range(1, 1501))
    assert {row["verdict"] for row in rows} == {"unique", "multiple", "none", "malformed"}
    summary = json.loads(many.with_name("whole.csv.summary.json").read_text())
    assert summary["summary"]["rows"] == 1500
    assert summary["summary"]["verdicts"]["malformed"] == sum(row["verdict"] == "malformed" for row in rows)
    assert summary["options"]["cross-check"] == "sample=0.05"


def test_workers_make_no_difference(many: Path, whole: bytes, tmp_path: Path) -> None:
    assert here(many, "-o", tmp_path / "result.csv", "--jobs", "2", *OPTIONS)[0] == 2
    assert (tmp_path / "result.csv").read_bytes() == whole


def test_compressed_input_and_other_results(many: Path, whole: bytes, tmp_path: Path) -> None:
    packed = tmp_path / "many.txt.gz"
    packed.write_bytes(gzip.compress(many.read_bytes()))
    assert here(packed, "-o", tmp_path / "result.jsonl", "-j", "0", *OPTIONS)[0] == 2
    rows = list(csv.DictReader(io.StringIO(whole.decode(), newline="")))
    records = [in_columns(json.loads(line)) for line in (tmp_path / "result.jsonl").read_text().splitlines()]
    assert len(rows) == len(records)
    for row, record in zip(rows, records, strict=True):
        assert without_engine(row) == {name: "" if value is None else str(value) for name, value in record.items()}
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("one.parquet", "two.parquet"):
        assert here(packed, "-o", tmp_path / name, "-j", "0", *OPTIONS)[0] == 2
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()
    assert list(map(without_engine, parquet.read_table(tmp_path / "one.parquet").to_pylist())) == records
    code, message = here(tmp_path / "one.parquet", "-o", tmp_path / "again.jsonl", "-j", "0", *OPTIONS)
    assert code == 2
    verdicts = [record["verdict"] for record in records]
    stored = f"stored solutions: not_only {verdicts.count('multiple'):,}, right {verdicts.count('unique'):,}\n"
    assert stored in message


def wait_for_parts(folder: Path, number: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if count_parts(folder) >= number:
            return
        time.sleep(0.005)


@posix
def test_a_killed_run_is_resumed_to_the_same_bytes(many: Path, whole: bytes, tmp_path: Path) -> None:
    rng = random.Random(2)
    output = tmp_path / "result.csv"
    folder = tmp_path / "result.csv.parts"
    wanted, kills = 0, 0
    while kills < 2:
        # each time at another place: after so many more parts, and then some milliseconds
        wanted += rng.randrange(1, 5)
        process = subprocess.Popen(
            command(many, "-o", output, "--jobs", "2", "--resume", *OPTIONS), env=environment(), stderr=subprocess.PIPE
        )
        wait_for_parts(folder, wanted, process)
        time.sleep(rng.random() * 0.02)
        process.kill()
        message = process.communicate()[1].decode()
        if process.returncode == -signal.SIGKILL:
            kills += 1
        else:  # it was done before it could be killed: once more from the beginning
            assert process.returncode == 2, message
            output.unlink()
            output.with_name("result.csv.summary.json").unlink()
            wanted, kills = 0, 0
    assert not output.exists()
    code, messages = here(many, "-o", output, "--jobs", "2", "--resume", *OPTIONS)
    assert (code, "from an earlier run" in messages) == (2, True)
    assert output.read_bytes() == whole
    assert not folder.exists()


def test_a_changed_input_is_not_resumed(many: Path, whole: bytes, tmp_path: Path) -> None:
    output = tmp_path / "result.csv"
    copy = tmp_path / "copy.txt"
    copy.write_bytes(many.read_bytes())
    assert here(copy, "-o", output, "-j", "0", *OPTIONS)[0] == 2
    assert output.read_bytes() == whole
    lines = many.read_bytes().splitlines(keepends=True)
    copy.write_bytes(b"".join([*lines[1:], lines[0]]))
    # a result that is there is not the one of the changed input, and not lost by mistake
    code, message = here(copy, "-o", output, "-j", "0", "--resume", *OPTIONS)
    assert (code, "exists already, without parts to resume; expected --force" in message) == (2, True)
    assert output.read_bytes() == whole
    assert here(copy, "-o", output, "-j", "0", "--force", *OPTIONS)[0] == 2
    assert output.read_bytes() != whole


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_during_the_work_only_requests_an_end(
    times: int, many: Path, whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output, calls = tmp_path / "result.csv", 0

    def broken_into(*arguments: Any) -> Result:
        nonlocal calls
        calls += 1
        if calls == 3:
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)
        return work(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(running, "work", broken_into)
        code, message = here(many, "-o", output, "-j", "0", *OPTIONS)
    assert code == 130
    assert "Ctrl-C again" in message
    assert count_parts(tmp_path / "result.csv.parts") == (3 if times == 1 else 2)
    assert here(many, "-o", output, "-j", "0", "--resume", *OPTIONS)[0] == 2
    assert output.read_bytes() == whole


@pytest.mark.parametrize(
    ("done", "error", "message"),
    [
        (0, KeyboardInterrupt(), "\ngridproof: interrupted\n"),
        (1, KeyboardInterrupt(), "\ngridproof: interrupted; 1 part is kept. To go on: "),
        (2, KeyboardInterrupt(), "\ngridproof: interrupted; 2 parts are kept. To go on: "),
        (0, Ended(signal.SIGTERM), "gridproof: ended by SIGTERM before any part was done\n"),
        (1, Ended(signal.SIGTERM), "gridproof: ended by SIGTERM; 1 part is kept. To go on: "),
    ],
)
def test_the_parts_that_are_kept_are_reported(
    done: int, error: BaseException, message: str, many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, messages = stopped(many, tmp_path / "result.csv", done, error, monkeypatch)
    assert code == (143 if isinstance(error, Ended) else 130)
    assert message in messages
    assert count_parts(tmp_path / "result.csv.parts") == done
    assert (tmp_path / "result.csv.parts").exists() == bool(done)


def stopped(
    source: Path, output: Path, parts: int, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str]:
    """A run that is broken off in this process when so many parts are done."""
    calls = 0

    def broken_into(*arguments: Any) -> Result:
        nonlocal calls
        calls += 1
        if calls > parts:
            if isinstance(error, KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)  # the first only requests an end
                signal.raise_signal(signal.SIGINT)
            raise error
        return work(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(running, "work", broken_into)
        return here(source, "-o", output, "-j", "0", *OPTIONS)


@posix
def test_a_second_ctrl_c_does_not_wait(many: Path, tmp_path: Path) -> None:
    process = subprocess.Popen(
        # one part that would take a good while
        command(many, "-o", tmp_path / "a.csv", "-j", "1", "-b", "reference", part_size=100_000),
        env=environment(),
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stderr is not None
    deadline = time.monotonic() + 60
    while not (tmp_path / "a.csv.parts" / "journal.jsonl").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    assert b"Ctrl-C again" in process.stderr.readline()
    os.killpg(process.pid, signal.SIGINT)
    message = process.communicate(timeout=60)[1].decode()
    assert process.returncode == 130
    assert "Traceback" not in message
    assert not count_parts(tmp_path / "a.csv.parts")


@posix
def test_an_end_from_outside(many: Path, whole: bytes, tmp_path: Path) -> None:
    """One line; not a word from the workers, nor from Python about them."""
    output, folder = tmp_path / "result.csv", tmp_path / "result.csv.parts"
    process = subprocess.Popen(
        command(many, "-o", output, "--jobs", "2", *OPTIONS), env=environment(), stderr=subprocess.PIPE
    )
    wait_for_parts(folder, 2, process)
    process.send_signal(signal.SIGTERM)
    message = process.communicate(timeout=60)[1].decode()  # as long as any of them could print anything
    assert process.returncode == 143
    assert re.fullmatch(r"gridproof: ended by SIGTERM; \d+ parts? (is|are) kept. To go on: .* --resume\n", message)
    assert not list(folder.glob("*.tmp"))
    assert not output.exists()
    assert here(many, "-o", output, "--jobs", "0", "--resume", *OPTIONS)[0] == 2
    assert output.read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["result.csv", "result.csv.summary.json"]


def test_standard_input(tmp_path: Path) -> None:
    lines = ("\n".join(puzzles(40)) + "\n").encode()
    done = subprocess.run(
        command("-", "-o", tmp_path / "a.csv", "-j", "0", "-q"),
        env=environment(),
        input=gzip.compress(lines),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr == b""
    assert (tmp_path / "a.csv").read_text().count("\n") == 41


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-o", "a.txt"), "ends in .parquet, .csv or .jsonl"),
        (("-o", "lines.csv"), "input and output are both"),
        (("-o", "a.csv", "--json"), "--json with --output"),
        (("--resume",), "--resume without --output"),
        (("--force",), "--force without --output"),
        (("other.csv", "--jobs", "0"), "2 inputs"),
        (("-o", "a.csv", "--column", "x"), "expected the column 'x'"),
        (("-o", "a.csv", "--cross-check", "some"), "cross-check 'some'"),
        (("-o", "a.csv", "-e", "no-such"), "no-such"),
        (("-o", "lines.csv/a.csv"), "lines.csv is no folder; expected the name of a file"),
    ],
)
def test_bad_usage(options: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_lines(tmp_path / "lines.csv", puzzles(2))
    monkeypatch.chdir(tmp_path)
    code, message = here("lines.csv", *options)
    assert code == 2
    assert message in message
    assert [path.name for path in tmp_path.iterdir()] == ["lines.csv"]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read from Linux's /proc")
def test_memory_stays_flat(tmp_path: Path) -> None:
    """Ten times the puzzles take hardly more memory, where the smaller number fills every block and part already."""
    program = (
        "import sys; from pathlib import Path; from gridproof.formats import sources; from gridproof.cli import main; "
        "from gridproof.bulk import many; many.PART_SIZE = 1000; "
        "from gridproof.lanes import choosing_kernel; choosing_kernel.find_spec = lambda name: None; "
        "sources.BLOCK = 1 << 17; main(sys.argv[1:]); print(Path('/proc/self/status').read_text())"
    )
    easy = [board for board in datasets.load("easy") if board.geometry == CLASSIC]
    lines = ["".join(".123456789"[clue] for clue in board.clues) for board in easy]
    some = [renamed(lines[k % len(lines)], random.Random(k)) for k in range(5000)]
    used = []
    for times in (2, 20):
        path = tmp_path / f"{times}.txt"
        path.write_text(("\n".join(some) + "\n") * times)
        arguments = ["verify", path, "-o", tmp_path / f"{times}.csv", "-j", "0", "-q"]
        done = subprocess.run(
            [sys.executable, "-c", program, *map(str, arguments), "--cross-check", "none"],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        peak = re.search(r"VmHWM:\s+(\d+) kB", done.stdout)
        assert peak is not None
        used.append(int(peak[1]) / 1024)
    # 90,000 lines have 7 MB, their results 23 MB
    assert used[1] - used[0] < 7, used
