"""Tables of TOML files are taken apart key by key, and what lies in a folder is found by walking."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gridproof.discovery import collect, import_tree, module_names
from gridproof.errors import EncodingError, InputError
from gridproof.toml_tables import LARGEST_FILE, TomlTable, parse_toml, read_toml

VALUES = {"words": " even cells ", "each": True, "none": "", "inner": {"key": 1}, "secret": "hunter2"}


def table(*, quote: bool = True) -> TomlTable:
    return TomlTable("mine.toml", VALUES, keys=tuple(VALUES), error=EncodingError, quote=quote)


def test_values_of_the_right_kind_are_returned() -> None:
    assert table().text("words") == "even cells"
    assert table().choice("each", (True, False)) is True
    assert table().choice("missing", ("a", "b"), "b") == "b"
    assert table().table("inner", ("key",)).values == {"key": 1}
    assert table().table("missing").values == {}
    assert "words" in table()
    assert "missing" not in table()


def test_a_wrong_value_is_an_error_that_names_file_and_key() -> None:
    with pytest.raises(EncodingError, match=r"^mine\.toml: none = ''; expected a text$"):
        table().text("none")
    with pytest.raises(EncodingError, match=r"^mine\.toml: missing is missing; expected a line$"):
        table().text("missing", "a line")
    with pytest.raises(EncodingError, match=r"^mine\.toml: each = True; expected one of 0, 1$"):
        table().choice("each", (0, 1))
    with pytest.raises(EncodingError, match=r"^mine\.toml: inner\.key = 1; expected a table with the keys 'deep'$"):
        table().table("inner").table("key", ("deep",))
    with pytest.raises(EncodingError, match=r"unknown key inner\.key; did you mean keys\? Expected one of"):
        table().table("inner", ("keys",))


def test_a_file_that_may_not_be_ours_is_not_quoted() -> None:
    with pytest.raises(EncodingError) as refused:
        table(quote=False).choice("secret", ("public",))
    assert str(refused.value) == "mine.toml: secret has another value; expected one of 'public'"
    with pytest.raises(InputError) as unknown:
        TomlTable("mine.toml", {"token": "hunter2"}, keys=("words",), quote=False)
    assert str(unknown.value) == "mine.toml: unknown key in the file; expected one of words"


def test_a_file_is_read_up_to_a_size(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbfnumber = 1")
    assert read_toml(path) == {"number": 1}
    path.write_text("# " + "x" * (LARGEST_FILE - 2))
    assert read_toml(path) == {}
    path.write_text("# " + "x" * (LARGEST_FILE - 1))
    with pytest.raises(InputError, match="not a readable TOML file: expected at most 65,536 bytes"):
        read_toml(path)


@pytest.mark.parametrize("text", ["number = ", "number = " + "1" * 5000, "list = " + "[" * 20_000])
def test_what_is_no_toml_is_an_error(text: str) -> None:
    with pytest.raises(InputError, match=r"^mine\.toml: not a readable TOML file: "):
        parse_toml(text, "mine.toml")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package of three modules and a package; one module begins with an underscore."""
    folder = tmp_path / "found_by_walking"
    inner = folder / "a_package"
    inner.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (inner / "__init__.py").write_text("THINGS = ['package']")
    (inner / "deep.py").write_text("THINGS = ['deep']")
    for name in ("second", "first", "_part"):
        (folder / f"{name}.py").write_text(f"THINGS = ['{name}']")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "modules", sys.modules.copy())
    return folder.name


def test_modules_are_found_in_alphabetical_order_without_parts(package: str) -> None:
    assert module_names(package) == ["a_package", "first", "second"]
    assert collect(package, "THINGS") == ["package", "first", "second"]


def test_a_tree_is_imported_as_far_as_it_is_wanted_with_packages_last(package: str) -> None:
    tree = import_tree(package)
    assert next(tree).__name__ == f"{package}.first"
    assert f"{package}.second" not in sys.modules
    assert [module.THINGS for module in tree] == [["second"], ["package"], ["deep"]]
