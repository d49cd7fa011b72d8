#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Written files read again give the printed numbers: 2,000 random runs of all strategies, some 10,000 readings of phases.
set -euo pipefail
cargo test --release --locked --test integration -- --ignored --nocapture reproduced
