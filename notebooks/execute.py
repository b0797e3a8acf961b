"""Run the notebooks and keep their outputs: ``make notebooks``, or ``python notebooks/execute.py NAME.ipynb ...``.

Whatever differs from run to run without meaning (timings of the execution, kernel details) is dropped, so that a
notebook changes only when what it shows does.
"""

from __future__ import annotations

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
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
    return notebook


def _joined(outputs: list[Any]) -> list[Any]:
    """The outputs with neighbouring pieces of one stream as one: how it was cut is chance."""
    joined: list[Any] = []
    for output in outputs:
        if output.output_type == "stream" and joined and joined[-1].get("name") == output.name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def main() -> None:
    import nbformat

    for path in [Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*.ipynb")):
        nbformat.write(executed(path), path)
        print(f"executed {path.name}")


if __name__ == "__main__":
    main()
