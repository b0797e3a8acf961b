"""Search trees drawn as SVG: the root at the left, one line for each leaf, choices written along the edges.

Runs without a choice are folded, the rest is pruned to a stated size. As in ``pictures.svg``: presentation attributes,
the background painted, no meaning in the colour alone. The path to a solution is thick and ends in a ring, a dead end
is a cross, what is only counted hangs on a dashed line.

A *limb* is what is drawn as one node: a vertex of the search with the run of vertices that follow from it without
another choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from gridproof.backends.solvers.search.session import Failure
from gridproof.models.variables import candidate_name
from gridproof.pictures.colours import ALARM, BACKGROUND, CANDIDATE, GOOD, LINE
from gridproof.pictures.document import Svg, at, document, element, group, number, stroke, text
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.text import counted

_FONT = "DejaVu Sans Mono,Menlo,Consolas,monospace"
# lengths in pixels
_CHARACTER = 7.3  # width of a character of that font
_ROW = 27  # from one leaf to the next
_BEND = 24  # room for the curve in which an edge leaves its node
_MARGIN = 12
_AROUND_LABEL = 18
_AFTER_NODE = 12  # from a node to the remark beside it
_TOP = 44  # room for the heading

_LISTED = 2
"""Forced moves that are still written out; longer runs are counted."""

_FOLDED_CHOICES = 4
"""Choices in a row beside which nothing is drawn, from this number on, become one limb: it keeps a picture narrow."""


@dataclass(slots=True, eq=False)
class Vertex:
    """A position of a search. ``cell`` and ``symbol`` are the choice that led here (-1 and 0 at the root).

    forced: what followed without a choice, as (cell, symbol). failure: the reason of a dead end, else ``None``.
    solution: the number of the solution it is (from 1), else 0. hidden: how many vertices below this one were counted
    but not kept. on_solution: it is kept, because a solution is below it. open: the search
    ended before it was done here.
    """

    cell: int = -1
    symbol: int = 0
    forced: list[tuple[int, int]] = field(default_factory=list)
    children: list[Vertex] = field(default_factory=list)
    failure: Failure | None = None
    solution: int = 0
    hidden: int = 0
    on_solution: bool = False
    open: bool = True

    def hide(self, child: Vertex) -> None:
        """Count a child, what hangs on it included, in place of keeping it."""
        waiting = [child]
        while waiting:
            vertex = waiting.pop()
            self.hidden += 1 + vertex.hidden
            waiting += vertex.children


def failure_text(vertex: Vertex, geometry: Geometry) -> str:
    """Return the reason why a vertex is a dead end, empty if it is none."""
    if vertex.failure is None:
        return ""
    if isinstance(vertex.failure, int):
        return f"{geometry.cell_name(vertex.failure)} has no candidate"
    house, symbol = vertex.failure
    return f"{geometry.symbol_text(symbol)} has no place in {geometry.houses[house].name}"


@dataclass(slots=True, eq=False)
class Limb:
    """One drawn node, or a stub (``counted``) that stands for nodes that are only counted.

    label: the choice that leads to it and what that forced; of a stub, how many it stands for. remark: what
    it ends in, a failure or a solution, if it ends. solution: its number, else 0. on_solution: whether a
    solution is at it or below it. size: vertices at it and below it. hidden: those of them that are not drawn.
    children: what is drawn below it.
    """

    label: str
    remark: str = ""
    solution: int = 0
    on_solution: bool = False
    size: int = 0
    hidden: int = 0
    counted: bool = False
    dead: bool = False
    parent: Limb | None = None
    children: list[Limb] = field(default_factory=list)

    def walk(self) -> Iterator[Limb]:
        """Yield this limb and all below it, each before those below it, in the order of the search."""
        waiting = [self]
        while waiting:
            limb = waiting.pop()
            yield limb  # first: whoever walks may change what hangs on it
            waiting += reversed(limb.children)


def shape(top: Vertex, board: Board, most: int) -> Limb:
    """Return the root of the drawn tree, of at most ``most`` limbs besides the stubs.

    The paths to the solutions come first, in order, then what is nearest to the root; the rest is counted
    where it would hang.
    """
    root = make_limbs(top, board.geometry)
    chosen = choose_limbs(root, most)
    for limb in root.walk():
        kept = []
        for child in limb.children:
            if child in chosen:
                kept.append(child)
            else:
                limb.hidden += child.size
        limb.children = kept
    if root.size == 1 and not root.remark:
        contradictions = board.contradictions()
        if contradictions:  # no search has started
            root.remark = contradictions[0].message
            root.dead = True
    for limb in root.walk():  # which goes on from the children that folding leaves
        fold_choices(limb)
        if limb.hidden and not limb.counted:
            label = f"+{counted(limb.hidden, 'node')}"
            limb.children.append(Limb(label, size=limb.hidden, counted=True, parent=limb))
    return root


def choose_limbs(root: Limb, most: int) -> set[Limb]:
    """Return the limbs to draw: those on the paths to solutions, then those that are nearest to the root."""
    limbs = [root]
    solutions = [limb for limb in root.walk() if limb.solution]
    for leaf in sorted(solutions, key=lambda limb: limb.solution):
        path = [leaf]
        while path[-1].parent is not None:
            path.append(path[-1].parent)
        limbs += reversed(path)
    nearest = [root]
    for limb in nearest:  # which grows by the children of each
        nearest += limb.children
    each_once = dict.fromkeys(limbs + nearest)
    return set(islice(each_once, most))


def fold_choices(limb: Limb) -> None:
    """Let a limb that begins a long run of limbs with one drawn child each stand for the whole run."""
    run = [limb]
    while len(run[-1].children) == 1 and len(run[-1].children[0].children) == 1:
        run += run[-1].children
    if limb.parent is None or len(run) < _FOLDED_CHOICES:
        return
    limb.children = run[-1].children
    limb.children[0].parent = limb
    limb.label = f"{limb.label.split()[0]} ⋯ {run[-1].label.split()[0]}: {len(run)} choices"
    limb.hidden = sum(member.hidden for member in run)


def make_limbs(root: Vertex, geometry: Geometry) -> Limb:
    """Make the limbs of all vertices. Return the root."""
    limbs: list[Limb] = []
    waiting: list[tuple[Vertex, Limb | None]] = [(root, None)]
    while waiting:
        vertex, parent = waiting.pop()
        run = [vertex]
        while len(run[-1].children) == 1 and not run[-1].hidden and not run[-1].open:
            run += run[-1].children
        last = run[-1]
        limb = Limb(
            run_label(run, geometry),
            remark_on(last, geometry),
            solution=last.solution,
            on_solution=last.solution > 0,
            size=len(run) + last.hidden,
            hidden=last.hidden,
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
            limb.parent.on_solution |= limb.on_solution
    return limbs[0]


def run_label(run: list[Vertex], geometry: Geometry) -> str:
    """Return the choice that leads to a run of vertices and what it forced; ``board`` stands for the root."""
    names = []
    for vertex in run:
        for cell, symbol in [(vertex.cell, vertex.symbol)] + vertex.forced:
            names.append(candidate_name(geometry, cell, symbol) if symbol else "board")
    first = names[0]
    forced = names[1:]
    if not forced:
        return first
    if len(forced) > _LISTED:
        return f"{first} → {len(forced)} forced"
    return f"{first} → {', '.join(forced)}"


def remark_on(vertex: Vertex, geometry: Geometry) -> str:
    """Return what the search ended in at a vertex; empty if it went on."""
    if vertex.solution:
        return f"solution {vertex.solution}"
    if vertex.failure is not None:
        return failure_text(vertex, geometry)
    if vertex.open and not vertex.children:
        return "stopped here"
    return ""


# ---- the picture -----------------------------------------------------------------------------------------------------


def tree_svg(top: Vertex, board: Board, most: int, summary: str) -> Svg:
    """Draw the search tree below a vertex, as large as its contents need. most: nodes. summary: the heading."""
    root = shape(top, board, most)
    columns, width = place_columns(root)
    rows, height = place_rows(root)
    lines = []
    marks = [words(complex(_MARGIN, 24), summary, LINE, bold=True)]
    for limb in root.walk():
        left, right = columns[limb]
        row = complex(0, rows[limb])
        path = f"M{at(left + row)}"
        if limb.parent is not None:
            _, parent_right = columns[limb.parent]
            parent_row = complex(0, rows[limb.parent])
            bend = (parent_right + left) / 2
            path = f"M{at(parent_right + parent_row)}C{at(bend + parent_row)} {at(bend + row)} {at(left + row)}"
        style = {"stroke_width": "3.5" if limb.on_solution else "1.2"}
        if limb.counted:
            right = left + 8
            style["stroke_dasharray"] = "3 3"
            marks.append(words(right + 4 + row + 4j, limb.label, CANDIDATE))
        else:
            marks.append(words(left + 4 + row - 5j, limb.label, LINE, bold=limb.on_solution))
            marks += draw_node(limb, right + row)
        colour = GOOD if limb.on_solution else CANDIDATE
        lines.append(stroke(f"{path}H{number(right)}", colour, **style))
    title = f"Search tree, {board.geometry.description}. {summary}"
    width = max(width, _MARGIN * 2 + len(summary) * _CHARACTER)
    return document((width, height), title, lines + group(marks, font_family=_FONT, font_size="12"))


def place_columns(root: Limb) -> tuple[dict[Limb, tuple[float, float]], float]:
    """Return where the label of each limb begins and where its node is, by depth, and the width of all."""
    places = {}
    width = 0.0
    x = float(_MARGIN)
    level = [root]
    while level:
        end = x + max(len(limb.label) for limb in level) * _CHARACTER + _AROUND_LABEL
        for limb in level:
            places[limb] = (x, end)
            width = max(width, end + _AFTER_NODE + len(limb.remark) * _CHARACTER)
        x = end + _BEND
        next_level: list[Limb] = []
        for limb in level:
            next_level += limb.children
        level = next_level
    return places, width + _MARGIN


def place_rows(root: Limb) -> tuple[dict[Limb, float], float]:
    """Return the height of each limb (a line for each leaf, others in the middle of their children), and of all."""
    limbs = list(root.walk())
    leaves = [limb for limb in limbs if not limb.children]
    places = {limb: _TOP + _ROW * (row + 0.7) for row, limb in enumerate(leaves)}
    for limb in reversed(limbs):
        if limb.children:
            places[limb] = (places[limb.children[0]] + places[limb.children[-1]]) / 2
    return places, _TOP + _ROW * len(leaves) + float(_MARGIN)


def draw_node(limb: Limb, place: complex) -> list[str]:
    """Draw a ring for a solution, a cross for a dead end, else a dot; and the remark beside it."""
    centre = {"cx": place.real, "cy": place.imag}
    drawn = []
    if limb.solution:
        colour = GOOD
        drawn.append(element("circle", **centre, r="7", fill=BACKGROUND, stroke=GOOD, stroke_width="2"))
        drawn.append(element("circle", **centre, r="3.5", fill=GOOD))
    elif limb.dead:
        colour = ALARM
        drawn.append(stroke(f"M{at(place - 4 - 4j)}l8 8m0 -8l-8 8", ALARM, stroke_width="2"))
    else:
        colour = CANDIDATE
        drawn.append(element("circle", **centre, r="3.5", fill=GOOD if limb.on_solution else CANDIDATE))
    if limb.remark:
        drawn.append(words(place + _AFTER_NODE + 4j, limb.remark, colour, bold=limb.solution > 0))
    return drawn


def words(place: complex, content: str, colour: str, bold: bool = False) -> str:
    """Draw words that begin at a place."""
    if bold:
        return text(place, content, fill=colour, font_weight="bold")
    return text(place, content, fill=colour)
