"""``gridproof.compare``: the verb of the command, for sets and for papers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, overload

from gridproof import experiments
from gridproof.errors import InputError
from gridproof.experiments import Comparison, Plan
from gridproof.papers import Request, run_paper
from gridproof.papers.report import Report


@overload
def compare(
    sets: Plan | Any, *more: Any, progress: bool = True, note: Callable[[str], object] | None = None, **options: Any
) -> Comparison: ...


@overload
def compare(
    *,
    paper: str,
    sample: int | None = None,
    puzzles: Mapping[str, str | Path] | None = None,
    note: Callable[[str], object] | None = None,
) -> Report: ...


def compare(*sets: Any, paper: str | None = None, **options: Any) -> Comparison | Report:
    """Compare backends and encodings on sets of puzzles, or measure again what a paper published.

    Parameters
    ----------
    *sets, **options
        As ``gridproof.experiments.compare`` takes them: sets, backends, encodings, and the fields of ``Plan``.
    paper : str
        A name of ``gridproof.papers.names()``, or the path of a file that ends in ``.toml``. It has its own sets,
        setups and limits. The options are then ``sample`` (at most so many puzzles, orders or instances), ``puzzles``
        (files in place of its sets, by their names) and ``note`` (is called with what is being measured).

    Returns
    -------
    Comparison or Report
        The records, with tables of them; for a paper, our figures beside the published ones, and its claims.

    Raises
    ------
    ContradictionError
        Two runs contradict each other.
    InputError, BackendUnavailable, BackendFailure
        As ``gridproof.experiments.compare``; ``InputError`` for an unknown paper or set, too.

    Examples
    --------
    >>> report = compare(paper="encoding-sizes", sample=1)
    >>> print(report.tables[0].ours.get("natural", "9"))
    11745
    >>> comparison = compare(["1... ..2. .3.. ...4"], ["search-bits"], repeat=1, progress=False)
    >>> [str(run.verdict) for run in comparison.records]
    ['unique']
    """
    if paper is None:
        return experiments.compare(*sets, **options)
    if sets:
        raise InputError("a paper beside sets; expected one of them: a paper has its own sets, see puzzles")
    for name in options:
        if name not in ("sample", "puzzles", "note"):
            raise InputError(f"{name} beside a paper; expected sample, puzzles or note: a paper has its own setups")
    files = {name: str(file) for name, file in (options.get("puzzles") or {}).items()}
    note = options.get("note") or ignore
    return run_paper(paper, Request(options.get("sample"), files, note))


def ignore(text: str) -> None:
    """Take no notice of a note."""
