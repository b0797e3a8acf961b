"""Audits of data sets: whether every puzzle has one solution, and whether puzzles are there twice, in any guise.

::

    files -> verdicts (bulk, one table for each file) -> fingerprints -> matches -> report

All that takes long is kept in a folder, so that an audit that was interrupted goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from gridproof.auditing.report import Audit, FileReport, Overlap
from gridproof.auditing.stages import AuditFolder
from gridproof.errors import InputError

__all__ = ["Audit", "FileReport", "Overlap", "audit"]


def audit(
    train: str | Path,
    *tests: str | Path,
    column: str | None = None,
    output: str | Path | None = None,
    folder: str | Path | None = None,
    resume: bool = False,
    jobs: int = 1,
    grades: int = 50,
    seed: int = 0,
    progress: Callable[[str], object] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Audit:
    """Audit files of puzzles, and what they have in common.

    Parameters
    ----------
    train, *tests
        Files of any format, also compressed. The result does not depend on what they are called.
    column
        The column of the puzzles, if it has none of the usual names.
    output
        A table of all pairs of equal puzzles, as .csv, .jsonl or .parquet.
    folder
        A new folder for what has been found so far; without it, a temporary one.
    resume
        Whether to go on with such a folder.
    jobs
        Processes; the result is the same for any number.
    grades
        Puzzles of each file that are rated.
    seed
        The seed of that sample.
    progress
        Is called with a sentence on what is being done.
    stop
        Returns True when the audit is to end after the part under way.

    Returns
    -------
    Audit

    Raises
    ------
    InputError
        For a file that cannot be read, a folder that exists without ``resume``, or one of other files.
    Interrupted
        If ``stop`` ended it.

    Examples
    --------
    >>> import gridproof, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "train.txt").write_text("1.....2..3.....4\\n1...............\\n")
    >>> _ = (folder / "test.txt").write_text("..4.1......3.2..\\n")
    >>> found = gridproof.audit(folder / "train.txt", folder / "test.txt", grades=0)
    >>> found.files[0].verdicts, found.overlaps[0].symmetric
    ({'multiple': 1, 'unique': 1}, 1)
    """
    sources = [Path(source) for source in (train, *tests)]
    if len(set(sources)) < len(sources):
        raise InputError(f"{', '.join(str(source) for source in sources)}; expected each file once")
    for source in sources:
        if not source.is_file():
            raise InputError(f"{str(source)!r} is no file; expected a file of puzzles")
    with ExitStack() as stack:
        if folder is None:
            folder = stack.enter_context(TemporaryDirectory(prefix="gridproof-audit-"))
            resume = True
        work = AuditFolder(Path(folder), sources, column, jobs, resume=resume, note=progress, stop=stop)
        return work.run(grades, seed, output)
