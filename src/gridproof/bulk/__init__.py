"""Bulk: verdicts on files of millions of puzzles, on all cores, resumably.

columns.py, reading.py -> chunks.py    any input to chunks of rows
job.py, work.py -> records.py          a chunk to verdict records, and to CSV, JSON lines or Parquet
run.py                                 the workers, also if one dies
to_file.py                             a run with its result on disk, part by part
many.py                                an input and its options; tables in, tables out: the way in
"""

from gridproof.bulk.job import RunOptions
from gridproof.bulk.many import to_table, verify_many, verify_table
from gridproof.trust.record import VerdictRecord

__all__ = ["RunOptions", "VerdictRecord", "to_table", "verify_many", "verify_table"]


def __dir__() -> list[str]:
    return __all__
