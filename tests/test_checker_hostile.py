"""Hostile certificates: each is refused for its own reason, soon, and without the memory it asks for."""

from __future__ import annotations

import json
import os
import random
import shutil
import stat
import struct
import subprocess
import tracemalloc
import zipfile
from pathlib import Path
from typing import IO, Any

import pytest

from checker_maker import Files, certificate, first_grids, geometry, sealed, write
from gridproof.checker import Limits, Report, check, check_all

FOUR = geometry(2, 2)
GRID = first_grids(FOUR, {}, {}, 1)[0]
GOOD = certificate(FOUR, {cell: symbol for cell, symbol in GRID.items() if cell % 3})


def codes(files: Files, tmp_path: Path, limits: Limits | None = None) -> tuple[str, ...]:
    """The reasons, the same for a folder and an archive."""
    folder = check(write(files, tmp_path / "folder"), limits)
    archive = check(write(files, tmp_path / "archive.zip"), limits)
    assert folder.codes() == archive.codes()
    assert archive.reasons
    return archive.codes()


def changed(name: str, data: bytes) -> Files:
    return sealed(GOOD | {name: data})


def test_the_good_one_is_good(tmp_path: Path) -> None:
    result = check(write(GOOD, tmp_path / "good.zip"))
    assert result.accepted, str(result)
    assert result.claim == "unique"


# ---- paths, archives, folders ----------------------------------------------------------------------------------------


def test_paths_that_are_no_certificate(tmp_path: Path) -> None:
    assert check(tmp_path / "nothing").codes() == ("unreadable",)
    assert check("a\0b").codes() == ("unreadable",)
    assert check(tmp_path).codes() == ("missing-file",)
    for data in (b"", b"PK", b"PK\5\6", os.urandom(5000), b"PK\5\6" + b"\xff" * 16 + b"\0\0"):
        path = tmp_path / "file.zip"
        path.write_bytes(data)
        assert check(path).codes()[0] in {"not-a-certificate", "too-large"}
        assert [report.codes() for report in check_all(path)] == [check(path).codes()]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        assert check(tmp_path / "pipe").codes() == ("unreadable",)


@pytest.mark.parametrize(
    "name",
    ["../board.txt", "a/../../board.txt", "/board.txt", "./board.txt", "a//b", "C:\\board.txt", "..\\board.txt", "a\nb",
     "c:board.txt", "proof/../../../etc/passwd"],
)  # fmt: skip
def test_paths_that_climb_out(name: str, tmp_path: Path) -> None:
    path = write(GOOD, tmp_path / "climbing.zip")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, "x")
    assert check(path).codes() == ("unsafe-path",)
    assert not (tmp_path.parent / "board.txt").exists()


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_in_an_archive(kind: int, tmp_path: Path) -> None:
    files = dict(GOOD)
    del files["board.txt"]
    path = write(files, tmp_path / "link.zip")
    info = zipfile.ZipInfo("board.txt")
    info.external_attr = (kind | 0o777) << 16
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(info, "/etc/passwd")
    assert check(path).codes() == ("unsafe-link",)


def test_links_and_pipes_in_a_folder(tmp_path: Path) -> None:
    folder = write(GOOD, tmp_path / "folder")
    (folder / "board.txt").rename(tmp_path / "elsewhere")
    (folder / "board.txt").symlink_to(tmp_path / "elsewhere")
    assert check(folder).codes() == ("unsafe-link",)
    (folder / "board.txt").unlink()
    os.mkfifo(folder / "board.txt")  # reading it would wait for ever
    assert check(folder).codes() == ("unsafe-file",)
    (folder / "board.txt").unlink()
    (folder / "loop").symlink_to(folder)
    assert check(folder).codes() == ("unsafe-link",)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_doubled_names(tmp_path: Path) -> None:
    path = write(GOOD, tmp_path / "doubled.zip")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("solution.txt", GOOD["solution.txt"])
    assert check(path).codes() == ("duplicate-file",)


@pytest.mark.parametrize(
    ("name", "data", "code"), [("board.txt/", b"", "duplicate-file"), ("more/", b"1", "unsafe-file")]
)
def test_folders_that_pass_for_files(name: str, data: bytes, code: str, tmp_path: Path) -> None:
    """Programs differ in whether they see a file in it."""
    path = write(GOOD, tmp_path / "folder.zip")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, data)
    assert check(path).codes() == (code,)


def test_names_that_would_disturb_a_terminal(tmp_path: Path) -> None:
    # a zip name cannot get here with an escape; a folder's can
    folder = write(GOOD | {"\x1b[31mred\n": b""}, tmp_path / "folder")
    report = check(folder)
    assert report.codes() == ("unexpected-file",)
    assert "\x1b" not in str(report)
    assert "\\x1b" in str(report)


def test_files_that_are_missing_or_too_many(tmp_path: Path) -> None:
    for name in GOOD:
        rest = {other: data for other, data in GOOD.items() if other != name}
        assert "missing-file" in check(write(rest, tmp_path / "listed.zip")).codes()
        if name != "claim.json":
            assert "missing-file" in check(write(sealed(rest), tmp_path / "unlisted.zip")).codes()
    assert codes(sealed(GOOD | {"extra.txt": b"x"}), tmp_path / "a") == ("unexpected-file",)
    assert codes(GOOD | {"README.txt": b"x"}, tmp_path / "b") == ("digest-missing",)
    assert check(write(sealed(GOOD | {"README.txt": b"how to check"}), tmp_path / "c.zip")).accepted
    assert "unexpected-file" in codes(GOOD | {"a/b/c/d.txt": b"x"}, tmp_path / "d")
    limits = Limits(entries=5)
    assert codes(GOOD, tmp_path / "e", limits) == ("too-large",)


def test_an_encrypted_or_oddly_compressed_entry(tmp_path: Path) -> None:
    path = write(GOOD, tmp_path / "odd.zip")
    data = bytearray(path.read_bytes())
    first = data.index(b"PK\1\2")
    data[first + 8] |= 1
    path.write_bytes(data)
    assert check(path).codes() == ("unreadable",)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        for name, content in GOOD.items():
            archive.writestr(name, content)
    assert check(path).codes() == ("unreadable",)


def test_zip_variants_whose_directory_cannot_be_bounded(tmp_path: Path) -> None:
    path = write(GOOD, tmp_path / "variant.zip")
    plain = path.read_bytes()
    with zipfile.ZipFile(path, "a") as archive:
        archive.comment = b"hello"
    assert check(path).codes() == ("not-a-certificate",)
    locator = b"PK\6\7" + struct.pack("<LQL", 0, 0, 1)
    path.write_bytes(plain[:-22] + locator + plain[-22:])
    assert check(path).codes() == ("not-a-certificate",)
    many = plain[:-22] + plain[-22:-12] + struct.pack("<HL", 0xFFFF, 0x7FFFFFFF) + plain[-6:]
    path.write_bytes(many)
    assert check(path).codes() == ("too-large",)


def relocated(data: bytes, by: int) -> bytes:
    """The archive as it is behind so many other bytes: all places in it are counted from the front."""
    moved = bytearray(data)
    (place,) = struct.unpack_from("<L", data, len(data) - 6)
    struct.pack_into("<L", moved, len(data) - 6, place + by)
    while data[place : place + 4] == b"PK\1\2":
        (offset,) = struct.unpack_from("<L", data, place + 42)
        struct.pack_into("<L", moved, place + 42, offset + by)
        place += 46 + sum(struct.unpack_from("<3H", data, place + 28))
    return bytes(moved)


def test_an_archive_that_other_programs_read_differently(tmp_path: Path) -> None:
    """Two archives in one file: which of them is there depends on where a program begins to read."""
    path = write(GOOD, tmp_path / "plain.zip")
    plain = path.read_bytes()
    other = write({"claim.json": b"{}"}, tmp_path / "other.zip").read_bytes()
    place = plain.index(b"PK\1\2")
    for data in (
        other + plain,  # zip programs see through this shift
        other + relocated(plain, len(other)),
        b"#!/bin/sh\n" + relocated(plain, 10),
        plain + other,
        plain + b"\n",
        plain[:place] + other[: other.index(b"PK\1\2")] + plain[place:],
        plain[:-22] + other[:-22] + plain[-22:],
    ):
        path.write_bytes(data)
        assert check(path).codes() == ("not-a-certificate",)
        assert [report.codes() for report in check_all(path)] == [("not-a-certificate",)]
    path.write_bytes(relocated(plain, 0))
    assert check(path).accepted


def test_an_entry_that_is_not_what_the_directory_says(tmp_path: Path) -> None:
    path = write(GOOD, tmp_path / "plain.zip")
    plain = path.read_bytes()
    place = plain.index(b"PK\3\4", 1)
    name = place + 30
    for at in (place, place + 6, place + 8, place + 14, place + 18, place + 22, name):
        data = bytearray(plain)
        data[at] ^= 1
        path.write_bytes(data)
        assert "not-a-certificate" in check(path).codes(), at - place
    for kind in (0x0001, 0x7075):  # other sizes, another name
        with zipfile.ZipFile(path, "w") as archive:
            for file, content in GOOD.items():
                entry = zipfile.ZipInfo(file)
                entry.extra = struct.pack("<2HB", 0x5455, 1, 0) + struct.pack("<2H9s", kind, 9, b"\1xxxxother")
                archive.writestr(entry, content)
        assert check(path).codes() == ("not-a-certificate",)
    with path.open("wb") as stream, zipfile.ZipFile(Pipe(stream), "w") as archive:
        for file, content in GOOD.items():
            archive.writestr(file, content)
    report = check(path)
    assert report.codes() == ("not-a-certificate",)
    assert "the size of 'board.txt' stands behind it" in str(report)


def test_a_stored_file_of_two_sizes(tmp_path: Path) -> None:
    path = tmp_path / "stored.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file, content in GOOD.items():
            archive.writestr(file, content)
    assert check(path).accepted
    data, size = bytearray(path.read_bytes()), len(GOOD["board.txt"])
    for at in (data.index(b"board.txt") - 8, data.rindex(b"board.txt") - 22):
        assert struct.unpack_from("<L", data, at) == (size,)
        struct.pack_into("<L", data, at, size - 1)
    path.write_bytes(data)
    report = check(path)
    assert report.codes() == ("unreadable",)
    assert "board.txt: this file is not compressed, but has two different sizes" in str(report)


@pytest.mark.parametrize("program", ["python", "zip", "7z"])
def test_archives_as_other_programs_make_them(program: str, tmp_path: Path) -> None:
    """With entries for folders, and times and owners in further fields."""
    write(GOOD, tmp_path / "many" / "folder")
    target = tmp_path / "made.zip"
    if program == "python":
        shutil.make_archive(str(target.with_suffix("")), "zip", tmp_path / "many")
    elif shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    else:
        options = ["-qr"] if program == "zip" else ["a"]
        subprocess.run([program, *options, target, "."], cwd=tmp_path / "many", check=True, capture_output=True)
    result = check(target)
    assert result.accepted, str(result)
    assert result.name == "folder"


class Pipe:
    """A stream that takes bytes and cannot go back: an archive written into it has sizes behind the content."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def write(self, data: bytes) -> int:
        return self._stream.write(data)

    def flush(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        self._stream.close()


@pytest.mark.slow
@pytest.mark.parametrize("said", [0, 1, 50_000, 65_535])
def test_a_directory_of_more_entries_than_it_says(said: int, tmp_path: Path) -> None:
    """Each costs a kilobyte of memory: two million of them made a machine run out of it."""
    entry = struct.pack("<4s6H3I5H2I", b"PK\1\2", *[0] * 9, 1, *[0] * 6) + b"x"
    many = entry * 70_000
    path = tmp_path / "bomb.zip"
    path.write_bytes(many + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, said, said, len(many), 0, 0))
    report = bounded(path, Limits(), 12)
    assert report.codes()[0] in {"too-large", "not-a-certificate"}
    assert not list(report.facts)


def test_a_directory_with_long_names_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "names.zip"
    entry = struct.pack("<4s6H3I5H2I", b"PK\1\2", *[0] * 9, 60_000, *[0] * 6) + b"x" * 60_000
    many = entry * 300
    path.write_bytes(many + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 300, 300, len(many), 0, 0))
    assert bounded(path, Limits(), 1).codes() == ("too-large",)


def bounded(path: Path, limits: Limits, megabytes: float) -> Report:
    tracemalloc.start()
    try:
        report = check(path, limits)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < megabytes * 2**20
    return report


@pytest.mark.parametrize("name", ["proof/proof.drat", "proof/formula.cnf", "board.txt", "geometry.json", "claim.json"])
def test_bombs(name: str, tmp_path: Path) -> None:
    """A gigabyte of nothing: 1 MB in an archive, none on a disk that leaves holes."""
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for other, data in GOOD.items():
            if other != name:
                archive.writestr(other, data)
        with archive.open(name, "w") as stream:
            for _ in range(48):
                stream.write(b" " * (1 << 20))
    limits = Limits()
    report = bounded(path, limits, 8)
    assert "too-large" in report.codes()
    folder = write(GOOD, tmp_path / "folder")
    with (folder / name).open("r+b") as stream:
        stream.truncate(1 << 30)
    report = bounded(folder, limits, 8)
    assert "too-large" in report.codes()


def test_a_bomb_that_lies_about_its_size(tmp_path: Path) -> None:
    path = tmp_path / "liar.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in GOOD.items():
            archive.writestr(name, data if name != "proof/proof.drat" else b" " * (48 << 20))
    data = path.read_bytes()
    honest = struct.pack("<L", 48 << 20)
    assert data.count(honest) == 2
    path.write_bytes(data.replace(honest, struct.pack("<L", 100)))
    report = bounded(path, Limits(), 8)
    assert report.codes() == ("unreadable",)


def test_random_damage_never_gets_through_as_an_error(tmp_path: Path) -> None:
    """Of an archive as a whole, which is refused as such, and of a file in it."""
    path = write(GOOD, tmp_path / "damaged.zip")
    whole, rng = path.read_bytes(), random.Random(5)

    def damaged(whole: bytes) -> bytes:
        data = bytearray(whole)
        for _ in range(rng.choice([1, 1, 2, 20])):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data[: rng.choice([len(data), len(data), rng.randrange(len(data))])])

    seen: set[str] = set()
    for number in range(300):
        if number % 2:
            path.write_bytes(damaged(whole))
        else:
            name = rng.choice(sorted(GOOD))
            write(GOOD | {name: damaged(GOOD[name])}, path)
        report = check(path)
        seen.update(report.codes())
        assert "checker-error" not in report.codes(), str(report)
    assert len(seen) >= 6


# ---- JSON ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["claim.json", "geometry.json"])
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "bad-json"),
        (b"[]", "bad-json"),
        (b"null", "bad-json"),
        (b"{", "bad-json"),
        (b"{}", "missing-key"),
        (b'{"a": 1, "a": 2}', "bad-json"),
        (b'{"a": NaN}', "bad-json"),
        (b"\xff\xfe{}", "not-text"),
        (b"\x00\x01\x02\x03", "bad-json"),
        (b"[" * 500_000, "bad-json"),
        (b'{"a":' * 100_000, "bad-json"),
        (b'{"order": ' + b"9" * 100_000 + b"}", "bad-json"),
    ],
    ids=range(12),
)
def test_json_that_is_none(name: str, data: bytes, code: str, tmp_path: Path) -> None:
    result = check(write(GOOD | {name: data}, tmp_path / "bad.zip"))
    assert code in result.codes()
    assert "checker-error" not in result.codes()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"format": "gridproof-certificate/3"}, "unknown-format"),
        ({"format": "gridproof-certificate/2"}, "missing-file"),
        ({"format": ["gridproof-certificate/1"]}, "unknown-format"),
        ({"format": 1}, "unknown-format"),
        ({"claim": ["unique"]}, "unknown-claim"),
        ({"claim": None}, "unknown-claim"),
        ({"made": "by hand"}, "bad-json"),
        ({"states": None}, "missing-key"),
        ({"states": "house<=1"}, "missing-key"),
        ({"states": [1]}, "missing-key"),
        ({"states": ["cell>=1", "house<=1", "killer"]}, "unknown-rule"),
        ({"files": []}, "bad-json"),
        ({"files": {"board.txt": 5}}, "bad-json"),
        ({"files": {}}, "digest-missing"),
        ({"rules": ["antiknight"]}, "unknown-key"),
    ],
)
def test_claims_of_wrong_types(change: dict[str, Any], code: str, tmp_path: Path) -> None:
    head = json.loads(GOOD["claim.json"]) | change
    assert codes(GOOD | {"claim.json": json.dumps(head).encode()}, tmp_path)[0] == code


def house(kind: str, cells: object) -> dict[str, Any]:
    return {"kind": kind, "name": "x", "cells": cells}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"order": 10**9}, "bad-geometry"),
        ({"order": 0}, "bad-geometry"),
        ({"order": -4}, "bad-geometry"),
        ({"order": 4.0}, "bad-geometry"),
        ({"order": True}, "bad-geometry"),
        ({"order": "4"}, "bad-geometry"),
        ({"order": 5}, "bad-house"),
        ({"boxes": [3, 3]}, "bad-geometry"),
        ({"boxes": [4, 1]}, "bad-geometry"),
        ({"boxes": [2, 2, 2]}, "bad-geometry"),
        ({"boxes": "2x2"}, "bad-geometry"),
        ({"boxes": None}, "bad-geometry"),
        ({"houses": {}}, "bad-geometry"),
        ({"houses": []}, "bad-geometry"),
        ({"houses": [5]}, "bad-geometry"),
        ({"houses": FOUR["houses"][1:]}, "bad-geometry"),
        ({"houses": FOUR["houses"][:4] + FOUR["houses"][5:]}, "bad-geometry"),
        ({"houses": FOUR["houses"][:-1]}, "bad-geometry"),
        ({"houses": FOUR["houses"] * 100}, "too-large"),
        ({"houses": [*FOUR["houses"], {"kind": "extra", "cells": [0, 1, 2, 3]}]}, "bad-geometry"),
        ({"houses": [*FOUR["houses"], house("extra", [0, 5, 10]) | {"sum": 10}]}, "bad-geometry"),
        ({"houses": [*FOUR["houses"], {"kind": 1, "name": "x", "cells": [0, 1, 2, 3]}]}, "bad-geometry"),
        ({"houses": [*FOUR["houses"], house("extra", [0, 5, 10])]}, "bad-house"),
        ({"houses": [*FOUR["houses"], house("extra", [0, 5, 10, 15, 1])]}, "bad-house"),
        ({"houses": [*FOUR["houses"], house("extra", [0, 5, 10, 10])]}, "bad-house"),
        ({"houses": [*FOUR["houses"], house("extra", [0, 5, 10, 16])]}, "bad-house"),
        ({"houses": [*FOUR["houses"], house("extra", [0, 5, 10, -1])]}, "bad-house"),
        ({"houses": [*FOUR["houses"], house("extra", [0, 5, 10, True])]}, "bad-house"),
        ({"houses": [*FOUR["houses"], house("extra", [0, 5, 10, "15"])]}, "bad-house"),
        ({"houses": [*FOUR["houses"], house("extra", None)]}, "bad-house"),
        ({"houses": [*FOUR["houses"], house("row", [0, 5, 10, 15])]}, "bad-geometry"),
        ({"houses": [*FOUR["houses"], house("box", [0, 5, 10, 15])]}, "bad-geometry"),
        ({"houses": [*FOUR["houses"], house("region", [0, 5, 10, 15])]}, "bad-geometry"),
        ({"houses": [*FOUR["houses"], *[house("region", [0, 5, 10, 15])] * 4]}, "bad-geometry"),
        ({"constraints": ["antiknight"]}, "unknown-key"),
    ],
)
def test_geometries_of_wrong_types_or_houses(change: dict[str, Any], code: str, tmp_path: Path) -> None:
    assert codes(changed("geometry.json", json.dumps(FOUR | change).encode()), tmp_path) == (code,)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"candidates": null}', "bad-candidates"),
        (b'{"candidates": [[1]]}', "bad-candidates"),
        (json.dumps({"candidates": [[5]] * 16}).encode(), "bad-candidates"),
        (json.dumps({"candidates": [[True]] * 16}).encode(), "bad-candidates"),
        (json.dumps({"candidates": ["12"] * 16}).encode(), "bad-candidates"),
        (b"{}", "missing-key"),
    ],
)
def test_candidates_of_wrong_types(data: bytes, code: str, tmp_path: Path) -> None:
    assert codes(changed("candidates.json", data), tmp_path) == (code,)


# ---- text ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["board.txt", "solution.txt"])
@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "bad-board"),
        (b"1234\n" * 3, "bad-board"),
        (b"1234\n" * 5, "bad-board"),
        (b"1234\n1234\n123\n1234\n", "bad-board"),
        (b"1234\n1234\n1235\n1234\n", "bad-board"),
        (b"1234\n1234\n12 4\n1234\n", "bad-board"),
        (b"1234\n1234\n1204\n1234\n", "bad-board"),
        (b"\xff\xfe\x00\x01", "not-text"),
        ("١234\n1234\n1234\n1234\n".encode(), "not-text"),
        (b"1" * 300_000 + b"\n2\n3\n4\n", "too-large"),
    ],
    ids=range(10),
)
def test_boards_that_are_none(name: str, data: bytes, code: str, tmp_path: Path) -> None:
    assert codes(changed(name, data), tmp_path)[0] == code


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "bad-header"),
        (b"c nothing\n", "bad-header"),
        (b"1 2 0\n", "bad-header"),
        (b"p cnf 64\n", "bad-header"),
        (b"p dnf 64 1\n1 0\n", "bad-header"),
        (b"p cnf 64 2\n1 2 3 4 0\n", "bad-header"),
        (b"p cnf 63 1\n1 2 3 4 0\n", "bad-header"),
        (b"p cnf 64 -1\n", "bad-header"),
        (b"p cnf 99999999999999999999 1\n1 0\n", "bad-header"),
        (b"p cnf 64 1\np cnf 64 1\n1 2 3 4 0\n", "bad-formula"),
        (b"p cnf 64 1\n1 2 3 4\n", "bad-formula"),
        (b"p cnf 64 1\n1 2 0 3 4 0\n", "bad-formula"),
        (b"p cnf 64 1\n\n1 2 3 4 0\n", "bad-formula"),
        (b"p cnf 64 1\n65 2 3 4 0\n", "bad-formula"),
        (b"p cnf 64 1\n-65 2 3 4 0\n", "bad-formula"),
        (b"p cnf 64 1\n1 2 3 " + b"4" * 5000 + b" 0\n", "bad-formula"),
        (b"p cnf 64 1\n1 2 3 +4 0\n", "bad-formula"),
        (b"p cnf 64 1\n1 2 3 4_0 0\n", "bad-formula"),
        (b"p cnf 64 1\n1 2 3 --4 0\n", "bad-formula"),
        (b"p cnf 64 1\n1 2 3 4x 0\n", "bad-formula"),
        (b"p cnf 64 1\n1 2 3 \xd9\xa4 0\n", "bad-formula"),
        (b"p cnf 64 1\n" + b"1 " * 200_000 + b"0\n", "too-large"),
        (b"c" * 300_000 + b"\n", "too-large"),
    ],
    ids=range(23),
)
def test_formulas_that_are_none(data: bytes, code: str, tmp_path: Path) -> None:
    assert codes(changed("proof/formula.cnf", data), tmp_path) == (code,)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"a\x02\x04\x00", "binary-proof"),
        (b"a\x82\x01\x00d\x03\x00", "binary-proof"),
        (b"d\x03\x00", "binary-proof"),
        (b"\x00\xff" * 100, "binary-proof"),
        (b"1 2 3\n0\n", "bad-proof"),
        (b"1 2 0 3 0\n0\n", "bad-proof"),
        (b"d\n0\n", "bad-proof"),
        (b"d 1 2\n0\n", "bad-proof"),
        (b"1_0 0\n0\n", "bad-proof"),
        (b"99999999999 0\n0\n", "bad-proof"),
        (b"8" * 200_000 + b" 0\n0\n", "bad-proof"),
        (b"1 " * 200_000 + b"0\n0\n", "too-large"),
        (b"hello 0\n", "bad-proof"),
        (b"\n\nc nothing\n", "proof-incomplete"),
        (b"d 1 2 3 4 0\n" * 3, "proof-incomplete"),
    ],
    ids=range(15),
)
def test_proofs_that_are_none(data: bytes, code: str, tmp_path: Path) -> None:
    assert codes(changed("proof/proof.drat", data), tmp_path) == (code,)


# ---- effort ----------------------------------------------------------------------------------------------------------


def test_limits_hold(tmp_path: Path) -> None:
    path = write(GOOD, tmp_path / "good.zip")
    assert check(path, Limits()).accepted
    for limits, code in (
        (Limits(order=3), "bad-geometry"),
        (Limits(houses=11), "too-large"),
        (Limits(statement_bytes=100), "too-large"),
        (Limits(proof_bytes=100), "too-large"),
        (Limits(archive_bytes=100), "too-large"),
        (Limits(entries=3), "too-large"),
        (Limits(line_bytes=10), "too-large"),
        (Limits(literals=100), "too-large"),
        (Limits(variables=63), "bad-header"),
        (Limits(seconds=-1), "too-slow"),
    ):
        assert code in check(path, limits).codes(), limits


def test_definitions_that_multiply_are_bounded(tmp_path: Path) -> None:
    shape = geometry(4, 4)
    lines = [f"c define {4097 + i} or 1 2" for i in range(6_000)]
    text = "\n".join([*lines, "p cnf 10096 1", "4097 4098 0"]) + "\n"
    files = sealed(certificate(shape, first_grids(shape, {}, {}, 1)[0]) | {"proof/formula.cnf": text.encode()})
    report = check(write(files, tmp_path / "many.zip"), Limits(literals=400_000))
    assert report.codes() == ("too-large",)


def test_a_long_list_of_failures_is_cut(tmp_path: Path) -> None:
    head = b"p cnf 64 4000\n"
    data = head + b"".join(b"-%d %d 0\n" % (i % 64 + 1, (i + 7) % 64 + 1) for i in range(4000))
    report = check(write(changed("proof/formula.cnf", data), tmp_path / "long.zip"))
    assert 1 <= len(report.reasons) <= Limits().failures
    assert len(check(tmp_path / "long.zip", Limits(failures=40)).reasons) == 40
