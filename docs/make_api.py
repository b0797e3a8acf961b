"""Makes the API pages in ``site/`` from the docstrings: ``python docs/make_api.py``, or ``make docs``."""

import pkgutil
import warnings
from importlib import import_module
from pathlib import Path

import pdoc
import pdoc.render

import gridproof

SITE = Path(__file__).resolve().parents[1] / "site"


def pages(folder: Path) -> list[Path]:
    """Write the pages into a folder: one for the public names, and one for each room."""
    names = ["gridproof"]
    names += [f"gridproof.{room.name}" for room in pkgutil.iter_modules(gridproof.__path__) if room.name[0] != "_"]
    for name in names:
        module = import_module(name)
        # Some names are imported at their first use, and pdoc sees only what is there.
        for public in getattr(module, "__all__", ()):
            setattr(module, public, getattr(module, public))
    # Types that are imported for checkers only stay as they are written.
    warnings.filterwarnings("ignore", "Error parsing type annotation")
    pdoc.render.configure(docformat="numpy")
    pdoc.pdoc(*names, output_directory=folder)
    return sorted(folder.rglob("*.html"))


if __name__ == "__main__":
    print(f"{len(pages(SITE))} pages in {SITE}")
