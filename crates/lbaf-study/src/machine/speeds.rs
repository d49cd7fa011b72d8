// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changed speeds of ranks.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, Phase, PhaseColumns, PhaseId, Rank, RankId};

use super::{MachineError, check_phases, check_rank};

/// A rank that is slower or faster during some phases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slowed {
    /// The rank.
    pub rank: RankId,
    /// First phase of the change.
    pub from_phase: PhaseId,
    /// Last phase of the change; `None` if it lasts to the end of the run.
    pub to_phase: Option<PhaseId>,
    /// Factor on the alpha of the rank: 2 means half as fast. Several factors on a rank are multiplied.
    pub factor: f64,
}

impl Slowed {
    fn holds_in(&self, phase: PhaseId) -> bool {
        phase >= self.from_phase && self.to_phase.is_none_or(|last| phase <= last)
    }
}

/// Returns the data with changed speeds of ranks, and the number of phases with a changed speed.
///
/// # Errors
/// If a rank does not exist, or a change applies to no phase.
pub(super) fn changed(
    data: &DataSet,
    rank_alpha: &BTreeMap<RankId, f64>,
    slowed: &[Slowed],
) -> Result<(DataSet, usize), MachineError> {
    check_data(data, rank_alpha, slowed)?;
    let mut phases: Vec<Phase> = Vec::with_capacity(data.phases().len());
    let mut n_changed = 0;
    for phase in data.phases() {
        let mut ranks = phase.ranks().to_vec();
        for (rank, &alpha) in rank_alpha {
            ranks[rank.index()].alpha = alpha;
        }
        for slow in slowed.iter().filter(|slow| slow.holds_in(phase.id())) {
            ranks[slow.rank.index()].alpha *= slow.factor;
        }
        let is_changed = ranks != phase.ranks();
        n_changed += usize::from(is_changed);
        phases.push(if is_changed { at_speeds(phase, ranks)? } else { phase.clone() });
    }
    Ok((DataSet::new(data.keys().to_vec(), data.n_ranks(), phases), n_changed))
}

fn at_speeds(phase: &Phase, ranks: Vec<Rank>) -> Result<Phase, MachineError> {
    Ok(phase.with_columns(PhaseColumns { ranks, ..phase.columns().clone() })?)
}

/// Checks that all speeds and factors are finite and above 0.
///
/// # Errors
/// If one of them is not.
pub(super) fn check(rank_alpha: &BTreeMap<RankId, f64>, slowed: &[Slowed]) -> Result<(), MachineError> {
    let alphas = rank_alpha.iter().map(|(rank, &alpha)| (format!("rank_alpha.{rank}"), alpha));
    let factors = slowed.iter().enumerate();
    let factors = factors.map(|(position, slow)| (format!("slowed.{position}.factor"), slow.factor));
    match alphas.chain(factors).find(|(_, factor)| !(*factor > 0.0 && factor.is_finite())) {
        Some((key, factor)) => Err(MachineError::Factor { key, factor }),
        None => Ok(()),
    }
}

fn check_data(
    data: &DataSet,
    rank_alpha: &BTreeMap<RankId, f64>,
    slowed: &[Slowed],
) -> Result<(), MachineError> {
    for &rank in rank_alpha.keys() {
        check_rank(data, rank, || format!("rank_alpha.{rank}"))?;
    }
    for (position, slow) in slowed.iter().enumerate() {
        check_rank(data, slow.rank, || format!("slowed.{position}.rank"))?;
        check_phases(data, (slow.from_phase, slow.to_phase), || format!("slowed.{position}.from_phase"))?;
    }
    Ok(())
}
