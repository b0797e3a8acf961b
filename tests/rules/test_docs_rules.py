"""docs/rules.md holds the kinds' own descriptions; ``python docs/make_rules.py`` makes it anew."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

from gridproof import rules
from gridproof.rules import all_kinds

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_fits_the_kinds() -> None:
    made = runpy.run_path(str(DOCS / "make_rules.py"))["page"]()
    assert (DOCS / "rules.md").read_text(encoding="utf-8") == made, "stale: run python docs/make_rules.py"
    assert re.findall(r"^## (.*)$", made, flags=re.MULTILINE) == [
        "Choices",
        "Kinds of your own",
        "All kinds",
        *all_kinds(),
    ]


def test_editors_see_a_function_for_each_kind() -> None:
    made = runpy.run_path(str(DOCS / "make_rules.py"))
    assert made["STUB"].read_text(encoding="utf-8") == made["stub"](), "stale: run python docs/make_rules.py"
    for kind in all_kinds().values():
        name = kind.kind.replace("-", "_")
        assert f"def {name}(\n    *in_order: Any,\n" in made["stub"]()
        assert callable(getattr(rules, name))


def test_each_kind_has_a_picture() -> None:
    pictures = {path.stem: path for path in (DOCS / "rules").glob("*.svg")}
    assert pictures.keys() == all_kinds().keys()
    for path in pictures.values():
        assert path.stat().st_size < 20_000
        ElementTree.parse(path)
