"""Search trees drawn as SVG: the root at the left, one line for each leaf, choices written along the edges.

As in ``svg``: presentation attributes, the background painted, nothing told by colour alone.
The path to a solution is thick and ends in a ring, a dead end is a cross, what is only counted hangs on a
dashed line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridproof.show.colours import BACKGROUND, TREE
from gridproof.show.document import Svg, document, xml_text
from gridproof.show.tree.shape import Limb, shape

if TYPE_CHECKING:
    from gridproof.show.tree.search_tree import SearchTree

_LINE, _TEXT, _SOLUTION, _DEAD, _COUNTED = (TREE[what] for what in ("line", "text", "solution", "dead", "counted"))
_FONT = 'font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="12"'
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
    drawing = _Drawing(root)
    width = max(drawing.width, _MARGIN * 2 + len(tree.summary) * _CHARACTER)
    return document(
        (width, drawing.height),
        f"Search tree, {tree.board.geometry.description}. {tree.summary}",
        [_text(_MARGIN, 24, tree.summary, _TEXT, bold=True), *drawing.lines, *drawing.marks],
    )


class _Drawing:
    """Places the limbs in columns (by depth) and rows (by leaf), then draws them."""

    def __init__(self, root: Limb) -> None:
        self.lines: list[str] = []
        self.marks: list[str] = []
        self._left: dict[int, float] = {}  # where the label of a limb begins, by the limb's identity
        self._right: dict[int, float] = {}  # where its node is
        self._middle: dict[int, float] = {}
        self.width = self._place_columns(root)
        self.height = self._place_rows(root)
        for limb in root.walk():
            self._draw(limb)

    def _place_columns(self, root: Limb) -> float:
        width, x, level = 0.0, float(_MARGIN), [root]
        while level:
            end = x + max(len(limb.label) for limb in level) * _CHARACTER + _AROUND_LABEL
            for limb in level:
                self._left[id(limb)], self._right[id(limb)] = x, end
                width = max(width, end + _AFTER_NODE + len(limb.remark) * _CHARACTER)
            x = end + _BEND
            level = [child for limb in level for child in limb.children]
        return width + _MARGIN

    def _place_rows(self, root: Limb) -> float:
        """A line for each leaf; other limbs stand in the middle of what hangs on them."""
        limbs = list(root.walk())
        bottom = float(_TOP)
        for limb in limbs:
            if not limb.children:
                self._middle[id(limb)] = bottom + _ROW * 0.7
                bottom += _ROW
        for limb in reversed(limbs):
            if limb.children:
                first, last = (self._middle[id(child)] for child in (limb.children[0], limb.children[-1]))
                self._middle[id(limb)] = (first + last) / 2
        return bottom + _MARGIN

    def _draw(self, limb: Limb) -> None:
        left, right, y = self._left[id(limb)], self._right[id(limb)], self._middle[id(limb)]
        path = f"M{left:.1f} {y:.1f}"
        if limb.parent is not None:
            x, above = self._right[id(limb.parent)], self._middle[id(limb.parent)]
            bend = (x + left) / 2
            path = f"M{x:.1f} {above:.1f}C{bend:.1f} {above:.1f} {bend:.1f} {y:.1f} {left:.1f} {y:.1f}"
        if limb.counted:
            right = left + 8
        colour = _SOLUTION if limb.on_solution else _LINE
        width = "3.5" if limb.on_solution else "1.2"
        dashes = ' stroke-dasharray="3 3"' if limb.counted else ""
        self.lines.append(
            f'<path d="{path}H{right:.1f}" fill="none" stroke="{colour}" stroke-width="{width}"{dashes}/>'
        )
        if limb.counted:
            self.marks.append(_text(right + 4, y + 4, limb.label, _COUNTED))
            return
        self.marks.append(_text(left + 4, y - 5, limb.label, _TEXT, bold=limb.on_solution))
        self.marks.append(_node(limb, right, y))
        if limb.remark:
            self.marks.append(
                _text(right + _AFTER_NODE, y + 4, limb.remark, _remark_colour(limb), bold=limb.solution > 0)
            )


def _node(limb: Limb, x: float, y: float) -> str:
    """A ring for a solution, a cross for a dead end, a dot for what goes on."""
    if limb.solution:
        outer = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="7" fill="{BACKGROUND}" stroke="{_SOLUTION}" stroke-width="2"/>'
        return f'{outer}<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{_SOLUTION}"/>'
    if limb.dead:
        cross = f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"
        return f'<path d="{cross}" fill="none" stroke="{_DEAD}" stroke-width="2"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{_SOLUTION if limb.on_solution else _LINE}"/>'


def _remark_colour(limb: Limb) -> str:
    return _SOLUTION if limb.solution else _DEAD if limb.dead else _COUNTED


def _text(x: float, y: float, text: str, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" {_FONT} fill="{colour}"{weight}>{xml_text(text)}</text>'
