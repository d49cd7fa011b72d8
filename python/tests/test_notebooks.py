# SPDX-License-Identifier: MIT OR Apache-2.0
"""The notebooks of docs/notebooks: each runs without an error, and prints the same text as in its committed outputs."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) == 3


def lines(notebook: Any) -> list[str]:
    """Return the text that each cell prints, and its results of one line. Longer results are tables, whose form depends
    on the version of pandas."""
    found = []
    for cell in notebook.cells:
        outputs = cell.get("outputs", [])
        # The kernel sends printed text in one or several parts, depending on time.
        printed = "".join(output["text"] for output in outputs if output.get("name") == "stdout")
        results = [output.get("data", {}).get("text/plain", "") for output in outputs]
        found += [printed, *(text for text in results if "\n" not in text and " at 0x" not in text)]
    return [text for text in found if text]


def test_printed_text_may_arrive_in_parts() -> None:
    def notebook(*texts: str) -> Any:
        outputs = [{"output_type": "stream", "name": "stdout", "text": text} for text in texts]
        return SimpleNamespace(cells=[{"outputs": outputs}])

    assert lines(notebook("a\n", "b\n")) == lines(notebook("a\nb\n")) == ["a\nb\n"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path, tmp_path: Path) -> None:
    for module in ("ipykernel", "nbformat", "pandas"):
        pytest.importorskip(module, reason=f"notebooks need {module}")
    nbclient = pytest.importorskip("nbclient", reason="notebooks need nbclient")
    import nbformat

    assert path.stat().st_size < 150_000
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)), "run the notebook from the start"
    committed = lines(notebook)
    # The notebook writes its files to its working directory.
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    assert lines(notebook) == committed
