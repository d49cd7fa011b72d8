#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# The first minutes of a new user: from data to charts in one command, and to a comparison of all strategies in one more.
#
#   scripts/first-minutes.sh [STEM]
#
# STEM is a directory with the files of one data set, or their path up to the rank. The default is LBAF's data of 64
# ranks in ../shared/peer. Runs the release binary, which must be built, in a temporary directory.
# Exit code 1 if both commands together take 60 s or more, if there is no chart or no comparison, or if README.md shows
# another output for the default data.
set -euo pipefail

repository=$(realpath "$(dirname "$0")/..")
lbaf=$(realpath "${LBAF_COMMAND:-${CARGO_TARGET_DIR:-$repository/target}/release/lbaf}")
given=${1:-}
stem=${1:-$repository/../shared/peer/data/challenging_toy_hundreds_tasks}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
data=data
if [ -d "$stem" ]; then
    ln -s "$(realpath "$stem")" "$directory/data"
else
    ln -s "$(realpath "$(dirname "$stem")")" "$directory/data"
    data=data/$(basename "$stem")
fi
cd "$directory"

fail() {
    printf 'failed: %s\n' "$*" >&2
    exit 1
}

try() {
    printf '$ lbaf %s\n' "$*"
    "$lbaf" "$@" | tee output
    printf '\n'
    [ -n "$given" ] || compare_with_readme "$@"
}

# Every line that README.md shows below a command is a line of its output.
compare_with_readme() {
    awk -v command="lbaf $*" '$0 == command { found = 1 } found && /^```/ { fences++ } fences == 3 { exit }
        found && fences == 2 && !/^```/ && !/^ *\.\.\.$/' "$repository/README.md" >shown
    [ -s shown ] || fail "README.md shows no output of: lbaf $*"
    while IFS= read -r line; do
        grep -qxF -- "$line" output || fail "README.md shows a line that is not in the output: $line"
    done <shown
}

SECONDS=0
try run --data "$data" --strategy Refine
try compare --data "$data" --strategies all
seconds=$SECONDS
compgen -G 'lbaf-output/*-Refine/plots/rank_loads*.svg' >/dev/null || fail "no chart"
compgen -G 'lbaf-output/*-comparison/medians.csv' >/dev/null || fail "no comparison"
echo "$seconds s for both commands"
((seconds < 60)) || fail "the limit is 60 s"
