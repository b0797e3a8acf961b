"""Figures in rows and columns: those that were published, and ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Figures:
    """Numbers by row and column, in the order in which they are shown.

    Attributes
    ----------
    values : mapping
        The numbers by row and column; a cell that was not measured is left out.
    rows, columns : tuple of str
        The names, in order.
    remarks : tuple of str
        Sentences on what was measured: the sets that were used, the number of puzzles, the limits.
    """

    values: Mapping[tuple[str, str], float]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    remarks: tuple[str, ...] = field(default=())

    @classmethod
    def from_rows(cls, rows: Mapping[str, Mapping[str, float]], remarks: tuple[str, ...] = ()) -> Figures:
        """Return the figures of a table that is given row by row.

        Examples
        --------
        >>> figures = Figures.from_rows({"minimal": {"9": 8829}, "extended": {"9": 11988}})
        >>> figures.rows, figures.columns, figures.get("minimal", "9")
        (('minimal', 'extended'), ('9',), 8829)
        """
        values: dict[tuple[str, str], float] = {}
        columns: dict[str, None] = {}
        for row, numbers in rows.items():
            for column, number in numbers.items():
                values[row, column] = number
                columns[column] = None
        return cls(values, tuple(rows), tuple(columns), remarks)

    def get(self, row: str, column: str) -> float | None:
        """Return a number, or ``None`` where there is none."""
        return self.values.get((row, column))

    def column(self, column: str) -> dict[str, float]:
        """Return the numbers of a column by row, in the order of the rows."""
        numbers = {}
        for row in self.rows:
            number = self.get(row, column)
            if number is not None:
                numbers[row] = number
        return numbers

    def rows_of(self) -> dict[str, dict[str, float]]:
        """Return the numbers row by row, as ``from_rows`` takes them."""
        made: dict[str, dict[str, float]] = {row: {} for row in self.rows}
        for (row, column), number in self.values.items():
            made[row][column] = number
        return made


def write_figure(number: float) -> str:
    """Return a number with three digits, or all digits of a whole or large number.

    Examples
    --------
    >>> write_figure(11988.0), write_figure(2441.68), write_figure(0.51234)
    ('11,988', '2,442', '0.512')
    """
    if float(number).is_integer() or abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.3g}"
