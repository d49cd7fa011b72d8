#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Deterministic orders of cluster swaps on 20 data sets and 35 problems, with and without parts of clusters. On average,
# the maximum work must not exceed the median over random orders; on each problem, it must not exceed their largest value.
set -euo pipefail
cargo test --release --locked --test integration -- --ignored orders_of_swaps_on_all_sets
