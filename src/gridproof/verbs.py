"""Verbs of the command line as functions: ``convert``, ``compile`` and ``show``, which no room has.

``verify``, ``solve``, ``count`` and ``solutions`` stand in ``questions``, ``explain`` and ``candidates`` in
``explanations``, ``certify`` and ``check`` in ``certificates`` and ``compare`` in ``experiments``. They
take whatever is a puzzle, and the options of the command of their name.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import StringIO
from typing import Any, TextIO, TypeAlias, Unpack, overload

from gridproof import backends
from gridproof.backends.protocol import Backend
from gridproof.errors import BoardError, DisagreementError, EncodingError, InputError
from gridproof.expect import expect, expect_flag, texts_of
from gridproof.formats import PuzzleLike, parse, read_puzzle
from gridproof.formats.catalog import Format, all_formats, in_file
from gridproof.formats.drawn import groups_of, note_of_unread, sketches_of
from gridproof.formats.partial import without_inexpressible
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.reading import ReadOptions
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models import catalog, targets
from gridproof.models.targets import Encoding, Model, Target
from gridproof.pictures import Svg, board_svg
from gridproof.pipeline import DEFAULT_BACKEND, Pipeline
from gridproof.puzzle.board import Board
from gridproof.text import suggest
from gridproof.trust.answer import Status
from gridproof.trust.crosscheck import CrossCheck

Writer: TypeAlias = Callable[[Any, TextIO, Board | None, bool], None]
"""Writes a model with the clues of a board (``None`` for the rules alone), and perhaps the names of its variables."""


def convert(
    puzzle: PuzzleLike,
    to: str,
    *,
    title: str | None = None,
    author: str | None = None,
    with_solution: bool = False,
    partly: bool = False,
    limits: Limits = NO_LIMITS,
    **reading: Unpack[ReadOptions],
) -> str:
    """Write a puzzle in another format.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads. Title, author and stored solution go along.
    to
        The name of the format, such as ``"toml"``, ``"text"``, ``"csv"`` or ``"f-puzzles"``; ``gridproof convert
        --help`` lists them.
    title, author
        What stands in place of the title and the author that the puzzle has.
    with_solution
        Whether the only solution is found and stored, so that a player can check a grid.
    partly
        Whether rules that the format cannot express are left out, with a warning that names them.
    limits
        When the search for the solution stops.
    **reading
        The options of ``gridproof.parse``, such as ``rules``.

    Returns
    -------
    str
        The text of a file.

    Raises
    ------
    BoardError
        If the format cannot express the puzzle; nothing is left out in silence. Also if the solution is wanted, and
        there is not exactly one.
    InputError
        For an unknown format, for a title, author or solution that it has no place for, or as ``gridproof.parse`` does.

    Examples
    --------
    >>> import gridproof
    >>> print(gridproof.convert("1... ..2. .3.. ...4", "iss"), end="")
    .Shape~4x4.~R1C1_1~R2C3_2~R3C2_3~R4C4_4
    """
    expect(to, str, "to", "the name of a format")
    written = {name: form for name, form in all_formats().items() if form.write is not None}
    form = written.get(to)
    if form is None:
        raise InputError(f"no format is called {to!r}; {suggest(to, written)}")
    options: ReadOptions = {"despite_unread": False, **reading}
    for name, text in (("title", title), ("author", author)):
        if text is not None:
            expect(text, str, name, "a text")
    expect_flag(with_solution, "with_solution")
    expect_flag(partly, "partly")
    expect(limits, Limits, "limits", "Limits(...)")
    refuse_lost(form, title=title, author=author, with_solution=with_solution)
    record = with_names(read_puzzle(puzzle, **options), title, author)
    if with_solution:
        with Pipeline(limits=limits) as pipeline:
            record = with_only_solution(record, pipeline)
    if not partly:
        return "".join(in_file(form, [form.text_of(record)]))
    record, left_out = without_inexpressible(form, record)
    if left_out:
        sentences = [rule.sentence(record.board.geometry) for rule in left_out]
        warnings.warn(f"{to} cannot express, and leaves out: {'; '.join(sentences)}", RuntimeWarning, stacklevel=2)
    return "".join(in_file(form, [form.text_of(record)]))


def refuse_lost(form: Format, *, title: str | None, author: str | None, with_solution: bool) -> None:
    """Raise ``InputError`` if something is to be written that a format has no place for."""
    wanted = {"title": title is not None, "author": author is not None, "solution": with_solution}
    for name, is_wanted in wanted.items():
        if is_wanted and name not in form.keeps:
            able = [other.name for other in all_formats().values() if other.write is not None and name in other.keeps]
            raise InputError(f"{form.name} has no place for the {name}; expected one of {', '.join(able)}")


def with_names(puzzle: Puzzle, title: str | None, author: str | None) -> Puzzle:
    """Return the puzzle with this title and this author, where they are stated."""
    if title is not None:
        puzzle = replace(puzzle, title=title)
    if author is not None:
        puzzle = replace(puzzle, author=author)
    return puzzle


def with_only_solution(puzzle: Puzzle, pipeline: Pipeline) -> Puzzle:
    """Return the puzzle with its only solution as the stored one.

    Raises ``BoardError`` if there is none, another one, or another one is stored.
    """
    verdict = pipeline.verify(puzzle.board)
    if verdict.status is Status.DISAGREEMENT:
        raise DisagreementError(verdict.reason)
    if verdict.solution is None or not verdict.is_unique:
        raise BoardError(f"no solution to store: the verdict is {verdict.status}; expected a puzzle with exactly one")
    solution = tuple(verdict.solution)
    if puzzle.solution is not None and tuple(puzzle.solution) != solution:
        raise BoardError("the only solution is not the one that is stored; expected the same")
    return replace(puzzle, solution=solution)


@overload
def compile(  # noqa: A001
    puzzle: PuzzleLike, encoding: str | Encoding | None = None, *, to: None = None, **reading: Unpack[ReadOptions]
) -> Model: ...


@overload
def compile(  # noqa: A001
    puzzle: PuzzleLike,
    encoding: str | Encoding | None = None,
    *,
    to: str,
    rules_only: bool = False,
    no_names: bool = False,
    **reading: Unpack[ReadOptions],
) -> str: ...


def compile(  # noqa: A001
    puzzle: PuzzleLike,
    encoding: str | Encoding | None = None,
    *,
    to: str | None = None,
    rules_only: bool = False,
    no_names: bool = False,
    **reading: Unpack[ReadOptions],
) -> Model | str:
    """Compile houses and rules of a puzzle to a model, or write that model for other solvers.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads.
    encoding
        The encoding, by its name, its path, or as an object; ``gridproof encodings`` lists them. Without it, the one
        that ``verify`` takes, or the default for ``to``.
    to
        The format to write, such as ``"dimacs"`` or ``"lp"``; without it, the model is returned.
    rules_only
        Whether to leave out the clues of what is written. The model itself has none.
    no_names
        Whether to leave out the comment for each variable.
    **reading
        The options of ``gridproof.parse``, such as ``rules``.

    Returns
    -------
    Model or str
        The model, with its ``variables`` by name, or the text of the format.

    Raises
    ------
    EncodingError
        For an encoding that is unknown or not for this format.
    InputError
        For an unknown format, or as ``gridproof.parse`` does.

    Examples
    --------
    >>> import gridproof
    >>> model = gridproof.compile("1... ..2. .3.. ...4", "extended")
    >>> model
    <Cnf of 4x4, 2x2 boxes, extended: 64 variables, 384 clauses>
    >>> model.variables.name(7)
    'x[r1c2=3]'
    >>> gridproof.compile("1... ..2. .3.. ...4", to="dimacs").splitlines()[-4:]
    ['1 0', '26 0', '39 0', '64 0']
    """
    if to is not None:
        expect(to, str, "to", "the name of a format, or None")
    if encoding is not None:
        expect(encoding, (str, Encoding), "encoding", "a name, a path ending in .toml, or an Encoding")
    expect_flag(rules_only, "rules_only")
    expect_flag(no_names, "no_names")
    board = parse(puzzle, **reading)
    model, write = model_of(board, encoding, to)
    if to is None:
        return model
    text = StringIO()
    write(model, text, None if rules_only else board, not no_names)
    return text.getvalue()


def model_of(board: Board, encoding: str | Encoding | None, to: str | None) -> tuple[Model, Writer]:
    """Return the model of a board, and what writes it in a format (the usual one of the encoding if none is named).

    Raises ``InputError`` for an unknown format, ``EncodingError`` for an encoding that is not for it.
    """
    named = catalog.load(encoding) if isinstance(encoding, str) else encoding
    target = target_of(to, named)
    chosen = named or catalog.load(target.default_encoding(board.problem))
    if chosen.target != target.name:
        expected = " or ".join(targets.find(chosen.target).formats)
        raise EncodingError(f"{to} with {chosen.name!r}, which is for {chosen.target}; expected {expected}")
    usual_format = next(iter(target.formats))
    return target.compile(board.problem, chosen), target.formats[to or usual_format]


def target_of(to: str | None, named: Encoding | None) -> Target:
    """Return the target that a format belongs to; without one, that of an encoding; without both, the default one's.

    Raises ``InputError`` for an unknown format.
    """
    if to is not None:
        target_of_format = {form: target for target in targets.all_targets().values() for form in target.formats}
        if to not in target_of_format:
            raise InputError(f"no format of models is called {to!r}; {suggest(to, sorted(target_of_format))}")
        return target_of_format[to]
    if named:
        return targets.find(named.target)
    return targets.find(backends.find(DEFAULT_BACKEND).accepts)


def show(
    puzzle: PuzzleLike,
    backend: str | Backend | None = None,
    encoding: str | Encoding | None = None,
    *,
    verify: bool = False,
    title: str = "",
    symbols: Sequence[str] = (),
    limits: Limits = NO_LIMITS,
    cross_check: str | CrossCheck = "all",
    **reading: Unpack[ReadOptions],
) -> Svg:
    """Draw a puzzle. A notebook shows the picture; ``print(board)`` draws a board with characters.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads. Unless there is to be a verdict, it is drawn even if
        something unread may be a rule.
    backend, encoding, limits, cross_check
        As in ``verify``, if that is wanted.
    verify
        Whether to draw the solution, or two where they differ.
    title
        A heading above the drawing.
    symbols
        The names of the symbols, such as ``"ABCD"``; by default those of the puzzle.
    **reading
        The options of ``gridproof.parse``, such as ``rules``.

    Returns
    -------
    Svg
        The picture, with ``save(path)``.

    Raises
    ------
    InputError, BackendUnavailable, EncodingError, Interrupted
        As ``gridproof.verify`` does.

    Examples
    --------
    >>> import gridproof
    >>> gridproof.show("1... ..2. .3.. ...4", verify=True).size
    (169.0, 169.0)
    """
    expect_flag(verify, "verify")
    expect(title, str, "title", "a text")
    decide_despite_unread = reading.get("despite_unread", False)
    expect_flag(decide_despite_unread, "despite_unread")
    # What is unread does not stop the reading for a verdict: ``Pipeline.verify`` looks at it.
    read_despite_unread = verify or reading.get("despite_unread", True)
    reading["despite_unread"] = read_despite_unread
    source = read_puzzle(puzzle, **reading)
    board = source.board
    drawn: dict[str, Any] = {}
    if verify:
        with Pipeline(backend or DEFAULT_BACKEND, encoding, limits=limits, cross_check=cross_check) as pipeline:
            board, drawn = pipeline.verify(source, despite_unread=decide_despite_unread).view()
    groups = groups_of(source)
    names = texts_of(symbols, "symbols", "the names of the symbols") or source.symbol_texts
    note = note_of_unread(source, groups, in_picture=True)
    return board_svg(board, heading=title, notes=[note], sketch=sketches_of(groups, board), symbols=names, **drawn)
