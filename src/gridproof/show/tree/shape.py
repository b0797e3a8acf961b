"""What a picture of a search tree shows: runs without a choice folded, the rest pruned to a stated size.

A *limb* is what is drawn as one node: a vertex of the search with the run of vertices that follow from it
without another choice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gridproof.puzzle.geometry import Geometry

if TYPE_CHECKING:
    from gridproof.show.tree.search_tree import SearchTree, Vertex

_LISTED = 2
"""Forced moves that are still written out; longer runs are counted."""

_FOLDED_CHOICES = 4
"""So many choices in a row beside which nothing is drawn become one limb: a picture need not be as wide as a search is
deep."""


@dataclass(slots=True)
class Limb:
    """One drawn node, or a stub (``counted``) that stands for nodes that are only counted.

    label: the choice that leads to it and what that forced; of a stub, how many it stands for. remark: what
    it ends in, a failure or a solution, if it ends. solution: its number, else 0. on_solution: whether a
    solution is at it or below it. size, solutions: vertices and solutions at it and below it. children:
    what is drawn below it.
    """

    label: str
    remark: str = ""
    solution: int = 0
    on_solution: bool = False
    size: int = 0
    solutions: int = 0
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
    limbs = list(root.walk())
    shown = _shown(root, limbs, tree.most_nodes)
    for limb in limbs:
        hidden = [child for child in limb.children if child.counted or id(child) not in shown]
        limb.children = [child for child in limb.children if not child.counted and id(child) in shown]
        if hidden:
            size, solutions = sum(child.size for child in hidden), sum(child.solutions for child in hidden)
            limb.children.append(_stub(size, solutions, limb))
    if not root.children and not root.remark and (seen := tree.board.contradictions()):
        root.remark, root.dead = seen[0].message, True  # no search has started
    for limb in root.walk():  # which goes on from the children that folding leaves
        _fold_choices(limb)
    return root


def _shown(root: Limb, limbs: list[Limb], most: int) -> set[int]:
    """The identities of the limbs to draw."""
    shown = {id(root)}
    for leaf in sorted((limb for limb in limbs if limb.solution), key=lambda limb: limb.solution):
        path = [leaf]
        while path[-1].parent is not None:
            path.append(path[-1].parent)
        for limb in reversed(path):
            if len(shown) < most:
                shown.add(id(limb))
    waiting = deque([root])
    while waiting and len(shown) < most:
        for limb in waiting.popleft().children:
            if len(shown) < most and not limb.counted:
                shown.add(id(limb))
                waiting.append(limb)
    return shown


def _fold_choices(limb: Limb) -> None:
    """Where a limb begins a long run of limbs that each have one drawn child, make it stand for the whole run."""
    run = [limb]
    while (child := _only_child(run[-1])) and _only_child(child):
        run.append(child)
    if limb.parent is None or len(run) < _FOLDED_CHOICES:
        return
    stubs = [child for member in run for child in member.children if child.counted]
    last = _only_child(run[-1])
    assert last is not None
    last.parent = limb
    limb.label = f"{limb.label.split()[0]} ⋯ {run[-1].label.split()[0]}: {len(run)} choices"
    limb.children = [last]
    if stubs:
        limb.children.append(_stub(sum(stub.size for stub in stubs), sum(stub.solutions for stub in stubs), limb))


def _only_child(limb: Limb) -> Limb | None:
    drawn = [child for child in limb.children if not child.counted]
    return drawn[0] if len(drawn) == 1 else None


def _fold(root: Vertex, geometry: Geometry) -> Limb:
    """All limbs; what the search counted and did not keep hangs on them as stubs."""
    limbs: list[Limb] = []
    waiting: list[tuple[Vertex, Limb | None]] = [(root, None)]
    while waiting:
        vertex, parent = waiting.pop()
        limb, last = _limb(vertex, geometry)
        limb.parent = parent
        if parent is not None:
            parent.children.append(limb)
        limbs.append(limb)
        if last.hidden:
            limbs.append(_stub(last.hidden, last.hidden_solutions, limb))
        waiting += [(child, limb) for child in reversed(last.children)]
    for limb in reversed(limbs):  # each after all that is below it
        if limb.parent is not None:
            if limb.counted:
                limb.parent.children.append(limb)
            limb.parent.size += limb.size
            limb.parent.solutions += limb.solutions
            limb.parent.on_solution |= limb.on_solution
    return limbs[0]


def _stub(size: int, solutions: int, parent: Limb) -> Limb:
    text = f"+{size:,} node{'s' if size > 1 else ''}"
    if solutions:
        text += f", {solutions:,} solution{'s' if solutions > 1 else ''}"
    return Limb(text, size=size, solutions=solutions, counted=True, parent=parent)


def _limb(vertex: Vertex, geometry: Geometry) -> tuple[Limb, Vertex]:
    """The limb that begins with a vertex, and the last vertex of its run."""
    run = [vertex]
    while len(run[-1].children) == 1 and not run[-1].hidden and not run[-1].open:
        run.append(run[-1].children[0])
    last = run[-1]
    forced = list(vertex.settled)
    for later in run[1:]:
        forced += [(later.cell, later.symbol), *later.settled]
    remark = failure_text(last, geometry)
    if last.solution:
        remark = f"solution {last.solution}"
    elif last.open and not remark and not last.children:
        remark = "stopped here"
    limb = Limb(
        _label(vertex, forced, geometry),
        remark,
        solution=last.solution,
        on_solution=last.solution > 0,
        solutions=int(last.solution > 0),
        size=len(run),
        dead=last.failure is not None,
    )
    return limb, last


def _label(vertex: Vertex, forced: list[tuple[int, int]], geometry: Geometry) -> str:
    choice = move_text(geometry, vertex.cell, vertex.symbol) if vertex.symbol else "board"
    if not forced:
        return choice
    if len(forced) > _LISTED:
        return f"{choice} → {len(forced)} forced"
    return f"{choice} → {', '.join(move_text(geometry, cell, symbol) for cell, symbol in forced)}"


def move_text(geometry: Geometry, cell: int, symbol: int) -> str:
    """A choice, or what was forced."""
    return f"{geometry.cell_name(cell)}={geometry.symbol_text(symbol)}"


def failure_text(vertex: Vertex, geometry: Geometry) -> str:
    """Why a vertex is a dead end; nothing if it is none."""
    if vertex.failure is None:
        return ""
    if isinstance(vertex.failure, int):
        return f"{geometry.cell_name(vertex.failure)} has no candidate"
    house, symbol = vertex.failure
    return f"{geometry.symbol_text(symbol)} has no place in {geometry.houses[house].name}"
