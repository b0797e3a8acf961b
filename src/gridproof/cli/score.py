"""Score answers to puzzles: what is right, wrong and blank, and what the first wrong cell breaks.

An ANSWER is a grid in any notation, also inside prose, a fence, \\boxed{} or lines such as "Row 1: ..."; the last grid
of the puzzle's size counts. The truth is the verdict on the puzzle, whatever solution is stored with it. reward is 1
for a solution and 0 for anything else, share the part of the cells to fill that are right.

With --answers, FILE is a table (.csv, .jsonl or .parquet) with a column of puzzles and this column of answers; -o
writes it with the scores beside its own columns.

exit codes:
    0    every answer is a solution
    1    some are not

examples:
    gridproof score '1... ..2. .3.. ...4' 'I think it is 1243342143122134.'
    gridproof score --json examples/six-rules.toml 'Row 1: 1 2 3 4'
    gridproof score examples/answers.csv --answers response -o scores.csv
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from statistics import fmean
from typing import Any

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.errors import InputError
from gridproof.formats.sources import exists
from gridproof.runs import tables
from gridproof.scoring import Score, score
from gridproof.scoring.tables import MALFORMED, TYPES, find_column, score_columns
from gridproof.text import counted, suggest


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s PUZZLE ANSWER | FILE --answers COLUMN"
    _options.value(parser, "puzzle", "PUZZLE", "a puzzle or the path of a file with one; with --answers, a table")
    text = "the answer, the path of a file with it, or - for standard input"
    _options.value(parser, "answer", "ANSWER", text, nargs="?")
    _options.repeatable(parser, "--rule", "RULE", "a further rule of the puzzle, see `gridproof rules`")
    _options.seconds(parser, "--seconds", "time limit for the verdict on the puzzle")
    group = parser.add_argument_group("tables")
    _options.value(group, "--answers", "COLUMN", "the column of answers")
    _options.value(group, "--column", "NAME", "the column of puzzles (default: puzzle, question or quiz)")
    _options.add_file(group, "write the table with the scores, as .csv, .jsonl or .parquet")
    _options.add_output(parser)


def run(args: Options) -> int:
    rules = _options.parse_rules(args.rule)
    if args.answers is not None:
        if args.answer is not None or args.rule:
            raise InputError("--answers with an ANSWER or --rule; expected the table alone")
        return score_file(args)
    if args.answer is None:
        raise InputError("no ANSWER; expected one beside the puzzle, or the column of answers as --answers COLUMN")
    if args.column or args.output:
        raise InputError("--column or --output without --answers; expected them with a table only")
    puzzle = Path(args.puzzle) if is_file(args.puzzle) else args.puzzle
    scored = score(puzzle, read_answer(args.answer), limits=args.limits, rules=rules)
    print(json.dumps(scored.as_json()) if args.json else describe(scored))
    return 0 if scored.solved else 1


def is_file(text: str) -> bool:
    """Return whether a text is the path of a file."""
    return exists(text) and Path(text).is_file()


def read_answer(text: str) -> str:
    """Return an answer: that of a file, of standard input, or the text itself."""
    if text == "-":
        return sys.stdin.read()
    if is_file(text):
        return Path(text).read_text(encoding="utf-8", errors="replace")
    return text


def describe(scored: Score) -> str:
    """Return a score in lines."""
    lines = [str(scored)]
    if scored.grid:
        if scored.wrong:
            lines.append(f"{counted(scored.correct_before_error, 'right cell')} before the first wrong one")
        consistent = "nothing is broken so far" if scored.consistent else "a clue, a house or a rule is broken"
        lines.append(f"{consistent}; reward {scored.reward:g}, share {scored.share:.3f}")
    return "\n".join(lines)


def score_file(args: Options) -> int:
    """Score the rows of a table."""
    path = Path(args.puzzle)
    if tables.form_of(path) is None or not is_file(args.puzzle):
        raise InputError(f"{args.puzzle!r} is no table; expected a file that ends in .csv, .jsonl or .parquet")
    _options.refuse_to_overwrite(args.output, force=args.force)
    rows = read_rows(path)
    names = list(dict.fromkeys([name for row in rows for name in row]))
    column = args.column or find_column(names)
    for name in (column, args.answers):
        if name not in names:
            raise InputError(f"{path}: no column {name!r}; {suggest(name, names)}")
    taken = [name for name in names if name in TYPES]
    if taken and args.output:
        raise InputError(f"{path}: it has a column {taken[0]!r}, as the scores; expected another name")
    scores = score_columns([row.get(column) for row in rows], [row.get(args.answers) for row in rows])
    if args.output:
        types = dict.fromkeys(names, "string")
        types.update(TYPES)
        columns: list[list[Any]] = []
        for name in names:
            columns.append([as_text(row.get(name)) for row in rows])
        tables.write(args.output, types, columns + list(scores.values()))
    summary = summarise(scores)
    print(json.dumps(summary) if args.json else write_summary(summary))
    return 0 if summary["solved"] == summary["answers"] else 1


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a table. Raises ``InputError`` for a file that is none."""
    try:
        rows = tables.read(path)
    except ValueError as problem:
        raise InputError(f"{path}: {problem}; expected a table") from None
    if not rows:
        raise InputError(f"{path}: no rows; expected at least one")
    return rows


def as_text(value: object) -> str | None:
    """Return a field of the reader's own as text."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value)


def summarise(scores: dict[str, list[Any]]) -> dict[str, Any]:
    """Return the numbers of answers by what they are, and the mean share of right cells."""
    malformed = scores["verdict"].count(MALFORMED)
    shares = [share for share in scores["share"] if share is not None]
    return {
        "answers": len(scores["verdict"]),
        "solved": scores["solved"].count(True),
        "consistent": scores["consistent"].count(True),
        "without_grid": scores["taken"].count(None) - malformed,
        "malformed_puzzles": malformed,
        "mean_share": fmean(shares) if shares else 0.0,
    }


def write_summary(summary: dict[str, Any]) -> str:
    """Return the summary as a line."""
    line = (
        f"{counted(summary['answers'], 'answer')}: {summary['solved']:,} solved, {summary['consistent']:,} consistent"
    )
    if summary["without_grid"]:
        line += f", {summary['without_grid']:,} without a grid"
    if summary["malformed_puzzles"]:
        line += f", {summary['malformed_puzzles']:,} to malformed puzzles"
    return f"{line}; mean share of right cells {summary['mean_share']:.3f}"
