// SPDX-License-Identifier: MIT OR Apache-2.0
//! Histogram of ranks by a quantity.

use crate::axis::{Axis, Numbers};
use crate::bins::Bins;
use crate::figure::{CsvColumn, Mark, ROW_MM};
use crate::legend::{Entry, Sample};
use crate::palette::Look;
use crate::rank_values::names;
use crate::series::check_series;
use crate::spread::{Rule, Spread};
use crate::unit::Unit;
use crate::{Chart, Figure, PlotError, Series, Style};

/// Numbers of ranks by a quantity, with the same bins for all series.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    /// Value of each rank, in any order.
    pub series: Vec<Series<Vec<f64>>>,
    /// Quantity, such as `load`.
    pub quantity: String,
    /// Unit; may be empty. Seconds and bytes (`s`, `B`) get a suitable prefix.
    pub unit: String,
    /// Title; may be empty.
    pub title: String,
}

/// Maximum number of bins to aim for; outlines would hide narrower bins.
const MOST_BINS: usize = 50;

impl Chart for Histogram {
    fn figure(&self, _: &Style) -> Result<Figure, PlotError> {
        check_series(&self.series, "ranks")?;
        let all: Vec<f64> = self.series.iter().flat_map(|series| &series.values).copied().collect();
        let unit = Unit::of(&self.unit, all.iter().copied().fold(0.0, f64::max));
        let bins = Bins::over(&unit.scaled(&all), MOST_BINS);
        let edges = bins.edges();
        let suffix = unit.suffix();
        let from = edges.iter().take(edges.len() - 1).map(|edge| edge * unit.size);
        let to = edges.iter().skip(1).map(|edge| edge * unit.size);
        let mut columns =
            vec![CsvColumn::new(format!("from{suffix}"), from), CsvColumn::new(format!("to{suffix}"), to)];
        let counts: Vec<Vec<u32>> =
            self.series.iter().map(|series| bins.counts(&unit.scaled(&series.values))).collect();
        let filled = counts.iter().flatten().filter(|&&count| count > 0);
        let mut spread = Spread::of(filled.map(|&count| f64::from(count)), Rule::AREAS);
        // The outlines begin and end at zero.
        spread.has_zero = true;
        let (mut marks, mut legend) = (Vec::new(), Vec::new());
        for (Series { name, state, .. }, counts) in self.series.iter().zip(counts) {
            // Areas have no meaning on a logarithmic axis.
            let fill = state.look().fill.filter(|_| !spread.is_logarithmic);
            let look = Look { fill, ..state.look() };
            let outlines = bins.outlines(&counts).into_iter();
            marks.extend(outlines.map(|outline| Mark::Edge(outline, look)));
            legend.push(Entry { sample: Sample::Edge(look), text: name.clone() });
            columns.push(CsvColumn::new(name.clone(), counts.iter().map(|&count| f64::from(count))));
        }
        Ok(Figure {
            title: self.title.clone(),
            description: format!("Numbers of ranks by {}: {}", self.quantity, names(&self.series)),
            legend,
            x: Axis::around(unit.axis_label(&self.quantity), &bins.range(), Numbers::Real),
            y: Axis::for_course("number of ranks".to_owned(), spread, Numbers::Whole),
            marks,
            is_square: false,
            row_mm: ROW_MM,
            columns,
        })
    }
}
