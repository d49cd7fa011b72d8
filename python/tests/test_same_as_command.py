# SPDX-License-Identifier: MIT OR Apache-2.0
"""Every strategy on three data sets: placement, totals and bounds of `balance` and of `run` are those of the command,
number for number."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import Any, Callable

import lbaf_rs
import numpy as np
import pytest
from conftest import ROOT, UNIFORM, VOLUMES, command, written

#: Model with communication, so that strategies that consider it differ from those that do not.
WORK_MODEL = {"name": "AffineCombination", "parameters": {"beta": 1e-9, "gamma": 0.25}}

#: Parameters of strategies that need some, or whose defaults have no end.
PARAMETERS: dict[str, dict[str, Any]] = {
    "External": {"command": [sys.executable, str(ROOT / "examples" / "external" / "lpt.py")]},
    "OfflineLB": {},
    "PrescribedPermutation": {},
}

#: Strategies that search all placements of small problems only.
EXACT = ["BruteForce", "Milp"]
SIZES = {"small": (2, 7, 1), "medium": (4, 60, 2), "grid": (6, 48, 2)}


@pytest.fixture(scope="session")
def stems(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write three data sets: with sentinels and memory blocks, with several phases, and on a grid."""
    directory = tmp_path_factory.mktemp("data")
    stems = {}
    for seed, (name, (n_ranks, n_objects, n_phases)) in enumerate(SIZES.items()):
        spec: dict[str, Any] = {
            "n_ranks": n_ranks,
            "n_objects": n_objects,
            "n_mapped_ranks": n_ranks,
            "n_phases": n_phases,
            "load_sampler": UNIFORM,
            "volume_sampler": VOLUMES,
            "task_serialized_bytes": 64.0,
        }
        if name == "grid":
            spec["grid"] = [8, 6]
        else:
            spec["communication_degree"] = 3
            spec["n_sentinels_per_rank"] = 1
            spec["sentinel_load_sampler"] = UNIFORM
        tree = {"from_samplers": spec, "seed": seed, "algorithm": {"name": "PhaseStepper"}, "plots": "none"}
        tree.update({"write_JSON": {"compressed": False}, "output_file_stem": name})
        done = lbaf_rs.run(tree, output_dir=directory / name)
        stems[name] = directory / name / name
        assert done.summary["input"]["n_ranks"] == n_ranks
    return stems


def configuration(strategy: str, stem: Path, output_dir: Path) -> dict[str, Any]:
    parameters = dict(PARAMETERS.get(strategy, {}))
    if strategy == "PrescribedPermutation":
        ids = lbaf_rs.read(stem)[0].objects
        movable = ids["id"][ids["migratable"]]
        n_ranks = lbaf_rs.read(stem).n_ranks
        parameters["permutation"] = {str(id): int(at) % n_ranks for at, id in enumerate(movable)}
    return {
        "from_data": {"data_stem": str(stem)},
        "work_model": WORK_MODEL,
        "algorithm": {"name": strategy, "parameters": parameters},
        "seed": 3,
        "output_dir": str(output_dir),
        "plots": "none",
    }


def cases() -> list[Any]:
    names = list(lbaf_rs.strategies())
    fits = {name: ["small"] for name in EXACT}
    # A map needs a next phase.
    fits["OfflineLB"] = ["medium", "grid"]
    return [(name, size) for name in names for size in fits.get(name, SIZES)]


@pytest.mark.parametrize("strategy, size", cases())
def test_results_are_those_of_the_command(
    strategy: str, size: str, stems: dict[str, Path], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    stem = stems[size]
    tree = configuration(strategy, stem, tmp_path / "output")
    needs_index = strategy in ("RecursiveCoordinateBisection", "SpaceFillingCurve")
    done = lbaf_rs.run(tree)
    if command() is not None:
        lbaf: Callable[..., Any] = request.getfixturevalue("lbaf")
        tree["output_dir"] = str(tmp_path / "command")
        ran = lbaf("run", written(tmp_path / "run.yaml", tree))
        assert ran.returncode == 0, ran.stderr
        of_command = lbaf_rs.Run(tmp_path / "command")
        assert {**of_command.summary, "configuration": None} == {**done.summary, "configuration": None}
        for table in ("ranks", "migrations", "iterations"):
            paths = [run.directory / f"{table}.csv" for run in (of_command, done)]
            assert paths[0].read_bytes() == paths[1].read_bytes(), table
    if strategy == "OfflineLB":
        return
    # `balance` is another way to the same results.
    data = lbaf_rs.read(stem, coordinates=needs_index)
    model = lbaf_rs.WorkModel(WORK_MODEL["name"], **WORK_MODEL["parameters"])  # type: ignore[arg-type]
    parameters = tree["algorithm"]["parameters"]
    for phase, expected in zip(data, done.phases):
        result = lbaf_rs.balance(phase, strategy, seed=3, work_model=model, parameters=parameters)
        assert result.summary == expected
        rows = [row for row in rows_of(done, "migrations") if row["phase"] == str(phase.id)]
        moved = {int(row["object"]): int(row["to_rank"]) for row in rows}
        assert dict(zip(result.migrations["id"].tolist(), result.migrations["to"].tolist())) == moved
        ranks = [row for row in rows_of(done, "ranks") if row["phase"] == str(phase.id)]
        for column, name in [("load", "load_s"), ("work", "work"), ("sent_bytes", "sent_bytes")]:
            for state, evaluation in (("before", result.before), ("after", result.after)):
                listed = np.array([float(row[f"{name}_{state}"]) for row in ranks])
                assert np.array_equal(listed, evaluation.ranks[column]), (column, state)


def rows_of(run: lbaf_rs.Run, table: str) -> list[dict[str, str]]:
    with open(run.directory / f"{table}.csv", newline="") as file:
        return list(csv.DictReader(file))


def test_results_do_not_depend_on_threads(phase: lbaf_rs.Phase) -> None:
    for name in ("TemperedLB", "HierarchicalLB", "Multilevel", "RandomLB"):
        placements = [lbaf_rs.balance(phase, name, seed=5, threads=n).placement.tolist() for n in (1, 2, 3)]
        assert placements[0] == placements[1] == placements[2]


def test_bounds_of_a_phase_are_those_of_the_result(phase: lbaf_rs.Phase) -> None:
    model = lbaf_rs.WorkModel("AffineCombination", beta=1e-6)
    result = lbaf_rs.balance(phase, "LPT", work_model=model)
    assert phase.bounds(model).work == result.bounds.work
    assert json.dumps(phase.bounds(model).all) == json.dumps(result.bounds.all)
    assert result.bounds.work <= result.after.max_work
