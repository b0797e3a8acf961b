"""Records as files: CSV, Parquet and JSON lines by the file's ending; and the journal of a comparison that runs."""

from __future__ import annotations

import contextlib
import csv
import json
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from functools import lru_cache
from pathlib import Path
from typing import Any, Self, TextIO

from gridproof.compare.records import RunRecord
from gridproof.errors import BackendUnavailable, InputError

ENDINGS = (".csv", ".parquet", ".jsonl")


def check_ending(path: str | Path) -> Path:
    """The path. Raises ``InputError`` for an ending that says no format, ``BackendUnavailable`` without pyarrow."""
    path = Path(path)
    if path.suffix not in ENDINGS:
        raise InputError(f"results in {str(path)!r}; expected a name that ends in {', '.join(ENDINGS)}")
    if path.suffix == ".parquet":
        _pyarrow()
    if path.is_dir():
        raise InputError(f"results in {str(path)!r}, which is a folder; expected the name of a file")
    if not path.resolve().parent.is_dir():
        raise InputError(f"results in {str(path)!r}; expected a folder that exists")
    if path.is_dir():
        raise InputError(f"results in {str(path)!r}, which is a folder; expected the name of a file")
    return path


def write(records: Sequence[RunRecord], path: str | Path) -> None:
    """Write all records; the file is complete or not there at all."""
    ending = check_ending(path).suffix
    with _replaced(Path(path).resolve()) as partial:  # behind a symbolic link, what that points to
        if ending == ".parquet":
            _write_parquet(records, partial)
            return
        with partial.open("w", encoding="utf-8", newline="") as out:
            if ending == ".csv":
                writer = csv.writer(out)
                names = [field.name for field in fields(RunRecord)]
                writer.writerow(names)
                writer.writerows([getattr(record, name) for name in names] for record in records)
            else:
                out.writelines(_json_line(record) for record in records)


@contextlib.contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """A file beside this one, which it replaces in the end; it is gone whatever happens."""
    partial = path.with_name(f"{path.name}.tmp")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def read(path: str | Path) -> list[RunRecord]:
    """The records of a file. Raises ``InputError`` for a file that was not written by this."""
    path = check_ending(path)
    try:
        if path.suffix == ".parquet":
            _, parquet = _pyarrow()
            return [_record(row) for row in parquet.read_table(path).to_pylist()]
        with path.open(encoding="utf-8", newline="") as lines:
            if path.suffix == ".csv":
                return [_from_text(row) for row in csv.DictReader(lines)]
            return [_record(json.loads(line)) for line in lines]
    except (ValueError, TypeError, KeyError, RecursionError, csv.Error) as problem:
        raise InputError(f"{path}: not a file of results ({problem}); expected one made by compare") from None


class Journal:
    """Records as they are made, beside the output, so that not even a killed comparison loses them.

    It is a file of JSON lines; a last line that was cut off is ignored.
    """

    def __init__(self, output: Path) -> None:
        self.path = output.with_name(f"{output.name}.journal")
        self._out: TextIO | None = None

    def read(self) -> list[RunRecord]:
        """What an interrupted comparison left; nothing if there is no such file."""
        if not self.path.exists():
            return []
        try:
            lines = self.path.read_text(encoding="utf-8").split("\n")[:-1]
            return [_record(json.loads(line)) for line in lines]
        except (ValueError, TypeError, KeyError, RecursionError) as problem:
            raise InputError(f"{self.path}: not a journal of comparison results ({problem})") from None

    def start(self, records: Iterable[RunRecord]) -> Self:
        """Begin the file with these records."""
        with _replaced(self.path) as partial, partial.open("w", encoding="utf-8") as out:
            out.writelines(_json_line(record) for record in records)
        self._out = self.path.open("a", encoding="utf-8")
        return self

    def add(self, record: RunRecord) -> None:
        """Append a record, at once."""
        assert self._out is not None
        self._out.write(_json_line(record))
        self._out.flush()

    def close(self, *, remove: bool) -> None:
        """``remove`` it when its records are safe elsewhere."""
        if self._out is not None:
            self._out.close()
            self._out = None
        if remove:
            with contextlib.suppress(FileNotFoundError):
                self.path.unlink()


def _json_line(record: RunRecord) -> str:
    return json.dumps(asdict(record)) + "\n"


@lru_cache(maxsize=1)
def _types() -> Mapping[str, tuple[type, bool]]:
    """For each field its type, and whether it may be ``None``."""
    found = {}
    for name, hint in typing.get_type_hints(RunRecord).items():
        if name not in RunRecord.__dataclass_fields__:
            continue
        kinds = [kind for kind in (typing.get_args(hint) or (hint,)) if kind is not type(None)]
        plain = kinds[0] if isinstance(kinds[0], type) else str  # the modes are literals
        found[name] = (plain, type(None) in typing.get_args(hint))
    return found


def _record(row: Mapping[str, Any]) -> RunRecord:
    for name, (kind, optional) in _types().items():
        value = row[name]
        right = isinstance(value, kind) and not isinstance(value, bool)
        if not (right or (value is None and optional) or (kind is float and isinstance(value, int))):
            raise TypeError(f"{name} = {value!r}")
    return RunRecord(**{name: row[name] for name in _types()})


def _from_text(row: Mapping[str, str]) -> RunRecord:
    convert: dict[type, Callable[[str], Any]] = {str: str, int: int, float: float}
    return _record(
        {
            name: None if optional and row[name] == "" else convert[kind](row[name])
            for name, (kind, optional) in _types().items()
        }
    )


def _write_parquet(records: Sequence[RunRecord], path: Path) -> None:
    pyarrow, parquet = _pyarrow()
    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}
    schema = pyarrow.schema([(name, kinds[kind]) for name, (kind, _) in _types().items()])
    columns = {name: [getattr(record, name) for record in records] for name in _types()}
    parquet.write_table(pyarrow.table(columns, schema=schema), path, compression="zstd")


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise BackendUnavailable(
            "Parquet files need pyarrow, which is not installed (pip install 'gridproof[parquet]'); "
            "expected it, or a file that ends in .csv or .jsonl"
        ) from None
    return pyarrow, parquet
