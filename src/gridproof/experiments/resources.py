"""Processor time and memory of processes, as the system counts them."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
from pathlib import Path

from gridproof.runs.processes import started_by


def usage(*processes: int) -> tuple[float, int]:
    """Return the processor seconds of processes and their ended children, and the bytes that are resident."""
    import psutil

    cpu, memory = 0.0, 0
    for number in processes:
        with contextlib.suppress(psutil.Error):  # one that is gone uses nothing
            process = psutil.Process(number)
            times = process.cpu_times()
            cpu += times.user + times.system + times.children_user + times.children_system
            memory += process.memory_info().rss
    return cpu, memory


def children_cpu() -> float:
    """Return the processor seconds of all processes that this one has started, whether they run or have ended."""
    ended = os.times()
    return ended.children_user + ended.children_system + usage(*started_by(os.getpid()))[0]


def resident_bytes() -> int:
    """Return the memory of this process that is resident now."""
    return usage(os.getpid())[1]


def give_memory_back() -> None:
    """Return freed memory to the system, so that the next run does not begin with what this one has left."""
    gc.collect()
    with contextlib.suppress(AttributeError, OSError, TypeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)


def forget_peak() -> None:
    """Begin anew with ``peak_bytes``."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak_bytes() -> int | None:
    """Return the most memory that was resident since ``forget_peak``; ``None`` where the system is not Linux."""
    with contextlib.suppress(OSError):
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    return None
