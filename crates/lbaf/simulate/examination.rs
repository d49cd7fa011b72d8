// SPDX-License-Identifier: MIT OR Apache-2.0
//! How well load models would have predicted the recorded phases.

use std::fmt::Write;

use lbaf_config::{Layers, RunConfig, TrialName};
use lbaf_model::DataSet;
use lbaf_strategies::{Cancel, Context, Lpt, NoObserver, Problem};
use lbaf_study::{Accuracy, Examination};
use serde::Serialize;

use super::{balance, refused, work_model};
use crate::error::Error;

/// What came of all load models.
#[derive(Debug, Serialize)]
pub(super) struct Examined {
    /// What predictions were balanced with.
    pub(super) balanced_with: Option<&'static str>,
    /// The phases that were predicted.
    pub(super) phases: Vec<u64>,
    /// Those of the configuration first.
    pub(super) load_models: Vec<ModelExamined>,
}

#[derive(Debug, Serialize)]
pub(super) struct ModelExamined {
    pub(super) load_model: String,
    pub(super) horizons: Vec<HorizonExamined>,
}

/// A load model so many phases ahead.
#[derive(Debug, Serialize)]
pub(super) struct HorizonExamined {
    pub(super) horizon: u32,
    pub(super) n_phases: usize,
    n_predictions: usize,
    /// Objects of which nothing was known.
    n_unpredicted: usize,
    /// Mean of `|predicted - measured| / measured`.
    pub(super) mean_error: Option<f64>,
    /// Sum of predictions by that of measured loads, less 1.
    pub(super) bias: Option<f64>,
    pub(super) rank_correlation: Option<f64>,
    /// Imbalance of work under measured loads, balanced on predicted ones, and on the measured ones; and their difference.
    pub(super) imbalance: Option<f64>,
    pub(super) imbalance_known: Option<f64>,
    pub(super) imbalance_lost: Option<f64>,
}

/// Examines the load models of the configuration; nothing if nobody asks for it, or there is no phase to predict.
pub(super) fn examine(run: &RunConfig, data: &DataSet, layers: &Layers) -> Result<Option<Examined>, Error> {
    let Some(report) = &run.simulation.report else { return Ok(None) };
    let horizons = report.horizons(data);
    let examination = Examination {
        data,
        model: work_model(run),
        load_models: &report.load_models,
        horizons: &horizons,
        most_phases: report.most_phases,
        cancel: Cancel::new(),
    };
    let phases = examination.phases();
    if phases.is_empty() {
        return Ok(None);
    }
    let lpt = |problem: &Problem<'_>| {
        let mut observer = NoObserver;
        let mut context = Context::new(run.seed, problem.phase.id().0, &mut observer);
        lbaf_strategies::run(&Lpt::default(), problem, &mut context).map(Some)
    };
    let algorithm =
        |problem: &Problem<'_>| Ok(balance(run, problem.phase.id(), problem)?.map(|(checked, _)| checked));
    let accuracies = match report.balance {
        TrialName::Lpt => examination.run(Some(&lpt)),
        TrialName::Algorithm => examination.run(Some(&algorithm)),
        TrialName::None => examination.run(None),
    };
    let accuracies = accuracies.map_err(|error| refused(error, run, layers))?;
    let of_model = |(model, accuracies): (&lbaf_study::LoadModel, Vec<Accuracy>)| ModelExamined {
        load_model: model.to_string(),
        horizons: accuracies.iter().filter(|of| of.n_phases > 0).map(HorizonExamined::new).collect(),
    };
    Ok(Some(Examined {
        balanced_with: match report.balance {
            TrialName::Lpt => Some("LPT"),
            TrialName::Algorithm => Some("the algorithm"),
            TrialName::None => None,
        },
        phases: phases.into_iter().map(|at| data.phases()[at].id().0).collect(),
        load_models: report.load_models.iter().zip(accuracies).map(of_model).collect(),
    }))
}

impl HorizonExamined {
    fn new(accuracy: &Accuracy) -> Self {
        let Accuracy { horizon, n_phases, n_predictions, n_unpredicted, .. } = *accuracy;
        HorizonExamined {
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

impl Examined {
    /// A line for each horizon of each load model.
    pub(super) fn to_csv(&self) -> String {
        let mut csv = String::from(
            "load_model,horizon,phases,predictions,unpredicted,mean_error,bias,rank_correlation,imbalance,\
             imbalance_known,imbalance_lost\n",
        );
        let cell = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
        for ModelExamined { load_model, horizons } in &self.load_models {
            for of in horizons {
                let HorizonExamined { horizon, n_phases, n_predictions, n_unpredicted, .. } = of;
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
