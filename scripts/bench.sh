#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Measures the speed and memory of `lbaf` on a large data set, and compares them with the promised limits:
#
#   scripts/bench.sh [STEM] [REPETITIONS]
#
# STEM is the path of the data files up to the rank. The default is the 256 files of ../shared/peer with 157 MB of
# JSON, for which exit code 1 means that a limit is exceeded.
# Commands on the files run once to warm up and then in REPETITIONS rounds (default: 15), so that a slow moment of the
# machine affects all commands. With the default STEM, these measurements on synthetic data follow:
# - gossip of single objects on 10000 to 1000000 objects (3, 2 and 1 runs),
# - strategies that place a million objects by load alone on 100000 ranks (3 runs each),
# - TemperedLB on the same objects, without and with communication (1 run each),
# - `lbaf make` of 400000 objects on 4096 ranks (1 run).
# Writes only into a temporary directory. Needs python3 for os.wait4.
set -euo pipefail
cd "$(dirname "$0")/.."

promised=../shared/peer/data/challenging_toy_thousands_tasks/toy
stem=${1:-$promised}
repetitions=${2:-15}
target=${CARGO_TARGET_DIR:-target}/dist

if ! python3 --version >/dev/null 2>&1; then
    echo "python3 is missing; the measurements need it" >&2
    exit 1
fi
if ! compgen -G "$stem.0.*" >/dev/null; then
    echo "no file $stem.0.*: give the stem of a data set" >&2
    exit 1
fi

cargo build --profile dist --locked --quiet --bin lbaf
# Prints the path of a measuring program. Its name differs between builds.
measuring() {
    cargo build --profile dist --locked --quiet --bench "$1" --message-format json |
        grep -o '"executable":"[^"]*"' | cut -d'"' -f4
}
read_floor=$(measuring read_floor)
strategy_seconds=$(measuring strategy_seconds)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for plots in none default; do
    cat >"$scratch/$plots.yaml" <<YAML
from_data: {data_stem: $(realpath "$(dirname "$stem")")/$(basename "$stem")}
work_model: {name: LoadOnly}
algorithm: {name: Greedy}
write_JSON: {compressed: true, quality: 5}
output_dir: $scratch/out
YAML
done
echo "plots: none" >>"$scratch/none.yaml"

cat >"$scratch/clusters.yaml" <<YAML
output_dir: $scratch/out
plots: none
YAML
for objects in 10000 100000 1000000; do
    cat >"$scratch/$objects.yaml" <<YAML
from_samplers:
  n_ranks: $((objects / 100))
  n_objects: $objects
  communication_degree: 10
  load_sampler: {name: uniform, parameters: [0.1, 1.0]}
  volume_sampler: {name: uniform, parameters: [1.0, 1000.0]}
work_model: {name: AffineCombination, parameters: {beta: 1.0e-4}}
algorithm:
  name: InformAndTransfer
  parameters: {n_iterations: 8, n_rounds: 2, fanout: 4, order_strategy: element_id, transfer_strategy: Recursive,
    criterion: Tempered, max_objects_per_transfer: 8, deterministic_transfer: true}
output_dir: $scratch/out
plots: none
YAML
done

cat >"$scratch/make.yaml" <<YAML
from_samplers:
  n_ranks: 4096
  n_objects: 400000
  communication_degree: 4
  load_sampler: {name: lognormal, parameters: [0.01, 6.25e-4]}
  volume_sampler: {name: lognormal, parameters: [64.0e+3, 4.096e+9]}
YAML

judged=$([ "$stem" != "$promised" ] || echo judged)
python3 - "$target" "$stem" "$repetitions" "$scratch" "$judged" "$read_floor" "$strategy_seconds" <<'PYTHON'
import glob, json, os, platform, re, shutil, statistics, subprocess, sys, time

target, stem, repetitions, scratch, judged, read_floor, strategy_seconds = sys.argv[1:]
repetitions = int(repetitions)
files = sorted(path for path in glob.glob(glob.escape(stem) + ".*.*")
               if re.fullmatch(re.escape(stem) + r"\.\d+\.[^.]+", path))
commands = {
    "decompress": [read_floor, "decompress", *files],
    "decompress + parse": [read_floor, "parse", *files],
    "info": [f"{target}/lbaf", "info", stem],
    "validate": [f"{target}/lbaf", "validate", stem],
    "run": [f"{target}/lbaf", "run", f"{scratch}/none.yaml"],
    "run with charts": [f"{target}/lbaf", "run", f"{scratch}/default.yaml"],
}
# Paths in a configuration are relative to the last file given, so the data stem of LBAF's configuration is set here.
clusters = "../shared/peer/config/challenging-toy-hundreds-tasks.yaml"
if judged:
    data = os.path.realpath("../shared/peer/data/challenging_toy_hundreds_tasks/toy")
    commands["gossip, clusters"] = [f"{target}/lbaf", "run", clusters, f"{scratch}/clusters.yaml",
                                    "--set", f"from_data.data_stem={data}"]

def measure(command):
    """Wall seconds, CPU seconds and peak megabytes of a command."""
    shutil.rmtree(f"{scratch}/out", ignore_errors=True)
    begin = time.perf_counter()
    child = os.fork()
    if child == 0:
        try:
            said = os.open(f"{scratch}/said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(said, 1)
            os.dup2(said, 2)
            os.execv(command[0], command)
        finally:
            os._exit(127)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - begin
    if status != 0:
        sys.exit(f"{' '.join(command[:3])} failed:\n{open(f'{scratch}/said').read()}")
    # Linux counts kilobytes, macOS bytes.
    peak = usage.ru_maxrss * (1 if platform.system() == "Darwin" else 1024) / 1e6
    return wall, usage.ru_utime + usage.ru_stime, peak

measured = {name: [] for name in commands}
for repetition in range(-1, repetitions):
    for name, command in commands.items():
        numbers = measure(command)
        if repetition >= 0:
            measured[name].append(numbers)

# Gossip on synthetic data.
sampled = {10_000: 3, 100_000: 2, 1_000_000: 1}
balancing = {}
if judged:
    for objects, times in sampled.items():
        name = f"{objects} objects"
        measured[name] = []
        for _ in range(times):
            measured[name].append(measure([f"{target}/lbaf", "run", f"{scratch}/{objects}.yaml"]))
            with open(f"{scratch}/out/timings.json") as file:
                seconds = json.load(file)["wall_seconds"]["balance"] / objects
            balancing[objects] = min(seconds, balancing.get(objects, seconds))

# Seconds of single strategies, without reading and writing.
alone = {}
seconds_alone = {"Greedy": 2, "HierarchicalLB": 2, "LPT": 3, "MULTIFIT": 3, "GreedyRefine": 3, "KarmarkarKarp": 3}
if judged:
    for _ in range(3):
        said = subprocess.run([strategy_seconds, "100000", "1000000", "0", *seconds_alone],
                              check=True, capture_output=True, text=True).stdout
        for name, seconds, *_ in map(str.split, said.splitlines()):
            alone.setdefault(name, []).append(float(seconds))

# Gossip of vt on the same objects, without and with communication.
tempered = {0: None, 10_000_000: None}
if judged:
    for edges in tempered:
        _, cpu, peak = measure([strategy_seconds, "100000", "1000000", str(edges), "TemperedLB"])
        with open(f"{scratch}/said") as said:
            tempered[edges] = float(said.read().split()[1]), cpu, peak

# Files of many ranks.
if judged:
    measured["make"] = [measure([f"{target}/lbaf", "make", f"{scratch}/make.yaml", f"{scratch}/out/data"])]

def best(name, column):
    return min(numbers[column] for numbers in measured[name])

def median(name, column):
    return statistics.median(numbers[column] for numbers in measured[name])

WALL, CPU, PEAK = range(3)
size = sum(map(os.path.getsize, files)) / 1e6
print(f"{stem}: {len(files)} files, {size:.2f} MB; {repetitions} interleaved repetitions; {os.cpu_count()} processors\n")
print(f"{'':20}{'wall s':>10}{'':>10}{'CPU s':>10}{'':>10}{'peak MB':>10}")
print(f"{'':20}" + f"{'best':>10}{'median':>10}" * 2 + f"{'largest':>10}")
for name in measured:
    peak = max(numbers[PEAK] for numbers in measured[name])
    times = "".join(f"{of(name, column):10.3f}" for column in (WALL, CPU) for of in (best, median))
    print(f"{name:20}{times}{peak:10.0f}")

drawing = [of("run with charts", column) - of("run", column) for of in (best, median) for column in (CPU, WALL)]
print("\nCharts cost {:.3f} s of CPU time and {:.3f} s of wall-clock time by the best of the repetitions, "
      "{:.3f} and {:.3f} by medians.".format(*drawing))
if not judged:
    sys.exit()

# CPU seconds of a serial reader in Python for this data set, on the machine for which the limits were set.
PYTHON_READING = 13.9

def promise(what, of_best, of_median, limit, at_most=True):
    holds = of_best <= limit if at_most else of_best >= limit
    relation = "at most" if at_most else "at least"
    print(f"{'PASS' if holds else 'FAIL'}  {what}: {of_best:.3f} ({of_median:.3f} by medians), {relation} {limit:g}")
    return holds

# CPU seconds of LBAF for the configuration of "gossip, clusters", on the machine for which the limits were set.
LBAF_CLUSTERS = 54

print("\nBalancing by gossip, microseconds per object: " + ", ".join(
    f"{seconds * 1e6:.1f} for {objects} objects" for objects, seconds in balancing.items()))
print("\nPromised limits, by the best of the repetitions:")
held = [
    promise("info / (decompress + parse), wall", best("info", WALL) / best("decompress + parse", WALL),
            median("info", WALL) / median("decompress + parse", WALL), 1.25),
    promise("info / (decompress + parse), CPU", best("info", CPU) / best("decompress + parse", CPU),
            median("info", CPU) / median("decompress + parse", CPU), 1.25),
    promise("CPU of reading with Python / CPU of info", PYTHON_READING / best("info", CPU),
            PYTHON_READING / median("info", CPU), 40, at_most=False),
    promise("validate / info, wall", best("validate", WALL) / best("info", WALL),
            median("validate", WALL) / median("info", WALL), 1.5),
    promise("validate / info, CPU", best("validate", CPU) / best("info", CPU),
            median("validate", CPU) / median("info", CPU), 1.5),
    promise("CPU seconds of run", best("run", CPU), median("run", CPU), 4),
    promise("CPU of LBAF / CPU of gossip, clusters", LBAF_CLUSTERS / best("gossip, clusters", CPU),
            LBAF_CLUSTERS / median("gossip, clusters", CPU), 500, at_most=False),
    promise("wall seconds of 1000000 objects", best("1000000 objects", WALL), median("1000000 objects", WALL), 60),
    promise("peak MB of 1000000 objects", best("1000000 objects", PEAK), median("1000000 objects", PEAK), 2000),
    promise("CPU seconds of make, 400000 objects on 4096 ranks", best("make", CPU), median("make", CPU), 20),
    promise("seconds per object, largest / smallest", max(balancing.values()) / min(balancing.values()),
            max(balancing.values()) / min(balancing.values()), 2),
] + [
    promise(f"seconds of {name}, 1000000 objects on 100000 ranks", min(seconds), statistics.median(seconds),
            seconds_alone[name])
    for name, seconds in alone.items()
] + [
    promise(f"{what} of TemperedLB, 1000000 objects on 100000 ranks, {edges} edges",
            numbers[column], numbers[column], limit)
    for edges, what, column, limit in [(0, "seconds", WALL, 20), (0, "peak MB", PEAK, 4000),
                                       (10_000_000, "seconds", WALL, 20)]
    for numbers in [tempered[edges]]
]
sys.exit(not all(held))
PYTHON
