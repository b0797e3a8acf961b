"""docs/architecture.md is the map of the repository: what it names is there, and no room is missing from it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "gridproof"
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_every_room_is_on_the_map() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if path.is_dir() and list(path.glob("*.py"))}
    (table,) = re.findall(r"\| room \| job \|\n.*?\n\n", MAP, flags=re.DOTALL)
    named = set(re.findall(r"`(\w+)/`", table)) | set(re.findall(r"^\| `(\w+)` ", table, flags=re.MULTILINE))
    within = {"kinds", "known", "targets", "schemes", "search"}
    single = {name for name in named - rooms - within if (PACKAGE / f"{name}.py").is_file()}
    assert named - within - single == rooms


def test_every_file_that_it_names_is_there() -> None:
    names = set(re.findall(r"`([\w./-]+\.(?:py|toml|md))`", MAP))
    assert len(names) > 15
    missing = [name for name in names if "NAME" not in name and not any((r / name).is_file() for r in (ROOT, PACKAGE))]
    assert missing == []


FINDERS = {
    "an encoding": r"catalog\.names\(\)",
    "an at-most-one scheme": r"all_schemes\(\)",
    "a target": r"all_targets\(\)",
    "a backend": r"(all|usable)_backends\(\)",
    "any other kind of rule": r"all_kinds\(\)",
    "a format": r"all_formats\(\)",
}
"""The function that finds it, for each thing that can be added."""

TESTS = ROOT / "tests"


@pytest.mark.parametrize("thing", FINDERS)
def test_the_table_of_what_to_add_names_each_test_that_runs_the_new_file(thing: str) -> None:
    """These are the tests with a parameter for each thing that is found."""
    parametrised = re.compile(rf"^( *\"\w+\", \[|[A-Z_]+ = |.*parametrize\().*{FINDERS[thing]}", re.MULTILINE)
    runs = {
        path.relative_to(ROOT).as_posix()
        for path in TESTS.rglob("test_*.py")
        if parametrised.search(path.read_text(encoding="utf-8"))
    }
    (row,) = re.findall(rf"^\| {thing} \| .*$", MAP, flags=re.MULTILINE)
    assert runs
    assert runs - set(re.findall(r"`(tests/[\w/.]+)`", row)) == set()
