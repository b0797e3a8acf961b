"""The board that the form of a new one states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gridproof.errors import InputError
from gridproof.formats.shapes import Shape, add_families, read_boxes, read_size, with_size_and_digits
from gridproof.puzzle.digits import read_digits
from gridproof.puzzle.geometry import Geometry
from gridproof.widget.stage import refuse_large


def read_new_board(values: Mapping[str, Any]) -> Geometry:
    """Return the geometry that the values of the form state.

    Parameters
    ----------
    values
        The ``size``: rows and columns, or one number for both. The ``digits``, or nothing for those from 1 on. The
        ``shape``: ``boxes``, else there are none yet. The size of the ``boxes``, or nothing for the usual ones. Whether
        there are ``diagonals`` and ``windoku``.

    Raises
    ------
    InputError
        For a value that cannot be read, for a shape that no board has, and for a board that is too large.

    Examples
    --------
    >>> read_new_board({"size": "9", "digits": "0-9", "shape": "boxes"}).description
    '9x9, 3x3 boxes, digits 0-9'
    >>> read_new_board({"size": "6x8", "digits": "", "shape": "boxes", "boxes": "2x4"}).description
    '6x8, 2x4 boxes, digits 1-8'
    """
    size_text = str(values["size"]).strip()
    if size_text.isascii() and size_text.isdigit():
        size_text = f"{size_text}x{size_text}"
    size = read_size(size_text, "size")
    digits_text = str(values.get("digits", "")).strip()
    digits = read_digits(digits_text) if digits_text else None
    refuse_large(*size, max(size) if digits is None else len(digits))
    shape: Shape = Geometry.latin
    boxes_text = str(values.get("boxes", "")).strip()
    if values["shape"] == "boxes":
        shape = read_boxes(boxes_text, "boxes") if boxes_text else Geometry.standard
    elif boxes_text:
        raise InputError(f"boxes {boxes_text!r} on a board without boxes; expected nothing there, or the shape 'boxes'")
    geometry = with_size_and_digits(shape, size, digits)
    assert isinstance(geometry, Geometry)
    families = [bool(values.get(name)) for name in ("diagonals", "windoku")]
    return add_families(geometry, diagonal=families[0], windoku=families[1], disjoint=False)
