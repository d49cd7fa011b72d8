# SPDX-License-Identifier: MIT OR Apache-2.0
"""The study of these tests: 102 cells of five strategies of lbaf and an own one, each of some milliseconds. As a program, it
runs the study on the workers of `mpi4py.futures`."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import lbaf_rs
import numpy as np

NAMES = ["LPT", "GreedyRefine", "TemperedLB", "RandomLB", "Diffusion"]


def slow(problem: lbaf_rs.Problem) -> Any:
    """Draw a placement, in a time that leaves room for a kill."""
    time.sleep(0.05)
    drawn = problem.rng.integers(problem.n_ranks, size=problem.n_objects)
    return np.where(problem.migratable, drawn, problem.ranks)


TREE = {"axes": {"algorithm.name": [*NAMES, slow], "seed": "0-16"}}


def data() -> lbaf_rs.DataSet:
    uniform = {"name": "uniform", "parameters": [0.5, 1.5]}
    return lbaf_rs.sample(
        n_ranks=32, n_objects=3000, n_mapped_ranks=8, n_phases=2, load_sampler=uniform,
        volume_sampler=uniform, communication_degree=3,
    )


def study(directory: Path, **options: Any) -> lbaf_rs.Study:
    return lbaf_rs.study(TREE, data(), output_dir=directory, charts=False, **options)


def stored(directory: Path) -> int:
    """Return the number of cells that are stored."""
    cells = directory / "cells"
    return sum(path.suffix == ".json" for path in cells.iterdir()) if cells.exists() else 0


def content(directory: Path) -> dict[str, bytes]:
    """Return the cells and all tables that contain no times."""
    files = [path for path in (directory / "cells").iterdir()]
    files += [path for path in directory.glob("*.csv") if not path.stem.startswith("timings")]
    return {path.name: path.read_bytes() for path in files}


if __name__ == "__main__":
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor() as executor:
        done = study(Path(sys.argv[1]), executor=executor, chunk=2)
    print(f"computed {done.n_computed}")
