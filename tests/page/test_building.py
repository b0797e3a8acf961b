"""A page is built: what it holds, what it leaves out, and what is said where something is missing."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from gridproof.cli import main
from gridproof.errors import InputError
from gridproof.page import building, packing
from gridproof.page.building import build_page
from gridproof.page.compiling import compile_archive
from small_pyodide import write_small_pyodide, write_zip


@pytest.fixture
def pyodide(tmp_path: Path) -> Path:
    return write_small_pyodide(tmp_path / "package")


def names_in(path: Path) -> set[str]:
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def test_what_a_page_holds(pyodide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    page = build_page(tmp_path / "page", pyodide)
    assert not page.compiled
    names = {path.relative_to(tmp_path / "page").as_posix() for path in page.files}
    assert names >= {"index.html", "board.js", "page.js", "python/pyodide.asm.wasm", "library.zip"}
    library = names_in(tmp_path / "page" / "library.zip")
    assert library >= {"gridproof/page/boards.py", "gridproof/encodings/triad.toml", "six.py", "lazy_loader.py"}
    assert not [name for name in library if name.startswith(("gridproof/lanes", "gridproof/cli"))]
    assert names_in(tmp_path / "page" / "python" / "python_stdlib.zip") == {"os.py", "encodings/utf_8.py"}
    lock = json.loads((tmp_path / "page" / "python" / "pyodide-lock.json").read_text())
    assert lock["packages"] == {}, "nothing is loaded from elsewhere"


def test_the_same_sources_make_the_same_version(pyodide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    versions = []
    for _ in range(2):
        build_page(tmp_path / "page", pyodide)
        versions.append(json.loads((tmp_path / "page" / "files.json").read_text())["version"])
    (pyodide / "pyodide.asm.wasm").write_text("another one")
    build_page(tmp_path / "page", pyodide)
    newest = json.loads((tmp_path / "page" / "files.json").read_text())["version"]
    assert versions[0] == versions[1] != newest
    assert f'VERSION = "{newest}"' in (tmp_path / "page" / "offline.js").read_text()


def test_what_is_missing_is_named(pyodide: Path, tmp_path: Path) -> None:
    (pyodide / "pyodide.asm.wasm").unlink()
    with pytest.raises(InputError, match=r"has no pyodide.asm.wasm; expected .*`npm pack pyodide"):
        build_page(tmp_path / "page", pyodide)


def test_an_error_of_pip_is_passed_on(pyodide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    next((pyodide / "wheels").glob("six-*")).unlink()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(InputError, match="pip cannot get six for pyemscripten_2026_0_wasm32: "):
        build_page(tmp_path / "page", pyodide)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_an_interpreter_that_breaks_off_is_reported(pyodide: Path, tmp_path: Path) -> None:
    (pyodide / "pyodide.mjs").write_text("throw new Error('no memory for it')")
    with pytest.raises(InputError, match="no memory for it"):
        build_page(tmp_path / "page", pyodide)


def test_folders_of_others_are_not_written_to(
    pyodide: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "letters"
    folder.mkdir()
    (folder / "letter.txt").write_text("Dear")
    for more in ([], ["--force"]):
        assert main(["page", str(folder), "--pyodide", str(pyodide), *more]) == 2
        assert "has files in it; expected an empty folder" in capsys.readouterr().err
    assert list(folder.iterdir()) == [folder / "letter.txt"]


def test_modules_become_byte_code_and_only_ours_keep_their_docstrings(tmp_path: Path) -> None:
    source = tmp_path / "from.zip"
    with zipfile.ZipFile(source, "w") as archive:
        for name in ("gridproof/ours.py", "others.py"):
            archive.writestr(name, '"""Docstring."""\nanswer = 42\n')
        archive.writestr("gridproof/data.toml", "a = 1")
    compile_archive(source, tmp_path / "to.zip", "gridproof")
    with zipfile.ZipFile(tmp_path / "to.zip") as archive:
        assert set(archive.namelist()) == {"gridproof/ours.pyc", "others.pyc", "gridproof/data.toml"}
        archive.extractall(tmp_path / "to")
    values = {}
    for name in ("others", "gridproof/ours"):
        values[name] = load(tmp_path / "to" / f"{name}.pyc")
    assert values["gridproof/ours"] == ("Docstring.", 42)
    assert values["others"] == (None, 42)


def load(path: Path) -> tuple[str | None, int]:
    """Return the docstring of a compiled module, and the value that it holds."""
    from importlib.machinery import SourcelessFileLoader
    from importlib.util import module_from_spec, spec_from_loader

    spec = spec_from_loader(path.stem, SourcelessFileLoader(path.stem, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.__doc__, module.answer


def test_the_newest_wheel_that_fits_is_taken(pyodide: Path) -> None:
    interpreter = building.find_interpreter(pyodide)
    for other in ("cp314-cp314-pyemscripten_2025_0_wasm32", "cp313-cp313-pyemscripten_2026_0_wasm32"):
        write_zip(pyodide / "wheels" / f"python_sat-2.0-{other}.whl", "other.py")
    wheels = building.find_wheels(pyodide / "wheels", interpreter)
    assert [wheel.name.partition("-")[0] for wheel in wheels] == ["python_sat", "six", "lazy_loader"]
    assert "2026_0" in wheels[0].name
    assert interpreter.tag == "cp314"
    assert packing.is_used("json/decoder.py")
