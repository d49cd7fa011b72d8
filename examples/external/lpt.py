#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Longest processing time first (LPT), as a template for your own strategies.

Reads a problem as a line of JSON from standard input, prints an answer, and repeats this until the end of the input.
Therefore the script works with and without `persistent: true`. docs/external.md describes all keys.
"""
import json
import sys


def lpt(problem):
    """Places objects, largest first, on the rank that finishes them first. Ties go to the first object and rank."""
    ranks, objects = problem["ranks"], problem["objects"]
    placement = [facts["rank"] for facts in objects]
    loads = [0.0] * len(ranks)
    to_place = []
    for position, facts in enumerate(objects):
        # Non-migratable objects must stay, and objects without load gain nothing by migration.
        if facts["migratable"] and facts["load"] > 0:
            to_place.append(position)
        else:
            loads[facts["rank"]] += facts["load"]
    to_place.sort(key=lambda position: -objects[position]["load"])  # The sort is stable.
    for position in to_place:
        load = objects[position]["load"]
        ends = [rank["alpha"] * (before + load) for rank, before in zip(ranks, loads)]
        placement[position] = ends.index(min(ends))
        loads[placement[position]] += load
    return placement


def main():
    for line in sys.stdin:
        problem = json.loads(line)
        answer = {"placement": lpt(problem), "turn": problem.get("turn")}
        model = problem["work_model"]
        cost = model["cost"] or {"beta": "unknown"}
        if model["bounds"] or any(cost.get(key) for key in ("beta", "gamma", "delta")):
            answer["notes"] = ["lpt.py considers load only, not bounds, communication or homing"]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
