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

from .findings import Claim, Clock, Finding, Limits, Refusal, Report, quote
from .formula import Formula, check_lrat, formula
from .machines import Unrolled
from .rules import Rule, check_rules, parse_rules
from .statement import Board, Shape, cell_name, is_number, json_object, parse_cells, parse_geometry, parse_solution

CLAIM_FILE = "claim.json"
_STATEMENT = ("board.txt", "geometry.json", "rules.json")
_REFUTATION = ("formula.cnf", "proof.drat", "proof.lrat")
NEEDED: dict[Claim, tuple[str, ...]] = {
    "unique": (*_STATEMENT, "solution.txt", *_REFUTATION),
    "none": (*_STATEMENT, *_REFUTATION),
    "multiple": (*_STATEMENT, "solution.txt", "solution2.txt"),
}
OPTIONAL = ("README.txt",)
FILES = {CLAIM_FILE, *OPTIONAL}.union(*NEEDED.values())


FORMAT = "gridproof-certificate/3"


def check(path: str | os.PathLike[str], limits: Limits | None = None) -> Report:
    """Check the one certificate in a folder. Whatever is wrong is in the report; nothing is raised.

    Parameters
    ----------
    path : path
        The folder.
    limits : Limits, optional
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
    return next(_reports(Path(os.fsdecode(path)), limits or Limits(), expected_one=True))


def check_all(path: str | os.PathLike[str], limits: Limits | None = None) -> Iterator[Report]:
    """Check each certificate in a folder that holds one, or one in each of its sub-folders.

    Whatever is wrong is in the reports; nothing is raised.

    Parameters
    ----------
    path : path
        The folder.
    limits : Limits, optional
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
    return _reports(Path(os.fsdecode(path)), limits or Limits(), expected_one=False)


def _reports(path: Path, limits: Limits, expected_one: bool) -> Iterator[Report]:
    try:
        names = _file_names(path, limits)
        claims = [CLAIM_FILE] if CLAIM_FILE in names else [name for name in names if name.endswith(f"/{CLAIM_FILE}")]
        places = [name.removesuffix(CLAIM_FILE) for name in claims]
        if not places:
            raise Refusal("missing-file", "no claim.json, so this is no certificate", CLAIM_FILE)
        if len(places) > 1 and expected_one:
            raise Refusal("several-certificates", f"there are {len(places)} certificates; expected one")
        for place in places:
            own = [name.removeprefix(place) for name in names if name.startswith(place)]
            yield _Check(path, place, own, limits).report()
        stray = [name for name in names if not name.startswith(tuple(places)) and name != "README.txt"]
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
    claim, files, conflict = value["claim"], value["files"], value.get("conflict", {})
    if claim not in get_args(Claim):
        raise Refusal("unknown-claim", f"claim {quote(claim)}; expected one of {', '.join(get_args(Claim))}", file)
    if not isinstance(files, dict) or not all(isinstance(digest, str) for digest in files.values()):
        raise Refusal("bad-json", "files: expected the SHA-256 of each file, by name", file)
    if not isinstance(conflict, dict) or conflict.keys() != ({"cells", "rules"} if claim == "none" else set()):
        text = f"conflict is {quote(conflict)}; expected cells and rules for the claim none, and else nothing"
        raise Refusal("bad-conflict", text, file)
    return cast(Claim, claim), files, conflict, value["made"]


class _Check:
    """One certificate under check, with the reasons against it so far."""

    def __init__(self, path: Path, place: str, names: list[str], limits: Limits) -> None:
        self._path, self._place, self._names, self._limits = path, place, names, limits
        self._clock = Clock(limits.seconds)
        self._reasons: list[Finding] = []
        self._facts: dict[str, Any] = {}
        self._steps = 0
        self._files: dict[str, bytes] = {}

    def report(self) -> Report:
        claim: Claim | None = None
        with self._part():
            claim, digests, conflict, made = parse_claim(self._read(CLAIM_FILE))
            self._facts["of a part"] = made.get("of a part") if isinstance(made, dict) else None
            self._check_files(claim, digests)
            self._check_content(claim, conflict)
        seconds, name, reasons = self._clock.elapsed(), self._place.removesuffix("/"), tuple(self._reasons)
        return Report(str(self._path), name, not reasons, claim, reasons, self._steps, seconds, self._facts)

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
        if name not in self._files:
            limit = self._limits.proof_bytes if name in _REFUTATION else self._limits.statement_bytes
            self._files[name] = _content(self._path, self._place + name, limit)
        return self._files[name]

    def _check_files(self, claim: Claim, digests: dict[str, str]) -> None:
        """Compare the files with those that the claim needs and those that it lists, and each with its digest."""
        there, expected = set(self._names) - {CLAIM_FILE}, {*NEEDED[claim], *OPTIONAL}
        for name in sorted(there - expected)[: self._limits.failures]:
            text = f"a certificate of the claim {claim} has no file {quote(name)}"
            self._reasons.append(Finding("unexpected-file", text))
        for name in sorted((digests.keys() | set(NEEDED[claim])) - there)[: self._limits.failures]:
            self._reasons.append(Finding("missing-file", "the certificate has no such file", quote(name)))
        for name in sorted(there & expected):
            with self._part():
                digest = hashlib.sha256(self._read(name)).hexdigest()
                if digests.get(name) != digest:
                    text = f"SHA-256 is {digest}; {CLAIM_FILE} lists {quote(digests.get(name), 70)}"
                    raise Refusal("digest-mismatch", text, name)

    def _check_content(self, claim: Claim, conflict: dict[str, Any]) -> None:
        limits = self._limits
        shape, houses = parse_geometry(self._read("geometry.json"), limits)
        n = shape.order
        board: Board = parse_cells(self._read("board.txt"), "board.txt", n, limits)
        rules = parse_rules(self._read("rules.json"), shape, limits, self._clock)
        lines = self._read("board.txt").decode("ascii").splitlines()
        self._facts |= {"board": lines, "order": n, "houses": houses}
        self._facts |= {"clues": sum(len(symbols) == 1 for symbols in board.values()), "restricted": len(board)}
        self._facts["rules"] = dict(Counter(rule.kind for rule in rules))
        grids = []
        for file in [name for name in NEEDED[claim] if name.startswith("solution")]:
            with self._part():
                grid = parse_solution(self._read(file), file, board, shape, limits)
                check_rules(grid, rules, n, file, self._clock)
                grids.append(grid)
        if claim == "multiple":
            if len(grids) == 2 and grids[0] == grids[1]:
                self._reasons.append(Finding("solutions-equal", "both solutions are the same grid", "solution2.txt"))
            return
        if claim == "none":
            board, rules = self._conflict(conflict, board, rules, shape)
        if claim == "none" or grids:
            expected = formula(shape, board, rules, grids, Unrolled(n, limits, self._clock))
            self._facts |= {"clauses": len(expected.clauses), "variables": expected.variables}
            self._check_refutation(expected)

    def _conflict(
        self, conflict: dict[str, Any], board: Board, rules: tuple[Rule, ...], shape: Shape
    ) -> tuple[Board, tuple[Rule, ...]]:
        """Return the part of the board and the rules that contradict each other already."""
        cells, numbers = conflict["cells"], conflict["rules"]
        for listed, low, high in ((cells, 0, shape.order**2 - 1), (numbers, 1, len(rules))):
            if not isinstance(listed, list) or not all(is_number(number, low, high) for number in listed):
                text = f"conflict: {quote(listed)}; expected a list of numbers from {low} to {high}"
                raise Refusal("bad-conflict", text, CLAIM_FILE)
        for cell in cells:
            if cell not in board:
                text = f"the board does not restrict {cell_name(cell, shape.order)}"
                raise Refusal("bad-conflict", text, CLAIM_FILE)
        self._facts |= {"conflict cells": len(cells), "conflict rules": len(numbers)}
        return {cell: board[cell] for cell in cells}, tuple(rule for rule in rules if rule.number in numbers)

    def _check_refutation(self, expected: Formula) -> None:
        """Compare formula.cnf with the formula expected, and check that the proof refutes that."""
        written, stated = self._read("formula.cnf"), expected.dimacs()
        if written != stated:
            lines = zip(written.split(b"\n"), stated.split(b"\n"), strict=False)
            number, (own, other) = next(
                ((k, pair) for k, pair in enumerate(lines, 1) if pair[0] != pair[1]), (0, (b"", b""))
            )
            text = f"{quote(own.decode('ascii', 'replace'))}; expected {quote(other.decode('ascii'))}"
            raise Refusal("formula-differs", text if number else "it has another length", "formula.cnf", number)
        self._clock.look()
        proof = self._read("proof.lrat")
        self._steps = check_lrat(expected.clauses, expected.variables, proof, self._limits, self._clock)


# ---- the folder, which may be hostile: no link is followed, every size is bounded ---------------------------------


def _file_names(path: Path, limits: Limits) -> list[str]:
    """Return the names of all files in a folder and its sub-folders, with ``/`` between folder and file.

    Raises
    ------
    Refusal
        For anything but plain files, a folder in a sub-folder, and too many files.
    """
    listed: list[str] = []
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            raise Refusal("unreadable", f"{quote(str(path))} is not a folder")
        for folder, prefix in [
            (path, ""),
            *((sub, f"{sub.name}/") for sub in sorted(path.iterdir()) if stat.S_ISDIR(sub.lstat().st_mode)),
        ]:
            for entry in sorted(folder.iterdir()):
                mode, name = entry.lstat().st_mode, f"{prefix}{entry.name}"
                if stat.S_ISLNK(mode):
                    raise Refusal("unsafe-link", "this is a symbolic link; expected plain files and folders", name)
                if stat.S_ISDIR(mode) and prefix:
                    raise Refusal("unexpected-file", "a certificate has no folder here", name)
                if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
                    raise Refusal("unsafe-file", "this is a device, pipe or socket; expected plain files", name)
                listed += [name] * stat.S_ISREG(mode)
                if len(listed) > limits.entries:
                    raise Refusal("too-large", f"there are more than {limits.entries} files", prefix)
    except (OSError, ValueError) as error:
        raise Refusal("unreadable", f"{quote(str(path))} cannot be read: {_reason(error)}") from None
    return listed


def _content(path: Path, name: str, most: int) -> bytes:
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
        raise Refusal("unreadable", f"cannot be read: {_reason(error)}", name) from None
    if len(data) > most:
        raise Refusal("too-large", f"this file has more than {most} bytes", name)
    return data


def _reason(error: BaseException) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__)[:120]
