// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which samples are unlike the others: the algorithms, and what can be chosen of them.

/// Median and median absolute deviation, which single samples cannot move: Leys et al. 2013 (doi
/// 10.1016/j.jesp.2013.03.013), after Rousseeuw and Croux 1993 (doi 10.1080/01621459.1993.10476408). Not in Chimbuko.
///
/// The score is the distance from the median in robust standard deviations: 1.4826 median absolute deviations, at least a
/// thousandth of the median. If the median is 0 nothing is an outlier: an object that mostly rests and then has a burst did
/// real work. Cost: all samples are kept, O(samples so far) for each call of `judge`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mad {
    /// Beyond how many robust standard deviations a sample is an outlier.
    pub threshold: f64,
}

/// Mean and standard deviation, on both sides: SSTD of Chimbuko.
///
/// The score is the distance from the mean in standard deviations. As a sample is in the model that judges it, it is at most
/// (n - 1)/√n: 11 samples are needed to see anything beyond 3, 38 beyond 6, 146 beyond 12. Cost: O(1) memory and O(1) for
/// each sample. That Chimbuko leaves out the first call on each thread is for the caller to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sstd {
    /// Beyond how many standard deviations a sample is an outlier; scripts of Chimbuko choose 12.
    pub sigma: f64,
}

/// How rare the bin of a sample is in a histogram: HBOS, Goldstein and Dengel 2012, as in Chimbuko.
///
/// The score is the negative binary logarithm of the share of samples in the same bin; an outlier is as rare as the
/// rarest, up to a share of the range of scores. So the samples of the rarest bins are always outliers, and all of them if
/// all bins are equally full: it wants thousands of samples. Cost: O(bins) memory and O(bins + samples) for each step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hbos {
    /// From which part of the range of scores on samples are outliers, 0 to 1; not a quantile.
    pub threshold: f64,
    /// Whether the threshold never falls from one step to the next.
    pub global: bool,
    /// How many bins there are.
    pub max_bins: usize,
}

/// How far in the tail of its distribution a sample is: COPOD, Li et al. 2020 (doi 10.1109/ICDM50108.2020.00135), in one
/// dimension and by a histogram, as in Chimbuko.
///
/// The score is the negative binary logarithm of the share of samples that are not smaller or not larger; of skewed samples
/// the long tail counts. An outlier is beyond a share of the range of scores, so the ends are always outliers, and nearly
/// all of two equal heaps. The threshold never falls. Cost: O(bins) memory and O(bins + samples) for each step, with bins as
/// wide as Scott's rule wants them.
///
/// Unlike Chimbuko, equal samples are all normal with the score 0, and the threshold stays where it is: the skewness of
/// equal samples is rounding noise, by which the threshold can jump beyond all scores for good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Copod {
    /// From which part of the range of scores on samples are outliers, 0 to 1; not a quantile.
    pub threshold: f64,
}

/// Which samples are unlike the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Algorithm {
    /// By median and median absolute deviation.
    Mad(Mad),
    /// By mean and standard deviation.
    Sstd(Sstd),
    /// By rare bins of a histogram.
    Hbos(Hbos),
    /// By the tails of the distribution.
    Copod(Copod),
}

impl Algorithm {
    /// The names of all.
    pub const NAMES: [&'static str; 4] = ["mad", "sstd", "hbos", "copod"];

    /// The name, for Chimbuko as well.
    pub fn name(&self) -> &'static str {
        match self {
            Algorithm::Mad(_) => "mad",
            Algorithm::Sstd(_) => "sstd",
            Algorithm::Hbos(_) => "hbos",
            Algorithm::Copod(_) => "copod",
        }
    }

    /// The algorithm of a name, with nothing chosen otherwise than by default.
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
