// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fixed parts of the page of a simulation.

use crate::page::assets::{BASICS, CHARTS, STYLE};
use crate::page::document::Frame;

/// Heading, styles and scripts.
pub(super) const SIMULATION: Frame = Frame {
    heading: "Simulation",
    layout: "",
    body: include_str!("../../assets/simulation.html"),
    styles: &[STYLE, include_str!("../../assets/study/study.css")],
    scripts: &[
        &BASICS,
        &[include_str!("../../assets/simulation/state.js")],
        &CHARTS,
        &[
            include_str!("../../assets/result_heading.js"),
            include_str!("../../assets/simulation/scenarios.js"),
            include_str!("../../assets/simulation/time_charts.js"),
            include_str!("../../assets/simulation/parts.js"),
            include_str!("../../assets/simulation/events.js"),
            include_str!("../../assets/simulation/load_models.js"),
            include_str!("../../assets/simulation/main.js"),
        ],
    ],
};

#[cfg(test)]
mod tests {
    use crate::page::document::check;

    #[test]
    fn scripts_follow_the_rules_of_pages() {
        check(&super::SIMULATION);
    }
}
