# SPDX-License-Identifier: MIT OR Apache-2.0
"""Load balancing strategies on recorded task data: the engine of the command ``lbaf``.

Read data with :func:`read`, or create them with :func:`sample`, :class:`Phase` and :class:`DataSet`. Balance a phase with
:func:`balance`, run a whole configuration with :func:`run`, simulate a whole run in time with :func:`simulate`, and
compare strategies with :func:`study`. In ``balance``, ``run``, ``simulate`` and ``study``, a Python function can take
the place of the name of a strategy.

Loads are in seconds, volumes and memory in bytes. Imbalance is maximum over mean, minus 1.
"""

import atexit as _atexit

from . import _core as _core
from ._balance import Result, balance
from ._core import __version__
from ._data_set import DataSet, read, sample
from ._evaluation import Bounds, Evaluation
from ._errors import (
    ConfigError,
    DefectError,
    FailedCell,
    FailedCellsError,
    InfeasibleError,
    InputError,
    LbafError,
    LbafWarning,
    OutputError,
    PlacementError,
    ResourceError,
    StrategyError,
)
from ._own import Problem
from ._phase import Phase
from ._picture import Picture, Report, charts, plot, report
from ._run import Run, run
from ._simulate import Simulation, simulate
from ._strategies import Parameter, Strategy, strategies
from ._study import Study, study
from ._table import Table
from ._work_model import WorkModel

_atexit.register(_core.end)

__all__ = [
    "Bounds",
    "ConfigError",
    "DataSet",
    "DefectError",
    "Evaluation",
    "FailedCell",
    "FailedCellsError",
    "InfeasibleError",
    "InputError",
    "LbafError",
    "LbafWarning",
    "OutputError",
    "Parameter",
    "Phase",
    "Picture",
    "PlacementError",
    "Problem",
    "Report",
    "ResourceError",
    "Result",
    "Run",
    "Simulation",
    "Strategy",
    "StrategyError",
    "Study",
    "Table",
    "WorkModel",
    "__version__",
    "balance",
    "charts",
    "plot",
    "read",
    "report",
    "run",
    "sample",
    "simulate",
    "strategies",
    "study",
]
