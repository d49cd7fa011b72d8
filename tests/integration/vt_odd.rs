// SPDX-License-Identifier: MIT OR Apache-2.0
//! Unusual data sets with vt's behaviour on each, measured on vt: `validate --vt` must agree, and files for
//! OfflineLB must not contain such content.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::peers::skip;
use crate::workspace::{CommandOutput, Workspace};

/// vt's behaviour on a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Fine,
    Crash,
    Misread,
}

/// Returns the sets with vt's verdicts; `None`, with a message, where they are not available.
fn sets() -> Option<(PathBuf, BTreeMap<String, Verdict>)> {
    let directory = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/reference/vt-odd"));
    let Ok(verdicts) = std::fs::read_to_string(directory.join("verdicts.tsv")) else {
        skip("there is no ../shared/reference/vt-odd");
        return None;
    };
    let row = |line: &str| {
        let mut cells = line.split('\t');
        let name = cells.next().expect("a name").to_owned();
        let verdict = match cells.next().expect("a verdict") {
            "fine" => Verdict::Fine,
            "crash" => Verdict::Crash,
            "misread" => Verdict::Misread,
            other => panic!("{name}: the verdict {other}"),
        };
        (name, verdict)
    };
    let sets: BTreeMap<String, Verdict> = verdicts.lines().skip(1).map(row).collect();
    assert!(sets.len() >= 65, "{} sets", sets.len());
    Some((directory.to_owned(), sets))
}

/// Processes every set, on all processors, and prints a line for each.
fn of_each(header: &str, of: impl Fn(&Workspace, &str, Verdict) -> String + Sync) {
    let Some((directory, sets)) = sets() else { return };
    let lines = Mutex::new(BTreeMap::new());
    let queue = Mutex::new(sets.iter());
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_threads {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("no panic").next();
                    let Some((name, &verdict)) = next else { break };
                    let workspace = Workspace::new();
                    workspace.copy(&directory.join(name), ".");
                    let line = of(&workspace, name, verdict);
                    lines.lock().expect("no panic").insert(name, line);
                }
            });
        }
    });
    let mut table = header.to_owned();
    for (name, line) in lines.into_inner().expect("no panic") {
        let _ = write!(table, "\n{name:<18} {line}");
    }
    print(&table);
}

#[allow(clippy::print_stderr, reason = "the table is the result of the test")]
fn print(table: &str) {
    eprintln!("{table}");
}

/// Returns the severity of the worst finding of a validation.
fn severity(said: &CommandOutput) -> &'static str {
    match said.code {
        4 => "error",
        0 if said.stdout.contains(": warning: ") => "warning",
        0 => "-",
        code => panic!("exit code {code}: {}", said.stderr),
    }
}

#[test]
fn validate_agrees_with_vt_on_odd_sets() {
    of_each("set                vt      validate --vt  read by info", |workspace, name, verdict| {
        let said = workspace.lbaf(&["validate", "--vt", "."]);
        let ours = severity(&said);
        let expected: &[&str] = match verdict {
            // New objects are not an error of the file, but vt does not place them.
            Verdict::Misread if name.starts_with("new") => &["warning"],
            Verdict::Crash | Verdict::Misread => &["error"],
            Verdict::Fine => &["-", "warning"],
        };
        assert!(expected.contains(&ours), "{name}: vt: {verdict:?}, lbaf: {ours}: {}", said.stdout);
        let read = workspace.lbaf(&["info", "odd"]);
        assert!([0, 4].contains(&read.code), "{name}: {}", read.stderr);
        let read = if read.code == 0 { "yes" } else { "refused" };
        format!("{:<7} {ours:<14} {read}", format!("{verdict:?}").to_lowercase())
    });
}

/// Sets that are read but cannot be written for vt, because the identity of an object or the meaning of a
/// record would change.
const REFUSED: [&str; 7] =
    ["bits_nonmig", "comm_nodeend", "comm_nomsg", "home_ge_P", "index_str", "no_mig", "no_node"];

#[test]
fn offline_output_of_odd_sets_is_fit_for_vt() {
    for strategy in ["Greedy", "Rotate"] {
        of_each(&format!("set                reading  offline output ({strategy})"), |workspace, name, _| {
            let is_read = workspace.lbaf(&["info", "odd"]).code == 0;
            workspace.write(
                "run.yaml",
                format!(
                    "from_data: {{data_stem: odd}}\noutput_dir: out\nplots: none\nalgorithm: {{name: {strategy}}}\n\
                     write_JSON: {{compressed: false, offline_lb_compatible: true}}"
                ),
            );
            let said = workspace.lbaf(&["run", "run.yaml"]);
            if !is_read {
                assert_eq!(said.code, 4, "{name}: {}", said.stderr);
                return "refused  -".to_owned();
            }
            assert_eq!(said.code == 4, REFUSED.contains(&name), "{name}: {}", said.stderr);
            if said.code == 4 {
                assert!(said.stderr.contains("vt cannot read the files"), "{name}: {}", said.stderr);
                assert!(!workspace.path("out").exists(), "{name}");
                let reason = said.stderr.split("the first findings: ").nth(1).unwrap_or_default();
                return format!(
                    "read     refused: {}",
                    reason.split("; odd").next().unwrap_or_default().trim_end()
                );
            }
            assert_eq!(said.code, 0, "{name}: {}", said.stderr);
            let validated = workspace.lbaf(&["validate", "--vt", "out/output_file"]);
            assert_eq!(validated.code, 0, "{name}: {}", validated.stdout);
            let mended: Vec<&str> = said.stderr.lines().filter(|line| is_mended(line)).collect();
            let mended = mended.iter().map(|line| line.trim_start_matches("warning: ")).collect::<Vec<_>>();
            if mended.is_empty() {
                "read     clean".to_owned()
            } else {
                format!("read     mended: {}", mended.join("; "))
            }
        });
    }
}

/// True if a warning of a run states that its files differ from the input.
fn is_mended(warning: &str) -> bool {
    ["files for OfflineLB: ", "own no migratable object", "was left out"]
        .iter()
        .any(|part| warning.contains(part))
}
