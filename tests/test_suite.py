"""The suite itself: what its marks name is there, and its properties explore as the profile says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from conftest import HERE, LONGER, MARKS

ROOT = HERE.parent


def test_what_has_a_mark_is_there() -> None:
    for mark, beginnings in MARKS.items():
        for beginning in beginnings:
            file, _, test = beginning.partition("::")
            assert re.search(rf"(def|class) {test}", (HERE / file).read_text(encoding="utf-8")), f"{mark}: {beginning}"


def test_marks_are_declared() -> None:
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert [line.partition(":")[0] for line in options["markers"]] == list(MARKS)


PROPERTY = """
from hypothesis import given, settings, strategies as st
seen = []

@settings(max_examples=7)
@given(st.integers())
def test_it(number):
    seen.append(number)

def test_how_often():
    print("seen", len(seen), seen)
"""


@pytest.mark.parametrize(
    ("environment", "number", "same"),
    [({"CI": "true"}, 7, True), ({"HYPOTHESIS_PROFILE": "fuzz"}, 7 * LONGER, False), ({"CI": ""}, 7, False)],
    ids=["ci", "fuzz", "dev"],
)
def test_a_property_is_asked_as_the_profile_says(
    environment: dict[str, str], number: int, same: bool, tmp_path: Path
) -> None:
    """The same examples in each run of ``ci``, others elsewhere, and more of them in ``fuzz``; no trace in the tree."""
    (tmp_path / "conftest.py").write_text((HERE / "conftest.py").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "test_one.py").write_text(PROPERTY, encoding="utf-8")
    kept = {key: value for key, value in os.environ.items() if key not in ("CI", "HYPOTHESIS_PROFILE")}
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "."]
    shown = set()
    for _ in range(2):
        run = subprocess.run(
            command,
            cwd=tmp_path,
            env=kept | {"XDG_CACHE_HOME": str(tmp_path / "cache"), "PYTHONPATH": str(HERE)} | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr
        shown |= {line[line.index("seen") :] for line in run.stdout.splitlines() if "seen" in line}
    assert {line.split()[1] for line in shown} == {str(number)}
    assert len(shown) == (1 if same else 2)
    assert not (tmp_path / ".hypothesis").exists()
