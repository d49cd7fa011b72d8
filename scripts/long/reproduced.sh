#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks that the files of 2,000 random runs of all strategies, about 10,000 phases, give the numbers of the runs.
set -euo pipefail
cargo test --release --locked --test integration -- --ignored --nocapture reproduced
