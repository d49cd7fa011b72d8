// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds as the summary has them, and in words.

use std::fmt;

use lbaf_model::{Culprit, Infeasible, Limit, LowerBound, ObjectKey, Phase, Reason, Slot};
use serde::{Deserialize, Serialize};

use crate::summary::scope_name;
use lbaf_text::number::{significant, significant_to};

/// A proven lower bound on the maximum work.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bound {
    pub work: f64,
    /// What it comes from.
    pub limit: Limit,
    /// The rank whose sentinels limit, the number of the object that does, or how many of the largest do; and the
    /// seconds of load of the sentinels or the smallest of the objects.
    #[serde(default)]
    pub rank: Option<u32>,
    #[serde(default)]
    pub object: Option<u64>,
    #[serde(default)]
    pub n_objects: Option<usize>,
    #[serde(default)]
    pub load: Option<f64>,
    /// The object that the object communicates with; then the seconds are those of both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<u64>,
    /// The number of the block that limits, with the seconds of all of its objects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<u64>,
    /// The smallest load imbalance that any placement can have.
    pub load_imbalance: f64,
    /// The smallest maximum load of any placement, and what it comes from.
    pub max_load: f64,
    pub load_limit: Limit,
}

impl Bound {
    /// The bounds of a phase on work and on load, the latter also as an imbalance.
    pub fn new(
        phase: &Phase,
        keys: &[ObjectKey],
        work: &LowerBound,
        load: &LowerBound,
        load_imbalance: f64,
    ) -> Self {
        let mut bound = Bound {
            work: work.work,
            limit: work.limit,
            rank: None,
            object: None,
            n_objects: None,
            load: work.culprit.map(|(_, load)| load),
            partner: None,
            block: None,
            load_imbalance,
            max_load: load.work,
            load_limit: load.limit,
        };
        let number = |slot: Slot| Some(keys[phase.object(slot).index()].number);
        match work.culprit.map(|(culprit, _)| culprit) {
            Some(Culprit::Rank(id)) => bound.rank = Some(id.0),
            Some(Culprit::Object(slot)) => bound.object = number(slot),
            Some(Culprit::Objects(n)) => bound.n_objects = Some(n),
            Some(Culprit::Pair(one, other)) => {
                (bound.object, bound.partner) = (number(one), number(other));
            }
            Some(Culprit::Block(block)) => bound.block = Some(phase.blocks()[block.index()].id),
            None => {}
        }
        bound
    }

    /// Whether something other than the amount of load limits the result.
    pub fn is_limited(&self) -> bool {
        self.limit != Limit::Mean
    }

    /// What it comes from, by name.
    pub fn culprit(&self, has_sentinels: bool) -> String {
        let beside = if has_sentinels { " beside sentinels" } else { "" };
        let load = significant_to(self.load.unwrap_or(0.0), 4);
        match (self.limit, self.rank, self.object, self.n_objects) {
            (Limit::Sentinels, Some(rank), ..) => format!("the sentinels of rank {rank} ({load} s)"),
            (Limit::LargestObject, _, Some(object), _) => format!("the largest object, {object} ({load} s)"),
            (Limit::LargeObjects | Limit::LargeBlocks, _, Some(object), _) => {
                format!("the largest object, {object} ({load} s), beside the sentinels of any rank")
            }
            (Limit::LargeObjects, .., Some(n)) => {
                format!("the {n} largest objects ({load} s or more each){beside}")
            }
            (Limit::LargeBlocks, .., Some(n)) => {
                format!("the {n} largest blocks ({load} s or more each){beside}")
            }
            (Limit::FastestRanks, .., Some(n)) => {
                format!("the {n} largest loads on {n} of the fastest ranks{beside}")
            }
            (Limit::Communication, _, Some(object), _) => match self.partner {
                Some(partner) => format!("objects {object} and {partner}, which communicate ({load} s)"),
                None => format!("object {object} and the fixed partners that it communicates with"),
            },
            (limit, ..) => match (limit, self.block) {
                (Limit::LargeBlocks, Some(block)) => {
                    format!("the largest block, {block} ({load} s), beside the sentinels of any rank")
                }
                (_, Some(block)) => format!("the largest block, {block} ({load} s)"),
                (Limit::Packing, _) => "loads that cannot be packed more evenly".to_owned(),
                (Limit::Memory, _) => "memory, in which blocks have no room on more ranks".to_owned(),
                (Limit::Communication, _) => "communication that no placement avoids".to_owned(),
                (Limit::Homing, _) => "blocks that have to be away from home".to_owned(),
                _ => format!("the {limit}"),
            },
        }
    }
}

/// One of the bounds that are known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownBound {
    pub limit: Limit,
    pub work: f64,
    /// Whether it holds only for placements that keep the bounds of the work model.
    pub within_bounds: bool,
    /// What else placements must keep for it to hold; nothing if it holds for any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restriction: Option<Restriction>,
}

impl KnownBound {
    pub fn new(bound: &LowerBound, restriction: Option<Restriction>) -> Self {
        let &LowerBound { limit, work, within_bounds, .. } = bound;
        KnownBound { limit, work, within_bounds, restriction }
    }
}

/// What a strategy keeps although the problem does not ask for it; each is stricter than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Restriction {
    /// Migratable objects of a block that start on one rank end on one rank.
    WholeBlocks,
    /// All migratable objects of a block end on one rank, also where they start on several.
    GatheredBlocks,
}

impl Restriction {
    /// The restriction as what a placement does.
    pub fn in_words(self, within_bounds: bool) -> String {
        let keeps = match self {
            Restriction::WholeBlocks => "keeps blocks whole",
            Restriction::GatheredBlocks => "has each block on one rank",
        };
        within(keeps, within_bounds)
    }

    /// The restriction as a condition that a bound holds under.
    pub fn condition(self, within_bounds: bool) -> String {
        let condition = match self {
            Restriction::WholeBlocks => "with blocks kept whole",
            Restriction::GatheredBlocks => "with each block on one rank",
        };
        within(condition, within_bounds)
    }
}

fn within(words: &str, within_bounds: bool) -> String {
    format!("{words}{}", if within_bounds { " within the upper bounds" } else { "" })
}

/// A lower bound for placements under a restriction, higher than that for all.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RestrictedBound {
    pub restriction: Restriction,
    /// Whether it holds only for placements that keep the bounds of the work model too.
    pub within_bounds: bool,
    #[serde(flatten)]
    pub bound: Bound,
}

impl RestrictedBound {
    /// The restriction as what a placement does.
    pub fn in_words(&self) -> String {
        self.restriction.in_words(self.within_bounds)
    }

    /// The restriction as a condition.
    pub fn condition(&self) -> String {
        self.restriction.condition(self.within_bounds)
    }

    /// The bound as one of those that are known.
    pub fn known(&self) -> KnownBound {
        let RestrictedBound { restriction, within_bounds, bound: Bound { limit, work, .. } } = *self;
        KnownBound { limit, work, within_bounds, restriction: Some(restriction) }
    }
}

/// A proof that no placement keeps the bounds of the work model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Infeasibility {
    pub quantity: String,
    pub limit: f64,
    /// `rank` or `node`.
    pub scope: String,
    /// What is needed at least, and what is allowed.
    pub needed: f64,
    pub available: f64,
    /// `fixed`, `total`, `object` or `packing`.
    pub reason: String,
    /// The rank or node that is exceeded by what may not move.
    #[serde(default)]
    pub place: Option<usize>,
    /// The object that fits nowhere.
    #[serde(default)]
    pub object: Option<u64>,
    /// Number of ranks or nodes, where all together do not suffice.
    #[serde(default)]
    pub n_places: Option<usize>,
}

impl Infeasibility {
    pub fn new(phase: &Phase, keys: &[ObjectKey], proof: &Infeasible) -> Self {
        let number = |slot: Slot| keys[phase.object(slot).index()].number;
        let (reason, place, object, n_places) = match proof.reason {
            Reason::Fixed(place) => ("fixed", Some(place), None, None),
            Reason::Total { n_places } => ("total", None, None, Some(n_places)),
            Reason::Object(slot) => ("object", None, Some(number(slot)), None),
            Reason::Packing { n_places } => ("packing", None, None, Some(n_places)),
        };
        Infeasibility {
            quantity: proof.bound.quantity.to_string(),
            limit: proof.bound.limit,
            scope: scope_name(proof.bound.scope).to_owned(),
            needed: proof.needed,
            available: proof.available,
            reason: reason.to_owned(),
            place,
            object,
            n_places,
        }
    }
}

impl fmt::Display for Infeasibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Infeasibility { quantity, scope, .. } = self;
        let (limit, needed) = (significant(self.limit), significant(self.needed));
        let available = significant(self.available);
        write!(f, "no placement keeps {quantity} within {limit} on every {scope}: ")?;
        let n = self.n_places.unwrap_or(0);
        let places = if n == 1 { format!("1 {scope} has") } else { format!("{n} {scope}s have") };
        match (self.place, self.object) {
            (Some(place), _) => write!(f, "what may not move has {needed} on {scope} {place}"),
            (_, Some(object)) => write!(f, "object {object} brings any {scope} to {needed}"),
            _ if self.reason == "packing" => {
                write!(
                    f,
                    "{needed} of blocks and objects cannot be packed into the {available} that {places} room for"
                )
            }
            _ => write!(f, "what there is needs {needed}, and {places} {available}"),
        }
    }
}
