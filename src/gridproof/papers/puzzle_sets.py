"""The sets of a paper: a user's own files, sets that come with gridproof, or puzzles that are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.experiments import PuzzleSet
from gridproof.experiments.sets import load_file, load_sets
from gridproof.generation.making import generate
from gridproof.papers.measures import Request
from gridproof.text import counted, suggest


def puzzle_sets(wanted: Mapping[str, Any], request: Request) -> tuple[list[PuzzleSet], tuple[str, ...]]:
    """Return the sets of a paper in their order, and a sentence on where the puzzles of each are from.

    Raises ``InputError`` for a set of the user's that the paper has not.
    """
    for name in request.sets:
        if name not in wanted:
            raise InputError(f"--puzzles {name}=...: the paper has no such set; {suggest(name, list(wanted))}")
    sets = []
    remarks = []
    for name, source in wanted.items():
        puzzles, origin = _load(name, source, request)
        whole = len(puzzles.boards)
        puzzles = puzzles.distinct().sample(request.sample, seed=0)
        sets.append(puzzles)
        shown = counted(len(puzzles.boards), "puzzle")
        if len(puzzles.boards) < whole:
            shown = f"{len(puzzles.boards):,} of {counted(whole, 'puzzle')}"
        remarks.append(f"{name}: {shown} {origin}")
    return sets, tuple(remarks)


def _load(name: str, source: Any, request: Request) -> tuple[PuzzleSet, str]:
    own = request.sets.get(name)
    if own is not None:
        return load_file(Path(own), name), f"of {own}"
    if isinstance(source, str):
        (puzzles,) = load_sets([source])
        return replace(puzzles, name=name), f"of the set {source} that comes with gridproof"
    number = source["make"]
    seed = source.get("seed", 0)
    if request.sample is not None:
        number = min(number, request.sample)
    request.note(f"{name}: {counted(number, 'puzzle')} are made")
    boards = tuple(generate(number, minimal=True, seed=seed))
    return PuzzleSet(name, boards), f"that are minimal, made by `gridproof generate {number} --seed {seed}`"
