#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
# Checks the invariants of ARCHITECTURE.md that a script can check.
# Prints all violations and exits with 1 if there are any. Needs cargo, python3 and the standard text tools.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

n_wrong=0
wrong() {
    n_wrong=$((n_wrong + 1))
    printf 'wrong: %s\n' "$*"
}

# Prints lines of code that match a pattern, as file:line: code. Skips comments and the tests at the end of a file.
code_matching() {
    local pattern=$1
    shift
    # shellcheck disable=SC2016 # The dollars are those of awk.
    find "$@" -name '*.rs' -print0 | sort -z | PATTERN=$pattern xargs -0 awk '
        FNR == 1 { in_tests = 0 }
        before == "#[cfg(test)]" && /^mod / { in_tests = 1 }
        { before = $0 }
        !in_tests {
            code = $0
            sub(/(^|[ \t])\/\/.*$/, "", code)
            if (code ~ ENVIRON["PATTERN"]) print FILENAME ":" FNR ": " $0
        }'
}

refuse() {
    local reason=$1 pattern=$2 found line
    shift 2
    found=$(code_matching "$pattern" "$@")
    while IFS= read -r line; do
        [ -z "$line" ] || wrong "$reason: $line"
    done <<<"$found"
}

# Prints the dependencies of a crate without those of its tests.
direct_dependencies() {
    cargo tree --locked --package "$1" --edges normal --depth 1 --prefix none | tail -n +2 | cut -d' ' -f1
}

# Dependencies within the workspace: a crate may depend only on the members named with it.
check_arrows() {
    local crate_dir crate allowed dependencies dependency
    for crate_dir in crates/*/; do
        crate=$(basename "$crate_dir")
        case $crate in
            lbaf | lbaf-claims | lbaf-model | lbaf-vom | lbaf-text) allowed="" ;;
            lbaf-plot) allowed="lbaf-text" ;;
            lbaf-milp | lbaf-noise) allowed="lbaf-model" ;;
            lbaf-config) allowed="lbaf-external lbaf-model lbaf-picture lbaf-plot lbaf-noise lbaf-reader lbaf-strategies lbaf-study lbaf-synth lbaf-text lbaf-vom lbaf-writer" ;;
            lbaf-run) allowed="lbaf-claims lbaf-columns lbaf-config lbaf-model lbaf-noise lbaf-reader lbaf-strategies lbaf-study lbaf-synth lbaf-text lbaf-vom lbaf-writer" ;;
            lbaf-report) allowed="lbaf-config lbaf-model lbaf-picture lbaf-plot lbaf-reader lbaf-run lbaf-study lbaf-text lbaf-vom lbaf-writer" ;;
            lbaf-external | lbaf-study) allowed="lbaf-model lbaf-strategies" ;;
            lbaf-picture) allowed="lbaf-plot lbaf-text" ;;
            lbaf-provenance) allowed="lbaf-model lbaf-noise lbaf-vom lbaf-reader" ;;
            lbaf-strategies) allowed="lbaf-model lbaf-milp" ;;
            lbaf-synth) allowed="lbaf-vom" ;;
            lbaf-reader) allowed="lbaf-model lbaf-vom" ;;
            lbaf-writer) allowed="lbaf-model lbaf-vom lbaf-reader" ;;
            lbaf-columns) allowed="lbaf-model lbaf-vom lbaf-reader lbaf-text" ;;
            *)
                wrong "$crate is not among the known crates: add it to $0 and to ARCHITECTURE.md"
                continue
                ;;
        esac
        # The sources of the root package may use every member.
        [ "$crate" != lbaf ] || continue
        dependencies=$(direct_dependencies "$crate")
        while IFS= read -r dependency; do
            case $dependency in
                lbaf-*)
                    [[ " $allowed " == *" $dependency "* ]] || wrong "$crate must not depend on $dependency"
                    ;;
                serde-saphyr)
                    [ "$crate" = lbaf-config ] || wrong "$crate depends on $dependency: only lbaf-config reads YAML"
                    ;;
                clap | indicatif | comfy-table)
                    wrong "$crate depends on $dependency: only the root package parses arguments or prints"
                    ;;
                petgraph)
                    [ "$crate" = lbaf-model ] || wrong "$crate depends on petgraph: only lbaf-model has a graph"
                    ;;
            esac
        done <<<"$dependencies"
    done
}

# Plain `cargo test` covers `default-members`, which must contain all members.
check_default_members() {
    local metadata all named
    metadata=$(cargo metadata --locked --no-deps --format-version 1)
    members() {
        grep -o "\"$1\":\[[^]]*\]" <<<"$metadata" | grep -o '"path+[^"]*"' | sort
    }
    all=$(members workspace_members)
    named=$(members workspace_default_members)
    [ -n "$all" ] || wrong "cargo metadata lists no member of the workspace"
    while IFS= read -r member; do
        [ -z "$member" ] || wrong "Cargo.toml: default-members lacks $member"
    done < <(comm -23 <(echo "$all") <(echo "$named"))
}

check_sources() {
    local file
    for file in crates/*/src/lib.rs crates/lbaf/main.rs; do
        grep -qx '#!\[forbid(unsafe_code)\]' "$file" || wrong "$file: no #![forbid(unsafe_code)]"
    done
    for file in crates/*/Cargo.toml; do
        [ "$(sed -n '/^\[lints\]/{n;p;}' "$file")" = "workspace = true" ] || wrong "$file: does not use the lints of the workspace"
    done
    while IFS= read -r file; do
        [ "$(head -n 1 "$file")" = "// SPDX-License-Identifier: MIT OR Apache-2.0" ] || wrong "$file: the first line is not the SPDX line"
        case $(basename "$file" .rs) in
            base | common | helpers | imp | manager | misc | util | utils) wrong "$file: the name does not describe the content" ;;
        esac
    done < <(find crates examples benches tests -name '*.rs' | sort)
    while IFS= read -r file; do
        [ "$(wc -l <"$file")" -le 500 ] || wrong "$file: is longer than 500 lines"
    done < <(find crates -name '*.rs' -not -path '*/tests/*' | sort)

    refuse "the model and strategies touch no file, clock, environment or stream" \
        '(^|[^a-z_])std::(env|fs|io|net|process|thread|time)|(Instant|SystemTime)::now' \
        crates/lbaf-model/src crates/lbaf-strategies/src
    refuse "studies and detectors touch no file and no clock" \
        '(^|[^a-z_])std::(env|fs|net|process|thread|time)|(Instant|SystemTime)::now' crates/lbaf-study/src crates/lbaf-noise/src
    refuse "the wire format, synthetic data, charts and pictures touch no file" \
        '(^|[^a-z_])(std::)?fs::|File::(open|create)' crates/lbaf-vom/src crates/lbaf-synth/src crates/lbaf-plot/src crates/lbaf-picture/src
    refuse "mixed-integer programs touch no file" \
        '(^|[^a-z_])(std::)?fs::|File::(open|create)' crates/lbaf-milp/src
    # The writer is excluded, because it reads its own locks.
    refuse "files are read only by input_file, which checks the kind of file" \
        '(^|[^a-z_])fs::read(_to_string)?[(]|(^|[^a-z_])from_path[(]' \
        crates/lbaf crates/lbaf-{columns,provenance,report,run}/src $(find crates/lbaf-reader/src -name '*.rs' -not -name input_file.rs)
    refuse "only the root package prints or exits" \
        '(^|[^a-z_])e?print(ln)?!|(^|[^a-z_])(stdout|stderr)[(][)]|process::(exit|abort)' crates/*/src
    refuse "a phase never changes after it is built" \
        '&mut self' crates/lbaf-model/src/{dataset,graph,phase}.rs
    refuse "reports of results do not depend on commands" \
        'crate::(arguments|cli|convert|data|diff|directories|info|main|make|milp|new_files|plot|progress|quantities|report|run|signals|simulate|spec|strategies|study|tasks|validate)([^a-z_]|$)' \
        crates/lbaf/console crates/lbaf/console.rs crates/lbaf/error.rs
    refuse "no shared state is mutable" \
        '(^|[^a-z_])static mut |(Cell|RefCell|Mutex|RwLock)<' crates/lbaf-model/src crates/lbaf-strategies/src
}

# The table of crates has a row for every crate, and its last column names exactly the folders of its sources.
check_code_map() {
    local crate=$1 directory=$2 row folder
    # shellcheck disable=SC2016 # The backquotes are those of Markdown.
    row=$(grep -F "| \`$crate\` |" ARCHITECTURE.md || true)
    if [ -z "$row" ]; then
        wrong "ARCHITECTURE.md: the table of crates lacks $crate"
        return
    fi
    while IFS= read -r folder; do
        [ -z "$folder" ] || grep -qF "\`$folder/\`" <<<"$row" || wrong "ARCHITECTURE.md: the row of $crate lacks the folder $folder/"
    done < <(cd "$directory" && find . -mindepth 1 -maxdepth 1 -type d | sed 's|^\./||' | sort)
    while IFS= read -r folder; do
        [ -z "$folder" ] || [ -d "$directory/$folder" ] || wrong "ARCHITECTURE.md: $crate has no folder $folder/"
    done < <(grep -o '`[^`]*/`' <<<"$row" | tr -d '`' | sed 's|/$||')
}

# Modules in one folder form no dependency cycles.
check_circles() {
    local line
    while IFS= read -r line; do
        [ -z "$line" ] || wrong "dependency cycle: $line"
    done < <(python3 scripts/check-circles.py crates/*/src crates/lbaf || echo "scripts/check-circles.py failed")
}

check_arrows
check_circles
check_default_members
check_sources
for directory in crates/*/src; do
    check_code_map "$(basename "$(dirname "$directory")")" "$directory"
done

if [ "$n_wrong" -gt 0 ]; then
    echo "$n_wrong violation(s) of the invariants in ARCHITECTURE.md"
    exit 1
fi
echo "all invariants hold"
