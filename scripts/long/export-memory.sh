#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks that `lbaf provenance export --detector hbos` for 10^7 samples of 10^4 and of 10^5 objects needs at most 5 GB of
# memory. Needs about 4 GB of disk; Linux or macOS.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
for shape in "10000 1000 0.6" "100000 100 0.5"; do
    read -r objects phases relative <<< "$shape"
    cat > spec.yaml << SPEC
from_samplers:
  n_ranks: 64
  n_phases: $phases
  n_objects: $objects
  n_mapped_ranks: 64
  load_sampler: {name: lognormal, parameters: [0.01, 6.25e-4]}
  drift: 0.01
  communication_degree: 0
  volume_sampler: {name: uniform, parameters: [0, 1]}
SPEC
    "$LBAF_BINARY" make spec.yaml set --quality 2 --quiet
    python3 - "$LBAF_BINARY" provenance export set database --detector hbos --min-relative "$relative" << 'PYTHON'
import os, platform, sys
child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
peak = usage.ru_maxrss * (1 if platform.system() == "Darwin" else 1024) / 1e9
print(f"peak memory {peak:.2f} GB")
sys.exit(status != 0 or peak > 5)
PYTHON
    rm -rf set.* database
done
