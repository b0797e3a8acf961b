"""Large boards alone, text to checked solution: whole processes of ``gridproof solve`` and ``gridproof verify``.

    python -m benchmarks.large_boards [--quick] [--solvers]

CPU seconds and peak memory are the child process's own, start of Python and imports included. ``verify`` runs without
the cross-check against the reference, which no large board is for. Boards come from ``generate_large``, of each kind;
each row is the median of its seeds, with the slowest beside it. Steps are those of propagation.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, process_time

from benchmarks import generate_large
from gridproof import formats
from gridproof.limits import Limits
from gridproof.models.targets.cnf import LargeModel
from gridproof.puzzle.board import Board
from gridproof.trust import check

PATIENCE = 60
"""Seconds after which a board is given up."""

ROWS: Sequence[tuple[str, int, float, int, float | None]] = (
    # kind, order, share of cells kept (at least), boards, target in seconds
    *(("deduced", *row) for row in ((25, 0.61, 3, 0.5), (64, 0.61, 3, 1.5), (100, 0.66, 3, 1.5), (144, 0.65, 3, 3.0))),
    *(("deduced", *row) for row in ((225, 0.80, 2, 3.0), (400, 0.72, 1, 40.0), (64, 0.45, 3, None))),
    *(("dug", *row) for row in ((100, 0.5, 3, None), (400, 0.5, 1, 5.0))),
    *(("random", *row) for row in ((25, 0.61, 3, 0.5), (25, 0.58, 3, None), (36, 0.58, 3, None), (49, 0.58, 3, None))),
    *(
        ("random", *row)
        for row in (
            (64, 0.61, 7, 1.5),
            (64, 0.60, 3, None),
            (64, 0.58, 2, None),
            (100, 0.66, 3, 1.5),
            (144, 0.65, 1, 3.0),
        )
    ),
    *(
        ("random", *row)
        for row in (
            (100, 0.72, 3, None),
            (144, 0.68, 1, None),
            (144, 0.75, 3, None),
            (225, 0.67, 1, None),
            (225, 0.80, 3, 3.0),
            (400, 0.85, 1, None),
        )
    ),
    *(("random", *row) for row in ((400, 0.72, 1, 40.0),)),
)

SOLVERS = ("cadical153", "cadical195", "cadical300", "glucose4", "glucose42", "minisat22", "maplecm", "lingeling")


# A process counts the memory of the one that started it as its own peak, so a small one starts it.
_LAUNCHER = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss, file=sys.stderr)
"""


@dataclass(frozen=True)
class Figure:
    """Costs of the boards of a row. solved, verified: how many in time. Seconds are CPU, memory is in MB."""

    kind: str
    order: int
    share: float
    boards: int
    steps: float
    open_candidates: float
    solved: int
    solve_median: float
    solve_slowest: float
    verified: int
    verdicts: str
    verify_median: float
    verify_slowest: float
    memory: int
    target: float | None

    @property
    def reached(self) -> str:
        """In plain words, by the slowest of the boards."""
        if self.target is None:
            return ""
        if self.solved == self.boards and self.solve_slowest <= self.target:
            return "reached"
        return "missed" if self.solved else "missed: none solved"


def measure(rows: Sequence[tuple[str, int, float, int, float | None]] = ROWS) -> Iterator[Figure]:
    """Each row in turn."""
    from gridproof.models.propagation import reduce

    with tempfile.TemporaryDirectory() as folder:
        for kind, order, share, number, target in rows:
            solves, verifies, verdicts, memory = [], [], list[str](), 0
            kept, steps, remaining = list[float](), list[int](), list[int]()
            for seed in range(number):
                path = Path(folder) / f"{kind}-{order}-{share}-{seed}.txt"
                path.write_text(generate_large.as_text(generate_large.board(order, share, seed, kind)))
                reduction = reduce(board := formats.parse(path.read_text()))
                kept.append(sum(map(bool, board.clues)) / len(board.clues))
                steps.append(reduction.rounds)
                remaining.append(reduction.candidate_count)
                done, seconds, peak, _ = run("solve", path)
                solves.append((done == 0, seconds))
                memory = max(memory, peak)
                if not done:  # what cannot be solved in time need not be tried again
                    done, seconds, peak, verdict = run("verify", path, "--cross-check", "none")
                    memory = max(memory, peak)
                    verdicts.append(verdict)
                    verifies.append((verdict in ("unique", "multiple", "none"), seconds))
            yield Figure(
                kind,
                order,
                statistics.median(kept),
                number,
                statistics.median(steps),
                statistics.median(remaining),
                *_summary(solves),
                sum(in_time for in_time, _ in verifies),
                ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts)),
                *_summary(verifies)[1:],
                memory,
                target,
            )


def run(command: str, path: Path, *options: str) -> tuple[int, float, int, str]:
    """Return exit code, CPU seconds, peak MB and the first word that one process of the command line prints."""
    line = [sys.executable, "-m", "gridproof", command, "-q", *options, "--seconds", str(PATIENCE), str(path)]
    done = subprocess.run([sys.executable, "-S", "-c", _LAUNCHER, *line], capture_output=True, text=True, check=True)
    code, seconds, peak = done.stderr.split()[-3:]
    verdict = done.stdout.split(maxsplit=1)
    return int(code), float(seconds), int(peak) // (1024 if sys.platform != "darwin" else 1 << 20), (verdict or [""])[0]


def _summary(runs: Sequence[tuple[bool, float]]) -> tuple[int, float, float]:
    seconds = [spent for _, spent in runs] or [0.0]
    return sum(in_time for in_time, _ in runs), statistics.median(seconds), max(seconds)


def stages(board_text: str, solver: str = "cadical153", seconds: float = PATIENCE) -> dict[str, float]:
    """CPU seconds of each stage in this process, for a board in text (imports done before)."""
    from gridproof import backends
    from gridproof.models import catalog
    from gridproof.models.propagation import reduce
    from gridproof.models.reduced import compile_reduction

    encoding = catalog.load("reduced")
    marks = [process_time()]

    def lap() -> float:
        marks.append(process_time())
        return marks[-1] - marks[-2]

    board: Board = formats.parse(board_text)
    spent = {"parse": lap()}
    reduction = reduce(board)
    spent["propagate"] = lap()
    cnf = compile_reduction(reduction, encoding)
    spent["compile"] = lap()
    for _ in cnf:
        pass
    spent["to lists"] = lap()
    with backends.find(solver).open(LargeModel(board.problem, encoding)) as session:
        grid = next(session.solutions(board, Limits(seconds=seconds)), None)
    # a session propagates and compiles by itself: what it took beyond that is loading and solving
    spent["load and solve"] = max(0.0, lap() - spent["propagate"] - spent["compile"])
    assert grid is None or not check.violations(board, grid)
    spent["check"] = lap()
    return spent


def solvers(limit: float = 20.0) -> Iterator[tuple[str, list[float | None]]]:
    """For each solver the CPU seconds to a first solution of random boards, ``None`` where there was none in time."""
    from gridproof import backends
    from gridproof.errors import Interrupted
    from gridproof.models import catalog

    wanted = ((36, 0.58, 0), (49, 0.58, 0), (64, 0.61, 0), (64, 0.61, 1), (64, 0.61, 5), (64, 0.61, 3), (64, 0.61, 2))
    boards = [formats.parse(generate_large.as_text(generate_large.board(*which))) for which in wanted]
    for name in SOLVERS:
        backend = backends.find(name)
        if backend.unavailable():
            continue
        taken: list[float | None] = []
        for board in boards:
            with backend.open(LargeModel(board.problem, catalog.load("reduced"))) as session:
                started, wall = process_time(), perf_counter()
                try:
                    assert next(session.solutions(board, Limits(seconds=limit))) is not None
                    # a guarded solver works in a child process, whose CPU time is not ours
                    guarded = not getattr(backend, "stoppable", True)
                    taken.append(perf_counter() - wall if guarded else process_time() - started)
                except Interrupted:
                    taken.append(None)
        yield name, taken


def show(figures: Iterator[Figure]) -> list[dict[str, object]]:
    """Print each row as it comes; the same as data."""
    heads = f"{'kind':8} {'order':>5} {'kept':>5} {'steps':>5} {'open':>8} {'solve s':>8} {'slowest':>8}"
    print(f"{heads} {'verify s':>8} {'slowest':>8} {'MB':>6} {'target':>7}")
    record = []
    for figure in figures:
        target = f"{figure.target:g} s" if figure.target else ""
        solved = f"{figure.solved} of {figure.boards} solved"
        print(
            f"{figure.kind:8} {figure.order:5} {figure.share:5.0%} {figure.steps:5,.0f} {figure.open_candidates:8,.0f} "
            f"{figure.solve_median:8.2f} {figure.solve_slowest:8.2f} {figure.verify_median:8.2f} "
            f"{figure.verify_slowest:8.2f} {figure.memory:6} {target:>7} {figure.reached:8} {solved}; "
            f"{figure.verdicts}",
            flush=True,
        )
        record.append(asdict(figure) | {"reached": figure.reached})
    return record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only what is sure to take seconds")
    parser.add_argument("--solvers", action="store_true", help="compare solvers on random boards")
    args = parser.parse_args()
    if args.solvers:
        for name, taken in solvers():
            print(f"{name:12}", *(f"{spent:8.2f}" if spent is not None else "       -" for spent in taken), flush=True)
        return
    show(measure([row for row in ROWS if not args.quick or row[0] != "random" or row[1] < 64]))
    for kind, order, share in (("deduced", 400, 0.72), ("random", 64, 0.61)):
        spent = stages(generate_large.as_text(generate_large.board(order, share, 0, kind)))
        print(f"{kind} {order}: " + ", ".join(f"{stage} {seconds:.2f} s" for stage, seconds in spent.items()))


if __name__ == "__main__":
    main()
