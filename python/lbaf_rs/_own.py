# SPDX-License-Identifier: MIT OR Apache-2.0
"""Own strategies: Python functions that take the place of the name of a strategy."""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import os
import pickle
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import placement_of
from ._errors import PlacementError
from ._evaluation import Evaluation
from ._phase import Phase
from ._table import Table

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class Problem:
    """The problem of a strategy: a phase to be balanced, with its start and the work model.

    Attributes
    ----------
    phase : Phase
        The phase.
    ranks : array of uint32, shape (n_objects,)
        Rank of each object at the start: a copy, which the strategy can change and return.
    seed : int
        Seed of the run.
    rng : numpy.random.Generator
        Generator of random numbers, initialized with the seed and the number of the phase. A strategy that draws all
        its random numbers from this generator is repeatable.
    """

    __slots__ = ("phase", "ranks", "seed", "_model", "_rng")

    def __init__(self, phase: _core.Phase, ranks: NDArray[np.uint32], model: _core.WorkModel, seed: int) -> None:
        self.phase = Phase._of(phase)
        self.ranks = ranks
        self.seed = seed
        self._model = model
        self._rng: np.random.Generator | None = None

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return self.phase.n_objects

    @property
    def n_ranks(self) -> int:
        """Number of ranks."""
        return self.phase.n_ranks

    @property
    def loads(self) -> NDArray[np.float64]:
        """Load of each object in seconds, shape (n_objects,). Read-only."""
        return self.phase.loads

    @property
    def migratable(self) -> NDArray[np.bool_]:
        """False for objects that must stay on their rank, shape (n_objects,). Read-only."""
        return self.phase.migratable

    @property
    def edges(self) -> Table:
        """Communication: sender, receiver, bytes and messages of each edge, as :attr:`Phase.edges`."""
        return self.phase.edges

    @property
    def rng(self) -> np.random.Generator:
        if self._rng is None:
            self._rng = np.random.default_rng([self.seed, self.phase.id])
        return self._rng

    def evaluate(self, placement: ArrayLike) -> Evaluation:
        """Compute work and other quantities of every rank under a placement, with the work model of the run."""
        return Evaluation(Table(self.phase._core.evaluate(self._model, placement_of(placement))))

    def __repr__(self) -> str:
        return f"<Problem: {self.phase!r}, seed {self.seed}>"


def is_strategy(value: Any) -> bool:
    """True for a callable, such as a function or a class, or an object with a method ``rebalance``."""
    return callable(value) or hasattr(value, "rebalance")


def name_of(strategy: Any) -> str:
    """Return the name of an own strategy: its attribute ``name``, or else the name of the function or class.

    If a strategy of lbaf has the same name as the function or class, ``own`` precedes the name.
    """
    given = getattr(strategy, "name", None)
    if isinstance(given, str):
        return given
    if isinstance(strategy, functools.partial):
        return name_of(strategy.func)
    name = str(getattr(strategy, "__name__", type(strategy).__name__))
    return f"own {name}" if _core.is_strategy_name(name) else name


def own_strategy(name: str, strategy: Any, digest: str) -> _core.OwnStrategy:
    """Return an own strategy for the engine. The digest identifies its code in stored cells."""
    if isinstance(strategy, type):
        strategy = strategy()
    return _core.OwnStrategy(name, _adapted(strategy), digest, bool(getattr(strategy, "uses_random_numbers", True)))


def _adapted(strategy: Any) -> Callable[..., Any]:
    function = strategy.rebalance if hasattr(strategy, "rebalance") else strategy

    def rebalance(phase: Any, ranks: Any, model: Any, seed: int, parameters: str) -> Any:
        named = json.loads(parameters) or {}
        return _ranks(function(Problem(phase, ranks, model, seed), **named))

    return rebalance


def _ranks(placement: Any) -> NDArray[np.int64] | list[str]:
    """Return ranks as 64-bit integers, or as texts if the conversion could change a value. The engine checks both."""
    array = np.asarray(placement)
    if array.ndim != 1:
        raise PlacementError(f"the placement has shape {array.shape}; it needs one rank for each object")
    if np.ma.is_masked(placement):
        raise PlacementError("the placement has masked entries; it needs one rank for each object")
    if array.dtype.kind in "iu" and not bool(np.any(array > np.iinfo(np.int64).max)) or len(array) == 0:
        return array.astype(np.int64)
    if array.dtype.kind == "f" and bool(np.all(array == np.floor(array))) and bool(np.all(np.abs(array) < 2.0**53)):
        return array.astype(np.int64)
    return [str(entry) for entry in array.tolist()]


def digest_of(strategy: Any) -> str:
    """Return a text that identifies the code of an own strategy: its ``version``, or else a digest.

    The digest covers the source, the defaults, the enclosed variables, and the attributes of an object, but no global
    variables or functions.
    """
    if isinstance(strategy, type):
        strategy = strategy()
    version = getattr(strategy, "version", None)
    if version is not None:
        return f"version {version}"
    digest = hashlib.sha256()
    for part in _parts(strategy):
        digest.update(part)
        digest.update(b"\0")
    return digest.hexdigest()


def _parts(value: Any, seen: tuple[Any, ...] = ()) -> list[bytes]:
    if any(value is other for other in seen):
        return []
    seen = (*seen, value)
    if isinstance(value, functools.partial):
        return [*_parts(value.func, seen), _state(value.args), _state(value.keywords)]
    if isinstance(value, types.MethodType):
        return [*_parts(value.__func__, seen), *_parts(value.__self__, seen)]
    if not isinstance(value, types.FunctionType):
        return [_source(type(value)), _state(getattr(value, "__dict__", {}))]
    parts = [_source(value), _state(value.__defaults__), _state(value.__kwdefaults__ or {})]
    for cell in value.__closure__ or ():
        try:
            content = cell.cell_contents
        except ValueError:
            # The variable has no value yet.
            continue
        parts += _parts(content, seen) if isinstance(content, types.FunctionType) else [_state(content)]
    return parts


def _source(value: Any) -> bytes:
    try:
        return inspect.getsource(value).encode()
    except (OSError, TypeError):
        code = getattr(value, "__code__", None)
        return b"" if code is None else _state(code)


def _state(value: Any, within: tuple[int, ...] = ()) -> bytes:
    """Return bytes that are equal in every process: they depend neither on addresses nor on the order of sets.

    For an object with unknown content, the bytes are random.
    """
    kind = type(value)
    if id(value) in within:
        return b"cycle"
    within = (*within, id(value))
    if kind is types.CodeType:
        return _joined(kind, [value.co_code, _state(value.co_consts), _state(value.co_names)])
    if kind in (list, tuple):
        return _joined(kind, [_state(item, within) for item in value])
    if kind in (set, frozenset):
        return _joined(kind, sorted(_state(item) for item in value))
    if kind is dict:
        items = [_joined(tuple, [_state(key), _state(item, within)]) for key, item in value.items()]
        return _joined(kind, sorted(items))
    if isinstance(value, (types.FunctionType, types.MethodType, functools.partial)):
        return _joined(kind, _parts(value))
    if isinstance(value, Phase):
        columns = [*value.objects.values(), *value.edges.values(), *value.blocks.values(), *value.machine.values()]
        return _joined(kind, [np.ascontiguousarray(column).tobytes() for column in columns])
    try:
        return pickle.dumps(value, protocol=4)
    except Exception:
        content = getattr(value, "__dict__", None) or (list(value) if isinstance(value, Sequence) else None)
        if content:
            return _joined(kind, [_source(kind), _state(content, within)])
        # Random bytes: a strategy with unknown content never equals the strategy of a stored cell.
        return os.urandom(16)


def _joined(kind: type, parts: Sequence[bytes]) -> bytes:
    return kind.__name__.encode() + b"".join(b"%d:%b" % (len(part), part) for part in parts)
