#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Reads written files again, which must give the printed numbers: 2,000 random runs of all strategies, about 10,000 phases
# read.
set -euo pipefail
cargo test --release --locked --test integration -- --ignored --nocapture reproduced
