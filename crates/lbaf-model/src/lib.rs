// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data model of load balancing in `lbaf`: phases, assignments of objects to ranks, work models, and lower
//! bounds on the maximum work of any assignment.
//!
//! The crate uses no files, clock or random numbers, and prints nothing. A [`Phase`] is immutable.
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "expected values do not come from the crate `libm`")
)]

mod aspects;
mod assignment;
mod belief;
mod carry;
mod coordinates;
mod dataset;
mod dictionary;
mod digest;
mod error;
mod graph;
mod holders;
mod id;
mod incremental;
mod lower_bound;
mod object_quantity;
mod objects;
mod phase;
mod quantity;
mod rank_qoi;
mod shared;
mod sizes;
mod statistics;
mod subphases;
mod synchronised;
mod totals;
mod view;
mod volume;
mod volumes;
mod work;

pub use aspects::Aspects;
pub use assignment::{Assignment, Migration};
pub use belief::Belief;
pub use carry::{Carried, Changes, carry};
pub use coordinates::{Coordinates, Space};
pub use dataset::DataSet;
pub use dictionary::Dictionary;
pub use error::ModelError;
pub use graph::{CommGraph, Communication, Vertex};
pub use id::{BlockIdx, NodeId, ObjectIdx, ObjectKey, PhaseId, RankId, Slot};
pub use incremental::Totals;
pub use lower_bound::{
    Culprit, Infeasible, Limit, LowerBound, Reason, SynchronisedBound, Units, best_lower_bound,
    infeasibility, load_bound, load_bound_for, lower_bounds, lower_bounds_for, synchronised_bound,
    water_level,
};
pub use object_quantity::ObjectQuantity;
pub use objects::Objects;
pub use phase::{Block, Object, ObjectMemory, Phase, PhaseBuilder, PhaseColumns, Rank};
pub use quantity::RankQuantity;
pub use rank_qoi::RankQoi;
pub use sizes::SizeCounts;
pub use statistics::Statistics;
pub use subphases::Subphases;
pub use synchronised::Synchronised;
pub use totals::{RankTotals, rank_totals};
pub use view::{Bundle, Transfer, View};
pub use volume::Volume;
pub use volumes::{RankVolumes, largest_volumes};
pub use work::{
    Affine, AffineParameters, BoundScope, Ccm, CcmParameters, LoadFloor, LoadOnly, OnRankVolume, UpperBound,
    Violation, Work, WorkModel, WorkParts, WorkTerms, check_work, node_excess, ranks_by_node, violations,
    works,
};
