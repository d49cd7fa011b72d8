// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random selection of destinations, preferably far below the target.

use lbaf_model::RankId;
use rand::RngExt;

/// Cumulated weights of destinations, in ascending order of rank. The weight of a rank is 1 - work / mean if its work
/// is below `mean`, else 0. `mean` is the target, or the maximum work of the candidates if that is larger.
pub(super) struct Distribution(Vec<(f64, RankId)>);

impl Distribution {
    /// Creates the distribution from the works of ranks, in ascending order of rank.
    pub(super) fn new(works: impl Iterator<Item = (RankId, f64)>, mean: f64) -> Self {
        let mut sum = 0.0;
        let weights = works.filter(|&(_, work)| work < mean).map(|(rank, work)| {
            sum += 1.0 - work / mean;
            (sum, rank)
        });
        Distribution(weights.collect())
    }

    /// Draws a rank other than `but` in proportion to its weight. `None` if no other rank has a weight.
    pub(super) fn draw(&self, but: RankId, random: &mut impl rand::Rng) -> Option<RankId> {
        let weights = &self.0;
        let below = |at: usize| at.checked_sub(1).map_or(0.0, |before| weights[before].0);
        let own = weights.binary_search_by_key(&but, |&(_, rank)| rank).ok();
        let (begin, end) = own.map_or((f64::INFINITY, f64::INFINITY), |own| (below(own), below(own + 1)));
        let left_out = if own.is_some() { end - begin } else { 0.0 };
        let mut drawn = random.random::<f64>() * (below(weights.len()) - left_out);
        if drawn >= begin {
            drawn += left_out;
        }
        let at = weights.partition_point(|&(sum, _)| sum <= drawn);
        // Rounding may lead to the excluded rank or past the last rank. Then a neighbouring rank is taken.
        let others = [Some(at), at.checked_add(1), at.checked_sub(1), at.checked_sub(2)];
        let ranks = others.into_iter().flatten().filter_map(|at| weights.get(at));
        ranks.map(|&(_, rank)| rank).find(|&rank| rank != but)
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    /// Counts how often each of four ranks is drawn in 40,000 draws.
    fn counts(works: [f64; 4], but: u32) -> [u32; 4] {
        let mean = works.iter().sum::<f64>() / 4.0;
        let distribution = Distribution::new((0..).map(RankId).zip(works), mean);
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let mut counts = [0; 4];
        for _ in 0..40_000 {
            if let Some(rank) = distribution.draw(RankId(but), &mut random) {
                counts[rank.index()] += 1;
            }
        }
        counts
    }

    #[test]
    fn destinations_are_drawn_in_proportion_to_their_distance_below_the_mean() {
        // The mean is 4: the first three ranks are below the mean by 4, 2 and 1.
        let drawn = counts([0.0, 2.0, 3.0, 11.0], 3);
        let expected = [4.0, 2.0, 1.0].map(|part| part / 7.0 * 40_000.0);
        for (drawn, expected) in drawn.into_iter().zip(expected) {
            assert!((f64::from(drawn) - expected).abs() < 500.0, "{drawn} draws, not about {expected}");
        }
        assert_eq!(drawn[3], 0);
    }

    #[test]
    fn a_rank_never_draws_itself() {
        let drawn = counts([0.0, 2.0, 3.0, 11.0], 0);
        assert!(drawn[0] == 0 && (25_000..28_500).contains(&drawn[1]), "{drawn:?}");
        // The rank itself has all the weight but a fraction of 10^-16.
        let almost = 4.0 - 4.0 * f64::EPSILON;
        assert_eq!(counts([0.0, almost, 4.0, 8.0], 0)[0], 0);
        assert_eq!(counts([0.0, 4.0, 4.0, 4.0], 0), [0; 4]);
    }
}
