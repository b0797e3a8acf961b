"""gridproof: Sudoku as a constraint problem, with every answer cross-checked."""

__version__ = "0.1.0"
