# SPDX-License-Identifier: MIT OR Apache-2.0
"""Configurations from files or dictionaries, with own strategies in place of names."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

import numpy as np

from . import _core
from ._data_set import DataSet
from ._errors import ConfigError
from ._own import digest_of, is_strategy, name_of, own_strategy
from ._phase import Phase

Config = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]], Mapping[str, Any]]

#: Data from memory.
Data = Union[DataSet, Phase, Sequence[Phase], None]

_COMMUNICATION = ["SendRecv", "CollectionToNode", "NodeToCollection"]


class Configuration:
    """A configuration for the engine.

    Results of a dictionary without an output directory are in a temporary directory. ``data`` are in the output
    directory if ``output_dir`` or a dictionary names it, and otherwise in the temporary directory. The temporary
    directory exists as long as this object.
    """

    def __init__(
        self,
        config: Config,
        data: Data = None,
        *,
        section: str | None = None,
        set: str | Sequence[str] = (),
        strategies: Mapping[str, Any] | None = None,
        output_dir: str | os.PathLike[str] | None = None,
    ) -> None:
        self.functions: dict[str, Any] = dict(strategies or {})
        self.set = [set] if isinstance(set, str) else list(set)
        self.files: list[str] = []
        self.text: str | None = None
        self.directory = os.getcwd()
        self.output_dir = None if output_dir is None else os.fspath(output_dir)
        self._given: str | None = None
        self._temporary: str | None = None
        if isinstance(config, Mapping):
            tree: dict[str, Any] = self._named(config)
            if section is None:
                # Charts are drawn on request.
                tree.setdefault("plots", "none")
            if self.output_dir is None and "output_dir" not in tree:
                self.output_dir = os.path.join(self._temporary_directory(), "results")
            if data is not None:
                given = tree.get("output_dir")
                self._given = os.fspath(given) if isinstance(given, (str, os.PathLike)) else None
                part = tree if section is None else _mapping(tree, section)
                part["from_data"] = {**self._written(data), **_mapping(part, "from_data")}
                tree = part if section is None else {**tree, section: part}
            self.text = dumped(tree)
        else:
            paths = [config] if isinstance(config, (str, os.PathLike)) else list(config)
            self.files = [os.fspath(path) for path in paths]
            if data is not None:
                written = self._written(data).items()
                self.set += [f"from_data.{key}={json.dumps(value)}" for key, value in written]

    def for_engine(self) -> dict[str, Any]:
        """Return the configuration in the form of the engine."""
        own = [own_strategy(name, function, self.digest(name)) for name, function in self.functions.items()]
        return {**self.for_workers(), "own": own}

    def digest(self, name: str) -> str:
        """Return the digest of an own strategy, for workers that may have no access to the source."""
        return digest_of(self.functions[name])

    def for_workers(self) -> dict[str, Any]:
        """Return the configuration without own strategies, in a form that can be pickled."""
        return {
            "files": self.files,
            "text": self.text,
            "directory": self.directory,
            "set": self.set,
            "output_dir": self.output_dir,
        }

    def _temporary_directory(self) -> str:
        if self._temporary is None:
            self._temporary = tempfile.mkdtemp(prefix="lbaf-")
            weakref.finalize(self, _remove, self._temporary, os.getpid())
        return self._temporary

    def _written(self, data: DataSet | Phase | Sequence[Phase]) -> dict[str, Any]:
        """Write data from memory to files, if possible in the output directory, which workers share."""
        if not isinstance(data, DataSet):
            data = DataSet([data] if isinstance(data, Phase) else data)
        base = self._given if self.output_dir is None or self._is_temporary() else self.output_dir
        stem = Path(base or self._temporary_directory()).absolute() / "input" / "data"
        data.write(stem)
        return {"data_stem": str(stem), "communication_types": _COMMUNICATION, "ranks_per_node": "from_files"}

    def _is_temporary(self) -> bool:
        return self._temporary is not None and (self.output_dir or "").startswith(self._temporary)

    def _named(self, node: Any) -> Any:
        """Return a copy of a configuration in which names replace own strategies."""
        if is_strategy(node):
            name = name_of(node)
            known = self.functions.setdefault(name, node)
            if known is not node:
                message = f"two own strategies have the name `{name}`; give them different names with `strategies`"
                raise ConfigError(message)
            return name
        if isinstance(node, Mapping):
            return {_plain_key(key): self._named(value) for key, value in node.items()}
        if isinstance(node, (list, tuple)):
            return [self._named(value) for value in node]
        return node


def _remove(directory: str, process: int) -> None:
    """Remove a temporary directory, unless this is a child of the process that created the directory."""
    if os.getpid() == process:
        shutil.rmtree(directory, ignore_errors=True)


def dumped(tree: Any) -> str:
    """Return a configuration as JSON, which is valid YAML."""
    try:
        return json.dumps(tree, indent=2, default=_plain, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigError(f"the configuration cannot be written as JSON: {error}") from error


def _mapping(tree: Mapping[str, Any], section: str) -> dict[str, Any]:
    """Return a section as a dictionary, empty for an absent section."""
    content = tree.get(section) or {}
    if not isinstance(content, Mapping):
        raise ConfigError(f"`{section}` is {content!r}; it must be a mapping")
    return dict(content)


def _plain_key(key: Any) -> Any:
    return key.item() if isinstance(key, np.generic) else key


def _plain(value: Any) -> Any:
    """Convert values of NumPy, and paths."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, range):
        return list(value)
    raise TypeError(f"{value!r} has no form in a configuration")

