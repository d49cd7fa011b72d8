// SPDX-License-Identifier: MIT OR Apache-2.0
//! `summary.json`: everything that a run found, from which tables, charts and sentences are made.
//!
//! Nothing in it depends on the machine, the number of threads or the time.

pub mod bounds;
pub mod doubt;
#[doc(hidden)]
pub mod made;
pub mod overall;
pub mod rounding;
pub mod saved;
pub mod sentences;
pub mod statistics_file;
pub mod subphases;
pub mod tables;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Component, Path};

use lbaf_config::Invocation;
use lbaf_model::{BoundScope, RankTotals, Statistics, Work};
use lbaf_reader::CommunicationCounts;
use lbaf_strategies::IterationStats;
use lbaf_vom::CommunicationKind;
use lbaf_writer::{Staging, Written};
use serde::{Deserialize, Serialize};

use self::bounds::{Bound, Infeasibility, KnownBound, RestrictedBound};
use self::subphases::Subphases;
use lbaf_text::number::{counted, significant};

/// Version of the schema; it changes when a key changes its meaning or disappears.
pub const VERSION: u32 = 3;
/// The oldest one that can be read: keys of version 2 that have other names now are known by both.
pub const OLDEST_VERSION: u32 = 2;

/// Its name; written last, and listed in none.
pub const FILE: &str = "summary.json";
/// Clock times and the machine, beside the summary: the only file that differs between runs.
pub const TIMINGS: &str = "timings.json";
/// What summaries say they are.
pub const SCHEMA: &str = "lbaf-summary";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    pub schema: String,
    pub version: u32,
    pub lbaf: String,
    pub configuration: Invocation,
    pub input: Input,
    pub work_model: Named,
    /// The strategy, or [`LB_CONFIG`].
    pub strategy: Named,
    /// What ran in which phases by an LB configuration file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub balancers: Vec<BalancerRuns>,
    /// What was taken out of the recorded times before; nothing if they are as recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denoise: Option<Denoised>,
    pub seed: u64,
    /// The phases that were balanced, ascending.
    pub phases: Vec<PhaseResult>,
    /// How charts were drawn; nothing if none were.
    pub plots: Option<lbaf_config::PlotSettings>,
    pub sentences: Vec<String>,
    /// What the strategy says of its result.
    #[serde(default)]
    pub notes: Vec<String>,
    pub warnings: Vec<String>,
    /// Every other file of the run by name, but for `timings.json`.
    pub files: BTreeMap<String, FileDigest>,
}

/// What was noise in the data of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Denoised {
    /// How it was told.
    pub labelling: serde_json::Value,
    /// Tasks in all phases of the data, and those that are anomalies.
    pub n_tasks: usize,
    pub n_anomalies: usize,
    /// Seconds by which these took longer than usual.
    pub excess_seconds: f64,
    /// Imbalance of the recorded placements as it was measured, and what of that is noise; means over phases.
    pub mean_imbalance: f64,
    pub mean_noise: f64,
    /// Why nothing is known of the noise, if so: a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// The same in a sentence, and where the measured times run.
    #[serde(skip)]
    pub note: String,
    #[serde(skip)]
    pub simulated: String,
}

/// What stands for the name of a strategy where an LB configuration file names one for each phase.
pub const LB_CONFIG: &str = "lb_config";

/// What a line of an LB configuration file ran.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BalancerRuns {
    /// The number of the line; nothing for phases that no line decides.
    pub line: Option<usize>,
    /// The balancer with its arguments, as they were written.
    pub balancer: Option<String>,
    /// What it is here; nothing if every object stayed.
    pub strategy: Option<Named>,
    /// The phases, ascending.
    pub phases: Vec<u64>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Input {
    /// As the configuration says; of data that are drawn, that they are.
    pub stem: String,
    /// What the names of files end in; nothing if there were none.
    pub suffix: Option<String>,
    pub n_ranks: usize,
    /// Different objects in all phases read.
    pub n_objects: usize,
    pub phases_read: Vec<u64>,
    pub document_bytes: u64,
    pub communications: Communications,
}

/// Communication entries in all phases read, by type.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Communications {
    pub counted: BTreeMap<String, u64>,
    pub other_types: BTreeMap<String, u64>,
    pub absent_endpoints: BTreeMap<String, u64>,
}

impl From<&CommunicationCounts> for Communications {
    fn from(counts: &CommunicationCounts) -> Self {
        let named = |counts: &BTreeMap<CommunicationKind, u64>| {
            counts.iter().map(|(kind, &count)| (kind.name().to_owned(), count)).collect()
        };
        Communications {
            counted: named(&counts.counted),
            other_types: named(&counts.other_kinds),
            absent_endpoints: named(&counts.absent),
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Named {
    pub name: String,
    /// The name with what is on beyond the algorithm published under it; nothing if that is the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    pub parameters: serde_json::Value,
}

impl Named {
    pub fn label(&self) -> &str {
        self.label.as_ref().unwrap_or(&self.name)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PhaseResult {
    pub phase: u64,
    /// The digest of its data, in hexadecimal digits: phases that agree in it and in the work model are one problem.
    pub digest: String,
    /// The strategy that ran; nothing if every object stayed because none did.
    #[serde(default)]
    pub strategy: Option<String>,
    pub n_objects: usize,
    pub n_migratable: usize,
    pub n_edges: usize,
    /// Where the objects were before.
    #[serde(default)]
    pub start: Start,
    /// Whether it was balanced enough to be left alone.
    #[serde(default)]
    pub left_alone: bool,
    pub before: Snapshot,
    pub after: Snapshot,
    /// The best of those that hold for every placement, or for every placement within the bounds of the work model if
    /// the final one is.
    pub lower_bound: Bound,
    /// The best for placements that keep what the strategy keeps, where that is higher.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restricted_bound: Option<RestrictedBound>,
    /// All that are known; the first is the mean.
    #[serde(default)]
    pub lower_bounds: Vec<KnownBound>,
    /// A proof that no placement keeps the bounds of the work model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub infeasibility: Option<Infeasibility>,
    /// Maximum work if load were spread evenly over the ranks, whatever it consists of.
    pub ideal_work: f64,
    pub migrations: Migrations,
    pub iterations: Vec<Iteration>,
    /// The iteration that the result is from; 0 if none was better than the start.
    #[serde(default)]
    pub best_iteration: usize,
    /// True if the strategy proved that no placement is better; nothing where it proves nothing of the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<bool>,
    /// What fewer migrations come to, as far as the strategy has been there; by number of migrations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub front: Vec<FrontPoint>,
    /// Whether the strategy had to keep bounds and could not.
    pub infeasible: bool,
    /// Bounds of the work model that the final placement exceeds.
    pub violations: Vec<Violation>,
    /// Load of every rank.
    pub rank_loads: BeforeAfter,
    /// What it takes if ranks wait for each other behind every subphase, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subphases: Option<Subphases>,
}

/// A placement on the way to the last one, that none with as few migrations was better than.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct FrontPoint {
    pub migrations: usize,
    pub max_work: f64,
    pub load_imbalance: f64,
}

impl From<&lbaf_strategies::FrontPoint> for FrontPoint {
    fn from(point: &lbaf_strategies::FrontPoint) -> Self {
        FrontPoint {
            migrations: point.n_migrations,
            max_work: point.max_work,
            load_imbalance: point.load_imbalance,
        }
    }
}

impl PhaseResult {
    /// Messages of all iterations; no more than there can be.
    pub fn messages(&self) -> u64 {
        self.iterations.iter().map(|iteration| iteration.messages).fold(0, u64::saturating_add)
    }
}

/// Where a phase started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "placement", rename_all = "snake_case")]
pub enum Start {
    /// In the placement it was recorded in.
    #[default]
    Recorded,
    /// In the placement that an earlier phase ended in.
    Carried { from: u64 },
}

/// How things stood after an iteration of the strategy.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Iteration {
    pub number: usize,
    pub load_imbalance: f64,
    pub max_work: f64,
    pub transfers: usize,
    pub rejections: usize,
    /// The largest relative excess of a rank over a bound.
    #[serde(default)]
    pub largest_excess: f64,
    /// Messages that ranks would send each other.
    #[serde(default)]
    pub messages: u64,
    /// The part of the other ranks that a rank knows of, in the mean.
    #[serde(default)]
    pub knowledge: Option<f64>,
    /// What locks it took, where ranks lock each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locks: Option<Locks>,
}

/// What the locks of an iteration took.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Locks {
    pub rounds: u64,
    pub requests: u64,
    pub conflicts: u64,
    pub retries: u64,
}

impl From<&IterationStats> for Iteration {
    fn from(stats: &IterationStats) -> Self {
        Iteration {
            number: stats.iteration,
            load_imbalance: stats.load_imbalance,
            max_work: stats.max_work,
            transfers: stats.n_transfers,
            rejections: stats.n_rejections,
            largest_excess: stats.largest_excess,
            messages: stats.n_messages,
            knowledge: stats.knowledge,
            locks: stats.locks.map(|locks| Locks {
                rounds: locks.n_rounds,
                requests: locks.n_requests,
                conflicts: locks.n_conflicts,
                retries: locks.n_retries,
            }),
        }
    }
}

/// A bound of the work model that is exceeded, where it is exceeded most.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Violation {
    pub quantity: String,
    pub limit: f64,
    /// `rank` or `node`, and its number.
    pub scope: String,
    pub place: usize,
    pub value: f64,
    /// How many ranks or nodes exceed it.
    pub n_places: usize,
}

/// What a bound holds for.
pub fn scope_name(scope: BoundScope) -> &'static str {
    match scope {
        BoundScope::Rank => "rank",
        BoundScope::Node => "node",
    }
}

impl From<&lbaf_model::Violation> for Violation {
    fn from(violation: &lbaf_model::Violation) -> Self {
        Violation {
            quantity: violation.bound.quantity.to_string(),
            limit: violation.bound.limit,
            scope: scope_name(violation.bound.scope).to_owned(),
            place: violation.place,
            value: violation.value,
            n_places: violation.n_places,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { quantity, limit, scope, place, value, n_places } = self;
        write!(f, "{quantity} is {} on {scope} {place}, above {}", significant(*value), significant(*limit))?;
        let others = n_places - 1;
        if others > 0 {
            write!(f, ", and exceeded on {}", counted(others, &format!("other {scope}")))
        } else {
            Ok(())
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BeforeAfter {
    pub before: Vec<f64>,
    pub after: Vec<f64>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Migrations {
    pub count: usize,
    /// Seconds of load that changed rank.
    pub load: f64,
    /// Bytes on the wire: serialized sizes of the objects, and footprints where those are not stated.
    pub bytes: f64,
}

/// Quantities over ranks under one placement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    pub load: Moments,
    pub work: Moments,
    pub memory: Moments,
    pub sent_volume: Moments,
    pub received_volume: Moments,
    pub homing: Moments,
    pub num_objects: Moments,
    /// Ranks over a bound of the work model, and the largest relative violation.
    #[serde(alias = "n_ranks_over_bound")]
    pub n_ranks_over_bounds: usize,
    pub largest_excess: f64,
}

impl Snapshot {
    pub fn new(totals: &[RankTotals], works: &[Work]) -> Self {
        let of = |quantity: fn(&RankTotals) -> f64| Moments::of(totals.iter().map(quantity));
        Snapshot {
            load: of(|rank| rank.load),
            work: Moments::of(works.iter().map(|work| work.cost())),
            memory: of(RankTotals::memory_bytes),
            sent_volume: of(|rank| rank.sent_bytes),
            received_volume: of(|rank| rank.received_bytes),
            homing: of(|rank| rank.homing_bytes),
            num_objects: of(|rank| f64::from(rank.n_objects)),
            n_ranks_over_bounds: works.iter().filter(|work| work.is_over_bound()).count(),
            largest_excess: works.iter().map(|work| work.excess()).fold(0.0, f64::max),
        }
    }
}

/// Population moments of a quantity over ranks.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Moments {
    pub sum: f64,
    pub min: f64,
    pub mean: f64,
    pub max: f64,
    pub imbalance: f64,
    pub deviation: f64,
    pub skewness: f64,
    pub kurtosis: f64,
}

impl Moments {
    fn of(numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let statistics = Statistics::of(numbers);
        Moments {
            sum: statistics.sum,
            min: statistics.min,
            mean: statistics.mean(),
            max: statistics.max,
            imbalance: statistics.imbalance(),
            deviation: statistics.deviation(),
            skewness: statistics.skewness(),
            kurtosis: statistics.kurtosis(),
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileDigest {
    pub bytes: u64,
    pub sha256: String,
}

/// Digests of everything in `staging`.
pub fn digests(staging: &Staging) -> BTreeMap<String, FileDigest> {
    let digest = |written: Written| FileDigest { bytes: written.bytes, sha256: written.sha256 };
    staging.written().into_iter().map(|(name, written)| (name, digest(written))).collect()
}

/// The other files of which a file of results says that they were written with it; none if there is no such file.
pub fn outputs_of(results: &Path) -> BTreeMap<String, FileDigest> {
    #[derive(Deserialize)]
    struct Results {
        outputs: BTreeMap<String, FileDigest>,
    }
    let Ok(bytes) = lbaf_reader::read_file(results) else { return BTreeMap::new() };
    serde_json::from_slice(&bytes).map_or_else(|_| BTreeMap::new(), |Results { outputs }| outputs)
}

/// Which of the files that were once written into a directory are still there as they were.
pub fn unchanged(directory: &Path, files: BTreeMap<String, FileDigest>) -> Vec<String> {
    let inside = |name: &str| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let is_as_it_was = |name: &str, digest: &FileDigest| {
        lbaf_reader::read_file(&directory.join(name))
            .is_ok_and(|bytes| lbaf_writer::sha256(&bytes) == digest.sha256)
    };
    let unchanged = files.into_iter().filter(|(name, digest)| inside(name) && is_as_it_was(name, digest));
    unchanged.map(|(name, _)| name).collect()
}

/// JSON for people: indented, with a newline at the end.
pub fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(value).expect("invariant: keys are strings and numbers finite");
    bytes.push(b'\n');
    bytes
}
