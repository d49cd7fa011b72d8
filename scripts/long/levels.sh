#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks the table in docs/anomalies.md on the imbalance of the next phase, in 4,400 runs with known true loads.
set -euo pipefail
cargo test --release --locked -p lbaf-noise --test noise -- --ignored the_documentation_has_the_imbalance_of_the_next_phase
