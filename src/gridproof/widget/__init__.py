"""A board in Jupyter to set puzzles on, to solve and to teach with: ``gridproof.BoardWidget``."""
