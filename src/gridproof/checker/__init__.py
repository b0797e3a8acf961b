"""The independent checker of certificates: it imports no solver and nothing else of ours, and can be read in
one go.

A certificate (``docs/certificates.md``) says that a board has exactly one solution, several, or none. To
believe a report that says *accepted*, believe these steps; each is short, and the modules named are all there
is to it. A *grid* gives each cell one symbol; *grid* below means any, whatever the houses say.

1. ``statement``: the board, its houses and the solutions are parsed strictly. ``check_solution`` looks at
   every house and every clue, ``check_rules`` at every rule. For ``multiple`` two different grids that pass are
   the whole proof; the rest is about "no (other)".
2. What a rule means. ``pair_kinds`` and ``line_kinds`` turn the words of each kind into *parts*: a grid that keeps
   the houses keeps a rule if and only if all the rule's parts *fit* the grid. A part is a list of cells of which no
   two hold the same symbol, or a *line*: a list of cells and a machine (``machines``) that reads their symbols and
   accepts. ``check_rules`` runs the machines and 3 makes clauses of them: one reading serves both. That the words
   and the parts say the same is for you to judge, kind by kind. A kind that is not known is refused.
3. Variable x[cell, symbol] is true of a grid if and only if the cell holds the symbol. Let R be what houses and
   rules say in clauses over these, and over the states and sets of 4: each cell has exactly one symbol, and each
   symbol exactly one cell in each house (``Houses``); where a rule says that cells differ, ``distinct_clauses``; for
   each line ``line_clauses`` or ``choice_clauses``. Let B be the board's clues and pencil marks, F the clause "not
   this grid" (for ``unique``). All of them are rebuilt here.
4. A formula may use further variables if it says what they mean, each once. A *definition*: v if and only if one
   (or none) of some literals is true, each over a cell's variable or one that has a meaning already. A *state*: v if
   and only if the first i cells of a line are a beginning that can be continued to what the machine accepts in
   exactly the same ways as the symbols given, and these can be continued. A *set*: v if and only if the cells of
   each group of a line hold exactly the symbols given for it. Each is a function of the grid; so any grid at all
   gives one value to each variable, and meanings rule no grid out.
5. If a grid keeps houses and rules, then with these values it satisfies R. ``Houses`` and ``distinct_clauses``: by
   their words. ``line_clauses``: they say that a beginning of one kind, continued by a symbol, is of a certain
   kind, which is so because beginnings that can be continued in the same ways still can after the same symbol (the
   rows in ``Unrolled`` are worked out from the end, and equal rows are one kind); or that it cannot be continued, and
   the grid, which the machine accepts, is a continuation of all its beginnings. ``choice_clauses``: the symbols in the
   groups of this grid are one of the tuples of sets in ``Unrolled.ways``, for all are tried, and a group is named
   only if its cells differ by houses or by the same rule, so that it has as many symbols as cells, and their sum, or
   their range, is that of their set; a set has its symbols and no others; a symbol in a cell needs a set that has it.
6. Each clause of the formula is accepted for one of three reasons, and only if all its variables have a meaning. It
   follows from R and the definitions (it is a clause of R, or has RUP; ``definition_clauses`` and ``further`` add
   some that follow, and say why). Or it contains a literal that B says of a cell, or that follows for this cell as it
   holds exactly one symbol. Or it is F, perhaps without cells of clues: two grids that keep B differ elsewhere, and
   that the one forbidden keeps B was seen in 1. So a grid that keeps houses, rules and B, and is not the one
   forbidden, satisfies, with the values of 4, *every* clause. Note that B and F take no part in RUP: where they
   contradict R anything would follow, and a formula made easier would pass. RAT has no part in it either: a clause
   with RAT need not follow, and one over cell variables would rule grids out.
7. ``rup``: each step of the proof keeps the clauses held satisfiable if they were: RUP (they imply the new
   clause), RAT with respect to those held at that time (on whatever variable: it may change which grids satisfy
   them, not whether anything does), or a deletion. The last step is the empty clause, so the formula was not
   satisfiable: with 6, no such grid exists. That is ``none``; and with the solution of 1 it is ``unique``.
8. The other direction keeps a certificate honest rather than sound: the formula has to state every clue, every
   rule, and every house rule of the kinds that ``claim.json`` says it states (literally, or by propagation), and
   these kinds have to suffice: {cell>=1, house<=1} or {cell<=1, house>=1}; the others then follow by counting, as
   a house has as many cells as symbols, and the rows have every cell. A line is stated if all clauses of
   ``line_clauses`` are, or all of ``choice_clauses``: propagation then finds a conflict in any grid that does not
   fit it. So a grid that satisfies a formula, with whatever values of the other variables, keeps houses and rules.

For ``none`` the same is done again with the clues and the rules of the conflict alone. That no smaller set
conflicts is not claimed. Digests show what was changed by accident; nothing above rests on them.
Steps 3 to 8 are some 660 lines of code in ``meaning``, ``rules``, ``machines`` and ``rup``; the kinds of step 2
some 470 in ``kinds``, ``pair_kinds``, ``line_kinds`` and ``texts``, of which a puzzle needs those that it has; what
is parsed for them, some 300 in ``statement`` and ``dimacs``. The rest opens files and reports; ``external`` only
asks other programs. ``container``, ``dimacs``, ``rules`` and ``machines`` keep memory and time bounded (``Limits``)
and refuse what other programs might read differently. Python's ``int``, ``list``, ``ast``, ``json`` and ``zipfile``
are trusted.
"""

from typing import TYPE_CHECKING

from .certificate import check, check_all
from .findings import Claim, Finding, Limits, Report
from .kinds import KINDS

if TYPE_CHECKING:
    from .external import check_external

__all__ = ["Claim", "Finding", "Limits", "Report", "check", "check_all", "check_external", "known_kinds"]


def __dir__() -> list[str]:
    return __all__


def known_kinds() -> dict[str, set[str]]:
    """Return the kinds of rules whose meaning is known here.

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


def __getattr__(name: str) -> object:
    if name == "check_external":  # starts other programs: loaded only for whoever asks
        from . import external

        return external.check_external
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
