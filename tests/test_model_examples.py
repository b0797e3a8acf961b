"""The examples in the docstrings of ``gridproof.models`` run and say what they show."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import walk_packages

from gridproof import models


def test_examples() -> None:
    names = [module.name for module in walk_packages(models.__path__, "gridproof.models.")]
    results = {name: doctest.testmod(import_module(name)) for name in names}
    assert {name for name, result in results.items() if result.failed} == set()
    assert {"gridproof.models.variables", "gridproof.models.schemes", "gridproof.models.targets"} <= {
        name for name, result in results.items() if result.attempted
    }
