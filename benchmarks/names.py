"""Names of steps, against a library of labelled steps in the lines of HoDoKu's: ``python -m benchmarks.names FILE``.

A line is ``:code:symbols:cells:candidates that are gone:eliminations:placements::``. Its eliminations or placements
are goals, each of which is named in the position of the line; a twin's name counts. A code that ends in ``x`` or
``-x`` marks a line in which the technique must not be found. The table has for each code: its lines, and those of
which all goals as one step have the right name, or that of a more general chain; its goals, and those entailed by all
facts; how many goals have the right name (recall), and how many of the goals with this name are of lines that are
labelled so (precision).
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

import gridproof
from gridproof import Board
from gridproof.solving.path import SolvingPath
from gridproof.solving.step import Step

_SIZES = ("pair", "triple", "quad")
_FISH = ("X-wing", "swordfish", "jellyfish")
_KINDS = ("", "finned ", "sashimi ", "Franken ", "finned Franken ", "mutant ", "finned mutant ")
NAMES = {
    "0000": "full house",
    "0002": "hidden single",
    "0003": "naked single",
    "0100": "pointing",
    "0101": "claiming",
    "0110": "locked pair",
    "0111": "locked triple",
    **{f"02{k}{n}": f"{kind} {size}" for k, kind in enumerate(("naked", "hidden")) for n, size in enumerate(_SIZES)},
    **{f"03{k}{n}": kind + fish for k, kind in enumerate(_KINDS) for n, fish in enumerate(_FISH)},
    "0400": "skyscraper",
    "0401": "kite",
    "0402": "empty rectangle",
    "0403": "turbot fish",
    "0404": "dual kite",
    "0405": "dual empty rectangle",
    "0500": "simple colouring",
    "0501": "simple colouring",
    "0701": "X-chain",
    "0702": "XY-chain",
    "0703": "remote pair",
    "0706": "continuous loop",
    "0707": "discontinuous loop",
    "0708": "AIC",
    "0709": "continuous loop with groups",
    "0710": "discontinuous loop with groups",
    "0711": "AIC with groups",
    "0800": "XY-wing",
    "0801": "XYZ-wing",
    "0803": "W-wing",
    "0901": "ALS-XZ",
}
"""The name of each code that has one here. A fifth figure and a variant are left out."""

_CHAINS = ("X-chain", "XY-chain", "remote pair", "discontinuous loop", "continuous loop", "ALS-XZ", "AIC")
_ADDITIONS = ("", " with groups", " with ALS")

_LINE = re.compile(r":(\d{4})\d?(?:-\d+)?-?(x?):[^:]*:([^:]*):([^:]*):([^:]*):([^:]*)")


@dataclass
class Case:
    """A line: its position, its goals as (cell, symbol), and whether they are placements or must not get the name."""

    code: str
    board: Board
    goals: tuple[tuple[int, int], ...]
    placed: bool
    false: bool


def cases(file: Path) -> Iterator[Case]:
    """Yield the cases of a library."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if match := _LINE.match(line):
            code, false, digits, gone, removed, placed = match.groups()
            cells = re.findall(r"\+?[\d.]", digits)
            marks = [511] * 81
            for cell, symbol in _candidates(gone):
                marks[cell] &= ~(1 << (symbol - 1))
            board = gridproof.parse("".join("." if cell[0] == "+" else cell for cell in cells)).with_marks(marks)
            board = board.with_filled([int(cell[1:] or 0) for cell in cells])
            yield Case(code, board, _candidates(removed or placed), not removed, bool(false))


def _candidates(text: str) -> tuple[tuple[int, int], ...]:
    return tuple((9 * int(one[1]) + int(one[2]) - 10, int(one[0])) for one in text.split())


@dataclass
class Figures:
    """The counts of a code.

    lines; right_lines and general_lines: those whose goals as one step have the right name, or a more general one;
    goals; entailed and right: those that follow, and those with the right name.
    """

    lines: int = 0
    right_lines: int = 0
    general_lines: int = 0
    goals: int = 0
    entailed: int = 0
    right: int = 0


@dataclass
class Measured:
    """The figures of a library.

    figures: by code. named: goals by code and name. forbidding: the codes of lines with an ``x``. false: the names that
    such a line forbids and that were given all the same. milliseconds: of each goal.
    """

    figures: dict[str, Figures]
    named: Counter[tuple[str, str]]
    forbidding: list[str]
    false: list[str]
    milliseconds: list[float]


def measure(file: Path) -> Measured:
    """Name each goal of a library."""
    result = Measured(defaultdict(Figures), Counter(), [], [], [])
    for case in cases(file):
        with SolvingPath(case.board) as path:
            _measure(case, path, result)
    return result


def _measure(case: Case, path: SolvingPath, result: Measured) -> None:
    wanted = NAMES.get(case.code, "-")

    def name(*goals: tuple[int, int]) -> str:
        step = Step(path.position, placed=goals) if case.placed else Step(path.position, removed=goals)
        step = path.with_name(step)
        return wanted if wanted in (step.name, step.twin) else step.name

    if case.false:
        result.forbidding.append(case.code)
        for goal in case.goals or _false_candidates(path):
            if name(goal) == wanted:
                result.false.append(f"{case.code}x: {wanted}")
        return
    mine = result.figures[case.code]
    mine.lines += 1
    whole = name(*case.goals)
    mine.right_lines += whole == wanted
    mine.general_lines += is_more_general(whole, wanted)
    for cell, symbol in case.goals:
        started = process_time()
        given = name((cell, symbol))
        result.milliseconds.append(1e3 * (process_time() - started))
        mine.goals += 1
        mine.right += given == wanted
        mine.entailed += bool(path.solution) and (path.solution[cell] == symbol) == case.placed
        result.named[case.code, given] += 1


def is_more_general(name: str, label: str) -> bool:
    """Return whether a chain of a label is also a chain of another name: each is an AIC, and may need less.

    >>> is_more_general("AIC with groups", "X-chain"), is_more_general("X-chain", "AIC")
    (True, False)
    """
    kind, addition = _split_chain(name)
    label_kind, label_addition = _split_chain(label)
    if name == label or not kind or not label_kind:
        return False
    return kind in ("AIC", label_kind) and _ADDITIONS.index(addition) >= _ADDITIONS.index(label_addition)


def _split_chain(name: str) -> tuple[str, str]:
    """Return the kind of a chain, and what it needs; nothing for another name."""
    for kind in _CHAINS:
        if name.startswith(kind):
            return kind, name.removeprefix(kind)
    return "", ""


def _false_candidates(path: SolvingPath) -> list[tuple[int, int]]:
    """Return the candidates that are in no solution."""
    candidates = []
    for cell in range(81):
        for symbol in path.position.symbols(cell):
            if path.solution.get(cell, symbol) != symbol:
                candidates.append((cell, symbol))
    return candidates


def show(result: Measured) -> None:
    """Print the table."""
    columns = ("code", "name", "lines", "right", "general", "goals", "entailed", "recall", "precision", "other names")
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    families = defaultdict[str, list[Figures]](list)
    for code, mine in sorted(result.figures.items()):
        wanted = NAMES.get(code, "-")
        families[code[:2]].append(mine)
        given = {other: number for (other, name), number in result.named.items() if name == wanted}
        same = sum(number for other, number in given.items() if NAMES.get(other) == wanted)
        counts = f"{mine.lines} | {mine.right_lines} | {mine.general_lines} | {mine.goals} | {mine.entailed}"
        shares = f"{mine.right / mine.goals:.2f} | {same / sum(given.values()):.2f}" if mine.right else "- | -"
        named = [(name, n) for (c, name), n in result.named.most_common() if c == code and name not in ("", wanted)]
        print(f"| {code} | {wanted} | {counts} | {shares} | {', '.join(f'{name} {n}' for name, n in named)} |")
    for family, rows in families.items():
        lines = f"{sum(row.right_lines for row in rows)} of {sum(row.lines for row in rows)} lines"
        lines += f" (and {sum(row.general_lines for row in rows)} by a more general name)"
        print(f"family {family}: {lines}, {sum(row.right for row in rows)} of {sum(row.goals for row in rows)} goals")
    spent = sorted(result.milliseconds)
    most = f"nine of ten {spent[len(spent) * 9 // 10]:.2f}, worst {spent[-1]:.1f}"
    known = sum(code in NAMES for code in result.forbidding)
    print(f"{len(result.forbidding)} lines with an x, {known} of them of a technique that has a name here")
    print(f"{len(result.false)} false names in these: {', '.join(result.false) or 'none'}")
    print(f"milliseconds a goal: median {median(spent):.2f}, {most}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    show(measure(parser.parse_args().file))


if __name__ == "__main__":
    main()
