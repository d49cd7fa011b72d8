// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random settings of a run: strategy, work model, and the form of its output.

use std::fmt::Write as _;

use super::data::Data;
use super::draw::Draw;

/// A strategy of the registry with its requirements on the data.
pub(super) struct Strategy {
    pub(super) name: String,
    pub(super) needs_small_data: bool,
    /// True if all objects must be in all phases, and another phase must follow the first.
    pub(super) needs_whole_phases: bool,
}

/// Returns the strategies by name, from the list of the binary.
pub(super) fn strategies(schemas: &serde_json::Value) -> Vec<Strategy> {
    let strategy = |schema: &serde_json::Value| {
        let name = schema["name"].as_str().expect("a name").to_owned();
        let needs_small_data = ["BruteForce", "Milp"].contains(&name.as_str());
        let needs_whole_phases = ["OfflineLB", "PrescribedPermutation"].contains(&name.as_str());
        Strategy { name, needs_small_data, needs_whole_phases }
    };
    schemas["strategies"].as_array().expect("a list").iter().map(strategy).collect()
}

/// Settings shared by both runs, as YAML.
pub(super) struct Settings {
    pub(super) from_data: String,
    pub(super) work_model: String,
    pub(super) algorithm: String,
    pub(super) writing: String,
    pub(super) is_offline: bool,
    pub(super) seed: u64,
}

impl Settings {
    pub(super) fn draw(draw: &mut Draw, data: &Data, strategy: &Strategy, is_offline: bool) -> Self {
        let kinds = draw.of(&["[SendRecv]", "all", "all"]);
        let absent = draw.of(&["drop", "home"]);
        let nodes = draw.of(&["1", "1", "2", "from_files"]);
        let mut algorithm = format!("name: {}", strategy.name);
        if strategy.name == "PrescribedPermutation" {
            let placed =
                data.migratable.iter().map(|number| format!("{number}: {}", draw.below(data.n_ranks)));
            let placed: Vec<String> = placed.collect();
            let _ = write!(algorithm, ", parameters: {{permutation: {{{}}}}}", placed.join(", "));
        }
        if strategy.name == "External" {
            let command = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/external/lpt.py");
            let _ = write!(algorithm, ", parameters: {{command: [python3, {command:?}]}}");
        }
        if draw.once_in(3) {
            algorithm += ", placement: carry";
        }
        if draw.once_in(4) && !strategy.needs_whole_phases {
            let _ = write!(algorithm, ", phase_id: {}", draw.of(&data.phases));
        }
        let writing = format!(
            "compressed: {}, lb_iterations: {}, offline_lb_compatible: {is_offline}",
            draw.once_in(4),
            draw.once_in(4)
        );
        Settings {
            from_data: format!(
                "communication_types: {kinds}, absent_endpoints: {absent}, ranks_per_node: {nodes}"
            ),
            work_model: work_model(draw),
            algorithm,
            writing,
            is_offline,
            seed: draw.below(1 << 16),
        }
    }
}

impl Settings {
    /// Returns the configuration of a run.
    pub(super) fn yaml(
        &self,
        stem: &str,
        algorithm: &str,
        output_dir: &str,
        writing: Option<&str>,
    ) -> String {
        let Settings { from_data, work_model, seed, .. } = self;
        let writing = writing.map(|writing| format!("write_JSON: {{{writing}}}\n")).unwrap_or_default();
        format!(
            "from_data: {{data_stem: {stem}, {from_data}}}
work_model: {{{work_model}}}
algorithm: {{{algorithm}}}
output_dir: {output_dir}
{writing}plots: none
seed: {seed}
"
        )
    }
}

fn work_model(draw: &mut Draw) -> String {
    let name = draw.of(&["LoadOnly", "AffineCombination", "AffineCombination", "CCM", "CCM"]);
    let mut parameters = vec![format!("alpha: {}", draw.of(&["1.0", "0.5"]))];
    if name != "LoadOnly" {
        parameters.push(format!("beta: {}", draw.of(&["0.0", "0.01", "1.0e-3"])));
        parameters.push(format!("gamma: {}", draw.of(&["0.0", "0.25"])));
        parameters.push(format!("delta: {}", draw.of(&["0.0", "0.125", "1.0"])));
        let bound = draw.of(&["", "", "max_memory_usage: 60.0", "max_memory_usage: 20.0", "homing: 10.0"]);
        parameters.push(format!("upper_bounds: {{{bound}}}"));
    }
    if name == "CCM" {
        parameters.push(format!("on_rank_volume: {}", draw.of(&["paper", "vt"])));
        parameters.push(format!("memory: {}", draw.of(&["without_serialized", "with_serialized"])));
    }
    format!("name: {name}, parameters: {{{}}}", parameters.join(", "))
}
