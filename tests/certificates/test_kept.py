"""Certificates as earlier versions wrote them are accepted, and what is written today states the same.

Each folder of ``kept`` is a published format; its certificates are never made anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from gridproof import checker
from gridproof.checker.certificate import FORMAT

KEPT = sorted((Path(__file__).parent / "kept").glob("*/*"))


@pytest.mark.parametrize("folder", KEPT, ids=lambda folder: f"{folder.parent.name} {folder.name}")
def test_it_is_accepted(folder: Path) -> None:
    report = checker.check(folder)
    assert report.accepted, str(report)
    assert report.claim == folder.name.replace("-", " ")


def test_the_format_of_today_is_kept() -> None:
    today = FORMAT.replace("gridproof-certificate/", "format-")
    claims = {folder.name for folder in KEPT if folder.parent.name == today}
    assert claims == {"unique", "none", "multiple", "count", "at-least"}
