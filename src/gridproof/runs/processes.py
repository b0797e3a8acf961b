"""Processes of the system: what a process has started, and the end of all that."""

from __future__ import annotations

import os
import signal
from contextlib import suppress


def started_by(process: int) -> list[int]:
    """Return all processes that a process has started, and those that these have started."""
    import psutil

    with suppress(psutil.Error):
        return [child.pid for child in psutil.Process(process).children(recursive=True)]
    return []


def kill_with_all_it_started(process: int) -> None:
    """Kill what a process has started, with the groups that are led by one of these, and its own group if it leads one.

    MiniZinc, for one, gives what it starts groups of their own. What a process leaves behind when it ends is no child
    of any other of these, but it stays in the group.
    """
    for each in started_by(process):
        kill_group(each)
        with suppress(OSError):
            os.kill(each, signal.SIGKILL)
    kill_group(process)


def kill_group(leader: int) -> None:
    """Kill the process group that a process leads, if it leads one."""
    with suppress(OSError):
        if hasattr(os, "killpg") and os.getpgid(leader) == leader:
            os.killpg(leader, signal.SIGKILL)
