// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records are written as they were read. If objects move, their ranks change, and the homes of blocks are stated.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use crate::peers::{self, DataSet, JSON, THOUSANDS, peer, run, skip, stem};
use crate::vom::{list, phase, phase_ids, state_homes, without_node};
use crate::workspace::is_fast;

/// Returns a document with its phases in ascending order.
fn sorted(mut document: Value) -> Value {
    if let Some(phases) = document.get_mut("phases").and_then(Value::as_array_mut) {
        phases.sort_by_key(|phase| phase["id"].as_u64());
    }
    document
}

/// Runs a strategy over all phases of a data set and returns the files before and after.
fn before_and_after(set: DataSet, strategy: &str) -> Option<(Vec<Value>, Vec<Value>)> {
    let workspace = peer(set)?;
    let more = format!("algorithm: {{name: {strategy}}}\nwrite_JSON: {{compressed: false}}");
    run(&workspace, set, &more);
    let mut input = workspace.documents(&stem(set));
    state_homes(&mut input);
    let output = workspace.documents("out/output_file");
    assert!(!input.is_empty());
    assert_eq!(input.len(), output.len());
    Some((input, output))
}

/// Returns the identity of an object. For a sentinel, it includes the rank.
fn identity(entity: &Value, rank: usize) -> String {
    let number = entity.get("id").or_else(|| entity.get("seq_id"));
    let sentinel = if entity["migratable"] == false { format!(" on rank {rank}") } else { String::new() };
    format!("{}{sentinel}", number.expect("every entity of these sets has a number"))
}

fn assert_unchanged(set: DataSet) {
    let Some((input, output)) = before_and_after(set, "PhaseStepper") else { return };
    for (rank, (input, output)) in input.into_iter().zip(output).enumerate() {
        // `assert_eq` would print megabytes.
        assert!(sorted(input) == sorted(output), "{set:?}, rank {rank}: the document changed");
    }
}

#[test]
fn objects_that_do_not_move_are_written_as_they_were() {
    for set in JSON {
        assert_unchanged(set);
    }
}

#[test]
fn half_a_million_objects_are_written_as_they_were() {
    if !is_fast() {
        return skip("half a million objects take long without optimization");
    }
    assert_unchanged(THOUSANDS);
}

/// Returns a document without tasks and communication.
fn frame(document: &Value) -> Value {
    let mut document = sorted(document.clone());
    for phase in document["phases"].as_array_mut().expect("a list of phases") {
        let phase = phase.as_object_mut().expect("a phase is an object");
        phase.remove("tasks");
        phase.remove("communications");
    }
    document
}

type Count = BTreeMap<String, usize>;

fn count(items: impl Iterator<Item = String>) -> Count {
    let mut count = Count::new();
    for item in items {
        *count.entry(item).or_default() += 1;
    }
    count
}

/// Phase in all files, before and after objects migrated.
struct MovedPhase<'a> {
    before: Vec<&'a Value>,
    after: Vec<&'a Value>,
}

impl MovedPhase<'_> {
    /// Returns the rank whose file lists each object.
    fn owners(files: &[&Value]) -> HashMap<String, usize> {
        let tasks = |(rank, file)| list(file, "tasks").iter().map(move |task| (rank, task));
        let ranked = files.iter().copied().enumerate().flat_map(tasks);
        ranked.map(|(rank, task)| (identity(&task["entity"], rank), rank)).collect()
    }

    /// Checks that every task is present once, and equal except for `node`, which is the new rank of a moved
    /// object. Returns the number of moved objects.
    fn check_tasks(&self) -> usize {
        let mut before: HashMap<String, (usize, &Value)> = HashMap::new();
        for (rank, file) in self.before.iter().enumerate() {
            before.extend(
                list(file, "tasks").iter().map(|task| (identity(&task["entity"], rank), (rank, task))),
            );
        }
        let n_tasks: usize = self.before.iter().map(|file| list(file, "tasks").len()).sum();
        assert_eq!(before.len(), n_tasks, "two tasks have one identity");
        let mut n_moved = 0;
        for (rank, file) in self.after.iter().enumerate() {
            for task in list(file, "tasks") {
                let object = identity(&task["entity"], rank);
                let (origin, recorded) = before.remove(&object).unwrap_or_else(|| panic!("{object} is new"));
                if origin == rank {
                    assert_eq!(task, recorded);
                } else {
                    n_moved += 1;
                    assert_eq!(task["node"], rank);
                    assert_eq!(without_node(task), without_node(recorded));
                }
            }
        }
        assert!(before.is_empty(), "{} objects are lost", before.len());
        n_moved
    }

    /// Checks that every entry is present as often as before, in the file of the object that logged the entry.
    /// The sender logged the entry if its task was in the same file; otherwise, the same applies to the receiver.
    /// Other entries stay in their file.
    fn check_communications(&self) {
        let owners = Self::owners(&self.after);
        let mut expected: Vec<Vec<String>> = vec![Vec::new(); self.before.len()];
        for (rank, file) in self.before.iter().enumerate() {
            let here: HashSet<String> =
                list(file, "tasks").iter().map(|task| identity(&task["entity"], rank)).collect();
            for entry in list(file, "communications") {
                let ends = ["from", "to"].map(|end| &entry[end]);
                let of_objects = ends.into_iter().filter(|end| end["type"] == "object");
                let mut logger = of_objects
                    .filter(|end| end["migratable"] == true || end["home"] == rank)
                    .map(|end| identity(end, rank))
                    .filter(|object| here.contains(object));
                let owner = logger.next().map_or(rank, |object| owners[&object]);
                expected[owner].push(entry.to_string());
            }
        }
        for (rank, (file, expected)) in self.after.iter().zip(expected).enumerate() {
            let found = list(file, "communications").iter().map(Value::to_string);
            assert!(count(found) == count(expected.into_iter()), "communication of rank {rank} differs");
        }
    }
}

#[test]
fn records_follow_objects_that_move() {
    for set in JSON {
        let Some((input, output)) = before_and_after(set, "Greedy") else { return };
        for (input, output) in input.iter().zip(&output) {
            assert_eq!(frame(input), frame(output), "{set:?}");
        }
        let mut n_moved = 0;
        for id in phase_ids(&input[0]) {
            let moved = MovedPhase {
                before: input.iter().map(|document| phase(document, id)).collect(),
                after: output.iter().map(|document| phase(document, id)).collect(),
            };
            n_moved += moved.check_tasks();
            moved.check_communications();
        }
        let balanced = ["ccm_example", "toy_mem_optimal"];
        assert!(
            n_moved > 0 || balanced.contains(&set.0) || balanced.contains(&set.1),
            "{set:?}: nothing moved"
        );
    }
}

/// The written files and the tables have the same migrations.
#[test]
fn migrations_match_the_files() {
    let set = peers::EIGHT_COLOURS;
    let Some(workspace) = peer(set) else { return };
    run(&workspace, set, "algorithm: {name: Greedy, phase_id: 3}\nwrite_JSON: {compressed: true}");
    let (input, output) = (workspace.documents(&stem(set)), workspace.documents("out/output_file"));
    let owners = |documents: &[Value]| {
        let phases: Vec<&Value> = documents.iter().map(|document| phase(document, 3)).collect();
        MovedPhase::owners(&phases)
    };
    let (before, after) = (owners(&input), owners(&output));
    let mut moved: Vec<String> = before
        .iter()
        .filter(|&(object, rank)| after[object] != *rank)
        .map(|(object, rank)| format!("3,id,{object},{rank},{}", after[object]))
        .collect();
    moved.sort();
    let table = workspace.text("out/migrations.csv");
    let mut rows: Vec<String> =
        table.lines().skip(1).map(|row| row.splitn(6, ',').take(5).collect::<Vec<_>>().join(",")).collect();
    rows.sort();
    assert!(!rows.is_empty());
    assert_eq!(rows, moved);
}
