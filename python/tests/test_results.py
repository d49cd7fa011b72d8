# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs, simulations, pictures, pages and tables."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any, Callable

import lbaf_rs
import numpy as np
import pytest
from conftest import ROOT, written

MACHINE = str(ROOT / "examples" / "machine" / "data")
GREEDY = {
    "from_data": {"data_stem": MACHINE, "phase_ids": [0, 1]},
    "algorithm": {"name": "Greedy"},
    "work_model": {"name": "AffineCombination", "parameters": {"beta": 1e-9}},
}


@pytest.fixture(scope="module")
def run() -> lbaf_rs.Run:
    return lbaf_rs.run(GREEDY)


@pytest.fixture(scope="module")
def gossip() -> lbaf_rs.Run:
    return lbaf_rs.run({**GREEDY, "algorithm": {"name": "InformAndTransfer"}})


def test_results_without_an_output_directory_are_removed_with_the_run() -> None:
    run = lbaf_rs.run(GREEDY)
    directory = run.directory
    assert (directory / "summary.json").exists()
    del run
    gc.collect()
    assert not directory.exists()


def test_a_file_runs_as_with_the_command(tmp_path: Path, lbaf: Callable[..., Any]) -> None:
    tree = {**GREEDY, "write_JSON": {"compressed": False}, "plots": {"charts": ["rank_loads"], "formats": ["svg"]}}
    file = written(tmp_path / "run.yaml", tree)
    assert lbaf("run", file, "--output-dir", tmp_path / "command").returncode == 0
    run = lbaf_rs.run(file, output_dir=tmp_path / "python")
    names = {path.relative_to(run.directory) for path in run.directory.rglob("*") if path.is_file()}
    assert len(names) > 40
    for name in names - {Path("summary.json"), Path("timings.json")}:
        assert (run.directory / name).read_bytes() == (tmp_path / "command" / name).read_bytes(), name


def test_settings_override_a_configuration(tmp_path: Path) -> None:
    file = written(tmp_path / "run.yaml", {**GREEDY, "plots": "none"})
    run = lbaf_rs.run(file, set=["algorithm.name=LPT"], output_dir=tmp_path / "output")
    assert run.strategy == "LPT"
    more = written(tmp_path / "more.yaml", {"algorithm": {"name": "RandomLB"}})
    assert lbaf_rs.run([file, more], output_dir=tmp_path / "output").strategy == "RandomLB"


def test_data_from_memory_give_the_results_of_files(run: lbaf_rs.Run) -> None:
    data = lbaf_rs.read(MACHINE, [0, 1])
    of_memory = lbaf_rs.run({key: value for key, value in GREEDY.items() if key != "from_data"}, data)
    for one, other in zip(run.phases, of_memory.phases):
        for key in ("before", "after", "lower_bound", "migrations", "rank_loads"):
            assert one[key] == other[key], key


def test_tables_are_frames(run: lbaf_rs.Run) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    assert {"ranks", "migrations", "iterations"} <= set(run.tables)
    ranks = run.table("ranks")
    frame = ranks.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 64
    assert frame["load_s_after"].tolist() == ranks.to_polars()["load_s_after"].to_list()
    assert ranks.to_arrow().column("work_after").to_pylist() == ranks["work_after"].tolist()
    migrations = run.table("migrations")
    assert isinstance(migrations.to_polars(), polars.DataFrame)
    assert migrations.to_arrow().column("id_kind").to_pylist() == migrations["id_kind"].tolist()
    per_phase = frame.groupby("phase")["work_after"].max().tolist()
    assert per_phase == run.overview()["max_work_after"].tolist()


def test_tables_keep_types_and_missing_values() -> None:
    polars = pytest.importorskip("polars")
    table = lbaf_rs.Table._of_csv("n,x,flag,name,none\n1,0.5,true,a,\n2,,false,,\n")
    assert [table[name].dtype.kind for name in table] == ["i", "f", "b", "O", "O"]
    assert np.isnan(table["x"][1]) and table["name"].tolist() == ["a", None]
    frame = polars.DataFrame(table)
    assert frame["name"].to_list() == ["a", None] and frame["none"].null_count() == 2
    assert table.to_csv().splitlines()[0] == "n,x,flag,name,none"
    assert "2 rows" in repr(table) and "<td>0.5</td>" in table._repr_html_()
    with pytest.raises(ValueError, match="different lengths"):
        lbaf_rs.Table({"a": np.zeros(1), "b": np.zeros(2)})
    empty = lbaf_rs.Table._of_csv("")
    assert (empty.n_rows, list(empty)) == (0, [])


@pytest.mark.parametrize("chart", lbaf_rs.charts())
def test_every_chart_is_drawn_or_says_why_not(chart: str, gossip: lbaf_rs.Run) -> None:
    try:
        picture = gossip.plot(chart)
    except lbaf_rs.ConfigError as error:
        assert "the data have nothing that it shows" in str(error) and chart == "rank_memory"
        return
    assert picture.svg.startswith("<svg") and picture._repr_svg_() == picture.svg
    assert picture.data.n_rows > 0


def test_pictures_are_saved(run: lbaf_rs.Run, tmp_path: Path) -> None:
    picture = run.plot("rank_loads", phase=1, width="two_column", style={"palette": "grey"})
    starts = {"svg": b"<svg", "pdf": b"%PDF", "png": b"\x89PNG", "csv": b"position"}
    for suffix, start in starts.items():
        picture.save(tmp_path / f"chart.{suffix}")
        assert (tmp_path / f"chart.{suffix}").read_bytes().startswith(start)
    with pytest.raises(ValueError, match="does not end in"):
        picture.save(tmp_path / "chart.gif")


def test_results_of_balance_are_drawn_as_runs_are(run: lbaf_rs.Run) -> None:
    phase = lbaf_rs.read(MACHINE, 0)[0]
    result = lbaf_rs.balance(phase, "Greedy", work_model=lbaf_rs.WorkModel("AffineCombination", beta=1e-9))
    for chart in ("rank_loads", "work_histogram", "communication_after", "migration_flows", "object_loads"):
        assert result.plot(chart).data.to_csv() == run.plot(chart, phase=0).data.to_csv()


def test_several_results_are_compared(run: lbaf_rs.Run) -> None:
    phase = lbaf_rs.read(MACHINE, 0)[0]
    results = [lbaf_rs.balance(phase, name) for name in ("LPT", "RandomLB", "LPT")]
    picture = lbaf_rs.plot(results, "rank_loads")
    assert {"LPT 1", "RandomLB 2", "LPT 3"} <= {word for word in ("LPT 1", "RandomLB 2", "LPT 3") if word in picture.svg}
    assert "mine" in lbaf_rs.plot(results[:2], "rank_loads", names=["mine", "theirs"]).svg
    for chart, reason in [("object_loads", "it shows a single run"), ("simulation_times", "it shows simulations")]:
        with pytest.raises(lbaf_rs.ConfigError, match=f"the chart {chart} is not drawn: {reason}"):
            lbaf_rs.plot(results[:2], chart).svg
    with pytest.raises(lbaf_rs.InputError, match="1 names for 2 runs"):
        lbaf_rs.plot(results[:2], "rank_loads", names=["mine"])
    with pytest.raises(lbaf_rs.InputError, match="no run to draw"):
        lbaf_rs.plot([], "rank_loads")


def test_pages(run: lbaf_rs.Run, tmp_path: Path) -> None:
    page = run.report()
    page.save(tmp_path / "page.html")
    assert page.html.lower().startswith("<!doctype html>") and "iframe" in page._repr_html_()
    lpt = lbaf_rs.run({**GREEDY, "algorithm": {"name": "LPT"}})
    both = lbaf_rs.report([run, lpt])
    assert "LPT" in both.html and "Greedy" in both.html


def test_simulations_have_scenarios_and_charts() -> None:
    tree = {**GREEDY, "from_data": {"data_stem": MACHINE}, "simulation": {"schedule": {"every": 2}}}
    simulation = lbaf_rs.simulate(tree)
    assert simulation.total("perfect") <= simulation.total() <= simulation.total("never")
    assert simulation.scenarios["total"].tolist() == [row["total"] for row in simulation.summary["runs"]]
    assert set(simulation.phases["scenario"]) == {"recorded", "never", "configured", "perfect"}
    assert simulation.plot("simulation_elapsed").data.n_rows > 0
    with pytest.raises(lbaf_rs.ConfigError, match="rank_loads is not drawn: it shows runs, not simulations"):
        simulation.plot("rank_loads").svg
    with pytest.raises(KeyError):
        simulation.total("unknown")


def test_representations_are_html(run: lbaf_rs.Run, data: lbaf_rs.DataSet) -> None:
    result = lbaf_rs.balance(data[0], "LPT")
    strategies = lbaf_rs.strategies()
    shown = [run, data, data[0], data[0].evaluate(), result, strategies, strategies["LPT"], run.table("ranks")]
    for value in shown:
        assert value._repr_html_().startswith("<"), value
        assert repr(value)
    assert "LPT" in strategies and "MULTIFIT" in strategies
    assert strategies["TemperedLB"].parameters["iters"].default == 4
    assert all(parameter.doc for strategy in strategies.values() for parameter in strategy.parameters.values())


def test_defaults_of_strategies_are_those_of_the_engine(phase: lbaf_rs.Phase) -> None:
    for name, strategy in lbaf_rs.strategies().items():
        if name in ("BruteForce", "External", "Milp", "OfflineLB", "PrescribedPermutation"):
            continue
        if name in ("RecursiveCoordinateBisection", "SpaceFillingCurve"):
            continue
        used = lbaf_rs.balance(phase, name, seed=1).parameters
        listed = {key: parameter.default for key, parameter in strategy.parameters.items()}
        shared = {key: value for key, value in used.items() if listed.get(key) is not None and key != "seed"}
        assert json.loads(json.dumps(shared)) == {key: listed[key] for key in shared}, name
