# SPDX-License-Identifier: MIT OR Apache-2.0
"""Conversion of arrays and data frames to columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import InputError, PlacementError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def column(name: str, values: ArrayLike, dtype: Any, length: int | None = None) -> NDArray[Any]:
    """Convert a column without loss, and check its shape."""
    if np.ma.is_masked(values):
        raise InputError(f"{name} has masked entries")
    try:
        array = np.asarray(values)
        converted = array.astype(dtype, casting="safe", copy=False) if fits(array, dtype) else exactly(array, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name} cannot be converted to {np.dtype(dtype)}: {error}") from error
    if converted.ndim != 1:
        raise InputError(f"{name} has {converted.ndim} dimensions; it needs one")
    if length is not None and len(converted) != length:
        raise InputError(f"{name} has {len(converted)} entries, but {length} are needed")
    return np.ascontiguousarray(converted)


def fits(array: NDArray[Any], dtype: Any) -> bool:
    return np.can_cast(array.dtype, dtype, casting="safe")


def exactly(array: NDArray[Any], dtype: Any) -> NDArray[Any]:
    converted = array.astype(dtype)
    if not np.array_equal(converted, array):
        raise ValueError("some numbers would change")
    return converted


def coordinates_of(coordinates: ArrayLike, length: int) -> NDArray[np.int64]:
    array = np.asarray(coordinates)
    if array.ndim != 2 or array.shape[0] != length or array.shape[1] == 0:
        raise InputError(f"coordinates have shape {array.shape}; they need one row for each of {length} objects")
    return column("coordinates", array.ravel(), np.int64).reshape(array.shape)


def or_zeros(name: str, values: ArrayLike | None, dtype: Any, length: int) -> NDArray[Any]:
    return np.zeros(length, dtype) if values is None else column(name, values, dtype, length)


_EDGE_NAMES = ("sender", "receiver", "bytes", "messages")


def edges_of(edges: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return senders, receivers, bytes and messages of edges in any form that :class:`Phase` accepts."""
    columns: Sequence[Any]
    if edges is None:
        columns = ([], [], [])
    elif isinstance(edges, tuple):
        columns = edges
    elif hasattr(edges, "columns") or isinstance(edges, Mapping):
        # In a table of PyArrow, `columns` holds the columns and not their names.
        names = list(getattr(edges, "column_names", getattr(edges, "columns", edges)))
        missing = [name for name in _EDGE_NAMES[:3] if name not in names]
        if missing:
            raise InputError(f"edges lack the columns {', '.join(missing)}; they have {', '.join(map(str, names))}")
        columns = [edges[name] for name in _EDGE_NAMES if name in names]
    else:
        array = np.asarray(edges)
        if array.size == 0:
            array = array.reshape(0, 3)
        if array.ndim != 2:
            raise InputError(f"edges have {array.ndim} dimensions; an array of edges needs shape (n_edges, 3)")
        columns = list(array.T)
    if len(columns) not in (3, 4):
        raise InputError(f"edges have {len(columns)} columns; they need senders, receivers, bytes and, if known, messages")
    volumes = column("bytes of edges", columns[2], np.float64)
    n = len(volumes)
    messages = column("messages of edges", columns[3], np.int64, n) if len(columns) == 4 else np.ones(n, np.int64)
    senders = column("senders of edges", columns[0], np.int64, n)
    return senders, column("receivers of edges", columns[1], np.int64, n), volumes, messages


def placement_of(placement: ArrayLike | None) -> NDArray[np.int64] | None:
    """Convert a placement to 64-bit integers."""
    if placement is None:
        return None
    try:
        return column("the placement", placement, np.int64)
    except InputError as error:
        raise PlacementError(str(error)) from error
