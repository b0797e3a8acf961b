"""The check of a whole certificate: every part that can be checked is, so that a report names all that is wrong."""

from __future__ import annotations

import hashlib
import os
import stat
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast, get_args

from .findings import CheckerLimits, Claim, Clock, Finding, Refusal, Report, quote
from .formula import Formula, check_lrat, formula
from .machines import Unrolled
from .rules import Rule, check_rules, parse_rules
from .statement import Board, Layout, cell_name, is_number, json_object, parse_cells, parse_geometry, parse_solution

CLAIM_FILE = "claim.json"
STATEMENT_FILES = ("board.txt", "geometry.json", "rules.json")
REFUTATION_FILES = ("formula.cnf", "proof.drat", "proof.lrat")
SOLUTION_FILES: dict[Claim, tuple[str, ...]] = {
    "unique": ("solution.txt",),
    "none": (),
    "multiple": ("solution.txt", "solution2.txt"),
}
OPTIONAL_FILE = "README.txt"

FORMAT = "gridproof-certificate/3"


def needed_files(claim: Claim) -> tuple[str, ...]:
    """Return the files that a certificate of a claim has beside claim.json."""
    if claim == "multiple":
        return STATEMENT_FILES + SOLUTION_FILES[claim]
    return STATEMENT_FILES + SOLUTION_FILES[claim] + REFUTATION_FILES


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


def parse_claim(data: bytes) -> tuple[Claim, dict[str, str], dict[str, Any], Any]:
    """Parse claim.json. Return the claim, the digest of each file, for ``none`` the conflict, and ``made`` as it is."""
    file = "claim.json"
    value = json_object(data, file, {"format", "claim", "made", "files"}, frozenset({"conflict"}))
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
    return cast(Claim, claim), files, conflict, value["made"]


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
            claim, digests, conflict, made = parse_claim(self._read(CLAIM_FILE))
            self._facts["of a part"] = made.get("of a part") if isinstance(made, dict) else None
            self._check_files(claim, digests)
            self._check_content(claim, conflict)
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
            if name in REFUTATION_FILES:
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

    def _check_content(self, claim: Claim, conflict: dict[str, Any]) -> None:
        """Check the solutions against board and rules, and for a claim that there are no others, the refutation."""
        limits = self._limits
        layout, houses = parse_geometry(self._read("geometry.json"), limits)
        n = layout.order
        board: Board = parse_cells(self._read("board.txt"), "board.txt", n, limits)
        rules = parse_rules(self._read("rules.json"), layout, limits, self._clock)
        self._facts["board"] = self._read("board.txt").decode("ascii").splitlines()
        self._facts["order"] = n
        self._facts["houses"] = houses
        self._facts["clues"] = sum(len(symbols) == 1 for symbols in board.values())
        self._facts["restricted"] = len(board)
        self._facts["rules"] = dict(Counter(rule.kind for rule in rules))
        grids = []
        for file in SOLUTION_FILES[claim]:
            with self._part():
                grid = parse_solution(self._read(file), file, board, layout, limits)
                check_rules(grid, rules, n, file, self._clock)
                grids.append(grid)
        if claim == "multiple":
            if len(grids) == 2 and grids[0] == grids[1]:
                self._reasons.append(Finding("solutions-equal", "both solutions are the same grid", "solution2.txt"))
            return
        if claim == "none":
            board, rules = self._conflict(conflict, board, rules, layout)
        if claim == "none" or grids:
            expected = formula(layout, board, rules, grids, Unrolled(n, limits, self._clock))
            self._facts["clauses"] = len(expected.clauses)
            self._facts["variables"] = expected.variables
            self._check_refutation(expected)

    def _conflict(
        self, conflict: dict[str, Any], board: Board, rules: tuple[Rule, ...], layout: Layout
    ) -> tuple[Board, tuple[Rule, ...]]:
        """Return the part of the board and the rules that contradict each other already."""
        cells = conflict["cells"]
        numbers = conflict["rules"]
        last_cell = layout.order**2 - 1
        for listed, low, high in ((cells, 0, last_cell), (numbers, 1, len(rules))):
            if not isinstance(listed, list) or not all(is_number(number, low, high) for number in listed):
                text = f"conflict: {quote(listed)}; expected a list of numbers from {low} to {high}"
                raise Refusal("bad-conflict", text, CLAIM_FILE)
        for cell in cells:
            if cell not in board:
                text = f"the board does not restrict {cell_name(cell, layout.order)}"
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


# ---- the folder, which may be hostile: no link is followed, every size is bounded ---------------------------------


def list_files(path: Path, limits: CheckerLimits) -> list[str]:
    """Return the names of all files in a folder and its sub-folders, with ``/`` between folder and file.

    Raises
    ------
    Refusal
        For anything but plain files, a folder in a sub-folder, and too many files.
    """
    names: list[str] = []
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            raise Refusal("unreadable", f"{quote(str(path))} is not a folder")
        folders = [""]
        for prefix in folders:  # which grows by the sub-folders of the first
            for entry in sorted((path / prefix).iterdir()):
                name = f"{prefix}{entry.name}"
                mode = entry.lstat().st_mode
                if stat.S_ISLNK(mode):
                    raise Refusal("unsafe-link", "this is a symbolic link; expected plain files and folders", name)
                if stat.S_ISDIR(mode):
                    if prefix:
                        raise Refusal("unexpected-file", "a certificate has no folder here", name)
                    folders.append(f"{name}/")
                elif stat.S_ISREG(mode):
                    names.append(name)
                else:
                    raise Refusal("unsafe-file", "this is a device, pipe or socket; expected plain files", name)
                if len(names) > limits.entries:
                    raise Refusal("too-large", f"there are more than {limits.entries} files", prefix)
    except (OSError, ValueError) as error:
        raise Refusal("unreadable", f"{quote(str(path))} cannot be read: {describe_error(error)}") from None
    return names


def read_file(path: Path, name: str, most: int) -> bytes:
    """Return the content of a file of at most so many bytes."""
    # It may have become something else since it was listed: never follow, never block, then look again.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path / name, flags), "rb") as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Refusal("unsafe-file", "this is not a plain file", name)
            data = stream.read(min(status.st_size, most) + 1)
    except FileNotFoundError:
        raise Refusal("missing-file", "the certificate has no such file", name) from None
    except (OSError, ValueError) as error:
        raise Refusal("unreadable", f"cannot be read: {describe_error(error)}", name) from None
    if len(data) > most:
        raise Refusal("too-large", f"this file has more than {most} bytes", name)
    return data


def describe_error(error: BaseException) -> str:
    """Return the reason for an error in at most 120 characters."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return text[:120]
