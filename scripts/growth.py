#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""CPU time per object of the strategies on 10^4, 10^5 and 10^6 objects, with 100 objects per rank and 10 edges per object.

    scripts/growth.py [--far] [--sizes 10000,100000,1000000] [--program PATH] [STRATEGY...]

By default, objects send to the next ten objects, and a rank starts with consecutive objects, as with a mesh. With
--far, objects start on random ranks, so that a rank has up to 2000 neighbours.
PATH is the program `strategy_seconds`, which is built by default. Strategies use one thread, because CPU seconds then
depend little on other programs that run at the same time. A strategy is stopped after 900 s.
Exit code 1 if the time per object of a strategy grows more than threefold from the smallest to the largest size, or if
a strategy is stopped.
"""
import argparse
import json
import os
import subprocess
import sys

STRATEGIES = [
    "RandomLB", "RotateLB", "Greedy", "LPT", "MULTIFIT", "KarmarkarKarp", "GreedyRefine", "Refine", "HierarchicalLB",
    "RecursiveCoordinateBisection", "SpaceFillingCurve",
    'InformAndTransfer={"transfer_strategy":"Recursive"}', 'InformAndTransfer={"transfer_strategy":"Original"}',
    'InformAndTransfer={"transfer_strategy":"Clustering"}', "TemperedLB", 'TemperedLB={"transfer":"SwapClusters"}',
    "CentralizedPrefixOptimizer", "LocalSearch", "Diffusion", "WorkStealing", "Multilevel", "ZoltanLB",
]
# These strategies move the objects of a memory block together.
WITH_BLOCKS = ("Clustering", "SwapClusters")
LIMIT = 3.0
ONE_THREAD = {**os.environ, "RAYON_NUM_THREADS": "1"}
# Shorter times, in seconds, are mostly noise.
SHORT = 0.001


def built():
    command = ["cargo", "build", "--release", "--locked", "--quiet", "--bench", "strategy_seconds", "--message-format", "json"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line)["executable"] for line in said.splitlines() if '"executable":"' in line][-1]


def measured(program, strategy, n_objects, far):
    """CPU seconds, gap to the lower bound; None if it takes too long."""
    options = [] if far else ["--contiguous"]
    if any(word in strategy for word in WITH_BLOCKS):
        options.append("--blocks")
    command = [program, str(max(n_objects // 100, 1)), str(n_objects), str(10 * n_objects), *options, strategy]
    try:
        said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=900, env=ONE_THREAD).stdout
    except subprocess.TimeoutExpired:
        return None
    name, seconds, imbalance, gap, migrations, cpu = said.split()
    return float(cpu), gap


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--far", action="store_true")
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--program")
    parser.add_argument("strategies", nargs="*", default=STRATEGIES)
    arguments = parser.parse_args()
    program = arguments.program or built()
    sizes = [int(size) for size in arguments.sizes.split(",")]
    print(f"{'':54}" + "".join(f"{size:>12}" for size in sizes) + f"{'growth':>9}{'gap':>10}")
    failed = False
    for strategy in arguments.strategies:
        row, found = f"{strategy:54}", []
        for size in sizes:
            result = measured(program, strategy, size, arguments.far)
            if result is None:
                row += f"{'> 900 s':>12}"
                failed = True
                break
            found.append(result)
            row += f"{result[0]:11.3f} s"
        if len(found) == len(sizes):
            per_object = [max(seconds, SHORT) / size for (seconds, _), size in zip(found, sizes)]
            growth = per_object[-1] / per_object[0]
            failed |= growth > LIMIT
            row += f"{growth:9.2f}{found[-1][1]:>10}{'  FAIL' if growth > LIMIT else ''}"
        print(row, flush=True)
    sys.exit(failed)


main()
