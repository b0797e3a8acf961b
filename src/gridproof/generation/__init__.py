"""Puzzles that are made, their canonical forms, and what of a puzzle is not needed."""
