"""A base class for context managers that close themselves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self


class Closing(ABC):
    """A context manager that gives itself, and closes itself however the block ends."""

    @abstractmethod
    def close(self) -> None:
        """Free what it holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
