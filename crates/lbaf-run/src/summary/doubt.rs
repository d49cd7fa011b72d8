// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reasons why the noise in a run is unknown, as sentences.

use lbaf_noise::{Doubt, Labelling, Tested};
use lbaf_text::number::{counted, percent, signed_percent};

/// Returns the reason, without full stop; `imbalance` is the mean over phases.
pub fn sentence(doubt: Doubt, labelling: &Labelling, imbalance: f64) -> String {
    let detector = labelling.detector.algorithm.name();
    let unknown = |imbalance_of: &str| {
        format!(
            "it is unknown which part of the {imbalance_of} of {} is noise and which part is persistent",
            signed_percent(imbalance)
        )
    };
    let unknown = match doubt {
        Doubt::SinglePhase => unknown("imbalance"),
        _ => unknown("mean imbalance"),
    };
    match doubt {
        Doubt::SinglePhase => {
            format!("{unknown}: only one phase was recorded, so there is no other phase to compare it with")
        }
        Doubt::FewTested(Tested { n_tasks, n_tested, .. }) => format!(
            "{unknown}: {} tested, because {detector} needs at least {} per {}",
            match n_tested {
                0 => format!("none of {} is", counted(n_tasks, "task")),
                n => format!("only {n} of {} are", counted(n_tasks, "task")),
            },
            counted(
                usize::try_from(labelling.detector.samples_needed()).unwrap_or(usize::MAX),
                "recorded time"
            ),
            labelling.grouping.name(),
        ),
        Doubt::ManyFlagged(tested) => format!(
            "{unknown}: {detector} flags {} of the tested tasks, which is too many for anomalies",
            percent(tested.flagged_share())
        ),
    }
}

/// Returns a sentence with a capital letter and a full stop.
pub fn capitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
