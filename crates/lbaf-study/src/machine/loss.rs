// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loss of ranks.
//!
//! Strategies assume that every rank of a phase can have objects. Therefore, each phase has only its remaining ranks.
//! Ranks that will be lost get the highest numbers; the first rank to be lost gets the highest of all. The new numbers
//! are not visible, because results do not refer to ranks by number.

use lbaf_model::{Assignment, DataSet, Phase, PhaseId, RankId, Slot};

use super::evacuation::{evacuated, first, heirs};
use super::least_loaded::hand_out;
use super::resize::on_ranks;
use super::{MachineError, check_phases, check_rank, each_phase};

/// A rank that is lost from some phase on.
///
/// All its objects, including non-migratable ones, go to remaining ranks: the largest object first, each to the rank
/// with the least load times alpha. Loads are those of the last phase before the loss or, without one, of the first
/// phase. Objects of remaining ranks stay. Blocks with their home on the lost rank, and messages from and to the rank
/// itself, go to the rank with the least load times alpha. If several ranks are lost at once, blocks and messages of
/// the second lost rank go to the rank with the second least load times alpha, and so on. The working memory of the
/// lost rank itself is dropped.
///
/// In later phases, an object that is recorded on the lost rank is on the rank that it got at the loss. An
/// object that was not on the lost rank at the loss gets a rank in the same way, by the loads of the first later
/// phase in which it is recorded on the lost rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The rank.
    pub rank: RankId,
    /// First phase without the rank.
    pub from_phase: PhaseId,
}

/// Result of losing ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Number of ranks lost.
    pub n_ranks: usize,
    /// Distinct migratable objects that are recorded on a rank in a phase in which the assumed machine has already
    /// lost this rank.
    pub n_objects: usize,
    /// The same for non-migratable objects, which `n_objects` does not contain.
    pub n_sentinels: usize,
    /// Blocks whose home is a lost rank, in the phase with the most such blocks.
    pub n_blocks: usize,
}

/// Returns the data without the lost ranks.
///
/// # Errors
/// If a rank does not exist, if the data contain no phase from the phase of a loss on, or if no rank is left.
pub(super) fn without(data: &DataSet, losses: &[Loss]) -> Result<(DataSet, Lost), MachineError> {
    check_data(data, losses)?;
    let names = names(data.n_ranks(), losses);
    let renamed = each_phase(data, |phase| {
        let mut ranks = phase.ranks().to_vec();
        for (rank, name) in phase.ranks().iter().zip(&names) {
            ranks[name.index()] = *rank;
        }
        let recorded = phase.recorded_assignment().as_slice().iter().map(|rank| names[rank.index()]);
        on_ranks(phase, ranks, Assignment::new(recorded.collect()), &names)
    })?;
    let mut refuges = Refuges::new(data);
    let mut phases: Vec<Phase> = Vec::with_capacity(renamed.len());
    for phase in &renamed {
        let n_left = data.n_ranks() - losses.iter().filter(|loss| loss.from_phase <= phase.id()).count();
        let left = refuges.left(phase, phases.last(), n_left)?;
        phases.push(left);
    }
    let lost = Lost { n_ranks: losses.len(), ..refuges.lost };
    Ok((DataSet::new(data.keys().to_vec(), data.n_ranks(), phases), lost))
}

/// Checks the list of losses.
///
/// # Errors
/// If a rank is lost twice.
pub(super) fn check(losses: &[Loss]) -> Result<(), MachineError> {
    let is_twice =
        |&position: &usize| losses[..position].iter().any(|loss| loss.rank == losses[position].rank);
    match (0..losses.len()).find(is_twice) {
        Some(position) => Err(MachineError::LostTwice { position, rank: losses[position].rank }),
        None => Ok(()),
    }
}

fn check_data(data: &DataSet, losses: &[Loss]) -> Result<(), MachineError> {
    for (position, &Loss { rank, from_phase }) in losses.iter().enumerate() {
        check_rank(data, rank, || format!("lost.{position}.rank"))?;
        check_phases(data, (from_phase, None), || format!("lost.{position}.from_phase"))?;
    }
    let last = losses.iter().map(|loss| loss.from_phase).max().filter(|_| losses.len() == data.n_ranks());
    match last {
        Some(phase) => Err(MachineError::AllLost { n_ranks: data.n_ranks(), phase }),
        None => Ok(()),
    }
}

/// Returns the new number of each rank. Ranks that are never lost have the lowest numbers. Lost ranks follow;
/// the later a rank is lost, the lower its number.
fn names(n_ranks: usize, losses: &[Loss]) -> Vec<RankId> {
    let mut order: Vec<(Option<std::cmp::Reverse<PhaseId>>, usize)> =
        (0..n_ranks).map(|rank| (None, rank)).collect();
    for loss in losses {
        order[loss.rank.index()].0 = Some(std::cmp::Reverse(loss.from_phase));
    }
    order.sort_unstable();
    let mut names = vec![RankId(0); n_ranks];
    for (name, (_, rank)) in order.into_iter().enumerate() {
        names[rank] = RankId::from(name);
    }
    names
}

/// Ranks that replace lost ranks.
struct Refuges {
    /// Rank that replaces the lost rank of each object of the data set; `None` for objects that were not on a
    /// lost rank so far.
    of_objects: Vec<Option<RankId>>,
    /// For each rank, the rank that inherits its blocks and messages: itself if it remains.
    heirs: Vec<RankId>,
    n_left: usize,
    /// For each object, true if `lost` already counts it.
    is_counted: Vec<bool>,
    lost: Lost,
}

impl Refuges {
    fn new(data: &DataSet) -> Self {
        let n_left = data.n_ranks();
        Refuges {
            of_objects: vec![None; data.n_objects()],
            heirs: (0..n_left).map(RankId::from).collect(),
            n_left,
            is_counted: vec![false; data.n_objects()],
            lost: Lost::default(),
        }
    }

    /// Returns a phase on the first `n_left` of its ranks. `last` is the previous phase on its remaining
    /// ranks; `None` for the first phase.
    fn left(&mut self, phase: &Phase, last: Option<&Phase>, n_left: usize) -> Result<Phase, MachineError> {
        if n_left < self.n_left {
            let before = last.unwrap_or(phase);
            let next = heirs(before, n_left);
            self.heirs.iter_mut().for_each(|heir| *heir = next[heir.index()]);
            self.n_left = n_left;
            let recorded = before.recorded_assignment();
            let evacuated = evacuated(before, recorded.clone(), n_left, |_| None);
            for migration in evacuated.migrations_from(recorded) {
                self.of_objects[before.object(migration.slot).index()] = Some(migration.to);
            }
        }
        if n_left == phase.n_ranks() {
            return Ok(phase.clone());
        }
        // Objects that were not on their recorded rank when it was lost get a rank by the loads of this phase.
        let ranks = first(phase, n_left);
        let mut recorded = phase.recorded_assignment().clone();
        let (mut homeless, mut loads) = (Vec::new(), vec![0.0; n_left]);
        for slot in phase.slots() {
            let object = phase.object(slot).index();
            if recorded.rank_of(slot).index() >= n_left {
                self.count(object, phase.is_migratable(slot));
                let refuge = self.of_objects[object].filter(|refuge| refuge.index() < n_left);
                let Some(refuge) = refuge else {
                    homeless.push((slot, phase.load(slot)));
                    continue;
                };
                recorded.set(slot, refuge);
            }
            loads[recorded.rank_of(slot).index()] += phase.load(slot);
        }
        let slots: Vec<Slot> = homeless.iter().map(|&(slot, _)| slot).collect();
        hand_out(homeless, &ranks, loads, &mut recorded);
        for slot in slots {
            self.of_objects[phase.object(slot).index()] = Some(recorded.rank_of(slot));
        }
        let n_blocks = phase.blocks().iter().filter(|block| block.home.index() >= n_left).count();
        self.lost.n_blocks = self.lost.n_blocks.max(n_blocks);
        on_ranks(phase, ranks, recorded, &self.heirs)
    }

    fn count(&mut self, object: usize, is_migratable: bool) {
        if !std::mem::replace(&mut self.is_counted[object], true) {
            *(if is_migratable { &mut self.lost.n_objects } else { &mut self.lost.n_sentinels }) += 1;
        }
    }
}
