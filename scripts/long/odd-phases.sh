#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Runs every strategy on 2000 random unusual phases under five work models. Results must be valid and finite, and not
# below their lower bounds.
set -euo pipefail
cargo test --locked -p lbaf-strategies --test strategies -- --ignored --nocapture two_thousand_odd_phases
