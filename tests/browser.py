"""JupyterLab with one notebook, in a real browser: what the tests of the widget stand on."""

from __future__ import annotations

import importlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

nbformat: Any = importlib.import_module("nbformat")

SOURCE = Path(__file__).parents[1] / "src"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
]


def notebook(path: Path, *cells: str) -> None:
    """Write a notebook of these cells."""
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(made, path)


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


def run_all(page: Any, address: str, name: str) -> None:
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
