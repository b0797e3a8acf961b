"""Writes rules.md and its pictures from what the kinds of rules say of themselves: ``python docs/make_rules.py``."""

from __future__ import annotations

from pathlib import Path

from gridproof.cli.rules import default, example
from gridproof.pictures import board_svg
from gridproof.rules import all_kinds
from gridproof.rules.kind import Kind

HERE = Path(__file__).resolve().parent

HEAD = """# Rules beyond houses

Every kind of rule that gridproof knows, as `gridproof rules` lists them (this page is made from the same texts by
`docs/make_rules.py`). A rule is stated by its kind and its parameters:

    gridproof verify PUZZLE --rule anti-knight --rule 'killer 15 r1c1 r1c2 r2c1' --rule 'thermometer r3c3 r3c4 r4c4'

in Python by `board.with_rule("killer 15 r1c1 r1c2 r2c1")`, by `gridproof.verify(puzzle, rules=[...])`, or with
`from gridproof.rules import killer` by `killer(15, "r1c1 r1c2 r2c1")`; in a puzzle file by a table:

    title = "A cage"
    clues = \"\"\"
    1 . . .
    . . . .
    . . . .
    . . . 2
    \"\"\"

    [[rule]]
    kind = "killer"
    total = 5
    cells = "r1c2 r2c2"

    [[rule]]
    rule = "thermometer r3c1 r3c2 r3c3"

Cells are `r1c1`, runs of them in any of the eight directions `r1c1-r1c5`, and all cells of a house: `row3`, `column4`,
`box5`. If a rule takes several lines, `/` separates them. Parameters in brackets may be left out. All of them may be
stated by name (`total=15`). `gridproof help rules` shows how a kind of your own is written.
"""


def page() -> str:
    """The whole page."""
    kinds = all_kinds().values()
    index = "\n".join(f"- [{kind.name}](#{kind.name}): {kind.sentence}" for kind in kinds)
    return f"{HEAD}\n{index}\n\n" + "\n".join(map(_section, kinds))


def _section(kind: Kind) -> str:
    also = f"Also called {', '.join(kind.aliases)}.\n\n" if kind.aliases else ""
    parameters = "".join(f"- `{p.name}`: {p.help}{default(p)}\n" for p in kind.parameters)
    gap = "\n" if parameters else ""
    board = example(kind, kind.name)
    said = board.rules[0].sentence(board.geometry)
    return (
        f"## {kind.name}\n\n    {kind.usage}\n\n{kind.about.strip()}\n\n{also}{parameters}{gap}"
        f"![{said}](rules/{kind.name}.svg)\n\n`{kind.example}`: {said}.\n"
    )


def main() -> None:
    """Write all files."""
    (HERE / "rules.md").write_text(page(), encoding="utf-8", newline="\n")
    folder = HERE / "rules"
    folder.mkdir(exist_ok=True)
    for kind in all_kinds().values():
        board = example(kind, kind.name)
        board_svg(board, title=board.rules[0].sentence(board.geometry)).save(folder / f"{kind.name}.svg")


if __name__ == "__main__":
    main()
