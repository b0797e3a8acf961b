"""Makes the second half of papers.md from benchmarks/results/paper-NAME.md, which `compare --table` wrote."""

from __future__ import annotations

from pathlib import Path

from gridproof.papers import names

DOCS = Path(__file__).parent
RESULTS = DOCS.parent / "benchmarks" / "results"
MARK = "<!-- below: docs/make_papers.py, from benchmarks/results/paper-NAME.md -->\n"


def make_page() -> str:
    """Return the page: what stands above the mark, then the kept run of each paper."""
    head = (DOCS / "papers.md").read_text(encoding="utf-8").partition(MARK)[0]
    sections = []
    for name in names():
        kept = RESULTS / f"paper-{name}.md"
        if kept.exists():
            title, _, rest = kept.read_text(encoding="utf-8").partition("\n")
            sections.append(f"{title}\n\n`gridproof compare --paper {name}`\n{rest}")
    return head + MARK + "\n" + "\n".join(sections)


if __name__ == "__main__":
    (DOCS / "papers.md").write_text(make_page(), encoding="utf-8")
