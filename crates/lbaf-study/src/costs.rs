// SPDX-License-Identifier: MIT OR Apache-2.0
//! Costs of balancing.

use lbaf_model::{Assignment, Phase};
use lbaf_strategies::Communication;

/// Costs of each balancing step. The default is no cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// Cost of the strategy.
    pub strategy: StrategyCost,
    /// Cost of migrations.
    pub migration: MigrationCost,
}

/// Seconds that a strategy takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum StrategyCost {
    /// No cost.
    #[default]
    Nothing,
    /// A fixed number of seconds.
    Fixed(f64),
    /// Measured on this computer. Differs between computers and between runs.
    Measured,
    /// Seconds of the messages that the [protocol](lbaf_strategies::Protocol) sends one after the other on
    /// its critical path: a latency for each message, and the bytes of these messages divided by the
    /// bandwidth of migrations.
    Messages {
        /// Seconds for a message.
        latency: f64,
    },
}

/// Seconds that migrations take. Each rank packs, sends, receives and unpacks one object at a time, in
/// parallel with the other ranks. The rank with the most seconds determines the cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MigrationCost {
    /// Seconds for each object that leaves or arrives.
    pub latency: f64,
    /// Bytes per second between two ranks.
    pub bandwidth: f64,
}

impl Default for MigrationCost {
    fn default() -> Self {
        MigrationCost { latency: 0.0, bandwidth: f64::INFINITY }
    }
}

impl StrategyCost {
    /// Returns the seconds of a strategy, given the bandwidth in bytes per second and the measured time in
    /// seconds.
    pub fn seconds(self, communication: &Communication, bandwidth: f64, measured: f64) -> f64 {
        match self {
            StrategyCost::Nothing => 0.0,
            StrategyCost::Fixed(seconds) => seconds,
            StrategyCost::Measured => measured,
            StrategyCost::Messages { latency } => {
                latency * communication.serial_messages + communication.serial_bytes / bandwidth
            }
        }
    }
}

/// Number, bytes and time of the migrations from one placement to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Migrated {
    /// Number of migrated objects.
    pub n_objects: usize,
    /// Bytes sent for these objects.
    pub bytes: f64,
    /// Seconds until all objects have arrived.
    pub seconds: f64,
}

impl MigrationCost {
    /// Computes the migrations between two placements of a phase. `from` may use ranks that the phase no
    /// longer has.
    pub fn of(self, phase: &Phase, from: &Assignment, to: &Assignment) -> Migrated {
        let n_ranks = from.as_slice().iter().map(|rank| rank.index() + 1).max();
        let mut by_rank = vec![0.0; phase.n_ranks().max(n_ranks.unwrap_or(0))];
        let mut migrated = Migrated::default();
        for migration in to.migrations_from(from) {
            let bytes = phase.memory(migration.slot).migration_bytes();
            let seconds = self.latency + bytes / self.bandwidth;
            migrated.n_objects += 1;
            migrated.bytes += bytes;
            for rank in [migration.from, migration.to] {
                by_rank[rank.index()] += seconds;
            }
        }
        migrated.seconds = by_rank.into_iter().fold(0.0, f64::max);
        migrated
    }
}
