"""The state of a puzzle on the screen: what was found about it, what is wrong with the entries, and both in words."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias, get_args

from gridproof.formats import Puzzle
from gridproof.formats.puzzle import count_by_key
from gridproof.puzzle.board import Board
from gridproof.rules.short_names import short_name
from gridproof.solving import Step
from gridproof.text import counted
from gridproof.trust.answer import Status
from gridproof.trust.check import is_solution
from gridproof.trust.verdict import Verdict
from gridproof.widget.analysis import Task
from gridproof.widget.editing import Editor
from gridproof.widget.entries import Entries
from gridproof.widget.findings import Findings, Mistakes
from gridproof.widget.lesson import LessonPlace, places_of

Mode: TypeAlias = Literal["set", "solve", "teach"]
Shown: TypeAlias = Literal["nothing", "candidates", "solution"]
Check: TypeAlias = Literal["nothing", "clashes", "wrong"]

MODES: tuple[Mode, ...] = get_args(Mode)

SWITCHES: dict[str, tuple[object, ...]] = {
    "mode": MODES,
    "show": get_args(Shown),
    "check": get_args(Check),
    "clean": (True, False),
}
"""The switches of the screen, each with its values; the first is the one to begin with."""

LISTED = 3
"""Largest number of clues and rules that a sentence names; the others are counted, and listed below it."""

_TONES = {Status.UNIQUE: "good", Status.MULTIPLE: "warn", Status.NONE: "bad", Status.DISAGREEMENT: "bad"}


class Badge(NamedTuple):
    """A word about the state, and its tone: good, bad, warn, plain, or unread."""

    word: str
    tone: str


NOT_READ = Badge("words not read", "unread")
DRAWINGS_NOT_READ = Badge("not all read", "unread")


class BoardState:
    """A puzzle, what was found about it, and what there is to say about both.

    Attributes
    ----------
    mode, show, check, clean
        As in ``BoardWidget``.
    modes : tuple of str
        The modes that may be chosen.
    editor : Editor
        The puzzle with its histories.
    place : int
        The place in the lesson: the number of one of ``lesson``.
    """

    mode: Mode = "set"
    show: Shown = "nothing"
    check: Check = "nothing"
    clean: bool = True
    place: int = 0
    modes: tuple[Mode, ...] = MODES

    _findings = Findings()
    _hint: Step | None = None
    _level = 1  # how much of the hint is shown, from 1 to 3
    _line: int | None = None  # the number of the line of its story that is shown, if one is
    _remark = ""
    _is_error = False  # whether the remark is an error
    _refused = ""  # the text that was refused because not all of it was read
    _task: Task | None = None
    _lesson: tuple[LessonPlace, ...] = ()
    _lesson_steps = 0  # of how many steps the lesson is made

    def __init__(self, puzzle: Puzzle, *, words_covered: bool = False, entries: Entries | None = None) -> None:
        self.editor = Editor(puzzle, words_covered=words_covered, entries=entries)

    # ---- the puzzle --------------------------------------------------------------------------------------------------

    @property
    def puzzle(self) -> Puzzle:
        """The board with title, author, prose and the solver's marks."""
        return self.editor.puzzle

    @property
    def words_covered(self) -> bool:
        """True if its setter has stated that its words and drawings say nothing beyond its rules on the board."""
        return self.editor.words_covered

    @property
    def board(self) -> Board:
        """Its board."""
        return self.editor.board

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the board without its entries; ``None`` until it is found."""
        return self._findings.verdict

    @property
    def solutions(self) -> int:
        """The number of solutions that were counted."""
        return self._findings.solutions

    @property
    def complete(self) -> bool:
        """True if these are all."""
        return self._findings.complete

    @property
    def lesson(self) -> tuple[LessonPlace, ...]:
        """The places of the lesson, as far as its steps were found."""
        path = self._findings.path
        if len(path) < self._lesson_steps:
            self._lesson, self._lesson_steps = (), 0
        for number in range(self._lesson_steps, len(path)):
            self._lesson += tuple(places_of(path[number], number))
        self._lesson_steps = len(path)
        return self._lesson

    @property
    def _given(self) -> Board:
        """The board without entries, which are no part of the puzzle."""
        return replace(self.board, filled=())

    @property
    def _lesson_place(self) -> LessonPlace | None:
        """The place of the lesson that is shown."""
        lesson = self.lesson
        if self.mode != "teach" or not lesson:
            return None
        return lesson[min(self.place, len(lesson) - 1)]

    @property
    def _step(self) -> Step | None:
        """The hint, or the step of the lesson."""
        place = self._lesson_place
        if place is not None:
            return self._findings.path[place.step]
        return self._hint if self.mode == "solve" else None

    @property
    def _shown_level(self) -> int:
        """Part of the step that is shown, from 1 to 3 as of ``Step.hint``; 0 if there is none."""
        place = self._lesson_place
        if place is not None:
            return place.level
        return self._level if self._step else 0

    @property
    def _shown_line(self) -> int | None:
        """The number of the line of the story that is shown, if one is."""
        place = self._lesson_place
        return place.line if place is not None else self._line

    # ---- the verdict -------------------------------------------------------------------------------------------------

    @property
    def _is_in_part(self) -> bool:
        """True if words or drawings may say more than the rules on the board, so that no verdict is one on the puzzle.

        A stored solution that is the only one confirms that they do not.
        """
        if not self.editor.has_unread_words and not self.editor.unread:
            return False
        verdict = self.verdict
        stored = self.puzzle.solution
        is_confirmed = verdict is not None and verdict.is_unique and verdict.solutions[0] == stored
        return not is_confirmed

    def _badges(self) -> list[Badge]:
        """Return the state in words: the first is the state itself."""
        if self.mode == "teach":
            number = len(self._findings.path)
            place = self._lesson_place
            if place is None:
                return [Badge("no steps", "plain")]
            return [Badge(f"step {place.step + 1} of {number}", "plain")]
        badge = self._badge_of_solving() if self.mode == "solve" else self._badge_of_setting()
        if not self._is_in_part:
            return [badge]
        return [badge, DRAWINGS_NOT_READ if self.editor.unread else NOT_READ]

    def _badge_of_setting(self) -> Badge:
        """Return the verdict; one on a part of the rules has no tone, and without what was drawn there is none."""
        verdict = self.verdict
        if verdict is None:
            is_over = self._findings.looked or not self._task
            return Badge("not checked" if is_over else "checking", "plain")
        if self.editor.unread:
            return Badge("no verdict", "plain")
        word = self._findings.number_in_words if verdict.status is Status.MULTIPLE else str(verdict.status)
        tone = "plain" if self._is_in_part else _TONES.get(verdict.status, "plain")
        return Badge(word, tone)

    def _badge_of_solving(self) -> Badge:
        """Return how far the solver is."""
        mistakes = self._mistakes()
        if self._solved:
            return Badge("full", "plain") if self._is_in_part else Badge("solved", "good")
        if mistakes.clashing:
            return Badge(f"{len(mistakes.clashing)} clash", "bad")
        if mistakes.differing:
            return Badge(f"{len(mistakes.differing)} wrong", "bad")
        if self._is_full:
            return Badge("full, but not right", "bad")
        entered = len(self.board.filled) - self.board.filled.count(0)
        return Badge(f"{entered} of {self.board.clues.count(0)}", "plain")

    # ---- in sentences ------------------------------------------------------------------------------------------------

    def _sentence(self) -> str:
        """Return the state in a sentence, or in one for each part."""
        lines: list[str] = []
        step = self._step
        if self._remark:
            lines.append(self._remark)
        elif step:
            lines.append(step.hint(self._shown_level))
        elif self.mode == "set":
            lines = self._sentences_of_setting()
        elif self.mode == "solve":
            lines = self._sentences_of_solving()
        return "\n".join(f"{line[0].upper()}{line[1:].rstrip('.')}." for line in lines)

    def _sentences_of_setting(self) -> list[str]:
        """Return the verdict, and what explains it."""
        found = self._findings
        lines: list[str] = []
        if found.verdict is None:
            return lines
        if self.editor.unread:
            lines.append(
                f"parts that may be rules were not read: {count_by_key(self.editor.unread)}; add them as rules, and"
                " state under Rules that these are all"
            )
        elif self._is_in_part:
            lines.append("by the rules on the board alone, because nobody has read the rules in words")
        if found.explanation:
            sentences = found.explanation.sentences(LISTED)
            lines += sentences[1:] if self.editor.unread else sentences  # the first one is the verdict
        elif not self.editor.unread:
            lines.append(found.verdict.sentence())
        return lines

    def _lists(self) -> list[tuple[str, list[str]]]:
        """Return what the sentences only count: a label and the names of each list."""
        explanation = self._findings.explanation
        if self.mode != "set" or explanation is None:
            return []
        lists: list[tuple[str, list[str]]] = []
        board = explanation.board
        names = [" + ".join(one.names(board)) for one in explanation.corrections]
        if len(names) > 1:
            lists.append((f"all {counted(len(names), 'correction')}", names))
        for conflict in explanation.conflicts:
            if conflict.size > LISTED:
                lists.append((f"what contradicts each other ({conflict.count_text()})", conflict.names(board)))
        clues = [board.geometry.cell_name(cell) for cell in explanation.redundant]
        rules = [short_name(board.rules[number], board.geometry) for number in explanation.redundant_rules]
        for noun, names in (("clues", clues), ("rules", rules)):
            if len(names) > LISTED:
                lists.append((f"{noun} that can be left out, one at a time ({len(names)})", names))
        return lists

    def _sentences_of_solving(self) -> list[str]:
        """Return what is wrong with the entries, as far as that is to be shown."""
        found = self._findings
        if self._solved:
            if self._is_in_part:
                return ["every cell agrees with the rules on the board; nobody has read the rest"]
            return ["every cell is right"]
        mistakes = self._mistakes()
        lines: list[str] = []
        if mistakes.clashing:
            lines.append(f"entries that clash: {self._names_of(mistakes.clashing)}")
        if mistakes.differing:
            lines.append(f"entries that differ from the solution: {self._names_of(mistakes.differing)}")
        lines += mistakes.broken
        if self._is_full and not lines:
            lines.append("the grid is full, but not right")
        elif self.check != "nothing" and not lines:
            is_only = found.complete and found.solutions == 1 and self.check == "wrong"
            lines.append("no entry is wrong" if is_only and not self._is_in_part else "no entries clash")
        if found.verdict is not None and found.solutions != 1 and not self.editor.unread:
            lines.append(found.verdict.sentence())
        return lines

    def _names_of(self, cells: Collection[int]) -> str:
        """Return the names of some cells, in order."""
        return " ".join([self.board.geometry.cell_name(cell) for cell in sorted(cells)])

    # ---- the entries -------------------------------------------------------------------------------------------------

    @property
    def _entered(self) -> tuple[int, ...]:
        """The symbols of clues and entries; 0 in an empty cell."""
        board = self.board
        return tuple([max(pair) for pair in zip(board.clues, board.filled or board.clues, strict=True)])

    @property
    def _is_full(self) -> bool:
        return self.mode == "solve" and bool(self.board.filled) and all(self._entered)

    @property
    def _solved(self) -> bool:
        return bool(self.board.filled) and is_solution(self._given, self._entered)

    def _wrong(self) -> Collection[int]:
        """Return the entries that are shown as wrong."""
        mistakes = self._mistakes()
        return mistakes.clashing | mistakes.differing

    def _mistakes(self) -> Mistakes:
        """Return the wrong entries of the solver, as far as they are to be shown."""
        board = self.board
        if self.mode != "solve" or self.check == "nothing":
            return Mistakes()
        entries = {cell for cell, entry in enumerate(board.filled) if entry}
        clashing: set[int] = set()
        broken: list[str] = []
        for contradiction in replace(self._given, clues=self._entered).contradictions():
            if contradiction.kind == "clash":
                clashing |= entries.intersection(contradiction.cells)
            elif contradiction.kind == "rule":
                broken.append(contradiction.message)
        differing: set[int] = set()
        verdict = self.verdict
        if self.check == "wrong" and verdict is not None and verdict.is_unique and not self._is_in_part:
            solution = verdict.solutions[0]
            differing = {cell for cell in entries - clashing if board.filled[cell] != solution[cell]}
        return Mistakes(clashing, differing, broken)
