"""Colours of drawn items, and the names that people give them."""

from __future__ import annotations

import colorsys
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Colour:
    """A colour on white paper: its hue in degrees, its lightness and saturation from 0 to 1.

    Examples
    --------
    >>> Colour.of("#0f0").name, Colour.of("#67f067ff").name, Colour.of("#cfcfcf").name
    ('green', 'green', 'grey')
    >>> Colour.of("#0000") is None
    True
    """

    hue: float
    lightness: float
    saturation: float

    @classmethod
    def of(cls, text: object) -> Colour | None:
        """Return the colour of a text such as ``#rrggbbaa``; ``None`` for none, or one that is no colour."""
        code = str(text or "").lstrip("#")
        if not re.fullmatch(r"(?:[0-9a-fA-F]{1}|[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})", code):
            return None
        if len(code) == 1:
            code *= 3
        if len(code) <= 4:
            code = "".join(2 * digit for digit in code)
        code = f"{code}ff"
        parts = []
        for place in range(0, 8, 2):
            parts.append(int(code[place : place + 2], 16) / 255)
        alpha = parts[3]
        if not alpha:
            return None
        on_paper = [1 - alpha * (1 - part) for part in parts[:3]]
        hue, lightness, saturation = colorsys.rgb_to_hls(*on_paper)
        return cls(round(hue * 360, 1), lightness, saturation)

    @property
    def code(self) -> str:
        """The colour as ``#rrggbb``."""
        rgb = colorsys.hls_to_rgb(self.hue / 360, self.lightness, self.saturation)
        return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)

    @property
    def name(self) -> str:
        """The name that people give to such a colour."""
        if self.lightness > 0.93:
            return "white"
        if self.lightness < 0.15:
            return "black"
        if self.saturation < 0.15:
            return "grey"
        for name, end in _LAST_HUES.items():
            if self.hue < end:
                return name
        return "red"


_LAST_HUES = {
    "red": 15,
    "orange": 42,
    "yellow": 70,
    "green": 165,
    "turquoise": 190,
    "blue": 252,
    "purple": 300,
    "pink": 345,
}
"""The hue in degrees where each name ends; red again follows the last."""
