"""``python -m benchmarks.page FOLDER``: the page in Chromium, from a server on this machine.

FOLDER is a page (`make page` makes site/page). Measured are the time from opening it to the first cross-checked
verdict, and of edits the times to the verdict on the screen and to the end of the analysis: real puzzles of f-puzzles,
each edited some times at random places, one key after the other. Each verdict is compared with that of this Python. The
times are those of the clock, so they belong to an idle machine; the load is printed with them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import statistics
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from gridproof import Board, Geometry, convert, parse, read_puzzle, verify
from gridproof.formats import Puzzle
from gridproof.page.saving import from_address

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "fpuzzles.jsonl"
SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
WORDS = {"unique": "unique", "multiple": "several", "none": "none"}
"""The word of the page for each verdict."""

EDIT = """async (key) => {
    const board = document.querySelector('.gp-widget');
    const started = performance.now();
    const times = { verdict: null, end: null };
    const done = new Promise((resolve) => {
        let begun = false;
        const look = () => {
            const busy = board.getAttribute('aria-busy') === 'true';
            const word = document.querySelector('.gp-badge').textContent;
            if (busy) begun = true;
            if (begun && times.verdict === null && word !== 'checking') times.verdict = performance.now() - started;
            if (begun && !busy) {
                times.end = performance.now() - started;
                times.word = word;
                watching.disconnect();
                resolve(times);
            }
        };
        const watching = new MutationObserver(look);
        watching.observe(board, { subtree: true, childList: true, attributes: true, characterData: true });
        setTimeout(() => { watching.disconnect(); resolve(times); }, 30000);
    });
    const grid = document.querySelector('.gp-grid');
    grid.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    return await done;
}"""
"""JavaScript: type a key into the chosen cell; return the milliseconds until the verdict and until nothing is busy."""


class Edit(NamedTuple):
    """An edit: milliseconds to the verdict and to the end of the analysis, and whether the verdict is right."""

    verdict: float
    end: float
    right: bool


class _Handler(SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012 (as the class above has it)
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """Print nothing where a page is closed before it has all of its files."""


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """The address of a server that serves a folder."""
    with _Server(("127.0.0.1", 0), partial(_Handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def badge(page: Any, word: str) -> None:
    """Wait until the state of the board begins with a word."""
    page.wait_for_function("word => document.querySelector('.gp-badge')?.textContent.startsWith(word)", arg=word)


def open_page(browser: Any, address: str, puzzle: str) -> tuple[Any, float]:
    """Open the page in a new profile; return it with the seconds until its first verdict."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(f"{address}#{puzzle}", wait_until="commit")
    badge(page, "unique")
    seconds: float = page.evaluate("performance.now()") / 1000
    return page, seconds


def show(page: Any, text: str) -> None:
    """Open a puzzle by the box, and wait for the end of its analysis."""
    page.fill("#text", text)
    page.click("#open")
    page.wait_for_function("() => document.querySelector('#tabs [aria-selected=true]').textContent !== '…'")
    page.wait_for_function("() => document.querySelector('.gp-widget').getAttribute('aria-busy') === 'false'")


def edit(page: Any, cell: int, key: str) -> Edit | None:
    """Type a key into a cell; ``None`` if that changes nothing, or takes more than 30 seconds."""
    page.click(f"[data-cell='{cell}']")
    times = page.evaluate(EDIT, key)
    if times["verdict"] is None or times["end"] is None:
        return None
    page.wait_for_timeout(20)  # the address follows the edit
    board = parse(from_address(page.evaluate("location.hash.slice(1)")))
    expected = WORDS[verify(board).status]
    return Edit(times["verdict"], times["end"], times["word"].startswith(expected))


def complete_puzzles(number: int) -> list[str]:
    """Return links of complete puzzles of f-puzzles, evenly chosen; our own one if the data are not there."""
    if not DATA.exists():
        return [convert(SUDOKU, "f-puzzles")]
    links = []
    for line in DATA.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if record["complete"]:
            puzzle = read_puzzle(record["payload"], despite_unread=False)
            # without words, which would take the place of the verdict
            links.append(convert(Puzzle(puzzle.board), "toml"))
    return links[:: max(1, len(links) // number)][:number]


def measure_edits(page: Any, puzzles: Sequence[str], edits: int) -> list[Edit]:
    """Edit each puzzle so many times: clues are typed, and typed again, which takes them away."""
    random = Random(7)
    made: list[Edit] = []
    for puzzle in puzzles:
        show(page, puzzle)
        geometry = parse(puzzle).geometry
        for _ in range(edits):
            cell = random.randrange(geometry.cell_count)
            one = edit(page, cell, geometry.symbol_text(random.randint(1, geometry.symbol_count)))
            if one is not None:
                made.append(one)
    return made


def compressed_size(folder: Path) -> int:
    """Return the bytes of all files of a page as a server sends them, compressed."""
    return sum([len(gzip.compress(file.read_bytes(), 9)) for file in folder.rglob("*") if file.is_file()])


def memory(page: Any) -> int:
    """Return the bytes of the page with its workers, as the browser counts them."""
    process = page.context.new_cdp_session(page)
    usage: int = process.send("Runtime.getHeapUsage")["usedSize"]
    return usage


def percentile(values: Sequence[float], part: float) -> float:
    """Return the value below which a part of the values lies."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--puzzles", type=int, default=75)
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--starts", type=int, default=5)
    args = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"compressed: {compressed_size(args.folder) / 1e6:.2f} MB (target 9)")
    with serve(args.folder) as address, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        starts = []
        for _ in range(args.starts):
            page, seconds = open_page(browser, address, SUDOKU)
            starts.append(seconds)
            page.context.close()
        print(f"opened to first verdict: median {statistics.median(starts):.2f} s, best {min(starts):.2f} (target 4)")
        page, _ = open_page(browser, address, SUDOKU)
        page.fill("#text", convert(Puzzle(Board.empty(Geometry.classic(5))), "toml"))
        began = page.evaluate("performance.now()")
        page.click("#open")
        page.wait_for_function("() => document.querySelectorAll('.gp-cell').length === 625")
        badge(page, "several")
        print(f"25x25 without a clue: {(page.evaluate('performance.now()') - began) / 1000:.2f} s (target 3)")
        before = memory(page)
        puzzles = complete_puzzles(args.puzzles)
        made = measure_edits(page, puzzles, args.edits)
        for name, target in (("verdict", 100), ("end", 600)):
            times = [getattr(one, name) for one in made]
            median = statistics.median(times)
            print(f"edit to {name}: median {median:.0f} ms, p90 {percentile(times, 0.9):.0f} (target {target})")
        lost = len(puzzles) * args.edits - len(made)
        print(f"{len(made)} edits, {sum([not one.right for one in made])} other verdicts than here (target 0)")
        print(f"{lost} edits that changed nothing, or took more than 30 s, are in no figure")
        print(f"memory of the page: {before / 1e6:.1f} MB before, {memory(page) / 1e6:.1f} MB after")
        browser.close()
    print(f"load of the machine: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
