"""Searches in pictures: the tree that a search backend walks, and the work of a SAT solver over time."""

from gridproof.trees.search_tree import MOST_NODES, TREE_LIMITS, SearchTree, search_tree
from gridproof.trees.timeline import Timeline, sat_timeline

__all__ = ["MOST_NODES", "TREE_LIMITS", "SearchTree", "Timeline", "sat_timeline", "search_tree"]


def __dir__() -> list[str]:
    return __all__
