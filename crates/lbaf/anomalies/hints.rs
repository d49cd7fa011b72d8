// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks that may be slow, and the data that would tell, a sentence each.

use lbaf_noise::{RankSlowness, Slowness};

use lbaf_text::number::{counted, percent};

/// Everything that limits what is said of slow ranks; `hosts` are names of nodes by rank.
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
            n => format!(", and {} more", counted(n - 1, "rank")),
        };
        let ground = if by_migrated(first) {
            "objects that ran there and elsewhere take"
        } else {
            "objects that never migrated take"
        };
        let than = if by_migrated(first) { "" } else { " of their siblings, which may differ" };
        hints.push(format!(
            "A hint only: rank {} ({host}) may be slow{others}. There, {ground} {:.2} times the time{than}. No host is \
             excluded for that.",
            first.rank,
            seeming(first)
        ));
    }
    hints
}

/// True if migration makes a rank seem slow, else siblings do.
fn by_migrated(rank: &RankSlowness) -> bool {
    rank.factor.unwrap_or(0.0) > 1.0 && rank.n_objects >= Slowness::LEAST_OBJECTS
}

/// Factor by which a rank seems slow.
fn seeming(rank: &RankSlowness) -> f64 {
    let factor = if by_migrated(rank) { rank.factor } else { rank.sibling_factor };
    factor.unwrap_or(1.0)
}

fn too_few_migrated(slowness: &Slowness) -> String {
    let needed = format!(
        "At least {} of the tasks must be of objects that ran on several ranks, as after one balancing step that moves most \
         objects",
        percent(Slowness::LEAST_MIGRATED)
    );
    if slowness.n_migrated == 0 {
        return format!("The data cannot tell slow ranks: no object ran on two ranks. {needed}.");
    }
    let share = slowness.n_migrated as f64 / slowness.n_tasks as f64;
    format!("Too few objects migrated to tell slow ranks. {needed}; here {} are.", percent(share))
}

/// Ranks on which too few objects ran that also ran elsewhere.
fn unjudged(slowness: &Slowness) -> Option<String> {
    let unjudged = slowness.ranks.iter().filter(|rank| rank.n_objects < Slowness::LEAST_OBJECTS).count();
    (unjudged > 0).then(|| {
        format!(
            "The data cannot tell if {} are slow: fewer than {} objects ran there and elsewhere.",
            counted(unjudged, "rank"),
            Slowness::LEAST_OBJECTS
        )
    })
}

fn groups(slowness: &Slowness) -> Option<String> {
    (slowness.n_groups > 1).then(|| {
        format!(
            "Objects migrated within {} groups of ranks and not between them: a rank is compared with its group alone.",
            slowness.n_groups
        )
    })
}
