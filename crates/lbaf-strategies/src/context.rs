// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random numbers, an observer and a request to stop: everything that a strategy may use beside the problem.

use lbaf_model::Assignment;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::{Cancel, Cancelled, IterationStats};

/// Means of a strategy beside the problem: random numbers that are reproducible, an observer, and a request to stop.
/// It is [`Sync`]: tasks that run in parallel share it for random numbers and polls, and the strategy itself reports
/// iterations.
///
/// ```
/// use lbaf_strategies::{Context, NoObserver};
/// use rand::RngExt;
/// use rayon::prelude::*;
///
/// let mut observer = NoObserver;
/// let context = Context::new(42, 0, &mut observer);
/// let draw = |rank: u64| context.stream(rank).random_range(0..100_u32);
/// let in_parallel: Vec<u32> = (0..8).into_par_iter().map(draw).collect();
/// assert_eq!(in_parallel, (0..8).map(draw).collect::<Vec<_>>());
/// ```
pub struct Context<'a> {
    streams: Streams,
    cancel: Cancel,
    observer: &'a mut dyn Observer,
}

impl<'a> Context<'a> {
    /// A context for one phase. The same seed and phase give the same random numbers.
    pub fn new(seed: u64, phase: u64, observer: &'a mut dyn Observer) -> Self {
        Context::with_streams(Streams::new(seed, phase), observer)
    }

    /// A context with the random numbers of another one: for strategies that run others and observe them.
    pub fn with_streams(streams: Streams, observer: &'a mut dyn Observer) -> Self {
        Context { streams, cancel: Cancel::new(), observer }
    }

    /// The same context with a token by which the strategy can be stopped.
    #[must_use]
    pub fn with_cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
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
    pub fn streams(&self) -> Streams {
        self.streams
    }

    /// The request to stop. Strategies poll it at least every 100 ms of their work.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Polls the request to stop: `context.check()?`.
    ///
    /// # Errors
    /// If a stop was requested.
    pub fn check(&self) -> Result<(), Cancelled> {
        self.cancel.check()
    }

    /// True once so many seconds have passed since the observer began to watch. Without a limit never, and then nothing
    /// depends on a clock. A result that was cut off is not repeatable, and says so in a note.
    pub fn is_late(&self, limit: Option<f64>) -> bool {
        limit.is_some_and(|seconds| self.observer.has_passed(seconds))
    }

    /// Reports the end of an iteration to the observer.
    pub fn iteration(&mut self, stats: &IterationStats, assignment: &Assignment) {
        self.observer.iteration(stats, assignment);
    }
}

/// The random numbers of a phase: a counter-based stream for each part that decides by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streams {
    seed: u64,
    phase: u64,
}

impl Streams {
    /// Streams of a seed and a phase.
    pub fn new(seed: u64, phase: u64) -> Self {
        Streams { seed, phase }
    }

    /// The stream of a part, independent of all others.
    pub fn stream(self, part: u64) -> ChaCha8Rng {
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
pub trait Observer: Send + Sync {
    /// An iteration ended with this placement.
    fn iteration(&mut self, stats: &IterationStats, assignment: &Assignment);

    /// True once so many seconds have passed since it began to watch. False without a clock.
    fn has_passed(&self, _seconds: f64) -> bool {
        false
    }
}

/// An observer that ignores everything.
pub struct NoObserver;

impl Observer for NoObserver {
    fn iteration(&mut self, _: &IterationStats, _: &Assignment) {}
}
