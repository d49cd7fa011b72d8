// SPDX-License-Identifier: MIT OR Apache-2.0
//! Outlier detection algorithms and their parameters.

/// Outlier detection by median and median absolute deviation, which a few extreme samples barely change: Leys et al.
/// 2013 (doi 10.1016/j.jesp.2013.03.013), after Rousseeuw and Croux 1993 (doi 10.1080/01621459.1993.10476408).
/// Chimbuko lacks it.
///
/// The score is the distance from the median in robust standard deviations: 1.4826 median absolute deviations, but at
/// least a thousandth of the median. If the median is 0, no sample is an outlier: an object that is mostly idle and
/// has one burst did real work. Cost: all samples are kept; the first call of `judge` after new samples is O(all
/// samples).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mad {
    /// A sample is an outlier beyond this number of robust standard deviations.
    pub threshold: f64,
}

/// Outlier detection by mean and standard deviation, for samples above and below the mean: SSTD of Chimbuko.
///
/// The score is the distance from the mean in standard deviations. A sample is part of this mean, so its score is at
/// most (n - 1)/√n: 11 samples are needed for any score above 3, 38 above 6, and 146 above 12. Cost: O(1) memory and
/// O(1) for each sample. Chimbuko leaves out the first call on each thread; here the caller must do so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sstd {
    /// A sample is an outlier beyond this number of standard deviations. Scripts of Chimbuko choose 12.
    pub sigma: f64,
}

/// Outlier detection by rare histogram bins: HBOS, Goldstein and Dengel 2012, as in Chimbuko.
///
/// The score is the negative binary logarithm of the share of samples in the same bin. A sample is an outlier if its
/// score is in the upper part of the range of scores. Therefore, unless an earlier, higher threshold still applies, the
/// samples of the rarest bins are always outliers. If all bins are equally full, all samples are outliers. The
/// algorithm needs thousands of samples. Cost: O(bins) memory and O(bins + samples) for each step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hbos {
    /// Fraction of the range of scores at which outliers begin, 0 to 1; not a quantile.
    pub threshold: f64,
    /// True if the threshold never falls.
    pub global: bool,
    /// Number of bins.
    pub max_bins: usize,
}

/// Outlier detection by the tails of the distribution: COPOD, Li et al. 2020 (doi
/// 10.1109/ICDM50108.2020.00135), in one dimension and with a histogram, as in Chimbuko.
///
/// A sample has a rarity in each tail: the negative binary logarithm of the share of samples that are at least as
/// small, or at least as large. The score is the sum of both rarities. If the samples are skewed, it is the rarity in
/// the long tail minus that in the short tail, but at least the mean of both. A sample is an outlier if its score is in
/// the upper part of the range of scores. Therefore, unless the threshold was higher before, the smallest or the
/// largest sample is always an outlier. If the samples form two groups of equal size, nearly all of them are outliers.
/// The threshold never falls. Cost: O(bins) memory and O(bins + samples) for each step, with bin widths by Scott's
/// rule.
///
/// Unlike in Chimbuko, equal samples are all normal with the score 0 and leave the threshold unchanged. Their skewness
/// is rounding noise, which could raise the threshold above all scores for good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Copod {
    /// Fraction of the range of scores at which outliers begin, 0 to 1; not a quantile.
    pub threshold: f64,
}

/// Outlier detection algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Algorithm {
    /// Distance from the median in median absolute deviations.
    Mad(Mad),
    /// Distance from the mean in standard deviations.
    Sstd(Sstd),
    /// Rare bins of a histogram.
    Hbos(Hbos),
    /// Tails of the distribution.
    Copod(Copod),
}

impl Algorithm {
    /// Names of all algorithms.
    pub const NAMES: [&'static str; 4] = ["mad", "sstd", "hbos", "copod"];

    /// Returns the name, which is Chimbuko's except for `mad`.
    pub fn name(&self) -> &'static str {
        match self {
            Algorithm::Mad(_) => "mad",
            Algorithm::Sstd(_) => "sstd",
            Algorithm::Hbos(_) => "hbos",
            Algorithm::Copod(_) => "copod",
        }
    }

    /// Returns the algorithm with this name and default parameters; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "mad" => Some(Algorithm::Mad(Mad::default())),
            "sstd" => Some(Algorithm::Sstd(Sstd::default())),
            "hbos" => Some(Algorithm::Hbos(Hbos::default())),
            "copod" => Some(Algorithm::Copod(Copod::default())),
            _ => None,
        }
    }
}

impl Default for Mad {
    fn default() -> Self {
        Mad { threshold: 6.0 }
    }
}

impl Default for Sstd {
    fn default() -> Self {
        Sstd { sigma: 6.0 }
    }
}

impl Default for Hbos {
    fn default() -> Self {
        Hbos { threshold: 0.99, global: true, max_bins: 200 }
    }
}

impl Default for Copod {
    fn default() -> Self {
        Copod { threshold: 0.99 }
    }
}

impl Default for Algorithm {
    fn default() -> Self {
        Algorithm::Mad(Mad::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_their_algorithms() {
        for name in Algorithm::NAMES {
            assert_eq!(Algorithm::from_name(name).map(|algorithm| algorithm.name()), Some(name));
        }
        assert_eq!(Algorithm::from_name("HBOS"), None);
        assert_eq!(Algorithm::default().name(), "mad");
    }
}
