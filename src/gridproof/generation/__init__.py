"""Instances for experiments: random boards of a known kind, order and number of holes, each from its own seed."""

from gridproof.generation.instances import COLUMNS, KINDS, Instance, instance

__all__ = ["COLUMNS", "KINDS", "Instance", "instance"]


def __dir__() -> list[str]:
    return __all__
