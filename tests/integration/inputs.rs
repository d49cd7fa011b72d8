// SPDX-License-Identifier: MIT OR Apache-2.0
//! Except for the results that `lbaf plot` and `lbaf report` extend, no command replaces a file that it reads,
//! under any name of the file and also with `--force`. `--force` replaces only regular files.

use std::fs;

use crate::vom::{one_phase, packed, task};
use crate::workspace::Workspace;

/// Data of two ranks, a configuration file of each kind, the outputs of a run, a provenance database and a
/// mixed-integer program.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let tasks: Vec<_> = (1..=4).map(|sequence| task(packed(sequence, 0), 0, 1.0)).collect();
    workspace.write("set.0.json", one_phase(0, &tasks, &[]));
    workspace.write("set.1.json", one_phase(1, &[], &[]));
    let run = "from_data: {data_stem: set}\nalgorithm: {name: Greedy}\noutput_dir: out\nplots: none\n";
    workspace.write("run.yaml", run);
    workspace.write("global.yaml", "logging_level: info\n");
    workspace.write("lb.conf", "0 GreedyLB\n");
    workspace.write("when.spec", "0 0 0\n");
    workspace.write("where.yaml", "{1: [262147, 524291, 786435, 1048579]}");
    workspace.write("study.yaml", "base: run.yaml\naxes: {algorithm.name: [Greedy, RotateLB]}\n");
    workspace.write(
        "spec.yaml",
        "from_samplers:\n  n_ranks: 2\n  n_objects: 4\n  load_sampler: {name: uniform, parameters: [0, 1]}\n",
    );
    workspace.succeed(&["run", "run.yaml", "--output-dir", "ran"]);
    workspace.succeed(&["provenance", "export", "set", "db", "--flat"]);
    workspace.succeed(&["milp", "run.yaml", "--output", "set.lp"]);
    workspace
}

/// Ways to name an input file as an output.
#[derive(Clone, Copy, Debug)]
enum Way {
    Same,
    Detour,
    #[cfg(unix)]
    Symlink,
    #[cfg(unix)]
    HardLink,
}

const WAYS: &[Way] = &[
    Way::Same,
    Way::Detour,
    #[cfg(unix)]
    Way::Symlink,
    #[cfg(unix)]
    Way::HardLink,
];

impl Way {
    /// Returns a name of the file `input` that ends in `end`.
    fn name(self, workspace: &Workspace, input: &str, end: &str) -> String {
        match self {
            Way::Same => input.to_owned(),
            Way::Detour => format!("deep/../{input}"),
            #[cfg(unix)]
            Way::Symlink => {
                let link = format!("deep/link{end}");
                std::os::unix::fs::symlink(workspace.path(input), workspace.path(&link)).expect("it is free");
                link
            }
            #[cfg(unix)]
            Way::HardLink => {
                let link = format!("deep/hard{end}");
                fs::hard_link(workspace.path(input), workspace.path(&link)).expect("it is free");
                link
            }
        }
    }
}

/// Expects that a command refuses to replace the input under any of its names.
/// `{}` in the arguments stands for a name of the input, without its last part `end`.
fn refuses(input: &str, end: &str, command: &str) {
    for &way in WAYS {
        let workspace = workspace();
        fs::create_dir(workspace.path("deep")).expect("it is free");
        let name = way.name(&workspace, input, end);
        let stem = name.strip_suffix(end).expect("the name ends so");
        let before = workspace.files(".");
        let line = command.replace("{}", stem);
        let arguments: Vec<&str> = line.split(' ').collect();
        let error = workspace.fail(&arguments, 6);
        let is_refused = error.contains("is an input");
        assert!(is_refused, "{way:?}: {line}: {error}");
        assert_eq!(workspace.files("."), before, "{way:?}: {line}");
    }
}

#[test]
fn convert_extract_and_tasks_replace_no_data() {
    refuses("set.1.json", ".1.json", "convert set {} --to seq-id --force");
    refuses("set.1.json", "", "convert set.1.json {} --force");
    refuses("set.1.json", ".1.json", "extract set {} --phases 0 --force");
    refuses("set.0.json", "", "tasks set --output {} --force");
}

#[test]
fn make_replaces_no_specification() {
    let workspace = workspace();
    workspace.write("made.0.json", workspace.read("spec.yaml"));
    let before = workspace.files(".");
    let error = workspace.fail(&["make", "made.0.json", "made", "--force"], 6);
    assert!(error.contains("made.0.json is an input file"), "{error}");
    assert_eq!(workspace.files("."), before);
}

#[test]
fn milp_replaces_neither_data_nor_configuration() {
    for input in ["set.0.json", "run.yaml", "global.yaml"] {
        refuses(input, "", "milp run.yaml --format lp --output {} --force");
        refuses(input, "", "milp run.yaml --start {} --force");
    }
}

#[test]
fn anomalies_and_provenance_replace_no_data() {
    refuses("set.0.json", "", "anomalies set --exclude-hosts {} --force");
    let workspace = workspace();
    let name = workspace.names("db").into_iter().next().expect("there is a file");
    workspace.write("db/again.0.json", workspace.read(&format!("db/{name}")));
    let before = workspace.files(".");
    let error = workspace.fail(&["provenance", "import", "db/again.0.json", "db/again", "--force"], 6);
    assert!(error.contains("is an input file"), "{error}");
    assert_eq!(workspace.files("."), before);
}

#[test]
fn report_replaces_no_output_of_a_run() {
    for input in ["ran/summary.json", "ran/ranks.csv", "ran/migrations.csv", "ran/timings.json", "set.0.json"]
    {
        refuses(input, "", "report ran --output {} --force");
    }
}

/// The commands have fixed output names, so the inputs get these names.
#[test]
fn runs_and_simulations_replace_no_configuration_specification_or_map() {
    let set = |key: &str, value: &str| format!("{key}={value}");
    for (input, output, settings) in [
        ("run.yaml", "w_max.txt", vec![]),
        ("lb.conf", "w_max.txt", vec!["algorithm={lb_config: out/w_max.txt}".to_owned()]),
        (
            "where.yaml",
            "imbalance.txt",
            vec![
                set("algorithm.name", "PrescribedPermutation"),
                set("algorithm.parameters.permutation", "out/imbalance.txt"),
            ],
        ),
    ] {
        let workspace = workspace();
        workspace.write(&format!("out/{output}"), workspace.read(input));
        let configuration = if input == "run.yaml" { "out/w_max.txt" } else { "run.yaml" };
        let mut arguments = vec!["run", configuration, "--output-dir", "out"];
        if input == "run.yaml" {
            arguments.extend(["--set", "from_data.data_stem=../set"]);
        }
        arguments.extend(settings.iter().flat_map(|setting| ["--set", setting]));
        let before = workspace.files(".");
        let error = workspace.fail(&arguments, 6);
        assert!(error.contains(&format!("out/{output} is an input")), "{input}: {error}");
        assert_eq!(workspace.files("."), before, "{input}");
    }
    let workspace = workspace();
    workspace.write("out/simulation.csv", workspace.read("when.spec"));
    let before = workspace.files(".");
    let schedule = "simulation.schedule={specification: out/simulation.csv}";
    let error = workspace.fail(&["simulate", "run.yaml", "--set", schedule], 6);
    assert!(error.contains("out/simulation.csv is an input"), "{error}");
    assert_eq!(workspace.files("."), before);
}

/// No output of a study replaces an input of one of its cells.
#[test]
fn studies_replace_no_data_of_their_cells() {
    let workspace = workspace();
    for rank in 0..2 {
        workspace.write(&format!("out/cells.csv.{rank}.json"), workspace.read(&format!("set.{rank}.json")));
    }
    // The table of cells would replace a link to data.
    fs::hard_link(workspace.path("out/cells.csv.0.json"), workspace.path("out/cells.csv"))
        .expect("it is free");
    let before = workspace.read("out/cells.csv");
    let arguments =
        ["study", "study.yaml", "--output-dir", "out", "--set", "from_data.data_stem=out/cells.csv"];
    let error = workspace.fail(&arguments, 6);
    assert!(error.contains("out/cells.csv is an input"), "{error}");
    assert_eq!(workspace.read("out/cells.csv"), before);
}

#[cfg(unix)]
#[test]
fn force_replaces_neither_links_nor_devices_nor_fifos_nor_directories() {
    let workspace = workspace();
    let made = workspace.shell("mkdir deep && mkfifo deep/fifo && ln -s ../kept deep/link && ln -s nowhere deep/broken && mkdir deep/directory && echo kept >kept");
    assert_eq!(made.code, 0, "{}", made.stderr);
    for (name, what) in [
        ("deep/fifo", "it is a FIFO; only regular files are replaced"),
        ("deep/link", "it is a symbolic link; only regular files are replaced"),
        ("deep/broken", "it is a symbolic link; only regular files are replaced"),
        ("/dev/null", "it is a device; only regular files are replaced"),
        ("deep/directory", "it is a directory; only regular files are replaced"),
    ] {
        let error = workspace.fail(&["tasks", "set", "--output", name, "--force"], 6);
        assert!(error.contains(what), "{name}: {error}");
        let error = workspace.fail(&["tasks", "set", "--output", name], 6);
        assert!(error.contains("already exists"), "{name}: {error}");
    }
    assert_eq!(workspace.text("kept"), "kept\n");
    let kinds = workspace.shell("test -p deep/fifo && test -L deep/link && test -L deep/broken && test -d deep/directory && test -c /dev/null");
    assert_eq!(kinds.code, 0);
    // The directory has the name of a rank's file, which `--force` would remove.
    let made = workspace.shell("cp set.0.json new.0.json && mkdir new.7.json && touch new.7.json/kept");
    assert_eq!(made.code, 0, "{}", made.stderr);
    let error = workspace.fail(&["convert", "set", "new", "--force"], 6);
    assert!(error.contains("new.7.json"), "{error}");
    assert!(workspace.path("new.7.json/kept").is_file());
}

/// A log is appended to an existing file, so a link to a data file is refused.
#[cfg(unix)]
#[test]
fn a_log_replaces_no_other_name_of_the_data() {
    for link in ["ln -s set.1.json log.txt", "ln set.1.json log.txt"] {
        let workspace = workspace();
        assert_eq!(workspace.shell(link).code, 0);
        let before = workspace.files(".");
        let error = workspace.fail(&["run", "run.yaml", "--set", "log_to_file=log.txt"], 3);
        assert!(error.contains("is an input file; choose another name"), "{error}");
        assert_eq!(workspace.files("."), before);
    }
}
