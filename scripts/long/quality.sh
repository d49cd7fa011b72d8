#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Compares the results of strategies with those of another version: `BASELINE=PATH scripts/long.sh quality`, where PATH is
# the program `lbaf` of that version. Prints the medians of the maximum work that differ, over SEEDS (20) data sets of
# two kinds and three work models, and the number of data sets on which the result is worse and better. Fails if a
# median is more than 0.5 % worse, or if an upper bound is exceeded more. Without BASELINE, nothing is compared.
set -euo pipefail
: "${BASELINE:=}" "${SEEDS:=20}"
[ -n "$BASELINE" ] || { echo "skipped: BASELINE is not set"; exit 0; }
compare=$(realpath scripts/long/quality.py)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cat > mesh.spec.yaml << 'SPEC'
from_samplers:
  n_ranks: 64
  n_objects: 4096
  n_mapped_ranks: 48
  grid: [16, 16, 16]
  load_sampler: {name: lognormal, parameters: [0.01, 1.0e-4]}
  volume_sampler: {name: lognormal, parameters: [64.0e+3, 4.096e+9]}
  n_sentinels_per_rank: 1
  shared_blocks: {n_blocks: 512, size_bytes: 50.0e+6}
SPEC
cat > random.spec.yaml << 'SPEC'
from_samplers:
  n_ranks: 96
  n_objects: 2400
  n_mapped_ranks: 64
  communication_degree: 4
  load_sampler: {name: pareto, parameters: [0.01, 2.5]}
  volume_sampler: {name: exponential, parameters: [64.0e+3]}
  shared_blocks: {n_blocks: 600, size_bytes: 50.0e+6}
SPEC
for kind in mesh random; do
    {
        cat << 'STUDY'
axes:
  work:
    load alone: {work_model: {name: LoadOnly}}
    with communication: {work_model: {name: AffineCombination, parameters: {beta: 1.0e-8}}}
    with memory: {work_model: {name: CCM, parameters: {beta: 1.0e-8, delta: 1.0e-9, upper_bounds: {max_memory_usage: 1.2e+9}}}}
  strategy:
STUDY
        for name in LPT MULTIFIT KarmarkarKarp GreedyRefine Refine Greedy HierarchicalLB TemperedLB TemperedWMin \
            CentralizedPrefixOptimizer LocalSearch Diffusion WorkStealing Multilevel ZoltanLB; do
            echo "    $name: {algorithm: {name: $name}}"
        done
        for name in Original Clustering Recursive; do
            echo "    $name: {algorithm: {name: InformAndTransfer, parameters: {transfer_strategy: $name}}}"
            echo "    $name, snapshot: {algorithm: {name: InformAndTransfer, parameters: {transfer_strategy: $name, concurrency: snapshot}}}"
        done
        echo "    TemperedLB, snapshot: {algorithm: {name: TemperedLB, parameters: {concurrency: snapshot}}}"
        echo "    SwapClusters: {algorithm: {name: TemperedLB, parameters: {transfer: SwapClusters}}}"
        echo "    SwapClusters, live: {algorithm: {name: TemperedLB, parameters: {transfer: SwapClusters, concurrency: live}}}"
        if [ "$kind" = mesh ]; then
            echo "    RecursiveCoordinateBisection: {algorithm: {name: RecursiveCoordinateBisection}}"
            echo "    SpaceFillingCurve: {algorithm: {name: SpaceFillingCurve}}"
        fi
        echo "  data:"
        for seed in $(seq 2000 $((1999 + SEEDS))); do
            "$LBAF_BINARY" make $kind.spec.yaml "$kind.$seed/data" --seed "$seed" --quality 2 --quiet
            echo "    s$seed: {from_data: {data_stem: $kind.$seed/data}, seed: $seed}"
        done
        echo "plots: none"
    } > "$kind.yaml"
    "$BASELINE" study $kind.yaml --output-dir before --quiet
    "$LBAF_BINARY" study $kind.yaml --output-dir after --quiet
    echo "== $kind"
    python3 "$compare" before/cells.csv after/cells.csv
    rm -r before after
done
