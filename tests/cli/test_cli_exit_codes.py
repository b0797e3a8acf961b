"""Exit codes: each command ends as its help describes, and in no other way."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeAlias

import pytest

from cli_runner import COMMANDS, COMMON_EXIT_CODES, EXIT_CODES, codes_of
from core_samples import HARD, UNIQUE, UNIQUE_SOLUTION
from gridproof import backends
from gridproof.backends.protocol import Backend
from gridproof.backends.solvers.pysat import PySat
from gridproof.cli import main
from liars import Liar
from small_pyodide import write_small_pyodide

SMALL = "1234341221434321".replace("4", ".")
NONE, MULTIPLE, DAMAGED = "11..............", "1...............", "53x"
UNDECIDED = f"-q --seconds 1e-9 {HARD}"

MALFORMED = "verify solve count certify explain candidates canonical minimise compile convert show tree"
"""Commands that read puzzles."""

Trick: TypeAlias = Callable[[pytest.MonkeyPatch], None]


def lying(patch: pytest.MonkeyPatch) -> None:
    """Every backend gives no solution."""

    def find(name: str) -> Backend:
        return Liar("none-at-all")

    patch.setattr(backends, "find", find)


def unproved(patch: pytest.MonkeyPatch) -> None:
    """The solver that is to prove that there is no other solution finds one."""
    patch.setattr(PySat, "refute_with_hints", lambda *_: None)


SCENARIOS: list[tuple[str, int, str, Trick | None]] = [
    ("verify", 0, f"-q {UNIQUE}", None),
    ("verify", 0, "-q --engine session -j 0 {folder}/small.txt", None),
    ("verify", 1, f"-q {MULTIPLE}", None),
    ("verify", 1, f"-q {NONE}", None),
    ("verify", 1, UNDECIDED, None),
    ("verify", 1, "-q --engine session -j 0 {folder}/wrong.csv", None),
    ("verify", 3, f"-q {SMALL}", lying),
    ("solve", 0, f"-q {MULTIPLE}", None),
    ("solve", 1, f"-q {NONE}", None),
    ("solve", 1, UNDECIDED, None),
    ("solve", 3, f"-q {SMALL}", lying),
    ("count", 0, f"-q {NONE}", None),
    ("count", 0, f"-q --limit 2 {MULTIPLE}", None),
    ("count", 1, UNDECIDED, None),
    ("count", 3, f"-q {SMALL}", lying),
    ("generate", 0, "2 --order 4 --seed 1", None),
    ("generate", 1, "-q 2 --order 1 --latin", None),
    ("generate", 3, "-q", lying),
    ("instances", 0, "qwh --order 4 --holes 0.5", None),
    ("page", 0, "{folder}/page --force --pyodide {folder}/package", None),
    ("certify", 0, f"-q -o {{folder}}/none {NONE}", None),
    ("certify", 1, f"-o {{folder}}/undecided {UNDECIDED}", None),
    ("certify", 3, f"-q -o {{folder}}/unproved {HARD}", unproved),
    ("check", 0, "{folder}/good", None),
    ("check", 1, "{folder}/bad", None),
    ("check", 2, "{folder}/nothing-there", None),
    ("check", 2, "{folder}/good --with {folder}/no-program", None),
    ("compare", 0, "-q -b cadical153 --repeat 1 {folder}/small.txt", None),
    ("compare", 3, "-q --from {folder}/contradictory.csv", None),
    ("explain", 0, UNIQUE, None),
    ("explain", 1, NONE, None),
    ("explain", 1, MULTIPLE, None),
    ("candidates", 0, MULTIPLE, None),
    ("candidates", 1, NONE, None),
    ("steps", 0, UNIQUE, None),
    ("steps", 1, NONE, None),
    ("rate", 0, UNIQUE, None),
    ("rate", 1, NONE, None),
    ("minimise", 0, f"-q {UNIQUE}", None),
    ("minimise", 1, UNDECIDED, None),
    ("minimise", 2, MULTIPLE, None),
    ("count", 0, f"-q --estimate {MULTIPLE}", None),
    ("canonical", 0, f"-q {MULTIPLE}", None),
    ("canonical", 2, f"--diagonal --by-solution {MULTIPLE}", None),
    ("canonical", 1, f"--by-solution {UNDECIDED}", None),
    ("show", 0, f"--verify {MULTIPLE} {NONE} {SMALL}", None),
    ("show", 1, f"--verify {UNDECIDED.removeprefix('-q ')}", None),
    ("show", 2, f"-o {{folder}}/pages.html {SMALL} {DAMAGED}", None),
    ("show", 3, f"--verify {SMALL}", lying),
    ("compile", 0, SMALL, None),
    ("convert", 0, f"--to csv {SMALL}", None),
    ("convert", 2, f"--to sdk --latin {SMALL}", None),
    ("tree", 0, f"-o {{folder}}/tree.svg {SMALL}", None),
    ("images", 0, f"-n 3 {UNIQUE}", None),
    ("images", 1, f"-o {{folder}}/images.csv --force {MULTIPLE}", None),
    ("images", 2, "-n 3 12341234", None),
    ("audit", 0, "-q --grades 0 --jobs 0 {folder}/good.txt", None),
    ("audit", 1, "-q --grades 0 --jobs 0 {folder}/wrong.csv", None),
    ("score", 0, f"{UNIQUE} {UNIQUE_SOLUTION}", None),
    ("score", 1, f"{UNIQUE} {UNIQUE}", None),
    ("backends", 0, "", None),
    ("encodings", 0, "", None),
    ("rules", 0, "", None),
]
"""A call for each code of each command."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exit")
    (folder / "small.txt").write_text(f"{SMALL}\n")
    (folder / "good.txt").write_text(f"{UNIQUE}\n")
    (folder / "wrong.csv").write_text(f"puzzle,solution\n{SMALL},{'1234' * 4}\n")
    for name in ("good", "bad"):
        assert main(["certify", "-q", "-o", str(folder / name), SMALL]) == 0
    (folder / "bad" / "proof.lrat").write_bytes(b"")
    write_small_pyodide(folder / "package")
    runs = folder / "contradictory.csv"
    assert main(["compare", "-q", "-b", "cadical153", "--repeat", "1", "-o", str(runs), str(folder / "small.txt")]) == 0
    (run,) = csv.DictReader(runs.read_text().splitlines())
    with runs.open("a") as file:
        csv.DictWriter(file, run).writerow(run | {"backend": "liar", "verdict": "none", "solution": ""})
    return folder


def code_of(command: str, arguments: str, folder: Path) -> int:
    try:
        return main([command, *arguments.format(folder=folder).split()])
    except SystemExit as leave:
        return int(leave.code or 0)


@pytest.mark.parametrize(("command", "code", "arguments", "trick"), SCENARIOS)
def test_it_comes_about(
    command: str, code: int, arguments: str, trick: Trick | None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)  # where the reproducers go
    if trick is not None:
        trick(monkeypatch)
    assert code_of(command, arguments, folder) == code


def test_each_code_that_is_declared_comes_about() -> None:
    declared = {(name, code) for name, codes in EXIT_CODES.items() for code in codes}
    assert {(command, code) for command, code, _, _ in SCENARIOS} == declared


@pytest.mark.parametrize("command", COMMANDS)
def test_the_codes_of_all(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = next(arguments for name, _, arguments, _ in SCENARIOS if name == command)
    assert code_of(command, f"--no-such-option {arguments}", folder) == 2
    monkeypatch.setattr(COMMANDS[command], "run", partial(_raise, KeyboardInterrupt()))
    assert code_of(command, arguments, folder) == 130


def _raise(problem: BaseException, *_: object) -> None:
    raise problem


@pytest.mark.parametrize("command", MALFORMED.split())
def test_malformed_input(command: str, folder: Path) -> None:
    output = f"-o {folder}/malformed.svg" if command in ("certify", "compile", "tree") else ""
    output = "--to text" if command == "convert" else output
    assert code_of(command, f"{DAMAGED} {output}", folder) == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_lists_its_own(command: str, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert code_of(command, "--help", folder) == 0
    text = capsys.readouterr().out
    assert codes_of(text) == EXIT_CODES[command] | COMMON_EXIT_CODES
    assert (COMMANDS[command].__doc__ or "").partition("exit codes:\n")[2].partition("\n\n")[0] in text
