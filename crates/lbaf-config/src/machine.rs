// SPDX-License-Identifier: MIT OR Apache-2.0
//! Assumed machine of a simulation: the section `simulation.machine`.

use lbaf_model::{PhaseId, RankId, WorkModel};
use lbaf_reader::NodeRule;
use lbaf_study::{FirstPlacement, Loss, Machine as Assumed, MachineError, Regrouping, Resize, Slowed};

use super::error::Keyed;
use super::raw::machine::{FirstPlacement as RawPlacement, Machine as Raw, Objects};
use super::raw::{self, WorkModelName};
use super::strategies::Strategies;
use super::{Layers, work_model};
use crate::ConfigError;
use crate::yaml;

/// Path of the section in a configuration.
const SECTION: &str = "simulation.machine";

/// Assumed machine, its work model, and the upper bound on the memory of its nodes.
pub struct MachineConfig {
    /// Ranks, their speeds and losses, and the regrouping of objects.
    pub assumed: Assumed,
    /// Upper bound on the memory of all ranks of a node in bytes.
    pub node_bytes: Option<f64>,
    /// Work model on this machine; `None` if it is that of the recorded machine.
    pub model: Option<Box<dyn WorkModel>>,
}

impl MachineConfig {
    /// Checks the section. `nodes` are those of the recorded machine.
    pub(super) fn new(
        raw: &Raw,
        work: &raw::WorkModel,
        nodes: NodeRule,
        strategies: &Strategies,
    ) -> Keyed<Self> {
        let slowed = raw.slowed.iter().map(|slow| Slowed {
            rank: RankId(slow.rank),
            from_phase: PhaseId(slow.from_phase),
            to_phase: slow.to_phase.map(PhaseId),
            factor: slow.factor,
        });
        let lost = raw.lost.iter();
        let lost = lost.map(|lost| Loss { rank: RankId(lost.rank), from_phase: PhaseId(lost.from_phase) });
        let assumed = Assumed {
            objects: raw.objects.as_ref().map(regrouping).transpose()?,
            ranks: resize(raw, nodes),
            rank_alpha: raw.rank_alpha.iter().map(|(&rank, &alpha)| (RankId(rank), alpha)).collect(),
            slowed: slowed.collect(),
            lost: lost.collect(),
        };
        assumed.check().map_err(|error| (error.key(), error.to_string()))?;
        check_strategies(&assumed, strategies)?;
        Ok(MachineConfig { assumed, node_bytes: raw.node_memory, model: model(raw, work, nodes)? })
    }
}

/// Returns the error of a machine that does not fit the data, at its key.
pub fn machine_error(error: &MachineError, layers: &Layers) -> ConfigError {
    let key = error.key();
    layers.error(&at(&layers.tree, &key, error.to_string()))
}

/// Returns an error at a key of the section.
pub(super) fn at(tree: &yaml::Node, key: &str, message: String) -> yaml::Error {
    let path = if key.is_empty() { SECTION.to_owned() } else { format!("{SECTION}.{key}") };
    let place = tree.nearest_place(&path);
    // Positions in lists have brackets (`lost[1].rank`), numbers of ranks do not (`rank_alpha.1`).
    let shown = ["slowed", "lost"].iter().find_map(|list| {
        let (position, rest) = key.strip_prefix(list)?.strip_prefix('.')?.split_once('.')?;
        Some(format!("{SECTION}.{list}[{position}].{rest}"))
    });
    yaml::Error::new(message, place).within(&shown.unwrap_or(path))
}

fn regrouping(raw: &Objects) -> Keyed<Regrouping> {
    let along = raw.along;
    match (raw.split, raw.merge) {
        (Some(n), None) => Ok(Regrouping::Split { n, along }),
        (None, Some(n)) => Ok(Regrouping::Merge { n, along }),
        _ => Err(("objects".to_owned(), "expected either `split` or `merge`, with a number".to_owned())),
    }
}

fn resize(raw: &Raw, nodes: NodeRule) -> Option<Resize> {
    let Raw { n_ranks, first_placement, ranks_per_node, .. } = *raw;
    let first_placement = first_placement.map(|rule| match rule {
        RawPlacement::Fold => FirstPlacement::Fold,
        RawPlacement::Blocks => FirstPlacement::Blocks,
        RawPlacement::RoundRobin => FirstPlacement::RoundRobin,
        RawPlacement::Lpt => FirstPlacement::Lpt,
    });
    if n_ranks.is_none() && first_placement.is_none() && ranks_per_node.is_none() {
        return None;
    }
    let as_recorded = match nodes {
        NodeRule::RanksPerNode(ranks) => Some(ranks),
        NodeRule::FromFiles => None,
    };
    let ranks_per_node = ranks_per_node.or(as_recorded);
    Some(Resize { n_ranks, first_placement: first_placement.unwrap_or_default(), ranks_per_node })
}

/// Returns the work model if ranks per node or the memory of nodes are assumed.
fn model(raw: &Raw, work: &raw::WorkModel, nodes: NodeRule) -> Keyed<Option<Box<dyn WorkModel>>> {
    const MEMORY: &str = "node_memory";
    if raw.ranks_per_node.is_none() && raw.node_memory.is_none() {
        return Ok(None);
    }
    let refuse = |message: &str| Err((MEMORY.to_owned(), message.to_owned()));
    match (raw.node_memory, work.name, work.parameters.epsilon) {
        (Some(bytes), ..) if !(bytes > 0.0 && bytes.is_finite()) => {
            return refuse(&format!("expected bytes above 0, found {bytes}"));
        }
        (Some(_), WorkModelName::LoadOnly, _) => {
            return refuse("LoadOnly has no upper bounds; use AffineCombination or CCM in `work_model`");
        }
        (Some(_), WorkModelName::Ccm, Some(epsilon)) if epsilon.0 == 0.0 => {
            return refuse("upper bounds have no effect with `work_model.parameters.epsilon: 0`");
        }
        _ => {}
    }
    let nodes = raw.ranks_per_node.map_or(nodes, NodeRule::RanksPerNode);
    // Errors of the work model have no key in this section. Most are reported with the work model of the recorded
    // machine.
    let of_work = |(_, message): (String, String)| (String::new(), message);
    let mut bounds = work_model::upper_bounds(work, nodes).map_err(of_work)?;
    if let Some(bytes) = raw.node_memory {
        work_model::bound_memory(work, &mut bounds, bytes, nodes);
    }
    let (model, _) = work_model::work_model(work, bounds, nodes, &mut Vec::new()).map_err(of_work)?;
    Ok(Some(model))
}

/// Rejects strategies with a placement map, such as `OfflineLB`, if the machine changes objects or ranks.
fn check_strategies(assumed: &Assumed, strategies: &Strategies) -> Keyed<()> {
    let others = [
        ("objects", assumed.objects.is_some()),
        ("n_ranks", assumed.ranks.is_some_and(|ranks| ranks.n_ranks.is_some())),
        ("lost", !assumed.lost.is_empty()),
    ];
    let other = others.iter().find(|(_, is_other)| *is_other);
    let naming = strategies.all().into_iter().find(|strategy| strategy.placement_map().is_some());
    match (other, naming) {
        (Some((key, _)), Some(strategy)) => {
            let name = strategy.name();
            let message =
                format!("{name} maps recorded objects to recorded ranks, but this machine changes them");
            Err(((*key).to_owned(), message))
        }
        _ => Ok(()),
    }
}
