#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Counts detected slow ranks and wrongly excluded hosts in 27,000 random runs, and compares the table in
# docs/anomalies.md with the counts.
set -euo pipefail
# Without these settings, half of the time is spent on returning the memory of runs to the system and requesting it again.
export MALLOC_MMAP_THRESHOLD_=1000000000 MALLOC_TRIM_THRESHOLD_=2000000000
cargo test --release --locked -p lbaf-noise --test noise -- --ignored the_documentation_has_the_share_of_slow_ranks_found
