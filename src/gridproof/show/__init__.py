"""Pictures of boards: text for a terminal, SVG for notebooks, a table where neither is at hand.

One module for each lies behind this one, and ``cells`` says what all of them show. Below ``board`` in
the order of imports: boards are drawn from here, and nothing here builds one.
"""

from __future__ import annotations

from gridproof.show.cells import differences
from gridproof.show.document import Svg
from gridproof.show.html import board_html
from gridproof.show.svg import board_svg
from gridproof.show.text import board_text

__all__ = ["Svg", "board_html", "board_svg", "board_text", "differences"]
