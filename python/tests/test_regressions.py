# SPDX-License-Identifier: MIT OR Apache-2.0
"""Named regressions: deadlocks, ends of the interpreter, stale data and lost causes."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import textwrap
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import lbaf_rs
import numpy as np
import pytest

SMALL = {"loads": [4.0, 3.0, 2.0, 1.0], "ranks": [0, 0, 0, 1]}


def program(text: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program, which must end within 30 seconds."""
    setup = "import os, sys, threading, time\nimport numpy as np\nimport lbaf_rs\n"
    setup += f"phase = lbaf_rs.Phase(**{SMALL})\n"
    return subprocess.run(
        [sys.executable, "-c", setup + textwrap.dedent(text)],
        capture_output=True, text=True, timeout=30, check=False, env={**os.environ, **environment},
    )


def test_data_of_fewer_ranks_replace_those_of_more(tmp_path: Path) -> None:
    """Regression: files of further ranks remained and were read as a part of the new data."""
    many, few = (lbaf_rs.Phase(loads=np.ones(n), ranks=np.arange(n)) for n in (8, 4))
    config = {"algorithm": {"name": "LPT"}}
    lbaf_rs.run(config, many, output_dir=tmp_path)
    again = lbaf_rs.run(config, few, output_dir=tmp_path).summary["input"]
    assert (again["n_ranks"], again["n_objects"]) == (4, 4)
    lbaf_rs.DataSet([few]).write(tmp_path / "input" / "data", quality=1)
    assert sorted(path.name for path in (tmp_path / "input").iterdir()) == [f"data.{rank}.json.br" for rank in range(4)]


def test_data_of_a_study_are_in_its_directory(tmp_path: Path) -> None:
    """Regression: with `output_dir` in the dictionary, the data were written to a temporary directory."""
    tree = {"axes": {"algorithm.name": ["LPT"]}, "output_dir": str(tmp_path / "study")}
    lbaf_rs.study(tree, lbaf_rs.Phase(**SMALL), charts=False)
    assert (tmp_path / "study" / "input" / "data.0.json").exists()


def test_a_summary_from_several_threads() -> None:
    """Regression: deadlock between the computation of a summary and the lock of the interpreter."""
    ran = program(
        """
        big = lbaf_rs.Phase(loads=np.ones(300_000), ranks=np.arange(300_000) % 64)
        result = lbaf_rs.balance(big, "Greedy")
        threads = [threading.Thread(target=result._core.summary) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        print("done")
        """
    )
    assert ran.stdout == "done\n", ran.stderr


def test_strategies_that_fail_with_the_same_text() -> None:
    """Regression: deadlock when freeing a second exception with the same text ran Python code."""
    ran = program(
        """
        class Slow:
            def __del__(self):
                time.sleep(0.1)
        def fails(problem):
            slow = Slow()
            time.sleep(0.03)
            raise ValueError("same")
        tree = {"axes": {"algorithm.name": [fails], "seed": "0-7"}}
        print(len(lbaf_rs.study(tree, phase, charts=False, errors="keep").failed))
        """
    )
    assert ran.stdout == "8\n", ran.stderr


def test_strategies_that_wait_for_threads() -> None:
    """Regression: deadlock when strategies in all threads of the engine waited for calls in other threads."""
    ran = program(
        """
        from concurrent.futures import ThreadPoolExecutor
        def portfolio(problem):
            with ThreadPoolExecutor(2) as executor:
                results = list(executor.map(lambda name: lbaf_rs.balance(problem.phase, name), ["LPT", "Greedy"]))
            return results[0].placement
        tree = {"axes": {"algorithm.name": [portfolio], "seed": "0-7"}}
        print(len(lbaf_rs.study(tree, phase, charts=False).failed))
        print(lbaf_rs.balance(phase, portfolio, threads=1).after.max_work)
        """
    )
    assert ran.stdout == "0\n5.0\n", ran.stderr


@pytest.mark.parametrize("swallows", [False, True])
def test_the_interpreter_ends_while_a_strategy_runs(swallows: bool) -> None:
    """Regression: at its end, the interpreter ended threads within functions of the engine."""
    ran = program(
        f"""
        def endless(problem):
            while True:
                try:
                    sum(range(100))
                except BaseException:
                    if {not swallows}:
                        raise
                    time.sleep(2)
                    return problem.ranks
        threading.Thread(target=lambda: lbaf_rs.balance(phase, endless), daemon=True).start()
        time.sleep(0.3)
        print("end", flush=True)
        """
    )
    assert (ran.stdout, ran.returncode) == ("end\n", 0), ran.stderr


def test_deep_recursion_is_an_exception() -> None:
    """Regression: threads of the engine had a smaller stack than the main thread, so deep recursion overflowed it."""
    ran = program(
        """
        def deep(problem):
            def down(n):
                return sorted([n], key=lambda n: down(n + 1))
            down(0)
        sys.setrecursionlimit(3000)
        try:
            lbaf_rs.balance(phase, deep)
        except lbaf_rs.StrategyError as error:
            print(type(error.__cause__).__name__)
        """
    )
    assert ran.stdout == "RecursionError\n", (ran.returncode, ran.stderr)


def test_a_child_leaves_the_results_of_its_parent() -> None:
    """Regression: at its end, a forked child removed the temporary directories of its parent."""
    run = lbaf_rs.run({"algorithm": {"name": "LPT"}}, lbaf_rs.Phase(**SMALL))
    child = os.fork()
    if child == 0:
        import atexit

        atexit._run_exitfuncs()
        os._exit(0)
    os.waitpid(child, 0)
    assert run.directory.exists()


class Keyed:
    """A strategy with a function as an attribute."""

    name = "Keyed"

    def __init__(self, key: Any) -> None:
        self.key = key

    def rebalance(self, problem: lbaf_rs.Problem) -> list[int]:
        return [self.key(at) for at in range(problem.n_objects)]


def test_strategies_with_other_content_are_computed(tmp_path: Path) -> None:
    """Regression: the digest ignored content that cannot be pickled, so cells of another strategy were reused."""
    phase = lbaf_rs.Phase(**SMALL)

    def computed(strategy: Any) -> tuple[int, float]:
        study = lbaf_rs.study({"axes": {"algorithm.name": [strategy]}}, phase, output_dir=tmp_path, charts=False)
        return study.n_computed, float(study.cells["max_work"][0])

    def odd(at: int) -> int:
        return at % 2

    # The source of a lambda is its whole line, here with the assertion. `odd` is not a lambda, because the last two
    # calls need equal sources.
    assert computed(Keyed(lambda at: 0)) == (1, 10)
    assert computed(Keyed(odd)) == (1, 6)
    assert computed(Keyed(odd))[0] == 0

    def replay(source: lbaf_rs.Phase) -> Any:
        def replayed(problem: lbaf_rs.Problem) -> Any:
            return source.ranks

        return replayed

    assert computed(replay(phase))[0] == 1
    assert computed(replay(lbaf_rs.Phase(loads=[1.0] * 4, ranks=[1, 1, 0, 0])))[0] == 1
    assert computed(replay(lbaf_rs.Phase(**SMALL)))[0] == 0


def test_the_exception_of_another_cell_is_no_cause() -> None:
    """Regression: if the first failed cell had no exception, the exception of another cell became the cause."""
    def second(problem: lbaf_rs.Problem) -> Any:
        raise lbaf_rs.PlacementError("a")

    with pytest.raises(lbaf_rs.FailedCellsError) as error:
        lbaf_rs.study({"axes": {"algorithm.name": ["External", second]}}, lbaf_rs.Phase(**SMALL), charts=False)
    assert error.value.cells[0].labels == ["External"] and error.value.__cause__ is None


def test_placement_errors_of_own_code_keep_their_traceback() -> None:
    """Regression: a `PlacementError` that code of the strategy raised was not the cause of the final exception."""
    def evaluates(problem: lbaf_rs.Problem) -> Any:
        return problem.evaluate([0, 0, 0, 9])

    with pytest.raises(lbaf_rs.PlacementError) as error:
        lbaf_rs.balance(lbaf_rs.Phase(**SMALL), evaluates)
    assert isinstance(error.value.__cause__, lbaf_rs.PlacementError)
    assert error.value.__cause__.__traceback__ is not None


def test_arrow_shares_only_memory_of_the_model() -> None:
    """Regression: Arrow tables shared memory with arrays of users, and tables without columns were refused."""
    pyarrow = pytest.importorskip("pyarrow")
    own = np.zeros(4)
    own.setflags(write=False)
    table = pyarrow.table(lbaf_rs.Table({"own": own}))
    own.setflags(write=True)
    own[:] = 7
    assert table["own"].to_pylist() == [0, 0, 0, 0]
    assert pyarrow.table(lbaf_rs.Table({})).num_rows == 0


def test_results_do_not_keep_their_strategy_alive() -> None:
    """Regression: a result held its strategy, so a strategy that kept its results was never freed."""
    class Collects:
        def __init__(self) -> None:
            self.results: list[lbaf_rs.Result] = []

        def rebalance(self, problem: lbaf_rs.Problem) -> Any:
            return problem.ranks

    strategy = Collects()
    strategy.results.append(lbaf_rs.balance(lbaf_rs.Phase(**SMALL), strategy))
    reference = weakref.ref(strategy)
    assert strategy.results[0].strategy == "Collects" and strategy.results[0].bounds.work == 5
    del strategy
    gc.collect()
    assert reference() is None


def test_numbers_of_numpy_are_accepted(tmp_path: Path) -> None:
    data = lbaf_rs.DataSet([lbaf_rs.Phase(**SMALL, id=np.int64(3))])
    data.write(tmp_path / "data")
    assert lbaf_rs.read(tmp_path / "data", np.int64(3), rank_alpha={np.int64(0): 2})[0].machine["alpha"][0] == 2
    assert lbaf_rs.WorkModel("AffineCombination", beta=np.float32(0.5)).parameters["beta"] == 0.5
    with pytest.raises(lbaf_rs.InputError, match="masked"):
        lbaf_rs.Phase(loads=np.ma.masked_array([1.0, 2.0], [True, False]), ranks=[0, 0])
    with pytest.raises(lbaf_rs.InputError, match="n_ranks is"):
        lbaf_rs.Phase(loads=[1.0], ranks=[2**62])
    assert lbaf_rs.Phase(loads=[1.0], ranks=[0], edges=[]).n_edges == 0
    assert data[0].objects == lbaf_rs.DataSet([lbaf_rs.Phase(**SMALL, id=3)])[0].objects
    with pytest.raises(ValueError):
        data[0].objects["id"][0] = 9
    with pytest.raises(lbaf_rs.ConfigError, match="must be a mapping"):
        lbaf_rs.study({"configuration": "x"}, data)


def test_calls_in_threads_share_nothing() -> None:
    phase = lbaf_rs.Phase(**SMALL)
    with ThreadPoolExecutor(4) as executor:
        pictures = list(executor.map(lambda _: lbaf_rs.balance(phase, "LPT").plot("rank_loads").svg, range(8)))
    assert len(set(pictures)) == 1
    assert pickle.loads(pickle.dumps(lbaf_rs.WorkModel())).name == "LoadOnly"
