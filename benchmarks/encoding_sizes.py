"""Growth of formulas with the order: variables, clauses and seconds under minimal, extended and reduced.

    python -m benchmarks.encoding_sizes [--plot FILE]

Minimal and extended hold the rules of the geometry whatever the clues, so their sizes are formulas. The literature
counts the pairs that a line and a box share twice, here no clause counts twice: both are shown. What ``reduced`` leaves
depends on the board: here a random one with 65 % of its cells kept (``generate_large``), and in the rows ``deduced``
one with half of them kept that singles solve, of which nothing is left. Seconds are CPU: compiling and loading, then
the first solution, with a limit.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import process_time

from benchmarks import generate_large
from gridproof import backends, formats
from gridproof.backends.models import compile_model
from gridproof.errors import Interrupted
from gridproof.limits import Limits
from gridproof.models import catalog
from gridproof.models.propagation import reduce
from gridproof.models.reduced import compile_reduction
from gridproof.models.sizes import model_size
from gridproof.models.targets.cnf import forget
from gridproof.puzzle.board import Board

ORDERS = (9, 16, 25, 36, 49, 64, 81, 100, 144)
SHARE = 0.65
DEDUCED, DEDUCED_SHARE = "deduced", 0.5
LIMIT = 20.0
MOST_CLAUSES = 3_200_000
"""Above this many, the clauses of a whole geometry (a Python tuple each) are counted and not compiled."""


@dataclass(frozen=True)
class Size:
    """One encoding at one order. seconds: ``None`` where it was not compiled or the limit came first."""

    order: int
    encoding: str
    variables: int
    clauses: int
    clauses_counted_twice: int | None
    compile_and_load: float | None
    solve: float | None


def measure(orders: tuple[int, ...] = ORDERS) -> Iterator[Size]:
    """Every encoding at every order."""
    for order in orders:
        board = formats.parse(generate_large.as_text(generate_large.board(order, SHARE, 0)))
        for name in ("minimal", "extended", "reduced"):
            yield _size(board, name)
            forget()
        deduced = formats.parse(generate_large.as_text(generate_large.board(order, DEDUCED_SHARE, 0, "deduced")))
        yield replace(_size(deduced, "reduced"), encoding=DEDUCED)


def _size(board: Board, name: str) -> Size:
    encoding = catalog.load(name)
    geometry = board.geometry
    if name == "reduced":
        size = model_size(board, encoding)
    else:
        size = model_size(Board.empty(geometry), encoding)
        forget()
    assert size.variables is not None
    assert size.clauses is not None
    spent: tuple[float | None, float | None] = (None, None)
    if size.clauses <= MOST_CLAUSES:
        spent = _times(board, name)
    return Size(geometry.order, name, size.variables, size.clauses, size.with_repeats, *spent)


def _times(board: Board, name: str) -> tuple[float | None, float | None]:
    """Compiling and loading, then solving; for ``reduced`` first propagating and compiling, then the rest."""
    backend, encoding = backends.find("cadical153"), catalog.load(name)
    started = process_time()
    if name == "reduced":
        compile_reduction(reduce(board), encoding)
    with backend.open(compile_model(board.geometry, backend, encoding)) as session:
        loaded = process_time() - started
        started = process_time()
        try:
            assert next(session.solutions(board, Limits(seconds=LIMIT)))
        except Interrupted:
            return loaded, None
        spent = process_time() - started
    return loaded, max(0.0, spent - loaded) if name == "reduced" else spent


def plot(sizes: list[Size], path: Path) -> None:
    """Clauses (left) and seconds to the first solution, everything included (right), by order, on logarithmic axes."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    for name, marker in (("minimal", "o"), ("extended", "s"), ("reduced", "^"), (DEDUCED, "v")):
        mine = [size for size in sizes if size.encoding == name]
        # 0 has no place on a logarithmic axis: nothing left of a board counts as 1
        left.plot(
            [size.order for size in mine], [max(size.clauses, 1) for size in mine], marker=marker, label=_label(name)
        )
        timed = [
            (s.order, s.compile_and_load + s.solve)
            for s in mine
            if s.compile_and_load is not None and s.solve is not None
        ]
        right.plot([order for order, _ in timed], [spent for _, spent in timed], marker=marker, label=_label(name))
    for axes, title in ((left, "clauses"), (right, f"CPU seconds to the first solution (limit {LIMIT:g} s)")):
        axes.set(title=title, xlabel="order of the board", xscale="log", yscale="log")
        axes.set_xticks(ORDERS, map(str, ORDERS))
        axes.minorticks_off()
        axes.grid(alpha=0.3)
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    figure.suptitle(f"Random clues, {SHARE:.0%} of the cells, and a board that singles solve ({DEDUCED_SHARE:.0%})")
    figure.savefig(path, dpi=110)


def _label(name: str) -> str:
    return "reduced, of a board that singles solve" if name == DEDUCED else name


def show(sizes: Iterator[Size]) -> list[Size]:
    """Print each row as it comes; the same as a list."""
    print(
        f"{'order':>5} {'encoding':10}{'variables':>12}{'clauses':>16}{'counted twice':>16}{'load s':>9}{'solve s':>9}"
    )
    rows = []
    for size in sizes:
        twice = f"{size.clauses_counted_twice:,}" if size.clauses_counted_twice else ""
        load, solve = (f"{spent:.2f}" if spent is not None else "-" for spent in (size.compile_and_load, size.solve))
        print(
            f"{size.order:5} {size.encoding:10}{size.variables:12,}{size.clauses:16,}{twice:>16}{load:>9}{solve:>9}",
            flush=True,
        )
        rows.append(size)
    return rows


def record(path: Path | None = None) -> list[dict[str, object]]:
    """Measure, print, and plot to ``path`` if one is given; the figures as data."""
    sizes = show(measure())
    if path is not None:
        plot(sizes, path)
    return [asdict(size) for size in sizes]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plot", type=Path, metavar="FILE", help="a picture of how the cost grows")
    record(parser.parse_args().plot)


if __name__ == "__main__":
    main()
