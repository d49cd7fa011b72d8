// SPDX-License-Identifier: MIT OR Apache-2.0
//! Another machine than the one that was recorded: from a data set to the one that it would have recorded.
//!
//! What is assumed is applied in a fixed order: objects are split or merged, ranks become more or fewer, some of them
//! faster or slower, some are lost. So each takes what those before it left: numbers of ranks that are slow or lost are
//! those of the assumed machine.

mod error;
mod evacuation;
mod least_loaded;
mod loss;
mod merge;
mod places;
mod resize;
mod speeds;
mod split;

use std::collections::BTreeMap;

use lbaf_model::{DataSet, Phase, PhaseId, RankId};

pub use error::MachineError;
pub(crate) use evacuation::Evacuation;
pub use loss::{Loss, Lost};
pub use resize::{FirstPlacement, Resize, Resized};
pub use speeds::Slowed;

/// An assumed machine. The default is the recorded one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// Larger or smaller objects.
    pub objects: Option<Regrouping>,
    /// Another number of ranks.
    pub ranks: Option<Resize>,
    /// Seconds of work per second of load, instead of what is known of these ranks.
    pub rank_alpha: BTreeMap<RankId, f64>,
    /// Ranks that are slower, or faster, for some time.
    pub slowed: Vec<Slowed>,
    /// Ranks that are there no more.
    pub lost: Vec<Loss>,
}

/// Objects that may migrate and have an index, in other pieces. All others stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regrouping {
    /// Each becomes so many, one behind the other along a dimension of its index. An index `i` there becomes `i x n` up
    /// to `i x n + n - 1`.
    ///
    /// Each piece has that part of load and of all memory of its own, works on the same block, and is on the same rank.
    /// Piece `i` of an object sends to piece `i` of another that is split, and to any that is not, that part of the
    /// bytes, in as many messages as the whole did. So load, footprints and bytes are conserved, and messages of split
    /// objects are `n` times as many. Pieces of one object say nothing to each other.
    Split {
        /// Into how many: 1 up to 65535.
        n: u32,
        /// The dimension, from 0.
        along: usize,
    },
    /// So many in a row become one: those of one collection with the same index but for one dimension, in which it is
    /// the same divided by the number, rounded down. Those on different blocks stay apart.
    ///
    /// Load, footprints and what goes over the wire are summed; of working memory the largest counts, for its parts run
    /// one after the other. It is where most of its load was recorded, on the lowest of several such ranks. Messages
    /// between its parts are no communication any more; those with others are summed.
    Merge {
        /// Number of pieces, 1 or more.
        n: u32,
        /// The dimension, from 0.
        along: usize,
    },
}

/// Recorded data adapted to an assumed machine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Differences {
    /// Of objects in other pieces.
    pub objects: Option<Regrouped>,
    /// Of another number of ranks.
    pub ranks: Option<Resized>,
    /// Phases in which some rank has another speed.
    pub n_phases_at_other_speeds: usize,
    /// Of ranks that were lost.
    pub lost: Option<Lost>,
}

/// Result of splitting or merging objects.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Regrouped {
    /// Objects that were split or merged.
    pub n_taken: usize,
    /// Objects that they became.
    pub n_made: usize,
    /// Objects that may migrate and stay as they are, because they have no index, or none of that dimension.
    pub n_without_index: usize,
    /// Objects that may not migrate, and stay as they are too.
    pub n_sentinels: usize,
    /// Bytes between objects that became one, in the phase with most of them.
    pub bytes_within: f64,
}

impl Machine {
    /// True for the recorded machine.
    pub fn is_recorded(&self) -> bool {
        *self == Machine::default()
    }

    /// True if objects need coordinates.
    pub fn needs_coordinates(&self) -> bool {
        self.objects.is_some()
    }

    /// Checks what makes no sense whatever the data.
    ///
    /// # Errors
    /// If numbers of ranks, of pieces or speeds are none, or a rank is lost twice.
    pub fn check(&self) -> Result<(), MachineError> {
        self.objects.map_or(Ok(()), Regrouping::check)?;
        self.ranks.as_ref().map_or(Ok(()), Resize::check)?;
        speeds::check(&self.rank_alpha, &self.slowed)?;
        loss::check(&self.lost)
    }

    /// The data as this machine would have recorded them, and how they differ. O(objects + edges) for each phase, with a
    /// logarithm where objects are sorted. The columns of phases are copied for each kind of thing that is assumed.
    ///
    /// # Errors
    /// If what is assumed makes no sense, or none for these data.
    pub fn assumed(&self, data: &DataSet) -> Result<(DataSet, Differences), MachineError> {
        self.check()?;
        let mut data = data.clone();
        let mut differences = Differences::default();
        if let Some(regrouping) = self.objects {
            let (regrouped, difference) = match regrouping {
                Regrouping::Split { n, along } => split::split(&data, n, along)?,
                Regrouping::Merge { n, along } => merge::merge(&data, n, along)?,
            };
            (data, differences.objects) = (regrouped, Some(difference));
        }
        if let Some(resize) = self.ranks {
            let (resized, difference) = resize.of(&data)?;
            (data, differences.ranks) = (resized, Some(difference));
        }
        if !self.rank_alpha.is_empty() || !self.slowed.is_empty() {
            (data, differences.n_phases_at_other_speeds) =
                speeds::changed(&data, &self.rank_alpha, &self.slowed)?;
        }
        if !self.lost.is_empty() {
            let (left, difference) = loss::without(&data, &self.lost)?;
            (data, differences.lost) = (left, Some(difference));
        }
        Ok((data, differences))
    }
}

impl Regrouping {
    fn check(self) -> Result<(), MachineError> {
        let (key, n) = match self {
            Regrouping::Split { n, .. } => ("split", n),
            Regrouping::Merge { n, .. } => ("merge", n),
        };
        if (1..=u32::from(u16::MAX)).contains(&n) {
            Ok(())
        } else {
            Err(MachineError::NumberOfPieces { key, n })
        }
    }
}

/// The data set with every phase changed, those that repeat another one once for both.
fn each_phase(
    data: &DataSet,
    mut change: impl FnMut(&Phase) -> Result<Phase, MachineError>,
) -> Result<Vec<Phase>, MachineError> {
    let mut changed: Vec<Phase> = Vec::with_capacity(data.phases().len());
    let mut before: Option<&Phase> = None;
    for phase in data.phases() {
        let repeated = before.filter(|before| std::ptr::eq(before.columns(), phase.columns()));
        changed.push(match (repeated, changed.last()) {
            (Some(_), Some(last)) => last.repeated_as(phase.id()),
            _ => change(phase)?,
        });
        before = Some(phase);
    }
    Ok(changed)
}

/// Checks that a rank is there.
fn check_rank(data: &DataSet, rank: RankId, key: impl Fn() -> String) -> Result<(), MachineError> {
    let n_ranks = data.n_ranks();
    if rank.index() < n_ranks {
        return Ok(());
    }
    Err(MachineError::NoSuchRank { key: key(), rank, n_ranks })
}

/// Checks that a phase is between two; data without phases pass.
fn check_phases(
    data: &DataSet,
    (from, to): (PhaseId, Option<PhaseId>),
    key: impl Fn() -> String,
) -> Result<(), MachineError> {
    let ids = || data.phases().iter().map(Phase::id);
    match (ids().next(), ids().next_back()) {
        (Some(first), Some(last)) if !ids().any(|id| id >= from && to.is_none_or(|to| id <= to)) => {
            Err(MachineError::NoPhase { key: key(), from, to, first, last })
        }
        _ => Ok(()),
    }
}
