"""The report of a run: our figures beside the published ones, and the claims, as text, Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gridproof.experiments.text_tables import align_rows, markdown_rows
from gridproof.papers.claims import Claim, Finding
from gridproof.papers.figures import Figures
from gridproof.papers.measures import find
from gridproof.papers.paper import Paper, PaperTable
from gridproof.runs.machine import read_machine

WORDS = {True: "holds", False: "does not hold", None: "open"}
"""The word for the result of a claim."""


@dataclass(frozen=True)
class TableReport:
    """A table of a paper with our figures.

    Attributes
    ----------
    table : PaperTable
        The table, with the published figures.
    ours : Figures
        The figures that were measured here.
    """

    table: PaperTable
    ours: Figures

    @property
    def findings(self) -> list[tuple[Claim, Finding]]:
        """Each claim with what was found."""
        return [(claim, claim.try_on(self.ours, self.table.published)) for claim in self.table.claims]

    def title(self) -> str:
        """Return the words above the table, with the unit of its figures."""
        unit = find(self.table.measure).unit
        if unit and unit not in self.table.title:
            return f"{self.table.title} [{unit}]"
        return self.table.title

    def rows(self) -> list[list[str]]:
        """Return the cells, with a head; a published figure stands in brackets behind ours."""
        published = self.table.published
        rows = [["", *self.ours.columns]]
        for row in self.ours.rows:
            cells = [row]
            for column in self.ours.columns:
                cells.append(write_cell(self.ours.get(row, column), published.get(row, column)))
            rows.append(cells)
        return rows

    def claim_lines(self) -> Iterator[str]:
        """Yield a line for each claim."""
        for claim, finding in self.findings:
            yield f"{WORDS[finding.holds]}: {claim.sentence(self.table.published)}. Here: {finding.found}"


@dataclass(frozen=True)
class Report:
    """The result of a run.

    Attributes
    ----------
    paper : Paper
        What was run.
    tables : tuple of TableReport
        The tables, in the order of the paper.
    sampled : bool
        True if only a sample was measured.
    """

    paper: Paper
    tables: tuple[TableReport, ...]
    sampled: bool = False

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """Return the report for a terminal."""
        blocks = ["\n".join(self._head())]
        for table in self.tables:
            lines = [table.title(), align_rows(table.rows())]
            lines += table.ours.remarks
            lines += table.claim_lines()
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks)

    def to_markdown(self) -> str:
        """Return the report in Markdown, one level below a title."""
        blocks = [f"## {self.paper.title}", "\n".join(self._head()[1:])]
        for table in self.tables:
            blocks.append(f"**{table.title()}**")
            blocks.append(markdown_rows(table.rows()))
            remarks = [*table.ours.remarks, *table.claim_lines()]
            blocks.append("\n".join(f"- {line}" for line in remarks))
        return "\n\n".join(blocks) + "\n"

    def to_json(self) -> str:
        """Return the report as JSON: figures as numbers by row and column."""
        tables = []
        for table in self.tables:
            claims = []
            for claim, finding in table.findings:
                sentence = claim.sentence(table.table.published)
                claims.append({"claim": sentence, "holds": finding.holds, "found": finding.found})
            tables.append(
                {
                    "title": table.title(),
                    "ours": table.ours.rows_of(),
                    "published": table.table.published.rows_of(),
                    "remarks": list(table.ours.remarks),
                    "claims": claims,
                }
            )
        made = {"paper": self.paper.name, "source": self.paper.source, "sampled": self.sampled}
        return json.dumps({**made, "machine": read_machine().as_json(), "tables": tables}, indent=1) + "\n"

    def _head(self) -> Sequence[str]:
        lines = [self.paper.title, f"Source: {self.paper.source}.", f"Measured on: {read_machine().sentence()}"]
        if self.sampled:
            lines.append("Only a sample was measured: its figures are no comparison with the published ones.")
        return lines


def write_cell(ours: float | None, published: float | None) -> str:
    """Return our figure, and the published one in brackets."""
    text = "-" if ours is None else write_figure(ours)
    if published is not None:
        text += f" ({write_figure(published)})"
    return text


def write_figure(number: float) -> str:
    """Return a number with four digits, or all digits of a whole number."""
    if float(number).is_integer():
        return f"{number:,.0f}"
    if abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.3g}"
