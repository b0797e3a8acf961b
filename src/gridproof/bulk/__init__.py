"""Bulk: verdicts on files of millions of puzzles, on all cores, resumably.

columns.py, reading.py -> chunks.py    any input to chunks of rows
job.py, work.py -> records.py          a chunk to verdict records
writing.py                             records as CSV, JSON lines or Parquet
run.py                                 the workers, also if one dies
parts.py -> to_file.py                 a run with a result on disk
many.py                                an input and its options; the way in
table.py                               tables in, tables out
"""

from gridproof.bulk.job import RunOptions
from gridproof.bulk.many import to_table, verify_many, verify_table
from gridproof.trust.record import VerdictRecord

__all__ = ["RunOptions", "VerdictRecord", "to_table", "verify_many", "verify_table"]


def __dir__() -> list[str]:
    return __all__
