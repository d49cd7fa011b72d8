// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts and page of a run whose strategy is defined by the program.
#![allow(clippy::unwrap_used, reason = "a test")]

use lbaf_config::{Layers, Overrides, OwnStrategies, resolve};
use lbaf_model::RankId;
use lbaf_report::{SavedRun, illustrate, page};
use lbaf_run::{Prepared, Silent};
use lbaf_strategies::{Cancel, Context, Outcome, Problem, Strategy, StrategyError};
use lbaf_writer::Inputs;

/// Moves every migratable object to rank 1.
struct Gather;

impl Strategy for Gather {
    fn name(&self) -> &'static str {
        "Gather"
    }

    fn rebalance(&self, problem: &Problem<'_>, _: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let mut assignment = problem.initial.clone();
        for slot in problem.phase.slots().filter(|&slot| problem.phase.is_migratable(slot)) {
            assignment.set(slot, RankId(1));
        }
        Ok(Outcome::at_once(assignment))
    }
}

#[test]
fn an_own_strategy_has_charts_and_a_page() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("run.yaml");
    let configuration = "
from_samplers:
  n_ranks: 4
  n_objects: 40
  n_mapped_ranks: 4
  load_sampler: {name: uniform, parameters: [0.5, 1.5]}
algorithm: {name: Gather}
output_dir: output
plots: {formats: [svg], charts: [rank_loads]}
";
    std::fs::write(&file, configuration).unwrap();
    let own = OwnStrategies::default().with("Gather", |_| Ok(Box::new(Gather))).unwrap();
    let overrides = Overrides::default();
    let layers = Layers::read(&[file], &[]).unwrap().with_own_strategies(own);
    let config = resolve(&layers, &overrides).unwrap();
    let mut prepared = Prepared::new(config, layers, &overrides, true, &Silent).unwrap();
    let staging = prepared.staging(&Silent).unwrap();
    let balanced = prepared.balance(&Silent, &Cancel::new()).unwrap();
    let mut outputs = prepared.write(&balanced, staging, &Silent).unwrap();
    illustrate(&mut outputs, &Silent).unwrap();
    let mut inputs: Inputs = prepared.files().into_iter().collect();
    outputs.publish(&inputs).unwrap();

    let output = directory.path().join("output");
    let chart = std::fs::read_to_string(output.join("plots/rank_loads.svg")).unwrap();
    assert!(chart.starts_with("<svg"));
    let runs = [SavedRun::read(&output, &mut inputs).unwrap()];
    let (page, unread) = page::of_runs(&runs, page::names(&runs), &mut inputs, &Silent).unwrap();
    assert!(unread.is_empty());
    assert_eq!(page.runs[0].name, "Gather");
    // 4 ranks, all objects on one: max / mean - 1 = 4 - 1 = 3.
    let phase = &page.runs[0].phases[0];
    let load = page.runs[0].quantities.iter().position(|quantity| quantity.key == "load").unwrap();
    let imbalance = phase.quantities[load].after.moments.as_ref().unwrap().imbalance;
    assert!((imbalance - 3.0).abs() < 1e-12, "{imbalance}");
}
