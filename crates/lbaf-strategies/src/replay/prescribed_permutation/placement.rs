// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of a prescribed permutation to an assignment.

use std::collections::BTreeMap;

use lbaf_model::{Assignment, ObjectKey, RankId, Slot};

use crate::{PrescribedMigration, Problem};

/// Error message, with the key below `permutation` that caused the error, if any.
pub(crate) struct Wrong {
    pub(crate) key: Option<String>,
    pub(crate) message: String,
}

/// Returns the placement for a mapping of object numbers to ranks. The mapping must list exactly the migratable
/// objects.
pub(super) fn by_object(problem: &Problem<'_>, ranks: &BTreeMap<u64, u32>) -> Result<Assignment, Wrong> {
    let mut left = ranks.clone();
    let mut assignment = problem.initial.clone();
    let mut left_out = Vec::new();
    for slot in migratable(problem) {
        let number = number(problem, slot);
        match left.remove(&number) {
            Some(rank) => {
                let rank = existing(problem, number, RankId(rank));
                assignment
                    .set(slot, rank.map_err(|message| Wrong { key: Some(number.to_string()), message })?);
            }
            None => left_out.push(number),
        }
    }
    let too_many: Vec<u64> = left.into_keys().collect();
    complete(problem, ranks.len(), &left_out, &too_many, |number| number.to_string())?;
    Ok(assignment)
}

/// Returns the placement for the objects of each rank. The lists may include non-migratable objects on their ranks.
pub(super) fn by_rank(problem: &Problem<'_>, ranks: &BTreeMap<u32, Vec<u64>>) -> Result<Assignment, Wrong> {
    let phase = problem.phase;
    let mut left: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for (&rank, objects) in ranks {
        for &number in objects {
            left.entry(number).or_default().push(rank);
        }
    }
    let mut n_named: usize = left.values().map(Vec::len).sum();
    // Non-migratable objects of several ranks may have the same number, so their entries are matched by rank, before
    // those of migratable objects.
    for slot in phase.slots().filter(|&slot| !phase.is_migratable(slot)) {
        let here = problem.initial.rank_of(slot).0;
        let Some(listed) = left.get_mut(&number(problem, slot)) else { continue };
        if let Some(at) = listed.iter().position(|&rank| rank == here) {
            listed.remove(at);
            n_named -= 1;
        }
    }
    let mut assignment = problem.initial.clone();
    let mut left_out = Vec::new();
    for slot in migratable(problem) {
        let number = number(problem, slot);
        let listed = left.get_mut(&number).filter(|ranks| !ranks.is_empty());
        let Some(rank) = listed.map(|ranks| ranks.remove(0)) else {
            left_out.push(number);
            continue;
        };
        let existing = existing(problem, number, RankId(rank));
        assignment.set(slot, existing.map_err(|message| Wrong { key: Some(rank.to_string()), message })?);
    }
    left.retain(|_, ranks| !ranks.is_empty());
    let too_many: Vec<u64> = left.keys().copied().collect();
    complete(problem, n_named, &left_out, &too_many, |number| left[&number][0].to_string())?;
    Ok(assignment)
}

/// Returns the initial placement after the given migrations.
pub(super) fn by_migration(
    problem: &Problem<'_>,
    migrations: &[PrescribedMigration],
) -> Result<Assignment, Wrong> {
    let Problem { phase, initial, .. } = *problem;
    let wrong = |migration: &PrescribedMigration, message: String| {
        Err(Wrong { key: None, message: format!("line {}: {message}", migration.line) })
    };
    let mut left: BTreeMap<u64, Vec<PrescribedMigration>> = BTreeMap::new();
    for &migration in migrations {
        left.entry(migration.number).or_default().push(migration);
    }
    let mut assignment = initial.clone();
    for slot in migratable(problem) {
        let key = problem.key(slot);
        let Some(named) = left.get_mut(&key.number) else { continue };
        let Some(at) = named.iter().position(|migration| is_meant(migration, key)) else { continue };
        let migration = named.remove(at);
        let here = initial.rank_of(slot);
        if let Some(from) = migration.from.filter(|&from| from != here) {
            let message = format!(
                "object {} is on rank {here} in phase {}, not on rank {from}",
                key.number,
                phase.id()
            );
            return wrong(&migration, message);
        }
        match existing(problem, key.number, migration.to) {
            Ok(rank) => assignment.set(slot, rank),
            Err(message) => return wrong(&migration, message),
        }
    }
    match left.into_values().flatten().min_by_key(|migration| migration.line) {
        Some(migration) => {
            let kind = match migration.is_sequence {
                Some(true) => "seq_id",
                Some(false) => "id",
                None => "object",
            };
            let why = why_not(problem, |key| is_meant(&migration, key));
            wrong(&migration, format!("{kind} {} {why} in phase {}", migration.number, phase.id()))
        }
        None => Ok(assignment),
    }
}

/// True if a migration is that of the object with a key.
fn is_meant(migration: &PrescribedMigration, key: ObjectKey) -> bool {
    migration.number == key.number
        && migration.is_sequence.is_none_or(|is_sequence| is_sequence == key.is_sequence)
}

/// Returns the migratable objects.
pub(crate) fn migratable<'a>(problem: &Problem<'a>) -> impl Iterator<Item = Slot> + use<'a> {
    let phase = problem.phase;
    phase.slots().filter(|&slot| phase.is_migratable(slot))
}

fn number(problem: &Problem<'_>, slot: Slot) -> u64 {
    problem.key(slot).number
}

/// Returns the rank, or an error if the phase has no rank of this number.
pub(crate) fn existing(problem: &Problem<'_>, number: u64, rank: RankId) -> Result<RankId, String> {
    let phase = problem.phase;
    if rank.index() < phase.n_ranks() {
        return Ok(rank);
    }
    Err(format!(
        "object {number} is sent to rank {rank}, but the last rank of phase {} is {}",
        phase.id(),
        phase.n_ranks() - 1
    ))
}

/// Returns the reason why an object, for which `is_it` is true, cannot be sent to a rank.
fn why_not(problem: &Problem<'_>, is_it: impl Fn(ObjectKey) -> bool) -> &'static str {
    let phase = problem.phase;
    let has = |migratable: bool| {
        phase.slots().any(|slot| phase.is_migratable(slot) == migratable && is_it(problem.key(slot)))
    };
    if has(true) {
        "is listed more than once"
    } else if has(false) {
        "is not migratable"
    } else {
        "does not exist"
    }
}

/// Returns an error if a migratable object is missing (`left_out`) or another object is listed (`too_many`).
/// `key` returns the configuration key of an object.
fn complete(
    problem: &Problem<'_>,
    n_named: usize,
    left_out: &[u64],
    too_many: &[u64],
    key: impl Fn(u64) -> String,
) -> Result<(), Wrong> {
    let (phase, n_migratable) = (problem.phase.id(), migratable(problem).count());
    let hint = if n_named > 0 && left_out.len() == n_migratable {
        "; the permutation may belong to a different data set"
    } else {
        ""
    };
    if let Some(&first) = too_many.first() {
        let why = why_not(problem, |key| key.number == first);
        let missing = left_out.first().map_or_else(String::new, |missing| {
            let n = left_out.len();
            format!(
                "; of the {n_migratable} migratable objects, the list lacks {n}; the first is {missing}{hint}"
            )
        });
        let message = format!(
            "{} of the {n_named} listed objects cannot be placed in phase {phase}; the first is {first}, which \
             {why}{missing}",
            too_many.len()
        );
        return Err(Wrong { key: Some(key(first)), message });
    }
    if let Some(first) = left_out.first() {
        let message = format!(
            "all {n_migratable} migratable objects of phase {phase} must be listed, but the list lacks {} of them; \
             the first is {first}{hint}",
            left_out.len()
        );
        return Err(Wrong { key: None, message });
    }
    Ok(())
}
