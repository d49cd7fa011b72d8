#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks of more than a minute, which `.ci/run` leaves out: `scripts/long.sh [NAME...]`, by default all in `scripts/long/`.
# Run them before a release, and after a change to the part that they check.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

if [ $# -eq 0 ]; then
    for check in scripts/long/*.sh; do
        set -- "$@" "$(basename "$check" .sh)"
    done
fi
cargo build --release --locked
for name in "$@"; do
    printf '\n== [%d min %02d s] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$name"
    LBAF_BINARY=$(realpath "${CARGO_TARGET_DIR:-target}/release/lbaf") bash "scripts/long/$name.sh"
done
printf '\n== [%d min %02d s] done: %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"
