"""The formula of a certificate: rules, board and forbidden grid as DIMACS, with its auxiliaries defined.

A checker that knows nothing of encodings has to see that an auxiliary rules no grid out. So each is defined in a
comment as "true if and only if one of these cell variables is", which can be satisfied whatever the cells hold
(``docs/certificates.md``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from gridproof import backends
from gridproof.models import schemes
from gridproof.models.clauses import Clause, in_comment
from gridproof.models.encoding import Encoding
from gridproof.models.targets.cnf import Cnf
from gridproof.models.variables import CellVariables
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.board import Board


def board_units(board: Board, cells: Collection[int] | None = None) -> list[Clause]:
    """A unit clause for each clue and for each candidate that pencil marks rule out, of these cells or of all."""
    x = CellVariables(board.geometry)
    return [(literal,) for literal in x.of_board(board) if cells is None or x.of(literal)[0] in cells]


def states(encoding: Encoding) -> list[str]:
    """The kinds of rule that the clauses of an encoding state, as ``claim.json`` calls them."""
    return [
        f"{table}{sign}"
        for table in ("cell", "house")
        for sign, key in ((">=1", "at_least_one"), ("<=1", "at_most_one"))
        if encoding.choice(table, key)
    ]


def definitions(cnf: Cnf) -> dict[int, list[int]]:
    """For each auxiliary variable the cell variables of which one is true exactly if it is."""
    defined: dict[int, list[int]] = {}
    for block in cnf.variables.auxiliaries:
        # what a literal of the group stands for, in cell variables: it may be an auxiliary itself
        parts = [defined.get(literal, [literal]) for literal in block.over]
        whole = range(len(parts))
        chosen = [whole] if block.meaning == "any" else _true_with(len(parts), block.meaning)
        for variable, places in enumerate(chosen[: block.last - block.first + 1], block.first):
            defined[variable] = [literal for place in places for literal in parts[place]]
    return defined


@lru_cache(maxsize=64)
def _true_with(number: int, scheme: str) -> list[Sequence[int]]:
    """For each auxiliary of an at-most-one scheme over ``number`` literals, the places of the literals it is true with.

    If exactly one literal of a group is true, some values of the auxiliaries satisfy the scheme's clauses; a solver
    finds them, and the definition says that they are taken.
    """
    group = list(range(1, number + 1))
    template = schemes.find(scheme).template(number)
    places: list[list[int]] = [[] for _ in range(template.auxiliaries)]
    with backends.find(DEFAULT_BACKEND).incremental(template.clauses) as solver:
        for place, one in enumerate(group):
            solver.solve([literal if literal == one else -literal for literal in group])
            for literal in solver.model()[number:]:
                if literal > 0:
                    places[literal - number - 1].append(place)
    return list(places)


def dimacs(
    cnf: Cnf, about: Iterable[str], extra: Iterable[Clause], variables: int, states: Iterable[str] = ()
) -> bytes:
    """The houses, then ``extra``, each clause once and on a line of its own.

    about: what a reader is told first. variables: all of them, with those of rules; states: the comments on these. All
    of it is ASCII, whatever houses and encodings are called: comments escape the rest (``docs/certificates.md``).
    """
    explained, houses = _houses_text(cnf)
    added = [clause for clause in dict.fromkeys(extra) if clause not in _house_set(cnf)]
    said = "".join(f"c {in_comment(line)}\n" for line in about) + explained + "".join(f"{line}\n" for line in states)
    header = f"p cnf {variables} {len(cnf.clauses) + len(added)}\n"
    return f"{said}{header}{houses}{_text(added)}".encode("ascii")


@lru_cache(maxsize=4)
def _houses_text(cnf: Cnf) -> tuple[str, str]:
    """What is the same for every board of a geometry: names and definitions of variables, and the houses."""
    lines = [f"c {variable} {in_comment(cnf.variables.name(variable))}" for variable in cnf.variables]
    lines += [f"c define {variable} or {' '.join(map(str, true))}" for variable, true in definitions(cnf).items()]
    return "\n".join([*lines, ""]), _text(cnf.clauses)


@lru_cache(maxsize=4)
def _house_set(cnf: Cnf) -> frozenset[Clause]:
    return frozenset(cnf.clauses)


def _text(clauses: Iterable[Clause]) -> str:
    return "".join([f"{' '.join(map(str, clause))} 0\n" for clause in clauses])
