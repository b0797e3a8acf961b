"""Quasigroup completion: rows are shares of holes; columns the share that can be completed, and the median time.

Options: ``kind`` (``qcp`` or ``qwh``), ``orders``, ``holes`` (in percent, or as ``"1.7n^1.55"``, a number of holes that
grows with the order), ``instances`` (for each order and share), ``backend``, ``encoding`` and ``seconds``, the limit of
each instance. The time is that of the processor in milliseconds, for one solution or the proof that there is none, in a
session that has loaded the rules; an instance that the limit ended counts with the limit, and neither as solvable nor
as unsolvable.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from time import process_time
from typing import Any

from gridproof import backends
from gridproof.backends.models import compile_model, encoding_for
from gridproof.backends.sessions import Session
from gridproof.errors import InputError, Interrupted
from gridproof.experiments.instances import instance
from gridproof.limits import Limits
from gridproof.papers.figures import Figures
from gridproof.papers.measures import Measure, Request
from gridproof.papers.options import ABOVE_ZERO, HOLES, ORDERS, TEXT, WHOLE_NUMBER, one_of
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

OPTIONS = {
    "kind": one_of("qcp", "qwh"),
    "orders": ORDERS,
    "holes": HOLES,
    "instances": WHOLE_NUMBER,
    "backend": TEXT,
    "encoding": TEXT,
    "seconds": ABOVE_ZERO,
}


def measure_completion(options: Mapping[str, Any], request: Request) -> Figures:
    """Return share and time for each order and share of holes."""
    number = options["instances"]
    orders = options["orders"]
    if request.sample is not None:
        number = min(number, request.sample)
        orders = orders[: request.sample]
    limits = Limits(seconds=options["seconds"])
    rows: dict[str, dict[str, float]] = {name_holes(holes): {} for holes in options["holes"]}
    undecided = 0
    for order in orders:
        geometry = Geometry.latin(order)
        backend = backends.find(options["backend"])
        model = compile_model(Board.empty(geometry).problem, backend, encoding_for(backend, options["encoding"]))
        with backend.open(model) as session:
            for holes in options["holes"]:
                request.note(f"order {order}, {name_holes(holes)} holes")
                answers = []
                for seed in range(number):
                    try:
                        board = instance(options["kind"], geometry, read_holes(holes), seed).board
                    except InputError:
                        continue  # so few holes that no square can be begun in this way
                    answers.append(_solve(session, board, limits))
                decided = [is_solvable for is_solvable, _ in answers if is_solvable is not None]
                undecided += len(answers) - len(decided)
                if not answers:
                    continue
                row = rows[name_holes(holes)]
                if decided:
                    row[f"order {order}: solvable [%]"] = 100 * sum(decided) / len(decided)
                row[f"order {order}: median [ms]"] = 1000 * median([seconds for _, seconds in answers])
    remark = f"{number:,} instances of {options['kind']} for each order and share; limit {options['seconds']:g} s"
    return Figures.from_rows(rows, (remark, f"{undecided:,} of all instances are undecided"))


def name_holes(holes: float | str) -> str:
    """Return the name of a row: the percentage, or the number as it grows with the order."""
    return holes if isinstance(holes, str) else f"{holes} %"


def read_holes(holes: float | str) -> float | str:
    """Return the holes as ``instance`` takes them: a share, or a text."""
    return holes if isinstance(holes, str) else holes / 100


def _solve(session: Session, board: Board, limits: Limits) -> tuple[bool | None, float]:
    """Return whether a board has a solution (``None`` if the limit came first), and the seconds."""
    began = process_time()
    solvable: bool | None
    try:
        solvable = next(iter(session.solutions(board, limits)), None) is not None
    except Interrupted:
        solvable = None
    return solvable, process_time() - began


MEASURE = Measure("completion", OPTIONS, "", measure_completion)
