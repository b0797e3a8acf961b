"""Search trees drawn as SVG: the root at the left, one line for each leaf, choices written along the edges.

As in ``svg``: presentation attributes, the background painted, nothing told by colour alone.
The path to a solution is thick and ends in a ring, a dead end is a cross, what is only counted hangs on a
dashed line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridproof.pictures.colours import ALARM, BACKGROUND, CANDIDATE, GOOD, LINE
from gridproof.pictures.document import Svg, at, document, element, group, number, stroke, text
from gridproof.pictures.tree.shape import Limb, shape

if TYPE_CHECKING:
    from gridproof.pictures.tree.search_tree import SearchTree

_FONT = "DejaVu Sans Mono,Menlo,Consolas,monospace"
_CHARACTER = 7.3  # width of a character of that font, in pixels
_ROW = 27  # from one leaf to the next
_BEND = 24  # room for the curve in which an edge leaves its node
_MARGIN = 12
_AROUND_LABEL = 18
_AFTER_NODE = 12  # from a node to the remark beside it
_TOP = 44  # the heading


def tree_svg(tree: SearchTree) -> Svg:
    """The picture of a search tree, as large as its contents need."""
    root = shape(tree)
    columns, width = _columns(root)
    rows, height = _rows(root)
    lines, marks = [], [_text(complex(_MARGIN, 24), tree.summary, LINE, bold=True)]
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
    title = f"Search tree, {tree.board.geometry.description}. {tree.summary}"
    width = max(width, _MARGIN * 2 + len(tree.summary) * _CHARACTER)
    return document((width, height), title, [*lines, *group(marks, font_family=_FONT, font_size="12")])


def _columns(root: Limb) -> tuple[dict[Limb, tuple[float, float]], float]:
    """Where the label of each limb begins and where its node is, by depth; the width of all."""
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
    """The height of each limb (a line for each leaf, others in the middle of what hangs on them), and of all."""
    limbs = list(root.walk())
    leaves = [limb for limb in limbs if not limb.children]
    places = {limb: _TOP + _ROW * (row + 0.7) for row, limb in enumerate(leaves)}
    for limb in reversed(limbs):
        if limb.children:
            places[limb] = (places[limb.children[0]] + places[limb.children[-1]]) / 2
    return places, _TOP + _ROW * len(leaves) + float(_MARGIN)


def _node(limb: Limb, place: complex) -> list[str]:
    """A ring for a solution, a cross for a dead end, a dot for what goes on; and the remark beside it."""
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
