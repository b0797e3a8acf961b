"""JupyterLab and a real browser, one of each for all tests of a process that need them."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parents[1] / "src"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MISSING = [name for name in ("playwright", "jupyterlab", "nbformat") if find_spec(name) is None]
needs_browser = pytest.mark.skipif(
    bool(MISSING) or CHROMIUM is None, reason=f"not installed: {', '.join(MISSING) or 'Chromium'}"
)
"""A mark for the tests of a module. Importing these packages takes seconds, so it is left to the fixtures."""
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]


def _notebook(path: Path, *cells: str) -> None:
    """Write a notebook of these cells."""
    nbformat: Any = import_module("nbformat")  # takes seconds: not where other tests are collected
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(made, path)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium; each page of it starts without what others have stored."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A folder for notebooks, and the address of the server that serves it."""
    folder = tmp_path_factory.mktemp("lab")
    with jupyterlab(folder) as address:
        yield folder, address


@contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """The address of a server whose notebooks are in ``folder``."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    here = {name: str(folder / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")}
    environment = os.environ | here | {"PYTHONPATH": os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", f"--port={port}", "--ServerApp.ip=127.0.0.1"]
    command += ["--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True", f"--ServerApp.root_dir={folder}"]
    command += ["--allow-root", "--ServerApp.disable_check_xsrf=True", "--LabApp.extension_manager=readonly"]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(f"{address}/api/status", timeout=2).close()
                break
            except (urllib.error.URLError, OSError):
                assert server.poll() is None, (folder / "server.log").read_text()
                assert time.monotonic() < until, "the server did not start"
                time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


@contextmanager
def opened(browser: Any, lab: tuple[Path, str], name: str, cells: Sequence[str], height: int) -> Iterator[Any]:
    """A page of so many pixels with a notebook of these cells, which are being run."""
    folder, address = lab
    _notebook(folder / name, *cells)
    page = browser.new_page(viewport={"width": 1200, "height": height})
    page.set_default_timeout(60_000)
    _run_all(page, address, name)
    yield page
    page.close()


def _run_all(page: Any, address: str, name: str) -> None:
    """Open a notebook and run its cells, once the kernel answers."""
    page.goto(f"{address}/lab/tree/{name}?reset", wait_until="domcontentloaded")
    page.wait_for_function("window.jupyterapp && window.jupyterapp.shell.currentWidget?.sessionContext", timeout=60_000)
    page.evaluate(
        """async () => {
            const app = window.jupyterapp;
            await app.restored;
            const context = app.shell.currentWidget.sessionContext;
            await context.ready;
            await context.session.kernel.info;
            await app.commands.execute('notebook:run-all-cells');
        }"""
    )
