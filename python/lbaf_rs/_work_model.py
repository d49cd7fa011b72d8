# SPDX-License-Identifier: MIT OR Apache-2.0
"""Work models."""

from __future__ import annotations

import json
from typing import Any

from . import _core


class WorkModel:
    """Definition of the work of a rank, and upper bounds on quantities of ranks or nodes.

    Parameters
    ----------
    name : {"LoadOnly", "AffineCombination", "CCM"}
        ``LoadOnly`` is the load of a rank in seconds, times the parameter alpha, times the alpha of the rank (see
        :class:`Phase`). ``AffineCombination`` adds beta times the larger of the bytes sent to and received from other
        ranks, delta times the bytes of blocks away from home, and the constant gamma. In ``CCM``, the model of vt,
        gamma is not a constant but a factor on the bytes between objects on the rank.
    bounds_hold_for : {"rank", "node"}
        Scope of upper bounds: each rank, or the ranks of each node together.
    **parameters
        Parameters with the names of ``work_model.parameters`` in a configuration: ``alpha``, ``beta``, ``gamma``,
        ``delta``, ``upper_bounds`` (a dictionary such as ``{"max_memory_usage": 8e9}``), ``epsilon``,
        ``on_rank_volume``, ``memory``.

    Raises
    ------
    ConfigError
        If the name or a parameter is wrong.

    Examples
    --------
    >>> WorkModel("AffineCombination", beta=1e-9).name
    'AffineCombination'
    """

    __slots__ = ("_core", "_section", "_nodes")

    def __init__(self, name: str = "LoadOnly", *, bounds_hold_for: str = "rank", **parameters: Any) -> None:
        if bounds_hold_for not in ("rank", "node"):
            raise ValueError(f"bounds_hold_for is 'rank' or 'node', not {bounds_hold_for!r}")
        self._section = {"name": name, "parameters": parameters}
        self._nodes = "from_files" if bounds_hold_for == "node" else 1
        configuration = {
            "from_data": {"data_stem": "none", "ranks_per_node": self._nodes},
            "algorithm": {"name": "PhaseStepper"},
            "work_model": self._section,
        }
        from ._configuration import dumped

        self._core = _core.WorkModel(dumped(configuration))

    @property
    def name(self) -> str:
        """Name in configurations."""
        return self._core.name

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters with their values."""
        parameters: dict[str, Any] = json.loads(self._core.parameters)
        return parameters

    def __repr__(self) -> str:
        return f"WorkModel({self.name!r}, {', '.join(f'{name}={value!r}' for name, value in self.parameters.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._section["name"], self._nodes, self._section["parameters"])


def _again(name: str, nodes: str | int, parameters: dict[str, Any]) -> WorkModel:
    return WorkModel(name, bounds_hold_for="rank" if nodes == 1 else "node", **parameters)


_LOAD_ONLY: list[WorkModel] = []


def load_only() -> WorkModel:
    """Return the default work model, which is created once."""
    if not _LOAD_ONLY:
        _LOAD_ONLY.append(WorkModel())
    return _LOAD_ONLY[0]
