# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reads the Parquet tables of a stem with pyarrow and compares every cell with that of the CSV table.

Usage: python3 read_back.py STEM
Prints a line for each table; the first cell that differs ends it.
"""

import csv
import sys

import pyarrow.parquet

csv.field_size_limit(1 << 30)


def same(cell, text):
    """Whether a value of Parquet is what the CSV file has in its place."""
    if cell is None:
        return text == ""
    if isinstance(cell, bool):
        return text == ("true" if cell else "false")
    if isinstance(cell, float):
        return text != "" and float(text) == cell
    if isinstance(cell, list):
        return text == ",".join(map(str, cell))
    return text == str(cell)


for name in ["tasks", "subphases", "communications", "ranks"]:
    path = f"{sys.argv[1]}.{name}"
    table = pyarrow.parquet.read_table(f"{path}.parquet")
    table.validate(full=True)
    with open(f"{path}.csv", newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    if names != table.column_names or len(rows) != table.num_rows:
        sys.exit(f"{path}: {table.num_rows} rows of {table.column_names}, but CSV has {len(rows)} of {names}")
    for column, position in zip(table.columns, range(len(names))):
        for number, cell in enumerate(column.to_pylist()):
            if not same(cell, rows[number][position]):
                sys.exit(f"{path}: row {number}, {names[position]}: {cell!r}, but CSV has {rows[number][position]!r}")
    print(f"{name}: {table.num_rows} rows of {len(names)} columns are the same")
