// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rebalancing strategies: one trait, one registry, one driver.
//!
//! [`StrategyName`] lists all strategies. Each strategy is a struct of its parameters. A [`Strategy`] takes a
//! [`Problem`] and returns an [`Outcome`]; [`run`] runs it and checks the result. [`StrategyConfig`] is a strategy as
//! data, for configurations. [`run`] takes a `&dyn Strategy`, so strategies of other crates work like built-in ones:
//! see the example at [`Strategy`].
//!
//! This crate accesses no files and no clock and prints nothing. Random numbers follow from seeds (see [`Streams`]). A
//! [`Cancel`] token stops long runs.
//!
//! ```
//! use lbaf_model::{LoadOnly, Object, Phase, RankId};
//! use lbaf_strategies::{Context, NoObserver, Problem, StrategyConfig, run};
//!
//! // Four objects of 1, 2, 3 and 4 s, all on the first of two ranks.
//! let objects = [1.0, 2.0, 3.0, 4.0].map(|load| Object::new(load, RankId(0)));
//! let phase = Phase::builder(2).objects(objects).build()?;
//! let model = LoadOnly::default();
//!
//! let strategy = StrategyConfig::named("GreedyRefineLB", serde_json::json!({"tolerance": 1.05}))?.build();
//! let problem = Problem::recorded(&phase, &model, &[]);
//! let checked = run(&*strategy, &problem, &mut Context::new(42, 0, &mut NoObserver))?;
//! assert_eq!(checked.works.iter().map(|work| work.cost()).collect::<Vec<_>>(), [5.0, 5.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "expected values do not come from the crate `libm`")
)]

mod cancel;
mod communication;
mod constructive;
mod context;
mod driver;
mod error;
mod exact;
mod external;
mod given_placement;
mod gossip;
mod hierarchical;
mod iteration_stats;
mod outcome;
mod parameters;
mod partitioning;
mod placement_map;
mod primitives;
mod problem;
mod refinement;
mod registry;
mod replay;
mod stealing;
mod strategy;
#[cfg(test)]
mod test_phase;

pub use cancel::{Cancel, Cancelled};
pub use communication::{Communication, Protocol};
pub use constructive::greedy::{Collection, Greedy};
pub use constructive::karmarkar_karp::KarmarkarKarp;
pub use constructive::lpt::Lpt;
pub use constructive::multifit::Multifit;
pub use constructive::random::{RandomLB, VT_SEED};
pub use constructive::rotate::RotateLB;
pub use context::{Context, NoObserver, Observer, Streams};
pub use driver::{Checked, run};
pub use error::StrategyError;
pub use exact::brute_force::BruteForce;
pub use exact::milp::{Milp, MilpFormulation, MilpSolver};
pub use external::{External, Promise};
pub use given_placement::PlacementError;
pub use gossip::inform_and_transfer::{InformAndTransfer, Preset, TransferStrategy};
pub use gossip::tempered::{
    Inform, Knowledge, Ordering, TemperedCmf, TemperedCriterion, TemperedLB, TemperedTransfer,
};
pub use gossip::tempered_wmin::TemperedWMin;
pub use gossip::{Cmf, Concurrency, Criterion, DestLoad, End, Order, Rescan, SenderLoad};
pub use hierarchical::HierarchicalLB;
pub use iteration_stats::{IterationStats, Locks};
pub use outcome::{FrontPoint, Outcome};
pub use partitioning::multilevel::{Multilevel, PartitioningGraph, equal_parts};
pub use partitioning::recursive_coordinate_bisection::RecursiveCoordinateBisection;
pub use partitioning::space_filling_curve::{Curve, SpaceFillingCurve};
pub use partitioning::zoltan::ZoltanLB;
pub use placement_map::{MapSource, Permutation, PermutationFile, PlacementMap, PrescribedMigration};
pub use primitives::pool::{OfferOrder, Pool};
pub use problem::Problem;
pub use refinement::centralized_prefix_optimizer::CentralizedPrefixOptimizer;
pub use refinement::diffusion::{Diffusion, DiffusionOrder, Topology};
pub use refinement::greedy_refine::GreedyRefine;
pub use refinement::local_search::{LocalSearch, SearchStart};
pub use refinement::refine::{Light, Refine};
pub use registry::{StrategyConfig, StrategyName};
pub use replay::offline::{DataSetMap, OfflineLB, OfflineMap};
pub use replay::phase_stepper::PhaseStepper;
pub use replay::prescribed_permutation::PrescribedPermutation;
pub use stealing::work_stealing::{Granularity, QueueOrder, StealSize, VictimOrder, WorkStealing};
pub use strategy::{Strategy, WorkByArguments};
