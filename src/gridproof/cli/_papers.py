"""The options of ``compare`` about papers, and what they have in common with its others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gridproof.cli._options import Options
from gridproof.errors import InputError
from gridproof.runs.progress import ignore


def list_papers() -> None:
    """Print a line about each paper that comes with gridproof."""
    from gridproof import papers

    for name in papers.names():
        paper = papers.load(name)
        print(f"{name:24} {paper.title}: {paper.summary}")


def run_paper_options(args: Options) -> int:
    """List the papers, or measure what one of them measured, and print and write the report."""
    if args.list_papers:
        list_papers()
        return 0
    if not args.paper:
        raise InputError("--puzzles without --paper; expected the paper whose set the file replaces")
    from gridproof.papers import Request, run_paper

    taken = ("list_papers", "paper", "sample", "puzzles", "table", "quiet", "clock", "command", "run")
    given = {}
    for name, value in vars(args).items():
        if name not in taken and not name.startswith("_"):
            given["SET" if name == "sets" else f"--{name.replace('_', '-')}"] = value
    refuse("--paper has its own sets, setups and limits", given)
    check_endings("--table", args.table, [".md", ".tex", ".json"])
    sets = {}
    for text in args.puzzles:
        name, equals, file = text.partition("=")
        if not equals or not file:
            raise InputError(f"--puzzles {text!r}; expected SET=FILE, such as 'hardest=my-puzzles.txt'")
        sets[name] = file
    report = run_paper(args.paper, Request(args.sample, sets, note_of(quiet=args.quiet)))
    writers = {".md": report.to_markdown, ".tex": report.to_latex, ".json": report.to_json}
    for table in args.table:
        Path(table).write_text(writers[Path(table).suffix](), encoding="utf-8")
    print(report.text())
    return 0


def note_of(*, quiet: bool) -> Callable[[str], object]:
    """Return what is called with each note."""
    return ignore if quiet else print_note


def print_note(text: str) -> None:
    """Print a line on standard error."""
    print(f"gridproof: {text}", file=sys.stderr, flush=True)


def check_endings(option: str, files: Sequence[str], endings: Sequence[str]) -> None:
    """Raise ``InputError`` for the name of a file with another ending."""
    for file in files:
        if Path(file).suffix not in endings:
            raise InputError(f"{option} {file}; expected a name that ends in {' or '.join(endings)}")


def refuse(why: str, options: Mapping[str, object]) -> None:
    """Raise ``InputError`` if one of these options is given."""
    for name, value in options.items():
        if value:
            raise InputError(f"{why}; expected no {name}")
