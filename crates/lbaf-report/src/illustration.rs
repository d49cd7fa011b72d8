// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts, paper tables and pictures as additional outputs of a run.

use lbaf_config::{Plots, Selection, ranges};
use lbaf_reader::ReadError;
use lbaf_run::summary::Summary;
use lbaf_run::summary::saved::Tables;
use lbaf_run::{Messages, Outputs};
use lbaf_writer::Staging;

use crate::ReportError;
use crate::charts::{self, Shown};
use crate::paper_tables;
use crate::pictures::Drawing;

/// Adds the charts, tables and pictures that the configuration selects to the outputs of a run.
///
/// # Errors
/// If a chart, table or picture cannot be created or written.
pub fn illustrate(outputs: &mut Outputs<'_>, messages: &dyn Messages) -> Result<(), ReportError> {
    let Outputs { run, data, balanced, summary, staging, .. } = outputs;
    let balanced_phases: Vec<u64> = summary.phases.iter().map(|result| result.phase).collect();
    if let Some(plots) = &run.plots {
        summary.warnings.extend(left_out("plots.phases", plots.phases.as_ref(), &balanced_phases));
        draw(summary, plots, staging, messages)?;
        for (name, bytes) in paper_tables::files(summary, plots.table_width)? {
            staging.put(&name, &bytes)?;
        }
    }
    if let Some(visualization) = &run.visualization {
        let selection = visualization.phases.as_ref();
        summary.warnings.extend(left_out("visualization.phases", selection, &balanced_phases));
        if selection.is_some_and(|selection| !balanced_phases.iter().any(|&phase| selection.contains(phase)))
        {
            return Ok(());
        }
        let drawing = Drawing::new(run, visualization, (data.recorded, data.noise), balanced);
        summary.warnings.extend(drawing.draw(staging, messages)?);
    }
    Ok(())
}

/// Returns a warning if a selection of phases contains no balanced phase, or names a phase that is not balanced.
fn left_out(key: &str, selection: Option<&Selection>, balanced: &[u64]) -> Option<String> {
    let selection = selection?;
    let there = ranges(balanced);
    if !balanced.iter().any(|&phase| selection.contains(phase)) {
        return Some(format!("`{key}` selects none of the balanced phases ({there})"));
    }
    let phase = selection.missing_from(|phase| balanced.contains(&phase))?;
    Some(format!("`{key}` names phase {phase}, which is not among the balanced phases ({there})"))
}

/// Draws charts from the written tables, so that a later redrawing gives the same charts.
fn draw(
    summary: &mut Summary,
    plots: &Plots,
    staging: &Staging,
    messages: &dyn Messages,
) -> Result<(), ReportError> {
    let mut tables = Tables::default();
    for name in charts::tables(plots) {
        let path = staging.hidden(name);
        let bytes = lbaf_reader::read_file(&path).map_err(|source| ReadError::Io { path, source })?;
        tables.add(name, &bytes).expect("invariant: the tables that a run writes can be read");
    }
    let name = summary.strategy.label().to_owned();
    let drawn = charts::draw(&[Shown { name, summary, tables }], plots, messages)?;
    for (name, bytes) in &drawn.files {
        staging.put(name, bytes)?;
    }
    summary.notes.extend(drawn.notes());
    summary.warnings.extend(drawn.refused);
    Ok(())
}
