"""``python -m benchmarks [PART ...]``: measure, print tables, and keep the figures in benchmarks/results/.

Parts: ``sessions``, ``cold``, ``large`` (boards of order 16 to 400), ``sizes`` (of the encodings, with a picture of
how the cost grows), ``bulk`` (the whole pipe of a bulk run in one process), ``real_puzzles`` (shared links of
f-puzzles and SudokuPad), ``certificates`` (of the complete ones among them), ``canonical`` (forms); without any, all
of them. ``python -m benchmarks.bulk`` measures whole bulk runs of a million lines.
"""

from __future__ import annotations

import argparse
import json
import statistics
from dataclasses import asdict
from datetime import date
from pathlib import Path

from benchmarks import canonical, certificates, encoding_sizes, large_boards, machine, pipe, real_puzzles, sessions

RESULTS = Path(__file__).resolve().parent / "results"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[*PARTS, []], help=f"of {', '.join(PARTS)}")
    parser.add_argument("--repetitions", type=int, default=5, help="of each row (default: 5)")
    args = parser.parse_args()
    record: dict[str, object] = {"date": date.today().isoformat(), "machine": machine.description()}
    print(json.dumps(record["machine"], indent=1))
    for part in args.parts or PARTS:
        record[part] = PARTS[part](args.repetitions)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{record['date']}-{'-'.join(args.parts) or 'all'}.json"
    path.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(f"kept in {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}")


def _sessions(repetitions: int) -> object:
    figures = sessions.measure(repetitions)
    heading = "puzzles/s, one thread, uniqueness proven"
    print(f"\n{heading:42}{'puzzles':>8}{'CPU':>9}{'wall':>9}{'ratio':>7}{'target':>8}")
    for figure in figures:
        target = f"{figure.target:.2f}" if figure.target else ""
        print(
            f"{figure.what + ', ' + figure.set:42}{figure.puzzles:8,}{figure.per_cpu_second:9,.0f}"
            f"{figure.per_wall_second:9,.0f}{figure.ratio:7.2f}{target:>8}  {figure.reached}"
        )
    print("ratio: to MiniSat alone (PySAT's, extended, two questions a puzzle), for CP-SAT to an empty model")
    return [asdict(figure) | {"reached": figure.reached} for figure in figures]


def _cold(repetitions: int) -> object:
    runs = sessions.cold_start(repetitions + 2)
    median = statistics.median(runs)
    outcome = "reached" if median < 0.4 else "missed"
    print(f"\ncold start, one puzzle, whole process: median {median:.3f} s (target 0.4 s: {outcome})")
    return {"seconds": runs, "median": median, "target": 0.4, "reached": outcome}


def _large(_: int) -> object:
    print()
    return large_boards.show(large_boards.measure())


def _sizes(_: int) -> object:
    print()
    RESULTS.mkdir(exist_ok=True)
    return encoding_sizes.record(RESULTS / f"{date.today().isoformat()}-sizes.png")


def _bulk(repetitions: int) -> object:
    print()
    return [asdict(figure) | {"reached": figure.reached} for figure in pipe.show(pipe.measure(repetitions=repetitions))]


def _certificates(_: int) -> object:
    print()
    return certificates.show(certificates.measure())


def _canonical(repetitions: int) -> object:
    print()
    return canonical.show(canonical.measure(repetitions))


def _real_puzzles(_: int) -> object:
    print()
    return real_puzzles.show(real_puzzles.measure())


PARTS = {
    "sessions": _sessions,
    "cold": _cold,
    "large": _large,
    "sizes": _sizes,
    "bulk": _bulk,
    "real_puzzles": _real_puzzles,
    "certificates": _certificates,
    "canonical": _canonical,
}

if __name__ == "__main__":
    main()
