// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rebalancing strategies.
//!
//! | strategy | what it does |
//! |---|---|
//! | [`PhaseStepper`] | keeps every object where it is |
//! | [`PrescribedPermutation`] | puts objects where the user says |
//! | [`OfflineLB`] | puts objects where a map says, as vt replays one |
//! | [`RotateLB`] | moves every object one rank further |
//! | [`RandomLB`] | puts objects on random ranks |
//! | [`Greedy`] | largest object first, to the least loaded rank |
//! | [`Lpt`] | the same on the work model: communication and homing count where they cost |
//! | [`Multifit`] | the least capacity of ranks into which all objects can be packed |
//! | [`KarmarkarKarp`] | the largest differencing method, for any number of ranks |
//! | [`GreedyRefine`] | greedy, but an object stays unless its rank would have more than greedy comes to |
//! | [`Refine`] | objects off overloaded ranks, and no others |
//! | [`HierarchicalLB`] | the same in groups of ranks, and groups of groups |
//! | [`RecursiveCoordinateBisection`] | boxes of equal load, cut in two again and again |
//! | [`SpaceFillingCurve`] | pieces of equal load of a curve through all objects |
//! | [`InformAndTransfer`] | gossip, then transfers to ranks that were heard of |
//! | [`TemperedLB`] | the same as vt does it |
//! | [`TemperedWMin`] | the same on what each object costs by itself |
//! | [`CentralizedPrefixOptimizer`] | parts of blocks from the most loaded rank to others, within memory |
//! | [`LocalSearch`] | exchange by exchange closer to the best possible, with few migrations |
//! | [`Diffusion`] | load flows between ranks that communicate |
//! | [`WorkStealing`] | lets idle ranks steal, in simulated time |
//! | [`Multilevel`] | parts of the communication graph, from scratch or with few migrations |
//! | [`ZoltanLB`] | the latter with vt's parameters |
//! | [`BruteForce`] | the best arrangement there is, proven |
//! | [`Milp`] | the best by a mixed-integer program, or how far from it |
//!
//! A strategy is its parameters: it sees a [`Problem`] and returns an [`Outcome`]; [`run`] checks it.
//! No files, no clock, no output here, and no randomness but the streams of [`Context`].
#![forbid(unsafe_code)]

mod cancel;
mod communication;
mod constructive;
mod context;
mod driver;
mod error;
mod exact;
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
