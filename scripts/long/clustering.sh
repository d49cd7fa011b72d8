#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Compares deterministic orders of cluster swaps with random orders on 35 problems of 20 data sets, with and without
# parts of clusters. The maximum work of a deterministic order must not exceed the largest maximum work of the random
# orders on any problem. On average over the problems, it must not exceed their median.
set -euo pipefail
cargo test --release --locked --test integration -- --ignored orders_of_swaps_on_all_sets
