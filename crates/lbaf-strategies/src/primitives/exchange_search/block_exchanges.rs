// SPDX-License-Identifier: MIT OR Apache-2.0
//! Redistribution of memory blocks between two ranks, with at most one of these blocks on both.
//!
//! If memory holds few blocks, ranks often cannot exchange single objects, because each object may need room for
//! its block.

use std::collections::BTreeMap;

use lbaf_model::{BlockIdx, BoundScope, RankId, RankQuantity, Slot, UpperBound};

use super::{Search, Swap};
use crate::Problem;

/// Maximum number of redistributed blocks, the blocks with the most load. Other blocks stay.
const MOST_BLOCKS: usize = 11;

/// Maximum number of partners of each kind for the rank with the most work.
///
/// The kinds are the ranks with the least work, and the ranks whose room below the goal matches the surplus.
const PARTNERS: usize = 16;

/// Maximum number of distributions that are evaluated completely.
const ASKED: usize = 12;

/// A block with its migratable objects on the rank with the most work (`ours`) and on the partner (`theirs`).
struct Shared<'s> {
    bytes: f64,
    ours: &'s Part,
    theirs: &'s Part,
}

/// Migratable objects of a rank by block.
pub(crate) type Parts = BTreeMap<BlockIdx, Part>;

/// Migratable objects of a rank that share a block, in descending order of load.
pub(crate) struct Part {
    objects: Vec<Slot>,
    /// Prefix sums of load, starting with the first object.
    sums: Vec<f64>,
}

/// Empty part, for a block without migratable objects on a rank.
static NOTHING: Part = Part { objects: Vec::new(), sums: Vec::new() };

impl Part {
    fn load(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    fn len(&self) -> f64 {
        self.objects.len() as f64
    }

    /// Returns the smallest number of objects whose total reaches `load`, or the number of all objects.
    fn n_for(&self, load: f64) -> f64 {
        (self.sums.partition_point(|&sum| sum < load) + 1).min(self.objects.len()) as f64
    }
}

/// Distribution of blocks between the rank with the most work and its partner `to`.
///
/// The rank with the most work gets the blocks of the bit set `ours` and a share of the block `split`. The partner
/// gets the remainder.
#[derive(Clone, Copy)]
struct Sharing {
    to: RankId,
    ours: usize,
    /// Block on both ranks: its position in the list of blocks, and the minimum and maximum load of its objects on the
    /// rank with the most work.
    split: Option<(usize, f64, f64)>,
    gain: f64,
    n_moved: f64,
}

impl Sharing {
    fn worth(&self) -> f64 {
        self.gain / self.n_moved.max(0.25)
    }
}

/// One rank of an exchange.
struct Side {
    rank: RankId,
    cost: f64,
    slope: f64,
    /// Bytes of blocks that the rank holds (`blocks`) and may hold (`room`).
    blocks: f64,
    room: f64,
}

impl Side {
    /// Returns the additional load with which the work of the rank reaches `level`.
    fn until(&self, level: f64) -> f64 {
        (level - self.cost) / self.slope
    }

    fn cost_with(&self, more: f64) -> f64 {
        self.cost + self.slope * more
    }
}

/// True if the phase has blocks and the work model bounds a memory quantity of ranks that includes blocks.
pub(crate) fn has_bounded_blocks(problem: &Problem<'_>) -> bool {
    !problem.phase.blocks().is_empty() && problem.model.bounds().iter().any(bounds_blocks)
}

/// True for a bound on ranks whose quantity includes the bytes of blocks.
fn bounds_blocks(bound: &UpperBound) -> bool {
    use RankQuantity as Q;
    bound.scope == BoundScope::Rank
        && matches!(bound.quantity, Q::SharedMemory | Q::MaxMemoryUsage | Q::MemoryWithSerialized)
}

impl Search<'_> {
    /// Redistributes blocks between the rank with the most work and a partner, if [blocks are
    /// bounded](has_bounded_blocks). Returns true on success.
    ///
    /// If a block is split and the two ranks cannot both reach the goal, the block is split such that, by load alone,
    /// the work of the partner ends between `goal - slack` and `goal` if possible.
    /// O(11 x 2^11) for each of at most 32 partners, plus the objects of these ranks.
    pub(crate) fn share_blocks(&mut self, slack: f64, least_gain: f64) -> bool {
        if !has_bounded_blocks(&self.problem) {
            return false;
        }
        let Some(from) = self.ladder.highest() else { return false };
        let all = self.ladder.ascending().filter(|&to| to != from);
        let below: Vec<RankId> =
            all.take_while(|&to| self.cost(to) < self.goal.max(self.cost(from))).collect();
        let excess = self.cost(from) - self.goal;
        let fitting = below.partition_point(|&to| self.goal - self.cost(to) >= excess);
        let around = fitting.saturating_sub(PARTNERS / 2)..below.len().min(fitting + PARTNERS / 2);
        let mut partners: Vec<RankId> = below[around].to_vec();
        partners.extend(below.iter().take(PARTNERS));
        let mut seen = std::collections::BTreeSet::new();
        partners.retain(|&to| seen.insert(to));
        for &rank in partners.iter().chain([&from]) {
            self.sort_by_block(rank);
        }
        let mut found: Vec<Sharing> = Vec::new();
        for to in partners {
            let (blocks, sides) = (self.shared(from, to), (self.side(from), self.side(to)));
            if sides.0.slope > 0.0 && sides.1.slope > 0.0 {
                found.extend(best_sharing(&blocks, &sides, self.goal, slack, least_gain));
            }
        }
        found.sort_by(|a, b| b.worth().total_cmp(&a.worth()));
        found.into_iter().take(ASKED).any(|sharing| {
            // A failed attempt invalidates the lists of its ranks.
            self.sort_by_block(from);
            self.sort_by_block(sharing.to);
            let swap = self.swap(from, &self.shared(from, sharing.to), &sharing);
            self.attempt(&swap.transfer(), least_gain)
        })
    }

    /// Sorts the objects of a rank by block, unless already sorted.
    fn sort_by_block(&mut self, rank: RankId) {
        if self.parts[rank.index()].is_some() {
            return;
        }
        let phase = self.problem.phase;
        let mut parts = Parts::new();
        for &slot in self.objects[rank.index()].iter().rev() {
            let Some(block) = phase.memory(slot).block else { continue };
            let part = parts.entry(block).or_insert_with(|| Part { objects: Vec::new(), sums: Vec::new() });
            part.objects.push(slot);
            part.sums.push(part.load() + phase.load(slot));
        }
        self.parts[rank.index()] = Some(parts);
    }

    /// Returns up to `MOST_BLOCKS` blocks, those whose migratable objects on the two ranks have the most load.
    fn shared(&self, from: RankId, to: RankId) -> Vec<Shared<'_>> {
        let phase = self.problem.phase;
        let [ours, theirs] = [from, to].map(|rank| self.parts[rank.index()].iter().flatten());
        let mut blocks: BTreeMap<BlockIdx, Shared<'_>> = BTreeMap::new();
        for (is_ours, (&block, part)) in ours.map(|part| (true, part)).chain(theirs.map(|part| (false, part)))
        {
            let bytes = phase.blocks()[block.index()].size_bytes;
            let nothing = Shared { bytes, ours: &NOTHING, theirs: &NOTHING };
            let shared = blocks.entry(block).or_insert(nothing);
            *(if is_ours { &mut shared.ours } else { &mut shared.theirs }) = part;
        }
        let mut blocks: Vec<Shared<'_>> = blocks.into_values().collect();
        let load = |shared: &Shared<'_>| shared.ours.load() + shared.theirs.load();
        blocks.sort_by(|a, b| load(b).total_cmp(&load(a)));
        blocks.truncate(MOST_BLOCKS);
        blocks
    }

    fn side(&self, rank: RankId) -> Side {
        Side {
            rank,
            cost: self.cost(rank),
            slope: self.slopes[rank.index()],
            blocks: self.totals.ranks()[rank.index()].block_bytes,
            room: self.block_room(rank),
        }
    }

    /// Returns the bytes of blocks that a rank may hold within its bounds, given the memory of its objects.
    fn block_room(&self, rank: RankId) -> f64 {
        let totals = &self.totals.ranks()[rank.index()];
        let bounds = self.problem.model.bounds().iter().filter(|bound| bounds_blocks(bound));
        let room = bounds.map(|bound| bound.limit - (bound.quantity.of(totals) - totals.block_bytes));
        room.fold(f64::INFINITY, f64::min)
    }

    /// Returns the exchange that leads to a distribution.
    fn swap(&self, from: RankId, blocks: &[Shared<'_>], sharing: &Sharing) -> Swap {
        let (mut given, mut taken) = (Vec::new(), Vec::new());
        for (at, shared) in blocks.iter().enumerate() {
            match sharing.split {
                Some((split, least, most)) if split == at => {
                    let ours = shared.ours.load();
                    if ours > most {
                        given.extend(self.heaviest(shared.ours, ours - most, ours - least));
                    } else if ours < least {
                        taken.extend(self.heaviest(shared.theirs, least - ours, most - ours));
                    }
                }
                _ if sharing.ours >> at & 1 == 1 => taken.extend(&shared.theirs.objects),
                _ => given.extend(&shared.ours.objects),
            }
        }
        Swap { from, to: sharing.to, given, taken }
    }

    /// Selects objects of a part, the heaviest first, up to a total load of at least `least`. Skips objects with
    /// which the total would exceed `most`, so the total may stay below `least`.
    fn heaviest(&self, part: &Part, least: f64, most: f64) -> Vec<Slot> {
        let (mut chosen, mut sum) = (Vec::new(), 0.0);
        for &slot in &part.objects {
            if sum >= least {
                break;
            }
            if sum + self.load(slot) <= most {
                sum += self.load(slot);
                chosen.push(slot);
            }
        }
        chosen
    }
}

/// Returns the distribution with the largest gain per moved object, within the bounds on blocks. Returns `None` if
/// none gains at least `least_gain`.
fn best_sharing(
    blocks: &[Shared<'_>],
    (from, to): &(Side, Side),
    goal: f64,
    slack: f64,
    least_gain: f64,
) -> Option<Sharing> {
    let n_sets = 1_usize << blocks.len();
    let all = n_sets - 1;
    let sum = |of: &dyn Fn(&Shared<'_>) -> f64| -> Vec<f64> {
        let mut sums = vec![0.0; n_sets];
        for set in 1..n_sets {
            sums[set] = sums[set & (set - 1)] + of(&blocks[set.trailing_zeros() as usize]);
        }
        sums
    };
    let load = sum(&|shared| shared.ours.load() + shared.theirs.load());
    let bytes = sum(&|shared| shared.bytes);
    // Number of moved objects for each set of blocks: if `from` gets the set, or if `to` does.
    let (come, go) = (sum(&|shared| shared.theirs.len()), sum(&|shared| shared.ours.len()));
    let ours: f64 = blocks.iter().map(|shared| shared.ours.load()).sum();
    let bytes_of = |is_held: fn(&Shared<'_>) -> bool| -> f64 {
        blocks.iter().filter(|shared| is_held(shared)).map(|shared| shared.bytes).sum()
    };
    let rooms = (
        from.room - from.blocks + bytes_of(|shared| !shared.ours.objects.is_empty()),
        to.room - to.blocks + bytes_of(|shared| !shared.theirs.objects.is_empty()),
    );
    let within = |bytes: f64, room: f64| bytes <= room * (1.0 + 1e-12);
    let mut best: Option<Sharing> = None;
    let mut offer = |sharing: Sharing| {
        if sharing.gain >= least_gain && best.is_none_or(|best| sharing.worth() > best.worth()) {
            best = Some(sharing);
        }
    };
    let gain = |more: f64| from.cost - from.cost_with(more).max(to.cost_with(-more)).max(goal);
    for set in 0..n_sets {
        let n_moved = come[set] + go[all ^ set];
        if within(bytes[set], rooms.0) && within(bytes[all ^ set], rooms.1) {
            offer(Sharing { to: to.rank, ours: set, split: None, gain: gain(load[set] - ours), n_moved });
        }
        if !within(bytes[set], rooms.0) {
            continue;
        }
        for (at, shared) in blocks.iter().enumerate().filter(|&(at, _)| set >> at & 1 == 1) {
            let whole = set & !(1 << at);
            if !within(bytes[all ^ whole], rooms.1) {
                continue;
            }
            // Limits of the load of the block on `from`.
            let most = ours + from.until(goal) - load[whole];
            let least = ours - to.until(goal) - load[whole];
            let total = shared.ours.load() + shared.theirs.load();
            if least >= total || most.max(least) <= 0.0 {
                continue;
            }
            let (least, most) = if most >= least { (least, most) } else { (least, least + slack / to.slope) };
            let now = shared.ours.load();
            let part = now.clamp(least, most).clamp(0.0, total);
            let moved = if part < now {
                shared.ours.n_for(now - part)
            } else if part > now {
                shared.theirs.n_for(part - now)
            } else {
                0.0
            };
            let n_moved = come[whole] + go[all ^ set] + moved;
            let gain = gain(load[whole] + part - ours);
            offer(Sharing { to: to.rank, ours: whole, split: Some((at, least, most)), gain, n_moved });
        }
    }
    best
}
