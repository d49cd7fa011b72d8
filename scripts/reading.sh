#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Compares the time of `lbaf info` with that of a C++ program that reads the same files with libbrotli and simdjson:
#
#   scripts/reading.sh [STEM] [REPETITIONS] [LIMIT]
#
# STEM is the path of the data files up to the rank; the default is that of scripts/bench.sh. All times are the best of
# REPETITIONS (default: 9) interleaved runs. Exit code 1 if `lbaf info` with one thread takes more than LIMIT (default:
# 1.4) times the CPU seconds of the C++ program. Needs g++, libsimdjson-dev, libbrotli-dev, and python3 for os.wait4.
# PROFILE selects the profile of Cargo (default: dist).
set -euo pipefail
cd "$(dirname "$0")/.."

stem=${1:-../shared/peer/data/challenging_toy_thousands_tasks/toy}
repetitions=${2:-9}
limit=${3:-1.4}
profile=${PROFILE:-dist}
target=${CARGO_TARGET_DIR:-target}/$profile

cargo build --profile "$profile" --locked --quiet --bin lbaf
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
peer=$scratch/read_files
if ! g++ -O3 -march=native -std=c++17 benches/peers/read_files.cpp -o "$peer" -lsimdjson -lbrotlidec; then
    echo "g++, libsimdjson-dev or libbrotli-dev is missing; nothing is compared" >&2
    exit 1
fi

python3 - "$target/lbaf" "$stem" "$peer" "$repetitions" "$limit" <<'PYTHON'
import glob, os, re, subprocess, sys, time

lbaf, stem, peer, repetitions, limit = sys.argv[1:]
files = sorted(path for path in glob.glob(glob.escape(stem) + ".*.*")
               if re.fullmatch(re.escape(stem) + r"\.\d+\.[^.]+", path))

def measure(command, threads):
    """Wall and CPU seconds of a command."""
    begin = time.perf_counter()
    environment = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} failed")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime

commands = {
    ("C++", 1): [peer, "1", *files],
    ("lbaf info", 1): [lbaf, "info", stem],
    ("C++", 2): [peer, "2", *files],
    ("lbaf info", 2): [lbaf, "info", stem],
}
best = {}
for _ in range(int(repetitions)):
    for (name, threads), command in commands.items():
        taken = measure(command, threads)
        best[name, threads] = tuple(map(min, taken, best.get((name, threads), taken)))

print(f"{len(files)} files, {sum(map(os.path.getsize, files)) / 1e6:.1f} MB; {os.cpu_count()} processors\n")
print(f"{'':12}{'threads':>8}{'wall s':>10}{'CPU s':>10}")
for (name, threads), (wall, cpu) in best.items():
    print(f"{name:12}{threads:8}{wall:10.3f}{cpu:10.3f}")
ratio = best["lbaf info", 1][1] / best["C++", 1][1]
speed_up = best["lbaf info", 1][0] / best["lbaf info", 2][0]
print(f"\nCPU seconds of lbaf info / C++: {ratio:.2f}, at most {limit}")
print(f"wall seconds of lbaf info with one thread / two threads: {speed_up:.2f}")
sys.exit(ratio > float(limit))
PYTHON
