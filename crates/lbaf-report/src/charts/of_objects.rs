// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of objects.

use lbaf_plot::{Distribution, Series, State};
use lbaf_run::summary::saved::OBJECT_LOADS;

use super::{AnyChart, Phase};

/// Cumulative distribution of object loads.
pub(super) fn object_loads(runs: &[Phase<'_>]) -> Option<AnyChart> {
    let phase = runs[0];
    let column = |name: &str| phase.column(OBJECT_LOADS, name);
    let values: Vec<(f64, f64)> = column("load_s").into_iter().zip(column("objects")).collect();
    if values.is_empty() {
        return None;
    }
    Some(Box::new(Distribution {
        series: vec![Series { name: "objects".to_owned(), state: State::After, values }],
        of: "objects".to_owned(),
        quantity: "load".to_owned(),
        unit: "s".to_owned(),
        title: format!("object loads, phase {}", phase.result.phase),
    }))
}
