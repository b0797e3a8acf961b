"""Images of a puzzle: the same puzzle under symmetries, so that a class of pupils, or a test set, gets it in disguise.

A symmetry moves cells, renames symbols, or both. On a classic board all of them are taken: symbols in any order, bands,
stacks, the lines in them, and a transposition if the boxes are square. On a board with rules or further houses only
those are taken that keep all of it: turns and mirror images, other names of the symbols (``symmetries``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from gridproof.errors import BoardError, InputError
from gridproof.generation.symmetries import Renames, Symmetry, content_of, is_classic_shape, kept_moves
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple

MOST_REPEATS = 500
"""Images that came before, one after the other, after which there are taken to be no others."""

AT_ONCE = 10_000
"""Images of a classic board that are made together."""

MOST_BLOCKS = 50
"""Attempts to make so many images of a classic board, after which there are taken to be no others."""


@dataclass(frozen=True)
class Image:
    """An image of a puzzle.

    Attributes
    ----------
    board : Board
        The puzzle.
    solution : tuple of int, or None
        The image of the solution, if one was given.
    """

    board: Board
    solution: SymbolTuple | None


def images(board: Board, count: int = 1, *, seed: int = 0, solution: Sequence[int] | None = None) -> Iterator[Image]:
    """Yield different images of a puzzle under random symmetries, none of them the puzzle itself.

    Parameters
    ----------
    board
        The puzzle.
    count
        The number of images.
    seed
        The seed of all random choices: the same seed gives the same images.
    solution
        A solution of the puzzle, whose image goes with each.

    Raises
    ------
    BoardError
        If no symmetry keeps the houses and rules of the board but the one that changes nothing.
    InputError
        If there are not as many images, after those that there are.

    Examples
    --------
    >>> from gridproof import parse, verify
    >>> board = parse("1... ..2. .3.. ...4")
    >>> made = list(images(board, 5, seed=1))
    >>> len({image.board for image in made}), all(verify(image.board).is_unique for image in made)
    (5, True)
    """
    if is_classic(board):
        yield from classic_images(board, count, seed, solution)
        return
    random = Random(f"images {seed}")
    moves = list(kept_moves(board))
    renames = Renames(board)
    if len(moves) == 1 and not renames.any:
        reason = "no turn, no mirror image and no other names of its symbols keep its houses and rules"
        raise BoardError(f"no images of this board: {reason}")
    seen = {content_of(board)}
    repeats = 0
    made = 0
    while made < count:
        symmetry = Symmetry(random.choice(moves), renames.choose(random))
        image = symmetry.of_board(board)
        content = content_of(image)
        if content in seen:
            repeats += 1
            if repeats > MOST_REPEATS:
                raise InputError(
                    f"{count:,} images; expected at most {made:,}, since this board seems to have no others"
                )
            continue
        seen.add(content)
        repeats = 0
        made += 1
        yield Image(image, None if solution is None else symmetry.of_grid(solution))


def is_classic(board: Board) -> bool:
    """Return whether all symmetries of a board with boxes, or of a Latin square, are those of the puzzle."""
    is_plain = not board.rules and board.marks is None and not any(board.filled or ())
    return is_plain and is_classic_shape(board.geometry)


# ---- classic boards --------------------------------------------------------------------------------------------------


def classic_images(board: Board, count: int, seed: int, solution: Sequence[int] | None) -> Iterator[Image]:
    """Yield different images of a classic board; see ``images``."""
    for puzzles, grids in different_arrays(board, count, seed, solution):
        solutions: Iterable[list[int] | None] = [None] * len(puzzles)
        if grids is not None:
            solutions = grids.tolist()
        for puzzle, grid in zip(puzzles.tolist(), solutions, strict=True):
            yield Image(Board.trusted(board.geometry, tuple(puzzle)), None if grid is None else tuple(grid))


def image_lines(
    board: Board, count: int, seed: int, solution: Sequence[int] | None
) -> Iterator[tuple[list[str], list[str] | None]]:
    """Yield the texts of different images of a classic board up to order 35 and of their solutions, many at a time.

    Raises ``InputError`` as ``images`` does, and gives the same images.
    """
    from gridproof.bulk.chunks import encode_grids, to_texts

    order = board.geometry.symbol_count
    for puzzles, grids in different_arrays(board, count, seed, solution):
        solutions = None if grids is None else to_texts(encode_grids(grids, order))
        yield to_texts(encode_grids(puzzles, order)), solutions


def different_arrays(board: Board, count: int, seed: int, solution: Sequence[int] | None) -> Iterator[tuple[Any, Any]]:
    """Yield clues and solutions of different images of a classic board, (images, cells), up to so many in all."""
    import numpy as np

    seen = {np.array(board.clues, np.uint8).tobytes()}
    made = 0
    block = 0
    while made < count:
        wanted = min(AT_ONCE, count - made)
        puzzles, grids = image_arrays(board.geometry, board.clues, solution, wanted, seed, block)
        new = []
        for number, row in enumerate(puzzles):
            text = row.tobytes()
            if text not in seen:
                seen.add(text)
                new.append(number)
        if block > MOST_BLOCKS + 2 * count // AT_ONCE:
            raise InputError(f"{count:,} images; expected at most {made:,}, since this board seems to have no others")
        made += len(new)
        block += 1
        yield puzzles[new], None if grids is None else grids[new]


def image_arrays(
    geometry: Geometry, clues: Sequence[int], solution: Sequence[int] | None, count: int, seed: int, block: int = 0
) -> tuple[Any, Any]:
    """Return clues and solutions of random images of a classic board as arrays of (count, cells) symbols.

    The solutions are ``None`` if none is given. block: a further seed, for the next images of the same puzzle.
    """
    import numpy as np

    random = np.random.default_rng([seed, block])
    order = geometry.symbol_count
    high, wide = geometry.box_shape or (order, order)
    rows = random_lines(random, count, order, high)
    columns = random_lines(random, count, order, wide)
    sources = rows[:, :, None] * order + columns[:, None, :]
    if high == wide:
        transposed = columns[:, None, :] * order + rows[:, :, None]
        sources = np.where(random.integers(0, 2, count)[:, None, None] == 1, transposed, sources)
    sources = sources.reshape(count, order * order)
    names = np.zeros((count, order + 1), np.int64)
    names[:, 1:] = random.permuted(np.tile(np.arange(1, order + 1), (count, 1)), axis=1)
    made: list[Any] = []
    for symbols in (clues, solution):
        if symbols is None:
            made.append(None)
            continue
        taken = np.array(tuple(symbols), np.int64)[sources]
        made.append(np.take_along_axis(names, taken, axis=1).astype(np.uint8))
    return made[0], made[1]


def random_lines(random: Any, count: int, order: int, size: int) -> Any:
    """Return random orders of lines, (count, order): bands of so many lines in any order, and the lines in each.

    A size of 1 or of the whole order leaves any order of the lines.
    """
    import numpy as np

    bands = order // size
    order_of_bands = random.permuted(np.tile(np.arange(bands), (count, 1)), axis=1)
    in_band = random.permuted(np.tile(np.arange(size), (count, bands, 1)), axis=2)
    return (order_of_bands[:, :, None] * size + in_band).reshape(count, order)
