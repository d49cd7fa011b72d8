// SPDX-License-Identifier: MIT OR Apache-2.0
//! LBAF's `visualization`: names and content of pictures and meshes.

use std::path::Path;

use lbaf_model::{ObjectQuantity, RankQoi};
use serde_json::{Value, json};

use crate::peers;
use crate::vom::{one_phase, packed, send, task};
use crate::vtk;
use crate::workspace::Workspace;

/// Two ranks, eight objects on the first. Object 3 is an anomaly; objects 3 and 4 have a value `heat`.
fn workspace(algorithm: &str, visualization: &str) -> Workspace {
    let workspace = Workspace::new();
    let mut tasks: Vec<_> = (1..=8).map(|sequence| task(packed(sequence, 0), 0, sequence as f64)).collect();
    tasks[2]["user_defined"] = json!({"anomaly": 1, "colour": "red", "heat": 36.5});
    tasks[3]["attributes"] = json!({"heat": 37, "is_hot": true});
    let talk =
        [send((packed(1, 0), 0), (packed(2, 0), 0), 64.0), send((packed(2, 0), 0), (packed(1, 0), 0), 36.0)];
    let mut first: Value = serde_json::from_str(&one_phase(0, &tasks, &talk)).expect("it is JSON");
    first["metadata"]["attributes"] = json!({"cores": 4, "host": "a"});
    first["phases"][0]["user_defined"] = json!({"pressure": 2.5});
    workspace.write("set.0.json", first.to_string());
    workspace.write("set.1.json", one_phase(1, &[], &[]));
    workspace.write("run.yaml", configuration(algorithm, visualization));
    workspace
}

fn configuration(algorithm: &str, visualization: &str) -> String {
    format!(
        "from_data: {{data_stem: set}}\nalgorithm: {algorithm}\noutput_dir: out\n\
         plots: {{formats: [svg], charts: []}}\nvisualization:\n  {{x_ranks: 2, y_ranks: 1, z_ranks: 1, \
         object_jitter: 0.5, output_visualization_file_stem: v, {visualization}}}\n"
    )
}

/// Returns the names of pictures and meshes.
fn pictures(workspace: &Workspace, directory: &str) -> Vec<String> {
    let is_picture = |name: &String| {
        let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("svg" | "pdf" | "png" | "apng" | "vtp"))
    };
    workspace.names(directory).into_iter().filter(is_picture).collect()
}

/// Returns the number of frames that an animated PNG declares in its chunk `acTL`.
fn n_frames(apng: &[u8]) -> u32 {
    let at = apng.windows(4).position(|bytes| bytes == b"acTL").expect("it is animated");
    u32::from_be_bytes(apng[at + 4..at + 8].try_into().expect("four bytes"))
}

/// Returns the names of the arrays of a mesh.
fn arrays(mesh: &str) -> Vec<&str> {
    mesh.split(" Name=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn configurations_of_lbaf_draw_their_pictures() {
    let Some(workspace) = peers::peer(peers::SYNTHETIC_BLOCKS) else { return };
    let peer = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/peer"));
    workspace.copy(&peer.join("data/ccm_example"), "data/ccm_example");
    // Frames: the start and eight iterations; the start and the result; only the start, because nothing migrates.
    // LBAF draws every iteration.
    for (name, frames, quantities) in [
        ("synthetic-blocks", 9, ["Rank homing (B)", "Object shared id"]),
        ("permute", 2, ["Rank load (s)", "Object load (s)"]),
        ("test-vt-tv", 1, ["Rank load (s)", "Object load (s)"]),
        ("ccm-example", 1, ["Rank load (s)", "Object shared id"]),
    ] {
        let said = workspace.lbaf(&[
            "run",
            &format!("config/{name}.yaml"),
            "--set",
            "plots.charts=[]",
            "--set",
            "visualization.iterations=true",
        ]);
        assert_eq!(said.code, 0, "{name}: {}", said.stderr);
        assert_eq!(pictures(&workspace, "output").len(), 4 * frames + usize::from(frames > 1), "{name}");
        let listed = workspace.json("output/summary.json")["files"].clone();
        for frame in 0..frames {
            for file in [
                format!("output_file{frame}.svg"),
                format!("output_file{frame}.png"),
                format!("output_file_object_mesh_{frame}.vtp"),
                format!("output_file_rank_mesh_{frame}.vtp"),
            ] {
                assert!(listed.get(&file).is_some(), "{name}: {file} has a digest");
            }
            let svg = workspace.text(&format!("output/output_file{frame}.svg"));
            for quantity in quantities {
                assert!(svg.contains(&format!(">{quantity}<")), "{name}: {quantity}");
            }
        }
        let objects = workspace.text("output/output_file_object_mesh_0.vtp");
        let arrays = arrays(&objects);
        for expected in ["migratable", "load", "shared_id", "shared_bytes", "home_rank", "bytes"] {
            assert!(arrays.contains(&expected), "{name}: {arrays:?} has {expected}");
        }
        check_meshes(&workspace, name, frames);
        if frames > 1 {
            let animation = workspace.read("output/output_file.apng");
            assert_eq!(n_frames(&animation) as usize, frames);
        }
        std::fs::remove_dir_all(workspace.path("output")).expect("it was written");
    }
}

/// Checks meshes as VTK reads them: objects are on the ranks stated in the summary, at the start and at the
/// end.
fn check_meshes(workspace: &Workspace, name: &str, frames: usize) {
    let Some(meshes) = vtk::read(&workspace.path("output")) else { return };
    assert_eq!(meshes.as_object().map(serde_json::Map::len), Some(2 * frames), "{name}");
    let summary = workspace.json("output/summary.json");
    let result = &summary["phases"][0];
    let numbers = |value: &Value| -> Vec<f64> {
        let list = value.as_array().expect("a list");
        list.iter().map(|number| number.as_f64().unwrap_or(f64::NAN)).collect()
    };
    for (frame, when) in [(0, "before"), (frames - 1, "after")] {
        let ranks = &meshes[format!("output_file_rank_mesh_{frame}.vtp")];
        assert_eq!(ranks["points"], summary["input"]["n_ranks"], "{name}");
        assert_eq!(ranks["lines"], 0);
        let objects = &meshes[format!("output_file_object_mesh_{frame}.vtp")];
        assert_eq!(objects["points"], result["n_objects"], "{name}");
        let [of_objects, of_lines] = ["of_points", "of_lines"].map(|of| &objects[of]);
        assert_eq!(numbers(&of_lines["bytes"]).len() as u64, objects["lines"].as_u64().expect("a count"));
        let places = of_objects["rank_id"].as_array().expect("a list").iter();
        let places: Vec<usize> = places.map(|rank| rank.as_u64().expect("a rank") as usize).collect();
        assert!(places.is_sorted(), "{name}: rank by rank");
        let mut loads = vec![0.0; numbers(&ranks["of_points"]["rank_id"]).len()];
        for (load, &rank) in numbers(&of_objects["load"]).iter().zip(&places) {
            loads[rank] += load;
        }
        for (found, expected) in loads.iter().zip(numbers(&result["rank_loads"][when])) {
            assert!((found - expected).abs() <= 1e-12 * expected, "{name}, {when}: {found}, {expected}");
        }
        if name == "synthetic-blocks" {
            assert!(ranks["of_points"]["homing"].is_array() && of_objects["shared_id"].is_array());
        }
    }
}

#[test]
fn a_grey_picture_has_no_colour() {
    let workspace = workspace("{name: Greedy}", "rank_qoi: load");
    workspace.succeed(&["run", "run.yaml", "--set", "plots.style.palette=grey"]);
    let svg = workspace.text("out/v0.svg");
    let colours = svg.split('#').skip(1).filter_map(|rest| rest.get(..6));
    let is_colour = |digits: &&str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let colours: Vec<&str> = colours.filter(is_colour).collect();
    assert!(colours.len() > 10, "{colours:?}");
    assert!(colours.iter().all(|grey| grey[..2] == grey[2..4] && grey[..2] == grey[4..]), "{colours:?}");
}

#[test]
fn a_phase_has_frames_for_its_start_and_its_result() {
    let workspace = workspace("{name: Greedy}", "rank_qoi: load");
    workspace.succeed(&["run", "run.yaml"]);
    let expected = [
        "v.apng",
        "v0.svg",
        "v1.svg",
        "v_object_mesh_0.vtp",
        "v_object_mesh_1.vtp",
        "v_rank_mesh_0.vtp",
        "v_rank_mesh_1.vtp",
    ];
    assert_eq!(pictures(&workspace, "out"), expected);
    // All 36 s are on one rank, then 18 s on each.
    let [start, result] = ["out/v0.svg", "out/v1.svg"].map(|name| workspace.text(name));
    for text in ["Phase: 0/0, start", "Load imbalance: 1", "rank 0", "36 s", "0 s"] {
        assert!(start.contains(&format!(">{text}<")), "{text}");
    }
    for text in ["Phase: 0/0, result", "Load imbalance: 0", "18 s"] {
        assert!(result.contains(&format!(">{text}<")), "{text}");
    }
    // One pair, with the sum of both directions.
    assert!(start.contains(">100 B<"), "64 + 36 bytes");
    // Pictures and meshes of the previous run, which had more frames, are removed.
    workspace.write("run.yaml", configuration("{name: PhaseStepper}", "rank_qoi: load, save_meshes: false"));
    workspace.succeed(&["run", "run.yaml"]);
    assert_eq!(pictures(&workspace, "out"), ["v0.svg"]);
}

/// Many objects that communicate are large pictures, and gossip has many iterations.
#[test]
fn pictures_of_many_phases_take_less_than_20_mb() {
    for algorithm in [
        "{name: TemperedLB}",
        "{name: InformAndTransfer, parameters: {n_iterations: 8}}",
        "{name: GreedyRefine}",
    ] {
        for n_objects in [200, 400] {
            let workspace = Workspace::new();
            let data = format!(
                "from_samplers: {{n_ranks: 8, n_phases: 20, n_objects: {n_objects}, communication_degree: 6, drift: \
                 0.2, load_sampler: {{name: lognormal, parameters: [0.01, 6.25e-4]}}, volume_sampler: {{name: \
                 lognormal, parameters: [64.0e+3, 4.096e+9]}}}}\n"
            );
            let visualization = "x_ranks: 4, y_ranks: 2, z_ranks: 1, object_jitter: 0.5, rank_qoi: load, \
                                 output_visualization_file_stem: v";
            let text = format!(
                "{data}algorithm: {algorithm}\noutput_dir: out\nvisualization: {{{visualization}}}\nplots: {{charts: \
                 []}}\n"
            );
            workspace.write("run.yaml", text);
            workspace.succeed(&["run", "run.yaml"]);
            let drawn = workspace.files("out").into_iter().filter(|(name, _)| name.starts_with('v'));
            let sizes: Vec<(String, usize)> = drawn.map(|(name, bytes)| (name, bytes.len())).collect();
            let total: usize = sizes.iter().map(|(_, size)| size).sum();
            assert!(
                sizes.len() >= 4 && total < 20_000_000,
                "{algorithm}, {n_objects}: {total} bytes, {sizes:?}"
            );
        }
    }
}

#[test]
fn phases_to_draw_that_are_not_balanced_are_reported() {
    let workspace = workspace("{name: Greedy}", "rank_qoi: load, phases: 7");
    let said = workspace.lbaf(&["run", "run.yaml", "--set", "plots={formats: [svg], phases: [0, 7]}"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let none = "warning: `visualization.phases` selects none of the balanced phases (0)";
    let one = "warning: `plots.phases` names phase 7, which is not among the balanced phases (0)";
    assert!(said.stderr.contains(none) && said.stderr.contains(one), "{}", said.stderr);
    let drawn = pictures(&workspace, "out");
    assert!(drawn.iter().all(|name| name.starts_with("plots/")), "{drawn:?}");
    assert!(workspace.text("out/plots/rank_loads.svg").starts_with("<svg"));
}

#[test]
fn numbers_in_the_data_colour_ranks_and_objects() {
    let workspace = workspace("{name: PhaseStepper}", "rank_qoi: pressure, object_qoi: heat");
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!(said.stderr.matches("note: `visualization.").count(), 2, "{}", said.stderr);
    assert!(!said.stderr.contains("warning"), "{}", said.stderr);
    let svg = workspace.text("out/v0.svg");
    for text in ["Rank pressure", "all 2.5", "Object heat", "36.5", "37", "none", "anomaly"] {
        assert!(svg.contains(&format!(">{text}<")), "{text}");
    }
    assert_eq!(
        svg.matches("fill-opacity=\"0.35\"").count(),
        6 + legend_marks(&svg),
        "six of eight have no heat"
    );
    let objects = workspace.text("out/v_object_mesh_0.vtp");
    let expected = [
        "heat",
        "migratable",
        "load",
        "anomaly",
        "collection_id",
        "index",
        "is_hot",
        "id",
        "rank_id",
        "bytes",
    ];
    assert_eq!(arrays(&objects)[..10], expected);
    assert_eq!(arrays(&workspace.text("out/v_rank_mesh_0.vtp"))[..3], ["pressure", "cores", "rank_id"]);
    // Values that are strings are not drawn.
    workspace.write("run.yaml", configuration("{name: PhaseStepper}", "rank_qoi: host, object_qoi: colour"));
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert!(said.stderr.contains("warning: `visualization.rank_qoi: host`: no rank has"), "{}", said.stderr);
    assert!(
        said.stderr.contains("warning: `visualization.object_qoi: colour`: no object has"),
        "{}",
        said.stderr
    );
}

/// Counts the hollow shapes below the grid.
fn legend_marks(svg: &str) -> usize {
    let legend = svg.split(">Object load, as area<").nth(1).expect("there is a legend");
    legend.matches("fill-opacity=\"0.35\"").count()
}

#[test]
fn every_quantity_can_be_drawn() {
    let workspace = workspace("{name: Greedy}", "rank_qoi: load");
    let ranks: Vec<&str> = RankQoi::all().map(RankQoi::name).collect();
    let objects: Vec<&str> = ObjectQuantity::ALL.iter().map(|quantity| quantity.name()).collect();
    for (i, rank_qoi) in ranks.iter().enumerate() {
        let object_qoi = objects[i % objects.len()];
        let quantities =
            [format!("visualization.rank_qoi={rank_qoi}"), format!("visualization.object_qoi={object_qoi}")];
        let mut arguments = vec!["run", "run.yaml", "--set", "algorithm.name=PhaseStepper"];
        arguments.extend(quantities.iter().flat_map(|set| ["--set", set]));
        workspace.succeed(&arguments);
        let object_mesh = workspace.text("out/v_object_mesh_0.vtp");
        assert_eq!(arrays(&object_mesh)[0], object_qoi);
        assert_eq!(arrays(&workspace.text("out/v_rank_mesh_0.vtp"))[0], *rank_qoi);
    }
}

#[test]
fn pictures_are_written_with_the_outputs() {
    let inside = "rank_qoi: load, save_meshes: false, output_visualization_dir: out/viz";
    let workspace = workspace("{name: PhaseStepper}", inside);
    let said = workspace.lbaf(&["run", "run.yaml"]);
    assert_eq!((said.code, &*said.stderr), (0, ""));
    assert_eq!(pictures(&workspace, "out"), ["viz/v0.svg"]);
    workspace.succeed(&["run", "run.yaml", "--output-dir", "elsewhere"]);
    assert_eq!(pictures(&workspace, "elsewhere"), ["viz/v0.svg"]);
    let outside = configuration("{name: PhaseStepper}", &inside.replace("out/viz", "viz"));
    workspace.write("run.yaml", outside);
    let said = workspace.lbaf(&["run", "run.yaml"]);
    let note = "note: `visualization.output_visualization_dir` (viz) is not inside `output_dir`: pictures and meshes \
                are written to `output_dir`\n";
    assert_eq!((said.code, &*said.stderr), (0, note));
    assert_eq!(pictures(&workspace, "out"), ["v0.svg"], "and none in viz any more");
    let slash = configuration("{name: PhaseStepper}", "rank_qoi: load").replace("stem: v", "stem: a/v");
    workspace.write("run.yaml", slash);
    let error = workspace.fail(&["run", "run.yaml"], 3);
    assert!(error.contains("output_visualization_file_stem: \"a/v\" is used in file names"), "{error}");
}

#[test]
fn formats_are_those_of_charts_or_svg_and_png() {
    let workspace = workspace("{name: PhaseStepper}", "rank_qoi: load, save_meshes: false");
    workspace.succeed(&["run", "run.yaml", "--set", "plots.formats=[pdf]"]);
    assert_eq!(pictures(&workspace, "out"), ["v0.pdf"]);
    workspace.succeed(&["run", "run.yaml", "--set", "plots=none"]);
    assert_eq!(pictures(&workspace, "out"), ["v0.png", "v0.svg"]);
    let png = workspace.read("out/v0.png");
    assert_eq!(png[16..24], [0, 0, 7, 208, 0, 0, 7, 208], "2000 x 2000, as vt-tv");
}

#[test]
fn a_grid_that_is_too_small_draws_nothing() {
    let workspace = workspace("{name: PhaseStepper}", "rank_qoi: load");
    let said = workspace.lbaf(&["run", "run.yaml", "--set", "visualization.x_ranks=1"]);
    assert_eq!(said.code, 0);
    assert!(said.stderr.contains("a grid of 1 x 1 x 1 has 1 place, but there are 2 ranks; nothing is drawn"));
    assert!(pictures(&workspace, "out").is_empty());
    let layers = ["--set", "visualization.x_ranks=1", "--set", "visualization.z_ranks=4000000000"];
    workspace.succeed(&[&["run", "run.yaml"], &layers[..]].concat());
    let svg = workspace.text("out/v0.svg");
    assert!(svg.contains(">z = 1<") && !svg.contains(">z = 2<"), "empty places are no error");
}

#[test]
fn pictures_do_not_depend_on_the_number_of_threads() {
    let algorithm = "{name: InformAndTransfer, parameters: {n_iterations: 3}}";
    let workspace = workspace(algorithm, "rank_qoi: work, iterations: true");
    let outputs = ["1", "3"].map(|threads| {
        let directory = format!("out{threads}");
        workspace.succeed(&["run", "run.yaml", "--threads", threads, "--output-dir", &directory]);
        let mut files = workspace.files(&directory);
        files.remove("timings.json");
        files
    });
    assert!(outputs[0].contains_key("v3.svg") && outputs[0].contains_key("v.apng"));
    assert!(outputs[0] == outputs[1]);
}
