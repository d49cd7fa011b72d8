# SPDX-License-Identifier: MIT OR Apache-2.0
"""Data sets: phases from files, from distributions or from arrays."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, overload

import numpy as np

from . import _core
from ._errors import warn
from ._phase import Phase
from ._progress import reporter
from ._table import Table


class DataSet:
    """Phases in ascending order, with the numbers that identify their objects.

    A data set is a sequence of phases: ``data[0]``, ``data[:3]``, ``for phase in data``, ``len(data)``. :meth:`phase`
    finds a phase by its number.

    Parameters
    ----------
    phases : sequence of Phase
        Phases with ascending numbers and the same ranks. Objects of several phases with equal ``ids`` are the same
        object; non-migratable objects must also have the same rank.

    Raises
    ------
    InputError
        If the numbers of the phases do not ascend, or the phases have different numbers of ranks.
    """

    __slots__ = ("_core", "_phases")

    def __init__(self, phases: Sequence[Phase]) -> None:
        self._core = _core.DataSet([phase._core for phase in phases])
        self._phases = [Phase._of(phase) for phase in self._core.phases()]

    @classmethod
    def _of(cls, core: _core.DataSet) -> DataSet:
        data = cls.__new__(cls)
        data._core = core
        data._phases = [Phase._of(phase) for phase in core.phases()]
        return data

    @property
    def phases(self) -> list[Phase]:
        """The phases, ascending."""
        return list(self._phases)

    @property
    def n_ranks(self) -> int:
        """Number of ranks."""
        return self._core.n_ranks

    @property
    def n_objects(self) -> int:
        """Number of different objects in all phases."""
        return self._core.n_objects

    @property
    def warnings(self) -> list[str]:
        """Warnings of :func:`read` or :func:`sample`; empty for a data set built from phases."""
        return self._core.warnings

    def phase(self, id: int) -> Phase:
        """Return the phase with this number.

        Raises
        ------
        KeyError
            If there is none.
        """
        for phase in self._phases:
            if phase.id == id:
                return phase
        raise KeyError(f"there is no phase {id}; the phases are {[phase.id for phase in self._phases]}")

    def __len__(self) -> int:
        return len(self._phases)

    @overload
    def __getitem__(self, position: int) -> Phase: ...

    @overload
    def __getitem__(self, position: slice) -> DataSet: ...

    def __getitem__(self, position: int | slice) -> Phase | DataSet:
        found = self._phases[position]
        return DataSet(found) if isinstance(found, list) else found

    def __iter__(self) -> Iterator[Phase]:
        return iter(self._phases)

    def write(
        self, stem: str | os.PathLike[str], *, quality: int | None = None, threads: int | None = None
    ) -> None:
        """Write the data as VOM files, the JSON files that vt and the command read.

        Parameters
        ----------
        stem : path
            The files are named ``<stem>.<rank>.json``. They replace all files of this stem: files of further ranks, and
            files with the other suffix, are removed.
        quality : int, optional
            Quality of brotli compression, 0 to 11; the files are then named ``<stem>.<rank>.json.br``.
        threads : int, optional
            Number of threads. By default, one for each processor.

        Raises
        ------
        InputError
            If files cannot hold the data.
        OutputError
            If a file cannot be written. No file is then replaced.
        """
        if quality is not None and not 0 <= quality <= 11:
            raise ValueError(f"the quality of brotli is a number from 0 to 11, not {quality}")
        path = Path(stem)
        self._core.write(path.parent, path.name, quality, threads)

    def summary(self) -> Table:
        """Return number, objects, edges, total load in seconds and load imbalance of every phase."""
        phases = self._phases
        return Table(
            {
                "phase": np.array([phase.id for phase in phases], dtype=np.int64),
                "n_objects": np.array([phase.n_objects for phase in phases], dtype=np.int64),
                "n_edges": np.array([phase.n_edges for phase in phases], dtype=np.int64),
                "load": np.array([phase.loads.sum() for phase in phases], dtype=np.float64),
                "imbalance": np.array([phase.imbalance() for phase in phases], dtype=np.float64),
            }
        )

    def __repr__(self) -> str:
        return f"<DataSet of {len(self)} phases: {self.n_objects} objects on {self.n_ranks} ranks>"

    def _repr_html_(self) -> str:
        caption = f"{self.n_objects} objects on {self.n_ranks} ranks"
        return self.summary()._repr_html_().replace("<table>", f"<table><caption>{caption}</caption>", 1)


def read(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    phases: int | str | Sequence[int] | None = None,
    *,
    rank_alpha: Mapping[int, float] | None = None,
    coordinates: bool = False,
    threads: int | None = None,
    progress: Any = None,
    **options: Any,
) -> DataSet:
    """Read recorded data.

    Parameters
    ----------
    source : path, or sequence of paths
        Stem of the files: ``data`` for ``data.0.json``, ``data.1.json`` and so on; or the paths of all files, in the
        order of ranks.
    phases : int, str or sequence of int, optional
        Phases to read, in the notation of the command: ``"0-3"``. By default, all.
    rank_alpha : mapping of int to float, optional
        Seconds of work per second of load, by rank.
    coordinates : bool
        True to read the indices of objects in their collections.
    threads : int, optional
        Number of threads. By default, one for each processor.
    progress : bool or callable, optional
        True to show progress, False to hide it, or a function that is called with the activity, the number of steps
        done, and the number of all steps. By default, progress is shown on terminals and in notebooks after a second.
    **options
        Further keys of ``from_data`` in a configuration: ``communication_types``, ``absent_endpoints``,
        ``ranks_per_node``, ``suffix``, ``subphases``.

    Raises
    ------
    InputError
        If files are missing or invalid.
    ConfigError
        If an option is wrong.
    """
    is_stem = isinstance(source, (str, os.PathLike))
    from_data = {"data_stem": os.fspath(source) if is_stem else "files", **options}  # type: ignore[arg-type]
    if phases is not None:
        from_data["phase_ids"] = phases if isinstance(phases, str) else _numbers(phases)
    configuration = {"from_data": from_data, "work_model": {"parameters": {"rank_alpha": {int(rank): float(alpha) for rank, alpha in (rank_alpha or {}).items()}}}}
    files = None if is_stem else [os.fspath(path) for path in source]  # type: ignore[union-attr]
    data = _read(configuration, files, coordinates, threads, progress)
    warn(data.warnings)
    return data


def _numbers(phases: int | Sequence[int]) -> int | list[int]:
    return int(phases) if isinstance(phases, Integral) else [int(phase) for phase in phases]  # type: ignore[union-attr]


def sample(*, seed: int = 0, threads: int | None = None, progress: Any = None, **samplers: Any) -> DataSet:
    """Draw synthetic data from distributions.

    Parameters
    ----------
    seed : int
        Seed of all random numbers.
    threads, progress : optional
        As for :func:`read`.
    **samplers
        Keys of ``from_samplers`` in a configuration: ``n_ranks``, ``n_objects``, ``n_mapped_ranks``, ``n_phases``,
        ``load_sampler``, ``volume_sampler``, ``communication_degree`` and others.

    Examples
    --------
    >>> uniform = {"name": "uniform", "parameters": [0.5, 1.5]}
    >>> sample(n_ranks=4, n_objects=100, n_mapped_ranks=2, load_sampler=uniform)
    <DataSet of 1 phases: 100 objects on 4 ranks>
    """
    data = _read({"from_samplers": samplers, "seed": seed}, None, "grid" in samplers, threads, progress)
    warn(data.warnings)
    return data


def _read(
    configuration: dict[str, Any], files: list[str] | None, coordinates: bool, threads: int | None, progress: Any
) -> DataSet:
    from ._configuration import dumped

    # Only strategies that use coordinates make the engine read them.
    strategy = "RecursiveCoordinateBisection" if coordinates else "PhaseStepper"
    text = dumped({**configuration, "algorithm": {"name": strategy}})
    with reporter(progress) as report:
        return DataSet._of(_core.read(text, os.getcwd(), files, threads, report))
