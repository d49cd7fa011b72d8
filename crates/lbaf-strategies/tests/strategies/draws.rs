// SPDX-License-Identifier: MIT OR Apache-2.0
//! `uses_random_numbers` of every strategy is true exactly if its result depends on the seed.

use lbaf_model::{Affine, AffineParameters, LoadOnly, WorkModel};
use lbaf_strategies::{
    InformAndTransfer, Knowledge, LocalSearch, Multilevel, Outcome, RandomLB, Strategy, StrategyConfig,
    TemperedLB, TemperedTransfer, TransferStrategy, VictimOrder, WorkStealing,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::contract::strategies;
use crate::made_phase::{Made, Object, object};

const SEEDS: std::ops::Range<u64> = 0..3;

/// Returns random objects, most in blocks, with random communication.
fn random_phase(seed: u64) -> Made {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (n_ranks, n_objects, n_blocks) = (6, 48, 12);
    let objects: Vec<Object> = (0..n_objects)
        .map(|at| Object {
            migratable: random.random_range(0..10) > 0,
            footprint_bytes: random.random_range(1.0..9.0),
            block: (at % 6 != 0).then_some(at % n_blocks),
            // A block is on one rank. The last two ranks are empty.
            ..object(random.random_range(0.1..2.0), at % n_blocks % (n_ranks - 2))
        })
        .collect();
    let mut end = || random.random_range(0..n_objects);
    let edges: Vec<(u32, u32)> = (0..90).map(|_| (end(), end())).collect();
    Made {
        edges: edges.into_iter().map(|(from, to)| (from, to, random.random_range(1.0..100.0))).collect(),
        block_bytes: (0..n_blocks).map(|_| random.random_range(1.0..5.0)).collect(),
        indices: (0..i64::from(n_objects)).map(|at| vec![at % 7, at / 7]).collect(),
        ..Made::of(n_ranks as usize, objects)
    }
}

/// Returns every strategy with its defaults, and variants with parameters that decide the use of random numbers.
fn asked(made: &Made) -> Vec<StrategyConfig> {
    let mut asked = strategies(made);
    for config in &mut asked {
        match config {
            StrategyConfig::BruteForce(search) => search.max_nodes = 1000,
            StrategyConfig::Milp(milp) => milp.max_nodes = 1,
            _ => {}
        }
    }
    let swapping = TemperedLB { transfer: TemperedTransfer::SwapClusters, ..TemperedLB::default() };
    let complete = TemperedLB { knowledge: Knowledge::Complete, ..swapping.clone() };
    // Transfers are deterministic, but gossip is random.
    let clustering = InformAndTransfer {
        transfer_strategy: TransferStrategy::Clustering,
        deterministic_transfer: true,
        fanout: 1,
        ..InformAndTransfer::default()
    };
    let stealing = |victim| WorkStealing { victim, ..WorkStealing::default() };
    asked.extend([
        StrategyConfig::RandomLB(RandomLB { seed: Some(7), ..RandomLB::default() }),
        StrategyConfig::TemperedLB(swapping),
        StrategyConfig::TemperedLB(complete),
        StrategyConfig::InformAndTransfer(clustering),
        StrategyConfig::LocalSearch(LocalSearch { patience: 0, ..LocalSearch::default() }),
        StrategyConfig::Multilevel(Multilevel { repartition: true, ..Multilevel::default() }),
        StrategyConfig::WorkStealing(stealing(VictimOrder::Random)),
        StrategyConfig::WorkStealing(stealing(VictimOrder::Ring)),
    ]);
    asked
}

/// True if a strategy has the same outcome with all seeds.
fn is_the_same(made: &Made, strategy: &dyn Strategy, model: &dyn WorkModel) -> bool {
    let outcomes: Vec<Outcome> = SEEDS.map(|seed| made.run(strategy, model, seed).unwrap().outcome).collect();
    outcomes.windows(2).all(|pair| pair[0] == pair[1])
}

#[test]
fn strategies_that_draw_nothing_have_one_result_and_others_several() {
    let communicating = Affine::new(AffineParameters { beta: 0.01, ..AffineParameters::default() }).unwrap();
    let models: [&dyn WorkModel; 2] = [&LoadOnly::default(), &communicating];
    let phases: Vec<Made> = (0..4).map(random_phase).collect();
    for (at, config) in asked(&phases[0]).into_iter().enumerate() {
        let mut cases = phases.iter().flat_map(|made| models.iter().map(move |model| (made, *model)));
        let is_the_same = |(made, model): (&Made, &dyn WorkModel)| {
            // A placement map belongs to one phase.
            is_the_same(made, &*asked(made).swap_remove(at).build(), model)
        };
        if config.build().uses_random_numbers() {
            assert!(!cases.all(is_the_same), "{config:?} has the same result with all seeds");
        } else {
            assert!(cases.all(is_the_same), "{config:?} has different results");
        }
    }
}
