"""The contract of every format. The kit runs over every format result, and over its own examples."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from formats.sample_puzzles import meaning, samples
from gridproof.errors import BoardError, InputError, PuzzleFormatError
from gridproof.formats import Puzzle, Unread, read, read_puzzle
from gridproof.formats.catalog import EXTRAS, Format, all_formats, choose_format, in_file, recognise
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

FOUND = list(all_formats().values())
USUAL = Shapes(Geometry.standard)

every_format = pytest.mark.parametrize("form", FOUND, ids=lambda form: form.name)


@cache
def _written(form: Format) -> tuple[tuple[Puzzle, str], ...]:
    """Each sample that the format can express, with its text."""
    return tuple(
        (puzzle, "".join(in_file(form, [form.write(puzzle)])))
        for puzzle in samples()
        if form.write is not None and _refusal(form, puzzle) is None
    )


def _refusal(form: Format, puzzle: Puzzle) -> str | None:
    """The reason why the format cannot express it."""
    try:
        if form.write is not None:
            form.write(puzzle)
    except BoardError as problem:
        return str(problem)
    return None


def test_no_name_and_no_ending_is_taken_twice() -> None:
    assert len(FOUND) >= 5
    endings = [ending for form in FOUND for ending in form.endings]
    assert len(set(endings)) == len(endings)


@every_format
def test_it_describes_itself(form: Format) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", form.name), "a name can be typed"
    assert form.summary
    assert not form.summary.endswith(".")
    assert form.examples


@pytest.mark.slow
@every_format
def test_it_recognises_its_own_text_and_no_other(form: Format) -> None:
    for other in FOUND:
        texts = [*other.examples, *(text for _, text in _written(other)[::7])]
        for text in texts:
            begins = "".join(text.splitlines(keepends=True)[:20])
            if form.comments or not text.startswith("#"):
                recognised = form.sniff is not None and form.sniff(begins)
                assert recognised == (form is other and form.sniff is not None), f"{form.name}: {begins[:200]}"


@every_format
def test_its_examples_are_puzzles(form: Format) -> None:
    for text in form.examples:
        result = list(form.read(text, USUAL))
        assert result
        assert all(isinstance(puzzle, Puzzle) for puzzle in result), result


@every_format
def test_the_reader_of_all_text_finds_its_puzzles(form: Format) -> None:
    """Puzzles are read alone and, where a line is a puzzle, beside other lines."""
    for text in form.examples:
        boards = [meaning(puzzle.board) for puzzle in form.read(text, USUAL) if isinstance(puzzle, Puzzle)]
        if form.joined is not None and form.joined(text):
            # among other lines its lines may be puzzles of their own
            for puzzle in (read_puzzle(text), read_puzzle(text.replace("\n", "\r\n"))):
                assert [meaning(puzzle.board)] == boards
            continue
        for given in (text, text.replace("\n", "\r\n").encode()):
            assert [meaning(item.board) for item in read(given) if isinstance(item, Puzzle)] == boards
        if form.by_line and "\n" not in text:
            grid = "1234341221434321"
            items = list(read(f"{grid}\n{text}\n{grid}\n", lambda n: Geometry.standard(n)))
            assert [item.line for item in items] == [1, *[2] * len(boards), 3]


@pytest.mark.slow
@every_format
def test_its_text_is_read_as_the_same_puzzle(form: Format) -> None:
    count = 0
    for puzzle, text in _written(form):
        (result,) = form.read(text, USUAL)
        assert isinstance(result, Puzzle), (text, result)
        assert meaning(result.board) == meaning(puzzle.board), text
        assert not result.not_understood
        count += 1
    assert count or form.write is None


@every_format
def test_it_keeps_what_it_claims_to_keep(form: Format) -> None:
    """It keeps nothing else, so that all losses are listed."""
    grid = tuple(map(int, "123456789456789123789123456234567891567891234891234567345678912678912345912345678"))
    board = Board(Geometry.classic(3), (1, *[0] * 80), filled=(0, 2, *[0] * 79))
    if form.name == "killer-text":
        board = Board.empty(Geometry.classic(3)).with_filled((0, 2, *[0] * 79))
    whole = Puzzle(board, grid, "A title", "Nobody", "In words.", (Unread("line 1", "drawn"),))
    if form.write is None:
        return
    (again,) = form.read("".join(in_file(form, [form.write(whole)])), Shapes(Geometry.standard, despite_unread=True))
    assert isinstance(again, Puzzle)
    has = replace(form, keeps=()).lost(again)
    for name in EXTRAS:
        assert (name in has) == (name in form.keeps), name
    for name, mine, theirs in (
        ("title", again.title, whole.title),
        ("author", again.author, whole.author),
        ("rules in words", again.prose, whole.prose),
        ("solution", again.solution, grid),
        ("filled digits", again.board.filled, board.filled),
    ):
        assert mine == theirs or name not in form.keeps


@every_format
def test_what_it_cannot_express_it_refuses_by_name(form: Format) -> None:
    for puzzle in samples():
        if (problem := _refusal(form, puzzle)) is not None:
            assert problem.startswith(f"{form.name} cannot express ")
            assert len(problem) < 1000


@every_format
def test_several_puzzles_of_a_file(form: Format) -> None:
    written = [(puzzle, text) for puzzle, text in _written(form) if puzzle.board.geometry == Geometry.classic(3)][:3]
    if not form.several or form.write is None or not written:
        pytest.skip("one puzzle a file, or none is written")
    text = "".join(in_file(form, [form.write(puzzle) for puzzle, _ in written]))
    items = list(read(text))
    assert [isinstance(item, Puzzle) for item in items] == [True] * len(written), items
    for (puzzle, _), item in zip(written, items, strict=True):
        assert isinstance(item, Puzzle)
        assert meaning(item.board) == meaning(puzzle.board)


@pytest.mark.slow
@every_format
def test_damaged_text_is_one_error_of_ours(form: Format) -> None:
    random = Random(form.name)
    texts = [*form.examples, *(text for _, text in _written(form)[::9])]
    for text in texts:
        for _ in range(8):
            damaged = _damaged(text, random)
            for problem in _problems(form, damaged):
                assert len(str(problem)) < 1500, damaged  # the error for an unknown kind of rule lists all kinds
            assert all(isinstance(item, (Puzzle, PuzzleFormatError)) for item in read(damaged)), damaged


def _problems(form: Format, text: str) -> list[InputError]:
    try:
        return [item for item in form.read(text, USUAL) if not isinstance(item, Puzzle)]
    except InputError as problem:
        return [problem]


def _damaged(text: str, random: Random) -> str:
    place, other = random.randrange(len(text) + 1), random.randrange(len(text) + 1)
    return random.choice(
        (
            text[:place],
            text[place:],
            text[:place] + text[min(place + 3, other) :],
            text[:place] + random.choice("0129aZ{}[]<>,:;'\"~=&%-+|#\\\ud800\x00é\n") + text[place:],
            text[:place] + text[other : other + 30] * random.choice((1, 50)) + text[place:],
        )
    )


def test_no_text_is_of_several_formats_whatever_it_holds() -> None:
    for text in ("", " ", "#", "\n", "{", "[", "hello", "<html>", "0" * 81, "=" * 30, "a: b"):
        assert recognise(text) is None
        assert choose_format(iter([(1, text)]))[0] is None
