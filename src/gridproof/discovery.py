"""Finds what lies in a folder: a new module of a package is found by walking, so that it needs no line elsewhere.

Backends, encodings' targets, at-most-one schemes, formats, kinds of rules, names of steps and commands are such.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any


def module_names(package: str) -> list[str]:
    """Return the names of a package's modules in alphabetical order; nothing but the package itself is imported.

    A module whose name begins with an underscore is a part of others.

    Examples
    --------
    >>> module_names("gridproof.formats.known")[:2]
    ['iss', 'jigsaw']
    """
    folders = import_module(package).__path__
    return sorted(module.name for module in pkgutil.iter_modules(folders) if not module.name.startswith("_"))


def import_modules(package: str) -> Iterator[ModuleType]:
    """Import and yield a package's modules in alphabetical order, each only when it is wanted."""
    for name in module_names(package):
        yield import_module(f"{package}.{name}")


def import_tree(package: str) -> Iterator[ModuleType]:
    """Import and yield a package's modules, each only when it is wanted; then each package in it, with what is below.

    Packages come last because they tend to be heavy: to list PySAT's solvers imports PySAT.
    """
    folders = import_module(package).__path__
    modules = [module for module in pkgutil.iter_modules(folders) if not module.name.startswith("_")]
    for module in sorted(modules, key=lambda module: (module.ispkg, module.name)):
        full_name = f"{package}.{module.name}"
        yield import_module(full_name)
        if module.ispkg:
            yield from import_tree(full_name)


def collect(package: str, collection: str) -> list[Any]:
    """Return what a package's modules list under a name, in the order of the modules.

    Parameters
    ----------
    package
        The full name of the package.
    collection
        The name of the list in each module, such as ``SCHEMES``.

    Examples
    --------
    >>> len(collect("gridproof.models.schemes", "SCHEMES")) > 10
    True
    """
    things: list[Any] = []
    for module in import_modules(package):
        things += getattr(module, collection)
    return things
