#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks that `lbaf run` balances 10^7 objects on 10^5 ranks with communication and writes data files in 16 GB of memory,
# with Greedy, HierarchicalLB, LPT and TemperedLB. Prints wall time and peak memory of each.
#
# Parameters in the environment: RANKS (100000), with 100 objects each, and LIMIT, the memory of the control group in MB
# (16000). Needs 4 GB on the disk, and the Python packages `numpy` and `brotli`; Linux, as root.
set -euo pipefail
: "${RANKS:=100000}" "${LIMIT:=16000}"
source scripts/memory-group.sh
make_memory_group "$LIMIT" || { echo "skipped: control groups for memory cannot be made here"; exit 0; }
make_data=$(realpath scripts/long/ten-million-objects.py)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"; rmdir "$group"' EXIT
cd "$scratch"

python3 "$make_data" data "$RANKS" 100 4
for strategy in Greedy HierarchicalLB LPT TemperedLB; do
    cat > run.yaml << CONFIGURATION
from_data: {data_stem: data}
work_model: {name: AffineCombination, parameters: {beta: 1.0e-10}}
algorithm: {name: $strategy}
write_JSON: {compressed: true}
plots: none
CONFIGURATION
    echo "$strategy:" >&2
    measured "$group" run run.yaml --quiet --output-dir "$strategy"
    rm -r "$strategy"
done
