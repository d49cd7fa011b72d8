#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Every strategy on 2000 random odd phases under five work models: valid results, finite numbers, no bound above a result.
set -euo pipefail
cargo test --locked -p lbaf-strategies --test strategies -- --ignored --nocapture two_thousand_odd_phases
