"""Run the notebooks and keep their outputs: ``make notebooks``, or ``python notebooks/execute.py NAME.ipynb ...``.

Whatever differs from run to run without meaning (timings of the execution, kernel details) is dropped, and a notebook
whose outputs are still the same (``differences``) is left as it is: it changes only when what it shows does. A cell
with the tag ``timing`` shows figures of time, so only the words of its outputs count.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent


def executed(path: Path, seconds: int = 300) -> Any:
    """The notebook with fresh outputs; each cell may take ``seconds``. Raises nbclient's error if a cell fails."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=seconds, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}
    )
    client.execute()
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "tags"}
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
    return notebook


_BAR = re.compile(r"\[\d\d:\d\d[^\]]*/s\]$")
"""The text of a bar of progress, which is gone where the cell has run."""


def _joined(outputs: list[Any]) -> list[Any]:
    """The outputs with neighbouring pieces of one stream as one: how it was cut is chance."""
    joined: list[Any] = []
    for output in outputs:
        if output.output_type == "stream" and joined and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        elif not _BAR.search(output.get("data", {}).get("text/plain", "")):
            joined.append(output)
    return joined


def differences(stored: Any, fresh: Any) -> list[str]:
    """Return where the outputs of two runs of a notebook differ, a line for each cell."""
    found = []
    for number, (old, new) in enumerate(zip(stored.cells, fresh.cells, strict=True)):
        timing = "timing" in old.metadata.get("tags", ())
        kept = _read_outputs(old.get("outputs", []), timing)
        made = _read_outputs(new.get("outputs", []), timing)
        if kept != made:
            found.append(f"cell {number} is kept with {kept!r}; it is now {made!r}")
    return found


_CHANGES = (
    (r"0x[0-9a-f]{6,}", "ADDRESS"),
    (r"(/tmp|/var/folders|[A-Z]:\\)[^\s'\"]*", "PATH"),
    (r"\b\d+\.\d+\.(\d+|dev)[\w.]*", "VERSION"),
    # seconds to many places, and whatever has a unit of time or is a number of something in a second
    (r"\b\d+\.\d{4,}\b", "TIME"),
    (r"\b[\d,]+(\.\d+)?(?= ?(us|ms|s|min|seconds?|CPU-seconds?)\b)", "TIME"),
    (r"\b[\d,]+(\.\d+)?(?= \w+ (a|per) second|/s\b)", "RATE"),
    # pictures: their size is part of what describes them
    (r"(?s)<svg.*?</svg>", "PICTURE"),
    (r"(?s)<script>.*?</script>", "SCRIPT"),
    (r'(?s)<style>[^<]*</style><img class="gridproof".*?/>', "PICTURE"),
    (r"<SVG of [\d,]+ characters>", "PICTURE"),
    (r"gp-still-\w+", "KEY"),
)
"""What may change from run to run, and what stands for it where two runs are compared."""


_REMARK = re.compile(
    r"^(  |runs not solved, |not significantly slower|marginal contributions|mostly compiling|The machine was busy).*"
)
"""Lines of a comparison that depend on the speed of the machine."""


def _read_outputs(outputs: list[Any], timing: bool) -> list[Any]:
    """Return what stands in the outputs of a cell, pictures and figures of time aside."""
    found = []
    for output in outputs:
        texts = {"stream": output.text} if output.output_type == "stream" else output.get("data", {})
        for kind, text in sorted(texts.items()):
            if kind.startswith("image/") or not isinstance(text, str):
                found.append(kind)
                continue
            for pattern, name in _CHANGES:
                text = re.sub(pattern, name, text)
            if timing:  # which is faster may change, too, and with it the order of the lines and the remarks below them
                no_words = {"TIME", "us", "ms", "s", "n", "d"}
                lines = (re.findall(r"(?<![\w.])[A-Za-z][\w-]*", _REMARK.sub("", line)) for line in text.splitlines())
                text = sorted(filter(None, (" ".join(word for word in line if word not in no_words) for line in lines)))
            found.append((kind, text))
    return found


def main() -> None:
    import nbformat

    for path in [Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*.ipynb")):
        stored, fresh = nbformat.read(path, as_version=4), executed(path)
        if new := differences(stored, fresh):
            nbformat.write(fresh, path)
        print(f"{path.name}: {f'{len(new)} cells have changed' if new else 'as it was'}", flush=True)


if __name__ == "__main__":
    main()
