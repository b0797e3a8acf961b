"""Links, JSON and shortened text of SudokuPad."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from gridproof.formats.catalog import Format
from gridproof.formats.known.f_puzzles import read_link
from gridproof.formats.links import linked
from gridproof.formats.sheet import Sheet
from gridproof.formats.values import to_lists

LARGEST_ORDER = 35

_BEGINS = re.compile(
    r"(?:scl|ctc|scf)[\w+/=% -]{24,}\s*$"
    r"|\s*\{(?:\s*(?:id|ce|cells|metadata)\s*:"
    r'|(?!.*"grid"\s*:).*"cells"\s*:\s*\[\s*(?:\[\s*(?:\{|\]|$)|$)'
    r'|\s*"(?:id|cellSize|metadata|regions|cages)"\s*:.*,\s*$)',
    re.IGNORECASE | re.DOTALL,
)


def _sniff(text: str) -> bool:
    return _BEGINS.match(text) is not None or linked(text) == "sudokupad"


def _write(sheet: Sheet) -> str:
    from gridproof.formats.lzstring import packed

    text = json.dumps(_data(sheet), separators=(",", ":"))
    return f"https://sudokupad.app/?puzzleid=scl{quote(packed(text), safe='')}"


def _data(sheet: Sheet) -> dict[str, Any]:
    board, geometry = sheet.board, sheet.board.geometry
    if geometry.order > LARGEST_ORDER:
        raise SUDOKUPAD.refuse(f"a board of order {geometry.order}")
    if board.marks is not None:
        raise SUDOKUPAD.refuse("pencil marks", "f-puzzles or toml")

    def places(cells: Sequence[int]) -> list[list[int]]:
        return [list(divmod(cell, geometry.order)) for cell in cells]

    metadata: dict[str, Any] = {"title": sheet.title, "author": sheet.author, "rules": sheet.prose}
    if sheet.solution and geometry.order < 10:
        metadata["solution"] = "".join(map(str, sheet.solution))
    regions, cages = [], []
    for house in geometry.houses[2 * geometry.order :]:
        if house.kind in ("box", "region") and house not in geometry.extra:
            regions.append(places(house.cells))
        else:
            cages.append({"cells": places(house.cells), "unique": True})
    for rule in board.rules:
        values = {name: value for name, _, value in rule.parameters()}
        if rule.kind == "killer" and values["cells"] and not values["repeats"]:
            total = {} if values["total"] is None else {"value": str(values["total"])}
            cages.append({"cells": places(values["cells"]), "unique": True} | total)
        elif rule.kind == "extra-region":
            cages.append({"cells": places(values["cells"]), "unique": True})
        elif (rule.kind, values.get("offsets")) in (("anti-knight", (1, 2)), ("anti-king", (1, 1))):
            metadata[rule.kind.replace("-", "")] = True
        else:
            raise SUDOKUPAD.refuse(f"the rule: {rule.sentence(geometry)}", "sudokupad-link, or another format")
    cells = [[{"value": clue} if clue else {} for clue in row] for row in to_lists(board.clues, geometry)]
    metadata = {key: value for key, value in metadata.items() if value}
    return {"metadata": metadata, "cellSize": 50, "cells": cells, "regions": regions, "cages": cages}


SUDOKUPAD = Format(
    name="sudokupad",
    summary="links of SudokuPad, their payloads, and the JSON or shortened text behind them",
    by_line=True,
    sniff=_sniff,
    read=read_link,
    write=_write,
    examples=('{"cells": [[{"value": 1}, {}], [{}, {}]]}', "{id:'x',ce:[[{v:1},],[,]],re:[]}"),
)
FORMATS = (SUDOKUPAD,)
