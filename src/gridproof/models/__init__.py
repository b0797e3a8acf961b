"""Geometry + encoding -> a model for one target."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

__all__ = ["catalog", "targets"]


def found(package: str, path: Iterable[str], collection: str) -> dict[str, Any]:
    """Collect the things that the modules of a folder define, such as targets.

    Parameters
    ----------
    package, path
        The name of the package and its ``__path__``.
    collection
        The name in each module that lists its things, such as ``TARGETS``.

    Returns
    -------
    dict
        The things by name.
    """
    modules = [import_module(f"{package}.{module.name}") for module in iter_modules(path)]
    return {thing.name: thing for module in modules for thing in getattr(module, collection)}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return __all__
