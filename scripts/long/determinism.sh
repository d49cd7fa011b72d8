#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Compares the bytes of all outputs, except clock times, between numbers of threads, builds and processors:
# `scripts/long/determinism.sh [NAME...]`, by default all variants below. Builds `lbaf` for most of them, about 5 minutes
# each.
#
#   threads  1, 2 and 4 threads
#   cpus     processors with SSE2, SSE4.2 and AVX2, emulated, because libraries select instructions at run time
#   debug    the profile `dev`
#   dist     the profile `dist`
#   v2, v3   compiled for the levels x86-64-v2 and x86-64-v3
#   musl     another C library (rustup target add x86_64-unknown-linux-musl)
#   aarch64  another architecture, emulated (rustup target add aarch64-unknown-linux-gnu; Debian: gcc-aarch64-linux-gnu,
#            libc6-dev-arm64-cross)
#
# Emulation needs qemu-user (Debian: qemu-user, for aarch64 also qemu-user-binfmt). A variant that this machine cannot
# build or run is skipped.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The command, possibly with an emulator, and its options.
lbaf=("$LBAF_BINARY")
options=()

call() {
    "${lbaf[@]}" "$@" "${options[@]}" --quiet >>"$scratch/console" 2>&1 || { tail "$scratch/console"; return 1; }
}

# Writes a synthetic data set for each distribution below `$1`.
make_data() {
    local law
    for law in "exponential, parameters: [2.0]" "normal, parameters: [2.0, 1.0]" "lognormal, parameters: [2.0, 9.0]" \
        "gamma, parameters: [2.0, 1.0]" "gamma, parameters: [2.0, 9.0]" "pareto, parameters: [0.5, 1.5]" \
        "zipf, parameters: [1000, 1.2, 0.01]"; do
        cat >"$scratch/spec.yaml" <<SPEC
from_samplers:
  n_ranks: 16
  n_phases: 2
  n_objects: 500
  n_mapped_ranks: 0
  load_sampler: {name: $law}
  drift: 0.2
  communication_degree: 12
  volume_sampler: {name: $law}
SPEC
        call make "$scratch/spec.yaml" "$1/${law//[^a-z0-9]/}/set" --seed 5 --quality 0
    done
}

# Writes all kinds of outputs into directory `$1`.
write_outputs() {
    local config
    make_data "$1/data"
    call run configs/greedy.yaml --set 'plots={formats: [svg, pdf, png], dpi: 60}' --output-dir "$1/greedy"
    call run configs/samplers.yaml --output-dir "$1/samplers"
    for config in ccm diffusion hierarchical inform_and_transfer lpt multilevel phase_stepper swap_clusters tempered; do
        call run "configs/$config.yaml" --set plots=none --output-dir "$1/$config"
    done
    call run configs/greedy.yaml --set denoise=mad --set plots=none --output-dir "$1/denoised"
    call anomalies examples/machine/data --output-dir "$1/anomalies"
    call simulate configs/greedy.yaml --set 'simulation.schedule={adaptive: 0.01}' --output-dir "$1/simulation"
    call study examples/study.yaml --output-dir "$1/study"
    call study configs/studies/strategies.yaml --output-dir "$1/strategies"
}

# Prints the digests of the outputs below `$1`, except clock times and pages that show them.
digests() {
    (cd "$1" && find . -name 'timings*' -prune -o -type f ! -name report.html -print0 | sort -z | xargs -0 sha256sum)
}

# Runs the command and compares its outputs with those of the reference.
compare() {
    local outputs=$scratch/outputs
    rm -rf "$outputs"
    write_outputs "$outputs"
    digests "$outputs" >"$scratch/found"
    if ! diff "$scratch/reference" "$scratch/found" >"$scratch/difference"; then
        echo "failed: $1: $(grep -c '^>' "$scratch/difference") files differ:"
        sed -n 's/^> [0-9a-f]*  /  /p' "$scratch/difference" | head -20
        n_failed=$((n_failed + 1))
    else
        echo "the same bytes: $1"
    fi
}

skip() {
    echo "skipped: $1"
}

# Builds the command with `cargo build` and the arguments after the first, and prints the path of the command. `$1` is
# this path relative to the target directory.
build() {
    cargo build --locked --bin lbaf "${@:2}" >"$scratch/build" 2>&1 || { tail "$scratch/build" >&2; return 1; }
    echo "$target/$1"
}

is_installed() {
    rustc --print target-libdir --target "$1" | xargs test -d
}

check_threads() {
    for n in 1 2 4; do
        options=(--threads "$n")
        compare "$n threads"
    done
    options=()
}

check_cpus() {
    command -v qemu-x86_64 >/dev/null || { skip "cpus: qemu-x86_64 is missing"; return; }
    for cpu in qemu64 Nehalem Haswell; do
        lbaf=(qemu-x86_64 -cpu "$cpu" "$LBAF_BINARY")
        compare "processor $cpu"
    done
}

check_debug() {
    lbaf=("$(build debug/lbaf)")
    compare "profile dev"
}

check_dist() {
    lbaf=("$(build dist/lbaf --profile dist)")
    compare "profile dist"
}

check_level() {
    if ! /lib64/ld-linux-x86-64.so.2 --help | grep -q "x86-64-$1 (supported"; then
        skip "this processor does not support x86-64-$1"
        return
    fi
    lbaf=("$(RUSTFLAGS="-C target-cpu=x86-64-$1" build "$1/release/lbaf" --release --target-dir "$target/$1")")
    compare "x86-64-$1"
}

check_v2() {
    check_level v2
}

check_v3() {
    check_level v3
}

check_musl() {
    local name=x86_64-unknown-linux-musl
    is_installed $name || { skip "musl: the target $name is not installed"; return; }
    lbaf=("$(build $name/release/lbaf --release --target $name)")
    compare "C library musl"
}

check_aarch64() {
    local name=aarch64-unknown-linux-gnu
    is_installed $name || { skip "aarch64: the target $name is not installed"; return; }
    for program in qemu-aarch64 aarch64-linux-gnu-gcc; do
        command -v $program >/dev/null || { skip "aarch64: $program is missing"; return; }
    done
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    lbaf=("$(build $name/release/lbaf --release --target $name)")
    export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
    # The command starts itself again, so the kernel must know the emulator.
    "${lbaf[@]}" --version >/dev/null 2>&1 || { skip "aarch64: the kernel does not start programs of this architecture"; return; }
    compare "aarch64"
}

[ $# -gt 0 ] || set -- threads cpus debug dist v2 v3 musl aarch64
write_outputs "$scratch/outputs"
digests "$scratch/outputs" >"$scratch/reference"
echo "$(wc -l <"$scratch/reference") files of $LBAF_BINARY"
n_failed=0
for name in "$@"; do
    lbaf=("$LBAF_BINARY")
    "check_$name"
done
exit $((n_failed > 0))
