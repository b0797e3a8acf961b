"""A folder like that of Pyodide, as far as building a page looks at it: for tests that do not run the page."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from gridproof.page.building import INTERPRETER, LOCK, STANDARD_LIBRARY, WHEELS

UNCOMPILING = """
// an interpreter that gives archives back as they are
export async function loadPyodide() {
  const files = new Map();
  return {
    FS: { writeFile: (name, data) => files.set(name, data), readFile: () => files.get("from.zip") },
    runPython: () => {},
  };
}
"""


def write_small_pyodide(folder: Path) -> Path:
    """Write an interpreter that compiles nothing, with wheels that hold nothing; return the folder."""
    (folder / WHEELS).mkdir(parents=True)
    for name in INTERPRETER:
        (folder / name).write_text("")
    (folder / "pyodide.mjs").write_text(UNCOMPILING)
    info = {"info": {"abi_version": "2026_0", "arch": "wasm32", "python": "3.14.2"}, "packages": {"numpy": {}}}
    (folder / LOCK).write_text(json.dumps(info))
    for wheel in (
        "python_sat-1.9-cp314-cp314-pyemscripten_2026_0_wasm32.whl",
        "six-1.17.0-py2.py3-none-any.whl",
        "lazy_loader-0.6-py3-none-any.whl",
    ):
        write_zip(folder / WHEELS / wheel, f"{wheel.partition('-')[0]}.py")
    write_zip(folder / STANDARD_LIBRARY, "os.py", "pdb.py", "encodings/utf_8.py", "encodings/cp1253.py")
    return folder


def write_zip(path: Path, *names: str) -> None:
    """Write an archive of empty files."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "")
