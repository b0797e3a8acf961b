"""The built wheel and source distribution hold what the checkout has, and work from where they are installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from core_samples import UNIQUE, UNIQUE_SOLUTION
from gridproof import __version__
from gridproof.errors import EncodingError
from gridproof.models import catalog

pytestmark = pytest.mark.packaging

ROOT = Path(__file__).parents[2]

pytest.importorskip("build", reason="building needs the package build")
pytest.importorskip("hatchling", reason="building needs hatchling")


def _run(*command: str, cwd: Path, **env: str) -> str:
    done = subprocess.run(
        command,
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, **env},
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The source distribution of this checkout, and the wheel that is built from that."""
    folder = tmp_path_factory.mktemp("dist")
    # without -w or -s the wheel is built from what the source distribution holds, as whoever installs from it does
    _run(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT), cwd=folder)
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return {"sdist": sdist, "wheel": wheel}


@pytest.fixture(scope="module")
def installed(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the unpacked wheel, as ``pip install --target`` leaves it."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    _run(*pip, "--target", str(folder), str(built["wheel"]), cwd=folder)
    return folder


def _files(folder: str, *patterns: str) -> set[str]:
    return {
        path.relative_to(ROOT / folder).as_posix()
        for pattern in patterns
        for path in (ROOT / folder).rglob(pattern)
        if not {"__pycache__", ".ruff_cache", ".mypy_cache"} & set(path.parts)
    }


def test_the_wheel_holds_every_module_and_data_file_and_nothing_else(built: dict[str, Path]) -> None:
    assert built["wheel"].name == f"gridproof-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(built["wheel"]) as wheel:
        names = {name for name in wheel.namelist() if not name.endswith("/")}
    expected = {
        f"gridproof/{name}" for name in _files("src/gridproof", "*") if (ROOT / "src/gridproof" / name).is_file()
    }
    expected |= {f"gridproof/encodings/{name}" for name in _files("encodings", "*.toml")}
    inside = {name for name in names if not name.startswith(f"gridproof-{__version__}.dist-info/")}
    assert inside == expected


def test_the_source_distribution_holds_what_a_build_and_the_tests_need(built: dict[str, Path]) -> None:
    with tarfile.open(built["sdist"]) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert {f"src/gridproof/{name}" for name in _files("src/gridproof", "*.py")} <= names
    assert {f"encodings/{name}" for name in _files("encodings", "*.toml")} <= names
    assert {"pyproject.toml", "README.md", "Makefile"} <= names
    assert not [name for name in names if "__pycache__" in name or name.startswith((".venv", "dist/"))]


def test_the_folder_of_encodings_is_no_package() -> None:
    """A package called ``encodings`` would hide the standard library's, without which Python does not start."""
    assert not list((ROOT / "encodings").rglob("*.py"))
    assert {path.suffix for path in (ROOT / "encodings").iterdir()} == {".toml"}


def test_encodings_are_found_where_it_is_installed(installed: Path, tmp_path: Path) -> None:
    script = (
        "import gridproof, json; from gridproof.models import catalog;"
        "print(json.dumps([gridproof.__file__, str(catalog.folder()), catalog.names()]))"
    )
    file, folder, names = json.loads(_run(sys.executable, "-c", script, cwd=tmp_path, PYTHONPATH=str(installed)))
    assert Path(file).is_relative_to(installed)
    assert Path(folder) == installed / "gridproof" / "encodings"
    assert names == catalog.names()
    assert catalog.folder() == ROOT / "encodings", "and the checkout has its own"


def test_it_works_where_it_is_installed(installed: Path, tmp_path: Path) -> None:
    def gridproof(*arguments: str) -> str:
        return _run(sys.executable, "-m", "gridproof", *arguments, cwd=tmp_path, PYTHONPATH=str(installed))

    assert [line.split()[0] for line in gridproof("encodings").splitlines()] == [*catalog.names(), "*"]
    assert gridproof("verify", "-e", "minimal", UNIQUE) == f"unique\t{UNIQUE_SOLUTION}\n"
    assert gridproof("--version") == f"gridproof {__version__}\n"


def test_it_is_typed_and_has_a_command(built: dict[str, Path], installed: Path) -> None:
    (info,) = installed.glob("gridproof-*.dist-info")
    assert "gridproof = gridproof.__main__:main" in (info / "entry_points.txt").read_text()
    metadata = (info / "METADATA").read_text(encoding="utf-8")
    assert "Requires-Python: >=3.11" in metadata
    assert "Requires-Dist: python-sat" in metadata
    assert "Requires-Dist: ortools" in metadata
    assert "Typing :: Typed" not in metadata or (installed / "gridproof" / "py.typed").is_file()


def test_a_broken_installation_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without its encodings, neither beside it nor in a checkout, it must not find some other folder of that name."""
    module = tmp_path / "lib" / "site" / "gridproof" / "models" / "catalog.py"
    module.parent.mkdir(parents=True)
    (tmp_path / "lib" / "encodings").mkdir()
    monkeypatch.setattr(catalog, "__file__", str(module))
    monkeypatch.setattr("importlib.resources.files", lambda _: module.parent)
    with pytest.raises(EncodingError, match="no encodings"):
        catalog.folder()
    (tmp_path / "lib" / "pyproject.toml").touch()
    assert catalog.folder() == tmp_path / "lib" / "encodings"
    (module.parent / "encodings").mkdir()
    assert catalog.folder() == module.parent / "encodings"


def test_the_citation_has_the_version() -> None:
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    assert f"version: {__version__}" in lines
    assert "cff-version: 1.2.0" in lines
