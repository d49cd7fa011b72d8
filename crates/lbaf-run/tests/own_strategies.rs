// SPDX-License-Identifier: MIT OR Apache-2.0
//! Own strategies in runs, simulations and studies, and cancellation.
#![allow(clippy::unwrap_used, reason = "the functions shared by the tests are tests too")]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lbaf_config::{Layers, Overrides, OwnStrategies, StudyConfig, resolve};
use lbaf_model::RankId;
use lbaf_run::simulate::{Scenario, Simulations};
use lbaf_run::study::Study;
use lbaf_run::{Prepared, RunError, Silent};
use lbaf_strategies::{Cancel, Context, Outcome, Problem, Strategy, StrategyError};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Moves all migratable objects to one rank.
struct Gather {
    rank: u32,
    version: &'static str,
    calls: Arc<AtomicUsize>,
    /// Number of the call that cancels the run, and the token.
    stop: Option<(usize, Cancel)>,
}

impl Strategy for Gather {
    fn name(&self) -> &'static str {
        "Gather"
    }

    fn parameters(&self) -> Value {
        json!({"rank": self.rank})
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    fn digest(&self) -> Result<Option<String>, StrategyError> {
        Ok(Some(self.version.to_owned()))
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let call = 1 + self.calls.fetch_add(1, Ordering::Relaxed);
        if let Some((_, cancel)) = self.stop.as_ref().filter(|(last, _)| *last == call) {
            cancel.cancel();
        }
        context.check()?;
        let mut assignment = problem.initial.clone();
        for slot in problem.phase.slots().filter(|&slot| problem.phase.is_migratable(slot)) {
            assignment.set(slot, RankId(self.rank));
        }
        Ok(Outcome::at_once(assignment))
    }
}

/// Returns the registered strategy, and a counter of its calls.
fn gather(version: &'static str, stop: Option<(usize, Cancel)>) -> (OwnStrategies, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let make = move |parameters: Value| -> Result<Box<dyn Strategy>, StrategyError> {
        let refused = |message: &str| StrategyError::Parameter {
            strategy: "Gather",
            key: "rank".to_owned(),
            message: message.to_owned(),
        };
        let rank = parameters.get("rank").map_or(Some(0), |rank| rank.as_u64()?.try_into().ok());
        let rank = rank.ok_or_else(|| refused("expected a rank"))?;
        Ok(Box::new(Gather { rank, version, calls: Arc::clone(&counter), stop: stop.clone() }))
    };
    (OwnStrategies::default().with("Gather", make).unwrap(), calls)
}

const DATA: &str = "from_samplers: {n_ranks: 4, n_objects: 40, n_mapped_ranks: 4, n_phases: 3, \
                    load_sampler: {name: uniform, parameters: [0.5, 1.5]}}";

fn prepared(directory: &TempDir, algorithm: &str, own: OwnStrategies) -> Result<Prepared, RunError> {
    let file = directory.path().join("run.yaml");
    std::fs::write(&file, format!("{DATA}\nalgorithm: {algorithm}\n")).unwrap();
    let overrides = Overrides::default();
    let layers = Layers::read(&[file], &[])?.with_own_strategies(own);
    Prepared::new(resolve(&layers, &overrides)?, layers, &overrides, false, &Silent)
}

fn study_file(directory: &TempDir, axes: &str) -> PathBuf {
    let file = directory.path().join("study.yaml");
    std::fs::write(&file, format!("configuration:\n  {DATA}\naxes: {axes}\n")).unwrap();
    file
}

fn study(file: &Path, own: OwnStrategies) -> Study {
    let config = StudyConfig::read(file, &[], None).unwrap().with_own_strategies(own);
    Study::open(config, &Silent).unwrap()
}

#[test]
fn take_part_in_runs() {
    let directory = tempfile::tempdir().unwrap();
    let algorithm = "{name: Gather, parameters: {rank: 2}}";
    let prepared = prepared(&directory, algorithm, gather("1", None).0).unwrap();
    let balanced = prepared.balance(&Silent, &Cancel::new()).unwrap();
    assert_eq!(balanced.phases.len(), 3);
    for phase in &balanced.phases {
        assert_eq!(phase.strategy, Some("Gather"));
        let loads: Vec<bool> = phase.after.totals.iter().map(|rank| rank.load > 0.0).collect();
        assert_eq!(loads, [false, false, true, false]);
    }
}

#[test]
fn take_part_in_simulations() {
    let directory = tempfile::tempdir().unwrap();
    let (own, calls) = gather("1", None);
    let prepared = prepared(&directory, "{name: Gather}", own).unwrap();
    let simulated = Simulations::new(&prepared).unwrap().run(&Silent, &Cancel::new()).unwrap();
    let result = |scenario| simulated.summary.scenario(scenario).unwrap();
    assert!(calls.load(Ordering::Relaxed) > 0);
    assert_eq!(result(Scenario::Never).n_balancings, 0);
    assert!(result(Scenario::Configured).total > result(Scenario::Never).total);
}

/// Cells of an own strategy compete with others. Stored results are used until the digest of the strategy changes.
#[test]
fn take_part_in_studies() {
    let directory = tempfile::tempdir().unwrap();
    let file = study_file(&directory, "{algorithm.name: [Gather, Greedy]}");
    let first = study(&file, gather("1", None).0);
    assert_eq!((first.counts().cells, first.counts().missing), (2, 2));
    first.compute(&Silent, &Cancel::new()).unwrap();
    let results = first.results().unwrap();
    assert_eq!(results.failed().count(), 0);
    assert_eq!(results.competitors, ["Gather", "Greedy"]);
    assert_eq!(results.cells[0].rows[0].strategy.as_deref(), Some("Gather"));
    let places: Vec<_> = results.placings().iter().map(|placing| placing.mean_place).collect();
    assert_eq!(places, [Some(2.0), Some(1.0)]);
    assert_eq!(study(&file, gather("1", None).0).counts().missing, 0);
    assert_eq!(study(&file, gather("2", None).0).counts().missing, 1);
}

#[test]
fn cannot_have_the_name_of_a_built_in_strategy_and_are_listed_in_errors() {
    let stay = |_| Err(StrategyError::Parameters { strategy: "X", message: "none".to_owned() });
    let error = OwnStrategies::default().with("GreedyLB", stay).err().unwrap();
    assert_eq!(error.to_string(), "`GreedyLB` is a strategy of lbaf; choose another name");
    let directory = tempfile::tempdir().unwrap();
    let error = prepared(&directory, "{name: Gathering}", gather("1", None).0).err().unwrap().to_string();
    assert!(error.contains("there is no strategy `Gathering`"), "{error}");
    assert!(error.contains("; this program also has Gather"), "{error}");
    let wrong = "{name: Gather, parameters: {rank: many}}";
    let error = prepared(&directory, wrong, gather("1", None).0).err().unwrap().to_string();
    assert!(
        error.contains("run.yaml:2:") && error.contains("algorithm.parameters.rank: expected a rank"),
        "{error}"
    );
}

#[test]
fn cancellation_ends_runs_and_simulations() {
    let directory = tempfile::tempdir().unwrap();
    let cancel = Cancel::new();
    let (own, calls) = gather("1", Some((1, cancel.clone())));
    let prepared = prepared(&directory, "{name: Gather}", own).unwrap();
    assert!(matches!(prepared.balance(&Silent, &cancel).err(), Some(RunError::Cancelled(_))));
    let n = calls.load(Ordering::Relaxed);
    let simulated = Simulations::new(&prepared).unwrap().run(&Silent, &cancel);
    assert!(matches!(simulated.err(), Some(RunError::Cancelled(_))));
    assert_eq!(calls.load(Ordering::Relaxed), n, "no strategy runs after cancellation");
}

/// One thread computes the cells. Each balances three phases, and the third cell is cancelled.
#[test]
fn cancelled_studies_keep_finished_cells() {
    let directory = tempfile::tempdir().unwrap();
    let file = study_file(&directory, "{algorithm.name: [Gather], algorithm.parameters.rank: [0, 1, 2, 3]}");
    let cancel = Cancel::new();
    let stopped = study(&file, gather("1", Some((7, cancel.clone()))).0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let error = pool.install(|| stopped.compute(&Silent, &cancel)).unwrap_err();
    assert!(matches!(error, RunError::Cancelled(_)), "{error}");
    let again = study(&file, gather("1", None).0);
    assert_eq!(again.counts().missing, 2);
    again.compute(&Silent, &Cancel::new()).unwrap();
    assert_eq!(again.results().unwrap().failed().count(), 0);
}
