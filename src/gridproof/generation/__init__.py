"""Boards that are made: random boards for experiments in ``instances``, each from its own seed."""

from gridproof.generation.instances import COLUMNS, KINDS, Instance, instance

__all__ = ["COLUMNS", "KINDS", "Instance", "instance"]


def __dir__() -> list[str]:
    return __all__
