"""The machine that measures: its description, and the processor time and memory of processes."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import platform
import sys
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from gridproof.runs.children import started_by


@lru_cache(maxsize=1)
def machine() -> str:
    """Return processor, number of cores and system, on which times depend."""
    processor = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    return f"{processor}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


@lru_cache(maxsize=1)
def python() -> str:
    """Return name and version of the interpreter."""
    return f"{platform.python_implementation()} {platform.python_version()}"


class Usage(NamedTuple):
    """Processor seconds of a process and all that it started, ended ones included; the memory of both that is resident.

    own_memory, children_memory: bytes.
    """

    cpu: float = 0.0
    own_memory: int = 0
    children_memory: int = 0


def usage(process: int | None) -> Usage:
    """Return what a process and all that it started use. Of a process that is gone that is nothing."""
    if process is None:
        return Usage()
    cpu, own = _used([process])
    children_cpu, memory = _used(started_by(process))
    return Usage(cpu + children_cpu, own, memory)


def _used(processes: list[int]) -> tuple[float, int]:
    """The processor seconds of processes and their ended children, and the memory of the processes."""
    import psutil

    cpu, memory = 0.0, 0
    for number in processes:
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(number)
            times = process.cpu_times()
            cpu += times.user + times.system + times.children_user + times.children_system
            memory += process.memory_info().rss
    return cpu, memory


def children_cpu() -> float:
    """Return the processor seconds of all processes that this one has started, whether they run or have ended."""
    ended = 0.0
    with contextlib.suppress(ImportError):  # Windows
        import resource

        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = usage.ru_utime + usage.ru_stime
    return ended + _used(started_by(os.getpid()))[0]


def resident_bytes() -> int:
    """Return the memory of this process that is resident now."""
    import psutil

    return int(psutil.Process().memory_info().rss)


def give_memory_back() -> None:
    """Return freed memory to the system, so that the next run does not begin with what this one has left."""
    gc.collect()
    with contextlib.suppress(AttributeError, OSError, TypeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)


def forget_peak() -> None:
    """Begin anew with ``peak_bytes``, where the system can (Linux)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak_bytes() -> int | None:
    """Return the most memory that was resident since ``forget_peak``, or since the process began.

    On Linux not from ``getrusage``: its ``ru_maxrss`` survives ``exec`` and so begins with the size of the process that
    started this one.
    """
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource
    except ImportError:  # Windows
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
