"""The check of a whole certificate: every part that can be checked is, so that a report names all that is wrong."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, get_args

from .findings import CheckerLimits, Claim, Clock, Finding, Refusal, Report, quote
from .folder import list_files, read_file
from .formula import Formula, check_lrat, formula
from .machines import Unrolled
from .rules import Rule, check_rules, parse_rules
from .statement import (
    Board,
    Grid,
    Layout,
    is_number,
    json_object,
    parse_cells,
    parse_geometry,
    parse_solution,
    parse_solutions,
    problem_of_grid,
)

CLAIM_FILE = "claim.json"
STATEMENT_FILES = ("board.txt", "geometry.json", "rules.json")
REFUTATION_FILES = ("formula.cnf", "proof.drat", "proof.lrat")
SOLUTION_FILES: dict[Claim, tuple[str, ...]] = {
    "unique": ("solution.txt",),
    "none": (),
    "multiple": ("solution.txt", "solution2.txt"),
    "count": ("solutions.txt",),
    "at least": ("solutions.txt",),
}
REFUTED: tuple[Claim, ...] = ("unique", "none", "count")
"""Claims that there is no further solution."""

LISTING: tuple[Claim, ...] = ("count", "at least")
"""Claims with a list of all solutions that are known."""
OPTIONAL_FILE = "README.txt"

FORMAT = "gridproof-certificate/3"


def needed_files(claim: Claim) -> tuple[str, ...]:
    """Return the files that a certificate of a claim has beside claim.json."""
    if claim in REFUTED:
        return STATEMENT_FILES + SOLUTION_FILES[claim] + REFUTATION_FILES
    return STATEMENT_FILES + SOLUTION_FILES[claim]


def check(path: str | os.PathLike[str], limits: CheckerLimits | None = None) -> Report:
    """Check the one certificate in a folder. Whatever is wrong is in the report; nothing is raised.

    Parameters
    ----------
    path : path
        The folder.
    limits : CheckerLimits, optional
        The effort that the certificate may cost.

    Returns
    -------
    Report
        Whether the certificate is accepted, and if not, why.

    Examples
    --------
    A Latin square of order 2 without clues has two solutions:

    >>> import json, tempfile
    >>> geometry = json.dumps({"order": 2, "boxes": None, "regions": [], "houses": []})
    >>> files = {"board.txt": "..\\n..\\n", "geometry.json": geometry, "rules.json": '{"rules": []}'}
    >>> files |= {"solution.txt": "12\\n21\\n", "solution2.txt": "21\\n12\\n"}
    >>> digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()}
    >>> claim = {"format": "gridproof-certificate/3", "claim": "multiple", "made": {}, "files": digests}
    >>> with tempfile.TemporaryDirectory() as place:
    ...     for name, text in {**files, "claim.json": json.dumps(claim)}.items():
    ...         _ = Path(place, name).write_bytes(text.encode())
    ...     check(place)
    ...     Path(place, "solution2.txt").unlink()
    ...     check(place).codes()
    <Report: accepted: multiple>
    ('missing-file',)
    """
    return next(_reports(Path(os.fsdecode(path)), limits or CheckerLimits(), expected_one=True))


def check_all(path: str | os.PathLike[str], limits: CheckerLimits | None = None) -> Iterator[Report]:
    """Check each certificate in a folder that holds one, or one in each of its sub-folders.

    Whatever is wrong is in the reports; nothing is raised.

    Parameters
    ----------
    path : path
        The folder.
    limits : CheckerLimits, optional
        The effort that each certificate may cost.

    Returns
    -------
    iterator of Report
        A report for each certificate, then one more if there is none or if files belong to no certificate.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     for report in check_all(place):
    ...         print(report.reasons[0])
    [missing-file] claim.json: no claim.json, so this is no certificate
    """
    return _reports(Path(os.fsdecode(path)), limits or CheckerLimits(), expected_one=False)


def _reports(path: Path, limits: CheckerLimits, expected_one: bool) -> Iterator[Report]:
    try:
        names = list_files(path, limits)
        places = [""]
        if CLAIM_FILE not in names:
            places = [name.removesuffix(CLAIM_FILE) for name in names if name.endswith(f"/{CLAIM_FILE}")]
        if not places:
            raise Refusal("missing-file", "no claim.json, so this is no certificate", CLAIM_FILE)
        if len(places) > 1 and expected_one:
            raise Refusal("several-certificates", f"there are {len(places)} certificates; expected one")
        for place in places:
            own = [name.removeprefix(place) for name in names if name.startswith(place)]
            yield _Check(path, place, own, limits).report()
        stray = [name for name in names if not name.startswith(tuple(places)) and name != OPTIONAL_FILE]
        if stray:
            text = f"{len(stray)} files belong to no certificate; the first of them is {quote(stray[0])}"
            raise Refusal("unexpected-file", text)
    except Refusal as refusal:
        yield Report(str(path), "", False, None, (refusal.finding,))


class Head(NamedTuple):
    """The content of claim.json.

    Attributes
    ----------
    claim
        The claim.
    digests
        The SHA-256 of each file.
    conflict
        For the claim none: cells and rules that contradict each other already.
    solutions
        For a count: the number of solutions, as stated; else ``None``.
    made
        How it was made, as it is.
    """

    claim: Claim
    digests: dict[str, str]
    conflict: dict[str, Any]
    solutions: int | None
    made: Any


def parse_head(data: bytes) -> Head:
    """Parse claim.json."""
    file = CLAIM_FILE
    value = json_object(data, file, {"format", "claim", "made", "files"}, frozenset({"conflict", "solutions"}))
    if value["format"] != FORMAT:
        raise Refusal("unknown-format", f"format {quote(value['format'])}; expected {FORMAT}", file)
    claim = value["claim"]
    files = value["files"]
    conflict = value.get("conflict", {})
    if claim not in get_args(Claim):
        raise Refusal("unknown-claim", f"claim {quote(claim)}; expected one of {', '.join(get_args(Claim))}", file)
    if not isinstance(files, dict) or not all(isinstance(digest, str) for digest in files.values()):
        raise Refusal("bad-json", "files: expected the SHA-256 of each file, by name", file)
    conflict_keys = {"cells", "rules"} if claim == "none" else set()
    if not isinstance(conflict, dict) or conflict.keys() != conflict_keys:
        text = f"conflict is {quote(conflict)}; expected cells and rules for the claim none, and else nothing"
        raise Refusal("bad-conflict", text, file)
    solutions = value.get("solutions")
    if claim in LISTING:
        is_good = is_number(solutions, 0, 10**9)
    else:
        is_good = "solutions" not in value
    if not is_good:
        text = f"solutions is {quote(solutions)}; expected their number for a count, and else nothing"
        raise Refusal("bad-count", text, file)
    return Head(claim, files, conflict, solutions, value["made"])


CERTIFICATE_FILES = {CLAIM_FILE, OPTIONAL_FILE}.union(*[needed_files(claim) for claim in get_args(Claim)])
"""Every file that a certificate can have."""


class _Check:
    """One certificate under check, with the reasons against it so far."""

    def __init__(self, path: Path, place: str, names: list[str], limits: CheckerLimits) -> None:
        self._path = path
        self._place = place
        self._names = names
        self._limits = limits
        self._clock = Clock(limits.seconds)
        self._reasons: list[Finding] = []
        self._facts: dict[str, Any] = {}
        self._steps = 0
        self._files: dict[str, bytes] = {}

    def report(self) -> Report:
        """Check the certificate, and return the report."""
        claim: Claim | None = None
        with self._part():
            head = parse_head(self._read(CLAIM_FILE))
            claim = head.claim
            self._facts["of a part"] = head.made.get("of a part") if isinstance(head.made, dict) else None
            self._check_files(claim, head.digests)
            self._check_content(head)
        return Report(
            path=str(self._path),
            name=self._place.removesuffix("/"),
            accepted=not self._reasons,
            claim=claim,
            reasons=tuple(self._reasons),
            steps=self._steps,
            seconds=self._clock.elapsed(),
            facts=self._facts,
        )

    @contextmanager
    def _part(self) -> Iterator[None]:
        """Run a part of the check whose refusal leaves other parts to be checked."""
        try:
            yield
        except Refusal as refusal:
            self._reasons.append(refusal.finding)
        except MemoryError:
            self._reasons.append(Finding("too-large", "this machine does not have enough memory to check it"))
        except Exception as error:  # an error of ours is no reason to accept, nor to leave the other certificates out
            self._reasons.append(Finding("checker-error", f"the checker itself failed: {quote(error, 200)}"))

    def _read(self, name: str) -> bytes:
        """Return the content of a file, which is read once."""
        if name not in self._files:
            most = self._limits.statement_bytes
            if name in REFUTATION_FILES or name == "solutions.txt":
                most = self._limits.proof_bytes
            self._files[name] = read_file(self._path, self._place + name, most)
        return self._files[name]

    def _check_files(self, claim: Claim, digests: dict[str, str]) -> None:
        """Compare the files with those that the claim needs and those that it lists, and each with its digest."""
        there = set(self._names) - {CLAIM_FILE}
        needed = set(needed_files(claim))
        expected = needed | {OPTIONAL_FILE}
        for name in sorted(there - expected)[: self._limits.failures]:
            text = f"a certificate of the claim {claim} has no file {quote(name)}"
            self._reasons.append(Finding("unexpected-file", text))
        missing = (digests.keys() | needed) - there
        for name in sorted(missing)[: self._limits.failures]:
            self._reasons.append(Finding("missing-file", "the certificate has no such file", quote(name)))
        for name in sorted(there & expected):
            with self._part():
                digest = hashlib.sha256(self._read(name)).hexdigest()
                if digests.get(name) != digest:
                    text = f"SHA-256 is {digest}; {CLAIM_FILE} lists {quote(digests.get(name), 70)}"
                    raise Refusal("digest-mismatch", text, name)

    def _check_content(self, head: Head) -> None:
        """Check the solutions against board and rules, and for a claim that there are no others, the refutation."""
        claim = head.claim
        limits = self._limits
        layout, houses = parse_geometry(self._read("geometry.json"), limits)
        board: Board = parse_cells(self._read("board.txt"), "board.txt", layout, limits)
        rules = parse_rules(self._read("rules.json"), layout, limits, self._clock)
        self._facts["board"] = self._read("board.txt").decode("ascii").splitlines()
        self._facts["order"] = layout.count
        self._facts["houses"] = houses
        self._facts["clues"] = sum(len(symbols) == 1 for symbols in board.values())
        self._facts["restricted"] = len(board)
        self._facts["rules"] = dict(Counter(rule.kind for rule in rules))
        if claim in LISTING:
            grids = self._listed_grids(board, layout, rules)
            self._facts["solutions"] = len(grids)
            if len(grids) != head.solutions:
                text = f"{head.solutions} solutions are claimed; solutions.txt has {len(grids)}"
                raise Refusal("bad-count", text, CLAIM_FILE)
        else:
            grids = self._grids_in_files(SOLUTION_FILES[claim], board, layout, rules)
            if len(grids) < len(SOLUTION_FILES[claim]):
                return
        if claim == "multiple" and grids[0] == grids[1]:
            self._reasons.append(Finding("solutions-equal", "both solutions are the same grid", "solution2.txt"))
        if claim == "none":
            board, rules = self._conflict(head.conflict, board, rules, layout)
        if claim in REFUTED:
            expected = formula(layout, board, rules, grids, Unrolled(layout, limits, self._clock))
            self._facts["clauses"] = len(expected.clauses)
            self._facts["variables"] = expected.variables
            self._check_refutation(expected)

    def _grids_in_files(
        self, files: tuple[str, ...], board: Board, layout: Layout, rules: tuple[Rule, ...]
    ) -> list[Grid]:
        """Return the solutions in files of one each, without those that are refused."""
        grids = []
        for file in files:
            with self._part():
                grid = parse_solution(self._read(file), file, board, layout, self._limits)
                check_rules(grid, rules, layout, file, 0, self._clock)
                grids.append(grid)
        return grids

    def _listed_grids(self, board: Board, layout: Layout, rules: tuple[Rule, ...]) -> list[Grid]:
        """Return the solutions in solutions.txt, which are in ascending order, so that no two are equal."""
        file = "solutions.txt"
        grids: list[Grid] = []
        for line, grid in parse_solutions(self._read(file), file, layout):
            self._clock.look()
            problem = problem_of_grid(grid, board, layout)
            if problem:
                raise Refusal(problem.code, problem.text, file, line)
            check_rules(grid, rules, layout, file, line, self._clock)
            if grids and grid <= grids[-1]:
                text = "this grid is not above that of the line before; expected ascending order, each grid once"
                raise Refusal("solutions-unsorted", text, file, line)
            grids.append(grid)
        return grids

    def _conflict(
        self, conflict: dict[str, Any], board: Board, rules: tuple[Rule, ...], layout: Layout
    ) -> tuple[Board, tuple[Rule, ...]]:
        """Return the part of the board and the rules that contradict each other already."""
        cells = conflict["cells"]
        numbers = conflict["rules"]
        last_cell = layout.cells[-1]
        for listed, low, high in ((cells, 0, last_cell), (numbers, 1, len(rules))):
            if not isinstance(listed, list) or not all(is_number(number, low, high) for number in listed):
                text = f"conflict: {quote(listed)}; expected a list of numbers from {low} to {high}"
                raise Refusal("bad-conflict", text, CLAIM_FILE)
        for cell in cells:
            if cell not in board:
                text = f"the board does not restrict {layout.name(cell)}"
                raise Refusal("bad-conflict", text, CLAIM_FILE)
        self._facts["conflict cells"] = len(cells)
        self._facts["conflict rules"] = len(numbers)
        board_part = {cell: board[cell] for cell in cells}
        rules_part = tuple(rule for rule in rules if rule.number in numbers)
        return board_part, rules_part

    def _check_refutation(self, expected: Formula) -> None:
        """Compare formula.cnf with the formula expected, and check that the proof refutes that."""
        refuse_other_formula(self._read("formula.cnf"), expected.dimacs())
        self._clock.look()
        proof = self._read("proof.lrat")
        self._steps = check_lrat(expected.clauses, expected.variables, proof, self._limits, self._clock)


def refuse_other_formula(written: bytes, expected: bytes) -> None:
    """Refuse formula.cnf unless it is the expected formula, byte for byte; name the first line that differs."""
    if written == expected:
        return
    lines = zip(written.split(b"\n"), expected.split(b"\n"), strict=False)
    for number, (written_line, expected_line) in enumerate(lines, 1):
        if written_line != expected_line:
            shown = quote(written_line.decode("ascii", "replace"))
            text = f"{shown}; expected {quote(expected_line.decode('ascii'))}"
            raise Refusal("formula-differs", text, "formula.cnf", number)
    raise Refusal("formula-differs", "it has another length", "formula.cnf")
