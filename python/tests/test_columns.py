# SPDX-License-Identifier: MIT OR Apache-2.0
"""Phases and data sets: columns, shared memory, and construction from arrays."""

from __future__ import annotations

import gc
import resource
from pathlib import Path

import lbaf_rs
import numpy as np
import pytest
from conftest import ROOT, UNIFORM, sampled


def address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def phase_of_columns() -> lbaf_rs.Phase:
    return lbaf_rs.Phase(
        loads=[4.0, 3.0, 2.0, 1.0],
        ranks=[0, 0, 1, 1],
        n_ranks=3,
        migratable=[True, True, True, False],
        edges=([0, 1, 2, 4], [1, 2, 6, 0], [8.0, 16.0, 32.0, 64.0], [1, 2, 3, 4]),
        footprint_bytes=[1, 2, 3, 4],
        working_bytes=[10, 20, 30, 40],
        serialized_bytes=[5, 5, 5, 5],
        blocks=[0, 0, 1, -1],
        block_bytes=[100, 200],
        block_homes=[0, 2],
        alphas=[1, 2, 1],
        nodes=[0, 0, 1],
        rank_working_bytes=[1000, 0, 0],
        id=7,
    )


def test_columns_are_those_given() -> None:
    phase = phase_of_columns()
    assert (phase.id, phase.n_objects, phase.n_ranks, phase.n_edges) == (7, 4, 3, 4)
    assert phase.loads.tolist() == [4, 3, 2, 1]
    assert phase.ranks.tolist() == [0, 0, 1, 1]
    assert phase.migratable.tolist() == [True, True, True, False]
    assert phase.objects["block"].tolist() == [0, 0, 1, -1]
    assert phase.objects["working_bytes"].tolist() == [10, 20, 30, 40]
    assert phase.blocks["bytes"].tolist() == [100, 200]
    assert phase.blocks["home"].tolist() == [0, 2]
    assert phase.machine["alpha"].tolist() == [1, 2, 1]
    assert phase.machine["node"].tolist() == [0, 0, 1]
    edges = {(row["sender"], row["receiver"]): (row["bytes"], row["messages"]) for row in phase.edges.rows()}
    assert edges == {(0, 1): (8, 1), (1, 2): (16, 2), (2, 6): (32, 3), (4, 0): (64, 4)}


def test_evaluation_follows_the_definitions() -> None:
    phase = phase_of_columns()
    ranks = phase.evaluate().ranks
    # Off-rank: edge 1 -> 2 (16 bytes, rank 0 to 1) and edge 2 -> 6 (32 bytes, rank 1 to 2).
    # On rank 0: edge 0 -> 1 (8 bytes), and edge 4 -> 0, whose sender is the rank itself.
    # Memory: rank itself + blocks + footprints + largest working memory.
    assert ranks["load"].tolist() == [7, 3, 0]
    assert ranks["sent_bytes"].tolist() == [16, 32, 0]
    assert ranks["received_bytes"].tolist() == [0, 16, 32]
    assert ranks["on_rank_bytes"].tolist() == [8, 0, 0]
    assert ranks["memory_bytes"].tolist() == [1000 + 100 + 3 + 20, 200 + 7 + 40, 0]
    assert ranks["homing_bytes"].tolist() == [0, 200, 0]
    affine = lbaf_rs.WorkModel("AffineCombination", alpha=2.0, beta=0.5, gamma=1.0, delta=0.25)
    works = phase.evaluate(work_model=affine).works
    # alpha x (alpha of the rank) x load + beta x max(sent, received) + gamma + delta x homing. Rank 1 has alpha 2, and
    # its block of 200 bytes is away from its home, rank 2. Rank 2 has no load.
    by_hand = [2 * 7 + 0.5 * 16 + 1, 2 * 2 * 3 + 0.5 * 32 + 1 + 0.25 * 200, 0.5 * 32 + 1]
    assert works.tolist() == by_hand
    assert phase.evaluate([1, 0, 0, 1]).loads.tolist() == [5, 5, 0]


def test_columns_share_the_memory_of_a_million_objects() -> None:
    n = 10**6
    pytest.importorskip("pyarrow")
    phase = lbaf_rs.Phase(loads=np.linspace(1, 2, n), ranks=np.arange(n) % 1000)
    gc.collect()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    loads, ranks = [phase.loads for _ in range(50)], [phase.ranks for _ in range(50)]
    assert len({address(column) for column in loads}) == 1
    assert len({address(column) for column in ranks}) == 1
    batch = lbaf_rs.Table({"load": phase.loads, "rank": phase.ranks}).to_arrow()
    assert batch["load"].chunk(0).buffers()[1].address == address(phase.loads)
    assert batch["rank"].chunk(0).buffers()[1].address == address(phase.ranks)
    # 50 copies would take 50 * (8 + 4) MB = 600 MB. PyArrow itself takes some memory.
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak
    assert grown < 100_000, f"{grown} kB"


def test_shared_columns_cannot_be_changed(phase: lbaf_rs.Phase) -> None:
    for column in (phase.loads, phase.ranks, phase.migratable, phase.edge_bytes, phase.edge_messages):
        with pytest.raises(ValueError):
            column[0] = 0
        with pytest.raises(ValueError):
            column.flags.writeable = True


def test_columns_outlive_their_data() -> None:
    loads = sampled()[1].loads
    edges = sampled()[1].edge_bytes
    gc.collect()
    assert loads.tolist() == sampled()[1].loads.tolist()
    assert edges.tolist() == sampled()[1].edges["bytes"].tolist()


def test_given_arrays_are_copied() -> None:
    loads = np.array([1.0, 2.0])
    phase = lbaf_rs.Phase(loads=loads, ranks=[0, 1])
    loads[0] = 9.0
    assert phase.loads.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"loads": [1.0]}, "ranks has 2 entries, but 1 are needed"),
        ({"loads": [-1.0, 1.0]}, "must be finite and non-negative"),
        ({"loads": [np.nan, 1.0]}, "must be finite and non-negative"),
        ({"loads": ["a", "b"]}, "loads cannot be converted to float64"),
        ({"loads": [[1.0, 2.0]]}, "loads has 2 dimensions"),
        ({"ranks": [0, -1]}, "ranks names rank -1"),
        ({"ranks": [0, 5], "n_ranks": 2}, "ranks names rank 5; the phase has 2 ranks"),
        ({"ranks": [0, 0.5]}, "ranks cannot be converted to int64: some numbers would change"),
        ({"n_ranks": -1}, "n_ranks is -1"),
        ({"ids": [5, 5]}, "ids must ascend, but ids[1] is 5 after 5"),
        ({"ids": [-1, 5]}, "ids cannot be converted to uint64"),
        ({"blocks": [0, -1]}, "names a block that does not exist"),
        ({"blocks": [0, -2], "block_bytes": [1]}, "blocks holds -2"),
        ({"block_bytes": [1], "block_homes": [9]}, "block_homes names rank 9"),
        ({"alphas": [1.0], "n_ranks": 2}, "alphas has 1 entries, but 2 are needed"),
        ({"edges": ([0], [1])}, "edges have 2 columns"),
        ({"edges": ([0], [9], [1.0])}, "edge 0 names endpoint 9"),
        ({"edges": ([0], [1], [-1.0])}, "edge 0 has -1 bytes"),
        ({"edges": ([0], [1], [np.inf])}, "edge 0 has inf bytes"),
        ({"edges": ([0], [1], [1.0], [-1])}, "edge 0 has -1 messages"),
        ({"edges": np.zeros(3)}, "edges have 1 dimensions"),
        ({"edges": {"sender": [0], "bytes": [1.0]}}, "edges lack the columns receiver"),
    ],
)
def test_wrong_columns_are_input_errors(wrong: dict, message: str) -> None:
    with pytest.raises(lbaf_rs.InputError) as error:
        lbaf_rs.Phase(**{"loads": [1.0, 2.0], "ranks": [0, 1], **wrong})
    assert message in str(error.value)


def test_edges_have_several_forms() -> None:
    pandas = pytest.importorskip("pandas")
    columns = {"sender": [0, 1], "receiver": [1, 2], "bytes": [4.0, 8.0]}
    forms = [tuple(columns.values()), np.array(list(columns.values())).T, columns, pandas.DataFrame(columns)]
    for edges in forms:
        phase = lbaf_rs.Phase(loads=[1, 1, 1], ranks=[0, 1, 2], edges=edges)
        assert phase.edges["bytes"].tolist() == [4, 8]
        assert phase.edges["receiver"].tolist() == [1, 2]


def test_frames_of_other_libraries_are_read() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = {"load": [3.0, 1.0], "rank": [0, 1]}
    for objects in (pandas.DataFrame(frame), polars.DataFrame(frame)):
        phase = lbaf_rs.Phase(loads=objects["load"], ranks=objects["rank"])
        assert phase.loads.tolist() == [3, 1]


@pytest.mark.parametrize("quality", [None, 1])
def test_written_data_are_read_back(tmp_path: Path, quality: int | None) -> None:
    first = phase_of_columns()
    second = lbaf_rs.Phase(loads=[1.5, 2.5], ranks=[2, 0], n_ranks=3, ids=[1, 3], alphas=[1, 2, 1], nodes=[0, 0, 1],
                           migratable=[True, True], id=8, rank_working_bytes=[1000, 0, 0])
    with pytest.raises(lbaf_rs.InputError, match="phases must ascend"):
        lbaf_rs.DataSet([second, first])
    data = lbaf_rs.DataSet([first, second])
    data.write(tmp_path / "data", quality=quality)
    options = {"communication_types": ["SendRecv", "CollectionToNode", "NodeToCollection"],
               "ranks_per_node": "from_files"}
    again = lbaf_rs.read(tmp_path / "data", **options)
    assert [phase.id for phase in again] == [7, 8]
    for given, found in zip(data, again):
        assert given.edges.rows() == found.edges.rows()
        assert given.objects.rows() == found.objects.rows()
        assert given.machine.rows() == found.machine.rows()
        assert given.blocks.rows() == found.blocks.rows()
        assert given.evaluate().ranks.rows() == found.evaluate().ranks.rows()


def test_files_are_read_by_stem_by_name_and_by_phase() -> None:
    stem = ROOT / "examples" / "machine" / "data"
    data = lbaf_rs.read(stem, phases="2-3")
    assert [phase.id for phase in data] == [2, 3]
    assert data.phase(3).n_objects == 1532
    with pytest.raises(KeyError):
        data.phase(0)
    files = [f"{stem}.{rank}.json" for rank in range(32)]
    by_name = lbaf_rs.read(files, phases=[2, 3])
    assert by_name[1].loads.tolist() == data[1].loads.tolist()
    slow = lbaf_rs.read(stem, 2, rank_alpha={1: 2.0})
    assert slow[0].machine["alpha"].tolist()[:3] == [1, 2, 1]


def test_phases_must_have_equal_numbers_of_ranks() -> None:
    phases = [lbaf_rs.Phase(loads=[1.0], ranks=[0], n_ranks=n, id=n) for n in (1, 2)]
    with pytest.raises(lbaf_rs.InputError, match="phase 1 has 1 ranks, and another has 2"):
        lbaf_rs.DataSet(phases)


def test_coordinates_from_arrays_and_from_samplers_give_equal_results() -> None:
    data = sampled(grid=[4, 5], n_objects=20, communication_degree=0, n_phases=1)
    given = data[0]
    again = lbaf_rs.Phase(loads=given.loads, ranks=given.ranks, n_ranks=8, coordinates=given.coordinates)
    for name in ("RCB", "SFC"):
        assert lbaf_rs.balance(again, name).placement.tolist() == lbaf_rs.balance(given, name).placement.tolist()
    with pytest.raises(lbaf_rs.InputError, match="coordinates have shape"):
        lbaf_rs.Phase(loads=[1.0], ranks=[0], coordinates=[1])


def test_edges_of_arrow_tables() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    edges = pyarrow.table({"sender": [0], "receiver": [1], "bytes": [4.0], "messages": [2]})
    phase = lbaf_rs.Phase(loads=[1, 1], ranks=[0, 1], edges=edges)
    assert phase.edges.rows() == [{"sender": 0, "receiver": 1, "bytes": 4.0, "messages": 2}]


def test_coordinates_are_read_on_request(tmp_path: Path) -> None:
    tree = {"grid": [4, 5], "n_objects": 20, "n_ranks": 4, "n_mapped_ranks": 4, "load_sampler": UNIFORM}
    configuration = {"from_samplers": tree, "algorithm": {"name": "RotateLB"}, "write_JSON": {"compressed": False}}
    lbaf_rs.run({**configuration, "output_file_stem": "data"}, output_dir=tmp_path)
    phase = lbaf_rs.read(tmp_path / "data", coordinates=True)[0]
    assert sorted(phase.coordinates or []) == [(x, y) for x in range(4) for y in range(5)]
    assert lbaf_rs.read(tmp_path / "data")[0].coordinates is None
