"""Kinds of rules of the user's own, from Python: classes, files, and clauses over named variables."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

import gridproof
from gridproof.errors import DisagreementError, InputError
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, find, make_rule, parse_rule
from gridproof.rules.kinds.counting import Quadruple
from gridproof.rules.kinds.killer import Killer
from gridproof.rules.primitives import Cells, Primitive, Relation
from gridproof.rules.rule import parameter
from gridproof.toml_tables import LARGEST_FILE

EMPTY = "." * 16
APART = """
words = "neighbours on {lines} are at least {least} apart"
about = "Neighbours on the line differ by at least the number."
example = "apart 3 r1c1 r1c2"
parameters.least = { type = "number", help = "the least difference" }
parameters.lines = { type = "lines", help = "the lines" }
relation = { cells = "lines", pairs = "consecutive", allow = "abs(a - b) >= least" }
"""


class Equal(Rule):
    """The first and the last cell hold the same digit."""

    cells: Cells = parameter("cells", "the cells")

    kind = "equal-ends"

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        return [Relation.of([(self.cells[0], self.cells[-1])], geometry.digits, lambda a, b: a == b)]

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        return grid[self.cells[0]] == grid[self.cells[-1]]


class Wrong(Equal):
    """A kind whose models differ from its meaning."""

    kind = "wrong-ends"

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        return []


@pytest.fixture
def apart(tmp_path: Path) -> Path:
    path = tmp_path / "apart.toml"
    path.write_text(APART)
    return path


def test_a_class_is_a_kind_by_its_name_and_by_itself() -> None:
    ways: list[Any] = ["equal-ends r1c1 r2c3", ["equal-ends r1c1, r2c3"], make_rule(Equal, "r1c1 r2c3")]
    for rules in (*ways, [Equal, "equal-ends r1c1 r2c3"], Equal(cells=(0, 6))):
        counted = gridproof.count(EMPTY, rules=rules)
        assert (counted.number, counted.complete, str(counted.evidence.reference)) == (144, True, "agrees")
    assert find(Equal).usage() == "equal-ends CELLS"
    assert Equal(cells=(0, 6)).sentence(Geometry.classic(2)) == "equal-ends r1c1 r2c3"


def test_a_kind_whose_models_are_wrong_is_a_disagreement() -> None:
    assert gridproof.verify("1...............", rules="wrong-ends r1c1 r2c3").status == "disagreement"


@pytest.mark.parametrize("question", [gridproof.explain, gridproof.candidates])
def test_questions_about_a_kind_whose_models_are_wrong_give_no_answer(question: Any) -> None:
    with pytest.raises(DisagreementError, match="found a grid that is no solution: it breaks a rule: wrong-ends"):
        question("1...............", rules="wrong-ends r1c1 r2c3")


def test_a_file_is_a_kind_that_texts_name(apart: Path) -> None:
    rule = "apart 2 r1c1-r1c3"
    expected = gridproof.count(EMPTY, rules="relation abs(a-b)>=2 r1c1-r1c3").number
    ways: list[Any] = [[apart, rule], [str(apart), rule], [f"{apart} 2 r1c1-r1c3"], make_rule(apart, 2, "r1c1-r1c3")]
    for rules in ways:
        assert gridproof.count(EMPTY, rules=rules).number == expected
    with pytest.raises(InputError, match="least is missing"):
        gridproof.verify(EMPTY, rules=apart)
    with pytest.raises(InputError, match="no kind of rule is called 'apart'"):
        gridproof.verify(EMPTY, rules=rule)


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        (5, "5 is not a rule; expected a text such as"),
        ([5], "5 is not a rule"),
        (int, "int is not a kind of rule; expected a subclass of Rule"),
        ("clauses", "clauses is missing: literals such as"),
        ("clauses x[r1c1=1] 0 0 x[r1c2=2]", "a clause without literals, which nothing fulfils"),
        ("clauses x[r1c1=1] 7", "'7' is not a literal; expected such as x[r1c1=5], -x[r1c1=5], or 0"),
        ("clauses --x[r1c1=1]", "is not a literal"),
        ("clauses x[r1c1=5]", "no symbol 5 on a board of 4x4, 2x2 boxes"),
        ("clauses x[r5c1=1]", "r5c1 is not on a board of 4x4, 2x2 boxes"),
    ],
)
def test_what_is_no_rule_is_refused(rule: object, problem: str) -> None:
    with pytest.raises(InputError) as refused:
        Board.empty(Geometry.classic(2)).with_rules(rule)  # type: ignore[arg-type]
    assert problem in str(refused.value)


@pytest.mark.parametrize("backend", ["cadical153", "cp-sat", "highs", "search-propagate"])
def test_clauses_join_a_board(backend: str) -> None:
    text = "clauses x[r1c1=1] -x[r1c2=2] 0 -x[r1c1=1] x[r2c3=1]"
    few = f"{EMPTY[:-2]}34"
    grids = set(gridproof.solutions(few))
    wanted = {g for g in grids if (g[0] == 1 or g[1] != 2) and (g[0] != 1 or g[6] == 1)}
    assert 0 < len(wanted) < len(grids)
    assert set(gridproof.solutions(few, backend, rules=text)) == wanted
    board = gridproof.parse(few, rules=text)
    assert gridproof.parse(few, rules=board.rules[0].text(board.geometry)) == board


def test_clauses_name_symbols_as_models_do() -> None:
    sixteen = Geometry.classic(4)
    (rule,) = Board.empty(sixteen).with_rule("clauses x[r16c16=G] -x[r1c1=10]").rules
    assert rule.scope(sixteen) == {0, 255}
    assert rule.holds(sixteen.digits.of([10] + [1] * 254 + [16]), sixteen)
    assert not rule.holds(sixteen.digits.of([10] + [1] * 255), sixteen)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("{0}", "expected a text with names in braces: least, lines, n"),
        ("{cells!r}", "expected a text with names in braces"),
        ("{cells.__class__}", "expected a text with names in braces"),
        ("{least:{cells}}", "expected a text with names in braces"),
        ("{cells", "expected '}' before end of string"),
    ],
)
def test_words_that_name_no_parameter_are_refused(apart: Path, words: str, problem: str) -> None:
    content = APART.split("\n")
    changed = [f"words = '{words}'" if line.startswith("words") else line for line in content]
    apart.write_text("\n".join(changed))
    with pytest.raises(InputError, match=re.escape(problem)):
        find(apart)


def test_a_file_that_never_ends_is_no_kind(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    device = tmp_path / "device.toml"
    device.symlink_to("/dev/zero")
    large = tmp_path / "large.toml"
    large.write_text("# " + "x" * LARGEST_FILE)
    for path, problem in ((pipe, "a plain file"), (device, "a plain file"), (large, "at most 65,536 bytes")):
        with pytest.raises(InputError, match=f"not a readable TOML file: expected {problem}"):
            find(path)


def test_a_text_of_someone_else_opens_no_file(apart: Path) -> None:
    with pytest.raises(InputError, match="whoever reads a text names the files of kinds"):
        parse_rule(f"{apart} 2 r1c1-r1c3", files=False)
    with pytest.raises(InputError, match="whoever reads a text names the files of kinds"):
        find(str(apart), files=False)


@pytest.mark.parametrize(
    ("rule", "advice"),
    [
        ("german whispers r1c1 r1c2", "'german whispers'; did you mean 'german-whispers'?"),
        ("Region Sum Line row1", "did you mean 'region-sum-line'?"),
        ("Killer 5 r1c1", "did you mean 'killer'?"),
        ("kiler 5 r1c1", "did you mean 'killer'?"),
        ("min r1c1", "did you mean 'minimum'?"),
        ("kropki r1c1 r1c2", "did you mean 'kropki-white' or "),
        ("diagonal", "option --diagonal, and diagonal = true in a puzzle file"),
        ("queens 9", "did you mean 'queen'?"),
        ("killer 10 a1 a2", "'a1' is no cell; cells are called r1c1 (row 1, column 1)"),
        ("thermometer A1-C1", "'A1-C1' is no cell; cells are called r1c1 (row 1, column 1)"),
        ("cave", "it is about more than the digits of cells, which no rule can state"),
        ("yin-yang", "it is about more than the digits of cells, which no rule can state"),
        ("xyz", "expected one of all-of, anti-king"),
    ],
)
def test_an_unknown_kind_gets_fitting_advice(rule: str, advice: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_rule(rule).make(Geometry.classic(3))
    assert advice in str(refused.value)


HUGE = 10**5000
"""More digits than Python writes."""


@pytest.mark.parametrize(
    "rule",
    [
        make_rule("killer", HUGE, "r1c1 r1c2"),
        make_rule("killer", 10**18, "r1c1 r1c2"),
        make_rule("quadruple", "r1c1 r1c2", values=(1, HUGE)),
        make_rule("even", [HUGE]),
        make_rule("palindrome", [[0, HUGE]]),
        Killer(**dict[str, Any](total=HUGE, cells=(0, 1), repeats=False)),
        Killer(**dict[str, Any](total="3", cells=(0, 1), repeats=False)),
        Quadruple(**dict[str, Any](values=(HUGE,), cells=(0, 1))),
        f"killer {'1' * 4301} r1c1 r1c2",
        "killer \u0663 r1c1 r1c2",
        "killer 3 r\u0661c1 r1c2",
        "relation a<" + "1" * 4301 + " r1c1 r1c2",
        HUGE,
    ],
    ids=range(13),
)
def test_a_number_beyond_any_board_is_refused(rule: Any) -> None:
    with pytest.raises(InputError):
        Board.empty(Geometry.classic(2)).with_rules([rule])
