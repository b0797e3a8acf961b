"""The output of ``gridproof compile`` is read and solved by programs that are not ours, and their answers are ours.

Debian has them: apt install minisat cadical glpk-utils coinor-cbc minizinc z3; the packages for Python bring clingo and
z3, too. A program that is not there is a test that is skipped.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from cli_runner import run
from core_samples import UNIQUE, UNIQUE_SOLUTION
from gridproof.models import catalog, targets

SIX_RULES = str(Path(__file__).parents[2] / "examples" / "six-rules.toml")
BOARDS = {"houses": (UNIQUE, UNIQUE_SOLUTION), "rules": (SIX_RULES, "362415541362614253253641136524425136")}
IMPOSSIBLE = UNIQUE[:-2] + "89"

BY_NAME = r"r(?P<row>\d+)c(?P<column>\d+)_(?P<symbol>\d+)"
BY_NUMBER = r"(?P<number>\d+)"


class Program(NamedTuple):
    """A program that solves a format.

    command: with {file} and, where it writes its answer to a file, {answer}. true: how it writes a variable that is
    true. none: its answer where there is no grid.
    """

    form: str
    command: tuple[str, ...]
    true: str
    none: str


CLINGO = (sys.executable, "-m", "clingo")
GLPSOL = (rf"{BY_NAME}\s+\*\s+1 ", "INTEGER EMPTY|INTEGER UNDEFINED")
CBC = (rf"\d+ {BY_NAME}\s+1 ", "[Ii]nfeasible")

PROGRAMS: Mapping[str, Program] = {
    "minisat": Program("dimacs", ("minisat", "-verb=0", "{file}", "{answer}"), rf"(?<![-\d]){BY_NUMBER} ", "UNSAT"),
    "cadical": Program("dimacs", ("cadical", "-q", "{file}"), rf"(?<![-\d]){BY_NUMBER}\b", "s UNSATISFIABLE"),
    "glpsol, lp": Program("lp", ("glpsol", "--lp", "{file}", "-o", "{answer}"), *GLPSOL),
    "cbc, lp": Program("lp", ("cbc", "{file}", "solve", "solu", "{answer}"), *CBC),
    "glpsol, mps": Program("mps", ("glpsol", "--freemps", "{file}", "-o", "{answer}"), *GLPSOL),
    "cbc, mps": Program("mps", ("cbc", "{file}", "solve", "solu", "{answer}"), *CBC),
    "clasp": Program("opb", (*CLINGO, "--mode=clasp", "{file}"), rf" x{BY_NUMBER}\b", "s UNSATISFIABLE"),
    "clingo": Program("asp", (*CLINGO, "{file}"), r"x\((?P<cell>\d+),(?P<symbol>\d+)\)", "UNSATISFIABLE"),
    "minizinc": Program("minizinc", ("minizinc", "--solver", "gecode", "{file}"), r"\[(?P<grid>.*)\]", "UNSATISFIABLE"),
    "z3": Program(
        "smtlib",
        ("z3", "-model", "{file}"),
        r"r(?P<row>\d+)c(?P<column>\d+)(?:=(?P<symbol>\d+)\|? \(\) Bool\s+true| \(\) Int\s+(?P<value>\d+))",
        "^unsat",
    ),
}


def solved(program: Program, puzzle: str, encoding: str, folder: Path) -> str:
    """Return the answer of a program to the file that we write."""
    file, answer = folder / f"board.{program.form.replace('minizinc', 'mzn')}", folder / "answer"
    done = run("compile", puzzle, "--to", program.form, "-e", encoding, "--force", "-o", str(file))
    assert done.returncode == 0, done.stderr
    words = [word.format(file=file, answer=answer) for word in program.command]
    env = os.environ | {"PATH": PATH}
    out = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120, env=env).stdout
    return answer.read_text() if answer.exists() else out


def grid_of(answer: str, program: Program, order: int) -> str:
    """Return the grid, cell by cell, of the variables that are true in an answer."""
    symbols: dict[int, int] = {}
    for found in re.finditer(program.true, answer):
        named = {name: value for name, value in found.groupdict().items() if value}
        if "grid" in named:
            return "".join(named["grid"].split(", "))
        if "number" in named:
            cell, symbol = divmod(int(named["number"]) - 1, order)
            symbol += 1
        elif "cell" in named:
            cell, symbol = int(named["cell"]), int(named["symbol"])
        else:
            cell = (int(named["row"]) - 1) * order + int(named["column"]) - 1
            symbol = int(named.get("symbol") or named["value"])
        if 0 <= cell < order**2:  # no auxiliary
            assert cell not in symbols
            symbols[cell] = symbol
    return "".join(str(symbols.get(cell, ".")) for cell in range(order**2))


PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
"""The folders that are searched for programs: a package for Python puts z3 beside Python."""


def found(command: tuple[str, ...]) -> bool:
    """Return whether a program is there, or the module that a command of Python's runs."""
    return (
        find_spec("clingo") is not None if command[0] == sys.executable else bool(shutil.which(command[0], path=PATH))
    )


CASES = [
    pytest.param(
        name,
        encoding,
        marks=pytest.mark.skipif(
            not found(program.command),
            reason=f"{name.split(',')[0]} is not installed here",
        ),
        id=f"{name}, {encoding}",
    )
    for name, program in PROGRAMS.items()
    for target in targets.all_targets().values()
    if program.form in target.formats
    for encoding in catalog.names()
    if catalog.load(encoding).target == target.name and (target.name != "cnf" or encoding in ("triad", "minimal"))
]


@pytest.mark.process
@pytest.mark.parametrize(("name", "encoding"), CASES)
def test_it_is_read_back_and_solved(name: str, encoding: str, tmp_path: Path) -> None:
    program = PROGRAMS[name]
    for puzzle, solution in BOARDS.values():
        answer = solved(program, puzzle, encoding, tmp_path)
        assert not re.search(program.none, answer, re.MULTILINE)
        assert grid_of(answer, program, {81: 9, 36: 6}[len(solution)]) == solution
    assert re.search(program.none, solved(program, IMPOSSIBLE, encoding, tmp_path), re.MULTILINE)


def test_every_format_but_cp_sats_own_has_a_reader_that_is_not_ours() -> None:
    formats = {form for target in targets.all_targets().values() for form in target.formats}
    assert {program.form for program in PROGRAMS.values()} == formats - {"cp-sat-proto"}


@pytest.mark.slow
def test_without_names_variables_are_numbered() -> None:
    for form in ("lp", "mps"):
        done = run("compile", UNIQUE, "--to", form, "--no-names")
        assert done.returncode == 0
        assert b"x729" in done.stdout
        assert b"r9c9" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--to", "smt"), "called 'smt'; did you mean smtlib?"),
        (("--to", "lp", "-e", "triad"), "lp with 'triad', which is for cnf; expected dimacs"),
        (("--to", "dimacs", "-e", "assignment"), "which is for linear; expected lp or mps or opb"),
    ],
)
def test_a_format_that_is_none_or_does_not_fit(arguments: tuple[str, ...], problem: str) -> None:
    done = run("compile", UNIQUE, *arguments)
    assert done.returncode == 2
    assert problem in done.stderr.decode()
