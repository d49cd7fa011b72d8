# SPDX-License-Identifier: MIT OR Apache-2.0
"""The strategies of lbaf, with their parameters."""

from __future__ import annotations

import html
import json
from typing import Any, Dict, NamedTuple

from . import _core


class Parameter(NamedTuple):
    """A parameter of a strategy."""

    name: str
    """Name in configurations and calls."""
    default: Any
    """Value if the parameter is not given."""
    doc: str
    """Description."""
    schema: dict[str, Any]
    """JSON Schema: type and permitted values."""


class Strategy(NamedTuple):
    """A strategy of lbaf."""

    name: str
    """Name in configurations and calls."""
    aliases: list[str]
    """Other names."""
    summary: str
    """The algorithm in one line."""
    doc: str
    """Description with references."""
    parameters: dict[str, Parameter]
    """Parameters by name."""

    def __repr__(self) -> str:
        return f"<Strategy {self.name}({', '.join(self.parameters)}): {self.summary}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{parameter.name}</th><td>{html.escape(json.dumps(parameter.default))}</td>"
            f"<td>{html.escape(parameter.doc)}</td></tr>"
            for parameter in self.parameters.values()
        )
        head = "<tr><th>parameter</th><th>default</th><th></th></tr>"
        return f"<h4>{self.name}</h4><p>{html.escape(self.summary)}</p><table>{head}{rows}</table>"


class Strategies(Dict[str, Strategy]):
    """Strategies by name. Notebooks show them as a table."""

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{name}</th><td>{html.escape(strategy.summary)}</td></tr>" for name, strategy in self.items()
        )
        return f"<table>{rows}</table>"


def strategies() -> Strategies:
    """Return all strategies by name, with parameters, defaults and documentation.

    Examples
    --------
    >>> strategies()["TemperedLB"].parameters["iters"].default
    4
    """
    found = Strategies()
    for entry in json.loads(_core.strategies()):
        schema = entry["schema"]
        parameters = {
            name: Parameter(name, of_one.get("default"), of_one.get("description", ""), of_one)
            for name, of_one in schema.get("properties", {}).items()
        }
        name, *aliases = entry["names"]
        doc = schema.get("description", "")
        found[name] = Strategy(name, aliases, entry["summary"], doc, parameters)
    return found
