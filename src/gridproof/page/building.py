"""Build the page: a folder of files that any web server can serve.

It holds the files of ``page/static/``, the board of ``widget/``, the interpreter of Pyodide, and an archive with our
package and what it needs. Nothing is taken from the network here, except that pip takes the packages which are not in
the folder of Pyodide already.
"""

from __future__ import annotations

import hashlib
import importlib.resources
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from gridproof.errors import InputError
from gridproof.page.packing import compile_archives, write_library, write_standard_library
from gridproof.widget.script import read_script, read_style

INTERPRETER = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
"""The files of Pyodide that a page has as they are."""

STANDARD_LIBRARY = "python_stdlib.zip"
"""The file with Python's own modules."""

LOCK = "pyodide-lock.json"
"""The file in which Pyodide lists its version, and packages."""

COMPILED_PACKAGE = "python-sat"
"""The package whose wheel is one for Pyodide; the others are plain Python."""

PLAIN_PACKAGES = ("six", "lazy_loader")
"""Packages of plain Python that python-sat and we need."""

LIST = "files.json"
"""The list of the files of a page, with its version."""

KEEPER = "offline.js"
"""The file that keeps the others in the browser; it has the version, so that a browser sees that there is another."""

WHEELS = "wheels"
"""The folder, inside that of Pyodide, with the wheels of these packages."""


class Interpreter(NamedTuple):
    """The Python that Pyodide is, as pip writes it."""

    version: str
    platform: str

    @property
    def tag(self) -> str:
        """The tag of its wheels."""
        return "cp" + self.version.replace(".", "")


class Page(NamedTuple):
    """A page that was built: its files, and whether Node was there to compile its modules."""

    files: list[Path]
    compiled: bool

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum([file.stat().st_size for file in self.files])


def build_page(folder: Path, pyodide: Path) -> Page:
    """Write the page into a folder.

    Parameters
    ----------
    folder
        The folder to write; files of an earlier page are replaced.
    pyodide
        The npm package ``pyodide``, unpacked. Its folder ``wheels`` has the packages, or gets them by pip.

    Raises
    ------
    InputError
        If Pyodide is not there, or pip cannot get a package.
    """
    interpreter = find_interpreter(pyodide)
    wheels = find_wheels(pyodide / WHEELS, interpreter)
    python = folder / "python"
    python.mkdir(parents=True, exist_ok=True)
    for name in INTERPRETER:
        shutil.copyfile(pyodide / name, python / name)
    write_lock(pyodide / LOCK, python / LOCK)
    package = Path(str(importlib.resources.files("gridproof")))
    for source in sorted((package / "page" / "static").iterdir()):
        shutil.copyfile(source, folder / source.name)
    (folder / "board.js").write_text(read_script(), encoding="utf-8")
    (folder / "board.css").write_text(read_style(), encoding="utf-8")
    archives = [folder / "library.zip", python / STANDARD_LIBRARY]
    write_library(archives[0], package, wheels)
    write_standard_library(archives[1], pyodide / STANDARD_LIBRARY)
    compiled = compile_archives(archives, pyodide)
    (folder / LIST).unlink(missing_ok=True)
    files = sorted([path for path in folder.rglob("*") if path.is_file()])
    write_list(folder, files)
    return Page(files, compiled)


def find_interpreter(pyodide: Path) -> Interpreter:
    """Return the Python of a folder with Pyodide. Raises ``InputError`` if it has none."""
    missing = [name for name in (*INTERPRETER, STANDARD_LIBRARY, LOCK) if not (pyodide / name).is_file()]
    if missing:
        raise InputError(
            f"{pyodide} has no {' and no '.join(missing)}; expected the folder of Pyodide's package: "
            "`npm pack pyodide && tar xzf pyodide-*.tgz` makes the folder `package`"
        )
    info = json.loads((pyodide / LOCK).read_text(encoding="utf-8"))["info"]
    version = ".".join(info["python"].split(".")[:2])
    return Interpreter(version, f"pyemscripten_{info['abi_version']}_{info['arch']}")


def find_wheels(folder: Path, interpreter: Interpreter) -> list[Path]:
    """Return the wheels that a page needs, which pip gets if they are not in the folder."""
    folder.mkdir(exist_ok=True)
    wheels = []
    for package in (COMPILED_PACKAGE, *PLAIN_PACKAGES):
        found = list_wheels(folder, package, interpreter)
        if not found:
            get_wheel(folder, package, interpreter)
            found = list_wheels(folder, package, interpreter)
        if not found:
            raise InputError(f"pip brought no wheel of {package} into {folder}")
        wheels.append(found[-1])
    return wheels


def list_wheels(folder: Path, package: str, interpreter: Interpreter) -> list[Path]:
    """Return the wheels of a package in a folder that this interpreter takes, the newest last."""
    name = package.replace("-", "_")
    ending = f"-{interpreter.tag}-{interpreter.tag}-{interpreter.platform}.whl"
    if package != COMPILED_PACKAGE:
        ending = "-none-any.whl"
    return sorted(folder.glob(f"{name}-*{ending}"), key=lambda path: path.stat().st_mtime)


def get_wheel(folder: Path, package: str, interpreter: Interpreter) -> None:
    """Have pip download the wheel of a package for this interpreter. Raises ``InputError`` if it cannot."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        package,
        "--no-deps",
        "--only-binary",
        ":all:",
        "-d",
        str(folder),
    ]
    command += ["--python-version", interpreter.version, "--implementation", "cp", "--abi", interpreter.tag]
    command += ["--platform", interpreter.platform, "--platform", "any", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise InputError(f"pip cannot get {package} for {interpreter.platform}: {reason[0]}")


def write_lock(source: Path, target: Path) -> None:
    """Write Pyodide's list of packages without any: the page gets none from elsewhere."""
    lock = json.loads(source.read_text(encoding="utf-8"))
    lock["packages"] = {}
    target.write_text(json.dumps(lock), encoding="utf-8")


def write_list(folder: Path, files: list[Path]) -> None:
    """Write the list of the files of a page, with a version that changes whenever one of them does."""
    digest = hashlib.sha256()
    names: list[str] = []
    for file in files:
        names.append(file.relative_to(folder).as_posix())
        digest.update(names[-1].encode() + hashlib.sha256(file.read_bytes()).digest())
    version = digest.hexdigest()[:16]
    listed: dict[str, Any] = {"version": version, "files": names}
    (folder / LIST).write_text(json.dumps(listed, indent=1), encoding="utf-8")
    keeper = (folder / KEEPER).read_text(encoding="utf-8")
    (folder / KEEPER).write_text(keeper.replace('VERSION = ""', f'VERSION = "{version}"'), encoding="utf-8")
