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
    """A column of Arrow of the type of this name; halves of split characters are escaped."""
    kind = getattr(arrow(), of)()
    try:
        return arrow().array(values, kind)
    except UnicodeEncodeError:
        texts = [value and value.encode("utf-8", "backslashreplace").decode() for value in values]
        return arrow().array(texts, kind)


Kind: TypeAlias = Literal["pandas", "polars", "arrow"]

KINDS: tuple[Kind, ...] = get_args(Kind)

_PACKAGES: Mapping[str, Kind] = {"pandas": "pandas", "polars": "polars", "pyarrow": "arrow"}


def kind_of(table: object) -> Kind | None:
    """Return the package of a table, subclasses included; ``None`` for any other object."""
    packages = [one.__module__.partition(".")[0] for one in type(table).__mro__]
    return next((_PACKAGES[package] for package in packages if package in _PACKAGES), None)


def frame(kind: Kind, types: Types, columns: Sequence[Sequence[Any]]) -> Any:
    """A table of these columns.

    Raises ``InputError`` for another kind, ``BackendUnavailable`` if the package is not installed.

    Examples
    --------
    >>> frame("polars", {"n": "int64", "word": "string"}, [[1, None], ["a", "b"]]).rows()
    [(1, 'a'), (None, 'b')]
    """
    if kind not in KINDS:
        raise InputError(f"a table of the kind {kind!r}; {suggest(str(kind), KINDS)}")
    if kind == "arrow":
        return arrow().table(list(map(arrow_array, columns, types.values())), list(types))
    try:
        package = importlib.import_module(kind)
    except ImportError:
        raise BackendUnavailable(f"a table of {kind} needs {kind}, which is not installed") from None
    named = dict(zip(types, columns, strict=True))
    if kind == "polars":
        return package.DataFrame(named, schema={name: getattr(package, _POLARS[of]) for name, of in types.items()})

    def series(values: Sequence[Any], of: str) -> Any:
        whole = of.startswith("int") and None in values
        return package.Series(values, dtype=of.capitalize() if whole else _PANDAS.get(of, of))

    return package.DataFrame({name: series(values, types[name]) for name, values in named.items()})


_POLARS = {"int64": "Int64", "int8": "Int8", "float64": "Float64", "string": "String", "bool_": "Boolean"}
_PANDAS = {"string": None, "bool_": "bool"}


def with_columns(table: Any, types: Types, columns: Sequence[Sequence[Any]]) -> Any:
    """A table of the same kind with further columns; the table itself, and the index of one of pandas, stay as is."""
    kind = kind_of(table)
    if kind == "arrow":
        for (name, of), values in zip(types.items(), columns, strict=True):
            table = table.append_column(name, arrow_array(values, of))
        return table
    if kind == "polars":
        return table.hstack(frame(kind, types, columns))
    whole, added = table.copy(deep=False), frame("pandas", types, columns)
    for name in types:
        whole[name] = added[name].array  # by order: an index may name a row twice
    return whole
