// SPDX-License-Identifier: MIT OR Apache-2.0
//! Imported load-balancing data agree with the database.

use std::path::Path;

use lbaf_provenance::record::{Event, MetadataEntry};
use lbaf_provenance::{
    Database, ImportOptions, Imported, MessageCounts, ObjectOf, ProvenanceError, Stored, TimeOf, carried,
    import, read, tree,
};
use lbaf_vom::record::{DataFile, Resource, SharedNode, Task};
use lbaf_vom::{Checks, Scratch, VtChecks, WantedRows, packed_id, print, validate};
use serde_json::{Value, json};

/// Reads a database with three ranks, two steps and five executions; `messages.rs` lists its messages.
fn exchange() -> Database {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/exchange")).expect("a database").database
}

fn imported(database: &Database, options: &ImportOptions) -> Imported {
    let imported = import(database, options).expect("load-balancing data");
    let MessageCounts { n_ends, n_repeated, n_unusable, n_paired, n_sent, n_received, .. } =
        imported.messages;
    assert_eq!(n_ends, n_repeated + n_unusable + 2 * n_paired + n_sent + n_received);
    let MessageCounts { n_between_objects, n_to_ranks, n_from_ranks, n_dropped, n_beyond_ranks, .. } =
        imported.messages;
    let n_messages = n_paired + n_sent + n_received;
    assert_eq!(n_messages, n_between_objects + n_to_ranks + n_from_ranks + n_dropped + n_beyond_ranks);
    let written = imported.files.iter().flat_map(|file| &file.phases).flat_map(|phase| &phase.communications);
    let n_written: u64 = written.map(|communication| communication.messages).sum();
    assert_eq!(n_written as usize, n_between_objects + n_to_ranks + n_from_ranks);
    imported
}

/// Copies an event with some fields changed.
fn changed(event: &Stored<Event>, changes: Value) -> Stored<Event> {
    let mut value = event.value();
    let Value::Object(changes) = changes else { panic!("no fields") };
    for (key, change) in changes {
        value[key] = change;
    }
    Stored::parse(&value.to_string()).expect("an event")
}

/// Creates a run without messages. An event consists of rank, function, step and time.
fn events(said: &[(i64, i64, i64, f64)]) -> Database {
    let template: Stored<Event> =
        changed(&exchange().anomalies[0], json!({"event_window": null, "counter_events": []}));
    let event = |(n, &(rid, fid, step, time)): (usize, &(i64, i64, i64, f64))| {
        let id = format!("{rid}:{step}:{n}");
        let own = json!({"rid": rid, "fid": fid, "io_step": step, "runtime_exclusive": time, "event_id": id});
        changed(&template, own)
    };
    Database { anomalies: said.iter().enumerate().map(event).collect(), ..Database::default() }
}

fn task(file: &DataFile, phase: usize, nth: usize) -> &Task {
    &file.phases[phase].tasks[nth]
}

/// Returns the time of each task of one rank, phase by phase.
fn times(file: &DataFile) -> Vec<Vec<f64>> {
    file.phases.iter().map(|phase| phase.tasks.iter().map(|task| task.time).collect()).collect()
}

#[test]
fn a_function_on_a_thread_is_an_object() {
    let found = imported(&exchange(), &ImportOptions::default());
    assert_eq!((found.pid, found.steps.as_slice(), found.n_objects), (0, [0, 1].as_slice(), 3));
    assert_eq!((found.n_events, found.n_anomalies), (5, 4));
    let [first, second, third] = found.files.as_slice() else { panic!("three ranks") };
    assert_eq!(times(first), [vec![100e-6, 90e-6], vec![150e-6]]);
    assert_eq!(times(second), [[110e-6], [160e-6]]);
    assert_eq!(times(third), [[0.0; 0], []]);

    // Objects are numbered by rank, thread and function.
    let entity = serde_json::to_value(&task(second, 1, 0).entity).expect("plain data");
    assert_eq!(
        entity,
        json!({"collection_id": 3, "home": 1, "id": packed_id(2, 1, false), "index": [1, 0], "migratable": false,
            "type": "object"})
    );
    assert_eq!(task(first, 0, 1).entity.id, Some(packed_id(1, 0, false)));
    assert_eq!(task(first, 1, 0).entity, task(first, 0, 0).entity);
    assert_eq!([task(second, 0, 0).resource, task(second, 1, 0).resource], [Resource::Gpu, Resource::Cpu]);
    assert_eq!((task(second, 0, 0).node, second.metadata.rank), (1, 1));

    let facts = task(first, 0, 0).user_defined.as_ref().expect("facts");
    assert_eq!(
        serde_json::to_value(facts).expect("plain data"),
        json!({"anomalous_time": 100e-6, "anomaly_count": 1, "event_count": 1, "fid": 1, "max_outlier_score": 9.5,
            "tid": 0})
    );
    let attributes = task(first, 0, 0).attributes.as_ref().expect("attributes");
    assert_eq!(attributes["func"], "send_halo");
    // Mean of 4096 and 1024.
    assert_eq!(attributes["counter:Bytes in flight"], 2560.0);
}

#[test]
fn metadata_of_ranks_becomes_attributes() {
    let found = imported(&exchange(), &ImportOptions { carry_records: false, ..ImportOptions::default() });
    let attributes: Vec<_> = found
        .files
        .iter()
        .map(|file| serde_json::to_value(&file.metadata.attributes).expect("plain data"))
        .collect();
    assert_eq!(
        attributes,
        [
            json!({"Hostname": "alpha", "TAU Version": "2.31", "partial": 1, "source": "chimbuko"}),
            json!({"CUDA Device@3": "0", "Hostname": "beta", "partial": 1, "source": "chimbuko"}),
            json!({"Hostname": "beta", "partial": 1, "source": "chimbuko"}),
        ]
    );
    let nodes: Vec<_> = found.files.iter().map(|file| file.metadata.shared_node).collect();
    let node = |id, rank, size| Some(SharedNode { id, num_nodes: 2, rank, size });
    assert_eq!(nodes, [node(0, 0, 1), node(1, 0, 2), node(1, 1, 2)]);
}

#[test]
fn hosts_without_metadata_are_those_of_executions() {
    let mut database = exchange();
    let source = MetadataEntry { descr: "source".into(), pid: 0, rid: 0, tid: 0, value: "x".into() };
    database.metadata = vec![Stored::new(source)];
    let found = imported(&database, &ImportOptions { carry_records: false, ..ImportOptions::default() });
    let attributes = |rank: usize| found.files[rank].metadata.attributes.as_ref().expect("attributes");
    assert_eq!(attributes(1)["Hostname"], "beta");
    // Attributes that record the origin of the data are not overwritten.
    assert_eq!((&attributes(0)["source"], &attributes(0)["source@0"]), (&json!("chimbuko"), &json!("x")));
    assert_eq!(found.files.len(), 2);
}

#[test]
fn other_objects_and_times_can_be_chosen() {
    let database = exchange();
    let events = imported(&database, &ImportOptions { object: ObjectOf::Event, ..ImportOptions::default() });
    assert_eq!(events.n_objects, 5);
    let entity = &task(&events.files[1], 1, 0).entity;
    assert_eq!((entity.index.as_deref(), entity.collection_id), (Some([1, 0, 1, 7].as_slice()), Some(3)));

    let ranks = imported(&database, &ImportOptions { object: ObjectOf::Rank, ..ImportOptions::default() });
    assert_eq!(task(&ranks.files[1], 0, 0).entity.index.as_deref(), Some([1].as_slice()));
    let facts = task(&ranks.files[1], 0, 0).user_defined.as_ref().expect("facts");
    assert!(!facts.other.contains_key("tid"));

    // The exclusive time of one execution becomes 30. Its total time remains 1250 - 1100 = 150.
    let mut database = database;
    database.anomalies[1] = changed(&database.anomalies[1], json!({"runtime_exclusive": 30}));
    let exclusive = imported(&database, &ImportOptions::default());
    let total = imported(&database, &ImportOptions { time: TimeOf::Total, ..ImportOptions::default() });
    assert_eq!([task(&exclusive.files[0], 1, 0).time, task(&total.files[0], 1, 0).time], [30e-6, 150e-6]);

    let movable = imported(&database, &ImportOptions { migratable: true, ..ImportOptions::default() });
    let entity = &task(&movable.files[1], 0, 0).entity;
    assert_eq!((entity.id, entity.migratable), (Some(packed_id(2, 1, true)), Some(true)));
}

#[test]
fn executions_of_an_object_in_a_step_are_its_subphases() {
    let mut database = events(&[(0, 7, 2, 30.0), (0, 7, 2, 12.0)]);
    // The execution of the second record began first.
    database.anomalies[1] = changed(&database.anomalies[1], json!({"entry": 50, "outlier_score": 20}));
    let found = imported(&database, &ImportOptions::default());
    let task = task(&found.files[0], 2, 0);
    assert_eq!(task.time, 42e-6);
    let subphases: Vec<_> = task.subphases.iter().map(|subphase| (subphase.id, subphase.time)).collect();
    assert_eq!(subphases, [(0, 12e-6), (1, 30e-6)]);
    assert_eq!(task.user_defined.as_ref().expect("facts").other["max_outlier_score"], 20.0);
}

#[test]
fn phases_are_all_steps_or_those_with_executions() {
    let database = events(&[(2, 7, 1, 5.0), (0, 7, 4, 6.0)]);
    let all = imported(&database, &ImportOptions::default());
    assert_eq!(all.steps, [0, 1, 2, 3, 4]);
    assert!(all.files.iter().all(|file| file.phases.iter().map(|phase| phase.id).eq(0..5)));
    assert_eq!(times(&all.files[2])[1], [5e-6]);
    assert!(times(&all.files[1]).iter().all(Vec::is_empty));

    let compact = imported(&database, &ImportOptions { compact_phases: true, ..ImportOptions::default() });
    assert_eq!(compact.steps, [1, 4]);
    assert_eq!(times(&compact.files[0]), [vec![], vec![6e-6]]);
    assert_eq!(times(&compact.files[2]), [vec![5e-6], vec![]]);
}

#[test]
fn an_execution_counts_once_and_as_an_anomaly() {
    let mut database = exchange();
    let anomaly = &database.anomalies[0];
    // The same execution, once as a normal one and once as a duplicate.
    let normal = changed(anomaly, json!({"outlier_score": 0.5, "runtime_exclusive": 77}));
    database.normalexecs.insert(0, normal);
    database.anomalies.push(database.anomalies[0].clone());
    let found = imported(&database, &ImportOptions::default());
    assert_eq!((found.n_events, found.n_anomalies, found.n_repeated_events), (5, 4, 2));
    assert_eq!(times(&found.files[0])[0], [100e-6, 90e-6]);
    // 3 without the copies; the window of each copy repeats 4 endpoints.
    assert_eq!(found.messages.n_repeated, 3 + 4 + 4);
}

#[test]
fn a_program_can_be_chosen() {
    let mut database = exchange();
    for event in database.anomalies.clone() {
        database.anomalies.push(changed(&event, json!({"pid": 3, "rid": 5})));
    }
    let lowest = imported(&database, &ImportOptions::default());
    assert_eq!((lowest.pid, lowest.files.len(), lowest.n_events_of_others), (0, 3, 4));
    let other = imported(&database, &ImportOptions { pid: Some(3), ..ImportOptions::default() });
    assert_eq!((other.pid, other.files.len(), other.n_events, other.n_events_of_others), (3, 6, 4, 5));

    let error = import(&database, &ImportOptions { pid: Some(1), ..ImportOptions::default() });
    let said = error.expect_err("no such program").to_string();
    assert!(
        said.ends_with("of program 1, so the times of ranks are unknown; programs with such records: 0, 3"),
        "{said}"
    );
    let statistics = Database { func_stats: exchange().func_stats, ..Database::default() };
    let error = import(&statistics, &ImportOptions::default()).expect_err("statistics name no ranks");
    assert!(matches!(error, ProvenanceError::NoEvents { pid: None, .. }), "{error}");
}

#[test]
fn executions_without_a_valid_position_are_counted_or_refused() {
    let found = imported(
        &events(&[(0, 1, 0, -4.0), (0, 2, 0, 1e300), (0, -1, 0, 1.0), (-1, 1, 0, 1.0), (0, 1, -1, 1.0)]),
        &ImportOptions::default(),
    );
    assert_eq!((found.n_events, found.n_unplaced_events, found.n_unusable_times), (2, 3, 2));
    assert_eq!(times(&found.files[0]), [[0.0, 0.0]]);

    let error = import(&events(&[(65_536, 1, 0, 1.0)]), &ImportOptions::default())
        .expect_err("ids have 16 bits for the rank");
    assert!(matches!(error, ProvenanceError::RankTooLarge { rid: 65_536, .. }), "{error}");
    let far = events(&[(0, 1, 1 << 40, 1.0)]);
    let error = import(&far, &ImportOptions::default()).expect_err("too many phases");
    assert!(matches!(error, ProvenanceError::TooManyPhases { .. }), "{error}");
    let found = imported(&far, &ImportOptions { compact_phases: true, ..ImportOptions::default() });
    assert_eq!(found.steps, [1 << 40]);
}

#[test]
fn executions_in_windows_are_imported_on_request() {
    let found = imported(&exchange(), &ImportOptions { use_windows: true, ..ImportOptions::default() });
    // "0:1:3" and "1:1:6" are imported; "0:1:5" had not ended.
    assert_eq!((found.n_window_executions, found.n_unused_executions, found.n_objects), (2, 1, 4));
    // "0:1:3" took 1290 - 1090 = 200, its child "0:1:4" 1250 - 1100 = 150. The parent began first.
    let both = task(&found.files[0], 1, 0);
    let subphases: Vec<_> = both.subphases.iter().map(|subphase| subphase.time).collect();
    assert_eq!((subphases, both.time), (vec![50e-6, 150e-6], 200e-6));
    // "1:1:6" is of function 4: 1139 - 1120.
    assert_eq!(times(&found.files[1])[1], [160e-6, 19e-6]);
}

#[test]
fn files_are_valid_for_vt() {
    for object in [ObjectOf::Thread, ObjectOf::Rank, ObjectOf::Event] {
        let options = ImportOptions { object, use_windows: true, ..ImportOptions::default() };
        for file in imported(&exchange(), &options).files {
            let checks = Checks {
                limit: 10,
                rows: WantedRows::All,
                vt: Some(VtChecks { rank: Some(u64::from(file.metadata.rank)), ..VtChecks::default() }),
            };
            let found = validate(&print(&file), checks, &mut Scratch::default());
            assert!(found.rows.is_some());
            // The only finding is that no object is migratable, as intended.
            let mut said = found.findings.kept.iter().map(|finding| finding.message.as_str());
            assert!(said.all(|said| said.contains("no migratable object")), "{:?}", found.findings);
        }
    }
}

/// Returns the database that files carry, parsed from their text.
fn carried_by(files: &[DataFile]) -> Database {
    let parsed = files.iter().map(|file| {
        let mut file: Value = serde_json::from_slice(&print(file)).expect("JSON");
        let rank = file["metadata"]["rank"].as_u64().expect("a rank") as u32;
        let tasks =
            file["phases"].as_array().expect("phases").iter().filter_map(|phase| phase["tasks"].as_array());
        let tasks: Vec<_> = tasks.flatten().map(|task| task["attributes"].clone()).collect();
        (rank, file["metadata"]["attributes"].take(), tasks)
    });
    let carried = carried(parsed);
    assert_eq!(carried.refused, [""; 0]);
    carried.database
}

#[test]
fn imported_files_carry_the_whole_database() {
    let mut database = exchange();
    // A duplicate, an event of another program on a rank without a file, and an event without a valid step.
    let [first, second] = [0, 1].map(|nth| database.anomalies[nth].clone());
    database.normalexecs.push(first.clone());
    database.anomalies.push(changed(&first, json!({"pid": 8, "rid": 9})));
    database.anomalies.push(changed(&second, json!({"io_step": -1, "event_id": "root", "__id": 5})));
    let mut options = ImportOptions::default();
    for object in [ObjectOf::Thread, ObjectOf::Rank, ObjectOf::Event] {
        for use_windows in [false, true] {
            options = ImportOptions { object, use_windows, compact_phases: use_windows, ..options };
            let found = imported(&database, &options);
            assert_eq!(tree(&carried_by(&found.files)), tree(&database));
        }
    }
    let without = imported(&database, &ImportOptions { carry_records: false, ..options });
    assert!(carried_by(&without.files).is_empty());
}

#[test]
fn invalid_carried_records_are_refused() {
    let records = json!({"provenance": {"anomalies": [{"pid": 1}], "else": [], "metadata": 3}});
    let refused = carried([(4, records, vec![json!({"provenance": 1}), Value::Null])]).refused;
    assert_eq!(refused.len(), 4, "{refused:?}");
    assert!(refused.iter().all(|why| why.starts_with("rank 4: ")), "{refused:?}");
}

#[test]
fn the_order_of_events_and_metadata_changes_nothing() {
    let database = exchange();
    let mut reversed = database.clone();
    reversed.anomalies.reverse();
    reversed.metadata.reverse();
    let options = ImportOptions { carry_records: false, use_windows: true, ..ImportOptions::default() };
    assert_eq!(imported(&database, &options), imported(&reversed, &options));
}
