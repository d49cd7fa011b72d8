// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a strategy is given and what it returns.

use lbaf_model::{Assignment, ObjectKey, Phase, WorkModel};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::{Locks, Protocol, StrategyError};

/// A phase to be balanced. Nothing in it ever changes.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// Objects, loads, communication, ranks.
    pub phase: &'a Phase,
    /// Where the objects are.
    pub initial: &'a Assignment,
    /// What a placement costs, and the bounds it must keep.
    pub model: &'a dyn WorkModel,
    /// What identifies the objects of the data set, by [`ObjectIdx`](lbaf_model::ObjectIdx).
    pub keys: &'a [ObjectKey],
}

/// A rebalancing strategy. It is its parameters and nothing else.
pub trait Strategy: Send + Sync {
    /// The name in configurations.
    fn name(&self) -> &'static str;

    /// Whether it promises to keep the bounds of the work model where that is possible. Then a result that
    /// breaks one means that none was found; for other strategies it is only worth a warning.
    fn honours_bounds(&self) -> bool {
        false
    }

    /// Whether it asks where objects are in their collections ([`Phase::coordinates`]).
    fn needs_coordinates(&self) -> bool {
        false
    }

    /// Whether it asks what objects take in each subphase ([`Phase::subphases`]).
    fn needs_subphases(&self) -> bool {
        false
    }

    /// True if no object ever moves. Then nothing was rebalanced, and nothing is written as if it had been.
    fn keeps_placement(&self) -> bool {
        false
    }

    /// Whether objects of one block that may migrate, and start on one rank, always end on one rank. Then its
    /// results have tighter bounds (see [`Units::Clusters`](lbaf_model::Units)).
    fn keeps_blocks_whole(&self) -> bool {
        false
    }

    /// True if it draws random numbers from the [`Context`]. One that draws none has the same result for every seed, and
    /// a study runs it once instead of once per seed.
    fn draws(&self) -> bool {
        false
    }

    /// Finds a new placement.
    ///
    /// # Errors
    /// If the parameters do not fit the phase.
    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError>;
}

/// What a strategy may use beside the problem: randomness that repeats, and somebody who watches.
pub struct Context<'a> {
    streams: Streams,
    observer: &'a mut dyn Observer,
}

impl<'a> Context<'a> {
    /// A context for one phase. The same seed and phase give the same random numbers.
    pub fn new(seed: u64, phase: u64, observer: &'a mut dyn Observer) -> Self {
        Context { streams: Streams::new(seed, phase), observer }
    }

    /// The same random numbers, watched by somebody else.
    pub(crate) fn with_streams(streams: Streams, observer: &'a mut dyn Observer) -> Self {
        Context { streams, observer }
    }

    /// The seed of the run, for strategies that draw random numbers by other means than [`stream`](Self::stream).
    pub fn seed(&self) -> u64 {
        self.streams.seed
    }

    /// Random numbers of a rank, or of any other part that decides by itself. Streams are independent of each
    /// other, so parts can run in parallel in any order.
    pub fn stream(&self, part: u64) -> ChaCha8Rng {
        self.streams.stream(part)
    }

    /// All streams, for parts that run in parallel.
    pub(crate) fn streams(&self) -> Streams {
        self.streams
    }

    /// Whether so many seconds have passed since the observer began to watch. Without a limit never, and then nothing
    /// depends on a clock. A result that was cut off is not repeatable, and says so in a note.
    pub fn is_late(&self, limit: Option<f64>) -> bool {
        limit.is_some_and(|seconds| self.observer.has_passed(seconds))
    }

    /// Tells the observer that an iteration ended.
    pub fn iteration(&mut self, stats: &IterationStats, assignment: &Assignment) {
        self.observer.iteration(stats, assignment);
    }
}

/// The random numbers of a phase.
#[derive(Clone, Copy)]
pub(crate) struct Streams {
    seed: u64,
    phase: u64,
}

impl Streams {
    pub(crate) fn new(seed: u64, phase: u64) -> Self {
        Streams { seed, phase }
    }

    /// Those of a part that decides by itself.
    pub(crate) fn stream(self, part: u64) -> ChaCha8Rng {
        random_stream(self.seed, self.phase, part)
    }
}

/// The counter-based stream of (seed, phase, part).
pub(crate) fn random_stream(seed: u64, phase: u64, part: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&phase.to_le_bytes());
    let mut stream = ChaCha8Rng::from_seed(key);
    stream.set_stream(part);
    stream
}

/// Watches a strategy at work. Clocks are the observer's business, strategies have none.
pub trait Observer {
    /// An iteration ended with this placement.
    fn iteration(&mut self, stats: &IterationStats, assignment: &Assignment);

    /// Whether so many seconds have passed since it began to watch. One without a clock says no.
    fn has_passed(&self, _seconds: f64) -> bool {
        false
    }
}

/// Watches nothing.
pub struct NoObserver;

impl Observer for NoObserver {
    fn iteration(&mut self, _: &IterationStats, _: &Assignment) {}
}

/// What a strategy found.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The rank of every object.
    pub assignment: Assignment,
    /// The way in which ranks of a real run would come to it.
    pub protocol: Protocol,
    /// One entry for each iteration. Strategies that place everything at once leave it empty; the driver fills
    /// in the only one.
    pub iterations: Vec<IterationStats>,
    /// The iteration that the assignment was found in, 0 if it is where the strategy started: iterations may end
    /// worse than the best of them. Without iterations of no meaning.
    pub best_iteration: usize,
    /// A maximum work that no placement is below, where the strategy has proven one; if it
    /// [keeps blocks whole](Strategy::keeps_blocks_whole), no placement with all migratable objects of each block on one rank.
    pub proven_bound: Option<f64>,
    /// True if the strategy has proven that no placement is better, or none by more than it was asked for, of those that
    /// [`proven_bound`](Self::proven_bound) is about; `None` where it proves nothing of the kind.
    pub is_proven: Option<bool>,
    /// What fewer migrations would have come to, as far as the strategy has been there: by number of migrations, each
    /// point with less work than the one before. Empty where a strategy does not say.
    pub front: Vec<FrontPoint>,
    /// What the user should know about the run: one sentence each.
    pub notes: Vec<String>,
}

/// A placement on the way to the last one, that none with as few migrations was better than.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrontPoint {
    /// Objects on another rank than at the start.
    pub n_migrations: usize,
    /// Maximum work over ranks.
    pub max_work: f64,
    /// Imbalance of rank loads.
    pub load_imbalance: f64,
}

impl Outcome {
    /// The outcome of a strategy without iterations that decides in one place.
    pub fn at_once(assignment: Assignment) -> Self {
        Outcome {
            assignment,
            protocol: Protocol::Central,
            iterations: Vec::new(),
            best_iteration: 0,
            proven_bound: None,
            is_proven: None,
            front: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// That of one in which each rank knows its part without a message.
    pub(crate) fn silent(assignment: Assignment) -> Self {
        Outcome { protocol: Protocol::Silent, ..Outcome::at_once(assignment) }
    }
}

/// How things stood after an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationStats {
    /// Number of the iteration, from 1.
    pub iteration: usize,
    /// Imbalance of rank loads.
    pub load_imbalance: f64,
    /// Maximum work over ranks; only the cost, without excess over bounds.
    pub max_work: f64,
    /// The largest relative excess of a rank over the bounds of the work model.
    pub largest_excess: f64,
    /// Objects that changed rank.
    pub n_transfers: usize,
    /// Transfers that were considered and rejected.
    pub n_rejections: usize,
    /// Messages that ranks would have sent each other in a real run, objects on their way not among them.
    pub n_messages: u64,
    /// The part of the other ranks that a rank knew of, in the mean; `None` where nothing is told.
    pub knowledge: Option<f64>,
    /// What locks it took, where ranks lock each other.
    pub locks: Option<Locks>,
}
