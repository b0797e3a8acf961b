"""The report of a run: our figures beside the published ones, and the claims, as text, Markdown, LaTeX or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gridproof._version import __version__
from gridproof.experiments.text_tables import align_rows, latex_table, markdown_rows
from gridproof.papers.claims import Claim, Finding
from gridproof.papers.figures import Figures, write_figure
from gridproof.papers.measures import find
from gridproof.papers.paper import Paper, PaperTable
from gridproof.runs.machine import Machine

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
    machine : Machine
        The machine as it was before the first measurement.
    seconds, cpu_seconds : float
        The time that everything took, and that of the processor.
    date : str
        The day of the run.
    sampled : bool
        True if only a sample was measured.
    """

    paper: Paper
    tables: tuple[TableReport, ...]
    machine: Machine
    seconds: float
    cpu_seconds: float
    date: str
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
        if self.paper.differs:
            blocks.append("\n".join(["What differs, and why:", *self.paper.differs]))
        return "\n\n".join(blocks)

    def to_markdown(self) -> str:
        """Return the report in Markdown, one level below a title."""
        blocks = [f"## {self.paper.title}", "\n".join(self._head()[1:])]
        for table in self.tables:
            blocks.append(f"**{table.title()}**")
            blocks.append(markdown_rows(table.rows()))
            remarks = [*table.ours.remarks, *table.claim_lines()]
            blocks.append("\n".join(f"- {line}" for line in remarks))
        if self.paper.differs:
            blocks.append("What differs, and why:")
            blocks.append("\n".join(f"- {sentence}" for sentence in self.paper.differs))
        return "\n\n".join(blocks) + "\n"

    def to_latex(self) -> str:
        """Return the tables in LaTeX, for the package ``booktabs``; claims and machine stand above each as comments."""
        blocks = []
        for number, table in enumerate(self.tables, 1):
            comments = self._head()[2:] + list(table.ours.remarks) + list(table.claim_lines())
            caption = f"{table.title()}, with published figures in brackets. {self.paper.source}."
            latex = latex_table(table.rows(), caption, f"{self.paper.name}-{number}")
            blocks.append("\n".join([f"% {comment}" for comment in comments] + [latex]))
        return "\n".join(blocks)

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
        made: dict[str, Any] = {"paper": self.paper.name, "source": self.paper.source, "sampled": self.sampled}
        made |= {"date": self.date, "seconds": round(self.seconds, 1), "cpu_seconds": round(self.cpu_seconds, 1)}
        made |= {"gridproof": __version__, "machine": self.machine.as_json(), "differs": list(self.paper.differs)}
        return json.dumps({**made, "tables": tables}, indent=1) + "\n"

    def _head(self) -> list[str]:
        cost = f"{self.seconds:,.0f} s, {self.cpu_seconds:,.0f} s of them on the processor"
        measured = f"Measured on {self.date} with gridproof {__version__} in {cost}: {self.machine.sentence()}"
        lines = [self.paper.title, f"Source: {self.paper.source}.", measured]
        if self.sampled:
            lines.append("Only a sample was measured: its figures are no comparison with the published ones.")
        return lines


def write_cell(ours: float | None, published: float | None) -> str:
    """Return our figure, and the published one in brackets."""
    text = "-" if ours is None else write_figure(ours)
    if published is not None:
        text += f" ({write_figure(published)})"
    return text
