"""Certificates made for the checker's tests: a small encoder and PySAT's proofs, without anything of gridproof.

The encoder is not the one of the package on purpose: a fault that both the package and the checker had would not show
if the tests took their formulas from the package.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

from pysat.card import CardEnc, EncType
from pysat.solvers import Solver

FORMAT = "gridproof-certificate/1"
SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ALL_RULES = ["cell>=1", "cell<=1", "house>=1", "house<=1"]
SCHEMES = (
    "pairwise", "seqcounter", "sortnetwrk", "cardnetwrk", "bitwise", "ladder", "totalizer", "mtotalizer", "kmtotalizer",
)  # fmt: skip

Board = dict[int, int]
Files = dict[str, bytes]
Houses = list[dict[str, Any]]


def geometry(rows: int, columns: int, extra: Houses | None = None) -> dict[str, Any]:
    """geometry.json of a board with boxes of rows x columns cells; 0 rows make a Latin square of order ``columns``."""
    n = max(rows, 1) * columns
    houses = [{"kind": "row", "name": f"row {r + 1}", "cells": list(range(r * n, r * n + n))} for r in range(n)]
    houses += [{"kind": "column", "name": f"column {c + 1}", "cells": list(range(c, n * n, n))} for c in range(n)]
    if rows:
        for box in range(n):
            top, left = box // (n // columns) * rows, box % (n // columns) * columns
            cells = [(top + i) * n + left + j for i in range(rows) for j in range(columns)]
            houses.append({"kind": "box", "name": f"box {box + 1}", "cells": cells})
    return {"order": n, "boxes": [rows, columns] if rows else None, "houses": houses + (extra or [])}


def diagonals(n: int) -> Houses:
    """Both diagonals as houses."""
    return [
        {"kind": "diagonal", "name": "falling", "cells": [i * n + i for i in range(n)]},
        {"kind": "diagonal", "name": "rising", "cells": [i * n + n - 1 - i for i in range(n)]},
    ]


def board_of(line: str) -> Board:
    """The clues of a one-line puzzle."""
    return {cell: SYMBOLS.index(character) + 1 for cell, character in enumerate(line) if character in SYMBOLS}


def text_of(board: Board, n: int) -> bytes:
    """board.txt or solution.txt."""
    if n > len(SYMBOLS):
        rows = [" ".join(str(board.get(r * n + c, ".")) for c in range(n)) for r in range(n)]
    else:
        rows = ["".join(SYMBOLS[board[cell] - 1] if (cell := r * n + c) in board else "." for c in range(n))
                for r in range(n)]  # fmt: skip
    return ("\n".join(rows) + "\n").encode()


@lru_cache
def at_most_one(n: int, scheme: str) -> tuple[list[list[int]], list[list[int]]]:
    """Clauses over 1 .. n and auxiliaries from n + 1, and for each auxiliary which of 1 .. n make it true."""
    if n == 1:
        return [], []
    card = CardEnc.atmost(lits=list(range(1, n + 1)), bound=1, top_id=n, encoding=getattr(EncType, scheme))
    true: list[list[int]] = [[] for _ in range(max(card.nv, n) - n)]
    with Solver("m22", bootstrap_with=card.clauses) as solver:
        for one in range(1, n + 1):
            assert solver.solve([x if x == one else -x for x in range(1, n + 1)])
            for literal in solver.get_model():
                if literal > n:
                    true[literal - n - 1].append(one)
    return card.clauses, true


class Formula:
    """A formula under way: clauses, and definitions of its auxiliaries."""

    def __init__(self, shape: dict[str, Any]) -> None:
        self.order: int = shape["order"]
        self.houses: list[list[int]] = [house["cells"] for house in shape["houses"]]
        self.top: int = self.order**3
        self.clauses: list[list[int]] = []
        self.definitions: list[str] = []

    def define(self, disjuncts: list[int], word: str = "or") -> int:
        """A new variable, true if one of the disjuncts is (with ``nor``: if none is)."""
        self.top += 1
        self.definitions.append(f"c define {self.top} {word} {' '.join(map(str, disjuncts))}".rstrip())
        return self.top

    def most(self, group: list[int], scheme: str) -> None:
        """At most one of a group, by a scheme of PySAT's."""
        clauses, true = at_most_one(len(group), scheme)
        names = dict(enumerate(group, 1))
        for auxiliary, ones in enumerate(true, len(group) + 1):
            names[auxiliary] = self.define([group[one - 1] for one in ones])
        self.clauses += [[names[abs(x)] * (1 if x > 0 else -1) for x in clause] for clause in clauses]

    def rules(self, states: list[str], scheme: str = "pairwise") -> list[str]:
        """States the kinds of rule named, cell by cell and house by house. Returns them."""
        n = self.order
        cells = [[cell * n + symbol for symbol in range(1, n + 1)] for cell in range(n * n)]
        houses = [[cell * n + symbol for cell in house] for house in self.houses for symbol in range(1, n + 1)]
        for kind, groups in (("cell", cells), ("house", houses)):
            if f"{kind}>=1" in states:
                self.clauses += groups
            if f"{kind}<=1" in states:
                for group in groups:
                    self.most(group, scheme)
        return states

    def triads(self) -> list[str]:
        """Exactly one symbol a cell; exactly one of the intersections of a line with the boxes holds a symbol."""
        n = self.order
        cells = [[cell * n + symbol for symbol in range(1, n + 1)] for cell in range(n * n)]
        for group in cells:
            self.clauses.append(group)
            self.most(group, "pairwise")
        lines, boxes = self.houses[: 2 * n], self.houses[2 * n : 3 * n]
        for house in self.houses[3 * n :]:
            for symbol in range(1, n + 1):
                self.clauses.append([cell * n + symbol for cell in house])
                self.most(self.clauses[-1], "pairwise")
        for symbol in range(1, n + 1):
            parts: dict[tuple[int, int], int] = {}
            for i, line in enumerate(lines):
                for j, box in enumerate(boxes):
                    common = [cell * n + symbol for cell in line if cell in box]
                    if common:
                        part = parts[i, j] = self.define(common)
                        self.clauses.append([-part, *common])
                        self.clauses += [[part, -x] for x in common]
                        self.clauses += [[-x, -y] for x, y in combinations(common, 2)]
            families = [[part for (i, _), part in parts.items() if i == line] for line in range(2 * n)]
            for j in range(n):
                families.append([part for (i, k), part in parts.items() if k == j and i < n])
                families.append([part for (i, k), part in parts.items() if k == j and i >= n])
            for family in families:
                self.clauses.append(family)
                self.clauses += [[-x, -y] for x, y in combinations(family, 2)]
        return ALL_RULES

    def text(self) -> bytes:
        """formula.cnf, each clause once."""
        clauses = list(dict.fromkeys(tuple(clause) for clause in self.clauses))
        lines = ["c a comment", *self.definitions, f"p cnf {self.top} {len(clauses)}"]
        lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
        return ("\n".join(lines) + "\n").encode()


def refutation(clauses: list[list[int]], solver: str) -> bytes:
    """A proof that the clauses contradict each other, with the empty clause at its end."""
    with Solver(solver, bootstrap_with=clauses, with_proof=True) as session:
        assert session.solve() is False
        lines = [line.strip() for line in session.get_proof()]
    if "0" in lines:  # some go on after the empty clause, some never write it
        del lines[lines.index("0") :]
    return ("\n".join([*lines, "0"]) + "\n").encode()


def state(shape: dict[str, Any], encoding: str) -> tuple[Formula, list[str]]:
    """The rules by an encoding: ``minimal``, ``extended``, ``triad``, ``other`` or the name of a scheme."""
    formula = Formula(shape)
    if encoding == "triad":
        return formula, formula.triads()
    kinds = {"minimal": ["cell>=1", "house<=1"], "other": ["cell<=1", "house>=1"]}.get(encoding, ALL_RULES)
    return formula, formula.rules(kinds, encoding if encoding in SCHEMES else "pairwise")


def board_units(board: Board, candidates: dict[int, list[int]], n: int) -> list[list[int]]:
    """Clues and removed candidates."""
    units = [[cell * n + symbol] for cell, symbol in board.items()]
    for cell, symbols in candidates.items():
        units += [[-(cell * n + s)] for s in range(1, n + 1) if s not in symbols]
    return units


def first_grids(shape: dict[str, Any], board: Board, candidates: dict[int, list[int]], limit: int) -> list[Board]:
    """Up to ``limit`` solutions, by SAT."""
    n: int = shape["order"]
    grids: list[Board] = []
    formula, _ = state(shape, "extended")
    with Solver("cadical153", bootstrap_with=formula.clauses + board_units(board, candidates, n)) as solver:
        while len(grids) < limit and solver.solve():
            true = [x for x in solver.get_model()[: n**3] if x > 0]
            grids.append({(x - 1) // n: (x - 1) % n + 1 for x in true})
            solver.add_clause([-x for x in true])
    return grids


def certificate(
    shape: dict[str, Any],
    board: Board,
    encoding: str = "extended",
    solver: str = "cadical153",
    candidates: dict[int, list[int]] | None = None,
    conflict: list[int] | None = None,
) -> Files:
    """The files of a certificate of whatever is true of the board. conflict: cells to use for ``none`` (else all)."""
    marks, n = candidates or {}, shape["order"]
    files = {"board.txt": text_of(board, n), "geometry.json": json.dumps(shape).encode()}
    if candidates is not None:
        rows = [marks.get(cell) for cell in range(n * n)]
        files["candidates.json"] = json.dumps({"candidates": rows}).encode()
    grids = first_grids(shape, board, marks, 2)
    head: dict[str, Any] = {"format": FORMAT, "claim": ("none", "unique", "multiple")[len(grids)]}
    head["made"] = {"backend": solver, "encoding": encoding}
    for grid, name in zip(grids, ("solution.txt", "solution2.txt"), strict=False):
        files[name] = text_of(grid, n)
    if len(grids) < 2:
        formula, head["states"] = state(shape, encoding)
        rules = list(formula.clauses)
        formula.clauses += board_units(board, marks, n)
        formula.clauses += [[-(cell * n + symbol) for cell, symbol in grid.items()] for grid in grids]
        files["proof/formula.cnf"] = formula.text()
        files["proof/proof.drat"] = refutation(formula.clauses, solver)
        if not grids:
            cells = sorted(board.keys() | marks.keys()) if conflict is None else conflict
            files["conflict.json"] = json.dumps({"cells": cells}).encode()
            part = {cell: symbol for cell, symbol in board.items() if cell in cells}
            few = {cell: symbols for cell, symbols in marks.items() if cell in cells}
            formula.clauses = rules + board_units(part, few, n)
            files["proof/conflict.cnf"] = formula.text()
            files["proof/conflict.drat"] = refutation(formula.clauses, solver)
    return sealed(files | {"claim.json": json.dumps(head).encode()})


def sealed(files: Files) -> Files:
    """The files with digests in claim.json that fit them."""
    head = json.loads(files["claim.json"])
    head["files"] = {name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name != "claim.json"}
    return files | {"claim.json": json.dumps(head).encode()}


def write(files: Files, path: Path) -> Path:
    """Writes a folder, or an archive if the path ends in ``.zip``. Returns the path."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return path
    for name, data in files.items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return path
