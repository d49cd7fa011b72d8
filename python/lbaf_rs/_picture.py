# SPDX-License-Identifier: MIT OR Apache-2.0
"""Charts and pages."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import ConfigError, InputError
from ._table import Table

if TYPE_CHECKING:
    from ._balance import Result
    from ._run import Run

#: Draws a chart in a format: ``svg``, ``pdf``, ``png`` or ``csv``.
Draw = Callable[[str], bytes]


class Picture:
    """A chart. Notebooks show it as SVG.

    Attributes
    ----------
    name : str
        Name of the chart.
    """

    def __init__(self, name: str, draw: Draw) -> None:
        self.name = name
        self._draw = draw
        self._svg = draw("svg").decode()

    @property
    def svg(self) -> str:
        """The chart as SVG."""
        return self._svg

    @property
    def data(self) -> Table:
        """The numbers of the chart, for other plotting libraries."""
        return Table._of_csv(self._draw("csv").decode())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the chart to a file; the suffix ``.svg``, ``.pdf``, ``.png`` or ``.csv`` selects the format."""
        suffix = Path(path).suffix.lstrip(".").lower()
        if suffix not in ("svg", "pdf", "png", "csv"):
            raise ValueError(f"{os.fspath(path)!r} does not end in .svg, .pdf, .png or .csv")
        content = self._svg.encode() if suffix == "svg" else self._draw(suffix)
        Path(path).write_bytes(content)

    def __repr__(self) -> str:
        return f"<Picture {self.name}>"

    def _repr_svg_(self) -> str:
        return self._svg


class Report:
    """An interactive page for exploring runs. Notebooks show it in a frame.

    Attributes
    ----------
    html : str
        The page.
    """

    def __init__(self, page: str) -> None:
        self.html = page

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<Report of {len(self.html)} characters>"

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="800" style="border:0"></iframe>'


def charts() -> list[str]:
    """Return the names of all charts of runs and of results of :func:`balance`."""
    return _core.chart_names()


def plot(
    runs: Run | Result | Sequence[Run | Result],
    chart: str,
    *,
    phase: int | None = None,
    names: Sequence[str] | None = None,
    **settings: Any,
) -> Picture:
    """Draw a chart of a run or of a result, or a chart that compares several.

    Parameters
    ----------
    runs : Run, Result, or sequence of these
        Runs or results to draw. Charts that compare several runs show only the phases that the first run has.
    chart : str
        Name of the chart (:func:`charts`).
    phase : int, optional
        Number of the phase, for charts of a single phase. By default, the phase that has the largest load imbalance
        before balancing in the first run.
    names : sequence of str, optional
        Names in the legend of a comparison. By default, the strategies, numbered if two are equal.
    **settings
        Keys of ``plots`` in a configuration: ``width``, ``dpi``, ``style``.

    Raises
    ------
    ConfigError
        If there is no such chart, the chart has no data, or the phase was not balanced.
    InputError
        If ``runs`` is empty, or if ``names`` has another length.
    """
    shown = list(runs) if isinstance(runs, Sequence) else [runs]
    if not shown:
        raise InputError("there is no run to draw")
    labels = list(names) if names is not None else _distinct([run.strategy for run in shown])
    if len(labels) != len(shown):
        raise InputError(f"there are {len(labels)} names for {len(shown)} runs")
    number = shown[0]._worst_phase() if phase is None else phase
    if number not in shown[0]._phase_numbers():
        raise ConfigError(f"phase {number} was not balanced; the phases are {shown[0]._phase_numbers()}")
    sources = [(label, *run._for_charts()) for label, run in zip(labels, shown)]

    def draw(suffix: str) -> bytes:
        formats = ["svg"] if suffix == "csv" else [suffix]
        section = {**settings, "formats": formats, "charts": [chart], "phases": number}
        return _of_suffix(chart, *_core.charts(sources, plot_section(section)), suffix)

    return Picture(chart, draw)


def plot_section(section: dict[str, Any]) -> str:
    """Return a configuration with these settings of charts. Its data and its strategy are placeholders."""
    from ._configuration import dumped

    configuration = {"from_data": {"data_stem": "none"}, "algorithm": {"name": "PhaseStepper"}, "plots": section}
    return dumped(configuration)


def _of_suffix(chart: str, files: list[tuple[str, bytes]], reasons: list[str], suffix: str) -> bytes:
    for name, content in files:
        if name.endswith(f".{suffix}"):
            return content
    reason = reasons[0] if reasons else f"it has no {suffix.upper()} file"
    raise ConfigError(f"the chart {chart} is not drawn: {reason}")


def _distinct(names: list[str]) -> list[str]:
    """Number all names if a name occurs more than once."""
    if len(set(names)) == len(names):
        return names
    return [f"{name} {at}" for at, name in enumerate(names, 1)]


def report(runs: Run | Sequence[Run]) -> Report:
    """Create the page of a run, or a page that compares several runs.

    Parameters
    ----------
    runs : Run, or sequence of Run
        Runs whose output directories exist.
    """
    shown = list(runs) if isinstance(runs, Sequence) else [runs]
    if any(not hasattr(run, "directory") for run in shown):
        raise TypeError("a report shows results of `lbaf_rs.run`, which are in a directory")
    return Report(_core.report([run.directory for run in shown]))
