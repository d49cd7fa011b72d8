// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys that the JSON reader of the task visualizer vt-tv needs, and arrays that its mesh viewer draws.
//! `docs/charts.md` describes a run of vt-tv with these outputs.

use serde_json::{Value, json};

use crate::vom::{list, one_phase, packed, send, task};
use crate::workspace::Workspace;

const CONFIGURATION: &str = "
from_data: {data_stem: set}
algorithm: {name: Greedy}
output_dir: out
write_JSON: {compressed: false}
plots: none
visualization: {x_ranks: 2, y_ranks: 1, z_ranks: 1, object_jitter: 0.5, rank_qoi: load, object_qoi: sent_volume,
                save_meshes: true, force_continuous_object_qoi: true, output_visualization_file_stem: v}
";

/// Two ranks, four objects on the first; object 1 is non-migratable, and two objects communicate.
fn result() -> Workspace {
    let workspace = Workspace::new();
    let mut tasks: Vec<_> = (1..=4).map(|sequence| task(packed(sequence, 0), 0, sequence as f64)).collect();
    tasks[0]["entity"]["migratable"] = json!(false);
    tasks[1]["user_defined"] = json!({"heat": 36.5});
    let talk = [send((packed(1, 0), 0), (packed(2, 0), 0), 64.0)];
    workspace.write("set.0.json", one_phase(0, &tasks, &talk));
    workspace.write("set.1.json", one_phase(1, &[], &[]));
    workspace.write("run.yaml", CONFIGURATION);
    workspace.succeed(&["run", "run.yaml"]);
    workspace
}

/// vt-tv takes the placement from the rank in the name of the file, and skips tasks that are not objects.
#[test]
fn written_files_have_all_keys_that_the_reader_of_vt_tv_takes() {
    let workspace = result();
    let mut n_tasks = 0;
    for rank in 0..2 {
        let file = workspace.json(&format!("out/output_file.{rank}.json"));
        assert_eq!(file["metadata"]["rank"], rank);
        for phase in list(&file, "phases") {
            assert!(phase["id"].is_u64());
            for task in list(phase, "tasks") {
                let entity = &task["entity"];
                assert!(task["time"].is_number() && task["node"] == rank, "{task}");
                assert!(entity["type"] == "object" && entity["migratable"].is_boolean(), "{task}");
                assert!(entity["id"].is_u64() && entity["home"].is_u64(), "{task}");
                n_tasks += 1;
            }
            for message in list(phase, "communications") {
                assert!(message["type"] == "SendRecv" && message["bytes"].is_number(), "{message}");
                let is_id = |end: &str| message[end]["id"].is_u64();
                assert!(message["messages"].is_number() && is_id("from") && is_id("to"), "{message}");
            }
        }
    }
    assert_eq!(n_tasks, 4);
}

/// The viewer takes colours from the scalars of a mesh, sizes of objects from `load`, and shapes from `migratable`.
#[test]
fn meshes_declare_the_arrays_that_the_viewer_of_vt_tv_draws() {
    let workspace = result();
    // The values are binary, after the elements.
    let mesh = |name: &str| {
        String::from_utf8_lossy(&workspace.read(&format!("out/v_{name}_mesh_1.vtp"))).into_owned()
    };
    let (ranks, objects) = (mesh("rank"), mesh("object"));
    let has = |mesh: &str, text: &str| assert!(mesh.contains(text), "no {text} in {mesh}");
    has(&ranks, "<PointData Scalars=\"load\">");
    has(&objects, "<PointData Scalars=\"sent_volume\">");
    has(&objects, "<CellData Scalars=\"bytes\">");
    for name in ["load", "migratable", "heat"] {
        has(&objects, &format!(" Name=\"{name}\""));
    }
    let summary: Value = workspace.json("out/summary.json");
    assert!(summary["files"]["v_object_mesh_1.vtp"].is_object());
}
