"""Settings of every test: the examples of properties, and the order of the tests.

Hypothesis has two profiles. ``same`` tries the same examples in every run. ``fuzz`` (``make fuzz``) tries new ones, and
many more; what it finds is pinned with ``@example``. ``HYPOTHESIS_PROFILE`` names the profile.
"""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.database import DirectoryBasedExampleDatabase

from browser import browser, lab  # noqa: F401
from cli_runner import call  # noqa: F401
from page_site import address, built_page, pyodide_package  # noqa: F401

# Below ``nohup``, or behind ``&`` in a script, signals are ignored: here, and in all processes that tests start.
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gridproof" / "hypothesis"
"""Folder of the examples that ``fuzz`` found to fail, which its next run tries first; never in the tree."""

LONGER = 20
"""Factor between the number of examples of ``fuzz`` and that of ``same``."""

set_hypothesis_home_dir(CACHE)
_always: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("same", derandomize=True, database=None, print_blob=True, **_always)
settings.register_profile(
    "fuzz", database=DirectoryBasedExampleDatabase(CACHE / "examples"), max_examples=100 * LONGER, **_always
)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "same")
settings.load_profile(PROFILE)

FIRST = ("notebook", "cluster", "packaging", "process", "slow")
"""Marks of the tests that begin a run, in this order, so that the last tests of a run are short ones."""


def _turn(item: pytest.Item) -> int:
    """Return the place of a test in the order of ``FIRST``."""
    return min((FIRST.index(mark.name) for mark in item.iter_markers() if mark.name in FIRST), default=len(FIRST))


def pytest_collection_finish() -> None:
    """Exempt the collected tests and all modules from garbage collection."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the tests; in ``fuzz``, give more examples to those that state a number of their own, too."""
    items.sort(key=_turn)
    if PROFILE == "fuzz":
        for test in {getattr(item.obj, "__func__", item.obj) for item in items if isinstance(item, pytest.Function)}:
            own = getattr(test, "_hypothesis_internal_use_settings", None)
            if own is not None and own.max_examples < settings().max_examples:
                more = settings(own, max_examples=own.max_examples * LONGER)
                test._hypothesis_internal_use_settings = more
