#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Runs checks that are too long for `.ci/run`: `scripts/long.sh [NAME...]`, by default all of `scripts/long/`.
# Run these checks before a release, and after a change of the checked part.
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
