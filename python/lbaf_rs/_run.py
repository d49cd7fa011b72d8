# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs of a configuration."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from . import _core
from ._configuration import Config, Configuration, Data
from ._errors import InfeasibleError, warn
from ._picture import Picture, Report, plot, report
from ._progress import reporter
from ._table import Table

#: Files that charts are drawn from.
_TABLES = ("ranks.csv", "rank_volumes.csv", "migrations.csv", "object_loads.csv")


class Run:
    """Results of a run, in its output directory.

    Attributes
    ----------
    directory : Path
        The output directory, with the files that ``lbaf run`` writes.
    warnings, notes : list of str
        Messages of the run.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        warnings: Sequence[str] = (),
        notes: Sequence[str] = (),
        owner: Configuration | None = None,
    ) -> None:
        self.directory = Path(directory)
        self.warnings = list(warnings)
        self.notes = list(notes)
        # A temporary output directory exists as long as its configuration.
        self._owner = owner

    @cached_property
    def summary(self) -> dict[str, Any]:
        """All results: the content of ``summary.json``."""
        summary: dict[str, Any] = json.loads((self.directory / "summary.json").read_bytes())
        return summary

    @property
    def phases(self) -> list[dict[str, Any]]:
        """Results of each phase."""
        phases: list[dict[str, Any]] = self.summary["phases"]
        return phases

    @property
    def strategy(self) -> str:
        """Name of the strategy, with the parameters that differ from the published algorithm."""
        strategy = self.summary["strategy"]
        return str(strategy.get("label") or strategy["name"])

    @property
    def sentences(self) -> list[str]:
        """The result in sentences, as the command prints it."""
        sentences: list[str] = self.summary["sentences"]
        return sentences

    @property
    def tables(self) -> list[str]:
        """Names of the tables."""
        return sorted(path.stem for path in self.directory.glob("*.csv"))

    def table(self, name: str) -> Table:
        """Return a table of the run, such as ``ranks``, ``migrations`` or ``iterations``."""
        return Table._of_csv((self.directory / f"{name}.csv").read_text(encoding="utf-8"))

    def plot(self, chart: str = "rank_loads", **settings: Any) -> Picture:
        """Draw a chart, as :func:`plot` does."""
        return plot(self, chart, **settings)

    def report(self) -> Report:
        """Create the interactive page of the run."""
        return report(self)

    def _worst_phase(self) -> int:
        worst = max(self.phases, key=lambda phase: phase["before"]["load"]["imbalance"], default={"phase": 0})
        return int(worst["phase"])

    def _phase_numbers(self) -> list[int]:
        return [phase["phase"] for phase in self.phases]

    def _for_charts(self) -> tuple[str, dict[str, bytes]]:
        paths = {name: self.directory / name for name in _TABLES}
        summary = (self.directory / "summary.json").read_text(encoding="utf-8")
        return summary, {name: path.read_bytes() for name, path in paths.items() if path.exists()}

    def overview(self) -> Table:
        """Return maximum work, load imbalance, lower bound and migrations of each phase."""
        import numpy as np

        phases = self.phases
        columns = {
            "phase": [phase["phase"] for phase in phases],
            "max_work_before": [phase["before"]["work"]["max"] for phase in phases],
            "max_work_after": [phase["after"]["work"]["max"] for phase in phases],
            "lower_bound": [phase["lower_bound"]["work"] for phase in phases],
            "imbalance_before": [phase["before"]["load"]["imbalance"] for phase in phases],
            "imbalance_after": [phase["after"]["load"]["imbalance"] for phase in phases],
            "n_migrations": [phase["migrations"]["count"] for phase in phases],
        }
        return Table({name: np.array(column) for name, column in columns.items()})

    def __repr__(self) -> str:
        return f"<Run of {self.strategy} on {len(self.phases)} phases in {str(self.directory)!r}>"

    def _repr_html_(self) -> str:
        sentences = "".join(f"<p>{sentence}</p>" for sentence in self.sentences)
        return self.overview()._repr_html_() + sentences


def run(
    config: Config,
    data: Data = None,
    *,
    output_dir: str | os.PathLike[str] | None = None,
    strategies: Mapping[str, Any] | None = None,
    set: str | Sequence[str] = (),
    threads: int | None = None,
    progress: Any = None,
) -> Run:
    """Run a configuration as ``lbaf run`` does.

    Parameters
    ----------
    config : path, sequence of paths, or mapping
        Configuration files, where later files override earlier ones; or a configuration as a dictionary. In a
        dictionary, paths are relative to the working directory, and a function in the place of the name of a strategy
        is an own strategy.
    data : DataSet, Phase or sequence of Phase, optional
        Data from memory in place of ``from_data``. They are written to ``input/`` in the output directory if
        ``output_dir`` or a dictionary names it, or else to a temporary directory.
    output_dir : path, optional
        By default, the output directory of the configuration. For a dictionary without output directory, a temporary
        directory that is removed with the returned run.
    strategies : mapping of str to callable, optional
        Own strategies by the names that the configuration uses.
    set : str or sequence of str
        Settings ``key.path=value`` that override the configuration.
    threads : int, optional
        Number of threads. By default, one for each processor.
    progress : bool or callable, optional
        As for :func:`read`.

    Raises
    ------
    ConfigError, InputError, StrategyError, PlacementError, OutputError
        For the faults that end the command with an error. No results are written.
    InfeasibleError
        If the result of a strategy that promises to keep upper bounds exceeds them. The results are written:
        ``error.run``.

    Notes
    -----
    A dictionary without ``plots`` draws no charts; :meth:`Run.plot` draws them on request. ``log_to_file`` has no
    effect.
    """
    configuration = Configuration(config, data, set=set, strategies=strategies, output_dir=output_dir)
    with reporter(progress) as show:
        directory, broken, said, notes = _core.run(configuration.for_engine(), threads, show)
    done = Run(directory, said, notes, configuration)
    warn(said)
    if broken is not None:
        raise InfeasibleError(broken, done)
    return done
