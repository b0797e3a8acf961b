"""The first bulk runs of a fresh installation: ``python -m benchmarks.first_run [PUZZLES ...]``.

The folder for machine code is empty. For each number of puzzles: a run before anything is compiled, then, when the
search of the lanes is compiled, a second one; seconds to the first verdict and to the end.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks import sets


def main() -> None:
    _, puzzles = sets.seventeen()
    print("| puzzles | first verdict, s | end, s | second run: first verdict | end |\n|---|---|---|---|---|")
    for number in map(int, sys.argv[1:] or ["3000", "200000"]):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
            file = Path(folder, "puzzles.txt")
            file.write_text("".join(f"{puzzles[k % len(puzzles)]}\n" for k in range(number)))
            first = _run(file, environment)
            compiler = "from gridproof.lanes import kernel_numba; kernel_numba.compile_search()"
            subprocess.run([sys.executable, "-c", compiler], env=environment, check=True)
            second = _run(file, environment)
        print(f"| {number:,} | {' | '.join(f'{seconds:.1f}' for seconds in (*first, *second))} |")


def _run(file: Path, environment: dict[str, str]) -> tuple[float, float]:
    command = [sys.executable, "-m", "gridproof", "verify", str(file), "--cross-check", "none"]
    started = perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        process.stdout.readline()
        verdict = perf_counter() - started
        process.stdout.read()
    return verdict, perf_counter() - started


if __name__ == "__main__":
    main()
