// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies that are Python functions.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use lbaf_config::{ConfigError, OwnStrategies};
use lbaf_model::DataSet;
use lbaf_strategies::{Cancelled, Context, Outcome, Problem, Strategy, StrategyError};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use serde_json::Value;

use crate::call::{Call, locked};
use crate::columns;
use crate::failure::{exception, raised};
use crate::phase::Phase;
use crate::work_model::WorkModel;

/// A Python function as a strategy. `function` receives phase, start, work model, seed, and parameters as JSON.
/// `function` returns ranks as an array of 64-bit integers, or as a list of texts if the conversion to integers could
/// change a value.
#[pyclass(frozen, module = "lbaf_rs._core")]
pub(crate) struct OwnStrategy {
    name: &'static str,
    function: Py<PyAny>,
    digest: String,
    uses_random_numbers: bool,
}

#[pymethods]
impl OwnStrategy {
    #[new]
    fn new(name: &str, function: Py<PyAny>, digest: String, uses_random_numbers: bool) -> Self {
        OwnStrategy { name: interned(name), function, digest, uses_random_numbers }
    }
}

/// Returns a copy of a name that lives as long as the process. Equal names share one copy.
fn interned(name: &str) -> &'static str {
    static NAMES: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut names = locked(&NAMES);
    let names = names.get_or_insert_default();
    if let Some(known) = names.get(name) {
        return known;
    }
    let name = Box::leak(name.to_owned().into_boxed_str());
    names.insert(name);
    name
}

/// Makes own strategies available to the configuration of a call.
pub(crate) fn registered(
    own: &[Py<OwnStrategy>],
    call: &Arc<Call>,
    py: Python<'_>,
) -> Result<OwnStrategies, ConfigError> {
    own.iter().try_fold(OwnStrategies::default(), |all, own| {
        let (name, own, call) = (own.get().name, own.clone_ref(py), Arc::clone(call));
        all.with(name, move |parameters| Ok(Box::new(in_call(&own, parameters, &call))))
    })
}

/// Returns an own strategy with its parameters for a call.
pub(crate) fn in_call(own: &Py<OwnStrategy>, parameters: Value, call: &Arc<Call>) -> impl Strategy + use<> {
    let own = Python::attach(|py| own.clone_ref(py));
    InCall { own, parameters, call: Arc::clone(call) }
}

struct InCall {
    own: Py<OwnStrategy>,
    parameters: Value,
    call: Arc<Call>,
}

impl Strategy for InCall {
    fn name(&self) -> &'static str {
        self.own.get().name
    }

    fn parameters(&self) -> Value {
        self.parameters.clone()
    }

    fn uses_random_numbers(&self) -> bool {
        self.own.get().uses_random_numbers
    }

    fn digest(&self) -> Result<Option<String>, StrategyError> {
        Ok(Some(self.own.get().digest.clone()))
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let called = Python::attach(|py| {
            self.called(py, problem, context.seed()).map_err(|error| self.fault(py, error))
        });
        // After an interrupt, the exception in the function is not a fault of the strategy.
        context.check()?;
        called
    }
}

impl InCall {
    fn called(&self, py: Python<'_>, problem: &Problem<'_>, seed: u64) -> PyResult<Outcome> {
        let Problem { phase, initial, model, keys } = *problem;
        let data = DataSet::new(keys.to_vec(), phase.n_ranks(), vec![phase.clone()]);
        let phase = Phase::of(Arc::new(data), 0);
        let start = columns::ranks_copied(py, initial);
        let model = WorkModel::of(model.boxed());
        let parameters = self.parameters.to_string();
        let arguments = (phase, start, model, seed, parameters);
        let own = self.own.get();
        let placement = self.call.interruptible(py, || own.function.bind(py).call1(arguments))?;
        let checked = if let Ok(ranks) = placement.extract::<PyReadonlyArray1<'_, i64>>() {
            let ranks = ranks.as_array();
            let rank = |rank: &i64| u32::try_from(*rank).map_err(|_| rank.to_string());
            problem.placement("placement", ranks.iter().map(rank))
        } else {
            let texts: Vec<String> = placement.extract()?;
            let rank = |text: String| text.parse::<u32>().map_err(|_| text);
            problem.placement("placement", texts.into_iter().map(rank))
        };
        let placement = checked.map_err(|error| raised(py, exception::PLACEMENT, &error.to_string()))?;
        Ok(Outcome::at_once(placement))
    }

    /// Keeps an exception until the end of the call, and returns the error that replaces it in the engine. A
    /// `KeyboardInterrupt` is not kept: it cancels the call.
    fn fault(&self, py: Python<'_>, error: PyErr) -> StrategyError {
        if error.is_instance_of::<PyKeyboardInterrupt>(py) {
            self.call.cancel.cancel();
            return Cancelled.into();
        }
        let placement = py.import("lbaf_rs._errors").and_then(|errors| errors.getattr(exception::PLACEMENT));
        let is_placement = placement.is_ok_and(|placement| error.matches(py, placement).unwrap_or(false));
        let message = if is_placement { error.value(py).to_string() } else { error.to_string() };
        self.call.keep(self.own.get().name, &message, error);
        StrategyError::Outside { strategy: self.own.get().name, message }
    }
}
