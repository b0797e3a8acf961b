"""Published tables, run again: each paper is a file of data, and a run prints our figures beside the published ones.

::

    known/NAME.toml -> paper -> measures -> figures -> claims -> a report

``gridproof compare --paper NAME`` is the command.
"""

from __future__ import annotations

from datetime import date
from time import perf_counter, process_time

from gridproof.papers.measures import Request, find
from gridproof.papers.paper import Paper, PaperTable, load, names
from gridproof.papers.report import Report, TableReport
from gridproof.runs.machine import read_machine

__all__ = ["Paper", "PaperTable", "Report", "Request", "TableReport", "load", "names", "run_paper"]


def run_paper(paper: str | Paper, request: Request | None = None) -> Report:
    """Measure what a paper measured.

    Parameters
    ----------
    paper
        Its name, the path of a file of one's own, or the paper itself.
    request
        The size of the sample, files for its sets, and a function for notes.

    Returns
    -------
    Report
        Ours beside theirs, and for each claim whether it holds here.

    Raises
    ------
    InputError
        For a paper or a set that there is not.

    Examples
    --------
    >>> report = run_paper("encoding-sizes", Request(sample=1))
    >>> report.tables[0].ours.get("extended", "9")
    11988
    >>> [finding.holds for _, finding in report.tables[0].findings]
    [True, True, None]
    """
    if isinstance(paper, str):
        paper = load(paper)
    asked = request or Request()
    machine = read_machine()
    day = date.today().isoformat()
    began = perf_counter()
    began_cpu = process_time()
    tables = []
    for table in paper.tables:
        ours = find(table.measure).run(table.options, asked)
        tables.append(TableReport(table, ours))
    spent = perf_counter() - began
    spent_cpu = process_time() - began_cpu
    return Report(paper, tuple(tables), machine, spent, spent_cpu, day, sampled=asked.sample is not None)
