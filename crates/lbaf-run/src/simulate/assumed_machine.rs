// SPDX-License-Identifier: MIT OR Apache-2.0
//! Assumed machine of a simulation, and its description.

use lbaf_config::{Layers, RunConfig, machine_error};
use lbaf_model::DataSet;
use lbaf_study::{Differences, FirstPlacement, Loss, Lost, Machine, Regrouped, Regrouping, Resized, Slowed};
use lbaf_text::number::{bytes, counted, significant};
use serde::Serialize;

use crate::RunError;

/// A machine other than the recorded one.
#[derive(Debug, Serialize)]
pub struct AssumedMachine {
    /// Sentences on assumptions and lost ranks, without full stops.
    pub assumed: Vec<String>,
    /// Ranks in the data.
    pub n_ranks_recorded: usize,
    /// Ranks of the assumed machine.
    pub n_ranks: usize,
    /// Objects in the data.
    pub n_objects_recorded: usize,
    /// Objects on the assumed machine.
    pub n_objects: usize,
    /// Sentinels whose rank has another number than recorded, because the number of ranks changed; in the phase with
    /// the most.
    pub n_moved_sentinels: usize,
    /// Phases in which a rank has another speed than recorded.
    pub n_phases_at_other_speeds: usize,
    /// Objects that were split or merged; `None` without a split or merge.
    pub regrouped: Option<RegroupedObjects>,
    /// Lost ranks and their recorded contents; `None` if no rank is lost.
    pub lost: Option<LostRanks>,
}

/// Counts of a split or merge of objects.
#[derive(Debug, Serialize)]
pub struct RegroupedObjects {
    /// Objects that were split or merged.
    pub n_taken: usize,
    /// Objects after the split or merge.
    pub n_made: usize,
    /// Migratable objects that are unchanged because they have no index, or an index without the dimension of the split
    /// or merge.
    pub n_without_index: usize,
    /// Sentinels, which are unchanged.
    pub n_sentinels: usize,
    /// Bytes between objects that were merged into one, in the phase with the most.
    pub bytes_within: f64,
}

/// Lost ranks, and their recorded contents, which move to other ranks.
#[derive(Debug, Serialize)]
pub struct LostRanks {
    /// Numbers of the lost ranks, as in the configuration.
    pub ranks: Vec<u32>,
    /// Migratable objects that are recorded on an already lost rank in at least one phase. Each counts once.
    pub n_objects: usize,
    /// Sentinels that are recorded on an already lost rank in at least one phase. Each counts once; `n_objects` does
    /// not contain them.
    pub n_sentinels: usize,
    /// Memory blocks with their home on a lost rank, in the phase with the most.
    pub n_blocks: usize,
}

/// Returns the data and the description of the assumed machine; `None` for the recorded machine.
pub(super) fn assumed(
    run: &RunConfig,
    layers: &Layers,
    recorded: &DataSet,
) -> Result<Option<(DataSet, AssumedMachine)>, RunError> {
    let machine = &run.simulation.machine;
    if machine.assumed.is_recorded() && machine.node_bytes.is_none() {
        return Ok(None);
    }
    let (data, differences) =
        machine.assumed.assumed(recorded).map_err(|error| machine_error(&error, layers))?;
    let has_blocks = recorded.phases().iter().any(|phase| !phase.blocks().is_empty());
    let described = AssumedMachine {
        assumed: sentences(&machine.assumed, machine.node_bytes, &differences, has_blocks),
        n_ranks_recorded: recorded.n_ranks(),
        n_ranks: data.n_ranks(),
        n_objects_recorded: recorded.n_objects(),
        n_objects: data.n_objects(),
        n_moved_sentinels: differences.ranks.map_or(0, |ranks| ranks.n_moved_sentinels),
        n_phases_at_other_speeds: differences.n_phases_at_other_speeds,
        regrouped: differences.objects.map(RegroupedObjects::new),
        lost: differences.lost.map(|lost| LostRanks::new(&machine.assumed.lost, lost)),
    };
    Ok(Some((data, described)))
}

impl RegroupedObjects {
    fn new(regrouped: Regrouped) -> Self {
        let Regrouped { n_taken, n_made, n_without_index, n_sentinels, bytes_within } = regrouped;
        RegroupedObjects { n_taken, n_made, n_without_index, n_sentinels, bytes_within }
    }
}

impl LostRanks {
    fn new(losses: &[Loss], lost: Lost) -> Self {
        let Lost { n_ranks: _, n_objects, n_sentinels, n_blocks } = lost;
        LostRanks { ranks: losses.iter().map(|loss| loss.rank.0).collect(), n_objects, n_sentinels, n_blocks }
    }
}

/// Returns the sentences of [`AssumedMachine::assumed`].
fn sentences(
    machine: &Machine,
    node_bytes: Option<f64>,
    differences: &Differences,
    has_blocks: bool,
) -> Vec<String> {
    let mut said = Vec::new();
    if let Some((regrouping, regrouped)) = machine.objects.zip(differences.objects) {
        said.push(of_objects(regrouping, &regrouped, has_blocks));
    }
    if let Some((resize, resized)) = machine.ranks.zip(differences.ranks) {
        let Resized { n_before, n_after, n_moved_sentinels } = resized;
        let placed = match resize.first_placement {
            FirstPlacement::Fold if n_after == 1 => "folded onto it",
            FirstPlacement::Fold => "folded onto them",
            FirstPlacement::Blocks => "placed in contiguous blocks of nearly equal size",
            FirstPlacement::RoundRobin => "placed round robin",
            FirstPlacement::Lpt => "placed by LPT",
        };
        let sentinels = match n_moved_sentinels {
            0 => String::new(),
            n => format!(
                "; up to {} per phase placed on a rank with another number than recorded",
                counted(n, "non-migratable object")
            ),
        };
        if n_after != n_before {
            said.push(format!(
                "{} instead of {n_before}, objects {placed}{sentinels}",
                counted(n_after, "rank")
            ));
        } else if resize.first_placement != FirstPlacement::Fold {
            said.push(format!("objects initially {placed}{sentinels}"));
        }
        if let Some(ranks) = resize.ranks_per_node {
            said.push(format!("{} per node", counted(ranks as usize, "rank")));
        }
    }
    for (rank, &alpha) in &machine.rank_alpha {
        said.push(format!("rank {rank} takes {} per second of load", seconds(alpha)));
    }
    for Slowed { rank, from_phase, to_phase, factor } in &machine.slowed {
        let until = to_phase.map_or_else(|| " on".to_owned(), |last| format!(" to {last}"));
        said.push(format!(
            "rank {rank} takes {} times as long from phase {from_phase}{until}",
            significant(*factor)
        ));
    }
    for loss in &machine.lost {
        said.push(format!("rank {} is lost from phase {} on", loss.rank, loss.from_phase));
    }
    if let Some(Lost { n_objects, n_sentinels, n_blocks, .. }) = differences.lost {
        let moved = [(n_objects, "migratable object"), (n_sentinels, "non-migratable object")];
        let mut moved: Vec<String> =
            moved.into_iter().filter(|&(n, _)| n > 0).map(|(n, noun)| counted(n, noun)).collect();
        if n_blocks > 0 {
            moved.push(format!("the homes of up to {} per phase", counted(n_blocks, "block")));
        }
        if !moved.is_empty() {
            said.push(format!("moved from lost ranks in the recorded placements: {}", moved.join(", ")));
        }
    }
    said.extend(node_bytes.map(|limit| format!("a node has {} of memory", bytes(limit))));
    said
}

fn of_objects(regrouping: Regrouping, regrouped: &Regrouped, has_blocks: bool) -> String {
    let &Regrouped { n_taken, n_made, n_without_index, n_sentinels, bytes_within } = regrouped;
    let (what, along) = match regrouping {
        Regrouping::Split { n, along } => {
            (format!("{} split into {n} each", counted(n_taken, "object")), along)
        }
        Regrouping::Merge { along, .. } => {
            (format!("{} merged into {n_made}", counted(n_taken, "object")), along)
        }
    };
    let within = match regrouping {
        Regrouping::Merge { .. } => {
            let apart = if has_blocks {
                " (objects on different blocks in their first phases are not merged)"
            } else {
                ""
            };
            let bytes = bytes(bytes_within);
            format!("{apart}; up to {bytes} of communication per phase are internal to objects now")
        }
        Regrouping::Split { .. } => String::new(),
    };
    format!(
        "{what} along dimension {along} of their index{within}; {} without this dimension and {} are \
         unchanged",
        counted(n_without_index, "migratable object"),
        counted(n_sentinels, "non-migratable object")
    )
}

fn seconds(alpha: f64) -> String {
    format!("{} s", significant(alpha))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_contents_of_lost_ranks_are_listed() {
        let said = |n_objects, n_sentinels, n_blocks| {
            let lost = Lost { n_ranks: 1, n_objects, n_sentinels, n_blocks };
            let differences = Differences { lost: Some(lost), ..Differences::default() };
            sentences(&Machine::default(), None, &differences, false).join("\n")
        };
        let moved = "moved from lost ranks in the recorded placements: ";
        assert_eq!(said(0, 0, 0), "");
        assert_eq!(said(1, 0, 0), format!("{moved}1 migratable object"));
        assert_eq!(said(0, 2, 0), format!("{moved}2 non-migratable objects"));
        let all = "3 migratable objects, 1 non-migratable object, the homes of up to 2 blocks per phase";
        assert_eq!(said(3, 1, 2), format!("{moved}{all}"));
    }
}
