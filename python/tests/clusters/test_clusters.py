# SPDX-License-Identifier: MIT OR Apache-2.0
"""Studies on the workers of Dask and of MPI, some of which are killed: the results are those of one process."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import lbaf_rs
import pytest

from . import grid


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Cells and tables of one process."""
    directory = tmp_path_factory.mktemp("expected")
    study = grid.study(directory)
    assert len(set(study.cells["cell"].tolist())) == 102
    return grid.content(directory)


def test_dask_with_a_killed_worker(expected: dict[str, bytes], tmp_path: Path) -> None:
    distributed = pytest.importorskip("dask.distributed")
    killed: list[int] = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:

            def kill(activity: str, done: int, total: int) -> None:
                if not killed and done >= 5:
                    worker = min(client.run(os.getpid).values())
                    killed.append(worker)
                    os.kill(worker, signal.SIGKILL)

            study = grid.study(tmp_path, executor=client.get_executor(), chunk=2, progress=kill)
    assert len(killed) == 1 and study.n_computed == len([name for name in expected if name.endswith(".json")])
    assert grid.content(tmp_path) == expected


def mpi(directory: Path, log: Path) -> subprocess.Popen[bytes]:
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    command = ["mpirun", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", "-m"]
    module = f"{Path(__file__).parent.name}.grid"
    environment = {**os.environ, **root, "PYTHONPATH": str(Path(__file__).parents[1])}
    return subprocess.Popen(
        [*command, module, str(directory)], stdout=log.open("wb"), stderr=subprocess.STDOUT, env=environment,
        start_new_session=True,
    )


def kill_session(session: int) -> None:
    """Kill all processes of a session; those of MPI have process groups of their own."""
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.getsid(int(entry.name)) == session:
                os.kill(int(entry.name), signal.SIGKILL)
        except ProcessLookupError:
            continue


def test_mpi_killed_and_resumed(expected: dict[str, bytes], tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    if shutil.which("mpirun") is None:
        pytest.skip("mpirun is missing (apt-get install openmpi-bin)")
    directory, log = tmp_path / "study", tmp_path / "log"
    first = mpi(directory, log)
    n_cells = len([name for name in expected if name.endswith(".json")])
    deadline = time.monotonic() + 60
    while grid.stored(directory) < 5 and time.monotonic() < deadline and first.poll() is None:
        time.sleep(0.01)
    kill_session(first.pid)
    first.wait()
    n_stored = grid.stored(directory)
    assert 5 <= n_stored < n_cells, log.read_text()
    again = mpi(directory, log)
    assert again.wait(timeout=120) == 0, log.read_text()
    assert f"computed {n_cells - n_stored}" in log.read_text()
    assert grid.content(directory) == expected


def dies(problem: lbaf_rs.Problem) -> Any:
    """Ends its process at one seed."""
    if problem.seed == 11:
        os._exit(1)
    return problem.ranks


dies.version = 1  # type: ignore[attr-defined]


def test_a_study_continues_after_a_worker_has_died(tmp_path: Path) -> None:
    tree = {"axes": {"algorithm.name": ["LPT", "RandomLB", dies], "seed": "0-15"}}
    data = grid.data()
    with ProcessPoolExecutor(2) as executor, pytest.raises(BrokenProcessPool):
        lbaf_rs.study(tree, data, output_dir=tmp_path, charts=False, executor=executor, chunk=1)
    n_stored = grid.stored(tmp_path)
    assert 0 < n_stored < 33
    rest = {"axes": {"algorithm.name": ["LPT", "RandomLB"], "seed": "0-15"}}
    with ProcessPoolExecutor(2) as executor:
        study = lbaf_rs.study(rest, data, output_dir=tmp_path, charts=False, executor=executor)
    assert study.n_computed <= 17 and grid.stored(tmp_path) >= 17
