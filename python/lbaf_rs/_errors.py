# SPDX-License-Identifier: MIT OR Apache-2.0
"""Exceptions for the exit codes of the command ``lbaf``, with the same messages."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ._run import Run
    from ._study import Study


class LbafError(Exception):
    """Base class of all exceptions of this package."""


class ConfigError(LbafError):
    """A configuration, a parameter or a name is wrong (exit code 3)."""


class InputError(LbafError):
    """Data cannot be read or used (exit code 4)."""


class StrategyError(LbafError):
    """A strategy in Python or an external command failed (exit code 4).

    ``__cause__`` is the exception of the Python function, with its traceback; ``None`` for an external command.
    """


class PlacementError(StrategyError):
    """A placement has the wrong length, names an unknown rank, or moves a non-migratable object (exit code 4)."""


class InfeasibleError(LbafError):
    """The result of a strategy that promises to keep upper bounds exceeds them (exit code 5).

    Attributes
    ----------
    run : Run
        The run with its results, which were written.
    """

    run: Run

    def __init__(self, message: str, run: Run | None = None) -> None:
        super().__init__(message)
        if run is not None:
            self.run = run


class OutputError(LbafError):
    """Results cannot be written (exit code 6)."""


class ResourceError(LbafError):
    """The system refuses memory or a thread (exit code 71)."""


class DefectError(LbafError):
    """A defect of lbaf (exit code 70)."""


class FailedCell(NamedTuple):
    """A cell of a study without results."""

    number: int
    """Number of the cell, from 0."""
    labels: list[str]
    """The choice of the cell on each axis."""
    error: str
    """Error of the cell."""
    exception: Exception | None = None
    """:class:`PlacementError` or :class:`StrategyError` of an own strategy that ran in this process, else ``None``."""

    def __str__(self) -> str:
        return f"cell {self.number} ({', '.join(self.labels)}): {self.error}"


class FailedCellsError(LbafError):
    """Some cells of a study failed (exit code 1). The other cells have results, which were written.

    ``__cause__`` is the :class:`PlacementError` or :class:`StrategyError` of the first failed cell, if an own strategy
    failed there in this process.

    Attributes
    ----------
    study : Study
        The study with the results of the other cells.
    cells : list of FailedCell
        The failed cells, ascending.
    """

    study: Study
    cells: list[FailedCell]

    def __init__(self, message: str, study: Study | None = None, cells: list[FailedCell] | None = None) -> None:
        super().__init__(message)
        self.cells = cells or []
        if study is not None:
            self.study = study


class LbafWarning(UserWarning):
    """A warning about data or a configuration, as the command prints it."""


def warn(messages: Sequence[str]) -> None:
    """Issue warnings at the place that called the public function."""
    for message in messages:
        warnings.warn(message, LbafWarning, stacklevel=3)
