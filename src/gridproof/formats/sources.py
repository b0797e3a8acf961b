"""Sources of bytes: files and standard input, compressed or not, by their first bytes and not by their names."""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Self, cast

from gridproof.errors import InputError, PuzzleFormatError

BLOCK = 1 << 22
"""Bytes that are decoded at once: some 50,000 lines."""

LONGEST_LINE = 1 << 26
"""Longest line that is reported as malformed, in bytes. Input with a longer line is not line-oriented."""

LONGEST_GAP = 1 << 24
"""Most bytes of blank lines without anything between them. A small packed file may hold any number."""

_PACKED_PIECE = 1 << 10
"""Compressed bytes that are unpacked at once: they may become thousands of times as many."""

STANDARD_INPUT = "-"

_GZIP, _ZSTD, _PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"
_LINE_END = re.compile(rb"\r*\n|\r")


def exists(path: str | Path) -> bool:
    """Return whether there is a file or folder of this name, which may also be a puzzle."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a puzzle may be longer than a file name can be, or hold what none can
        return False


def is_same_file(output: str, source: str) -> bool:
    """Return whether a result would take the place of its input."""
    return source != STANDARD_INPUT and exists(output) and exists(source) and Path(output).samefile(source)


def utf_16_of(begins: bytes) -> str | None:
    """Return the encoding of a text that begins so, if it is UTF-16: a byte-order mark, or two characters of ASCII."""
    if begins.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even = begins[0:4:2]
    odd = begins[1:4:2]
    if odd == b"\0\0" and all(even):
        return "utf-16-le"
    if even == b"\0\0" and all(odd):
        return "utf-16-be"
    return None


def lines_of(path: str | Path, on_damage: Callable[[PuzzleFormatError], None] | None = None) -> Iterator[bytes]:
    """Yield the lines of a file of text, or of standard input (``-``), compressed by gzip or zstd or not, as they come.

    Parameters
    ----------
    path
        Of the file. Lines of a compressed one come several at once.
    on_damage
        Called for damaged compressed data when the lines before the damage have been given. A reader that is
        interrupted by an exception would lose the lines that it holds back, such as the rows of a board.

    Raises
    ------
    InputError
        As ``Source`` and its ``blocks`` do, for a Parquet file, and for a damage without ``on_damage``.
    """
    with Source(path) as source:
        if source.is_parquet:
            hint = "commands take Parquet, and gridproof.verify_many"
            raise InputError(f"{source.name} is a Parquet file; expected text ({hint})")
        if source.is_compressed or source.is_reopenable:
            yield from source.blocks()
        else:  # whoever writes into a pipe may wait for the answer to a line
            yield from source.lines()
        if source.damage is not None:
            if on_damage is None:
                raise InputError(f"{source.name}: {source.damage}")
            if source.is_file:
                source.damage.source = source.name
            on_damage(source.damage)


class Source:
    """A file, or standard input (``-``), to be read once from its beginning. Use it as a context manager.

    Raises ``OSError`` if it cannot be opened and ``InputError`` for a directory, a closed standard input, or a
    compression that nothing installed can read.
    """

    def __init__(self, path: str | Path) -> None:
        self.is_file = str(path) != STANDARD_INPUT
        self.name = "standard input"
        if self.is_file:
            self.name = str(path)
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
        """True if it can be opened once more, as neither standard input nor a named pipe can."""
        self.size = 0
        if self.is_file:
            self.size = os.fstat(raw.fileno()).st_size
        first = raw.read(4)
        self.is_parquet = first == _PARQUET
        unpacker = _unpacker(first)
        self.is_compressed = unpacker is not None
        self.damage: PuzzleFormatError | None = None
        """The error for damaged compressed data, set when ``blocks`` has come to its end."""
        self._problem = ""
        self._first = first
        self._unpacker = unpacker

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.is_file:
            self._raw.close()

    @property
    def share(self) -> float | None:
        """The share of the file's bytes that has been read; ``None`` if its size is unknown."""
        if self.size and not self._raw.closed:
            return min(1.0, self._raw.tell() / self.size)
        return None

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of a file that is not compressed, as they are. Raises ``InputError`` as ``blocks`` does."""
        first = self._first
        if not first.endswith(b"\n"):
            first += self._raw.readline(LONGEST_LINE)
        if not first:
            return
        blank = 0
        for line in chain([first], iter(partial(self._raw.readline, LONGEST_LINE), b"")):
            if len(line) >= LONGEST_LINE:
                raise self._too_long()
            blank = blank + 1 if line.isspace() else 0
            if blank > LONGEST_GAP:
                raise self._too_blank()
            yield line

    def _too_long(self) -> InputError:
        """Return the error for a line that is no line of a puzzle."""
        return InputError(
            f"{self.name}: a line of more than {LONGEST_LINE >> 20} MB; expected lines of puzzles, a table, "
            "or one of them compressed by gzip or zstd"
        )

    def _too_blank(self) -> InputError:
        """Return the error for blank lines without end."""
        return InputError(f"{self.name}: more than {LONGEST_GAP >> 20} MB of blank lines; expected puzzles")

    def blocks(self) -> Iterator[bytes]:
        """Yield the decompressed bytes in blocks of whole lines, each ended by one ``\\n``, without byte-order mark.

        Where compressed data are damaged or end too soon, they end with the last whole line before, and ``damage`` is
        the error.
        """
        rest = b""
        number = blank = 0
        for data in decode_utf_16(self._data()):
            data = rest + data
            end = data.rfind(b"\n") + 1
            if not end:  # old Macintosh lines; a last \r may be a part of a line end
                end = data.rstrip(b"\r").rfind(b"\r") + 1
            rest = data[end:]
            if len(rest) > LONGEST_LINE:
                raise self._too_long()
            content = len(data.rstrip())
            blank = (0 if content else blank) + len(data) - content
            if blank > LONGEST_GAP:
                raise self._too_blank()
            if end:
                block = normalise_line_ends(data[:end])
                number += block.count(b"\n") if self.is_compressed else 0
                yield block
        if self._problem:  # a line that was cut off might be another puzzle
            problem = f"{self._problem} after {number:,} lines"
            self.damage = PuzzleFormatError(problem, text=Path(self.name).name, expected="a whole compressed file")
        elif rest:
            yield normalise_line_ends(rest + b"\n")

    def _data(self) -> Iterator[bytes]:
        """Yield at least ``BLOCK`` bytes at a time; fewer only at the end, which is also where data are damaged.

        The same input always gives the same blocks, also through a pipe, because an interrupted run is resumed by them.
        """
        unpacker = self._unpacker
        pieces = chain([self._first], read_rest(self._raw, _PACKED_PIECE if unpacker else BLOCK))
        parts, size = [], 0
        try:
            for part in unpack_members(pieces, unpacker) if unpacker else pieces:
                parts.append(part)
                size += len(part)
                if size >= BLOCK:
                    yield b"".join(parts)
                    parts, size = [], 0
        except EOFError:
            self._problem = "compressed data that are cut off"
        except (OSError, MemoryError):
            raise
        except Exception as problem:  # each library that unpacks has an exception of its own
            self._problem = f"damaged compressed data ({problem})"
        yield b"".join(parts)


def decode_utf_16(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Return the same text in UTF-8, without byte-order mark."""
    first = next(blocks)
    blocks = chain([first.removeprefix(codecs.BOM_UTF8)], blocks)
    encoding = utf_16_of(first)
    if encoding is None:
        return blocks
    return (text.encode("utf-8", "replace") for text in codecs.iterdecode(blocks, encoding, "replace"))


def read_rest(raw: io.BufferedReader[Any], size: int) -> Iterator[bytes]:
    """Yield what remains of a stream. A piece of less than ``size`` is the last: a terminal would wait for more."""
    more = True
    while more:
        data = raw.read(size)
        more = len(data) == size
        yield data


def normalise_line_ends(data: bytes) -> bytes:
    """Return the same lines, each ended by one ``\\n`` however it was ended before."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
        if b"\r" in data:
            data = _LINE_END.sub(b"\n", data)
    return data


def unpack_members(pieces: Iterator[bytes], unpacker: Callable[[], Any]) -> Iterator[bytes]:
    """Yield the content of members of gzip, or frames of zstd, one after the other.

    unpacker: makes an object that unpacks one of them. Raises ``EOFError`` for an end within one, which the file
    objects of some libraries take for the end.
    """
    frame = unpacker()
    for packed in pieces:
        while packed:
            if frame.eof:
                packed = packed.lstrip(b"\0")  # between members there may be padding
                if not packed:
                    break
                frame = unpacker()
            data = frame.decompress(packed)
            if data:
                yield data
            packed = frame.unused_data if frame.eof else b""
    if not frame.eof:
        raise EOFError


def _unpacker(first: bytes) -> Callable[[], Any] | None:
    """Return what makes an object that unpacks a stream that begins so; ``None`` if it is not packed.

    Raises ``InputError`` if nothing that is installed can unpack it.
    """
    if first[:2] == _GZIP:
        return partial(zlib.decompressobj, 16 + zlib.MAX_WBITS)
    if first != _ZSTD:
        return None
    try:
        import zstandard
    except ImportError:
        raise InputError(
            "zstd data, which this Python cannot read; pip install zstandard (or: zstd -d before)"
        ) from None
    return lambda: zstandard.ZstdDecompressor().decompressobj()
