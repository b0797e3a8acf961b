"""Every example in a docstring runs and says what it shows; every public function and class has one."""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from pkgutil import walk_packages

import pytest

import gridproof

MODULES = [module.name for module in walk_packages(gridproof.__path__, "gridproof.") if "__main__" not in module.name]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str) -> None:
    try:
        module = import_module(name)
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("gridproof"):
            raise
        pytest.skip(f"{missing.name} is not installed")
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("name", sorted(set(gridproof.__all__) - {"GridproofError", "Status", "__version__"}))
def test_the_public_surface_has_examples(name: str) -> None:
    assert ">>>" in (inspect.getdoc(getattr(gridproof, name)) or "")
