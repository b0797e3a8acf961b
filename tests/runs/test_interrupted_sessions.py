"""Ctrl-C again and again in one process and in one Jupyter kernel: each is delivered, and the session goes on."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from cli_runner import environment
from runs.interrupt_samples import FURTHER

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals are a POSIX matter"),
]

CALLS = [
    "count", "solutions cp-sat", "verify", "verify_many", "verify_many session", "verify_many jobs", "verify_table",
    "compare", "explain", "explain conflicts", "candidates",
]  # fmt: skip
IN_A_KERNEL = ["count", "solutions cp-sat", "verify_many jobs", "explain"]
INTO_THE_CALL = 0.2
"""Seconds; solvers are at work by then."""

PATIENCE = 60.0
"""Seconds until a Ctrl-C passes for lost, however busy the machine is. Left alone, each call takes minutes."""

AGAIN = 15.0
"""Seconds until people press again. In a kernel Ctrl-C may fall into a callback of a weak reference (such as those of
asyncio and of executors), where Python reports it and goes on."""


def _environment() -> dict[str, str]:
    return environment(PYTHONPATH=os.pathsep.join([str(Path(__file__).parents[1]), environment()["PYTHONPATH"]]))


@pytest.mark.parametrize(
    ("how", "names"),
    [
        ("main", [*CALLS, "verify glucose4", "verify lingeling", "verify kissat404", "verify"]),
        ("foreign", ["count", "verify", "count cp-sat", "verify_many", "explain", *FURTHER, "count"]),
        ("thread", ["count", "count cp-sat"]),
    ],
    ids=["calls", "given to another thread", "during calls in threads"],
)
def test_in_one_process(how: str, names: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "runs.interrupt_samples", how, *names],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(),
        text=True,
    )
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line.strip())
        lines.put("the process ended")

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        for name in names:
            assert lines.get(timeout=120) == "at work", name
            time.sleep(INTO_THE_CALL)
            process.send_signal(signal.SIGINT)
            deadline = time.monotonic() + PATIENCE
            while True:
                try:
                    line = lines.get(timeout=AGAIN)
                    break
                except queue.Empty:
                    assert time.monotonic() < deadline, name
                    process.send_signal(signal.SIGINT)
            assert line == "interrupted", (name, process.poll())
        assert lines.get(timeout=60) == "the process ended"
    finally:
        process.kill()
        errors = process.communicate()[1]
    assert (process.returncode, errors) == (0, "")


def _kind(message: dict[str, Any], request: str) -> str:
    """The kind of a message, empty for one about another request."""
    return str(message["msg_type"]) if message["parent_header"].get("msg_id") == request else ""


def test_in_one_kernel() -> None:
    manager = pytest.importorskip("jupyter_client.manager")
    kernel, client = manager.start_new_kernel(env=_environment(), startup_timeout=120)

    def ran(code: str, *, interrupted: bool = False) -> tuple[str, str]:
        """The way that a cell ended, and its error; interrupted when it has printed something."""
        request = client.execute(code, stop_on_error=False)  # else the next request may be passed over
        if interrupted:
            for kind in iter(lambda: _kind(client.get_iopub_msg(timeout=120), request), "stream"):
                assert kind != "error"
            time.sleep(INTO_THE_CALL)
            kernel.interrupt_kernel()
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if _kind(reply := client.get_shell_msg(timeout=AGAIN), request):
                    break
            except queue.Empty:
                assert time.monotonic() < deadline
                if interrupted:
                    kernel.interrupt_kernel()
        return reply["content"]["status"], "\n".join(reply["content"].get("traceback", ()))

    try:
        assert ran("from runs import interrupt_samples")[0] == "ok"
        for name in IN_A_KERNEL:
            status, error = ran(f"interrupt_samples.call({name!r})", interrupted=True)
            assert (status, "KeyboardInterrupt" in error) == ("error", True), (name, error)
            assert ran("interrupt_samples.usable()") == ("ok", ""), name
            assert ran("assert interrupt_samples.none_left()") == ("ok", ""), name
    finally:
        client.stop_channels()
        kernel.shutdown_kernel(now=True)
