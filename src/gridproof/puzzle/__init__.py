"""Boards: geometry, clues and pencil marks, grids."""
