"""The compression of puzzle links: lz-string (pieroxy 2013) in base64, an LZ78 code with a growing dictionary.

Text is a sequence of 16-bit units. A link may come from anywhere, so the length of what it unpacks to is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import iter_unpack

from gridproof.errors import InputError

MOST_UNITS = 4_000_000
"""Units of unpacked text at most; the largest known puzzle has some 60,000."""

_ALPHABET = {c: f"{k:06b}" for k, c in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}
_LETTERS = {bits: letter for letter, bits in _ALPHABET.items()}
_END = 2
"""The code behind the last phrase."""


def unpack(text: str, most: int = MOST_UNITS) -> str:
    """Return the text behind a payload in base64.

    Parameters
    ----------
    text : str
        The payload; ``-`` and ``_`` stand for ``+`` and ``/``, blanks for ``+`` that a server has changed.
    most : int
        Units after which it is refused.

    Raises
    ------
    InputError
        If it is no such payload, is cut off, or unpacks to more.

    Examples
    --------
    >>> unpack(pack("r1c1 r1c1 r1c1"))
    'r1c1 r1c1 r1c1'
    """
    text = text.strip().rstrip("=").replace(" ", "+").replace("-", "+").replace("_", "/")
    try:
        bits = "".join([_ALPHABET[character] for character in text])[::-1]  # of a number the lowest bit comes first
    except KeyError as problem:
        raise InputError(f"character {problem.args[0]!r} in a payload; expected base64") from None
    unread = len(bits)

    def read(width: int) -> int:
        nonlocal unread
        unread -= width
        if unread < 0:
            raise InputError("a payload that is cut off; expected all of it")
        return int(bits[unread : unread + width], 2)

    entries: list[str] = ["", "", ""]  # two codes announce a new character, the third is the end
    phrases: list[str] = []
    length, before = 0, ""
    while (code := read(len(entries).bit_length())) != _END:
        if code < _END:
            entries.append(chr(read(16 if code else 8)))
            code = len(entries) - 1
        if code > len(entries) - (not before):
            raise InputError("a payload with an undefined reference; expected lz-string in base64")
        if code < len(entries):
            entry = entries[code]
        else:
            entry = before + before[0]
        length += len(entry)
        if length > most:
            raise InputError(f"a payload that unpacks to more than {most:,} characters; expected a puzzle")
        phrases.append(entry)
        if before:
            entries.append(before + entry[0])
        before = entry
    # a character may be split between two phrases
    return "".join(phrases).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def pack(text: str) -> str:
    """Return the payload for a text, as ``unpack`` reads it."""
    units = "".join(chr(unit) for (unit,) in iter_unpack("<H", text.encode("utf-16-le", "surrogatepass")))
    bits = "".join([f"{value:0{width}b}"[::-1] for value, width in encode_parts(units)])
    bits += "0" * (6 - len(bits) % 6)  # the program that reads it may look one bit ahead
    payload = "".join([_LETTERS[bits[k : k + 6]] for k in range(0, len(bits), 6)])
    return payload + "=" * (-len(payload) % 4)


def encode_parts(units: str) -> Iterator[tuple[int, int]]:
    """Yield each number that stands for a part of a text, and the bits in which it is written."""
    codes = {units[:1]: 3}
    start, is_new = 0, True
    entries = _END  # how many codes the reader can distinguish, less one at its beginning
    while start < len(units):
        end = start + 1
        while end < len(units) and units[start : end + 1] in codes:
            end += 1
        phrase, following = units[start:end], units[end : end + 1]
        if is_new:  # then it is one character, which is written out
            large = ord(phrase) > 255
            yield large, entries.bit_length()
            yield ord(phrase), 16 if large else 8
            entries += 1
        else:
            yield codes[phrase], entries.bit_length()
        entries += 1
        is_new = following not in codes
        for entry in (following, phrase + following):
            codes.setdefault(entry, len(codes) + 3)
        start = end
    yield _END, entries.bit_length()
