#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Slow ranks that are found and healthy hosts that are accused: the table of `docs/anomalies.md` from 27,000 random runs.
set -euo pipefail
# Runs are freed as they come: without this, half of the time goes into returning their memory and getting it again.
export MALLOC_MMAP_THRESHOLD_=1000000000 MALLOC_TRIM_THRESHOLD_=2000000000
cargo test --release --locked -p lbaf-noise --test noise -- --ignored the_documentation_has_the_share_of_slow_ranks_found
