// SPDX-License-Identifier: MIT OR Apache-2.0
//! Of equally good arrangements, one that moves little.

use std::collections::BTreeMap;

use lbaf_model::{Assignment, RankId};

use super::bound::beats;
use super::instance::Instance;
use super::partial::Partial;
use crate::Cancel;

/// Brings objects back to where they were as far as the maximum work does not grow: first ranks and units that
/// nothing tells apart change names, then units go home one by one, as long as any can.
pub(super) fn homeward(instance: &Instance<'_>, found: Assignment, cancel: &Cancel) -> Assignment {
    let most = instance.max_work(&found);
    let is_as_good = |assignment: &Assignment| !beats(most, instance.max_work(assignment));
    let mut best = found;
    for change in [rename_ranks, rename_twins] {
        let renamed = change(instance, &best);
        if n_migrations(instance, &renamed) < n_migrations(instance, &best) && is_as_good(&renamed) {
            best = renamed;
        }
    }
    loop {
        let mut went_home = false;
        for unit in 0..instance.units.len() {
            if cancel.is_cancelled() {
                return best;
            }
            let Some(home) = home(instance, unit) else { continue };
            let away = best.rank_of(instance.units[unit].slots[0]);
            if away == home {
                continue;
            }
            put(instance, &mut best, unit, home);
            if is_as_good(&best) {
                went_home = true;
            } else {
                put(instance, &mut best, unit, away);
            }
        }
        if !went_home {
            return best;
        }
    }
}

fn n_migrations(instance: &Instance<'_>, assignment: &Assignment) -> usize {
    assignment.migrations_from(instance.problem.initial).count()
}

/// Where a unit was, if it was all on one rank.
fn home(instance: &Instance<'_>, unit: usize) -> Option<RankId> {
    let rank = |slot| instance.problem.initial.rank_of(slot);
    let slots = &instance.units[unit].slots;
    slots.iter().all(|&slot| rank(slot) == rank(slots[0])).then(|| rank(slots[0]))
}

fn put(instance: &Instance<'_>, assignment: &mut Assignment, unit: usize, rank: RankId) {
    for &slot in &instance.units[unit].slots {
        assignment.set(slot, rank);
    }
}

/// Exchanges all that may migrate between ranks that are alike without it, so that most of it is home.
fn rename_ranks(instance: &Instance<'_>, assignment: &Assignment) -> Assignment {
    let bare = Partial::new(instance);
    // (rank now, rank at first) -> objects
    let mut shared: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for slot in instance.units.iter().flat_map(|unit| &unit.slots) {
        let ranks = (assignment.rank_of(*slot).index(), instance.problem.initial.rank_of(*slot).index());
        *shared.entry(ranks).or_insert(0) += 1;
    }
    let mut pairs: Vec<((usize, usize), usize)> = shared.into_iter().collect();
    // A stable sort: of equal ones the first ranks.
    pairs.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
    let mut name: Vec<Option<usize>> = vec![None; instance.n_ranks()];
    let mut is_taken = vec![false; instance.n_ranks()];
    for ((now, first), _) in pairs {
        if name[now].is_none() && !is_taken[first] && bare.may_exchange(instance, now, first) {
            (name[now], is_taken[first]) = (Some(first), true);
        }
    }
    for (now, name) in name.iter_mut().enumerate().filter(|(_, name)| name.is_none()) {
        let free = (0..instance.n_ranks()).find(|&to| !is_taken[to] && bare.may_exchange(instance, now, to));
        let Some(to) = free else { return assignment.clone() };
        (*name, is_taken[to]) = (Some(to), true);
    }
    let mut renamed = assignment.clone();
    for unit in 0..instance.units.len() {
        let now = assignment.rank_of(instance.units[unit].slots[0]).index();
        put(instance, &mut renamed, unit, RankId::from(name[now].unwrap_or(now)));
    }
    renamed
}

/// Exchanges units that nothing tells apart, so that as many as possible are home.
fn rename_twins(instance: &Instance<'_>, assignment: &Assignment) -> Assignment {
    // The first of its twins, for each unit.
    let mut eldest: Vec<usize> = Vec::with_capacity(instance.units.len());
    let mut families: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, unit) in instance.units.iter().enumerate() {
        let first = unit.twin.map_or(at, |twin| eldest[twin]);
        eldest.push(first);
        families.entry(first).or_default().push(at);
    }
    let mut renamed = assignment.clone();
    for family in families.values().filter(|family| family.len() > 1) {
        let mut places: BTreeMap<RankId, usize> = BTreeMap::new();
        for &unit in family {
            *places.entry(assignment.rank_of(instance.units[unit].slots[0])).or_insert(0) += 1;
        }
        let mut homeless = Vec::new();
        for &unit in family {
            match home(instance, unit).and_then(|home| places.get_mut(&home).map(|n| (home, n))) {
                Some((home, n)) if *n > 0 => {
                    *n -= 1;
                    put(instance, &mut renamed, unit, home);
                }
                _ => homeless.push(unit),
            }
        }
        let rest = places.into_iter().flat_map(|(rank, n)| std::iter::repeat_n(rank, n));
        for (unit, rank) in homeless.into_iter().zip(rest) {
            put(instance, &mut renamed, unit, rank);
        }
    }
    renamed
}
