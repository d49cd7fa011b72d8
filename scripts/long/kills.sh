#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# 1,000 kills at exact system calls while a result is replaced by another. Needs strace (`apt-get install strace`) and python3.
set -euo pipefail
command -v strace >/dev/null || { echo "there is no strace (apt-get install strace)" >&2; exit 1; }
python3 "$(dirname "$0")/kills.py" "$LBAF_BINARY" "${1:-500}"
