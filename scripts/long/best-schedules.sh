#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Compares the best schedule of 1860 small runs of 1 to 12 phases with all possible schedules, for five strategies.
set -euo pipefail
cargo test --release --locked -p lbaf-study --test study -- --ignored --nocapture no_schedule_is_better
