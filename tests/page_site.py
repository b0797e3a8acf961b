"""The page, built once for all tests of a process that open it, or run its Python in Node."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from gridproof.errors import InputError
from gridproof.page.building import build_page

ROOT = Path(__file__).parents[1]
CACHE = ROOT / "build" / "pyodide"
"""The folder that `make page` uses, too: Pyodide is taken by npm once."""


@pytest.fixture(scope="session")
def pyodide_package() -> Path:
    """The unpacked package of Pyodide; without it, and without a way to get it, the test is skipped."""
    package = CACHE / "package"
    if package.is_dir():
        return package
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed, so there is no Pyodide: `make page` says how to get it")
    CACHE.mkdir(parents=True, exist_ok=True)
    got = subprocess.run(["npm", "pack", "--silent", "pyodide"], cwd=CACHE, capture_output=True, text=True, check=False)
    if got.returncode:
        pytest.skip(f"npm cannot get Pyodide: {got.stderr.strip()[-200:]}")
    shutil.unpack_archive(CACHE / got.stdout.strip().splitlines()[-1], CACHE)
    return package


@pytest.fixture(scope="session")
def built_page(pyodide_package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a page made of the present sources."""
    folder = tmp_path_factory.mktemp("page")
    try:
        build_page(folder, pyodide_package)
    except InputError as problem:
        pytest.skip(f"the page cannot be built: {problem}")
    return folder


class Handler(SimpleHTTPRequestHandler):
    """A plain server of files, which has the media types that older Pythons do not have."""

    extensions_map = {  # noqa: RUF012 (as the class above has it)
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@pytest.fixture(scope="session")
def address(built_page: Path) -> Iterator[str]:
    """The address of a server that serves the page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(built_page))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
