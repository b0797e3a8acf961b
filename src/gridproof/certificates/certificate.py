"""A certificate and the folder that holds it: bytes that depend on nothing but what is certified."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gridproof.checker.certificate import CERTIFICATE_FILES, CLAIM_FILE, FORMAT
from gridproof.errors import InputError
from gridproof.text import counted

DRAFT = ".tmp"
"""How the name of a folder ends that is not complete yet."""


@dataclass(frozen=True, slots=True, repr=False)
class Certificate:
    """A claim about a board with everything that is needed to check it.

    Attributes
    ----------
    claim : str
        ``unique``, ``none`` or ``multiple``; or ``count``, ``at least``.
    files : mapping
        The content of each file by its name; ``docs/certificates.md`` has the format.
    solutions : int, or None
        The number of solutions that a count lists.

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
    solutions: int | None = None

    def __repr__(self) -> str:
        claim = self.claim
        if self.solutions is not None:
            claim += f" {self.solutions}"
        return f"<Certificate: {claim}, {counted(len(self.files), 'file')}>"

    @classmethod
    def seal(cls, claim: str, files: Mapping[str, bytes], about: Mapping[str, Any]) -> Certificate:
        """Return the certificate of these files, with ``claim.json`` made from ``about`` and their digests."""
        content = dict(files)
        content["README.txt"] = _readme()
        digests = {name: hashlib.sha256(data).hexdigest() for name, data in content.items()}
        head = json.dumps({"format": FORMAT, "claim": claim, **about, "files": digests}, indent=1)
        return cls(claim, {CLAIM_FILE: f"{head}\n".encode("ascii"), **content}, about.get("solutions"))

    def write(self, path: str | Path) -> Path:
        """Write the folder; return its path.

        The folder appears only when it is complete. An empty folder or a certificate at the path is replaced; for
        anything else it raises ``InputError``. A symbolic link stands for its target.
        """
        path = Path(path)
        refuse_to_replace(path)
        place = Path(os.path.realpath(path))
        place.parent.mkdir(parents=True, exist_ok=True)
        draft = place.with_name(f".{place.name}.{os.urandom(8).hex()}{DRAFT}")  # beside it, so on the same disk
        draft.mkdir()
        try:
            for name, data in self.files.items():
                (draft / name).write_bytes(data)
            if place.exists():
                shutil.rmtree(place)
            draft.rename(place)
        except BaseException:  # Ctrl-C, too
            shutil.rmtree(draft, ignore_errors=True)
            raise
        return path


class Certificates:
    """A folder with a certificate for each of many boards, which appear one after the other.

    Parameters
    ----------
    path
        The folder.
    replace
        Whether to remove the certificates of an earlier run from the folder.

    Raises
    ------
    InputError
        If the path is something else, or, without ``replace``, a folder with certificates of an earlier run, which
        could be mistaken for those of this one.

    Examples
    --------
    >>> import tempfile
    >>> from gridproof import parse
    >>> from gridproof.certificates import certify
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Certificates(folder).add(certify(parse("1... ..2. .3.. ...4")), 1)
    ...     print(Path(path).name, Path(path, "claim.json").exists())
    000001 True
    """

    def __init__(self, path: str | Path, *, replace: bool = False) -> None:
        self._path = Path(path)
        if self._path.is_file() or (self._path / CLAIM_FILE).exists():
            raise InputError(f"{path} is a file or a certificate itself; expected a folder for many, or a new path")
        before = sorted(self._path.glob(f"*/{CLAIM_FILE}"))
        if before and not replace:
            raise InputError(f"{path} holds the certificate {before[0].parent.name}; expected a new or an empty folder")
        for claim in before:
            shutil.rmtree(claim.parent)
        remove_drafts(self._path)

    def add(self, certificate: Certificate, number: int) -> str:
        """Write the certificate of the board of this number; return its path."""
        return str(certificate.write(path_of(self._path, number)))


def path_of(folder: str | Path, number: int) -> Path:
    """Return the place of the certificate of the board of this number in a folder for many."""
    return Path(folder, f"{number:06}")


def remove_drafts(folder: str | Path) -> None:
    """Remove the certificates that processes which have been ended were about to write."""
    for draft in Path(folder).glob(f".*{DRAFT}"):
        shutil.rmtree(draft, ignore_errors=True)


@cache
def _readme() -> bytes:
    return Path(__file__).with_name("README.txt").read_bytes()


def refuse_to_replace(path: str | Path) -> None:
    """Raise ``InputError`` if a certificate cannot be written to a path, before the work is done."""
    path = Path(path)
    if path.exists() and not path.is_dir():
        raise InputError(f"{path} is a file; expected the path of a folder")
    if path.is_dir():
        others = {entry.name for entry in path.iterdir()} - CERTIFICATE_FILES
        if others:
            raise InputError(f"{path} holds {min(others)!r}; expected a new path, an empty folder, or a certificate")
