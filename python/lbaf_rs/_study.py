# SPDX-License-Identifier: MIT OR Apache-2.0
"""Studies: runs or simulations over a grid of choices, in this process or on a cluster."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import uuid
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from . import _core
from ._configuration import Config, Configuration, Data
from ._errors import ConfigError, FailedCell, FailedCellsError, LbafError, warn
from ._own import own_strategy
from ._picture import Picture
from ._progress import Report, reporter
from ._table import Table


class Study:
    """Results of a study, in its output directory.

    Attributes
    ----------
    directory : Path
        The output directory, with the files that ``lbaf study`` writes.
    failed : list of FailedCell
        Cells without results.
    n_computed : int
        Number of distinct cells without a stored result at the start of the call.
    notes : list of str
        Notes on the study.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        failed: Sequence[FailedCell],
        n_computed: int,
        notes: Sequence[str],
        owner: Configuration,
    ) -> None:
        self.directory = Path(directory)
        self.failed = list(failed)
        self.n_computed = n_computed
        self.notes = list(notes)
        self._owner = owner

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The content of ``study.json``."""
        summary: dict[str, Any] = json.loads((self.directory / "study.json").read_bytes())
        return summary

    @property
    def tables(self) -> list[str]:
        """Names of the tables."""
        return sorted(path.stem for path in self.directory.glob("*.csv"))

    def table(self, name: str) -> Table:
        """Return a table of the study, such as ``cells``, ``iterations`` (``phases`` for simulations), ``medians``,
        ``ranking``, ``front`` or ``timings``."""
        return Table._of_csv((self.directory / f"{name}.csv").read_text(encoding="utf-8"))

    @property
    def cells(self) -> Table:
        """Results of each cell."""
        return self.table("cells")

    @property
    def medians(self) -> Table:
        """Medians over repetitions of each competitor on each problem, with confidence intervals."""
        return self.table("medians")

    @property
    def ranking(self) -> Table:
        """Mean place, wins and failures of each competitor, in the order of the axis of competitors."""
        return self.table("ranking")

    @property
    def charts(self) -> list[str]:
        """Names of the charts in ``plots`` that were drawn as SVG."""
        return sorted(path.stem for path in (self.directory / "plots").glob("*.svg"))

    def plot(self, chart: str) -> Picture:
        """Return a chart of the study (:attr:`charts`)."""
        if chart not in self.charts:
            raise ConfigError(f"there is no chart `{chart}`; the study has {', '.join(self.charts) or 'none'}")
        files = {path.suffix[1:]: path.read_bytes() for path in (self.directory / "plots").glob(f"{chart}.*")}

        def draw(suffix: str) -> bytes:
            if suffix not in files:
                raise ConfigError(f"the study has no {suffix} of {chart}; it has {', '.join(sorted(files))}")
            return files[suffix]

        return Picture(chart, draw)

    def __repr__(self) -> str:
        return f"<Study in {str(self.directory)!r}: {len(self.failed)} failed cells>"

    def _repr_html_(self) -> str:
        return self.ranking._repr_html_()


def study(
    config: Config,
    data: Data = None,
    *,
    output_dir: str | os.PathLike[str] | None = None,
    strategies: Mapping[str, Any] | None = None,
    set: str | Sequence[str] = (),
    executor: Executor | None = None,
    chunk: int | None = None,
    errors: str = "raise",
    charts: bool = True,
    threads: int | None = None,
    progress: Any = None,
) -> Study:
    """Compute the missing cells of a study and compare the results, as ``lbaf study`` does.

    Cells are stored in the output directory under a hash of their inputs, as by the command. An interrupted study
    continues where it stopped, and after a change of the grid only new cells are computed.

    Parameters
    ----------
    config : path or mapping
        A study file, or a study as a dictionary. A function in the place of the name of a strategy is an own strategy.
    data : DataSet, Phase or sequence of Phase, optional
        Data from memory in place of ``configuration.from_data``. They are written to ``input/`` in the output directory
        if ``output_dir`` or a dictionary names it, or else to a temporary directory.
    output_dir : path, optional
        By default, the output directory of the study. For a dictionary without output directory, a temporary directory
        that is removed with the returned study.
    strategies : mapping of str to callable, optional
        Own strategies by the names that the study uses.
    set : str or sequence of str
        Settings ``key.path=value`` that override the configuration.
    executor : concurrent.futures.Executor, optional
        Computes the cells in its workers: a process pool, ``client.get_executor()`` of Dask,
        ``mpi4py.futures.MPIPoolExecutor``, Parsl. Workers need this package and the files of the data; own strategies
        that are not importable there need ``cloudpickle``. By default, cells are computed in threads of this process.
    chunk : int, optional
        Maximum number of cells in a task of the executor. By default, a 64th of the cells to compute, rounded down, but
        at least 1.
    errors : {"raise", "keep"}
        ``"raise"`` raises an exception after all results are written if cells failed; ``"keep"`` only lists these cells
        in :attr:`Study.failed`.
    charts : bool
        False to draw no charts.
    threads : int, optional
        Number of threads: in this process (by default, one for each processor), or with an executor in each worker (by
        default, one).
    progress : bool or callable, optional
        As for :func:`read`.

    Raises
    ------
    ConfigError, InputError, OutputError
        For the faults that end the command with an error.
    FailedCellsError
        If cells failed and ``errors`` is ``"raise"``. The results of the other cells are written: ``error.study``.

    Notes
    -----
    The identity of a cell includes the source of its own strategy, default arguments, enclosed variables, and
    attributes of an object, but no global variables or functions. An attribute ``version`` of the strategy takes the
    place of all these parts; change ``version`` with the code.
    """
    if errors not in ("raise", "keep"):
        raise ValueError(f"errors is 'raise' or 'keep', not {errors!r}")
    configuration = Configuration(
        config, data, section="configuration", set=set, strategies=strategies, output_dir=output_dir
    )
    opened = _core.open_study(configuration.for_engine(), threads)
    n_computed = opened.counts[2]
    with reporter(progress) as show:
        if executor is None:
            opened.compute(threads, show)
        else:
            _distribute(opened, configuration, executor, chunk, threads or 1, show)
    failures, notes = opened.finish(charts, threads)
    warn(opened.messages[0])
    failed = [FailedCell(*failure) for failure in failures]
    done = Study(opened.directory, failed, n_computed, notes, configuration)
    if failed and errors == "raise":
        n_cells = opened.counts[0]
        message = f"{len(failed)} of {n_cells} cells failed; first error: {failed[0]}"
        raise FailedCellsError(message, done, failed) from failed[0].exception
    return done


def _distribute(
    opened: _core.Study,
    configuration: Configuration,
    executor: Executor,
    chunk: int | None,
    threads: int,
    show: Report | None,
) -> None:
    """Compute missing cells in the workers of an executor, and store the cells of each task as soon as it returns."""
    opened.keep_failed()
    groups = opened.missing()
    n_cells = sum(map(len, groups))
    size = chunk or max(1, n_cells // 64)
    # A worker outlives a study and keeps the data of the last `work`. The unique text in `work` makes the worker read
    # the data and the configuration of each study anew.
    own = [(name, function, configuration.digest(name)) for name, function in configuration.functions.items()]
    work = _pickler().dumps((configuration.for_workers(), own, uuid.uuid4().hex))
    futures: list[Future[list[bytes]]] = []
    kept: set[Future[list[bytes]]] = set()
    n_done = 0
    try:
        for numbers in _chunks(groups, size):
            futures.append(executor.submit(_compute, work, numbers, threads))
        for future in as_completed(futures):
            _keep(opened, future, kept)
            n_done += len(future.result())
            if show is not None:
                show("cells", n_done, n_cells)
    finally:
        for future in futures:
            # Futures of Parsl cannot be cancelled.
            with contextlib.suppress(NotImplementedError):
                future.cancel()
        # After an error, the cells of other finished tasks are stored too.
        for future in futures:
            if future not in kept and future.done() and not future.cancelled() and future.exception() is None:
                with contextlib.suppress(LbafError):
                    _keep(opened, future, kept)


def _keep(opened: _core.Study, future: Future[list[bytes]], kept: set[Future[list[bytes]]]) -> None:
    """Store the cells of a finished task."""
    for cell in future.result():
        opened.keep(cell)
    kept.add(future)


def _chunks(groups: list[list[int]], size: int) -> Iterator[list[int]]:
    """Split groups of cells into tasks of at most ``size`` cells. The cells of a group share their data."""
    for group in groups:
        for begin in range(0, len(group), size):
            yield group[begin : begin + size]


def _pickler() -> ModuleType:
    try:
        import cloudpickle
    except ImportError:
        return pickle
    pickler: ModuleType = cloudpickle
    return pickler


def _compute(work: bytes, numbers: list[int], threads: int) -> list[bytes]:
    """Compute cells in a worker."""
    computer = _computer(work)
    return [computer.compute(number, threads) for number in numbers]


@lru_cache(maxsize=1)
def _computer(work: bytes) -> _core.CellComputer:
    """Return the object that computes the cells of a study, and keep it for further tasks with equal ``work``.

    The object keeps the data that it read last.
    """
    configuration, functions, _ = pickle.loads(work)
    own = [own_strategy(name, function, digest) for name, function, digest in functions]
    return _core.CellComputer({**configuration, "own": own})
