#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Computes studies with several processes that are killed on the way: under Slurm, under Open MPI, and by hand.
# `shared-studies.sh [CELLS [STUDIES [KILLS]]]`, by default 400 cells, and 200 kills over 20 studies by hand.
# Slurm and Open MPI are left out, with a sentence, where they are not installed.
set -euo pipefail
python3 "$(dirname "$0")/shared-studies.py" "$LBAF_BINARY" "${1:-400}" "${2:-20}" "${3:-200}"
