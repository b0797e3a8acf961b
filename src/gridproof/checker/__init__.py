"""The independent checker of certificates: it imports no solver and nothing else of gridproof.

A certificate (``docs/certificates.md``) claims that a board has exactly one solution, several, none, or exactly those
of a list. Who believes a report *accepted* believes these steps. A *grid* gives each cell one symbol.

1. ``statement`` parses board, houses and solutions strictly, and tests each solution against the houses and the board;
   ``rules`` parses the rules, and tests it against each of them. For ``multiple``, two different solutions are the
   whole proof, and for ``at least`` the list of them. The rest is about "no (other) solution".
2. ``pair_kinds``, ``line_kinds``, ``count_kinds``, ``region_kinds`` and ``choices`` turn the sentence of each kind of
   rule into *parts*: a grid of the houses keeps a rule if and only if all its parts fit. A part is a list of cells that
   hold different symbols, or of which two hold the same; a *line*: a list of cells and a machine (``machines``) that
   reads their symbols and accepts or not; a choice: options, each a list of parts, one of which has to fit; or a
   region: cells that hold certain symbols, each reached from each other. That sentences and parts agree is for you to
   judge, kind by kind. A kind without a sentence is refused.
3. ``formula`` writes clauses. Let a grid be a solution that is not forbidden. Give x[cell, symbol] the value true if
   the cell holds the symbol; the variable of a state, if the line begins with cells that lead the machine to a state of
   that kind; the variable of a tuple of sets, if each group of the line holds exactly its set; the variable of an
   option, if its parts fit; that of two cells, if they hold the same symbol. Then every clause is true. For cells,
   houses, clues, different cells and the forbidden grid that is what the clause states.
   ``line_clauses``: a symbol takes a beginning of one kind to one of the next, because two states are of one kind only
   if each symbol takes them to states of one kind; and no beginning of this grid is impossible, because the machine
   accepts the whole.
   ``choice_clauses``: all tuples of sets are tried, and the groups of this grid, whose cells differ by houses or by the
   same rule, hold one of them.
   ``region_clauses``: each cell of the region of this grid has its variable, and after so many steps all that are
   reached from the first of them have theirs; a shortest way has no more cells than the region.
   ``Unrolled``: the clauses of an option state nothing unless its variable is true. What ``true_literals`` leaves out
   follows from the unit clauses that state it.
4. ``check_lrat``: each step follows from the clauses before it, and the last one is empty. So nothing satisfies the
   formula, and with 3 there is no solution that is not forbidden. That is ``none``; with the solution of 1 it is
   ``unique``, and with those of a list, which ascend, ``count``. For ``none`` the formula has only the clues and rules
   of the conflict, of which the board has more.

``formula.cnf`` and ``proof.drat`` are for other programs: the first has to be, byte for byte, what ``formula`` writes;
the second is not read here. Digests show accidental changes; nothing rests on them. That the formula excludes no more
than it should is not needed for soundness; tests compare its models with all solutions of small boards.
``CheckerLimits`` bounds memory and time. Python's ``int``, ``list``, ``ast`` and ``json`` are trusted.
"""

from .certificate import check, check_all
from .findings import CheckerLimits, Claim, Finding, Report
from .machines import KINDS

__all__ = ["CheckerLimits", "Claim", "Finding", "Report", "check", "check_all", "known_kinds"]


def __dir__() -> list[str]:
    return __all__


def known_kinds() -> dict[str, set[str]]:
    """Return the kinds of rules whose meaning is stated here.

    Returns
    -------
    dict of str to set of str
        The names of the parameters of each kind.

    Examples
    --------
    >>> sorted(known_kinds()["killer"])
    ['cells', 'repeats', 'total']
    """
    return {name: set(kind.parameters) for name, kind in KINDS.items()}
