"""Certificates spoilt at random in any file, by somebody who may also prove anew: what is accepted is true."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from checker_maker import Files, sealed, write
from gridproof import checker
from gridproof.certificates import certify
from gridproof.checker.kinds import KINDS
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, all_kinds
from rule_samples import SHAPES, grids, random_rule
from test_certify_rules import CLAIMS, changed, refuted, with_clues

pytestmark = pytest.mark.slow

PROOFS = {"proof/formula.cnf": "proof/proof.drat", "proof/conflict.cnf": "proof/conflict.drat"}
WRONG: tuple[Any, ...] = (True, 1.0, "1", None, [], {}, -1, 10**30, "\uff11", [[0, 0]], float("nan"))


def truth(files: Files, geometry: Geometry) -> str:
    """What is true of the board and the rules that the files state, by brute force and ``holds``."""
    n = geometry.order
    clues = files["board.txt"].decode().split()
    marks = json.loads(files["candidates.json"])["candidates"] if "candidates.json" in files else [None] * (n * n)
    rules = [_rule(rule) for rule in json.loads(files["rules.json"])["rules"]]
    found = [
        grid
        for grid in grids(geometry)
        if all(clue in (".", str(symbol)) for clue, symbol in zip("".join(clues), grid, strict=True))
        and all(mark is None or symbol in mark for mark, symbol in zip(marks, grid, strict=True))
        and all(rule.holds(grid, geometry) for rule in rules)
    ]
    return CLAIMS[min(2, len(found))]


def _rule(stated: dict[str, Any]) -> Rule:
    kind = all_kinds()[stated["kind"]]  # made, not stated: a cage may name a cell twice here
    return kind.make({key: _frozen(value) for key, value in stated["parameters"].items()})


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


# ---- one change each; they return the files, or the same ones where there is nothing to change ----------------------


def rules(files: Files, geometry: Geometry, random: Random) -> Files:
    """A rule dropped, doubled, moved, of another kind; a parameter of another value or type."""
    found: list[dict[str, Any]] = json.loads(files["rules.json"])["rules"]
    way = random.randrange(8)
    if way == 0 and found:
        del found[random.randrange(len(found))]
    elif way == 1 and found:
        found.append(random.choice(found))
    elif way == 2:
        random.shuffle(found)
    elif way == 3 and found:
        random.choice(found)["kind"] = random.choice(sorted(KINDS))
    elif found:
        said = random.choice(found)["parameters"]
        for name in random.sample(sorted(said), min(1, len(said))):
            said[name] = random.choice(WRONG) if way == 4 else _other(said[name], geometry, random)
    return files | {"rules.json": json.dumps({"rules": found}).encode()}


def _other(value: Any, geometry: Geometry, random: Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + random.choice((-1, 1))
    if isinstance(value, list) and value:
        place = random.randrange(len(value))
        way = random.randrange(4)
        if way == 0:
            return value[:place] + value[place + 1 :]
        if way == 1:
            return [*value, value[place]]
        if way == 2:
            return random.sample(value, len(value))
        return [*value[:place], _other(value[place], geometry, random), *value[place + 1 :]]
    return value


def claim(files: Files, geometry: Geometry, random: Random) -> Files:
    """Another claim, format or list of what is stated."""
    head = json.loads(files["claim.json"])
    way = random.randrange(3)
    if way == 0:
        head["claim"] = random.choice(CLAIMS)
    elif way == 1:
        head["format"] = random.choice(("gridproof-certificate/1", "gridproof-certificate/2"))
    else:
        head["states"] = random.sample(["cell>=1", "cell<=1", "house>=1", "house<=1"], 3)
    return files | {"claim.json": json.dumps(head).encode()}


def board(files: Files, geometry: Geometry, random: Random) -> Files:
    """Another clue, or one less; pencil marks; another solution."""
    n, way = geometry.order, random.randrange(3)
    if way == 0 and "solution.txt" in files:
        grid = "".join(map(str, random.choice(grids(geometry))))
        name = random.choice([name for name in files if name.startswith("solution")])
        return files | {name: "".join(grid[row * n : row * n + n] + "\n" for row in range(n)).encode()}
    if way == 1:
        marks = [None if random.random() < 0.8 else random.sample(range(1, n + 1), n - 1) for _ in range(n * n)]
        return files | {"candidates.json": json.dumps({"candidates": marks}).encode()}
    text = list(files["board.txt"].decode())
    place = random.choice([place for place, character in enumerate(text) if character != "\n"])
    text[place] = random.choice((".", str(random.randint(1, n))))
    return files | {"board.txt": "".join(text).encode()}


def conflict(files: Files, geometry: Geometry, random: Random) -> Files:
    """Other cells and rules that are said to contradict each other."""
    if "conflict.json" not in files:
        return files
    said = json.loads(files["conflict.json"])
    for key, most in (("cells", geometry.cell_count - 1), ("rules", 2)):
        if random.random() < 0.5:
            said[key] = said[key][1:] if random.random() < 0.6 else [*said[key], random.randint(0, most)]
    return files | {"conflict.json": json.dumps(said).encode()}


def formula(files: Files, geometry: Geometry, random: Random) -> Files:
    """Clauses and meanings of variables changed, as many as it takes until the formula is refuted."""
    name = random.choice([cnf for cnf in PROOFS if cnf in files] or [""])
    if not name:
        return files
    lines = files[name].decode().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("p"))
    said, clauses = lines[:start], [line.split()[:-1] for line in lines[start + 1 :]]
    top = int(lines[start].split()[2])
    for _ in range(random.choice((0, 1, 1, 3, 12))):
        if random.random() < 0.3:
            said, top = _declared(said, top, random)
        else:
            changed(said, clauses, random, top)
    proof = refuted(clauses) or b"0\n"
    text = "\n".join([*said, f"p cnf {top} {len(clauses)}", *(" ".join([*clause, "0"]) for clause in clauses), ""])
    return files | {name: text.encode(), PROOFS[name]: proof}


def _declared(said: list[str], top: int, random: Random) -> tuple[list[str], int]:
    """A declaration more, less, or with another number; definitions of the same variables."""
    way = random.randrange(4)
    own = [number for number, line in enumerate(said) if line.startswith(("c state", "c set", "c define"))]
    if way == 0 or not own:
        literals = " ".join(str(random.choice((-1, 1)) * random.randint(1, top)) for _ in range(random.randrange(4)))
        new = f"c define {random.choice((top, top + 1))} {random.choice(('or', 'nor'))} {literals}"
        return [*said, new.rstrip()], top + 1
    place = random.choice(own)
    if way == 1:
        return said[:place] + said[place + 1 :], top
    words = said[place].split()
    at = random.randrange(2, len(words))
    if words[at].lstrip("-").isdecimal():
        words[at] = str(int(words[at]) + random.choice((-1, 1)))
    return [*said[:place], " ".join(words), *said[place + way - 2 :]], top


def proof(files: Files, geometry: Geometry, random: Random) -> Files:
    """Steps left out or put in, clauses deleted that are needed, and something behind the end."""
    cnf = random.choice([cnf for cnf in PROOFS if cnf in files] or [""])
    if not cnf:
        return files
    name = PROOFS[cnf]
    steps = files[name].decode().splitlines()
    clauses = [line for line in files[cnf].decode().splitlines() if line[:1] not in "cp"]
    for _ in range(random.randint(1, 8)):
        place, way = random.randrange(len(steps)), random.randrange(4)
        if way == 0 and len(steps) > 1:
            del steps[place]
        elif way == 1:
            steps.insert(place, f"d {random.choice(clauses)}")
        elif way == 2:
            literals = [random.choice((-1, 1)) * random.randint(1, geometry.order**3 + 9) for _ in range(3)]
            steps.insert(place, " ".join(map(str, [*literals[: random.randint(1, 3)], 0])))
        else:
            steps.append(random.choice(("0", "c 0", "", "1 0", "d 1 0")))
    return files | {name: "".join(f"{step}\n" for step in steps).encode()}


CHANGES: tuple[Callable[[Files, Geometry, Random], Files], ...] = (rules, claim, board, conflict, formula, proof)


def claiming_more(stated: Board, random: Random) -> Files:
    """A certificate of the board with further clues, but without the word of them: often a false claim."""
    grid = random.choice(grids(stated.geometry))
    more = stated
    for cell in random.sample(range(stated.geometry.cell_count), random.randint(1, stated.geometry.cell_count)):
        if not more.clues[cell]:
            more = more.with_clue(cell, grid[cell])
    files = dict(certify(more, cross_check="none").files)
    own = "".join(str(clue or ".") for clue in stated.clues)
    n = stated.geometry.order
    files["board.txt"] = "".join(own[row * n : row * n + n] + "\n" for row in range(n)).encode()
    if "conflict.json" in files:
        said = json.loads(files["conflict.json"])
        left = [cell for cell in said["cells"] if stated.clues[cell]]
        files["conflict.json"] = json.dumps(said | {"cells": left}).encode()
    units = {f"{cell * n + clue} 0" for cell, clue in enumerate(more.clues) if clue and not stated.clues[cell]}
    for name in [cnf for cnf in PROOFS if cnf in files]:
        lines = [line for line in files[name].decode().splitlines() if line not in units]
        place = next(number for number, line in enumerate(lines) if line.startswith("p"))
        lines[place] = f"{lines[place].rsplit(' ', 1)[0]} {len(lines) - place - 1}"
        files[name] = "\n".join([*lines, ""]).encode()
    return files


def test_what_is_accepted_is_true() -> None:
    seen: Counter[tuple[bool, str]] = Counter()

    @given(
        seed=st.integers(0, 10**9),
        kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3),
        changes=st.lists(st.sampled_from(CHANGES), max_size=3),
        honest=st.booleans(),
    )
    @example(seed=35, kinds=["clone"], changes=[rules], honest=True)  # three lines
    @settings(max_examples=200)
    def true(
        seed: int, kinds: list[str], changes: list[Callable[[Files, Geometry, Random], Files]], honest: bool
    ) -> None:
        random = Random(seed)
        geometry = random.choice(SHAPES[2:])
        stated = with_clues(geometry, [random_rule(all_kinds()[name], geometry, random) for name in kinds], random)
        files = dict(certify(stated, cross_check="none").files) if honest else claiming_more(stated, random)
        for change in changes:
            files = change(files, geometry, random)
        with tempfile.TemporaryDirectory() as folder:
            report = checker.check(write(sealed(files), Path(folder, "certificate")))
        assert "checker-error" not in report.codes(), str(report)
        if report.accepted:
            assert report.claim == truth(files, geometry), str(report)
        for code in report.codes() or ["accepted"]:
            seen[bool(changes), code] += 1

    true()
    if settings().derandomize:
        assert seen[True, "accepted"] > 10
        assert len(seen) > 12
