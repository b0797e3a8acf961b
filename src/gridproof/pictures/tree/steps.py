"""A search tree, walked step by step: which cell, which symbol, what followed, and where it was a dead end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridproof.errors import InputError
from gridproof.models.variables import candidate_name
from gridproof.pictures.steps import Step, Steps
from gridproof.pictures.tree.shape import counted, failure_text
from gridproof.puzzle.geometry import Geometry

if TYPE_CHECKING:
    from gridproof.pictures.tree.search_tree import SearchTree, Vertex

_LISTED = 6
"""Forced moves that are written out; more are counted."""


def tree_steps(tree: SearchTree, most: int) -> Steps:
    """See ``SearchTree.steps``."""
    if most < 1:
        raise InputError(f"at most {most!r} steps; expected a whole number of at least 1")
    geometry = tree.board.geometry
    steps: list[Step] = []
    waiting = [(tree.root, -1, 0)]
    before = 0  # how many choices stood at the step before
    while waiting and len(steps) < most:
        vertex, after, depth = waiting.pop()
        number = len(steps)
        steps.append(_step(vertex, after, before - depth + 1 if depth else 0, geometry))
        before = depth
        waiting += [(child, number, depth + 1) for child in reversed(vertex.children)]
    title = tree.summary
    if (nodes := tree.statistics.nodes or 0) >= len(steps):
        title += f"; {len(steps) - 1:,} of {nodes:,} nodes are shown"
    return Steps(tree.board, title, tuple(steps), tree.to_svg())


def _step(vertex: Vertex, after: int, back: int, geometry: Geometry) -> Step:
    """One step; back: how many choices it takes back first."""
    chosen = (vertex.cell, vertex.symbol) if vertex.symbol else None
    parts = [candidate_name(geometry, *chosen) if chosen else "the board"]
    if back:
        parts[0] = f"takes back {counted(back, 'choice')}, then {parts[0]}"
    if forced := [candidate_name(geometry, *move) for move in vertex.settled]:
        more = f" and {len(forced) - _LISTED} more" if len(forced) > _LISTED else ""
        parts.append(f"then forced: {', '.join(forced[:_LISTED])}{more}")
    marked: tuple[int, ...] = ()
    if vertex.failure is not None:
        parts.append(f"dead end: {failure_text(vertex, geometry)}")
        failure = vertex.failure
        marked = (failure,) if isinstance(failure, int) else tuple(geometry.houses[failure[0]].cells)
    if vertex.solution:
        parts.append(f"solution {vertex.solution}")
    if vertex.hidden:
        parts.append(f"{counted(vertex.hidden, 'node')} below are counted, not kept")
    return Step("; ".join(parts), after, chosen, tuple(vertex.settled), marked)
