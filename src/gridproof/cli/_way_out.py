"""The options of the way out, which all commands share that make puzzles or write them in another form."""

from __future__ import annotations

import argparse
from pathlib import Path

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.errors import InputError
from gridproof.output.sets import read_split
from gridproof.output.way_out import Wishes, form_names


def add_way_out(group: _options.Group, usual: str, *, reads: bool = True) -> None:
    """Add the options for where puzzles go and in which form.

    usual: the form where nothing is stated. reads: whether the puzzles are read, and may bring columns of their own.
    """
    names = form_names()
    text = f"one of {', '.join(names)} (default: by the ending of FILE, else {usual})"
    _options.value(group, "--to", "FORMAT", text, choices=names)
    _options.add_file(group, "where to write (default: standard output)")
    text = "the columns of a table, such as puzzle,solution,grade,canonical"
    _options.value(group, "--columns", "NAMES", text, type=_options.split_names)
    if reads:
        text = "the column of puzzles of the table that is read (default: puzzle, question, quiz)"
        _options.value(group, "--column", "NAME", text)
        text = "columns of the table that is read, such as id,source, which are kept; or all"
        _options.value(group, "--keep", "NAMES", text, type=_options.split_names, default=())
    _options.add_symbols(group)
    text = "several files with these shares of the puzzles, such as 90/10; none shares a puzzle, in whatever guise"
    _options.value(group, "--split", "SHARES", text, type=read_shares, default=())
    _options.flag(group, "--rate", "a table with the grade of each puzzle, and the figures that it is made of")
    _options.flag(group, "--steps", "a table with the path to each solution and its stories, as data")


def read_shares(text: str) -> tuple[float, ...]:
    """Return the shares of sets."""
    try:
        return read_split(text)
    except InputError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def wishes_of(args: Options) -> Wishes:
    """Return the form of the output, and where it goes. Raises ``InputError`` for a file that is not overwritten."""
    wishes = Wishes(
        to=args.to,
        path=None if args.output is None else Path(args.output),
        columns=args.columns,
        keep=getattr(args, "keep", ()),
        split=args.split,
        rated=args.rate,
        with_steps=args.steps,
    )
    for path in wishes.paths:
        _options.refuse_to_overwrite(path, force=args.force)
    return wishes
