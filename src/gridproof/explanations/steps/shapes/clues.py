"""Single rules: the name of what one takes away by itself, by its kind."""

from __future__ import annotations

from gridproof.explanations.steps.shapes import one_rule

NAMES = {
    "killer": "killer combination",
    "thermometer": "thermometer bounds",
    "slow-thermometer": "slow thermometer bounds",
    "arrow": "arrow bounds",
    "double-arrow": "double arrow bounds",
    "little-killer": "little killer bounds",
    "sandwich": "sandwich combination",
    "x-sum": "X-sum",
    "skyscraper": "skyscraper clue",
    "numbered-room": "numbered room",
    "difference": "white dot",
    "ratio": "black dot",
    "xv": "XV pair",
    "inequality": "inequality",
    "whispers": "whispers line",
    "dutch-whispers": "Dutch whispers line",
    "renban": "renban line",
    "region-sum": "region sum line",
    "palindrome": "palindrome",
    "between": "between line",
    "zipper": "zipper line",
    "maximum": "maximum",
    "minimum": "minimum",
    "quadruple": "quadruple",
}
"""Kinds of rules, and what people call a step that one of them gives alone."""

SHAPES = tuple(one_rule(name, 5 + n / 100, kind) for n, (kind, name) in enumerate(NAMES.items()))
