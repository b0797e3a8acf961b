"""Tables in memory: of pandas, Polars and Arrow.

None of these packages needs to be installed; a table is recognised by the package of its class.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from gridproof.errors import BackendUnavailable, InputError
from gridproof.text import suggest

Types: TypeAlias = Mapping[str, str]
"""The names of the columns of a table, and their types as Arrow calls them."""


def arrow(module: str = "pyarrow") -> Any:
    """Import pyarrow, or a module of it. Raises ``BackendUnavailable`` if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise BackendUnavailable("Parquet and tables of Arrow need pyarrow; pip install 'gridproof[parquet]'") from None


def arrow_array(values: Sequence[Any], of: str) -> Any:
    """Return a column of Arrow of the type of this name; halves of split characters are escaped."""
    kind = getattr(arrow(), of)()
    try:
        return arrow().array(values, kind)
    except UnicodeEncodeError:
        texts = []
        for value in values:
            texts.append(value and value.encode("utf-8", "backslashreplace").decode())
        return arrow().array(texts, kind)


Kind: TypeAlias = Literal["pandas", "polars", "arrow"]

KINDS: tuple[Kind, ...] = get_args(Kind)

_PACKAGES: Mapping[str, Kind] = {"pandas": "pandas", "polars": "polars", "pyarrow": "arrow"}


def kind_of(table: object) -> Kind | None:
    """Return the package of a table, subclasses included; ``None`` for any other object."""
    for each in type(table).__mro__:
        package = each.__module__.partition(".")[0]
        if package in _PACKAGES:
            return _PACKAGES[package]
    return None


def column_names(table: Any) -> list[str]:
    """Return the names of the columns of a table."""
    names = table.schema.names if kind_of(table) == "arrow" else table.columns
    return [str(name) for name in names]


def make_frame(kind: Kind, types: Types, columns: Sequence[Sequence[Any]]) -> Any:
    """Return a table of these columns.

    Raises ``InputError`` for another kind, ``BackendUnavailable`` if the package is not installed.

    Examples
    --------
    >>> make_frame("polars", {"n": "int64", "word": "string"}, [[1, None], ["a", "b"]]).rows()
    [(1, 'a'), (None, 'b')]
    """
    if kind not in KINDS:
        raise InputError(f"a table of the kind {kind!r}; {suggest(str(kind), KINDS)}")
    if kind == "arrow":
        arrays = [arrow_array(values, of) for values, of in zip(columns, types.values(), strict=True)]
        return arrow().table(arrays, list(types))
    try:
        package = importlib.import_module(kind)
    except ImportError:
        raise BackendUnavailable(f"a table of {kind} needs {kind}, which is not installed") from None
    named = dict(zip(types, columns, strict=True))
    if kind == "polars":
        schema = {name: getattr(package, _POLARS[of]) for name, of in types.items()}
        return package.DataFrame(named, schema=schema)
    series = {}
    for name, values in named.items():
        of = types[name]
        has_gaps = of.startswith("int") and None in values
        series[name] = package.Series(values, dtype=of.capitalize() if has_gaps else _PANDAS.get(of, of))
    return package.DataFrame(series)


_POLARS = {"int64": "Int64", "int8": "Int8", "float64": "Float64", "string": "String", "bool_": "Boolean"}
_PANDAS = {"string": None, "bool_": "bool"}


def with_columns(table: Any, types: Types, columns: Sequence[Sequence[Any]]) -> Any:
    """Return a table of the same kind with further columns; the table itself, and an index of pandas, stay as is."""
    kind = kind_of(table)
    if kind == "arrow":
        for (name, of), values in zip(types.items(), columns, strict=True):
            table = table.append_column(name, arrow_array(values, of))
        return table
    if kind == "polars":
        return table.hstack(make_frame(kind, types, columns))
    whole = table.copy(deep=False)
    added = make_frame("pandas", types, columns)
    for name in types:
        whole[name] = added[name].array  # by order: an index may name a row twice
    return whole
