// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outputs that cannot be written: exit code 6, and no file is changed.

use insta::assert_snapshot;

use crate::vom::{one_phase, packed, task};
use crate::workspace::Workspace;

const CONFIGURATION: &str = "
from_data: {data_stem: data}
algorithm: {name: Greedy}
output_dir: out
write_JSON: {compressed: false}
plots: none
";

/// Two ranks, all objects on the first.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let tasks: Vec<_> = (1..=8).map(|sequence| task(packed(sequence, 0), 0, 1.0)).collect();
    workspace.write("data.0.json", one_phase(0, &tasks, &[]));
    workspace.write("data.1.json", one_phase(1, &[], &[]));
    workspace.write("run.yaml", CONFIGURATION);
    workspace
}

#[test]
fn an_output_directory_that_is_a_file() {
    let workspace = workspace();
    workspace.write("out", "precious");
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 6), @"error: cannot write into out: it is not a directory");
    assert_eq!(workspace.text("out"), "precious");
}

#[test]
fn an_output_directory_below_a_file() {
    let workspace = workspace();
    workspace.write("file", "precious");
    assert_snapshot!(workspace.fail(&["run", "run.yaml", "--output-dir", "file/out"], 6), @"error: cannot write into file/out: it is not a directory");
}

#[cfg(target_os = "linux")]
#[test]
fn a_standard_output_that_is_full() {
    let workspace = workspace();
    for command in ["info data", "info data --json", "run run.yaml", "run run.yaml --json"] {
        let said = workspace.shell(&format!("\"$LBAF\" {command} >/dev/full"));
        assert_eq!(said.code, 6, "{command}");
        assert_eq!(
            said.stderr, "error: cannot write to standard output: No space left on device (os error 28)\n",
            "{command}"
        );
    }
}

#[test]
fn a_reader_that_closes_early_is_not_an_error() {
    let workspace = workspace();
    let said = workspace.shell("(\"$LBAF\" info data; echo $? >code) | true");
    assert_eq!((said.stderr.as_str(), workspace.text("code").trim()), ("", "0"));
}

/// The limit acts like a full disk: files cannot grow beyond one block.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_files() {
    let workspace = workspace();
    let before = workspace.files(".");
    let said = workspace.shell("trap '' XFSZ; ulimit -f 1; exec \"$LBAF\" run run.yaml");
    assert_eq!(said.code, 6, "{}", said.stderr);
    assert_snapshot!(said.stderr, @"error: cannot write out/output_file.0.json: File too large (os error 27)");
    assert_eq!(workspace.files("."), before);
    assert!(!workspace.path("out").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_an_earlier_result_unchanged() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml"]);
    let before = workspace.files(".");
    assert!(before.contains_key("out/summary.json"));
    let line = "trap '' XFSZ; ulimit -f 1; exec \"$LBAF\" run run.yaml --set algorithm.name=RotateLB";
    assert_eq!(workspace.shell(line).code, 6);
    assert_eq!(workspace.files("."), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_incomplete_data_set() {
    let workspace = Workspace::new();
    let spec = "from_samplers:
  n_ranks: 2
  n_objects: 500
  load_sampler: {name: uniform, parameters: [0, 1]}
";
    workspace.write("spec.yaml", spec);
    let said = workspace.shell("trap '' XFSZ; ulimit -f 1; exec \"$LBAF\" make --plain spec.yaml sets/made");
    assert_eq!(said.code, 6, "{}", said.stderr);
    assert_eq!(workspace.names("."), ["spec.yaml"]);
    assert!(!workspace.path("sets").exists());
}

#[test]
fn inputs_are_not_overwritten() {
    let workspace = workspace();
    let before = workspace.files(".");
    let over_input = ["--output-dir", ".", "--set", "output_file_stem=data"];
    let error = workspace.fail(&[&["run", "run.yaml"][..], &over_input].concat(), 6);
    assert_snapshot!(error, @"error: ./data.0.json is an input and would be overwritten; choose another place or name (for a run, `output_dir` or `output_file_stem`)");
    assert_eq!(workspace.files("."), before);
}

#[cfg(unix)]
#[test]
fn inputs_reached_through_links_are_not_overwritten() {
    let workspace = workspace();
    for rank in 0..2 {
        let kept = workspace.read(&format!("data.{rank}.json"));
        workspace.write(&format!("out/output_file.{rank}.json"), kept);
        std::fs::remove_file(workspace.path(&format!("data.{rank}.json"))).expect("it is there");
        std::os::unix::fs::symlink(
            format!("out/output_file.{rank}.json"),
            workspace.path(&format!("data.{rank}.json")),
        )
        .expect("links can be made");
    }
    let before = workspace.files(".");
    workspace.fail(&["run", "run.yaml"], 6);
    assert_eq!(workspace.files("."), before);
}

/// The second run reads the files of the first run. If they were not inputs, they would be removed as stale.
#[test]
fn inputs_left_by_an_earlier_run_stay() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml"]);
    let first = workspace.read("out/output_file.0.json");
    let set = ["--set", "from_data.data_stem=out/output_file", "--set", "write_JSON.suffix=vom"];
    workspace.succeed(&[&["run", "run.yaml"][..], &set].concat());
    assert_eq!(workspace.read("out/output_file.0.json"), first);
    assert!(workspace.path("out/output_file.0.vom").exists());
}

#[test]
fn a_directory_in_the_way_of_a_file() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml"]);
    workspace.write("out/w_max.txt.d/file", "precious");
    std::fs::remove_file(workspace.path("out/w_max.txt")).expect("it is there");
    std::fs::rename(workspace.path("out/w_max.txt.d"), workspace.path("out/w_max.txt")).expect("it is free");
    let before = workspace.files(".");
    assert_snapshot!(workspace.fail(&["run", "run.yaml"], 6), @"error: cannot write out/w_max.txt: a directory of this name is in the way");
    assert_eq!(workspace.files("."), before);
}

/// Outputs are not written through a link, because a journal for files in another directory would not be followed.
#[cfg(unix)]
#[test]
fn a_link_in_the_way_of_a_directory() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml"]);
    workspace.write("store/kept.svg", "kept");
    std::os::unix::fs::symlink("../store", workspace.path("out/plots")).expect("links can be made");
    let before = workspace.files(".");
    let charts = ["--set", "plots={formats: [svg], charts: [rank_loads]}"];
    let error = workspace.fail(&[&["run", "run.yaml"][..], &charts].concat(), 6);
    assert_snapshot!(error, @"error: cannot write into out/plots: it is a symbolic link, not a directory; replace it with a directory, or choose another place");
    assert_eq!(workspace.files("."), before);
}

#[test]
fn a_file_in_the_way_of_a_directory() {
    let workspace = workspace();
    workspace.succeed(&["run", "run.yaml"]);
    workspace.write("out/plots", "precious");
    let before = workspace.files(".");
    let charts = ["--set", "plots={formats: [svg], charts: [rank_loads]}"];
    let error = workspace.fail(&[&["run", "run.yaml"][..], &charts].concat(), 6);
    assert_snapshot!(error, @"error: cannot write into out/plots: it is not a directory");
    assert_eq!(workspace.files("."), before);
}
