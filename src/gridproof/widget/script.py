"""The script and the style of the page, which every host shows.

The script is written as modules, in the folder ``front``, with imports at their tops. Hosts take a single module
(anywidget has one ``_esm``), so the modules are joined here: in the order in which they import each other, without
their lines of ``import``, and with ``export`` left to the last one, ``board.js``, which exports ``render``. Names at
the top of a module are therefore unique among all of them.
"""

from __future__ import annotations

import re
from pathlib import Path

from gridproof.pictures.colours import page_style

_FOLDER = Path(__file__).with_name("front")
_LAST = "board.js"
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=async |function |const |class )", re.MULTILINE)


def read_script() -> str:
    """Return the script as one module that exports ``render`` by default.

    Examples
    --------
    >>> script = read_script()
    >>> "export default { render };" in script, "import {" in script
    (True, False)
    """
    joined: dict[str, str] = {}
    join_module(_LAST, joined)
    return "\n".join(joined.values())


def join_module(name: str, joined: dict[str, str]) -> None:
    """Add a module to those that are joined, after all that it imports."""
    if name in joined:
        return
    text = (_FOLDER / name).read_text(encoding="utf-8")
    for imported in _IMPORT.findall(text):
        join_module(imported, joined)
    joined[name] = _EXPORT.sub("", _IMPORT.sub("", text))


def read_style() -> str:
    """Return the style of the page, with that of its drawings, which have none of their own."""
    return Path(__file__).with_name("board.css").read_text(encoding="utf-8") + page_style() + "\n"
