// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work of a rank, the value of a work model.

use std::cmp::Ordering;
use std::fmt;

use crate::{Aspects, ModelError, NodeId, Phase, RankQuantity, RankTotals};

mod affine;
mod ccm;
mod load_only;
mod reach;

pub use affine::{Affine, AffineParameters};
pub use ccm::{Ccm, CcmParameters, OnRankVolume};
pub use load_only::LoadOnly;
pub use reach::check_work;

/// Work of a rank: its cost, and its excess over the upper bounds of the model.
///
/// Work has a total order, by excess and then by cost, so any work within bounds is less than any work that exceeds a
/// bound. Both values are always finite, so differences are never nan.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    excess: f64,
    cost: f64,
}

impl Work {
    /// Creates work within bounds.
    pub fn within(cost: f64) -> Self {
        Work::with_excess(cost, 0.0)
    }

    /// Creates work with an excess: the sum of [`UpperBound::excess`] over all bounds, 0 within bounds.
    pub fn with_excess(cost: f64, excess: f64) -> Self {
        // 0 x infinity, a result of extreme coefficients, counts as the largest number.
        let known = |number: f64| if number.is_nan() { f64::MAX } else { number };
        let (cost, excess) = (known(cost), known(excess));
        Work { excess: excess.clamp(0.0, f64::MAX), cost: cost.clamp(-f64::MAX, f64::MAX) }
    }

    /// Returns the cost, in seconds if the parameters of the model are in seconds. It is finite even if
    /// bounds are exceeded.
    #[inline]
    pub fn cost(self) -> f64 {
        self.cost
    }

    /// Returns the sum of [`UpperBound::excess`] over all bounds, 0 within bounds.
    pub fn excess(self) -> f64 {
        self.excess
    }

    /// True if a bound is exceeded.
    pub fn is_over_bound(self) -> bool {
        self.excess > 0.0
    }
}

impl PartialEq for Work {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Work {}

impl PartialOrd for Work {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Work {
    fn cmp(&self, other: &Self) -> Ordering {
        self.excess.total_cmp(&other.excess).then(self.cost.total_cmp(&other.cost))
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cost.fmt(f)?;
        if self.is_over_bound() { write!(f, " (over bound by {})", self.excess) } else { Ok(()) }
    }
}

/// Scope of an upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundScope {
    /// Each rank separately.
    Rank,
    /// The sum over all ranks of a node.
    Node,
}

/// An upper bound on a quantity of each rank or node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpperBound {
    /// The bounded quantity.
    pub quantity: RankQuantity,
    /// The largest value allowed.
    pub limit: f64,
    /// Each rank or each node.
    pub scope: BoundScope,
}

impl UpperBound {
    /// Returns the excess of `value` over the limit, relative to the limit; 0 within it. For a limit of 0,
    /// the excess is absolute.
    ///
    /// An excess of up to 1e-12 of the limit counts as 0: in another order of summation, the value might be
    /// within the limit. The result is finite, even for a limit close to 0.
    pub fn excess(&self, value: f64) -> f64 {
        const ROUNDING: f64 = 1.0 + 1e-12;
        if value <= self.limit * ROUNDING {
            return 0.0;
        }
        let beyond = value - self.limit;
        if self.limit > 0.0 { (beyond / self.limit).min(f64::MAX) } else { beyond }
    }
}

/// Lower bound on the work of a rank due to its load: work is at least `slope x alpha x load + constant`, and
/// each additional second of load adds at least `slope x alpha`. Lower bounds on the maximum work use it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadFloor {
    /// Factor on alpha x load.
    pub slope: f64,
    /// Seconds added to every rank.
    pub constant: f64,
}

/// The non-negative terms of the cost of a rank `r`: `constant + load x alpha_r x L + off_rank x max(sent,
/// received) + on_rank x V + homing x H`, where `L` is the load of the rank, [`OnRankVolume`] defines `V`, and
/// `H` is the homing volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkTerms {
    /// Seconds added to every rank.
    pub constant: f64,
    /// Factor on alpha x load.
    pub load: f64,
    /// Seconds per byte of the larger of the volumes sent to and received from other ranks.
    pub off_rank: f64,
    /// Seconds per byte of on-rank volume.
    pub on_rank: f64,
    /// Definition of the on-rank volume.
    pub on_rank_volume: OnRankVolume,
    /// Seconds per byte of blocks that are away from home.
    pub homing: f64,
}

impl WorkTerms {
    /// Terms of a model in which only load has a cost, with factor 1.
    pub const LOAD: WorkTerms = WorkTerms {
        constant: 0.0,
        load: 1.0,
        off_rank: 0.0,
        on_rank: 0.0,
        on_rank_volume: OnRankVolume::Paper,
        homing: 0.0,
    };

    /// Returns the cost of a rank. For finite volumes, it equals [`Work::cost`] of the models of this crate bit for
    /// bit.
    #[inline]
    pub fn cost(&self, totals: &RankTotals) -> f64 {
        let cost = self.load * totals.alpha * totals.load
            + self.off_rank * totals.sent_bytes.max(totals.received_bytes)
            + self.on_rank * self.on_rank_volume.of(totals)
            + self.constant
            + self.homing * totals.homing_bytes;
        if cost.is_finite() { cost } else { Work::within(cost).cost() }
    }

    /// Splits the cost of a rank into its parts.
    pub fn parts(&self, totals: &RankTotals) -> WorkParts {
        let off_rank = self.off_rank * totals.sent_bytes.max(totals.received_bytes);
        WorkParts {
            constant: self.constant,
            load: self.load * totals.alpha * totals.load,
            communication: off_rank + self.on_rank * self.on_rank_volume.of(totals),
            homing: self.homing * totals.homing_bytes,
        }
    }
}

/// The cost of a rank in parts, in seconds if the parameters of the model are in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorkParts {
    /// Constant cost of every rank.
    pub constant: f64,
    /// Cost of load.
    pub load: f64,
    /// Cost of off-rank and on-rank volume.
    pub communication: f64,
    /// Cost of blocks that are away from home.
    pub homing: f64,
}

/// Function from load, communication, homing and memory of a rank to its work, without side effects.
///
/// Cost never falls when load, a volume, memory, homing or a number of objects or blocks grows while the
/// other quantities are unchanged. So if some objects of a rank are known, the cost of their totals is a
/// lower bound on the cost of the rank. These totals must include communication only between vertices whose
/// ranks are known: other communication may become on-rank, which may lower the cost.
pub trait WorkModel: Send + Sync {
    /// Returns the name in configurations.
    fn name(&self) -> &'static str;

    /// Returns an owned copy of the model.
    fn boxed(&self) -> Box<dyn WorkModel>;

    /// Returns the work of a rank, with the excess over the bounds of scope [`BoundScope::Rank`].
    fn work(&self, totals: &RankTotals) -> Work;

    /// Returns all upper bounds. Bounds of scope [`BoundScope::Node`] are not part of [`WorkModel::work`];
    /// see [`node_excess`].
    fn bounds(&self) -> &[UpperBound];

    /// Returns the lower bound on work due to load.
    fn load_floor(&self) -> LoadFloor;

    /// Returns the terms of the cost, for linear programs, lower bounds, and strategies that compute the cost of
    /// many ranks; `None` if the cost is not a sum of [`WorkTerms`]. [`WorkTerms::cost`] must be the cost.
    fn terms(&self) -> Option<WorkTerms> {
        None
    }

    /// Returns the groups of totals that the work and the bounds depend on, besides load and alpha.
    fn aspects(&self) -> Aspects {
        Aspects::ALL
    }
}

/// Returns the excess of a node over the bounds of scope [`BoundScope::Node`], given the totals of its ranks.
/// Always finite. O(ranks of the node x bounds).
pub fn node_excess<'a>(model: &dyn WorkModel, ranks: &(impl Iterator<Item = &'a RankTotals> + Clone)) -> f64 {
    let bounds = model.bounds().iter().filter(|bound| bound.scope == BoundScope::Node);
    let excesses = bounds.map(|bound| bound.excess(ranks.clone().map(|rank| bound.quantity.of(rank)).sum()));
    excesses.sum::<f64>().min(f64::MAX)
}

/// Returns the work of every rank. The excess of a node over its bounds is added to each of its ranks.
pub fn works(model: &dyn WorkModel, phase: &Phase, totals: &[RankTotals]) -> Vec<Work> {
    let mut works: Vec<Work> = totals.iter().map(|rank| model.work(rank)).collect();
    if model.bounds().iter().any(|bound| bound.scope == BoundScope::Node) {
        for members in ranks_by_node(phase) {
            let excess = node_excess(model, &members.iter().map(|&rank| &totals[rank]));
            for &rank in &members {
                works[rank] = Work::with_excess(works[rank].cost(), works[rank].excess() + excess);
            }
        }
    }
    works
}

/// An upper bound that a placement exceeds, and the rank or node with the largest value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Violation {
    /// The bound.
    pub bound: UpperBound,
    /// Number of this rank or node.
    pub place: usize,
    /// Value of the quantity there.
    pub value: f64,
    /// Number of ranks or nodes that exceed the bound.
    pub n_places: usize,
}

/// Returns the upper bounds that a placement exceeds, in the order of the model.
pub fn violations(model: &dyn WorkModel, phase: &Phase, totals: &[RankTotals]) -> Vec<Violation> {
    let nodes = ranks_by_node(phase);
    let violation = |&bound: &UpperBound| {
        let value = |rank: usize| bound.quantity.of(&totals[rank]);
        let values: Vec<f64> = match bound.scope {
            BoundScope::Rank => (0..totals.len()).map(value).collect(),
            BoundScope::Node => {
                nodes.iter().map(|ranks| ranks.iter().map(|&rank| value(rank)).sum()).collect()
            }
        };
        let (place, &most) = values.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
        let n_places = values.iter().filter(|&&value| bound.excess(value) > 0.0).count();
        (n_places > 0).then_some(Violation { bound, place, value: most, n_places })
    };
    model.bounds().iter().filter_map(violation).collect()
}

/// Returns the numbers of the ranks of every node, by node. Nodes in gaps of the numbering have no ranks.
pub fn ranks_by_node(phase: &Phase) -> Vec<Vec<usize>> {
    let n_nodes = phase.ranks().iter().map(|rank| rank.node.index() + 1).max().unwrap_or(0);
    let mut nodes = vec![Vec::new(); n_nodes];
    for (rank, facts) in phase.ranks().iter().enumerate() {
        let NodeId(node) = facts.node;
        nodes[node as usize].push(rank);
    }
    nodes
}

fn bound_excess(bounds: &[UpperBound], totals: &RankTotals) -> f64 {
    let of_ranks = bounds.iter().filter(|bound| bound.scope == BoundScope::Rank);
    of_ranks.map(|bound| bound.excess(bound.quantity.of(totals))).sum()
}

fn parameter(name: &'static str, value: f64) -> Result<f64, ModelError> {
    if value >= 0.0 && value.is_finite() { Ok(value) } else { Err(ModelError::BadParameter { name, value }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_totally_ordered_and_finite() {
        let ascending = [
            Work::within(-1.0),
            Work::within(0.0),
            Work::within(f64::INFINITY),
            Work::with_excess(0.0, 0.1),
            Work::with_excess(1.0, 0.1),
            Work::with_excess(0.0, f64::INFINITY),
        ];
        assert!(ascending.is_sorted_by(|a, b| a < b));
        assert!(ascending.iter().all(|work| (work.cost() - ascending[2].cost()).is_finite()));
    }

    /// 3 / 1e-320 = 3e320 exceeds the largest floating-point number, 1.8e308.
    #[test]
    fn the_excess_over_a_limit_next_to_zero_is_finite() {
        let bound = |limit| UpperBound { quantity: RankQuantity::Load, limit, scope: BoundScope::Node };
        assert_eq!(bound(1e-320).excess(3.0), f64::MAX);
        assert_eq!(bound(1e-300).excess(1e300), f64::MAX);
        assert_eq!(bound(1e-320).excess(0.0), 0.0);
        assert_eq!(bound(2.0).excess(3.0), 0.5);
        let bounds = vec![bound(1e-320), bound(1e-320)];
        let model = Ccm::new(CcmParameters { bounds, ..CcmParameters::default() }).unwrap();
        let rank = RankTotals { load: 3.0, ..RankTotals::default() };
        assert_eq!(node_excess(&model, &[rank].iter()), f64::MAX);
    }
}
