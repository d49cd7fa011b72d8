# SPDX-License-Identifier: MIT OR Apache-2.0
"""Own strategies: they can take the place of a name everywhere, and their faults raise exceptions with the place."""

from __future__ import annotations

import functools
import gc
import threading
import traceback
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import lbaf_rs
import numpy as np
import pytest
from conftest import sampled
from lbaf_rs._own import digest_of


def own_lpt(problem: lbaf_rs.Problem) -> np.ndarray:
    """Place objects, largest first, on the rank with the least load; sentinels stay."""
    placement, load = problem.ranks, np.zeros(problem.n_ranks)
    np.add.at(load, placement[~problem.migratable], problem.loads[~problem.migratable])
    movable = np.flatnonzero(problem.migratable)
    for at in movable[np.argsort(-problem.loads[movable], kind="stable")]:
        rank = int(np.argmin(load + problem.loads[at]))
        placement[at] = rank
        load[rank] += problem.loads[at]
    return placement


class Shuffle:
    """Draws ranks from the generator of the problem."""

    name = "Shuffle"

    def __init__(self, span: int = 10**6) -> None:
        self.span = span

    def rebalance(self, problem: lbaf_rs.Problem, scale: int = 1) -> np.ndarray:
        drawn = problem.rng.integers(min(problem.n_ranks, self.span), size=problem.n_objects) * scale
        return np.where(problem.migratable, drawn % problem.n_ranks, problem.ranks)


def faulty(fault: str) -> Any:
    """Return a strategy with a fault."""

    def strategy(problem: lbaf_rs.Problem) -> Any:
        placement = problem.ranks.astype(np.int64)
        if fault == "length":
            return placement[1:]
        if fault == "rank":
            placement[3] = problem.n_ranks
        if fault == "negative":
            placement[3] = -1
        if fault == "fraction":
            return placement + 0.5
        if fault == "text":
            return ["a"] * len(placement)
        if fault == "matrix":
            return placement.reshape(-1, 1)
        if fault == "nothing":
            return None
        if fault == "sentinel":
            fixed = np.flatnonzero(~problem.migratable)[0]
            placement[fixed] = (placement[fixed] + 1) % problem.n_ranks
        if fault == "exception":
            raise ZeroDivisionError("no load")
        return placement

    strategy.__name__ = f"faulty_{fault}"
    return strategy


FAULTS = {
    "length": (lbaf_rs.PlacementError, "the length of"),
    "rank": (lbaf_rs.PlacementError, "placement[3] puts object"),
    "negative": (lbaf_rs.PlacementError, "on `-1`; ranks are whole numbers from 0 to"),
    "fraction": (lbaf_rs.PlacementError, ".5`; ranks are whole numbers"),
    "text": (lbaf_rs.PlacementError, "on `a`; ranks are whole numbers"),
    "matrix": (lbaf_rs.PlacementError, "the placement has shape"),
    "nothing": (lbaf_rs.PlacementError, "the placement has shape ()"),
    "sentinel": (lbaf_rs.PlacementError, "which is not migratable"),
    "exception": (lbaf_rs.StrategyError, "ZeroDivisionError: no load"),
}


@pytest.fixture(scope="module")
def fixed() -> lbaf_rs.DataSet:
    """Data with sentinels."""
    return sampled(n_sentinels_per_rank=1, sentinel_load_sampler={"name": "constant", "parameters": [0.25]})


def test_an_own_lpt_has_the_placement_of_lpt(data: lbaf_rs.DataSet, fixed: lbaf_rs.DataSet) -> None:
    for phase in [*data, *fixed]:
        own, of_lbaf = lbaf_rs.balance(phase, own_lpt), lbaf_rs.balance(phase, "LPT")
        assert own.placement.tolist() == of_lbaf.placement.tolist()
        assert own.after.max_work == of_lbaf.after.max_work
        assert own.bounds.work == of_lbaf.bounds.work


def test_an_own_strategy_takes_part_in_a_study_of_100_cells(fixed: lbaf_rs.DataSet) -> None:
    names = ["LPT", "GreedyRefine", "TemperedLB", "RandomLB", "Diffusion"]
    # 6 strategies x 17 seeds are 102 cells. All are listed, although cells without random numbers are identical.
    study = lbaf_rs.study(
        {"axes": {"algorithm.name": [*names, own_lpt], "seed": "0-16"}}, lbaf_rs.DataSet(fixed[:2]), charts=False
    )
    cells = study.cells
    assert len(set(cells["cell"].tolist())) == 102
    by_name = {row["competitor"]: row for row in study.ranking.rows()}
    assert set(by_name) == {*names, "own_lpt"}
    assert by_name["own_lpt"]["mean_place"] == by_name["LPT"]["mean_place"]


def test_own_strategies_take_part_in_runs_and_simulations(data: lbaf_rs.DataSet) -> None:
    for config in ({"algorithm": {"name": own_lpt}}, {"algorithm": {"name": "Mine"}}):
        run = lbaf_rs.run(config, data, strategies={"Mine": own_lpt} if config["algorithm"]["name"] == "Mine" else None)
        of_lbaf = lbaf_rs.run({"algorithm": {"name": "LPT"}}, data)
        assert run.overview()["max_work_after"].tolist() == of_lbaf.overview()["max_work_after"].tolist()
    schedule = {"simulation": {"schedule": {"every": 2}}}
    own = lbaf_rs.simulate({"algorithm": {"name": own_lpt}, **schedule}, data)
    assert own.total() == lbaf_rs.simulate({"algorithm": {"name": "LPT"}, **schedule}, data).total()


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_typed_and_name_the_object_and_the_cell(fault: str, fixed: lbaf_rs.DataSet) -> None:
    strategy, (kind, message) = faulty(fault), FAULTS[fault]
    with pytest.raises(kind) as error:
        lbaf_rs.balance(fixed[0], strategy)
    assert type(error.value) is kind and message in str(error.value)
    with pytest.raises(kind) as error:
        lbaf_rs.run({"algorithm": {"name": strategy}}, fixed)
    assert type(error.value) is kind and "phase 0" in str(error.value)
    with pytest.raises(kind):
        lbaf_rs.simulate({"algorithm": {"name": strategy}, "simulation": {"schedule": {"every": 1}}}, fixed)
    with pytest.raises(lbaf_rs.FailedCellsError) as failed:
        lbaf_rs.study({"axes": {"algorithm.name": ["LPT", strategy], "seed": [3]}}, fixed, charts=False)
    [cell] = failed.value.cells
    assert type(cell.exception) is kind and failed.value.__cause__ is cell.exception
    assert (cell.number, cell.labels) == (1, [f"faulty_{fault}", "3"])
    assert message in cell.error and f"cell 1 (faulty_{fault}, 3)" in str(failed.value)
    assert failed.value.study.cells["max_work"][0] > 0
    # Failed cells of own strategies are computed again, because functions that they call may have been corrected.
    kept = lbaf_rs.study(
        {"axes": {"algorithm.name": ["LPT", strategy], "seed": [3]}}, fixed, charts=False, errors="keep"
    )
    assert [cell.number for cell in kept.failed] == [1]


def test_exceptions_keep_their_traceback(fixed: lbaf_rs.DataSet) -> None:
    calls = [
        lambda: lbaf_rs.balance(fixed[0], faulty("exception")),
        lambda: lbaf_rs.run({"algorithm": {"name": faulty("exception")}}, fixed),
        lambda: lbaf_rs.study({"axes": {"algorithm.name": [faulty("exception")]}}, fixed, charts=False),
    ]
    for call in calls:
        with pytest.raises(lbaf_rs.LbafError) as error:
            call()
        cause = error.value.__cause__
        if isinstance(cause, lbaf_rs.StrategyError):
            # In a study, the first cause is the exception of the cell; its cause is the exception of the strategy.
            cause = cause.__cause__
        assert isinstance(cause, ZeroDivisionError)
        lines = "".join(traceback.format_exception(type(cause), cause, cause.__traceback__))
        assert 'raise ZeroDivisionError("no load")' in lines


def test_results_are_repeatable_with_the_generator_of_the_problem(data: lbaf_rs.DataSet) -> None:
    placements = [lbaf_rs.balance(data[1], Shuffle(), seed=seed).placement.tolist() for seed in (4, 4, 5)]
    assert placements[0] == placements[1] != placements[2]
    runs = [lbaf_rs.run({"algorithm": {"name": Shuffle()}, "seed": 4}, data, threads=n) for n in (1, 2)]
    assert runs[0].table("migrations").rows() == runs[1].table("migrations").rows()


def test_parameters_reach_the_strategy(data: lbaf_rs.DataSet) -> None:
    assert not lbaf_rs.balance(data[0], Shuffle(), scale=0).placement.any()
    run = lbaf_rs.run({"algorithm": {"name": Shuffle(), "parameters": {"scale": 0}}}, data)
    assert run.summary["strategy"]["parameters"] == {"scale": 0}
    study = lbaf_rs.study(
        {"configuration": {"algorithm": {"name": Shuffle()}}, "axes": {"algorithm.parameters.scale": [0, 1]}},
        data,
        charts=False,
    )
    assert study.cells["max_work"][0] > study.cells["max_work"][-1]
    with pytest.raises(lbaf_rs.StrategyError, match="unexpected keyword argument"):
        lbaf_rs.balance(data[0], Shuffle(), unknown=1)


def test_problems_have_the_data_that_strategies_need(fixed: lbaf_rs.DataSet) -> None:
    seen: list[Any] = []
    model = lbaf_rs.WorkModel("AffineCombination", beta=1e-3)

    def look(problem: lbaf_rs.Problem) -> np.ndarray:
        evaluation = problem.evaluate(problem.ranks)
        seen.append((problem.n_objects, problem.n_ranks, problem.seed, len(problem.edges["bytes"]), evaluation.max_work))
        with pytest.raises(lbaf_rs.PlacementError):
            problem.evaluate([0])
        return problem.ranks

    phase = fixed[0]
    result = lbaf_rs.balance(phase, look, seed=9, work_model=model)
    assert seen == [(phase.n_objects, 8, 9, phase.n_edges, result.before.max_work)]
    start = lbaf_rs.balance(phase, "LPT").placement
    assert lbaf_rs.balance(phase, lambda problem: problem.ranks, start=start).n_migrations == 0


def test_strategies_may_call_the_engine(data: lbaf_rs.DataSet) -> None:
    def better(problem: lbaf_rs.Problem) -> np.ndarray:
        results = [lbaf_rs.balance(problem.phase, name, start=problem.ranks) for name in ("LPT", "RandomLB")]
        return min(results, key=lambda result: result.after.max_work).placement

    phases = lbaf_rs.DataSet([lbaf_rs.Phase(loads=data[0].loads, ranks=data[0].ranks, id=id) for id in range(40)])
    run = lbaf_rs.run({"algorithm": {"name": better}}, phases)
    lpt = lbaf_rs.run({"algorithm": {"name": "LPT"}}, phases)
    assert run.overview()["max_work_after"].tolist() == lpt.overview()["max_work_after"].tolist()


def test_calls_from_several_threads(data: lbaf_rs.DataSet) -> None:
    expected = lbaf_rs.balance(data[0], "TemperedLB", seed=1).placement.tolist()
    with ThreadPoolExecutor(4) as pool:
        own = [pool.submit(lbaf_rs.balance, data[0], own_lpt) for _ in range(20)]
        named = [pool.submit(lbaf_rs.balance, data[0], "TemperedLB", seed=1) for _ in range(20)]
        assert all(future.result().placement.tolist() == expected for future in named)
        assert len({tuple(future.result().placement.tolist()) for future in own}) == 1


def test_the_lock_of_the_interpreter_is_released() -> None:
    phase = sampled(n_objects=20_000, n_ranks=64, n_mapped_ranks=16, n_phases=1)[0]
    ticks, done = [0], threading.Event()

    def tick() -> None:
        while not done.wait(0.001):
            ticks[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    result = lbaf_rs.balance(phase, "LocalSearch", time_limit=0.5)
    done.set()
    thread.join()
    assert ticks[0] > 20 * result.seconds


def test_own_strategies_cannot_have_names_of_lbaf(data: lbaf_rs.DataSet) -> None:
    def greedy(problem: lbaf_rs.Problem) -> np.ndarray:
        return problem.ranks

    assert lbaf_rs.balance(data[0], greedy).strategy == "own greedy"
    with pytest.raises(lbaf_rs.ConfigError, match="is a strategy of lbaf"):
        lbaf_rs.run({"algorithm": {"name": "Greedy"}}, data, strategies={"Greedy": greedy})
    with pytest.raises(lbaf_rs.ConfigError, match="two own strategies have the name"):
        lbaf_rs.study({"axes": {"algorithm.name": [lambda problem: 0, lambda problem: 1]}}, data)
    with pytest.raises(lbaf_rs.ConfigError, match="a strategy is a name"):
        lbaf_rs.balance(data[0], 3)


def test_strategies_are_freed(data: lbaf_rs.DataSet) -> None:
    strategy = Shuffle()
    reference = weakref.ref(strategy)
    lbaf_rs.balance(data[0], strategy)
    lbaf_rs.run({"algorithm": {"name": strategy}}, data)
    del strategy
    gc.collect()
    assert reference() is None


def test_the_digest_follows_the_code() -> None:
    def made(bound: int, factor: float = 2.0) -> Any:
        def strategy(problem: Any) -> Any:
            return problem.ranks % bound * factor

        return strategy

    def versioned(problem: Any) -> Any:
        return problem.ranks

    assert digest_of(made(3)) == digest_of(made(3)) != digest_of(made(4))
    assert digest_of(Shuffle(3)) == digest_of(Shuffle(3)) != digest_of(Shuffle(4))
    assert digest_of(own_lpt) != digest_of(faulty("rank"))
    partials = [functools.partial(own_lpt, scale=scale) for scale in (1, 1, 2)]
    assert digest_of(partials[0]) == digest_of(partials[1]) != digest_of(partials[2])
    versioned.version = 3  # type: ignore[attr-defined]
    assert digest_of(versioned) == "version 3"
