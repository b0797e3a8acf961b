"""What the measuring ran on, and how much memory this process has."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
from functools import lru_cache
from pathlib import Path

from gridproof.runs.children import started_by

_STATUS = Path("/proc/self/status")


@lru_cache(maxsize=1)
def machine() -> str:
    """Processor, number of cores, system: what timings depend on."""
    processor = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    return f"{processor}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


@lru_cache(maxsize=1)
def python() -> str:
    """Name and version of the interpreter."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def resident_bytes() -> int | None:
    """Memory resident now; ``None`` where the system does not tell."""
    return _from_status("VmRSS")


def used(process: int | None) -> tuple[float, int]:
    """Processor seconds and resident bytes of a process and those that it started; zero where the system is silent."""
    cpu, memory = 0.0, 0
    for number in [] if process is None else [process, *started_by(process)]:
        with contextlib.suppress(OSError):
            text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
            fields = text.rpartition(")")[2].split()  # the name, in brackets, may hold anything
            cpu += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            memory += int(fields[21]) * os.sysconf("SC_PAGE_SIZE")
    return cpu, memory


def forget_peak() -> None:
    """Begin anew with ``peak_bytes``, where the system can (Linux)."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak_bytes() -> int | None:
    """The most memory that was resident since ``forget_peak``, or since the process began.

    On Linux not from ``getrusage``: its ``ru_maxrss`` survives ``exec`` and so begins with the size of the process that
    started this one.
    """
    if (peak := _from_status("VmHWM")) is not None:
        return peak
    try:
        import resource
    except ImportError:  # Windows
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _from_status(name: str) -> int | None:
    try:
        text = _STATUS.read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    for line in text.splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    return None
