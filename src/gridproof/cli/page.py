"""Write the page: the board in a browser tab, for people who install nothing.

DIR gets a folder of plain files that any web server can serve; `python -m http.server -d DIR` shows it. FOLDER is the
npm package `pyodide`, unpacked: `npm pack pyodide && tar xzf pyodide-*.tgz` makes it as `package`. pip takes the
packages that the page needs into FOLDER, unless they are there. With Node on the path the modules are compiled, and the
page starts in half the time.

exit codes:
    0    the page is written

examples:
    gridproof page site/page --pyodide package
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.errors import InputError
from gridproof.page.building import LIST, build_page


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the folder to write")
    _options.value(parser, "--pyodide", "FOLDER", "the unpacked npm package pyodide", required=True)
    _options.flag(parser, "--force", "overwrite the page if there is one")


def run(args: Options) -> int:
    folder = Path(args.folder)
    is_page = (folder / LIST).is_file()
    if folder.exists() and any(folder.iterdir()) and not (args.force and is_page):
        wanted = "an empty folder, or --force to replace a page" if is_page else "an empty folder, or a new one"
        raise InputError(f"{folder} has files in it; expected {wanted}")
    page = build_page(folder, Path(args.pyodide))
    if not page.compiled:
        print(
            "gridproof: there is no node, so the modules are not compiled, and the page starts slower", file=sys.stderr
        )
    print(f"{folder}: {len(page.files)} files, {page.size / 1e6:.1f} MB")
    return 0
