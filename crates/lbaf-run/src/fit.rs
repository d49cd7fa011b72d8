// SPDX-License-Identifier: MIT OR Apache-2.0
//! Check of a configuration against its data.

use std::collections::BTreeMap;

use lbaf_config::{Layers, Origin, Overrides, RunConfig, Selection};
use lbaf_reader::{NodeRule, Recorded};
use lbaf_strategies::Permutation;
use lbaf_text::number::counted;

use crate::RunError;

/// Notes and warnings on a configuration that fits its data.
pub(crate) struct Remarks {
    pub notes: Vec<String>,
    pub warnings: Vec<String>,
}

/// Checks the configuration against the data. Takes the work model from balancer arguments if nothing else sets it.
pub(crate) fn fit(
    run: &mut RunConfig,
    layers: &Layers,
    overrides: &Overrides,
    recorded: &Recorded,
) -> Result<Remarks, RunError> {
    check_phases(run, layers, overrides, recorded)?;
    check_subphases(run, layers, recorded)?;
    let phases = recorded.data.phases().iter().map(|phase| phase.id().0);
    let balanced: Vec<u64> = phases.filter(|&phase| run.balancing.contains(phase)).collect();
    run.strategies.check(balanced.iter().copied())?;
    let notes = lbaf_config::work_by_arguments(run, balanced.into_iter(), layers)?.into_iter().collect();
    lbaf_config::check_work(&*run.model, &recorded.data, layers)?;
    let mut warnings: Vec<String> = other_ranks(run, recorded).into_iter().collect();
    warnings.extend(beyond_the_data(run, recorded));
    warnings.extend(left_out_by_modulus(run, recorded));
    warnings.extend(node_contradiction(run, recorded));
    warnings.extend(migrations_left_out(run, recorded));
    Ok(Remarks { notes, warnings })
}

/// Returns a warning if the number of files differs from `from_data.expected_ranks`. The run continues, as in LBAF.
fn other_ranks(run: &RunConfig, recorded: &Recorded) -> Option<String> {
    let Origin::Files(stem) = &run.origin else { return None };
    let found = recorded.data.n_ranks();
    let expected = stem.expected_ranks.filter(|&expected| expected != found)?;
    Some(format!(
        "{}: there are files of {}, but `from_data.expected_ranks` is {expected}; the run continues with these files",
        stem.path.display(),
        counted(found, "rank")
    ))
}

/// Returns a warning for each selection with a range of phases whose first or last phase is not in the data. Gaps
/// within a range are allowed.
fn beyond_the_data(run: &RunConfig, recorded: &Recorded) -> Vec<String> {
    let phases = &recorded.findings.phases_recorded;
    let selections = [("read", &run.phases), ("balance", &run.balancing.phases)].into_iter();
    let sentence = |(what, selection): (&str, &Selection)| {
        let missing = selection.ends_missing_from(|phase| phases.binary_search(&phase).is_ok());
        let (missing, phases) =
            (Some(missing).filter(|missing| !missing.is_empty())?, recorded.findings.named_phases_recorded());
        let missing = lbaf_config::ranges(&missing);
        Some(format!("the phases to {what} extend to {missing}, but the data hold {phases}"))
    };
    selections.filter_map(sentence).collect()
}

/// Returns a warning if `algorithm.phase_id` names phases that `phase_modulus` excludes.
fn left_out_by_modulus(run: &RunConfig, recorded: &Recorded) -> Option<String> {
    let named = |phase: &u64| run.balancing.phases.missing_from(|other| other != *phase).is_some();
    let phases = recorded.data.phases().iter().map(|phase| phase.id().0);
    let left_out: Vec<u64> =
        phases.filter(|&phase| !run.balancing.is_divisible(phase)).filter(named).collect();
    if left_out.is_empty() {
        return None;
    }
    let phases = lbaf_config::ranges(&left_out);
    Some(format!(
        "`algorithm.phase_id` names phases that are not multiples of `phase_modulus` ({phases}); they are not balanced"
    ))
}

/// Returns a warning if `ranks_per_node` contradicts the nodes in the files. The default 1 is not checked: users may
/// also set it to apply upper bounds of nodes to single ranks.
fn node_contradiction(run: &RunConfig, recorded: &Recorded) -> Option<String> {
    let NodeRule::RanksPerNode(n) = run.nodes else { return None };
    if n == 1 {
        return None;
    }
    let named = recorded.findings.shared_nodes.iter().enumerate();
    let mut named = named.filter_map(|(rank, node)| Some((rank, rank / n as usize, node.as_ref()?.id)));
    // The first rank of each node by the configuration, and by the files.
    let (mut configured, mut found) = (BTreeMap::new(), BTreeMap::new());
    named.find_map(|(rank, node, id)| {
        let &mut (mate, other) = configured.entry(node).or_insert((rank, id));
        let &mut (stranger, other_node) = found.entry(id).or_insert((rank, node));
        let contradiction = if other != id {
            format!("ranks {mate} and {rank} on one node, but their files name nodes {other} and {id}")
        } else if other_node != node {
            format!("ranks {stranger} and {rank} on two nodes, but their files name node {id} for both")
        } else {
            return None;
        };
        Some(format!(
            "`from_data.ranks_per_node: {n}` puts {contradiction}; `ranks_per_node: from_files` uses the nodes \
             of the files"
        ))
    })
}

/// If there is exactly one strategy: returns a warning if its table of migrations contains phases that are not
/// balanced.
fn migrations_left_out(run: &RunConfig, recorded: &Recorded) -> Option<String> {
    let [strategy] = run.strategies.all()[..] else { return None };
    let map = strategy.placement_map()?;
    let (key, phases) = (map.key, map.content.and_then(Permutation::phases));
    let is_balanced = |phase: &u64| {
        run.balancing.contains(*phase) && recorded.data.phase(lbaf_model::PhaseId(*phase)).is_some()
    };
    let findings = &recorded.findings;
    let is_recorded =
        |phase: &u64| findings.has_later_phases || findings.phases_recorded.binary_search(phase).is_ok();
    let (balanced, left_out): (Vec<u64>, Vec<u64>) =
        phases.unwrap_or_default().into_iter().partition(is_balanced);
    let (unbalanced, absent): (Vec<u64>, Vec<u64>) = left_out.into_iter().partition(is_recorded);
    let kinds = [(absent, "not in the data"), (unbalanced, "not balanced")].into_iter();
    let kinds: Vec<String> = kinds
        .filter(|(phases, _)| !phases.is_empty())
        .map(|(phases, what)| format!("{what} ({})", lbaf_config::ranges(&phases)))
        .collect();
    let ignored = if balanced.is_empty() { "it moves no object" } else { "these migrations are ignored" };
    (!kinds.is_empty())
        .then(|| format!("`{key}` contains migrations of phases that are {}; {ignored}", kinds.join(" or ")))
}

/// Checks that at least one phase has subphases if the configuration requests them.
fn check_subphases(run: &RunConfig, layers: &Layers, recorded: &Recorded) -> Result<(), RunError> {
    if !run.subphases || recorded.data.phases().iter().any(|phase| phase.subphases().is_some()) {
        return Ok(());
    }
    let message = "no task of the phases that are read has times in `subphases`".to_owned();
    Err(layers.error(&layers.tree.error_at("from_data.subphases", message)).into())
}

/// Checks that named phases exist, that those to balance are read, and that at least one phase is balanced.
fn check_phases(
    run: &RunConfig,
    layers: &Layers,
    overrides: &Overrides,
    recorded: &Recorded,
) -> Result<(), RunError> {
    const READ: &str = "from_data.phase_ids";
    const BALANCED: &str = "algorithm.phase_id";
    const MODULUS: &str = "algorithm.phase_modulus";
    let there = |phase: u64| recorded.findings.phases_recorded.binary_search(&phase).is_ok();
    let read = |phase: u64| recorded.data.phase(lbaf_model::PhaseId(phase)).is_some();
    let error = |path: &str, message: String| match overrides.phases {
        Some(_) if path == READ => RunError::configuration(format!("--phases: {message}")),
        _ => layers.error(&layers.tree.error_at(path, message)).into(),
    };
    let phases = recorded.findings.named_phases_recorded();
    for (path, selection) in [(READ, &run.phases), (BALANCED, &run.balancing.phases)] {
        if let Some(phase) = selection.missing_from(there) {
            return Err(error(path, format!("phase {phase} is not in the data, which hold {phases}")));
        }
    }
    if let Some(phase) = run.balancing.phases.missing_from(read) {
        let message = format!("phase {phase} is in the data, but `from_data.phase_ids` excludes it");
        return Err(error(BALANCED, message));
    }
    let any =
        |is_left: &dyn Fn(u64) -> bool| recorded.data.phases().iter().any(|phase| is_left(phase.id().0));
    if any(&|phase| run.balancing.contains(phase)) {
        return Ok(());
    }
    if any(&|phase| run.balancing.phases.contains(phase)) {
        return Err(error(MODULUS, "none of the phases to balance is a multiple of this number".to_owned()));
    }
    let selection = if recorded.data.phases().is_empty() { READ } else { BALANCED };
    Err(error(selection, format!("no phase is selected; the data hold {phases}")))
}
