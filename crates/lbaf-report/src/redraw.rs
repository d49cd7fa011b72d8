// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts and tables of saved runs: of one run, or comparisons of several runs.

use lbaf_config::{Plots, ranges};
use lbaf_run::Messages;
use lbaf_run::summary::saved::Tables;
use lbaf_run::summary::{PhaseResult, Summary};
use lbaf_text::number::significant_to;
use lbaf_writer::Inputs;

use crate::charts::{self, Drawn, Shown};
use crate::problem::same_load;
use crate::{ReportError, SavedRun, paper_tables, saved_run};

/// Charts and tables of saved runs.
pub struct Redrawn {
    /// The charts.
    pub charts: Drawn,
    /// Names and bytes of the files of tables.
    pub tables: Vec<(String, Vec<u8>)>,
}

impl Redrawn {
    /// Returns names and bytes of all files.
    pub fn files(&self) -> impl Iterator<Item = &(String, Vec<u8>)> {
        self.charts.files.iter().chain(&self.tables)
    }
}

/// Draws charts and creates tables of one run, or of several runs in comparison, and adds the tables it reads to
/// `inputs`.
///
/// `names` are the names of the runs in legends. Call [`share_bounds`](crate::problem::share_bounds) first if there are
/// several runs.
///
/// # Errors
/// If names are equal, `plots` names a phase that the first run did not balance, runs have different data, a table of a
/// run cannot be read, or a chart or table cannot be created.
///
/// # Panics
/// If there is no run.
pub fn redraw(
    runs: &[SavedRun],
    names: &[String],
    plots: &Plots,
    inputs: &mut Inputs,
    messages: &dyn Messages,
) -> Result<Redrawn, ReportError> {
    let shown = shown(runs, names, plots, inputs)?;
    let charts = charts::draw(&shown, plots, messages)?;
    let tables = match &shown[..] {
        [run] => paper_tables::files(run.summary, plots.table_width)?,
        runs => {
            let named: Vec<(String, &Summary)> =
                runs.iter().map(|run| (run.name.clone(), run.summary)).collect();
            paper_tables::comparison_files(&named, plots.table_width)?
        }
    };
    Ok(Redrawn { charts, tables })
}

/// Returns names for legends: the labels of the strategies; equal labels are numbered.
pub fn names_by_strategy(runs: &[SavedRun]) -> Vec<String> {
    let strategies: Vec<&str> = runs.iter().map(|run| run.summary.strategy.label()).collect();
    let number = |at: usize| strategies[..=at].iter().filter(|name| **name == strategies[at]).count();
    let is_single = |at: usize| strategies.iter().filter(|name| **name == strategies[at]).count() == 1;
    let name = |at: usize| {
        if is_single(at) { strategies[at].to_owned() } else { format!("{} ({})", strategies[at], number(at)) }
    };
    (0..strategies.len()).map(name).collect()
}

/// Returns the runs with the tables that their charts need.
fn shown<'a>(
    runs: &'a [SavedRun],
    names: &[String],
    plots: &Plots,
    inputs: &mut Inputs,
) -> Result<Vec<Shown<'a>>, ReportError> {
    if let Some(twice) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
        return Err(ReportError::SameName(names[twice].clone()));
    }
    let first = &runs[0];
    let phases: Vec<u64> = first.summary.phases.iter().map(|result| result.phase).collect();
    let selection = plots.phases.as_ref();
    if let Some(phase) = selection.and_then(|named| named.missing_from(|phase| phases.contains(&phase))) {
        return Err(ReportError::AbsentPhase { phase, balanced: ranges(&phases) });
    }
    let mut shown = Vec::new();
    for (run, name) in runs.iter().zip(names) {
        if let Some((what, [here, there])) = difference(&run.summary, &first.summary) {
            return Err(ReportError::Input(format!(
                "{} has {there} {what}, but {} has {here}: only runs of the same data can be compared in charts",
                first.directory.display(),
                run.directory.display(),
            )));
        }
        let tables = read_tables(run, plots, inputs)?;
        shown.push(Shown { name: name.clone(), summary: &run.summary, tables });
    }
    Ok(shown)
}

/// Returns the first difference between the data of two runs, if any: the quantity, and its values in both runs.
fn difference(one: &Summary, other: &Summary) -> Option<(String, [String; 2])> {
    let n_edges = |summary: &Summary| summary.phases.iter().map(|phase| phase.n_edges).sum();
    let ranks = ("ranks", [one.input.n_ranks, other.input.n_ranks]);
    let objects = ("objects", [one.input.n_objects, other.input.n_objects]);
    let edges = ("edges between objects", [n_edges(one), n_edges(other)]);
    let phases = |summary: &Summary| summary.phases.iter().map(|phase| phase.phase).collect::<Vec<u64>>();
    // Numbers of edges are comparable only if the runs have the same phases.
    let edges = Some(edges).filter(|_| phases(one) == phases(other));
    let counts = [Some(ranks), Some(objects), edges].into_iter().flatten();
    let mut counts = counts.filter(|(_, [a, b])| a != b);
    if let Some((what, counts)) = counts.next() {
        return Some((what.to_owned(), counts.map(|count| count.to_string())));
    }
    let same_phase = |phase: &PhaseResult| other.phases.iter().find(|result| result.phase == phase.phase);
    let pairs = one.phases.iter().filter_map(|phase| Some((phase, same_phase(phase)?)));
    let (phase, other) = pairs.into_iter().find(|(phase, other)| !same_load(phase, other))?;
    let loads = [phase, other].map(|result| significant_to(result.before.load.sum, 10));
    Some((format!("s of load in phase {}", phase.phase), loads))
}

/// Reads the tables that charts need, if the run wrote them.
fn read_tables(run: &SavedRun, plots: &Plots, inputs: &mut Inputs) -> Result<Tables, ReportError> {
    let mut tables = Tables::default();
    for name in charts::tables(plots) {
        if let Some(bytes) = saved_run::file(&run.directory.join(name), inputs)? {
            tables.add(name, &bytes).map_err(|reason| {
                ReportError::Input(format!("cannot read a table in {}: {reason}", run.directory.display()))
            })?;
        }
    }
    Ok(tables)
}
