# SPDX-License-Identifier: MIT OR Apache-2.0
"""The package: documentation, types, and the state of the process."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pickle
import pkgutil
import subprocess
import sys
from pathlib import Path

import lbaf_rs
import pytest

MODULES = [module.name for module in pkgutil.iter_modules(lbaf_rs.__path__) if module.name != "_core"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_documentation_run(name: str) -> None:
    module = importlib.import_module(f"lbaf_rs.{name}")
    names = {name: getattr(lbaf_rs, name) for name in lbaf_rs.__all__}
    result = doctest.testmod(module, extraglobs=names)
    assert result.failed == 0


def test_public_names_are_documented() -> None:
    for name in lbaf_rs.__all__:
        value = getattr(lbaf_rs, name)
        if name == "__version__":
            continue
        assert inspect.getdoc(value), name
        if inspect.isclass(value):
            for member, attribute in vars(value).items():
                is_public = not member.startswith("_") and (callable(attribute) or isinstance(attribute, property))
                if is_public and member != "rng" and member != "seconds":
                    assert inspect.getdoc(attribute), f"{name}.{member}"


def test_types_are_checked(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    directory = Path(__file__).parents[1]
    configuration = str(directory / "pyproject.toml")
    command = [sys.executable, "-m", "mypy", "--config-file", configuration]
    checked = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    stubs = [sys.executable, "-m", "mypy.stubtest", "lbaf_rs._core", "--ignore-disjoint-bases"]
    stubs += ["--mypy-config-file", configuration]
    # In the directory of the sources, Python would import them instead of the installed package.
    tested = subprocess.run(stubs, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert tested.returncode == 0, tested.stdout


def test_only_numpy_is_imported() -> None:
    program = "import sys, lbaf_rs; print(sorted({name.split('.')[0] for name in sys.modules}))"
    modules = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    for optional in ("pandas", "polars", "pyarrow", "cloudpickle", "tqdm", "matplotlib"):
        assert f"'{optional}'" not in modules


def test_progress_is_reported(tmp_path: Path) -> None:
    steps: list[tuple[str, int, int]] = []
    uniform = {"name": "uniform", "parameters": [0.5, 1.5]}
    spec = {"n_ranks": 64, "n_objects": 200_000, "n_mapped_ranks": 64, "n_phases": 4, "load_sampler": uniform}
    data = lbaf_rs.sample(**spec, progress=lambda *step: steps.append(step))
    assert len(data) == 4
    assert {activity for activity, _, _ in steps} == {"drawing samples"}
    assert all(0 <= done <= total == 64 for _, done, total in steps)
    assert steps[-1] == ("drawing samples", 64, 64)

    def stop(*step: object) -> None:
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        lbaf_rs.sample(**spec, progress=stop)


def test_work_models_pickle_and_show_themselves() -> None:
    model = lbaf_rs.WorkModel("CCM", upper_bounds={"max_memory_usage": 8e9}, bounds_hold_for="node")
    again = pickle.loads(pickle.dumps(model))
    assert (again.name, again.parameters) == (model.name, model.parameters)
    assert model.parameters["bounds_hold_for"] == "node"
    assert repr(lbaf_rs.WorkModel()) == "WorkModel('LoadOnly', alpha=1.0)"
    with pytest.raises(ValueError, match="bounds_hold_for"):
        lbaf_rs.WorkModel(bounds_hold_for="core")
