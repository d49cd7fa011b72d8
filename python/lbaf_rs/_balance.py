# SPDX-License-Identifier: MIT OR Apache-2.0
"""Balancing of one phase."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import placement_of
from ._configuration import dumped
from ._errors import ConfigError
from ._own import is_strategy, name_of, own_strategy
from ._evaluation import Bounds, Evaluation
from ._phase import Phase
from ._picture import Picture, plot
from ._table import Table
from ._work_model import WorkModel

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Result:
    """A phase before and after balancing. All quantities except the placement are computed on first access.

    Attributes
    ----------
    phase : Phase
        The phase.
    """

    def __init__(self, core: _core.Result, phase: Phase) -> None:
        self._core = core
        self.phase = phase

    @property
    def strategy(self) -> str:
        """Name of the strategy, with the parameters that differ from the published algorithm."""
        return self._core.strategy

    @property
    def placement(self) -> NDArray[np.uint32]:
        """Rank of each object after balancing, shape (n_objects,). Read-only."""
        return self._core.placement

    @property
    def start(self) -> NDArray[np.uint32]:
        """Rank of each object before balancing, shape (n_objects,). Read-only."""
        return self._core.start

    @property
    def seconds(self) -> float:
        """Wall-clock seconds of the strategy."""
        return self._core.seconds

    @property
    def notes(self) -> list[str]:
        """Notes of the strategy on its result, then lines that an external command printed to standard error."""
        return self._core.notes

    @property
    def is_infeasible(self) -> bool:
        """True if the strategy promises to keep upper bounds but found no placement within them."""
        return self._core.infeasible

    @cached_property
    def before(self) -> Evaluation:
        """Quantities of every rank before balancing."""
        return self._evaluated(self.start)

    @cached_property
    def after(self) -> Evaluation:
        """Quantities of every rank after balancing."""
        return self._evaluated(self.placement)

    def _evaluated(self, placement: NDArray[np.uint32]) -> Evaluation:
        return Evaluation(Table(self.phase._core.evaluate(self._core.model, placement.astype(np.int64))))

    @property
    def n_migrations(self) -> int:
        """Number of objects on another rank than at the start."""
        return int(np.count_nonzero(self.placement != self.start))

    @cached_property
    def migrations(self) -> Table:
        """Objects on another rank than at the start: position, number, both ranks, and load in seconds."""
        moved = np.flatnonzero(self.placement != self.start)
        return Table(
            {
                "object": moved,
                "id": self.phase.objects["id"][moved],
                "from": self.start[moved],
                "to": self.placement[moved],
                "load": self.phase.loads[moved],
            }
        )

    @cached_property
    def summary(self) -> dict[str, Any]:
        """All results of the phase, with the keys of ``phases`` in ``summary.json``."""
        phase: dict[str, Any] = self._whole["phases"][0]
        return phase

    @cached_property
    def _whole(self) -> dict[str, Any]:
        whole: dict[str, Any] = json.loads(self._core.summary())
        return whole

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters of the strategy with their values."""
        parameters: dict[str, Any] = self._whole["strategy"]["parameters"]
        return parameters

    @property
    def sentences(self) -> list[str]:
        """The result in sentences, as the command prints it."""
        sentences: list[str] = self._whole["sentences"]
        return sentences

    @property
    def bounds(self) -> Bounds:
        """Lower bounds on the maximum work, including bounds that the strategy proved."""
        summary = self.summary
        best = summary["lower_bound"]
        return Bounds({"best": best, "all": summary["lower_bounds"], "infeasibility": summary.get("infeasibility")})

    @property
    def iterations(self) -> Table:
        """Statistics of each iteration of the strategy."""
        rows = self.summary["iterations"]
        names = [name for name in (rows[0] if rows else {}) if not isinstance(rows[0][name], (dict, list))]
        return Table({name: np.array([row.get(name) for row in rows]) for name in names})

    def plot(self, chart: str = "rank_loads", **settings: Any) -> Picture:
        """Draw a chart, as :func:`plot` does."""
        return plot(self, chart, **settings)

    def _worst_phase(self) -> int:
        return self.phase.id

    def _phase_numbers(self) -> list[int]:
        return [self.phase.id]

    def _for_charts(self) -> tuple[str, dict[str, bytes]]:
        return self._core.summary(), self._core.tables()

    def __repr__(self) -> str:
        before, after = self.before, self.after
        change = f"maximum work {before.max_work:.6g} -> {after.max_work:.6g}"
        return f"<Result of {self.strategy}: {change}, {self.n_migrations} migrations>"

    def _repr_html_(self) -> str:
        before, after = self.before, self.after
        rows = [
            ("maximum work", before.max_work, after.max_work),
            ("imbalance of work", before.work_imbalance, after.work_imbalance),
            ("imbalance of load", before.imbalance, after.imbalance),
        ]
        body = "".join(f"<tr><th>{name}</th><td>{a:.6g}</td><td>{b:.6g}</td></tr>" for name, a, b in rows)
        caption = f"{self.strategy}, phase {self.phase.id}: {self.n_migrations} migrations"
        head = "<tr><th></th><th>before</th><th>after</th></tr>"
        bound = f"<p>Maximum work is at least {self.bounds.work:.6g}.</p>"
        return f"<table><caption>{caption}</caption><thead>{head}</thead><tbody>{body}</tbody></table>{bound}"


def balance(
    phase: Phase,
    strategy: Any,
    *,
    seed: int = 0,
    work_model: WorkModel | None = None,
    start: ArrayLike | None = None,
    threads: int | None = None,
    **parameters: Any,
) -> Result:
    """Balance a phase.

    Parameters
    ----------
    phase : Phase
        The phase.
    strategy : str or callable
        Name of a strategy (:func:`strategies`); or an own strategy: a function that receives a :class:`Problem` and
        returns the rank of each object, or an object with such a method ``rebalance``.
    seed : int
        Seed of all random numbers. Strategies of lbaf give equal results for equal seeds and any number of threads,
        except with a time limit or ``randomize_seed``.
    work_model : WorkModel, optional
        By default, load alone. If the parameters of the strategy describe a work model themselves, as those of
        ``TemperedLB`` with ``SwapClusters`` do, that model is the default.
    start : array of int, shape (n_objects,), optional
        Rank of each object before balancing. By default, the recorded rank.
    threads : int, optional
        Number of threads. By default, one for each processor.
    **parameters
        Parameters of the strategy. If a parameter has the name of another argument of this function, pass it in
        ``parameters={...}``.

    Raises
    ------
    ConfigError
        If the strategy or a parameter is unknown or wrong, or if the phase lacks coordinates or subphases that the
        strategy needs.
    PlacementError
        If an own strategy returns a wrong placement, or ``start`` is wrong.
    StrategyError
        If an own strategy raises an exception, which is the ``__cause__``, or an external command fails.

    Examples
    --------
    >>> phase = Phase(loads=[4.0, 3.0, 2.0, 1.0], ranks=[0, 0, 0, 0], n_ranks=2)
    >>> balance(phase, "LPT").placement.tolist()
    [0, 1, 1, 0]
    >>> balance(phase, lambda problem: [0, 1, 1, 0]).after.max_work
    5.0
    """
    if not isinstance(phase, Phase):
        raise TypeError(f"balance needs a Phase, not {type(phase).__name__}; `lbaf_rs.run` balances all phases of data")
    if not 0 <= seed < 2**64:
        raise ConfigError(f"the seed must be a whole number from 0 to 2^64 - 1, not {seed}")
    named = dict(parameters.pop("parameters", {}), **parameters)
    own = None
    if not isinstance(strategy, str):
        if not is_strategy(strategy):
            raise ConfigError(f"a strategy is a name, a function, or an object with `rebalance`, not {strategy!r}")
        name = name_of(strategy)
        own = own_strategy(name, strategy, "")
    else:
        name = strategy
    model = None if work_model is None else work_model._core
    text = dumped(named) if named else "{}"
    core = _core.balance(phase._core, name, text, own, model, seed, placement_of(start), threads)
    return Result(core, phase)
