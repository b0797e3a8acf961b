"""The origin of a measurement: machine, versions and commit, as data and as sentences for a paper."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import gridproof
from gridproof import backends
from gridproof._version import __version__
from gridproof.backends.protocol import Backend
from gridproof.errors import GridproofError
from gridproof.experiments.records import python
from gridproof.experiments.text_tables import escape_latex
from gridproof.runs.machine import read_machine

COMMIT_SECONDS = 5.0
"""Time limit for git to name the commit, in seconds."""


def provenance(used: Iterable[str | Backend]) -> dict[str, Any]:
    """Return the origin of a measurement, as ``experiment.json`` has it.

    Parameters
    ----------
    used
        The backends, or their names; one that is not there has no version.

    Returns
    -------
    dict
        ``gridproof`` and ``python``: versions. ``commit``: that of the checkout, or ``None`` for an installed package.
        ``machine``: see ``Machine``. ``solvers``: the version of each backend. ``cite`` and ``latex``: the sentences.

    Examples
    --------
    >>> provenance(["search-bits"])["solvers"] == {"search-bits": gridproof.__version__}
    True
    """
    solvers = {}
    for one in used:
        with suppress(GridproofError):
            backend = backends.find(one) if isinstance(one, str) else one
            solvers[backend.name] = version_of(backend)
    machine = read_machine()
    cited = cite(solvers)
    return {
        "gridproof": __version__,
        "python": python(),
        "commit": find_commit(),
        "machine": machine.as_json(),
        "solvers": solvers,
        "cite": cited,
        "latex": escape_latex(f"{cited} Machine: {machine.sentence()}"),
    }


def version_of(backend: Backend) -> str:
    """Return the version of a backend, or an empty text if it is not there."""
    if backend.unavailable():
        return ""
    return backend.version


def cite(solvers: dict[str, str]) -> str:
    """Return the sentence that names gridproof, Python and each solver with their versions.

    Examples
    --------
    >>> cite({"cadical153": "1.9"}).endswith(" and cadical153 (1.9).")
    True
    """
    names = [f"gridproof {__version__}", python()]
    for name, version in solvers.items():
        names.append(f"{name} ({version})" if version else name)
    return f"Measured with {', '.join(names[:-1])} and {names[-1]}."


@lru_cache(maxsize=1)
def find_commit() -> str | None:
    """Return the commit of the checkout that the package is run from; ``None`` for an installed package."""
    root = Path(gridproof.__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return None
    command = ["git", "-C", str(root), "rev-parse", "HEAD"]
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMMIT_SECONDS, check=True)
        return done.stdout.strip()
    return None
