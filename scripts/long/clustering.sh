#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Deterministic cluster swaps on 20 data sets and 35 problems, with and without parts of clusters, must not be worse than
# random orders.
set -euo pipefail
cargo test --release --locked --test integration -- --ignored orders_of_swaps_on_all_sets
