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

mod additions;
mod brute_force;
mod centralized_prefix_optimizer;
mod communication;
mod config;
mod diffusion;
mod driver;
mod error;
mod geometry;
mod gossip;
mod greedy;
mod greedy_refine;
mod handout;
mod hierarchical;
mod inform_and_transfer;
mod karmarkar_karp;
mod ladder;
mod local_search;
mod lpt;
mod milp;
mod multifit;
mod multilevel;
mod near_home;
mod offline;
mod phase_stepper;
mod pool;
mod prescribed_permutation;
mod random;
mod recursive_coordinate_bisection;
mod refine;
mod remap;
mod rotate;
mod schema;
mod seconds;
mod space_filling_curve;
mod strategy;
mod tempered;
mod tempered_wmin;
#[cfg(test)]
mod test_phase;
mod tolerance;
mod work_stealing;
mod works;
mod zoltan;

pub use brute_force::BruteForce;
pub use centralized_prefix_optimizer::CentralizedPrefixOptimizer;
pub use communication::{Communication, Protocol};
pub use config::{StrategyConfig, StrategyName, WorkByArguments};
pub use diffusion::{Diffusion, DiffusionOrder, Topology};
pub use driver::{Checked, run, standing};
pub use error::StrategyError;
pub use gossip::{Cmf, Concurrency, Criterion, DestLoad, End, Locks, Order, Rescan, SenderLoad};
pub use greedy::{Collection, Greedy};
pub use greedy_refine::GreedyRefine;
pub use hierarchical::HierarchicalLB;
pub use inform_and_transfer::{InformAndTransfer, Preset, TransferStrategy};
pub use karmarkar_karp::KarmarkarKarp;
pub use local_search::{LocalSearch, SearchStart};
pub use lpt::Lpt;
pub use milp::{Milp, MilpFormulation, MilpSolver};
pub use multifit::Multifit;
pub use multilevel::{Multilevel, PartitioningGraph, equal_parts};
pub use offline::{DataSetMap, OfflineLB, OfflineMap};
pub use phase_stepper::PhaseStepper;
pub use pool::{OfferOrder, Pool};
pub use prescribed_permutation::{Permutation, PermutationFile, PrescribedMigration, PrescribedPermutation};
pub use random::{RandomLB, VT_SEED};
pub use recursive_coordinate_bisection::RecursiveCoordinateBisection;
pub use refine::{Light, Refine};
pub use rotate::RotateLB;
pub use space_filling_curve::{Curve, SpaceFillingCurve};
pub use strategy::{Context, FrontPoint, IterationStats, NoObserver, Observer, Outcome, Problem, Strategy};
pub use tempered::{
    Inform, Knowledge, Ordering, TemperedCmf, TemperedCriterion, TemperedLB, TemperedTransfer,
};
pub use tempered_wmin::TemperedWMin;
pub use work_stealing::{Granularity, QueueOrder, StealSize, VictimOrder, WorkStealing};
pub use zoltan::ZoltanLB;
