// SPDX-License-Identifier: MIT OR Apache-2.0
//! Summary of a run from its balanced phases.

use lbaf_config::{Plots, RunConfig, Strategies, ranges};
use lbaf_model::{LowerBound, ObjectKey, RankTotals, Statistics};
use lbaf_reader::{CommunicationCounts, Recorded};
use lbaf_text::number::{counted, significant};
use serde_json::json;

use super::{Data, warnings};
use crate::balance::{Balanced, imbalance_at};
use crate::summary::bounds::{Bound, Infeasibility, KnownBound, RestrictedBound};
use crate::summary::subphases::Subphases;
use crate::summary::{self, BalancerRuns, BeforeAfter, Migrations, Named, PhaseResult, Snapshot, Summary};

/// Returns the results of the phases, and warnings.
pub(crate) fn evaluate(
    run: &RunConfig,
    recorded: &Recorded,
    balanced: &[Balanced<'_>],
) -> (Vec<PhaseResult>, Vec<String>) {
    let phases: Vec<PhaseResult> =
        balanced.iter().map(|phase| phase_result(phase, recorded.data.keys())).collect();
    let warnings = warnings::warnings(run, recorded, &communications(recorded), &phases);
    (phases, warnings)
}

/// Returns warnings about the data of a run.
pub(crate) fn data_warnings(run: &RunConfig, recorded: &Recorded) -> Vec<String> {
    warnings::of_data(run, recorded, &communications(recorded))
}

/// Returns the counts of communication entries, summed over all phases.
fn communications(recorded: &Recorded) -> CommunicationCounts {
    let mut counts = CommunicationCounts::default();
    for phase in recorded.findings.communications.values() {
        counts.add(phase);
    }
    counts
}

/// Returns the summary of a run, without the digests of files.
pub(super) fn summarize(run: &RunConfig, data: Data<'_>, balanced: &[Balanced<'_>]) -> Summary {
    let Data { input, recorded, noise } = data;
    let (phases, warnings) = evaluate(run, recorded, balanced);
    let (strategy, balancers) = strategies(&run.strategies, &phases);
    let of_phases =
        Summary::of_phases(phases, &recorded.data, (&*run.model, &run.model_parameters), strategy, run.seed);
    Summary {
        configuration: run.invocation.clone(),
        input: summary::Input {
            stem: input.as_written().to_owned(),
            suffix: input.suffix().map(str::to_owned),
            document_bytes: recorded.findings.document_bytes,
            communications: (&communications(recorded)).into(),
            ..of_phases.input
        },
        balancers,
        denoise: noise.map(|noise| noise.findings.clone()),
        plots: run.plots.as_ref().map(Plots::settings),
        notes: notes(run, balanced),
        warnings,
        ..of_phases
    }
}

/// Returns the strategy of the summary, and the balancers of an LB configuration file.
fn strategies(strategies: &Strategies, phases: &[PhaseResult]) -> (Named, Vec<BalancerRuns>) {
    let balancers = match strategies {
        Strategies::Same { strategy, .. } => return (Named::from(&**strategy), Vec::new()),
        Strategies::ByPhase(balancers) => balancers,
    };
    let decided_by = |line: Option<usize>| {
        let is_decided = |phase: &&PhaseResult| {
            let rule = balancers.rule_at(phase.phase);
            // False if another setting determined the strategy of the phase.
            let obeyed =
                phase.strategy.is_some() == rule.is_some_and(|rule| balancers.strategy(rule).is_some());
            obeyed && rule.map(|rule| rule.line) == line
        };
        phases.iter().filter(is_decided).map(|phase| phase.phase).collect::<Vec<u64>>()
    };
    let mut runs: Vec<BalancerRuns> = Vec::new();
    for rule in balancers.rules() {
        runs.push(BalancerRuns {
            line: Some(rule.line),
            balancer: Some(rule.choice.to_string()),
            strategy: balancers.strategy(rule).map(Named::from),
            phases: decided_by(Some(rule.line)),
        });
    }
    let (line, balancer, strategy) = (None, None, None);
    runs.push(BalancerRuns { line, balancer, strategy, phases: decided_by(None) });
    runs.retain(|run| !run.phases.is_empty());
    let parameters = json!({ "lb_config": balancers.as_written });
    (Named { name: summary::LB_CONFIG.to_owned(), label: None, parameters }, runs)
}

/// Returns the notes of the summary, each once: notes of the configuration and of strategies, and notes on phases
/// that are already balanced or have no balancer.
fn notes(run: &RunConfig, balanced: &[Balanced<'_>]) -> Vec<String> {
    let mut notes = run.summary_notes.clone();
    let already_balanced =
        balanced.iter().filter(|phase| phase.already_balanced).map(|phase| phase.phase.id().0);
    let already_balanced: Vec<u64> = already_balanced.collect();
    if !already_balanced.is_empty() {
        notes.push(format!(
            "phases with an imbalance of at most {} (`algorithm.min_imbalance`) are not balanced ({}: {})",
            significant(run.balancing.min_imbalance),
            counted(already_balanced.len(), "phase"),
            ranges(&already_balanced)
        ));
    }
    let lacks = |phase: &&Balanced<'_>| run.strategy_at(phase.phase.id()).is_none();
    let kept = balanced.iter().filter(lacks);
    let kept: Vec<u64> = kept.map(|phase| phase.phase.id().0).collect();
    if let (false, Some(balancers)) = (kept.is_empty(), run.strategies.balancers()) {
        let (file, phases) = (&balancers.as_written, ranges(&kept));
        notes.push(format!(
            "{file} runs no balancer in {} ({phases}), so all objects stay in place there",
            counted(kept.len(), "phase")
        ));
    }
    for note in balanced.iter().flat_map(|phase| &phase.after.outcome.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    notes
}

/// Returns the result of a phase. `keys` are those of all objects of the data set.
pub fn phase_result(balanced: &Balanced<'_>, keys: &[ObjectKey]) -> PhaseResult {
    let Balanced { phase, initial, totals, works, after, bounds, .. } = balanced;
    let last = &after.outcome.assignment;
    let mut migrations = Migrations::default();
    for migration in last.migrations_from(initial) {
        migrations.count += 1;
        migrations.load += phase.load(migration.slot);
        migrations.bytes += phase.memory(migration.slot).migration_bytes();
    }
    let loads = |totals: &[RankTotals]| totals.iter().map(|rank| rank.load).collect::<Vec<f64>>();
    let rank_loads = BeforeAfter { before: loads(totals), after: loads(&after.totals) };
    let loads_after = Statistics::of(rank_loads.after.iter().copied());
    let bound = |work: &LowerBound, load: &LowerBound| {
        Bound::new(phase, keys, work, load, imbalance_at(load.work, &loads_after))
    };
    let restricted = bounds.restricted.as_ref();
    let restricted_bounds = restricted.iter().flat_map(|restricted| &restricted.all);
    PhaseResult {
        phase: phase.id().0,
        digest: format!("{:016x}", phase.digest()),
        strategy: balanced.strategy.map(ToString::to_string),
        n_objects: phase.n_objects(),
        n_migratable: phase.slots().filter(|&slot| phase.is_migratable(slot)).count(),
        n_edges: phase.communication().n_edges(),
        start: balanced.start,
        already_balanced: balanced.already_balanced,
        before: Snapshot::new(totals, works),
        after: Snapshot::new(&after.totals, &after.works),
        lower_bound: bound(bounds.best(), &bounds.load),
        restricted_bound: restricted.map(|restricted| {
            let (best, restriction) = restricted.best();
            let within_bounds = best.within_bounds;
            RestrictedBound { restriction, within_bounds, bound: bound(&best, &restricted.load) }
        }),
        lower_bounds: (bounds.all.iter().map(|bound| KnownBound::new(bound, None)))
            .chain(restricted_bounds.map(|(bound, restriction)| KnownBound::new(bound, Some(*restriction))))
            .collect(),
        infeasibility: bounds.infeasible.as_ref().map(|proof| Infeasibility::new(phase, keys, proof)),
        ideal_work: bounds.ideal_work(),
        migrations,
        iterations: after.outcome.iterations.iter().map(Into::into).collect(),
        best_iteration: after.outcome.best_iteration,
        front: after.outcome.front.iter().map(Into::into).collect(),
        proven: after.outcome.is_proven,
        infeasible: after.infeasible,
        violations: balanced.violations.iter().map(Into::into).collect(),
        rank_loads,
        subphases: Subphases::new(phase, initial, last),
    }
}
