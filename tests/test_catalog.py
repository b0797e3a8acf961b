"""Finding encodings by name; where they lie is tested with the built package (test_packaging.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridproof.errors import EncodingError
from gridproof.models import catalog


def test_names_are_the_stems_of_the_files() -> None:
    assert catalog.folder().is_dir()
    assert catalog.names() == sorted(path.stem for path in catalog.folder().iterdir() if path.suffix == ".toml")
    assert {"minimal", "natural", "extended", "triad", "alldifferent", "exactly-one", "linked"} <= set(catalog.names())
    for name in catalog.names():
        assert catalog.load(name).name == name
        assert catalog.load(name) is catalog.load(name)


@pytest.mark.parametrize("name", ["", "Minimal", "minimal ", "../encodings/minimal", "nothing", "minimal.tom"])
def test_an_unknown_name_is_an_error_with_those_that_are_known(name: str) -> None:
    with pytest.raises(EncodingError) as error:
        catalog.load(name)
    said = str(error.value)
    assert said.startswith(f"no encoding is called {name!r}; ")
    assert "xpected a path ending in .toml or one of " in said
    assert ("did you mean minimal? " in said) == (name.casefold().startswith("minimal"))
    for known in catalog.names():
        assert known in str(error.value)


def test_a_path_is_never_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EncodingError, match=r"minimal\.toml: not a readable TOML file"):
        catalog.load("minimal.toml")
