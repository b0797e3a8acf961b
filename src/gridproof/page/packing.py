"""The archives of a page: our package with what it needs, and Python's own modules, both as byte code."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from gridproof.errors import InputError
from gridproof.text import quote

UNUSED_PARTS = (
    "cli/",
    "bulk/",
    "lanes/",
    "experiments/",
    "papers/",
    "trees/",
    "page/static/",
    "widget/jupyter.py",
    "widget/analyst.py",
    "widget/front/",
    "widget/board.css",
)
"""Parts of our package that no page uses: NumPy, child processes and a command line are not there."""

_UNUSED_EXAMPLES = ("bbscan", "bica", "fm", "genhard", "lsu", "models", "musx", "optux", "primer", "usage")

UNUSED_OF_PYSAT = ("pysat/allies/", "pysat/integer.py", *(f"pysat/examples/{name}.py" for name in _UNUSED_EXAMPLES))
"""Parts of python-sat that we do not use; of its examples, explanations need those about hitting sets."""

UNUSED_MODULES = frozenset(
    [
        *("_pyrepl", "bdb", "cProfile", "cmd", "code", "doctest", "pdb", "profile", "pstats", "pydoc", "pydoc_data"),
        *("trace", "tracemalloc", "unittest", "ensurepip", "idlelib", "lib2to3", "modulefinder", "venv", "zipapp"),
        *("ftplib", "http", "imaplib", "mailbox", "poplib", "smtplib", "socketserver", "wsgiref", "xmlrpc"),
        *("configparser", "curses", "optparse", "plistlib", "sqlite3", "tkinter", "turtle", "wave", "webbrowser"),
        *("_pyio", "_pydatetime", "_pydecimal", "pickletools", "tarfile", "xml"),
        *("argparse", "dbm", "mimetypes", "shelve", "statistics", "timeit", "uuid"),
    ]
)
"""Modules of Python that no page uses: debuggers, tests, installers, servers, formats of other programs."""

USED_PARTS = {
    "encodings": (
        *("__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "raw_unicode_escape", "unicode_escape"),
        *("utf_16", "utf_16_be", "utf_16_le", "utf_8", "utf_8_sig"),
    ),
    "multiprocessing": ("__init__", "context", "process", "reduction"),
}
"""The modules of some packages that stay: no tables of old character sets, and no child processes."""


def write_library(path: Path, package: Path, wheels: Iterable[Path]) -> None:
    """Write the archive with our package and the packages that it needs."""
    write_archive(path, list_members(package, wheels))


def write_standard_library(path: Path, source: Path) -> None:
    """Write the archive with Python's own modules, without those that no page uses."""
    with zipfile.ZipFile(source) as archive:
        write_archive(path, [(name, archive.read(name)) for name in archive.namelist() if is_used(name)])


def is_used(name: str) -> bool:
    """Return whether a page may use a file of Python's own modules."""
    top, _, rest = name.partition("/")
    if top in USED_PARTS:
        return rest.removesuffix(".py") in USED_PARTS[top]
    return top.removesuffix(".py") not in UNUSED_MODULES and not name.endswith("/")


def list_members(package: Path, wheels: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield each file of the library with its name."""
    for source in sorted(package.rglob("*")):
        name = source.relative_to(package).as_posix()
        if source.is_file() and "__pycache__" not in name and not name.startswith(UNUSED_PARTS):
            yield f"gridproof/{name}", source.read_bytes()
    encodings = package / "encodings"
    if not encodings.is_dir():  # in the repository they stand beside the package
        for source in sorted((package.parents[1] / "encodings").glob("*.toml")):
            yield f"gridproof/encodings/{source.name}", source.read_bytes()
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                # what is in `.data` are commands
                if not name.endswith("/") and ".data/" not in name and not name.startswith(UNUSED_OF_PYSAT):
                    yield name, archive.read(name)


def write_archive(path: Path, members: Iterable[tuple[str, bytes]]) -> None:
    """Write files into an archive."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in members:
            member = zipfile.ZipInfo(name)  # with the same date each time: equal sources make equal pages
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, data)


def compile_archives(paths: Iterable[Path], pyodide: Path) -> bool:
    """Have Pyodide put byte code in the place of the sources in archives. Return whether Node was there to do it.

    Raises
    ------
    InputError
        If Node is there, but Pyodide does not run in it.
    """
    node = shutil.which("node")
    if node is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        command = [node, str(Path(__file__).with_name("compile.mjs")), str(pyodide.resolve())]
        compiled: dict[Path, Path] = {}
        for path in paths:
            compiled[path] = Path(folder, path.name)
            command += [str(path), str(compiled[path])]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            reasons = [line for line in done.stderr.splitlines() if "Error" in line] or ["no reason given"]
            raise InputError(f"Pyodide does not run in {node}: {quote(reasons[0])}")
        for path, made in compiled.items():
            shutil.copyfile(made, path)
    return True
