"""The way out of the commands that make puzzles: which form, where to, and which puzzle goes to which file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from gridproof.errors import InputError
from gridproof.formats.catalog import Format, all_formats
from gridproof.formats.known.text import to_line
from gridproof.formats.one_line import is_stated, text_of
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shape
from gridproof.output.columns import Columns, Made, refuse_lines
from gridproof.output.places import Place, Records, Rows, Texts
from gridproof.output.sets import Split, path_of_set
from gridproof.runs import tables
from gridproof.runs.frames import Types, arrow
from gridproof.text import suggest

LINES = "lines"
"""The form of puzzles as a command prints them for people."""

TABLES = ("csv", "jsonl", "parquet")
"""Forms with columns."""


def form_names() -> list[str]:
    """Return the names of all forms that somebody can ask for: each format that is written, and Parquet."""
    names = [form.name for form in all_formats().values() if form.write is not None]
    return [*names, "parquet"]


def endings() -> dict[str, str]:
    """Return the form of a file by the ending of its name."""
    forms = {".parquet": "parquet", ".pq": "parquet"}
    for form in all_formats().values():
        if form.write is not None:
            forms.update(dict.fromkeys(form.endings, form.name))
    return forms


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """The form, the place and the columns that somebody wants.

    Attributes
    ----------
    to : str or None
        The name of a form; ``None`` for the one that the ending of the path states.
    path : Path or None
        The file; ``None`` for standard output.
    columns : sequence of str, or None
        The columns of a table; ``None`` for those that it has anyway.
    keep : sequence of str
        The columns of the reader's own that are kept.
    split : sequence of float
        The shares of several sets; none for one file.
    rated, with_steps : bool
        Whether a table has ratings, and the path to each solution with its stories.
    """

    to: str | None = None
    path: Path | None = None
    columns: Sequence[str] | None = None
    keep: Sequence[str] = ()
    split: Sequence[float] = ()
    rated: bool = False
    with_steps: bool = False

    def form(self, usual: str) -> str:
        """Return the name of the form. usual: where nothing is stated. Raises ``InputError``."""
        names = form_names()
        if self.to is not None and self.to not in names:
            raise InputError(f"no format is called {self.to!r}; {suggest(self.to, names)}")
        form = self.to or usual
        if self.to is None and self.path is not None:
            known = endings()
            ending = self.path.suffix.casefold()
            if ending not in known:
                raise InputError(f"output {str(self.path)!r}; expected a name that ends in {', '.join(known)}, or --to")
            form = known[ending]
        if form == "parquet" and self.path is None:
            raise InputError("parquet on standard output; expected a file: -o NAME.parquet")
        in_table = {"columns": self.columns, "keep": self.keep, "rate": self.rated, "steps": self.with_steps}
        for name, value in in_table.items():
            if value and form not in TABLES:
                raise InputError(f"--{name} with {form}; expected a table: --to {' or '.join(TABLES)}")
        if self.split and self.path is None:
            raise InputError("--split without a file; expected -o NAME, of which each set gets a number")
        return form

    @property
    def paths(self) -> list[Path]:
        """The files that are written."""
        if self.path is None:
            return []
        if not self.split:
            return [self.path]
        return [path_of_set(self.path, number) for number in range(1, len(self.split) + 1)]


class WayOut:
    """Writes puzzles one by one. A context manager: in the end files hold what was written.

    Parameters
    ----------
    wishes
        What is wanted.
    own
        The columns that a command states, with their types; the first are those of every table of it.
    usual
        The form where nothing is stated: ``lines`` or the name of a format.
    shape
        The shape that a reader of lines and tables states beside them, as in ``text_of``.
    live
        Whether puzzles take long, so that each is printed at once, and files hold those that are finished whatever
        ends the run. Otherwise a run that fails leaves the files that were there before.

    Attributes
    ----------
    form : str
        The name of the form.
    lost : Counter
        How often a format had no place for what came with a puzzle.

    Raises
    ------
    InputError
        For what does not go together, or a file that cannot be written.
    """

    def __init__(
        self, wishes: Wishes, own: Types, *, usual: str = LINES, shape: Shape | None = None, live: bool = False
    ) -> None:
        self.form = wishes.form(usual)
        self.wishes = wishes
        self.lost = Counter[str]()
        self.columns = Columns(
            own,
            wanted=wishes.columns,
            keep=wishes.keep,
            rated=wishes.rated,
            with_steps=wishes.with_steps,
            as_data=self.form == "jsonl",
            shape=shape,
        )
        self._live = live
        self._shape = shape
        self._split = Split(wishes.split) if wishes.split else None
        if self.form == "parquet":
            arrow()
        places = [Place(tables.check_place(path)) for path in wishes.paths]
        if not places:
            places = [Place(None, live=live)]
        self._targets = [_Target(self, place) for place in places]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, _: Any) -> None:
        for target in self._targets:
            if problem is None or self._live:
                target.end()
            else:
                target.drop(problem)

    def add(self, made: Made) -> None:
        """Write a puzzle. Raises ``BoardError`` if the form cannot express it."""
        number = 0
        if self._split is not None:
            number = self._split.choose(self.digest(made))
        self._targets[number].add(made)

    @property
    def needs_digests(self) -> bool:
        """True if the digest of the form of each puzzle is needed."""
        return self._split is not None or (self.form in TABLES and "canonical" in self.columns)

    def digest(self, made: Made) -> str:
        """Return the digest of a puzzle by which its set is chosen; of a board that no symmetry keeps its own text."""
        return self.columns.digest(made) or text_of(made.board)

    def text(self, made: Made, form: Format | None) -> str:
        """Return a puzzle as text. form: the format; ``None`` for what a command prints."""
        if form is None:
            return line_of(made.puzzle, self._shape) if made.line is None else made.line
        text = form.text_of(made.puzzle)
        self.lost.update(form.lost(made.puzzle))
        return text

    @property
    def sizes(self) -> dict[Path, int]:
        """The number of puzzles in each file."""
        return dict(zip(self.wishes.paths, [target.count for target in self._targets], strict=False))

    @property
    def summary(self) -> str:
        """The number of puzzles in each set, in words; empty if there is one file."""
        if self._split is None:
            return ""
        text = ", ".join([f"{path}: {size:,}" for path, size in self.sizes.items()])
        if self._split.equal:
            text += f"; equal to an earlier one, and in its set: {self._split.equal:,}"
        return text


def line_of(puzzle: Puzzle, shape: Shape | None) -> str:
    """Return a puzzle as text for people, in the names of its symbols where that is a line of cells.

    shape: as of ``text_of``.
    """
    board = puzzle.board
    names = puzzle.symbol_texts
    if not names or board.rules or board.marks is not None or not is_stated(board.geometry, shape):
        return text_of(board, shape)
    return to_line(board.clues, board.geometry.with_symbol_texts(names))


class _Target:
    """A file of puzzles, or standard output."""

    def __init__(self, way_out: WayOut, place: Place) -> None:
        self._way_out = way_out
        self._place = place
        self._writer: Any = None
        self._kept: Sequence[str] = ()
        self.count = 0
        self._format = None
        if way_out.form not in TABLES and way_out.form != LINES:
            self._format = all_formats()[way_out.form]

    def add(self, made: Made) -> None:
        """Write a puzzle."""
        form = self._way_out.form
        columns = self._way_out.columns
        if self._format is not None and not self._format.several and self.count:
            raise self._format.refuse("several puzzles in a file", "one")
        if form in TABLES:
            if not self.count:
                self._kept = columns.kept_names(made)
            item: Any = columns.row(made, self._kept)
            refuse_lines(form, item)
        else:
            item = self._way_out.text(made, self._format)
        if self._writer is None:
            self._writer = self._open(made)
        self._writer.add(item)
        self.count += 1

    def _open(self, made: Made) -> Any:
        """Return the writer, when there is a first puzzle."""
        form = self._way_out.form
        if form == "jsonl":
            return Records(self._place)
        if form in TABLES:
            return Rows(form, self._place, self._way_out.columns.types_with(made))
        return Texts(self._format or all_formats()["text"], self._place)

    def end(self) -> None:
        """Finish the file, if there is anything in it."""
        if self._writer is not None:
            self._writer.end()
        self._place.close()

    def drop(self, problem: BaseException) -> None:
        """Leave the file that was there before."""
        self._place.drop(problem)
