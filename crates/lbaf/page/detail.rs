// SPDX-License-Identifier: MIT OR Apache-2.0
//! The largest objects of every rank, and the ranks that it communicates with most.

use lbaf_model::{Assignment, ObjectKey, Phase, RankId, Slot, Vertex};
use lbaf_page::{Column, Detail, Neighbours, Objects, PageError};

/// How much of every rank is in the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Share {
    /// Objects, before and after.
    pub(super) n_objects: usize,
    /// Neighbours, before and after.
    pub(super) n_neighbours: usize,
}

/// What is behind the ranks of a phase, as far as it has a share in the page.
pub(super) fn detail(
    phase: &Phase,
    keys: &[ObjectKey],
    (before, after): (&Assignment, &Assignment),
    share: Share,
) -> Result<Detail, PageError> {
    Ok(Detail {
        objects: objects(phase, keys, (before, after), share.n_objects)?,
        before: neighbours(phase, before, share.n_neighbours)?,
        after: neighbours(phase, after, share.n_neighbours)?,
    })
}

/// Communication that leaves its rank: sender, receiver and bytes.
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

/// The `most` largest objects of each rank before and after, ascending by their slots.
fn objects(
    phase: &Phase,
    keys: &[ObjectKey],
    (before, after): (&Assignment, &Assignment),
    most: usize,
) -> Result<Objects, PageError> {
    let mut largest_first: Vec<Slot> = phase.slots().collect();
    // Stable, so that of equal loads the lower slot comes first.
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
        Column::of_integers(&shown.iter().map(|&slot| of(slot)).collect::<Vec<u64>>())
    };
    let key = |slot| keys[phase.object(slot).index()];
    let loads: Vec<f64> = shown.iter().map(|&slot| phase.load(slot)).collect();
    Ok(Objects {
        per_rank: most,
        id: integers(&|slot| key(slot).number),
        flags: integers(&|slot| u64::from(phase.is_migratable(slot)) | u64::from(key(slot).is_sequence) << 1),
        load: Column::of_floats(&loads, "load of objects")?,
        from: integers(&|slot| u64::from(before.rank_of(slot).0)),
        to: integers(&|slot| u64::from(after.rank_of(slot).0)),
    })
}

/// What a rank and another send each other.
#[derive(Clone, Copy)]
struct Exchange {
    rank: u32,
    other: u32,
    sent: f64,
    received: f64,
}

/// The `most` ranks with which each rank exchanges most.
fn neighbours(phase: &Phase, placement: &Assignment, most: usize) -> Result<Neighbours, PageError> {
    let mut exchanges: Vec<Exchange> = Vec::new();
    for (from, to, bytes) in crossing(phase, placement) {
        exchanges.push(Exchange { rank: from.0, other: to.0, sent: bytes, received: 0.0 });
        exchanges.push(Exchange { rank: to.0, other: from.0, sent: 0.0, received: bytes });
    }
    // Stable, so that sums are those of edges in their order.
    exchanges.sort_by_key(|exchange| (exchange.rank, exchange.other));
    exchanges.dedup_by(|next, kept| {
        let same = (next.rank, next.other) == (kept.rank, kept.other);
        if same {
            kept.sent += next.sent;
            kept.received += next.received;
        }
        same
    });
    let n_ranks = phase.n_ranks();
    let (mut n_all, mut n) = (vec![0; n_ranks], vec![0; n_ranks]);
    let mut shown: Vec<Exchange> = Vec::new();
    for of_rank in exchanges.chunk_by_mut(|a, b| a.rank == b.rank) {
        of_rank.sort_by(|a, b| (b.sent + b.received).total_cmp(&(a.sent + a.received)));
        let n_shown = of_rank.len().min(most);
        n_all[of_rank[0].rank as usize] = of_rank.len() as u64;
        n[of_rank[0].rank as usize] = n_shown as u64;
        shown.extend(&of_rank[..n_shown]);
    }
    let floats = |of: fn(&Exchange) -> f64, what: &str| {
        Column::of_floats(&shown.iter().map(of).collect::<Vec<f64>>(), what)
    };
    Ok(Neighbours {
        n_all: Column::of_integers(&n_all),
        n: Column::of_integers(&n),
        rank: Column::of_integers(
            &shown.iter().map(|exchange| u64::from(exchange.other)).collect::<Vec<u64>>(),
        ),
        sent: floats(|exchange| exchange.sent, "bytes sent to neighbours")?,
        received: floats(|exchange| exchange.received, "bytes received from neighbours")?,
    })
}

#[cfg(test)]
mod tests {
    use lbaf_model::{
        CommGraph, Communication, Dictionary, NodeId, ObjectMemory, Objects as ObjectsOfPhase, PhaseColumns,
        PhaseId, Rank, Volume,
    };

    use super::*;

    /// Four objects of 1, 2, 3 and 4 s, the first two on rank 0 and the others on ranks 1 and 2.
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
            migratable: vec![true, true, true, false],
            recorded: Assignment::new([0, 0, 1, 2].map(RankId).to_vec()),
            ranks: vec![Rank { alpha: 1.0, node: NodeId(0), working_bytes: 0.0 }; 3],
            blocks: Vec::new(),
            communication: CommGraph::new(4, 3, &communications),
        };
        let fixed = |number| (number == 3).then_some(RankId(2));
        let keys = (0..4).map(|number| ObjectKey::new(false, number, fixed(number))).collect();
        (Phase::new(PhaseId(0), columns).unwrap(), keys)
    }

    fn integers(numbers: &[u64]) -> Column {
        Column::of_integers(numbers)
    }

    #[test]
    fn shows_the_largest_objects_of_each_rank_under_both_placements() {
        let (phase, keys) = phase();
        let before = phase.recorded_assignment();
        let after = Assignment::new([0, 1, 1, 2].map(RankId).to_vec());
        let shown = objects(&phase, &keys, (before, &after), 1).unwrap();
        // Object 1 is the largest of rank 0 before, object 0 after; 2 and 3 are the largest of their ranks in both.
        assert_eq!(shown.id, integers(&[0, 1, 2, 3]));
        assert_eq!(shown.flags, integers(&[1, 1, 1, 0]));
        assert_eq!((shown.from, shown.to), (integers(&[0, 0, 1, 2]), integers(&[0, 1, 1, 2])));
        let same = objects(&phase, &keys, (before, before), 1).unwrap();
        assert_eq!(same.id, integers(&[1, 2, 3]));
    }

    #[test]
    fn neighbours_are_those_with_the_largest_volume_in_both_directions() {
        let (phase, _) = phase();
        // Rank 0 sends 10 to rank 1, and exchanges 1 and 5 with rank 2; what stays on rank 0 does not count.
        let all = neighbours(&phase, phase.recorded_assignment(), 5).unwrap();
        assert_eq!((all.n_all, all.n), (integers(&[2, 1, 1]), integers(&[2, 1, 1])));
        assert_eq!(all.rank, integers(&[1, 2, 0, 0]));
        assert_eq!(all.sent, Column::of_floats(&[10.0, 1.0, 0.0, 5.0], "sent").unwrap());
        assert_eq!(all.received, Column::of_floats(&[0.0, 5.0, 10.0, 1.0], "received").unwrap());
        let one = neighbours(&phase, phase.recorded_assignment(), 1).unwrap();
        assert_eq!(
            (one.n_all, one.n, one.rank),
            (integers(&[2, 1, 1]), integers(&[1, 1, 1]), integers(&[1, 0, 0]))
        );
    }
}
