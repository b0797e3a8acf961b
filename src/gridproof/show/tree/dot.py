"""Search trees as Graphviz DOT text, with the meaning of ``svg``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridproof.show.tree.shape import Limb, shape

if TYPE_CHECKING:
    from gridproof.show.tree.search_tree import SearchTree


def tree_dot(tree: SearchTree) -> str:
    """The drawn tree in the DOT language: ``dot -Tpdf`` makes a page of it."""
    root = shape(tree)
    names = {id(limb): f"n{number}" for number, limb in enumerate(root.walk())}
    lines = [
        "digraph search {",
        f"  label={_quoted(tree.summary)}; labelloc=t; rankdir=LR;",
        '  node [shape=point, fontname="Helvetica"]; edge [fontname="Helvetica", arrowhead=none];',
    ]
    for limb in root.walk():
        name = names[id(limb)]
        lines.append(f"  {name} [{_attributes(limb)}];")
        if limb.parent is not None:
            lines.append(f"  {names[id(limb.parent)]} -> {name} [{_edge(limb)}];")
    return "\n".join([*lines, "}", ""])


def _attributes(limb: Limb) -> str:
    if limb.counted:
        return f"shape=plaintext, label={_quoted(limb.label)}"
    if limb.solution:
        return f"shape=doublecircle, label={_quoted(limb.remark)}, penwidth=2"
    if limb.dead:
        return f"shape=plaintext, label={_quoted('✗ ' + limb.remark)}"
    if limb.remark:
        return f"shape=plaintext, label={_quoted(limb.remark)}"
    if limb.parent is None:
        return f"shape=box, label={_quoted(limb.label)}"
    return "shape=point"


def _edge(limb: Limb) -> str:
    if limb.counted:
        return "style=dashed"
    return f"label={_quoted(limb.label)}" + (", penwidth=3.5" if limb.on_solution else "")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
