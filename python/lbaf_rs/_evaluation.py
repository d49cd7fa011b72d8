# SPDX-License-Identifier: MIT OR Apache-2.0
"""Quantities of ranks under a placement, and lower bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Evaluation:
    """Quantities of every rank under a placement.

    Attributes
    ----------
    ranks : Table
        Work, relative excess over upper bounds, loads in seconds, volumes and memory in bytes, alpha, and counts of
        objects and blocks of every rank.
    """

    __slots__ = ("ranks",)

    def __init__(self, ranks: Table) -> None:
        self.ranks = ranks

    @property
    def loads(self) -> NDArray[np.float64]:
        """Load of every rank in seconds."""
        return self.ranks["load"]

    @property
    def works(self) -> NDArray[np.float64]:
        """Work of every rank, in the unit of the work model."""
        return self.ranks["work"]

    @property
    def max_work(self) -> float:
        """Maximum work over ranks."""
        return float(self.works.max(initial=0.0))

    @property
    def imbalance(self) -> float:
        """Imbalance of rank loads: maximum over mean, minus 1."""
        return imbalance_of(self.loads)

    @property
    def work_imbalance(self) -> float:
        """Imbalance of work: maximum over mean, minus 1."""
        return imbalance_of(self.works)

    @property
    def is_within_bounds(self) -> bool:
        """True if no rank (or node, for bounds on nodes) exceeds an upper bound of the work model."""
        return not bool(self.ranks["excess"].any())

    def __repr__(self) -> str:
        return f"<Evaluation: maximum work {self.max_work:.6g}, load imbalance {self.imbalance:.4g}>"

    def _repr_html_(self) -> str:
        return self.ranks._repr_html_()


class Bounds:
    """Lower bounds on the maximum work of all placements, or of the placements that keep the upper bounds.

    Attributes
    ----------
    best : dict
        The highest bound without a ``restriction``, with its ``work`` and its limiting factor, ``limit``.
    all : list of dict
        All bounds, each with ``limit``, ``work``, and ``within_bounds``: true if the bound holds only for placements
        within the upper bounds of the work model. A bound that holds only for placements that the strategy can reach,
        such as those with whole blocks, has a ``restriction``.
    infeasibility : dict or None
        Proof that no placement keeps the upper bounds, if one was found.
    """

    __slots__ = ("all", "best", "infeasibility")

    def __init__(self, bounds: Mapping[str, Any]) -> None:
        self.best: dict[str, Any] = bounds["best"]
        self.all: list[dict[str, Any]] = bounds["all"]
        self.infeasibility: dict[str, Any] | None = bounds["infeasibility"]

    @property
    def work(self) -> float:
        """The highest bound, in the unit of the work model."""
        return float(self.best["work"])

    def __repr__(self) -> str:
        return f"<Bounds: maximum work is at least {self.work:.6g} ({self.best['limit']})>"


def imbalance_of(values: NDArray[np.float64]) -> float:
    mean = float(values.mean()) if len(values) else 0.0
    return float(values.max()) / mean - 1.0 if mean > 0.0 else 0.0
