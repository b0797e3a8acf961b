"""The command line as its user has it: in this process, and as a process of its own, with this checkout."""

from __future__ import annotations

import importlib
import io
import json
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

import pytest

from gridproof import cli

SOURCE = Path(__file__).parents[1] / "src"


COMMANDS: dict[str, ModuleType] = {
    module.name: importlib.import_module(f"{cli.__name__}.{module.name}")
    for module in pkgutil.iter_modules(cli.__path__)
    if not module.name.startswith("_")
}
"""The module of each command."""


def codes_of(text: str) -> set[int]:
    """The exit codes that a help lists."""
    return {int(code) for code in re.findall(r"^    (\d+) +\S", text.partition("exit codes:\n")[2], re.MULTILINE)}


EXIT_CODES = {name: codes_of((module.__doc__ or "").partition("\n\nexamples:")[0]) for name, module in COMMANDS.items()}
"""The exit codes of each command, without those that every command may return."""

COMMON_EXIT_CODES = {2, 130}


class Done(NamedTuple):
    """One run of the command line: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]


Command: TypeAlias = Callable[..., Done]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line in this process: ``call("verify", "-", stdin=...)``."""

    def run(*arguments: object, stdin: str | bytes = b"") -> Done:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        words = [str(argument) for argument in arguments]
        capsys.readouterr()
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
            try:
                code = cli.main(words)
            except SystemExit as leave:
                code = int(leave.code or 0)
        if words and words[0] in COMMANDS:
            assert code in EXIT_CODES[words[0]] | COMMON_EXIT_CODES, "no code that the help does not name"
        return Done(code, *capsys.readouterr())

    return run


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
    """Return whether a process is at work."""
    try:
        # a process that is ended but not yet waited for is a zombie
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
