#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks `lbaf info`, `lbaf run` with Greedy and data files, and `lbaf simulate` on data larger than the memory: in a
# control group, they complete with the same outputs as outside of it. Prints wall time and peak memory of both.
#
# Parameters in the environment: RANKS (500), PHASES (125) and LIMIT, the memory of the group in MB (400). Each rank has
# 67 objects, so its file has about 8 MB of JSON, and the default data 4 GB. The large case has 40 GB:
# `RANKS=5000 LIMIT=4000 scripts/long.sh larger-than-memory`. UNLIMITED=no skips the commands outside of the group, and
# thus the comparison. Needs a third of the size of the JSON on the disk; Linux, as root.
set -euo pipefail
: "${RANKS:=500}" "${PHASES:=125}" "${LIMIT:=400}" "${UNLIMITED:=yes}"
source scripts/memory-group.sh
make_memory_group "$LIMIT" || { echo "skipped: control groups for memory cannot be made here"; exit 0; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"; rmdir "$group"' EXIT
cd "$scratch"

cat > spec.yaml << SPEC
from_samplers:
  n_ranks: $RANKS
  n_phases: $PHASES
  n_objects: $((RANKS * 67))
  n_mapped_ranks: 0
  load_sampler: {name: lognormal, parameters: [0.01, 6.25e-4]}
  drift: 0.1
  communication_degree: 3
  volume_sampler: {name: lognormal, parameters: [64.0e+3, 4.096e+9]}
SPEC
cat > run.yaml << CONFIGURATION
from_data: {data_stem: data}
algorithm: {name: Greedy}
write_JSON: {compressed: true}
plots: none
CONFIGURATION
"$LBAF_BINARY" make spec.yaml data --quality 2 --quiet

commands() {
    measured "$2" info data --json > "$1.info.json"
    measured "$2" run run.yaml --quiet --output-dir "$1.run"
    measured "$2" simulate run.yaml --quiet --output-dir "$1.simulation"
    rm -f "$1".{run,simulation}/timings*
    (cd "$1.run" && sha256sum -- *) > "$1.run.sha256"
    rm -r "$1.run"
}

commands limited "$group"
if [ "$UNLIMITED" = yes ]; then
    commands unlimited ""
    cmp limited.info.json unlimited.info.json
    cmp limited.run.sha256 unlimited.run.sha256
    diff -r limited.simulation unlimited.simulation
    echo "all outputs are the same"
fi
