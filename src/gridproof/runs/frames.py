"""Tables in memory: of pandas, Polars and Arrow, made of columns or given further ones.

None of these needs to be installed; a table is recognised by the package of its class.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from gridproof.errors import BackendUnavailable, InputError, choices
from gridproof.runs.tables import Types, arrow, arrow_array, arrow_table

Kind: TypeAlias = Literal["pandas", "polars", "arrow"]

KINDS: tuple[Kind, ...] = get_args(Kind)

_PACKAGES: Mapping[str, Kind] = {"pandas": "pandas", "polars": "polars", "pyarrow": "arrow"}


def kind_of(table: object) -> Kind | None:
    """Return the package of a table, subclasses included; ``None`` for any other object."""
    packages = [one.__module__.partition(".")[0] for one in type(table).__mro__]
    return next((_PACKAGES[package] for package in packages if package in _PACKAGES), None)


def from_stream(table: Any) -> Any:
    """The table of Arrow that any other program's object gives by the PyCapsule interface."""
    return arrow().table(table)


def frame(kind: Kind, types: Types, columns: Sequence[Sequence[Any]]) -> Any:
    """A table of these columns.

    Raises ``InputError`` for another kind, ``BackendUnavailable`` if the package is not installed.

    Examples
    --------
    >>> frame("polars", {"n": "int64", "word": "string"}, [[1, None], ["a", "b"]]).rows()
    [(1, 'a'), (None, 'b')]
    """
    if kind not in KINDS:
        raise InputError(f"a table of the kind {kind!r}; {choices(str(kind), KINDS)}")
    if kind == "arrow":
        return arrow_table(types, columns)
    try:
        package = importlib.import_module(kind)
    except ImportError:
        raise BackendUnavailable(f"a table of {kind} needs {kind}, which is not installed") from None
    make = _series if kind == "pandas" else _polars
    named = zip(types.items(), columns, strict=True)
    return package.DataFrame({name: make(package, values, of) for (name, of), values in named})


def with_columns(table: Any, types: Types, columns: Sequence[Sequence[Any]]) -> Any:
    """A table of the same kind with further columns; the table itself, and the index of one of pandas, stay as is."""
    kind = kind_of(table)
    if kind == "pandas":
        whole, added = table.copy(deep=False), frame(kind, types, columns)
        for name in types:
            whole[name] = added[name].array  # by order: an index may name a row twice
        return whole
    if kind == "polars":
        return table.hstack(frame(kind, types, columns))
    schema, arrays = table.schema, list(map(arrow_array, columns, types.values()))
    for name, array in zip(types, arrays, strict=True):
        schema = schema.append(arrow().field(name, array.type))
    return type(table).from_arrays([*table.columns, *arrays], schema=schema)


def _series(pandas: Any, values: Sequence[Any], of: str) -> Any:
    missing = of.startswith("int") and None in values
    kinds = {"int64": "Int64", "int8": "Int8"} if missing else {"string": None, "bool_": "bool"}
    return pandas.Series(values, dtype=kinds.get(of, of))


def _polars(polars: Any, values: Sequence[Any], of: str) -> Any:
    dtype = {"int64": polars.Int64, "int8": polars.Int8, "float64": polars.Float64, "string": polars.String}
    return polars.Series(values, dtype=dtype.get(of, polars.Boolean))
