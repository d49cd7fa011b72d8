#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Longest processing time first, as a template for strategies of your own.

Reads a problem as JSON from standard input, prints an answer, and goes on with the next line until there is none:
so it works with `persistent: true` and without. docs/external.md describes all keys.
"""
import json
import sys


def lpt(problem):
    """The largest object first, each to the rank that ends it soonest; of equal objects and ranks the first one."""
    ranks, objects = problem["ranks"], problem["objects"]
    placement = [facts["rank"] for facts in objects]
    loads = [0.0] * len(ranks)
    to_place = []
    for position, facts in enumerate(objects):
        # What cannot migrate must stay, and what has no load gains nothing by moving.
        if facts["migratable"] and facts["load"] > 0:
            to_place.append(position)
        else:
            loads[facts["rank"]] += facts["load"]
    to_place.sort(key=lambda position: -objects[position]["load"])  # A stable sort.
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
            answer["notes"] = ["lpt.py looks at load alone, not at bounds, communication or homing"]
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
