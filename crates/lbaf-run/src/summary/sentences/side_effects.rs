// SPDX-License-Identifier: MIT OR Apache-2.0
//! Side effects of balancing: growth of memory and communication that the work model leaves out.

use lbaf_text::number::bytes;

use super::Objective;
use crate::summary::{PhaseResult, Snapshot};

/// Smallest growth that has a sentence, as a factor.
const NOTABLE: f64 = 2.0;

/// Returns sentences on quantities that at least double: the largest memory of a rank, unless the work model has an
/// upper bound on it, and the off-rank volume of all phases, unless work has a term for communication.
pub(super) fn side_effects(phases: &[PhaseResult], objective: &Objective) -> Vec<String> {
    let largest = |side: fn(&PhaseResult) -> &Snapshot| {
        phases.iter().map(|phase| side(phase).memory.max).fold(0.0, f64::max)
    };
    let volume = |side: fn(&PhaseResult) -> &Snapshot| -> f64 {
        phases.iter().map(|phase| side(phase).sent_volume.sum).sum()
    };
    let mut sentences = Vec::new();
    let grown = |what: &str, [before, after]: [f64; 2], why: &str| {
        let is_notable = after > 0.0 && after >= NOTABLE * before;
        is_notable.then(|| format!("{what} grows from {} to {}: {why}.", bytes(before), bytes(after)))
    };
    if !objective.limits_memory {
        let memory = [largest(|phase| &phase.before), largest(|phase| &phase.after)];
        sentences.extend(grown(
            "The largest memory of a rank",
            memory,
            "the work model has no upper bound on memory",
        ));
    }
    if !objective.counts_communication {
        let volume = [volume(|phase| &phase.before), volume(|phase| &phase.after)];
        sentences.extend(grown("Off-rank volume", volume, "the work model does not count communication"));
    }
    sentences
}

#[cfg(test)]
mod tests {
    use lbaf_model::{Affine, AffineParameters, BoundScope, LoadOnly, RankQuantity, UpperBound};

    use super::*;

    /// Returns a phase with these changes of the largest memory of a rank and the off-rank volume.
    fn phase(memory: [f64; 2], volume: [f64; 2]) -> PhaseResult {
        let mut phase = crate::summary::fixture::phase(0, (4.0, 3.0), 1);
        [phase.before.memory.max, phase.after.memory.max] = memory;
        [phase.before.sent_volume.sum, phase.after.sent_volume.sum] = volume;
        phase
    }

    #[test]
    fn memory_and_volume_that_double_are_reported_unless_the_model_considers_them() {
        let load_only = Objective::new(&LoadOnly::default());
        let said = side_effects(&[phase([2e9, 4e9], [1e3, 2e3]), phase([1e9, 1e9], [0.0, 0.0])], &load_only);
        assert_eq!(
            said,
            [
                "The largest memory of a rank grows from 2 GB to 4 GB: the work model has no upper bound on memory.",
                "Off-rank volume grows from 1 kB to 2 kB: the work model does not count communication.",
            ]
        );
        assert_eq!(side_effects(&[phase([2e9, 3.9e9], [1e3, 1.9e3])], &load_only), [""; 0]);
        assert_eq!(side_effects(&[phase([0.0, 0.0], [0.0, 0.0])], &load_only), [""; 0]);
        let bound =
            UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit: 1e10, scope: BoundScope::Rank };
        let parameters = AffineParameters { beta: 1.0, bounds: vec![bound], ..AffineParameters::default() };
        let model = Affine::new(parameters).expect("a model");
        assert_eq!(side_effects(&[phase([2e9, 9e9], [1e3, 9e3])], &Objective::new(&model)), [""; 0]);
    }
}
