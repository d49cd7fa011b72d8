#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Reads the files that 2,000 random runs of all strategies wrote, about 10,000 phases. The numbers must be those that
# the runs printed.
set -euo pipefail
cargo test --release --locked --test integration -- --ignored --nocapture reproduced
