"""Reading a certificate that may be hostile: a folder or a .zip, every size bounded before memory is spent.

A folder is read through ``lstat`` and descriptors opened without following links. Nothing is ever written
to the disk.

An archive is opened only if it is a plain zip. Its end record says how many entries there are and where its
directory is; both are checked, and bounded, before the directory is parsed into objects. The entries are
vetted as a whole before one is read: names that climb out, are absolute, doubled, links or encrypted are
refused. Then every byte has to belong to something: the entries follow each other from the first byte to the
directory, and each says of itself what the directory says of it. So a program that reads from the front, or
by the directory, or anything in between sees the same files.
"""

from __future__ import annotations

import os
import stat
import struct
import zipfile
import zlib
from collections import Counter
from pathlib import Path
from typing import IO

from .findings import Limits, Refusal, quote

CLAIM_FILE = "claim.json"
_END = struct.Struct("<4s4H2IH")  # the end record: disks and counts, size and place of the directory, comment
_ENTRY = struct.Struct("<4s6H3I5H2I")  # an entry of the directory, and before its content
_LOCAL = struct.Struct("<4s5H3I2H")
_ENTRY_BYTES = 256  # an entry of the directory with a generous name, on average
_CHUNK = 1 << 16
_DAMAGED = (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, struct.error)
"""What the library raises where content is damaged, encrypted or packed in a way that it does not know."""


class Container:
    """The files of a folder or archive by their relative path, '/' between the parts. A context manager."""

    def __init__(self, path: str, limits: Limits) -> None:
        self._path = Path(path)
        self._limits = limits
        self._zip: zipfile.ZipFile | None = None
        self._stream: IO[bytes] | None = None  # of an archive
        self._zipped: dict[str, zipfile.ZipInfo] = {}
        try:
            mode = self._path.stat().st_mode
            if stat.S_ISDIR(mode):
                self.names = sorted(self._walk("", 0))
            elif stat.S_ISREG(mode):
                self._stream = self._path.open("rb")
                self.names = sorted(self._open_zip(self._stream))
            else:
                raise Refusal("unreadable", f"{quote(path)} is neither a folder nor a file")
        except (OSError, ValueError) as error:
            self.close()
            raise Refusal("unreadable", f"{quote(path)} cannot be read: {_reason(error)}") from None
        except Refusal:
            self.close()
            raise
        self._known = frozenset(self.names)
        self._folders: dict[str, list[str]] = {"": self.names}
        for name in self.names:
            self._folders.setdefault(name.partition("/")[0], []).append(name.partition("/")[2])

    def __enter__(self) -> Container:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of the archive."""
        if self._zip is not None:
            self._zip.close()
        if self._stream is not None:
            self._stream.close()

    def certificates(self) -> list[str]:
        """The folders that hold a claim: '' for the container itself, else the names of its direct
        sub-folders."""
        if CLAIM_FILE in self._known:
            return [""]
        return [name[: -len(CLAIM_FILE) - 1] for name in self.names
                if name.endswith("/" + CLAIM_FILE) and name.count("/") == 1]  # fmt: skip

    def files(self, certificate: str) -> list[str]:
        """The files of one of the certificates, relative to it."""
        return self._folders[certificate]

    def read(self, name: str, limit: int) -> bytes:
        """The bytes of a file. Raises ``Refusal`` if it is longer than ``limit``, is not there or cannot be
        read."""
        if name not in self._known:
            raise Refusal("missing-file", "the certificate has no such file", name)
        try:
            with self._open(name, limit) as stream:
                parts, size = [], 0
                # A size that was declared proves nothing: what comes out is counted, too.
                while chunk := stream.read(_CHUNK):
                    size += len(chunk)
                    if size > limit:
                        raise Refusal("too-large", f"this file has more than {limit} bytes", name)
                    parts.append(chunk)
                return b"".join(parts)
        except _DAMAGED as error:
            raise Refusal("unreadable", f"cannot be read: {_reason(error)}", name) from None

    # ---- folders -----------------------------------------------------------------------------------------

    def _walk(self, folder: str, depth: int) -> list[str]:
        found: list[str] = []
        with os.scandir(self._path / folder) as entries:
            for entry in entries:
                name = f"{folder}/{entry.name}" if folder else entry.name
                if entry.is_symlink():
                    raise Refusal("unsafe-link", "this is a symbolic link; expected plain files and folders", name)
                if entry.is_dir(follow_symlinks=False):
                    if depth >= 2:  # collection / certificate / proof
                        raise Refusal("unexpected-file", "no certificate has a folder here", name)
                    found += self._walk(name, depth + 1)
                elif entry.is_file(follow_symlinks=False):
                    found.append(name)
                else:
                    raise Refusal("unsafe-file", "this is a device, pipe or socket; expected plain files", name)
                if len(found) > self._limits.entries:
                    raise Refusal("too-large", f"there are more than {self._limits.entries} files", folder)
        return found

    def _open(self, name: str, limit: int) -> IO[bytes]:
        if self._zip is not None:
            info = self._zipped[name]
            if info.file_size > limit:
                raise Refusal("too-large", f"this file has {info.file_size} bytes; at most {limit} are read", name)
            return self._zip.open(info)
        # It may have become something else since it was listed: never follow, never block, then look again.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        stream = os.fdopen(os.open(self._path / name, flags), "rb")
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
            stream.close()
            if stat.S_ISREG(status.st_mode):
                raise Refusal("too-large", f"this file has {status.st_size} bytes; at most {limit} are read", name)
            raise Refusal("unsafe-file", "this is not a plain file", name)
        return stream

    # ---- archives ----------------------------------------------------------------------------------------

    def _open_zip(self, stream: IO[bytes]) -> list[str]:
        size = stream.seek(0, os.SEEK_END)
        if size > self._limits.archive_bytes:
            raise Refusal("too-large", f"the archive has {size} bytes; at most {self._limits.archive_bytes} are read")
        place = self._check_directory(stream, size)
        try:
            self._zip = zipfile.ZipFile(stream)
        except (zipfile.BadZipFile, NotImplementedError, struct.error, UnicodeDecodeError) as error:
            raise Refusal("not-a-certificate", f"this archive is damaged: {_reason(error)}") from None
        entries = self._zip.infolist()
        for info in entries:
            _vet(info)
        names = Counter(info.orig_filename for info in entries if not info.is_dir())
        folders = {info.orig_filename.rstrip("/") for info in entries if info.is_dir()}
        if twice := [name for name, number in names.items() if number > 1 or name in folders]:
            raise Refusal("duplicate-file", "the archive holds this twice, or as a file and as a folder", twice[0])
        self._zipped = {info.orig_filename: info for info in entries if not info.is_dir()}
        _check_layout(stream, entries, place)
        return list(self._zipped)

    def _check_directory(self, stream: IO[bytes], size: int) -> int:
        """Where the directory is, which is small and has as many entries as it should. Its library makes
        objects of all of it at once, and believes its size but not its count."""
        stream.seek(max(0, size - _END.size))
        end = stream.read()
        if len(end) < _END.size or end[:4] != b"PK\5\6" or end[-2:] != b"\0\0":
            raise Refusal("not-a-certificate", "neither a folder nor a plain .zip (without a comment at its end)")
        fields: tuple[int, ...] = _END.unpack(end)[1:]
        disk, start, here, count, length, place, _ = fields
        if count > self._limits.entries or length > count * _ENTRY_BYTES:
            raise Refusal("too-large", f"the archive lists {count} files in {length} bytes; at most "
                          f"{self._limits.entries} files of {_ENTRY_BYTES} bytes each are read")  # fmt: skip
        if disk or start or here != count or place + length + _END.size != size:
            text = "something stands before its files or after its directory, or it is a zip64"
            raise Refusal("not-a-certificate", f"not a plain .zip, or damaged: {text}")
        stream.seek(place)
        directory, at, found = stream.read(length), 0, 0
        while directory[at : at + 4] == b"PK\1\2" and at + _ENTRY.size <= length:
            at += _ENTRY.size + sum(_ENTRY.unpack_from(directory, at)[10:13])
            found += 1
        if at != length or found != count:
            text = f"its end counts {count} files, its directory {found}"
            raise Refusal("not-a-certificate", f"not a plain .zip, or damaged: {text}")
        return place


def _vet(info: zipfile.ZipInfo) -> None:
    name = info.orig_filename  # filename is what the library made of it
    parts = name.rstrip("/").split("/")
    if any(part in ("", ".", "..") for part in parts) or any(c in "\\:" or c < " " for c in name):
        raise Refusal("unsafe-path", f"the archive holds the path {quote(name)}; expected a plain relative path")
    mode = info.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise Refusal("unsafe-link", "this is a link or device; expected plain files and folders", name)
    if info.flag_bits & 1:
        raise Refusal("unreadable", "this file is encrypted; expected plain files", name)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise Refusal("unreadable", "this file is compressed by another method than deflate", name)
    if info.compress_type == zipfile.ZIP_STORED and info.compress_size != info.file_size:
        raise Refusal("unreadable", "this file is not compressed, but has two different sizes", name)
    if info.is_dir() and info.file_size:
        raise Refusal("unsafe-file", "this is a folder with content of its own; expected an empty entry", name)


def _check_layout(stream: IO[bytes], entries: list[zipfile.ZipInfo], end: int) -> None:
    """The content of the entries fills the archive from its first byte to ``end``, and what stands before
    each says the same as the directory."""
    at = 0
    for info in sorted(entries, key=lambda info: info.header_offset):
        name = info.orig_filename
        if info.header_offset != at:
            raise Refusal("not-a-certificate", f"not a plain .zip: something stands before {quote(name)}")
        stream.seek(at)
        head = stream.read(_LOCAL.size)
        if len(head) < _LOCAL.size:
            raise Refusal("not-a-certificate", "this archive is cut off")
        mark, _, flags, method, _, _, crc, packed, size, named, more = _LOCAL.unpack(head)
        if flags & 8:
            text = f"the size of {quote(name)} stands behind it; expected it before, as zip programs write files"
            raise Refusal("not-a-certificate", f"not a plain .zip: {text}")
        written, extra = stream.read(named), stream.read(more)
        if (mark, flags, method, crc, packed, size, written) != (
            b"PK\3\4", info.flag_bits, info.compress_type, info.CRC, info.compress_size, info.file_size,
            name.encode("utf-8" if flags & 0x800 else "cp437"),
        ) or _renames(extra) or _renames(info.extra):  # fmt: skip
            text = f"what stands before {quote(name)} is not what the directory says of it"
            raise Refusal("not-a-certificate", f"not a plain .zip, or damaged: {text}")
        at += _LOCAL.size + named + more + packed
    if at != end:
        raise Refusal("not-a-certificate", "not a plain .zip: something stands before its directory")


def _renames(extra: bytes) -> bool:
    """Whether a further field has another size (zip64) or name (Unicode) than the plain ones, which some
    programs believe."""
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<2H", extra)
        if kind in (1, 0x7075):
            return True
        extra = extra[4 + length :]
    return False


def _reason(error: BaseException) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__)[:120]
