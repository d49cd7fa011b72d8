// SPDX-License-Identifier: MIT OR Apache-2.0
//! Room at home: objects return, and another one leaves in their stead.
//!
//! A rank that gave several objects away may do with one heavier one that stayed; and one that gave objects away and
//! got others can pass on what it got. Either way fewer objects are away.

use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};

use lbaf_model::{RankId, Slot, Transfer, View};
use rustc_hash::FxHashMap;

use super::Homeward;

/// So many objects are looked at for a rank to return, the lightest of them.
const MOST: usize = 16;

/// Seconds of load that a rank has left, at most.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Room(f64, RankId);

/// Where there is room.
struct Rooms {
    ceiling: f64,
    of: Vec<f64>,
    sorted: BTreeSet<Room>,
}

impl Homeward<'_> {
    /// Makes room where it saves migrations; whether it did.
    pub(super) fn make_room(&mut self, ceiling: f64) -> bool {
        if self.rules.whole || self.rules.localizing || self.away.is_empty() {
            return false;
        }
        let mut away: FxHashMap<RankId, Vec<Slot>> = HashMap::default();
        let mut guests: FxHashMap<RankId, Vec<Slot>> = HashMap::default();
        for &slot in self.away.iter().flatten() {
            away.entry(self.home(slot)).or_default().push(slot);
            guests.entry(self.totals.rank_of(slot)).or_default().push(slot);
        }
        let mut rooms = Rooms::new(self, ceiling);
        let mut has_changed = false;
        for home in self.problem.phase.rank_ids() {
            let Some(away) = away.get(&home) else { continue };
            let guests = guests.get(&home).map_or(&[][..], Vec::as_slice);
            while self.pass_on(home, away, guests, &mut rooms) || self.replace(home, away, &mut rooms) {
                has_changed = true;
            }
        }
        has_changed
    }

    /// An object returns, and a guest leaves: to where that object was, or to where it fits best.
    fn pass_on(&mut self, home: RankId, away: &[Slot], guests: &[Slot], rooms: &mut Rooms) -> bool {
        let phase = self.problem.phase;
        let mut away = away.iter().copied().filter(|&slot| self.totals.rank_of(slot) != home).take(MOST);
        let moves = away.find_map(|object| {
            let needed = phase.load(object) - rooms.of(home);
            let from = guests.partition_point(|&guest| phase.load(guest) < needed);
            let guest = guests[from..].iter().copied().find(|&guest| self.totals.rank_of(guest) == home)?;
            let left = self.totals.rank_of(object);
            let fits_there = phase.load(guest) <= rooms.of(left) + phase.load(object);
            let to = if fits_there { left } else { rooms.best(phase.load(guest), home)? };
            Some([(guest, to), (object, home)])
        });
        moves.is_some_and(|moves| self.attempt(&moves, rooms))
    }

    /// Several objects return, and one leaves that was at home all the time.
    fn replace(&mut self, home: RankId, away: &[Slot], rooms: &mut Rooms) -> bool {
        let phase = self.problem.phase;
        let away = away.iter().copied().filter(|&slot| self.totals.rank_of(slot) != home);
        let away: Vec<Slot> = away.take(MOST).collect();
        for n_returning in (2..=away.len()).rev() {
            let returning = &away[..n_returning];
            let needed = self.load(returning) - rooms.of(home);
            let natives = &self.natives[home.index()];
            let from = natives.partition_point(|&native| phase.load(native) < needed);
            let stays = |&native: &Slot| self.totals.rank_of(native) == home;
            let Some(native) = natives[from..].iter().copied().find(stays) else { continue };
            let Some(to) = self.best_room(phase.load(native), home, returning, rooms) else { continue };
            let mut moves = vec![(native, to)];
            moves.extend(returning.iter().map(|&slot| (slot, home)));
            if self.attempt(&moves, rooms) {
                return true;
            }
        }
        false
    }

    /// The rank with the least room that is enough for a load, when some objects have gone home.
    fn best_room(&self, load: f64, home: RankId, returning: &[Slot], rooms: &Rooms) -> Option<RankId> {
        let left = returning.iter().map(|&slot| {
            let rank = self.totals.rank_of(slot);
            let leaving = returning.iter().copied().filter(|&slot| self.totals.rank_of(slot) == rank);
            let leaving: f64 = leaving.map(|slot| self.problem.phase.load(slot)).sum();
            Room(rooms.of(rank) + leaving, rank)
        });
        let others = rooms.best(load, home).map(|rank| Room(rooms.of(rank), rank));
        left.chain(others).filter(|room| room.0 >= load).min().map(|room| room.1)
    }

    /// Makes moves one after the other, and takes them back if a rank ends above the ceiling or further over a
    /// bound: load alone told that they fit.
    fn attempt(&mut self, moves: &[(Slot, RankId)], rooms: &mut Rooms) -> bool {
        let mut back = Vec::with_capacity(moves.len());
        let mut touched = Vec::with_capacity(2 * moves.len());
        for &(slot, to) in moves {
            let from = self.totals.rank_of(slot);
            back.push((slot, from));
            touched.extend([from, to].map(|rank| (rank, self.now[rank.index()])));
            self.make(&Transfer { from, to, objects: &[slot], returned: &[] });
        }
        let holds = touched.iter().enumerate().all(|(at, &(rank, before))| {
            let after = self.now[rank.index()];
            let is_first = touched[..at].iter().all(|&(earlier, _)| earlier != rank);
            after.cost() <= rooms.ceiling && (!is_first || after.excess() <= before.excess())
        });
        if !holds {
            for &(slot, to) in back.iter().rev() {
                self.make(&Transfer { from: self.totals.rank_of(slot), to, objects: &[slot], returned: &[] });
            }
        }
        for (rank, _) in touched {
            rooms.renew(self, rank);
        }
        holds
    }
}

impl Rooms {
    fn new(way: &Homeward<'_>, ceiling: f64) -> Self {
        let ranks = way.problem.phase.rank_ids();
        let of: Vec<f64> = ranks.clone().map(|rank| way.room(rank, ceiling)).collect();
        let sorted = ranks.map(|rank| Room(of[rank.index()], rank)).collect();
        Rooms { ceiling, of, sorted }
    }

    fn of(&self, rank: RankId) -> f64 {
        self.of[rank.index()]
    }

    /// The rank other than `but` with the least room that is enough.
    fn best(&self, load: f64, but: RankId) -> Option<RankId> {
        self.sorted.range(Room(load, RankId(0))..).map(|room| room.1).find(|&rank| rank != but)
    }

    fn renew(&mut self, way: &Homeward<'_>, rank: RankId) {
        self.sorted.remove(&Room(self.of(rank), rank));
        self.of[rank.index()] = way.room(rank, self.ceiling);
        self.sorted.insert(Room(self.of(rank), rank));
    }
}

impl Eq for Room {}

impl PartialOrd for Room {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Room {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}
