#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Kills `lbaf run` 1,000 times before selected system calls while it replaces a result. Needs strace and python3.
set -euo pipefail
command -v strace >/dev/null || { echo "strace is missing (apt-get install strace)" >&2; exit 1; }
python3 "$(dirname "$0")/kills.py" "$LBAF_BINARY" "${1:-500}"
