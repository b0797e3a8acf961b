"""Names of steps, against a library of labelled steps in the lines of HoDoKu's: ``python -m benchmarks.names FILE``.

A line is ``:code:symbols:cells:candidates that are gone:eliminations:placements::``. Each of its eliminations and
placements is a goal, which is named in the position of the line. A code that ends in ``x`` marks a line in which the
technique must not be found. The table has a row for each code: goals that are entailed by all facts, goals and lines with
the right name (or twin; of a line the goals all), and how many of the goals with this name have this code (precision).
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as File
from statistics import median
from time import process_time

import gridproof
from gridproof import Board
from gridproof.explanations.steps.path import Path
from gridproof.explanations.steps.step import Step

NAMES = {
    "0000": "full house",
    "0002": "hidden single",
    "0003": "naked single",
    "0100": "pointing",
    "0101": "claiming",
    "0110": "locked pair",
    "0111": "locked triple",
    **{f"020{n}": f"naked {name}" for n, name in enumerate(("pair", "triple", "quad"))},
    **{f"021{n}": f"hidden {name}" for n, name in enumerate(("pair", "triple", "quad"))},
    **{
        f"03{code}{n}": f"{kind}{name}"
        for code, kind in {
            "0": "",
            "1": "finned ",
            "2": "sashimi ",
            "3": "Franken ",
            "4": "finned Franken ",
            "5": "mutant ",
            "6": "finned mutant ",
        }.items()
        for n, name in enumerate(("X-wing", "swordfish", "jellyfish"))
    },
    "0400": "skyscraper",
    "0401": "kite",
    "0402": "empty rectangle",
    "0403": "turbot fish",
    "0404": "kite",
    "0405": "empty rectangle",
    "0500": "simple colouring",
    "0501": "simple colouring",
    "0701": "X-chain",
    "0702": "XY-chain",
    "0703": "remote pair",
    "0800": "XY-wing",
    "0801": "XYZ-wing",
    "0803": "W-wing",
}
"""The name of each code that has one here. A fifth figure and a variant are left out."""

_LINE = re.compile(r":(?P<code>\d{4})\d?(?:-\d+)?(?P<false>x?):[^:]*:(?P<cells>[^:]*):(?P<gone>[^:]*):(?P<removed>[^:]*):(?P<placed>[^:]*)")


@dataclass
class Case:
    """A line: its position, its goals as (cell, symbol), and whether they are placements or must not get the name."""

    code: str
    board: Board
    goals: list[tuple[int, int]]
    placed: bool
    false: bool


def cases(file: File) -> Iterator[Case]:
    """Yield the cases of a library."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if match := _LINE.match(line):
            cells = re.findall(r"\+?[\d.]", match["cells"].replace("0", "."))
            clues = [0 if cell[0] in "+." else int(cell) for cell in cells]
            filled = [int(cell[1]) if cell[0] == "+" else 0 for cell in cells]
            marks = [511] * 81
            for cell, symbol in _candidates(match["gone"]):
                marks[cell] &= ~(1 << (symbol - 1))
            board = gridproof.parse("".join(map(str, clues))).with_filled(filled).with_marks(marks)
            goals = _candidates(match["removed"]) or _candidates(match["placed"])
            yield Case(match["code"], board, goals, not match["removed"], bool(match["false"]))


def _candidates(text: str) -> list[tuple[int, int]]:
    return [(9 * int(row) + int(column) - 10, int(symbol)) for symbol, row, column in text.split()]


@dataclass
class Figures:
    """Of the lines of a code: how many; their goals; how many of these are entailed, and have the right name."""

    lines: int = 0
    right_lines: int = 0
    goals: int = 0
    entailed: int = 0
    right: int = 0


def measure(file: File) -> tuple[dict[str, Figures], Counter[tuple[str, str]], list[str], list[float]]:
    """Name each goal. Return figures by code, goals by code and name, false names, and milliseconds."""
    figures, named, false, seconds = defaultdict[str, Figures](Figures), Counter[tuple[str, str]](), [], []
    for case in cases(file):
        with Path(case.board) as path:
            right, wanted = [], NAMES.get(case.code, "-")
            goals = case.goals or ([] if case.placed else [])
            for goal in goals:
                started = process_time()
                step = path.named(Step(path.position, **{"placed" if case.placed else "removed": (goal,)}))
                seconds.append(1e3 * (process_time() - started))
                x = path._facts.x[goal[0]][goal[1]]
                if case.false:
                    false += [f"{case.code}x: {step.name}"] if wanted in (step.name, step.twin) else []
                    continue
                figures[case.code].entailed += bool(path.minimal(-x if case.placed else x, -1 + (1 << len(path._facts.facts))))
                right.append(wanted in (step.name, step.twin))
                named[case.code, step.name if not right[-1] else wanted] += 1
            if not case.false:
                mine = figures[case.code]
                mine.lines, mine.goals, mine.right = mine.lines + 1, mine.goals + len(right), mine.right + sum(right)
                mine.right_lines += all(right)
    return dict(figures), named, false, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=File)
    figures, named, false, seconds = measure(parser.parse_args().file)
    print("| code | name | lines | of these right | goals | entailed | recall | precision | otherwise |\n|---|---|---|---|---|---|---|---|---|")
    for code, mine in sorted(figures.items()):
        wanted = NAMES.get(code, "")
        given = sum(number for (_, name), number in named.items() if name == wanted)
        same = sum(number for (other, name), number in named.items() if name == wanted == NAMES.get(other))
        others = ", ".join(f"{n or '-'} {k}" for (c, n), k in named.most_common() if c == code and n != wanted)
        share = f"{mine.right / mine.goals:.2f} | {same / given:.2f}" if wanted and given else " | "
        print(f"| {code} | {wanted} | {mine.lines} | {mine.right_lines} | {mine.goals} | {mine.entailed} | {share} | {others} |")
    print(f"false names: {len(false)} {false}; ms a name: median {median(seconds):.2f}, 90 % {sorted(seconds)[len(seconds)*9//10]:.2f}, worst {max(seconds):.1f}")


if __name__ == "__main__":
    main()
