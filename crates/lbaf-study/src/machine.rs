// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data of an assumed machine, derived from the recorded data.
//!
//! Assumptions are applied in a fixed order: objects are split or merged, the number of ranks changes, speeds
//! of ranks change, ranks are lost. Each step uses the result of the previous one. So slow and lost ranks are
//! given by their numbers after a change of the number of ranks.

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

/// An assumed machine. The default is the recorded machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// Splitting or merging of objects; `None` for the recorded objects.
    pub objects: Option<Regrouping>,
    /// Changed number of ranks, nodes, or initial placement; `None` for the recorded ranks.
    pub ranks: Option<Resize>,
    /// Alpha, in seconds of work per second of load, of ranks whose speed differs from the recorded one.
    pub rank_alpha: BTreeMap<RankId, f64>,
    /// Ranks that are slower or faster during some phases.
    pub slowed: Vec<Slowed>,
    /// Ranks that are lost.
    pub lost: Vec<Loss>,
}

/// Regrouping of the migratable objects whose index has the dimension `along`. Other objects stay unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regrouping {
    /// Splits each object into `n` consecutive pieces along a dimension of its index. Index `i` becomes `i x
    /// n` up to `i x n + n - 1`.
    ///
    /// Each piece has 1/n of the load and of the object's own memory, works on the same block and is on the
    /// same rank. Two split objects communicate between piece `i` of one and piece `i` of the other, for each
    /// `i`. A split object communicates with a rank, or with an object that is not split, by each of its
    /// pieces. Each pair has 1/n of the bytes and the original number of messages. Load, footprints and bytes
    /// are therefore conserved, and split objects have `n` times as many messages. Communication between
    /// pieces of one object is unknown and left out.
    Split {
        /// Number of pieces: 1 up to 65535.
        n: u32,
        /// Dimension of the index, from 0.
        along: usize,
    },
    /// Merges up to `n` consecutive objects of a collection: those whose indices have the same quotient by
    /// `n`, rounded down, in the dimension `along`, and are equal in all other dimensions. Objects on
    /// different blocks stay separate.
    ///
    /// Load, footprints and serialized sizes are summed; if only some of the objects have a serialized size, the
    /// others count with their footprint. The working memory is the largest of the parts, because they run one
    /// after the other. The merged object is on the rank where most of its load was recorded, or the lowest of
    /// several such ranks. Messages between its parts disappear; messages with other objects are summed.
    Merge {
        /// Number of objects to merge: 1 up to 65535.
        n: u32,
        /// Dimension of the index, from 0.
        along: usize,
    },
}

/// Differences between the recorded data and the data of an assumed machine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Differences {
    /// Effect of splitting or merging objects.
    pub objects: Option<Regrouped>,
    /// Effect of a changed number of ranks.
    pub ranks: Option<Resized>,
    /// Number of phases in which some rank has another speed.
    pub n_phases_at_other_speeds: usize,
    /// Effect of losing ranks.
    pub lost: Option<Lost>,
}

/// Result of splitting or merging objects.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Regrouped {
    /// Objects that were split or merged, including those that are the only member of a group to merge.
    pub n_taken: usize,
    /// Resulting objects.
    pub n_made: usize,
    /// Migratable objects that stay unchanged: they have no index, or their index lacks the dimension
    /// `along`.
    pub n_without_index: usize,
    /// Objects that are non-migratable in at least one phase. They stay unchanged.
    pub n_sentinels: usize,
    /// Bytes between objects that were merged into one, in the phase with the most such bytes.
    pub bytes_within: f64,
}

impl Machine {
    /// True for the recorded machine.
    pub fn is_recorded(&self) -> bool {
        *self == Machine::default()
    }

    /// True if the data must contain coordinates of objects.
    pub fn needs_coordinates(&self) -> bool {
        self.objects.is_some()
    }

    /// Checks the parts of the machine that do not depend on the data.
    ///
    /// # Errors
    /// If a number of ranks or pieces or a speed is invalid, or if a rank is lost twice.
    pub fn check(&self) -> Result<(), MachineError> {
        self.objects.map_or(Ok(()), Regrouping::check)?;
        self.ranks.as_ref().map_or(Ok(()), Resize::check)?;
        speeds::check(&self.rank_alpha, &self.slowed)?;
        loss::check(&self.lost)
    }

    /// Returns the data that this machine would have recorded, and their differences from the recorded data.
    /// O(objects + edges) for each phase, with a logarithmic factor where objects are sorted. The columns of
    /// phases are copied for each kind of assumption.
    ///
    /// # Errors
    /// If an assumption is invalid, or does not apply to these data.
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

/// Returns all phases of the data set, changed by `change`, which is called once for consecutive phases that
/// share their columns.
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

/// Checks that a rank exists. `key` returns the path of the assumption for the error.
fn check_rank(data: &DataSet, rank: RankId, key: impl Fn() -> String) -> Result<(), MachineError> {
    let n_ranks = data.n_ranks();
    if rank.index() < n_ranks {
        return Ok(());
    }
    Err(MachineError::NoSuchRank { key: key(), rank, n_ranks })
}

/// Checks that at least one phase of the data is in the range `from` to `to`. Data without any phase pass.
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
