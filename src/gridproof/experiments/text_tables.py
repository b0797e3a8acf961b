"""Tables of texts, as aligned columns for a terminal, in Markdown and in LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

LATEX = r"""\begin{table}
\centering
\caption{%s}
\label{tab:%s}
\begin{tabular}{l%s}
\toprule
%s
\midrule
%s
\bottomrule
\end{tabular}
\end{table}
"""
"""A table with the rules of the package ``booktabs``: caption, label, columns, head, rows."""


def align_rows(rows: Sequence[Sequence[str]]) -> str:
    """Return rows in columns, the first to the left and the others to the right, with a rule below the head.

    Examples
    --------
    >>> print(align_rows([["", "9"], ["minimal", "8,829"]]))
                 9
    -------  -----
    minimal  8,829
    """
    aligned: list[list[str]] = []
    for column in zip(*rows, strict=True):
        entries = list(column)
        width = max(len(entry) for entry in entries)
        entries.insert(1, "-" * width)
        align = str.rjust if aligned else str.ljust
        aligned.append([align(entry, width) for entry in entries])
    return "\n".join("  ".join(row).rstrip() for row in zip(*aligned, strict=True))


def markdown_rows(rows: Sequence[Sequence[str]]) -> str:
    """Return rows in Markdown; the first is the head."""
    head, *others = rows
    rule = ["---"] + ["---:"] * (len(head) - 1)
    lines = [markdown_row(head), markdown_row(rule)]
    for row in others:
        lines.append(markdown_row(row))
    return "\n".join(lines)


def markdown_row(cells: Sequence[str]) -> str:
    """Return one row in Markdown."""
    escaped = [cell.replace("|", "\\|") for cell in cells]
    return f"| {' | '.join(escaped)} |"


def latex_table(rows: Sequence[Sequence[str]], caption: str, label: str) -> str:
    """Return a table in LaTeX; the first row is the head. label: what follows ``tab:``."""
    head, *others = rows
    body = "\n".join([latex_row(row) for row in others])
    return LATEX % (escape_latex(caption), label, "r" * (len(head) - 1), latex_row(head), body)


def latex_row(cells: Sequence[str]) -> str:
    """Return one row in LaTeX."""
    escaped = [escape_latex(cell) for cell in cells]
    return rf"{' & '.join(escaped)} \\"


def escape_latex(cell: str) -> str:
    """Return a text as LaTeX reads it."""
    characters = []
    for character in cell:
        if character in "&%$#_{}":
            characters.append("\\")
        characters.append(character)
    return "".join(characters).replace(">", "$>$").replace("[us]", r"[$\mu$s]")
