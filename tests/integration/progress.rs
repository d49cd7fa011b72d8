// SPDX-License-Identifier: MIT OR Apache-2.0
//! Progress on a terminal, which the program `script` imitates.
#![cfg(target_os = "linux")]

use crate::peers::skip;
use crate::workspace::Workspace;

/// One phase whose strategy takes three seconds. The command of the strategy writes a line, which becomes a note, and
/// then fails.
const SLOW: &str = "\
from_samplers: {n_ranks: 2, n_objects: 4, load_sampler: {name: uniform, parameters: [0.1, 1.0]}}
algorithm: {name: External, parameters: {command: [sh, -c, 'sleep 2.3; echo said >&2; sleep 0.7']}}
output_dir: out
";

#[test]
fn a_single_long_step_shows_its_time_and_messages_have_lines_of_their_own() {
    let workspace = Workspace::new();
    if workspace.shell("script -qec true /dev/null").code != 0 {
        return skip("there is no program script of util-linux");
    }
    workspace.write("run.yaml", SLOW);
    let said = workspace.shell("script -qec 'stty cols 80; \"$LBAF\" run run.yaml' /dev/null").stdout;
    // The bar appears after a second, though no step is done.
    assert!(said.trim_start().starts_with("balancing, 1 s"), "{said}");
    assert!(said.contains("balancing, 2 s"), "{said}");
    let (before, _) = said.split_once("said").expect("the note is shown");
    let line = before.rsplit(['\r', '\n']).next().unwrap_or_default();
    assert!(line.contains("note:") && !line.contains("balancing"), "{said}");
    // Progress is shown only on terminals.
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert!(!said.stderr.contains("balancing"), "{}", said.stderr);
}
