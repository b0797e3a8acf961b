"""Everything the README (and the documents beside it) shows is run, and gives what is shown.

A block marked ``console`` is a session: lines that begin with ``$ `` are commands for a shell, the lines below them
what they write to standard output; ``...`` stands for anything. A block marked ``python`` is run as a whole; if it has
``>>>`` prompts, as a doctest; if it has ``__main__``, as a script that writes what its comments at the beginning of a
line contain. A block marked ``toml`` is an encoding. Other blocks are not run.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gridproof

pytestmark = pytest.mark.process

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def _blocks(path: Path) -> list[tuple[str, str]]:
    """The kind and the text of each block of code of a document."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", path.read_text(), re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the examples, where the commands of a document run. They may leave files for each other there."""
    folder = tmp_path / "readme"
    folder.mkdir()
    for name in ("examples", "benchmarks", "encodings"):
        (folder / name).symlink_to(ROOT / name)
    return folder


def _environment(folder: Path) -> dict[str, str]:
    """The commands as a user has them: ``gridproof`` and ``python`` are those of this test."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    for name, call in (("gridproof", f'"{sys.executable}" -m gridproof'), ("python", f'"{sys.executable}"')):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec {call} "$@"\n')
        program.chmod(0o755)
    paths = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "COLUMNS": "120",
    }


def test_the_readme_shows_something() -> None:
    assert sum(kind == "console" for kind, _ in _blocks(DOCUMENTS[0])) >= 5


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_what_a_document_shows(path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    checks = {"console": _check_console, "python": _check_python, "toml": _check_toml}
    for kind, text in _blocks(path):
        if kind in checks:
            checks[kind](text, folder)


def _check_console(text: str, folder: Path) -> None:
    steps = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    assert steps
    for step in steps:
        # a command may go on over lines that end in a backslash
        command = re.match(r"(?:.*\\\n)*.*\n", step)
        assert command is not None
        run = subprocess.run(
            command.group(), shell=True, cwd=folder, env=_environment(folder), capture_output=True, text=True
        )
        expected = step[command.end() :]
        matches = doctest.OutputChecker().check_output(expected, run.stdout, doctest.ELLIPSIS)
        assert matches, f"$ {command.group()}shown:\n{expected}\ngot:\n{run.stdout}\n{run.stderr}"
        assert "Traceback" not in run.stderr
        if command.group().startswith("gridproof compare ") and "-paper" not in command.group():
            _look_at_figures(run.stdout, expected)


def _look_at_figures(printed: str, shown: str) -> None:
    """Figures differ from run to run, so the document leaves them out; each row has all of them all the same."""
    lines = printed.splitlines()
    rule = next(number for number, line in enumerate(lines) if line.startswith("---"))
    columns = [column.span() for column in re.finditer("-+", lines[rule])]
    table = [*lines[rule - 2 : rule], *lines[rule + 1 :]]
    header, units, *rows = ([line[a:b].strip() for a, b in columns] for line in table if line)
    rows = [row for row in rows if row[0] in shown and re.fullmatch(r"\d+/\d+", row[1])]
    assert header[:5] == ["setup", "solved", "PAR-2", "median", "95th"]
    assert all(unit in ("us", "ms", "s") for unit in units[2:5])
    assert sorted(row[0] for row in rows) == sorted(re.findall(r"^(\S+) .*\d+/\d+\.\.\.$", shown, re.MULTILINE))
    for row in rows:
        assert all(re.fullmatch(r">?[\d.,]+", figure) for figure in row[2:5]), row
        assert all(row), row
    assert "1.00" in [row[5] for row in rows], "the best is as good as the best"


def _check_python(text: str, folder: Path) -> None:
    if "__main__" in text:
        Path("shown.py").write_text(text)
        run = subprocess.run(
            [sys.executable, "shown.py"], env=_environment(folder), capture_output=True, text=True, check=False
        )
        shown = "".join(f"{line[2:]}\n" for line in text.splitlines() if line.startswith("# "))
        assert (run.stdout, run.stderr) == (shown, "")
        assert shown
        return
    if ">>>" not in text:
        exec(compile(text, "README.md", "exec"), {})
        return
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", None, None)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.failed == 0


def _check_toml(text: str, folder: Path) -> None:
    from gridproof.models.catalog import read_encoding

    path = folder / "shown.toml"
    path.write_text(text)
    if "[[table]]" in text:
        assert gridproof.papers.load(str(path)).tables[0].claims
        return
    encoding = read_encoding(path)
    assert encoding.target == "cnf"
    assert re.search(r"\d{4}", encoding.source), "the source of an encoding has a year"


def _setup() -> list[str]:
    """The lines of the first block of the README, each a command with a remark."""
    shown = re.search(r"^```sh\n(.*?)^```$", DOCUMENTS[0].read_text(), re.DOTALL | re.MULTILINE)
    assert shown is not None
    return [line.partition(" #")[0].strip() for line in shown.group(1).splitlines()]


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_the_demo_prints_the_file_of_each_line_and_what_to_try_next(folder: Path, tmp_path: Path) -> None:
    """Its commands run, in a shell that has activated the environment as the README has it."""
    environment = _environment(folder)
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "gridproof").symlink_to(folder / "bin" / "gridproof")
    (venv / "bin" / "activate").write_text(f'PATH="{venv}/bin:$PATH"\n')
    (venv / "bin" / "python").write_text(f'#!/bin/sh\n{{ echo "$@"; env; }} > "{tmp_path}/pip"\n')
    (venv / "bin" / "python").chmod(0o755)  # everything is installed already, so it only notes its arguments
    environment["PATH"] = environment["PATH"].partition(os.pathsep)[2]
    demo = subprocess.run(
        ["make", "--silent", "demo", f"VENV={venv}"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert demo.returncode == 0, demo.stdout
    pip = (tmp_path / "pip").read_text().splitlines()
    assert pip[0] == "-m pip install --quiet --editable ."
    assert {"PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_ROOT_USER_ACTION=ignore"} <= set(pip), "it warns of neither"
    shown, _, following = demo.stdout.partition("Try next:\n")
    for file in sorted((ROOT / "examples").glob("*.txt")):
        assert shown.count(f"==> examples/{file.name} <==\n") == 1
    assert shown.count("examples/malformed.txt, line 2, column 81: ") == 1
    assert shown.count("examples/malformed.txt, line 3, column 81: ") == 1
    activate, *commands = [line.strip() for line in following.splitlines()]
    assert activate == f"source {venv}/bin/activate"
    assert activate.replace(str(venv), ".venv") in _setup(), "the README has the same"
    assert re.search(r"^VENV := \.venv$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        run = subprocess.run(
            ["bash", "-c", f"{activate} && {command}"], cwd=folder, env=environment, capture_output=True, check=False
        )
        assert run.returncode in (0, 1), run.stderr
        assert run.stdout


def test_the_setup_commands_are_targets_of_the_makefile() -> None:
    targets = [line.split()[1] for line in _setup() if line.startswith("make ")]
    assert targets == ["demo", "test"]
    makefile = (ROOT / "Makefile").read_text()
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
