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

#: Three work models: with communication, with communication and an upper bound on memory, and load alone.
WORK_MODELS: dict[str, dict[str, Any]] = {
    "affine": {"name": "AffineCombination", "parameters": {"beta": 1e-3, "gamma": 0.25}},
    "memory": {"name": "CCM", "parameters": {"beta": 1e-3, "gamma": 1e-4, "upper_bounds": {"max_memory_usage": 4e4}}},
    "load": {"name": "LoadOnly", "parameters": {"alpha": 2.0}},
}

#: Data sets: ranks, objects, and the work model. All have two phases.
DATA: dict[str, tuple[int, int, str]] = {
    "tiny": (2, 7, "affine"),
    "tiny blocks": (3, 6, "memory"),
    "tiny grid": (2, 6, "load"),
    "sentinels": (5, 90, "affine"),
    "blocks": (4, 60, "memory"),
    "grid": (6, 48, "load"),
}

#: Parameters of strategies that need some.
PARAMETERS: dict[str, dict[str, Any]] = {
    "External": {"command": [sys.executable, str(ROOT / "examples" / "external" / "lpt.py")]},
}

#: Exact strategies, which run only on the three small data sets.
EXACT = ["BruteForce", "Milp"]


@pytest.fixture(scope="session")
def stems(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write the data sets. Their names state whether they have sentinels, memory blocks or a grid."""
    directory = tmp_path_factory.mktemp("data")
    stems = {}
    for seed, (name, (n_ranks, n_objects, _)) in enumerate(DATA.items()):
        spec: dict[str, Any] = {
            "n_ranks": n_ranks,
            "n_objects": n_objects,
            "n_mapped_ranks": n_ranks,
            "n_phases": 2,
            "load_sampler": UNIFORM,
            "volume_sampler": VOLUMES,
            "task_serialized_bytes": 64.0,
        }
        if "grid" in name:
            spec["grid"] = [n_objects // 3, 3]
        else:
            spec["communication_degree"] = 3
        if "blocks" in name:
            spec.update(shared_blocks={"n_blocks": 2 * n_ranks, "size_bytes": 1e3}, task_footprint_bytes=500.0)
        if "sentinels" in name:
            spec.update(n_sentinels_per_rank=1, sentinel_load_sampler=UNIFORM)
        tree = {"from_samplers": spec, "seed": seed, "algorithm": {"name": "PhaseStepper"}, "plots": "none"}
        tree.update({"write_JSON": {"compressed": False}, "output_file_stem": "data"})
        done = lbaf_rs.run(tree, output_dir=directory / name)
        stems[name] = directory / name / "data"
        assert done.summary["input"]["n_ranks"] == n_ranks
    return stems


def configuration(strategy: str, data: str, stem: Path, output_dir: Path) -> dict[str, Any]:
    parameters = dict(PARAMETERS.get(strategy, {}))
    if strategy == "PrescribedPermutation":
        recorded = lbaf_rs.read(stem)
        ids = recorded[0].objects
        movable = ids["id"][ids["migratable"]]
        parameters["permutation"] = {str(id): at % recorded.n_ranks for at, id in enumerate(movable)}
    return {
        "from_data": {"data_stem": str(stem)},
        "work_model": WORK_MODELS[DATA[data][2]],
        "algorithm": {"name": strategy, "parameters": parameters},
        "seed": 3,
        "output_dir": str(output_dir),
        "plots": "none",
    }


def cases() -> list[tuple[str, str]]:
    """Return every strategy with three data sets: exact strategies with the small ones, all others with the others."""
    tiny, others = list(DATA)[:3], list(DATA)[3:]
    return [(name, data) for name in lbaf_rs.strategies() for data in (tiny if name in EXACT else others)]


@pytest.mark.parametrize("strategy, data", cases())
def test_results_are_those_of_the_command(
    strategy: str, data: str, stems: dict[str, Path], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    stem = stems[data]
    tree = configuration(strategy, data, stem, tmp_path / "output")
    needs_index = strategy in ("RecursiveCoordinateBisection", "SpaceFillingCurve")
    done = run_of(tree)
    if command() is not None:
        lbaf: Callable[..., Any] = request.getfixturevalue("lbaf")
        tree["output_dir"] = str(tmp_path / "command")
        ran = lbaf("run", written(tmp_path / "run.yaml", tree))
        # Exit code 5: a strategy that promises to keep the bound on memory found no placement within it.
        assert ran.returncode == (5 if any(phase["infeasible"] for phase in done.phases) else 0), ran.stderr
        of_command = lbaf_rs.Run(tmp_path / "command")
        assert {**of_command.summary, "configuration": None} == {**done.summary, "configuration": None}
        for table in ("ranks", "migrations", "iterations"):
            paths = [run.directory / f"{table}.csv" for run in (of_command, done)]
            assert paths[0].read_bytes() == paths[1].read_bytes(), table
    if strategy == "OfflineLB":
        return
    # `balance` gives the same results.
    recorded = lbaf_rs.read(stem, coordinates=needs_index)
    section = tree["work_model"]
    model = lbaf_rs.WorkModel(section["name"], **section["parameters"])
    parameters = tree["algorithm"]["parameters"]
    for phase, expected in zip(recorded, done.phases):
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


def run_of(tree: dict[str, Any]) -> lbaf_rs.Run:
    """Run a configuration, and return the run even if its result exceeds upper bounds."""
    try:
        return lbaf_rs.run(tree)
    except lbaf_rs.InfeasibleError as error:
        return error.run


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
