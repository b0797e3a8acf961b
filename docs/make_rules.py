"""Writes rules.md and its pictures from what the kinds of rules say of themselves: ``python docs/make_rules.py``."""

from __future__ import annotations

from pathlib import Path

from gridproof.cli.rules import default
from gridproof.pictures import board_svg
from gridproof.pictures.examples import example_board
from gridproof.rules import all_kinds
from gridproof.rules.rule import Rule

HERE = Path(__file__).resolve().parent
STUB = HERE.parent / "src" / "gridproof" / "rules" / "__init__.pyi"

HEAD = """# Rules beyond houses

Every kind of rule, as `gridproof rules` lists them (this page is made from the same texts by
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
stated by name (`total=15`). A rule about cells that the board does not have, or that makes no sense otherwise, is
refused as malformed input.

## Choices

`any-of`, `all-of` and `none-of` (also called `not`) are about other rules, each in brackets that stand between blanks:

    gridproof verify PUZZLE --rule 'any-of [ killer 10 r1c1 r1c2 ] [ all-of [ even r1c1 ] [ not [ renban row1 ] ] ]'

In Python a choice takes texts and rules, `any_of("killer 10 r1c1 r1c2", none_of(renban("row1")))`; in a puzzle file
`rules` is a list of texts and tables, `rules = ["killer 10 r1c1 r1c2", {kind = "even", cells = "r1c1"}]`. Several of
the rules of `any-of` may hold. Rules that look at the dots of the board may not stand in a choice.

## Kinds of your own

A comparison of pairs is a TOML file of five keys, as `gridproof help rules` shows: `words`, `about`, `example`,
`parameters`, and `relation` with `cells`, `pairs` and `allow`. The pairs are `each` (single cells), `consecutive`,
`near` (up to two places apart), `all`, `mirrored`, `orthogonal` or `outwards` (to neighbours that are not among the
cells). In Python its path stands among the rules, which may name it: `rules=["apart.toml", "apart 3 r1c1-r1c4"]`.
Anything else is a class. `expand` states the rule in
primitives, from which every model is made, and `holds` tests it on a full grid; the cross-check compares the two.

```python
>>> import gridproof
>>> from gridproof.rules import Rule
>>> from gridproof.rules.primitives import Relation
>>> from gridproof.rules.rule import parameter
>>> class Twins(Rule):
...     "The first and the last cell hold the same digit."
...     cells: tuple[int, ...] = parameter("cells", "the cells")
...     kind = "twins"
...     words = "the ends of {cells} hold the same digit"
...     def expand(self, geometry):
...         pair = (self.cells[0], self.cells[-1])
...         return [Relation.of([pair], geometry.digits, lambda a, b: a == b)]
...     def holds(self, grid, geometry):
...         return grid[self.cells[0]] == grid[self.cells[-1]]
>>> gridproof.count("." * 16, rules=["twins r1c1 r2c3", "odd r1c1"]).number
72
>>> gridproof.count("." * 16, rules=Twins(cells=(0, 6))).number
144

```

A rule refuses only values without a meaning (`InputError` in `__post_init__`, such as for two groups of unequal
length). What has a meaning and is never fulfilled, such as a sum out of reach, is no error: no grid fulfils it. The
contract kits state rules of each kind at random, with any cells and numbers, and such a statement must not raise.

The class is known by its name as soon as it is defined. `gridproof.rules.make_rule(Twins, "r1c1 r2c3")` states a rule
of it with cells by name. The kind [clauses](#clauses) takes clauses over the variables of a model:

```python
>>> import gridproof
>>> clauses = "clauses x[r1c1=1] -x[r1c2=2] 0 -x[r1c1=1] x[r2c3=1] 0"
>>> gridproof.count("." * 16, rules=[clauses, "even r1c1"]).number
120

```

## All kinds
"""


def page() -> str:
    """The whole page."""
    kinds = all_kinds().values()
    index = "\n".join(f"- [{kind.kind}](#{kind.kind}): {kind.title()}" for kind in kinds)
    sections = "\n".join(_section(kind) for kind in kinds)
    return f"{HEAD}\n{index}\n\n{sections}"


def _section(kind: type[Rule]) -> str:
    also = f"Also called {', '.join(kind.aliases)}.\n\n" if kind.aliases else ""
    parameters = "".join(f"- `{p.name}`: {p.help}{default(p)}\n" for p in kind.parameters())
    gap = "\n" if parameters else ""
    board = example_board(kind)
    said = board.rules[0].sentence(board.geometry)
    return (
        f"## {kind.kind}\n\n    {kind.usage()}\n\n{kind.about().strip()}\n\n{also}{parameters}{gap}"
        f"![{said}](rules/{kind.kind}.svg)\n\n`{kind.example}`: {said}.\n"
    )


STUB_HEAD = '''"""Names of the package for editors and type checkers; ``python docs/make_rules.py`` makes this file."""

from collections.abc import Iterable
from typing import Any, TypeAlias

from gridproof.rules.catalog import all_kinds as all_kinds
from gridproof.rules.catalog import find as find
from gridproof.rules.rule import Rule as Rule
from gridproof.rules.rule_parsing import make_rule as make_rule
from gridproof.rules.rule_parsing import make_rules as make_rules
from gridproof.rules.rule_parsing import parse_rule as parse_rule
from gridproof.rules.rule_text import RuleText as RuleText

CellLine: TypeAlias = str | Iterable[str | int]
CellLines: TypeAlias = str | Iterable[CellLine | int]
'''

STUB_TYPES = {
    "cells": "CellLine",
    "lines": "CellLines",
    "number": "int | str",
    "numbers": "str | Iterable[int]",
    "flag": "bool",
    "text": "str",
    "rules": "Any",
}
"""The type of the argument for a parameter of each type."""


def stub() -> str:
    """Return the stub of ``gridproof.rules``, with a function for each kind."""
    lines = [STUB_HEAD]
    for kind in all_kinds().values():
        lines += [f"def {kind.kind.replace('-', '_')}(", "    *in_order: Any,"]
        for p in kind.parameters():
            lines.append(f"    {p.name}: {STUB_TYPES[p.type]} = ...,")
        lines += [") -> RuleText:", f'    """{kind.summary()}"""', ""]
    return "\n".join(lines[:-1]) + "\n"


def main() -> None:
    """Write all files."""
    STUB.write_text(stub(), encoding="utf-8", newline="\n")
    (HERE / "rules.md").write_text(page(), encoding="utf-8", newline="\n")
    folder = HERE / "rules"
    folder.mkdir(exist_ok=True)
    for kind in all_kinds().values():
        board = example_board(kind)
        board_svg(board, title=board.rules[0].sentence(board.geometry)).save(folder / f"{kind.kind}.svg")


if __name__ == "__main__":
    main()
