"""Geometry + encoding -> a model for one target."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


def found(package: str, path: Iterable[str], collection: str) -> dict[str, Any]:
    """What the modules of a folder have in their ``collection``, by name: a file is found because it is there."""
    modules = [import_module(f"{package}.{module.name}") for module in iter_modules(path)]
    return {thing.name: thing for module in modules for thing in getattr(module, collection)}
