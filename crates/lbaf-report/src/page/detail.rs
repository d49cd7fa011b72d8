// SPDX-License-Identifier: MIT OR Apache-2.0
//! Largest objects of every rank, and its neighbours with the largest volume.

use lbaf_model::{Assignment, ObjectKey, Phase, RankId, Slot, Vertex};

use super::view::{LargestObjects, Neighbours, PackedNumbers, RankDetails};
use crate::error::PageError;

/// Maximum numbers of objects and neighbours per rank on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// Maximum number of objects before balancing, and also after it.
    pub(super) n_objects: usize,
    /// Maximum number of neighbours before balancing, and also after it.
    pub(super) n_neighbours: usize,
}

/// Returns the objects and neighbours of the ranks of a phase, limited to the numbers in `share`.
pub(super) fn detail(
    phase: &Phase,
    keys: &[ObjectKey],
    (before, after): (&Assignment, &Assignment),
    share: Share,
) -> Result<RankDetails, PageError> {
    Ok(RankDetails {
        objects: objects(phase, keys, (before, after), share.n_objects)?,
        neighbours: neighbours(phase, (before, after), share.n_neighbours)?,
    })
}

/// Returns sender, receiver and bytes of each off-rank edge.
pub(super) fn crossing<'a>(
    phase: &'a Phase,
    placement: &'a Assignment,
) -> impl Iterator<Item = (RankId, RankId, f64)> + 'a {
    let rank = |vertex| match vertex {
        Vertex::Object(slot) => placement.rank_of(slot),
        Vertex::Rank(rank) => rank,
    };
    let edges =
        phase.communication().edges().map(move |(from, to, volume)| (rank(from), rank(to), volume.bytes));
    edges.filter(|(from, to, _)| from != to)
}

/// Returns the largest objects of each rank, at most `most` before and at most `most` after, ascending by slot.
fn objects(
    phase: &Phase,
    keys: &[ObjectKey],
    (before, after): (&Assignment, &Assignment),
    most: usize,
) -> Result<LargestObjects, PageError> {
    let mut largest_first: Vec<Slot> = phase.slots().collect();
    // A stable sort puts the lower slot first among equal loads.
    largest_first.sort_by(|&a, &b| phase.load(b).total_cmp(&phase.load(a)));
    let mut is_shown = vec![false; phase.n_objects()];
    for placement in [before, after] {
        let mut n_shown = vec![0; phase.n_ranks()];
        for &slot in &largest_first {
            let n = &mut n_shown[placement.rank_of(slot).index()];
            if *n < most {
                *n += 1;
                is_shown[slot.index()] = true;
            }
        }
    }
    let shown: Vec<Slot> = phase.slots().filter(|slot| is_shown[slot.index()]).collect();
    let integers = |of: &dyn Fn(Slot) -> u64| {
        PackedNumbers::of_integers(&shown.iter().map(|&slot| of(slot)).collect::<Vec<u64>>())
    };
    let key = |slot| keys[phase.object(slot).index()];
    let loads: Vec<f64> = shown.iter().map(|&slot| phase.load(slot)).collect();
    Ok(LargestObjects {
        per_rank: most,
        id: integers(&|slot| key(slot).number),
        flags: integers(&|slot| u64::from(phase.is_migratable(slot)) | u64::from(key(slot).is_sequence) << 1),
        load: PackedNumbers::of_floats(&loads, "load of objects")?,
        from: integers(&|slot| u64::from(before.rank_of(slot).0)),
        to: integers(&|slot| u64::from(after.rank_of(slot).0)),
    })
}

/// Bytes between two ranks, in both directions.
#[derive(Clone, Copy)]
struct Exchange {
    rank: u32,
    other: u32,
    before: f64,
    after: f64,
}

/// Returns the neighbours of each rank with the largest volume: at most `most` before, and at most `most` after.
fn neighbours(
    phase: &Phase,
    (before, after): (&Assignment, &Assignment),
    most: usize,
) -> Result<Neighbours, PageError> {
    let exchanges = exchanges(phase, before, after);
    let n_ranks = phase.n_ranks();
    let (mut n_before, mut n_after, mut n) = (vec![0; n_ranks], vec![0; n_ranks], vec![0; n_ranks]);
    let mut shown: Vec<Exchange> = Vec::new();
    for of_rank in exchanges.chunk_by(|a, b| a.rank == b.rank) {
        let rank = of_rank[0].rank as usize;
        let count =
            |volume: fn(&Exchange) -> f64| of_rank.iter().filter(|one| volume(one) > 0.0).count() as u64;
        (n_before[rank], n_after[rank]) = (count(|one| one.before), count(|one| one.after));
        let chosen = largest(of_rank, most);
        n[rank] = chosen.len() as u64;
        shown.extend(chosen);
    }
    let floats = |of: fn(&Exchange) -> f64| {
        PackedNumbers::of_floats(&shown.iter().map(of).collect::<Vec<f64>>(), "bytes between ranks")
    };
    Ok(Neighbours {
        n_before: PackedNumbers::of_integers(&n_before),
        n_after: PackedNumbers::of_integers(&n_after),
        n: PackedNumbers::of_integers(&n),
        rank: PackedNumbers::of_integers(
            &shown.iter().map(|exchange| u64::from(exchange.other)).collect::<Vec<u64>>(),
        ),
        before: floats(|exchange| exchange.before)?,
        after: floats(|exchange| exchange.after)?,
        is_partial: n_before.iter().chain(&n_after).any(|&n| n > most as u64),
    })
}

/// Returns all pairs of ranks that communicate before or after, in both orders, ascending.
fn exchanges(phase: &Phase, before: &Assignment, after: &Assignment) -> Vec<Exchange> {
    let mut exchanges: Vec<Exchange> = Vec::new();
    for (placement, is_after) in [(before, false), (after, true)] {
        for (from, to, bytes) in crossing(phase, placement) {
            let (before, after) = if is_after { (0.0, bytes) } else { (bytes, 0.0) };
            exchanges.push(Exchange { rank: from.0, other: to.0, before, after });
            exchanges.push(Exchange { rank: to.0, other: from.0, before, after });
        }
    }
    // A stable sort, so that the bytes of a pair are added in the order of edges.
    exchanges.sort_by_key(|exchange| (exchange.rank, exchange.other));
    exchanges.dedup_by(|next, kept| {
        let same = (next.rank, next.other) == (kept.rank, kept.other);
        if same {
            kept.before += next.before;
            kept.after += next.after;
        }
        same
    });
    exchanges
}

/// Returns at most `most` neighbours with the largest volume before, and at most `most` with the largest volume after,
/// ascending by rank.
fn largest(of_rank: &[Exchange], most: usize) -> Vec<Exchange> {
    let mut is_chosen = vec![false; of_rank.len()];
    for volume in [|one: &Exchange| one.before, |one: &Exchange| one.after] {
        let mut places: Vec<usize> = (0..of_rank.len()).filter(|&at| volume(&of_rank[at]) > 0.0).collect();
        places.sort_by(|&a, &b| volume(&of_rank[b]).total_cmp(&volume(&of_rank[a])));
        places.iter().take(most).for_each(|&at| is_chosen[at] = true);
    }
    of_rank.iter().zip(is_chosen).filter_map(|(&one, chosen)| chosen.then_some(one)).collect()
}

#[cfg(test)]
mod tests {
    use lbaf_model::{
        CommGraph, Communication, Dictionary, NodeId, ObjectMemory, Objects as ObjectsOfPhase, PhaseColumns,
        PhaseId, Rank, Volume,
    };

    use super::*;

    /// Returns four objects of 1, 2, 3 and 4 s with their keys. The first two are on rank 0, the others on ranks 1 and
    /// 2.
    fn phase() -> (Phase, Vec<ObjectKey>) {
        let sends = [(0, 2, 10.0), (0, 3, 1.0), (3, 0, 5.0), (1, 0, 100.0)];
        let communications = sends.map(|(from, to, bytes)| Communication {
            from: Vertex::Object(Slot(from)),
            to: Vertex::Object(Slot(to)),
            volume: Volume { bytes, messages: 1 },
        });
        let columns = PhaseColumns {
            objects: ObjectsOfPhase::All(4),
            load: vec![1.0, 2.0, 3.0, 4.0],
            memory: [ObjectMemory::default(); 4].into_iter().collect::<Dictionary<_>>(),
            migratable: [true, true, true, false].into(),
            recorded: Assignment::new([0, 0, 1, 2].map(RankId).to_vec()).into(),
            ranks: vec![Rank { alpha: 1.0, node: NodeId(0), working_bytes: 0.0 }; 3],
            blocks: Vec::new(),
            communication: CommGraph::new(4, 3, &communications),
        };
        let fixed = |number| (number == 3).then_some(RankId(2));
        let keys = (0..4).map(|number| ObjectKey::new(false, number, fixed(number))).collect();
        (Phase::new(PhaseId(0), columns).unwrap(), keys)
    }

    fn integers(numbers: &[u64]) -> PackedNumbers {
        PackedNumbers::of_integers(numbers)
    }

    #[test]
    fn shows_the_largest_objects_of_each_rank_under_both_placements() {
        let (phase, keys) = phase();
        let before = phase.recorded_assignment();
        let after = Assignment::new([0, 1, 1, 2].map(RankId).to_vec());
        let shown = objects(&phase, &keys, (before, &after), 1).unwrap();
        // The largest object of rank 0 is object 1 before and object 0 after.
        assert_eq!(shown.id, integers(&[0, 1, 2, 3]));
        assert_eq!(shown.flags, integers(&[1, 1, 1, 0]));
        assert_eq!((shown.from, shown.to), (integers(&[0, 0, 1, 2]), integers(&[0, 1, 1, 2])));
        let same = objects(&phase, &keys, (before, before), 1).unwrap();
        assert_eq!(same.id, integers(&[1, 2, 3]));
    }

    #[test]
    fn neighbours_that_are_not_listed_are_noticed_although_all_objects_are_listed() {
        let (phase, _) = phase();
        let before = phase.recorded_assignment();
        assert!(!neighbours(&phase, (before, before), 2).unwrap().is_partial);
        assert!(neighbours(&phase, (before, before), 1).unwrap().is_partial);
    }

    #[test]
    fn neighbours_have_the_largest_volume_in_both_directions() {
        let (phase, _) = phase();
        let before = phase.recorded_assignment();
        // Before, rank 0 sends 10 B to rank 1 and exchanges 1 + 5 B with rank 2. After object 0 has moved to rank 1,
        // rank 0 sends 100 B to rank 1, and ranks 1 and 2 exchange 1 + 5 B.
        let after = Assignment::new([1, 0, 1, 2].map(RankId).to_vec());
        let all = neighbours(&phase, (before, &after), 5).unwrap();
        assert_eq!(
            (all.n_before, all.n_after, all.n),
            (integers(&[2, 1, 1]), integers(&[1, 2, 1]), integers(&[2, 2, 2]))
        );
        assert_eq!(all.rank, integers(&[1, 2, 0, 2, 0, 1]));
        assert_eq!(all.before, PackedNumbers::of_floats(&[10.0, 6.0, 10.0, 0.0, 6.0, 0.0], "").unwrap());
        assert_eq!(all.after, PackedNumbers::of_floats(&[100.0, 0.0, 100.0, 6.0, 0.0, 6.0], "").unwrap());
        // With a limit of one, each rank keeps the largest neighbour of each placement.
        let one = neighbours(&phase, (before, &after), 1).unwrap();
        assert_eq!((one.n, one.rank), (integers(&[1, 1, 2]), integers(&[1, 0, 0, 1])));
    }
}
