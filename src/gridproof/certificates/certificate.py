"""The files of a certificate, as bytes that depend on nothing but what is certified, and how they reach the disk."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridproof import formats
from gridproof.errors import InputError
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import House
from gridproof.trust.answer import Status

FORMAT, FORMAT_WITH_RULES = "gridproof-certificate/1", "gridproof-certificate/2"
"""A board without rules gets a certificate that older checkers read."""

CLAIM_FILE = "claim.json"

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive: the same content gives the same bytes."""

_MOST_ENTRIES = 65_535
"""Entries of an archive without zip64, which readers may refuse."""

_NAMES = {
    *(CLAIM_FILE, "README.txt", "board.txt", "geometry.json", "candidates.json", "rules.json"),
    *("solution.txt", "solution2.txt", "conflict.json", "proof"),
}
"""What lies at the top of a certificate, whatever it claims."""

_README = """\
A certificate of gridproof: claim.json says what is claimed about the board in board.txt, geometry.json and, if it is
there, rules.json.

unique:    solution.txt is a solution; proof/formula.cnf says the rules, the clues and "not this solution";
           proof/proof.drat proves that nothing satisfies it.
none:      proof/formula.cnf says the rules and the clues; proof/proof.drat proves that nothing satisfies it.
           conflict.json names cells whose clues alone contradict each other: proof/conflict.cnf, proof/conflict.drat.
multiple:  solution.txt and solution2.txt are two solutions.

To check it:                  gridproof check PATH
To check a proof elsewhere:   drat-trim proof/formula.cnf proof/proof.drat
Variable (cell number from 0) * n + symbol of a formula says that the cell holds the symbol.
"""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim about a board with everything that is needed to check it.

    Attributes
    ----------
    claim : str
        ``unique``, ``none`` or ``multiple``.
    files : mapping
        The content of each file by its path inside the certificate; ``docs/certificates.md`` has the format.

    Examples
    --------
    >>> from gridproof import parse
    >>> from gridproof.certificates import certify
    >>> certificate = certify(parse("1... ..2. .3.. ...4"))
    >>> print(certificate.claim, certificate.files["solution.txt"].decode().split())
    unique ['1243', '3421', '4312', '2134']
    """

    claim: str
    files: Mapping[str, bytes]

    @classmethod
    def sealed(cls, claim: Status, files: Mapping[str, bytes], about: Mapping[str, Any]) -> Certificate:
        """Return the certificate of these files, with ``claim.json`` made from ``about`` and their digests."""
        files = {**files, "README.txt": _README.encode("ascii")}
        digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
        version = FORMAT_WITH_RULES if "rules.json" in files else FORMAT
        head = {"format": version, "claim": claim, **about, "files": digests}
        return cls(claim, {CLAIM_FILE: _json(head, indent=1), **files})

    def write(self, path: str | Path) -> Path:
        """Write a folder, or an archive if the path ends in ``.zip``; return the path.

        The folder or archive appears only when it is complete. An archive, an empty folder or a certificate at the path
        is replaced; for anything else it raises ``InputError``. A symbolic link stands for its target.
        """
        path = Path(path)
        if _is_archive(path):
            with Archive(path) as archive:
                archive.add(self)
            return path
        refuse_to_replace(path)
        place = Path(os.path.realpath(path))
        place.parent.mkdir(parents=True, exist_ok=True)
        # beside it, so on the same disk
        with tempfile.TemporaryDirectory(".tmp", f".{place.name}.", place.parent, ignore_cleanup_errors=True) as folder:
            draft = Path(folder, place.name)
            for name, data in self.files.items():
                target = draft / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            if place.exists():
                shutil.rmtree(place)
            draft.rename(place)
        return path


class Archive:
    """A ``.zip`` for one certificate, or for many in a folder each. A context manager: it appears when it is complete.

    Until then it is a file without a name, on the same disk: nothing is left behind where an error ends the block, nor
    where the process is killed.
    """

    def __init__(self, path: str | Path) -> None:
        refuse_to_replace(path)
        self._path = Path(os.path.realpath(path))
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._draft = tempfile.TemporaryFile(dir=self._path.parent)  # noqa: SIM115 -- closed in __exit__
        self._zip = zipfile.ZipFile(self._draft, "w", allowZip64=False)
        self._entries = 0

    def add(self, certificate: Certificate, folder: str = "") -> None:
        """Add a certificate, inside ``folder`` if the archive is to hold many. ``InputError`` if it is full."""
        self._entries += len(certificate.files)
        if self._entries > _MOST_ENTRIES:
            raise InputError(f"{self._path}: more than {_MOST_ENTRIES:,} files; expected a folder (-o DIR) for so many")
        for name, data in certificate.files.items():
            entry = zipfile.ZipInfo(f"{folder}/{name}" if folder else name, _EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            self._zip.writestr(entry, data)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._draft:
            self._zip.close()
            if kind is None:
                self._appear()

    def _appear(self) -> None:
        beside = self._path.with_name(f".{self._path.name}.{os.getpid()}.tmp")
        try:
            self._draft.seek(0)
            with beside.open("wb") as copy:
                shutil.copyfileobj(self._draft, copy)
            beside.replace(self._path)
        finally:
            beside.unlink(missing_ok=True)


class Certificates:
    """Certificates of many boards: a folder or an archive with a folder for each. Use it as a context manager.

    Certificates appear in a folder one after the other, each when it is complete. An archive appears at the end.

    Parameters
    ----------
    path
        The folder, or the archive if it ends in ``.zip``.
    replace
        Whether to remove the certificates of an earlier run from the folder.

    Raises
    ------
    InputError
        If the path is something that cannot be replaced, or a folder with certificates of an earlier run, which could
        be mistaken for those of this one, without ``replace``.

    Examples
    --------
    >>> from gridproof import parse
    >>> from gridproof.certificates import certify
    >>> certificate = certify(parse("1... ..2. .3.. ...4"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Certificates(folder) as certificates:
    ...         path = certificates.add(certificate, 1)
    ...     print(Path(path).name, Path(path, "claim.json").exists())
    000001 True
    """

    def __init__(self, path: str | Path, *, replace: bool = False) -> None:
        self._path = Path(path)
        self._archive = Archive(path) if _is_archive(self._path) else None
        if self._archive is not None:
            return
        _refuse_a_file(self._path)
        if (self._path / CLAIM_FILE).exists():
            raise InputError(f"{path} is a certificate itself; expected a folder for many, or a new path")
        before = sorted(self._path.glob(f"*/{CLAIM_FILE}"))
        if replace:
            for claim in before:
                shutil.rmtree(claim.parent)
        elif before:
            raise InputError(f"{path} holds the certificate {before[0].parent.name}; expected a new or an empty folder")

    def add(self, certificate: Certificate, number: int) -> str:
        """Add the certificate of the board of this number; returns its path, in an archive with its name before it."""
        name = f"{number:06}"
        if self._archive is None:
            certificate.write(self._path / name)
        else:
            self._archive.add(certificate, name)
        return str(self._path / name)

    def __enter__(self) -> Certificates:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._archive is not None:
            self._archive.__exit__(kind)


def geometry_json(geometry: Geometry) -> bytes:
    """``geometry.json``: order, boxes and every house."""
    ours = len(geometry.houses) - len(geometry.extra)
    houses = [_house(house, house.kind) for house in geometry.houses[:ours]]
    # A house of the user's own may be called what it is not, such as a row: the words mean something to a checker.
    taken = {"row", "column", "box", "region"}
    houses += [_house(house, "extra" if house.kind in taken else house.kind) for house in geometry.extra]
    boxes = None if geometry.box_shape is None else list(geometry.box_shape)
    lines = ",\n  ".join(json.dumps(house) for house in houses)
    return f'{{"order": {geometry.order}, "boxes": {json.dumps(boxes)}, "houses": [\n  {lines}\n]}}\n'.encode()


def _house(house: House, kind: str) -> dict[str, Any]:
    return {"kind": kind, "name": house.name, "cells": list(house.cells)}


def board_files(board: Board) -> dict[str, bytes]:
    """``board.txt``, and ``candidates.json`` if the board has pencil marks."""
    files = {"board.txt": grid_text(board.clues, board.geometry), "geometry.json": geometry_json(board.geometry)}
    n = board.geometry.order
    full = (1 << n) - 1
    if board.marks is not None and any(mark != full for mark in board.marks):
        symbols = [None if m == full else [s for s in range(1, n + 1) if m >> (s - 1) & 1] for m in board.marks]
        files["candidates.json"] = _json({"candidates": symbols})
    return files


def grid_text(symbols: Sequence[int], geometry: Geometry) -> bytes:
    """``board.txt`` or a solution: a line for each row, ``.`` for a blank cell."""
    return (formats.to_rows_text(symbols, geometry).rstrip("\n") + "\n").encode("ascii")


def conflict_json(cells: Iterable[int], rules: Iterable[int] | None = None) -> bytes:
    """``conflict.json``; rules count from 0 here and from 1 there, ``None`` on a board without."""
    said = {} if rules is None else {"rules": [number + 1 for number in rules]}
    return _json({"cells": list(cells)} | said)


def rules_json(rules: Iterable[Mapping[str, Any]]) -> bytes:
    """``rules.json``, a rule on each line."""
    return ('{"rules": [\n' + ",\n".join(map(json.dumps, rules)) + "\n]}\n").encode("ascii")


def _json(value: Mapping[str, Any], indent: int | None = None) -> bytes:
    return (json.dumps(value, indent=indent) + "\n").encode("ascii")


def refuse_to_replace(path: str | Path) -> None:
    """``InputError`` if a certificate cannot be written there, for whoever wants to know before the work is done."""
    path = Path(path)
    if _is_archive(path):
        if path.is_dir():
            raise InputError(f"{path} is a folder; expected the path of an archive to write")
        return
    _refuse_a_file(path)
    if path.is_dir() and (others := {entry.name for entry in path.iterdir()} - _NAMES):
        raise InputError(
            f"{path} holds {min(others)!r}; expected a new path, an empty folder, or a certificate to replace"
        )


def _refuse_a_file(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise InputError(f"{path} is a file; expected a path ending in .zip, or one for a folder")


def _is_archive(path: Path) -> bool:
    return path.suffix.lower() == ".zip"
