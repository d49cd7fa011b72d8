# SPDX-License-Identifier: MIT OR Apache-2.0
"""The programs of the documentation: they run in the order of their page, and each prints the text that follows it."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)


def programs(page: str) -> list[tuple[int, str, str]]:
    """Return the line, the text and the output of each program of a page."""
    return [(page.count("\n", 0, found.start(1)), found[1], found[2] or "") for found in BLOCK.finditer(page)]


@pytest.mark.parametrize("name", ["docs/python.md", "README.md", "python/README.md"])
def test_programs_of_a_page(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "docs/python.md":
        for module in ("cloudpickle", "pandas", "polars", "pyarrow"):
            pytest.importorskip(module, reason=f"{name} needs {module}")
    # README.md reads an example of the repository and writes nothing.
    monkeypatch.chdir(ROOT if name == "README.md" else tmp_path)
    path = ROOT / name
    shown = programs(path.read_text(encoding="utf-8"))
    assert shown
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for line, text, expected in shown:
        # Empty lines keep the line numbers of the page, for tracebacks and `inspect.getsource`.
        code = compile("\n" * line + text, str(path), "exec")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)
        assert printed.getvalue() == expected, f"output of the program at line {line + 1} of {name}"
