// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hints on ranks that may be slow, and on the limits of the detection of slow ranks.

use lbaf_noise::{RankSlowness, Slowness};

use lbaf_text::number::{counted, percent};

/// Returns the hints in sentences. `hosts` contains, for each rank, the name of its node.
pub(super) fn hints(slowness: &Slowness, hosts: &[String]) -> Vec<String> {
    if slowness.ranks.len() < 2 || slowness.n_tasks == 0 {
        return Vec::new();
    }
    let mut hints = Vec::new();
    if slowness.has_enough_migrated() {
        hints.extend(unjudged(slowness));
        hints.extend(groups(slowness));
    } else {
        hints.push(too_few_migrated(slowness));
    }
    let mut suspects: Vec<&RankSlowness> = slowness.ranks.iter().filter(|rank| rank.may_be_slow).collect();
    suspects.sort_by(|one, other| seeming(other).total_cmp(&seeming(one)));
    if let Some(first) = suspects.first() {
        let host = &hosts[first.rank.index()];
        let others = match suspects.len() {
            1 => String::new(),
            n => format!(", and so may {}", counted(n - 1, "other rank")),
        };
        let (ground, than) = if first.by_siblings {
            ("objects that never migrated take", "siblings, whose loads may differ")
        } else {
            ("objects that also ran on other ranks take", "on the median rank")
        };
        hints.push(format!(
            "Hint: rank {} ({host}) may be slow{others}. There, {ground} {:.2} times as long as {than}. No host is \
             excluded because of this hint.",
            first.rank,
            seeming(first)
        ));
    }
    hints
}

/// Returns the factor by which a rank seems slow; 1 if unknown.
fn seeming(rank: &RankSlowness) -> f64 {
    let factor = if rank.by_siblings { rank.sibling_factor } else { rank.factor };
    factor.unwrap_or(1.0)
}

fn too_few_migrated(slowness: &Slowness) -> String {
    let needed = format!(
        "At least {} of the tasks must belong to objects that ran on several ranks, for example after one balancing step \
         that moves most objects",
        percent(Slowness::LEAST_MIGRATED)
    );
    if slowness.n_migrated == 0 {
        return format!("Slow ranks cannot be detected: no object ran on two ranks. {needed}.");
    }
    let share = slowness.n_migrated as f64 / slowness.n_tasks as f64;
    format!("Slow ranks cannot be detected: too few objects migrated. {needed}; here {} do.", percent(share))
}

/// Returns a sentence on ranks with too few objects that also ran elsewhere.
fn unjudged(slowness: &Slowness) -> Option<String> {
    let unjudged = slowness.ranks.iter().filter(|rank| rank.n_objects < Slowness::LEAST_OBJECTS).count();
    (unjudged > 0).then(|| {
        format!(
            "The slowness of {} is unknown: fewer than {} objects ran there and elsewhere.",
            counted(unjudged, "rank"),
            Slowness::LEAST_OBJECTS
        )
    })
}

fn groups(slowness: &Slowness) -> Option<String> {
    (slowness.n_groups > 1).then(|| {
        format!(
            "Objects migrated within {} groups of ranks, but not between them: a rank is compared only with its group.",
            slowness.n_groups
        )
    })
}

#[cfg(test)]
mod tests {
    use lbaf_model::{NodeId, RankId};

    use super::*;

    #[test]
    fn a_hint_by_siblings_does_not_state_the_factor_of_migrated_objects() {
        let rank = |rank, by_siblings| RankSlowness {
            rank: RankId(rank),
            node: NodeId(rank),
            factor: Some(1.01),
            error: Some(0.1),
            n_objects: 5,
            n_migrated: 5,
            sibling_factor: Some(1.5),
            n_siblings: 50,
            is_slow: false,
            may_be_slow: by_siblings,
            by_siblings,
        };
        let slowness = Slowness {
            ranks: vec![rank(0, false), rank(1, true)],
            nodes: Vec::new(),
            n_tasks: 110,
            n_migrated: 10,
            n_incomparable: 0,
            n_groups: 1,
        };
        let hints = hints(&slowness, &["a".to_owned(), "b".to_owned()]);
        assert_eq!(
            hints[1],
            "Hint: rank 1 (b) may be slow. There, objects that never migrated take 1.50 times as long as siblings, whose \
             loads may differ. No host is excluded because of this hint."
        );
    }
}
