"""Pictures that follow each other, written as what changes from one to the next: a lesson has hundreds of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

_PARTS = re.compile(r"(?<=\n)|(?<=; )")
"""The ends of parts: of lines, and in descriptions of sentences."""


def pack_pictures(pictures: Sequence[str]) -> dict[str, Any]:
    """Return the different ``parts`` of pictures, and the ``changes`` from each picture to the next.

    A picture is a list of numbers of parts. A change is a place in that list, how many numbers go there, and the
    numbers that come in their place; the changes of a picture are in the order from its end to its beginning.

    Examples
    --------
    >>> pack_pictures(["a\\nb\\n", "a\\nc\\n"])
    {'parts': ['a\\n', 'b\\n', 'c\\n'], 'changes': [[[0, 0, [0, 1]]], [[1, 1, [2]]]]}
    """
    number_of: dict[str, int] = {}
    changes: list[list[list[Any]]] = []
    before: list[int] = []
    for picture in pictures:
        now = [number_of.setdefault(part, len(number_of)) for part in _PARTS.split(picture) if part]
        steps = SequenceMatcher(None, before, now, autojunk=False).get_opcodes()
        changed = [[start, end - start, now[first:last]] for tag, start, end, first, last in steps if tag != "equal"]
        changes.append(changed[::-1])
        before = now
    return {"parts": list(number_of), "changes": changes}
