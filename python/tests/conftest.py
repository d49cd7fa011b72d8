# SPDX-License-Identifier: MIT OR Apache-2.0
"""Data and helpers of the tests."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Callable

import lbaf_rs
import pytest

ROOT = Path(__file__).parents[2]
UNIFORM = {"name": "uniform", "parameters": [0.5, 1.5]}
VOLUMES = {"name": "uniform", "parameters": [10.0, 1000.0]}


def sampled(**changes: Any) -> lbaf_rs.DataSet:
    """Draw data with communication, by default in three equal phases."""
    settings = {
        "n_ranks": 8,
        "n_objects": 200,
        "n_mapped_ranks": 4,
        "n_phases": 3,
        "communication_degree": 3,
        "load_sampler": UNIFORM,
        "volume_sampler": VOLUMES,
    }
    return lbaf_rs.sample(**{**settings, **changes})


@pytest.fixture(scope="session")
def data() -> lbaf_rs.DataSet:
    return sampled()


@pytest.fixture(scope="session")
def phase(data: lbaf_rs.DataSet) -> lbaf_rs.Phase:
    return data[0]


def command() -> str | None:
    """Return the path of the command `lbaf`: LBAF_COMMAND, or else a release build of this checkout, or None."""
    target = os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))
    places = [os.environ.get("LBAF_COMMAND"), os.path.join(target, "release", "lbaf")]
    return next((place for place in places if place and os.path.exists(place)), None)


@pytest.fixture(scope="session")
def lbaf() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs the command, for tests that compare the package with the command."""
    program = command()
    if program is None:
        pytest.skip("the command lbaf is not built (cargo build --release)")

    def run(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
        words = [program, *map(str, arguments)]
        return subprocess.run(words, capture_output=True, text=True, check=False, **options)

    return run


def written(path: Path, tree: Any) -> Path:
    """Write a configuration as JSON, which is valid YAML."""
    path.write_text(json.dumps(tree))
    return path
