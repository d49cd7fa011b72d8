// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reasons for which nothing is known of the noise in a run, as sentences.

use lbaf_noise::{Doubt, Labelling, Tested};
use lbaf_text::number::{counted, percent, signed_percent};

/// Returns the reason as a sentence without full stop; `imbalance` is the mean over phases.
pub fn sentence(doubt: Doubt, labelling: &Labelling, imbalance: f64) -> String {
    let detector = labelling.detector.algorithm.name();
    let unknown = format!(
        "what of the mean imbalance of {} is noise and what stays is not known",
        signed_percent(imbalance)
    );
    match doubt {
        Doubt::SinglePhase => format!(
            "what of the imbalance of {} is noise and what stays is not known: one phase was recorded, and there is nothing \
             to compare it with",
            signed_percent(imbalance)
        ),
        Doubt::FewTested(Tested { n_tasks, n_tested, .. }) => format!(
            "{unknown}: {} tested, as {detector} needs {} of each {} to find anything",
            match n_tested {
                0 => format!("none of {} is", counted(n_tasks, "task")),
                n => format!("only {n} of {} are", counted(n_tasks, "task")),
            },
            counted(usize::try_from(labelling.detector.samples_needed()).unwrap_or(usize::MAX), "time"),
            labelling.grouping.name(),
        ),
        Doubt::ManyFlagged(tested) => format!(
            "{unknown}: {detector} flags {} of the tasks, and what is so frequent is no exception",
            percent(tested.flagged_share())
        ),
    }
}

/// Returns a sentence with a capital letter and a full stop.
pub fn capitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}
