"""The search of the lanes compiled by numba. To import this module takes as long as numba does: half a second."""

from __future__ import annotations

import numpy as np

from gridproof.lanes.batch_numba import begin
from gridproof.lanes.layout import layout_of
from gridproof.lanes.passes import run
from gridproof.lanes.search_task import FollowUp, SearchResult, SearchTask, search_in_rounds
from gridproof.puzzle.geometry import Geometry

PASSES = 64
"""Passes of one call of ``run``, which take up to some hundred milliseconds: when it returns, Ctrl-C is delivered."""


def search(task: SearchTask) -> SearchResult:
    """Search every puzzle."""
    batch, tables = begin(task)
    while not run(batch, tables, PASSES):
        pass
    return SearchResult(batch.codes, batch.first, batch.second, batch.branches)


def search_in_turn(task: SearchTask, follow_up: FollowUp) -> None:
    """Search every puzzle, and those that follow.

    All are searched before any that follow: to copy what was found of some takes longer than lanes wait for the others.
    """
    search_in_rounds(search, task, np.arange(len(task.clues)), follow_up)


def compile_search() -> None:
    """Compile the search, or load its code if that is kept, by a search of an empty puzzle."""
    empty = np.zeros((1, 16), np.uint8)
    no_masks = np.zeros((0, 16), np.uint32)
    search(SearchTask(layout_of(Geometry.classic(2)), empty, no_masks, max_depth=1, max_branches=1))
