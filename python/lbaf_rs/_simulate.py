# SPDX-License-Identifier: MIT OR Apache-2.0
"""Simulations of whole runs under a schedule of balancing."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from . import _core
from ._configuration import Config, Configuration, Data
from ._errors import warn
from ._picture import Picture, _of_suffix, plot_section
from ._progress import reporter
from ._table import Table


class Simulation:
    """Results of a simulation: the configured run, and other scenarios for comparison.

    Attributes
    ----------
    directory : Path
        The output directory, with the files that ``lbaf simulate`` writes.
    warnings, notes : list of str
        Messages of the simulation.
    """

    def __init__(self, core: _core.Simulation, owner: Configuration) -> None:
        self._core = core
        self._owner = owner
        self.directory = Path(core.directory)
        self.warnings = list(core.warnings)
        self.notes = list(core.notes)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """All results: the content of ``simulation.json``."""
        summary: dict[str, Any] = json.loads((self.directory / "simulation.json").read_bytes())
        return summary

    @property
    def scenarios(self) -> Table:
        """Total time in seconds and its parts, balancings and migrations of each scenario."""
        rows = self.summary["runs"]
        names = [name for name, value in rows[0].items() if not isinstance(value, (dict, list))] if rows else []
        return Table({name: _values([row.get(name) for row in rows]) for name in names})

    @property
    def phases(self) -> Table:
        """Times, imbalances and balancings of each phase in each scenario."""
        return Table._of_csv((self.directory / "simulation.csv").read_text(encoding="utf-8"))

    def total(self, scenario: str = "configured") -> float:
        """Return the total time of a scenario in seconds."""
        for row in self.summary["runs"]:
            if row["scenario"] == scenario:
                return float(row["total"])
        raise KeyError(f"there is no scenario {scenario!r}; there are {[row['scenario'] for row in self.summary['runs']]}")

    def plot(self, chart: str = "simulation_times", **settings: Any) -> Picture:
        """Draw a chart of the simulation: ``simulation_times``, ``simulation_elapsed``, ``simulation_imbalance``,
        ``simulation_work_imbalance`` or ``simulation_parts``."""

        def draw(suffix: str) -> bytes:
            formats = ["svg"] if suffix == "csv" else [suffix]
            section = plot_section({**settings, "formats": formats, "charts": [chart]})
            return _of_suffix(chart, *self._core.charts(section), suffix)

        return Picture(chart, draw)

    def __repr__(self) -> str:
        rows = ", ".join(f"{row['scenario']} {row['total']:.6g} s" for row in self.summary["runs"])
        return f"<Simulation: {rows}>"

    def _repr_html_(self) -> str:
        return self.scenarios._repr_html_()


def simulate(
    config: Config,
    data: Data = None,
    *,
    output_dir: str | os.PathLike[str] | None = None,
    strategies: Mapping[str, Any] | None = None,
    set: str | Sequence[str] = (),
    threads: int | None = None,
    progress: Any = None,
) -> Simulation:
    """Simulate a whole run as ``lbaf simulate`` does.

    Parameters and exceptions are those of :func:`run`, except :class:`InfeasibleError`. The section ``simulation`` of
    the configuration sets the schedule, the costs and the load model.
    """
    configuration = Configuration(config, data, set=set, strategies=strategies, output_dir=output_dir)
    with reporter(progress) as show:
        core = _core.simulate(configuration.for_engine(), threads, show)
    done = Simulation(core, configuration)
    warn(done.warnings)
    return done


def _values(values: list[Any]) -> Any:
    if any(value is None for value in values) and not any(isinstance(value, str) for value in values):
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return np.array(values, dtype=object if any(isinstance(value, str) for value in values) else None)
