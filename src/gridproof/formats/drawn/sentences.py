"""Sentences of the rules in words, each compared with the kinds of ``kinds/`` by a bounded vocabulary.

A sentence is of a kind if all expressions that the kind needs occur, none that it refuses, and *every* word is in the
small list of the kind or in the common one. One unknown word blocks the sentence, so negations and twists block
themselves. Phrases that hold a negation, such as "do not repeat", become one word before (``words.toml``).
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

LONGEST = 500
"""Characters of a sentence that is compared."""

_WORD = re.compile(r"[A-Z]+|[a-z]+|\d+(?:[x:]\d+)?|[^\s\w.,:;()\[\]/{}-]")

COLOURED = ("lines", "bulbs", "ringed", "clones", "patches")
"""Ways to draw of which the words may name colours."""


@dataclass(frozen=True, eq=False)
class Sort:
    """A sort of sentence: how it is worded, and what its drawing looks like; from a file of ``kinds/``.

    names: what headings call it. needs, refuse: expressions. drawing: the way in which its items are found, none for
    a sentence that changes no solution. look, text, colour, joined: of its items; see ``finding``. number: the
    expression of a number in the sentence. implied: words that its name stands for. adds: what a sentence behind it may
    add. rule: the kind of rule that is made, with the names of its parameters.
    """

    name: str
    needs: list[str]
    words: str
    names: str = "(?!)"
    refuse: str = "(?!)"
    drawing: str = ""
    look: str = ""
    text: str = ".*"
    colour: str = ""
    joined: str = ""
    number: str = "(?!)"
    implied: str = ""
    adds: str = "(?!)"
    rule: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence as it stands in the prose, and the sorts that it is of, each with the normal form of its part."""

    text: str
    sorts: tuple[tuple[Sort, str], ...]


@cache
def common() -> dict[str, Any]:
    """Return what the sentences of all kinds have in common."""
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


@cache
def all_sorts() -> list[Sort]:
    """Return the sort of sentence of each file of ``kinds/``."""
    paths = sorted(Path(__file__).parent.glob("kinds/*.toml"))
    return [Sort(path.stem, **tomllib.loads(path.read_text("utf-8"))) for path in paths]


def stem(word: str) -> str:
    """Return a word without its ending, so that inflections are equal; plural "values" is left, which may be a twist.

    Examples
    --------
    >>> stem("increases") == stem("increasing") == stem("increase")
    True
    """
    if word == "values" or word.isupper():
        return word
    for endings in (("es", "s"), ("ing", "ed", "e")):
        word = next((word.removesuffix(e) for e in endings if word.endswith(e) and len(word) - len(e) >= 3), word)
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


_TEXT = {name: re.compile("".join(parts)) for name, parts in common()["text"].items()}
_COLOURS = {stem(word) for word in [*common()["colours"], *common()["shades"].split()]}


class Language:
    """The words and phrases of boards of an order with boxes of a size, such as ``3x3``."""

    def __init__(self, order: int, box: str) -> None:
        values = {"{n}": str(order), "{box}": box or "(?!)", "{no}": common()["no"]}
        self._same = common()["same"]

        def filled(text: str) -> str:
            for name, value in values.items():
                text = text.replace(name, value)
            return text

        self._phrases = [(re.compile(filled(pattern)), word) for word, pattern in common()["phrases"]]
        self._shared = self._stems(common()["common"])
        self._words = {s: self._shared | self._stems(filled(s.words)) for s in all_sorts()}
        self._tests = {
            s: ([re.compile(filled(one)) for one in s.needs], re.compile(filled(s.refuse))) for s in all_sorts()
        }

    def _stems(self, text: str) -> set[str]:
        return {stem(word) for word in _WORD.findall(text)}

    def normal(self, text: str) -> str:
        """Return the normal form of a sentence: small letters, digits for numbers, phrases as words in capitals."""
        text = re.sub(r"(?<=\w)'s\b|(?<=s)'(?=\s|$)|(?<=\b[xv])'(?=s\b)", "", text.lower())
        text = re.sub(r"[a-z]+", lambda word: self._same.get(word[0], word[0]), text)
        text = " ".join(re.sub(r"[\"“”'!?*]|\.(?!\d)|\.$", " ", text).split())
        for pattern, word in self._phrases:
            text = pattern.sub(lambda m, word=word: f" {m.expand(word)} ", text)  # type: ignore[misc]
            text = " ".join(text.split())
        return text

    def _whole(self, text: str) -> tuple[tuple[Sort, str], ...]:
        """Return the one sort of a text in normal form, or the sorts that it only names; empty if there is none."""
        words = self._stems(text)
        fitting = []
        for sort, (needs, refuse) in self._tests.items():
            numbers = {n for match in re.finditer(sort.number, text) for n in match.groups()}
            known = words <= self._words[sort] | numbers | (_COLOURS if sort.drawing in COLOURED else set())
            if known and all(one.search(text) for one in needs) and not refuse.search(text):
                fitting.append(sort)
        if len(fitting) == 1:
            return ((fitting[0], text),)
        kept = " ".join(word for word in text.split() if word in common()["colours"] or word == "both")
        return tuple((sort, f"{sort.implied} {kept}") for sort in self._names(text))

    @lru_cache(maxsize=4096)  # noqa: B019
    def sorts_of(self, text: str, heading: str = "", most: int = 5) -> tuple[tuple[Sort, str], ...]:
        """Return the sorts of a sentence, or of the parts in which all is known; empty if it is not understood."""
        before = f"{heading}: " if heading else ""
        normal = self.normal(before + text)
        if len(normal) > LONGEST:
            return ()
        if sorts := self._whole(normal):
            return sorts
        sorts = self.sorts_of(text, "", most) if heading else ()
        if sorts and (self._names(self.normal(heading)) or not any(sort.drawing for sort, _ in sorts)):
            return sorts
        if either := _TEXT["either"].search(text):
            moves = [f"{text[: either.start()]}{move} move{text[either.end() :]}" for move in either.groups()]
            found = [self.sorts_of(move, heading) for move in moves]
            return found[0] + found[1] if all(found) else ()
        for cut in _TEXT["halves"].finditer(text) if most > 1 else ():
            if first := self._whole(self.normal(before + text[: cut.start()])):
                others = self.sorts_of(text[cut.end() :].rstrip(")."), heading, most - 1)
                if others:
                    return (*first, *others)
        return ()

    def _names(self, text: str) -> list[Sort]:
        """Return the sorts that a text lists by their names, perhaps with colours; empty if one is none."""
        nameless = {*common()["colours"], *common()["nameless"].split()}
        parts = [
            " ".join(word for word in re.findall(r"[\w/>-]+", _TEXT["rules_of"].sub("", part)) if word not in nameless)
            for part in _TEXT["listed"].split(_TEXT["rules_of"].sub("", text))
        ]
        named = [[sort for sort in all_sorts() if re.fullmatch(sort.names, part)] for part in parts]
        return [sort for sorts in named for sort in sorts] if all(named) else []

    def read(self, prose: str) -> list[Sentence]:
        """Return the sentences of the prose, without examples; one may go on with the rule of the one before."""
        read: list[Sentence] = []
        for heading, text in sentences_of(prose):
            whole = f"{heading}: {text}" if heading else text
            if _TEXT["example"].match(text) or any(_TEXT["signed"].fullmatch(one) for one in (text, whole)):
                continue
            sorts, last = self.sorts_of(text, heading), read[-1] if read else Sentence("", ())
            if not sorts and len(last.sorts) == 1:
                ((sort, _),), normal = last.sorts, self.normal(text)
                rest, added = re.subn(sort.adds, "", normal)
                sorts = ((sort, normal),) if added and self._stems(rest) <= self._shared else ()
            elif read and not sorts and not last.sorts and _TEXT["goes_on"].match(text):
                sorts = self.sorts_of(f"{last.text} {whole}", "", 1)
                whole = f"{read.pop().text} {text}" if sorts else whole
            if not sorts and not heading and self._names(self.normal(last.text)):
                sorts = self.sorts_of(text, last.text)
            read.append(Sentence(whole, sorts))
        return read


language = cache(Language)
"""The language for an order and a size of boxes, made once."""


def sentences_of(prose: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a text, each with the heading of its line, or of the lines above it.

    Examples
    --------
    >>> list(sentences_of("- Arrows: Digits on an arrow add up. They may repeat."))
    [('Arrows', 'Digits on an arrow add up.'), ('Arrows', 'They may repeat.')]
    """
    text = unicodedata.normalize("NFKC", prose)
    for pattern, new in common()["spellings"]:
        text = re.sub(pattern, new, text)
    above, example = "", False
    for line in text.splitlines():
        line = line.strip()
        example = bool(line and (example or _TEXT["examples"].fullmatch(line)))
        while bullet := _TEXT["bullet"].match(line):
            line = line[bullet.end() :]
        if not line or example:
            continue
        if line.endswith(":") and len(line.split()) <= 5 and not _TEXT["statement"].match(line):
            above = _TEXT["no_heading"].sub("", line[:-1].strip())
            continue
        named, above = above, ""
        for sentence in _TEXT["sentence_end"].split(line):
            if heading := _TEXT["heading"].fullmatch(sentence):
                named, sentence = _TEXT["no_heading"].sub("", heading[1].strip()), heading[2]
            sentence = re.sub(r"^\((.*)\)\.?$", r"\1", sentence.strip())
            if re.search(r"\w", sentence):
                yield named, sentence
                if named and len(sentence.split()) <= 2:  # "Pink: Renban. Digits are ..."
                    named = f"{named} {sentence.rstrip('.!')}"
