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
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self, cast

from gridproof.errors import InputError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

BLOCK = 1 << 22
"""Bytes that are decoded at once: some 50,000 lines."""

LONGEST_LINE = 1 << 26
"""Bytes. A line of up to this length may be malformed; an input with a longer one is none of lines."""

_PIECE = 1 << 16
"""Bytes asked of a reader of zstd at once: what comes before a damage in the same piece is lost."""

_COMPRESSED_PIECE = 1 << 12
"""Compressed bytes unpacked at once: they may become thousands of times as many."""

STANDARD_INPUT = "-"

_GZIP, _ZSTD, _PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""How a text in UTF-16 begins."""

_LINE_END = re.compile(rb"\r*\n|\r")


def exists(path: str | Path) -> bool:
    """Whether there is a file or folder of this name, which may also be a puzzle."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a puzzle may be longer than a file name can be, or hold what none can
        return False


def lines_of(path: str | Path) -> Iterator[bytes]:
    """The lines of a file of text, compressed by gzip or zstd or not, as they come; several at once from compressed.

    Raises as ``Source`` and its ``blocks`` do, and ``InputError`` for a Parquet file.
    """
    with Source(path) as source:
        if source.is_parquet:
            raise InputError(
                f"{path} is a Parquet file; expected text (`gridproof verify FILE -o RESULT` takes Parquet, too)"
            )
        if not source.is_compressed:
            yield from source.stream
            return
        yield from source.blocks()
        if source.damage is not None:
            raise source.damage


class Source:
    """A file, or standard input (``-``), to be read once from its beginning. Use it as a context manager.

    Raises ``OSError`` if it cannot be opened and ``InputError`` for a directory or a compression that nothing
    installed can read.
    """

    def __init__(self, path: str | Path) -> None:
        self.name = str(path)
        self.is_file = self.name != STANDARD_INPUT
        self._close = ExitStack()
        if not self.is_file:
            raw = cast(io.BufferedReader, sys.stdin.buffer)
        else:
            if Path(path).is_dir():
                raise InputError(f"{self.name} is a folder; expected a file")
            raw = self._close.enter_context(io.BufferedReader(io.FileIO(path), 1 << 20))
        self._raw = raw
        self.size = os.fstat(raw.fileno()).st_size if self.is_file else 0
        first = raw.peek(4)[:4]
        if len(first) < 4 and not self.is_file:  # a pipe may give fewer at first than there are to come
            first = raw.read(4)
            raw = io.BufferedReader(_Begun(first, raw))
        self.is_parquet = first == _PARQUET
        unpack = _unpacker(first, raw)
        self.is_compressed = unpack is not None
        self.damage: InputError | None = None
        self.stream: BinaryIO = raw
        self._some = unpack or raw.read1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close.close()

    @property
    def identity(self) -> list[str | int] | None:
        """Path, size and time of the last change; ``None`` for standard input."""
        if not self.is_file:
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

    def blocks(self, size: int | None = None) -> Iterator[bytes]:
        """The decompressed bytes in blocks of whole lines, each line ended by one ``\\n``, without byte-order mark.

        size: of a block, ``BLOCK`` if it is not given. Where compressed data are damaged or end too soon, they end with
        the last whole line before; ``damage`` is the ``InputError`` that says so. Raises it if there is no such line.
        """
        rest = b""
        first, given = True, False
        recode: Callable[[bytes, bool], str] | None = None
        while True:
            data = self._read(size or BLOCK)
            more = bool(data)
            if first:
                recode = codecs.getincrementaldecoder("utf-16")("replace").decode if data.startswith(UTF_16) else None
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
                given = True
                yield normalised(data[:end])
        if self.damage is not None and not given:
            raise self.damage
        if rest and self.damage is None:  # a line that was cut off might be another puzzle
            data = normalised(rest)
            yield data if data.endswith(b"\n") else data + b"\n"

    def _read(self, size: int) -> bytes:
        """So many bytes; fewer only at the end, which is also where data are damaged."""
        parts: list[bytes] = []
        try:
            while size > 0 and self.damage is None and (part := self._some(size)):
                parts.append(part)
                size -= len(part)
        except (EOFError, zlib.error) as problem:
            self._damaged(f"damaged or cut off: {problem}")
        except OSError as problem:
            if problem.errno is not None:  # what the system says is not about the data
                raise
            self._damaged(f"damaged: {problem}")
        except Exception as problem:
            # the readers of zstd have exceptions of their own, which can be named only if they are there
            if type(problem).__name__ not in ("ZstdError", "ArrowInvalid"):
                raise
            self._damaged(f"damaged: {problem}")
        return b"".join(parts)

    def _damaged(self, how: str) -> None:
        self.damage = InputError(f"{self.name}: {how}; expected a whole compressed file")


def normalised(data: bytes) -> bytes:
    """The same lines, each ended by one ``\\n`` however it was ended before."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
        if b"\r" in data:
            data = _LINE_END.sub(b"\n", data)
    return data


class _Begun(io.RawIOBase):
    """A stream of which the first bytes have been read already, from its beginning."""

    def __init__(self, first: bytes, rest: io.BufferedReader) -> None:
        self._first = first
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer)
        data, self._first = self._first[: len(view)] or self._rest.read1(len(view)), self._first[len(view) :]
        view[: len(data)] = data
        return len(data)


class _Frames:
    """Frames of zstd, one after the other. (The module's own reader takes an end in the middle for the end.)

    unpacker: gives an object that unpacks one frame.
    """

    def __init__(self, raw: BinaryIO, unpacker: Callable[[], Any]) -> None:
        self._raw = raw
        self._unpacker = unpacker
        self._frame: Any = None
        self._packed = b""

    def read(self, size: int) -> bytes:
        """Some bytes, perhaps more than ``size``; none at the end. Raises ``EOFError`` for an end within a frame."""
        while packed := self._packed or self._raw.read(_COMPRESSED_PIECE):
            frame = self._frame = self._frame or self._unpacker()
            data: bytes = frame.decompress(packed)
            self._packed = b""
            if frame.eof:
                self._frame, self._packed = None, frame.unused_data
            if data:
                return data
        if self._frame is not None:
            raise EOFError("it ends within a frame")
        return b""


def _unpacker(first: bytes, raw: io.BufferedReader) -> Callable[[int], bytes] | None:
    """What gives some of the unpacked bytes of a stream that begins so, none at the end; ``None`` if it is not packed.

    Raises ``InputError`` if nothing that is installed can unpack it.
    """
    if first[:2] == _GZIP:
        import gzip

        return gzip.GzipFile(fileobj=raw).read1
    if first != _ZSTD:
        return None
    for name in ("compression.zstd", "zstandard", "pyarrow"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        if name == "zstandard":
            return _Frames(raw, module.ZstdDecompressor().decompressobj).read
        read = (module.ZstdFile(raw) if name == "compression.zstd" else module.CompressedInputStream(raw, "zstd")).read
        return lambda size: cast(bytes, read(min(size, _PIECE)))
    raise InputError("zstd data, which this Python cannot read; pip install zstandard (or: gunzip, zstd -d before)")
