#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Compares the time of 10^5 cells of nearly no work on four processes that share a study with that of four static
# shards, including the results. Fails if sharing takes more than 1.3 times as long, or if the results differ.
# `many-cells.sh [CELLS]`, default 100000.
set -euo pipefail
n_cells=${1:-100000}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cat > study.yaml << STUDY
configuration:
  from_samplers: {n_ranks: 2, n_objects: 4, n_mapped_ranks: 0, load_sampler: {name: uniform, parameters: [0.5, 1.5]}}
axes:
  algorithm.name: [Greedy, RandomLB]
  seed: 0-$((n_cells / 2 - 1))
plots: none
STUDY

# Runs four processes at the same time; {} in an argument is the number of the process.
four() {
    local processes=()
    for number in 1 2 3 4; do
        "$LBAF_BINARY" "${@//\{\}/$number}" --threads 1 --quiet &
        processes+=($!)
    done
    for process in "${processes[@]}"; do wait "$process"; done
}
# Prints the seconds of a command, after its name.
timed() {
    local name=$1 began=$EPOCHREALTIME
    shift
    "$@"
    seconds=$(awk -v began="$began" -v ended="$EPOCHREALTIME" 'BEGIN { printf "%.1f", ended - began }')
    printf '%s: %s s\n' "$name" "$seconds"
}

timed "static shards" four study study.yaml --shard '{}/4' --output-dir 'part{}'
shards=$seconds
timed "merging them" "$LBAF_BINARY" study merge study.yaml part1 part2 part3 part4 --output-dir merged --quiet
shards=$(awk -v cells="$shards" -v results="$seconds" 'BEGIN { print cells + results }')
rm -r part?
timed "shared" four study study.yaml --output-dir shared
for file in shared/*.csv shared/study.json; do
    [[ $file == */timings* ]] || cmp "$file" "merged/${file#shared/}"
done
awk -v shared="$seconds" -v shards="$shards" 'BEGIN {
    printf "ratio: %.2f\n", shared / shards
    exit shared > 1.3 * shards
}'
