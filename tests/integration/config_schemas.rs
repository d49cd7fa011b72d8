// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON Schemas of configurations, applied by an independent validator: Python's modules jsonschema and yaml.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::peers::skip;
use crate::workspace::Workspace;

/// Kinds of configurations, and the files of their schemas.
const SCHEMAS: [(&str, &str); 2] = [("run", "run.schema.json"), ("study", "study.schema.json")];

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

#[test]
fn schemas_are_printed_as_committed() {
    let workspace = Workspace::new();
    for (kind, file) in SCHEMAS {
        let committed = fs::read_to_string(repository("schemas").join(file)).expect("the file is there");
        assert!(
            workspace.succeed(&["config", "--schema", kind]) == committed,
            "schemas/{file} is not up to date"
        );
    }
    assert_eq!(workspace.succeed(&["config", "--schema"]), workspace.succeed(&["config", "--schema", "run"]));
}

/// Asserts that files conform to a schema, or that none does. Does nothing if Python or a module is missing.
#[track_caller]
fn assert_conform(kind: &str, files: &[PathBuf], expected: bool) {
    let python = std::env::var("LBAF_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_modules = Command::new(&python).args(["-c", "import jsonschema, yaml"]).output();
    if !has_modules.is_ok_and(|done| done.status.success()) {
        return skip("Python lacks the module jsonschema or yaml");
    }
    // Numeric keys become strings, as in JSON.
    let script = "import json, jsonschema, sys, yaml\n\
                  validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))\n\
                  validator.check_schema(validator.schema)\n\
                  for path in sys.argv[2:]:\n    \
                      document = json.loads(json.dumps(yaml.safe_load(open(path))))\n    \
                      errors = [error.message[:200] for error in validator.iter_errors(document)]\n    \
                      print(not errors, path, *errors)";
    let (_, schema) = SCHEMAS.iter().find(|(known, _)| *known == kind).expect("a known kind");
    let schema = repository("schemas").join(schema);
    let done =
        Command::new(&python).args(["-c", script]).arg(schema).args(files).output().expect("it ran before");
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(said.lines().count(), files.len());
    let word = if expected { "True" } else { "False" };
    assert!(said.lines().all(|line| line.starts_with(word)), "{said}");
}

fn yaml_files(directory: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(repository(directory)).expect("a directory of the repository");
    let files = entries.map(|entry| entry.expect("readable").path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "yaml")).collect()
}

#[test]
fn configurations_of_the_project_conform_and_are_valid() {
    for (kind, directory) in [("run", "configs"), ("study", "configs/studies")] {
        let files = yaml_files(directory);
        assert!(files.len() > 3);
        assert_conform(kind, &files, true);
        let workspace = Workspace::new();
        for file in &files {
            let file = file.to_str().expect("UTF-8");
            assert_eq!(workspace.succeed(&["validate", file]), "1 file is valid\n");
            // A comment tells editors the schema.
            let text = fs::read_to_string(file).expect("readable");
            let schema = text.lines().find_map(|line| line.strip_prefix("# yaml-language-server: $schema="));
            let schema =
                Path::new(file).with_file_name(schema.unwrap_or_else(|| panic!("{file}: no schema")));
            assert!(schema.is_file(), "{file}: {}", schema.display());
        }
    }
}

#[test]
fn configurations_of_init_conform() {
    let workspace = Workspace::new();
    for data in ["machine", "quartet"] {
        workspace.copy(&repository("examples").join(data), data);
    }
    // Further data sets: listed objects, files with two suffixes, and no objects.
    workspace.succeed(&[
        "make",
        repository("examples/listed.yaml").to_str().expect("UTF-8"),
        "listed/load",
        "-q",
    ]);
    workspace.write("odd/data.0.old.json", workspace.read("quartet/data.0.json"));
    workspace.write("odd/data.0.json", workspace.read("quartet/data.0.json"));
    workspace.write("none/data.0.json", r#"{"phases":[]}"#);
    let mut files = Vec::new();
    for data in ["machine", "quartet", "listed", "odd/data", "none"] {
        let is_odd = data.starts_with("odd");
        let name = format!("{}.yaml", data.replace('/', "_"));
        let suffix: &[&str] = if is_odd { &["--suffix", "old.json"] } else { &[] };
        workspace.succeed(&[&["init", data, "--output", &name], suffix].concat());
        let text = workspace.text(&name);
        assert_eq!(text.contains("\n  suffix: \"old.json\"\n"), is_odd, "{text}");
        let commented = ["  # ranks_per_node", "    # upper_bounds"];
        let all = commented.iter().fold(text, |text, key| text.replace(key, &key.replace("# ", "")));
        let all_name = format!("all_{name}");
        workspace.write(&all_name, all);
        for name in [name, all_name] {
            workspace.succeed(&["validate", "--quiet", &name]);
            if data != "none" {
                workspace.succeed(&["run", "--dry-run", "--quiet", &name]);
            }
            files.push(workspace.path(&name));
        }
    }
    assert_conform("run", &files, true);
}

/// Valid configurations, whose lines are replaced by wrong ones.
const RUN: &str = "\
from_data: {data_stem: data, phase_ids: 0-3}
work_model: {name: CCM, parameters: {beta: 1.0e-9, upper_bounds: {max_memory_usage: 1.0e+9}}}
algorithm: {name: TemperedLB, parameters: {iters: 4}}
write_JSON: {compressed: true, quality: 5}
plots: {formats: [svg], charts: [rank_loads], width: one_column}
seed: 3
denoise: {detector: mad, threshold: 3.5}
simulation: {load_model: NaivePersistence, schedule: {every: 2}, costs: {bandwidth: 1.0e+9}}
logging_level: info
";
const STUDY: &str = "\
base: []
configuration: {from_data: {data_stem: data}}
axes: {algorithm.name: [LPT, Greedy], seed: 0-2}
command: run
combine: {sample: 4, seed: 1}
time_limit: 10
report: {digits: 3, confidence: 0.9}
plots: none
output_dir: out
";

/// Wrong lines: kind, number of the line, and the new line.
const WRONG: [(&str, usize, &str); 49] = [
    ("run", 1, "from_dat: {data_stem: data}"),
    ("run", 1, "from_data: {phase_ids: 0-3}"),
    ("run", 1, "from_data: {data_stem: 3}"),
    ("run", 1, "from_data: {data_stem: data, phase_ids: [-1]}"),
    ("run", 1, "from_data: {data_stem: data, ranks_per_node: 0}"),
    ("run", 1, "from_data: {data_stem: data, ranks_per_node: many}"),
    ("run", 1, "from_data: {data_stem: data, communication_types: [SendReceive]}"),
    ("run", 1, "from_data: {data_stem: data, absent_endpoints: keep}"),
    ("run", 1, "from_data: {data_stem: data, subphases: 1}"),
    ("run", 1, "from_samplers: {n_objects: 3, load_sampler: {name: constant, parameters: [1]}}"),
    ("run", 1, "from_samplers: {n_ranks: 2, n_objects: 3, load_sampler: {name: normale, parameters: [1]}}"),
    ("run", 2, "work_model: {name: Affine}"),
    ("run", 2, "work_model: {name: CCM, parameters: {bta: 1}}"),
    ("run", 2, "work_model: {name: CCM, parameters: {beta: much}}"),
    ("run", 2, "work_model: {name: CCM, parameters: {memory: all}}"),
    ("run", 2, "work_model: [CCM]"),
    ("run", 2, "work_model: {name: CCM, parameters: {beta: -1}}"),
    ("run", 2, "work_model: {name: CCM, parameters: {upper_bounds: {memory: 3}}}"),
    ("run", 3, "algorithm: {name: TemperedLP}"),
    ("run", 3, "algorithm: {parameters: {iters: 4}}"),
    ("run", 3, "algorithm: {name: TemperedLB, lb_config: lb.conf}"),
    ("run", 3, "algorithm: {name: TemperedLB, parameters: {iter: 4}}"),
    ("run", 3, "algorithm: {name: TemperedLB, parameters: {iters: -1}}"),
    ("run", 3, "algorithm: {name: TemperedLB, parameters: {transfer: Copy}}"),
    ("run", 3, "algorithm: {name: Greedy, parameters: {iters: 4}}"),
    ("run", 3, "algorithm: {name: TemperedLB, placement: kept}"),
    ("run", 3, "algorithm: {name: External}"),
    ("run", 3, "algorithm: {name: External, parameters: {time_limit: 3}}"),
    ("run", 3, "algorithm: {name: PrescribedPermutation, parameters: null}"),
    ("run", 4, "write_JSON: {compress: true}"),
    ("run", 4, "write_JSON: {empty_ranks: ignore}"),
    ("run", 5, "plots: {formats: [jpg]}"),
    ("run", 5, "plots: {charts: [rank_load]}"),
    ("run", 5, "plots: some"),
    ("run", 6, "seed: three"),
    ("run", 7, "denoise: {detector: mean}"),
    ("run", 8, "simulation: {load_model: Naive}"),
    ("run", 8, "simulation: {schedule: sometimes}"),
    ("run", 8, "simulation: {costs: {bandwith: 1}}"),
    ("run", 9, "logging_level: loud"),
    ("study", 1, "base: 3"),
    ("study", 2, "configuration: [1]"),
    ("study", 3, "axes: [seed]"),
    ("study", 3, "axes: {seed: 3}"),
    ("study", 4, "command: walk"),
    ("study", 5, "combine: {n: 4}"),
    ("study", 6, "time_limit: soon"),
    ("study", 7, "report: {digit: 3}"),
    ("study", 9, "output: out"),
];

#[test]
fn wrong_configurations_are_refused_by_schema_and_command() {
    let workspace = Workspace::new();
    for (kind, valid) in [("run", RUN), ("study", STUDY)] {
        workspace.write("valid.yaml", valid);
        assert_eq!(workspace.succeed(&["validate", "valid.yaml"]), "1 file is valid\n");
        assert_conform(kind, &[workspace.path("valid.yaml")], true);
        let cases = WRONG.iter().filter(|(of, ..)| *of == kind);
        let mut files = Vec::new();
        for (position, (_, number, line)) in cases.enumerate() {
            let mut lines: Vec<&str> = valid.lines().collect();
            lines[number - 1] = line;
            let name = format!("{kind}{position}.yaml");
            workspace.write(&name, lines.join("\n"));
            let said = workspace.lbaf(&["validate", &name]);
            assert_eq!(said.code, 4, "{line}: {}{}", said.stdout, said.stderr);
            assert!(said.stdout.starts_with(&format!("{name}:{number}:")), "{line}: {}", said.stdout);
            files.push(workspace.path(&name));
        }
        assert_conform(kind, &files, false);
    }
}

/// `null` stands for an empty mapping.
#[test]
fn sections_without_content_are_accepted_by_schema_and_command() {
    let workspace = Workspace::new();
    let cases = [
        ("run", 2, "work_model: null"),
        ("run", 2, "work_model: {name: CCM, parameters: null}"),
        ("run", 2, "work_model: {name: CCM, parameters: {upper_bounds: null, rank_alpha: null}}"),
        ("run", 2, "work_model: {name: CCM, parameters: {upper_bounds: {number_of_objects: 3}}}"),
        ("run", 3, "algorithm: {name: TemperedLB, parameters: null}"),
        ("run", 8, "simulation: null"),
        (
            "study",
            2,
            "configuration: {from_data: {data_stem: data}, work_model: null, algorithm: {name: External}}",
        ),
    ];
    for (position, (kind, number, line)) in cases.into_iter().enumerate() {
        let name = format!("{position}.yaml");
        let mut lines: Vec<&str> = if kind == "run" { RUN } else { STUDY }.lines().collect();
        lines[number - 1] = line;
        workspace.write(&name, lines.join("\n"));
        let said = workspace.lbaf(&["validate", &name]);
        assert_eq!(said.code, 0, "{line}: {}{}", said.stdout, said.stderr);
        assert_conform(kind, &[workspace.path(&name)], true);
    }
}

/// Returns the places and messages of all errors that `lbaf validate` prints, by file.
fn errors_by_file(workspace: &Workspace, names: &[String]) -> BTreeMap<String, BTreeSet<String>> {
    let arguments: Vec<&str> = ["validate"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let said = workspace.lbaf(&arguments).stdout;
    let mut errors: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in said.lines() {
        if let Some((name, error)) = line.split_once(".yaml:") {
            errors.entry(name.to_owned()).or_default().insert(error.to_owned());
        }
    }
    errors
}

/// Each pair of wrong lines has exactly the errors of both lines.
#[test]
fn two_wrong_lines_have_the_errors_of_both() {
    let workspace = Workspace::new();
    let cases: Vec<(usize, &str)> =
        WRONG.iter().filter(|(kind, ..)| *kind == "run").map(|&(_, number, line)| (number, line)).collect();
    let mut names = Vec::new();
    let mut write = |name: String, wrong: &[(usize, &str)]| {
        let mut lines: Vec<&str> = RUN.lines().collect();
        for &(number, line) in wrong {
            lines[number - 1] = line;
        }
        workspace.write(&format!("{name}.yaml"), lines.join("\n"));
        names.push(format!("{name}.yaml"));
    };
    let mut pairs = Vec::new();
    for (i, &a) in cases.iter().enumerate() {
        write(format!("{i}"), &[a]);
        for (j, &b) in cases.iter().enumerate().skip(i + 1).filter(|(_, b)| b.0 != a.0) {
            write(format!("{i}-{j}"), &[a, b]);
            pairs.push((i, j));
        }
    }
    let errors = errors_by_file(&workspace, &names);
    assert!(pairs.len() > 400, "{}", pairs.len());
    for (i, j) in pairs {
        let both = &errors[&i.to_string()] | &errors[&j.to_string()];
        assert_eq!(errors[&format!("{i}-{j}")], both, "{} and {}", cases[i].1, cases[j].1);
    }
}

#[test]
fn reports_on_configurations_as_json() {
    let workspace = Workspace::new();
    workspace.write("run.yaml", RUN.replace("seed: 3", "seed: x").replace("level: info", "level: loud"));
    workspace.write("study.yaml", STUDY);
    workspace.write("broken.yml", "a: [1\n");
    let said = workspace.lbaf(&["validate", "--json", "run.yaml", "study.yaml", "broken.yml"]);
    assert_eq!(said.code, 4, "{}", said.stderr);
    let report: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!([&report["n_files"], &report["n_invalid"], &report["n_errors"]], [3, 2, 3]);
    let of = |key: &str| {
        let files = report["files"].as_array().expect("a list");
        files.iter().map(|file| file[key].clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("type"), ["configuration of a run".into(), "study".into(), serde_json::Value::Null]);
    assert_eq!(of("n_errors"), [2, 0, 1]);
    let finding = &report["files"][0]["findings"][1];
    let message = finding["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("run.yaml:9:16: logging_level: unknown value `loud`"), "{message}");
    let place = ["line", "column", "pointer"].map(|key| &finding[key]);
    assert_eq!(place, [&9.into(), &16.into(), &serde_json::Value::from("/logging_level")]);
    assert_eq!(report["files"][2]["findings"][0]["line"].as_u64(), Some(1), "{}", said.stdout);
    // `n_errors` also counts errors that are not shown.
    let said = workspace.lbaf(&["validate", "--json", "--limit", "1", "run.yaml"]);
    let report: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!(report["n_errors"], 2);
    assert_eq!(report["files"][0]["findings"].as_array().map(Vec::len), Some(1));
    let said = workspace.lbaf(&["validate", "--limit", "1", "run.yaml"]);
    assert!(said.stdout.contains("run.yaml: and 1 more; --all shows them\n"), "{}", said.stdout);
    assert!(said.stdout.ends_with("1 file: 1 invalid, 2 errors\n"), "{}", said.stdout);
}

#[test]
fn specifications_are_recognized() {
    let workspace = Workspace::new();
    for file in ["machine.yaml", "quartet.yaml", "listed.yaml"] {
        let path = repository("examples").join(file);
        let said = workspace.lbaf(&["validate", path.to_str().expect("UTF-8"), "--json"]);
        let report: serde_json::Value = serde_json::from_str(&said.stdout).expect("JSON");
        assert_eq!(report["files"][0]["type"], "specification of data", "{}", said.stdout);
        assert_eq!((said.code, &*said.stderr), (0, ""), "{file}");
        let text = fs::read_to_string(path).expect("readable");
        let wrong = text.replace("n_objects: ", "n_objects: -").replace("time: ", "time: -");
        workspace.write(file, wrong);
        let said = workspace.lbaf(&["validate", file]);
        assert_eq!(said.code, 4, "{}", said.stdout);
        assert!(said.stdout.starts_with(&format!("{file}:")), "{}", said.stdout);
    }
}

#[test]
fn yaml_files_of_a_directory_are_configurations_and_those_of_a_stem_are_data() {
    let workspace = Workspace::new();
    workspace.write("configs/run.yaml", RUN);
    workspace.write("configs/study.yml", STUDY);
    workspace.write("configs/other.yaml", "services: {web: 1}\n");
    let said = workspace.lbaf(&["validate", "configs"]);
    assert_eq!((said.code, &*said.stdout), (0, "2 files are valid\n"), "{}", said.stderr);
    assert_eq!(
        said.stderr,
        "note: files and directories that are not named like data files are not checked (1): configs/other.yaml\n\
         note: the data of 2 configurations were not checked; `lbaf run --dry-run` checks them\n"
    );
    let data = fs::read(repository("examples/quartet/data.0.json")).expect("readable");
    workspace.write("data/set.0.yaml", data);
    for arguments in [&["data/set"][..], &["data", "--suffix", "yaml"]] {
        let said = workspace.lbaf(&[&["validate"], arguments].concat());
        assert_eq!((said.code, &*said.stdout), (0, "1 file is valid\n"), "{}", said.stderr);
        assert_eq!(said.stderr, "");
    }
}
