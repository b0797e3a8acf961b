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
_CHARACTER = 7.3  # width of a character of that font, in pixels
_ROW = 27  # from one leaf to the next
_BEND = 24  # room for the curve in which an edge leaves its node
_MARGIN = 12
_AROUND_LABEL = 18
_AFTER_NODE = 12  # from a node to the remark beside it
_TOP = 44  # the heading

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
    root = _fold(top, board.geometry)
    drawn = _drawn(root, most)
    for limb in root.walk():
        left_out = [child for child in limb.children if child not in drawn]
        limb.children = [child for child in limb.children if child in drawn]
        limb.hidden += sum(child.size for child in left_out)
    if root.size == 1 and not root.remark and (glance := board.contradictions()):
        root.remark, root.dead = glance[0].message, True  # no search has started
    for limb in root.walk():  # which goes on from the children that folding leaves
        _fold_choices(limb)
        if limb.hidden and not limb.counted:
            label = f"+{counted(limb.hidden, 'node')}"
            limb.children.append(Limb(label, size=limb.hidden, counted=True, parent=limb))
    return root


def _drawn(root: Limb, most: int) -> set[Limb]:
    """Choose the limbs to draw."""
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
    """Let a limb that begins a long run of limbs with one drawn child each stand for the whole run."""
    run = [limb]
    while len(run[-1].children) == 1 and len(run[-1].children[0].children) == 1:
        run += run[-1].children
    if limb.parent is None or len(run) < _FOLDED_CHOICES:
        return
    (last,) = limb.children = run[-1].children
    last.parent = limb
    limb.label = f"{limb.label.split()[0]} ⋯ {run[-1].label.split()[0]}: {len(run)} choices"
    limb.hidden = sum(member.hidden for member in run)


def _fold(root: Vertex, geometry: Geometry) -> Limb:
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
            _label(run, geometry),
            _remark(last, geometry),
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


def _label(run: list[Vertex], geometry: Geometry) -> str:
    moves = [move for vertex in run for move in ((vertex.cell, vertex.symbol), *vertex.forced)]
    first, *forced = [candidate_name(geometry, *move) if move[1] else "board" for move in moves]
    if len(forced) > _LISTED:
        return f"{first} → {len(forced)} forced"
    return f"{first} → {', '.join(forced)}" if forced else first


def _remark(vertex: Vertex, geometry: Geometry) -> str:
    if vertex.solution:
        return f"solution {vertex.solution}"
    stopped = vertex.open and not vertex.children
    return failure_text(vertex, geometry) or ("stopped here" if stopped else "")


# ---- the picture -----------------------------------------------------------------------------------------------------


def tree_svg(top: Vertex, board: Board, most: int, summary: str) -> Svg:
    """Draw the search tree below a vertex, as large as its contents need. most: nodes. summary: the heading."""
    root = shape(top, board, most)
    columns, width = _columns(root)
    rows, height = _rows(root)
    lines, marks = [], [_text(complex(_MARGIN, 24), summary, LINE, bold=True)]
    for limb in root.walk():
        (left, right), y = columns[limb], 1j * rows[limb]
        start = at(left + y)
        path = f"M{start}"
        if limb.parent is not None:
            node, bend = columns[limb.parent][1] + 1j * rows[limb.parent], (columns[limb.parent][1] + left) / 2
            path = f"M{at(node)}C{at(complex(bend, node.imag))} {at(bend + y)} {start}"
        style = {"stroke_width": "3.5" if limb.on_solution else "1.2"}
        if limb.counted:
            right, style = left + 8, style | {"stroke_dasharray": "3 3"}
            marks.append(_text(right + 4 + y + 4j, limb.label, CANDIDATE))
        else:
            marks.append(_text(left + 4 + y - 5j, limb.label, LINE, bold=limb.on_solution))
            marks += _node(limb, right + y)
        lines.append(stroke(f"{path}H{number(right)}", GOOD if limb.on_solution else CANDIDATE, **style))
    title = f"Search tree, {board.geometry.description}. {summary}"
    width = max(width, _MARGIN * 2 + len(summary) * _CHARACTER)
    return document((width, height), title, [*lines, *group(marks, font_family=_FONT, font_size="12")])


def _columns(root: Limb) -> tuple[dict[Limb, tuple[float, float]], float]:
    """Return where the label of each limb begins and where its node is, by depth, and the width of all."""
    places = {}
    width, x, level = 0.0, float(_MARGIN), [root]
    while level:
        end = x + max(len(limb.label) for limb in level) * _CHARACTER + _AROUND_LABEL
        for limb in level:
            places[limb] = x, end
            width = max(width, end + _AFTER_NODE + len(limb.remark) * _CHARACTER)
        x = end + _BEND
        level = [child for limb in level for child in limb.children]
    return places, width + _MARGIN


def _rows(root: Limb) -> tuple[dict[Limb, float], float]:
    """Return the height of each limb (a line for each leaf, others in the middle of their children), and of all."""
    limbs = list(root.walk())
    leaves = [limb for limb in limbs if not limb.children]
    places = {limb: _TOP + _ROW * (row + 0.7) for row, limb in enumerate(leaves)}
    for limb in reversed(limbs):
        if limb.children:
            places[limb] = (places[limb.children[0]] + places[limb.children[-1]]) / 2
    return places, _TOP + _ROW * len(leaves) + float(_MARGIN)


def _node(limb: Limb, place: complex) -> list[str]:
    """Draw a ring for a solution, a cross for a dead end, else a dot; and the remark beside it."""
    centre = {"cx": place.real, "cy": place.imag}
    colour = GOOD if limb.solution else ALARM if limb.dead else CANDIDATE
    if limb.solution:
        ring = element("circle", **centre, r="7", fill=BACKGROUND, stroke=GOOD, stroke_width="2")
        drawn = [ring, element("circle", **centre, r="3.5", fill=GOOD)]
    elif limb.dead:
        drawn = [stroke(f"M{at(place - 4 - 4j)}l8 8m0 -8l-8 8", ALARM, stroke_width="2")]
    else:
        drawn = [element("circle", **centre, r="3.5", fill=GOOD if limb.on_solution else CANDIDATE)]
    remark = _text(place + _AFTER_NODE + 4j, limb.remark, colour, bold=limb.solution > 0)
    return [*drawn, remark] if limb.remark else drawn


def _text(place: complex, words: str, colour: str, bold: bool = False) -> str:
    weight = {"font_weight": "bold"} if bold else {}
    return text(place, words, fill=colour, **weight)
