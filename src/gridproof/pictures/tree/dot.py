"""Search trees as Graphviz DOT text, with the meaning of ``svg``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridproof.pictures.tree.shape import Limb, shape

if TYPE_CHECKING:
    from gridproof.pictures.tree.search_tree import SearchTree


def tree_dot(tree: SearchTree) -> str:
    """The drawn tree in the DOT language: ``dot -Tpdf`` makes a page of it."""
    limbs = list(shape(tree).walk())
    names = {limb: f"n{number}" for number, limb in enumerate(limbs)}
    lines = [
        "digraph search {",
        f"  label={_quoted(tree.summary)}; labelloc=t; rankdir=LR;",
        '  node [shape=point, fontname="Helvetica"]; edge [fontname="Helvetica", arrowhead=none];',
    ]
    for limb, name in names.items():
        lines.append(f"  {name} [{_node(limb)}];")
        if limb.parent is not None:
            lines.append(f"  {names[limb.parent]} -> {name} [{_edge(limb)}];")
    return "\n".join([*lines, "}", ""])


def _node(limb: Limb) -> str:
    if limb.solution:
        return f"shape=doublecircle, label={_quoted(limb.remark)}, penwidth=2"
    if limb.parent is None and not limb.remark:
        return f"shape=box, label={_quoted(limb.label)}"
    label = limb.label if limb.counted else f"✗ {limb.remark}" if limb.dead else limb.remark
    return f"shape=plaintext, label={_quoted(label)}" if label else "shape=point"


def _edge(limb: Limb) -> str:
    if limb.counted:
        return "style=dashed"
    return f"label={_quoted(limb.label)}" + (", penwidth=3.5" if limb.on_solution else "")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
