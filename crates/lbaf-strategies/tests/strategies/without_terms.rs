// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work model without terms, as a library model may be.

use lbaf_model::{Aspects, Ccm, LoadFloor, RankTotals, UpperBound, Work, WorkModel};

/// Work model that hides the terms of its cost, so that strategies call the model instead of summing terms.
pub(crate) struct WithoutTerms(pub(crate) Ccm);

impl WorkModel for WithoutTerms {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn boxed(&self) -> Box<dyn WorkModel> {
        Box::new(WithoutTerms(self.0.clone()))
    }

    fn work(&self, totals: &RankTotals) -> Work {
        self.0.work(totals)
    }

    fn bounds(&self) -> &[UpperBound] {
        self.0.bounds()
    }

    fn load_floor(&self) -> LoadFloor {
        self.0.load_floor()
    }

    fn aspects(&self) -> Aspects {
        self.0.aspects()
    }
}
