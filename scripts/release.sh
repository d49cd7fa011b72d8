#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Makes the files of a release, for users without Rust:
#
#   scripts/release.sh [DIRECTORY]
#
# DIRECTORY (default: dist) receives
#   lbaf-VERSION-x86_64-linux.tar.gz  statically linked command, shell completions, manual pages, documentation, schemas,
#                                     configurations, examples, and the licences of all crates in the command
#   lbaf-VERSION.tar.gz               sources of the last commit
#   lbaf_rs-VERSION-*.whl             Python package for Python 3.9 or newer on a system like this one
#   SHA256SUMS                        checksums of all three
# The command runs on Linux 3.17 or newer on the same architecture. The archives have the same bytes for the same commit
# and toolchain.
#
# Needs git, GNU tar, gzip, readelf (Debian: binutils), sha256sum, python3 with pip, and the static C library of the
# system (Debian: libc6-dev). All changes must be committed. As root, also checks that the command needs no other file.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

fail() {
    printf 'failed: %s\n' "$*" >&2
    exit 1
}

for program in cargo git gzip python3 readelf sha256sum tar; do
    command -v "$program" >/dev/null || fail "$program is missing"
done
python3 -m pip --version >/dev/null 2>&1 || fail "python3 has no module pip"
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed (git status)"

directory=${1:-dist}
host=$(rustc -vV | sed -n 's/^host: //p')
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/static
package=$(cargo pkgid --locked lbaf)
version=${package##*[#@]}
name=lbaf-$version-${host%%-*}-linux

# Packs a directory below `$1` without dates and owners.
pack() {
    tar --create --sort=name --mtime="@$(git log -1 --format=%ct)" --owner=0 --group=0 --numeric-owner \
        --mode=u+w,go-w,a+rX --directory "$1" "$2" | gzip --no-name --best
}

# Runs the main commands where there is nothing but the command and data, not even /dev.
check_alone() {
    local root=$staging/root
    if [ "$(id -u)" != 0 ]; then
        echo "skipped: only root can run the command in an empty directory tree (chroot)"
        return
    fi
    mkdir -p "$root"
    cp -r "$lbaf" examples/quartet "$root"
    chroot "$root" /lbaf run --data /quartet --strategy Refine --output-dir /run >/dev/null
    chroot "$root" /lbaf compare --data /quartet --strategies all --output-dir /comparison >/dev/null
    chroot "$root" /lbaf convert /quartet/data /tables --to parquet >/dev/null
    compgen -G "$root/run/plots/rank_loads*.svg" >/dev/null || fail "the command drew no chart in an empty tree"
    [ -s "$root/comparison/medians.csv" ] || fail "the command compared nothing in an empty tree"
    rm -r "$root"
}

# With `--target`, these flags do not apply to procedural macros, which cannot be linked statically. By default, the
# crate `getrandom` needs the shared C library or /dev/urandom, which may be missing.
flags=(-Ctarget-feature=+crt-static -Cstrip=symbols --remap-path-prefix="$PWD"=.
    --cfg 'getrandom_backend="linux_getrandom"')
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && echo "${flags[*]}") CARGO_TARGET_DIR=$target \
    cargo build --locked --profile dist --bin lbaf --target "$host"
lbaf=$target/$host/dist/lbaf
headers=$(readelf --program-headers --dynamic "$lbaf")
if grep -E 'INTERP|NEEDED' <<<"$headers"; then
    fail "$lbaf needs a loader or shared libraries"
fi

staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
check_alone
files=$staging/$name
mkdir -p "$files/completions" "$directory"
install "$lbaf" "$files/lbaf"
# Each shell expects another name of the file with completions.
"$lbaf" completions bash >"$files/completions/lbaf.bash"
"$lbaf" completions zsh >"$files/completions/_lbaf"
"$lbaf" completions fish >"$files/completions/lbaf.fish"
"$lbaf" man "$files/man/man1"
scripts/notices.py "$host" >"$files/NOTICES"
git archive HEAD README.md CHANGELOG.md CITATION.cff LICENSE-APACHE LICENSE-MIT docs schemas configs examples |
    tar --extract --directory "$files"

pack "$staging" "$name" >"$directory/$name.tar.gz"
git archive --format tar --prefix "lbaf-$version/" HEAD | gzip --no-name --best >"$directory/lbaf-$version.tar.gz"
CARGO_TARGET_DIR=$target/wheel python3 -m pip wheel --quiet --no-deps --wheel-dir "$staging/wheel" ./python
wheel=$(cd "$staging/wheel" && echo lbaf_rs-*.whl)
mv "$staging/wheel/$wheel" "$directory"
(cd "$directory" && sha256sum "$name.tar.gz" "lbaf-$version.tar.gz" "$wheel" | tee SHA256SUMS)
