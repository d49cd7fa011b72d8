// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placement that follows a map.

use std::borrow::Cow;

use lbaf_model::{Assignment, RankId};

use crate::replay::prescribed_permutation::placement::{Wrong, existing, migratable};
use crate::{Permutation, PrescribedMigration, Problem};

/// Returns the placement of a phase according to a map, and notes on differences between map and phase.
pub(super) fn follow(problem: &Problem<'_>, map: &Permutation) -> Result<(Assignment, Vec<String>), Wrong> {
    let Problem { phase, initial, .. } = *problem;
    let id = phase.id();
    if let Permutation::File(file) = map {
        let unread = || Wrong { key: None, message: "the file has not been read".to_owned() };
        return follow(problem, file.content.as_deref().ok_or_else(unread)?);
    }
    let Some(entries) = named(map, id.0) else {
        let note = format!("the map has no placement for phase {id}, so every object stays");
        return Ok((initial.clone(), vec![note]));
    };
    if entries.is_empty()
        && migratable(problem).next().is_some()
        && !matches!(map, Permutation::Migrations(_))
    {
        return Err(Wrong { key: None, message: "the map is empty".to_owned() });
    }
    let mut named = Named::new(&entries);
    if let Permutation::Objects(_) = map {
        // Non-migratable objects of several ranks may have the same number, so their entries are matched by rank,
        // before those of migratable objects.
        for slot in phase.slots().filter(|&slot| !phase.is_migratable(slot)) {
            let here = initial.rank_of(slot);
            named.take(problem.key(slot).number, |entry| entry.to == here);
        }
    }
    let n_named = named.n_left;
    let mut assignment = initial.clone();
    let (mut n_migratable, mut n_left_out) = (0, 0);
    for slot in migratable(problem) {
        n_migratable += 1;
        let key = problem.key(slot);
        let is_meant = |entry: &PrescribedMigration| {
            entry.is_sequence.is_none_or(|is_sequence| is_sequence == key.is_sequence)
        };
        let Some(entry) = named.take(key.number, is_meant) else {
            n_left_out += 1;
            continue;
        };
        let wrong = |message: String| {
            let line = if entry.line > 0 { format!("line {}: ", entry.line) } else { String::new() };
            Wrong { key: None, message: format!("{line}{message}") }
        };
        let here = initial.rank_of(slot);
        if let Some(from) = entry.from.filter(|&from| from != here) {
            return Err(wrong(format!(
                "object {} is on rank {here} in phase {id}, not on rank {from}",
                key.number
            )));
        }
        assignment.set(slot, existing(problem, key.number, entry.to).map_err(wrong)?);
    }
    if n_named > 0 && n_migratable > 0 && n_left_out == n_migratable {
        let message = format!(
            "the map contains no migratable object of phase {id}; it may belong to a different data set"
        );
        return Err(Wrong { key: None, message });
    }
    let mut notes = Vec::new();
    if n_left_out > 0 && !is_table(map) {
        notes.push(format!(
            "phase {id}: {n_left_out} of {n_migratable} migratable objects are not in the map and stay"
        ));
    }
    if named.n_left > 0 {
        notes.push(format!(
            "phase {id}: {} of {n_named} objects in the map are ignored: they are not in the phase, not migratable, or \
             listed more than once",
            named.n_left
        ));
    }
    Ok((assignment, notes))
}

/// True if a map is a table of migrations, whose entries have line numbers.
fn is_table(map: &Permutation) -> bool {
    match map {
        Permutation::Migrations(phases) => phases.values().flatten().any(|entry| entry.line > 0),
        Permutation::Ranks(_) | Permutation::Objects(_) | Permutation::File(_) => false,
    }
}

/// Returns the entries of a map for a phase, or `None` if the phase is not in the map.
fn named(map: &Permutation, phase: u64) -> Option<Cow<'_, [PrescribedMigration]>> {
    let entry = |number: u64, to: u32| PrescribedMigration {
        number,
        is_sequence: None,
        from: None,
        to: RankId(to),
        line: 0,
    };
    match map {
        Permutation::Migrations(phases) => phases.get(&phase).map(|entries| Cow::Borrowed(&entries[..])),
        Permutation::Ranks(ranks) => Some(ranks.iter().map(|(&number, &to)| entry(number, to)).collect()),
        Permutation::Objects(ranks) => {
            let entries =
                ranks.iter().flat_map(|(&to, objects)| objects.iter().map(move |&number| (number, to)));
            Some(entries.map(|(number, to)| entry(number, to)).collect())
        }
        Permutation::File(_) => None,
    }
}

/// Entries of a map by object number, each used at most once.
struct Named<'a> {
    entries: Vec<&'a PrescribedMigration>,
    is_taken: Vec<bool>,
    n_left: usize,
}

impl<'a> Named<'a> {
    fn new(entries: &'a [PrescribedMigration]) -> Self {
        let mut entries: Vec<_> = entries.iter().collect();
        // A stable sort, so that of equal numbers the first entry is used first.
        entries.sort_by_key(|entry| entry.number);
        Named { is_taken: vec![false; entries.len()], n_left: entries.len(), entries }
    }

    fn take(
        &mut self,
        number: u64,
        is_meant: impl Fn(&PrescribedMigration) -> bool,
    ) -> Option<PrescribedMigration> {
        let first = self.entries.partition_point(|entry| entry.number < number);
        let of_number = (first..self.entries.len()).take_while(|&at| self.entries[at].number == number);
        let at = of_number.into_iter().find(|&at| !self.is_taken[at] && is_meant(self.entries[at]))?;
        self.is_taken[at] = true;
        self.n_left -= 1;
        Some(*self.entries[at])
    }
}
