"""What a picture of a search tree shows: runs without a choice folded, the rest pruned to a stated size.

A *limb* is what is drawn as one node: a vertex of the search with the run of vertices that follow from it
without another choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from gridproof.models.variables import candidate_name
from gridproof.puzzle.geometry import Geometry

if TYPE_CHECKING:
    from gridproof.pictures.tree.search_tree import SearchTree, Vertex

_LISTED = 2
"""Forced moves that are still written out; longer runs are counted."""

_FOLDED_CHOICES = 4
"""So many choices in a row beside which nothing is drawn become one limb: a picture need not be as wide as a search is
deep."""


@dataclass(slots=True, eq=False)
class Limb:
    """One drawn node, or a stub (``counted``) that stands for nodes that are only counted.

    label: the choice that leads to it and what that forced; of a stub, how many it stands for. remark: what
    it ends in, a failure or a solution, if it ends. solution: its number, else 0. on_solution: whether a
    solution is at it or below it. size, solutions: vertices and solutions at it and below it. hidden,
    hidden_solutions: those of them that are not drawn. children: what is drawn below it.
    """

    label: str
    remark: str = ""
    solution: int = 0
    on_solution: bool = False
    size: int = 0
    solutions: int = 0
    hidden: int = 0
    hidden_solutions: int = 0
    counted: bool = False
    dead: bool = False
    parent: Limb | None = None
    children: list[Limb] = field(default_factory=list)

    def walk(self) -> Iterator[Limb]:
        """This limb and all below it, each before those below it, in the order of the search."""
        waiting = [self]
        while waiting:
            limb = waiting.pop()
            yield limb  # first: whoever walks may change what hangs on it
            waiting += reversed(limb.children)


def shape(tree: SearchTree) -> Limb:
    """The root of the drawn tree, of at most ``tree.most_nodes`` limbs besides the stubs.

    The paths to the solutions come first, in order, then what is nearest to the root; the rest is counted
    where it would hang.
    """
    root = _fold(tree.root, tree.board.geometry)
    shown = _shown(root, tree.most_nodes)
    for limb in root.walk():
        left_out = [child for child in limb.children if child not in shown]
        limb.children = [child for child in limb.children if child in shown]
        limb.hidden += sum(child.size for child in left_out)
        limb.hidden_solutions += sum(child.solutions for child in left_out)
    if root.size == 1 and not root.remark and (seen := tree.board.contradictions()):
        root.remark, root.dead = seen[0].message, True  # no search has started
    for limb in root.walk():  # which goes on from the children that folding leaves
        _fold_choices(limb)
        if limb.hidden and not limb.counted:
            limb.children.append(_stub(limb))
    return root


def _shown(root: Limb, most: int) -> set[Limb]:
    """The limbs to draw."""
    limbs = [root]
    for leaf in sorted((limb for limb in root.walk() if limb.solution), key=lambda limb: limb.solution):
        path = [leaf]
        while (parent := path[-1].parent) is not None:
            path.append(parent)
        limbs += reversed(path)
    nearest = [root]
    for limb in nearest:
        nearest += limb.children
    return set(islice(dict.fromkeys(limbs + nearest), most))


def _fold_choices(limb: Limb) -> None:
    """Where a limb begins a long run of limbs that each have one drawn child, make it stand for the whole run."""
    run = [limb]
    while len(run[-1].children) == 1 and len(run[-1].children[0].children) == 1:
        run += run[-1].children
    if limb.parent is None or len(run) < _FOLDED_CHOICES:
        return
    (last,) = limb.children = run[-1].children
    last.parent = limb
    limb.label = f"{limb.label.split()[0]} ⋯ {run[-1].label.split()[0]}: {len(run)} choices"
    limb.hidden = sum(member.hidden for member in run)
    limb.hidden_solutions = sum(member.hidden_solutions for member in run)


def _fold(root: Vertex, geometry: Geometry) -> Limb:
    """The limbs of all vertices."""
    limbs: list[Limb] = []
    waiting: list[tuple[Vertex, Limb | None]] = [(root, None)]
    while waiting:
        vertex, parent = waiting.pop()
        run = [vertex]
        while len(run[-1].children) == 1 and not run[-1].hidden and not run[-1].open:
            run += run[-1].children
        last, found = run[-1], run[-1].solution > 0
        limb = Limb(
            _label(run, geometry),
            _remark(last, geometry),
            solution=last.solution,
            on_solution=found,
            size=len(run) + last.hidden,
            solutions=found + last.hidden_solutions,
            hidden=last.hidden,
            hidden_solutions=last.hidden_solutions,
            dead=last.failure is not None,
            parent=parent,
        )
        if parent is not None:
            parent.children.append(limb)
        limbs.append(limb)
        waiting += [(child, limb) for child in reversed(last.children)]
    for limb in reversed(limbs):  # each after all that is below it
        if limb.parent is not None:
            limb.parent.size += limb.size
            limb.parent.solutions += limb.solutions
            limb.parent.on_solution |= limb.on_solution
    return limbs[0]


def _label(run: list[Vertex], geometry: Geometry) -> str:
    moves = [move for vertex in run for move in ((vertex.cell, vertex.symbol), *vertex.settled)]
    first, *forced = [candidate_name(geometry, *move) if move[1] else "board" for move in moves]
    if len(forced) > _LISTED:
        return f"{first} → {len(forced)} forced"
    return f"{first} → {', '.join(forced)}" if forced else first


def _remark(vertex: Vertex, geometry: Geometry) -> str:
    if vertex.solution:
        return f"solution {vertex.solution}"
    stopped = vertex.open and not vertex.children
    return failure_text(vertex, geometry) or ("stopped here" if stopped else "")


def _stub(parent: Limb) -> Limb:
    text = f"+{counted(parent.hidden, 'node')}"
    if parent.hidden_solutions:
        text += f", {counted(parent.hidden_solutions, 'solution')}"
    return Limb(text, size=parent.hidden, solutions=parent.hidden_solutions, counted=True, parent=parent)


def failure_text(vertex: Vertex, geometry: Geometry) -> str:
    """Why a vertex is a dead end; nothing if it is none."""
    if vertex.failure is None:
        return ""
    if isinstance(vertex.failure, int):
        return f"{geometry.cell_name(vertex.failure)} has no candidate"
    house, symbol = vertex.failure
    return f"{geometry.symbol_text(symbol)} has no place in {geometry.houses[house].name}"


def counted(count: int, noun: str) -> str:
    """A number and what it counts: ``1 node``, ``1,204 nodes``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
