"""The pipeline that stays open between questions, so that a loop of them loads the rules of its boards once.

It serves the questions with the default backend and encoding, whatever their limits and their cross-check, about boards
of usual size; every other question gets a pipeline of its own, which is closed after it. Threads may share the warm
pipeline as they may share any. It is closed when Python ends. A process that is forked off begins with another one: it
has no part in the sessions of its parent.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from contextlib import contextmanager

from gridproof.backends.protocol import Backend
from gridproof.limits import Limits
from gridproof.models.targets import Encoding
from gridproof.pipeline import DEFAULT_BACKEND, Pipeline
from gridproof.puzzle.board import Board
from gridproof.trust.crosscheck import CrossCheck

LARGEST_ORDER = 16
"""Largest order of boards whose rules stay loaded; 16 means 20 MB, and 25 would mean 100."""

_warm: dict[str, Pipeline] = {}
"""The warm pipeline, by the name of its backend, once there is one."""

_of_parent: list[Pipeline] = []
"""Pipelines of the process that this one was forked off. They are never used, and never freed in the middle of work."""


@contextmanager
def lend_pipeline(
    board: Board, backend: str | Backend, encoding: str | Encoding | None, limits: Limits, cross_check: str | CrossCheck
) -> Iterator[Pipeline]:
    """Lend a pipeline with these options to a question about a board: the warm one, or one that is closed after it.

    Examples
    --------
    >>> from gridproof import Limits, parse
    >>> board = parse("1... ..2. .3.. ...4")
    >>> with lend_pipeline(board, "cadical153", None, Limits(seconds=10), "all") as pipeline:
    ...     print(pipeline.verify(board))
    unique; reference: agrees
    """
    is_default = isinstance(backend, str) and backend == DEFAULT_BACKEND and encoding is None
    if is_default and board.geometry.symbol_count <= LARGEST_ORDER:
        warm = _warm.get(DEFAULT_BACKEND)
        if warm is None:
            # two threads may come here at once: one of their pipelines is kept, and none has a session yet
            warm = _warm.setdefault(DEFAULT_BACKEND, Pipeline())
        yield warm.share_sessions(limits, cross_check)
    else:
        with Pipeline(backend, encoding, limits=limits, cross_check=cross_check) as pipeline:
            yield pipeline


def close() -> None:
    """Close the warm pipeline; the next question opens another one."""
    for pipeline in list(_warm.values()):
        pipeline.close()
    _warm.clear()


def _leave_to_parent() -> None:
    _of_parent.extend(_warm.values())
    _warm.clear()


atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)
