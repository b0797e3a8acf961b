"""The tree that a search walks: recorded while it walks, folded, pruned and drawn."""

from gridproof.pictures.tree.search_tree import MOST_NODES, TREE_LIMITS, SearchTree, TreeJournal, Vertex, search_tree

__all__ = ["MOST_NODES", "TREE_LIMITS", "SearchTree", "TreeJournal", "Vertex", "search_tree"]
