// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accuracy of load models on the recorded phases.

use std::fmt::Write;

use lbaf_config::{Layers, RunConfig, TrialName};
use lbaf_model::DataSet;
use lbaf_strategies::{Cancel, Context, Lpt, NoObserver, Problem};
use lbaf_study::{Accuracy, Examination};
use serde::Serialize;

use super::scenarios::{balance, refused, work_model};
use crate::RunError;

/// Accuracy of the load models of a configuration.
#[derive(Debug, Serialize)]
pub struct LoadModelResults {
    /// Strategy that balanced predicted loads: `LPT` or `the algorithm` (as configured); `None` if none did.
    pub balanced_with: Option<&'static str>,
    /// Numbers of the examined phases.
    pub phases: Vec<u64>,
    /// Accuracy by load model, that of the simulation first.
    pub load_models: Vec<LoadModelAccuracy>,
}

/// Accuracy of a load model.
#[derive(Debug, Serialize)]
pub struct LoadModelAccuracy {
    /// Name and parameters of the load model.
    pub load_model: String,
    /// Accuracy at each horizon with a predicted phase.
    pub horizons: Vec<HorizonAccuracy>,
}

/// Accuracy of predictions at a horizon.
#[derive(Debug, Serialize)]
pub struct HorizonAccuracy {
    /// Number of the predicted phase minus that of the last known one: 1 predicts the next phase.
    pub horizon: u32,
    /// Number of predicted phases.
    pub n_phases: usize,
    /// Number of predicted loads, by object and phase.
    pub n_predictions: usize,
    /// Number of loads without a prediction, because no phase that the model uses has the object.
    pub n_unpredicted: usize,
    /// Mean of `|predicted - measured| / measured` over predicted loads measured above 0; `None` if there are none.
    pub mean_error: Option<f64>,
    /// Sum of predicted loads / sum of measured loads of the same objects - 1; `None` if the measured sum is 0.
    pub bias: Option<f64>,
    /// Spearman's rank correlation of predicted and measured loads, averaged over phases in which neither is constant;
    /// `None` if there are none.
    pub rank_correlation: Option<f64>,
    /// Imbalance of work under measured loads after balancing on predicted loads, averaged over phases; `None` if no
    /// phase was balanced.
    pub imbalance: Option<f64>,
    /// Imbalance of work under measured loads after balancing on measured loads, averaged over phases; `None` if no
    /// phase was balanced.
    pub imbalance_known: Option<f64>,
    /// Increase of the imbalance due to wrong predictions: `imbalance - imbalance_known`; `None` if no phase was
    /// balanced.
    pub imbalance_lost: Option<f64>,
}

/// Examines the load models of the configuration; `None` if no report on them is configured, or no phase can be
/// predicted.
pub(super) fn examine(
    run: &RunConfig,
    data: &DataSet,
    layers: &Layers,
    cancel: &Cancel,
) -> Result<Option<LoadModelResults>, RunError> {
    let Some(report) = &run.simulation.report else { return Ok(None) };
    let horizons = report.horizons(data);
    let examination = Examination {
        data,
        model: work_model(run),
        load_models: &report.load_models,
        horizons: &horizons,
        most_phases: report.most_phases,
        cancel: cancel.clone(),
    };
    let phases = examination.phases();
    if phases.is_empty() {
        return Ok(None);
    }
    let lpt = |problem: &Problem<'_>| {
        let mut observer = NoObserver;
        let mut context = Context::new(run.seed, problem.phase.id().0, &mut observer).with_cancel(cancel);
        lbaf_strategies::run(&Lpt::default(), problem, &mut context).map(Some)
    };
    let algorithm = |problem: &Problem<'_>| {
        Ok(balance(run, problem.phase.id(), problem, cancel)?.map(|(checked, _)| checked))
    };
    let accuracies = match report.balance {
        TrialName::Lpt => examination.run(Some(&lpt)),
        TrialName::Algorithm => examination.run(Some(&algorithm)),
        TrialName::None => examination.run(None),
    };
    let accuracies = accuracies.map_err(|error| refused(error, run, layers))?;
    let of_model = |(model, accuracies): (&lbaf_study::LoadModel, Vec<Accuracy>)| LoadModelAccuracy {
        load_model: model.to_string(),
        horizons: accuracies.iter().filter(|of| of.n_phases > 0).map(HorizonAccuracy::new).collect(),
    };
    Ok(Some(LoadModelResults {
        balanced_with: match report.balance {
            TrialName::Lpt => Some("LPT"),
            TrialName::Algorithm => Some("the algorithm"),
            TrialName::None => None,
        },
        phases: phases.into_iter().map(|at| data.phases()[at].id().0).collect(),
        load_models: report.load_models.iter().zip(accuracies).map(of_model).collect(),
    }))
}

impl HorizonAccuracy {
    fn new(accuracy: &Accuracy) -> Self {
        let Accuracy { horizon, n_phases, n_predictions, n_unpredicted, .. } = *accuracy;
        HorizonAccuracy {
            horizon,
            n_phases,
            n_predictions,
            n_unpredicted,
            mean_error: accuracy.mean_error,
            bias: accuracy.bias,
            rank_correlation: accuracy.rank_correlation,
            imbalance: accuracy.loss.map(|loss| loss.predicted),
            imbalance_known: accuracy.loss.map(|loss| loss.known),
            imbalance_lost: accuracy.loss.map(lbaf_study::PredictionLoss::lost),
        }
    }
}

impl LoadModelResults {
    /// Returns `load_models.csv`, with one row per load model and horizon.
    pub fn to_csv(&self) -> String {
        let mut csv = String::from(
            "load_model,horizon,phases,predictions,unpredicted,mean_error,bias,rank_correlation,imbalance,\
             imbalance_known,imbalance_lost\n",
        );
        let cell = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
        for LoadModelAccuracy { load_model, horizons } in &self.load_models {
            for of in horizons {
                let HorizonAccuracy { horizon, n_phases, n_predictions, n_unpredicted, .. } = of;
                let _ = write!(
                    csv,
                    "{},{horizon},{n_phases},{n_predictions},{n_unpredicted}",
                    lbaf_text::cell(load_model)
                );
                for number in [
                    of.mean_error,
                    of.bias,
                    of.rank_correlation,
                    of.imbalance,
                    of.imbalance_known,
                    of.imbalance_lost,
                ] {
                    let _ = write!(csv, ",{}", cell(number));
                }
                csv.push('\n');
            }
        }
        csv
    }
}
