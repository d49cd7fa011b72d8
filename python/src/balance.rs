// SPDX-License-Identifier: MIT OR Apache-2.0
//! Balancing of one phase.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use lbaf_external::{ExternalStrategy, Processes};
use lbaf_model::{Assignment, Ccm, RankTotals, Work, rank_totals, violations, works};
use lbaf_run::summary::{Named, Start, Summary};
use lbaf_run::{Balanced, LowerBounds, Messages as _, phase_result, summary, tables};
use lbaf_strategies::{
    Checked, Context, IterationStats, Observer, Outcome, Problem, Strategy, StrategyConfig, StrategyError,
};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::Value;

use crate::call::Call;
use crate::columns;
use crate::engine::work;
use crate::failure::Failure;
use crate::own_strategy::{OwnStrategy, in_call};
use crate::phase::Phase;
use crate::work_model::WorkModel;

/// A phase before and after balancing. All quantities except the placement are computed on request.
#[pyclass(frozen, module = "lbaf_rs._core")]
pub(crate) struct Result {
    phase: Py<Phase>,
    strategy: Box<dyn Strategy>,
    model: WorkModel,
    seed: u64,
    initial: Assignment,
    checked: Checked,
    seconds: f64,
    /// Lines that an external command printed to standard error.
    lines: Vec<String>,
    summary: OnceLock<String>,
}

/// An own strategy after its run. It lacks the function, so a result does not keep the function alive.
struct Past {
    name: &'static str,
    parameters: Value,
}

impl Strategy for Past {
    fn name(&self) -> &'static str {
        self.name
    }

    fn parameters(&self) -> Value {
        self.parameters.clone()
    }

    fn rebalance(&self, _: &Problem<'_>, _: &mut Context<'_>) -> std::result::Result<Outcome, StrategyError> {
        Err(StrategyError::Outside { strategy: self.name, message: "the strategy has ended".to_owned() })
    }
}

/// Balances a phase with the strategy `own`, or else with the strategy `name` of the registry. `parameters` are JSON.
/// `start` defaults to the recorded placement.
#[pyfunction]
#[pyo3(signature = (phase, name, parameters, own, model, seed, start, threads))]
#[expect(clippy::too_many_arguments, reason = "arguments of Python")]
pub(crate) fn balance(
    py: Python<'_>,
    phase: Py<Phase>,
    name: &str,
    parameters: &str,
    own: Option<Py<OwnStrategy>>,
    model: Option<WorkModel>,
    seed: u64,
    start: Option<PyReadonlyArray1<'_, i64>>,
    threads: Option<usize>,
) -> PyResult<Result> {
    let call = Call::begin();
    let parameters: Value = serde_json::from_str(parameters)
        .map_err(|error| Failure::config(format!("the parameters of {name} are not JSON: {error}")))?;
    let is_own = own.is_some();
    let strategy: Box<dyn Strategy> = match own {
        Some(own) => Box::new(in_call(&own, parameters, &call)),
        None => named(name, parameters, seed, &call)?,
    };
    let model = match model {
        Some(model) => model,
        None => by_arguments(&*strategy)?,
    };
    let initial = phase.get().placement(py, start)?;
    if strategy.needs_coordinates() && phase.get().phase().coordinates().is_none() {
        let message = format!(
            "{name} needs the indices of objects in their collections; read data with `coordinates=True`, or give \
             `coordinates` to `Phase`"
        );
        return Err(Failure::config(message).into());
    }
    if strategy.needs_subphases() && phase.get().phase().subphases().is_none() {
        let message =
            format!("{name} needs the loads of objects in subphases; read data with `subphases=True`");
        return Err(Failure::config(message).into());
    }
    let (of_python, cancel) = (phase.clone_ref(py), call.cancel.clone());
    let mut result = work(py, &call, threads, None, move || {
        let phase = of_python.get();
        let problem = Problem {
            phase: phase.phase(),
            initial: &initial,
            model: &*model.model,
            keys: phase.data().keys(),
        };
        let mut clock = Clock(Instant::now());
        let mut context = Context::new(seed, phase.phase().id().0, &mut clock).with_cancel(&cancel);
        let began = Instant::now();
        let checked = lbaf_strategies::run(&*strategy, &problem, &mut context)?;
        let seconds = began.elapsed().as_secs_f64();
        let strategy: Box<dyn Strategy> = if is_own {
            Box::new(Past { name: strategy.name(), parameters: strategy.parameters() })
        } else {
            strategy
        };
        let (phase, lines, summary) = (of_python, Vec::new(), OnceLock::new());
        Ok(Result { phase, strategy, model, seed, initial, checked, seconds, lines, summary })
    })?;
    result.lines = call.messages().1;
    Ok(result)
}

fn named(
    name: &str,
    parameters: Value,
    seed: u64,
    call: &Arc<Call>,
) -> std::result::Result<Box<dyn Strategy>, Failure> {
    let mut strategy = StrategyConfig::named(name, parameters)?;
    strategy.strategy_mut().settle_seed(Some(seed), &random_seed);
    if strategy.strategy().placement_map().is_some_and(|map| map.content.is_none()) {
        let message = format!("{name} reads a file or other phases; balance it with `lbaf_rs.run`");
        return Err(Failure::config(message));
    }
    let StrategyConfig::External(external) = strategy else { return Ok(strategy.build()) };
    let processes = Arc::new(Processes::new(""));
    let call = Arc::clone(call);
    processes.listen(Arc::new(move |line: &str| call.note(line)));
    let external = ExternalStrategy::new(external, &processes);
    Ok(Box::new(external.map_err(|error| Failure::config(format!("{name}: {error}")))?))
}

/// Returns a seed from the clock, for strategies with `randomize_seed`.
fn random_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |now| now.as_nanos() as u64)
}

/// Returns the work model that the parameters of the strategy describe, or else the work model of load alone.
fn by_arguments(strategy: &dyn Strategy) -> std::result::Result<WorkModel, Failure> {
    match strategy.work_by_arguments()? {
        Some(arguments) => Ok(WorkModel::of(Box::new(Ccm::new(arguments.parameters)?))),
        None => Ok(WorkModel::default()),
    }
}

struct Clock(Instant);

impl Observer for Clock {
    fn iteration(&mut self, _: &IterationStats, _: &Assignment) {}

    fn has_passed(&self, seconds: f64) -> bool {
        self.0.elapsed().as_secs_f64() >= seconds
    }
}

#[pymethods]
impl Result {
    #[getter]
    fn phase(&self, py: Python<'_>) -> Py<Phase> {
        self.phase.clone_ref(py)
    }

    #[getter]
    fn placement<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<u32>> {
        columns::ranks(slf.clone().into_any(), &slf.get().checked.outcome.assignment)
    }

    #[getter]
    fn start<'py>(slf: &Bound<'py, Self>) -> Bound<'py, PyArray1<u32>> {
        columns::ranks(slf.clone().into_any(), &slf.get().initial)
    }

    #[getter]
    fn strategy(&self) -> String {
        self.strategy.label()
    }

    #[getter]
    fn model(&self) -> WorkModel {
        self.model.clone()
    }

    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    #[getter]
    fn infeasible(&self) -> bool {
        self.checked.infeasible
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        [&self.checked.outcome.notes[..], &self.lines].concat()
    }

    /// Returns the summary of a run of this phase, as JSON.
    fn summary(&self, py: Python<'_>) -> &str {
        if let Some(summary) = self.summary.get() {
            return summary;
        }
        // Computed before the `OnceLock` is locked: a thread that waits for the `OnceLock` holds the lock of the
        // interpreter, which the computing thread needs after `detach`.
        let summary = py.detach(|| self.summarized());
        self.summary.get_or_init(|| summary)
    }

    /// Returns the tables that charts are drawn from, as CSV by file name.
    fn tables<'py>(&self, py: Python<'py>) -> BTreeMap<&'static str, Bound<'py, PyBytes>> {
        let tables = py.detach(|| {
            self.with_balanced(|balanced| {
                tables(&*self.model.model, self.phase.get().data().keys(), std::slice::from_ref(balanced))
            })
        });
        tables.into_iter().map(|(name, bytes)| (name, PyBytes::new(py, &bytes))).collect()
    }
}

impl Result {
    fn with_balanced<T>(&self, of: impl FnOnce(&Balanced<'_>) -> T) -> T {
        let phase = self.phase.get();
        let (keys, phase, model) = (phase.data().keys(), phase.phase(), &*self.model.model);
        let totals: Vec<RankTotals> = rank_totals(phase, &self.initial);
        let works: Vec<Work> = works(model, phase, &totals);
        let problem = Problem { phase, initial: &self.initial, model, keys };
        of(&Balanced {
            phase,
            strategy: Some(self.strategy.name()),
            start: Start::Recorded,
            initial: Cow::Borrowed(&self.initial),
            is_rebalanced: !self.strategy.keeps_placement(),
            already_balanced: false,
            totals,
            works,
            after: self.checked.clone(),
            violations: violations(model, phase, &self.checked.totals),
            iterations: Vec::new(),
            bounds: LowerBounds::new(&problem, &*self.strategy, &self.checked),
            seconds: self.seconds,
        })
    }

    fn summarized(&self) -> String {
        let data = self.phase.get().data();
        let phases = self.with_balanced(|balanced| vec![phase_result(balanced, data.keys())]);
        let model = (&*self.model.model, &self.model.parameters);
        let summary = Summary::of_phases(phases, data, model, Named::from(&*self.strategy), self.seed);
        let summary = Summary { notes: self.checked.outcome.notes.clone(), ..summary };
        String::from_utf8(summary::pretty(&summary)).unwrap_or_default()
    }
}
