"""Machine code is kept in folders that nobody else can write to, and loaded only while it is whole."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gridproof.lanes import kept_code
from lanes.lane_samples import HAS_NUMBA

MODULE = """
from gridproof.lanes.compiling import KeptFunction, compiled

@compiled
def total(numbers):
    result = 0
    for number in numbers:
        result += number
    return result

@KeptFunction
def is_even(numbers):
    return total(numbers) % 2 == 0
"""

pytestmark = pytest.mark.skipif(not HAS_NUMBA, reason="no numba")


@pytest.fixture(name="new_module")
def fixture_new_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
    """A function that imports a module with a kept function as a new process would."""
    base = tmp_path / "kept"
    base.mkdir()
    (tmp_path / "module_of_a_test.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(kept_code, "list_base_folders", lambda: [base])

    def import_module() -> Any:
        sys.modules.pop("module_of_a_test", None)
        return importlib.import_module("module_of_a_test")

    return import_module


def assert_right(module: Any) -> None:
    answers = [bool(module.is_even(np.array(numbers))) for numbers in ([1, 2], [1, 3])]
    assert answers == [False, True]


def hits_of(module: Any) -> int:
    """The number of times that machine code was loaded instead of compiled."""
    return sum(module.is_even._compiled.stats.cache_hits.values())


def code_of(module: Any) -> Path:
    [file] = module.is_even.folder.rglob("*.nbc")
    return Path(file)


def test_code_is_compiled_once(new_module: Callable[[], Any]) -> None:
    first = new_module()
    assert_right(first)
    assert hits_of(first) == 0
    second = new_module()
    assert_right(second)
    assert hits_of(second) == 1
    assert kept_code.is_sealed(second.is_even.folder)


@pytest.mark.parametrize("damage", ["empty", "cut off", "one bit"])
def test_damaged_code_is_not_loaded_but_compiled_anew(damage: str, new_module: Callable[[], Any]) -> None:
    first = new_module()
    assert_right(first)
    code = code_of(first)
    content = bytearray(code.read_bytes())
    if damage == "empty":
        content = bytearray()
    elif damage == "cut off":
        content = content[: len(content) // 2]
    else:
        content[len(content) // 2] ^= 4
    code.write_bytes(content)
    second = new_module()
    assert_right(second)
    assert hits_of(second) == 0
    third = new_module()
    assert_right(third)
    assert hits_of(third) == 1


def test_code_without_a_seal_is_not_loaded(new_module: Callable[[], Any]) -> None:
    """A process that ends while it writes leaves files, but no seal."""
    first = new_module()
    assert_right(first)
    (first.is_even.folder / "seal").unlink()
    second = new_module()
    assert_right(second)
    assert hits_of(second) == 0


def test_where_no_folder_is_safe_nothing_is_kept(
    new_module: Callable[[], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_code, "list_base_folders", lambda: [tmp_path / "module_of_a_test.py" / "no folder"])
    module = new_module()
    assert module.is_even.folder is None
    assert_right(module)


def test_other_sources_have_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = tmp_path / "__pycache__"
    source = tmp_path / "source.py"
    monkeypatch.setattr(kept_code, "list_base_folders", lambda: [base])
    folders = []
    for text in ("1", "2"):
        source.write_text(text)
        folders.append(kept_code.find_folder(str(source), "f"))
    before, after = folders
    assert before is not None
    assert after is not None
    assert before != after
    assert before.exists()
    kept_code.seal(after)
    assert list(base.iterdir()) == [after]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners of POSIX")
@pytest.mark.parametrize("who", ["group", "others"])
@pytest.mark.parametrize("where", ["base", "above"])
def test_a_folder_where_others_can_write_is_not_used(
    who: str, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsafe = tmp_path / "above" / "base"
    unsafe.mkdir(parents=True)
    safe = tmp_path / "safe"
    monkeypatch.setattr(kept_code, "list_base_folders", lambda: [unsafe, safe])
    opened = unsafe if where == "base" else unsafe.parent
    opened.chmod(0o775 if who == "group" else 0o757)
    folder = kept_code.find_folder(__file__, "f")
    assert folder is not None
    assert folder.parent == safe.resolve()
    opened.chmod(0o1777)  # sticky: what one makes there nobody else can replace
    folder = kept_code.find_folder(__file__, "f")
    assert folder is not None
    assert folder.parent == unsafe.resolve()


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners of POSIX")
def test_a_folder_that_others_made_or_can_read_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_code, "list_base_folders", lambda: [tmp_path])
    folder = kept_code.find_folder(__file__, "f")
    assert folder is not None
    folder.chmod(0o755)
    assert kept_code.find_folder(__file__, "f") is None
    folder.chmod(0o700)
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    assert not kept_code.is_private(folder)
    assert kept_code.is_safe(folder) == (owner == 0)  # the administrator may write everywhere anyway


def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_code, "list_base_folders", lambda: [tmp_path])
    folder = kept_code.find_folder(__file__, "f")
    assert folder is not None
    folder.rename(tmp_path / "moved")
    folder.symlink_to(tmp_path / "moved")
    assert kept_code.find_folder(__file__, "f") is None


def test_numba_s_own_setting_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "chosen"))
    folder = kept_code.find_folder(__file__, "f")
    assert folder is not None
    assert folder.parent == (tmp_path / "chosen").resolve()
