# SPDX-License-Identifier: MIT OR Apache-2.0
"""The study of these tests: four strategies of lbaf and an own strategy.

In its cells with seeds from 5 on, the own strategy waits at a gate. The tests open the gate after they have killed a
process, so the progress of the study at the kill does not depend on the speed of the machine.
As a program, this module runs the study on the workers of `mpi4py.futures`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import lbaf_rs
import numpy as np

#: Environment variable with the directory of the gate. Without it, the gate is open.
GATE = "LBAF_TEST_GATE"
#: Seconds after which waiting for a condition fails.
PATIENCE = 100.0

N_SEEDS = 25
NAMES = ["LPT", "GreedyRefine", "TemperedLB", "RandomLB"]
N_CELLS = N_SEEDS * (len(NAMES) + 1)
#: LPT and GreedyRefine draw no random numbers, so each has a single distinct cell. The other three have one per seed.
N_DISTINCT = 2 + 3 * N_SEEDS


class Gate:
    """A file that opens the gate, and a file for each process that has reached it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def open(self) -> None:
        (self.directory / "open").touch()

    def is_open(self) -> bool:
        return (self.directory / "open").exists()

    def waiting(self) -> list[int]:
        """Return the processes that have reached the gate."""
        return sorted(int(path.name) for path in self.directory.iterdir() if path.name.isdigit())

    def wait(self) -> None:
        """Wait in a strategy until the gate is open."""
        if not self.is_open():
            (self.directory / str(os.getpid())).touch()
            until(self.is_open)


def until(condition: Any) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{condition} is false after {PATIENCE} seconds")
        time.sleep(0.01)


def gated(problem: lbaf_rs.Problem) -> Any:
    """Draw a placement; with seeds from 5 on, wait at the gate before drawing."""
    if problem.seed >= 5 and GATE in os.environ:
        Gate(Path(os.environ[GATE])).wait()
    drawn = problem.rng.integers(problem.n_ranks, size=problem.n_objects)
    return np.where(problem.migratable, drawn, problem.ranks)


def dies(problem: lbaf_rs.Problem) -> Any:
    """Return the start. With seed 11, wait at the gate and end the process instead."""
    if problem.seed == 11:
        Gate(Path(os.environ[GATE])).wait()
        os._exit(1)
    return problem.ranks


def corrected(problem: lbaf_rs.Problem) -> Any:
    """Return the start with every seed."""
    return problem.ranks


# Equal versions, so the cells that `dies` has stored remain valid for `corrected`.
dies.version = corrected.version = 1  # type: ignore[attr-defined]


TREE: dict[str, Any] = {"axes": {"algorithm.name": [*NAMES, "own"], "seed": f"0-{N_SEEDS - 1}"}}


def data() -> lbaf_rs.DataSet:
    uniform = {"name": "uniform", "parameters": [0.5, 1.5]}
    return lbaf_rs.sample(
        n_ranks=32,
        n_objects=1000,
        n_mapped_ranks=8,
        n_phases=2,
        load_sampler=uniform,
        volume_sampler=uniform,
        communication_degree=3,
    )


def study(directory: Path, own: Any = gated, **options: Any) -> lbaf_rs.Study:
    return lbaf_rs.study(TREE, data(), output_dir=directory, strategies={"own": own}, charts=False, **options)


def stored(directory: Path) -> int:
    """Return the number of stored cells."""
    cells = directory / "cells"
    return sum(path.suffix == ".json" for path in cells.iterdir()) if cells.exists() else 0


def content(directory: Path) -> dict[str, bytes]:
    """Return all files in `cells`, and all tables that contain no times."""
    files = list((directory / "cells").iterdir())
    tables = [path for path in directory.glob("*.csv") if not path.stem.startswith("timings")]
    assert {"cells", "iterations", "medians", "ranking", "front"} <= {path.stem for path in tables}
    return {str(path.relative_to(directory)): path.read_bytes() for path in [*files, *tables]}


if __name__ == "__main__":
    from mpi4py import MPI
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor() as executor:
        done = study(Path(sys.argv[1]), executor=executor, chunk=2)
    print(f"computed {done.n_computed} with {MPI.COMM_WORLD.size} processes")
