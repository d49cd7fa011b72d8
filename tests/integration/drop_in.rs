// SPDX-License-Identifier: MIT OR Apache-2.0
//! Unchanged configurations of LBAF users.

use std::path::Path;

use crate::peers::{self, EIGHT_COLOURS};
use crate::vom::{one_phase, packed, task};
use crate::workspace::{Workspace, is_fast};

/// Every configuration of LBAF runs unchanged, with LBAF's command line and with `lbaf run`.
#[test]
fn every_configuration_of_lbaf_runs_unchanged() {
    let Some(workspace) = peers::peer(peers::SYNTHETIC_BLOCKS) else { return };
    let peer = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/peer"));
    for (directory, _) in [peers::TOY_MEM, peers::FEWER, peers::HUNDREDS, ("ccm_example", "data")] {
        workspace.copy(&peer.join("data").join(directory), &format!("data/{directory}"));
    }
    // A debug build is too slow for this data set.
    let large = is_fast();
    if large {
        workspace.copy(&peer.join("data").join(EIGHT_COLOURS.0), &format!("data/{}", EIGHT_COLOURS.0));
    }
    let names = workspace.names("config");
    assert!(names.len() > 8, "{names:?}");
    let mut failed = Vec::new();
    for name in names.iter().filter(|name| *name != "global.yaml") {
        let file = format!("config/{name}");
        if !large && workspace.text(&file).contains(EIGHT_COLOURS.0) {
            peers::skip(&format!("{name} is for an optimized build"));
            continue;
        }
        for arguments in [["-c", &file], ["run", &file]] {
            // Charts and pictures take most of the time.
            let none: &[&str] = &["--set", "plots=none", "--set", "visualization=null"];
            let unchanged: &[&str] = if large { &[] } else { none };
            let said = workspace.lbaf(&[&arguments[..], unchanged].concat());
            if said.code != 0 {
                failed.push(format!("{arguments:?} ended with {}: {}", said.code, said.stderr));
                continue;
            }
            for output in ["imbalance.txt", "w_max.txt", "summary.json"] {
                assert!(workspace.path(&format!("output/{output}")).is_file(), "{name}: {output}");
            }
            std::fs::remove_dir_all(workspace.path("output")).expect("it was written");
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Two ranks, two objects on the first.
fn small() -> Workspace {
    let workspace = Workspace::new();
    let tasks = [task(packed(1, 0), 0, 1.0), task(packed(2, 0), 0, 1.0)];
    workspace.write("data/set.0.json", one_phase(0, &tasks, &[]));
    workspace.write("data/set.1.json", one_phase(1, &[], &[]));
    workspace
}

/// Cases from LBAF's tests of its validator, as changes of a valid configuration.
#[test]
fn configurations_are_accepted_and_refused_as_by_lbaf() {
    let workspace = small();
    let right = "
from_data: {data_stem: data/set}
check_schema: false
work_model: {name: AffineCombination, parameters: {beta: 0.0, gamma: 0.0}}
algorithm:
  name: InformAndTransfer
  phase_id: 0
  parameters:
    n_iterations: 1
    n_rounds: 4
    fanout: 4
    order_strategy: element_id
    transfer_strategy: Clustering
    criterion: Tempered
    max_objects_per_transfer: 8
    deterministic_transfer: true
output_dir: out
output_file_stem: output_file
plots: none
";
    workspace.write("right.yaml", right);
    let sampler = "{name: uniform, parameters: [1.0, 2.0]}";
    let sampled = |load: &str| {
        format!(
            "from_samplers={{n_ranks: 2, n_objects: 4, n_mapped_ranks: 0, communication_degree: 1, {load}, \
             volume_sampler: {sampler}}}"
        )
    };
    let drawn = |load: &str| vec!["from_data=null".to_owned(), sampled(load)];
    let of_algorithm = |change: &str| vec![format!("algorithm.parameters.{change}")];
    let one = |change: &str| vec![change.to_owned()];
    let right_too = [
        Vec::new(),
        one("from_data.phase_ids=0-0"),
        one("from_data.phase_ids=[0]"),
        one("algorithm={name: BruteForce, phase_id: 0, parameters: {skip_transfer: true}}"),
        drawn(&format!("load_sampler: {sampler}")),
        of_algorithm("cluster_swap_rtol=0.07"),
        of_algorithm("target_imbalance=0.05"),
        of_algorithm("subclustering_threshold=0.5"),
        of_algorithm("subclustering_minimum_improvement=0.1"),
        // LBAF refuses the following configurations, and those without `phase_ids`.
        // Here a missing or null key has its default.
        of_algorithm("cluster_swap_rtol=0.0"),
        of_algorithm("cluster_swap_rtol=1"),
        of_algorithm("fanout=null"),
        one("work_model=null"),
        one("work_model.parameters=null"),
    ];
    let wrong = [
        vec![sampled(&format!("load_sampler: {sampler}"))],
        one("from_data=null"),
        one("from_data.phase_ids=[0.0]"),
        one("from_data.phase_ids=0-3r"),
        one("work_model.name=AffineCombinations"),
        one("work_model.parameters.beta='0.'"),
        one("algorithm={name: BruteForce, phase_id: 0, parameters: {n_iterations: 8}}"),
        drawn("load_sampler: {name: lognormal, parameters: [1.0, 10.0, 5.0]}"),
        drawn("load_sampler: {name: lognormal, parameters: [1.0]}"),
        drawn("load_sampler: {name: lognormal, parameters: [1.0, '10.0']}"),
        drawn("load_sampler: {name: lognorma, parameters: [1.0, 10.0]}"),
        drawn(&format!("load_samplers: {sampler}")),
        of_algorithm("max_subclusters=-2"),
        of_algorithm("max_subclusters=10.0"),
        of_algorithm("separate_subclustering=incorrect"),
        of_algorithm("subclustering_minimum_improvement=-1"),
        of_algorithm("subclustering_threshold=-1"),
    ];
    let code = |changes: &[String]| {
        let changes = changes.iter().flat_map(|change| ["--set", change]);
        let arguments: Vec<&str> = ["run", "right.yaml"].into_iter().chain(changes).collect();
        workspace.lbaf(&arguments).code
    };
    for (expected, cases) in [(0, &right_too[..]), (3, &wrong[..])] {
        for changes in cases {
            assert_eq!(code(changes), expected, "{changes:?}");
        }
    }
}

/// LBAF's test of merging: for common keys, the configuration takes precedence.
#[test]
fn a_local_configuration_takes_precedence_over_the_global_one() {
    let workspace = small();
    let global = "
algorithm: {name: BruteForce, parameters: {transfer_strategy: Recursive}}
output_dir: ../output
write_JSON: {compressed: False, suffix: json, communications: True, offline_lb_compatible: False}
plots: none
";
    let local = "
from_data: {data_stem: ../data/set, phase_ids: [0]}
check_schema: False
algorithm: {name: InformAndTransfer, parameters: {fanout: 3}}
";
    workspace.write("config/global.yaml", global);
    workspace.write("config/conf.yaml", local);
    workspace.succeed(&["-c", "config/conf.yaml"]);
    let strategy = &workspace.json("output/summary.json")["strategy"];
    assert_eq!(strategy["name"], "InformAndTransfer");
    assert_eq!(
        (&strategy["parameters"]["fanout"], &strategy["parameters"]["transfer_strategy"]),
        (&3.into(), &"Recursive".into())
    );
    assert!(workspace.path("output/output_file.1.json").is_file());
}

/// LBAF's bound `number_of_objects` is reported as `num_objects`.
#[test]
fn bounds_are_understood_by_the_names_that_lbaf_has_for_them() {
    let workspace = small();
    let configuration = "from_data: {data_stem: data/set}
work_model: {name: AffineCombination, parameters: {upper_bounds: {number_of_objects: 1.0}}}
algorithm: {name: PhaseStepper}
output_dir: out
plots: none
";
    workspace.write("run.yaml", configuration);
    workspace.succeed(&["run", "run.yaml"]);
    let violation = &workspace.json("out/summary.json")["phases"][0]["violations"][0];
    assert_eq!((&violation["quantity"], &violation["limit"]), (&"num_objects".into(), &1.0.into()));
}

/// Keys of LBAF's configuration and of its strategies.
const KEYS_OF_LBAF: &str = "
    from_data from_data.data_stem from_data.phase_ids from_data.expected_ranks from_data.ranks_per_node
    from_samplers from_samplers.n_ranks from_samplers.n_objects from_samplers.n_mapped_ranks
    from_samplers.communication_degree from_samplers.load_sampler from_samplers.volume_sampler
    work_model work_model.name work_model.parameters work_model.parameters.beta work_model.parameters.gamma
    work_model.parameters.delta work_model.parameters.upper_bounds
    algorithm algorithm.name algorithm.phase_id algorithm.parameters
    output_file_stem output_dir check_schema logging_level log_to_file overwrite_validator
    write_JSON write_JSON.compressed write_JSON.suffix write_JSON.communications
    write_JSON.offline_lb_compatible write_JSON.lb_iterations
    visualization visualization.x_ranks visualization.y_ranks visualization.z_ranks visualization.object_jitter
    visualization.rank_qoi visualization.object_qoi visualization.force_continuous_object_qoi
    visualization.save_meshes visualization.output_visualization_dir visualization.output_visualization_file_stem
    InformAndTransfer.n_iterations InformAndTransfer.n_rounds InformAndTransfer.fanout
    InformAndTransfer.order_strategy InformAndTransfer.transfer_strategy InformAndTransfer.criterion
    InformAndTransfer.max_objects_per_transfer InformAndTransfer.deterministic_transfer
    InformAndTransfer.target_imbalance InformAndTransfer.subclustering_threshold
    InformAndTransfer.subclustering_minimum_improvement InformAndTransfer.cluster_swap_rtol
    InformAndTransfer.max_subclusters InformAndTransfer.separate_subclustering
    BruteForce.skip_transfer CentralizedPrefixOptimizer.do_second_stage PrescribedPermutation.permutation
    LBAF_Viz write_JSON.offline_LB_compatible file_suffix n_ranks brute_force_optimization terminal_background
    generate_multimedia generate_meshes
";

/// Returns the keys that have a row in `docs/lbaf.md`.
fn documented() -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/lbaf.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let keys = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    keys.map(str::to_owned).collect()
}

/// Returns the keys allowed in a section, from the error message about an unknown key.
fn keys_of(section: &str, configuration: &str) -> Vec<String> {
    let workspace = Workspace::new();
    workspace.write("run.yaml", configuration);
    let error = workspace.fail(&["run", "run.yaml"], 3);
    let unknown = "unknown key `qqq`; expected ";
    let expected =
        error.lines().find_map(|line| line.split_once(unknown)).unwrap_or_else(|| panic!("{error}")).1;
    let prefix = if section.is_empty() { String::new() } else { format!("{section}.") };
    expected.split('`').skip(1).step_by(2).map(|key| format!("{prefix}{key}")).collect()
}

#[test]
fn the_page_for_users_of_lbaf_has_every_key() {
    let documented = documented();
    let mut keys: Vec<String> = KEYS_OF_LBAF.split_whitespace().map(str::to_owned).collect();
    keys.extend(keys_of("", "qqq: 1"));
    for section in
        ["from_data", "from_samplers", "work_model", "algorithm", "write_JSON", "visualization", "plots"]
    {
        keys.extend(keys_of(section, &format!("{section}: {{qqq: 1}}")));
    }
    keys.extend(keys_of("work_model.parameters", "work_model: {parameters: {qqq: 1}}"));
    for strategy in ["InformAndTransfer", "BruteForce", "CentralizedPrefixOptimizer", "PrescribedPermutation"]
    {
        let configuration =
            format!("from_data: {{data_stem: x}}\nalgorithm: {{name: {strategy}, parameters: {{qqq: 1}}}}");
        let workspace = Workspace::new();
        workspace.write("run.yaml", &configuration);
        let missing = "this version of lbaf does not have it";
        if !workspace.fail(&["run", "run.yaml"], 3).contains(missing) {
            keys.extend(keys_of(strategy, &configuration));
        }
    }
    assert!(keys.len() > 80, "{keys:?}");
    let without: Vec<&String> = keys.iter().filter(|key| !documented.contains(key)).collect();
    assert!(without.is_empty(), "docs/lbaf.md has no row for {without:?}");
}
