"""What a page leaves out of Python's own modules, nothing that it holds imports.

The slow tests run whole boards in a page; these find the import without one.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_runner import environment
from gridproof.page import building, packing

PACKAGE = Path(__file__).parents[2] / "src" / "gridproof"

PROCESSES = tuple([f"gridproof/runs/{name}.py" for name in ("children", "interrupts", "mailbox", "starting")])
"""Modules with functions for child processes, which import what these need when one begins: none does in a page."""

PROGRAM = """
import importlib, json, sys
from gridproof.page.packing import is_used
{before}
ALLOWED = {allowed!r}


class LeftOut:
    '''Finds no module that the archives of a page have not.'''

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        file = name.replace(".", "/")
        if top not in sys.stdlib_module_names and top not in ALLOWED:
            raise ModuleNotFoundError(f"another package: {{name}}", name=name)
        if top in sys.stdlib_module_names and not is_used(f"{{file}}.py") and not is_used(f"{{file}}/__init__.py"):
            raise ModuleNotFoundError(f"left out: {{name}}", name=name)


for name in list(sys.modules):
    file = name.replace(".", "/")
    if name.partition(".")[0] in sys.stdlib_module_names and not name.startswith(("encodings", "multiprocessing")):
        if not is_used(f"{{file}}.py"):
            del sys.modules[name]
sys.meta_path.insert(0, LeftOut())
faults = {{}}
for name in json.load(sys.stdin):
    try:
        importlib.import_module(name)
    except ImportError as problem:
        if "left out: " in str(problem):
            faults[name] = str(problem)
print(json.dumps(faults))
"""


def members() -> Iterator[tuple[str, ast.Module]]:
    """The modules of our package in the library of a page, each with its name."""
    for name, data in packing.list_members(PACKAGE, ()):
        if name.endswith(".py"):
            yield name, ast.parse(data)


def imported(tree: ast.Module) -> Iterator[str]:
    """The names of what a module imports anywhere, but not what only type checkers read."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from [f"{node.module}.{alias.name}" for alias in node.names]
        waiting += ast.iter_child_nodes(node)


def left_out(name: str) -> bool:
    """Whether a name is that of a module of Python that a page leaves out, or of something in one."""
    parts = name.split(".")
    if parts[0] in packing.UNUSED_MODULES:
        return True
    file = "/".join(parts)
    is_module = (
        len(parts) == 2 and parts[0] in packing.USED_PARTS and (Path(ast.__file__).parent / f"{file}.py").exists()
    )
    return is_module and not packing.is_used(f"{file}.py")


def find_faults(names: list[str], before: str = "") -> dict[str, str]:
    """Which of these modules cannot be imported with the modules of a page, and why."""
    allowed = ("gridproof", "pysat", "pysolvers", "pycard", *building.PLAIN_PACKAGES)
    program = PROGRAM.format(before=before, allowed=allowed)
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(names),
        capture_output=True,
        text=True,
        env=environment(),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    faults: dict[str, str] = json.loads(done.stdout)
    return faults


def test_no_module_of_a_page_imports_what_is_left_out() -> None:
    faults = []
    number = 0
    for name, tree in members():
        number += 1
        for other in imported(tree):
            if left_out(other) and not (name in PROCESSES and other.startswith("multiprocessing.")):
                faults.append(f"{name}: {other}")
    assert number > 300
    assert not faults, "packing.py leaves these out; use others, or put them into the page again"


def test_no_module_of_a_page_needs_what_is_left_out_by_way_of_others() -> None:
    names = [name.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for name, _ in members()]
    runnable = [name for name in names if not name.endswith("__main__")]
    assert not find_faults(runnable)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("def make():\n    import uuid\n", ["uuid"]),
        ("from argparse import ArgumentParser", ["argparse", "argparse.ArgumentParser"]),
        ("from multiprocessing import pool", ["multiprocessing.pool"]),
        ("if TYPE_CHECKING:\n    import uuid\nelse:\n    import statistics", ["statistics"]),
        ("import json.decoder, zlib\nfrom multiprocessing import context, Process", []),
    ],
)
def test_an_import_of_what_is_left_out_is_found(text: str, found: list[str]) -> None:
    assert [name for name in imported(ast.parse(text)) if left_out(name)] == found


def test_an_import_by_way_of_another_module_is_found(tmp_path: Path) -> None:
    (tmp_path / "pysat_like.py").write_text("import uuid\n")
    before = f"sys.path.insert(0, {str(tmp_path)!r}); sys.stdlib_module_names |= {{'pysat_like'}}"
    assert find_faults(["pysat_like", "json"], before) == {"pysat_like": "left out: uuid"}
