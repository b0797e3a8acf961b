"""The wheel and the sdist hold what the package needs, found the same way as in a checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from gridproof import catalog, datasets

ROOT = Path(__file__).resolve().parents[1]

pytest.importorskip("build")
pytest.importorskip("hatchling")


def run(*command: str, cwd: Path, **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=cwd, env={**environment, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist of the checkout, and the wheel that is built from that sdist."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT), cwd=out)
    return out


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (path,) = built.glob("*.whl")
    return path


def test_wheel_has_encodings_sets_and_types(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in catalog.names():
        assert f"gridproof/encodings/{name}.toml" in names
    for name in datasets.names():
        assert f"gridproof/data/{name}.txt" in names
    assert "gridproof/py.typed" in names
    # a package called encodings would shadow the standard library's and kill the interpreter
    assert not [name for name in names if name.startswith("encodings/")]
    assert "gridproof/encodings/__init__.py" not in names


def test_there_is_no_package_called_encodings() -> None:
    assert not (ROOT / "encodings" / "__init__.py").exists()


def test_sdist_can_be_built_from_and_tested(built: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "encodings/extended.toml", "tests/test_packaging.py"} <= names


def test_installed_wheel_finds_what_the_checkout_finds(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(target)  # what installing a pure wheel comes to
    code = (
        "import gridproof, pathlib; from gridproof import catalog, datasets;"
        "print(pathlib.Path(gridproof.__file__).parent); print(*catalog.names()); print(*datasets.names());"
        "print(catalog.folder())"
    )
    found = run(sys.executable, "-c", code, cwd=tmp_path, PYTHONPATH=str(target)).splitlines()
    assert found[0] == str(target / "gridproof")
    assert found[1].split() == catalog.names()
    assert found[2].split() == datasets.names()
    assert found[3] == str(target / "gridproof" / "encodings")


def test_installed_wheel_works_from_the_command_line(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(target)
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    command = [sys.executable, "-m", "gridproof", "verify", "-q", "-e", "minimal", puzzle]
    assert run(*command, cwd=tmp_path, PYTHONPATH=str(target)).startswith("unique\t5346789")


def test_a_broken_installation_is_told(wheel: Path, tmp_path: Path) -> None:
    target = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target, [name for name in archive.namelist() if "/encodings/" not in name])
    code = "from gridproof import catalog\ntry: catalog.folder()\nexcept Exception as e: print(type(e).__name__, e)"
    said = run(sys.executable, "-c", code, cwd=tmp_path, PYTHONPATH=str(target))
    assert said.startswith("EncodingError no encodings in")
