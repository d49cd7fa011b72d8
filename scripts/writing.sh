#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Compares the time and size of written files at each brotli quality with those of libbrotli:
#
#   scripts/writing.sh [STEM] [REPETITIONS] [QUALITY...]
#
# STEM is the path of the data files up to the rank; the default is that of scripts/bench.sh. A run with Greedy and
# LoadOnly writes the files of each quality (default: 1 to 9). All times are CPU seconds, the best of REPETITIONS
# (default: 5) interleaved runs. "run" is the time of the run minus that of a run that writes no data files. "lbaf" and
# "libbrotli" are the times to read and compress the same documents. Without libbrotli-dev and a C compiler, libbrotli
# is left out.
# Writes only into a temporary directory. Needs python3 for os.wait4. PROFILE selects the profile of Cargo (default:
# dist).
set -euo pipefail
cd "$(dirname "$0")/.."

stem=${1:-../shared/peer/data/challenging_toy_thousands_tasks/toy}
repetitions=${2:-5}
qualities=("${@:3}")
[ ${#qualities[@]} -gt 0 ] || qualities=(1 2 3 4 5 6 7 8 9)
profile=${PROFILE:-dist}
target=${CARGO_TARGET_DIR:-target}/$profile

cargo build --profile "$profile" --locked --quiet --bin lbaf
write_floor=$(cargo build --profile "$profile" --locked --quiet --bench write_floor --message-format json |
    grep -o '"executable":"[^"]*/write_floor[^"]*"' | cut -d'"' -f4)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
peer=$scratch/brotli_files
if ! cc -O2 benches/peers/brotli_files.c -o "$peer" -lbrotlienc 2>/dev/null; then
    echo "libbrotli-dev or a C compiler is missing; libbrotli is left out" >&2
    peer=
fi

cat >"$scratch/run.yaml" <<YAML
from_data: {data_stem: $(realpath "$(dirname "$stem")")/$(basename "$stem")}
work_model: {name: LoadOnly}
algorithm: {name: Greedy}
output_dir: $scratch/out
plots: none
YAML

python3 - "$target/lbaf" "$write_floor" "$peer" "$scratch" "$repetitions" "${qualities[@]}" <<'PYTHON'
import glob, os, shutil, subprocess, sys

lbaf, write_floor, peer, scratch, repetitions, *qualities = sys.argv[1:]

def measure(command):
    """CPU seconds and output of a command."""
    with open(f"{scratch}/said", "w+") as said:
        child = subprocess.Popen(command, stdout=said)
        _, status, usage = os.wait4(child.pid, 0)
        if status != 0:
            sys.exit(f"{command[0]} failed")
        said.seek(0)
        return usage.ru_utime + usage.ru_stime, said.read()

def run(*settings):
    """CPU seconds of a run with these settings."""
    shutil.rmtree(f"{scratch}/out", ignore_errors=True)
    words = [word for setting in settings for word in ("--set", setting)]
    return measure([lbaf, "run", f"{scratch}/run.yaml", "--quiet", *words])[0]

run("write_JSON={compressed: false}")
shutil.move(f"{scratch}/out", f"{scratch}/plain")
documents = sorted(glob.glob(f"{scratch}/plain/output_file.*.json"))
programs = {"lbaf": write_floor} | ({"libbrotli": peer} if peer else {})
seconds, sizes = {}, {}

def note(key, value):
    seconds[key] = min(value, seconds.get(key, value))

for _ in range(int(repetitions)):
    note("none", run())
    note("plain", run("write_JSON={compressed: false}"))
    for quality in qualities:
        note(("run", quality), run(f"write_JSON={{compressed: true, quality: {quality}}}"))
        for name, program in programs.items():
            taken, said = measure([program, quality, *documents])
            before, sizes[name, quality] = map(int, said.split())
            note((name, quality), taken)

print(f"{len(documents)} documents, {before / 1e6:.1f} MB; run without data files {seconds['none']:.3f} CPU s, "
      f"plain files {seconds['plain'] - seconds['none']:.3f} CPU s more\n")
print(f"{'':9}{'seconds':>30}{'MB':>22}{'ratio of seconds':>18}")
print(f"{'quality':9}{'run':>10}" + "".join(f"{name:>10}" for name in programs)
      + "".join(f"{name:>11}" for name in programs))
for quality in qualities:
    times = [seconds["run", quality] - seconds["none"]] + [seconds[name, quality] for name in programs]
    row = f"{quality:9}" + "".join(f"{time:10.3f}" for time in times)
    row += "".join(f"{sizes[name, quality] / 1e6:11.3f}" for name in programs)
    print(row + (f"{times[1] / times[2]:18.2f}" if peer else ""))
PYTHON
