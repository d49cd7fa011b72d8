#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares the maximum work of the cells of two studies: `quality.py BEFORE AFTER`, two files `cells.csv`."""
import csv
import statistics
import sys

# Largest acceptable increase of a median.
LIMIT = 0.005


def cells(path):
    with open(path, newline="") as file:
        return {(row["work"], row["strategy"], row["data"]): row for row in csv.DictReader(file)}


def main():
    before, after = (cells(path) for path in sys.argv[1:])
    if before.keys() != after.keys():
        sys.exit("error: the studies have different cells")
    if any(row["error"] for row in [*before.values(), *after.values()]):
        sys.exit("error: cells failed")
    competitors = sorted({cell[:2] for cell in before})
    failed, n_same = False, 0
    for competitor in competitors:
        pairs = [(before[cell], after[cell]) for cell in before if cell[:2] == competitor]
        works = [[float(row["max_work"]) for row in pair] for pair in pairs]
        excesses = [[float(row["largest_excess"] or 0) for row in pair] for pair in pairs]
        n_worse = sum(new > old * (1 + 1e-9) for old, new in works)
        n_better = sum(new < old * (1 - 1e-9) for old, new in works)
        more_excess = sum(new > old * (1 + 1e-9) for old, new in excesses)
        failed |= more_excess > 0
        if n_worse == n_better == more_excess == 0:
            n_same += 1
            continue
        old, new = (statistics.median(column) for column in zip(*works))
        failed |= new > old * (1 + LIMIT)
        print(
            f"{', '.join(competitor)}: median {old:.6g} -> {new:.6g} ({new / old - 1:+.2%}); "
            f"worse on {n_worse}, better on {n_better} of {len(pairs)}; more excess on {more_excess}"
        )
    print(f"same results on all data: {n_same} of {len(competitors)} combinations of work model and strategy")
    sys.exit(failed)


main()
