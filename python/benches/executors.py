# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the overhead of executors: milliseconds per cell of a study of 200 cells with nearly no work.

Runs in one process, in a process pool, and on Dask (skipped if missing). The start of the workers and their first
study, during which they import the package, do not count.
"""

import statistics
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor

import lbaf_rs

N_CELLS = 200
REPETITIONS = 5
UNIFORM = {"name": "uniform", "parameters": [0.5, 1.5]}
TREE = {"axes": {"algorithm.name": ["RandomLB"], "seed": f"0-{N_CELLS - 1}"}}


def milliseconds(**options):
    """Return the median and the largest of the milliseconds per cell."""
    data = lbaf_rs.sample(n_ranks=4, n_objects=20, n_mapped_ranks=2, load_sampler=UNIFORM)
    seconds = []
    for _ in range(REPETITIONS + 1):
        with tempfile.TemporaryDirectory() as directory:
            began = time.perf_counter()
            study = lbaf_rs.study(TREE, data, output_dir=directory, charts=False, **options)
            seconds.append(time.perf_counter() - began)
            assert study.n_computed == N_CELLS
    return [of(seconds[1:]) / N_CELLS * 1e3 for of in (statistics.median, max)]


def show(name, numbers):
    print(f"{name:42}{numbers[0]:8.2f}{numbers[1]:8.2f}", flush=True)


if __name__ == "__main__":
    print(f"{'milliseconds per cell':42}{'median':>8}{'largest':>8}")
    show("one process, 1 thread", milliseconds(threads=1))
    show("one process, all threads", milliseconds())
    with ProcessPoolExecutor(2) as executor:
        show("process pool, 2 workers", milliseconds(executor=executor))
        show("process pool, 2 workers, 1 cell per task", milliseconds(executor=executor, chunk=1))
    try:
        from dask.distributed import Client, LocalCluster
    except ImportError:
        print("skipped: dask is missing (pip install dask distributed)")
        sys.exit()
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        show("Dask, 2 workers", milliseconds(executor=client.get_executor()))
        show("Dask, 2 workers, 1 cell per task", milliseconds(executor=client.get_executor(), chunk=1))
        show("Dask, 2 workers, 20 cells per task", milliseconds(executor=client.get_executor(), chunk=20))
