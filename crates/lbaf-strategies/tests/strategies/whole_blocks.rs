// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies that promise to keep blocks whole do so, and no strategy is below its lower bounds.

use std::collections::BTreeMap;

use lbaf_model::{Phase, Units, WorkModel, lower_bounds_for};
use lbaf_strategies::{
    BruteForce, Checked, InformAndTransfer, Strategy, StrategyConfig, StrategyName, TemperedLB,
    TemperedTransfer, TransferStrategy,
};
use proptest::prelude::*;

use crate::cases;
use crate::made_phase::Made;
use crate::posed::posed;

fn keeping() -> Vec<Box<dyn Strategy>> {
    let clustering = InformAndTransfer {
        transfer_strategy: TransferStrategy::Clustering,
        max_subclusters: Some(0),
        ..InformAndTransfer::default()
    };
    let homeward = InformAndTransfer { homeward: true, ..clustering.clone() };
    let swapping = TemperedLB { transfer: TemperedTransfer::SwapClusters, ..TemperedLB::default() };
    vec![
        Box::new(clustering),
        Box::new(homeward),
        Box::new(TemperedLB { homeward: true, ..swapping.clone() }),
        Box::new(swapping),
        Box::new(BruteForce { whole_clusters: true, max_nodes: 100_000, ..BruteForce::default() }),
    ]
}

/// True if migratable objects of a block with the same initial rank also have the same new rank.
fn are_whole(phase: &Phase, checked: &Checked) -> bool {
    let mut ends = BTreeMap::new();
    phase.slots().filter(|&slot| phase.is_migratable(slot)).all(|slot| {
        let end = checked.outcome.assignment.rank_of(slot);
        let cluster = |block| (block, phase.recorded_assignment().rank_of(slot));
        phase.memory(slot).block.is_none_or(|block| *ends.entry(cluster(block)).or_insert(end) == end)
    })
}

fn check_bounds(made: &Made, model: &dyn WorkModel, strategy: &dyn Strategy) -> Result<(), TestCaseError> {
    // Strategies without their placement map refuse the problem.
    let Ok(checked) = made.run(strategy, model, 3) else { return Ok(()) };
    let phase = made.phase();
    let whole = strategy.keeps_blocks_whole();
    prop_assert!(!whole || are_whole(&phase, &checked), "{} divides a block", strategy.name());
    let units = if whole { Units::Clusters(phase.recorded_assignment()) } else { Units::Objects };
    let work = checked.works.iter().map(|work| work.cost()).fold(0.0, f64::max);
    let is_within = checked.works.iter().all(|work| !work.is_over_bound());
    for bound in lower_bounds_for(&phase, model, units) {
        let holds = is_within || !bound.within_bounds;
        prop_assert!(
            !holds || bound.work <= work * (1.0 + 1e-12),
            "{} has a maximum work of {work}, but the lower bound by {} is {}",
            strategy.name(),
            bound.limit,
            bound.work
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn blocks_stay_whole((made, model) in posed()) {
        for strategy in keeping() {
            prop_assert!(strategy.keeps_blocks_whole());
            check_bounds(&made, &model, &*strategy)?;
        }
    }

    #[test]
    fn no_strategy_is_below_a_lower_bound((made, model) in posed()) {
        let is_run_here = |config: &StrategyConfig| config.name() != StrategyName::External;
        for config in StrategyConfig::defaults().into_iter().filter(is_run_here) {
            check_bounds(&made, &model, &*config.build())?;
        }
    }
}
