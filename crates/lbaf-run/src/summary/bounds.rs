// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lower bounds of a phase in the summary, and their texts.

use std::fmt;

use lbaf_model::{Culprit, Infeasible, Limit, LowerBound, ObjectKey, Phase, Reason, Slot};
use lbaf_text::number::{counted, significant_to};
use serde::{Deserialize, Serialize};

use super::amounts::amounts;
use crate::summary::scope_name;

/// Proven lower bounds on maximum work and on maximum load.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bound {
    /// Lower bound on the maximum work.
    pub work: f64,
    /// Limiting factor of `work`.
    pub limit: Limit,
    /// Rank whose sentinels are the limit; `None` for other limits.
    #[serde(default)]
    pub rank: Option<u32>,
    /// Number of the object that is the limit; `None` for other limits.
    #[serde(default)]
    pub object: Option<u64>,
    /// Number of largest objects, blocks or loads that together are the limit; `None` for other limits.
    #[serde(default)]
    pub n_objects: Option<usize>,
    /// Load in seconds of the limit: of the sentinels, the object, the object and its partner, the block, or the
    /// smallest of the largest objects; `None` for limits without a load.
    #[serde(default)]
    pub load: Option<f64>,
    /// Number of the object that `object` communicates with; `None` for other limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partner: Option<u64>,
    /// Number of the block that is the limit; `None` for other limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<u64>,
    /// Lower bound on the load imbalance, derived from `max_load`.
    pub load_imbalance: f64,
    /// Lower bound on the maximum load in seconds.
    pub max_load: f64,
    /// Limiting factor of `max_load`.
    pub load_limit: Limit,
}

impl Bound {
    /// Returns the bounds of a phase. `load_imbalance` is the bound on load as an imbalance.
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

    /// True if the limiting factor is not the mean.
    pub fn is_limited(&self) -> bool {
        self.limit != Limit::Mean
    }

    /// Returns the limiting factor with numbers, such as `the largest object, 7 (1.5 s)`.
    pub fn culprit(&self, has_sentinels: bool) -> String {
        let beside = if has_sentinels { " together with non-migratable objects" } else { "" };
        let load = significant_to(self.load.unwrap_or(0.0), 4);
        match (self.limit, self.rank, self.object, self.n_objects) {
            (Limit::Sentinels, Some(rank), ..) => {
                format!("the non-migratable objects of rank {rank} ({load} s)")
            }
            (Limit::LargestObject, _, Some(object), _) => format!("the largest object, {object} ({load} s)"),
            (Limit::LargeObjects | Limit::LargeBlocks, _, Some(object), _) => {
                format!(
                    "the largest object, {object} ({load} s), together with the non-migratable objects of any rank"
                )
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
                None => format!("object {object} and the non-migratable objects that it communicates with"),
            },
            (limit, ..) => match (limit, self.block) {
                (Limit::LargeBlocks, Some(block)) => {
                    format!(
                        "the largest block, {block} ({load} s), together with the non-migratable objects of any rank"
                    )
                }
                (_, Some(block)) => format!("the largest block, {block} ({load} s)"),
                (Limit::Packing, _) => "loads that cannot be packed more evenly".to_owned(),
                (Limit::Memory, _) => "memory, because blocks do not fit on more ranks".to_owned(),
                (Limit::Communication, _) => "communication that no placement avoids".to_owned(),
                (Limit::Homing, _) => "blocks that must be away from home".to_owned(),
                _ => format!("the {limit}"),
            },
        }
    }
}

/// One of several lower bounds on the maximum work of a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownBound {
    /// Limiting factor.
    pub limit: Limit,
    /// The bound.
    pub work: f64,
    /// True if the bound holds only for placements within the upper bounds of the work model.
    pub within_bounds: bool,
    /// Restriction of the strategy under which the bound holds; `None` if it holds without a restriction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restriction: Option<Restriction>,
}

impl KnownBound {
    /// Returns a bound with its restriction.
    pub fn new(bound: &LowerBound, restriction: Option<Restriction>) -> Self {
        let &LowerBound { limit, work, within_bounds, .. } = bound;
        KnownBound { limit, work, within_bounds, restriction }
    }
}

/// Restriction that a strategy adds to the problem. Each restriction includes the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Restriction {
    /// Migratable objects of a block with the same initial rank also have the same new rank.
    WholeBlocks,
    /// All migratable objects of a block have the same new rank, even if their initial ranks differ.
    GatheredBlocks,
}

impl Restriction {
    /// Returns the restriction as a verb, such as `keeps blocks whole`.
    pub fn in_words(self, within_bounds: bool) -> String {
        let keeps = match self {
            Restriction::WholeBlocks => "keeps blocks whole",
            Restriction::GatheredBlocks => "has each block on one rank",
        };
        format!("{keeps}{}", if within_bounds { " and satisfies the upper bounds" } else { "" })
    }

    /// Returns the restriction as a condition, such as `with blocks kept whole`.
    pub fn condition(self, within_bounds: bool) -> String {
        let condition = match self {
            Restriction::WholeBlocks => "with blocks kept whole",
            Restriction::GatheredBlocks => "with each block on one rank",
        };
        format!("{condition}{}", if within_bounds { " and within the upper bounds" } else { "" })
    }
}

/// Lower bounds under a restriction. That on work is higher than the bound without the restriction.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RestrictedBound {
    /// The restriction.
    pub restriction: Restriction,
    /// True if the bound holds only for placements within the upper bounds of the work model.
    pub within_bounds: bool,
    /// The bounds; their keys are on the same level as the other keys.
    #[serde(flatten)]
    pub bound: Bound,
}

impl RestrictedBound {
    /// Returns the restriction as a verb.
    pub fn in_words(&self) -> String {
        self.restriction.in_words(self.within_bounds)
    }

    /// Returns the restriction as a condition.
    pub fn condition(&self) -> String {
        self.restriction.condition(self.within_bounds)
    }

    /// Returns only the bound on work.
    pub fn known(&self) -> KnownBound {
        let RestrictedBound { restriction, within_bounds, bound: Bound { limit, work, .. } } = *self;
        KnownBound { limit, work, within_bounds, restriction: Some(restriction) }
    }
}

/// Proof that no placement satisfies an upper bound of the work model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Infeasibility {
    /// Name of the bounded quantity, which determines the unit of the numbers below.
    pub quantity: String,
    /// The upper bound.
    pub limit: f64,
    /// `rank` or `node`.
    pub scope: String,
    /// Minimum amount that must be placed.
    pub needed: f64,
    /// Amount that the upper bound allows, on one rank or node or on all together.
    pub available: f64,
    /// Kind of the proof: `fixed` if sentinels exceed the bound, `object` if an object exceeds it on every rank or
    /// node, `total` if the sum over all is too large, `packing` if blocks and objects cannot be packed.
    pub reason: String,
    /// With `fixed`, the rank or node whose sentinels exceed the bound; otherwise `None`.
    #[serde(default)]
    pub place: Option<usize>,
    /// With `object`, the number of the object that fits on no rank or node; otherwise `None`.
    #[serde(default)]
    pub object: Option<u64>,
    /// With `total` and `packing`, the number of ranks or nodes that do not suffice together; otherwise `None`.
    #[serde(default)]
    pub n_places: Option<usize>,
}

impl Infeasibility {
    /// Returns a proof with the object numbers of the files, from the `keys` of the data set.
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
        let [limit, needed, available] = amounts(quantity, [self.limit, self.needed, self.available]);
        write!(f, "no placement keeps {quantity} within {limit} on every {scope}: ")?;
        let n = self.n_places.unwrap_or(0);
        let places = format!("{} {}", counted(n, scope), if n == 1 { "has" } else { "have" });
        match (self.place, self.object) {
            (Some(place), _) => write!(f, "its non-migratable part is {needed} on {scope} {place}"),
            (_, Some(object)) => write!(f, "with object {object}, any {scope} has at least {needed}"),
            _ if self.reason == "packing" => {
                write!(
                    f,
                    "blocks and objects of {needed} in total cannot be packed into the {available} that {places}"
                )
            }
            _ => write!(f, "the total need is {needed}, but {places} {available}"),
        }
    }
}
