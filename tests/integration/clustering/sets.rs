// SPDX-License-Identifier: MIT OR Apache-2.0
//! Twenty synthetic data sets with shared blocks, to test orders of cluster swaps.
//! Use other sets to choose an order: these were fixed before any order was tried.

use serde_json::{Value, json};

/// One line for each set, which `lbaf make` generates from the same keys and seed.
/// * `mapped`: number of ranks that hold objects at the start; 0 means all.
/// * `degree`: mean number of receivers of an object.
/// * `memory`: upper bound on `max_memory_usage`, slightly above the largest value at the start.
///
/// With a beta of 1e-7 s per byte, communication costs about a third of the load.
const SETS: &str = "
seed ranks objects mapped degree loads           blocks block_bytes         memory
101  8     160     0      0      lognormal:1,2   32     uniform:1e7,5e7     none
102  8     200     0      4      gamma:1,1.5     40     exponential:3e7     2.8e8
103  8     120     3      4      uniform:0.1,1.9 24     constant:2e7        none
104  12    240     0      4      exponential:1   60     uniform:1e7,9e7     4.0e8
105  12    180     4      0      pareto:0.5,2    36     constant:3e7        none
106  12    300     6      4      lognormal:1,4   60     exponential:2e7     none
107  16    320     0      4      pareto:0.4,1.8  64     uniform:1e7,5e7     none
108  16    400     0      4      gamma:1,0.5     80     exponential:4e7     4.7e8
109  16    240     5      4      exponential:1   48     constant:2e7        none
110  16    256     0      0      uniform:0,2     64     lognormal:3e7,9e14  2.7e8
111  24    480     0      4      lognormal:1,1   96     uniform:1e7,5e7     none
112  24    360     8      4      gamma:1,3       72     exponential:3e7     4.0e8
113  24    600     0      4      uniform:0.5,1.5 120    lognormal:3e7,9e14  3.3e8
114  32    640     0      0      exponential:1   160    uniform:1e7,9e7     3.5e8
115  32    480     8      4      lognormal:1,2   96     constant:2e7        none
116  32    800     0      4      pareto:0.5,2.5  160    exponential:3e7     3.8e8
117  48    960     0      4      gamma:1,1       192    uniform:1e7,5e7     none
118  48    720     12     4      exponential:1   144    exponential:2e7     none
119  64    1280    0      4      lognormal:1,3   320    lognormal:3e7,9e14  3.4e8
120  64    960     16     0      gamma:1,2       192    constant:2e7        none
";

/// A data set with its upper bound on memory.
#[derive(Clone, Debug)]
pub(super) struct Set {
    pub(super) seed: u64,
    samplers: Value,
    pub(super) max_memory: Option<f64>,
}

/// Returns all sets.
pub(super) fn sets() -> Vec<Set> {
    SETS.trim().lines().skip(1).map(Set::of_line).collect()
}

impl Set {
    fn of_line(line: &str) -> Self {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| cells[at].parse::<u64>().expect("a whole number");
        Set {
            seed: number(0),
            samplers: json!({
                "n_ranks": number(1),
                "n_objects": number(2),
                "n_mapped_ranks": number(3),
                "communication_degree": number(4),
                "load_sampler": sampler(cells[5]),
                "volume_sampler": sampler("exponential:7.5e5"),
                "shared_blocks": {"n_blocks": number(6), "size_bytes": sampler(cells[7])},
                "task_footprint_bytes": 1e6,
            }),
            max_memory: cells[8].parse().ok(),
        }
    }

    /// Returns a configuration for a run on the set.
    pub(super) fn configuration(&self, beta: f64, bounds: &Value, algorithm: &Value) -> String {
        let parameters = json!({"beta": beta, "upper_bounds": bounds});
        json!({
            "from_samplers": self.samplers,
            "seed": self.seed,
            "work_model": {"name": "AffineCombination", "parameters": parameters},
            "algorithm": algorithm,
            "output_dir": "out",
            "plots": "none",
        })
        .to_string()
    }
}

/// Parses a sampler `name:parameter,parameter`.
fn sampler(text: &str) -> Value {
    let (name, parameters) = text.split_once(':').expect("a name and parameters");
    let parameter = |text: &str| text.parse::<f64>().expect("a number");
    json!({"name": name, "parameters": parameters.split(',').map(parameter).collect::<Vec<f64>>()})
}
