// SPDX-License-Identifier: MIT OR Apache-2.0
//! Stems that are not UTF-8, as on old file systems.
#![cfg(target_os = "linux")]

use crate::vom::{one_phase, packed, task};
use crate::workspace::Workspace;

#[test]
fn commands_read_a_stem_that_is_not_utf_8() {
    let workspace = Workspace::new();
    for rank in [0, 1] {
        let tasks: Vec<_> = (1..=4).map(|sequence| task(packed(sequence, rank), rank, 1.0)).collect();
        workspace.write(&format!("set.{rank}.json"), one_phase(rank, &tasks, &[]));
    }
    // "größe" in Latin-1, and a name that looks the same when invalid bytes are replaced.
    let said = workspace.shell(
        "for stem in 'gr\\366\\337e' 'gr\\374\\344e'; do for rank in 0 1; do \
         cp set.$rank.json \"$(printf \"$stem\").$rank.json\"; done; done; rm set.*",
    );
    assert_eq!(said.code, 0, "{}", said.stderr);
    for command in [
        "info \"$stem\"",
        "validate \"$stem\"",
        "validate --vt .",
        "tasks \"$stem\"",
        "diff \"$stem\" \"$stem\"",
        "convert \"$stem\" converted --brotli",
        "convert \"$stem\" tables --to csv",
        "extract \"$stem\" extracted --phases 0",
        "anomalies \"$stem\" --json",
        "provenance export \"$stem\" database",
    ] {
        let said = workspace.shell(&format!("stem=$(printf 'gr\\366\\337e'); \"$LBAF\" {command}"));
        assert_eq!(said.code, 0, "{command}: {}{}", said.stdout, said.stderr);
    }
    // A directory may be named instead of its only stem.
    let said = workspace.shell(
        "directory=$(printf 'gr\\374n'); mkdir \"$directory\"; stem=$(printf 'gr\\366\\337e'); \
         cp \"$stem\".* \"$directory\"; \"$LBAF\" info \"$directory\"",
    );
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("2 ranks"), "{}", said.stdout);
    // Names of new files must be UTF-8.
    let said = workspace.shell("\"$LBAF\" convert converted \"$(printf 'gr\\366\\337e2')\"");
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(said.stderr.contains("names of new files must be UTF-8"), "{}", said.stderr);
    // A wrong command line is still a usage error.
    let said = workspace.shell("\"$LBAF\" nothing \"$(printf 'gr\\366\\337e')\"");
    assert_eq!(said.code, 2, "{}", said.stderr);
}
