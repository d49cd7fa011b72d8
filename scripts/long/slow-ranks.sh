#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks the table of slow ranks in docs/anomalies.md, in 27,000 random runs.
set -euo pipefail
# Without these settings, half of the time goes into returning and requesting memory.
export MALLOC_MMAP_THRESHOLD_=1000000000 MALLOC_TRIM_THRESHOLD_=2000000000
cargo test --release --locked -p lbaf-noise --test noise -- --ignored the_documentation_has_the_share_of_slow_ranks_found
