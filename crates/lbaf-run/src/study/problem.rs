// SPDX-License-Identifier: MIT OR Apache-2.0
//! Problems of a study, and their names.

use std::collections::BTreeSet;

use lbaf_config::{AxisRole, StudyConfig};

/// A problem that competitors solve: a choice on each axis of problems, and a phase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StudyProblem {
    /// Labels of the choices on the axes of problems.
    pub labels: Vec<String>,
    /// The phase; `None` for a simulated run.
    pub phase: Option<u64>,
    /// Name; empty for a single problem.
    pub name: String,
    /// Unique name in file names; empty for a single problem.
    pub file: String,
}

/// Labels and phase of a problem.
pub(super) type Unnamed = (Vec<String>, Option<u64>);

/// Axes that choose phases.
const PHASES: [&str; 2] = ["algorithm.phase_id", "from_data.phase_ids"];

/// Names problems by the labels in which they differ.
pub(super) fn named(study: &StudyConfig, problems: Vec<Unnamed>) -> Vec<StudyProblem> {
    // Phase numbers make axes of phases redundant, unless names collide.
    let mut names = names(study, &problems, &PHASES);
    if (1..names.len()).any(|at| names[..at].contains(&names[at])) {
        names = self::names(study, &problems, &[]);
    }
    let mut files: Vec<String> = Vec::new();
    for name in &names {
        let slug = slug(name);
        let another = |n: usize| if n == 1 { slug.clone() } else { format!("{slug}_{n}") };
        // There is one more candidate than used names.
        files.extend((1..=files.len() + 1).map(another).find(|file| !files.contains(file)));
    }
    let problem = |(((labels, phase), name), file)| StudyProblem { labels, phase, name, file };
    problems.into_iter().zip(names).zip(files).map(problem).collect()
}

/// Returns names from the labels on axes on which problems differ, except axes in `without`, and from the phases if
/// they differ.
fn names(study: &StudyConfig, problems: &[Unnamed], without: &[&str]) -> Vec<String> {
    let differ =
        |same: &dyn Fn(&Unnamed, &Unnamed) -> bool| problems.windows(2).any(|pair| !same(&pair[0], &pair[1]));
    let phases: BTreeSet<u64> = problems.iter().filter_map(|problem| problem.1).collect();
    let on_axes = study.axes.iter().filter(|axis| axis.role == AxisRole::Problem).enumerate();
    let axes: Vec<(usize, Option<&str>)> = on_axes
        .filter(|(at, axis)| {
            !without.contains(&&*axis.name) && differ(&|one, other| one.0[*at] == other.0[*at])
        })
        .map(|(at, axis)| (at, axis.key.as_deref()))
        .collect();
    let part = |labels: &[String], (axis, key): &(usize, Option<&str>)| match key {
        Some(key) => format!("{key} = {}", labels[*axis]),
        None => labels[*axis].clone(),
    };
    let name = |(labels, phase): &Unnamed| {
        let mut parts: Vec<String> = axes.iter().map(|axis| part(labels, axis)).collect();
        parts.extend(phase.filter(|_| phases.len() > 1).map(|phase| format!("phase {phase}")));
        parts.join(", ")
    };
    problems.iter().map(name).collect()
}

/// Converts a name to a part of a file name.
fn slug(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let mut slug: String = name.chars().map(plain).collect();
    while slug.contains("__") {
        slug = slug.replace("__", "_");
    }
    slug.trim_matches('_').to_owned()
}
