// SPDX-License-Identifier: MIT OR Apache-2.0
//! What ranks have room for.

use lbaf_model::water_level;

use super::Points;
use crate::Problem;

/// A rank as somebody who gets a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Room {
    /// Seconds of work per second of load.
    pub(crate) alpha: f64,
    /// Load of the objects that stay on the rank.
    pub(crate) base: f64,
    /// The load that it should get, as a multiple of what the one that should get most does.
    pub(crate) share: f64,
}

impl Room {
    /// A rank among others that are alike.
    pub(crate) const ALIKE: Room = Room { alpha: 1.0, base: 0.0, share: 1.0 };
}

/// The room of each rank: what fills it up to a work that is the same for all.
pub(super) fn rooms(problem: &Problem<'_>, points: &Points) -> Vec<Room> {
    let phase = problem.phase;
    let alpha: Vec<f64> = phase.ranks().iter().map(|rank| rank.alpha).collect();
    let mut base = vec![0.0; alpha.len()];
    for slot in phase.slots().filter(|&slot| !phase.is_migratable(slot)) {
        base[problem.initial.rank_of(slot).index()] += phase.load(slot);
    }
    if points.are_counted {
        return vec![Room::ALIKE; alpha.len()];
    }
    let level = water_level(&alpha, &base, points.weights.iter().sum());
    let takes_everything = alpha.contains(&0.0);
    let room = |(&alpha, &base): (&f64, &f64)| {
        if takes_everything { f64::from(u8::from(alpha == 0.0)) } else { (level / alpha - base).max(0.0) }
    };
    let rooms: Vec<f64> = alpha.iter().zip(&base).map(room).collect();
    let largest = rooms.iter().copied().fold(0.0, f64::max);
    // Speeds beyond what floating-point numbers can divide by are taken to be alike.
    let share = |room: f64| if largest > 0.0 && largest.is_finite() { room / largest } else { 1.0 };
    let facts = alpha.into_iter().zip(base).zip(rooms);
    facts.map(|((alpha, base), room)| Room { alpha, base, share: share(room) }).collect()
}
