#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Deterministic orders of cluster swaps on 35 problems of 20 data sets, with and without parts of clusters. The maximum
# work must not exceed the median over random orders on average, nor their largest value on any problem.
set -euo pipefail
cargo test --release --locked --test integration -- --ignored orders_of_swaps_on_all_sets
