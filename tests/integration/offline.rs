// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files for vt's OfflineLB, which must also satisfy undocumented requirements of vt.
//! After phase p, vt migrates the objects to the ranks whose files list them under phase p + 1.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use crate::peers::{DataSet, EIGHT_COLOURS, SYNTHETIC_BLOCKS, TOY_MEM, peer, run, stem};
use crate::vom::{list, one_phase, packed, phase, phase_ids, state_homes, task, without_node};
use crate::workspace::Workspace;

const OFFLINE: &str = "algorithm: {name: Greedy}
write_JSON: {compressed: false, offline_lb_compatible: true}";

/// Files of all ranks.
struct Files(Vec<Value>);

impl Files {
    fn read(workspace: &Workspace, stem: &str) -> Self {
        Files(workspace.documents(stem))
    }

    fn tasks(&self, rank: usize, id: u64) -> &[Value] {
        list(phase(&self.0[rank], id), "tasks")
    }

    /// Returns the rank of each entity in a phase.
    fn owners(&self, id: u64) -> BTreeMap<String, usize> {
        let ranked = (0..self.0.len()).flat_map(|rank| self.tasks(rank, id).iter().map(move |t| (t, rank)));
        ranked.map(|(task, rank)| (task["entity"].to_string(), rank)).collect()
    }

    /// Returns all entities of all phases.
    fn entities(&self) -> BTreeSet<String> {
        let phases = self.0.iter().flat_map(|file| list(file, "phases"));
        let tasks = phases.flat_map(|phase| list(phase, "tasks"));
        tasks.map(|task| task["entity"].to_string()).collect()
    }
}

/// Returns rank and task of every object in a phase of the output that the input lacks.
fn added(input: &Files, output: &Files, id: u64) -> Vec<(usize, Value)> {
    let known = input.entities();
    let ranked = (0..output.0.len()).flat_map(|rank| output.tasks(rank, id).iter().map(move |t| (rank, t)));
    ranked
        .filter(|(_, task)| !known.contains(&task["entity"].to_string()))
        .map(|(rank, task)| (rank, task.clone()))
        .collect()
}

/// Checks the properties that vt requires of files for a replay.
fn assert_replayable(output: &Files) {
    for (rank, file) in output.0.iter().enumerate() {
        let ids = phase_ids(file);
        let lists = &file["metadata"]["phases"]["skipped"];
        let mut skipped: BTreeSet<u64> = list(lists, "list").iter().filter_map(Value::as_u64).collect();
        for range in list(lists, "range") {
            skipped.extend(range[0].as_u64().expect("a phase")..=range[1].as_u64().expect("a phase"));
        }
        let last = ids.iter().max().copied().expect("there are phases");
        let declared: Vec<u64> = (0..=last).filter(|id| ids.contains(id) != skipped.contains(id)).collect();
        assert_eq!(
            declared.len() as u64,
            last + 1,
            "rank {rank}: a phase is neither present nor skipped, or both"
        );
        for id in ids {
            let phase = phase(file, id);
            assert!(phase.get("user_defined").is_none(), "rank {rank}, phase {id}: vt's reader crashes");
            let tasks = list(phase, "tasks");
            assert!(
                tasks.iter().any(|task| task["entity"]["migratable"] == true),
                "rank {rank}, phase {id}: no migratable object, which aborts vt"
            );
            for task in tasks {
                let entity = &task["entity"];
                assert!(task["node"].is_u64() && task["time"].is_number() && entity["type"].is_string());
                let has = |key| entity.get(key).is_some();
                assert!(
                    has("migratable")
                        && (has("id") || ["seq_id", "collection_id", "home"].into_iter().all(has))
                );
            }
        }
    }
}

/// Runs Greedy for OfflineLB; returns the files before and after.
fn replayable(set: DataSet, more: &str) -> Option<(Files, Files)> {
    let workspace = peer(set)?;
    run(&workspace, set, more);
    let (mut input, output) =
        (Files::read(&workspace, &stem(set)), Files::read(&workspace, "out/output_file"));
    state_homes(&mut input.0);
    assert_eq!(input.0.len(), output.0.len());
    assert_replayable(&output);
    Some((input, output))
}

#[test]
fn the_balanced_phase_is_unchanged_and_the_next_one_has_the_new_map() {
    for (set, dummies) in [(SYNTHETIC_BLOCKS, &[3][..]), (TOY_MEM, &[])] {
        let Some((input, output)) = replayable(set, OFFLINE) else { return };
        assert_eq!(phase_ids(&output.0[0]), [0, 1]);
        let (recorded, mapped) = (input.owners(0), output.owners(1));
        for rank in 0..input.0.len() {
            // As recorded: the same tasks in the same order, followed by added objects.
            let tasks = input.tasks(rank, 0);
            assert_eq!(&output.tasks(rank, 0)[..tasks.len()], tasks);
            assert_eq!(
                list(phase(&output.0[rank], 0), "communications"),
                list(phase(&input.0[rank], 0), "communications")
            );
            for task in output.tasks(rank, 1) {
                assert_eq!(task["node"], rank);
            }
        }
        // Entities are unchanged, including homes and kinds of ids.
        assert!(recorded.keys().all(|entity| mapped.contains_key(entity)));
        assert!(recorded.iter().any(|(entity, rank)| mapped[entity] != *rank), "nothing moved");
        let tasks = |files: &Files, id| -> BTreeSet<String> {
            let tasks = (0..files.0.len()).flat_map(|rank| files.tasks(rank, id));
            tasks.map(|task| without_node(task).to_string()).collect()
        };
        assert!(tasks(&output, 1).is_superset(&tasks(&input, 0)));
        for id in [0, 1] {
            let ranks: Vec<usize> = added(&input, &output, id).into_iter().map(|(rank, _)| rank).collect();
            assert_eq!(ranks, dummies, "{set:?}, phase {id}");
        }
    }
}

#[test]
fn objects_added_for_vt_have_no_load_and_resemble_the_others() {
    let Some((input, output)) = replayable(SYNTHETIC_BLOCKS, OFFLINE) else { return };
    // Like objects 0 to 8, the added object 9 has a `seq_id` and no `id`.
    let dummy = json!({
        "entity": {"collection_id": 7, "home": 3, "migratable": true, "seq_id": 9, "type": "object"},
        "node": 3,
        "resource": "cpu",
        "time": 0.0,
    });
    for id in [0, 1] {
        assert_eq!(added(&input, &output, id), [(3, dummy.clone())]);
    }
}

/// All objects are on rank 0 of three.
#[test]
fn packed_ids_are_given_to_added_objects_of_packed_sets() {
    let workspace = Workspace::new();
    let tasks = [task(packed(1, 0), 0, 1.0), task(packed(4, 0), 0, 1.0)];
    workspace.write("data.0.json", one_phase(0, &tasks, &[]));
    workspace.write("data.1.json", one_phase(1, &[], &[]));
    workspace.write("data.2.json", one_phase(2, &[], &[]));
    workspace.write(
        "run.yaml",
        format!("from_data: {{data_stem: data}}\noutput_dir: out\nplots: none\n{OFFLINE}"),
    );
    workspace.succeed(&["run", "run.yaml"]);
    let (input, output) = (Files::read(&workspace, "data"), Files::read(&workspace, "out/output_file"));
    assert_replayable(&output);
    // 5 is the first unused sequence number. Added objects have their homes on the ranks without objects.
    let ids: Vec<_> =
        added(&input, &output, 0).iter().map(|(_, task)| task["entity"]["id"].clone()).collect();
    assert_eq!(ids, [packed(5, 1), packed(5, 2)]);

    let refuse = ["run", "run.yaml", "--set", "write_JSON.empty_ranks=refuse", "--output-dir", "refused"];
    let error = workspace.fail(&refuse, 6);
    assert!(
        error.contains(
            "ranks without a migratable object in some written phase (here 1, 2, first in phase 0)"
        ),
        "{error}"
    );
    assert!(!workspace.path("refused").exists());

    let warn = ["run", "run.yaml", "--set", "write_JSON.empty_ranks=warn", "--output-dir", "warned"];
    let said = workspace.lbaf(&warn);
    assert!(
        said.stderr.contains("ranks without a migratable object in some written phase (here 1, 2)"),
        "{}",
        said.stderr
    );
    assert_eq!(Files::read(&workspace, "warned/output_file").entities(), input.entities());
}

/// vt packs a `seq_id` with the home, so sequence numbers of added objects must also differ from every `seq_id`.
#[test]
fn objects_added_for_vt_differ_from_objects_with_another_kind_of_id() {
    let workspace = Workspace::new();
    let mut by_sequence = task(0, 1, 1.0);
    by_sequence["entity"] =
        json!({"collection_id": 7, "home": 1, "migratable": true, "seq_id": 3, "type": "object"});
    workspace.write("data.0.json", one_phase(0, &[task(packed(2, 0), 0, 1.0), by_sequence], &[]));
    workspace.write("data.1.json", one_phase(1, &[], &[]));
    workspace.write(
        "run.yaml",
        format!("from_data: {{data_stem: data}}\noutput_dir: out\nplots: none\n{OFFLINE}"),
    );
    workspace.succeed(&["run", "run.yaml"]);
    let (input, output) = (Files::read(&workspace, "data"), Files::read(&workspace, "out/output_file"));
    let ids: Vec<_> =
        added(&input, &output, 0).iter().map(|(_, task)| task["entity"]["id"].clone()).collect();
    assert_eq!(ids, [packed(4, 1)]);
    assert_eq!(workspace.lbaf(&["validate", "--vt", "out/output_file"]).code, 0);
}

#[test]
fn phases_before_the_first_balanced_one_are_declared_skipped() {
    let more = "algorithm: {name: Greedy, phase_id: 3}
write_JSON: {compressed: false, offline_lb_compatible: true}";
    let Some((input, output)) = replayable(EIGHT_COLOURS, more) else { return };
    let n_ranks = input.0.len();
    for rank in 0..n_ranks {
        assert_eq!(phase_ids(&output.0[rank]), (3..=10).collect::<Vec<u64>>());
        assert_eq!(output.0[rank]["metadata"]["phases"]["skipped"], json!({"list": [], "range": [[0, 2]]}));
        let tasks = input.tasks(rank, 3);
        assert_eq!(&output.tasks(rank, 3)[..tasks.len()], tasks);
    }
    // Phase 4 has its own loads and the placement that results from phase 3.
    let (recorded, mapped) = (input.owners(4), output.owners(4));
    assert!(recorded.iter().any(|(entity, rank)| mapped.get(entity).is_some_and(|to| to != rank)));
    let times = |files: &Files| -> BTreeMap<String, Value> {
        let tasks = (0..n_ranks).flat_map(|rank| files.tasks(rank, 4));
        tasks
            .filter(|t| t["entity"]["migratable"] == true)
            .map(|t| (t["entity"].to_string(), t["time"].clone()))
            .collect()
    };
    let (recorded, written) = (times(&input), times(&output));
    assert!(recorded.iter().all(|(entity, time)| written[entity] == *time));
    // No later phase is balanced: the last phase keeps the placement of phase 4.
    let last = output.owners(10);
    assert!(mapped.iter().all(|(entity, rank)| last.get(entity).is_none_or(|still| still == rank)));
    assert!(input.owners(10).iter().any(|(entity, rank)| last[entity] != *rank));
}

#[test]
fn a_single_phase_is_copied_for_the_next() {
    let workspace = peer(EIGHT_COLOURS);
    let Some(workspace) = workspace else { return };
    run(&workspace, EIGHT_COLOURS, OFFLINE);
    workspace.succeed(&["run", "run.yaml", "--phases", "3"]);
    let output = Files::read(&workspace, "out/output_file");
    assert_replayable(&output);
    assert!(output.0.iter().all(|file| phase_ids(file) == [3, 4]));
}

/// Objects `a` and `b` on rank 0 swap their loads of 4 s and 1 s between the phases. Each rank also has an object of
/// 0.5 s.
#[test]
fn each_of_consecutive_balanced_phases_has_the_map_of_the_previous_one() {
    let workspace = Workspace::new();
    let [a, b] = [packed(1, 0), packed(2, 0)];
    let rest = |rank: u64| packed(3 + rank, rank);
    let file = |rank: u64, first: &[Value], second: &[Value]| {
        let phase = |id: u64, tasks: &[Value]| {
            let mut tasks = tasks.to_vec();
            tasks.push(task(rest(rank), rank, 0.5));
            json!({"id": id, "tasks": tasks, "user_defined": {"anything": 1}})
        };
        json!({"metadata": {"rank": rank, "type": "LBDatafile"}, "phases": [phase(0, first), phase(1, second)]})
    };
    let tasks = |loads: [f64; 2]| [task(a, 0, loads[0]), task(b, 0, loads[1])];
    workspace.write("data.0.json", file(0, &tasks([4.0, 1.0]), &tasks([1.0, 4.0])).to_string());
    workspace.write("data.1.json", file(1, &[], &[]).to_string());
    workspace.write(
        "run.yaml",
        format!("from_data: {{data_stem: data}}\noutput_dir: out\nplots: none\n{OFFLINE}"),
    );
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stderr.contains("`user_defined` of 4 phase entries was left out"), "{}", said.stderr);
    let output = Files::read(&workspace, "out/output_file");
    assert_replayable(&output);
    assert_eq!(phase_ids(&output.0[0]), [0, 1, 2]);
    // Greedy separates the objects of 4 s and 1 s, so `a` and `b` are on different ranks in phases 1 and 2.
    let place = |id: u64| {
        let rank_of = |object: u64| {
            (0..2).find(|&rank| output.tasks(rank, id).iter().any(|task| task["entity"]["id"] == object))
        };
        [rank_of(a), rank_of(b)].map(|rank| rank.expect("no object is lost"))
    };
    assert_eq!(place(0), [0, 0]);
    assert_ne!(place(1)[0], place(1)[1]);
    assert_ne!(place(2)[0], place(2)[1]);
    // Each phase has its own loads; phase 2, which was not recorded, has those of phase 1.
    let time = |id: u64| {
        let tasks = (0..2).flat_map(|rank| output.tasks(rank, id));
        tasks.filter(|task| task["entity"]["id"] == a).map(|task| task["time"].clone()).collect::<Vec<_>>()
    };
    assert_eq!([time(0), time(1), time(2)], [[4.0], [1.0], [1.0]].map(|[load]| vec![json!(load)]));
}

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Any configuration may also write files for vt.
#[test]
fn files_for_vt_of_every_configuration_pass_the_validator() {
    let workspace = Workspace::new();
    for directory in ["configs", "examples/external", "examples/machine", "examples/quartet"] {
        workspace.copy(&Path::new(ROOT).join(directory), directory);
    }
    let mut names = workspace.names("configs");
    names.retain(|name| Path::new(name).extension().is_some_and(|extension| extension == "yaml"));
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        let file = format!("configs/{name}");
        // Two phases and the following one test as much as eight.
        let mut arguments = vec!["run", &file, "--output-dir", "out", "--phases", "0-2"];
        let sets = [
            "write_JSON={offline_lb_compatible: true}",
            "algorithm.placement=carry",
            "plots=none",
            "visualization=null",
        ];
        for set in sets.iter().chain(&["output_file_stem=new", "algorithm.phase_id=0-1"]) {
            arguments.extend(["--set", set]);
        }
        let said = workspace.lbaf(&arguments);
        assert_eq!(said.code, 0, "{name}: {}", said.stderr);
        assert!(!said.stderr.contains("validate --vt"), "{name}: {}", said.stderr);
        let validated = workspace.lbaf(&["validate", "--vt", "out/new"]);
        assert_eq!(validated.code, 0, "{name}: {}", validated.stdout);
    }
}

/// Values that abort only some balancers of vt are copied, with a warning.
#[test]
fn strings_in_user_defined_are_a_warning() {
    let workspace = Workspace::new();
    for rank in 0..2 {
        let mut task = task(packed(rank, rank), rank, 1.5);
        task["user_defined"] = json!({"name": "left"});
        workspace.write(&format!("data.{rank}.json"), one_phase(rank, &[task], &[]));
    }
    workspace.write(
        "run.yaml",
        format!("from_data: {{data_stem: data}}\noutput_dir: out\nplots: none\n{OFFLINE}"),
    );
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    insta::assert_snapshot!(said.stderr, @"warning: `lbaf validate --vt` reports 4 warnings on the files for OfflineLB; the first findings: output_file.0.json: line 3, column 153, at /phases/0/tasks/0/user_defined/name: warning: a string in `user_defined` of a task aborts vt's TemperedLB; remove it or write a number; output_file.0.json: line 6, column 153, at /phases/1/tasks/0/user_defined/name: warning: a string in `user_defined` of a task aborts vt's TemperedLB; remove it or write a number; output_file.1.json: line 3, column 158, at /phases/0/tasks/0/user_defined/name: warning: a string in `user_defined` of a task aborts vt's TemperedLB; remove it or write a number");
    let warnings = workspace.json("out/summary.json")["warnings"].clone();
    assert_eq!(said.stderr, format!("warning: {}\n", warnings[0].as_str().expect("a sentence")));
    // Files that are not for vt are not checked.
    let said = workspace.lbaf(&["run", "run.yaml", "--set", "write_JSON.offline_lb_compatible=false"]);
    assert_eq!(said.stderr, "");
}
