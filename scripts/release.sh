#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Makes the files of a release, for users without Rust:
#
#   scripts/release.sh [DIRECTORY]
#
# DIRECTORY (default: dist) receives
#   lbaf-VERSION-x86_64-linux.tar.gz  statically linked command, shell completions, manual pages, schemas, examples
#   lbaf-VERSION.tar.gz               sources of the last commit
#   SHA256SUMS                        checksums of both
# The command needs no shared library and runs on any Linux of the architecture. The archives have the same bytes for
# the same commit and toolchain. Needs git, GNU tar and the static C library of the system (Debian: libc6-dev).
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

directory=${1:-dist}
host=$(rustc -vV | sed -n 's/^host: //p')
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/static
version=$(cargo metadata --no-deps --format-version 1 --locked |
    python3 -c 'import json, sys; print(next(p["version"] for p in json.load(sys.stdin)["packages"] if p["name"] == "lbaf"))')
name=lbaf-$version-${host%%-*}-linux

fail() {
    printf 'failed: %s\n' "$*" >&2
    exit 1
}

# Packs a directory below `$1` without dates and owners.
pack() {
    tar --create --sort=name --mtime="@$(git log -1 --format=%ct)" --owner=0 --group=0 --numeric-owner \
        --mode=u+w,go-w,a+rX --directory "$1" "$2" | gzip --no-name --best
}

# With `--target`, build scripts and procedural macros, which are shared libraries, are not linked statically.
RUSTFLAGS="-C target-feature=+crt-static -C strip=symbols --remap-path-prefix=$PWD=." CARGO_TARGET_DIR=$target \
    cargo build --locked --profile dist --bin lbaf --target "$host"
lbaf=$target/$host/dist/lbaf
if readelf --program-headers --dynamic "$lbaf" | grep -E 'INTERP|NEEDED'; then
    fail "$lbaf needs a loader or shared libraries"
fi

staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
files=$staging/$name
mkdir -p "$files/completions" "$directory"
install "$lbaf" "$files/lbaf"
for shell in bash zsh fish; do
    "$lbaf" completions $shell >"$files/completions/lbaf.$shell"
done
"$lbaf" man "$files/man/man1"
cp -r README.md CHANGELOG.md CITATION.cff LICENSE-APACHE LICENSE-MIT docs schemas configs examples "$files"
pack "$staging" "$name" >"$directory/$name.tar.gz"
git archive --format tar --prefix "lbaf-$version/" HEAD | gzip --no-name --best >"$directory/lbaf-$version.tar.gz"
(cd "$directory" && sha256sum "$name.tar.gz" "lbaf-$version.tar.gz" | tee SHA256SUMS)
