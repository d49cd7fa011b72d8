#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Compiles tables and charts of a run and of all studies in `configs/studies/` in articles with two columns, for both
# widths of tables. Look at the articles in `output/figures/`.
set -euo pipefail
output=output/figures
mkdir -p "$output"
# Copies of the configurations, with other settings of charts and tables.
copies=$(mktemp -d)
trap 'rm -rf "$copies"' EXIT
cp -r configs "$copies"
ln -s "$PWD/examples" "$copies"

for study in "$copies"/configs/studies/*.yaml; do
    name=$(basename "$study" .yaml)
    sed -i '/^plots:/,$d' "$study"
    for width in column page; do
        # The study for the second width reuses the cells of the study for the first width.
        printf 'plots: {pgfplots: true}\ntables: {width: %s}\n' "$width" | cat "$study" - >"$study.$width.yaml"
        "$LBAF_BINARY" study "$study.$width.yaml" --output-dir "$output/$name" --quiet
        scripts/compile-figures.sh "$output/$name-$width.pdf" "$output/$name"
    done
done
"$LBAF_BINARY" run configs/greedy.yaml --output-dir "$output/greedy" --quiet
for width in one_column two_column; do
    for palette in colour grey; do
        "$LBAF_BINARY" plot "$output/greedy" --charts all --pgfplots --width "$width" --palette "$palette" --quiet
        scripts/compile-figures.sh "$output/greedy-$width-$palette.pdf" "$output/greedy"
    done
done
