// SPDX-License-Identifier: MIT OR Apache-2.0
//! The imbalance of every phase, before and after.

use crate::axis::{Axis, Numbers};
use crate::error::check_value;
use crate::frame::Frame;
use crate::legend::{Entry, Sample};
use crate::palette::{AFTER, BEFORE, BOUND, Look, Pen};
use crate::plot::Plot;
use crate::{Chart, PlotError, Style, Svg};

/// Imbalance (max/mean - 1) of each phase before and after, with the least that is possible where that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct ImbalancePerPhase {
    /// Phases in ascending order. Numbers may be missing; the line is broken where more than the usual step is missing.
    pub phases: Vec<PhaseImbalance>,
    /// What is balanced, such as `load`; may be empty.
    pub quantity: String,
    /// Title, which may be empty: in a paper the caption says it.
    pub title: String,
}

/// Imbalance of one phase. An imbalance is 0 or more and finite; that of a phase without any load is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhaseImbalance {
    /// Number of the phase.
    pub phase: u64,
    /// Imbalance before.
    pub before: f64,
    /// Imbalance after.
    pub after: f64,
    /// Imbalance of the proven lower bound, if there is one for this phase.
    pub bound: Option<f64>,
}

/// Points of a series, by phase number.
type Series = Vec<(u64, f64)>;

/// Points are marked when there is so much of the page for each.
const MARKER_DISTANCE_MM: f64 = 2.5;

impl Chart for ImbalancePerPhase {
    fn name(&self) -> &'static str {
        "imbalance_per_phase"
    }

    fn draw(&self, style: &Style) -> Result<Svg, PlotError> {
        let (first, last) = self.check()?;
        let step = usual_step(&self.phases);
        let marked = style.width.size().width_mm / self.phases.len() as f64 >= MARKER_DISTANCE_MM;
        let all = self.series();
        let entry = |(look, text, series): &(Look, &str, Series)| {
            let has_markers = marked || runs(series, step).any(|run| run.len() == 1);
            let sample = if has_markers { Sample::Points(*look) } else { Sample::Line(look.pen) };
            Entry { sample, text: (*text).to_owned() }
        };
        let legend = all.iter().map(entry).collect();
        let largest = all.iter().flat_map(|(.., series)| series).map(|point| point.1).fold(0.0, f64::max);
        let what = match self.quantity.trim() {
            "" => "imbalance (max/mean \u{2212} 1)".to_owned(),
            quantity => format!("{quantity} imbalance (max/mean \u{2212} 1)"),
        };
        let around = if first == last { 0.5 } else { 0.0 };
        let phases = first as f64 - around..last as f64 + around;
        let frame = Frame {
            title: self.title.clone(),
            description: "Imbalance of each phase before and after load balancing",
            legend,
            x: Axis::around("phase".to_owned(), &phases, Numbers::Whole),
            y: Axis::from_zero(what, largest, Numbers::Real),
        };
        frame.draw(style, |plot| {
            all.iter().try_for_each(|(look, _, series)| {
                runs(series, step).try_for_each(|run| draw_run(plot, run, marked, *look))
            })
        })
    }
}

impl ImbalancePerPhase {
    /// What there is to draw, in the order of drawing.
    fn series(&self) -> Vec<(Look, &'static str, Series)> {
        let series = |value: fn(&PhaseImbalance) -> Option<f64>| -> Series {
            self.phases.iter().filter_map(|p| Some((p.phase, value(p)?))).collect()
        };
        // The bound comes last, thin on top of the others: it must still show where a strategy reaches it.
        let thin = Look { pen: Pen { dash_mm: None, width_pt: 0.5, ..BOUND.pen }, ..BOUND };
        let mut all = vec![
            (BEFORE, "before", series(|p| Some(p.before))),
            (AFTER, "after", series(|p| Some(p.after))),
            (thin, "lower bound", series(|p| p.bound)),
        ];
        all.retain(|(.., series)| !series.is_empty());
        all
    }

    /// First and last phase, after a look at all of them.
    fn check(&self) -> Result<(u64, u64), PlotError> {
        let (Some(first), Some(last)) = (self.phases.first(), self.phases.last()) else {
            return Err(PlotError::Empty { chart: self.name(), item: "phases" });
        };
        for pair in self.phases.windows(2) {
            let (first, second) = (pair[0].phase, pair[1].phase);
            if second <= first {
                return Err(PlotError::PhasesOutOfOrder { first, second });
            }
        }
        for &PhaseImbalance { phase, before, after, bound } in &self.phases {
            check_value(before, || format!("the imbalance before of phase {phase}"))?;
            check_value(after, || format!("the imbalance after of phase {phase}"))?;
            check_value(bound.unwrap_or(0.0), || format!("the bound of the imbalance of phase {phase}"))?;
        }
        Ok((first.phase, last.phase))
    }
}

/// The distance between neighbouring phases that is most at home in the data: their lower median.
fn usual_step(phases: &[PhaseImbalance]) -> u64 {
    let mut steps: Vec<u64> = phases.windows(2).map(|pair| pair[1].phase - pair[0].phase).collect();
    steps.sort_unstable();
    steps.get(steps.len().saturating_sub(1) / 2).copied().unwrap_or(1)
}

/// The parts of a series in which phases follow each other by the usual step or less.
fn runs(series: &Series, step: u64) -> impl Iterator<Item = &[(u64, f64)]> {
    series.chunk_by(move |a, b| b.0 - a.0 <= step)
}

/// A line through the points, with a marker on each if they are `marked` or if there is but one.
fn draw_run(plot: &Plot<'_, '_>, run: &[(u64, f64)], marked: bool, look: Look) -> Result<(), PlotError> {
    let points: Vec<(f64, f64)> = run.iter().map(|&(phase, value)| (phase as f64, value)).collect();
    if points.len() > 1 {
        plot.line(&points, look.pen)?;
    }
    if marked || points.len() == 1 {
        points.iter().try_for_each(|&point| plot.marker(point, look.marker, look.pen))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(numbers: &[u64]) -> ImbalancePerPhase {
        let phase = |&phase: &u64| PhaseImbalance { phase, before: 1.0, after: 0.1, bound: None };
        let phases = numbers.iter().map(phase).collect();
        ImbalancePerPhase { phases, quantity: String::new(), title: String::new() }
    }

    #[test]
    fn takes_the_step_that_most_phases_have() {
        assert_eq!(usual_step(&chart(&[0, 1, 2, 3, 10, 11]).phases), 1);
        assert_eq!(usual_step(&chart(&[0, 10, 20, 30]).phases), 10);
        assert_eq!(usual_step(&chart(&[1, 2, 5]).phases), 1);
        assert_eq!(usual_step(&chart(&[7]).phases), 1);
    }

    #[test]
    fn refuses_phases_out_of_order_and_phases_twice() {
        for numbers in [[0, 5, 3], [0, 5, 5]] {
            let error = chart(&numbers).draw(&Style::default()).unwrap_err();
            assert!(matches!(error, PlotError::PhasesOutOfOrder { first: 5, .. }), "{error}");
        }
        assert!(matches!(chart(&[]).draw(&Style::default()), Err(PlotError::Empty { .. })));
    }

    #[test]
    fn refuses_an_undefined_imbalance() {
        let mut chart = chart(&[0, 4]);
        chart.phases[1].after = f64::NAN;
        let error = chart.draw(&Style::default()).unwrap_err();
        assert!(error.to_string().starts_with("the imbalance after of phase 4 is NaN"), "{error}");
    }
}
