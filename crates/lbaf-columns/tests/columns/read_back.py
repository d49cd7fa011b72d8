# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads the Parquet tables of a stem with pyarrow. Compares every cell with that of the CSV table, and the statistics
of each row group with its cells. Checks that all types are documented.

Usage: python3 read_back.py STEM
Prints a line for each table, and exits at the first difference.
"""

import csv
import sys

import pyarrow.parquet

csv.field_size_limit(1 << 30)

TYPES = {"uint64", "int64", "double", "bool", "string", "list<element: int64 not null>"}


def same(cell, text):
    """True if a value of Parquet equals the cell of the CSV file."""
    if cell is None:
        return text == ""
    if isinstance(cell, bool):
        return text == ("true" if cell else "false")
    if isinstance(cell, float):
        return text != "" and float(text) == cell
    if isinstance(cell, list):
        return text == ",".join(map(str, cell))
    return text == str(cell)


def check_statistics(path, table):
    """Compares bounds and numbers of nulls of each row group with its cells. `table` has the row groups in order."""
    metadata = pyarrow.parquet.read_metadata(f"{path}.parquet")
    first = 0
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        # Lists are skipped, because their statistics describe elements, not cells.
        for position, column in enumerate(table.columns):
            if str(column.type).startswith("list"):
                continue
            cells = column.slice(first, group.num_rows).to_pylist()
            there = [cell for cell in cells if cell is not None]
            said = group.column(position).statistics
            if said.null_count != len(cells) - len(there):
                sys.exit(f"{path}: {table.column_names[position]} does not have {said.null_count} nulls")
            bounds = (said.min, said.max) if said.has_min_max else None
            if str(column.type) in ("uint64", "int64", "bool") and there and bounds != (min(there), max(there)):
                sys.exit(f"{path}: {bounds} are not the bounds of {table.column_names[position]}")
            # Bounds of long texts are shortened, and some versions of pyarrow do not support the order of doubles.
            if bounds and there and not (bounds[0] <= min(there) and max(there) <= bounds[1]):
                sys.exit(f"{path}: {table.column_names[position]} is not between {bounds}")
        first += group.num_rows


for name in ["tasks", "subphases", "communications", "ranks"]:
    path = f"{sys.argv[1]}.{name}"
    table = pyarrow.parquet.read_table(f"{path}.parquet")
    table.validate(full=True)
    with open(f"{path}.csv", newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    if names != table.column_names or len(rows) != table.num_rows:
        sys.exit(f"{path}: {table.num_rows} rows of {table.column_names}, but CSV has {len(rows)} of {names}")
    if unknown := set(map(str, table.schema.types)) - TYPES:
        sys.exit(f"{path}: {unknown} are not types of tables")
    check_statistics(path, table)
    for column, position in zip(table.columns, range(len(names))):
        for number, cell in enumerate(column.to_pylist()):
            if not same(cell, rows[number][position]):
                sys.exit(f"{path}: row {number}, {names[position]}: {cell!r}, but CSV has {rows[number][position]!r}")
    print(f"{name}: {table.num_rows} rows of {len(names)} columns are the same")
