// SPDX-License-Identifier: MIT OR Apache-2.0
//! `docs/results.md` documents every column and every key that commands write, in a section for each file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use crate::vom::{packed, send, task};
use crate::workspace::Workspace;

/// Keys of objects that map file names to values. Only keys inside these values need documentation.
const FILES: [&str; 2] = ["files", "outputs"];

/// Keys of objects whose own keys come from the data, such as names of parameters or types.
const OF_DATA: [&str; 7] =
    ["parameters", "counted", "other_types", "absent_endpoints", "values", "arguments", "warnings"];

/// Words in code spans of each section, by the files in its heading.
struct Documented(BTreeMap<String, BTreeSet<String>>);

impl Documented {
    fn read() -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/results.md");
        let text = std::fs::read_to_string(file).expect("the document is there");
        let mut sections: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for section in text.split("\n### ").skip(1) {
            let (heading, body) = section.split_once('\n').expect("a heading has a line");
            // Every second piece is a code span; a path documents each of its parts.
            let marked = body.split('`').skip(1).step_by(2);
            let words: BTreeSet<String> = marked
                .flat_map(|span| [vec![span], span.split(['.', '[', ']']).collect()].concat())
                .map(str::to_owned)
                .collect();
            for name in heading.split(", ") {
                sections.entry(name.to_owned()).or_default().extend(words.iter().cloned());
            }
        }
        Documented(sections)
    }

    /// Returns the columns or keys of a file that its section lacks, or a message that the section is missing.
    fn missing(&self, name: &str, words: &BTreeSet<String>) -> Vec<String> {
        let directory =
            |name: &str| Some(format!("{}/*.{}", name.split_once('/')?.0, name.rsplit_once('.')?.1));
        let Some(section) = self.0.get(name).or_else(|| self.0.get(&directory(name)?)) else {
            return vec![format!("{name} has no section")];
        };
        let shared = &self.0["Keys of several files"];
        let is_missing = |word: &&String| !section.contains(*word) && !shared.contains(*word);
        words.iter().filter(is_missing).map(|word| format!("{name}: `{word}`")).collect()
    }
}

/// Collects all keys of a document except names from the data.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                found.insert(key.clone());
                match member {
                    Value::Object(files) if FILES.contains(&&**key) => {
                        files.values().for_each(|file| keys(file, found));
                    }
                    Value::Object(_) if OF_DATA.contains(&&**key) => {}
                    member => keys(member, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        _ => {}
    }
}

fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Returns the columns of a table or the keys of a JSON document; an empty set for other files.
fn words_of(name: &str, bytes: &[u8]) -> BTreeSet<String> {
    if extension(name) == "json" {
        let mut found = BTreeSet::new();
        keys(&serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("{name}: {error}")), &mut found);
        return found;
    }
    let text = String::from_utf8_lossy(bytes);
    let heads = text.lines().next().unwrap_or_default();
    // Charts have units after the names of columns.
    let unit = |head: &str| {
        let bare = head.strip_suffix("_s").or_else(|| head.strip_suffix("_bytes"));
        bare.filter(|_| name.starts_with("plots/")).unwrap_or(head).trim().to_owned()
    };
    heads.split(',').map(unit).filter(|head| !head.is_empty()).collect()
}

/// Returns the undocumented columns and keys, except `of_data`, of the files that a command wrote into a directory.
fn missing_of(
    documented: &Documented,
    workspace: &Workspace,
    directory: &str,
    of_data: &[&str],
) -> Vec<String> {
    let mut missing = BTreeSet::new();
    for (name, bytes) in workspace.files(directory) {
        let is_data = name
            .strip_suffix(".json")
            .is_some_and(|stem| stem.rsplit('.').next().is_some_and(|rank| rank.parse::<u32>().is_ok()));
        if !is_data && ["csv", "json"].contains(&extension(&name)) {
            let mut words = words_of(&name, &bytes);
            words.retain(|word| !of_data.contains(&&**word));
            missing.extend(documented.missing(&name, &words));
        }
    }
    missing.into_iter().collect()
}

/// Two ranks on two hosts with three tasks each in six phases, and an anomaly in phase 3.
/// Tasks have subphases, memory, blocks, and messages.
fn recorded() -> Workspace {
    let workspace = Workspace::new();
    for rank in 0..2_u64 {
        let made = |id: u64, phase: u64| {
            let time = (id + rank) as f64 * if (rank, id, phase) == (1, 2, 3) { 10.0 } else { 1.0 };
            let mut task = task(packed(id, rank), rank, time);
            task["subphases"] = json!([{"id": 0, "time": time / 2.0}, {"id": 1, "time": time / 2.0}]);
            task["user_defined"] = json!({
                "task_footprint_bytes": 1024 * id, "task_serialized_bytes": 512, "shared_block_id": rank, "shared_bytes": 4096,
                "home_rank": rank,
            });
            task
        };
        let phase = |phase: u64| {
            let tasks: Vec<Value> = (1..4).map(|id| made(id, phase)).collect();
            let edge =
                |id: u64| send((packed(id, rank), rank), (packed(id, 1 - rank), 1 - rank), 100.0 * id as f64);
            json!({"id": phase, "tasks": tasks, "communications": (1..4).map(edge).collect::<Vec<Value>>()})
        };
        let phases: Vec<Value> = (0..6).map(phase).collect();
        let attributes = json!({"Hostname": format!("host{rank}")});
        let metadata = json!({"type": "LBDatafile", "rank": rank, "attributes": attributes});
        workspace
            .write(&format!("set.{rank}.json"), json!({"metadata": metadata, "phases": phases}).to_string());
    }
    workspace
}

const RUN: &str = "
from_data: {data_stem: set, subphases: true}
work_model: {name: AffineCombination, parameters: {beta: 1.0e-6, upper_bounds: {max_memory_usage: 1.0e+6}}}
algorithm: {name: TemperedLB, phase_id: all, parameters: {iters: 2}}
denoise: true
write_JSON: {compressed: false}
output_dir: out
plots: {formats: [svg], charts: all}
";

#[test]
fn every_file_of_a_run_is_documented() {
    let (documented, workspace) = (Documented::read(), recorded());
    workspace.write("run.yaml", RUN);
    workspace.succeed(&["run", "run.yaml"]);
    assert_eq!(missing_of(&documented, &workspace, "out", &[]), [""; 0]);
    workspace.write("balancers", "0 RotateLB\n%2 GreedyLB\n");
    for (number, settings) in [
        "algorithm={name: LocalSearch}",
        "algorithm={name: TemperedLB, parameters: {transfer: SwapClusters}}",
        "algorithm={phase_id: all, lb_config: balancers}",
        "work_model={name: LoadOnly, parameters: {upper_bounds: {max_memory_usage: 10}}}",
    ]
    .into_iter()
    .enumerate()
    {
        let directory = format!("out{number}");
        let run = ["run", "run.yaml", "--set", "plots=none", "--set", settings, "--output-dir", &directory];
        let said = workspace.lbaf(&run);
        assert!(said.code == 0 || said.code == 5, "{settings}: {}", said.stderr);
        assert_eq!(missing_of(&documented, &workspace, &directory, &[]), [""; 0], "{settings}");
    }
}

#[test]
fn every_file_of_simulations_and_studies_is_documented() {
    let (documented, workspace) = (Documented::read(), recorded());
    workspace.write(
        "run.yaml",
        RUN.replace("subphases: true", "subphases: false")
            + "simulation: {schedule: {every: 2}, costs: {bandwidth: 1.0e+9}}\n",
    );
    workspace.succeed(&["simulate", "run.yaml", "--set", "plots={formats: [svg]}"]);
    assert_eq!(missing_of(&documented, &workspace, "out", &[]), [""; 0]);
    let machine = "simulation.machine={n_ranks: 4, lost: [{rank: 1, from_phase: 3}], objects: {split: 2}}";
    workspace.succeed(&[
        "simulate",
        "run.yaml",
        "--set",
        "plots=none",
        "--set",
        machine,
        "--output-dir",
        "other",
    ]);
    assert_eq!(missing_of(&documented, &workspace, "other", &[]), [""; 0]);
    for command in ["run", "simulate"] {
        let study = format!(
            "command: {command}\nbase: run.yaml\nconfiguration: {{algorithm: {{phase_id: 0}}}}\naxes:\n  strategy: {{LPT: {{algorithm: {{name: LPT}}}}, Tempered: {{}}}}\n  \
             seed: 0-1\noutput_dir: {command}\nplots: {{formats: [svg]}}\n"
        );
        workspace.write("study.yaml", study);
        workspace.succeed(&["study", "study.yaml"]);
        // Names of axes, competitors and endpoints of intervals come from the study.
        let axes =
            ["strategy", "seed", "LPT", "Tempered", "LPT from", "LPT to", "Tempered from", "Tempered to"];
        let quantities: BTreeSet<String> =
            words_of("cells.csv", &workspace.read(&format!("{command}/cells.csv")));
        let of_data: Vec<&str> = axes.into_iter().chain(quantities.iter().map(String::as_str)).collect();
        let cells = missing_of(&documented, &workspace, command, &of_data);
        assert_eq!(cells, [""; 0], "{command}");
        let mut columns = quantities.clone();
        columns.retain(|column| !axes.contains(&&**column));
        assert_eq!(documented.missing("cells.csv", &columns), [""; 0], "{command}");
    }
}

#[test]
fn every_file_and_output_of_other_commands_is_documented() {
    let (documented, workspace) = (Documented::read(), recorded());
    workspace.succeed(&["anomalies", "set", "--output-dir", "noise"]);
    assert_eq!(missing_of(&documented, &workspace, "noise", &[]), [""; 0]);
    workspace.write("run.yaml", RUN.replace("plots: {formats: [svg], charts: all}", "plots: none"));
    workspace.succeed(&["run", "run.yaml"]);
    workspace.write("balancers", "0 RotateLB\n%2 GreedyLB min=0.5\n");
    workspace.write("windows", "%4 -1 1\n");
    workspace.write(
        "bad.json",
        "{\"metadata\": {\"type\": \"LBDatafile\", \"rank\": 0}, \"phases\": [{\"id\": -1}]}",
    );
    for (directory, detector) in [("first", "sstd"), ("second", "hbos"), ("third", "mad")] {
        workspace.succeed(&["provenance", "export", "set", directory, "--detector", detector]);
    }
    for (heading, arguments) in [
        ("lbaf info --json", &["info", "set"][..]),
        ("lb_statistics.json", &["info", "out/lb_statistics.json"]),
        ("lbaf diff --json", &["diff", "set", "out/output_file"]),
        ("lbaf spec --json", &["spec", "balancers"]),
        ("lbaf spec --json", &["spec", "windows"]),
        ("lbaf validate --json", &["validate", "bad.json"]),
        ("lbaf provenance report --json", &["provenance", "report", "second"]),
        ("lbaf provenance compare --json", &["provenance", "compare", "first", "first"]),
        ("lbaf provenance compare --json", &["provenance", "compare", "second", "second", "--histograms"]),
        ("lbaf provenance compare --json", &["provenance", "compare", "third", "first"]),
    ] {
        let said = workspace.lbaf(&[arguments, &["--json"]].concat());
        let mut found = BTreeSet::new();
        let answer = serde_json::from_str(&said.stdout);
        keys(&answer.unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", said.stderr)), &mut found);
        assert_eq!(documented.missing(heading, &found), [""; 0], "{arguments:?}");
    }
}

/// `examples/balance.rs` is also in `docs/library.md` and in the documentation of the library.
#[test]
fn the_program_in_the_documentation_is_an_example() {
    let read = |name: &str| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name))
            .expect("a file of the project")
    };
    let program = read("examples/balance.rs");
    let is_shown = |line: &&str| !line.starts_with("// SPDX") && !line.starts_with("#![allow");
    let shown: Vec<&str> = program.lines().filter(is_shown).collect();
    assert!(read("docs/library.md").contains(&format!("```rust\n{}\n```\n", shown.join("\n"))));
}
