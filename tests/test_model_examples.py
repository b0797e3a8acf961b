"""The examples in the docstrings of ``gridproof.models`` and others run and say what they show."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import walk_packages

from gridproof import models


def test_examples() -> None:
    names = [module.name for module in walk_packages(models.__path__, "gridproof.models.")]
    names += ["gridproof.backends.capabilities", "gridproof.explain"]
    results = {name: doctest.testmod(import_module(name)) for name in names}
    assert {name for name, result in results.items() if result.failed} == set()
    known = {"backends.capabilities", "explain", "models.variables", "models.schemes", "models.targets"}
    assert known <= {name.removeprefix("gridproof.") for name, result in results.items() if result.attempted}
