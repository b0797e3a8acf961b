"""Encodings as data: the closed vocabulary, and errors that name the file, the key and what is allowed."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from core_samples import FOUR
from gridproof.errors import EncodingError, InputError
from gridproof.models import catalog, targets
from gridproof.models.catalog import make_encoding, read_encoding
from gridproof.models.targets.cnf import compile_cnf

CNF: dict[str, Any] = {
    "summary": "one line",
    "source": "somebody 2026",
    "target": "cnf",
    "cell": {"at_least_one": True, "at_most_one": "pairwise"},
    "house": {"at_least_one": False, "at_most_one": "ladder"},
}
CP_SAT: dict[str, Any] = {
    "summary": "one line",
    "source": "somebody 2026",
    "target": "cp-sat",
    "cell": {"variables": "integers"},
    "house": {"constraint": "all-different"},
}


def changed(data: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The data with other values at dotted keys (``cell__at_most_one=...``); ``...`` takes a key out."""
    data = copy.deepcopy(data)
    for dotted, value in changes.items():
        *tables, key = dotted.split("__")
        place = data
        for table in tables:
            place = place.setdefault(table, {})
        if value is ...:
            del place[key]
        else:
            place[key] = value
    return data


def test_a_file_that_is_nested_too_deeply(tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text("cell = " + "[" * 100_000)
    with pytest.raises(EncodingError, match=r"deep\.toml: not a readable TOML file"):
        read_encoding(tmp_path / "deep.toml")


def test_equal_encodings_share_a_model_and_others_do_not() -> None:
    one, two = make_encoding(CNF, "mine"), make_encoding(copy.deepcopy(CNF), "mine")
    assert one == two
    assert hash(one) == hash(two)
    assert compile_cnf(FOUR, one) is compile_cnf(FOUR, two)
    other = make_encoding(changed(CNF, house__at_most_one="bitwise"), "mine")
    assert other != one
    assert compile_cnf(FOUR, other) is not compile_cnf(FOUR, one)


@pytest.mark.parametrize("target", targets.all_targets())
def test_every_word_of_the_vocabulary_can_be_used(target: str) -> None:
    """Each value of each key, with the first values of the others or such as make sense with it."""
    schema = targets.find(target).schema
    first = {table: {key: values[0] for key, values in keys.items()} for table, keys in schema.items()}
    base = {"cnf": CNF, "cp-sat": CP_SAT}.get(target, {"summary": "x", "source": "x", "target": target, **first})
    tried = 0
    for table, keys in schema.items():
        for key, values in keys.items():
            for value in values:
                data = changed(base, **{f"{table}__{key}": value})
                if target == "cp-sat":
                    data["cell"]["variables"] = value if table == "cell" else "linked"
                    constraints: dict[object, str] = {
                        "integers": "all-different",
                        "booleans": "exactly-one",
                        "linked": "both",
                    }
                    data["house"]["constraint"] = value if table == "house" else constraints[value]
                elif value is False:
                    # each half of the rules is enough for the other
                    flip = {"cell__at_least_one": table == "house", "house__at_least_one": table == "cell"}
                    data = changed(data, cell__at_most_one="pairwise", house__at_most_one="pairwise", **flip)
                    data[table][key] = False
                    if key == "at_most_one":
                        data[table]["at_least_one"] = True
                assert make_encoding(data, "mine").choice(table, key) == value
                tried += 1
    assert tried == sum(len(values) for keys in schema.values() for values in keys.values())


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"summary": ...}, "summary is missing; expected a line of text"),
        ({"source": 3}, "source = 3; expected the paper or program that it comes from, with its year"),
        ({"target": "dimacs"}, "target = 'dimacs'; expected one of 'asp', 'cnf', 'cp-sat'"),
        ({"cell": ...}, "cell.at_least_one is missing; expected one of false, true"),
        ({"cell": 3}, "cell = 3; expected a table with the keys 'at_least_one', 'at_most_one'"),
        ({"cell__at_least_one": 1}, "cell.at_least_one = 1; expected one of false, true"),
        ({"cell__at_most_one": True}, "cell.at_most_one = True; expected one of"),
        ({"house__at_most_one": ["pairwise"]}, "house.at_most_one = ['pairwise']"),
        ({"house__through": "walls"}, "house.through = 'walls'; expected one of 'cells', 'intersections'"),
        ({"house__variables": "integers"}, "unknown key house.variables"),
        ({"row": {}}, "unknown key row"),
        ({"cell__at_least_one": False}, "do not state the rules"),
        (
            {"cell__at_most_one": False, "house__at_most_one": False, "house__at_least_one": True},
            "do not state the rules",
        ),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(EncodingError) as error:
        make_encoding(changed(CNF, **changes), "mine", "some/mine.toml")
    assert str(error.value).startswith("some/mine.toml: ")
    assert problem in str(error.value)
    assert isinstance(error.value, InputError)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"cell__variables": "booleans"}, "expected cell.variables = 'integers' or 'linked'"),
        ({"house__constraint": "exactly-one"}, "expected cell.variables = 'booleans' or 'linked'"),
        ({"house__constraint": "both"}, "expected cell.variables = 'linked'"),
    ],
)
def test_cp_sat_viewpoints_must_have_their_variables(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(EncodingError, match=r"^encoding: ") as error:
        make_encoding(changed(CP_SAT, **changes), "mine")
    assert problem in str(error.value)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"summary = ", "not a readable TOML file"),
        (b"\xff\xfe", "not a readable TOML file"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    with pytest.raises(EncodingError, match=problem) as error:
        catalog.load(str(path))
    assert str(path) in str(error.value)
    with pytest.raises(EncodingError, match="not a readable TOML file"):
        catalog.load(str(tmp_path / "missing.toml"))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(EncodingError, match="not a readable TOML file"):
        catalog.load(str(tmp_path / "folder.toml"))


def test_names_are_the_stems_of_the_files() -> None:
    assert catalog.names() == sorted(path.stem for path in catalog.folder().glob("*.toml"))
    for name in catalog.names():
        assert catalog.load(name).name == name
        assert catalog.load(name) is catalog.load(name)


@pytest.mark.parametrize("name", ["", "Minimal", "../encodings/minimal", "minimal.tom"])
def test_an_unknown_name_is_an_error_with_those_that_are_known(name: str) -> None:
    with pytest.raises(EncodingError) as error:
        catalog.load(name)
    message = str(error.value)
    assert message.startswith(f"no encoding is called {name!r}; ")
    assert "xpected a path ending in .toml or one of " in message
    assert ("did you mean minimal? " in message) == (name.casefold().startswith("minimal"))
    assert all(known in message for known in catalog.names())


def test_a_file_of_the_users_own_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text((catalog.folder() / "minimal.toml").read_text(encoding="utf-8"), encoding="utf-8-sig")
    first = catalog.load(str(path))
    assert first.name == "mine"
    assert first.choices == catalog.load("minimal").choices
    path.write_text(path.read_text(encoding="utf-8-sig").replace('"pairwise"', '"ladder"'), encoding="utf-8")
    assert catalog.load(str(path)).choices != first.choices
