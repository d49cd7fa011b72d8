// SPDX-License-Identifier: MIT OR Apache-2.0
//! LB statistics files: validated, refused and printed.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::bad_data::case;
use crate::validate::{found, two_ranks, unreadable};
use crate::vom::{entity, one_phase, packed, send, task};
use crate::workspace::Workspace;

#[test]
fn statistics_files() {
    assert_snapshot!(found("statistics_integer_for_count", &[]), @r"
    ./lb_statistics.json: line 7, column 30, at /phases/0/pre-LB/Rank_comm/car: expected a float, found the integer 4; write 4.0
    ./lb_statistics.json: line 7, column 78, at /phases/0/pre-LB/Rank_comm/npr: expected a float, found the integer 3; write 3.0
    1 file: 1 invalid, 2 errors
    ");
    assert_snapshot!(found("statistics_without_group", &["--vt", "--strict-links"]), @r"
    ./lb_statistics.json: line 3, column 10, at /phases/0/pre-LB: expected the key `Rank_comm` with an object, found no such key
    1 file: 1 invalid, 1 error
    ");
}

/// Reading accepts integers in place of floats, but refuses missing keys and strings in place of numbers.
#[test]
fn statistics_files_that_cannot_be_read() {
    case("statistics_integer_for_count").succeed(&["info", "lb_statistics.json"]);
    assert_snapshot!(unreadable("statistics_without_group"), @"error: lb_statistics.json: line 3, column 10, at /phases/0/pre-LB: the group `Rank_comm` is missing");
    assert_snapshot!(unreadable("statistics_without_moment"), @"error: lb_statistics.json: line 7, column 13, at /phases/0/pre-LB/Rank_comm: the group has no `max`");
    assert_snapshot!(unreadable("statistics_string_for_moment"), @r#"error: lb_statistics.json: line 7, column 20, at /phases/0/pre-LB/Rank_comm/avg: expected a number, found the string "0.5""#);
    assert_snapshot!(unreadable("statistics_without_phases"), @"error: lb_statistics.json: line 1, column 1, at the top level of the document: the statistics file has no `phases`");
    assert_snapshot!(unreadable("statistics_phase_without_id"), @"error: lb_statistics.json: line 2, column 1, at /phases/0: the phase has no `id`");
    assert_snapshot!(unreadable("statistics_phase_without_pre_lb"), @"error: lb_statistics.json: line 2, column 1, at /phases/0: the phase has no `pre-LB`");
}

#[test]
fn the_statistics_of_a_run_as_a_table() {
    let workspace = two_ranks();
    workspace.succeed(&["run", "run.yaml"]);
    assert_snapshot!(workspace.succeed(&["info", "out/lb_statistics.json"]), @r"
    out/lb_statistics.json: LB statistics of 1 phase

    Phase 0, 2 migrations
                                  number  sum  mean  max  imbalance  deviation  skewness
     Object_comm          before       2    8     4    8          1          4         0
                           after       2    8     4    8          1          4         0
     Object_load_modeled  before       2    2     1  1.5        0.5        0.5         0
                           after       2    2     1  1.5        0.5        0.5         0
     Object_load_raw      before       2    2     1  1.5        0.5        0.5         0
                           after       2    2     1  1.5        0.5        0.5         0
     Rank_comm            before       2    8     4    8          1          4         0
                           after       2    8     4    8          1          4         0
     Rank_load_modeled    before       2    2     1  1.5        0.5        0.5         0
                           after       2    2     1  1.5        0.5        0.5         0
     Rank_load_raw        before       2    2     1  1.5        0.5        0.5         0
                           after       2    2     1  1.5        0.5        0.5         0
    ");
    // The output has the content of the file; whole numbers are floats.
    let printed = workspace.succeed(&["info", "out/lb_statistics.json", "--json"]);
    let printed: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(printed, workspace.json("out/lb_statistics.json"));
    let before = &printed["phases"][0]["pre-LB"]["Rank_load_raw"];
    assert_eq!((before["car"].to_string(), before["npr"].to_string()), ("2.0".to_owned(), "2.0".to_owned()));
    assert_eq!((&before["sum"], &before["max"], &before["imb"]), (&json!(2.0), &json!(1.5), &json!(0.5)));
    let phases = workspace.fail(&["info", "out/lb_statistics.json", "--phases", "3"], 3);
    assert_snapshot!(phases, @"error: --phases: phase 3 is not in the file, which holds phase 0");
    let phases = workspace.fail(&["info", "out/lb_statistics.json", "--phases", "3-5"], 3);
    assert_snapshot!(phases, @"error: --phases: none of these phases is in the file, which holds phase 0");
    // A data file is not a statistics file, and `info` expects its stem.
    workspace.fail(&["info", "data.0.json"], 4);
}

/// As in vt: ranks without objects or without edges have an entry of 0, and vt's placeholders count as objects.
#[test]
fn ranks_without_objects_or_edges_are_entries_of_zero() {
    let workspace = Workspace::new();
    let placeholder = json!({
        "entity": {"home": 0, "id": 0, "migratable": false, "type": "object"},
        "node": 0, "resource": "cpu", "time": 0.0,
    });
    let (one, two, three) = (packed(1, 0), packed(2, 0), packed(3, 1));
    workspace.write("data.0.json", one_phase(0, &[placeholder, task(one, 0, 1.0), task(two, 0, 3.0)], &[]));
    let run = |edges: &[Value]| {
        workspace.write("data.1.json", one_phase(1, &[task(three, 1, 2.0)], edges));
        workspace.write("data.2.json", one_phase(2, &[], &[]));
        let data = "from_data: {data_stem: data}";
        workspace.write(
            "run.yaml",
            format!("{data}\nalgorithm: {{name: RotateLB}}\noutput_dir: out\nplots: none\n"),
        );
        workspace.succeed(&["run", "run.yaml"]);
        let file = workspace.json("out/lb_statistics.json");
        assert_eq!(
            (&file["type"], &file["metadata"]["type"]),
            (&json!("LBStatsfile"), &json!("LBStatsfile"))
        );
        workspace.succeed(&["validate", "out/lb_statistics.json"]);
        file["phases"][0].clone()
    };
    let group = |group: &Value| ["car", "npr", "sum", "avg", "min", "max"].map(|key| group[key].clone());
    let silent = run(&[]);
    for name in ["Object_load_raw", "Object_load_modeled"] {
        // Before: 0 (placeholder), 1 and 3 on rank 0; 2 on rank 1; 0 for the empty rank 2.
        // After: only the placeholder is on rank 0.
        assert_eq!(group(&silent["pre-LB"][name]), [5.0, 3.0, 6.0, 1.2, 0.0, 3.0].map(Value::from));
        assert_eq!(group(&silent["post-LB"][name]), [4.0, 3.0, 6.0, 1.5, 0.0, 3.0].map(Value::from));
    }
    for when in ["pre-LB", "post-LB"] {
        assert_eq!(group(&silent[when]["Object_comm"]), [3.0, 0.0, 0.0, 0.0, 0.0, 0.0].map(Value::from));
    }
    let edges = [send((three, 1), (one, 0), 6.0), send((three, 1), (two, 0), 3.0)];
    let speaking = run(&edges);
    for when in ["pre-LB", "post-LB"] {
        // Both edges belong to rank 1; the other two ranks have none.
        assert_eq!(group(&speaking[when]["Object_comm"]), [4.0, 2.0, 9.0, 2.25, 0.0, 6.0].map(Value::from));
    }
    let info = workspace.succeed(&["info", "data"]);
    assert!(
        info.contains("note: 1 of the objects of phase 0 are placeholders of vt (id 0, load 0)"),
        "{info}"
    );
    let info: Value = serde_json::from_str(&workspace.succeed(&["info", "data", "--json"])).expect("JSON");
    assert_eq!(info["phases"][0]["n_placeholders"], 1);
}

/// Two objects on rank 0 and one on rank 1, with 6 bytes from rank 0 to 1 and 3 bytes between the first two.
fn three_objects(more: &[Value]) -> Workspace {
    let workspace = Workspace::new();
    let (one, two, three) = ((packed(1, 0), 0), (packed(2, 0), 0), (packed(3, 1), 1));
    let mut edges = vec![send(one, three, 6.0), send(one, two, 3.0)];
    edges.extend_from_slice(more);
    workspace.write("data.0.json", one_phase(0, &[task(one.0, 0, 1.0), task(two.0, 0, 3.0)], &edges));
    workspace.write("data.1.json", one_phase(1, &[task(three.0, 1, 2.0)], &[]));
    workspace
}

/// Returns the statistics of phase 0 from a run with this balancer and these additional keys of `from_data`.
fn statistics(workspace: &Workspace, algorithm: &str, from_data: &str) -> Value {
    let data = format!("from_data: {{data_stem: data{from_data}}}");
    workspace.write("run.yaml", format!("{data}\nalgorithm: {algorithm}\noutput_dir: out\nplots: none\n"));
    workspace.succeed(&["run", "run.yaml"]);
    workspace.succeed(&["validate", "out/lb_statistics.json"]);
    workspace.json("out/lb_statistics.json")["phases"][0].clone()
}

/// All objects go to rank 0. As in vt, the statistics after balancing still have the 6 off-rank bytes from before.
#[test]
fn communication_of_ranks_after_balancing_equals_that_before() {
    let workspace = three_objects(&[]);
    let map = "phase,id_kind,object,from_rank,to_rank\n";
    workspace.write("map.csv", format!("{map}0,id,{},1,0\n", packed(3, 1)));
    let phase = statistics(&workspace, "{name: OfflineLB, parameters: {map: map.csv}}", "");
    assert_eq!(phase["migration count"], 1);
    for when in ["pre-LB", "post-LB"] {
        assert_eq!(
            (&phase[when]["Rank_comm"]["sum"], &phase[when]["Rank_comm"]["max"]),
            (&json!(6.0), &json!(6.0))
        );
    }
    assert_eq!(phase["post-LB"]["Rank_load_raw"]["max"], 6.0);
    assert_eq!(phase["pre-LB"]["Rank_load_raw"]["max"], 4.0);
}

/// `SendRecv` has 6 and 3 bytes, and rank 1 has an entry of 0. Communication with a node does not count.
#[test]
fn communication_of_objects_is_only_between_two_objects() {
    let to_node = json!({
        "bytes": 50.0, "from": entity(packed(3, 1), 1), "messages": 1, "to": {"id": 0, "type": "node"},
        "type": "CollectionToNode",
    });
    let workspace = three_objects(&[to_node]);
    let kinds = ["", ", communication_types: [SendRecv, CollectionToNode]"];
    for (kinds, sent_to_node) in kinds.into_iter().zip([0.0, 50.0]) {
        let phase = statistics(&workspace, "{name: RotateLB}", kinds);
        let group = ["car", "npr", "sum", "max"].map(|key| phase["pre-LB"]["Object_comm"][key].clone());
        assert_eq!(group, [3.0, 2.0, 9.0, 6.0].map(Value::from), "{kinds}");
        // If the other type is selected, it counts in the statistics of ranks.
        assert_eq!(phase["pre-LB"]["Rank_comm"]["sum"], 6.0 + sent_to_node);
    }
}

/// For a phase without a balancer, vt writes no statistics after balancing.
#[test]
fn phases_without_a_balancer_have_only_statistics_before_balancing() {
    let workspace = three_objects(&[]);
    workspace.write("lb.conf", "1 GreedyLB\n");
    for (algorithm, keys) in [
        ("{name: NoLB}", &["id", "pre-LB"][..]),
        ("{lb_config: lb.conf}", &["id", "pre-LB"]),
        ("{name: GreedyLB, min_imbalance: 9}", &["id", "migration count", "post-LB", "pre-LB"]),
    ] {
        let phase = statistics(&workspace, algorithm, "");
        assert_eq!(phase.as_object().expect("an object").keys().collect::<Vec<_>>(), keys, "{algorithm}");
        let info = workspace.succeed(&["info", "out/lb_statistics.json"]);
        assert_eq!(info.contains("migration"), keys.len() > 2, "{info}");
        assert_eq!(info.contains(" after "), keys.len() > 2, "{info}");
    }
}
