"""Shared puzzles of which somebody has read the words, and named the drawings and the rules that stand in them only."""
