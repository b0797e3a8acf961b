"""Where bytes come from: files, standard input, compressed or not; told by their first bytes, not by their names."""

from __future__ import annotations

import codecs
import importlib
import io
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Self, cast

from gridproof.errors import InputError, PuzzleFormatError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

BLOCK = 1 << 22
"""Bytes that are decoded at once: some 50,000 lines."""

LONGEST_LINE = 1 << 26
"""Bytes. A line of up to this length may be malformed; an input with a longer one is none of lines."""

_PIECE = 1 << 12
"""Bytes asked of pyarrow at once: what comes before a damage in the same piece is lost."""

_SHOWN = 1000
"""Bytes of a line cut off by a damage that are shown."""

_COMPRESSED_PIECE = 1 << 12
"""Compressed bytes unpacked at once: they may become thousands of times as many."""

STANDARD_INPUT = "-"

_GZIP, _ZSTD, _PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"
_LINE_END = re.compile(rb"\r*\n|\r")


def exists(path: str | Path) -> bool:
    """Whether there is a file or folder of this name, which may also be a puzzle."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a puzzle may be longer than a file name can be, or hold what none can
        return False


def utf_16_of(begins: bytes) -> str | None:
    """The encoding of a text that begins so, if it is UTF-16: with a byte-order mark, or two characters of ASCII."""
    if begins.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = begins[0:4:2], begins[1:4:2]
    if odd == b"\0\0" and all(even):
        return "utf-16-le"
    return "utf-16-be" if even == b"\0\0" and all(odd) else None


def lines_of(path: str | Path, on_damage: Callable[[PuzzleFormatError], None] | None = None) -> Iterator[bytes]:
    """The lines of a file of text, or of standard input (``-``), compressed by gzip or zstd or not, as they come.

    Parameters
    ----------
    path
        Of the file. Lines of a compressed one come several at once.
    on_damage
        Told of damaged compressed data, when the lines before the damage have been given. A reader that is raised at
        would lose those that it holds back, such as the rows of a board.

    Raises
    ------
    InputError
        As ``Source`` and its ``blocks`` do, for a Parquet file, and for a damage without ``on_damage``.
    """
    with Source(path) as source:
        if source.is_parquet:
            raise InputError(
                f"{source.name} is a Parquet file; expected text (`gridproof verify FILE -o RESULT` takes Parquet, too)"
            )
        if not source.is_compressed:
            yield from source.stream
            return
        yield from source.blocks()
        if source.damage is not None:
            if on_damage is None:
                raise InputError(f"{source.name}: {source.damage}")
            on_damage(source.damage)


class Source:
    """A file, or standard input (``-``), to be read once from its beginning. Use it as a context manager.

    Raises ``OSError`` if it cannot be opened and ``InputError`` for a directory, a closed standard input, or a
    compression that nothing installed can read.
    """

    def __init__(self, path: str | Path) -> None:
        self.is_file = str(path) != STANDARD_INPUT
        self.name = str(path) if self.is_file else "standard input"
        if self.is_file:
            if Path(path).is_dir():
                raise InputError(f"{self.name} is a folder; expected a file")
            raw: io.BufferedReader[Any] = io.BufferedReader(io.FileIO(path), 1 << 20)
        elif sys.stdin is None:
            raise InputError("standard input is closed; expected puzzles there, or a file")
        else:
            raw = cast("io.BufferedReader[Any]", sys.stdin.buffer)
        self._raw = raw
        self.is_reopenable = self.is_file and raw.seekable()
        """Whether it is there to be opened once more, as neither standard input nor a named pipe is."""
        self.size = os.fstat(raw.fileno()).st_size if self.is_file else 0
        if self.is_reopenable:
            first = raw.peek(4)[:4]
        else:  # a pipe may show fewer at first than there are to come
            first = raw.read(4)
            raw = io.BufferedReader(_Begun(first, raw))
        self.is_parquet = first == _PARQUET
        content = _content(first, raw)
        self.is_compressed = content is not None
        self.damage: PuzzleFormatError | None = None
        """What is wrong with compressed data, known when ``blocks`` has come to its end."""
        self._how_damaged = ""
        self.stream: BinaryIO = raw
        self._pieces = content or iter(lambda: raw.read1(BLOCK), b"")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_file:
            self._raw.close()

    @property
    def identity(self) -> list[str | int] | None:
        """Path, size and time of the last change; ``None`` for what cannot be opened once more."""
        if not self.is_reopenable:
            return None
        return [str(Path(self.name).resolve()), self.size, os.fstat(self._raw.fileno()).st_mtime_ns]

    @property
    def share(self) -> float | None:
        """Which share of the file's bytes has been read; ``None`` if its size is not known."""
        if not self.size:
            return None
        try:
            return min(1.0, self._raw.tell() / self.size)
        except (OSError, ValueError):
            return None

    def blocks(self) -> Iterator[bytes]:
        """The decompressed bytes in blocks of whole lines, each line ended by one ``\\n``, without byte-order mark.

        Where compressed data are damaged or end too soon, they end with the last whole line before, and ``damage`` says
        so.
        """
        rest = b""
        first = True
        recode: Callable[[bytes, bool], str] | None = None
        while True:
            data = self._block()
            more = bool(data)
            if first:
                encoding = utf_16_of(data)
                recode = codecs.getincrementaldecoder(encoding)("replace").decode if encoding else None
                data, first = data.removeprefix(b"\xef\xbb\xbf"), False
            if recode is not None:
                data = recode(data, not more).encode("utf-8", "replace")
            if not data:
                if more:
                    continue
                break
            data = rest + data
            end = data.rfind(b"\n") + 1
            if not end:  # old Macintosh lines; a last \r may be a part of a line end
                end = data.rstrip(b"\r").rfind(b"\r") + 1
            rest = data[end:]
            if len(rest) > LONGEST_LINE:
                raise InputError(
                    f"{self.name}: a line of more than {LONGEST_LINE >> 20} MB; expected lines of puzzles, a table, "
                    "or one of them compressed by gzip or zstd"
                )
            if end:
                yield normalised(data[:end])
        if self._how_damaged:  # a line that was cut off might be another puzzle
            shown = rest[:_SHOWN].decode("utf-8", "backslashreplace")
            self.damage = PuzzleFormatError(self._how_damaged, text=shown, expected="a whole compressed file")
        elif rest:
            data = normalised(rest)
            yield data if data.endswith(b"\n") else data + b"\n"

    def _block(self) -> bytes:
        """At least ``BLOCK`` bytes; fewer only at the end, which is also where data are damaged."""
        parts: list[bytes] = []
        missing = BLOCK
        try:
            while missing > 0 and not self._how_damaged and (part := next(self._pieces, b"")):
                parts.append(part)
                missing -= len(part)
        except EOFError:
            self._how_damaged = "compressed data that are cut off"
        except Exception as problem:
            # what the system says (with a number) is not about the data; the readers of zstd have exceptions of their
            # own, which can be named only if they are there
            about_data = isinstance(problem, zlib.error) or (isinstance(problem, OSError) and problem.errno is None)
            if not about_data and type(problem).__name__ not in ("ZstdError", "ArrowInvalid"):
                raise
            self._how_damaged = f"damaged compressed data ({problem})"
        return b"".join(parts)


def normalised(data: bytes) -> bytes:
    """The same lines, each ended by one ``\\n`` however it was ended before."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
        if b"\r" in data:
            data = _LINE_END.sub(b"\n", data)
    return data


class _Begun(io.RawIOBase):
    """A stream of which the first bytes have been read already, from its beginning."""

    def __init__(self, first: bytes, rest: io.BufferedReader[Any]) -> None:
        self._first = first
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer)
        data, self._first = self._first[: len(view)] or self._rest.read1(len(view)), self._first[len(view) :]
        view[: len(data)] = data
        return len(data)


def _unpacked(pieces: Iterator[bytes], unpacker: Callable[[], Any]) -> Iterator[bytes]:
    """The content of frames of zstd, or members of gzip, one after the other; what comes before a damage is given.

    (The readers of both lose what they unpacked in the call that fails, and that of zstd takes an end in the middle for
    the end.) pieces: the packed bytes. unpacker: gives an object that unpacks one frame. Raises ``EOFError`` for an end
    within a frame.
    """
    frame: Any = None
    packed = b""
    while packed := packed or next(pieces, b""):
        if frame is None:
            packed = packed.lstrip(b"\0")  # between members there may be padding
            if not packed:
                continue
            frame = unpacker()
        before = frame.copy() if hasattr(frame, "copy") else None
        try:
            data: bytes = frame.decompress(packed)
        except zlib.error:
            if len(packed) == 1:
                raise
            single = [packed[place : place + 1] for place in range(len(packed))]
            frame, pieces, packed = before, chain(single, pieces), b""
            continue
        frame, packed = (None, frame.unused_data) if frame.eof else (frame, b"")
        if data:
            yield data
    if frame is not None:
        raise EOFError


def _pieces(raw: BinaryIO) -> Iterator[bytes]:
    return iter(partial(raw.read, _COMPRESSED_PIECE), b"")


def _zstd_pieces(raw: BinaryIO) -> Iterator[bytes]:
    """The headers, blocks and check sums of frames (RFC 8878), one at a time: zstd unpacks a block or nothing of it."""
    while (head := raw.read(5)).startswith(_ZSTD) and len(head) == 5:
        flags = head[4]
        single = flags >> 5 & 1
        yield head + raw.read(1 - single + (0, 1, 2, 4)[flags & 3] + (single, 2, 4, 8)[flags >> 6])
        last = False
        while not last:
            header = raw.read(3)
            value = int.from_bytes(header, "little")
            last = bool(value & 1) or not header
            yield header + raw.read(1 if value >> 1 & 3 == 1 else value >> 3)
        if flags & 4:
            yield raw.read(4)
    yield head
    yield from _pieces(raw)


def _content(first: bytes, raw: io.BufferedReader[Any]) -> Iterator[bytes] | None:
    """The unpacked bytes of a stream that begins so, piece by piece; ``None`` if it is not packed.

    Raises ``InputError`` if nothing that is installed can unpack it.
    """
    if first[:2] == _GZIP:
        return _unpacked(_pieces(raw), lambda: zlib.decompressobj(16 + zlib.MAX_WBITS))
    if first != _ZSTD:
        return None
    for name in ("compression.zstd", "zstandard", "pyarrow"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        if name == "compression.zstd":
            return _unpacked(_zstd_pieces(raw), module.ZstdDecompressor)
        if name == "zstandard":
            return _unpacked(_zstd_pieces(raw), module.ZstdDecompressor().decompressobj)
        return iter(partial(module.CompressedInputStream(raw, "zstd").read, _PIECE), b"")
    raise InputError("zstd data, which this Python cannot read; pip install zstandard (or: gunzip, zstd -d before)")
