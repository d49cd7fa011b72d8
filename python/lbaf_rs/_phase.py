# SPDX-License-Identifier: MIT OR Apache-2.0
"""Phases: objects, ranks and communication as columns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import column, coordinates_of, edges_of, or_zeros, placement_of
from ._errors import InputError
from ._evaluation import Bounds, Evaluation
from ._table import Table
from ._work_model import WorkModel, load_only

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


#: Largest number of ranks.
_MOST_RANKS = 2**31


class Phase:
    """One step of an application: its objects, their loads and ranks, and their communication.

    Phases come from files (:func:`read`), from distributions (:func:`sample`) or from arrays. Columns that share memory
    with the phase are read-only.

    Parameters
    ----------
    loads : array of float, shape (n_objects,)
        Load of each object in seconds.
    ranks : array of int, shape (n_objects,)
        Recorded rank of each object, from 0.
    n_ranks : int, optional
        Number of ranks. By default, the length of ``alphas``, ``nodes`` or ``rank_working_bytes`` if one of them is
        given, or else the highest rank in ``ranks`` plus 1.
    edges : optional
        Communication: a tuple ``(senders, receivers, bytes)`` or ``(senders, receivers, bytes, messages)`` of arrays,
        an array of shape (n_edges, 3) or (n_edges, 4), or a data frame with these columns. Senders and receivers are
        positions of objects; ``n_objects + r`` is rank ``r`` itself. Parallel edges are summed.
    migratable : array of bool, optional
        False for objects that must stay on their rank (sentinels). By default, all objects are migratable.
    ids : array of int, optional
        Number of each object, strictly ascending. These numbers identify objects across the phases of a data set. By
        default, positions.
    footprint_bytes, working_bytes, serialized_bytes : array of float, optional
        Memory of each object in bytes: always held, additionally held while the object runs, and sent when the object
        migrates. By default 0.
    blocks : array of int, optional
        Position of the memory block of each object in ``block_bytes``, or -1 for no block. A rank with at least one
        object of a block holds the block once.
    block_bytes : array of float, optional
        Size of each block in bytes.
    block_homes : array of int, optional
        Rank on which each block is at home. By default 0.
    alphas : array of float, shape (n_ranks,), optional
        Seconds of work per second of load on each rank; 2 for a rank of half the speed. By default 1.
    nodes : array of int, shape (n_ranks,), optional
        Node of each rank. By default, each rank has its own node.
    rank_working_bytes : array of float, shape (n_ranks,), optional
        Memory in bytes that each rank needs independently of its objects. By default 0.
    coordinates : array of int, shape (n_objects, n_dimensions), optional
        Index of each object in a grid, for ``RecursiveCoordinateBisection`` and ``SpaceFillingCurve``.
    id : int
        Number of the phase.

    Raises
    ------
    InputError
        If columns have different lengths, a position or rank does not exist, or a load, size or volume is negative or
        not finite.

    Examples
    --------
    >>> phase = Phase(loads=[4.0, 3.0, 2.0, 1.0], ranks=[0, 0, 0, 1], edges=([0, 1], [1, 3], [1e6, 2e6]))
    >>> phase.imbalance()
    0.8
    """

    __slots__ = ("_core", "_objects")

    def __init__(
        self,
        loads: ArrayLike,
        ranks: ArrayLike,
        *,
        n_ranks: int | None = None,
        edges: Any = None,
        migratable: ArrayLike | None = None,
        ids: ArrayLike | None = None,
        footprint_bytes: ArrayLike | None = None,
        working_bytes: ArrayLike | None = None,
        serialized_bytes: ArrayLike | None = None,
        blocks: ArrayLike | None = None,
        block_bytes: ArrayLike | None = None,
        block_homes: ArrayLike | None = None,
        alphas: ArrayLike | None = None,
        nodes: ArrayLike | None = None,
        rank_working_bytes: ArrayLike | None = None,
        coordinates: ArrayLike | None = None,
        id: int = 0,
    ) -> None:
        if not 0 <= id < 2**64:
            raise InputError(f"id is {id}; the number of a phase is a whole number from 0 to 2^64 - 1")
        load = column("loads", loads, np.float64)
        n = len(load)
        rank = column("ranks", ranks, np.int64, n)
        if n_ranks is None:
            given = [values for values in (alphas, nodes, rank_working_bytes) if values is not None]
            n_ranks = len(np.asarray(given[0])) if given else int(rank.max(initial=-1)) + 1
        if not 0 <= n_ranks <= _MOST_RANKS:
            raise InputError(f"n_ranks is {n_ranks}; it must be a number from 0 to {_MOST_RANKS}")
        n_ranks = int(n_ranks)
        numbers = None if ids is None else column("ids", ids, np.uint64, n)
        flags = np.ones(n, np.bool_) if migratable is None else column("migratable", migratable, np.bool_, n)
        sizes = np.empty(0) if block_bytes is None else column("block_bytes", block_bytes, np.float64)
        homes = or_zeros("block_homes", block_homes, np.int64, len(sizes))
        memory = None
        if any(values is not None for values in (footprint_bytes, working_bytes, serialized_bytes, blocks)):
            memory = (
                or_zeros("footprint_bytes", footprint_bytes, np.float64, n),
                or_zeros("working_bytes", working_bytes, np.float64, n),
                or_zeros("serialized_bytes", serialized_bytes, np.float64, n),
                np.full(n, -1, np.int64) if blocks is None else column("blocks", blocks, np.int64, n),
            )
        machine = (
            np.ones(n_ranks) if alphas is None else column("alphas", alphas, np.float64, n_ranks),
            np.arange(n_ranks) if nodes is None else column("nodes", nodes, np.int64, n_ranks),
            or_zeros("rank_working_bytes", rank_working_bytes, np.float64, n_ranks),
        )
        block_ids = np.arange(len(sizes), dtype=np.uint64)
        objects = (load, rank, flags, numbers)
        space = None if coordinates is None else coordinates_of(coordinates, n)
        self._core = _core.build_phase(id, objects, memory, edges_of(edges), (block_ids, sizes, homes), machine, space)
        self._objects: Table | None = None

    @classmethod
    def _of(cls, core: _core.Phase) -> Phase:
        phase = cls.__new__(cls)
        phase._core = core
        phase._objects = None
        return phase

    @property
    def id(self) -> int:
        """Number of the phase."""
        return self._core.id

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return self._core.n_objects

    @property
    def n_ranks(self) -> int:
        """Number of ranks."""
        return self._core.n_ranks

    @property
    def n_edges(self) -> int:
        """Number of edges of the communication graph."""
        return self._core.n_edges

    @property
    def loads(self) -> NDArray[np.float64]:
        """Load of each object in seconds, shape (n_objects,). Shares the memory of the phase."""
        return self._core.loads

    @property
    def ranks(self) -> NDArray[np.uint32]:
        """Recorded rank of each object, shape (n_objects,). Shares the memory of the phase."""
        return self._core.ranks

    @property
    def migratable(self) -> NDArray[np.bool_]:
        """False for objects that must stay on their rank, shape (n_objects,). Shares the memory of the phase."""
        return self._core.migratable

    @property
    def edge_bytes(self) -> NDArray[np.float64]:
        """Bytes of each edge, shape (n_edges,). Shares the memory of the phase, with a stride of 16 bytes."""
        return self._core.edge_bytes

    @property
    def edge_messages(self) -> NDArray[np.uint64]:
        """Number of messages of each edge, shape (n_edges,). Shares the memory of the phase."""
        return self._core.edge_messages

    @property
    def objects(self) -> Table:
        """Objects: number, load, rank, migratability, memory in bytes, and block (-1 for none).

        ``is_sequence`` is true if the number is a ``seq_id`` in files, and false if it is an ``id``.

        Columns other than loads, ranks and migratability are built on first access, in O(n_objects).
        """
        if self._objects is None:
            ids, is_sequence = self._core.ids()
            (footprint, working, serialized), blocks = self._core.memory()
            for built in (ids, is_sequence, footprint, working, serialized, blocks):
                built.setflags(write=False)
            self._objects = Table(
                {
                    "id": ids,
                    "is_sequence": is_sequence,
                    "load": self.loads,
                    "rank": self.ranks,
                    "migratable": self.migratable,
                    "footprint_bytes": footprint,
                    "working_bytes": working,
                    "serialized_bytes": serialized,
                    "block": blocks,
                }
            )
        return self._objects

    @property
    def edges(self) -> Table:
        """Communication: sender, receiver, bytes and messages of each edge.

        Senders and receivers are positions of objects; ``n_objects + r`` is rank ``r``. The columns of senders and
        receivers are built on each access, in O(n_edges).
        """
        senders, receivers = self._core.endpoints()
        columns = {"sender": senders, "receiver": receivers}
        return Table({**columns, "bytes": self.edge_bytes, "messages": self.edge_messages})

    @property
    def blocks(self) -> Table:
        """Memory blocks: number, size in bytes, and home rank."""
        ids, sizes, homes = self._core.blocks()
        return Table({"id": ids, "bytes": sizes, "home": homes})

    @property
    def machine(self) -> Table:
        """Ranks: alpha (seconds of work per second of load), node, and memory in bytes that is independent of objects."""
        alphas, nodes, working = self._core.machine()
        return Table({"rank": np.arange(len(alphas)), "alpha": alphas, "node": nodes, "working_bytes": working})

    @property
    def coordinates(self) -> list[tuple[int, ...] | None] | None:
        """Index of each object in its collection, or ``None`` for an object without index.

        The whole list is ``None`` if indices were not read.
        """
        coordinates = self._core.coordinates()
        if coordinates is None:
            return None
        return [None if index is None else tuple(index) for index in coordinates]

    def evaluate(self, placement: ArrayLike | None = None, work_model: WorkModel | None = None) -> Evaluation:
        """Compute loads, communication, memory and work of every rank under a placement.

        Parameters
        ----------
        placement : array of int, shape (n_objects,), optional
            Rank of each object. By default, the recorded placement.
        work_model : WorkModel, optional
            By default, load alone.

        Raises
        ------
        PlacementError
            If the placement has the wrong length, names an unknown rank, or moves a non-migratable object.
        """
        model = work_model or load_only()
        return Evaluation(Table(self._core.evaluate(model._core, placement_of(placement))))

    def imbalance(self, placement: ArrayLike | None = None) -> float:
        """Return the imbalance of rank loads under a placement: maximum over mean, minus 1."""
        return self.evaluate(placement).imbalance

    def bounds(self, work_model: WorkModel | None = None) -> Bounds:
        """Compute lower bounds on the maximum work of any placement.

        Parameters
        ----------
        work_model : WorkModel, optional
            By default, load alone.
        """
        model = work_model or load_only()
        return Bounds(json.loads(self._core.bounds(model._core)))

    def __repr__(self) -> str:
        return f"<Phase {self.id}: {self.n_objects} objects on {self.n_ranks} ranks, {self.n_edges} edges>"

    def _repr_html_(self) -> str:
        evaluation = self.evaluate()
        rows = {
            "objects": f"{self.n_objects} ({int(self.migratable.sum())} migratable)",
            "ranks": str(self.n_ranks),
            "edges": str(self.n_edges),
            "total load": f"{self.loads.sum():.6g} s",
            "load imbalance": f"{evaluation.imbalance:.4g}",
        }
        body = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows.items())
        return f"<table><caption>Phase {self.id}</caption>{body}</table>"

    def to_pandas(self) -> Any:
        """Return the objects as a data frame of pandas."""
        return self.objects.to_pandas()

    def to_polars(self) -> Any:
        """Return the objects as a data frame of Polars."""
        return self.objects.to_polars()

    def to_arrow(self) -> Any:
        """Return the objects as a table of PyArrow."""
        return self.objects.to_arrow()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the objects as an Arrow stream."""
        return self.objects.__arrow_c_stream__(requested_schema)
