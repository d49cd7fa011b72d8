#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Compiles the tables and charts of output directories in an article with two columns:
# `scripts/compile-figures.sh PDF DIR...`. Fails if a table or chart is wider than its column, or higher than the page.
# Needs pdflatex with booktabs and pgfplots (Debian: texlive-latex-recommended, texlive-pictures).
set -euo pipefail
export LC_ALL=C

pdf=$(realpath -m "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n_floats=0

# Prints a name that LaTeX can break into lines.
words() {
    sed 's/_/\\_\\allowbreak /g' <<<"$1"
}

# Prints a float with a caption. Charts for two columns are as wide as the page.
figure() {
    local environment=figure width
    width=$(sed -n '1s/.* width="\([0-9]*\).*/\1/p' "${1%.*}.svg")
    [ "${width:-0}" -le 100 ] || environment="figure*"
    printf '\\begin{%s}\\centering %s\\caption{%s}\\end{%s}\n' \
        "$environment" "$2" "$(words "${1##*/}")" "$environment"
    next_float
}

# LaTeX keeps only a few floats in memory.
next_float() {
    n_floats=$((n_floats + 1))
    [ $((n_floats % 8)) -gt 0 ] || echo '\clearpage'
}

article() {
    local file
    cat <<'TEX'
\documentclass[a4paper,twocolumn]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern,booktabs,graphicx,pgfplots}
\pgfplotsset{compat=1.16}
\begin{document}
TEX
    for directory in "$@"; do
        directory=$(realpath "$directory")
        printf '\\clearpage\\section*{%s}\n' "$(words "${directory##*/}")"
        for file in "$directory"/tables/*.tex; do
            printf '\\input{%s}\n' "$file"
            next_float
        done
        for file in "$directory"/plots/*.pdf; do
            [ ! -e "$file" ] || figure "$file" "\\includegraphics[width=\\linewidth]{$file}"
        done
        for file in "$directory"/plots/*.tex; do
            [ ! -e "$file" ] || figure "$file" "\\input{$file}"
        done
    done
    echo '\end{document}'
}

shopt -s nullglob
article "$@" >"$work/article.tex"
if ! (cd "$work" && pdflatex -halt-on-error -interaction=nonstopmode -file-line-error article.tex >log 2>&1); then
    grep -A8 '^!\|:[0-9]*:' "$work/log" >&2 || tail -n 20 "$work/log" >&2
    exit 1
fi
mv "$work/article.pdf" "$pdf"
# The log breaks lines after 79 characters, so only the beginnings of messages are matched. The lines before a message
# name the file.
if grep -n -B6 '^Overfull\|Float too large\|^LaTeX Warning: Reference' "$work/article.log" >&2; then
    echo "failed: a table or chart does not fit" >&2
    exit 1
fi
echo "$n_floats tables and charts fit into two columns"
