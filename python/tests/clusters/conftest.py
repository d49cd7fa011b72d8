# SPDX-License-Identifier: MIT OR Apache-2.0
"""Selection of the tests on clusters, which take more than a minute: `LBAF_CLUSTERS=1 pytest python/tests/clusters`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from . import grid


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("LBAF_CLUSTERS") != "1":
        skip = pytest.mark.skip(reason="tests on clusters run with LBAF_CLUSTERS=1 (scripts/long/python.sh)")
        here = Path(__file__).parent
        for item in items:
            if here in item.path.parents:
                item.add_marker(skip)


@pytest.fixture(scope="session")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return the cells and tables of the study, computed in one process."""
    directory = tmp_path_factory.mktemp("expected")
    study = grid.study(directory)
    assert study.n_computed == grid.N_DISTINCT == grid.stored(directory)
    assert study.summary["n_cells"] == grid.N_CELLS
    return grid.content(directory)


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> grid.Gate:
    """Return a closed gate, at which cells of the study wait (see `grid`).

    Processes started in the test inherit the gate, and can import the modules of the tests.
    """
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
    gate = grid.Gate(tmp_path / "gate")
    gate.directory.mkdir()
    monkeypatch.setenv(grid.GATE, str(gate.directory))
    return gate
