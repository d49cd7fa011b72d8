# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables: named columns of equal length."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from numpy.typing import NDArray

Column = "NDArray[Any]"


class Table(Mapping[str, "NDArray[Any]"]):
    """Named columns of equal length.

    A table is a mapping from the names of its columns to NumPy arrays. Libraries with data frames read it through the
    Arrow PyCapsule interface: ``polars.DataFrame(table)``, ``pyarrow.table(table)``. Loads and ranks of a phase, and
    placements of a result, then share the memory of the engine; all other columns are copied.

    Parameters
    ----------
    columns : mapping of str to array
        The columns. Text is an array of type ``object``, in which ``None`` is a missing value. ``nan`` is a missing
        number.
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        self._columns = {name: np.asarray(column) for name, column in columns.items()}
        lengths = {len(column) for column in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns have different lengths: {sorted(lengths)}")
        self._n_rows = lengths.pop() if lengths else 0

    @classmethod
    def _of_csv(cls, text: str) -> Table:
        """Read a table that the engine wrote."""
        rows = list(csv.reader(io.StringIO(text)))
        if not rows:
            return cls({})
        names, cells = rows[0], rows[1:]
        return cls({name: _inferred([row[at] for row in cells]) for at, name in enumerate(names)})

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._columns)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._n_rows

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        same = self.columns == other.columns and self.n_rows == other.n_rows
        return same and all(_equal(column, other[name]) for name, column in self._columns.items())

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries."""
        names = list(self._columns)
        cells = zip(*(column.tolist() for column in self._columns.values()))
        return [dict(zip(names, row)) for row in cells]

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a data frame of pandas, which must be installed."""
        import pandas

        return pandas.DataFrame(self._columns)

    def to_polars(self) -> polars.DataFrame:
        """Return the table as a data frame of Polars, which must be installed."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> pyarrow.Table:
        """Return the table as a table of PyArrow, which must be installed."""
        import pyarrow

        return pyarrow.table(self)

    def to_csv(self) -> str:
        """Return the table as CSV with a line of names."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self._columns)
        writer.writerows(zip(*(column.tolist() for column in self._columns.values())))
        return out.getvalue()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the table as an Arrow stream. ``requested_schema`` is ignored, as the interface permits."""
        columns = [_for_arrow(column) for column in self._columns.values()]
        return _core.arrow_stream(list(self._columns), columns)

    def __repr__(self) -> str:
        return f"<Table of {self.n_rows} rows: {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        most = 10
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._columns)
        rows = [
            "<tr>" + "".join(f"<td>{html.escape(_shown(cell))}</td>" for cell in row) + "</tr>"
            for row in zip(*(column[:most].tolist() for column in self._columns.values()))
        ]
        more = f"<p>{self.n_rows} rows</p>" if self.n_rows > most else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>{more}"


def _equal(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """True if columns are equal, where missing numbers are equal to each other."""
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind == "f" and other.dtype.kind == "f"))


def _shown(cell: object) -> str:
    if cell is None or cell != cell:
        return ""
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)


def _for_arrow(column: NDArray[Any]) -> NDArray[Any]:
    """Convert a column to a type that the engine exports."""
    if column.dtype in (np.float64, np.uint32, np.uint64, np.int64, np.bool_, np.object_):
        return column
    kinds = {"f": np.float64, "u": np.uint64, "i": np.int64}
    return column.astype(kinds.get(column.dtype.kind, np.object_))


def _inferred(cells: list[str]) -> NDArray[Any]:
    """Return cells as integers, floating-point numbers, flags or text. Empty cells are missing."""
    present = [cell for cell in cells if cell]
    if present and len(present) == len(cells):
        if all(cell in ("true", "false") for cell in cells):
            return np.array([cell == "true" for cell in cells])
        try:
            return np.array([int(cell) for cell in cells], dtype=np.int64)
        except (ValueError, OverflowError):
            pass
    try:
        if present:
            return np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        pass
    return np.array([cell or None for cell in cells], dtype=object)
