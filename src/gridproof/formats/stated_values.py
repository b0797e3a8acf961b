"""The values by which a puzzle is stated, each of a type that its key may have, and whom to blame for what is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats.places import Place
from gridproof.formats.puzzle import MOST_ENTRIES
from gridproof.text import quote, suggest

LARGEST_NUMBER = 10**15
"""Largest number in a file; no parameter of a rule is near it."""

_WORDS = {bool: "true or false", str: "a text", list: "a list", dict: "a table"}


class StatedValues:
    """The values of a puzzle by their keys; each of a type that its key may have.

    values: by key. text: what they were read from. types: the types for each key. required: the key without which there
    is no puzzle, and what is expected of it. Raises ``PuzzleFormatError``.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        text: str,
        place: Place,
        types: Mapping[str, tuple[type, ...]],
        required: Mapping[str, str],
    ) -> None:
        self._values = values
        self._text = text
        self._place = place
        self._refuse_sizes()
        for key, value in values.items():
            if key not in types:
                name = key if key.isidentifier() else quote(key)
                raise self.error(key, f"unknown key {name:.80}; {suggest(key, types)}")
            if type(value) not in types[key]:
                expected = " or ".join([_WORDS[kind] for kind in types[key]])
                raise self.error(key, f"{key} = {value!r:.60}; expected {expected}")
        for key, expected in required.items():
            if key not in values:
                raise self.error("", f"no key {key}; expected {expected}")

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key."""
        return self._values.get(key, default)

    # ---- places ------------------------------------------------------------------------------------------------------

    def error(self, where: str, problem: str) -> PuzzleFormatError:
        """Return the error for a key, or a rule such as ``rule 2``; for the whole text if ``where`` is empty."""
        return self._place.error(problem, "", "", given=self._text)

    @contextmanager
    def blame(self, where: str) -> Iterator[None]:
        """Blame a key, or the rule of a number, for errors inside; a text in a value keeps the place that it has."""
        try:
            yield
        except PuzzleFormatError as inside:
            problem = f"{where}: {inside.problem}"
            column = inside.column or 1
            raise self._place.error(problem, inside.text, inside.expected, inside.line, column) from None
        except InputError as inside:
            message = str(inside)
            raise self.error(where, message if message.startswith(where) else f"{where}: {message}") from None

    def place_of_text(self, key: str) -> Place:
        """Return where the text begins that is the value of a key."""
        return self._place

    # ---- sizes -------------------------------------------------------------------------------------------------------

    def _refuse_sizes(self) -> None:
        """Refuse numbers and lists beyond any puzzle's."""
        for key, value in self._values.items():
            if key == "rule" and isinstance(value, list):
                self._refuse_size(value, key)
                for number, rule in enumerate(value, 1):
                    self._refuse_sizes_in(rule, f"rule {number}")
            else:
                self._refuse_sizes_in(value, key)

    def _refuse_sizes_in(self, value: object, where: str) -> None:
        """Refuse numbers and lists beyond any puzzle's, in a value and all its parts."""
        self._refuse_size(value, where)
        if isinstance(value, dict):
            for part in value.values():
                self._refuse_sizes_in(part, where)
        elif isinstance(value, list):
            for part in value:
                self._refuse_sizes_in(part, where)

    def _refuse_size(self, value: object, where: str) -> None:
        if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            problem = f"a number of {value.bit_length():,} bits; expected at most {LARGEST_NUMBER:,}"
            raise self.error(where, f"{where}: {problem}")
        if isinstance(value, (list, dict)) and len(value) > MOST_ENTRIES:
            raise self.error(where, f"{where}: {len(value):,} entries; expected at most {MOST_ENTRIES:,}")
