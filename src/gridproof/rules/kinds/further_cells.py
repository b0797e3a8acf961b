"""Rules about further cells, beside the grid."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from gridproof.errors import InputError
from gridproof.puzzle.digits import Digit
from gridproof.puzzle.further_cells import CellGroup, WithFurtherCells, read_groups, with_further_cells
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.bounds import explain_impossible
from gridproof.rules.drawing import Mark, Note
from gridproof.rules.filling import Demand, Exists, can_be_filled
from gridproof.rules.kinds.choices import Choice
from gridproof.rules.primitives import Primitive
from gridproof.rules.rule import Parameter, Rule, parameter


class FurtherCells(Choice):
    """There are digits for some further cells, beside the grid, so that all of the rules hold.

    A further cell holds a digit of the board, and is in no house. Groups of such cells are stated by a name that begins
    with ``v`` and a size: of ``va:8`` the cells are ``va1`` to ``va8``. ``vs:9x9`` states rows and columns, in which
    cells are neighbours; other groups lie in rows as long as those of the board.

    A solution is a grid: what the further cells hold is no part of it, and two ways to fill them are no two solutions.
    """

    groups: str = parameter("text", "the groups of further cells, such as va:8 vs:9x9")
    rules: tuple[Rule, ...] = parameter("rules", "the rules, each in brackets: [ killer 10 va1 r1c1 ]")

    kind = "further-cells"
    words = "for some digits of the further cells {groups}, all of these hold: {rules}"
    conjunction = "; and "
    example = "further-cells va:1 [ killer 10 va1 r1c1 ] [ killer 12 va1 r2c1 ]"
    can_be_negated = False

    @classmethod
    def board_inside(cls, geometry: Geometry, values: Mapping[str, Any]) -> WithFurtherCells:
        """Return the board with the further cells. Raises ``InputError`` inside a rule that states others."""
        if isinstance(geometry, WithFurtherCells):
            raise InputError("further cells inside further cells; expected one rule that states all of them")
        return with_further_cells(geometry, read_groups(str(values.get("groups", ""))))

    def inside(self, geometry: Geometry) -> WithFurtherCells:
        """Return the board with the further cells."""
        return self.board_inside(geometry, vars(self))

    def lists(self) -> list[tuple[Parameter, Sequence[int]]]:
        """Return no lists: further cells are on no board."""
        return []

    def scope(self, geometry: Geometry) -> frozenset[int]:
        """Return every cell of the grid that one of the rules reads."""
        return super().scope(self.inside(geometry)).intersection(range(geometry.cell_count))

    def invalid_reason(self, geometry: Geometry) -> str | None:
        """Explain that a rule is about the whole grid, or makes no sense, or return ``None``."""
        inside = self.inside(geometry)
        reason = super().invalid_reason(inside)
        if reason is not None:
            return reason
        for rule in parts_of(self.rules):
            named = frozenset([cell for _, cells in rule.lists() for cell in cells])
            if not named or not rule.scope(inside) <= named:
                return f"{rule.kind} is about the whole grid; expected a rule about the cells that it names"
        return None

    def texts(self, geometry: Geometry) -> dict[str, str]:
        """Return the sentences of the rules, and the names of the further cells."""
        names = [name_of_group(group) for group in self.inside(geometry).groups]
        return super().texts(self.inside(geometry)) | {"groups": " ".join(names)}

    def remark(self, geometry: Geometry) -> str:
        """Return that solutions are grids."""
        return "counted by grids: what further cells hold makes no other solution"

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        """Return the sentence beside the board: marks at further cells have no place."""
        yield Note(self.sentence(geometry))

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        inside = self.inside(geometry)
        parts: list[Primitive] = []
        for rule in self.rules:
            parts += rule.expand(inside)
        yield Exists(inside, tuple(parts))

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        symbols = [geometry.digits.symbol(digit) for digit in grid]
        demands = demands_of(self.rules, self.inside(geometry))
        return can_be_filled(symbols, self.inside(geometry), demands)


@lru_cache(maxsize=256)
def demands_of(rules: tuple[Rule, ...], board: WithFurtherCells) -> tuple[Demand, ...]:
    """Return the demands of rules: by their words on full cells, and by a bound before."""
    return tuple([demand_of_rule(rule, board) for rule in rules])


def demand_of_rule(rule: Rule, board: WithFurtherCells) -> Demand:
    """Return the demand of a rule."""
    cells = rule.scope(board)
    primitives = tuple(rule.expand(board))

    def fails(masks: Sequence[int]) -> bool:
        if all(masks[cell].bit_count() == 1 for cell in cells):
            return not rule.holds(board.digits.of([mask.bit_length() for mask in masks]), board)
        return any(explain_impossible(primitive, masks, board.digits) for primitive in primitives)

    return Demand(cells, fails)


def parts_of(rules: Iterable[Rule]) -> list[Rule]:
    """Return rules with those inside choices in place of these."""
    parts: list[Rule] = []
    for rule in rules:
        parts += parts_of(rule.rules) if isinstance(rule, Choice) else [rule]
    return parts


def name_of_group(group: CellGroup) -> str:
    """Return the names of the cells of a group: ``va1-va8``."""
    return f"{group.name}1" if group.size == 1 else f"{group.name}1-{group.name}{group.size}"
