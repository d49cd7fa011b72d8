# SPDX-License-Identifier: MIT OR Apache-2.0
"""The programs of docs/python.md: they run in the order of the page, and print the text that follows them."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

PAGE = ROOT / "docs" / "python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE)


def programs() -> list[tuple[int, str, str]]:
    """Return the line, the text and the output of each program."""
    page = PAGE.read_text(encoding="utf-8")
    return [(page.count("\n", 0, found.start(1)), found[1], found[2] or "") for found in BLOCK.finditer(page)]


def test_programs_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("polars", "pyarrow", "pandas", "cloudpickle"):
        pytest.importorskip(name)
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    assert programs()
    for line, text, expected in programs():
        # Empty lines give tracebacks and the source of strategies the line numbers of the page.
        code = compile("\n" * line + text, str(PAGE), "exec")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, namespace)
        assert printed.getvalue() == expected, f"output of the program at line {line + 1} of {PAGE.name}"
