"""The independent checker of certificates: it imports no solver and nothing else of ours, and can be read in
one go.

A certificate (``docs/certificates.md``) says that a board has exactly one solution, several, or none. To
believe a report that says *accepted*, believe these steps; each is short, and the module named is all there
is to it.

1. ``statement``: the board, its houses and the solutions are parsed strictly. ``check_solution`` looks at
   every house and every clue. For ``multiple`` two different grids that pass are the whole proof; the rest is
   about "no (other)".
2. ``meaning``: let R be the rules (each cell has exactly one symbol, each symbol exactly one cell in each
   house), B the board's clues and pencil marks, F the clause "not this grid" (for ``unique``), all rebuilt
   here, over the variables x[cell, symbol]. A formula may use further variables if it *defines* them: v if
   and only if one of some literals, each over a cell variable or one defined before. Call the definitions D.
   Values for the x give values for all defined variables, one after another, so whatever satisfies R, B and F
   can be extended to satisfy D: adding D rules no grid out.
3. Each clause of the formula is accepted for one of three reasons: it follows from R and D (it is a clause of
   R, or has RUP); it follows from what B says of one cell (with R for that cell); it is F, perhaps without
   cells of clues. So a grid that satisfies R and B and is not the one forbidden, extended by D, satisfies
   *every* clause. Note that B and F take no part in RUP: where they contradict R anything would follow, and a
   formula made easier would pass.
4. ``rup``: each step of the proof keeps the clauses satisfiable if they were: RUP (they imply the new
   clause), RAT, or a deletion. The last step is the empty clause, so they were not: with 3, no such grid
   exists. That is ``none``; and with the solution of 1 it is ``unique``.
5. The other direction keeps a certificate honest rather than sound: the formula has to state every clue, and
   every rule of the kinds that ``claim.json`` says it states (literally, or by propagation), and these kinds
   have to suffice: {cell>=1, house<=1} or {cell<=1, house>=1}; the others then follow by counting, as a row
   has as many cells as symbols.

For ``none`` the same is done again with the clues of the conflict alone. That no smaller set of clues
conflicts is not claimed. Digests show what was changed by accident; nothing above rests on them.
Steps 2 to 5 are some 370 lines of code in ``meaning`` and ``rup``; what is parsed for them, some 280 in
``statement`` and ``dimacs``. The rest opens files and reports; ``external`` only asks other programs.
``container`` and ``dimacs`` keep memory and time bounded (``Limits``) and refuse what other programs might
read differently. Python's ``int``, ``list``, ``json`` and ``zipfile`` are trusted.
"""

from typing import TYPE_CHECKING

from .certificate import check, check_all
from .findings import Claim, Finding, Limits, Report
from .kinds import KINDS

if TYPE_CHECKING:
    from .external import check_external

__all__ = ["Claim", "Finding", "Limits", "Report", "check", "check_all", "check_external", "known_kinds"]


def known_kinds() -> dict[str, set[str]]:
    """The kinds of rules whose meaning is known here, with the names of their parameters."""
    return {name: set(kind.parameters) for name, kind in KINDS.items()}


def __getattr__(name: str) -> object:
    if name == "check_external":  # starts other programs: loaded only for whoever asks
        from . import external

        return external.check_external
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
