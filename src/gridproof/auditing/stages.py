"""The stages of an audit, each of which goes on where it stopped: verdicts, fingerprints, matches."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from gridproof.auditing.report import Audit, FileReport, Overlap
from gridproof.bulk.job import RunOptions
from gridproof.bulk.many import open_run
from gridproof.bulk.run import Workers, open_workers
from gridproof.bulk.to_file import Parts, verify_to_file
from gridproof.errors import InputError, Interrupted
from gridproof.formats import parse
from gridproof.runs import tables
from gridproof.runs.journal import replace_file
from gridproof.runs.progress import ignore
from gridproof.solving import rate

if TYPE_CHECKING:
    from gridproof.auditing.matches import Match

BATCH = 20_000
"""Rows whose fingerprints are made together, and pairs that are written together."""

PAIRS = {"file": "string", "row": "int64", "equal_to_file": "string", "equal_to_row": "int64", "how": "string"}
"""The columns of the table of pairs: rows from 1, ``same`` or ``symmetric``."""

SETTINGS = "audit.json"
"""The file of a folder that names the files of its audit."""

MALFORMED = ("malformed", "not understood")
"""The verdicts of rows that are no puzzles here."""


class AuditFolder:
    """A folder with what an audit has found so far.

    ``1.csv`` has the verdicts of the first file, ``1.fingerprints`` its fingerprints; ``audit.json`` names the files.
    """

    def __init__(
        self,
        folder: Path,
        sources: Sequence[Path],
        column: str | None,
        jobs: int,
        *,
        resume: bool,
        note: Callable[[str], object] | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        self.folder = folder
        self.sources = sources
        self.column = column
        self.jobs = jobs
        self.note = note or ignore
        self.stop = stop or never
        self._open(resume)

    def _open(self, resume: bool) -> None:
        """Make the folder, or check that it is one of the same files."""
        settings = {"files": [str(source.resolve()) for source in self.sources], "column": self.column}
        path = self.folder / SETTINGS
        if self.folder.exists() and any(self.folder.iterdir()):
            if not resume:
                raise InputError(f"{str(self.folder)!r} exists; expected a new folder, or --resume to go on with it")
            if not path.exists() or json.loads(path.read_text(encoding="utf-8")) != settings:
                raise InputError(f"{str(self.folder)!r} is no folder of an audit of these files; expected a new one")
        self.folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")

    def run(self, grades: int, seed: int, output: str | Path | None) -> Audit:
        """Return the result of all stages, and write the pairs."""
        if output is not None:
            tables.resolve_output(output)
        reports = []
        with open_workers(self.jobs) as workers:
            for number, source in enumerate(self.sources, 1):
                self.note(f"{source}: verdicts")
                self.find_verdicts(number, source, workers)
                self.note(f"{source}: fingerprints")
                self.make_fingerprints(number, workers)
                reports.append(self.report_on(number, source, grades, seed))
        self.note("equal puzzles")
        return Audit(reports, self.compare(reports, output))

    # ---- stages ------------------------------------------------------------------------------------------------------

    def verdicts_path(self, number: int) -> Path:
        """Return the path of the verdicts of a file."""
        return self.folder / f"{number}.csv"

    def find_verdicts(self, number: int, source: Path, workers: Workers) -> None:
        """Write the verdict on each row of a file, unless it is there."""
        path = self.verdicts_path(number)
        if path.exists():
            return
        with (
            open_run(source, RunOptions(column=self.column), workers, "csv") as run,
            Parts(path, run.described, resume=True) as parts,
        ):
            report = verify_to_file(run, parts, workers, ignore, stop=self.stop, disagreement=ignore)
        if not report.finished:
            raise Interrupted("the audit was stopped; it goes on from its folder")

    def rows(self, number: int) -> Iterator[dict[str, str]]:
        """Yield the rows of the verdicts of a file."""
        with self.verdicts_path(number).open(encoding="utf-8", newline="") as lines:
            yield from csv.DictReader(lines)

    def puzzle_batches(self, number: int, done: int) -> Iterator[list[str]]:
        """Yield the puzzles of a file after the first rows, an empty text for a row without one."""
        batch: list[str] = []
        for place, row in enumerate(self.rows(number)):
            if place < done:
                continue
            text = "" if row["verdict"] in MALFORMED else tables.unprotect(row["puzzle"])
            batch.append(text)
            if len(batch) == BATCH:
                yield batch
                batch = []
        if batch:
            yield batch

    def make_fingerprints(self, number: int, workers: Workers) -> None:
        """Write the fingerprint of each row of a file that has none yet."""
        from gridproof.auditing.fingerprints import RECORD, fingerprints

        path = self.folder / f"{number}.fingerprints"
        size = RECORD.itemsize * BATCH
        whole = path.stat().st_size // size * size if path.exists() else 0
        waiting: list[Future[Any]] = []
        with path.open("ab") as file:
            file.truncate(whole)
            for batch in self.puzzle_batches(number, whole // RECORD.itemsize):
                waiting.append(workers.executor.submit(fingerprints, batch))
                if len(waiting) >= workers.most():
                    file.write(waiting.pop(0).result().tobytes())
                if self.stop():
                    raise Interrupted("the audit was stopped; it goes on from its folder")
            for future in waiting:
                file.write(future.result().tobytes())

    def fingerprints_of(self, number: int) -> Any:
        """Return the fingerprints of a file, as they lie on the disk."""
        import numpy as np

        from gridproof.auditing.fingerprints import RECORD

        path = self.folder / f"{number}.fingerprints"
        if not path.stat().st_size:
            return np.zeros(0, RECORD)
        return np.memmap(path, RECORD, mode="r")

    def report_on(self, number: int, source: Path, grades: int, seed: int) -> FileReport:
        """Return what one file shows by itself."""
        verdicts = Counter[str]()
        stored = Counter[str]()
        sample = Sample(grades, seed)
        for row in self.rows(number):
            verdicts[row["verdict"]] += 1
            if row["stored"]:
                stored[row["stored"]] += 1
            if row["verdict"] == "unique":
                sample.offer(row["puzzle"])
        if not verdicts:
            raise InputError(f"{source}: no puzzle in it; expected at least one")
        report = FileReport(str(source), sum(verdicts.values()), dict(sorted(verdicts.items())), dict(stored))
        records = self.fingerprints_of(number)
        report.clues = count_clues(records)
        report.not_compared = count_without_form(records)
        if sample.chosen:
            self.note(f"{source}: grades of a sample")
        for text in sample.chosen:
            grade = rate(parse(tables.unprotect(text))).grade
            report.grades[grade] = report.grades.get(grade, 0) + 1
        return report

    def compare(self, reports: Sequence[FileReport], output: str | Path | None) -> list[Overlap]:
        """Enter the equal puzzles of each file, write the pairs, and return what each two files have in common."""
        from gridproof.auditing.matches import Tally, find_matches

        tally = Tally()
        files = [self.fingerprints_of(number) for number in range(1, len(reports) + 1)]
        names = [report.name for report in reports]
        matches = find_matches(files, tally)
        if output is None:
            for _ in matches:
                pass
        else:
            write_pairs(output, names, matches)
        for number, report in enumerate(reports, 1):
            report.same = tally.within[number, "same"]
            report.symmetric = tally.within[number, "symmetric"]
            report.different = tally.different[number]
        overlaps = []
        for later in range(2, len(reports) + 1):
            for earlier in range(1, later):
                same = tally.between[earlier, later, "same"]
                symmetric = tally.between[earlier, later, "symmetric"]
                overlaps.append(Overlap(names[earlier - 1], names[later - 1], same, symmetric))
        return overlaps


def write_pairs(output: str | Path, names: Sequence[str], matches: Iterable[Match]) -> None:
    """Write the table of pairs, so many at a time."""
    path = tables.resolve_output(output)
    form = tables.form_of(output) or ""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_file(path) as draft, closing(tables.TableFile(form, draft, PAIRS)) as file:
        columns: list[list[Any]] = [[] for _ in PAIRS]
        for match in matches:
            values = (names[match.file - 1], match.row, names[match.earlier_file - 1], match.earlier_row, match.how)
            for column, value in zip(columns, values, strict=True):
                column.append(value)
            if len(columns[0]) == BATCH:
                file.append(tables.encode(form, PAIRS, columns))
                columns = [[] for _ in PAIRS]
        if columns[0]:
            file.append(tables.encode(form, PAIRS, columns))


def never() -> bool:
    """Return False: nobody wants the audit to end."""
    return False


class Sample:
    """A sample of texts that are offered one by one, each with the same chance (reservoir sampling)."""

    def __init__(self, most: int, seed: int) -> None:
        self.most = most
        self.chosen: list[str] = []
        self._random = Random(f"audit {seed}")
        self._offered = 0

    def offer(self, text: str) -> None:
        """Take a text into the sample, perhaps."""
        self._offered += 1
        if len(self.chosen) < self.most:
            self.chosen.append(text)
            return
        place = self._random.randrange(self._offered)
        if place < self.most:
            self.chosen[place] = text


def count_clues(records: Any) -> dict[int, int]:
    """Return the number of puzzles by the number of their clues; puzzles without a form are left out."""
    import numpy as np

    numbers, counts = np.unique(records["clues"], return_counts=True)
    return {clues: number for clues, number in zip(numbers.tolist(), counts.tolist(), strict=True) if clues}


def count_without_form(records: Any) -> int:
    """Return the number of puzzles that have no form."""
    import numpy as np

    from gridproof.auditing.fingerprints import NOTHING

    nothing = np.void(NOTHING)
    return int(((records["form"] == nothing) & (records["text"] != nothing)).sum())
