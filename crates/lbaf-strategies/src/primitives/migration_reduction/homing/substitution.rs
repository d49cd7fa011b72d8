// SPDX-License-Identifier: MIT OR Apache-2.0
//! Substitution: objects return to their initial rank, and another object makes room.
//!
//! A rank may take back several objects and give away one object that had stayed. Or it may take back one object and
//! pass on a received object. Both steps save migrations.

use lbaf_model::{RankId, Slot, Transfer, View};
use rustc_hash::FxHashMap;

use super::Homeward;
use super::sorted_objects::SortedObjects;
use crate::primitives::rank_order::RankOrder;
use crate::primitives::seconds::Seconds;

/// Maximum number of objects, the lightest, that are considered for return to a rank.
const MOST: usize = 16;

/// Maximum number of destinations with room that are evaluated for an object.
const FEW: usize = 2;

/// Upper limit of the load in seconds that a rank can receive, and the rank.
type Room = (Seconds, RankId);

/// Ranks sorted by remaining room.
struct Rooms {
    /// Largest work allowed on a rank.
    ceiling: f64,
    ladder: RankOrder<Seconds>,
}

/// Rank with its objects: `natives` stayed, `guests` came from other ranks, and `away` left.
struct Host {
    rank: RankId,
    natives: SortedObjects,
    guests: SortedObjects,
    away: SortedObjects,
}

impl Homeward<'_> {
    /// Performs substitutions that save migrations. Returns true if any succeeded.
    ///
    /// O(objects + ranks log ranks), and some dozen evaluations of work for each rank that gave away an object and
    /// for each saved migration.
    pub(super) fn make_room(&mut self, ceiling: f64) -> bool {
        if !self.rules.singly() || self.away.is_empty() {
            return false;
        }
        let mut away: FxHashMap<RankId, Vec<Slot>> = FxHashMap::default();
        let mut guests: FxHashMap<RankId, Vec<Slot>> = FxHashMap::default();
        for &slot in self.away.iter().flatten() {
            away.entry(self.home(slot)).or_default().push(slot);
            guests.entry(self.totals.rank_of(slot)).or_default().push(slot);
        }
        let mut rooms = Rooms::new(self, ceiling);
        let mut has_changed = false;
        for rank in self.problem.phase.rank_ids() {
            let Some(mut away) = away.remove(&rank) else { continue };
            // Substitutions on earlier ranks may have changed the objects of this rank.
            let stayed = |&slot: &Slot| self.totals.rank_of(slot) == rank;
            away.retain(|slot| !stayed(slot));
            let natives = self.natives[rank.index()].iter().copied().filter(stayed).collect();
            let guests = guests.remove(&rank).unwrap_or_default().into_iter().filter(stayed).collect();
            let mut host = Host {
                rank,
                natives: SortedObjects::new(natives),
                guests: SortedObjects::new(guests),
                away: SortedObjects::new(away),
            };
            while !self.cancel.is_cancelled()
                && (self.pass_on(&mut host, &mut rooms) || self.replace(&mut host, &mut rooms))
            {
                has_changed = true;
            }
        }
        has_changed
    }

    /// Lets an object return to the host and a guest leave. Returns true on success.
    ///
    /// The guest goes to the rank that the object leaves, or to a rank with little more room than the guest needs.
    fn pass_on(&mut self, host: &mut Host, rooms: &mut Rooms) -> bool {
        let phase = self.problem.phase;
        let load = |slot: Slot| phase.load(slot);
        for object in host.away.first(MOST) {
            let needed = load(object) - rooms.of(host.rank);
            let Some(guest) = host.guests.first_where(|slot| load(slot) >= needed) else { continue };
            for to in self.destinations(guest, host.rank, &[object], rooms) {
                if self.attempt((guest, to), &[object], rooms) {
                    host.guests.take(guest, load);
                    host.away.take(object, load);
                    return true;
                }
            }
        }
        false
    }

    /// Lets several objects return to the host and one native leave. Returns true on success.
    fn replace(&mut self, host: &mut Host, rooms: &mut Rooms) -> bool {
        let phase = self.problem.phase;
        let load = |slot: Slot| phase.load(slot);
        let away = host.away.first(MOST);
        for n_returning in (2..=away.len()).rev() {
            let returning = &away[..n_returning];
            let needed = self.load(returning) - rooms.of(host.rank);
            let Some(native) = host.natives.first_where(|slot| load(slot) >= needed) else { continue };
            for to in self.destinations(native, host.rank, returning, rooms) {
                if self.attempt((native, to), returning, rooms) {
                    host.natives.take(native, load);
                    for &slot in returning {
                        host.away.take(slot, load);
                    }
                    return true;
                }
            }
        }
        false
    }

    /// Returns up to [`FEW`] ranks other than `but` with room for an object, the least room first. `returning`
    /// objects make room on the ranks that they leave.
    fn destinations(&self, object: Slot, but: RankId, returning: &[Slot], rooms: &Rooms) -> Vec<RankId> {
        let load = self.problem.phase.load(object);
        let left = returning.iter().map(|&slot| {
            let rank = self.totals.rank_of(slot);
            let leaving = returning.iter().copied().filter(|&slot| self.totals.rank_of(slot) == rank);
            let leaving: f64 = leaving.map(|slot| self.problem.phase.load(slot)).sum();
            (Seconds(rooms.of(rank) + leaving), rank)
        });
        let mut found: Vec<Room> =
            left.filter(|room| room.0 >= Seconds(load)).chain(rooms.fitting(load, but).take(FEW)).collect();
        found.sort();
        let mut ranks: Vec<RankId> = Vec::with_capacity(FEW);
        for (_, rank) in found {
            if ranks.len() < FEW && !ranks.contains(&rank) {
                ranks.push(rank);
            }
        }
        ranks
    }

    /// Moves an object off its rank and `returning` to that rank. Returns true on success.
    ///
    /// The moves were selected by load alone. So the moves are undone if the work of a rank rises above the
    /// ceiling, or if its excess over bounds rises.
    fn attempt(&mut self, leaving: (Slot, RankId), returning: &[Slot], rooms: &mut Rooms) -> bool {
        if self.overloads(leaving, returning, rooms) {
            return false;
        }
        let host = self.totals.rank_of(leaving.0);
        let mut back = Vec::with_capacity(1 + returning.len());
        let mut before = Vec::with_capacity(2 + returning.len());
        let moves = returning.iter().map(|&slot| (slot, host));
        for (slot, to) in std::iter::once(leaving).chain(moves) {
            let from = self.totals.rank_of(slot);
            back.push((slot, from));
            for rank in self.concerned([from, to]) {
                if before.iter().all(|&(other, _)| other != rank) {
                    before.push((rank, self.now[rank.index()]));
                }
            }
            self.make(&Transfer { from, to, objects: &[slot], returned: &[] });
        }
        let holds = before.iter().all(|&(rank, before)| {
            let after = self.now[rank.index()];
            // Tolerance for rounding of incrementally updated sums.
            after.cost() <= before.cost().max(rooms.ceiling)
                && after.excess() <= before.excess() * (1.0 + 1e-12)
        });
        if !holds {
            for &(slot, to) in back.iter().rev() {
                self.make(&Transfer { from: self.totals.rank_of(slot), to, objects: &[slot], returned: &[] });
            }
        }
        for (rank, _) in before {
            rooms.renew(self, rank);
        }
        holds
    }

    /// True if the leaving object alone lifts its receiver above the ceiling. O(degree).
    ///
    /// The check is skipped if an object also returns from the receiver. Most attempts end here, because rooms are
    /// computed from loads, but communication also adds to work.
    fn overloads(&self, (slot, to): (Slot, RankId), returning: &[Slot], rooms: &Rooms) -> bool {
        if returning.iter().any(|&other| self.totals.rank_of(other) == to) {
            return false;
        }
        let leaving = self.totals.bundle(self.totals.rank_of(slot), &[slot]);
        let after = self.problem.model.work(&self.totals.with(to, &leaving));
        after.cost() > self.now[to.index()].cost().max(rooms.ceiling)
    }
}

impl Rooms {
    fn new(way: &Homeward<'_>, ceiling: f64) -> Self {
        let ranks = way.problem.phase.rank_ids();
        Rooms { ceiling, ladder: RankOrder::new(ranks.map(|rank| Seconds(way.room(rank, ceiling)))) }
    }

    fn of(&self, rank: RankId) -> f64 {
        self.ladder.key(rank).0
    }

    /// Returns the ranks other than `but` with enough room, the least room first.
    fn fitting(&self, load: f64, but: RankId) -> impl Iterator<Item = Room> {
        let ranks = self.ladder.from(Seconds(load)).filter(move |&rank| rank != but);
        ranks.map(|rank| (self.ladder.key(rank), rank))
    }

    fn renew(&mut self, way: &Homeward<'_>, rank: RankId) {
        self.ladder.renew(rank, Seconds(way.room(rank, self.ceiling)));
    }
}
