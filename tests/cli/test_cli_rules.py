"""Rules on the command line and in the questions: ``--rule``, ``rules=``, and ``gridproof rules``."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import gridproof
from cli_runner import COMMANDS, Command
from gridproof.cli import main
from gridproof.errors import InputError
from gridproof.experiments import compare
from gridproof.rules import all_kinds, killer
from ground_truth import solutions as plain_solutions

EMPTY = "." * 16
OWN = """
words = "neighbours on {lines} are at least {least} apart"
about = "Neighbours on the line differ by at least the number."
example = "apart 2 r1c1 r1c2"
parameters.least = { type = "number", help = "the least difference" }
parameters.lines = { type = "lines", help = "the lines" }
relation = { cells = "lines", pairs = "consecutive", allow = "abs(a - b) >= least" }
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "apart.toml"
    path.write_text(OWN)
    return str(path)


def number_of(rules: Sequence[str]) -> int:
    """The number of grids that an empty 4x4 with rules has, by the plain ground truth."""
    return sum(1 for _ in plain_solutions(gridproof.parse(EMPTY, rules=rules)))


# ---- stating them ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules", [["anti-knight"], ["killer 7 r1c1 r1c2 r2c1", "thermo r3c1-r3c3"], ["leaper 0 2", "odd r1c1"]]
)
def test_rules_count(call: Command, rules: list[str]) -> None:
    options = [word for rule in rules for word in ("--rule", rule)]
    assert call("count", "-q", EMPTY, *options)[1] == f"{number_of(rules)}\n"
    assert gridproof.count(EMPTY, rules=rules).number == number_of(rules)
    assert sum(1 for _ in gridproof.solutions(EMPTY, rules=rules)) == number_of(rules)


def test_rules_in_python() -> None:
    rules = [killer(5, "r2c1 r3c1")]
    board = gridproof.parse("12.. .... .... ...3", rules=rules)
    assert board == gridproof.parse("12.. .... .... ...3").with_rule("killer 5 r2c1 r3c1")
    assert str(gridproof.verify("12.. .... .... ...3", rules=rules)) == "unique; reference: agrees"
    assert gridproof.solve("12.. .... .... ...3", rules=rules) == gridproof.verify(board).solutions[0]
    assert gridproof.parse(board, rules=["odd r1c1"]).rules == board.with_rule("odd r1c1").rules
    with pytest.raises(InputError, match="did you mean 'killer'"):
        gridproof.verify(EMPTY, rules=["kiler 3 r1c1"])


def test_rules_of_a_kind_of_ones_own(call: Command, own: str) -> None:
    code, out, err = call("count", "-q", EMPTY, "--rule", f"{shlex.quote(own)} 2 r1c1-r1c3")
    assert (code, out, err) == (0, f"{number_of(['relation abs(a-b)>=2 r1c1-r1c3'])}\n", "")


@pytest.mark.parametrize(
    "name",
    sorted(
        COMMANDS.keys()
        - {"audit", "backends", "check", "compare", "encodings", "generate", "instances", "page", "rules"}
    ),
)
def test_every_command_that_takes_boards_takes_rules(call: Command, name: str, tmp_path: Path) -> None:
    output = {"certify": ["-o", str(tmp_path / "out")], "tree": ["-o", str(tmp_path / "tree.svg")]}.get(name, [])
    output = ["--to", "csv"] if name == "convert" else output
    code, out, err = call(name, EMPTY, "--rule", "kiler 3 r1c1", *output)
    assert (code, out) == (2, "")
    assert err == "gridproof: the rule 'kiler 3 r1c1': no kind of rule is called 'kiler'; did you mean 'killer'?\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--rule", "killer total=x r1c1"], "the rule 'killer total=x r1c1': total = 'x'; expected a whole number"),
        (
            ["--rule", "killer 3"],
            "the rule 'killer 3': cells is missing: the cells of the cage; usage: killer [total] CE",
        ),
        (["--rule", "killer 3 4 r1c1"], "'4' is one value too many; usage: killer [total] CELLS [repeats]"),
        (["--rule", "anti-knight r1c1"], "the rule 'anti-knight r1c1': cells that belong to no parameter; usage"),
        (["--rule", ""], "the rule '': an empty text is not a rule"),
        (["--rule", "regex '(12 row1"], 'the rule "regex \'(12 row1"'),
        (["--rule", f"killer {'9' * 5000} r1c1"], "(5000 characters); expected a whole number (the sum of the cage)"),
        (["--rule", "thermometer r1c1-r1c3 r1c1"], "r1c1 is named twice; expected different cells"),
        (["--rule", "missing.toml r1c1"], "missing.toml: not a readable TOML file"),
    ],
)
def test_a_wrong_rule_is_one_line(call: Command, options: list[str], message: str) -> None:
    for further in ([EMPTY[1:] + "1"], ["-j", "0"]):
        code, out, err = call("verify", EMPTY, *options, *further)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err


# ---- many puzzles ----------------------------------------------------------------------------------------------------


def test_bulk_takes_rules_for_all(call: Command, own: str, tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text(f"12..{'.' * 11}3\n1{'.' * 15}\n")
    rules = [f"{own} 2 r2c1 r3c1", "killer 5 r2c1 r3c1"]
    options = [word for rule in rules for word in ("--rule", rule)]
    plain = call("verify", "-q", str(lines), *options)[1]
    assert call("verify", "-q", "-j", "0", str(lines), *options)[1] == plain
    assert call("verify", "-q", "-j", "1", str(lines), *options)[1] == plain, "another process understands them"
    records = gridproof.verify_many(lines, rules=rules)
    assert [record.verdict for record in records] == [line.partition("\t")[0] for line in plain.splitlines()]


def test_boards_in_memory_keep_their_rules_in_bulk() -> None:
    board = gridproof.parse("12.. .... .... ...3")
    ruled = board.with_rule("killer 5 r2c1 r3c1")
    records = list(gridproof.verify_many([board, ruled, ruled, board]))
    assert [record.verdict for record in records] == ["multiple", "unique", "unique", "multiple"]
    assert gridproof.parse(records[1].puzzle) == ruled, "the record has the rules, too"


@pytest.mark.slow
def test_compare_keeps_sessions_of_other_rules_apart(tmp_path: Path) -> None:
    for number, total in enumerate((5, 6, 4)):
        text = gridproof.convert(gridproof.parse("12.. .... .... ...3", rules=[killer(total, "r2c1 r3c1")]), "toml")
        (tmp_path / f"{number}.toml").write_text(text)
    files = [tmp_path / f"{number}.toml" for number in range(3)]
    comparison = compare(files, ["cadical153", "cp-sat"], mode="warm", repeat=1)
    verdicts = {(record.puzzle_set, record.verdict) for record in comparison.records}
    expected = {(path.stem, str(gridproof.verify(path.read_text()).status)) for path in files}
    assert verdicts == expected
    assert len({record.board for record in comparison.records}) == 3


# ---- the kinds -------------------------------------------------------------------------------------------------------


def test_the_kinds_are_listed(call: Command) -> None:
    code, out, err = call("rules")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == list(all_kinds())
    assert "killer [total] CELLS [repeats]" in out
    assert "the killer cage CELLS sums to TOTAL" in out


@pytest.mark.parametrize("kind", all_kinds().values(), ids=lambda kind: kind.kind)
def test_each_kind_is_explained(call: Command, kind: Any) -> None:
    code, out, _ = call("rules", kind.kind)
    assert code == 0
    assert out.startswith(f"{kind.usage()}\n")
    assert f"example: {kind.example}\n" in out
    assert "┌" in out or os.name == "nt"
    assert all(p.help in out for p in kind.parameters())
    assert kind.summary().split(".")[0].split("`")[0][:60] in " ".join(out.split())


def test_a_kind_of_ones_own_is_explained(call: Command, own: str) -> None:
    code, out, _ = call("rules", own)
    assert code == 0
    assert "apart least CELLS / CELLS ..." in out
    code, _, err = call("rules", "kilr")
    assert (code, err) == (2, "gridproof: no kind of rule is called 'kilr'; did you mean 'killer'?\n")


def test_the_example_of_the_help_is_a_kind(call: Command, tmp_path: Path) -> None:
    """Both files that ``gridproof help rules`` shows are as described."""
    text = (COMMANDS["rules"].__doc__ or "").partition("\n\nexit codes:")[0]
    puzzle, own = (part.replace("\n    ", "\n") for part in text.split("\n\n    ")[1:])
    puzzle = puzzle.partition("\n\n")[0].strip()
    assert len(gridproof.parse(puzzle).rules) == 1
    (tmp_path / "apart.toml").write_text(own)
    board = gridproof.parse(EMPTY, rules=[f"{tmp_path}/apart.toml 3 r1c1-r1c4"])
    assert board.rules[0].sentence(board.geometry) == "neighbours on r1c1-r1c4 are at least 3 apart"


def test_a_part_of_a_name_lists_every_kind(call: Command) -> None:
    _, out, _ = call("rules", "kropki")
    usages = [part.split("\n")[0].split(" ")[0] for part in out.split("\n\n")]
    assert {"difference", "ratio", "negative-difference", "negative-ratio"} <= set(usages)


@pytest.mark.parametrize("options", [[], ["--engine", "session", "-j0"]], ids=["one by one", "bulk"])
def test_a_rule_that_does_not_fit_a_board_makes_its_puzzle_malformed(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lines"
    path.write_text(f"1{'.' * 15}\n{'.' * 81}\n1.....2..3.....4\n")
    assert main(["verify", "-q", *options, str(path), "--rule", "killer 5 r5c5 r5c6"]) == 2
    rows = capsys.readouterr().out.splitlines()
    assert [row.split("\t")[0] for row in rows] == ["malformed", "multiple", "malformed"]
    assert "line 3: the rule 'killer 5 r5c5 r5c6': r5c5 is not on a board of 4x4" in rows[2]
    assert "; expected r1c1 to r4c4" in rows[2]
