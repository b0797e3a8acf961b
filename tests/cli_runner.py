"""The command line as its user has it: a process of its own, with this checkout."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from gridproof import cli

SOURCE = Path(__file__).parents[1] / "src"


COMMANDS: dict[str, ModuleType] = {
    module.name: importlib.import_module(f"{cli.__name__}.{module.name}")
    for module in pkgutil.iter_modules(cli.__path__)
    if not module.name.startswith("_")
}
"""The module of each command."""


def environment(**changes: str) -> dict[str, str]:
    """The environment in which a child finds this checkout."""
    path = [str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(path)} | changes


def run(
    *arguments: str, stdin: str | bytes = b"", cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess[bytes]:
    """``gridproof`` with these arguments, to its end."""
    return subprocess.run(
        [sys.executable, "-m", "gridproof", *arguments],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=cwd,
        env=environment(**env),
        check=False,
        timeout=120,
    )


def runs(pid: int) -> bool:
    """Whether a process is at work."""
    try:
        # a process that is ended but not yet waited for is a zombie
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
