# SPDX-License-Identifier: MIT OR Apache-2.0
"""Studies on Dask, MPI, Parsl and process pools, with killed processes: the results equal those of one process."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, Callable

import pytest

from . import grid


def cluster(distributed: Any) -> Any:
    return distributed.LocalCluster(n_workers=2, processes=True, threads_per_worker=1, dashboard_address=None)


def test_dask_with_a_killed_worker(expected: dict[str, bytes], gate: grid.Gate, tmp_path: Path) -> None:
    distributed = pytest.importorskip("dask.distributed", reason="dask is missing (pip install dask distributed)")
    killed: list[int] = []
    n_done: list[int] = []
    with cluster(distributed) as workers, distributed.Client(workers) as client:
        before = set(client.run(os.getpid).values())

        def kill(activity: str, done: int, total: int) -> None:
            n_done.append(done)
            if not killed and done >= 20:
                # The process to be killed waits in a cell.
                grid.until(gate.waiting)
                killed.append(gate.waiting()[0])
                n_done.append(grid.stored(tmp_path / "study"))
                os.kill(killed[0], signal.SIGKILL)
                gate.open()

        study = grid.study(tmp_path / "study", executor=client.get_executor(), chunk=2, progress=kill)
        after = set(client.run(os.getpid).values())
    assert killed[0] in before and killed[0] not in after
    assert n_done[-1] == grid.N_DISTINCT == study.n_computed
    assert grid.content(tmp_path / "study") == expected


def test_dask_with_a_cell_that_kills_its_worker(gate: grid.Gate, tmp_path: Path) -> None:
    distributed = pytest.importorskip("dask.distributed", reason="dask is missing (pip install dask distributed)")
    import dask

    # Dask does not try the cell again.
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        with cluster(distributed) as workers, distributed.Client(workers) as client:
            with pytest.raises(distributed.KilledWorker):
                grid.study(
                    tmp_path / "study", grid.dies, executor=client.get_executor(), chunk=1, progress=opens(gate, 20)
                )
            n_stored = grid.stored(tmp_path / "study")
            assert 20 <= n_stored < grid.N_DISTINCT
            # The same workers finish the study.
            study = grid.study(tmp_path / "study", grid.corrected, executor=client.get_executor())
    assert study.n_computed == grid.N_DISTINCT - n_stored
    grid.study(tmp_path / "alone", grid.corrected)
    assert grid.content(tmp_path / "study") == grid.content(tmp_path / "alone")


def opens(gate: grid.Gate, n_cells: int) -> Callable[[str, int, int], None]:
    """Return a progress callback that opens the gate once `n_cells` cells are stored."""

    def progress(activity: str, done: int, total: int) -> None:
        if done >= n_cells:
            gate.open()

    return progress


def mpi(directory: Path, log: Path) -> subprocess.Popen[bytes]:
    """Start the study on two workers, in a session of its own."""
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    command = ["mpirun", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures", grid.__file__]
    with log.open("wb") as file:
        return subprocess.Popen(
            [*command, str(directory)],
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, **root},
            start_new_session=True,
        )


def session(leader: int) -> list[int]:
    """Return the processes of a session. Process groups do not suffice: processes of MPI have groups of their own."""
    processes = []
    for entry in Path("/proc").iterdir():
        try:
            # After the name in parentheses: state, parent, process group, session.
            state, _, _, of = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
        except OSError:
            continue
        if entry.name.isdigit() and int(of) == leader and state != "Z":
            processes.append(int(entry.name))
    return processes


def kill_session(leader: subprocess.Popen[bytes]) -> int:
    """Kill all processes of a session, and return their number."""
    processes = session(leader.pid)
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    leader.wait()
    grid.until(lambda: not session(leader.pid))
    return len(processes)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds the processes of MPI in /proc")
def test_mpi_killed_and_continued(expected: dict[str, bytes], gate: grid.Gate, tmp_path: Path) -> None:
    pytest.importorskip("mpi4py", reason="mpi4py is missing (pip install mpi4py)")
    if shutil.which("mpirun") is None:
        pytest.skip("mpirun is missing (apt-get install openmpi-bin)")
    directory, log = tmp_path / "study", tmp_path / "log"
    first = mpi(directory, log)
    try:
        grid.until(lambda: first.poll() is not None or (grid.stored(directory) >= 20 and gate.waiting()))
        assert first.poll() is None, log.read_text()
    finally:
        n_killed = kill_session(first)
    # At least mpirun, the main process and two workers.
    assert n_killed >= 4
    n_stored = grid.stored(directory)
    assert 20 <= n_stored < grid.N_DISTINCT
    assert not (directory / "cells.csv").exists()

    gate.open()
    again = mpi(directory, log)
    try:
        code = again.wait(timeout=grid.PATIENCE)
    finally:
        kill_session(again)
    assert code == 0, log.read_text()
    assert f"computed {grid.N_DISTINCT - n_stored} with 3 processes" in log.read_text()
    assert grid.content(directory) == expected


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_parsl(
    kind: str,
    expected: dict[str, bytes],
    gate: grid.Gate,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parsl = pytest.importorskip("parsl", reason="parsl is missing (pip install parsl)")
    concurrent = pytest.importorskip("parsl.concurrent", reason="this parsl has no ParslPoolExecutor")
    gate.open()
    # Parsl finds the program of its workers in PATH.
    monkeypatch.setenv("PATH", os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]))
    if kind == "threads":
        workers: Any = parsl.ThreadPoolExecutor(max_threads=2)
    else:
        workers = parsl.HighThroughputExecutor(max_workers_per_node=2, address="127.0.0.1", cores_per_worker=0.5)
    config = parsl.Config(executors=[workers], run_dir=str(tmp_path / "parsl"))
    with concurrent.ParslPoolExecutor(config) as executor:
        study = grid.study(tmp_path / "study", executor=executor)
    assert study.n_computed == grid.N_DISTINCT
    assert grid.content(tmp_path / "study") == expected


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_process_pool(start: str, expected: dict[str, bytes], tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(start)) as executor:
        study = grid.study(tmp_path / "study", executor=executor)
    assert study.n_computed == grid.N_DISTINCT
    assert grid.content(tmp_path / "study") == expected


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_process_pool_with_a_worker_that_dies(start: str, gate: grid.Gate, tmp_path: Path) -> None:
    context = multiprocessing.get_context(start)
    with ProcessPoolExecutor(2, mp_context=context) as executor, pytest.raises(BrokenProcessPool):
        grid.study(tmp_path / "study", grid.dies, executor=executor, chunk=1, progress=opens(gate, 20))
    n_stored = grid.stored(tmp_path / "study")
    assert 20 <= n_stored < grid.N_DISTINCT
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        study = grid.study(tmp_path / "study", grid.corrected, executor=executor)
    assert study.n_computed == grid.N_DISTINCT - n_stored
    grid.study(tmp_path / "alone", grid.corrected)
    assert grid.content(tmp_path / "study") == grid.content(tmp_path / "alone")
