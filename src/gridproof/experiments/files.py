"""Records as files: CSV, Parquet and JSON lines by the file's ending; and the journal of a comparison that runs."""

from __future__ import annotations

import csv
import json
import typing
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.experiments.records import Parameter, RunRecord
from gridproof.runs import tables
from gridproof.runs.journal import Journal, replaced
from gridproof.runs.tables import TableFile

PARAMETER = "instance_"
"""Prefix of the names of columns that hold parameters of instances."""

_ARROW: Mapping[type, str] = {str: "string", int: "int64", float: "float64"}


def write(records: Sequence[RunRecord], path: str | Path) -> None:
    """Write all records; the file is complete or not there at all. Raises as ``runs.tables.target``."""
    output = tables.target(path)
    form = tables.form_of(path) or ""
    types, columns = columns_of(records)
    output.parent.mkdir(parents=True, exist_ok=True)
    with replaced(output) as partial, closing(TableFile(form, partial, types)) as file:
        file.append(tables.encode(form, types, columns))


def columns_of(records: Sequence[RunRecord]) -> tuple[dict[str, str], list[list[Any]]]:
    """Return the records as a table: the types of its columns, and the columns."""
    types = {name: _ARROW[kind] for name, (kind, _) in _types().items()}
    columns = [[getattr(record, name) for record in records] for name in types]
    for name in dict.fromkeys(name for record in records for name, _ in record.parameters):
        values = [dict(record.parameters).get(name) for record in records]
        known = [value for value in values if value is not None]
        kind = next((kind for kind in (int, float) if all(isinstance(value, (kind, int)) for value in known)), str)
        types[PARAMETER + name] = _ARROW[kind]
        columns.append([value if value is None else kind(value) for value in values])
    return types, columns


def read(path: str | Path) -> list[RunRecord]:
    """Return the records of a file. Raises ``InputError`` for a file that was not written by ``write``."""
    path, form = Path(path), tables.form_of(path)
    if form is None:
        raise InputError(f"results in {str(path)!r}; expected a name that ends in .parquet, .csv or .jsonl")
    try:
        if form == "parquet":
            return [_record(row) for row in tables.arrow("pyarrow.parquet").read_table(path).to_pylist()]
        with path.open(encoding="utf-8", newline="") as lines:
            if form == "csv":
                return [_from_text(row) for row in csv.DictReader(lines)]
            return [_record(json.loads(line)) for line in lines]
    except (ValueError, TypeError, KeyError, RecursionError, csv.Error) as problem:
        raise InputError(f"{path}: not a file of results ({problem}); expected one made by compare") from None


def journal(output: Path) -> Path:
    """Return the path of the journal, which keeps records as they are made: a killed comparison does not lose them."""
    return output.with_name(f"{output.name}.journal")


def opened(path: Path) -> Journal[RunRecord]:
    """Open the journal, with the records of an interrupted comparison if there was one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return Journal(path, lambda _, entry: _record(entry), "that file", durable=False)


@lru_cache(maxsize=1)
def _types() -> Mapping[str, tuple[type[Any], bool]]:
    """Return for each field its type, and whether it may be ``None``."""
    types = {}
    for name, hint in typing.get_type_hints(RunRecord).items():
        if name not in RunRecord.__dataclass_fields__ or name == "parameters":
            continue
        kinds = [kind for kind in (typing.get_args(hint) or (hint,)) if kind is not type(None)]
        plain = kinds[0] if isinstance(kinds[0], type) else str  # the modes are literals
        types[name] = (plain, type(None) in typing.get_args(hint))
    return types


def _record(row: Mapping[str, Any]) -> RunRecord:
    given = row.get("parameters")  # in a journal
    if given is None:
        given = [(name.removeprefix(PARAMETER), value) for name, value in row.items() if name.startswith(PARAMETER)]
    parameters = tuple((str(name), value) for name, value in given if isinstance(value, (str, int, float)))
    for name, (kind, optional) in _types().items():
        value = row.get(name) if optional else row[name]  # what is younger than the file may be missing
        right = isinstance(value, kind) and not isinstance(value, bool)
        if not (right or (value is None and optional) or (kind is float and isinstance(value, int))):
            raise TypeError(f"{name} = {value!r}")
    fields: dict[str, Any] = {name: row.get(name) for name in _types()}
    return RunRecord(**fields, parameters=parameters)


def parameter(text: str) -> Parameter | None:
    """Return the value of a field of text: a number if it is one, ``None`` if it is empty."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text.strip() or None


def _from_text(row: Mapping[str, str]) -> RunRecord:
    fields: dict[str, Any] = {
        name: None if optional and not row.get(name) else kind(row[name]) for name, (kind, optional) in _types().items()
    }
    return _record(fields | {name: parameter(row[name]) for name in row if name.startswith(PARAMETER)})
