"""Docstrings: every example runs, every public function and class has one, and first lines name what they describe."""

from __future__ import annotations

import ast
import doctest
import inspect
from importlib import import_module
from pkgutil import walk_packages

import pytest

import gridproof
from project.test_layers import MODULES as FILES
from project.test_layers import parsed

MODULES = [module.name for module in walk_packages(gridproof.__path__, "gridproof.") if "__main__" not in module.name]


@pytest.mark.slow
@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str) -> None:
    try:
        module = import_module(name)
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("gridproof"):
            raise
        pytest.skip(f"{missing.name} is not installed")
    assert doctest.testmod(module).failed == 0


ROOMS = [name for name in gridproof.__all__ if inspect.ismodule(getattr(gridproof, name))]


@pytest.mark.parametrize("name", sorted({*gridproof.__all__} - {*ROOMS, "GridproofError", "Status", "__version__"}))
def test_the_public_surface_has_examples(name: str) -> None:
    assert ">>>" in (inspect.getdoc(getattr(gridproof, name)) or "")


NO_BEGINNING = {"What", "Whether", "How", "So", "Why", "Which", "Where", "When", "Who", "Whom", "Whose", "That"}
"""First words of docstrings that are neither a verb phrase, naming the result, nor a noun phrase."""


@pytest.mark.slow
def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    wrong = []
    for path in FILES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                first = (ast.get_docstring(node) or "nothing").splitlines()[0]
                if first.split()[0].rstrip(",:") in NO_BEGINNING:
                    wrong.append(f"{path}: {first}")
    assert not wrong, "\n".join(wrong)
