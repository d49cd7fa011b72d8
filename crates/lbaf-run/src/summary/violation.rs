// SPDX-License-Identifier: MIT OR Apache-2.0
//! Upper bounds that a placement exceeds, in the summary.

use std::fmt;

use lbaf_model::BoundScope;
use lbaf_text::number::counted;
use serde::{Deserialize, Serialize};

use super::amounts::amounts;

/// An upper bound of the work model that a placement exceeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Violation {
    /// Name of the bounded quantity.
    pub quantity: String,
    /// The upper bound, in the unit of the quantity.
    pub limit: f64,
    /// `rank` or `node`.
    pub scope: String,
    /// Rank or node with the largest value of the quantity.
    pub place: usize,
    /// The largest value, in the unit of the quantity.
    pub value: f64,
    /// Number of ranks or nodes above the bound, at least 1.
    pub n_places: usize,
}

/// Returns the name of a scope in the summary: `rank` or `node`.
pub fn scope_name(scope: BoundScope) -> &'static str {
    match scope {
        BoundScope::Rank => "rank",
        BoundScope::Node => "node",
    }
}

impl From<&lbaf_model::Violation> for Violation {
    fn from(violation: &lbaf_model::Violation) -> Self {
        Violation {
            quantity: violation.bound.quantity.to_string(),
            limit: violation.bound.limit,
            scope: scope_name(violation.bound.scope).to_owned(),
            place: violation.place,
            value: violation.value,
            n_places: violation.n_places,
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { quantity, limit, scope, place, value, n_places } = self;
        let [value, limit] = amounts(quantity, [*value, *limit]);
        write!(f, "{quantity} is {value} on {scope} {place}, above {limit}")?;
        let others = n_places - 1;
        if others > 0 {
            let exceed = if others == 1 { "exceeds" } else { "exceed" };
            write!(f, "; {} also {exceed} this bound", counted(others, &format!("other {scope}")))
        } else {
            Ok(())
        }
    }
}
