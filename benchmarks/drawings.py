"""``python -m benchmarks.drawings``: puzzles whose drawings somebody has named, from the link to the verdict.

The names are in ``named_drawings``. A puzzle counts as right if it is ``unique`` with the stored solution.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from benchmarks import real_puzzles
from benchmarks.named_drawings import f_puzzles, several, shaded, sudokupad
from gridproof import read_puzzle, verify
from gridproof.errors import GridproofError, NotUnderstoodError
from gridproof.formats import Puzzle, Shape
from gridproof.limits import Limits
from gridproof.puzzle.digits import read_digits
from gridproof.puzzle.geometry import Geometry


class NamedRow(NamedTuple):
    """The options with which a puzzle is read: kinds by letter, letters to ignore, rules of the whole board, shape."""

    readings: dict[str, str]
    ignored: list[str]
    rules: list[str]
    shape: Shape


Further = Mapping[int, Callable[[Puzzle], Iterator[str]]]
NAMED: dict[str, tuple[Mapping[int, str], Further]] = {
    "SudokuPad": (
        sudokupad.NAMED | shaded.NAMED,
        {**several.FURTHER, **shaded.FURTHER},
    ),
    "f-puzzles": (f_puzzles.NAMED, f_puzzles.FURTHER),
}


def parse_names(text: str) -> NamedRow:
    """Return the options that a text of names stands for.

    Examples
    --------
    >>> parse_names("A = whispers 4; -B; +anti-knight; digits 0-8")
    NamedRow(readings={'A': 'whispers 4'}, ignored=['B'], rules=['anti-knight'], shape=Digits(first=0, last=8))
    """
    row = NamedRow({}, [], [], Geometry.standard)
    for part in filter(None, text.split("; ")):
        if part.startswith("+"):
            row.rules.append(part[1:])
        elif part.startswith("-"):
            row.ignored.append(part[1:])
        elif part.startswith("digits "):
            row = row._replace(shape=read_digits(part.removeprefix("digits ")))
        else:
            letters, _, kind = part.partition(" = ")
            row.readings[letters] = kind
    return row


def decide(file: str, number: int, row: dict[str, Any], seconds: float) -> str:
    """Return the verdict on a puzzle as it was named, with the worth of the stored solution."""
    names, further = NAMED[file]
    named = parse_names(names[number])
    if number in further:
        named.rules.extend(further[number](read_puzzle(row["payload"], named.shape)))
    try:
        verdict = verify(
            row["payload"],
            shape=named.shape,
            readings=named.readings,
            ignored=named.ignored,
            rules=named.rules,
            limits=Limits(seconds=seconds),
            cross_check="none",
        )
    except NotUnderstoodError:
        return "not understood"
    except GridproofError as problem:
        return f"refused: {problem}"
    return f"{verdict.status} {verdict.evidence.stored or ''}".strip()


def is_incomplete(row: dict[str, Any]) -> bool:
    """Return whether the declared rules of a puzzle are not all, and its solution is stored whole."""
    return row["complete"] is not True and bool(row["solution"]) and not set(row["solution"]) & set(".0?")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.drawings", description=__doc__)
    parser.add_argument("--seconds", type=float, default=25, help="for each puzzle (default: 25)")
    args = parser.parse_args()
    for file, (names, _) in NAMED.items():
        rows = real_puzzles.rows(file)
        outcomes: Counter[str] = Counter()
        for number in names:
            outcome = decide(file, number, rows[number], args.seconds)
            outcomes[outcome.split(":")[0]] += 1
            if outcome != "unique right":
                print(f"{file} {number}: {outcome:.200}")
        incomplete = sum(is_incomplete(row) for row in rows)
        right = outcomes["unique right"]
        print(f"{file}: {right} of {incomplete} incomplete puzzles with a stored solution ({right / incomplete:.0%})")
        print(f"  {dict(outcomes)}")


if __name__ == "__main__":
    main()
