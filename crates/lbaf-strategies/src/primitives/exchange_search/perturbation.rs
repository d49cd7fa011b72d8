// SPDX-License-Identifier: MIT OR Apache-2.0
//! Perturbation: random exchanges that leave a local optimum.

use lbaf_model::{RankId, Slot, Transfer};

use super::Search;

/// Number of random exchanges tried in one perturbation.
const N_PAIRS: usize = 4;

impl Search<'_> {
    /// Exchanges random objects of random pairs of ranks. Returns true if an exchange was made.
    ///
    /// If the second rank has no migratable object, the object of the first rank moves without return. No rank gets
    /// further over a bound. The change of load alone raises no rank above the previous maximum work; other terms of
    /// work can.
    pub(crate) fn perturb(&mut self, random: &mut impl FnMut() -> u32) -> bool {
        let n_ranks = self.problem.phase.n_ranks();
        let (before, largest) = (self.n_exchanges(), self.largest());
        for _ in 0..N_PAIRS {
            let [from, to] = [random(), random()].map(|number| RankId::from(number as usize % n_ranks));
            let mut draw = |rank: RankId| {
                let objects: &[Slot] = &self.objects[rank.index()];
                objects.get(random() as usize % objects.len().max(1)).copied()
            };
            let (given, taken) = (draw(from), draw(to));
            let Some(given) = given.filter(|_| from != to) else { continue };
            let moved = self.load(given) - taken.map_or(0.0, |taken| self.load(taken));
            let ends = [
                self.cost(from) - self.slopes[from.index()] * moved,
                self.cost(to) + self.slopes[to.index()] * moved,
            ];
            if ends.iter().all(|&end| end <= largest) {
                let objects = [given];
                let transfer = Transfer { from, to, objects: &objects, returned: taken.as_slice() };
                self.make_within_bounds(&transfer);
            }
        }
        self.n_exchanges() > before
    }
}
