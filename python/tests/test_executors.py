# SPDX-License-Identifier: MIT OR Apache-2.0
"""Executors with long-lived workers, broken pools and other faults: all stored cells belong to the current study."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, Callable

import lbaf_rs
import pytest
from conftest import sampled, written
from lbaf_rs._own import digest_of
from test_studies import cells

TREE: dict[str, Any] = {"axes": {"algorithm.name": ["LPT", "RandomLB"], "seed": "0-19"}}
SAMPLERS = {
    "n_ranks": 4,
    "n_objects": 100,
    "n_mapped_ranks": 2,
    "load_sampler": {"name": "uniform", "parameters": [0.5, 1.5]},
}
#: LPT draws no random numbers and has a single distinct cell; RandomLB has one for each of 20 seeds.
N_DISTINCT = 21


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_workers_read_data_that_changed_between_studies(pool: Callable[[int], Executor], tmp_path: Path) -> None:
    first, second = sampled(n_phases=1, seed=1), sampled(n_phases=1, seed=2)
    alone = lbaf_rs.study(TREE, second, output_dir=tmp_path / "alone", charts=False)
    with pool(1) as executor:
        lbaf_rs.study(TREE, first, output_dir=tmp_path / "shared", charts=False, executor=executor)
        shared = lbaf_rs.study(TREE, second, output_dir=tmp_path / "shared", charts=False, executor=executor)
    assert shared.n_computed == N_DISTINCT
    assert shared.cells["max_work"].tolist() == alone.cells["max_work"].tolist()


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_workers_read_a_study_file_that_changed_between_studies(pool: Callable[[int], Executor], tmp_path: Path) -> None:
    def study(names: list[str], directory: str, **options: Any) -> lbaf_rs.Study:
        tree = {"configuration": {"from_samplers": SAMPLERS}, "axes": {"algorithm.name": names}}
        file = written(tmp_path / "study.yaml", tree)
        return lbaf_rs.study(file, output_dir=tmp_path / directory, charts=False, **options)

    with pool(1) as executor:
        study(["LPT", "RandomLB"], "shared", executor=executor)
        shared = study(["RotateLB", "Diffusion"], "shared", executor=executor)
    assert shared.n_computed == 2
    assert shared.cells["max_work"].tolist() == study(["RotateLB", "Diffusion"], "alone").cells["max_work"].tolist()


def test_a_study_that_changes_while_tasks_wait(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"

    def write(names: list[str]) -> None:
        written(file, {"configuration": {"from_samplers": SAMPLERS}, "axes": {"algorithm.name": names}})

    class Queue(ThreadPoolExecutor):
        """Changes the file of the study before the first task starts."""

        def submit(self, *task: Any) -> Any:
            write(["RotateLB", "Diffusion"])
            return super().submit(*task)

    write(["LPT", "RandomLB"])
    alone = lbaf_rs.study(file, output_dir=tmp_path / "alone", charts=False)
    with Queue(1) as executor:
        # The study may also fail, but must not store cells of the changed file.
        try:
            lbaf_rs.study(file, output_dir=tmp_path / "shared", charts=False, executor=executor)
        except lbaf_rs.LbafError:
            pass
    write(["LPT", "RandomLB"])
    shared = lbaf_rs.study(file, output_dir=tmp_path / "shared", charts=False)
    assert shared.cells["max_work"].tolist() == alone.cells["max_work"].tolist()


class Breaking(Executor):
    """Computes its first tasks at once and then breaks: `submit` raises an exception, or all later tasks fail."""

    def __init__(self, n_tasks: int, in_submit: bool) -> None:
        self.left, self.in_submit = n_tasks, in_submit

    def submit(self, function: Any, /, *args: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.left -= 1
        if self.left >= 0:
            future.set_result(function(*args, **named))
        elif self.in_submit:
            raise BrokenProcessPool("the pool is broken")
        else:
            future.set_exception(BrokenProcessPool("the pool is broken"))
        return future


@pytest.mark.parametrize("in_submit", [True, False], ids=["in submit", "in tasks"])
def test_finished_tasks_are_stored_when_a_pool_breaks(in_submit: bool, data: lbaf_rs.DataSet, tmp_path: Path) -> None:
    with pytest.raises(BrokenProcessPool):
        lbaf_rs.study(TREE, data, output_dir=tmp_path, charts=False, executor=Breaking(10, in_submit), chunk=1)
    assert len(cells(tmp_path)) == 10
    assert lbaf_rs.study(TREE, data, output_dir=tmp_path, charts=False).n_computed == N_DISTINCT - 10


class Uncancellable(ThreadPoolExecutor):
    """Creates futures that cannot be cancelled, like those of Parsl."""

    def submit(self, *task: Any) -> Any:
        def cancel() -> bool:
            raise NotImplementedError("Cancel not implemented")

        future = super().submit(*task)
        future.cancel = cancel  # type: ignore[method-assign]
        return future


def test_an_executor_that_cannot_cancel(data: lbaf_rs.DataSet, tmp_path: Path) -> None:
    with Uncancellable(1) as executor:
        study = lbaf_rs.study(TREE, data, output_dir=tmp_path, charts=False, executor=executor)
    assert study.n_computed == N_DISTINCT


DIGESTS = """
import json
from lbaf_rs._own import digest_of
def enclosing(names):
    def strategy(problem):
        return [rank for rank in problem.ranks if rank in names]
    return strategy
def nested(problem):
    return [(lambda rank: rank in {"a", "b", "c"})(rank) for rank in problem.ranks]
print(json.dumps([digest_of(enclosing({"a", "b", "c", "d"})), digest_of(nested)]))
"""


@pytest.mark.parametrize("source", ["file", "-c"])
def test_the_digest_of_a_strategy_is_the_same_in_every_process(source: str, tmp_path: Path) -> None:
    file = tmp_path / "digests.py"
    file.write_text(DIGESTS)
    command = [sys.executable, *(["-c", DIGESTS] if source == "-c" else [str(file)])]
    # The order of a set depends on the hash seed of the process. Each new process gets a seed of its own, because all
    # would inherit the PYTHONHASHSEED that Dask sets in this process.
    environments = [{**os.environ, "PYTHONHASHSEED": str(seed)} for seed in range(4)]
    digests = [json.loads(subprocess.check_output(command, env=environment)) for environment in environments]
    assert digests == digests[:1] * 4


def test_the_digest_of_a_strategy_without_a_source_file() -> None:
    def digest(method: str) -> str:
        variables: dict[str, Any] = {}
        exec(f"def strategy(problem):\n    return problem.loads.{method}()", variables)
        return digest_of(variables["strategy"])

    assert digest("min") == digest("min")
    assert digest("min") != digest("max")


def test_the_digest_of_functions_that_call_each_other() -> None:
    def even(n: int) -> bool:
        return n == 0 or odd(n - 1)

    def odd(n: int) -> bool:
        return n != 0 and even(n - 1)

    def strategy(problem: lbaf_rs.Problem) -> Any:
        return [even(rank) for rank in problem.ranks]

    assert digest_of(strategy) == digest_of(strategy)
