#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Tests with large data: half a million objects that are read, written and read again, and compressed files that would
# take 4 GiB of memory. `.ci/run` tests the same with smaller data.
set -euo pipefail
cargo test --locked --test integration -- repetitive:: reproduced:: round_trip::
