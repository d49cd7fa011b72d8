# SPDX-License-Identifier: MIT OR Apache-2.0
"""Studies: cells, resumption, and the workers of executors."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import lbaf_rs
import pytest
from conftest import ROOT, written
from test_own_strategies import Shuffle, own_lpt

TREE: dict[str, Any] = {
    "configuration": {"from_data": {"data_stem": str(ROOT / "examples" / "machine" / "data"), "phase_ids": [0]}},
    "axes": {"algorithm.name": ["Greedy", "RandomLB", "Diffusion"], "seed": "0-3"},
}


def cells(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (directory / "cells").iterdir()}


def tables(directory: Path) -> dict[str, bytes]:
    names = ("cells", "iterations", "medians", "ranking", "front")
    return {name: (directory / f"{name}.csv").read_bytes() for name in names}


def test_cells_are_those_of_the_command(tmp_path: Path, lbaf: Callable[..., Any]) -> None:
    file = written(tmp_path / "study.yaml", {**TREE, "output_dir": "command"})
    assert lbaf("study", file).returncode == 0
    study = lbaf_rs.study(TREE, output_dir=tmp_path / "python")
    assert study.n_computed > 0
    assert cells(study.directory) == cells(tmp_path / "command")
    assert tables(study.directory) == tables(tmp_path / "command")
    # The package and the command continue each other's studies.
    assert lbaf_rs.study(file).n_computed == 0
    assert "computing" not in lbaf("study", file, "--output-dir", study.directory).stderr


def test_a_study_computes_new_cells_only(data: lbaf_rs.DataSet, tmp_path: Path) -> None:
    def study(names: list[Any]) -> lbaf_rs.Study:
        tree = {"axes": {"algorithm.name": names, "seed": [0, 1]}}
        return lbaf_rs.study(tree, data, output_dir=tmp_path, charts=False)

    assert study(["LPT", "RandomLB"]).n_computed == 3
    assert study(["LPT", "RandomLB"]).n_computed == 0
    assert study(["LPT", "RandomLB", Shuffle()]).n_computed == 2
    assert study(["LPT", Shuffle()]).n_computed == 0
    assert study(["LPT", Shuffle(3)]).n_computed == 2
    assert study(["LPT", Shuffle(3)]).ranking.n_rows == 2


@pytest.mark.parametrize("kind", ["fork", "spawn", "threads"])
def test_executors_give_the_same_cells(kind: str, data: lbaf_rs.DataSet, tmp_path: Path) -> None:
    tree = {"axes": {"algorithm.name": ["LPT", "RandomLB", own_lpt, Shuffle()], "seed": "0-4"}}
    alone = lbaf_rs.study(tree, data, output_dir=tmp_path / "alone", charts=False)
    executor: Executor
    if kind == "threads":
        executor = ThreadPoolExecutor(2)
    else:
        executor = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(kind))
    steps: list[tuple[str, int, int]] = []
    with executor:
        shared = lbaf_rs.study(
            tree,
            data,
            output_dir=tmp_path / "shared",
            charts=False,
            executor=executor,
            chunk=2,
            progress=lambda *step: steps.append(step),
        )
    assert cells(shared.directory) == cells(alone.directory)
    assert tables(shared.directory) == tables(alone.directory)
    assert shared.n_computed == alone.n_computed == 1 + 5 + 5 + 5
    assert steps[-1] == ("cells", 16, 16)


def test_failed_cells_of_workers(data: lbaf_rs.DataSet, tmp_path: Path) -> None:
    def fails(problem: lbaf_rs.Problem) -> Any:
        if problem.seed == 1:
            raise ValueError("seed 1")
        return problem.ranks

    tree = {"axes": {"algorithm.name": ["LPT", fails], "seed": [0, 1]}}
    with ThreadPoolExecutor(1) as executor, pytest.raises(lbaf_rs.FailedCellsError) as error:
        lbaf_rs.study(tree, data, output_dir=tmp_path, charts=False, executor=executor)
    assert [cell.labels for cell in error.value.cells] == [["fails", "1"]]
    assert "ValueError: seed 1" in str(error.value)


def test_failed_cells_are_computed_again(data: lbaf_rs.DataSet, tmp_path: Path) -> None:
    broken = [True]

    def helped(problem: lbaf_rs.Problem) -> Any:
        if broken:
            raise ValueError("not yet")
        return problem.ranks

    helped.version = 1  # type: ignore[attr-defined]
    tree = {"axes": {"algorithm.name": ["LPT", helped]}}
    assert len(lbaf_rs.study(tree, data, output_dir=tmp_path, charts=False, errors="keep").failed) == 1
    broken.clear()
    study = lbaf_rs.study(tree, data, output_dir=tmp_path, charts=False)
    assert (study.n_computed, study.failed) == (1, [])


def test_a_study_file_takes_data_from_memory(data: lbaf_rs.DataSet, tmp_path: Path) -> None:
    file = written(tmp_path / "study.yaml", {"axes": {"algorithm.name": ["LPT", "RandomLB"]}})
    of_file = lbaf_rs.study(file, data[:2], output_dir=tmp_path / "file", charts=False)
    of_tree = lbaf_rs.study({"axes": {"algorithm.name": ["LPT", "RandomLB"]}}, data.phases[:2], charts=False)
    assert cells(of_file.directory) == cells(of_tree.directory)


def test_charts_of_a_study(data: lbaf_rs.DataSet, tmp_path: Path) -> None:
    study = lbaf_rs.study({"axes": {"algorithm.name": ["LPT", "RandomLB"]}}, data)
    assert "max_work" in study.charts
    picture = study.plot("max_work")
    picture.save(tmp_path / "chart.pdf")
    assert picture.svg.startswith("<svg") and picture.data.n_rows > 0
    with pytest.raises(lbaf_rs.ConfigError, match="there is no chart `unknown`"):
        study.plot("unknown")
    assert study.summary["n_cells"] == 2 and study._repr_html_().startswith("<table")


def test_simulations_are_cells(data: lbaf_rs.DataSet) -> None:
    tree = {
        "command": "simulate",
        "configuration": {"algorithm": {"name": own_lpt}},
        "axes": {"simulation.schedule.every": [1, 2, 3]},
    }
    study = lbaf_rs.study(tree, data, charts=False)
    assert len(study.cells["total"]) == 3
