// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of anomalies.

use lbaf_config::Plots;
use lbaf_noise::{Judgement, Label, PhaseParts};
use lbaf_plot::{Format, HeatMap, Series, Side, State, Style, TimeSeries};

use super::Findings;
use crate::error::Error;
use crate::progress::Messages;
use lbaf_report::charts::{AnyChart, Drawn, draw_all};

/// Largest number of rows in a chart; with more ranks, each row is a group of ranks.
const MOST_ROWS: usize = 256;

/// Draws all charts; none for fewer than two phases, because all are over phases. Without judged tasks, there is no
/// chart of scores.
pub(super) fn draw(findings: &Findings<'_>, messages: Messages) -> Result<Drawn, Error> {
    let plots = Plots {
        formats: Format::ALL.to_vec(),
        charts: None,
        phases: None,
        pgfplots: false,
        table_width: None,
        style: Style::default(),
    };
    let mut charts: Vec<(String, AnyChart)> = Vec::new();
    if findings.recorded.data.phases().len() > 1 {
        let scores = scores(findings);
        if !scores.series.is_empty() {
            charts.push(("anomaly_scores".to_owned(), Box::new(scores)));
        }
        charts.push(("anomaly_rates".to_owned(), Box::new(rates(findings))));
        charts.push(("anomaly_imbalance".to_owned(), Box::new(imbalance(findings))));
    }
    Ok(draw_all(&charts, &plots, &messages)?)
}

/// Returns the chart of the scores of judged tasks: the largest score and the lower median, in each phase with such
/// tasks.
fn scores(findings: &Findings<'_>) -> TimeSeries {
    let phases = findings.recorded.data.phases();
    let (mut largest, mut middle) = (Vec::new(), Vec::new());
    for (at, phase) in phases.iter().enumerate() {
        let judged = |judgement: &&Judgement| judgement.label != Label::Unlabelled && judgement.score >= 0.0;
        let mut scores: Vec<f64> =
            findings.labels.of_phase(at).iter().filter(judged).map(|judgement| judgement.score).collect();
        scores.sort_unstable_by(f64::total_cmp);
        if let Some(most) = scores.last() {
            largest.push((phase.id().0, *most));
            middle.push((phase.id().0, scores[(scores.len() - 1) / 2]));
        }
    }
    let series = |name: &str, state, values| Series { name: name.to_owned(), state, values };
    let mut all = vec![series("median", State::Before, middle), series("largest", State::After, largest)];
    all.retain(|series| !series.values.is_empty());
    TimeSeries {
        steps: "phase".to_owned(),
        series: all,
        bound: Vec::new(),
        bound_remark: String::new(),
        quantity: "score of tasks".to_owned(),
        unit: String::new(),
        title: "anomaly scores of tasks".to_owned(),
    }
}

/// Returns the chart of the percentage of anomalous tasks of each rank, or group of ranks, in each measured phase.
fn rates(findings: &Findings<'_>) -> HeatMap {
    let data = &findings.recorded.data;
    let n_ranks = data.n_ranks();
    let size = n_ranks.div_ceil(MOST_ROWS).max(1);
    let measured: Vec<usize> =
        (0..data.phases().len()).filter(|&at| findings.labels.is_measured(at)).collect();
    let phases = measured.iter().map(|&at| data.phases()[at].id().0).collect();
    let rate = |group: usize, at: usize| {
        let ranks = &findings.summary.by_phase_and_rank[at];
        let ranks = &ranks[(group * size).min(ranks.len())..((group + 1) * size).min(ranks.len())];
        let n_tasks: usize = ranks.iter().map(|tally| tally.n_tasks).sum();
        let n_anomalies: usize = ranks.iter().map(|tally| tally.n_anomalies).sum();
        (n_tasks > 0).then(|| 100.0 * n_anomalies as f64 / n_tasks as f64)
    };
    let values = (0..n_ranks.div_ceil(size))
        .flat_map(|group| measured.iter().map(move |&at| rate(group, at)))
        .collect();
    HeatMap {
        x: Side::listed("phase", phases),
        y: Side::groups("rank", n_ranks, size),
        values,
        also: vec![0.0],
        quantity: "anomalous tasks".to_owned(),
        unit: "%".to_owned(),
        remark: if size > 1 { format!("groups of {size} ranks") } else { String::new() },
        title: "share of anomalous tasks".to_owned(),
    }
}

/// Returns the chart of the imbalance of each phase: as measured, without anomalies, and persistent.
fn imbalance(findings: &Findings<'_>) -> TimeSeries {
    let points = |value: fn(&PhaseParts) -> f64| {
        findings.decomposition.phases.iter().map(|phase| (phase.phase.0, value(phase))).collect()
    };
    let series = |name: &str, state, values| Series { name: name.to_owned(), state, values };
    TimeSeries {
        steps: "phase".to_owned(),
        series: vec![
            series("as measured", State::Before, points(|phase| phase.parts.imbalance)),
            series("persistent", State::Run(1), points(|phase| phase.parts.persistent)),
            series("without anomalies", State::After, points(|phase| phase.parts.denoised)),
        ],
        bound: Vec::new(),
        bound_remark: String::new(),
        quantity: "load imbalance (max/mean \u{2212} 1)".to_owned(),
        unit: String::new(),
        title: "load imbalance with and without anomalies".to_owned(),
    }
}
