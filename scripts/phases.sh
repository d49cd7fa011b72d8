#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Measures memory and time on large data of many phases, and compares them with the promised limits:
#
#   scripts/phases.sh [DIRECTORY]
#
# Makes the data of examples/large.yaml (4.8 GB of JSON, 65 MB compressed) in DIRECTORY, or in a temporary directory.
# `lbaf info` and `lbaf run` without data files read all phases, the first alone and the last alone, with two threads.
# `lbaf simulate` draws 500 phases of 100000 objects on 1000 ranks. Takes about four minutes. Exit code 1 if a limit is
# exceeded. Needs python3 for os.wait4. PROFILE selects the profile of Cargo (default: dist).
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${PROFILE:-dist}
lbaf=$(realpath "${CARGO_TARGET_DIR:-target}")/$profile/lbaf
cargo build --profile "$profile" --locked --quiet --bin lbaf
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
data=${1:-$scratch}/data
[ -e "$data.0.json" ] || "$lbaf" make examples/large.yaml "$data" --quiet

cat >"$scratch/run.yaml" <<YAML
from_data: {data_stem: $data}
work_model: {name: AffineCombination, parameters: {beta: 1.0e-10}}
algorithm: {name: Greedy}
plots: none
output_dir: $scratch/run
YAML
cat >"$scratch/simulate.yaml" <<YAML
from_samplers:
  n_ranks: 1000
  n_phases: 500
  n_objects: 100000
  n_mapped_ranks: 1000
  load_sampler: {name: lognormal, parameters: [0.01, 6.25e-4]}
  drift: 0.1
algorithm: {name: Greedy}
simulation: {schedule: {every: 5}}
plots: none
output_dir: $scratch/simulate
YAML

python3 - "$lbaf" "$data" "$scratch" <<'PYTHON'
import os, shutil, subprocess, sys, time

lbaf, data, scratch = sys.argv[1:]

def measure(*words):
    """Wall seconds, CPU seconds and peak megabytes of a command."""
    shutil.rmtree(f"{scratch}/run", ignore_errors=True)
    begin = time.perf_counter()
    environment = {**os.environ, "RAYON_NUM_THREADS": "2"}
    child = subprocess.Popen([lbaf, *words], stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"lbaf {' '.join(words)} failed")
    numbers = time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3
    print(f"{name:22}" + "{:10.2f}{:10.2f}{:10.0f}".format(*numbers), flush=True)
    return numbers

print(f"{'':22}{'wall s':>10}{'CPU s':>10}{'peak MB':>10}")
failures = []

def check(what, value, limit):
    if value > limit:
        failures.append(f"{what}: {value:.2f}, at most {limit}")

for command, words in {"info": ["info", data], "run": ["run", f"{scratch}/run.yaml"]}.items():
    taken = {}
    for which, selection in {"all phases": [], "first phase": ["--phases", "0"], "last phase": ["--phases", "124"]}.items():
        name = f"{command}, {which}"
        taken[which] = measure(*words, *selection)
    check(f"{command}: peak MB", taken["all phases"][2], 400)
    check(f"{command}: seconds of the first phase / all", taken["first phase"][0] / taken["all phases"][0], 0.2)
    check(f"{command}: seconds of the last phase / all", taken["last phase"][0] / taken["all phases"][0], 0.6)
name = "simulate"
check("simulate: peak MB", measure("simulate", f"{scratch}/simulate.yaml")[2], 1500)
print("\n".join(["", *failures]) if failures else "\nall limits hold")
sys.exit(bool(failures))
PYTHON
