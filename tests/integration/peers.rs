// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data and configurations of LBAF users. Tests of missing data print a message and pass.

use std::path::Path;

use crate::workspace::Workspace;

/// Directory and stem of a data set of LBAF's users.
pub(crate) type DataSet = (&'static str, &'static str);

pub(crate) const SYNTHETIC_BLOCKS: DataSet = ("synthetic-blocks", "synthetic-dataset-blocks");
pub(crate) const TOY_MEM: DataSet = ("user-defined-memory-toy-problem", "toy_mem");
pub(crate) const FEWER: DataSet = ("challenging_toy_fewer_tasks", "toy");
pub(crate) const HUNDREDS: DataSet = ("challenging_toy_hundreds_tasks", "toy");
pub(crate) const THOUSANDS: DataSet = ("challenging_toy_thousands_tasks", "toy");
pub(crate) const TEXT: DataSet = ("vt_example_lb_data", "data");
pub(crate) const EIGHT_COLOURS: DataSet = ("nolb-8color-16nodes-11firstphases", "data");

/// All JSON data sets except the largest.
pub(crate) const JSON: [DataSet; 9] = [
    SYNTHETIC_BLOCKS,
    ("synthetic-blocks", "synthetic-dataset-blocks-alpha0"),
    TOY_MEM,
    ("user-defined-memory-toy-problem", "toy_mem_README"),
    ("user-defined-memory-toy-problem", "toy_mem_optimal"),
    FEWER,
    HUNDREDS,
    EIGHT_COLOURS,
    ("ccm_example", "data"),
];

/// Returns a workspace with a data set of LBAF's users in `data/<directory>` and all their configurations in
/// `config`; `None`, with a message, if these files are not available.
pub(crate) fn peer((directory, _): DataSet) -> Option<Workspace> {
    let peer = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/peer"));
    if !peer.is_dir() {
        skip("there is no ../shared/peer");
        return None;
    }
    let workspace = Workspace::new();
    workspace.copy(&peer.join("data").join(directory), &format!("data/{directory}"));
    workspace.copy(&peer.join("config"), "config");
    Some(workspace)
}

#[allow(clippy::print_stderr, reason = "a test that checks nothing must say so")]
pub(crate) fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}

/// Returns the path of a data set in its workspace, up to the rank.
pub(crate) fn stem((directory, stem): DataSet) -> String {
    format!("data/{directory}/{stem}")
}

/// Returns a configuration of `lbaf` for a data set, with outputs in `out`.
pub(crate) fn configuration(set: DataSet, more: &str) -> String {
    format!("from_data: {{data_stem: {}}}\noutput_dir: out\nplots: none\n{more}\n", stem(set))
}

/// Runs `lbaf` on a data set.
#[track_caller]
pub(crate) fn run(workspace: &Workspace, set: DataSet, more: &str) {
    workspace.write("run.yaml", configuration(set, more));
    workspace.succeed(&["run", "run.yaml"]);
}
