// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files for vt's OfflineLB from data that vt cannot read. Records are corrected if their meaning stays the same;
//! otherwise the run is refused.

use serde_json::{Value, json};

use crate::vom::{list, one_phase, packed, phase, send, task};
use crate::workspace::{CommandOutput, Workspace};

/// Runs with a prescribed placement and files for vt.
fn run(workspace: &Workspace, permutation: &Value, more: &[&str]) -> CommandOutput {
    let configuration = json!({
        "from_data": {"data_stem": "data"},
        "output_dir": "out",
        "plots": "none",
        "algorithm": {"name": "PrescribedPermutation", "parameters": {"permutation": permutation}},
        "write_JSON": {"compressed": false, "offline_lb_compatible": true},
    });
    workspace.write("run.yaml", configuration.to_string());
    workspace.lbaf(&[&["run", "run.yaml"], more].concat())
}

/// Runs with a prescribed placement. Returns the files, which must be valid for vt, and standard error.
#[track_caller]
fn mended(workspace: &Workspace, permutation: &Value) -> (Vec<Value>, String) {
    assert_eq!(workspace.lbaf(&["validate", "--vt", "data"]).code, 4, "the data are already valid for vt");
    let said = run(workspace, permutation, &[]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let validated = workspace.lbaf(&["validate", "--vt", "out/output_file"]);
    assert_eq!((validated.code, &validated.stdout[..]), (0, "2 files are valid\n"));
    (workspace.documents("out/output_file"), said.stderr)
}

/// Runs with a prescribed placement and expects no output. Returns the error.
#[track_caller]
fn refused(workspace: &Workspace, permutation: &Value) -> String {
    let said = run(workspace, permutation, &[]);
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(!workspace.path("out").exists(), "something was written");
    assert!(said.stderr.contains("vt cannot read the files for OfflineLB"), "{}", said.stderr);
    said.stderr
}

/// Objects 1 and 2 on rank 0, object 3 on rank 1.
const PACKED: [u64; 3] = [packed(1, 0), packed(2, 0), packed(3, 1)];

/// Returns a workspace with these objects and the communication of each rank.
fn packed_objects(communications: [&[Value]; 2]) -> Workspace {
    let workspace = Workspace::new();
    let [a, b, c] = PACKED;
    workspace.write("data.0.json", one_phase(0, &[task(a, 0, 1.0), task(b, 0, 2.0)], communications[0]));
    workspace.write("data.1.json", one_phase(1, &[task(c, 1, 3.0)], communications[1]));
    workspace
}

/// Returns bytes and messages of the communication of a phase.
fn volumes(document: &Value, id: u64) -> Vec<(f64, u64)> {
    let entries = list(phase(document, id), "communications").iter();
    let volume = |entry: &Value| Some((entry["bytes"].as_f64()?, entry["messages"].as_u64()?));
    entries.map(|entry| volume(entry).expect("numbers")).collect()
}

#[test]
fn entries_with_the_same_endpoints_are_merged() {
    let [a, b, c] = PACKED;
    let between = |bytes: f64, messages: u64| {
        let mut entry = send((a, 0), (c, 1), bytes);
        entry["messages"] = json!(messages);
        entry
    };
    let other = send((b, 0), (c, 1), 7.0);
    let workspace = packed_objects([&[between(100.0, 2), other, between(24.5, 3), between(0.5, 1)], &[]]);
    let (files, said) = mended(&workspace, &json!({a.to_string(): 1, b.to_string(): 0, c.to_string(): 1}));
    assert_eq!(volumes(&files[0], 0), [(125.0, 6), (7.0, 1)]);
    // The entries follow the object that sent them.
    assert_eq!((volumes(&files[0], 1), volumes(&files[1], 1)), (vec![(7.0, 1)], vec![(125.0, 6)]));
    let expected = "files for OfflineLB: communication entries were merged with others between the same endpoints, because vt keeps only the last entry (count: 4)";
    assert!(said.contains(expected), "{said}");
}

/// vt reads the home from the id, so in vt these entries have the same endpoints.
#[test]
fn entries_with_other_homes_of_an_id_are_merged_and_counted() {
    let [a, b, c] = PACKED;
    let workspace = packed_objects([
        &[send((a, 0), (c, 1), 1.0), send((a, 0), (c, 0), 2.0), send((a, 0), (c, 1), 4.0)],
        &[],
    ]);
    let (files, said) = mended(&workspace, &json!({a.to_string(): 1, b.to_string(): 0, c.to_string(): 1}));
    assert_eq!(volumes(&files[0], 0), [(7.0, 3)]);
    let expected = "files for OfflineLB: communication entries were merged with others that state another home for the same `id`, because vt uses the id; with `absent_endpoints: home`, lbaf counts the volume of the merged entries differently when it reads the new files (count: 2)";
    assert!(said.contains(expected), "{said}");
}

/// An omitted home follows from the id or the task; -1 means no home.
#[test]
fn entries_without_a_home_do_not_count_as_contradictions() {
    let [a, b, c] = PACKED;
    let with_home = |home: Value| {
        let mut entry = send((a, 0), (c, 1), 1.0);
        entry["to"]["home"] = home;
        entry
    };
    let mut without = with_home(json!(1));
    without["to"].as_object_mut().expect("an object").remove("home");
    let workspace = packed_objects([&[without, with_home(json!(1)), with_home(json!(-1))], &[]]);
    let (files, said) = mended(&workspace, &json!({a.to_string(): 1, b.to_string(): 0, c.to_string(): 1}));
    assert_eq!(volumes(&files[0], 0), [(3.0, 3)]);
    assert!(said.contains("between the same endpoints") && !said.contains("another home"), "{said}");

    let end = |sequence: u64| json!({"seq_id": sequence, "type": "object"});
    let entry = json!({"type": "SendRecv", "bytes": 1.0, "messages": 1, "from": end(1), "to": end(3)});
    let workspace = by_sequence(|_| {}, &[entry.clone(), entry]);
    let (files, said) = mended(&workspace, &json!({"1": 1, "2": 0, "3": 1, "4": 0}));
    assert_eq!(volumes(&files[0], 0), [(2.0, 2)]);
    assert!(said.contains("between the same endpoints") && !said.contains("another home"), "{said}");
}

/// Both ranks have a sentinel 9 with the home 1. The endpoint in the file of rank 0 refers to the sentinel of rank
/// 0.
/// vt requires a home, but with `home: 1` the endpoint would refer to the sentinel of rank 1.
#[test]
fn endpoints_of_objects_that_vt_cannot_distinguish_are_refused() {
    let workspace = Workspace::new();
    let fixed = || json!({"entity": {"home": 1, "migratable": false, "seq_id": 9, "type": "object"}, "node": 0, "resource": "cpu", "time": 1.0});
    let entry = json!({"type": "SendRecv", "bytes": 1.0, "messages": 1, "from": by_number(1, 0)["entity"], "to": {"migratable": false, "seq_id": 9, "type": "object"}});
    workspace.write("data.0.json", one_phase(0, &[by_number(1, 0), fixed()], &[entry]));
    workspace.write("data.1.json", one_phase(1, &[by_number(4, 1), fixed()], &[]));
    let said = run(&workspace, &json!({"1": 1, "4": 0}), &[]);
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(said.stderr.contains("vt cannot read the files for OfflineLB"), "{}", said.stderr);
}

/// Sender and receiver may both log a message. vt distinguishes the two entries only on different ranks.
#[test]
fn entries_that_meet_on_a_rank_are_merged() {
    let [a, b, c] = PACKED;
    let sent = send((a, 0), (c, 1), 10.0);
    let workspace = packed_objects([std::slice::from_ref(&sent), std::slice::from_ref(&sent)]);
    assert_eq!(workspace.lbaf(&["validate", "--vt", "data"]).code, 0);
    let permutation = json!({a.to_string(): 1, b.to_string(): 0, c.to_string(): 1});
    let said = run(&workspace, &permutation, &[]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let files = workspace.documents("out/output_file");
    assert_eq!((volumes(&files[0], 0), volumes(&files[1], 0)), (vec![(10.0, 1)], vec![(10.0, 1)]));
    assert_eq!((volumes(&files[0], 1), volumes(&files[1], 1)), (vec![], vec![(20.0, 2)]));
    assert_eq!(workspace.lbaf(&["validate", "--vt", "out/output_file"]).code, 0);
}

/// Returns a workspace with objects identified by `seq_id`: 1 and 2 on rank 0, 3 and 4 on rank 1.
/// `change` changes the entity of object 3.
fn by_sequence(change: impl Fn(&mut Value), communications: &[Value]) -> Workspace {
    let workspace = Workspace::new();
    let [mut a, b, mut c] = [(1, 0), (2, 0), (3, 1)].map(|(sequence, home)| by_number(sequence, home));
    change(&mut c["entity"]);
    a["user_defined"] = json!({"kept": 1.5});
    workspace.write("data.0.json", one_phase(0, &[a, b], communications));
    workspace.write("data.1.json", one_phase(1, &[by_number(4, 1), c], &[]));
    workspace
}

fn by_number(sequence: u64, home: u64) -> Value {
    let entity =
        json!({"collection_id": 9, "home": home, "migratable": true, "seq_id": sequence, "type": "object"});
    json!({"entity": entity, "node": home, "resource": "cpu", "time": 1.0})
}

#[test]
fn endpoints_get_the_keys_of_their_tasks() {
    let entity = |sequence: u64, home: u64| by_number(sequence, home)["entity"].clone();
    let without = |keys: &[&str]| {
        let mut end = entity(3, 1);
        end.as_object_mut().expect("an object").retain(|key, _| !keys.contains(&key.as_str()));
        json!({"bytes": 8.0, "from": entity(1, 0), "messages": 1, "to": end, "type": "SendRecv"})
    };
    for keys in [&["home"][..], &["migratable"], &["home", "migratable"], &["collection_id", "migratable"]] {
        let workspace = by_sequence(|_| (), &[without(keys)]);
        let (files, said) = mended(&workspace, &json!({"1": 1, "2": 0, "3": 0, "4": 1}));
        let of_phase = |rank: usize, id: u64| list(phase(&files[rank], id), "communications").to_vec();
        assert_eq!(of_phase(0, 0), [without(&[])], "{keys:?}");
        assert_eq!(of_phase(1, 1), [without(&[])], "{keys:?}");
        assert!(
            said.contains("endpoints of communications got `home`") && said.contains("(count: 2)"),
            "{said}"
        );
    }
}

#[test]
fn objects_by_seq_id_get_a_collection() {
    for migratable in [true, false] {
        let without = |entity: &mut Value| {
            entity["migratable"] = json!(migratable);
            entity.as_object_mut().unwrap().remove("collection_id");
        };
        let workspace = by_sequence(without, &[]);
        let mut permutation = json!({"1": 0, "2": 1, "4": 1});
        if migratable {
            permutation["3"] = json!(1);
        }
        let (files, said) = mended(&workspace, &permutation);
        let task = &list(phase(&files[1], 0), "tasks")[1];
        let expected =
            json!({"collection_id": 9, "home": 1, "migratable": migratable, "seq_id": 3, "type": "object"});
        assert_eq!(task["entity"], expected);
        assert!(said.contains("tasks got a `collection_id`") && said.contains("(count: 2)"), "{said}");
    }
}

#[test]
fn all_migratable_objects_get_the_same_number_of_subphases() {
    let subphases = |times: &[(u64, f64)]| -> Value {
        times.iter().map(|&(id, time)| json!({"id": id, "time": time})).collect()
    };
    let workspace = Workspace::new();
    let [mut a, b, mut c] =
        [(PACKED[0], 0), (PACKED[1], 0), (PACKED[2], 1)].map(|(id, home)| task(id, home, 1.0));
    a["subphases"] = subphases(&[(1, 0.25), (0, 0.75)]);
    c["subphases"] = subphases(&[(0, 0.5), (2, 0.5)]);
    let fixed = json!({"entity": {"home": 0, "id": 0, "migratable": false, "type": "object"}, "node": 0, "resource": "cpu", "time": 0.0});
    workspace.write("data.0.json", one_phase(0, &[a, b, fixed.clone()], &[]));
    workspace.write("data.1.json", one_phase(1, &[c], &[]));
    // All migratable objects go to rank 1, so rank 0 gets an added object, also with three subphases.
    let permutation = json!({PACKED[0].to_string(): 1, PACKED[1].to_string(): 1, PACKED[2].to_string(): 1});
    let (files, said) = mended(&workspace, &permutation);
    let expected = [
        subphases(&[(0, 0.75), (1, 0.25), (2, 0.0)]),
        subphases(&[(0, 0.0), (1, 0.0), (2, 0.0)]),
        subphases(&[(0, 0.5), (1, 0.0), (2, 0.5)]),
    ];
    for id in [0, 1] {
        let tasks = files.iter().flat_map(|file| list(phase(file, id), "tasks"));
        let of = |task: &Value| PACKED.iter().position(|&packed| task["entity"]["id"] == packed);
        for task in tasks {
            match of(task) {
                Some(object) => assert_eq!(task["subphases"], expected[object], "phase {id}"),
                None if *task == fixed => {}
                None => assert_eq!(task["subphases"], expected[1], "phase {id}: the object that was added"),
            }
        }
    }
    assert!(said.contains("tasks got subphases of 0 s"), "{said}");
}

/// Runs a balancer with files for vt. Objects 1 to 4 are on rank 0, object 5 is on rank 1. Object 1 has the given
/// subphases, the others have one each.
fn with_subphases_of_first(numbers: &[u64]) -> (Workspace, CommandOutput) {
    let workspace = Workspace::new();
    let object = |sequence: u64, home: u64, numbers: &[u64]| {
        let mut task = task(packed(sequence, home), home, 1.0);
        task["subphases"] = numbers.iter().map(|number| json!({"id": number, "time": 0.5})).collect();
        task
    };
    let tasks = [object(1, 0, numbers), object(2, 0, &[0]), object(3, 0, &[0]), object(4, 0, &[0])];
    workspace.write("data.0.json", one_phase(0, &tasks, &[]));
    workspace.write("data.1.json", one_phase(1, &[object(5, 1, &[0])], &[]));
    workspace.write(
        "run.yaml",
        "from_data: {data_stem: data}
algorithm: {name: Greedy}
output_dir: out
plots: none
write_JSON: {compressed: false, offline_lb_compatible: true}
",
    );
    let said = workspace.lbaf(&["run", "run.yaml"]);
    (workspace, said)
}

#[test]
fn thousands_of_subphases_are_added() {
    let (workspace, said) = with_subphases_of_first(&(0..5_000).collect::<Vec<_>>());
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(workspace.lbaf(&["validate", "--vt", "out/output_file"]).code, 0);
    let files = workspace.documents("out/output_file");
    let tasks: Vec<&Value> =
        files.iter().flat_map(|file| [0, 1].map(|id| list(phase(file, id), "tasks"))).flatten().collect();
    assert_eq!(tasks.len(), 10);
    assert!(tasks.iter().all(|task| list(task, "subphases").len() == 5_000));
}

/// A single number can require any amount of memory: 5 objects * 2 phases * 10^12 subphases.
#[test]
fn subphases_that_exceed_any_memory_are_refused() {
    let (workspace, said) = with_subphases_of_first(&[999_999_999_999]);
    assert_eq!(said.code, 4, "{}", said.stderr);
    assert!(!workspace.path("out").exists(), "something was written");
    // 10^13 - 5 * 2
    let expected = "files for OfflineLB would get 9999999999990 additional subphases of 0 s";
    assert!(said.stderr.contains(expected), "{}", said.stderr);
}

#[test]
fn corrections_that_change_objects_or_communication_are_refused() {
    let [a, b, c] = PACKED;
    let permutation = json!({a.to_string(): 1, b.to_string(): 0, c.to_string(): 1});
    let mut to_node = send((a, 0), (c, 1), 8.0);
    to_node["to"] = json!({"id": 1, "type": "node"});
    let workspace = packed_objects([&[to_node], &[]]);
    let said = refused(&workspace, &permutation);
    insta::assert_snapshot!(said, @r#"error: vt cannot read the files for OfflineLB because it cannot read the data, so nothing was written (2 errors); correct the data (`lbaf validate --vt` lists all findings), or `write_JSON.communications: false` omits communication; the first findings: output_file.0.json: line 6, column 141, at /phases/0/communications/0/to/type: `to` of SendRecv must be of type "object"; vt's reader aborts on "node"; output_file.1.json: line 9, column 141, at /phases/1/communications/0/to/type: `to` of SendRecv must be of type "object"; vt's reader aborts on "node""#);
    let without = run(&workspace, &permutation, &["--set", "write_JSON.communications=false"]);
    assert_eq!(without.code, 0, "{}", without.stderr);
    assert_eq!(workspace.lbaf(&["validate", "--vt", "out/output_file"]).code, 0);

    let as_files = run(&workspace, &permutation, &["--set", "write_JSON.offline_lb_compatible=false"]);
    assert_eq!(as_files.code, 0, "{}", as_files.stderr);

    // The home is not a rank.
    let workspace = by_sequence(|entity| entity["home"] = json!(2), &[]);
    let said = refused(&workspace, &json!({"1": 0, "2": 1, "3": 1, "4": 1}));
    let no_rank =
        "/phases/0/tasks/1/entity/home: the home 2 is not a rank from 0 to 1; vt packs it with `seq_id`";
    assert!(said.contains(no_rank) && said.contains("`write_JSON.offline_lb_compatible: false`"), "{said}");
    // Bits of an id contradict `migratable`.
    let workspace = packed_objects([&[], &[]]);
    workspace
        .write("data.1.json", workspace.text("data.1.json").replace(&c.to_string(), &(c - 1).to_string()));
    let said = refused(&workspace, &json!({a.to_string(): 1, b.to_string(): 0, (c - 1).to_string(): 1}));
    assert!(said.contains("the lowest bits of"), "{said}");
}

/// vt packs a number with its home, so the id of the object would change between the phases.
#[test]
fn a_home_that_changes_between_phases_is_refused() {
    let workspace = Workspace::new();
    let of = |rank: u64, tasks: [Vec<Value>; 2]| {
        let phases: Vec<Value> =
            tasks.iter().enumerate().map(|(id, tasks)| json!({"id": id, "tasks": tasks})).collect();
        json!({"metadata": {"rank": rank, "type": "LBDatafile"}, "phases": phases}).to_string()
    };
    let mut changed = by_number(1, 1);
    changed["node"] = json!(0);
    workspace.write("data.0.json", of(0, [vec![by_number(1, 0)], vec![changed]]));
    workspace.write("data.1.json", of(1, [vec![by_number(2, 1)], vec![by_number(2, 1)]]));
    let said = refused(&workspace, &json!({"1": 1, "2": 0}));
    assert!(said.contains("seq_id 1 has home 1 here but home 0 in phase 0"), "{said}");
}
