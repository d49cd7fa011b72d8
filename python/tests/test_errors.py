# SPDX-License-Identifier: MIT OR Apache-2.0
"""Faults: each fault that ends the command with an exit code raises an exception with the same message."""

from __future__ import annotations

import os
import pickle
import random
import string
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, Callable

import lbaf_rs
import numpy as np
import pytest
from conftest import ROOT, command, sampled, written
from lbaf_rs import _errors

MACHINE = str(ROOT / "examples" / "machine" / "data")

#: A configuration, and its exit code.
FAULTS: dict[str, tuple[dict[str, Any], int]] = {
    "unknown key": ({"from_data": {"data_stem": MACHINE}, "algorithm": {"name": "LPT"}, "unknown": 1}, 3),
    "unknown strategy": ({"from_data": {"data_stem": MACHINE}, "algorithm": {"name": "Gready"}}, 3),
    "unknown parameter": (
        {"from_data": {"data_stem": MACHINE}, "algorithm": {"name": "LPT", "parameters": {"x": 1}}},
        3,
    ),
    "wrong value": (
        {"from_data": {"data_stem": MACHINE}, "algorithm": {"name": "TemperedLB", "parameters": {"iters": -1}}},
        3,
    ),
    "no algorithm": ({"from_data": {"data_stem": MACHINE}}, 3),
    "no data": ({"algorithm": {"name": "LPT"}}, 3),
    "absent phase": ({"from_data": {"data_stem": MACHINE, "phase_ids": [99]}, "algorithm": {"name": "LPT"}}, 3),
    "absent files": ({"from_data": {"data_stem": "nowhere/data"}, "algorithm": {"name": "LPT"}}, 4),
    "malformed files": (
        {"from_data": {"data_stem": str(ROOT / "tests/data/malformed/truncated/data")}, "algorithm": {"name": "LPT"}},
        4,
    ),
    "data against their schema": (
        {
            "from_data": {"data_stem": str(ROOT / "tests/data/malformed/integer_for_float/data")},
            "algorithm": {"name": "LPT"},
            "check_schema": True,
        },
        4,
    ),
    "failing command": (
        {
            "from_data": {"data_stem": MACHINE},
            "algorithm": {"name": "External", "parameters": {"command": ["false"]}},
        },
        4,
    ),
    "infeasible": (
        {
            "from_data": {"data_stem": MACHINE, "phase_ids": [0]},
            "work_model": {"name": "CCM", "parameters": {"upper_bounds": {"max_memory_usage": 1.0}}},
            "algorithm": {"name": "LocalSearch", "parameters": {"time_limit": 0.1}},
        },
        5,
    ),
    "input as output": (
        {
            "from_data": {"data_stem": "copy"},
            "algorithm": {"name": "LPT"},
            "write_JSON": {"compressed": False},
            "output_dir": ".",
            "output_file_stem": "copy",
        },
        6,
    ),
    "blocked output": ({"from_data": {"data_stem": MACHINE}, "algorithm": {"name": "LPT"}, "output_dir": "blocked"}, 6),
}

EXCEPTIONS = {
    3: lbaf_rs.ConfigError,
    4: (lbaf_rs.InputError, lbaf_rs.StrategyError),
    5: lbaf_rs.InfeasibleError,
    6: lbaf_rs.OutputError,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_exit_codes_are_exceptions(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    tree, code = FAULTS[fault]
    tree = {"output_dir": "output", "plots": "none", **tree}
    monkeypatch.chdir(tmp_path)
    Path("blocked").touch()
    lbaf_rs.DataSet([lbaf_rs.Phase(loads=[1.0, 1.0], ranks=[0, 0], n_ranks=2)]).write("copy")
    with pytest.raises(EXCEPTIONS[code]) as error:
        lbaf_rs.run(tree)
    message = str(error.value)
    if code == 5:
        assert error.value.run.phases[0]["infeasible"]  # type: ignore[attr-defined]
    if command() is None:
        return
    lbaf: Callable[..., Any] = request.getfixturevalue("lbaf")
    ran = lbaf("run", written(tmp_path / "run.yaml", tree))
    assert ran.returncode == code, ran.stderr
    # Line numbers of a dictionary differ from those of the file, so the place is not compared.
    first = message.splitlines()[0].split(": ", 1)[-1] if message.startswith("<dict>") else message
    assert first[:100] in ran.stderr.replace("\n  ", " "), (message, ran.stderr)


def test_errors_of_files_are_those_of_the_command(
    tmp_path: Path, lbaf: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("run.yaml").write_text("from_data: {data_stem: x}\nalgorithm: {name: Gready}\n")
    with pytest.raises(lbaf_rs.ConfigError) as error:
        lbaf_rs.run("run.yaml")
    assert str(error.value) in lbaf("run", "run.yaml").stderr
    assert str(error.value).startswith("run.yaml:2:19: ")


def test_failed_cells(data: lbaf_rs.DataSet) -> None:
    tree = {"axes": {"algorithm.name": ["LPT", "Gready"]}}
    with pytest.raises(lbaf_rs.FailedCellsError, match="1 of 2 cells failed") as error:
        lbaf_rs.study(tree, data, charts=False)
    assert [cell.labels for cell in error.value.cells] == [["Gready"]]


def test_errors_of_arguments(phase: lbaf_rs.Phase, tmp_path: Path) -> None:
    config_errors: list[Callable[[], Any]] = [
        lambda: lbaf_rs.balance(phase, "Gready"),
        lambda: lbaf_rs.balance(phase, "LPT", unknown=1),
        lambda: lbaf_rs.balance(phase, "TemperedLB", iters="many"),
        lambda: lbaf_rs.balance(phase, "TemperedLB", iters=float("nan")),
        lambda: lbaf_rs.balance(phase, "OfflineLB"),
        lambda: lbaf_rs.balance(phase, "LPT", threads=0),
        lambda: lbaf_rs.balance(phase, "External"),
        lambda: lbaf_rs.WorkModel("CMC"),
        lambda: lbaf_rs.WorkModel("CCM", epsilon="much"),
        lambda: lbaf_rs.WorkModel("CCM", upper_bounds={"unknown": 1}),
        lambda: lbaf_rs.read(MACHINE, phases="a-b"),
        lambda: lbaf_rs.read(MACHINE, phases=99),
        lambda: lbaf_rs.read(MACHINE, subphases=True),
        lambda: lbaf_rs.balance(phase, "RCB"),
        lambda: lbaf_rs.balance(phase, "LPT", seed=-1),
        lambda: lbaf_rs.balance(phase, "LPT").plot("rank_loads", phase=99),
        lambda: lbaf_rs.read(MACHINE, ranks_per_node=-3),
        lambda: lbaf_rs.sample(n_ranks=4),
        lambda: lbaf_rs.run({"algorithm": {"name": object}}, phase),
        lambda: lbaf_rs.run({"algorithm": {"name": {1, 2}}}, phase),
        lambda: lbaf_rs.run([]),
        lambda: lbaf_rs.run(tmp_path / "absent.yaml"),
        lambda: lbaf_rs.study(tmp_path / "absent.yaml"),
        lambda: lbaf_rs.balance(phase, "LPT").plot("unknown"),
        lambda: lbaf_rs.balance(phase, "LPT").plot("rank_loads", width="wide"),
        lambda: lbaf_rs.balance(phase, "LPT").plot("iteration_knowledge"),
    ]
    for at, call in enumerate(config_errors):
        with pytest.raises((lbaf_rs.ConfigError, lbaf_rs.StrategyError)):
            call()
            raise AssertionError(f"call {at} raised nothing")
    with pytest.raises(lbaf_rs.PlacementError):
        lbaf_rs.balance(phase, "LPT", start=[0])
    with pytest.raises(lbaf_rs.PlacementError):
        phase.evaluate(np.full(phase.n_objects, phase.n_ranks))
    with pytest.raises(lbaf_rs.PlacementError):
        phase.evaluate(np.full(phase.n_objects, 0.5))
    with pytest.raises(TypeError, match="balance needs a Phase, not DataSet"):
        lbaf_rs.balance(lbaf_rs.DataSet([phase]), "LPT")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a report shows results"):
        lbaf_rs.report(lbaf_rs.balance(phase, "LPT"))  # type: ignore[arg-type]
    with pytest.raises(lbaf_rs.OutputError):
        lbaf_rs.DataSet([phase]).write("/proc/none/data")


def test_panics_are_exceptions(phase: lbaf_rs.Phase) -> None:
    with pytest.raises(lbaf_rs.DefectError, match="a defect of lbaf, please report it: no reason .*engine.rs"):
        lbaf_rs._core.panic("no reason")
    # Later calls still work.
    assert lbaf_rs.balance(phase, "LPT").n_migrations > 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits the memory of a process")
@pytest.mark.parametrize("call", ['balance(phase, "LPT", threads=4000)', 'read("data")'])
def test_refused_threads_and_memory_are_exceptions(call: str, tmp_path: Path) -> None:
    """Under a limit of 256 MB, the system refuses the stacks of 4000 threads, and memory for a document of 600 MB."""
    (tmp_path / "data.0.json").write_bytes(b'{"phases":[{"id":0,"tasks":[]}]' + b" " * 600_000_000 + b"}")
    program = f"""
        import resource
        import lbaf_rs
        phase = lbaf_rs.Phase(loads=[1.0], ranks=[0])
        lbaf_rs.balance(phase, "LPT")
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, used + 2**28))
        try:
            lbaf_rs.{call.replace("data", str(tmp_path / "data"))}
        except lbaf_rs.ResourceError as error:
            print(error)
        """
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    expected = "cannot start a thread: " if "threads" in call else str(tmp_path / "data.0.json")
    assert ran.stdout.startswith(expected) and "memory" in ran.stdout, (ran.stdout, ran.stderr)


def test_exits_in_a_strategy_are_exceptions(phase: lbaf_rs.Phase) -> None:
    def exits(problem: lbaf_rs.Problem) -> Any:
        raise SystemExit(3)

    with pytest.raises(lbaf_rs.StrategyError) as error:
        lbaf_rs.balance(phase, exits)
    assert isinstance(error.value.__cause__, SystemExit)


def test_exceptions_pickle() -> None:
    for name in dir(_errors):
        kind = getattr(_errors, name)
        if isinstance(kind, type) and issubclass(kind, Exception):
            again = pickle.loads(pickle.dumps(kind("message")))
            assert type(again) is kind and str(again) == "message"


VALID = {
    "from_data": {"data_stem": MACHINE, "phase_ids": "0"},
    "algorithm": {"name": "TemperedLB", "parameters": {"iters": 2, "trials": 1}},
    "work_model": {"name": "AffineCombination", "parameters": {"alpha": 1.0, "beta": 1e-9}},
    "simulation": {"schedule": {"every": 1}},
    "seed": 1,
    "plots": "none",
}
KEYS = ["from_data", "from_samplers", "algorithm", "work_model", "name", "parameters", "plots", "seed", "phase_ids",
        "data_stem", "n_ranks", "n_objects", "load_sampler", "upper_bounds", "simulation", "schedule", "every", "args"]


def random_value(rng: random.Random, depth: int) -> Any:
    kind = rng.randrange(11 if depth < 4 else 8)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return rng.choice([0, 1, -1, 2, 2**31, 2**63, 2**64, -(2**63)])
    if kind == 2:
        return rng.choice([0.0, -0.0, 0.5, 1e308, 1e-320, float("nan"), float("inf")])
    if kind == 3:
        return "".join(rng.choice(string.printable + "é\0☃") for _ in range(rng.randrange(8)))
    if kind == 4:
        return rng.choice(["LPT", "Greedy", "none", "0-3", MACHINE, "CCM", "uniform", "LoadOnly"])
    if kind == 5:
        return rng.choice([b"bytes", object(), {1}, range(2), np.float64(2), np.arange(2), Path("x")])
    if kind == 6:
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(3))]
    return {rng.choice(KEYS): random_value(rng, depth + 1) for _ in range(rng.randrange(4))}


def mutated(rng: random.Random, tree: Any) -> Any:
    """Return a copy of a configuration with one change somewhere."""
    if not isinstance(tree, dict) or not tree or rng.random() < 0.2:
        return random_value(rng, 2)
    key = rng.choice(list(tree))
    change = {**tree, key: mutated(rng, tree[key])}
    if rng.random() < 0.2:
        change[rng.choice(KEYS)] = random_value(rng, 2)
    return change


@pytest.mark.filterwarnings("ignore::lbaf_rs.LbafWarning")
@pytest.mark.parametrize("quarter", range(4))
def test_random_configurations_raise_documented_exceptions_only(
    quarter: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(4 * int(os.environ.get("LBAF_FUZZ_SEED", "1")) + quarter)
    small = sampled(n_objects=12, n_ranks=2, n_mapped_ranks=1, n_phases=1)
    small.write(tmp_path / "small")
    base = {**VALID, "from_data": {"data_stem": "small"}}
    outcomes = {"valid": 0, "invalid": 0}
    n = int(os.environ.get("LBAF_FUZZ", "10000")) // 4
    calls = [lbaf_rs.run, lbaf_rs.run, lbaf_rs.simulate, lambda tree: lbaf_rs.study(tree, charts=False)]
    for at in range(n):
        tree = random_value(rng, 0) if at % 4 == 0 else mutated(rng, base)
        if not isinstance(tree, dict):
            tree = {"algorithm": tree}
        tree["output_dir"] = "output"
        call = rng.choice(calls)
        if call is calls[3]:
            tree = {"configuration": tree, "axes": {"seed": [0]}, "output_dir": "study"}
        try:
            call(tree)
            outcomes["valid"] += 1
        except lbaf_rs.LbafError as error:
            assert not isinstance(error, lbaf_rs.DefectError), (tree, error)
            outcomes["invalid"] += 1
    assert outcomes["valid"] > n / 100 and outcomes["invalid"] > n / 10, outcomes

