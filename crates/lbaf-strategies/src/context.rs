// SPDX-License-Identifier: MIT OR Apache-2.0
//! Inputs of a strategy besides the problem.

use lbaf_model::Assignment;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::{Cancel, Cancelled, IterationStats};

/// Inputs of a strategy besides the problem: reproducible random numbers, an observer, and a request to stop. The
/// context is [`Sync`]: parallel tasks can share it for random numbers and polls. Iterations are reported by one
/// thread.
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
    /// Creates a context for one phase. Contexts with equal seeds and phases give equal random numbers.
    pub fn new(seed: u64, phase: u64, observer: &'a mut dyn Observer) -> Self {
        Context::with_streams(Streams::new(seed, phase), observer)
    }

    /// Creates a context with the random numbers of another context but a new [`Cancel`] token, for strategies that run
    /// and observe another strategy.
    pub fn with_streams(streams: Streams, observer: &'a mut dyn Observer) -> Self {
        Context { streams, cancel: Cancel::new(), observer }
    }

    /// Sets the token by which the strategy can be stopped.
    #[must_use]
    pub fn with_cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Returns the seed of the run, for strategies with a random number generator other than [`stream`](Self::stream).
    pub fn seed(&self) -> u64 {
        self.streams.seed
    }

    /// Returns the random numbers of a rank, or of any other independent part of a strategy. Streams are independent,
    /// so that parts can run in parallel and in any order.
    pub fn stream(&self, part: u64) -> ChaCha8Rng {
        self.streams.stream(part)
    }

    /// Returns all streams, for use while the context is borrowed mutably.
    pub fn streams(&self) -> Streams {
        self.streams
    }

    /// Returns the token by which a stop is requested. Strategies poll it at least every 100 ms.
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

    /// True once `limit` seconds have passed since the observer started its clock. Always false without a limit or a
    /// clock. A result cut off by a limit is not reproducible; the strategy states this in a note.
    pub fn is_late(&self, limit: Option<f64>) -> bool {
        limit.is_some_and(|seconds| self.observer.has_passed(seconds))
    }

    /// Reports an iteration to the observer.
    pub fn iteration(&mut self, stats: &IterationStats, assignment: &Assignment) {
        self.observer.iteration(stats, assignment);
    }
}

/// Random numbers of a phase: a counter-based stream for each independent part of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streams {
    seed: u64,
    phase: u64,
}

impl Streams {
    /// Creates the streams of a seed and a phase.
    pub fn new(seed: u64, phase: u64) -> Self {
        Streams { seed, phase }
    }

    /// Returns the stream of a part. It is independent of all other streams.
    pub fn stream(self, part: u64) -> ChaCha8Rng {
        random_stream(self.seed, self.phase, part)
    }
}

/// Returns the counter-based random stream of a part of a strategy, for a seed and a phase.
pub(crate) fn random_stream(seed: u64, phase: u64, part: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&phase.to_le_bytes());
    let mut stream = ChaCha8Rng::from_seed(key);
    stream.set_stream(part);
    stream
}

/// Observer of a running strategy. It owns the clock; strategies have none.
pub trait Observer: Send + Sync {
    /// Called for each iteration, when it ends or after the last iteration, with the statistics of the iteration
    /// and the placement at its end.
    fn iteration(&mut self, stats: &IterationStats, assignment: &Assignment);

    /// True once this many seconds have passed since the observer started. Always false without a clock.
    fn has_passed(&self, _seconds: f64) -> bool {
        false
    }
}

/// Observer that ignores all reports.
pub struct NoObserver;

impl Observer for NoObserver {
    fn iteration(&mut self, _: &IterationStats, _: &Assignment) {}
}
