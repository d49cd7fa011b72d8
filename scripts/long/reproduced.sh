#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Reads the files of 2,000 random runs of all strategies, about 10,000 phases, and checks that they give the numbers
# that the runs printed.
set -euo pipefail
cargo test --release --locked --test integration -- --ignored --nocapture reproduced
