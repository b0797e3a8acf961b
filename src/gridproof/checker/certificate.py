"""The check of a whole certificate: every part that can be checked is, so that a report names all that is
wrong."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .container import CLAIM_FILE, Container
from .dimacs import parse_formula
from .findings import Claim, Clock, Finding, Limits, Refusal, Report, quote
from .kinds import Shape
from .machines import Unrolled
from .meaning import Expected, FormulaCheck, Houses
from .rules import FILE as RULES_FILE
from .rules import Rule, Stated, check_rules, parse_rules
from .rup import Propagator, check_proof
from .statement import (
    Board,
    ClaimFile,
    check_solution,
    parse_candidates,
    parse_cells,
    parse_claim,
    parse_conflict,
    parse_geometry,
)

FORMULA, PROOF = "proof/formula.cnf", "proof/proof.drat"
CONFLICT_FORMULA, CONFLICT_PROOF = "proof/conflict.cnf", "proof/conflict.drat"
NEEDED: dict[Claim, tuple[str, ...]] = {
    "unique": ("board.txt", "geometry.json", "solution.txt", FORMULA, PROOF),
    "none": ("board.txt", "geometry.json", "conflict.json", FORMULA, PROOF, CONFLICT_FORMULA, CONFLICT_PROOF),
    "multiple": ("board.txt", "geometry.json", "solution.txt", "solution2.txt"),
}
OPTIONAL = ("candidates.json", "README.txt")


def check(path: str | os.PathLike[str], limits: Limits | None = None) -> Report:
    """Check the one certificate in a folder or ``.zip``. Whatever is wrong is in the report; nothing is raised.

    Parameters
    ----------
    path : path
        The folder or archive.
    limits : Limits, optional
        How much the certificate may ask of the checker.

    Returns
    -------
    Report
        Whether the certificate is accepted, and if not, why.

    Examples
    --------
    A Latin square of order 2 without clues has two solutions:

    >>> import json, tempfile
    >>> from pathlib import Path
    >>> cells = {"row 1": [0, 1], "row 2": [2, 3], "column 1": [0, 2], "column 2": [1, 3]}
    >>> houses = [{"kind": name.split()[0], "name": name, "cells": cells[name]} for name in cells]
    >>> geometry = json.dumps({"order": 2, "boxes": None, "houses": houses})
    >>> files = {"board.txt": "..\\n..\\n", "geometry.json": geometry}
    >>> files |= {"solution.txt": "12\\n21\\n", "solution2.txt": "21\\n12\\n"}
    >>> digests = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()}
    >>> claim = {"format": "gridproof-certificate/1", "claim": "multiple", "made": {}, "files": digests}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, text in {**files, "claim.json": json.dumps(claim)}.items():
    ...         _ = Path(folder, name).write_bytes(text.encode())
    ...     check(folder)
    ...     Path(folder, "solution2.txt").unlink()
    ...     check(folder).codes()
    <Report: accepted: multiple>
    ('missing-file',)
    """
    return next(_reports(os.fsdecode(path), limits or Limits(), expected_one=True))


def check_all(path: str | os.PathLike[str], limits: Limits | None = None) -> Iterator[Report]:
    """Check each certificate in a folder or ``.zip`` that holds one, or one in each of its sub-folders.

    Whatever is wrong is in the reports; nothing is raised.

    Parameters
    ----------
    path : path
        The folder or archive.
    limits : Limits, optional
        How much each certificate may ask of the checker.

    Returns
    -------
    iterator of Report
        A report for each certificate, then one more if there is none or if files belong to no certificate.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for report in check_all(folder):
    ...         print(report.reasons[0])
    [missing-file] claim.json: no claim.json, so this is no certificate
    """
    return _reports(os.fsdecode(path), limits or Limits(), expected_one=False)


def _reports(path: str, limits: Limits, expected_one: bool) -> Iterator[Report]:
    try:
        with Container(path, limits) as container:
            prefixes = container.certificates()
            if not prefixes:
                raise Refusal("missing-file", "no claim.json, so this is no certificate", CLAIM_FILE)
            if len(prefixes) > 1 and expected_one:
                raise Refusal("several-certificates", f"there are {len(prefixes)} certificates; expected one")
            for prefix in prefixes:
                yield _Check(container, path, prefix, limits).report()
            stray = [
                name for name in container.names if name.partition("/")[0] not in prefixes and name != "README.txt"
            ]
            if stray and prefixes != [""]:
                text = f"{len(stray)} files belong to no certificate; the first of them is {quote(stray[0])}"
                raise Refusal("unexpected-file", text)
    except Refusal as refusal:
        yield Report(path, "", False, None, (refusal.finding,))


class _Check:
    """One certificate under check, with what was found so far."""

    def __init__(self, container: Container, path: str, prefix: str, limits: Limits) -> None:
        self._container, self._path, self._prefix, self._limits = container, path, prefix, limits
        self._clock = Clock(limits.seconds)
        self._reasons: list[Finding] = []
        self._facts: dict[str, Any] = {}
        self._steps = 0
        self._files: dict[str, bytes] = {}

    def report(self) -> Report:
        claim: Claim | None = None
        with self._part():
            head = parse_claim(self._read(CLAIM_FILE))
            claim = head.claim
            self._check_files(head)
            self._check_content(head)
        accepted = not self._reasons
        return Report(self._path, self._prefix, accepted, claim, tuple(self._reasons), self._steps,
                      self._clock.elapsed(), self._facts)  # fmt: skip

    @contextmanager
    def _part(self) -> Iterator[None]:
        """A part of the check whose refusal leaves other parts to be checked."""
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
            limit = self._limits.proof_bytes if name.startswith("proof/") else self._limits.statement_bytes
            full = f"{self._prefix}/{name}" if self._prefix else name
            self._files[name] = self._container.read(full, limit)
        return self._files[name]

    def _check_files(self, head: ClaimFile) -> None:
        """The files there are, against those that the claim needs and those it lists, and each against its
        digest."""
        there = set(self._container.files(self._prefix)) - {CLAIM_FILE}
        expected = {*NEEDED[head.claim], *OPTIONAL, *([RULES_FILE] if head.with_rules else [])}
        for name in sorted(there - expected)[: self._limits.failures]:
            text = f"a certificate of the claim {head.claim} has no file {quote(name)}"
            self._reasons.append(Finding("unexpected-file", text))
        for name in sorted(head.digests.keys() - there)[: self._limits.failures]:
            self._reasons.append(
                Finding("missing-file", f"{CLAIM_FILE} lists this file, but it is missing", quote(name))
            )
        for name in sorted(there & expected):
            with self._part():
                digest = hashlib.sha256(self._read(name)).hexdigest()
                if name not in head.digests:
                    raise Refusal("digest-missing", f"{CLAIM_FILE} has no digest of it", name)
                if head.digests[name] != digest:
                    text = f"SHA-256 is {digest}, {CLAIM_FILE} says {quote(head.digests[name], 70)}"
                    raise Refusal("digest-mismatch", text, name)
                if name == "README.txt":
                    self._files.pop(name)

    def _check_content(self, head: ClaimFile) -> None:
        geometry = parse_geometry(self._read("geometry.json"), self._limits)
        n = geometry.order
        board = Board(parse_cells(self._read("board.txt"), "board.txt", n, self._limits))
        if "candidates.json" in self._files:
            board = Board(board.clues, parse_candidates(self._read("candidates.json"), n))
        text = " ".join(self._read("board.txt").decode("ascii").split())  # so that a reader sees what was checked
        self._facts |= {"board": text, "order": n, "boxes": geometry.boxes, "houses": geometry.kinds}
        self._facts |= {"clues": len(board.clues), "pencil marks": len(board.candidates)}
        houses = Houses(geometry)
        rules: tuple[Rule, ...] = ()
        if head.with_rules:
            shape = Shape(n, geometry.regions, houses.peers)
            rules = parse_rules(self._read(RULES_FILE), shape, self._limits, self._clock)
            self._facts["rules"] = dict(Counter(rule.kind for rule in rules))
        grids = []
        for file in [name for name in NEEDED[head.claim] if name.startswith("solution")]:
            with self._part():
                grid = parse_cells(self._read(file), file, n, self._limits)
                grids.append(grid)
                check_solution(grid, board, geometry, file)
                check_rules(grid, rules, n, file, self._clock)
        if head.claim == "multiple":
            if len(grids) == 2 and grids[0] == grids[1]:
                self._reasons.append(Finding("solutions-equal", "both solutions are the same grid", "solution2.txt"))
            return
        self._unrolled = Unrolled(n, self._limits, self._clock)
        if head.claim == "none" or (grids and len(grids[0]) == n * n):
            with self._part():
                forbidden = grids[0] if grids else None
                self._check_refutation(houses, rules, board, forbidden, head.states, FORMULA, PROOF)
        if head.claim == "none":
            with self._part():
                data, known = self._read("conflict.json"), len(rules) if head.with_rules else None
                cells, numbers = parse_conflict(data, board, n, known)
                self._facts["conflict cells"] = len(cells)
                part = tuple(rule for rule in rules if rule.number in numbers)
                few = board.restricted(cells)
                self._check_refutation(houses, part, few, None, head.states, CONFLICT_FORMULA, CONFLICT_PROOF)

    def _check_refutation(
        self,
        houses: Houses,
        rules: tuple[Rule, ...],
        board: Board,
        forbidden: dict[int, int] | None,
        states: frozenset[str],
        cnf: str,
        drat: str,
    ) -> None:
        """formula says what it has to, and proof refutes it."""
        limits, clock = self._limits, self._clock
        formula = parse_formula(self._read(cnf), cnf, houses.variables, limits, clock)
        expected = Expected(houses, states, Stated(rules, self._unrolled, formula, cnf), board, forbidden)
        check = FormulaCheck(formula, expected, cnf, limits, clock)
        self._facts[cnf] = check.run()
        self._reasons += check.failures
        if check.failures:  # what a proof refutes is of no interest if it is another formula
            return
        held = Propagator(formula.variables)
        held.load(formula.clauses, deletable=True)
        counts = check_proof(held, self._read(drat), drat, limits, clock)
        self._facts[drat] = counts
        self._steps += counts["added"] + counts["deleted"]
