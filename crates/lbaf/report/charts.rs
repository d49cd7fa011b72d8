// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts, from the summary alone.

use lbaf_model::Limit;
use lbaf_plot::{Chart, Format, ImbalancePerPhase, LoadHistogram, PhaseImbalance, RankLoads};
use rayon::prelude::*;

use super::summary::{PhaseResult, Summary};
use crate::config::Plots;
use crate::error::Error;
use crate::yaml;

/// Names of the charts there are.
pub(crate) const NAMES: [&str; 3] = ["rank_loads", "load_histogram", "imbalance_per_phase"];

/// The chart of a name, as it is written here; or why there is none.
pub(crate) fn named(name: &str) -> Result<String, String> {
    let found = yaml::meant(name, &NAMES).map(str::to_owned);
    found.ok_or_else(|| format!("there is no chart `{name}`{}", yaml::instead(name, &NAMES)))
}

/// With more phases, charts of single phases are drawn for the first, the worst and the last only.
const MOST_PHASES: usize = 16;

/// A drawn chart: name of the file and its bytes.
pub(crate) type Drawn = (String, Vec<u8>);

/// Draws what `plots` asks for, in parallel.
pub(crate) fn draw(summary: &Summary, plots: &Plots) -> Result<Vec<Drawn>, Error> {
    let asked =
        |name: &str| plots.charts.as_ref().is_none_or(|charts| charts.iter().any(|chart| chart == name));
    let mut charts: Vec<(String, Box<dyn Chart + Send + Sync>)> = Vec::new();
    // A single phase has no course over phases; it is drawn if somebody insists.
    let course = summary.phases.len() > 1 || plots.charts.is_some();
    if asked("imbalance_per_phase") && course {
        charts.push(("imbalance_per_phase".to_owned(), Box::new(imbalance_per_phase(&summary.phases))));
    }
    for phase in drawn_by_themselves(&summary.phases) {
        let named = |name: &str| match summary.phases.len() {
            1 => name.to_owned(),
            _ => format!("{name}_phase_{}", phase.phase),
        };
        if asked("rank_loads") {
            charts.push((named("rank_loads"), Box::new(rank_loads(phase))));
        }
        if asked("load_histogram") {
            charts.push((named("load_histogram"), Box::new(load_histogram(phase))));
        }
    }
    let drawn: Vec<Result<Vec<Drawn>, Error>> =
        charts.par_iter().map(|chart| draw_one(chart, plots)).collect();
    drawn.into_iter().collect::<Result<Vec<_>, _>>().map(|drawn| drawn.into_iter().flatten().collect())
}

fn draw_one(
    (name, chart): &(String, Box<dyn Chart + Send + Sync>),
    plots: &Plots,
) -> Result<Vec<Drawn>, Error> {
    let failed = |source| Error::Plot { chart: name.clone(), source };
    let svg = chart.draw(&plots.style).map_err(failed)?;
    let file = |&format: &Format| {
        let bytes = svg.to_bytes(format, plots.style.png_dpi).map_err(failed)?;
        Ok((format!("plots/{name}.{}", format.extension()), bytes))
    };
    plots.formats.iter().map(file).collect()
}

/// Phases that get charts of their own.
fn drawn_by_themselves(phases: &[PhaseResult]) -> Vec<&PhaseResult> {
    if phases.len() <= MOST_PHASES {
        return phases.iter().collect();
    }
    let imbalance = |phase: &PhaseResult| phase.before.load.imbalance;
    let worst = (0..phases.len()).max_by(|&a, &b| imbalance(&phases[a]).total_cmp(&imbalance(&phases[b])));
    let mut chosen: Vec<usize> = worst.into_iter().chain([0, phases.len() - 1]).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen.into_iter().map(|position| &phases[position]).collect()
}

fn rank_loads(phase: &PhaseResult) -> RankLoads {
    RankLoads {
        before: phase.rank_loads.before.clone(),
        after: phase.rank_loads.after.clone(),
        mean: phase.after.load.mean,
        bound: phase.lower_bound.max_load,
        bound_name: bound_name(phase),
        quantity: "load".to_owned(),
        unit: "s".to_owned(),
        title: String::new(),
    }
}

/// What the lower bound comes from, beyond the mean.
fn bound_name(phase: &PhaseResult) -> String {
    match phase.lower_bound.load_limit {
        Limit::Mean => String::new(),
        limit => limit.to_string(),
    }
}

fn load_histogram(phase: &PhaseResult) -> LoadHistogram {
    LoadHistogram {
        before: phase.rank_loads.before.clone(),
        after: phase.rank_loads.after.clone(),
        quantity: "load".to_owned(),
        unit: "s".to_owned(),
        title: String::new(),
    }
}

fn imbalance_per_phase(phases: &[PhaseResult]) -> ImbalancePerPhase {
    let entry = |phase: &PhaseResult| PhaseImbalance {
        phase: phase.phase,
        before: phase.before.load.imbalance,
        after: phase.after.load.imbalance,
        bound: Some(phase.lower_bound.load_imbalance),
    };
    ImbalancePerPhase {
        phases: phases.iter().map(entry).collect(),
        quantity: "load".to_owned(),
        title: String::new(),
    }
}
